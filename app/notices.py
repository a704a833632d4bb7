"""Who is to hear of what happened: outbox rows, written with the events they tell of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlmodel import Session, col, select

from app import accounts, models, quiet, store
from engine.core.match import Match


def after_act(
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
        kind = after.game.awaited(after.state)
    notify(session, after.id, after.head, seats, kind, at, later)


def newly_asked(before: Match | None, after: Match) -> tuple[int, ...]:
    """Whom an act leaves with a question that they did not have before it.

    Who is asked as before has a new one if somebody else answered in between, as standing orders do.
    """
    asked = after.game.to_act(after.state)
    if before is None or before.game.awaited(before.state) != after.game.awaited(after.state):
        return asked
    spoke = {entry.seat for entry in after.log[before.head :]} - {None}
    known = before.game.to_act(before.state) if len(spoke) < 2 else ()
    return tuple(seat for seat in asked if seat not in known)


def waited_for(session: Session, match_id: str, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the seats for which no bot plays: nobody is called to the table in vain."""
    query = select(models.Seat.number).where(
        models.Seat.match_id == match_id,
        col(models.Seat.number).in_(seats),
        col(models.Seat.bot).is_(None),
    )
    return tuple(session.exec(query)) if seats else ()


def to_newcomer(session: Session, match: Match, seat: int, at: datetime) -> None:
    """Tells whoever came into a seat of a running match that it is asked, if it is."""
    if seat in match.game.to_act(match.state):
        kind = match.game.awaited(match.state)
        notify(session, match.id, match.head, (seat,), kind, at)


def after_talk(session: Session, said: models.Talk, at: datetime) -> None:
    """Tells the others at the table, those who want to hear of every word."""
    row = session.get_one(models.Match, said.match_id)
    query = (
        select(models.Player)
        .join(models.Seat, col(models.Seat.player_id) == col(models.Player.id))
        .where(models.Seat.match_id == row.id, models.Player.id != said.player_id)
    )
    for player in {found.id: found for found in session.exec(query)}.values():
        if player.id is not None and accounts.wants(player, "talk"):
            to_player(session, row.id, row.head, player.id, "talk", at, number=said.id)


def notify(
    session: Session,
    match_id: str,
    pos: int,
    seats: tuple[int, ...],
    kind: str,
    at: datetime,
    later: Mapping[int, datetime] = MappingProxyType({}),
) -> None:
    """One row for each person in these seats who can be written to."""
    query = select(models.Seat.player_id, models.Seat.number).where(
        models.Seat.match_id == match_id,
        col(models.Seat.number).in_(seats),
        col(models.Seat.player_id).is_not(None),
    )
    moments: dict[int, datetime] = {}
    for player_id, seat in session.exec(query):
        if player_id is not None:
            moment = later.get(seat, at)
            moments[player_id] = min(moment, moments.get(player_id, moment))
    for player_id, moment in sorted(moments.items()):
        to_player(session, match_id, pos, player_id, kind, at, moment)


def notify_others(
    session: Session, match_id: str, pos: int, seats: tuple[int, ...], kind: str, at: datetime
) -> None:
    """As `notify`, for those of them who have not been told yet."""
    told = select(models.Outbox.player_id).where(
        models.Outbox.match_id == match_id, models.Outbox.pos == pos, models.Outbox.kind == kind
    )
    new = select(models.Seat.number).where(
        models.Seat.match_id == match_id,
        col(models.Seat.number).in_(seats),
        col(models.Seat.player_id).not_in(told.where(col(models.Outbox.player_id).is_not(None))),
    )
    notify(session, match_id, pos, tuple(session.exec(new)), kind, at)


def to_player(
    session: Session,
    match_id: str,
    pos: int,
    player_id: int,
    kind: str,
    at: datetime,
    not_before: datetime | None = None,
    **more: Any,
) -> None:
    """A mail about a match; it waits while its reader wants quiet."""
    player = session.get(models.Player, player_id)
    if player is not None and player.email:
        who: dict[str, Any] = {"match_id": match_id, "pos": pos, "player_id": player_id}
        post(session, kind, at, not_before=quiet.until(player, not_before or at), **who, **more)


def post(session: Session, kind: str, at: datetime, **more: Any) -> None:
    session.flush()  # what the mail is about may be new
    store.post(session.connection(), kind, at, more)
