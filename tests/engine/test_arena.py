"""The arena plays fair: seats turn, deals repeat, shared wins are shared, and who cheats loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core import arena
from engine.core.arena import Forfeit, Result
from engine.core.bot import Bot, random
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.registry import games

CUZCO = games()["cuzco"]


@pytest.mark.parametrize("bots", [2, 3, 4])
def test_every_bot_sits_as_often_at_every_seat_with_every_deal(bots: int) -> None:
    met = Counter(
        (arena.deal(match, bots), seat, bot)
        for match in range(3 * bots)
        for seat, bot in enumerate(arena.seating(match, bots))
    )
    assert len(met) == 3 * bots * bots
    assert set(met.values()) == {1}


def test_the_same_seed_gives_the_same_match() -> None:
    one, two, other = (arena.play(CUZCO, [random, random], seed) for seed in "aab")
    assert one == two != other


def test_a_match_tells_scores_winners_and_orders() -> None:
    result = arena.play(CUZCO, [random] * 3, "three")
    assert len(result.scores) == len(result.orders) == 3
    assert {result.scores[seat] for seat in result.winners} == {max(result.scores)}
    assert result.loser is None


def gives_up(game: Game, view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    raise Forfeit("It is tired.")


def cheats(game: Game, view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    return CUZCO.parse(view.seat, "build e14 10")


def talks(game: Game, view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    return "checkmate"


def walks_to_and_fro(game: Game, view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    """Brings an Inca into the valley and walks it about for nothing, for ever."""
    orders = {game.format(x): x for x in legal}
    free = [orders[move] for move in ("move k8 l9", "move l9 k8") if move in orders]
    return free[0] if free else orders.get("place triple l7 k8 l9") or orders["enter l9"]


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (gives_up, "It is tired."),
        (cheats, "It chose build e14 10, which is not legal."),
        (talks, "It chose 'checkmate', which is not legal."),
    ],
)
def test_who_cannot_go_on_loses_with_a_sentence(bot: Bot, why: str) -> None:
    result = arena.play(CUZCO, [random, bot], "forfeit")
    assert (result.loser, result.winners, result.why) == (1, (0,), why)


def test_who_never_ends_a_turn_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "LONGEST", 30)
    result = arena.play(CUZCO, [walks_to_and_fro, random], "endless")
    assert (result.loser, result.orders) == (0, (30, 0))
    assert result.why == "It gave 30 orders in a row."


def test_tallies_follow_the_bots_from_seat_to_seat() -> None:
    results = [
        Result(scores=(10, 4), winners=(0,), orders=(30, 20)),  # the first bot sits first
        Result(scores=(6, 6), winners=(0, 1), orders=(22, 34)),  # and here second
        Result(scores=(1, 9), winners=(1,), orders=(10, 10)),
    ]
    first, second = arena.tallies(results)
    assert (first.wins, second.wins) == (1.5, 1.5)
    assert (first.score, second.score) == (17 / 3, 19 / 3)
    assert (first.orders, second.orders) == (74 / 3, 52 / 3)


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (130, 200, 0.5817, 0.7126),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_the_interval_is_wilsons(wins: int, matches: int, low: float, high: float) -> None:
    assert arena.wilson(wins, matches) == pytest.approx((low, high), abs=5e-4)
