"""The measures themselves. Each gives what it found as rows of the table: what, the goal, the value, and whether it holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, Response

from engine.core.match import Match, start, start_at
from engine.core.registry import find
from tests.app.seated import late_match, played
from tests.browser.live import Live
from tests.browser.people import arrive

SIZES = {"desktop": (1280, 800), "tablet": (768, 1024), "phone": (390, 844)}
MOST_COLD, MOST_STEP = 60_000, 12_000
MOST_GHOST, MOST_NEWS = 50, 2.0  # milliseconds, seconds
MOST_CHANGES = 12  # of the page, for each sign that is shown: what there is to do grows with what there is to see
LEAST_TARGET, LEAST_LETTER = 24, 11  # pixels
LEAST_BOARD = 0.55
EMPIRE: dict[str, Any] = {"seats": 4, "period": 1, "step": 2, "labour": [20]}
ROOM = {"triples": 20, "basins": 9}
HALL = "A r3c2; B r11c12; L01 r4c4 r4c5; L02 r9c4 r9c5; turn A"


class Row(NamedTuple):
    """One line of the table."""

    what: str
    goal: str
    value: str
    holds: bool
    timed: bool = False  # by a machine that does other things too: `make budgets` holds it, no test


class Clicker:
    """Somebody whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click(force=True)
        self.clicks += 1

    def drafted(self, count: int) -> None:
        self.page.locator(".draft ol li").nth(count - 1).wait_for(state="attached")
        self.page.wait_for_timeout(300)  # until what is legal then is known


def tables(name: str) -> dict[str, Match]:
    """One match of each game in the middle of a turn."""
    from tests.games.inka.table import GAME, read  # noqa: PLC0415 - it reads the whole board

    return {
        "cuzco": late_match(f"{name}cuzco", supply=ROOM),
        "java": start(find("java"), 2, {}, "seed", f"{name}java2"),
        "tahuantinsuyu": start_at(find("tahuantinsuyu"), EMPIRE, "seed", f"{name}tahua"),
        "inka": start_at(GAME, read(HALL), "seed", f"{name}inka2"),
    }


def visit(browser: Browser, live: Live, match: Match, size: str, seat: int = 0) -> Page:
    """Somebody at a match, at a screen of that size; the first who comes puts it there."""
    emails = [f"{who}@{match.id}.org" for who in ("ana", "bo", "cy", "di")]
    players = emails[: len(match.game.scores(match.state))]
    known = SEATED.get(match.id)
    where, cookies = known or live.put_match(match, "A table", *players)
    SEATED[match.id] = where, cookies
    kind = "phone" if size == "phone" else "desktop"
    page = arrive(browser, live, script=True, size=kind, cookie=cookies[seat]).page
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))  # type: ignore[arg-type]  # a TypedDict
    page.goto(live.url + where)
    page.wait_for_selector("#desk[data-ready]")
    return page


SEATED: dict[str, tuple[str, list[str]]] = {}


# What is in sight

NEEDED = {"board": ".sheet svg", "prompt": ".prompt", "Undo": "#undo-last", "Play turn": "#play"}
INSIDE = """(selector) => {
  const found = document.querySelector(selector);
  if (!found) return false;
  const { x, y, right, bottom, width, height } = found.getBoundingClientRect();
  return width > 0 && height > 0 && x >= -0.5 && y >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
}"""

# How high the board's drawing stands in its frame; how large it is, says the page as it was sent.
DRAWN = """async () => {
  const sent = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html");
  const [, top, , height] = sent.querySelector(".sheet svg").getAttribute("viewBox").split(" ").map(Number);
  const sheet = document.querySelector(".sheet"), frame = sheet.getBoundingClientRect(), { d, f } = sheet.querySelector("svg").getScreenCTM();
  return Math.min(d * (top + height) + f, frame.bottom) - Math.max(d * top + f, frame.top);
}"""


def sight(browser: Browser, live: Live) -> Iterator[Row]:
    """Board, prompt, Undo and Play turn at rest, with a tool in hand and with something drafted."""
    for key, match in tables("sight").items():
        for size in SIZES:
            page = visit(browser, live, match, size)
            unseen = [f"{n} at rest" for n, s in NEEDED.items() if not page.evaluate(INSIDE, s)]
            page.locator("[data-verb]").first.click()
            page.locator(".place.can").first.wait_for(state="attached")
            unseen += [f"{n} in hand" for n, s in NEEDED.items() if not page.evaluate(INSIDE, s)]
            draft_what_is_lit(page)
            unseen += [f"{n} in a draft" for n, s in NEEDED.items() if not page.evaluate(INSIDE, s)]
            yield Row(
                f"{key} at {size}: all in sight", "always", ", ".join(unseen) or "yes", not unseen
            )
            if size == "phone":
                share = page.evaluate(DRAWN) / SIZES[size][1]
                yield Row(
                    f"{key}: board on a phone", "≥ 55 %", f"{share:.0%}", share >= LEAST_BOARD
                )
            page.context.close()


def draft_what_is_lit(page: Page) -> None:
    """The tool in hand is laid where it can be; a finger is shown first what it would do."""
    drafted = page.locator(".draft li, .confirm")
    for _ in range(4):  # a lozenge first, then where to
        if not drafted.count():
            page.locator(".place.can").first.click(force=True)
            page.wait_for_timeout(500)
    drafted.first.wait_for(state="attached")
    page.wait_for_timeout(300)  # until what is legal then is known


# Clicks


def clicks(browser: Browser, live: Live) -> Iterator[Row]:
    found: tuple[tuple[str, int, Callable[[Browser, Live], int]], ...] = (
        ("Cuzco: triple, Inca in, walk, village, end", 8, cuzco_turn),
        ("Tahuantinsuyu: two roads, city, end", 6, empire_turn),
        ("Inka: slide, walk, end", 6, hall_turn),
        ("Inka: one lozenge of the laying", 1, laying),
        ("festival answer on the page", 2, festival),
        ("festival answer from the mail’s link", 1, festival_by_link),
    )
    for what, most, play in found:
        count = play(browser, live)
        yield Row(f"clicks, {what}", f"≤ {most}", str(count), count <= most)


def cuzco_turn(browser: Browser, live: Live) -> int:
    page = visit(browser, live, late_match("clickcuzco", supply=ROOM), "desktop")
    hand = Clicker(page)
    hand.click("[data-verb='place triple']")
    hand.click("[data-place='g14']")
    hand.drafted(1)
    hand.click("[data-verb='enter']")
    page.locator(".place.can").first.wait_for(state="attached")
    door = page.locator(".place.can").first.get_attribute("data-place")
    hand.click(f"[data-place='{door}']")
    hand.drafted(2)
    hand.click(".place.can")  # its ways are lit already
    hand.drafted(3)
    hand.click("[data-verb='place village']")
    hand.click(".place.can")
    hand.drafted(4)
    return finish(hand)


def empire_turn(browser: Browser, live: Live) -> int:
    position = {
        **EMPIRE,
        "options": {**EMPIRE.get("options", {}), "board": 1},
        "sun": {"orange-blue": ["extra_labour"]},
        "roads": [[["s001", "s005"], ["s005", "s106"]], [], [], []],
        "markers": {"chanka": {"type": "farmers", "owner": 0}},
    }
    match = start_at(find("tahuantinsuyu"), position, "seed", "clicktahua")
    hand = Clicker(visit(browser, live, match, "desktop"))
    hand.click("[data-verb='road']")
    for road, site in enumerate(("s084", "s061"), 1):
        hand.click(f"[data-place='{site}']")
        hand.drafted(road)
    hand.click("[data-verb='city']")
    hand.click("[data-place='s106']")
    hand.drafted(3)
    return finish(hand)


def hall_turn(browser: Browser, live: Live) -> int:
    page = visit(browser, live, tables("click")["inka"], "desktop")
    hand = Clicker(page)
    hand.click("[data-place='L01']")
    hand.click(".place.can")
    hand.drafted(1)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    hand.click("[data-verb='walk']")
    hand.click(".place.can")
    hand.drafted(2)
    return finish(hand)


def laying(browser: Browser, live: Live) -> int:
    match = next(
        m for n in range(2, 9) if (m := played(n, "clicklay22", "inka", 2)).state.phase == "lay"
    )
    (seat,) = match.game.to_act(match.state)
    hand = Clicker(visit(browser, live, match, "desktop", seat))
    hand.click(".place.can")
    return played_then(hand)


def asked(name: str) -> Match:
    """A match in which B is asked to answer a festival."""
    from engine.core.match import play  # noqa: PLC0415 - of this measure alone

    match = late_match(name)
    for order in ("place triple g14 g16 h15", "festival e14 kero"):
        match = play(match, 0, order)
    return match


def festival(browser: Browser, live: Live) -> int:
    hand = Clicker(visit(browser, live, asked("clickfeast"), "desktop", 1))
    hand.click(".answer:has([value='bid kero'])")
    return finish(hand)


def festival_by_link(browser: Browser, live: Live) -> int:
    page = visit(browser, live, asked("clicklink2"), "desktop", 1)
    page.goto(f"{page.url}?order=bid+kero")
    page.wait_for_selector("#desk[data-ready]")
    return finish(Clicker(page))


def finish(hand: Clicker) -> int:
    hand.click("#play")
    return played_then(hand)


def played_then(hand: Clicker) -> int:
    hand.page.locator(".alerts .message").first.wait_for(state="attached")
    hand.page.context.close()
    return hand.clicks


# Bytes and milliseconds


def weights(browser: Browser, live: Live) -> Iterator[Row]:
    """A page that comes for the first time with all its files, and what one order more costs with all that becomes legal."""
    for key, match in tables("bytes").items():
        page = visit(browser, live, match, "desktop")
        sizes: list[int] = []

        def weigh(answer: Response, sizes: list[int] = sizes) -> None:
            if "event-stream" not in answer.headers.get("content-type", ""):
                sizes.append(
                    len(answer.body())
                    if "content-encoding" not in answer.headers
                    else int(answer.headers["content-length"])
                )

        page.on("response", weigh)
        page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.reload()
        page.wait_for_selector("#desk[data-ready]")
        page.wait_for_timeout(200)
        cold, before = sum(sizes), len(sizes)
        yield Row(
            f"{key}: page cold, packed",
            f"≤ {MOST_COLD // 1000} kB",
            f"{cold / 1000:.1f} kB",
            cold <= MOST_COLD,
        )
        page.locator("[data-verb]").first.click()
        draft_what_is_lit(page)
        step = sum(sizes[before:])
        yield Row(
            f"{key}: draft step, packed",
            f"≤ {MOST_STEP // 1000} kB",
            f"{step / 1000:.1f} kB",
            step <= MOST_STEP,
        )
        page.context.close()


# Answered within the task of the press itself: nothing that comes over the network, and no timer, can have been waited for.
ANSWERED = """(verb) => {
  const watcher = new MutationObserver(() => {});
  watcher.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  const place = [...document.querySelectorAll(".place.can")].at(-1);
  const began = performance.now();
  if (verb) document.querySelector(`[data-verb="${verb}"]`).click();
  else place.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
  const took = performance.now() - began, changes = watcher.takeRecords().length;
  watcher.disconnect();
  return [took, document.querySelectorAll(verb ? ".place.can" : ".marks .preview, .marks .aim").length, changes];
}"""


class Answer(NamedTuple):
    """What a press or a pointer brought forth at once: in how many milliseconds, how many signs, by how many changes of the page."""

    took: float
    shown: int
    changes: int

    @classmethod
    def of(cls, page: Page, verb: str | None = None) -> Answer:
        """The best of several that showed something: what else the machine does meanwhile is not the page's."""
        tries = [cls(*page.evaluate(ANSWERED, verb)) for _ in range(9)]
        return min(tries, key=lambda one: (not one.shown, one.took))


def speed(browser: Browser, live: Live) -> Iterator[Row]:
    """From the click to the lights and from the pointer to the ghost, without the network."""
    for key, match in tables("speed").items():
        page = visit(browser, live, match, "desktop")
        page.context.set_offline(True)
        verb = page.locator("[data-verb]").first.get_attribute("data-verb")
        lights, ghosts = Answer.of(page, verb), Answer.of(page)
        yield Row(
            f"{key}: light and ghost at once, offline",
            "always",
            f"{lights.shown} lights, {ghosts.shown} ghosts",
            lights.shown > 0 and ghosts.shown > 0,
        )
        most = MOST_CHANGES * (lights.shown + ghosts.shown)
        changes = lights.changes + ghosts.changes
        yield Row(
            f"{key}: changes of the page for these", f"≤ {most}", str(changes), changes <= most
        )
        yield Row(
            f"{key}: click to light, pointer to ghost",
            f"≤ {MOST_GHOST} ms",
            f"{lights.took:.0f} ms, {ghosts.took:.0f} ms",
            max(lights.took, ghosts.took) <= MOST_GHOST,
            timed=True,
        )
        page.context.close()


def targets(browser: Browser, live: Live) -> Iterator[Row]:
    """What a finger must hit on a phone while it chooses."""
    for key, match in tables("finger").items():
        page = visit(browser, live, match, "phone")
        page.locator("[data-verb]").first.tap()
        page.locator(".place.can").first.wait_for(state="attached")
        sizes = page.locator(".place.can").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
        )
        least = min(sizes)
        yield Row(
            f"{key}: touch targets",
            f"≥ {LEAST_TARGET} px",
            f"{least:.0f} px",
            least >= LEAST_TARGET,
        )
        page.context.close()


LETTERED = {"cuzco", "java", "tahuantinsuyu"}  # Inka’s is held by the tests of its own picture


def lettering(browser: Browser, live: Live) -> Iterator[Row]:
    """How high the smallest sign on the board is."""
    for key, match in tables("letter").items():
        if key not in LETTERED:
            continue
        page = visit(browser, live, match, "desktop")
        heights = page.locator(
            ".sheet :is(.ruler path, .level, .value, .letter)"
        ).evaluate_all(
            "all => all.map((one) => 10 * one.getScreenCTM().d)"  # letters are drawn in a box 10 high
        )
        least = min(heights)
        yield Row(
            f"{key}: lettering of the board",
            f"≥ {LEAST_LETTER} px",
            f"{least:.1f} px",
            least >= LEAST_LETTER,
        )
        page.context.close()


def news(browser: Browser, live: Live) -> Iterator[Row]:
    """A move appears by itself on a page that lies open, told by the stream; how soon, is timed."""
    match = late_match("budgetnews")
    bo = visit(browser, live, match, "desktop", 1)
    ana = visit(browser, live, match, "desktop")
    loads: list[str] = []
    bo.on("domcontentloaded", lambda page: loads.append(page.url))
    hand = Clicker(ana)
    hand.click("[data-verb='place triple']")
    hand.click("[data-place='g14']")
    hand.drafted(1)
    ana.locator("#play").click()
    began = time.monotonic()
    bo.locator("#story", has_text="laid a triple").wait_for(state="attached")
    waited = time.monotonic() - began
    for page in (ana, bo):
        page.context.close()
    what = "an opponent’s move on an open page"
    yield Row(what, "no load", f"{len(loads)} loads", not loads)
    yield Row(what, f"≤ {MOST_NEWS:.0f} s", f"{waited:.1f} s", waited <= MOST_NEWS, timed=True)


MEASURES: tuple[Callable[[Browser, Live], Iterator[Row]], ...] = (
    sight, clicks, weights, speed, targets, lettering, news,
)  # fmt: skip
