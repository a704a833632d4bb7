"""A match as a mail shows it: what its reader may know, in the reader's language and time zone.

Everything comes from the scene of one seat, the same that pages show: it is kept by the hash of the log, which
names the position, so that a repeat and the next reader of the same seat get it for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from sqlmodel import Session

from app.eventstore.store import load_match
from app.mail.outgoing.template import Unwanted
from app.matches.access import find_role
from app.matches.participants import load_seat_names
from app.matches.seat_links import make_seat_key
from app.people.accounts import display_name
from app.platform import tables
from app.platform.i18n import format_distance, format_moment, format_span, translate_sentence
from app.platform.rows import HERE, ME, SEAT, SEATED, TABLES, ColumnQuery, RowQuery, load_match_row
from app.platform.services import Services
from app.platform.tables import Language, Outbox
from app.platform.text_input import defuse_text
from app.views.board_pictures import (
    close_up_board,
    event_words,
    outline_places,
    stack_pictures,
)
from app.views.event_text import describe_event
from app.views.history import counted_after
from app.views.legal_orders import Group, arrange_parts, group_orders, words_after_verb
from app.views.news import news_since
from app.views.result import load_podium
from app.views.scenes import Scene, make_scene
from app.views.score_chart import draw_score_chart
from app.views.score_series import list_sources, load_series
from app.views.seat_colours import mail_colours
from app.views.seat_history import Past, load_past
from engine.core.game import Part
from engine.core.match import Match
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say, seat_letter
from engine.core.timeline import TABLE_EVENTS, Entry, Restored, Rewound

URGENT = 3  # facts that a player needs first; the game tells these first
MOST_NEWS = 30
LATELY = 12  # events that tell how a match ended
FEW = 14  # as many answers can be links of their own
MOST_OTHERS = 40  # as many orders of one verb are told in full
ABOUT_THE_TABLE = (Rewound, Restored, *TABLE_EVENTS)
PLAYER, ACTS = (TABLES[name] for name in ("player", "answered"))
READERS: RowQuery[tables.Player] = RowQuery([tables.Player], PLAYER.c.id == ME)
ANSWERED: ColumnQuery[int] = ColumnQuery(ACTS.c.act, ACTS.c.match_id == HERE, ACTS.c.seat == SEAT)


@dataclass(frozen=True)
class Sheet:
    """A match and one of its readers; `seat` is None for those who only care for it, or who sat here before."""

    services: Services
    player: tables.Player
    table: tables.Match
    match: Match
    seat: int | None
    mine: frozenset[int]  # all seats of the reader
    bot: str | None
    names: dict[int, str]
    past: Past
    cares: bool
    alone: bool  # the reader plays every seat
    answered: frozenset[int]  # the acts that the reader's standing orders gave
    thought: str = ""  # names a position that was only thought of, where that is shown

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
    def link(self) -> str:
        """Names the position that is shown."""
        return self.thought or self.match.hash

    @cached_property
    def scene(self) -> Scene:
        """What the reader may know of the position; all of the mail comes from it."""
        match = self.match
        return make_scene(match, match.state, self.seat, self.link, self.language)

    def said(self, sentence: Sentence | str) -> str:
        return translate_sentence(sentence, self.names, self.language)

    def moment(self, at: datetime) -> str:
        return format_moment(at, self.language, ZoneInfo(self.player.timezone))

    def distance(self, at: datetime) -> str:
        return format_distance(at, self.services.now(), self.language)

    def play_url(self, **query: str) -> str:
        """The turn page by a link that lets its reader play this seat."""
        if self.seat is not None and self.player.id is not None:
            made = (self.table.id, self.seat, self.player, self.services.now())
            query["key"] = make_seat_key(self.services.settings, *made)
        return self.url("/play", **query)

    def url(self, path: str, **query: str) -> str:
        asked = f"?{urlencode(query)}" if query else ""
        return f"{self.services.settings.base_url}/m/{self.table.id}{path}{asked}"


def load_sheet(session: Session, services: Services, row: Outbox) -> Sheet:
    """The match that a mail is about, for the one it goes to; refuses where there is nobody to read it."""
    player = load_reader(session, row)
    table = load_match_row(session, row.match_id) if row.match_id else None
    if table is None or not table.head:
        raise Unwanted("stale")
    match = load_match(session.connection(), table.id)
    seats = [seat for seat, _ in SEATED.found(session, match=table.id)]
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
        past=load_past_told(session, table.id),
        cares=table.owner_id == player.id or find_role(session, table.id, player.id) is not None,
        alone=all(seat.player_id == player.id for seat in seats),
        answered=answered(session, table.id, seat),
    )


def names_told(session: Session, match_id: str, language: Language) -> dict[int, str]:
    """What the seats are called in mails."""
    names = load_seat_names(session, match_id, language)
    return {seat: defuse_text(name) for seat, name in names.items()}


def load_past_told(session: Session, match_id: str) -> Past:
    """Who had the seats before and who cared for the match, as they are called in mails."""
    past = load_past(session, match_id)
    return Past(
        tuple((pos, seat, player, defused(name)) for pos, seat, player, name in past.changes),
        {pos: defused(name) for pos, name in past.doers.items()},
    )


def defused(name: str | Sentence) -> str | Sentence:
    return defuse_text(name) if isinstance(name, str) else name


def name_told(player: tables.Player | None) -> str | Sentence:
    """What a player is called in mails."""
    return defused(display_name(player))


def answered(session: Session, match_id: str, seat: int | None) -> frozenset[int]:
    if seat is None:
        return frozenset()
    return frozenset(ANSWERED.found(session, match=match_id, seat=seat))


def load_reader(session: Session, row: Outbox) -> tables.Player:
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


def tell_turns(found: Sheet) -> list[dict[str, Any]]:
    """What happened since the reader's last turn, or how it ended, by who did it; of very much, the last part."""
    match = found.match
    since = news_since(match, found.seat, found.answered)
    told = [
        (entry, sentence)
        for entry, sentence in tell_happened(found, since)
        if not isinstance(entry.event, match.game.asking)
    ][-(LATELY if match.over else MOST_NEWS) :]
    return [
        {
            "colour": mail_colours(match, seat)[0] if seat is not None else "#dccba4",
            "said": [found.said(by_itself(found, *one)) for one in group],
        }
        for seat, group in groupby(told, key=lambda one: one[0].seat)
    ]


def by_itself(found: Sheet, entry: Entry, sentence: Sentence) -> Sentence:
    """Tells a player what the standing orders did in their name: once for each act, with what comes first."""
    if entry.pos != entry.act or entry.act not in found.answered:
        return sentence
    return say("{what} (by your standing orders)", what=sentence)


def tell_happened(found: Sheet, since: int) -> Iterator[tuple[Entry, Sentence]]:
    """What counts of the log after a position, in words that the reader may read; all know how a match ended."""
    counted = counted_after(found.match, since)
    for entry in found.match.log[since:]:
        if entry.pos in counted or isinstance(entry.event, ABOUT_THE_TABLE):
            yield entry, tell_event(found, entry)


def tell_event(found: Sheet, entry: Entry) -> Sentence:
    """An event as the reader may know it, with the names of then."""
    match = found.match
    event = entry.event if match.revealed else redact(entry.event, found.seat)
    return found.past.tell(entry.pos, describe_event(match.game, event))


def tell_sitters(found: Sheet) -> list[dict[str, Any]]:
    """Who sits at the table, with their points; when it is over, the best first."""
    game, state = found.match.game, found.match.state
    scores, winners = game.scores(state), game.winners(state)
    asked = game.to_act(state) if found.running else ()
    told: list[dict[str, Any]] = [
        {
            "letter": seat_letter(seat),
            "colours": mail_colours(found.match, seat),
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


def tell_beside(found: Sheet) -> list[tuple[str, list[str]]]:
    """What lies beside the board: hand, action points, open card; in the game's own words."""
    return [
        (found.said(label), [found.said(thing) for thing in things])
        for label, things in found.scene.facts
    ]


def draw_close_up(found: Sheet, since: int) -> str:
    """The board as an SVG, with what changed after a position outlined; it holds no words but its title."""
    match = found.match
    counted = counted_after(match, since)
    news = (entry.event for entry in match.log[since:] if entry.pos in counted)
    shown = (event if match.revealed else redact(event, found.seat) for event in news)
    places = {word for event in shown for word in event_words(asdict(event))}
    return close_up_board(outline_places(found.scene.board, places))


# How it ended


def tell_result(session: Session, found: Sheet) -> dict[str, Any]:
    """The podium, what the points came from and how long it took; and where one plays again."""
    match, row = found.match, found.table
    placed = load_podium(session, match, found.names)
    sources = list_sources(match.game, load_series(match), len(placed))
    took = row.ended_at - row.started_at if row.ended_at and row.started_at else None
    return {
        "podium": [
            {
                "rank": one.rank,
                "letter": seat_letter(one.seat),
                "colours": mail_colours(match, one.seat),
                "name": one.name,
                "score": one.score,
                "won": one.won,
                "mine": one.seat == found.seat,
                "turns": one.turns,
                "pace": format_span(one.pace, found.language) if one.pace else "",
            }
            for one in placed
        ],
        "sources": [(found.said(label), points) for label, points in sources]
        if len(sources) > 1
        else [],
        "took": format_span(took, found.language) if took else "",
        "url": found.url("/result"),
        "rematch": found.seat is not None and not row.imported,
    }


def draw_ending(found: Sheet) -> str:
    """The last board, and below it how the scores went."""
    board = close_up_board(found.scene.board)
    chart = str(draw_score_chart(found.match, load_series(found.match), ""))
    return stack_pictures(board, chart)


# What can be answered


def tell_orders(found: Sheet) -> dict[str, Any]:
    """What the reader may order, under the headings of the game: where there is little, each order as a link."""
    groups = possible_groups(found)
    few = sum(len(group.choices) for group in groups) <= FEW
    divided = arrange_parts(found.scene.parts, {group.verb: group for group in groups})
    return {"few": few, "parts": [told_part(found, part, some, few) for part, some in divided]}


def told_part(found: Sheet, part: Part, groups: list[Group], few: bool) -> dict[str, Any]:
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
    return {"order": order, "cost": cost, "url": found.play_url(order=order, at=at)}


def told_verb(found: Sheet, group: Group) -> dict[str, Any]:
    """A verb with its first order; where all can stand in a few lines, what else may follow it."""
    few = len(group.choices) <= MOST_OTHERS
    return {
        "verb": group.verb,
        "help": found.said(group.help),
        "example": group.choices[0][0],
        "others": list(others(group)) if few else [],
        "commits": group.commits,
    }


def others(group: Group) -> Iterator[str]:
    """The rest of each order but the first, and in brackets what it costs where that differs."""
    alike = group.cheapest == group.dearest
    for choice in group.choices[1:]:
        rest = " ".join(words_after_verb(group, choice))
        yield rest if alike else f"{rest} ({choice[1]})"


def possible_groups(found: Sheet) -> list[Group]:
    if found.seat is None:
        return []
    return group_orders(found.match.game, found.match.state, found.seat, found.link)
