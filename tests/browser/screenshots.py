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

from app.matches.tables import create_table
from app.platform.tables import Player
from engine.core.match import Match, play, start
from engine.core.registry import find, games
from tests.app.seated import come_in, my_id, seat
from tests.browser.budgets.measures import SIZES, asked, tables
from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.mail_pictures import take_mails
from tests.servers import migrate
from tests.whispering import whispered

FOLDER = Path("build/screenshots")
MAILS = "mails"  # as the first word
THEMES = ("light", "dark")
LANGUAGES = ("en", "fr", "pt-BR")
MANY = 10_000  # events: more than any match has
SIGNED_IN = {
    "matches": "/matches", "tables": "/tables", "new-table": "/tables/new?preset=friends", "account": "/account", "notices": "/account/notices",
    "tokens": "/account/tokens", "profile": "/players/me", "mailbox": "/mailbox", "import": "/import",
}  # fmt: skip
VISITOR = {
    "home": "/", "lobby": "/tables", "sign-in": "/sign-in", "learn": "/learn", "path": "/learn/cuzco", "puzzles": "/puzzles", "puzzle": "/puzzles/cuzco/1",
    "help": "/help", "rules": "/help/cuzco", "about": "/about", "privacy": "/privacy", "offline": "/offline", "lost": "/nowhere",
}  # fmt: skip
OF_A_MATCH = {
    "history": "/history", "position": "/history/30", "manage": "/care", "mails": "/mails", "undo": "/undo", "resign": "/resign", "report": "/report",
}  # fmt: skip
AFTERWARDS = {"result": "/result", "past": "/history/40"}


def pages(live: Live) -> Iterator[tuple[str, str, str]]:
    """The name of a page, its path, and the cookie of who looks at it."""
    matches = {
        **tables("shots"),
        "festival": asked("shotsfeast"),
        **{f"mid-{key}": by_bots(f"shotsmid{key}", 70, key) for key in games()},
        "over": by_bots("shotsover2", MANY),
    }
    for key, match in matches.items():
        people = [f"{who}@{match.id}.org" for who in ("ana", "bo", "cy", "di")]
        where, cookies = live.put_match(
            match, "An evening", *people[: len(match.game.scores(match.state))], public=True
        )
        asks = match.game.to_act(match.state) or (0,)
        yield f"turn-{key}", where, cookies[asks[0]]
        if key == "cuzco":
            yield f"waiting-{key}", where, cookies[1]
            yield f"watching-{key}", where, ""
        if key == "mid-cuzco":
            yield from ((name, where + path, cookies[0]) for name, path in OF_A_MATCH.items())
        if key == "over":
            yield from ((name, where + path, cookies[0]) for name, path in AFTERWARDS.items())
    yield from ((name, path, "") for name, path in VISITOR.items())
    yield from at_a_full_table(live)


def at_a_full_table(live: Live) -> Iterator[tuple[str, str, str]]:
    """Somebody with matches of every kind, a table that they opened and a seat that is kept for them."""
    emails, at = ("ana@full.org", "bo@full.org"), live.services.now()
    people = [my_id(come_in(live.app, email)) for email in emails]
    for number, key in enumerate(key for key in games() if find(key).seats[0] == len(people)):
        match = by_bots(f"shotsfull{number}", 12 + 9 * number, key)
        seat(live.services, match, *people, title=f"{match.game.name} by the sea")
    seat(live.services, by_bots("shotsdone2", MANY), *people, title="Last winter")
    with live.services.database.session() as session:
        ana, bo = (session.get_one(Player, one) for one in people)
        rest = {"options": None, "pace": None, "public": True, "at": at}
        room = ["me", {"email": "cy@full.org"}, None]
        rooms = {
            "room": create_table(session, ana, "cuzco", "Rainy days", room, **rest).id,
            "kept": create_table(
                session, bo, "java", "Rice and rain", ["me", {"email": emails[0]}], **rest
            ).id,
        }
    cookie = live.sign_in(emails[0])
    yield from ((name, f"/m/{match_id}", cookie) for name, match_id in rooms.items())
    yield from ((name, path, cookie) for name, path in SIGNED_IN.items())


def by_bots(match_id: str, orders: int, key: str = "cuzco") -> Match:
    """A match as people might have played it so far, or to its end."""
    game = find(key)
    match = start(game, game.seats[0], {}, "a seed for pictures", match_id)
    while not match.over and match.head < orders:
        (seat, *_) = game.to_act(match.state)
        match = play(match, seat, whispered(match, seat))
    return match


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
            if cookie:
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
