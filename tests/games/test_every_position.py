"""The history stops at every event, also in the middle of an order: each such position can be shown."""

from __future__ import annotations

import pytest

from engine.core.match import advance
from engine.core.registry import games
from tests.app.seated import played

SOME = 20  # of so many moments one is drawn: pictures cost the most


@pytest.mark.parametrize("key", games())
def test_every_moment_of_a_match_has_a_text_and_a_picture(key: str) -> None:
    match = played(350, f"moments{key}", key, games()[key].seats[-1])
    game, state = match.game, None
    for entry in match.log:
        state = advance(game, state, (entry.event,))
        if state is not None:
            view = game.view(state, entry.pos % 2)
            assert game.chart(view, str)
            assert game.summary(view)
            assert isinstance(game.parts(view), list | tuple)
            assert entry.pos % SOME or game.render(view, str)
