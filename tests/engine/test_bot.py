"""Bots choose one of the legal actions from what their seat sees."""

from __future__ import annotations

import pytest

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import start
from engine.core.refusal import Unknown
from engine.core.registry import bots, find_bot, games


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_every_bot_chooses_a_legal_action(game: Game) -> None:
    match = start(game, game.seats[0], {}, "bots")
    seat = game.to_act(match.state)[0]
    legal = list(game.legal(match.state, seat))
    for bot in bots(game).values():
        assert bot(game, game.view(match.state, seat), legal, Chance("dice", "bots", 1)) in legal


def test_an_unknown_bot_is_told_with_those_there_are() -> None:
    with pytest.raises(Unknown, match='no bot "clever" for Cuzco; there are random'):
        find_bot(games()["cuzco"], "clever")
