"""The board under the hand: keys, fingers, other windows, and what a page must never do by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route
from sqlmodel import select

from app.matches.submissions import submit_orders
from app.platform import tables
from engine.core.match import start_at
from tests.app.seated import late_match, played
from tests.browser.live import Live
from tests.browser.people import Person
from tests.games.inka.table import GAME as INKA
from tests.games.inka.table import read
from tests.games.tahuantinsuyu.tables import GAME as TAHUANTINSUYU

Come = Callable[..., Person]
LAST = ("place triple", "g14", "g16", "h15")


def sit(
    live: Live, person: Come, name: str, seat: int = 0, rules: int = 2, **how: object
) -> tuple[Person, str]:
    """Somebody at a late match, on its page."""
    emails = (f"ana@{name}.org", f"bo@{name}.org")
    match = late_match(name, options={"rules": rules})
    where, cookies = live.put_match(match, "A table", *emails)
    somebody = person(cookie=cookies[seat], **how)
    somebody.go(where)
    return somebody, where


def aimed(somebody: Person) -> str:
    """The order that a click would give now, in notation; what is said of it is in the reader's words."""
    return somebody.page.locator(".say").get_attribute("data-order") or ""


def test_lines_of_orders_can_be_pasted(live: Live, person: Come) -> None:
    """As they stand in a mail or a note; in one line they would run into each other."""
    ana, _ = sit(live, person, "pasted")
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.page.evaluate("text => navigator.clipboard.writeText(text)", f"{' '.join(LAST)}\r\nend\n")
    ana.page.click(".write summary")
    ana.page.focus("#typed")
    ana.page.keyboard.press("Control+v")
    assert ana.page.input_value("#typed") == f"{' '.join(LAST)}; end"
    ana.page.keyboard.press("Enter")
    ana.drafted(2)


def test_a_turn_is_played_by_keys_alone(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "bykeys", rules=1)  # by which one may move before the tile
    ana.page.focus("[data-verb='move']")
    ana.page.keyboard.press("Enter")
    focused = "document.activeElement.closest('.place')?.dataset.place"
    assert ana.page.evaluate(focused) == "h21"
    ana.page.keyboard.press("Enter")  # one place is left to go to: it lights up
    assert ana.page.evaluate(focused) == "g20"
    ana.page.keyboard.press("Escape")
    assert ana.page.evaluate(focused) == "h21"
    ana.page.keyboard.press("Escape")
    assert ana.page.locator("#picker").is_hidden()
    ana.page.focus("[data-verb='place triple']")
    ana.page.keyboard.press("Enter")
    start = ana.page.evaluate(focused)
    ana.page.keyboard.press("ArrowDown")
    below = ana.page.evaluate(focused)
    assert below
    assert below[0] > start[0]
    before = aimed(ana)
    ana.page.keyboard.press("r")
    order = aimed(ana)
    assert order != before
    ana.page.keyboard.press("Enter")
    ana.drafted(1)
    assert ana.page.locator(".draft code").inner_text() == order


def test_a_journey_shows_what_it_costs(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "journey")
    ana.order(*LAST)
    ana.page.click("[data-verb='move']")
    ana.page.click("[data-place='d13']")
    costs = ana.page.locator(".marks text").all_text_contents()
    assert {"1", "2", "3"} <= set(costs)


def test_a_finger_looks_first_and_takes_then(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "byfinger", size="phone")
    ana.page.tap("[data-verb='place village']")
    ana.page.tap("[data-place='g14']")
    assert aimed(ana) == "place village g14"
    assert ana.page.locator(".draft li").count() == 0
    ana.page.tap("[data-place='g16']")
    assert aimed(ana) == "place village g16"
    ana.page.tap("[data-place='g16']")
    ana.drafted(1)


def test_a_plan_is_made_on_the_board_and_says_when_it_fits_no_more(
    live: Live, person: Come
) -> None:
    bo, where = sit(live, person, "planning", seat=1)
    bo.order("place village", "k22")
    bo.order("basin", "h15")
    assert bo.page.locator(".planning .draft .bad").count() == 0
    assert bo.page.locator("#play").count() == 0  # it is not Bo's turn
    ana = person(cookie=live.sign_in("ana@planning.org"))
    ana.go(where)
    ana.order(*LAST)  # where Bo wanted to build
    ana.play(1)
    bo.page.locator(".draft .bad .problem").wait_for()  # by itself, while the page lies open
    assert bo.page.locator(".draft li").count() == 2


def test_opening_a_page_does_nothing(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "opening")
    head = live.head(where)
    for query in (
        "?verb=token",
        "?verb=end",
        "?verb=draw+pile",
        "?verb=move&first=h21",
        "/confirm?order=token",
    ):
        ana.go(where + query)
        ana.page.wait_for_timeout(200)
        assert ana.page.locator(".draft li").count() == 0
    assert live.head(where) == head


def test_a_window_that_comes_too_late_is_told_and_keeps_its_draft(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "twowindows")
    ana.page.route("**/events*", lambda route: route.fulfill(status=204))  # it hears of nothing
    ana.go(where)
    quick = ana.context.new_page()
    quick.goto(live.url + where)
    quick.wait_for_selector("#desk[data-ready]")
    quick.click(".write summary")
    quick.fill("#typed", " ".join(LAST))
    quick.press("#typed", "Enter")
    quick.click("button:has-text('Play so far')")
    quick.get_by_text("Played.").wait_for()
    ana.page.click("[data-verb='place triple']")  # but that was the last one
    ana.page.click("[data-place='g14']")
    ana.sees("Somebody moved meanwhile")
    ana.sees("This order no longer does:")
    ana.press("Go on with what fits")
    ana.page.locator(".draft li").wait_for(state="detached")


def test_what_others_do_appears_on_a_page_that_lies_open(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "liesopen")
    bo = person(cookie=live.sign_in("bo@liesopen.org"))
    bo.go(where)
    assert "level 1" not in title(bo, "g14")
    ana.order(*LAST)
    ana.play(1)
    bo.page.locator("#story", has_text="laid a triple").wait_for()
    assert "level 1" in title(bo, "g14")


def test_a_page_that_was_old_when_it_came_does_not_wait_for_ever(live: Live, person: Come) -> None:
    """Its name for what it shows stands in the page itself: what happened on its way is noticed at once."""
    _, where = sit(live, person, "bornold")
    bo = person(cookie=live.sign_in("bo@bornold.org"))
    with live.services.database.look() as session:
        named = select(tables.Player.id).where(tables.Player.email == "ana@bornold.org")
        ana = session.exec(named).one() or 0
    services, head, order = live.services, live.head(where), " ".join(LAST)

    def move() -> None:
        submit_orders(
            services.database, "bornold", ana, [order], head=head, key=None, at=services.now()
        )

    def late(route: Route) -> None:
        answer = route.fetch()
        move()
        route.fulfill(response=answer)

    bo.page.route(f"**{where}", late)
    bo.go(where)
    bo.page.locator("#story", has_text="laid a triple").wait_for()


def title(somebody: Person, place: str) -> str:
    return somebody.page.locator(f"[data-place='{place}'] title").text_content() or ""


def test_history_is_walked_by_keys_and_plays_by_itself(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(played(20, "bykeys2"), "A", "ana@walk.org", "bo@walk.org")
    ana = person(cookie=cookie)
    ana.page.clock.install()
    ana.go(f"{where}/history/8")
    ana.page.keyboard.press("ArrowRight")
    ana.page.wait_for_url("**/history/9")
    ana.page.keyboard.press("ArrowLeft")
    ana.page.wait_for_url("**/history/8")
    ana.press("Play")
    for pos in ("9", "10"):
        ana.page.clock.run_for(2000)
        ana.page.wait_for_url(f"**/history/{pos}?play=")
        ana.page.wait_for_selector(f".steps .now:has-text('{pos}')")
    ana.press("Stop")
    ana.page.wait_for_url("**/history/10")


def test_no_page_is_wider_than_a_phone(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(
        played(60, "narrow22"), "W" * 80, "ana@narrow.org", "bo@narrow.org"
    )
    ana = person(cookie=cookie, size="phone")
    for path in (
        where,
        f"{where}/history",
        f"{where}/history/20",
        "/tables",
        "/tables/new",
        "/import",
    ):
        ana.go(path)
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= 390, path


# Lozenges and roads

EACH_WAY = pytest.mark.parametrize(
    ("script", "size"), [(True, "desktop"), (True, "phone"), (False, "desktop")]
)
# A stands on a lozenge symbol.
SYMBOL = "A r3c2; B r11c12; L01 r4c4 r4c5; L02 r9c4 r9c5; turn A"
EMPIRE = {
    "options": {"board": 1},
    "seats": 4,
    "period": 1,
    "step": 2,
    "labour": [20],
    "sun": {"orange-blue": ["el_nino", "wild_road"], "green-orange": ["epidemic", "epidemic"]},
}


def hall(live: Live, person: Come, name: str, **how: object) -> Person:
    match = start_at(INKA, read(SYMBOL), "seed", name)
    where, (cookie, _) = live.put_match(match, "The hall", f"ana@{name}.org", f"bo@{name}.org")
    ana = person(cookie=cookie, **how)
    ana.go(where)
    return ana


def empire(live: Live, person: Come, name: str, **how: object) -> Person:
    match = start_at(TAHUANTINSUYU, EMPIRE, "seed", name)
    emails = [f"{who}@{name}.org" for who in ("ana", "bo", "cy", "di")]
    where, (cookie, *_) = live.put_match(match, "The empire", *emails)
    ana = person(cookie=cookie, **how)
    ana.go(where)
    return ana


@EACH_WAY
def test_a_destination_lozenge_is_moved_by_the_symbol(
    live: Live, person: Come, script: bool, size: str
) -> None:
    ana = hall(live, person, f"symbol{size}{script}".lower(), script=script, size=size)
    ana.order("symbol", "D2", "turn", "r7c10", "r7c9")
    ana.sees("2 AP left")
    ana.sees("Nothing that you can do now.")  # the lozenges rest
    ana.order("walk", "r3c3")
    ana.order("end")
    ana.play(3)
    ana.sees("Waiting for Bo")


def test_a_lozenge_shows_where_it_would_pass_over(live: Live, person: Come) -> None:
    ana = hall(live, person, "swept")
    ana.page.click("[data-verb='turn']")
    ana.page.click("[data-place='L01']")
    ana.page.locator(".place.can").first.hover()
    assert ana.page.locator(".marks .swept").count() > 0
    assert ana.page.locator(".marks .aim").count() == 2


def test_a_pawn_shows_what_each_way_costs(live: Live, person: Come) -> None:
    ana = hall(live, person, "wayscost")
    ana.page.click("[data-verb='walk']")
    lit = ana.page.locator(".place.can").count()
    assert lit > 0
    assert ana.page.locator(".marks text").count() == lit


@EACH_WAY
def test_a_turn_is_divided_and_tells_what_the_cards_change(
    live: Live, person: Come, script: bool, size: str
) -> None:
    ana = empire(live, person, f"parts{size}{script}".lower(), script=script, size=size)
    roads, development, *_ = ana.page.locator(".orders h3").all_inner_texts()
    assert roads.split() == ["Road", "action", "laid", "0", "of", "1"]
    assert development.split() == ["Development", "action", "not", "begun"]
    changes = ana.page.locator(".changes li").all_inner_texts()
    assert "El Niño: one road fewer" in changes
    assert "Epidemic: cities cost 2 more (×2)" in changes
    ana.order("road", "s001", "s005")
    ana.sees("laid 1 of 1")


def test_a_road_is_chosen_from_either_end(live: Live, person: Come) -> None:
    ana = empire(live, person, "eitherend")
    ana.page.click("[data-verb='road']")
    ana.page.hover("[data-place='s061']")  # the order names s001 first
    assert aimed(ana) == "road s001 s061"
    assert ana.page.locator(".marks .preview .link").count() == 1
    ana.page.click("[data-place='s061']")
    ana.drafted(1)


def test_a_finger_gets_a_board_that_it_can_touch(live: Live, person: Come) -> None:
    ana = empire(live, person, "largeboard", size="phone")
    ana.page.tap("[data-verb='road']")
    place = ana.page.locator("[data-place='s005']")
    frame, spot = ana.page.locator(".sheet").bounding_box(), place.bounding_box()
    assert frame
    assert spot
    assert min(spot["width"], spot["height"]) >= 24
    assert frame["x"] <= spot["x"] <= frame["x"] + frame["width"]
    near = ana.page.locator(".sheet svg").get_attribute("viewBox")
    ana.page.reload()
    ana.settle()
    assert ana.page.locator(".sheet svg").get_attribute("viewBox") == near


@pytest.mark.parametrize("game", [hall, empire])
def test_seats_wear_the_colours_of_their_board(
    live: Live, person: Come, game: Callable[..., Person]
) -> None:
    ana = game(live, person, f"colours{game.__name__}")
    painted = ana.page.locator(".sitter .mark").evaluate_all(
        "marks => marks.map((mark) => getComputedStyle(mark).backgroundColor)"
    )
    bodies = {
        "hall": ["rgb(10, 92, 173)", "rgb(255, 216, 58)"],
        "empire": ["rgb(232, 130, 30)", "rgb(21, 115, 71)", "rgb(119, 69, 38)", "rgb(10, 92, 173)"],
    }
    assert painted == bodies[game.__name__]


@pytest.mark.parametrize(("key", "orders"), [("cuzco", 40), ("java", 121)])
def test_what_happened_is_played_on_the_board_and_can_be_skipped(
    live: Live, person: Come, key: str, orders: int
) -> None:
    """The board goes back to where one left it and comes on to now; a key shows the rest at once."""
    match = played(orders, f"film{key}22", key)
    (seat,) = match.game.to_act(match.state)
    where, cookies = live.put_match(match, "A film", f"ana@film{key}.org", f"bo@film{key}.org")
    ana = person(cookie=cookies[seat])
    ana.page.emulate_media(reduced_motion="reduce")
    ana.go(where)
    as_it_is = drawn(ana)
    ana.page.emulate_media(reduced_motion="no-preference")
    ana.page.click("#replay")
    ana.page.locator(".step.now").first.wait_for(state="attached")
    assert drawn(ana) != as_it_is
    ana.page.keyboard.press("Shift")
    ana.page.locator(".step.now").first.wait_for(state="detached")
    assert drawn(ana) == as_it_is
    assert ana.page.locator(".happened").count() > 0


def drawn(somebody: Person) -> str:
    """The board without what is only lit or outlined on it."""
    return str(
        somebody.page.evaluate(
            """() => [...document.querySelectorAll(".sheet svg > :not(.marks)")]
              .map((one) => one.outerHTML.replace(/ (class|style)="[^"]*"/g, "")).join("")"""
        )
    )
