"""`make screenshots`: every kind of page in three sizes, two themes and three languages, for people to look at.

ARGS="cuzco desktop" takes only those whose names have all these words in them; ARGS=mails takes the mails instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from sqlmodel import select

from app.platform.tables import Player
from tests.app.seated import played
from tests.browser.budgets.measures import SIZES, asked, tables
from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.mail_pictures import take_mails
from tests.servers import migrate

FOLDER = Path("build/screenshots")
MAILS = "mails"  # as the first word
THEMES = ("light", "dark")
LANGUAGES = ("en", "fr", "pt-BR")
EVERYWHERE = {
    "home": "/", "tables": "/tables", "new-table": "/tables/new", "account": "/account", "rules": "/help/cuzco",
    "mailbox": "/mailbox", "sign-in": "/sign-in", "import": "/import",
}  # fmt: skip
OF_A_MATCH = {"history": "/history", "position": "/history/2", "manage": "/care", "mails": "/mails"}


def pages(live: Live) -> Iterator[tuple[str, str, str]]:
    """The name of a page, its path, and the cookie of who looks at it."""
    matches = {
        **tables("shots"),
        "festival": asked("shotsfeast"),
        "over": played(4000, "shotsover2"),
    }
    for key, match in matches.items():
        people = [f"{who}@{match.id}.org" for who in ("ana", "bo", "cy", "di")]
        where, cookies = live.put_match(
            match, "An evening", *people[: len(match.game.scores(match.state))]
        )
        asks = match.game.to_act(match.state) or (0,)
        yield f"turn-{key}", where, cookies[asks[0]]
        if key == "cuzco":
            yield f"waiting-{key}", where, cookies[1]
            for name, path in OF_A_MATCH.items():
                yield name, where + path, cookies[0]
            for name, path in EVERYWHERE.items():
                yield name, path, cookies[0]


def speak(live: Live, language: str) -> None:
    """Everybody reads this language from now on."""
    with live.services.database.session() as session:
        for player in session.exec(select(Player)):
            player.language = language.replace("-", "_")


def take(browser: Browser, live: Live, words: list[str]) -> int:
    taken, found = 0, list(pages(live))
    for language in LANGUAGES:
        speak(live, language)
        for (name, path, cookie), size, theme in product(found, SIZES, THEMES):
            title = f"{name}-{size}-{theme}-{language}"
            if not all(word in title for word in words):
                continue
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                locale=language,
                reduced_motion="reduce",
            )
            context.add_cookies([{"name": "chasqui-session", "value": cookie, "url": live.url}])
            page = context.new_page()
            page.goto(live.url + path)
            if page.locator("#desk").count():
                page.wait_for_selector("#desk[data-ready]")
            page.screenshot(path=FOLDER / f"{title}.png")
            context.close()
            taken += 1
    return taken


def main(words: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=QUIET)
        if words[:1] == [MAILS]:
            taken = take_mails(browser, FOLDER, words[1:])
        else:
            taken = take_pages(browser, words)
        sys.stdout.write(f"{taken} pictures in {FOLDER}\n")
        browser.close()


def take_pages(browser: Browser, words: list[str]) -> int:
    with TemporaryDirectory() as made:
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        with serving(Path(made) / "migrated.sqlite3") as live:
            return take(browser, live, words)


if __name__ == "__main__":
    main(sys.argv[1:])
