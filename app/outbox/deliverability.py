"""Deliverability: whether somebody can be reached by mail.

While a person's mails come back nobody writes to them and the tables they sit at are told; when they sign in by a
mailed link or answer a mail, all is well again. Their clocks stand still for two days at most, and only until they
act: who plays on by page or program is there, whatever becomes of the mails.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import func
from sqlmodel import Session, col, select

from app.clocks.clocks import clocks_stopped, is_frozen
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.rows import SEATED
from app.platform.tables import Player

OURS = "policy"  # why a mail was refused that was refused because of us
MOST_REFUSALS, LASTING = 3, timedelta(days=3)
FREEZE = timedelta(hours=48)  # that clocks stand still at most
FREEZE_AGAIN = timedelta(days=14)  # after the end of one; else bounces could be made to order


def mark_unreachable(session: Session, player: Player, at: datetime) -> None:
    """From now on the player counts as not to be reached."""
    with clocks_stopped(session, player.id or 0, at):
        player.bouncing_at = at
        if player.frozen_until is None or player.frozen_until + FREEZE_AGAIN <= at:
            player.frozen_until = at + FREEZE
        session.add(player)
    for match in matches_of(session, player):
        if match.owner_id is not None and match.owner_id != player.id:
            tell_owner(session, match, match.owner_id, player, at)
    session.flush()


def note_refusal_of_us(session: Session, player: Player, at: datetime) -> bool:
    """Whether a mail system has refused us for so long that the person cannot be reached, whosever fault it is.

    One wrong DNS record freezes nobody: it takes several refusals in a row, over days, and no word from the person.
    """
    heard = select(func.max(tables.Received.at)).where(tables.Received.player_id == player.id)
    last = session.exec(heard).one_or_none()
    since = last if last is not None else datetime.min.replace(tzinfo=UTC)
    refused = select(tables.Outbox.created_at).where(
        tables.Outbox.player_id == player.id,
        tables.Outbox.why == OURS,
        col(tables.Outbox.created_at) > since,
    )
    moments = sorted(session.exec(refused))
    lasting = len(moments) >= MOST_REFUSALS and moments[-1] - moments[0] >= LASTING
    if lasting and player.bouncing_at is None:
        mark_unreachable(session, player, at)
    return lasting


def tell_host(session: Session, row: tables.Outbox, at: datetime) -> None:
    """Whoever opened a table hears that an invitation came back, once."""
    match = session.get(tables.Match, row.match_id) if row.match_id else None
    if match is not None and match.owner_id is not None:
        enqueue_mail(
            session,
            "lost",
            at,
            match_id=match.id,
            pos=row.pos,
            player_id=match.owner_id,
            number=row.id or 0,
            payload={"email": row.email},
        )


def tell_owner(
    session: Session, match: tables.Match, owner_id: int, lost: Player, at: datetime
) -> None:
    """The owner of a table hears of it, once for each position of the match."""
    row = {"match_id": match.id, "pos": match.head, "player_id": owner_id, "number": lost.id or 0}
    same = (col(getattr(tables.Outbox, name)) == value for name, value in row.items())
    told = select(tables.Outbox.id).where(tables.Outbox.kind == "bounced", *same)
    if session.exec(told).first() is None:
        enqueue_mail(session, "bounced", at, **row)


def confirm_reachable(session: Session, player_id: int, at: datetime) -> None:
    """Somebody who was thought lost was heard of: mails go out again and the clocks run."""
    player = session.get(Player, player_id)
    if player is not None and player.bouncing_at is not None:
        player.bouncing_at = None
        session.add(player)
    prove_presence(session, player_id, at)


def is_missing(player: Player, at: datetime) -> bool:
    """Whether a word from the player changes anything: mails came back, or the clocks stand still."""
    return player.bouncing_at is not None or is_frozen(player, at)


def prove_presence(session: Session, player_id: int, at: datetime) -> None:
    """Whoever acts is there: the clocks run on, even if mails still come back."""
    player = session.get(Player, player_id)
    if player is not None and is_frozen(player, at):
        with clocks_stopped(session, player_id, at):
            player.frozen_until = at
            session.add(player)


def matches_of(session: Session, player: Player) -> list[tables.Match]:
    """The running matches in which the player sits."""
    sits = select(tables.Seat.match_id).where(tables.Seat.player_id == player.id)
    running = tables.Match.status == "running"
    query = select(tables.Match).where(running, col(tables.Match.id).in_(sits))
    return list(session.exec(query.order_by(col(tables.Match.id))))


def load_lost_seats(session: Session, match_id: str) -> frozenset[int]:
    """The seats whose players cannot be reached."""
    seated = SEATED.found(session, match=match_id)
    return frozenset(seat.number for seat, player in seated if player and player.bouncing_at)


def load_still_seats(session: Session, match_id: str, at: datetime) -> dict[int, datetime]:
    """The seats whose clocks stand still because their players cannot be reached, and until when at most."""
    seated = SEATED.found(session, match=match_id)
    return {
        seat.number: player.frozen_until
        for seat, player in seated
        if player and player.frozen_until and is_frozen(player, at)
    }
