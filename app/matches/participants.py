"""Who sits in a match and what each seat is called."""

from __future__ import annotations

from collections import Counter

from sqlmodel import Session, col, select

from app.matches.bot_names import bot_name
from app.people.accounts import display_name
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.rows import SEATED
from app.platform.tables import Language
from engine.core.sentence import Sentence, seat_letter


def load_seat_names(
    session: Session, match_id: str, language: Language | None = None
) -> dict[int, str]:
    """What the seats are called; where one name would stand for two seats, their letters tell them apart."""
    called = {
        seat.number: translate_sentence(who, language=language)
        for seat, player in SEATED.found(session, match=match_id)
        if (who := called_at_table(seat, player))
    }
    count = Counter(called.values())
    return {
        seat: name if count[name] == 1 else f"{name} ({seat_letter(seat)})"
        for seat, name in called.items()
    }


def called_at_table(seat: tables.Seat, player: tables.Player | None) -> Sentence | str | None:
    """A person keeps their name while a bot stands in; a seat that is nobody's yet has none."""
    if seat.player_id is not None:
        return display_name(player)
    return bot_name(seat.bot) if seat.bot else None


def load_seats(session: Session, match_id: str) -> list[tables.Seat]:
    query = select(tables.Seat).where(tables.Seat.match_id == match_id)
    return list(session.exec(query.order_by(col(tables.Seat.number))))
