"""What a person is shown of time and of standing orders at a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app import asleep, clock, glance, models, play, reach, standing, store, tokens
from app.glance import Glance
from app.models import Clock
from app.play import Place
from app.settings import Settings
from engine.core.refusal import Unknown
from engine.core.registry import find
from engine.core.sentence import say

FEED = "calendar"  # what the secret link is sealed for
CLOCKS: Glance[Clock] = Glance(
    [Clock],
    glance.TABLES["clock"].c.match_id == glance.HERE,
    order=glance.TABLES["clock"].c.seat,
)


@dataclass(frozen=True, slots=True)
class Timing:
    """The clocks of a table, whose are known to all, and what only the person's own seat may know."""

    clocks: tuple[Clock, ...]
    bots: frozenset[int] = frozenset()  # seats whose player is away: a bot plays on
    standing: dict[str, Any] | None = None
    may_stand: bool = False  # the game can be answered in advance
    acts: set[int] = field(default_factory=set)  # what the seat's standing orders answered
    lost: frozenset[int] = frozenset()  # seats whose player's mails come back
    still: dict[int, datetime] = field(default_factory=dict)  # whose clocks stand still for it

    @property
    def cities(self) -> str:
        """The cities of the standing orders, as the form takes them."""
        wish = self.standing or {"cities": {}}
        return ", ".join(f"{name} {limit}" for name, limit in wish["cities"].items())


def timing(session: Session, here: Place, at: datetime) -> Timing:
    row = glance.present(session, here.match_id)
    bots_own = bots_only(session, here.match_id)
    found = CLOCKS.found(session, match=here.match_id)
    clocks = tuple(one for one in found if one.seat not in bots_own)
    lost = reach.lost(session, here.match_id)
    still = reach.standing_still(session, here.match_id, at)
    if here.seat is None:
        return Timing(clocks, stood_in(session, here.match_id), lost=lost, still=still)
    return Timing(
        clocks,
        stood_in(session, here.match_id),
        standing.get(session, here)[standing.KIND],
        standing.KIND in find(row.game).standing,
        asleep.acts_of(session, here.match_id, here.seat),
        lost,
        still,
    )


def stood_in(session: Session, match_id: str) -> frozenset[int]:
    seated = glance.SEATED.found(session, match=match_id)
    return frozenset(
        seat.number for seat, _ in seated if seat.player_id is not None and seat.bot is not None
    )


def bots_only(session: Session, match_id: str) -> frozenset[int]:
    """The seats that no person has: a bot needs no time."""
    seated = glance.SEATED.found(session, match=match_id)
    return frozenset(seat.number for seat, _ in seated if seat.bot and seat.player_id is None)


def come_back(session: Session, here: Place, at: datetime) -> None:
    """Takes one's seat back from the bot that stood in; pressing the button twice does it once."""
    seat = play.own_seat(here)
    row = play.take_turn(session, here.match_id)
    play.check_running(replace(here, status=row.status))  # paused or closed while we waited?
    before = store.load(session.connection(), here.match_id)
    after = asleep.awake(session, before, seat)
    if after is before:
        return
    asked = after.game.to_act(after.state)
    deadline = clock.arrange(session, here.match_id, asked, at)
    store.save(session.connection(), after, before.head, at, deadline=deadline)


# The deadline in a calendar


@dataclass(frozen=True, slots=True)
class Date:
    """A deadline that somebody may put into their calendar; `mine` if it is theirs to keep."""

    match_id: str
    title: str
    head: int
    due: datetime
    mine: bool


def date_of(session: Session, here: Place) -> Date:
    """The deadline of a match, for those at the table."""
    play.own_seat(here)
    row = session.get_one(models.Match, here.match_id)
    if row.deadline is None or row.status != "running":
        raise Unknown(say("No time runs in this match now."))
    running = [one for one in clock.looked_up(session, row.id) if one.due_at is not None]
    own = next((one for one in running if one.seat == here.seat), None)
    due = own.due_at if own and own.due_at else row.deadline
    return Date(row.id, row.title, row.head, due, own is not None)


def feed_token(settings: Settings, player: models.Player) -> str:
    """What stands in the secret link to a player's calendar, until they sign out everywhere."""
    return tokens.sealed(settings, FEED, [player.id, player.calendars])


def feed(session: Session, settings: Settings, token: str) -> list[Date]:
    """The deadlines behind a secret link."""
    player_id, number = tokens.unsealed(settings, FEED, token) or (None, None)
    player = session.get(models.Player, player_id) if player_id else None
    if player is None or player.deleted_at is not None or player.calendars != number:
        raise Unknown(say("There is no such calendar."))
    return dates_of(session, player.id or 0)


def dates_of(session: Session, player_id: int) -> list[Date]:
    """What a player has to answer, the most urgent first."""
    query = (
        select(models.Match, Clock)
        .join(Clock, col(Clock.match_id) == col(models.Match.id))
        .join(
            models.Seat,
            (col(models.Seat.match_id) == col(Clock.match_id))
            & (col(models.Seat.number) == col(Clock.seat)),
        )
        .where(
            models.Seat.player_id == player_id,
            models.Match.status == "running",
            col(Clock.due_at).is_not(None),
        )
        .order_by(col(Clock.due_at))
    )
    return [
        Date(row.id, row.title, row.head, found.due_at, True)
        for row, found in session.exec(query)
        if found.due_at is not None
    ]
