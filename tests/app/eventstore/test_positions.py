"""The state at every position is the same whether one walks there or jumps."""

from __future__ import annotations

from random import Random

import pytest

from app.eventstore.positions import STATES, state_at
from engine.core.match import Match, restore, rewind
from engine.core.refusal import Unknown
from tests.app.kept import ends
from tests.app.seated import played


def state(match: Match, pos: int) -> object:
    try:
        return state_at(match, pos)
    except Unknown:
        return None


@pytest.mark.parametrize("turned", [False, True])
def test_walking_and_jumping_lead_to_the_same_state(turned: bool) -> None:
    match = played(40)
    if turned:
        back = rewind(match, match.head - 12, "Ana", "a slip")
        match = rewind(restore(back, "Ana"), match.head - 5, "Ana", "another")
    STATES.clear()
    walked = [state(match, pos) for pos in range(1, match.head + 1)]
    for pos in range(1, match.head + 1):
        STATES.clear()
        assert state(match, pos) == walked[pos - 1], pos


def test_snapshots_lead_to_the_same_state_in_whatever_order_one_looks() -> None:
    match = played(140)
    match = restore(rewind(match, ends(match)[-70], "Ana", "a slip"), "Ana")
    match = rewind(match, ends(match)[-100], "Ana", "another")
    STATES.clear()
    walked = [state(match, pos) for pos in range(1, match.head + 1)]
    STATES.clear()
    order = Random(1).sample(range(1, match.head + 1), match.head)
    assert {pos: state(match, pos) for pos in order} == dict(enumerate(walked, 1))
