"""The players' help: its pictures can be drawn and its example orders are legal."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from engine.core.manual import manual
from engine.core.match import play, start_at
from engine.core.registry import games


@cache
def blocks(key: str, kind: str) -> dict[str, str]:
    """The fenced blocks of one kind in the help of a game, by name."""
    text = manual(games()[key])
    return dict(re.findall(rf"```{kind} (\w+)\n(.*?)```", text, re.DOTALL))


CASES = [(key, name) for key in games() for name in blocks(key, "position")]


@pytest.mark.parametrize("key", games())
def test_every_picture_has_its_position(key: str) -> None:
    pictures = re.findall(r"!\[.+?\]\(board:(\w+)\)", manual(games()[key]))
    assert len(pictures) >= 3
    assert set(pictures) | set(blocks(key, "orders")) <= set(blocks(key, "position"))


@pytest.mark.parametrize(("key", "name"), CASES)
def test_positions_are_drawn_and_example_orders_are_legal(key: str, name: str) -> None:
    game = games()[key]
    match = start_at(game, json.loads(blocks(key, "position")[name]), "help")
    assert game.render(game.view(match.state, None), str).startswith("<svg")
    for order in blocks(key, "orders").get(name, "").split("\n"):
        if order.strip():
            match = play(match, game.to_act(match.state)[0], order)
