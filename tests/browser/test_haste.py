"""Whoever is quicker than the net loses nothing: clicks, keys and words that come while something is on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Route

from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_board import LAST, aimed, sit, title

Come = Callable[..., Person]


@contextmanager
def held_back(somebody: Person, address: str) -> Iterator[None]:
    """What is asked of an address comes when the block ends."""
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    somebody.page.route(address, wait)
    yield
    for route in waiting:
        route.continue_()
    somebody.page.unroute(address)


def test_a_verb_that_is_chosen_before_its_orders_are_known_is_held_when_they_come(
    live: Live, person: Come
) -> None:
    ana, _ = sit(live, person, "hasteverb")
    with held_back(ana, "**/choices*"):
        ana.page.click("[data-verb='place triple']")
        ana.turn("g14", " ".join(LAST))
        ana.page.locator(".draft ol li").wait_for()
        ana.page.click("[data-verb='move']")
    ana.settle()
    assert ana.page.locator("[data-verb='move'][aria-current]").count() == 1
    assert ana.page.locator(".place.can").count() > 0


def test_a_place_that_is_touched_before_its_orders_are_known_opens_when_they_come(
    live: Live, person: Come
) -> None:
    ana, where = sit(live, person, "hasteplace", rules=1)
    with held_back(ana, "**/choices*"):
        ana.page.goto(live.url + where)
        ana.page.click("[data-place='h21']")  # an Inca of one's own
    ana.settle()
    assert ana.page.locator("[data-verb='move'][aria-current]").count() == 1


def test_what_is_pressed_while_an_order_is_on_its_way_comes_after_it(
    live: Live, person: Come
) -> None:
    ana, _ = sit(live, person, "hasteplay")
    ana.order(*LAST)
    with held_back(ana, "**/draft"):
        ana.page.click("[data-verb='move']")
        ana.touch_place("h21")
        ana.touch_place("g20")
        ana.page.click("#play")
    ana.sees("Played.")
    assert "Inca of A" in title(ana, "g20")
    assert "level 1" in title(ana, "g14")


def test_what_has_no_name_of_its_own_is_pressed_again_too(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "hastesofar")
    with held_back(ana, "**/choices*"):
        ana.page.click(".write summary")
        ana.page.fill("#typed", " ".join(LAST))
        ana.page.press("#typed", "Enter")
        ana.page.click("button:has-text('Play so far')")
    ana.sees("Played.")
    assert "level 1" in title(ana, "g14")


def test_a_double_click_orders_once(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "hastetwice")
    with held_back(ana, "**/draft"):
        ana.page.click("[data-verb='place triple']")
        ana.turn("g14", " ".join(LAST))
        ana.page.mouse.click(*ana.spot("g14"))
    ana.drafted(1)
    ana.settle()
    assert ana.page.locator(".draft ol li").count() == 1


def test_what_is_pointed_at_stays_so_while_others_speak(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "hasteaim")
    bo = person(cookie=live.sign_in("bo@hasteaim.org"))
    bo.go(where)
    ana.page.click("[data-verb='place triple']")
    ana.point_at("k22")
    ana.page.keyboard.press("r")
    before, wanted = ana.page.locator("#desk").get_attribute("data-state"), aimed(ana)
    bo.page.locator(".tab:has([value='talk'])").click()
    bo.page.fill("#say", "What are you doing?")
    bo.press("Send")
    ana.page.locator(f"#desk[data-ready]:not([data-state='{before}'])").wait_for()
    assert aimed(ana) == wanted
    assert ana.page.locator(".marks .preview").count() == 1


def test_who_could_not_fetch_what_others_did_is_told_again(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "hastelost")
    bo = person(cookie=live.sign_in("bo@hastelost.org"))
    bo.go(where)
    bo.page.route("**/parts*", lambda route: route.fulfill(status=503), times=1)
    ana.order(*LAST)
    ana.play(1)
    bo.page.locator("#story", has_text="laid a triple").wait_for()
    assert "level 1" in title(bo, "g14")
    bo.complaints = [line for line in bo.complaints if "503" not in line]


def test_a_server_that_is_away_for_a_moment_is_asked_again_what_can_be_chosen(
    live: Live, person: Come
) -> None:
    ana, where = sit(live, person, "hasteaway")
    ana.page.route("**/choices*", lambda route: route.abort(), times=1)
    ana.go(where)
    ana.page.click("[data-verb='place triple']")
    assert ana.page.locator(".place.can").count() > 0
    ana.complaints = [line for line in ana.complaints if "ERR_FAILED" not in line]
