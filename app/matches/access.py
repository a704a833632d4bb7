"""Authorization: who sits where in a match, what they may see and do."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case
from sqlmodel import Session

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_readable_match, unknown_match
from app.platform.errors import Forbidden, Stale
from app.platform.rows import HERE, ME, MINE, TABLES, ColumnQuery, load_match_row
from engine.core.sentence import say

PLAYER, CARER, SEAT = (TABLES[name] for name in ("player", "moderator", "seat"))
HERE_TOO = (CARER.c.match_id == HERE) & (CARER.c.player_id == PLAYER.c.id)
CARERS: ColumnQuery[str | None] = ColumnQuery(
    case((CARER.c.player_id.is_not(None), "moderator"), (PLAYER.c.moderator, "site")),
    PLAYER.c.id == ME,
    source=PLAYER.outerjoin(CARER, HERE_TOO),
)

INVITED: ColumnQuery[int] = ColumnQuery(
    SEAT.c.number,
    SEAT.c.match_id == HERE,
    PLAYER.c.id == ME,
    source=SEAT.join(PLAYER, PLAYER.c.email == SEAT.c.invited_email),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits, if anywhere: what they may see and do follows from it."""

    match_id: str
    player_id: int | None
    seat: int | None
    owner: bool
    public: bool
    status: str
    invited: bool = False
    role: str | None = None  # as what they may care for the match: "owner", "moderator", "site"

    @property
    def cares(self) -> bool:
        return self.role is not None

    @property
    def at_table(self) -> bool:
        """Whether what is said and mailed at the table is theirs to know."""
        return self.seat is not None or self.cares

    @property
    def may_look(self) -> bool:
        return self.public or self.at_table or self.invited


def access_match(session: Session, match_id: str, player_id: int | None) -> Place:
    """Where the player sits in a match; refuses those who may not even look."""
    row = load_match_row(session, match_id)
    if row is None:
        raise unknown_match(match_id)
    seat = find_seat(session, match_id, player_id)
    owner = player_id is not None and row.owner_id == player_id
    invited = seat is None and is_invited(session, match_id, player_id)
    role = "owner" if owner else find_role(session, match_id, player_id)
    here = Place(match_id, player_id, seat, owner, row.public, row.status, invited, role)
    if not here.may_look:
        raise unknown_match(match_id)  # that it exists is nobody else's business
    return here


def find_role(session: Session, match_id: str, player_id: int | None) -> str | None:
    """As what somebody who does not own the match may care for it, if at all."""
    return CARERS.first(session, match=match_id, me=player_id) if player_id is not None else None


def is_invited(session: Session, match_id: str, player_id: int | None) -> bool:
    """Whether a seat is kept for the player's address."""
    return INVITED.first(session, match=match_id, me=player_id) is not None


def find_seat(session: Session, match_id: str, player_id: int | None) -> int | None:
    """The seat of a player; who plays all seats (a match alone) has the one that is asked first."""
    if player_id is None:
        return None
    seats = sorted(MINE.found(session, match=match_id, me=player_id))
    return acting(session, match_id, seats) if len(seats) > 1 else next(iter(seats), None)


def acting(session: Session, match_id: str, seats: list[int]) -> int:
    row = load_match_row(session, match_id)
    if row is None or not row.head:
        return seats[0]
    match = load_readable_match(session.connection(), match_id)
    asked = match.game.to_act(match.state) if match else ()
    return next((seat for seat in asked if seat in seats), seats[0])


def settle_access(session: Session, here: Place) -> Place:
    """Where the same player sits when nobody else writes any more: seats may be given away while we wait."""
    head = lock_match_row(session, here.match_id).head
    now = access_match(session, here.match_id, here.player_id)
    if check_own_seat(now) != here.seat:  # who plays several seats has come to another one
        raise Stale(head)
    return now


def check_own_seat(here: Place) -> int:
    if here.seat is None:
        raise Forbidden(say("You have no seat in this match."))
    return here.seat


def check_running(here: Place) -> None:
    if here.status == "over":
        return  # the engine says it better: the match is over
    if here.status != "running":
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=here.status)
        )


ROLES = {
    "owner": say("The owner"),
    "moderator": say("A moderator"),
    "site": say("A moderator of this site"),
    "operator": say("The operator of this site"),
    "table": say("The table"),
    "player": say("A player"),
}
