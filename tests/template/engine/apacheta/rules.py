"""The rules of Apacheta: who is asked, what they may do, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from engine.apacheta import actions as a
from engine.apacheta import events as e
from engine.apacheta.state import HAND, STONES, UNSEEN, State, evolve, taken, without
from engine.core.chance import Chance
from engine.core.game import amend
from engine.core.refusal import IllegalMove
from engine.core.sentence import say

DIGGING = 1  # point
SAME_WEIGHT = 2  # points for each stone in hand that is as heavy as the buried one
COLOURS = ("blue", "red", "yellow")


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
        for stone in dict.fromkeys(state.hands[seat]):
            yield a.Dig(seat, stone), DIGGING


def commits(state: State, action: Any) -> bool:
    """Whoever digs learns something, and the last who lays turns up all stones."""
    return isinstance(action, a.Dig) or to_act(state) == (action.seat,)


def forget(state: State, seat: int | None) -> State:
    """The state as `seat` knows it: unseen stones may be any that it has not seen, and all those may be in the bag."""
    hands = tuple(
        hand if owner == seat else (UNSEEN,) * len(hand) for owner, hand in enumerate(state.hands)
    )
    laid = tuple(
        stone if stone is None or owner == seat else UNSEEN
        for owner, stone in enumerate(state.laid)
    )
    buried = state.buried if seat is not None and state.seen[seat] else UNSEEN
    bag = taken(STONES, *state.turned, *chain(*hands), *laid, buried)
    return amend(state, hands=hands, laid=laid, buried=buried, bag=bag)


def revealed(stones: Iterable[int], bag: tuple[int, ...], chance: Chance) -> tuple[int, ...]:
    """Stones that come to light: those that are forgotten are drawn anew."""
    found = list[int]()
    for stone in stones:
        found.append(stone or chance.pick(bag))
        bag = bag if stone else without(bag, found[-1])
    return tuple(found)


# What comes of it


def decide(state: State, action: Any, chance: Chance) -> list[Any]:
    match action:
        case a.LayStone(seat, stone):
            return lay(state, seat, stone, chance)
        case a.Dig(seat, stone):
            return dig(state, seat, stone, chance)
    raise TypeError(f"not an action of Apacheta: {action!r}")


def lay(state: State, seat: int, stone: int, chance: Chance) -> list[Any]:
    check_held(state, seat, stone)
    laid = e.StoneLaid(seat, stone)
    after = evolve(state, laid)
    return [laid] if None in after.laid else [laid, *turn_up(after, chance)]


def check_held(state: State, seat: int, stone: int) -> None:
    if stone not in state.hands[seat]:
        hand = ", ".join(map(str, state.hands[seat]))
        raise IllegalMove(
            "stone", say("You have no stone of {n}; yours are {hand}.", n=stone, hand=hand)
        )


def turn_up(state: State, chance: Chance) -> list[Any]:
    """All stones are turned; then everybody draws one, or the match is over."""
    stones = revealed((stone or UNSEEN for stone in state.laid), state.bag, chance)
    heaviest = [seat for seat, stone in enumerate(stones) if stone == max(stones)]
    alone = heaviest[0] if len(heaviest) == 1 else None
    points = 0 if alone is None else state.cairn + state.seats
    turned = e.StonesTurned(stones, alone, points)
    after = evolve(state, turned)
    return [turned, *(end(after, chance) if after.over else draw(after, chance))]


def draw(state: State, chance: Chance) -> list[Any]:
    stones, bag = list[e.StoneDrawn](), state.bag
    for seat in range(state.seats):
        (stone,), bag = drawn(bag, 1, chance)
        stones.append(e.StoneDrawn(seat, stone))
    return stones


def end(state: State, chance: Chance) -> list[Any]:
    """Who has kept stones as heavy as the buried one is paid for them."""
    (buried,) = revealed([state.buried], state.bag, chance)
    hands = tuple(revealed(hand, state.bag, chance) for hand in state.hands)
    points = tuple(SAME_WEIGHT * hand.count(buried) for hand in hands)
    shown = e.BuriedTurned(buried, hands, points)
    after = evolve(state, shown)
    return [shown, e.MatchEnded(winners(after), after.scores)]


def dig(state: State, seat: int, stone: int, chance: Chance) -> list[Any]:
    """The buried stone goes into the hand and another into the ground: what was found may be laid at once."""
    if state.seen[seat]:
        raise IllegalMove("dig", say("You have dug already, and know the buried stone."))
    check_held(state, seat, stone)
    if state.scores[seat] < DIGGING:
        points = state.scores[seat]
        raise IllegalMove(
            "dig",
            say("Digging costs {cost} point; you have {points}.", cost=DIGGING, points=points),
        )
    (found,) = revealed([state.buried], state.bag, chance)
    return [e.StoneDug(seat, DIGGING, stone, found)]


# How it stands


def scores(state: State) -> tuple[int, ...]:
    return state.scores


def winners(state: State) -> tuple[int, ...]:
    """Those with the most points once it is over; they share the win."""
    best = max(state.scores)
    return tuple(s for s, points in enumerate(state.scores) if points == best) if state.over else ()


def colours(state: State) -> tuple[str, ...]:
    return COLOURS[: state.seats]
