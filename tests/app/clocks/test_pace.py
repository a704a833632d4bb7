"""How long a turn may take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.clocks.pace import DEFAULT_PACE, Calendar, calendar_of_pace, settle_pace, turn_time
from engine.core.refusal import NotUnderstood

FRIDAY_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "days_off", "due"),
    [
        (48, [], datetime(2026, 11, 22, 12, tzinfo=UTC)),
        (48, [5, 6], datetime(2026, 11, 24, 12, tzinfo=UTC)),
        (12, [5, 6], datetime(2026, 11, 21, 0, tzinfo=UTC)),
        (1, [4], datetime(2026, 11, 21, 1, tzinfo=UTC)),
        (24, [0, 1, 2, 3, 4, 5, 6], datetime(2026, 11, 21, 12, tzinfo=UTC)),
    ],
)
def test_days_off_do_not_count(hours: int, days_off: list[int], due: datetime) -> None:
    pace = {**DEFAULT_PACE, "hours": hours, "days_off": days_off}
    assert calendar_of_pace(pace).later(FRIDAY_NOON, turn_time(pace)) == due


@pytest.mark.parametrize("pace", [{"hours": 0}, {"hours": True}, {"days_off": [7]}, {"x": 1}, 5])
def test_a_pace_that_cannot_be_is_refused_with_a_sentence(pace: object) -> None:
    with pytest.raises(NotUnderstood, match=r"\w.*[.]"):
        settle_pace(pace)


@pytest.mark.parametrize(("hours", "usual"), [(48, [24]), (72, [36, 24]), (24, [12]), (1, [])])
def test_people_are_reminded_at_half_and_a_day_before(hours: int, usual: list[int]) -> None:
    assert settle_pace({"hours": hours})["reminders"] == usual
    assert settle_pace({"hours": hours, "reminders": [3]})["reminders"] == [3]
    assert settle_pace({"hours": hours, "reminders": []})["reminders"] == []


HOURS = st.integers(0, 24 * 14).map(lambda hours: FRIDAY_NOON + timedelta(hours=hours))
SPANS = st.lists(st.tuples(HOURS, HOURS).map(lambda span: (min(span), max(span))), max_size=3)
CALENDARS = st.builds(Calendar, st.frozensets(st.integers(0, 6), max_size=6), SPANS.map(tuple))


@given(CALENDARS, HOURS, st.integers(0, 60 * 24 * 4).map(lambda n: timedelta(minutes=n)))
def test_later_and_between_are_two_sides_of_one_thing(
    counted: Calendar, at: datetime, wait: timedelta
) -> None:
    due = counted.later(at, wait)
    assert due >= at + wait
    assert counted.between(at, due) == wait


@given(CALENDARS, st.tuples(HOURS, HOURS, HOURS).map(sorted))
def test_stretches_add_up(counted: Calendar, moments: list[datetime]) -> None:
    first, second, third = moments
    parts = counted.between(first, second) + counted.between(second, third)
    assert counted.between(first, third) == parts
    assert counted.between(third, first) == timedelta(0)
