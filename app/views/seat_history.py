"""Who sat where at a position: seats change hands, and what somebody wrote stays theirs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session

from app.matches.access import ROLES
from app.matches.bot_names import bot_name
from app.matches.participants import load_seat_names
from app.people.accounts import display_name
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.rows import HERE, TABLES, RowQuery
from engine.core.sentence import Seat, Sentence

CHANGE, PLAYER, AUDIT = (TABLES[name] for name in ("seat_change", "player", "audit"))
CHANGES: RowQuery[tuple[tables.SeatChange, tables.Player | None]] = RowQuery(
    [tables.SeatChange, tables.Player],
    CHANGE.c.match_id == HERE,
    source=CHANGE.outerjoin(PLAYER, PLAYER.c.id == CHANGE.c.player_id),
    order=CHANGE.c.pos.desc(),
)
CARED: RowQuery[tuple[tables.Audit, tables.Player]] = RowQuery(
    [tables.Audit, tables.Player],
    AUDIT.c.match_id == HERE,
    AUDIT.c.pos.is_not(None),
    AUDIT.c.role != "player",
    source=AUDIT.join(PLAYER, PLAYER.c.id == AUDIT.c.player_id),
)
PERSONS = tuple(ROLES[role] for role in ("owner", "moderator", "site"))
Name = Sentence | str


@dataclass(frozen=True, slots=True)
class Past:
    """Whom the seats had who gave them up, (position, seat, player, name), latest first; and who cared for the match when."""

    changes: tuple[tuple[int, int, int | None, Name], ...]
    doers: dict[int, Name]

    def holder(self, pos: int, seat: int) -> Name | None:
        """What a seat was called at a position, if not as now; what changes a seat still tells of the one before."""
        found = (
            name for changed, of, _, name in reversed(self.changes) if of == seat and pos <= changed
        )
        return next(found, None)

    def seat_of(self, pos: int, player_id: int) -> int | None:
        """The seat that somebody had at a position and has given up since."""
        found = (
            seat
            for changed, seat, player, _ in reversed(self.changes)
            if player == player_id and pos <= changed
        )
        return next(found, None)

    def tell(self, pos: int, sentence: Sentence) -> Sentence:
        """A sentence of the log with the names of then, and with the name of who cared for the match instead of a role."""
        if not self.changes and pos not in self.doers:
            return sentence
        values = {key: self.named(pos, value) for key, value in sentence.values.items()}
        return replace(sentence, values=values)

    def named(self, pos: int, value: Any) -> Any:
        match value:
            case Seat(number):
                return self.holder(pos, number) or value
            case Sentence() if value in PERSONS:
                return self.doers.get(pos, value)
            case Sentence():
                return self.tell(pos, value)
        return value


def load_past(session: Session, match_id: str) -> Past:
    changes = tuple(
        (one.pos, one.seat, one.player_id, called_then(one, player))
        for one, player in CHANGES.found(session, match=match_id)
    )
    cared = CARED.found(session, match=match_id)
    return Past(changes, {act.pos: display_name(who) for act, who in cared if act.pos is not None})


def called_then(change: tables.SeatChange, player: tables.Player | None) -> Name:
    if change.player_id is not None:
        return display_name(player)
    return bot_name(change.bot) if change.bot else ""


@dataclass(frozen=True, slots=True)
class Holders:
    """What the seats are called now, and what they were called before."""

    names: dict[int, str]
    past: Past

    def at(self, pos: int) -> dict[int, str]:
        """What the seats were called at a position."""
        then = ((seat, self.past.holder(pos, seat)) for seat in self.names)
        return self.names | {seat: translate_sentence(name) for seat, name in then if name}


def load_holders(session: Session, match_id: str) -> Holders:
    return Holders(load_seat_names(session, match_id), load_past(session, match_id))
