"""Ratings per game (openskill, Plackett–Luce), each with its uncertainty, from the matches that were played to their end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlmodel import Session, col, select

from app.eventstore.store import load_match
from app.platform import tables
from app.platform.lru_cache import LruCache

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

MOST = 500  # matches of a game that are looked at, the newest
Who = tuple[str, int | str]  # ("player", 7) or ("bot", "steady")


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: who sat where and who came in on which rank, best first from 1."""

    match_id: str
    title: str
    seated: tuple[Who, ...]
    ranks: tuple[int, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's rating: `skill` is what we think, give or take `doubt`."""

    skill: float
    doubt: float
    played: int


@dataclass(slots=True)
class Book:
    """All matches of one game, and the ratings that follow from them."""

    matches: list[Played] = field(default_factory=list)
    ratings: dict[Who, PlackettLuceRating] = field(default_factory=dict)

    def standing(self, who: Who) -> Rated | None:
        found = self.ratings.get(who)
        if found is None:
            return None
        count = sum(who in match.seated for match in self.matches)
        return Rated(found.mu, 2 * found.sigma, count)


def load_book(session: Session, game: str) -> Book:
    """The matches of a game in the order in which they ended."""
    query = (
        select(tables.Match)
        .where(tables.Match.game == game, tables.Match.status == "over")
        .where(~col(tables.Match.imported), ~col(tables.Match.alone))
        .order_by(col(tables.Match.ended_at).desc(), col(tables.Match.id))
        .limit(MOST)
    )
    rows = list(session.exec(query))[::-1]
    key = (game, *(row.hash for row in rows))
    return BOOKS.get(key) or BOOKS.keep(key, write_book(session, rows))


BOOKS: LruCache[tuple[str, ...], Book] = LruCache(20)


def write_book(session: Session, rows: Sequence[tables.Match]) -> Book:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - heavy, and asked for once a book

    model, book = PlackettLuce(), Book()
    for row in rows:
        played = read_match(session, row)
        if len(set(played.seated)) < len(played.seated):
            continue  # one who sits twice plays against themselves
        book.matches.append(played)
        teams = [[book.ratings.get(who) or model.rating()] for who in played.seated]
        rated = model.rate(teams, ranks=[float(rank) for rank in played.ranks])
        book.ratings.update({who: team[0] for who, team in zip(played.seated, rated, strict=True)})
    return book


def read_match(session: Session, row: tables.Match) -> Played:
    match = load_match(session.connection(), row.id)
    scores, won = match.game.scores(match.state), match.game.winners(match.state)
    keys = [(seat not in won, -score) for seat, score in enumerate(scores)]
    seats = session.exec(
        select(tables.Seat).where(tables.Seat.match_id == row.id).order_by(col(tables.Seat.number))
    )
    turns = [0] * len(scores)
    before = None
    for entry in match.timeline.effective:
        if entry.seat is not None and entry.seat != before:
            turns[entry.seat] += 1
            before = entry.seat
    return Played(
        match_id=row.id,
        title=row.title,
        seated=tuple(
            ("player", seat.player_id) if seat.player_id is not None else ("bot", seat.bot or "")
            for seat in seats
        ),
        ranks=tuple(sorted(keys).index(key) + 1 for key in keys),
        turns=tuple(turns),
    )
