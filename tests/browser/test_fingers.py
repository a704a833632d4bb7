"""The board on a phone: it fills its frame, is moved by one finger and enlarged by two, and scrolls where there is no script."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Browser

from engine.core.match import start_at
from tests.app.seated import late_match, played
from tests.browser.budgets.measures import INSIDE, NEEDED, tables, visit
from tests.browser.live import Live
from tests.browser.people import Person
from tests.games.inka.table import GAME as INKA
from tests.games.inka.table import read

Come = Callable[..., Person]
everywhere = pytest.mark.parametrize("key", ["cuzco", "inka", "java", "tahuantinsuyu"])
SCALE = "() => document.querySelector('.sheet svg').getScreenCTM().d"


def at_a_phone(live: Live, person: Come, key: str, name: str, **how: object) -> Person:
    match = tables(name)[key]
    seats = len(match.game.scores(match.state))
    emails = [f"{who}@{name}{key}.org" for who in ("ana", "bo", "cy", "di")[:seats]]
    where, (cookie, *_) = live.put_match(match, "A table", *emails)
    ana = person(cookie=cookie, size="phone", **how)
    ana.go(where)
    return ana


def middle(somebody: Person) -> tuple[float, float]:
    frame = somebody.page.locator(".sheet").bounding_box()
    assert frame
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2


def drag(somebody: Person, *ways: Iterable[tuple[float, float]]) -> None:
    """Fingers that come down together, each on its way, and leave together."""
    hand = somebody.context.new_cdp_session(somebody.page)
    for number, spots in enumerate(zip(*ways, strict=True)):
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(spots)]
        kind = "touchMove" if number else "touchStart"
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@everywhere
def test_a_wide_board_fills_a_phone_and_one_button_shows_it_whole(
    live: Live, person: Come, key: str
) -> None:
    ana = at_a_phone(live, person, key, "fills")
    near = ana.page.evaluate(SCALE)
    whole = ana.page.get_by_role("button", name="Whole board")
    whole.tap()
    far = ana.page.evaluate(SCALE)
    assert near > 1.2 * far
    whole.tap()
    assert ana.page.evaluate(SCALE) == pytest.approx(near)


@everywhere
def test_a_finger_moves_the_board_and_chooses_nothing_by_it(
    live: Live, person: Come, key: str
) -> None:
    ana = at_a_phone(live, person, key, "drags")
    x, y = middle(ana)
    place = ana.page.locator("[data-place]").first
    before = place.bounding_box()
    drag(ana, [(x, y), (x + 30, y), (x + 60, y)])
    after = place.bounding_box()
    assert before
    assert after
    assert after["x"] - before["x"] == pytest.approx(60, abs=2)
    assert ana.page.locator("#pop, .draft li, .place.can").count() == 0


def test_two_fingers_enlarge_the_board(live: Live, person: Come) -> None:
    ana = at_a_phone(live, person, "cuzco", "pinches")
    x, y = middle(ana)
    before = ana.page.evaluate(SCALE)
    apart = range(30, 91, 20)
    drag(ana, [(x - away, y) for away in apart], [(x + away, y) for away in apart])
    assert ana.page.evaluate(SCALE) > 1.5 * before


def test_two_fingers_that_only_touch_turn_what_is_held(live: Live, person: Come) -> None:
    ana = at_a_phone(live, person, "cuzco", "rotates")
    ana.page.tap("[data-verb='place triple']")
    ana.point_at("k22")
    x, y = middle(ana)
    before = ana.page.locator(".say").get_attribute("data-order")
    drag(ana, [(x - 40, y)], [(x + 40, y)])
    after = ana.page.locator(".say").get_attribute("data-order")
    assert before
    assert after
    assert after != before
    assert {before[:16], after[:16]} == {"place triple k22"}


def test_a_finger_is_told_why_a_place_is_dark(live: Live, person: Come) -> None:
    ana = at_a_phone(live, person, "cuzco", "whydark")
    ana.page.tap("[data-verb='place village']")
    ana.page.tap("[data-place='e14']")
    ana.page.locator(".say", has_text="temple").wait_for()
    assert ana.page.locator(".draft li").count() == 0


@everywhere
def test_a_turn_is_begun_by_finger_on_the_board_as_it_opens(
    live: Live, person: Come, key: str
) -> None:
    """Every lit place can be hit; what is not in sight is brought there."""
    ana = at_a_phone(live, person, key, "taps")
    ana.page.locator("[data-verb]").first.tap()
    lit = ana.page.locator(".place.can")
    lit.first.wait_for(state="attached")
    frame = ana.page.locator(".sheet").bounding_box()
    boxes = [box for one in lit.all() if (box := one.bounding_box())]
    assert frame
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24
    assert any(
        frame["x"] <= box["x"]
        and box["x"] + box["width"] <= frame["x"] + frame["width"]
        and frame["y"] <= box["y"]
        and box["y"] + box["height"] <= frame["y"] + frame["height"]
        for box in boxes
    )


@everywhere
def test_without_a_script_the_board_is_as_large_and_scrolls(
    live: Live, person: Come, key: str
) -> None:
    ana = at_a_phone(live, person, key, "scrolls", script=False)
    sheet = ana.page.locator(".sheet")
    drawn, frame = sheet.locator("svg").bounding_box(), sheet.bounding_box()
    assert drawn
    assert frame
    assert drawn["height"] == pytest.approx(frame["height"], abs=1)
    assert drawn["width"] > 1.2 * frame["width"]
    x, y = middle(ana)
    drag(ana, [(x, y), (x - 40, y), (x - 80, y), (x - 120, y)])
    assert sheet.locator("svg").bounding_box()["x"] < drawn["x"]  # type: ignore[index]  # it is there


def test_what_is_shown_again_comes_into_sight(live: Live, person: Come) -> None:
    match = played(40, "fingerfilm")
    (seat,) = match.game.to_act(match.state)
    where, cookies = live.put_match(match, "A film", "ana@fingerfilm.org", "bo@fingerfilm.org")
    ana = person(cookie=cookies[seat], size="phone")
    ana.go(where)
    x, y = middle(ana)
    drag(ana, [(x, y), (x - 60, y), (x - 300, y)])
    ana.page.emulate_media(reduced_motion="no-preference")
    ana.page.locator("#replay").evaluate("button => button.click()")
    shown = ana.page.locator(".marks .now").first
    shown.wait_for(state="attached")
    frame, box = ana.page.locator(".sheet").bounding_box(), shown.bounding_box()
    assert frame
    assert box
    assert frame["x"] <= box["x"] <= frame["x"] + frame["width"] - box["width"]
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"]


def test_ones_own_pawn_is_in_sight_as_the_page_opens(live: Live, person: Come) -> None:
    position = read("A r5c0; B r11c12; L01 r4c4 r4c5; turn A")  # at the edge of the hall
    match = start_at(INKA, position, "seed", "pawninsight")
    where, (cookie, _) = live.put_match(match, "The hall", "ana@insight.org", "bo@insight.org")
    ana = person(cookie=cookie, size="phone")
    ana.go(where)
    frame = ana.page.locator(".sheet").bounding_box()
    box = ana.page.locator("[data-place='r5c0']").bounding_box()
    assert frame
    assert box
    assert frame["x"] <= box["x"] <= frame["x"] + frame["width"] - box["width"]


@pytest.mark.parametrize("size", ["phone", "tablet", "desktop"])
def test_what_is_said_above_the_board_pushes_nothing_out_of_sight(
    live: Live, browser: Browser, size: str
) -> None:
    page = visit(browser, live, late_match(f"above{size}2"), size)
    page.locator("#add").evaluate(
        "form => { form.elements.head.value = 0; form.elements.add.value = 'end'; form.submit(); }"
    )
    page.wait_for_selector(".notice.stale")
    page.wait_for_selector("#desk[data-ready]")
    assert all(page.evaluate(INSIDE, selector) for selector in NEEDED.values())
    board, bar = page.locator(".sheet").bounding_box(), page.locator("#act").bounding_box()
    assert board
    assert bar
    assert size == "desktop" or board["y"] + board["height"] <= bar["y"] + 1
    page.context.close()
