"""Who cares for a match: its owner, those named beside the owner, and the moderators of the site."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app.matches.commit import TO_NOBODY, commit_match
from app.moderation.acts import (
    BEGUN,
    Care,
    audit_act,
    check_reason,
    take_care,
    write_table_fact,
)
from app.moderation.audit import note_audit
from app.moderation.commands import DismissModerator, HandOver, HideTalk, NameModerator
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.tables import UNDER_WAY
from engine.core import match as matches
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ModeratorDismissed, ModeratorNamed, OwnerChanged, TalkHidden


def load_moderators(session: Session, match_id: str) -> list[tables.Player]:
    """Those named to care for the match beside its owner."""
    query = (
        select(tables.Player)
        .join(tables.Moderator, col(tables.Moderator.player_id) == col(tables.Player.id))
        .where(tables.Moderator.match_id == match_id)
        .order_by(col(tables.Player.id))
    )
    return list(session.exec(query))


def load_candidates(session: Session, match_id: str) -> list[tables.Player]:
    """Whom a match can be entrusted to: the people at its table, and those who care for it already."""
    sits = select(tables.Seat.player_id).where(tables.Seat.match_id == match_id)
    cares = select(tables.Moderator.player_id).where(tables.Moderator.match_id == match_id)
    query = select(tables.Player).where(
        col(tables.Player.id).in_(sits.union(cares)),
        col(tables.Player.deleted_at).is_(None),
        col(tables.Player.suspended_at).is_(None),
        col(tables.Player.guest).is_(False),
    )
    return list(session.exec(query.order_by(col(tables.Player.id))))


def hand_over_match(session: Session, command: HandOver, at: datetime) -> bool:
    why = check_reason(command.reason)
    care = take_care(session, command, at, *UNDER_WAY)
    check_match_owner(care)
    heir = chosen(care, command.player_id)
    if heir.id == care.row.owner_id:
        raise Forbidden(say("The match is in these hands already."))
    write_table_fact(care, OwnerChanged(care.role, why), "owner", owner_id=heir.id)
    return True


def name_moderator(session: Session, command: NameModerator, at: datetime) -> bool:
    care = take_care(session, command, at, *UNDER_WAY)
    check_match_owner(care)
    who = chosen(care, command.player_id).id or 0
    if session.get(tables.Moderator, (care.row.id, who)) or who == care.row.owner_id:
        raise Forbidden(say("That person cares for this match already."))
    session.add(tables.Moderator(match_id=care.row.id, player_id=who))
    enter_fact(care, ModeratorNamed(care.role))
    return True


def dismiss_moderator(session: Session, command: DismissModerator, at: datetime) -> bool:
    care = take_care(session, command, at, *UNDER_WAY)
    if care.player_id != command.player_id:
        check_match_owner(care)
    named = session.get(tables.Moderator, (care.row.id, command.player_id))
    if named is None:
        raise Unknown(say("That person was not named a moderator of this match."))
    session.delete(named)
    enter_fact(care, ModeratorDismissed(care.role))
    return True


def check_match_owner(care: Care) -> None:
    if care.role == "moderator":
        raise Forbidden(say("Only the owner of the match may do this."))


def chosen(care: Care, who: int) -> tables.Player:
    for player in load_candidates(care.session, care.row.id):
        if player.id == who:
            return player
    raise Unknown(say("That person is not at this table."))


def enter_fact(care: Care, event: Any) -> None:
    """Keeps a fact that the table can read in the log but gets no mail about."""
    after = matches.note(care.match, event)
    commit_match(care.session, care.match, after, care.at, TO_NOBODY)
    audit_act(care, type(event).__name__, getattr(event, "reason", ""))


# What is said


def hide_talk(session: Session, command: HideTalk, at: datetime) -> bool:
    """After the end the log is closed, and only the audit tells of it."""
    why = check_reason(command.reason)
    care = take_care(session, command, at, *BEGUN, "closed")
    said = session.get(tables.Talk, command.talk_id)
    if said is None or said.match_id != care.row.id or said.hidden_at is not None:
        raise Unknown(say("Nothing of that number was said at this table."))
    said.hidden_at = at
    session.add(said)
    if care.row.status in UNDER_WAY:
        enter_fact(care, TalkHidden(care.role, why))
    else:
        note_audit(
            session, "TalkHidden", care.role, care.player_id, at, match_id=care.row.id, reason=why
        )
    return True


def check_site_moderator(player: tables.Player | None) -> None:
    """For pages that only the moderators of the site have."""
    if player is None or not player.moderator:
        raise Unknown(say("There is no such page."))


def appoint_site_moderator(session: Session, player: tables.Player, on: bool, at: datetime) -> None:
    """The operator makes somebody a moderator of the site, or no longer."""
    player.moderator = on
    session.add(player)
    note_audit(session, "appointed" if on else "dismissed", "operator", player.id, at)
