"""What time is to a person: quiet hours and vacations, by their own clock and calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlmodel import select

from app.clocks.quiet_hours import quiet_until, settle_quiet_hours
from app.clocks.vacations import (
    end_vacation,
    load_shown_vacations,
    load_vacations,
    take_vacation,
    today,
    used,
    vacation_spans,
)
from app.outbox.notifications import notify_player
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.errors import Forbidden, Misspelt
from app.platform.services import Services

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)


def sleeper(zone: str = "UTC", since: str = "22:00", to: str = "07:30") -> tables.Player:
    first, last = settle_quiet_hours(since, to)
    return tables.Player(
        id=1, name="Ana", email="a@example.org", timezone=zone, quiet_from=first, quiet_to=last
    )


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Quiet hours


@pytest.mark.parametrize(
    ("zone", "since", "to", "at", "until"),
    [
        ("UTC", "22:00", "07:30", "2026-06-10 21:59", "2026-06-10 21:59"),
        ("UTC", "22:00", "07:30", "2026-06-10 22:00", "2026-06-11 07:30"),
        ("UTC", "22:00", "07:30", "2026-06-11 03:00", "2026-06-11 07:30"),
        ("UTC", "22:00", "07:30", "2026-06-11 07:30", "2026-06-11 07:30"),
        ("UTC", "01:00", "05:00", "2026-06-11 02:00", "2026-06-11 05:00"),
        ("UTC", "01:00", "05:00", "2026-06-11 05:00", "2026-06-11 05:00"),
        ("Asia/Tokyo", "22:00", "07:00", "2026-06-10 13:00", "2026-06-10 22:00"),
        ("Asia/Tokyo", "22:00", "07:00", "2026-06-10 12:59", "2026-06-10 12:59"),
        # The clock goes forward at 2:00: there is no 2:30, and 3:30 comes an hour sooner.
        ("Europe/Paris", "22:00", "02:30", "2026-03-28 23:00", "2026-03-29 01:30"),
        ("Europe/Paris", "22:00", "07:00", "2026-03-28 23:00", "2026-03-29 05:00"),
        # The clock goes back at 3:00: 2:30 comes twice, and seven an hour later.
        ("Europe/Paris", "22:00", "07:00", "2026-10-24 23:00", "2026-10-25 06:00"),
        ("Europe/Paris", "22:00", "02:30", "2026-10-25 01:15", "2026-10-25 01:15"),
    ],
)
def test_a_mail_waits_until_the_quiet_hours_end(
    zone: str, since: str, to: str, at: str, until: str
) -> None:
    assert quiet_until(sleeper(zone, since, to), utc(at)) == utc(until)


def test_a_mail_never_waits_longer_than_a_day_and_an_hour() -> None:
    for zone in ("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"):
        player, at = sleeper(zone, "21:15", "09:45"), utc("2026-01-01 00:00")
        while at.year == 2026:
            waits = quiet_until(player, at) - at
            assert timedelta(0) <= waits <= timedelta(hours=14)
            at += timedelta(minutes=37)


def test_without_quiet_hours_nothing_waits() -> None:
    assert quiet_until(sleeper(since="", to=""), NOON) == NOON
    assert quiet_until(sleeper(since="08:00", to="08:00"), NOON) == NOON


@pytest.mark.parametrize(("since", "to"), [("22:00", ""), ("25:00", "07:00"), ("x", "y"), (5, 6)])
def test_times_that_cannot_be_are_refused(since: object, to: object) -> None:
    with pytest.raises(Misspelt, match="two times of day"):
        settle_quiet_hours(since, to)


def test_mails_about_matches_wait_and_others_do_not(services: Services) -> None:
    night = utc("2026-06-10 23:00")
    with services.database.session() as session:
        session.add(sleeper())
        session.flush()
        enqueue_mail(session, "login", night, email="a@example.org")
        session.add(
            tables.Match(id="m2", game="cuzco", title="T", seats=2, hash="", created_at=NOON)
        )
        session.flush()
        notify_player(session, "m2", 1, 1, "turn", at=night)
        session.flush()
        waits = {row.kind: row.not_before for row in session.exec(select(tables.Outbox))}
    assert waits == {"login": night, "turn": utc("2026-06-11 07:30")}


# Vacations


def away(services: Services, *spans: tuple[str, str], at: datetime = NOON) -> list[tuple[int, int]]:
    """Takes them one after the other; the days used by year."""
    with services.database.session() as session:
        player = sleeper("Pacific/Auckland")
        session.add(player)
        session.flush()
        for first, last in spans:
            take_vacation(session, player, first, last, at)
        taken = load_vacations(session, 1)
        return sorted(used(player, taken).items())


def test_days_count_for_their_year(services: Services) -> None:
    assert away(services, ("2026-12-20", "2027-01-10")) == [(2026, 12), (2027, 10)]


def test_a_year_has_so_many_days_of_vacation(services: Services) -> None:
    with pytest.raises(Forbidden, match="31 days of vacation in 2026; 30 are the most"):
        away(services, ("2026-07-01", "2026-07-20"), ("2026-08-01", "2026-08-11"))


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-06-10", "2026-06-12"),  # it is the eleventh in Auckland already
        ("2026-07-02", "2026-07-01"),
        ("2027-08-01", "2027-08-02"),
        ("soon", "later"),
        ("2026-02-30", "2026-03-01"),
        ("", ""),
    ],
)
def test_days_that_cannot_be_are_refused(services: Services, first: str, last: str) -> None:
    with pytest.raises(Misspelt, match=r"\w.*[.]"):
        away(services, (first, last))


def test_no_day_is_taken_twice(services: Services) -> None:
    with pytest.raises(Forbidden, match="already"):
        away(services, ("2026-07-01", "2026-07-05"), ("2026-07-05", "2026-07-06"))


def test_who_comes_back_early_has_used_the_days_until_then(services: Services) -> None:
    away(services, ("2026-07-01", "2026-07-10"), ("2026-08-01", "2026-08-10"))
    with services.database.session() as session:
        player = session.get_one(tables.Player, 1)
        first, second = load_vacations(session, 1)
        back = utc("2026-07-02 20:00")  # the third, in Auckland
        for taken in (first, second):
            end_vacation(session, player, taken.id or 0, back)
        (left,) = load_vacations(session, 1)
        assert used(player, [left]) == {2026: 3}
        assert list(vacation_spans(session, player)) == [(utc("2026-06-30 12:00"), back)]
        assert load_shown_vacations(player, [left], back).left == {2026: 27, 2027: 30}
        assert load_shown_vacations(player, [left], back).taken == ()


def test_a_vacation_goes_from_midnight_to_midnight_also_when_the_clocks_change(
    services: Services,
) -> None:
    with services.database.session() as session:
        player = sleeper("Europe/Paris")
        session.add(player)
        session.flush()
        take_vacation(session, player, "2026-10-25", "2026-10-25", NOON)
        ((start, end),) = vacation_spans(session, player)
    assert end - start == timedelta(hours=25)
    assert today(player, start) == date(2026, 10, 25)
