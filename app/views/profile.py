"""A player as they chose to be seen: matches, results against whom, reliability, ratings. Others see it if they say so."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from app.matches.bot_names import bot_name
from app.people.accounts import display_name
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.views.ratings import Book, Rated, Who, load_book
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.sentence import say

SHOWN, RATED = "profile", "rating"  # among a player's preferences


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody one has played against: how often who came in before whom."""

    name: str
    before: int
    behind: int
    level: int
    standing: Rated | None  # of bots, and of those who show theirs
    page: int | None  # the player, if they show a page of their own


@dataclass(frozen=True, slots=True)
class Record:
    """What somebody has played of one game."""

    game: str
    played: int
    won: int
    turns: int
    on_time: int  # of them
    standing: Rated | None
    rivals: tuple[Rival, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """All that a player's page shows."""

    player: tables.Player
    mine: bool
    shown: bool
    rated: bool
    records: tuple[Record, ...]
    given_up: int


def is_shown(player: tables.Player) -> bool:
    """Whether a player lets others see their page; nobody's is seen before they say so."""
    return player.mail_preferences.get(SHOWN) is True


def is_rated(player: tables.Player) -> bool:
    """Whether a player wants to have a rating; who does not is shown none, and neither are others."""
    return player.mail_preferences.get(RATED, True) is True


def show_profile(session: Session, player_id: int, *, shown: bool, rated: bool) -> None:
    player = session.get_one(tables.Player, player_id)
    player.mail_preferences = {**player.mail_preferences, SHOWN: shown, RATED: rated}
    session.add(player)


def load_profile(session: Session, player_id: int, viewer_id: int | None) -> Profile:
    player, mine = session.get(tables.Player, player_id), player_id == viewer_id
    if player is None or player.deleted_at or player.guest or not (mine or is_shown(player)):
        raise Unknown(say("There is no such page, or its player does not show it."))
    given_up = select(func.count()).where(tables.SeatChange.player_id == player_id)
    found = (record(session, game.key, game.name, player, mine) for game in games().values())
    return Profile(
        player=player,
        mine=mine,
        shown=is_shown(player),
        rated=is_rated(player),
        records=tuple(one for one in found if one.played),
        given_up=session.exec(given_up).one(),
    )


def record(session: Session, key: str, name: str, player: tables.Player, mine: bool) -> Record:
    book, who = load_book(session, key), ("player", player.id or 0)
    own = [match for match in book.matches if who in match.seated]
    seats = [match.seated.index(who) for match in own]
    places = list(zip(own, seats, strict=True))
    turns = sum(match.turns[seat] for match, seat in places)
    late = count_late(session, player.id or 0, [match.match_id for match in own])
    return Record(
        game=name,
        played=len(own),
        won=sum(match.ranks[seat] == 1 for match, seat in places),
        turns=turns,
        on_time=max(0, turns - late),
        standing=book.standing(who) if is_rated(player) else None,
        rivals=tuple(list_rivals(session, book, who, mine)),
    )


def count_late(session: Session, player_id: int, matches: list[str]) -> int:
    """How often somebody's time was over before they answered, in these matches."""
    query = select(func.count()).where(
        tables.LateTurn.player_id == player_id, col(tables.LateTurn.match_id).in_(matches)
    )
    return session.exec(query).one() if matches else 0


def list_rivals(session: Session, book: Book, who: Who, mine: bool) -> list[Rival]:
    """Results against whom: those who do not show their own page are named to nobody but those who played them."""
    before, behind, level = Counter[Who](), Counter[Who](), Counter[Who]()
    for match in book.matches:
        if who not in match.seated:
            continue
        own = match.ranks[match.seated.index(who)]
        for other, rank in zip(match.seated, match.ranks, strict=True):
            if other != who:
                (before if own < rank else behind if own > rank else level)[other] += 1
    met = sorted(
        {*before, *behind, *level}, key=lambda one: -(before[one] + behind[one] + level[one])
    )
    named = ((one, rival_name(session, one, mine)) for one in met)
    return [
        Rival(name, before[one], behind[one], level[one], *rival_page(session, book, one))
        for one, name in named
        if name
    ]


def rival_page(session: Session, book: Book, who: Who) -> tuple[Rated | None, int | None]:
    """The rating of a bot, or what somebody else shows of themselves: a rating, a page."""
    player = session.get(tables.Player, who[1]) if who[0] == "player" else None
    if player is None:
        return book.standing(who), None
    if not is_shown(player):
        return None, None
    return book.standing(who) if is_rated(player) else None, player.id


def rival_name(session: Session, who: Who, mine: bool) -> str | None:
    kind, key = who
    if kind == "bot":
        return translate_sentence(bot_name(str(key)))
    player = session.exec(select(tables.Player).where(col(tables.Player.id) == key)).one()
    return translate_sentence(display_name(player)) if mine or is_shown(player) else None
