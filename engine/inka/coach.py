"""What a newcomer could do next, in a sentence, from what the seat sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from engine.core.sentence import Sentence, filled, say
from engine.inka import actions as a
from engine.inka.board import Ground
from engine.inka.bots.reasons import laid
from engine.inka.bots.reckoning import COVERS, hall, standings
from engine.inka.bots.thinking import Plan, bridging, errands, moved, path_moves, table, way_of
from engine.inka.printed_board import (
    COVER,
    DESTINATIONS,
    INDEX,
    NAMES,
    PAIR_NAMES,
    PLACES,
    bits,
    mask,
)
from engine.inka.rules.legal import legal
from engine.inka.scoring import DEAREST
from engine.inka.state import State
from engine.inka.view import View, ground

T = TypeVar("T")


def coach(view: View) -> Sentence | None:
    """The next thing worth doing for whoever is asked; None for everybody else."""
    if view.seat is None or view.seat not in view.to_act:
        return None
    return PHASES[view.phase](view, view.seat)


def choose_start(_view: View, _seat: int) -> Sentence:
    return say(
        "Choose where your pawn begins: it fetches its three statues from the middle, and leaves by any exit."
    )


def lay_lozenge(view: View, seat: int) -> Sentence:
    """A bridge for oneself while one is missing, a wall for others afterwards."""
    way = Way(view, seat)
    if way.cheapest is None:
        place = way.shortest((laid(way.state, one), one) for one in gap_fillers(way))
        told = (
            say(
                "No way leads from your pawn to a statue yet: on {one} and {other} {lozenge} bridges a part of the chasm.",
                one=place.to[0],
                other=place.to[1],
            )
            if place
            else say(
                "No way leads from your pawn to a statue yet: lay {lozenge} where it bridges some of the chasm."
            )
        )
        return filled(told, {"lozenge": view.drawn})
    return say(
        "Your pawn has a way to a statue: lay {lozenge} where it spares that way, and where its walls stop others.",
        lozenge=view.drawn,
    )


def gap_fillers(way: Way) -> Iterator[a.LayLozenge]:
    """Where the drawn lozenge can be laid so that it covers some of what is missing."""
    for one in legal(way.state, way.seat):
        if COVERS[PLACES[INDEX[one.to[0]], INDEX[one.to[1]]]] & way.missing:
            yield one


def take_turn(view: View, seat: int) -> Sentence | None:
    return next(advice(Way(view, seat)), None)


PHASES: dict[str, Callable[[View, int], Sentence | None]] = {
    "start": choose_start,
    "lay": lay_lozenge,
    "turn": take_turn,
}


@dataclass(frozen=True)
class Way:
    """Where the pawn of a seat stands, what it wants next, and where it can walk."""

    view: View
    seat: int

    @property
    def ap(self) -> int:
        return self.view.turn.ap

    @cached_property
    def ground(self) -> Ground:
        return ground(self.view)

    @property
    def cell(self) -> int:
        return INDEX[self.view.pawns[self.seat] or ""]

    @property
    def wanted(self) -> list[str]:
        """The destination lozenges that still bear a statue of the seat."""
        return [one for one in DESTINATIONS if one not in self.view.taken[self.seat]]

    @property
    def standing(self) -> int:
        """The cells on which nobody else may stop."""
        return mask(name for name in (*self.view.pawns, *self.view.blockades) if name)

    @cached_property
    def goals(self) -> int:
        """The cells where the pawn wants to be: of its statues, or an exit when it has them all."""
        if not self.wanted:
            return self.ground.board.exits
        return sum(COVER[self.ground.lying[one]] for one in self.wanted if one in self.ground.lying)

    @cached_property
    def state(self) -> State:
        return table(self.view)

    @cached_property
    def missing(self) -> int:
        """The cells of the chasm that lie on the shortest ways to where the pawn wants to be, as the bots count cells."""
        map_ = hall(self.state)
        return way_of(self.state, self.seat, map_) & map_.chasm

    def need(self, state: State) -> int:
        """What it takes to win from there."""
        return standings(hall(state), state.pawns, state.taken)[self.seat].need

    def shortest(self, after: Iterable[tuple[State, T]]) -> T | None:
        """Of several ways to go on, the one that leaves least to do; None where none leaves less than there is."""
        best, chosen = self.need(self.state), None
        for state, one in after:
            if (need := self.need(state)) < best:
                best, chosen = need, one
        return chosen

    @cached_property
    def cheapest(self) -> tuple[int, int] | None:
        """What it costs to walk to the nearest goal that is free, and that cell."""
        free = self.goals & ~self.standing
        for cost, area in enumerate(self.ground.reach(self.cell, DEAREST)):
            if area & free:
                return cost, bits(area & free)[0]
        return None


def advice(way: Way) -> Iterator[Sentence]:
    """All that could be said, what matters most first."""
    ap, here = way.ap, way.ground.halves.get(way.cell)
    if here in way.wanted and ap:
        yield say("You stand on {lozenge}: take your statue, for 1 AP.", lozenge=here)
    if here not in way.wanted:
        yield from walk(way)
        yield from go_through(way)
        yield from shorten(way)
        yield from bridge(way)
    if ap:
        told = (
            say(
                "{ap} AP left, and no statue in reach: set your blockade where others must pass, or play the turn."
            )
            if way.wanted
            else say(
                "{ap} AP left, and no exit in reach: set your blockade where others must pass, or play the turn."
            )
        )
        yield filled(told, {"ap": ap})
    yield say("All your AP are spent: set your blockade where others must pass, or play the turn.")


def walk(way: Way) -> Iterator[Sentence]:
    """To a statue or out, as far as the AP go; walking costs only where snakes lie."""
    if way.cheapest is None or way.cheapest[0] > way.ap:
        return
    cost, cell = way.cheapest
    if way.wanted:
        values = {"lozenge": way.ground.halves[cell], "cell": NAMES[cell], "cost": cost}
        yield filled(TO_A_STATUE[cost > 0, cost < way.ap], values)
    else:
        yield say(
            "You have all three statues, and {cell} is an exit: walk there and win.",
            cell=NAMES[cell],
        )


# Whether walking costs something, and whether a point is left to take the statue.
TO_A_STATUE = {
    (False, True): say(
        "A way leads to {lozenge}: walk to {cell}, which costs nothing, and take your statue there, for 1 AP."
    ),
    (True, True): say(
        "A way leads to {lozenge}: walk to {cell}, for {cost} AP, and take your statue there, for 1."
    ),
    (False, False): say(
        "Walk to {cell} on {lozenge}, which costs nothing: next turn you can take your statue there."
    ),
    (True, False): say(
        "Walk to {cell} on {lozenge}, for {cost} AP: next turn you can take your statue there."
    ),
}


def shorten(way: Way) -> Iterator[Sentence]:
    """Snakes make it dearer than what is left of the turn."""
    if way.cheapest and way.ap and not way.view.turn.pawn:
        yield say(
            "The way ahead costs {cost} AP, for its snakes: shorten it by a lozenge, or walk a part of it.",
            cost=way.cheapest[0],
        )


def go_through(way: Way) -> Iterator[Sentence]:
    """Where feet do not lead in this turn a secret passage may."""
    plans = [
        plan for _, plan in errands(way.state, way.seat, hall(way.state)) if reaches(way, plan)
    ]
    first = min(plans, key=len, default=(None,))[0]
    if isinstance(first, a.Walk):
        yield say(
            "Walk to {cell}, a secret passage: through it you come to where you want to be.",
            cell=first.to,
        )
    elif isinstance(first, a.UsePassage):
        yield say(
            "You stand on a secret passage: go through to {cell}, for 1 AP, and walk on from there.",
            cell=first.to,
        )


def reaches(way: Way, plan: Plan) -> bool:
    """Whether it goes through one passage to a statue that is taken, or out."""
    there = isinstance(plan[-1], a.TakeStatue) if plan else False
    if plan and not way.wanted and isinstance(plan[-1], a.Walk):
        there = bool(way.ground.board.exits >> INDEX[plan[-1].to] & 1)
    return there and sum(isinstance(one, a.UsePassage) for one in plan) == 1


def bridge(way: Way) -> Iterator[Sentence]:
    """No way on foot: lozenges are moved before the pawn is."""
    if way.cheapest is not None or not way.ap or way.view.turn.pawn:
        return
    moves = bridging(path_moves(way.state), way.missing)
    if best := way.shortest((moved(way.state, one), one) for one in moves):
        one, other = PAIR_NAMES[best.place]
        told = SLIDING if best.how == "slide" else TURNING
        yield filled(told, {"lozenge": best.id, "one": one, "other": other})
    yield (
        say(
            "No way leads to your statues: slide or turn a path lozenge over the chasm, for 1 AP, before your pawn walks."
        )
        if way.wanted
        else say(
            "No way leads to an exit: slide or turn a path lozenge over the chasm, for 1 AP, before your pawn walks."
        )
    )


SLIDING = say(
    "The chasm is in your way: slide {lozenge} to {one} and {other}, for 1 AP, and a part of it is bridged."
)
TURNING = say(
    "The chasm is in your way: turn {lozenge} to {one} and {other}, for 1 AP, and a part of it is bridged."
)
