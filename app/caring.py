"""What the pages for the care of a match show: nothing that the moderator's own seat may not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlmodel import Session

from app import (
    consent,
    desk,
    history,
    knowledge,
    lobby,
    lookback,
    models,
    naming,
    play,
    seen,
    stewards,
    talk,
    undo,
)
from app.errors import Forbidden
from app.history import Step
from app.knowledge import Report
from app.lookback import Look
from app.play import Place
from app.undo import Asked
from engine.core.match import Match
from engine.core.refusal import IllegalMove
from engine.core.registry import bots
from engine.core.sentence import say

MOST_PLACES = 20  # moments that a player can choose among; earlier ones are the moderator's


@dataclass(frozen=True, slots=True)
class Bench:
    """A match before somebody who cares for it."""

    row: models.Match
    match: Match
    here: Place
    names: dict[int, str]
    seats: list[models.Seat]
    asked: Asked | None
    proposal: consent.Asked | None
    party: bool  # plays in it, with other people, whose leave they need for much
    moderators: list[models.Player]
    candidates: list[models.Player]
    invited: list[models.Outbox]  # those asked by mail to care for it too
    bots: list[str]
    talk: list[tuple[models.Talk, models.Player]]
    restorable: bool


@dataclass(frozen=True, slots=True)
class Turning:
    """What going back to a position would mean: the board there, what would be cut, who learned what."""

    look: Look
    cut: list[Step]
    report: Report
    names: dict[int, str]


@dataclass(frozen=True, slots=True)
class Asking:
    """The moments that a player may ask to go back to, each with what was ordered next."""

    row: models.Match
    match: Match
    here: Place
    names: dict[int, str]
    places: list[tuple[int, list[Step]]]
    alone: bool  # no other person plays
    most_free: int = undo.MOST_FREE


def in_charge(here: Place) -> Place:
    """Refuses whoever may not care for the match."""
    if not here.cares:
        raise Forbidden(say("Only the moderators of the match may do this."))
    return here


def bench(session: Session, here: Place, at_time: datetime) -> Bench:
    """Everything on the page from which a match is cared for."""
    at = seen.table(session, in_charge(here))
    match = at.match
    return Bench(
        row=at.row,
        match=match,
        here=here,
        names=desk.names_of(session, here.match_id),
        seats=lobby.seats_of(session, here.match_id),
        asked=undo.asked(session, match),
        proposal=consent.asked(session, match),
        party=here.seat is not None and bool(undo.sides(session, here.match_id, here.seat)[1]),
        moderators=stewards.moderators(session, here.match_id),
        candidates=stewards.candidates(session, here.match_id),
        invited=naming.invitations(session, here.match_id, at_time),
        bots=list(bots(match.game)),
        talk=talk.SPOKEN.found(session, match=here.match_id)[: lobby.PAGE],
        restorable=bool(match.timeline.cuts),
    )


def turning(session: Session, here: Place, to: int) -> Turning:
    """What a moderator weighs before going back."""
    at = seen.table(session, in_charge(here))
    at.match.timeline.check_rewind(to)
    if to == at.match.timeline.effective[-1].pos:
        raise IllegalMove("rewind", say("Nothing was played after position {to}.", to=to))
    _, steps = history.steps(session, here, to)
    effective = {entry.pos for entry in at.match.timeline.effective}
    return Turning(
        look=lookback.look(session, here, to),
        cut=[step for step in steps if step.pos in effective],
        report=knowledge.report(session, at, to),
        names=desk.names_of(session, here.match_id),
    )


def asking(session: Session, here: Place) -> Asking:
    """What a player may ask to have undone."""
    seat = play.own_seat(here)
    match, steps = history.steps(session, here)
    acts: dict[int, list[Step]] = {}
    for step in steps:
        if not step.cut:
            acts.setdefault(step.act, []).append(step)
    return Asking(
        row=session.get_one(models.Match, here.match_id),
        match=match,
        here=here,
        names=desk.names_of(session, here.match_id),
        places=[
            (to, acts[next_act(match, to)]) for to in islice(undo.places(match, seat), MOST_PLACES)
        ],
        alone=not undo.sides(session, here.match_id, seat)[1],
    )


def next_act(match: Match, to: int) -> int:
    return next(entry.act for entry in match.timeline.effective if entry.pos > to)
