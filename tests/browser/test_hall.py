"""The last lozenge and the last turns in the hall of Inka, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.eventstore.store import load_match
from engine.core.match import Match, start, start_at
from tests.browser.live import Live
from tests.browser.people import Person
from tests.games.inka.table import GAME, read
from tests.whispering import verb_of, whispered

Come = Callable[..., Person]
# Twelve lozenges lie. D1 has been carried to A's corner, where B's slide leaves it.
LAID = (
    "L01 r2c8 r2c9; L02 r9c4 r9c5; L03 r4c14 r4c15; L04 r7c14 r7c15; L05 r8c8 r8c9; L06 r3c8 r3c9; L07 r7c3 r7c4;"
    "L08 r10c10 r10c11; L09 r2c12 r2c13; L10 r5c16 r5c17; L11 r6c4 r6c5; L12 r9c12 r9c13; D1 r1c2 r2c3"
)


def evening(name: str) -> Match:
    position = f"phase lay; hand L13; A r0c0 with D2 D3; B r11c12; {LAID}; turn B"
    return start_at(GAME, read(position), "evening", name)


@pytest.mark.parametrize(("script", "size"), [(True, "desktop"), (True, "phone")])
def test_two_people_lay_the_last_lozenge_and_one_walks_out(
    live: Live, person: Come, script: bool, size: str
) -> None:
    name = f"hall{size}{script}".lower()
    where, cookies = live.put_match(evening(name), "The hall", f"ana@{name}.org", f"bo@{name}.org")
    ana, bo = (person(script=script, size=size, cookie=cookie) for cookie in cookies)
    bo.go(where)
    bo.sees("lay the lozenge L13")
    bo.order("lay", "r10c2", "r10c3")  # which is all that was asked: it is played at once
    bo.sees("Waiting for Ana")
    ana.go(where)
    ana.order("slide", "L01", "r2c10", "r2c11")
    ana.sees("2 AP left")
    ana.order("turn", "L06", "r3c7", "r2c6")
    ana.order("walk", "r1c2")
    ana.order("take")
    ana.sees("0 AP left")
    ana.order("block", "r5c9")
    ana.play(5)
    ana.sees("Waiting for Bo")
    bo.go(where)
    bo.order("walk", "r11c11")
    bo.order("end")
    bo.play(2)
    ana.go(where)
    ana.sees("statues taken: D1, D2, D3")
    ana.order("walk", "r0c0")
    ana.play(1)
    ana.sees("The match is over.")


def test_two_people_play_a_whole_match_from_their_starts_to_its_end(
    live: Live, person: Come
) -> None:
    """What they order, a bot whispers to them; each chooses a kind of order once by lists, and writes it later."""
    begun = start(GAME, 2, {"round_limit": 2}, "whole", "wholehall")
    where, cookies = live.put_match(begun, "A whole match", "ana@whole.org", "bo@whole.org")
    people = [person(script=False, size="desktop", cookie=cookie) for cookie in cookies]
    chosen = [set[str]() for _ in people]
    while not (match := load_match(live.services.database, begun.id)).over:
        (seat,) = GAME.to_act(match.state)
        order = whispered(match, seat)
        verb = verb_of(GAME, order)
        people[seat].go(where)
        if verb in chosen[seat]:
            people[seat].write(order)
        else:
            people[seat].order(verb, *order.removeprefix(verb).split())
            chosen[seat].add(verb)
        people[seat].play(1)
    people[0].go(where)
    people[0].sees("The match is over.")
    assert {entry.order.split()[0] for entry in match.log if entry.order} >= {"start", "lay"}
