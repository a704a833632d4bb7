"""The rules of Apacheta: who is asked, what they may do, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.apacheta import actions as a
from engine.apacheta import events as e
from engine.apacheta.state import HAND, STONES, State, evolve, without
from engine.core.chance import Chance
from engine.core.game import amend
from engine.core.refusal import IllegalMove
from engine.core.sentence import say

DIGGING = 1  # point
SAME_WEIGHT = 2  # points for each stone in hand that is as heavy as the buried one
COLOURS = ("blue", "red", "yellow")
FORGOTTEN = 0  # a stone was laid, and whoever thinks ahead does not know which


def setup(seats: int, options: Mapping[str, Any], chance: Chance) -> list[Any]:
    """One stone is buried and everybody is dealt a hand."""
    table = e.SetUp(seats, dict(options))
    stone = chance.pick(STONES)
    events, bag = [table, e.StoneBuried(stone)], without(STONES, stone)
    for seat in range(seats):
        hand, bag = drawn(bag, HAND, chance)
        events.append(e.HandDealt(seat, HAND, hand))
    return events


def drawn(
    bag: tuple[int, ...], count: int, chance: Chance
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """So many stones, lightest first, and the bag without them."""
    hand = list[int]()
    for _ in range(count):
        hand.append(chance.pick(bag))
        bag = without(bag, hand[-1])
    return tuple(sorted(hand)), bag


# Who is asked, and for what


def to_act(state: State) -> tuple[int, ...]:
    """All lay at the same time: those are asked who have not laid yet."""
    return () if state.over else tuple(s for s, stone in enumerate(state.laid) if stone is None)


def awaited(_state: State) -> str:
    return "turn"


def legal(state: State, seat: int) -> Iterator[Any]:
    return (action for action, _ in priced(state, seat))


def priced(state: State, seat: int) -> Iterator[tuple[Any, int]]:
    if seat not in to_act(state):
        return
    for stone in dict.fromkeys(state.hands[seat]):
        yield a.LayStone(seat, stone), 0
    if not state.seen[seat] and state.scores[seat] >= DIGGING:
        yield a.Dig(seat), DIGGING


def commits(state: State, action: Any) -> bool:
    """Whoever digs learns something, and the last who lays turns up all stones."""
    return isinstance(action, a.Dig) or to_act(state) == (action.seat,)


def forget(state: State, seat: int) -> State:
    """The state as `seat` knows it: the stones that others laid, and all that may lie in the bag, are open."""
    mine = [*state.hands[seat], *filter(None, [state.laid[seat]])]
    known = [*state.turned, *mine, *([state.buried] if state.seen[seat] else [])]
    laid = tuple(
        stone if stone is None or owner == seat else FORGOTTEN
        for owner, stone in enumerate(state.laid)
    )
    return amend(state, laid=laid, bag=without(STONES, *known))


# What comes of it


def decide(state: State, action: Any, chance: Chance) -> list[Any]:
    match action:
        case a.LayStone(seat, stone):
            return lay(state, seat, stone, chance)
        case a.Dig(seat):
            return dig(state, seat)
    raise TypeError(f"not an action of Apacheta: {action!r}")


def lay(state: State, seat: int, stone: int, chance: Chance) -> list[Any]:
    if stone not in state.hands[seat]:
        hand = ", ".join(map(str, state.hands[seat]))
        raise IllegalMove(
            "stone", say("You have no stone of {n}; yours are {hand}.", n=stone, hand=hand)
        )
    laid = e.StoneLaid(seat, stone)
    after = evolve(state, laid)
    return [laid] if None in after.laid else [laid, *turn_up(after, chance)]


def turn_up(state: State, chance: Chance) -> list[Any]:
    """All stones are turned; then everybody draws one, or the match is over."""
    stones = tuple(chance.pick(state.bag) if s == FORGOTTEN else s or 0 for s in state.laid)
    heaviest = [seat for seat, stone in enumerate(stones) if stone == max(stones)]
    alone = heaviest[0] if len(heaviest) == 1 else None
    points = 0 if alone is None else state.cairn + state.seats
    turned = e.StonesTurned(stones, alone, points)
    after = evolve(state, turned)
    return [turned, *(end(after) if after.over else draw(after, chance))]


def draw(state: State, chance: Chance) -> list[Any]:
    stones, bag = list[e.StoneDrawn](), state.bag
    for seat in range(state.seats):
        (stone,), bag = drawn(bag, 1, chance)
        stones.append(e.StoneDrawn(seat, stone))
    return stones


def end(state: State) -> list[Any]:
    """Who has kept stones as heavy as the buried one is paid for them."""
    points = tuple(SAME_WEIGHT * hand.count(state.buried) for hand in state.hands)
    shown = e.BuriedTurned(state.buried, points)
    after = evolve(state, shown)
    return [shown, e.MatchEnded(winners(after), after.scores)]


def dig(state: State, seat: int) -> list[Any]:
    if state.seen[seat]:
        raise IllegalMove("dig", say("You have dug already, and know the buried stone."))
    if state.scores[seat] < DIGGING:
        points = state.scores[seat]
        raise IllegalMove(
            "dig",
            say("Digging costs {cost} point; you have {points}.", cost=DIGGING, points=points),
        )
    return [e.BuriedSeen(seat, DIGGING, state.buried)]


# How it stands


def scores(state: State) -> tuple[int, ...]:
    return state.scores


def winners(state: State) -> tuple[int, ...]:
    """Those with the most points once it is over; they share the win."""
    best = max(state.scores)
    return tuple(s for s, points in enumerate(state.scores) if points == best) if state.over else ()


def colours(state: State) -> tuple[str, ...]:
    return COLOURS[: state.seats]
