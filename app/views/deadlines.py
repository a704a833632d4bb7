"""What a person is shown of time and of standing orders at a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session, col, select

from app.clocks.clocks import load_clocks
from app.matches.access import Place, check_own_seat
from app.matches.sleeping_seats import load_answered_acts
from app.matches.standing_orders import load_standing_orders, questions_of
from app.outbox.deliverability import load_lost_seats, load_still_seats
from app.platform import tables
from app.platform.rows import HERE, SEATED, TABLES, RowQuery
from app.platform.settings import Settings
from app.platform.tables import Clock
from app.platform.tokens import seal_value, unseal_value
from engine.core.game import Standing
from engine.core.refusal import Unknown
from engine.core.sentence import say

FEED = "calendar"  # what the secret link is sealed for
CLOCKS: RowQuery[Clock] = RowQuery(
    [Clock],
    TABLES["clock"].c.match_id == HERE,
    order=TABLES["clock"].c.seat,
)


@dataclass(frozen=True, slots=True)
class StandingForm:
    """The form in which a seat says how one question is answered while it sleeps, as it stands."""

    question: str
    rule: Standing
    kept: bool
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Timing:
    """The clocks of a table, whose are known to all, and what only the person's own seat may know."""

    clocks: tuple[Clock, ...]
    bots: frozenset[int] = frozenset()  # seats whose player is away: a bot plays on
    standing: tuple[StandingForm, ...] = ()  # what the game lets be answered in advance
    acts: set[int] = field(default_factory=set)  # what the seat's standing orders answered
    lost: frozenset[int] = frozenset()  # seats whose player's mails come back
    still: dict[int, datetime] = field(default_factory=dict)  # whose clocks stand still for it

    @property
    def pressing(self) -> bool:
        """Whether somebody's bank runs or is empty, a clock stands still, or a bot plays on: worth a line above the board."""
        return any(
            clock.phase in ("bank", "over") or clock.left is not None or clock.seat in self.bots
            for clock in self.clocks
        )


def load_timing(session: Session, here: Place, at: datetime) -> Timing:
    bots_own = bots_only(session, here.match_id)
    found = CLOCKS.found(session, match=here.match_id)
    clocks = tuple(one for one in found if one.seat not in bots_own)
    lost = load_lost_seats(session, here.match_id)
    still = load_still_seats(session, here.match_id, at)
    if here.seat is None:
        return Timing(clocks, stood_in(session, here.match_id), lost=lost, still=still)
    return Timing(
        clocks,
        stood_in(session, here.match_id),
        standing_forms(session, here),
        load_answered_acts(session, here.match_id, here.seat),
        lost,
        still,
    )


def standing_forms(session: Session, here: Place) -> tuple[StandingForm, ...]:
    rules, kept = questions_of(session, here), load_standing_orders(session, here)
    return tuple(
        StandingForm(
            question,
            rules[question],
            wish is not None,
            rules[question].to_form(wish) if wish else {},
        )
        for question, wish in kept.items()
    )


def stood_in(session: Session, match_id: str) -> frozenset[int]:
    seated = SEATED.found(session, match=match_id)
    return frozenset(
        seat.number for seat, _ in seated if seat.player_id is not None and seat.bot is not None
    )


def bots_only(session: Session, match_id: str) -> frozenset[int]:
    """The seats that no person has: a bot needs no time."""
    seated = SEATED.found(session, match=match_id)
    return frozenset(seat.number for seat, _ in seated if seat.bot and seat.player_id is None)


# The deadline in a calendar


@dataclass(frozen=True, slots=True)
class Date:
    """A deadline that somebody may put into their calendar; `mine` if it is theirs to keep."""

    match_id: str
    title: str
    head: int
    due: datetime
    mine: bool


def load_deadline(session: Session, here: Place) -> Date:
    """The deadline of a match, for those at the table."""
    check_own_seat(here)
    row = session.get_one(tables.Match, here.match_id)
    if row.deadline is None or row.status != "running":
        raise Unknown(say("No time runs in this match now."))
    running = [one for one in load_clocks(session, row.id) if one.due_at is not None]
    own = next((one for one in running if one.seat == here.seat), None)
    due = own.due_at if own and own.due_at else row.deadline
    return Date(row.id, row.title, row.head, due, own is not None)


def calendar_token(settings: Settings, player: tables.Player) -> str:
    """What stands in the secret link to a player's calendar, until they sign out everywhere."""
    return seal_value(settings, FEED, [player.id, player.calendars])


def load_calendar_feed(session: Session, settings: Settings, token: str) -> list[Date]:
    """The deadlines behind a secret link."""
    player_id, number = unseal_value(settings, FEED, token) or (None, None)
    player = session.get(tables.Player, player_id) if player_id else None
    if player is None or player.deleted_at is not None or player.calendars != number:
        raise Unknown(say("There is no such calendar."))
    return dates_of(session, player.id or 0)


def dates_of(session: Session, player_id: int) -> list[Date]:
    """What a player has to answer, the most urgent first."""
    query = (
        select(tables.Match, Clock)
        .join(Clock, col(Clock.match_id) == col(tables.Match.id))
        .join(
            tables.Seat,
            (col(tables.Seat.match_id) == col(Clock.match_id))
            & (col(tables.Seat.number) == col(Clock.seat)),
        )
        .where(
            tables.Seat.player_id == player_id,
            tables.Match.status == "running",
            col(Clock.due_at).is_not(None),
        )
        .order_by(col(Clock.due_at))
    )
    return [
        Date(row.id, row.title, row.head, found.due_at, True)
        for row, found in session.exec(query)
        if found.due_at is not None
    ]
