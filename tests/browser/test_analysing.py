"""The analysis board under the hand: a match that is over is opened, played on, branched, noted and shared."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.playout import random_acts
from tests.app.seated import late_match
from tests.browser.budgets.measures import asked
from tests.browser.live import Live
from tests.browser.people import PLAYING, Person

Come = Callable[..., Person]
WORDS = "the village first"


def test_a_match_that_is_over_is_played_on_branched_and_shared(live: Live, person: Come) -> None:
    match = late_match("analysed2")
    begun = match.head
    *_, match = random_acts(match, Random(5))
    where, cookies = live.put_match(match, "A table", "ana@lys.org", "bo@lys.org", public=True)
    ana = person(cookie=cookies[0])
    ana.go(f"{where}/history/{begun}")
    ana.press("Analyse from here")
    try_order(ana, "place village", "c10")
    ana.press("One order back")
    try_order(ana, "place crop", "c10")
    ana.page.fill("#note", WORDS)
    ana.press("Keep this line")
    ana.sees("Side by side")
    address = ana.page.input_value("#share")
    bo = person()  # nobody in particular, with the address alone
    bo.go(address.removeprefix(live.url))
    bo.sees(WORDS)
    assert line(bo) == line(ana) == ["place crop c10"]


def test_a_hand_that_nobody_here_knows_bids_the_cards_that_one_chooses(
    live: Live, person: Come
) -> None:
    """Whose turn it is not may ask what follows if the other holds this or that, without typing it."""
    match = asked("unknownhand")
    (feasting,) = match.game.to_act(match.state)
    where, cookies = live.put_match(match, "A table", "ana@hand.org", "bo@hand.org")
    other = person(cookie=cookies[1 - feasting])
    other.go(f"{where}/analysis")
    other.page.locator("[data-verb='bid']").click()
    for word in ("kero", "tumi+kero"):
        other.page.locator(f".card-choice[data-word='{word}']").first.click()
    other.drafting(other.page.locator("[data-word='take']").click)
    other.page.locator(".confirm button").first.click()
    other.page.locator("#lines .played code", has_text="bid kero tumi+kero").wait_for()


def try_order(somebody: Person, verb: str, place: str) -> None:
    """Gives an order with the mouse and plays it for whoever is asked."""
    somebody.order(verb, place)
    somebody.page.locator(PLAYING).first.click()
    somebody.page.locator("#lines .played code", has_text=f"{verb} {place}").wait_for()
    somebody.settle()


def line(somebody: Person) -> list[str]:
    return somebody.page.locator("#lines .played code").all_inner_texts()
