"""Read model of a table before its match begins."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from app.eventstore.store import unknown_match
from app.matches.access import Place
from app.matches.bot_names import bot_name
from app.matches.invitations import Way, find_rematch_guest, kept_for, token_hash
from app.matches.participants import load_seats
from app.moderation.consent import owner_plays
from app.people.accounts import display_name
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.rows import load_present_match
from engine.core.game import Game
from engine.core.registry import find


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat before the match: whose it is, or whether it waits for somebody invited or for anybody."""

    number: int
    name: str | None
    mine: bool
    invited: bool
    address: str | None  # for whom it is kept: for the eyes of whoever invited them
    guest: str | None  # who is awaited from the match before, by name
    nonce: str | None  # a hash of what was mixed into chance from here
    # The address whose invitation came back, for the one who invited it.
    returned: str | None = None

    @property
    def free(self) -> bool:
        return self.name is None and not self.invited


@dataclass(frozen=True, slots=True)
class Door:
    """A table as somebody sees it who stands before it."""

    row: tables.Match
    game: Game
    owner: str
    chairs: tuple[Chair, ...]
    sits: bool
    owns: bool
    owner_plays: bool
    welcome: bool  # there is a seat for this person

    @property
    def open(self) -> bool:
        """Whether people come in here: while a match is played, only those for whom a seat is kept."""
        return self.row.status == "open" or self.welcome

    @property
    def free(self) -> int:
        return sum(chair.free for chair in self.chairs)


def load_table_behind(session: Session, way: Way, player: tables.Player | None) -> Door:
    """The table that a link leads to."""
    row = session.get(tables.Match, way.match_id)
    if row is None:
        raise unknown_match(way.match_id)
    return load_door(session, row, player, way)


def load_waiting_room(session: Session, here: Place, player: tables.Player | None) -> Door | None:
    """The table before its match begins; None once it has."""
    row = load_present_match(session, here.match_id)
    return None if row.head else load_door(session, row, player)


def load_door(
    session: Session, row: tables.Match, player: tables.Player | None, way: Way | None = None
) -> Door:
    mine = player.id if player else None
    seats = load_seats(session, row.id)
    owns = mine is not None and row.owner_id == mine
    lost = load_returned(session, row) if owns else frozenset()
    chairs = tuple(chair(session, row, seat, mine, lost, owns=owns) for seat in seats)
    sits = any(chair.mine for chair in chairs)
    anybody = row.public or owns or (way is not None and way.key is None)
    kept = any(invited(seat, player, way.key if way else None) for seat in seats)
    free = any(chair.free for chair in chairs)
    opens = row.status == "open" and (kept or (anybody and free))
    owner = session.get(tables.Player, row.owner_id) if row.owner_id else None
    return Door(
        row=row,
        game=find(row.game),
        owner=called(owner),
        chairs=chairs,
        sits=sits,
        owns=owns,
        owner_plays=owner_plays(seats, row.owner_id),
        welcome=not sits and ((kept and row.status in tables.UNDER_WAY) or opens),
    )


def load_returned(session: Session, row: tables.Match) -> frozenset[str | None]:
    """The addresses whose invitations to this table came back."""
    lost = select(tables.Outbox.email).where(
        tables.Outbox.match_id == row.id,
        tables.Outbox.kind == "invitation",
        tables.Outbox.why == "bounced",
    )
    return frozenset(session.exec(lost))


def chair(
    session: Session,
    row: tables.Match,
    seat: tables.Seat,
    mine: int | None,
    lost: frozenset[str | None] = frozenset(),
    *,
    owns: bool = False,
) -> Chair:
    guest = find_rematch_guest(session, row, seat)
    kept = seat.invited_email if seat.player_id is None else None
    address = called(guest) if guest else kept
    sitter = session.get(tables.Player, seat.player_id) if seat.player_id else None
    bot = translate_sentence(bot_name(seat.bot)) if seat.bot else None
    return Chair(
        number=seat.number,
        name=called(sitter) if sitter else bot,
        mine=sitter is not None and sitter.id == mine,
        invited=sitter is None and seat.invited_email is not None,
        address=kept if owns and guest is None else None,
        guest=called(guest) if guest else None,
        nonce=seat.nonce,
        returned=address if kept in lost else None,
    )


def called(player: tables.Player | None) -> str:
    return translate_sentence(display_name(player))


def invited(seat: tables.Seat, player: tables.Player | None, key: str | None) -> bool:
    """Whether the seat is kept for this person, or for whoever brings this key."""
    if player is not None:
        return kept_for(seat, player, key)
    return seat.player_id is None and key is not None and seat.invite_hash == token_hash(key)


def load_invitations(session: Session, player: tables.Player) -> list[tables.Match]:
    """The tables at which a seat is kept for this person's address."""
    if player.email is None:
        return []
    query = (
        select(tables.Match)
        .join(tables.Seat, col(tables.Seat.match_id) == col(tables.Match.id))
        .where(
            col(tables.Match.status).in_(("open", *tables.UNDER_WAY)),
            tables.Seat.invited_email == player.email,
            col(tables.Seat.player_id).is_(None),
        )
    )
    return list(session.exec(query).unique())
