"""Thinking ahead: it holds no seed and tells nothing that an order would draw, reveal or open."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from engine.core.match import Match, act, advance, play
from engine.core.refusal import NotAsked
from engine.core.registry import games
from engine.core.sentence import foretold
from engine.core.thought import Thought, begin_thought, is_revealing, think_ahead
from engine.core.timeline import CORE_EVENTS
from tests.engine.matches import Rigid, walk


def last_positions(key: str, seed: int = 0) -> list[Match]:
    """The last moments of a random match, before its last order."""
    return list(walk(key, games()[key].seats[0], seed))[-12:-1]


def legal(match: Match) -> list[Any]:
    game = match.game
    return [action for seat in game.to_act(match.state) for action in game.legal(match.state, seat)]


def test_a_thought_has_no_room_for_a_seed_or_a_log() -> None:
    assert [part.name for part in fields(Thought)] == ["game", "state", "hash", "acts"]


@pytest.mark.parametrize("key", games())
def test_an_order_after_which_nobody_is_asked_is_not_thought(key: str) -> None:
    ended = 0
    for match in last_positions(key):
        thought = begin_thought(match)
        for action in legal(match):
            if not act(match, action).over:
                continue
            ended += 1
            assert think_ahead(thought, action) is None
            assert is_revealing(match.game, match.state, action)
    assert ended


@pytest.mark.parametrize("key", games())
def test_what_is_thought_are_the_games_own_events_as_they_would_be_played(key: str) -> None:
    for match in last_positions(key):
        for action in legal(match)[:40]:
            after = think_ahead(begin_thought(match), action)
            if after is None:
                continue
            (events,) = after.acts
            assert not any(isinstance(event, CORE_EVENTS) for event in events)
            played = act(match, action)
            assert tuple(entry.event for entry in played.log[match.head :]) == events
            assert after.state == played.state
            assert after.hash not in {entry.hash for entry in played.log}


TIMELESS = {"{era}: {phase}.", "The order of play is now {order}."}


@pytest.mark.parametrize("key", games())
def test_what_has_not_happened_is_not_told_as_if_it_had(key: str) -> None:
    told = [
        match.game.describe(event)
        for match in list(walk(key, games()[key].seats[0], 0))[::5]
        for action in legal(match)[::9]
        if (after := think_ahead(begin_thought(match), action))
        for event in after.acts[-1]
    ]
    assert told
    past = {one.one for one in told if str(foretold(one)) == str(one)}
    assert not past - TIMELESS


@pytest.mark.parametrize("key", games())
def test_what_is_thought_draws_nothing(key: str) -> None:
    for match in last_positions(key):
        for action in legal(match)[:40]:
            if not is_revealing(match.game, match.state, action):
                events = match.game.decide(match.state, action, Rigid())
                assert match.game.to_act(advance(match.game, match.state, events))


def test_an_order_that_draws_is_not_thought_though_its_game_keeps_silent_about_it() -> None:
    game = replace(games()["cuzco"], commits=lambda _state, _action: False)
    match = play(next(iter(walk("cuzco", 2, 0))), 0, "place triple e14 e16 d15")
    drawing = [action for action in legal(match) if game.format(action) == "draw pile"]
    assert [think_ahead(Thought(game, match.state, ""), action) for action in drawing] == [None]


def test_who_is_not_asked_cannot_think_either() -> None:
    match = next(iter(walk("cuzco", 2, 0)))
    (asked,) = match.game.to_act(match.state)
    with pytest.raises(NotAsked):
        think_ahead(begin_thought(match), match.game.parse(1 - asked, "end"))
