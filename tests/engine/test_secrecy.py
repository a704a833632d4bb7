"""Who may know what of an event: one seat, or nobody as long as the match runs."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.core.game import private
from engine.core.secrecy import hidden_parts, is_private, redact


@dataclass(frozen=True, slots=True)
class Dealt:
    seat: int
    card: str | None = private("seat")
    pile: tuple[str, ...] | None = private(None)


@dataclass(frozen=True, slots=True)
class Shuffled:
    pile: tuple[str, ...] | None = private(None)


@dataclass(frozen=True, slots=True)
class Told:
    seat: int


DEALT = Dealt(1, "kero", ("tumi",))


@pytest.mark.parametrize(
    ("seat", "known"),
    [(1, Dealt(1, "kero", None)), (0, Dealt(1, None, None)), (None, Dealt(1, None, None))],
)
def test_a_card_is_for_the_eyes_of_its_seat_and_the_pile_for_nobodys(
    seat: int | None, known: Dealt
) -> None:
    assert redact(DEALT, seat) == known
    assert ("card" in hidden_parts(DEALT, seat)) == (known.card is None)


def test_what_holds_no_secret_is_known_to_everybody() -> None:
    assert [redact(Told(1), seat) for seat in (0, 1, None)] == [Told(1)] * 3


def test_private_is_what_one_seat_may_know_and_not_what_nobody_may() -> None:
    assert [is_private(event) for event in (DEALT, Shuffled(("tumi",)), Told(1))] == [
        True,
        False,
        False,
    ]
