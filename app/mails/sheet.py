"""A match as a mail shows it: what its reader may know, in the reader's language and time zone.

Everything comes from the view of one seat. What cost something to find is kept by the hash of the log, which
names the position, so that a repeat and the next reader of the same seat get it for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from sqlmodel import Session

from app import boards, choices, desk, facts, glance, history, hues, i18n, models, store
from app.accounts import display_name
from app.lru_cache import LruCache
from app.mails.draft import Unwanted
from app.models import Language, Outbox
from app.play import role_of
from app.services import Services
from app.words import defuse_text
from engine.core.game import Fact, Part
from engine.core.match import Match
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say, seat_letter
from engine.core.timeline import TABLE_EVENTS, Entry, Restored, Rewound

T = TypeVar("T")
URGENT = 3  # facts that a player needs first; the game tells these first
MOST_NEWS = 30
LATELY = 12  # events that tell how a match ended
FEW = 14  # as many answers can be links of their own
MOST_OTHERS = 40  # as many orders of one verb are told in full
MOST_KEPT = 10_000_000  # bytes or so
SMALL, ORDER = 2000, 200  # what a few facts weigh, and an order
ABOUT_THE_TABLE = (Rewound, Restored, *TABLE_EVENTS)

PLAYER, ACTS = (glance.TABLES[name] for name in ("player", "answered"))
READERS: glance.Glance[models.Player] = glance.Glance([models.Player], PLAYER.c.id == glance.ME)
ANSWERED: glance.Values[int] = glance.Values(
    ACTS.c.act, ACTS.c.match_id == glance.HERE, ACTS.c.seat == glance.SEAT
)


@dataclass(frozen=True)
class Sheet:
    """A match and one of its readers; `seat` is None for those who only care for it, or who sat here before."""

    services: Services
    player: models.Player
    table: models.Match
    match: Match
    seat: int | None
    mine: frozenset[int]  # all seats of the reader
    bot: str | None
    names: dict[int, str]
    cares: bool
    alone: bool  # the reader plays every seat
    answered: frozenset[int]  # the acts that the reader's standing orders gave

    @property
    def language(self) -> Language:
        return self.player.language

    @property
    def title(self) -> str:
        return defuse_text(self.table.title)

    @property
    def running(self) -> bool:
        return self.table.status == "running"

    @property
    def asked(self) -> bool:
        """Whether the match waits for the reader now."""
        return self.running and self.seat in self.match.game.to_act(self.match.state)

    @property
    def sees(self) -> bool:
        """Whether the reader may look at the board."""
        return self.seat is not None or self.cares or self.table.public

    @property
    def key(self) -> tuple[str, int | None, str]:
        """Names what this reader sees of this position."""
        return self.match.hash, self.seat, self.language

    def said(self, sentence: Sentence | str) -> str:
        return i18n.translate(sentence, self.names, self.language)

    def drawn(self, sentence: Sentence) -> str:
        """As `said`, for charts: there the seats are letters, as on the board."""
        return i18n.translate(sentence, language=self.language)

    def moment(self, at: datetime) -> str:
        return i18n.moment(at, self.language, ZoneInfo(self.player.timezone))

    def distance(self, at: datetime) -> str:
        return i18n.distance(at, self.services.now(), self.language)

    def url(self, path: str, **query: str) -> str:
        asked = f"?{urlencode(query)}" if query else ""
        return f"{self.services.settings.base_url}/m/{self.table.id}{path}{asked}"


def sheet(session: Session, services: Services, row: Outbox) -> Sheet:
    """The match that a mail is about, for the one it goes to; refuses where there is nobody to read it."""
    player = reader(session, row)
    table = glance.match_row(session, row.match_id) if row.match_id else None
    if table is None or not table.head:
        raise Unwanted("stale")
    match = store.load(session.connection(), table.id)
    seats = [seat for seat, _ in glance.SEATED.found(session, match=table.id)]
    mine = sorted(seat.number for seat in seats if seat.player_id == player.id)
    asked = match.game.to_act(match.state)
    seat = next((number for number in asked if number in mine), next(iter(mine), None))
    return Sheet(
        services=services,
        player=player,
        table=table,
        match=match,
        seat=seat,
        mine=frozenset(mine),
        bot=next((s.bot for s in seats if s.number == seat), None),
        names=names_told(session, table.id, player.language),
        cares=table.owner_id == player.id or role_of(session, table.id, player.id) is not None,
        alone=all(seat.player_id == player.id for seat in seats),
        answered=answered(session, table.id, seat),
    )


def names_told(session: Session, match_id: str, language: Language) -> dict[int, str]:
    """What the seats are called in mails."""
    names = desk.names_of(session, match_id, language)
    return {seat: defuse_text(name) for seat, name in names.items()}


def name_told(player: models.Player | None) -> str | Sentence:
    """What a player is called in mails."""
    name = display_name(player)
    return defuse_text(name) if isinstance(name, str) else name


def answered(session: Session, match_id: str, seat: int | None) -> frozenset[int]:
    if seat is None:
        return frozenset()
    return frozenset(ANSWERED.found(session, match=match_id, seat=seat))


def reader(session: Session, row: Outbox) -> models.Player:
    """Who a mail goes to, if they can be written to at all."""
    player = READERS.first(session, me=row.player_id) if row.player_id else None
    if player is None or player.email is None or player.deleted_at is not None:
        raise Unwanted("gone")
    if player.bouncing_at is not None:
        raise Unwanted("bouncing")
    if player.suspended_at is not None and row.kind != "answer":  # which says just that
        raise Unwanted("suspended")
    return player


# What stands in the mail


def news(found: Sheet) -> list[str]:
    """What happened since the reader's last turn, or how it ended; of very much, the last part."""
    match = found.match
    since = desk.news_since(match, found.seat, found.answered)
    told = [
        (entry, sentence)
        for entry, sentence in happened(match, since, found.seat)
        if not isinstance(entry.event, match.game.asking)
    ][-(LATELY if match.over else MOST_NEWS) :]
    return [found.said(by_itself(found, entry, sentence)) for entry, sentence in told]


def by_itself(found: Sheet, entry: Entry, sentence: Sentence) -> Sentence:
    """Tells a player what the standing orders did in their name: once for each act, with what comes first."""
    if entry.pos != entry.act or entry.act not in found.answered:
        return sentence
    return say("{what} (by your standing orders)", what=sentence)


def happened(match: Match, since: int, seat: int | None) -> Iterator[tuple[Entry, Sentence]]:
    """What counts of the log after a position, in words that the seat may read; all know how a match ended."""
    counted = history.counted_after(match, since)
    for entry in match.log[since:]:
        if entry.pos in counted or isinstance(entry.event, ABOUT_THE_TABLE):
            event = entry.event if match.revealed else redact(entry.event, seat)
            yield entry, facts.sentence(match.game, event)


def sitters(found: Sheet) -> list[dict[str, Any]]:
    """Who sits at the table, with their points; when it is over, the best first."""
    game, state = found.match.game, found.match.state
    scores, winners = game.scores(state), game.winners(state)
    asked = game.to_act(state) if found.running else ()
    told: list[dict[str, Any]] = [
        {
            "letter": seat_letter(seat),
            "colours": hues.ground_and_ink(found.match, seat),
            "name": found.names.get(seat, seat_letter(seat)),
            "score": score,
            "asked": seat in asked,
            "won": seat in winners,
            "mine": seat == found.seat,
        }
        for seat, score in enumerate(scores)
    ]
    if found.match.over:
        told.sort(key=lambda sitter: (not sitter["won"], -sitter["score"]))
    return told


def beside(found: Sheet) -> list[tuple[str, list[str]]]:
    """What lies beside the board: hand, action points, open card; in the game's own words."""
    return [
        (found.said(label), [found.said(thing) for thing in things])
        for label, things in summary(found)
    ]


def summary(found: Sheet) -> Sequence[Fact]:
    return kept(("summary", found.match.hash, found.seat), lambda: made_summary(found))


def made_summary(found: Sheet) -> Sequence[Fact]:
    game = found.match.game
    return game.summary(game.view(found.match.state, found.seat))


def chart(found: Sheet) -> str:
    """The board as text."""
    game = found.match.game
    return kept(
        ("chart", *found.key),
        lambda: game.chart(game.view(found.match.state, found.seat), found.drawn),
    )


def picture(found: Sheet) -> str:
    """The board as an SVG; it holds no words but its title, so it is the same in every language."""
    game = found.match.game
    return boards.close_up(game.render(game.view(found.match.state, found.seat), str))


# What can be answered


def orders(found: Sheet) -> dict[str, Any]:
    """What the reader may order, under the headings of the game: where there is little, each order as a link."""
    groups = kept(("orders", found.match.hash, found.seat), lambda: made_groups(found))
    parts = kept(("parts", found.match.hash, found.seat), lambda: made_parts(found))
    few = sum(len(group.choices) for group in groups) <= FEW
    divided = choices.arranged(parts, {group.verb: group for group in groups})
    return {"few": few, "parts": [told_part(found, part, some, few) for part, some in divided]}


def told_part(found: Sheet, part: Part, groups: list[choices.Group], few: bool) -> dict[str, Any]:
    return {
        "title": found.said(part.title) if part.title else "",
        "state": [found.said(word) for word in part.state],
        "notes": [found.said(note) for note in part.notes],
        "answers": [answer(found, *choice) for g in groups for choice in g.choices] if few else [],
        "verbs": [told_verb(found, group) for group in groups],
    }


def answer(found: Sheet, order: str, cost: int) -> dict[str, Any]:
    """One order, with the way to a page where it is filled in."""
    at = str(found.match.head)
    return {"order": order, "cost": cost, "url": found.url("/play", order=order, at=at)}


def told_verb(found: Sheet, group: choices.Group) -> dict[str, Any]:
    """A verb with its first order; where all can stand in a few lines, what else may follow it."""
    few = len(group.choices) <= MOST_OTHERS
    return {
        "verb": group.verb,
        "help": found.said(group.help),
        "example": group.choices[0][0],
        "others": list(others(group)) if few else [],
        "commits": group.commits,
    }


def others(group: choices.Group) -> Iterator[str]:
    """The rest of each order but the first, and in brackets what it costs where that differs."""
    alike = group.cheapest == group.dearest
    for choice in group.choices[1:]:
        rest = " ".join(choices.rest(group, choice))
        yield rest if alike else f"{rest} ({choice[1]})"


def made_parts(found: Sheet) -> Sequence[Part]:
    game = found.match.game
    return game.parts(game.view(found.match.state, found.seat))


def made_groups(found: Sheet) -> list[choices.Group]:
    game, seat = found.match.game, found.seat
    if seat is None:
        return []
    state = found.match.state
    return choices.groups(game, state, seat, sorted(choices.priced_orders(game, state, seat)))


# Remembering


def weigh_part(made: Any) -> int:
    """Of what a mail is made from, in bytes or so: texts by their letters, the orders by their number."""
    if isinstance(made, str):
        return len(made)
    orders = sum(len(part.choices) for part in made if isinstance(part, choices.Group))
    return SMALL + ORDER * orders


KEPT: LruCache[Any, Any] = LruCache(MOST_KEPT, weigh_part)


def kept(key: Any, make: Callable[[], T]) -> T:
    """What belongs to a position and a seat, made once."""
    known: T | None = KEPT.get(key)
    return known if known is not None else KEPT.keep(key, make())
