"""What the pages for the care of a match show: nothing that the moderator's own seat may not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlmodel import Session

from app.matches.access import Place, check_own_seat
from app.matches.chat import SPOKEN
from app.matches.participants import load_seat_names, load_seats
from app.moderation.consent import AskedProposal, load_open_proposal
from app.moderation.moderator_invitations import load_moderator_invitations
from app.moderation.moderators import load_candidates, load_moderators
from app.moderation.undo_requests import (
    MOST_FREE,
    AskedUndo,
    load_open_request,
    undo_places,
    undo_sides,
)
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.paging import ROWS_A_PAGE
from app.views.history import Step, load_steps
from app.views.history_page import PositionLook, load_position_page
from app.views.knowledge_report import KnowledgeReport, load_knowledge_report
from app.views.match_json import load_table
from engine.core.match import Match
from engine.core.refusal import IllegalMove
from engine.core.registry import bots
from engine.core.sentence import say

MOST_PLACES = 20  # moments that a player can choose among; earlier ones are the moderator's


@dataclass(frozen=True, slots=True)
class Bench:
    """A match before somebody who cares for it."""

    row: tables.Match
    match: Match
    here: Place
    names: dict[int, str]
    seats: list[tables.Seat]
    asked: AskedUndo | None
    proposal: AskedProposal | None
    party: bool  # plays in it, with other people, whose leave they need for much
    moderators: list[tables.Player]
    candidates: list[tables.Player]
    invited: list[tables.ModeratorInvitation]  # those asked by mail to care for it too
    bots: list[str]
    talk: list[tuple[tables.Talk, tables.Player]]
    restorable: bool


@dataclass(frozen=True, slots=True)
class Turning:
    """What going back to a position would mean: the board there, what would be cut, who learned what."""

    look: PositionLook
    cut: list[Step]
    report: KnowledgeReport
    names: dict[int, str]


@dataclass(frozen=True, slots=True)
class Asking:
    """The moments that a player may ask to go back to, each with what was ordered next."""

    row: tables.Match
    match: Match
    here: Place
    names: dict[int, str]
    places: list[tuple[int, list[Step]]]
    alone: bool  # no other person plays
    most_free: int = MOST_FREE


def check_in_charge(here: Place) -> Place:
    """Refuses whoever may not care for the match."""
    if not here.cares:
        raise Forbidden(say("Only the moderators of the match may do this."))
    return here


def load_moderation_page(session: Session, here: Place, at_time: datetime) -> Bench:
    """Everything on the page from which a match is cared for."""
    at = load_table(session, check_in_charge(here))
    match = at.match
    return Bench(
        row=at.row,
        match=match,
        here=here,
        names=load_seat_names(session, here.match_id),
        seats=load_seats(session, here.match_id),
        asked=load_open_request(session, match),
        proposal=load_open_proposal(session, match),
        party=here.seat is not None and bool(undo_sides(session, here.match_id, here.seat)[1]),
        moderators=load_moderators(session, here.match_id),
        candidates=load_candidates(session, here.match_id),
        invited=load_moderator_invitations(session, here.match_id, at_time),
        bots=list(bots(match.game)),
        talk=SPOKEN.found(session, match=here.match_id)[:ROWS_A_PAGE],
        restorable=bool(match.timeline.cuts),
    )


def load_turn_back(session: Session, here: Place, to: int) -> Turning:
    """What a moderator weighs before going back."""
    at = load_table(session, check_in_charge(here))
    at.match.timeline.check_rewind(to)
    if to == at.match.timeline.effective[-1].pos:
        raise IllegalMove("rewind", say("Nothing was played after position {to}.", to=to))
    _, steps = load_steps(session, here, to)
    effective = {entry.pos for entry in at.match.timeline.effective}
    return Turning(
        look=load_position_page(session, here, to),
        cut=[step for step in steps if step.pos in effective],
        report=load_knowledge_report(session, at, to),
        names=load_seat_names(session, here.match_id),
    )


def load_undo_choices(session: Session, here: Place) -> Asking:
    """What a player may ask to have undone."""
    seat = check_own_seat(here)
    match, steps = load_steps(session, here)
    acts: dict[int, list[Step]] = {}
    for step in steps:
        if not step.cut:
            acts.setdefault(step.act, []).append(step)
    return Asking(
        row=session.get_one(tables.Match, here.match_id),
        match=match,
        here=here,
        names=load_seat_names(session, here.match_id),
        places=[
            (to, acts[next_act(match, to)]) for to in islice(undo_places(match, seat), MOST_PLACES)
        ],
        alone=not undo_sides(session, here.match_id, seat)[1],
    )


def next_act(match: Match, to: int) -> int:
    return next(entry.act for entry in match.timeline.effective if entry.pos > to)
