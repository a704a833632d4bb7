"""Who cares for a match: its owner, those named beside the owner, and the moderators of the site."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app import audit, lobby, models, moderation
from app.errors import Forbidden
from app.models import UNDER_WAY
from app.moderation import BEGUN, Care, Carer, given_reason, in_care
from app.play import Place
from app.words import plain_text
from engine.core import match as matches
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ModeratorDismissed, ModeratorNamed, OwnerChanged, TalkHidden

LONGEST_REPORT = 2000


def moderators(session: Session, match_id: str) -> list[models.Player]:
    """Those named to care for the match beside its owner."""
    query = (
        select(models.Player)
        .join(models.Moderator, col(models.Moderator.player_id) == col(models.Player.id))
        .where(models.Moderator.match_id == match_id)
        .order_by(col(models.Player.id))
    )
    return list(session.exec(query))


def candidates(session: Session, match_id: str) -> list[models.Player]:
    """Whom a match can be entrusted to: the people at its table, and those who care for it already."""
    sits = select(models.Seat.player_id).where(models.Seat.match_id == match_id)
    cares = select(models.Moderator.player_id).where(models.Moderator.match_id == match_id)
    query = select(models.Player).where(
        col(models.Player.id).in_(sits.union(cares)),
        col(models.Player.deleted_at).is_(None),
        col(models.Player.suspended_at).is_(None),
        col(models.Player.guest).is_(False),
    )
    return list(session.exec(query.order_by(col(models.Player.id))))


def hand_over(
    session: Session,
    match_id: str,
    carer: Carer,
    to: int,
    reason: Any,
    head: int | None,
    at: datetime,
) -> None:
    """Makes somebody else the owner of the match."""
    why = given_reason(reason)
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    check_owner(care)
    chosen(care, to)
    if to == care.row.owner_id:
        raise Forbidden(say("The match is in these hands already."))
    moderation.noted(care, OwnerChanged(care.role, why), "owner", owner_id=to)


def name_moderator(
    session: Session, match_id: str, carer: Carer, who: int, head: int | None, at: datetime
) -> None:
    """Lets one more person care for the match."""
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    check_owner(care)
    chosen(care, who)
    if session.get(models.Moderator, (match_id, who)) or who == care.row.owner_id:
        raise Forbidden(say("That person cares for this match already."))
    session.add(models.Moderator(match_id=match_id, player_id=who))
    entered(care, ModeratorNamed(care.role))


def dismiss_moderator(
    session: Session, match_id: str, carer: Carer, who: int, head: int | None, at: datetime
) -> None:
    """Lets one person fewer care for the match; moderators may go by themselves."""
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    if care.player_id != who:
        check_owner(care)
    named = session.get(models.Moderator, (match_id, who))
    if named is None:
        raise Unknown(say("That person was not named a moderator of this match."))
    session.delete(named)
    entered(care, ModeratorDismissed(care.role))


def check_owner(care: Care) -> None:
    if care.role == "moderator":
        raise Forbidden(say("Only the owner of the match may do this."))


def chosen(care: Care, who: int) -> models.Player:
    for player in candidates(care.session, care.row.id):
        if player.id == who:
            return player
    raise Unknown(say("That person is not at this table."))


def entered(care: Care, event: Any) -> None:
    """Keeps a fact that the table can read in the log but gets no mail about."""
    after = matches.note(care.match, event)
    moderation.written(care.session, care.match, after, care.at)
    moderation.audited(care, type(event).__name__, after, getattr(event, "reason", ""))


# What is said


def hide_talk(
    session: Session, match_id: str, carer: Carer, talk_id: int, reason: Any, at: datetime
) -> None:
    """Hides one thing said at the table; after the end, the log is closed and only the audit tells of it."""
    why = given_reason(reason)
    care = in_care(session, match_id, carer, None, at, *BEGUN, "closed")
    said = session.get(models.Talk, talk_id)
    if said is None or said.match_id != match_id or said.hidden_at is not None:
        raise Unknown(say("Nothing of that number was said at this table."))
    said.hidden_at = at
    session.add(said)
    if care.row.status in UNDER_WAY:
        entered(care, TalkHidden(care.role, why))
    else:
        moderation.audited(care, "TalkHidden", care.match, why)


# Reports


def report(session: Session, here: Place, text: Any, at: datetime) -> None:
    """Asks the moderators of the site to look at a match."""
    if here.player_id is None or not here.at_table:
        raise Forbidden(say("Only those at the table talk here."))
    words = plain_text(text, say("The report"), LONGEST_REPORT)
    session.add(models.Report(match_id=here.match_id, player_id=here.player_id, text=words, at=at))


def settle_report(session: Session, moderator: models.Player, number: int, at: datetime) -> None:
    """Marks a report as seen to."""
    check_site(moderator)
    found = session.get(models.Report, number)
    if found is None or found.settled_at is not None:
        raise Unknown(say("There is no open report of that number."))
    found.settled_at = at
    session.add(found)
    audit.note(session, audit.REPORTED, "site", moderator.id, at, match_id=found.match_id)


def check_site(player: models.Player | None) -> None:
    """For pages that only the moderators of the site have."""
    if player is None or not player.moderator:
        raise Unknown(say("There is no such page."))


def appoint(session: Session, player: models.Player, on: bool, at: datetime) -> None:
    """The operator makes somebody a moderator of the site, or no longer."""
    player.moderator = on
    session.add(player)
    audit.note(session, "appointed" if on else "dismissed", "operator", player.id, at)


# The dashboard


def stalled(session: Session, since: datetime) -> list[models.Match]:
    """Matches that should have moved before `since`: their deadline passed and nothing came of it."""
    query = select(models.Match).where(
        models.Match.status == "running", col(models.Match.deadline) < since
    )
    return list(session.exec(query.order_by(col(models.Match.deadline)).limit(lobby.PAGE)))


def bouncing(session: Session) -> list[tuple[models.Seat, models.Player]]:
    """The seats of matches under way whose players' mails come back."""
    query = (
        select(models.Seat, models.Player)
        .join(models.Player, col(models.Player.id) == col(models.Seat.player_id))
        .join(models.Match, col(models.Match.id) == col(models.Seat.match_id))
        .where(col(models.Player.bouncing_at).is_not(None), col(models.Match.status).in_(UNDER_WAY))
        .order_by(col(models.Player.bouncing_at))
        .limit(lobby.PAGE)
    )
    return [(seat, player) for seat, player in session.exec(query)]


def dead_letters(session: Session) -> list[models.Outbox]:
    query = select(models.Outbox).where(models.Outbox.state == "dead")
    return list(session.exec(query.order_by(col(models.Outbox.id).desc()).limit(lobby.PAGE)))


def open_reports(session: Session) -> list[models.Report]:
    query = select(models.Report).where(col(models.Report.settled_at).is_(None))
    return list(session.exec(query.order_by(col(models.Report.id)).limit(lobby.PAGE)))
