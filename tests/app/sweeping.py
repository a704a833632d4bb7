"""Many clocks, several sweepers, deaths and changes of the clock: what must happen is told by a slow oracle.

Time goes by quarters of an hour, and everything in a case falls on one: so a mail must bear exactly the moment that
the oracle found by walking through the calendar quarter by quarter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from app.clocks.clocks import arrange_clocks
from app.eventstore.store import save_match
from app.platform import tables
from app.platform.database import Database
from app.platform.tables import Clock
from engine.core import chain
from engine.core.match import start
from engine.core.registry import find

QUARTER = timedelta(minutes=15)
# On 25 October clocks go back in Paris, on 1 November in New York; on 4 October they went forward in Lord Howe
# (by half an hour), on 29 March forward in Paris, on 8 March in New York.
BEGINS = [datetime(2026, 10, 23, tzinfo=UTC), datetime(2026, 3, 27, tzinfo=UTC)]
ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]
Told = tuple[datetime, str, str]  # when, what kind of mail, and the phase it tells of


@dataclass(frozen=True)
class Case:
    """One clock: the pace of its match, where its player lives, and the days that the player is away."""

    match_id: str
    asked_at: datetime
    pace: dict[str, object]
    zone: str
    away: tuple[date, date] | None

    def counts(self, at: datetime) -> bool:
        here = at.astimezone(ZoneInfo(self.zone)).date()
        gone = self.away is not None and self.away[0] <= here <= self.away[1]
        return not gone and at.weekday() not in self.pace["days_off"]  # type: ignore[operator]

    def after(self, at: datetime, hours: int) -> datetime:
        """The slow way to a deadline."""
        quarters = hours * 4
        while quarters:
            quarters -= self.counts(at)
            at += QUARTER
        return at

    def expected(self) -> list[Told]:
        """Every mail about this clock if nobody ever answers."""
        hours, bank = int(str(self.pace["hours"])), int(str(self.pace["bank_hours"]))
        turn_ends = self.after(self.asked_at, hours)
        told = self.reminded(self.asked_at, turn_ends, "turn")
        end = turn_ends
        if bank:
            end = self.after(turn_ends, bank)
            told += [(turn_ends, "reminder", "bank"), *self.reminded(turn_ends, end, "bank")]
        told.append((end, "reminder", "over"))
        return sorted(told + ([(end, "timeout", "")] if self.ends == "moderator" else []))

    def reminded(self, since: datetime, end: datetime, phase: str) -> list[Told]:
        hours: list[int] = self.pace["reminders"]  # type: ignore[assignment]
        moments = (end - timedelta(hours=left) for left in hours)
        return [(at, "reminder", phase) for at in moments if at > since]

    @property
    def ends(self) -> object:
        return self.pace["on_timeout"]


def cases(count: int, seed: int) -> list[Case]:
    dice = Random(seed)
    return [case(dice, f"clock{number:05}") for number in range(count)]


def case(dice: Random, match_id: str) -> Case:
    asked = dice.choice(BEGINS) + dice.randrange(4 * 72) * QUARTER
    first = asked.date() + timedelta(days=dice.randrange(0, 3))
    return Case(
        match_id,
        asked,
        {
            "hours": dice.choice([3, 12, 24, 36]),
            "bank_hours": dice.choice([0, 6, 12]),
            "reminders": dice.choice([[], [6], [12, 2]]),
            "days_off": dice.choice([[], [6], [5, 6]]),
            "on_timeout": dice.choices(["remind", "moderator", "bot"], [5, 4, 1])[0],
        },
        dice.choice(ZONES),
        dice.choice([None, (first, first + timedelta(days=dice.randrange(2)))]),
    )


# Setting them


def set_up(database: Database, some: list[Case]) -> None:
    """Each case is a match of its own that waits for its first seat."""
    begun = start(find("cuzco"), 2, {}, "a seed for tests", "anymatch22")
    with database.session() as session:
        owner = tables.Player(email="owner@example.com", name="Owner")
        session.add(owner)
        session.flush()
        for one in some:
            ask(session, one, owner)
            if one.ends == "bot":  # only these are looked into
                match = replace(begun, id=one.match_id)
                save_match(session.connection(), match, 0, one.asked_at)


def ask(session: Session, one: Case, owner: tables.Player) -> None:
    player = tables.Player(email=f"{one.match_id}@example.com", name="P", timezone=one.zone)
    session.add(player)
    session.add(
        tables.Match(
            id=one.match_id,
            game="cuzco",
            title="A table",
            owner_id=owner.id,
            pace=one.pace,
            status="running",
            seats=2,
            hash=chain.GENESIS,
        )
    )
    session.flush()
    session.add(tables.Seat(match_id=one.match_id, number=0, player_id=player.id))
    session.add(tables.Seat(match_id=one.match_id, number=1, bot="random"))
    if one.away:
        first, last = one.away
        session.add(tables.Vacation(player_id=player.id or 0, first=first, last=last))
    session.flush()
    arrange_clocks(session, one.match_id, [0], one.asked_at)


# Letting time pass


def run(database: Database, some: list[Case], sweep: Callable[[datetime], None]) -> int:
    """Walks from the first question to the last deadline; gives the number of moments that passed."""
    set_up(database, some)
    told = {one.match_id: one.expected() for one in some}
    moments = sorted({moment for mails in told.values() for moment, _, _ in mails})
    for moment in moments:
        sweep(moment)
    assert waiting(database, moments[-1]) == 0
    check(database, some, told)
    return sum(len(mails) for mails in told.values())


def waiting(database: Database, at: datetime) -> int:
    """How many clocks should have been looked at by now."""
    with database.look() as session:
        return session.exec(select(func.count()).where(col(Clock.wake_at) <= at)).one()


def check(database: Database, some: list[Case], told: dict[str, list[Told]]) -> None:
    found: dict[str, list[Told]] = defaultdict(list)
    with database.look() as session:
        for mail in session.exec(select(tables.Outbox)):
            phase = mail.payload.get("phase", "")
            found[mail.match_id or ""].append((mail.created_at, mail.kind, phase))
        clocks = {one.match_id: one for one in session.exec(select(Clock)) if one.seat == 0}
        query = select(tables.Event.match_id).where(tables.Event.kind == "StoodIn")
        stood_in = sorted(session.exec(query))
    wrong = {name: (mails, sorted(found[name])) for name, mails in told.items()
             if sorted(found[name]) != mails}  # fmt: skip
    assert not wrong, list(wrong.items())[:3]
    assert stood_in == sorted(one.match_id for one in some if one.ends == "bot")
    for one in some:
        assert clocks[one.match_id].phase == ("idle" if one.ends == "bot" else "over")
