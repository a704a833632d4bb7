"""Vacations: days on which a player's clocks stand still in every match, so many in a year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from app.clocks.pace import Span
from app.platform import tables
from app.platform.errors import Forbidden, Misspelt
from app.platform.tables import Vacation
from engine.core.sentence import say

YEARLY = 30  # days
FARTHEST = 366  # days ahead that can be planned
A_DAY = timedelta(days=1)


def load_vacations(session: Session, player_id: int) -> list[Vacation]:
    """A player's vacations, past ones too, the earliest first."""
    query = select(Vacation).where(Vacation.player_id == player_id)
    return list(session.exec(query.order_by(col(Vacation.first))))


def vacation_spans(session: Session, player: tables.Player) -> Iterator[Span]:
    """When a player is away, from midnight to midnight where the player lives."""
    for taken in load_vacations(session, player.id or 0):
        zone = ZoneInfo(player.timezone)
        start, end = midnight(taken.first, zone), midnight(taken.last + A_DAY, zone)
        yield start, min(end, taken.ended_at or end)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def today(player: tables.Player, at: datetime) -> date:
    return at.astimezone(ZoneInfo(player.timezone)).date()


def days(player: tables.Player, taken: Vacation) -> Iterator[date]:
    """The days that a vacation used or will use; one that was broken off ends with the day it was."""
    last = min(taken.last, today(player, taken.ended_at)) if taken.ended_at else taken.last
    return (taken.first + number * A_DAY for number in range((last - taken.first).days + 1))


def used(player: tables.Player, taken: Iterable[Vacation]) -> Counter[int]:
    """How many days of each year are spoken for."""
    return Counter(day.year for some in taken for day in days(player, some))


@dataclass(frozen=True, slots=True)
class Shown:
    """A player's vacations to come or under way, and how many days are left this year and next."""

    taken: tuple[Vacation, ...]
    left: dict[int, int]
    earliest: date


def load_shown_vacations(player: tables.Player, taken: list[Vacation], at: datetime) -> Shown:
    now, spoken_for = today(player, at), used(player, taken)
    coming = tuple(some for some in taken if some.last >= now and some.ended_at is None)
    left = {year: max(0, YEARLY - spoken_for[year]) for year in (now.year, now.year + 1)}
    return Shown(coming, left, now)


def take_vacation(
    session: Session, player: tables.Player, first: object, last: object, at: datetime
) -> None:
    """Plans a vacation, from today on at the earliest."""
    begin, end, now = day_of(first), day_of(last), today(player, at)
    if not now <= begin <= end <= now + FARTHEST * A_DAY:
        raise Misspelt(
            say("A vacation begins today or later, ends after it begins, and within a year.")
        )
    before = load_vacations(session, player.id or 0)
    wish = Vacation(player_id=player.id or 0, first=begin, last=end)
    planned = {day for some in before for day in days(player, some)}
    if planned & set(days(player, wish)):
        raise Forbidden(say("You have a vacation on some of these days already."))
    for year, count in used(player, [*before, wish]).items():
        if count > YEARLY and count > used(player, before)[year]:
            raise Forbidden(
                say(
                    "That would be {count} days of vacation in {year}; {most} are the most.",
                    count=count,
                    year=year,
                    most=YEARLY,
                )
            )
    session.add(wish)
    session.flush()


def end_vacation(session: Session, player: tables.Player, vacation_id: int, at: datetime) -> None:
    """Comes back early: what has not begun is forgotten, what has ends now."""
    for taken in load_vacations(session, player.id or 0):
        if taken.id != vacation_id:
            continue
        if taken.first > today(player, at):
            session.delete(taken)
        elif taken.ended_at is None and taken.last >= today(player, at):
            taken.ended_at = at
            session.add(taken)
    session.flush()


def day_of(text: object) -> date:
    try:
        return date.fromisoformat(text if isinstance(text, str) and len(text) == 10 else "")
    except ValueError:
        raise Misspelt(say("A day is written as 2026-12-24.")) from None
