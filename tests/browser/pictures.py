"""Makes the pictures at the top of the README: a board, a mail and the history of a match. `python -m tests.browser.pictures`"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from app.eventstore.store import load_match
from app.outbox.notifications import notify_seats
from app.platform.database import Database
from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.browser.screenshots import by_bots

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = {"width": 1120, "height": 760}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        migrated = Path(made) / "migrated.sqlite3"
        database = Database(f"sqlite:///{migrated}")
        database.migrate()
        database.close()
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=QUIET)
        with serving(migrated) as live:
            where, (cookie, _) = live.put_match(
                by_bots("pictures22", 110), "Rainy days", "ana@example.org", "ben@example.org"
            )
            ana = arrive(browser, live, script=True, size="desktop", cookie=cookie)
            ana.page.set_viewport_size(SIZE)
            ana.go(where)
            keep(ana.page, "board")
            ana.go(f"{where}/history/60")
            keep(ana.page, "history")
            keep_mail(ana, live, where)
            ana.context.close()
        browser.close()


def keep_mail(ana: Person, live: Live, where: str) -> None:
    """The mail that calls to the turn, as a mail reader shows it."""
    with live.services.database.session() as session:
        match = load_match(session.connection(), where.rpartition("/")[2])
        asked = match.game.to_act(match.state)
        notify_seats(session, match.id, match.head, asked, "turn", at=live.services.now())
    live.services.nudge()
    ana.page.wait_for_timeout(3000)
    ana.go("/mailbox")
    ana.page.locator(".list a", has_text="your turn").first.click()
    ana.page.wait_for_timeout(500)
    ana.page.locator("iframe.letter").evaluate("frame => { frame.style.height = '960px'; }")
    ana.page.locator("iframe.letter").screenshot(path=str(FOLDER / "mail.png"))


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=str(FOLDER / f"{name}.png"))


if __name__ == "__main__":
    main()
