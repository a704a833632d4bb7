"""Quiet hours: when a player sleeps, mails about matches wait until morning, by the player's own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.platform.errors import Misspelt
from app.platform.tables import Player
from engine.core.sentence import say

A_DAY = timedelta(days=1)


def quiet_until(player: Player, at: datetime) -> datetime:
    """When a mail of this moment may go out: now, or when the quiet hours end."""
    if player.quiet_from is None or player.quiet_to is None:
        return at
    here = at.astimezone(ZoneInfo(player.timezone))
    since, to = clock_time(player.quiet_from), clock_time(player.quiet_to)
    today, now = here.date(), here.time()
    if since < to:
        return moment(here, today, to) if since <= now < to else at
    if now >= since:
        return moment(here, today + A_DAY, to)
    return moment(here, today, to) if now < to else at


def moment(here: datetime, day: date, to: time) -> datetime:
    """A time of day where the player is, in UTC; never before now, whatever the clocks were set to."""
    wall = datetime.combine(day, to, here.tzinfo)
    return max(wall.astimezone(UTC), here.astimezone(UTC))


def clock_time(minutes: int) -> time:
    return time(*divmod(minutes, 60))


def settle_quiet_hours(since: object, to: object) -> tuple[int | None, int | None]:
    """Quiet hours as somebody wrote them: two times of day, or nothing for none."""
    if not since and not to:
        return None, None
    first, last = minutes_of(since), minutes_of(to)
    return (None, None) if first == last else (first, last)


def minutes_of(text: object) -> int:
    try:
        told = time.fromisoformat(text if isinstance(text, str) and len(text) == 5 else "")
    except ValueError:
        raise Misspelt(say("Quiet hours are two times of day, such as 22:00 and 07:30.")) from None
    return told.hour * 60 + told.minute


def format_time_of_day(minutes: int | None) -> str:
    """A time of day as forms write it."""
    return "" if minutes is None else clock_time(minutes).strftime("%H:%M")
