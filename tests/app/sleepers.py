"""Those who sleep: lets time pass until their standing orders have answered all that they are asked."""

from __future__ import annotations

from app.matches.sleeping_seats import MAIL_AFTER
from app.platform.services import Services
from workers import standing


def answers(services: Services) -> int:
    """How many answers standing orders gave, one after the other, each some seconds after the last act."""
    given = 0
    while True:
        later = services.now() + MAIL_AFTER
        services.now = lambda later=later: later  # type: ignore[misc]  # bound at once
        if not standing.answer(services):
            return given
        given += 1
