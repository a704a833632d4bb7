"""Review of a match that is over: what a bot would have expected turn by turn, and where it turned.

Each seat is judged from what it saw at that moment, never from what came to light later; what a bot would have done
instead it says without a seed, and only as far as nothing is drawn or revealed. It takes seconds, so a worker does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from app.eventstore.store import load_match, load_readable_match
from app.learning.notebook import KeptLine, Notebook
from app.matches.access import Place
from app.matches.bot_moves import BEST, MOST_WEIGHED
from app.matches.bot_names import bot_name
from app.matches.participants import load_seat_names
from app.platform import tables
from app.platform.cpu_budget import OverBudget, cpu_budget
from app.platform.errors import Forbidden
from app.platform.i18n import translate_sentence
from app.platform.rows import load_present_match
from app.views.event_text import describe_event
from app.views.order_words import ToldOrder, describe_orders
from app.views.score_series import Series, load_series
from engine.core.bot import Reason
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, advance
from engine.core.registry import bots, find_bot, insight
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say
from engine.core.thought import Thought, think_ahead

POINTS = 3  # where it turned
LEAST = 0.05  # what is told as 0.0 changed nothing
LONGEST_TURN = 14  # orders that a bot is asked for
SECONDS = 8.0  # processor time for what else could have been, each time
BATCH = 3  # matches at a time
RECENT = timedelta(days=30)  # older ones are worked out when somebody asks
ASKED = 0  # the position of a review that is only asked for


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """What one seat did until another did something: `before` and `after` are what each seat could expect by its own view."""

    seat: int
    first: int
    last: int
    start: int  # the position that it began from
    before: tuple[float, ...]
    after: tuple[float, ...]
    orders: tuple[str, ...]

    @property
    def swing(self) -> float:
        """By how much it changed what whoever moved is ahead of the best of the others."""
        return lead(self.after, self.seat) - lead(self.before, self.seat)


def lead(hopes: Sequence[float], seat: int) -> float:
    return hopes[seat] - max(hope for other, hope in enumerate(hopes) if other != seat)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that mattered, and what a bot would have ordered in it; nothing where it thought too long."""

    turn: int
    orders: tuple[str, ...]


# Working it out


def unreviewed_matches(session: Session, at: datetime) -> list[str]:
    """Matches whose review somebody waits for, then those that ended lately; no bot has looked at them."""
    queries = (asked_reviews(), recent_matches(at))
    found = [id_ for query in queries for id_ in session.exec(query.limit(BATCH))]
    return list(dict.fromkeys(found))[:BATCH]


def asked_reviews() -> SelectOfScalar[str]:
    return select(tables.MatchReview.match_id).where(tables.MatchReview.head == ASKED)


def recent_matches(at: datetime) -> SelectOfScalar[str]:
    """Over, and without a review of how they ended."""
    done = col(tables.MatchReview.head)
    return (
        select(tables.Match.id)
        .outerjoin(tables.MatchReview, col(tables.MatchReview.match_id) == col(tables.Match.id))
        .where(
            tables.Match.status == "over",
            col(tables.Match.ended_at) > at - RECENT,
            or_(done.is_(None), done < col(tables.Match.head)),
        )
    )


def is_awaited(row: tables.Match, kept: tables.MatchReview | None, at: datetime) -> bool:
    """Whether the chore will take it up."""
    asked = kept is not None and kept.head == ASKED
    recent = row.ended_at is not None and row.ended_at > at - RECENT
    return asked or (recent and (kept is None or kept.head < row.head))


def load_unreviewed(session: Session, at: datetime) -> dict[str, Match | None]:
    """The same as they can be read; None for one of which nothing can be made."""
    found = {
        match_id: load_readable_match(session.connection(), match_id)
        for match_id in unreviewed_matches(session, at)
    }
    return {
        id_: match if match is not None and match.over else None for id_, match in found.items()
    }


def ask_review(session: Session, match_id: str) -> None:
    """A row without a position: the chore takes it up. What was worked out for this end of the match stays."""
    row = load_present_match(session, match_id)
    if row.status != "over":
        raise Forbidden(say("There is a review when the match is over."))
    kept = session.get(tables.MatchReview, match_id)
    if kept is None or kept.head < row.head or not kept.found:
        session.merge(tables.MatchReview(match_id=match_id, head=ASKED, found={}))


def leave_unreviewed(session: Session, match_id: str) -> tables.MatchReview:
    """The review of a match of which nothing can be made: else it would stand first in the queue for ever."""
    row = load_present_match(session, match_id)
    return tables.MatchReview(match_id=match_id, head=row.head, found={})


def review_match(match: Match) -> tables.MatchReview:
    """The review of one match, to be kept."""
    turns = list_turns(match)
    points = [
        TurningPoint(number, consider_turn(match, turns[number])) for number in turning(turns)
    ]
    found = {"turns": [asdict(one) for one in turns], "points": [asdict(one) for one in points]}
    return tables.MatchReview(match_id=match.id, head=match.head, found=found)


def list_turns(match: Match) -> list[TurnTaken]:
    """Every turn that counts, with what could be expected before and after it."""
    turns: list[TurnTaken] = []
    for seat, entries, before, after in walk_turns(match):
        hopes = turns[-1].after if turns else expect(match.game, before)
        orders = {entry.act: entry.order for entry in entries if entry.order}
        first, last = entries[0].pos, entries[-1].pos
        turns.append(
            TurnTaken(
                seat=seat,
                first=first,
                last=last,
                start=max(e.pos for e in match.timeline.effective if e.pos < first),
                before=hopes,
                after=expect(match.game, after),
                orders=tuple(orders.values()),
            )
        )
    return turns


def walk_turns(match: Match) -> Iterator[tuple[int, list[Any], Any, Any]]:
    """Each turn: its seat, its entries, and the states before and after it."""
    state, before, seat, run = None, None, None, list[Any]()
    for entry in match.timeline.effective:
        if entry.seat is not None and entry.seat != seat:
            if run and seat is not None:
                yield seat, run, before, state
            before, seat, run = state, entry.seat, []
        run.append(entry)
        state = advance(match.game, state, (entry.event,))
    if run and seat is not None:
        yield seat, run, before, state


def expect(game: Game, state: Any) -> tuple[float, ...]:
    """What each seat may hope for, judged by a bot from what that seat sees."""
    known, seats = insight(game), range(len(game.scores(state)))
    if known is None:
        return tuple(map(float, game.scores(state)))
    return tuple(round(known.estimate(game, game.view(state, seat))[seat], 2) for seat in seats)


def turning(turns: Sequence[TurnTaken]) -> list[int]:
    """The turns that changed most who was ahead, in their order; one that changed nothing is none."""
    moved = (number for number, turn in enumerate(turns) if abs(turn.swing) >= LEAST)
    by_swing = sorted(moved, key=lambda number: -abs(turns[number].swing))
    return sorted(by_swing[:POINTS])


def consider_turn(match: Match, turn: TurnTaken) -> tuple[str, ...]:
    """What a bot would have ordered, from what the seat saw; it may not find anything in its time."""
    state = None
    for entry in match.timeline.effective:
        if entry.pos > turn.start:
            break
        state = advance(match.game, state, (entry.event,))
    with suppress(OverBudget), cpu_budget(SECONDS):
        return think_turn(match.game, state, turn.seat, match.log[turn.start - 1].hash)
    return ()


def think_turn(game: Game, state: Any, seat: int, name: str) -> tuple[str, ...]:
    """A turn as a bot plays it that knows what the seat knows, up to what draws, reveals or ends it."""
    known = bots(game)
    think = find_bot(game, next(key for key in BEST if key in known))
    thought, orders = Thought(game, game.forget(state, seat), name), list[str]()
    while len(orders) < LONGEST_TURN and seat in game.to_act(thought.state):
        legal = list(islice(game.legal(thought.state, seat), MOST_WEIGHED))
        dice = Chance(name, "review", len(orders))
        action = think(game, game.view(thought.state, seat), legal, dice)
        orders.append(game.format(action))
        after = think_ahead(thought, action)
        if after is None:
            break
        thought = after
    return tuple(orders)


# Reading it


@dataclass(frozen=True, slots=True)
class Crossroads:
    """A turning point as the page tells it, as its seat saw it; `book` holds what was played and what a bot would have played."""

    turn: TurnTaken
    told: tuple[Sentence, ...]
    instead: tuple[ToldOrder, ...]
    reasons: tuple[Reason, ...]
    book: Notebook

    @property
    def same(self) -> bool:
        """Whether the bot would have played just so."""
        orders = tuple(one.order for one in self.instead)
        return orders == self.turn.orders[: len(orders)]


@dataclass(frozen=True, slots=True)
class ReviewLook:
    """The review of a match; without `turns` it is `awaited`, or nobody has asked for it."""

    row: tables.Match
    match: Match
    names: dict[int, str]
    series: Series
    turns: tuple[TurnTaken, ...]
    awaited: bool
    moments: tuple[Crossroads, ...]
    unit: Sentence | None
    bot: Sentence


def load_review(session: Session, here: Place, at: datetime) -> ReviewLook | None:
    """The review of a match; None while that is under way."""
    row = load_present_match(session, here.match_id)
    match = load_match(session.connection(), here.match_id) if row.head else None
    if match is None or not match.over:
        return None
    kept = session.get(tables.MatchReview, match.id)
    fresh = kept.found if kept is not None and kept.head == match.head else {}
    turns = tuple(read_turn(one) for one in fresh.get("turns", ()))
    known = insight(match.game)
    bot = bot_name(next(key for key in BEST if key in bots(match.game)))
    points = (TurningPoint(p["turn"], tuple(p["orders"])) for p in fresh.get("points", ()))
    return ReviewLook(
        row=row,
        match=match,
        names=load_seat_names(session, match.id),
        series=load_series(match),
        turns=turns,
        awaited=is_awaited(row, kept, at),
        moments=tuple(tell_moment(match, turns[point.turn], point, bot) for point in points),
        unit=known.unit if known else None,
        bot=bot,
    )


def read_turn(told: dict[str, Any]) -> TurnTaken:
    lists = {name: tuple(told[name]) for name in ("before", "after", "orders")}
    return TurnTaken(**{**told, **lists})


def tell_moment(match: Match, turn: TurnTaken, point: TurningPoint, bot: Sentence) -> Crossroads:
    game, known = match.game, insight(match.game)
    state = None
    for entry in match.timeline.effective:
        if entry.pos > turn.start:
            break
        state = advance(game, state, (entry.event,))
    actions = [game.parse(turn.seat, order) for order in point.orders]
    view = game.view(state, turn.seat)
    reasons = known.explain(game, view, actions) if known and actions else []
    lines = ((turn.orders, say("What was played")), (point.orders, bot))
    kept = tuple(KeptLine(orders, translate_sentence(note)) for orders, note in lines if orders)
    return Crossroads(
        turn=turn,
        told=tuple(tell_turn(match, turn)),
        instead=tuple(describe_orders(game, state, turn.seat, point.orders)),
        reasons=tuple(reasons),
        book=Notebook((), kept, turn.seat),
    )


def tell_turn(match: Match, turn: TurnTaken) -> Iterator[Sentence]:
    """What happened in a turn, as its seat saw it."""
    for entry in match.timeline.effective:
        if turn.first <= entry.pos <= turn.last and not isinstance(entry.event, match.game.asking):
            yield describe_event(match.game, redact(entry.event, turn.seat))
