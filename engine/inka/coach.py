"""What a newcomer could do next, in a sentence, from what the seat sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engine.core.sentence import Sentence, say
from engine.inka.board import Ground
from engine.inka.printed_board import COVER, DESTINATIONS, INDEX, NAMES, bits, mask
from engine.inka.scoring import DEAREST
from engine.inka.view import View, ground


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
        return say(
            "No way leads from your pawn to a statue yet: lay {lozenge} where it bridges some of the chasm.",
            lozenge=view.drawn,
        )
    return say(
        "Your pawn has a way to a statue: lay {lozenge} where it spares that way, and where its walls stop others.",
        lozenge=view.drawn,
    )


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
        yield from bridge(way)
    if ap:
        yield say(
            "{ap} AP left, and no statue in reach: set your blockade where others must pass, or play the turn.",
            ap=ap,
        )
    yield say("All your AP are spent: set your blockade where others must pass, or play the turn.")


def walk(way: Way) -> Iterator[Sentence]:
    """To a statue or out, as far as the AP go; walking costs only where snakes lie."""
    if way.cheapest is None:
        return
    cost, cell = way.cheapest
    name = NAMES[cell]
    if cost > way.ap:
        yield from shorten(way, cost)
    elif not way.wanted:
        yield say(
            "You have all three statues, and {cell} is an exit: walk there and win.", cell=name
        )
    elif cost < way.ap:
        yield say(
            "A way leads to {lozenge}: walk to {cell}, for {cost} AP, and take your statue there, for 1.",
            lozenge=way.ground.halves[cell],
            cell=name,
            cost=cost,
        )
    else:
        yield say(
            "Walk to {cell} on {lozenge}, for {cost} AP: next turn you can take your statue there.",
            lozenge=way.ground.halves[cell],
            cell=name,
            cost=cost,
        )


def shorten(way: Way, cost: int) -> Iterator[Sentence]:
    """Snakes make it dearer than what is left of the turn."""
    if way.ap:
        yield say(
            "The way ahead costs {cost} AP, for its snakes: shorten it by a lozenge, or walk a part of it.",
            cost=cost,
        )


def bridge(way: Way) -> Iterator[Sentence]:
    """No way on foot: lozenges are moved before the pawn is."""
    if way.cheapest is None and way.ap and not way.view.turn.pawn:
        yield (
            say(
                "No way leads to your statues: slide or turn a path lozenge over the chasm, for 1 AP, before your pawn walks."
            )
            if way.wanted
            else say(
                "No way leads to an exit: slide or turn a path lozenge over the chasm, for 1 AP, before your pawn walks."
            )
        )
