"""The pictures at the top of the README: a board, a mail and the history of a match (`make screenshots ARGS=readme`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from app.eventstore.store import load_match
from app.outbox.notifications import notify_seats
from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.servers import migrate
from tests.whispering import by_bots

README_FOLDER = Path("docs/pictures")
SIZE, TALLER = {"width": 1120, "height": 760}, {"width": 1120, "height": 960}


def take_readme(browser: Browser) -> int:
    with tempfile.TemporaryDirectory() as made:
        migrated = Path(made) / "migrated.sqlite3"
        migrate(f"sqlite:///{migrated}")
        with serving(migrated) as live:
            where, (cookie, _) = live.put_match(
                by_bots("pictures22", 110), "Rainy days", "ana@example.org", "ben@example.org"
            )
            ana = arrive(browser, live, script=True, size="desktop", cookie=cookie)
            ana.page.set_viewport_size(SIZE)
            ana.go(where)
            keep(ana.page, "board")
            ana.page.set_viewport_size(TALLER)  # with the chart and what steers it
            ana.go(f"{where}/history/60")
            keep(ana.page, "history")
            keep_mail(ana, live, where)
            ana.context.close()
    return 3


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
    ana.page.locator("iframe.letter").screenshot(path=str(README_FOLDER / "mail.png"))


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=str(README_FOLDER / f"{name}.png"))
