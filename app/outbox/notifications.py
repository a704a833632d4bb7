"""Who is to hear of what happened: outbox rows, written with the events they tell of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlmodel import Session, col, select

from app.clocks.quiet_hours import quiet_until
from app.outbox.mail_preferences import wants_mail
from app.outbox.notices import enqueue_notices
from app.outbox.rows import enqueue_mail
from app.platform import tables
from engine.core.match import Match


def notify_after_act(
    session: Session,
    before: Match | None,
    after: Match,
    at: datetime,
    later: Mapping[int, datetime] = MappingProxyType({}),
) -> None:
    """The notices that an act calls for: to those newly asked, and to all when it is over.

    A seat in `later` is written to then, if it is still asked: the row itself must not tell who sleeps.
    """
    if after.over:
        seats, kind = tuple(range(len(after.game.scores(after.state)))), "over"
    else:
        seats = waited_for(session, after.id, newly_asked(before, after))
        kind = kind_of_question(after)
    notify_seats(session, after.id, after.head, seats, kind, at=at, later=later)


def kind_of_question(match: Match) -> str:
    """The kind of the mail that asks: for the turn, or for an answer in between; the game's own word for it is data."""
    return "turn" if match.game.awaited(match.state) == "turn" else "question"


def newly_asked(before: Match | None, after: Match) -> tuple[int, ...]:
    """Whom an act leaves with a question that they did not have before it."""
    asked = after.game.to_act(after.state)
    if before is None or before.game.awaited(before.state) != after.game.awaited(after.state):
        return asked
    known = before.game.to_act(before.state)
    return tuple(seat for seat in asked if seat not in known)


def waited_for(session: Session, match_id: str, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the seats for which no bot plays: nobody is called to the table in vain."""
    if not seats:
        return ()
    query = select(tables.Seat.number).where(
        tables.Seat.match_id == match_id,
        col(tables.Seat.number).in_(seats),
        col(tables.Seat.bot).is_(None),
    )
    return tuple(session.exec(query))


def notify_newcomer(session: Session, match: Match, seat: int, at: datetime) -> None:
    """Tells whoever came into a seat of a running match that it is asked, if it is."""
    if seat in match.game.to_act(match.state):
        kind = kind_of_question(match)
        notify_seats(session, match.id, match.head, (seat,), kind, at=at)


def notify_after_talk(session: Session, said: tables.Talk, at: datetime) -> None:
    """Tells the others at the table, those who want to hear of every word."""
    row = session.get_one(tables.Match, said.match_id)
    query = (
        select(tables.Player)
        .join(tables.Seat, col(tables.Seat.player_id) == col(tables.Player.id))
        .where(tables.Seat.match_id == row.id, tables.Player.id != said.player_id)
    )
    for player in {found.id: found for found in session.exec(query)}.values():
        if player.id is not None and wants_mail(player, "talk"):
            notify_player(session, row.id, row.head, player.id, "talk", at=at, number=said.id)


def notify_seats(
    session: Session,
    match_id: str,
    pos: int,
    seats: tuple[int, ...],
    kind: str,
    *,
    at: datetime,
    later: Mapping[int, datetime] = MappingProxyType({}),
) -> None:
    """One row for each person in these seats who can be written to."""
    if not seats:
        return
    query = select(tables.Seat.player_id, tables.Seat.number).where(
        tables.Seat.match_id == match_id,
        col(tables.Seat.number).in_(seats),
        col(tables.Seat.player_id).is_not(None),
    )
    moments: dict[int, datetime] = {}
    for player_id, seat in session.exec(query):
        if player_id is not None:
            moment = later.get(seat, at)
            moments[player_id] = min(moment, moments.get(player_id, moment))
    for player_id, moment in sorted(moments.items()):
        notify_player(session, match_id, pos, player_id, kind, at=at, not_before=moment)


def notify_others(
    session: Session, match_id: str, pos: int, seats: tuple[int, ...], kind: str, *, at: datetime
) -> None:
    """As `notify`, for those of them who have not been told yet."""
    told = select(tables.Outbox.player_id).where(
        tables.Outbox.match_id == match_id, tables.Outbox.pos == pos, tables.Outbox.kind == kind
    )
    new = select(tables.Seat.number).where(
        tables.Seat.match_id == match_id,
        col(tables.Seat.number).in_(seats),
        col(tables.Seat.player_id).not_in(told.where(col(tables.Outbox.player_id).is_not(None))),
    )
    notify_seats(session, match_id, pos, tuple(session.exec(new)), kind, at=at)


def notify_player(
    session: Session,
    match_id: str,
    pos: int,
    player_id: int,
    kind: str,
    *,
    at: datetime,
    not_before: datetime | None = None,
    **more: Any,
) -> None:
    """A mail about a match; it waits while its reader wants quiet."""
    player = session.get(tables.Player, player_id)
    if player is not None and player.email:
        who: dict[str, Any] = {"match_id": match_id, "pos": pos, "player_id": player_id}
        moment = quiet_until(player, not_before or at)
        enqueue_mail(session, kind, at, not_before=moment, **who, **more)
        enqueue_notices(session, player_id, match_id, moment)
