"""`make screenshots`: every kind of page in three sizes, two themes and three languages, for people to look at.

ARGS="cuzco desktop" takes only those whose names have all these words in them; ARGS=mails takes the mails instead,
ARGS=readme the pictures at the top of the README.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from sqlmodel import select

from app.learning.lessons import list_paths
from app.learning.review import review_match
from app.matches.tables import create_table
from app.platform.tables import Match as MatchRow
from app.platform.tables import Player
from app.views.help_pages import list_chapters
from engine.core.match import Match
from engine.core.puzzles import puzzles
from engine.core.registry import find, games
from tests.app.seated import come_in, my_id, seat
from tests.browser.budgets.measures import SIZES, asked, tables
from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.mail_pictures import take_mails
from tests.browser.readme_pictures import README_FOLDER, take_readme
from tests.servers import migrate
from tests.whispering import by_bots

FOLDER = Path("build/screenshots")
MAILS, README = "mails", "readme"  # as the first word
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "fr", "pt-BR")
MANY = 10_000  # events: more than any match has
SIGNED_IN = {
    "matches": "/matches", "tables": "/tables", "new-table": "/tables/new?preset=friends", "account": "/account", "notices": "/account/notices",
    "tokens": "/account/tokens", "profile": "/players/me", "mailbox": "/mailbox", "import": "/import",
}  # fmt: skip
VISITOR = {
    "home": "/", "lobby": "/tables", "sign-in": "/sign-in", "learn": "/learn", "puzzles": "/puzzles", "help": "/help",
    "about": "/about", "privacy": "/privacy", "offline": "/offline", "lost": "/nowhere",
}  # fmt: skip
LOOKED_BACK = {"history": "/history", "position": "/history/30"}
OF_A_MATCH = {
    "manage": "/care", "mails": "/mails", "undo": "/undo", "resign": "/resign", "report": "/report",
}  # fmt: skip
AFTERWARDS = {
    "result": "/result", "past": "/history/40", "review": "/review", "analysis": "/analysis/40",
}  # fmt: skip

# Whether the pictures in sight have come: those further down wait until somebody goes there.
DRAWN = "() => [...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)"


class Shot(NamedTuple):
    """A page as somebody sees it: whose cookie it is, and what they do there before the picture is taken."""

    name: str
    path: str
    cookie: str = ""
    do: Callable[[Page], None] | None = None


def pages(live: Live) -> Iterator[Shot]:
    yield from of_turns(live)
    yield from of_matches(live)
    yield from (Shot(name, path) for name, path in VISITOR.items())
    yield from of_learning()
    yield from at_a_full_table(live)


def of_turns(live: Live) -> Iterator[Shot]:
    """A turn of each game from its first sight to its draft, and what the others see meanwhile."""
    drafting, late = tables("shotsdraft"), tables("shotslate")
    for key, match in tables("shots").items():
        where, cookies = seated(live, match)
        yield Shot(f"turn-{key}", where, cookies[0])
        yield Shot(f"hand-{key}", where, cookies[0], take_in_hand)
        yield Shot(f"suggestion-{key}", where, cookies[0], ask_a_bot)
        yield Shot(f"waiting-{key}", where, cookies[1])
        yield Shot(f"watching-{key}", where)
        where, cookies = seated(live, drafting[key])
        yield Shot(f"draft-{key}", where, cookies[0], draft)
        yield Shot(f"plan-{key}", where, cookies[1], draft)
        where, cookies = seated(live, late[key])
        yield Shot(f"stale-{key}", where, cookies[0], come_late)
    where, cookies = seated(live, asked("shotsfeast"))
    yield Shot("festival", where, cookies[1])
    yield Shot("festival-mailed", f"{where}?order=bid+kero", cookies[1])


def of_matches(live: Live) -> Iterator[Shot]:
    """Matches as bots have played them, in their middle and at their end."""
    for key in games():
        match = by_bots(f"shotsmid{key}", 70, key)
        where, cookies = seated(live, match)
        yield Shot(f"turn-mid-{key}", where, cookies[(match.game.to_act(match.state) or (0,))[0]])
        yield from (
            Shot(f"{name}-{key}", where + path, cookies[0]) for name, path in LOOKED_BACK.items()
        )
        if key == "cuzco":
            yield from (Shot(name, where + path, cookies[0]) for name, path in OF_A_MATCH.items())
        match = by_bots(f"shotsover{key}", MANY, key)
        where, cookies = seated(live, match)
        with live.services.database.session() as session:
            session.merge(review_match(match))
        yield Shot(f"over-{key}", where, cookies[0])
        yield from (
            Shot(f"{name}-{key}", where + path, cookies[0]) for name, path in AFTERWARDS.items()
        )


def of_learning() -> Iterator[Shot]:
    """The rules, lessons and puzzles of each game, and what is said of an answer that is right and of one that is not."""
    for path in list_paths():
        key, slug = path.key, list_chapters(path.key, "en")[2].slug
        texts = {"rules": "", "chapter": f"/{slug}", "pieces": "/pieces"}
        yield from (Shot(f"{name}-{key}", f"/help/{key}{rest}") for name, rest in texts.items())
        yield Shot(f"path-{key}", f"/learn/{key}")
        for lesson in path.lessons:
            yield Shot(f"lesson-{key}-{lesson.key}", f"/learn/{key}/{lesson.key}")
        first, puzzle = path.lessons[0], puzzles(key)[0]
        where = f"/learn/{key}/{first.key}"
        yield Shot(f"solved-{key}", where + played(first.solution))
        part = [order for order in first.solution if order != "end"][:-1]
        yield Shot(f"missed-{key}", where + played(part))
        where = f"/puzzles/{key}/{puzzle.key}"
        yield Shot(f"puzzle-{key}", where)
        yield Shot(f"answered-{key}", where + played(puzzle.solution))


def played(orders: Sequence[str]) -> str:
    """The end of an address at which these orders have been played."""
    return f"/played?{urlencode({'order': orders}, doseq=True)}"


def seated(live: Live, match: Match) -> tuple[str, list[str]]:
    people = [f"{who}@{match.id}.org" for who in ("ana", "bo", "cy", "di")]
    seats = len(match.game.scores(match.state))
    found = live.put_match(match, "An evening", *people[:seats], public=True)
    with live.services.database.session() as session:
        session.get_one(MatchRow, match.id).hints = True
    return found


def press(page: Page, selector: str) -> None:
    """The first such thing, by finger where there is one."""
    found = page.locator(selector).first
    found.wait_for(state="attached")
    touch = page.evaluate("navigator.maxTouchPoints")
    (found.tap if touch else found.click)(force=True)


def take_in_hand(page: Page) -> None:
    press(page, "[data-verb]")
    place = page.locator(".place.can").first
    place.wait_for(state="attached")
    place.dispatch_event("pointerover", {"bubbles": True, "pointerType": "mouse"})
    page.wait_for_timeout(400)  # until it is told what it brings


def draft(page: Page) -> None:
    """The first order of the first verb, if nothing is drafted yet."""
    given = page.locator(".draft li, .confirm")
    for selector in ("[data-verb]", *[".place.can"] * 4):  # what is touched once is only shown
        if not given.count():
            press(page, selector)
            page.wait_for_timeout(500)
    page.wait_for_selector("#desk[data-ready]")


def ask_a_bot(page: Page) -> None:
    press(page, "[data-hint]")
    page.locator("#suggestion li").first.wait_for()


def come_late(page: Page) -> None:
    """Plays a draft on a page that was made before anybody had moved."""
    draft(page)
    page.locator("form.play").evaluate("form => { form.elements.head.value = 0; form.submit(); }")
    page.wait_for_selector(".notice.stale")


def at_a_full_table(live: Live) -> Iterator[Shot]:
    """Somebody with matches of every kind, a table that they opened and a seat that is kept for them."""
    emails, at = ("ana@full.org", "bo@full.org"), live.services.now()
    people = [my_id(come_in(live.app, email)) for email in emails]
    for number, key in enumerate(key for key in games() if find(key).seats[0] == len(people)):
        match = by_bots(f"shotsfull{number}", 12 + 9 * number, key)
        seat(live.services, match, *people, title=f"{match.game.name} by the sea", clocks=True)
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
    yield from (Shot(name, f"/m/{match_id}", cookie) for name, match_id in rooms.items())
    yield from (Shot(name, path, cookie) for name, path in SIGNED_IN.items())


def speak(live: Live, language: str) -> None:
    """Everybody reads this language from now on."""
    with live.services.database.session() as session:
        for player in session.exec(select(Player)):
            player.language = language.replace("-", "_")


def take(browser: Browser, live: Live, words: list[str]) -> int:
    taken, found = 0, list(pages(live))
    for language in LANGUAGES:
        speak(live, language)
        for shot, size in product(found, SIZES):
            title = f"{shot.name}-{size}-{{}}-{language}"
            themes = [one for one in THEMES if all(word in title.format(one) for word in words)]
            if themes:
                context = visit_as(browser, live, shot.cookie, size, language)
                page = context.new_page()
                page.goto(live.url + shot.path)
                if page.locator("#desk").count():
                    page.wait_for_selector("#desk[data-ready]")
                page.wait_for_function(DRAWN)
                if shot.do:
                    shot.do(page)
                for theme in themes:
                    page.emulate_media(color_scheme=theme)
                    page.screenshot(path=FOLDER / f"{title.format(theme)}.png")
                context.close()
            taken += len(themes)
    return taken


def visit_as(browser: Browser, live: Live, cookie: str, size: str, language: str) -> BrowserContext:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        is_mobile=size == "phone",
        has_touch=size == "phone",
        locale=language,
        reduced_motion="reduce",
    )
    if cookie:
        context.add_cookies([{"name": "chasqui-session", "value": cookie, "url": live.url}])
    return context


def main(words: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=QUIET)
        if words[:1] == [MAILS]:
            taken = take_mails(browser, FOLDER, words[1:])
        elif words[:1] == [README]:
            taken = take_readme(browser)
        else:
            taken = take_pages(browser, words)
        where = README_FOLDER if words[:1] == [README] else FOLDER
        sys.stdout.write(f"{taken} pictures in {where}\n")
        browser.close()


def take_pages(browser: Browser, words: list[str]) -> int:
    with TemporaryDirectory() as made:
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        with serving(Path(made) / "migrated.sqlite3") as live:
            return take(browser, live, words)


if __name__ == "__main__":
    main(sys.argv[1:])
