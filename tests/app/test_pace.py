"""How long a turn may take."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.pace import DEFAULT, deadline, settle_pace
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
    assert deadline({**DEFAULT, "hours": hours, "days_off": days_off}, FRIDAY_NOON) == due


@pytest.mark.parametrize("pace", [{"hours": 0}, {"hours": True}, {"days_off": [7]}, {"x": 1}, 5])
def test_a_pace_that_cannot_be_is_refused_with_a_sentence(pace: object) -> None:
    with pytest.raises(NotUnderstood, match=r"\w.*[.]"):
        settle_pace(pace)
