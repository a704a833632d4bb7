"""Why a bot of Inka would play a turn: how far everybody is from winning before and after, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.bot import Insight, Reason, weightiest
from engine.core.chance import Chance
from engine.core.game import Game, amend
from engine.core.sentence import Seat, say
from engine.inka import actions as a
from engine.inka.board import Ground
from engine.inka.bots.keen import HOLD, needed
from engine.inka.bots.master import after
from engine.inka.bots.reckoning import STATUE, Standing, hall, standings
from engine.inka.bots.thinking import HINDER, danger, table, way_of
from engine.inka.printed_board import INDEX, PLACES
from engine.inka.state import State, free_starts
from engine.inka.view import View
from engine.kit.rows import put

HALF = 0.5  # the bots reckon in half action points
TAKEN = HALF * STATUE  # which stays, whatever the hall becomes


def explain(_game: Game, view: View, actions: Sequence[Any]) -> list[Reason]:
    """What orders would change for whoever gives them, as `keen` weighs it, in action points."""
    if not actions:
        return []
    if view.phase == "start":
        return [Reason(say("one start is as good as another"), None)]
    dice, before, seat = Chance("", "reasons", 0), table(view), actions[0].seat
    now, reasons = before, list[Reason]()
    for action in actions:
        if isinstance(action, a.EndTurn) or now.over:
            break
        if isinstance(action, a.LayLozenge):  # what is drawn next is not looked at
            now = laid(now, action)
            break
        if isinstance(action, a.SetBlockade):
            reasons += of_blockade(now, seat, action)
            break
        if isinstance(action, a.TakeStatue):
            reasons.append(Reason(say("takes a statue"), TAKEN))
        now = after(now, action, dice)
    if now.escaped:
        return [Reason(say("wins the match"), None)]
    found = weightiest([*reasons, *changed(before, now, seat)])
    if not found and now is not before:
        return [Reason(say("changes little for anybody"), None)]
    return found


def laid(state: State, action: a.LayLozenge) -> State:
    """The hall with the drawn lozenge in it."""
    place = PLACES[INDEX[action.to[0]], INDEX[action.to[1]]]
    ground = Ground({**state.ground.lying, str(state.drawn): place}, state.board)
    return amend(state, ground=ground)


def far_of(state: State) -> list[Standing]:
    return standings(hall(state), state.pawns, state.taken)


def changed(before: State, now: State, seat: int) -> Iterator[Reason]:
    was, is_ = far_of(before), far_of(now)
    taken = STATUE * (len(now.taken[seat]) - len(before.taken[seat]))  # told by itself
    nearer = HALF * (was[seat].far - is_[seat].far - taken)
    own = say("shortens your way") if nearer > 0 else say("lengthens your way")
    yield Reason(own, nearer)
    rival = min((s for s in range(now.seats) if s != seat), key=lambda other: is_[other].far)
    further = HALF * HINDER * (is_[rival].far - was[rival].far)
    other = say("lengthens the way of {seat}") if further > 0 else say("shortens the way of {seat}")
    yield Reason(say(other.one, seat=Seat(rival)), further)
    safer = HALF * (danger(was, seat) - danger(is_, seat))
    threat = (
        say("keeps others from winning soon")
        if safer > 0
        else say("lets others come near to winning")
    )
    yield Reason(threat, safer)


def of_blockade(state: State, seat: int, action: a.SetBlockade) -> Iterator[Reason]:
    """A blockade may hold the lozenge that the own way needs."""
    id_ = state.ground.halves.get(INDEX[action.at])
    if id_ is None:
        return
    far, mine = far_of(state), way_of(state, seat, hall(state))
    use = HALF * HOLD * needed(state, seat, id_, mine, far[seat].far)
    held = say("the blockade holds {lozenge}, which your way needs", lozenge=id_)
    yield Reason(held, use)


def estimate(_game: Game, view: View) -> tuple[float, ...]:
    """How far every seat is from winning, in action points, as a negative number."""
    state = table(view)
    if state.escaped:
        return tuple(0.0 for _ in range(state.seats))
    far = far_of(state)
    return tuple(
        -HALF * (need_from_start(state, seat) if pawn is None else far[seat].need)
        for seat, pawn in enumerate(state.pawns)
    )


def need_from_start(state: State, seat: int) -> int:
    """What somebody needs who has not come in yet: from the best start that is free."""
    there = (amend(state, pawns=put(state.pawns, seat, cell)) for cell in free_starts(state))
    return min(far_of(one)[seat].need for one in there)


INSIGHT = Insight(explain=explain, estimate=estimate, unit=say("action points short of winning"))
