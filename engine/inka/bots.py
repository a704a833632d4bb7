"""Players of Inka: `steady` takes the step that brings it nearest, `keen` plans its turn and hinders the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game, amend
from engine.inka import actions as a
from engine.inka.board import (
    DESTINATIONS,
    EXITS,
    INDEX,
    NAMES,
    PAIRS,
    PASSAGES,
    PATHS,
    PLACES,
    STARTS,
    bits,
)
from engine.inka.evolve import lying, put
from engine.inka.lozenges import carried
from engine.inka.position import read
from engine.inka.reckoning import BIT, Hall, far, hall, missing, nearness, way, without
from engine.inka.rules import pawn
from engine.inka.state import State
from engine.inka.view import View

WIDTH = 5  # how many pairs of moves keen adds a third to
ENDINGS = 8  # how many of them it plays out with its pawn
LOOKED = 40  # how many places for lozenges steady weighs besides those that bridge something
SCOUTED = 8  # how many of them it tries to follow by a second
HINDER = 0.35  # what half a point of the nearest rival is worth
ALARM = 8  # half points: a rival so near is hindered first,
URGENT = 1.0  # and each one less is worth so much
WON = 1000.0
SPENT = 0.2  # a point spent on a lozenge, which the pawn might have used
LITTLE = 0.5  # half a point's loss that is put up with to stir things
DETOUR = 5.5  # half points that a first move may cost, itself included
THRIFT = 0.01  # the shorter of two equal plans
ADRIFT = 0.3
HOLD = 0.6  # what it is worth to hold a lozenge, of what its loss would cost

Placing = a.LayLozenge | a.MoveLozenge


def table(view: View) -> State:
    """The position behind a view: in Inka a seat sees everything but the draws to come."""
    turn = view.turn
    lifted = {"lifted": [word for word in turn.lifted if word]} if turn.lifted else {}
    return read(
        {
            "seats": view.seats,
            "options": view.options,
            "phase": view.phase,
            "pawns": list(view.pawns),
            "taken": [list(taken) for taken in view.taken],
            "lozenges": {id_: list(pair) for id_, pair in view.lozenges.items()},
            "drawn": view.drawn,
            "blockades": list(view.blockades),
            "turn": {
                "seat": turn.seat,
                "ap": turn.ap,
                "pawn": turn.pawn,
                "ended": turn.ended,
                **lifted,
            },
        }
    )


def best(actions: Sequence[Any], loss: Callable[[Any], float], chance: Chance) -> Any:
    """The action with the least loss; among equals, any."""
    losses = [loss(action) for action in actions]
    least = min(losses)
    return chance.pick([one for one, lost in zip(actions, losses, strict=True) if lost <= least])


def moved(state: State, action: a.MoveLozenge) -> State:
    """The state after a lozenge has moved: what `decide` and `evolve` would make of it, sooner."""
    pawns = state.pawns
    place = PLACES[INDEX[action.to[0]], INDEX[action.to[1]]]
    for ridden in carried(state, action.lozenge, place):
        pawns = put(pawns, ridden.seat, INDEX[ridden.to])
    turn = amend(state.turn, ap=state.turn.ap - 1, pawn=action.symbol)
    return amend(state, ground=lying(state, action.lozenge, action.to), pawns=pawns, turn=turn)


# What a position is worth


def loss_of(state: State, seat: int) -> float:
    """How far a seat is from winning."""
    return -WON if seat in state.escaped else far(state, seat, hall(state))


def race(state: State, seat: int) -> float:
    """How far a seat is from winning, less a part of how far the nearest rival is."""
    if state.escaped:
        return -WON if seat in state.escaped else WON
    map_ = hall(state)
    return far(state, seat, map_) + rival_part(state, seat, map_)


def rival_part(state: State, seat: int, map_: Hall) -> float:
    """What the nearest rival's way is worth to a seat: the longer the better, and the more the nearer."""
    rival = min(far(state, other, map_) for other in range(state.seats) if other != seat)
    return -HINDER * rival + URGENT * max(0, ALARM - rival)


# Steady


def steady(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """The order that shortens its own way most; of the others it takes no notice."""
    state, seat = table(view), view.turn.seat
    if view.phase == "start":
        return chance.pick(legal)
    if view.phase == "lay":
        looked = worth_a_look(legal, missing(state, seat, hall(state)))
        return best(looked, lambda action: loss_of(laid(state, action), seat), chance)
    loss, errand = min(errands(state, seat, hall(state)), key=lambda end: end[0])
    gains = loss < loss_of(state, seat) - LITTLE
    move = lozenge_move(game, state, loss, chance)
    if move is None and errand and (gains or not state.turn.pawn):
        return errand[0]
    return move or aside(state, seat, chance)


def lozenge_move(game: Game, state: State, bar: float, chance: Chance) -> Any:
    """A move that brings it nearer than the pawn can come by itself, or is the first of two that do.

    Where even that is missing and the pawn would gain nothing, some lozenge is stirred.
    """
    seat = state.turn.seat
    gaps = missing(state, seat, hall(state))
    looked = worth_a_look(list(path_moves(game, state, seat)), gaps)
    losses = {action: loss_of(moved(state, action), seat) for action in looked}
    least = min(losses.values(), default=WON)
    if least < bar - LITTLE:
        return chance.pick([action for action, loss in losses.items() if loss == least])
    now = loss_of(state, seat)
    idle = [action for action, loss in losses.items() if loss < now + LITTLE]
    if bar < now - LITTLE or not idle:
        return None
    return first_of_two(game, state, idle, gaps) or chance.pick(idle)


def aside(state: State, seat: int, chance: Chance) -> Any:
    """Ends the turn; now and then the pawn steps aside first, for it may stand where a bridge should lie."""
    free = bits(state.ground.reach(pawn(state, seat), 0)[0] & ~state.standing)
    walks = [a.Walk(seat, NAMES[cell]) for cell in free]
    end = a.EndTurn(seat)
    return end if state.turn.pawn else chance.pick([*walks, *[end] * len(walks), end])


def first_of_two(game: Game, state: State, moves: list[a.MoveLozenge], gaps: int) -> Any:
    """The first of two moves of lozenges that together shorten the way, if some of those tried do."""
    if state.turn.ap < 2:
        return None
    seat, now = state.turn.seat, loss_of(state, state.turn.seat)
    for first in spread(moves, SCOUTED):
        begun = moved(state, first)
        for second in bridging(game, begun, seat, gaps):
            if loss_of(moved(begun, second), seat) < now - LITTLE:
                return first
    return None


def bridging(game: Game, state: State, seat: int, gaps: int) -> Iterator[a.MoveLozenge]:
    """The moves of path lozenges to some of the cells that are missing."""
    return (action for action in path_moves(game, state, seat) if bridges(action, gaps))


def bridges(action: Placing, gaps: int) -> int:
    """What a lozenge covers of the cells that are missing, when it lies there."""
    return (BIT[INDEX[action.to[0]]] | BIT[INDEX[action.to[1]]]) & gaps


def worth_a_look(actions: Sequence[Any], gaps: int) -> list[Any]:
    """The actions that bridge something, and some of the others."""
    return [*(action for action in actions if bridges(action, gaps)), *spread(actions, LOOKED)]


def spread(actions: Sequence[Any], most: int) -> Sequence[Any]:
    """Some of the actions, as far apart as their number allows."""
    return actions[:: len(actions) // most + 1]


def laid(state: State, action: a.LayLozenge) -> State:
    return amend(state, ground=lying(state, str(state.drawn), action.to))


# Keen


def keen(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """Thinks a turn to its end: lozenges, then the pawn, then the blockade."""
    state, seat = table(view), view.turn.seat
    if view.phase == "start":
        return chance.pick(legal)
    if view.phase == "lay":
        return best(legal, lambda action: race(laid(state, action), seat), chance)
    plan = planned(game, state, seat)
    if plan:
        return plan[0]
    step = stirred(game, state, seat, chance) or aside(state, seat, chance)
    return blockade(state, seat, legal, chance) if isinstance(step, a.EndTurn) else step


def stirred(game: Game, state: State, seat: int, chance: Chance) -> Any:
    """Where no plan helps: some lozenge that may lie better elsewhere, unless that helps a rival."""
    now = race(state, seat)
    moves = path_moves(game, state, seat)
    idle = [action for action in moves if race(moved(state, action), seat) < now + LITTLE]
    return chance.pick(idle) if idle else None


Plan = tuple[Any, ...]
Thought = tuple[float, Plan, State]


def planned(game: Game, state: State, seat: int) -> Plan:
    """The orders before the blockade that lead to the best position known."""
    ends = [
        (loss + THRIFT * len(plan), plan + more)
        for _, plan, begun in beginnings(game, state, seat)
        for loss, more in endings(begun, seat)
    ]
    return min(ends, key=lambda end: end[0])[1]


def beginnings(game: Game, state: State, seat: int) -> list[Thought]:
    """The most hopeful ways to move lozenges, none at all among them.

    Any first move; then such as bridge what was missing before or is missing now.
    """
    none: Thought = (race(state, seat), (), state)
    if state.turn.pawn or not state.turn.ap:
        return [none]
    gaps = missing(state, seat, hall(state))
    one = sooner(wider(state, (), path_moves(game, state, seat), seat))
    two = [
        thought
        for loss, plan, begun in one
        if loss < none[0] + DETOUR
        for thought in bridged(game, plan, begun, seat, gaps)
    ]
    two = sooner(two)
    three = [t for _, plan, begun in two[:WIDTH] for t in bridged(game, plan, begun, seat, 0)]
    return sooner([none, *one[:ENDINGS], *two[:ENDINGS], *three])[:ENDINGS]


def sooner(thoughts: list[Thought]) -> list[Thought]:
    return sorted(thoughts, key=lambda thought: thought[0])


def bridged(game: Game, plan: Plan, state: State, seat: int, gaps: int) -> list[Thought]:
    """The ways on from a beginning by a lozenge that bridges something."""
    if not state.turn.ap:
        return []
    wanted = gaps or missing(state, seat, hall(state))
    return wider(state, plan, bridging(game, state, seat, wanted), seat)


def wider(state: State, plan: Plan, moves: Iterator[a.MoveLozenge], seat: int) -> list[Thought]:
    found = []
    for action in moves:
        end = moved(state, action)
        found.append((race(end, seat) + SPENT * (len(plan) + 1), (*plan, action), end))
    return found


def path_moves(game: Game, state: State, seat: int) -> Iterator[a.MoveLozenge]:
    """The moves of path lozenges, which `legal` tells first."""
    for action in game.legal(state, seat):
        if not isinstance(action, a.MoveLozenge) or action.symbol:
            return
        yield action


# The pawn


def endings(state: State, seat: int) -> list[tuple[float, Plan]]:
    """Every way to end the turn with the pawn, and its loss."""
    if state.escaped:
        return [(race(state, seat), ())]
    map_ = hall(state)
    rivals = rival_part(state, seat, map_)
    return [(loss + rivals, plan) for loss, plan in errands(state, seat, map_)]


def errands(state: State, seat: int, map_: Hall) -> list[tuple[float, Plan]]:
    """All that the pawn can do in the rest of the turn, and how far from winning it ends."""
    errand = Errand(state, seat)
    errand.go_on(pawn(state, seat), state.turn.ap, state.taken[seat], ())
    ends = {(cell, taken) for cell, _, taken in errand.found}
    losses = {end: errand.loss(map_, *end) for end in ends}
    return [
        (losses[cell, taken] + THRIFT * len(plan), plan)
        for (cell, _, taken), plan in errand.found.items()
    ]


class Errand:
    """What a pawn can do in the rest of a turn while the lozenges lie still: each outcome once."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.ground = state, seat, state.ground
        self.found: dict[tuple[int, int, tuple[str, ...]], Plan] = {}

    def go_on(self, cell: int, ap: int, taken: tuple[str, ...], plan: Plan) -> None:
        """Notes where the pawn stands now, and everything that may follow."""
        if (cell, ap, taken) in self.found:
            return None
        self.found[cell, ap, taken] = plan
        lozenge = self.ground.halves.get(cell)
        if ap and lozenge in DESTINATIONS and lozenge not in taken:
            more = tuple(sorted((*taken, lozenge)))
            return self.go_on(cell, ap - 1, more, (*plan, a.TakeStatue(self.seat)))
        if ap and lozenge is None and PASSAGES >> cell & 1:
            for other in bits(PASSAGES & ~self.ground.covered & ~self.state.standing):
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
        left = [id_ for id_ in DESTINATIONS if id_ not in taken]
        wanted = [cell for id_ in left for cell in PAIRS[self.ground.lying[id_]]] or STARTS
        found = {cell for cell in cells if cell in wanted or PASSAGES >> cell & 1}
        return found | {min(cells, key=lambda cell: nearness(cell, wanted))}

    def loss(self, map_: Hall, cell: int, taken: tuple[str, ...]) -> float:
        """How far the pawn is from winning there; on a lozenge it may be carried off."""
        if len(taken) == len(DESTINATIONS) and EXITS >> cell & 1:
            return -WON
        return way(map_, cell, taken) + (ADRIFT if cell in self.ground.halves else 0)


# The blockade


def blockade(state: State, seat: int, legal: Sequence[Any], chance: Chance) -> Any:
    """Where it costs the nearest rival most, or holds the lozenge that the own way needs most."""
    options = [action for action in legal if isinstance(action, a.SetBlockade)]
    map_ = hall(state)
    others = [other for other in range(state.seats) if other != seat]
    rival = min(others, key=lambda other: far(state, other, map_))
    before = far(state, rival, map_)
    needed = {
        id_: far(state, seat, without(state, id_)) - far(state, seat, map_)
        for id_ in PATHS
        if id_ in state.ground.lying
    }

    def use(action: a.SetBlockade) -> float:
        cell = INDEX[action.at]
        if (id_ := state.ground.halves.get(cell)) is not None:
            return HOLD * needed[id_]
        if not map_.chasm & BIT[cell]:
            return 0
        return far(state, rival, hall(state, BIT[cell])) - before

    return best(options, lambda action: -use(action), chance)


BOTS: dict[str, Bot] = {"steady": steady, "keen": keen}
