"""Analysis: a position is played on for all seats, and what becomes of several lines is held side by side.

It begins from what somebody may know: in a match that runs, what is hidden from them is forgotten (`Game.forget`), so
it is alike in all worlds that they cannot tell apart. What is drawn or revealed on the way comes from dice that
everybody could throw again, never from a seed. The log is not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import Any

from sqlmodel import Session

from app.eventstore.positions import state_at
from app.eventstore.store import load_match
from app.learning import lessons, puzzles
from app.learning.notebook import KeptLine, Notebook
from app.matches.access import Place
from app.matches.bot_moves import may_ask_advice
from app.matches.participants import load_seat_names
from app.platform.errors import LineRefused
from app.platform.i18n import language_here, translate_sentence
from app.platform.lru_cache import LruCache
from app.platform.rows import load_present_match
from app.views.event_text import describe_event
from app.views.help_pages import find_position, list_example_orders
from app.views.position_page import Position, name_nobody
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, advance, check_asked
from engine.core.refusal import IllegalMove, MatchOver, Refusal, Unknown
from engine.core.registry import insight
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say
from engine.core.timeline import Entry, MatchStarted

KEPT_MOVES = 3000  # of some kB each: what two neighbours hold is mostly the same
FAULTS = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)  # of rules that meet what is forgotten


@dataclass(frozen=True, slots=True)
class Root:
    """Where an analysis begins. `eyes` is the seat whose knowledge it is; `sealed` says whether that is not everything.

    With `rated` a bot may say what it thinks of a position.
    """

    match: Match
    title: str
    names: dict[int, str]
    eyes: int | None
    sealed: bool
    rated: bool


@dataclass(frozen=True, slots=True)
class Move:
    """One order that was played: whose, what came of it, and the table after it. `imagined`: chance had a part in it."""

    seat: int
    order: str
    told: tuple[Sentence, ...]
    imagined: bool
    match: Match


@dataclass(frozen=True, slots=True)
class Turn:
    """Orders of one seat in a row, from which number on, and what they brought it."""

    seat: int
    first: int
    moves: tuple[Move, ...]
    gain: int


@dataclass(frozen=True, slots=True)
class Followed:
    """A line as far as it can be played; `problem` says why it ends before its last order."""

    root: Root
    moves: tuple[Move, ...]
    problem: LineRefused | None

    @property
    def orders(self) -> tuple[str, ...]:
        return tuple(move.order for move in self.moves)

    @property
    def match(self) -> Match:
        return self.moves[-1].match if self.moves else self.root.match

    @property
    def turns(self) -> list[Turn]:
        found, first = list[Turn](), 0
        for seat, some in groupby(self.moves, key=lambda move: move.seat):
            moves = tuple(some)
            before = self.moves[first - 1].match if first else self.root.match
            gain = scores(moves[-1].match)[seat] - scores(before)[seat]
            found.append(Turn(seat, first, moves, gain))
            first += len(moves)
        return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one of several lines comes to: points, what they are more than at the root, and what a bot would expect."""

    note: str
    orders: tuple[str, ...]
    whole: bool  # whether all of it can be played
    scores: tuple[int, ...]
    gains: tuple[int, ...]
    estimates: tuple[float, ...]


# Where it begins


def load_root(session: Session, here: Place, pos: int, eyes: int | None) -> Root:
    """A position of a match as the viewer may know it; of one that is over, all of it or what a seat knew."""
    match = load_match(session.connection(), here.match_id)
    game, state = match.game, state_at(match, pos)
    seats = range(len(game.scores(state)))
    if match.revealed:
        seat, sealed = (eyes, True) if eyes in seats else (None, False)
    else:
        seat, sealed = here.seat, True
    known = game.forget(state, seat) if sealed else state
    row = load_present_match(session, here.match_id)
    # What is kept of a page goes by the match's id: what one seat knows must never be found by another.
    whose = f"{match.id} as {seat if sealed else 'all'} know it"
    return Root(
        match=set_up_match(game, whose, known, f"{match.log[pos - 1].hash} {whose}"),
        title=row.title,
        names=load_seat_names(session, match.id),
        eyes=seat,
        sealed=sealed,
        rated=match.revealed or may_ask_advice(session, row, here),
    )


def find_root(kind: str, key: str, name: str) -> Root:
    """The position of a lesson or a puzzle."""
    if kind == "lesson":
        lesson = lessons.find_lesson(key, name)
        return open_root(lessons.open_lesson(lesson))
    if kind == "puzzle":
        return open_root(puzzles.open_puzzle(puzzles.find_puzzle(key, name)))
    if kind == "rules":
        example = find_position(key, name, language_here())
        return Root(
            match=set_up_match(example.game, example.id, example.state, example.hash),
            title=example.game.name,
            names=name_nobody(example),
            eyes=None,
            sealed=False,
            rated=False,
        )
    raise Unknown(say("There is no such position."))


def open_book(book: Notebook, kind: str, key: str, name: str) -> Notebook:
    """The notebook of an address; with an example of the rules lies what the text plays there."""
    orders = list_example_orders(key, name) if kind == "rules" else ()
    if book != Notebook() or not orders:
        return book
    return Notebook(kept=(KeptLine(orders, translate_sentence(say("As in the rules"))),))


def open_root(position: Position) -> Root:
    """A position that was made for one seat: what others hold and what lies in piles is nobody's to know."""
    match, seat = position.match, position.seat
    known = match.game.forget(match.state, seat)
    whose = f"{match.id} as {seat} knows it"
    made = set_up_match(match.game, whose, known, f"{match.hash} {whose}")
    return Root(made, position.title, position.names, seat, sealed=True, rated=True)


def set_up_match(game: Game, match_id: str, state: Any, name: str) -> Match:
    """A match of which there is nothing but a table, under a name that no other table has.

    Nor is it the match that it came from: here one sits in every seat, and what that match has shown to a seat is not
    for whoever analyses it.
    """
    called = f"analysis of {match_id}: {name}"
    opening = MatchStarted(game.key, called, len(game.scores(state)), {}, "")
    link = sha256(f"analysis {name}".encode()).hexdigest()
    return Match(game, called, ((1, ""),), (Entry(1, 1, None, None, opening, link),), state=state)


# Playing


def follow_line(root: Root, orders: Sequence[str]) -> Followed:
    """Plays a line for whoever is asked, as far as that goes."""
    match, moves = root.match, list[Move]()
    for number, order in enumerate(orders, 1):
        try:
            move = play_order(match, order, root)
        except Refusal as problem:
            return Followed(root, tuple(moves), LineRefused(number, problem))
        moves.append(move)
        match = move.match
    return Followed(root, tuple(moves), None)


def play_order(match: Match, order: str, root: Root) -> Move:
    """The next table; played once, for people go back and forth."""
    link = sha256(f"{match.hash} {order}".encode()).hexdigest()
    known = MOVES.get(link)
    return known or MOVES.keep(link, decide_order(match, order, root, link))


MOVES: LruCache[str, Move] = LruCache(KEPT_MOVES)


def decide_order(match: Match, order: str, root: Root, link: str) -> Move:
    game, state = match.game, match.state
    asked = game.to_act(state)
    if not asked:
        raise MatchOver(say("The match is over; nothing more can be ordered."))
    action = game.parse(asked[0], order)
    game.recognise(state, action)
    check_asked(game, state, action)
    chance = Chance(link, "analysis", 0)
    try:
        events = tuple(game.decide(state, action, chance))
        after = advance(game, state, events)
    except FAULTS:
        hangs = say("What comes of this hangs on something that nobody can know here.")
        raise IllegalMove("secret", hangs) from None
    entry = Entry(match.head + 1, match.head + 1, asked[0], order, None, link)
    return Move(
        seat=asked[0],
        order=game.format(action),
        told=tuple(tell_events(game, events, root)),
        imagined=chance.used,
        match=replace(match, log=(match.log[0], entry), state=after),
    )


def tell_events(game: Game, events: Sequence[Any], root: Root) -> list[Sentence]:
    """What happened, as whoever looks may know it."""
    shown = (redact(event, root.eyes) if root.sealed else event for event in events)
    return [describe_event(game, event) for event in shown if not isinstance(event, game.asking)]


def show_table(followed: Followed) -> Position:
    """The table after a line, from the seat that is asked there."""
    root, match = followed.root, followed.match
    asked = match.game.to_act(match.state)
    seat = asked[0] if asked else (root.eyes or 0)
    return Position(match, seat, root.title, root.names)


# Holding lines side by side


def compare_lines(root: Root, book: Notebook) -> list[Comparison]:
    """The kept lines, each where it ends."""
    return [weigh_line(root, one.orders, one.note) for one in book.kept]


def weigh_line(root: Root, orders: Sequence[str], note: str = "") -> Comparison:
    followed = follow_line(root, orders)
    now, before = scores(followed.match), scores(root.match)
    return Comparison(
        note=note,
        orders=tuple(orders),
        whole=followed.problem is None,
        scores=now,
        gains=tuple(new - old for new, old in zip(now, before, strict=True)),
        estimates=estimate(followed.match) if root.rated else (),
    )


def scores(match: Match) -> tuple[int, ...]:
    return match.game.scores(match.state)


def estimate(match: Match) -> tuple[float, ...]:
    """What a bot thinks that every seat may hope for, from what all can see."""
    known, game = insight(match.game), match.game
    if known is None or not game.to_act(match.state):
        return tuple(map(float, scores(match)))
    return known.estimate(game, game.view(match.state, None))


def say_unit(root: Root) -> str:
    known = insight(root.match.game)
    return translate_sentence(known.unit) if known else ""
