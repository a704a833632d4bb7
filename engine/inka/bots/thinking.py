"""What the bots of Inka share: the table behind a view, moves of lozenges tried in thought, and errands of the pawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from engine.core.chance import Chance
from engine.core.game import amend
from engine.inka import actions as a
from engine.inka.board import Ground
from engine.inka.bots.reckoning import (
    BIT,
    COVERS,
    HASTE,
    STATUE,
    Hall,
    Layers,
    Standing,
    hall,
    nearness,
    price,
    printed_grid,
    standings,
)
from engine.inka.position.complete_form import build
from engine.inka.printed_board import DESTINATIONS, INDEX, NAMES, PAIRS, PLACES, bits
from engine.inka.rules.decide import pawn
from engine.inka.rules.legal import movable, move_actions
from engine.inka.state import AP, STATUES, State
from engine.inka.view import View
from engine.kit.rows import put

T = TypeVar("T")
WON = 1000.0
LITTLE = 0.5  # half a point's loss that is put up with to stir things
THRIFT = 0.01  # the shorter of two equal plans
ADRIFT = 0.3  # a pawn on a lozenge may be carried off
A_TURN = 2 * AP  # half points
HINDER = 0.35  # what half a point of the nearest rival is worth
PLACES_TRIED = 24  # for a lozenge to be laid, besides those on somebody's way
SLACK = 2.0  # half points that a lozenge may be laid worse than best, lest whoever lays the last one has won
# What it costs to leave a rival this few half points from winning, for each less than so many;
ALARM, URGENT = 12, 0.8
LOST = 14.0  # and what it costs more if one turn is enough
VARIETY = 0.05  # half points that a bot does not mind, for each round

Plan = tuple[Any, ...]
Loss = Callable[[Sequence[Standing], int], float]  # what a seat makes of how far everybody is


def table(view: View) -> State:
    """The position behind a view: in Inka a seat sees everything but the draws to come."""
    turn = view.turn
    lifted = {"lifted": [word for word in turn.lifted if word]} if turn.lifted else {}
    return build(
        {
            "options": view.options,
            "phase": view.phase,
            "pawns": view.pawns,
            "taken": view.taken,
            "lozenges": view.lozenges,
            "drawn": view.drawn,
            "blockades": view.blockades,
            "turn": {
                "seat": turn.seat,
                "ap": turn.ap,
                "pawn": turn.pawn,
                "ended": turn.ended,
                **lifted,
            },
        }
    )


def best(things: Sequence[Any], loss: Callable[[Any], float], chance: Chance) -> Any:
    """The one with the least loss; among equals, any."""
    losses = [loss(thing) for thing in things]
    least = min(losses)
    return chance.pick([one for one, lost in zip(things, losses, strict=True) if lost <= least])


def spread(things: Sequence[T], most: int) -> Sequence[T]:
    """Some of the things, as far apart as their number allows."""
    return things[:: len(things) // most + 1]


# What a position is worth


def danger(far: Sequence[Standing], seat: int) -> float:
    """What it costs a seat that its rivals are near to winning: whoever leaves it to others to hinder them loses."""
    needs = [one.need for other, one in enumerate(far) if other != seat and one.need < ALARM]
    return sum(URGENT * (ALARM - need) + (LOST if need <= A_TURN else 0) for need in needs)


def whim(state: State) -> float:
    """How much worse than the best may pass: two who undo each other's moves would go on for ever."""
    return VARIETY * (state.turn.ended // state.seats)


def race(far: Sequence[Standing], seat: int, hinder: float = HINDER) -> float:
    """How far a seat is from winning, less a part of how far the nearest rival is."""
    rival = min(one.far for other, one in enumerate(far) if other != seat)
    return far[seat].far - hinder * rival + danger(far, seat)


def position_loss(state: State, seat: int, loss: Loss) -> float:
    """What a seat makes of a position."""
    if state.escaped:
        return -WON if seat in state.escaped else WON
    return loss(standings(hall(state), state.pawns, state.taken), seat)


# Lozenges


class Move(NamedTuple):
    """A lozenge that goes to a place by one slide or turn."""

    id: str
    how: str
    place: int

    def action(self, seat: int, *, symbol: bool = False) -> Any:
        return move_actions(seat, self.how, self.id, symbol)[self.place]


def lozenge_moves(state: State, ids: Iterable[str]) -> list[Move]:
    """Where these lozenges can go, each place once."""
    found = []
    for id_ in ids:
        slid = state.ground.destinations("slide", id_, state.standing)
        turned = state.ground.destinations("turn", id_, state.standing) - slid
        found += [Move(id_, "slide", place) for place in slid]
        found += [Move(id_, "turn", place) for place in turned]
    return found


def path_moves(state: State) -> list[Move]:
    """All moves of path lozenges, while there are points for them."""
    if state.turn.pawn or not state.turn.ap:
        return []
    return lozenge_moves(state, movable(state))


def carried(state: State, move: Move) -> tuple[int | None, ...]:
    """Where the pawns stand after a move."""
    pawns = state.pawns
    for cell, there in zip(PAIRS[state.ground.lying[move.id]], PAIRS[move.place], strict=True):
        if state.pawn_cells >> cell & 1:
            pawns = put(pawns, state.pawns.index(cell), there)
    return pawns


def moved(state: State, move: Move, *, symbol: bool = False) -> State:
    """The state after a lozenge has moved: what `decide` and `evolve` would make of it, sooner."""
    turn = amend(state.turn, ap=state.turn.ap - 1, pawn=symbol)
    ground = Ground({**state.ground.lying, move.id: move.place}, state.board)
    return amend(state, ground=ground, pawns=carried(state, move), turn=turn)


def loss_after(state: State, move: Move, seat: int, loss: Loss) -> float:
    """What a seat makes of the position after a move, without setting it up."""
    pawns = carried(state, move)
    if pawns is not state.pawns:
        return position_loss(moved(state, move), seat, loss)
    map_ = Hall({**state.ground.lying, move.id: move.place}, state.board)
    return loss(standings(map_, pawns, state.taken), seat)


def way_of(state: State, seat: int, map_: Hall) -> int:
    """The cells on the cheapest ways of a seat to what it needs next."""
    cell = state.pawns[seat]
    return 0 if cell is None else map_.route(BIT[cell], map_.goal(state.taken[seat]))


def bridging(moves: Iterable[Move], gaps: int) -> list[Move]:
    """The moves to some of the cells that are missing."""
    return [move for move in moves if COVERS[move.place] & gaps]


def supporting(state: State, moves: Iterable[Move], way: int) -> list[Move]:
    """The moves of lozenges that lie on a way."""
    lying = state.ground.lying
    return [move for move in moves if COVERS[lying[move.id]] & way]


def lay(
    state: State,
    seat: int,
    legal: Sequence[a.LayLozenge],
    chance: Chance,
    *,
    loss: Loss = race,
    slack: float = SLACK,
) -> Any:
    """Where the drawn lozenge helps it most and the others least, or a little less."""
    map_ = hall(state)
    ways = 0
    for other in range(state.seats):
        ways |= way_of(state, other, map_)
    places = {PLACES[INDEX[one.to[0]], INDEX[one.to[1]]]: one for one in legal}
    hopeful = [place for place in places if COVERS[place] & ways]
    looked = [*hopeful, *spread(list(places), PLACES_TRIED)]
    losses = {place: loss_with(state, place, seat, loss) for place in looked}
    bar = min(losses.values()) + slack
    return places[chance.pick([place for place, lost in losses.items() if lost <= bar])]


def loss_with(state: State, place: int, seat: int, loss: Loss) -> float:
    """What a seat makes of the hall with the drawn lozenge on a place."""
    map_ = Hall({**state.ground.lying, str(state.drawn): place}, state.board)
    return loss(standings(map_, state.pawns, state.taken), seat)


# The pawn


def errands(state: State, seat: int, map_: Hall) -> list[tuple[float, Plan]]:
    """All that the pawn can do in the rest of the turn, and how far from winning it ends."""
    errand = Errand(state, seat, map_)
    errand.go_on(pawn(state, seat), state.turn.ap, state.taken[seat], ())
    return [
        (errand.loss(cell, taken) + THRIFT * len(plan), plan)
        for (cell, _, taken), plan in errand.found.items()
    ]


class Errand:
    """What a pawn can do in the rest of a turn while the lozenges lie still: each outcome once."""

    def __init__(self, state: State, seat: int, map_: Hall) -> None:
        self.state, self.seat, self.ground, self.board = state, seat, state.ground, state.board
        self.found: dict[tuple[int, int, tuple[str, ...]], Plan] = {}
        self.map, self.floods = map_, dict[int, Layers]()

    def go_on(self, cell: int, ap: int, taken: tuple[str, ...], plan: Plan) -> None:
        """Notes where the pawn stands now, and everything that may follow."""
        if (cell, ap, taken) in self.found:
            return None
        self.found[cell, ap, taken] = plan
        lozenge = self.ground.halves.get(cell)
        if ap and lozenge in DESTINATIONS and lozenge not in taken:
            more = tuple(sorted((*taken, lozenge)))
            return self.go_on(cell, ap - 1, more, (*plan, a.TakeStatue(self.seat)))
        if ap and lozenge is None and self.board.passages >> cell & 1:
            closed = self.ground.covered | self.state.standing | 1 << cell
            for other in bits(self.board.passages & ~closed):
                self.go_on(other, ap - 1, taken, (*plan, a.UsePassage(self.seat, NAMES[other])))
        if not plan or not isinstance(plan[-1], a.Walk):
            for cost, area in enumerate(self.ground.reach(cell, ap)):
                for goal in self.goals(bits(area & ~self.state.standing), taken):
                    self.go_on(goal, ap - cost, taken, (*plan, a.Walk(self.seat, NAMES[goal])))
        return None

    def goals(self, cells: list[int], taken: tuple[str, ...]) -> set[int]:
        """Of some cells, those where something is to be had, and the one nearest to all that."""
        if not cells:
            return set()
        wanted = self.wanted(taken)
        found = {cell for cell in cells if cell in wanted or self.board.passages >> cell & 1}
        return found | {min(cells, key=lambda cell: self.loss(cell, taken))}

    def wanted(self, taken: tuple[str, ...]) -> Sequence[int]:
        left = [id_ for id_ in DESTINATIONS if id_ not in taken]
        return [cell for id_ in left for cell in PAIRS[self.ground.lying[id_]]] or self.board.starts

    def loss(self, cell: int, taken: tuple[str, ...]) -> float:
        """How far the pawn is from winning there; on a lozenge it may be carried off."""
        if len(taken) == STATUES and self.board.exits >> cell & 1:
            return -WON
        goal, left = self.map.goal(taken), STATUES - len(taken)
        way = price(self.flood(goal), BIT[cell]) + nearness(cell, self.wanted(taken))
        if left:
            out = price(self.flood(printed_grid(self.board).exits), goal)
            way += STATUE * left + out * (1 - HASTE * (left - 1))
        return way + (ADRIFT if cell in self.ground.halves else 0)

    def flood(self, origin: int) -> Layers:
        if origin not in self.floods:
            self.floods[origin] = self.map.layers(origin, -1)
        return self.floods[origin]


def walks_aside(state: State, seat: int) -> Iterator[a.Walk]:
    """Where the pawn can step for nothing."""
    free = bits(state.ground.reach(pawn(state, seat), 0)[0] & ~state.standing)
    return (a.Walk(seat, NAMES[cell]) for cell in free)


def aside(state: State, seat: int, chance: Chance) -> Any:
    """Ends the turn; now and then the pawn steps aside first, for it may stand where a bridge should lie."""
    walks, end = list(walks_aside(state, seat)), a.EndTurn(seat)
    return end if state.turn.pawn else chance.pick([*walks, *[end] * len(walks), end])
