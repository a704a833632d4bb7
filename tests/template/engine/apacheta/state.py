"""The position of a game of Apacheta and how each event changes it. Nothing here refuses and nothing knows a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.apacheta import events as e
from engine.core.game import Option, amend
from engine.core.sentence import say

SEATS = range(2, 4)
STONES = tuple(sorted(6 * tuple(range(1, 9))))  # by weight
HAND = 3
UNSEEN = 0  # a stone whose weight whoever folds the log, or thinks ahead, does not know
MOST_PASSES = 12
OPTIONS = {
    "passes": Option(
        default=MOST_PASSES,
        help="Passes on the way; after the last one the buried stone is turned up.",
        limits=(1, MOST_PASSES),
        title=say("Passes"),
    )
}


@dataclass(frozen=True)
class State:
    """Everything there is to know. Every stone is in a hand, laid, turned, buried or in the bag.

    Folded from a redacted log it has UNSEEN stones; what they may be stays in the bag.
    """

    options: dict[str, Any]
    hands: tuple[tuple[int, ...], ...]
    laid: tuple[int | None, ...]
    seen: tuple[bool, ...]  # who has dug last, and so knows the buried stone
    scores: tuple[int, ...]
    bag: tuple[int, ...] = STONES
    turned: tuple[int, ...] = ()
    buried: int = UNSEEN
    cairn: int = 0  # the stones that lie on it, all turned up
    passed: int = 0

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def over(self) -> bool:
        return self.passed >= self.options["passes"]


def fresh(seats: int, options: dict[str, Any]) -> State:
    """The table before anything is dealt."""
    return State(options, ((),) * seats, (None,) * seats, (False,) * seats, (0,) * seats)


def evolve(state: State, event: Any) -> State:
    """The state after one event. Checks nothing: events are facts."""
    match event:
        case e.SetUp(seats, options):
            return fresh(seats, options)
        case e.PositionSet(position):
            return of_position(position)
        case e.StoneBuried(stone):
            return amend(state, buried=stone or UNSEEN, bag=taken(state.bag, stone))
        case e.HandDealt(seat, count, stones):
            return dealt(state, seat, stones or (UNSEEN,) * count)
        case e.StoneDrawn(seat, stone):
            return dealt(state, seat, (stone or UNSEEN,))
        case e.StoneLaid(seat, stone):
            hands = put(state.hands, seat, without(state.hands[seat], stone or UNSEEN))
            return amend(state, hands=hands, laid=put(state.laid, seat, stone or UNSEEN))
        case e.StonesTurned():
            return turned(state, event)
        case e.StoneDug():
            return dug(state, event)
        case e.BuriedTurned(_, _, points):
            scores = tuple(a + b for a, b in zip(state.scores, points, strict=True))
            return amend(state, scores=scores)
        case e.MatchEnded():
            return state
    raise TypeError(f"not an event of Apacheta: {event!r}")


def dealt(state: State, seat: int, stones: tuple[int, ...]) -> State:
    hand = tuple(sorted((*state.hands[seat], *stones)))
    return amend(state, hands=put(state.hands, seat, hand), bag=taken(state.bag, *stones))


def dug(state: State, event: e.StoneDug) -> State:
    """Who digs knows what is buried now; whoever knew it before does so no more."""
    seat, stone, buried = event.seat, event.stone or UNSEEN, event.buried or UNSEEN
    hand = tuple(sorted((*without(state.hands[seat], buried), stone)))
    return amend(
        state,
        hands=put(state.hands, seat, hand),
        buried=buried,
        seen=tuple(one == seat for one in range(state.seats)),
        scores=put(state.scores, seat, state.scores[seat] - event.cost),
    )


def turned(state: State, event: e.StonesTurned) -> State:
    scores, seat = state.scores, event.seat
    return amend(
        state,
        laid=(None,) * state.seats,
        turned=tuple(sorted((*state.turned, *event.stones))),
        cairn=state.cairn + state.seats if seat is None else 0,
        scores=scores if seat is None else put(scores, seat, scores[seat] + event.points),
        passed=state.passed + 1,
    )


def of_position(form: dict[str, Any]) -> State:
    """The state of a position in its complete form, as `position.load` checked and wrote it."""
    return State(
        options=form["options"],
        hands=tuple(map(tuple, form["hands"])),
        laid=tuple(form["laid"]),
        seen=tuple(form["seen"]),
        scores=tuple(form["scores"]),
        bag=tuple(form["bag"]),
        turned=tuple(form["turned"]),
        buried=form["buried"],
        cairn=form["cairn"],
        passed=form["passed"],
    )


def put(row: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """`row` with one place changed."""
    return (*row[:at], value, *row[at + 1 :])


def without(stones: tuple[int, ...], *gone: int) -> tuple[int, ...]:
    """`stones` less those that have gone."""
    left = list(stones)
    for stone in gone:
        left.remove(stone)
    return tuple(left)


def taken(bag: tuple[int, ...], *stones: int | None) -> tuple[int, ...]:
    """What is left in the bag; an unseen stone may have been any of them, so it stays."""
    return without(bag, *filter(None, stones))
