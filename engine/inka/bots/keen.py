"""`keen`: thinks its turn to the end, lozenges, pawn and blockade, and hinders whoever is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.inka import actions as a
from engine.inka.bots.reckoning import BIT, COVERS, Hall, Standing, hall, standings
from engine.inka.bots.thinking import (
    A_TURN,
    LITTLE,
    THRIFT,
    WON,
    Loss,
    Plan,
    aside,
    best,
    bridging,
    errands,
    lay,
    loss_after,
    moved,
    path_moves,
    position_loss,
    race,
    spread,
    supporting,
    table,
    way_of,
    whim,
)
from engine.inka.printed_board import INDEX, PATHS
from engine.inka.rules.legal import blockade_room, pick
from engine.inka.state import State
from engine.inka.view import View

WIDTH = 8  # how many first moves, and then pairs, it follows by another
ENDINGS = 8  # how many of them it plays out with its pawn
LOOKED = 24  # how many moves of no plain use it tries
SPENT = 0.2  # a point spent on a lozenge, which the pawn might have used
DETOUR = 5.5  # half points that a first move may cost, itself included
# Half points that a lozenge may be laid worse than best, by seats. Of two with 2 whoever moves first won too often, with 1
# whoever lays last; of more the last lozenge does less, and with 1.4 whoever lays it, and moves last, won too seldom.
EAGER = {2: 1.4, 3: 1.0, 4: 1.0}
HOLD = 0.6  # what it is worth to hold a lozenge, of what its loss would cost

Thought = tuple[float, Plan, State]


def keen(_game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """Thinks a turn to its end: lozenges, then the pawn, then the blockade."""
    state, seat = table(view), view.turn.seat
    if view.phase == "start":
        return chance.pick(legal)
    if view.phase == "lay":
        return lay(state, seat, legal, chance, loss=at_first(state), slack=EAGER[state.seats])
    plan = varied(plans(state, seat), state, chance)
    return plan[0] if plan else idle_step(state, seat, chance)


def at_first(state: State) -> Loss:
    """What it makes of the hall before the first turn, where whoever moves later is further."""
    first = 0 if state.options["start_seat_first"] else len(PATHS) % state.seats

    def loss(far: Sequence[Standing], seat: int) -> float:
        late = (behind(other, first, state.seats) for other in range(state.seats))
        return race(
            [one._replace(far=one.far + more) for one, more in zip(far, late, strict=True)], seat
        )

    return loss


def behind(seat: int, first: int, seats: int) -> float:
    """Half points that a seat is behind because others move before it: its part of a turn."""
    return A_TURN * ((seat - first) % seats) / seats


def varied(known: Sequence[tuple[float, Plan]], state: State, chance: Chance) -> Plan:
    """One of the best plans; the longer the match, the more pass for such."""
    bar = known[0][0] + whim(state)
    return chance.pick([plan for loss, plan in known if loss <= bar])


def idle_step(state: State, seat: int, chance: Chance) -> Any:
    """What to do where no plan helps: stir some lozenge, step aside, or end the turn."""
    step = stirred(state, seat, chance) or aside(state, seat, chance)
    return blockade(state, seat, chance) if isinstance(step, a.EndTurn) else step


def stirred(state: State, seat: int, chance: Chance) -> Any:
    """Where no plan helps: some lozenge that may lie better elsewhere, unless that helps a rival."""
    now = position_loss(state, seat, race)
    moves = spread(path_moves(state), 2 * LOOKED)
    idle = [move for move in moves if loss_after(state, move, seat, race) < now + LITTLE]
    return chance.pick(idle).action(seat) if idle else None


def plans(state: State, seat: int) -> list[tuple[float, Plan]]:
    """The orders before the blockade that are worth a thought, those to the best position first."""
    ends = (
        (loss + THRIFT * len(plan), plan + more)
        for _, plan, begun in beginnings(state, seat)
        for loss, more in endings(begun, seat)
    )
    return sorted(ends, key=lambda end: end[0])


def beginnings(state: State, seat: int) -> list[Thought]:
    """The most hopeful ways to move lozenges, none at all among them.

    First what bridges a gap or breaks a rival's way, and some others; then such as bridge what was or is missing.
    """
    none: Thought = (position_loss(state, seat, race), (), state)
    moves = path_moves(state)
    if not moves:
        return [none]
    map_ = hall(state)
    gaps = way_of(state, seat, map_) & map_.chasm
    first = {*bridging(moves, gaps), *spread(moves, LOOKED)}
    for other in range(state.seats):
        if other != seat:
            pillars = supporting(state, moves, way_of(state, other, map_))
            first |= {*spread(pillars, LOOKED), *bridging(pillars, gaps)}
    one = tried(state, (), sorted(first), seat)
    close = [thought for thought in one if thought[0] < none[0] + DETOUR][:WIDTH]
    two = sooner(thought for t in close for thought in bridged(t, seat, gaps))
    three = (thought for t in two[:WIDTH] for thought in bridged(t, seat, 0))
    return sooner([none, *one[:ENDINGS], *two[:ENDINGS], *three])[:ENDINGS]


def sooner(thoughts: Any) -> list[Thought]:
    return sorted(thoughts, key=lambda thought: thought[0])


def bridged(thought: Thought, seat: int, gaps: int) -> list[Thought]:
    """The ways on from a beginning by a lozenge that bridges something."""
    _, plan, state = thought
    moves = path_moves(state)
    if not moves:
        return []
    map_ = hall(state)
    wanted = gaps | way_of(state, seat, map_) & map_.chasm
    return tried(state, plan, bridging(moves, wanted), seat)


def tried(state: State, plan: Plan, moves: Sequence[Any], seat: int) -> list[Thought]:
    """The positions after some moves, the best first; only those worth it are set up."""
    found = sorted((loss_after(state, move, seat, race), move) for move in moves)
    spent = SPENT * (len(plan) + 1)
    return [
        (loss + spent, (*plan, move.action(seat)), moved(state, move))
        for loss, move in found[: 2 * WIDTH]
    ]


# The pawn


def endings(state: State, seat: int) -> list[tuple[float, Plan]]:
    """Every way to end the turn with the pawn, and its loss."""
    if state.escaped:
        return [(-WON if seat in state.escaped else WON, ())]
    map_ = hall(state)
    far = standings(map_, state.pawns, state.taken)
    others = race(far, seat) - far[seat].far
    return [(loss + others, plan) for loss, plan in errands(state, seat, map_)]


# The blockade


def blockade(state: State, seat: int, chance: Chance) -> Any:
    """Where it costs the nearest rival most, or holds the lozenge that the own way needs most."""
    map_ = hall(state)
    far = standings(map_, state.pawns, state.taken)
    now = race(far, seat)
    gaps = way_of(state, nearest(far, seat), map_) & map_.chasm
    mine = way_of(state, seat, map_)
    uses: dict[str, float] = {}

    def use(action: a.SetBlockade) -> float:
        cell = INDEX[action.at]
        id_ = state.ground.halves.get(cell)
        if id_ is None:
            if not gaps & BIT[cell]:
                return 0.0
            barred = Hall(state.ground.lying, state.board, BIT[cell])
            return now - race(standings(barred, state.pawns, state.taken), seat)
        if id_ not in uses:
            uses[id_] = HOLD * needed(state, seat, id_, mine, far[seat].far)
        return uses[id_]

    options = pick(a.SetBlockade, seat, blockade_room(state))
    return best(options, lambda action: -use(action), chance)


def nearest(far: Sequence[Standing], seat: int) -> int:
    """The rival who wins soonest: of those about as near whoever moves next, lest all bar the same seat."""
    others = (other for other in range(len(far)) if other != seat)
    return min(others, key=lambda other: far[other].need + behind(other, seat + 1, len(far)))


def needed(state: State, seat: int, id_: str, way: int, far: float) -> float:
    """What the loss of a lozenge would cost a seat."""
    if not COVERS[state.ground.lying[id_]] & way:
        return 0.0
    left = {other: place for other, place in state.ground.lying.items() if other != id_}
    map_ = Hall(left, state.board)
    return standings(map_, state.pawns, state.taken)[seat].far - far
