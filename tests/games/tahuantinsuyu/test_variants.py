"""The three variants, alone and together (N-V)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.match import start
from engine.core.playout import random_match
from engine.core.refusal import Unknown
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.printed_board import board
from tests.games.tahuantinsuyu.tables import new, table


@pytest.mark.parametrize("phase", [1, 2, 3, 4])
def test_pizarro_ends_the_match_after_his_phase(phase: int) -> None:  # N-V
    parts = {"period": 6, "step": 2 * phase, "order": [1, 2, 3, 0], "turn": {"seat": 0}}
    match = table(options={"pizarro": True}, pizarro=phase, **parts)
    assert match.view("A")["pizarro"] is None
    match.play("end")
    assert match.match.over
    assert match.event(e.PizarroCame) == e.PizarroCame(phase)
    assert [x.step for x in match.events if isinstance(x, e.PhaseBegan)] == [9]
    assert match.view("A")["pizarro"] == phase


def test_before_his_phase_the_match_goes_on() -> None:  # N-V
    parts = {"period": 6, "step": 2, "order": [1, 2, 3, 0], "turn": {"seat": 0}}
    hands = [["el_nino"], ["epidemic"], ["resistance"], ["wild_road"]]
    match = table(options={"pizarro": True}, pizarro=2, hands=hands, **parts).play("end")
    assert match.state["step"] == 3


def test_his_phase_is_drawn_with_equal_chance_and_hidden() -> None:  # N-V
    drawn = Counter(new(seed=f"{n}", pizarro=True).state["pizarro"] for n in range(80))
    assert set(drawn) == {1, 2, 3, 4}
    assert min(drawn.values()) > 8
    match = new(pizarro=True)
    assert all(match.view(letter)["pizarro"] is None for letter in ("A", "B", "C", "D", None))


def test_without_the_variant_pizarro_comes_at_the_end() -> None:  # N-V
    match = random_match(GAME, 4, 3)
    assert match.state.pizarro is None
    assert not any(isinstance(x.event, e.PizarroCame) for x in match.log)


def test_an_early_decline_skips_two_columns_and_has_no_pilgrimages() -> None:  # N-V
    match = random_match(GAME, 4, 5, early_decline=True)
    periods = {x.event.period for x in match.log if isinstance(x.event, e.PhaseBegan)}
    assert periods == {0, 1, 2, 4, 6}
    deck = board(4, 1).deck({"early_decline": True})
    assert len(deck) == 29
    assert not any("pilgrimage" in card for card in deck)


def test_an_early_decline_is_refused_with_three() -> None:  # N-V
    with pytest.raises(Unknown, match="for four players, not for 3"):
        start(GAME, 3, {"early_decline": True}, "seed")
    with pytest.raises(Unknown, match="for four players, not for 3"):
        table(3, options={"early_decline": True})


@pytest.mark.parametrize("seats", [3, 4])
def test_the_gods_give_four_kingdoms_face_up(seats: int) -> None:  # N-V
    state = new(seats, gift_of_the_gods=True).state
    gifts = [region.id for region in board(seats, 1).regions if region.hand]
    assert len(gifts) == 4
    for region in gifts:
        assert state["markers"][region]["type"] == "kingdom"
        assert state["markers"][region]["up"]
    types = Counter(marker["type"] for marker in state["markers"].values())
    assert types + Counter(state["spare"]) == Counter(board(seats, 1).all_markers)


@pytest.mark.parametrize("seed", range(4))
def test_all_variants_may_be_combined(seed: int) -> None:  # N-V
    options = {"pizarro": True, "early_decline": True, "gift_of_the_gods": True}
    match = random_match(GAME, 4, seed, **options)
    assert match.over
    assert match.state.pizarro in (1, 2, 3, 4)
