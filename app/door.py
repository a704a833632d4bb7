"""The door of a table that has not begun: who sits there, who may come in, and the link that lets them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from app import accounts, consent, glance, i18n, lobby, models, store, tokens
from app.play import Place
from app.settings import Settings
from engine.core.game import Game
from engine.core.refusal import Unknown
from engine.core.registry import find
from engine.core.sentence import say

SHARE, INVITATION = "share", "invitation"  # what seals are for


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat before the match: whose it is, or whether it waits for somebody invited or for anybody."""

    number: int
    name: str | None
    mine: bool
    invited: bool
    nonce: str | None  # a hash of what was mixed into chance from here

    @property
    def free(self) -> bool:
        return self.name is None and not self.invited


@dataclass(frozen=True, slots=True)
class Door:
    """A table as somebody sees it who stands before it."""

    row: models.Match
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


@dataclass(frozen=True, slots=True)
class Way:
    """Where a link leads: to a seat that is kept (by its key), or to any open seat of a table."""

    match_id: str
    key: str | None = None


def find_way(session: Session, settings: Settings, token: str) -> Way:
    """What a link opens; it does not say why it opens nothing."""
    if match_id := shared(settings, token):
        return Way(match_id)
    key = str(tokens.unsealed(settings, INVITATION, token))
    query = select(models.Seat).where(models.Seat.invite_hash == lobby.token_hash(key))
    seat = session.exec(query).one_or_none()
    if seat is None:
        raise Unknown(say("This link opens no table, or no longer: perhaps the seat is taken."))
    return Way(seat.match_id, key)


def behind(session: Session, way: Way, player: models.Player | None) -> Door:
    """The table that a link leads to."""
    row = session.get(models.Match, way.match_id)
    if row is None:
        raise store.no_match(way.match_id)
    return door(session, row, player, way)


def waiting_room(session: Session, here: Place, player: models.Player | None) -> Door | None:
    """The table before its match begins; None once it has."""
    row = glance.present(session, here.match_id)
    return None if row.head else door(session, row, player)


def door(
    session: Session, row: models.Match, player: models.Player | None, way: Way | None = None
) -> Door:
    mine = player.id if player else None
    seats = lobby.seats_of(session, row.id)
    chairs = tuple(chair(session, seat, mine) for seat in seats)
    sits = any(chair.mine for chair in chairs)
    owns = mine is not None and row.owner_id == mine
    anybody = row.public or owns or (way is not None and way.key is None)
    kept = any(invited(seat, player, way.key if way else None) for seat in seats)
    free = any(chair.free for chair in chairs)
    opens = row.status == "open" and (kept or (anybody and free))
    owner = session.get(models.Player, row.owner_id) if row.owner_id else None
    return Door(
        row=row,
        game=find(row.game),
        owner=called(owner),
        chairs=chairs,
        sits=sits,
        owns=owns,
        owner_plays=consent.owner_plays(seats, row.owner_id),
        welcome=not sits and ((kept and row.status in models.UNDER_WAY) or opens),
    )


def chair(session: Session, seat: models.Seat, mine: int | None) -> Chair:
    sitter = session.get(models.Player, seat.player_id) if seat.player_id else None
    return Chair(
        number=seat.number,
        name=called(sitter) if sitter else seat.bot,
        mine=sitter is not None and sitter.id == mine,
        invited=sitter is None and seat.invited_email is not None,
        nonce=seat.nonce,
    )


def called(player: models.Player | None) -> str:
    return i18n.translate(accounts.display_name(player))


def invited(seat: models.Seat, player: models.Player | None, key: str | None) -> bool:
    """Whether the seat is kept for this person, or for whoever brings this key."""
    if player is not None:
        return lobby.kept_for(seat, player, key)
    return seat.player_id is None and key is not None and seat.invite_hash == lobby.token_hash(key)


def invitations(session: Session, player: models.Player) -> list[models.Match]:
    """The tables at which a seat is kept for this person's address."""
    if player.email is None:
        return []
    query = (
        select(models.Match)
        .join(models.Seat, col(models.Seat.match_id) == col(models.Match.id))
        .where(
            col(models.Match.status).in_(("open", *models.UNDER_WAY)),
            models.Seat.invited_email == player.email,
            col(models.Seat.player_id).is_(None),
        )
    )
    return list(session.exec(query).unique())


# Links that open a table


def share_token(settings: Settings, match_id: str) -> str:
    """What the people of a table hand on in a link: whoever has it may take an open seat."""
    return tokens.sealed(settings, SHARE, match_id)


def shared(settings: Settings, token: str) -> str | None:
    """The match whose people made this token."""
    found = tokens.unsealed(settings, SHARE, token)
    return None if found is None else str(found)


def invitation_token(settings: Settings, key: str) -> str:
    """What opens a seat that is kept. The mail that waits holds the key alone: unsealed it opens nothing."""
    return tokens.sealed(settings, INVITATION, key)
