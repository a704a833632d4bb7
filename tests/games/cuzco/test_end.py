"""C-E: the last round, the final scoring and the end."""

import pytest

from engine.core.match import play
from engine.core.refusal import MatchOver
from engine.cuzco.events import FinalScored, LastRoundOpened, MatchEnded
from tests.games.table import Table, cuzco, paved

CITY = "villages k8 k10 k12 k14; temple k10 4"
LAST_TRIPLE = "place triple g8 g10 h9"
NOTHING_OWNED = "stock doubles 0 crops 0 villages 0"


def test_whoever_lays_the_last_triple_finishes_the_turn_and_then_scores() -> None:  # C-E1
    table = cuzco(f"{CITY}; A at k8; supply triples 1").play(LAST_TRIPLE)
    assert table.event(LastRoundOpened) == LastRoundOpened(seat=0, idle=False)
    assert (table.to_act, table.scores) == ("A", (0, 0))
    table.play("draw pile", "place crop e20", "end")
    assert table.event(FinalScored).points == 4
    assert table.scores == (4, 0)


def test_the_turn_of_the_last_triple_may_still_hold_a_festival() -> None:  # C-E1
    table = cuzco(f"{CITY}; A at k8; A hand tumi; open tumi; supply triples 1").play(LAST_TRIPLE)
    table.play("festival k10 tumi")
    assert table.scores == (2 + 4, 0)
    assert table.kinds()[-3:] == ["TurnEnded", "FinalScored", "TurnBegan"]


def test_a_triple_that_is_not_the_last_opens_nothing() -> None:  # C-E1
    table = cuzco("supply triples 2").play(LAST_TRIPLE, "end")
    assert table.state["last"] == {"opened_by": None, "scored": []}


def test_every_other_player_has_one_last_turn_in_turn_order() -> None:  # C-E2
    table = cuzco("seats 3; turn B; supply triples 1").play(LAST_TRIPLE, "end")
    assert table.to_act == "C"
    assert table.play("end").to_act == "A"
    assert not table.match.over
    table.play("end")
    assert table.match.over
    assert table.state["last"] == {"opened_by": 1, "scored": [0, 1, 2]}


def test_the_last_turns_have_six_points_and_no_duty() -> None:  # C-E2
    table = cuzco("supply triples 1").play(LAST_TRIPLE, "end")
    assert table.ap == 6
    table.play("draw pile", "place crop e20", "end")


def test_each_scores_after_his_own_last_turn() -> None:  # C-E2
    table = cuzco(f"{CITY}; villages l15^2; A at k8; supply triples 1").play(LAST_TRIPLE, "end")
    assert table.scores == (4, 0)
    assert table.play("enter l15").scores == (4, 0)
    assert table.play("end").scores == (4, 4)  # B came too late to take anything from A


def test_nothing_can_be_ordered_after_the_end() -> None:  # C-E2
    table = cuzco("turn B ap 0; last A; scored A").play("end")
    for order in ("end", "place crop k8", "nonsense"):
        with pytest.raises(MatchOver, match="The match is over"):
            play(table.match, 0, order)
    assert table.to_act == ""


def final(villages: str, facts: str, value: int = 10) -> tuple[int, ...]:
    """The scores after four last turns without a move, around one temple at j9."""
    tiles = f"villages j9 {villages}; temple j9 {value}"
    table = cuzco(f"seats 4; turn A ap 0; last A; {tiles}; {facts}")
    return table.play("end", "end", "end", "end").scores


@pytest.mark.parametrize(
    ("villages", "facts", "scores"),
    [
        ("k8", "A at k8", (10, 0, 0, 0)),
        ("k8^3 k10^2", "A at k8; B at k10", (10, 5, 0, 0)),
        ("k8^3 k10^2 k12", "A at k8; B at k10; C at k12", (10, 5, 0, 0)),
        ("k8^2 k10^2", "A at k8; B at k10", (10, 10, 0, 0)),
        ("k8^2 k10^2 k12", "A at k8; B at k10; C at k12", (10, 10, 5, 0)),
        ("k8^2 k10 k12", "A at k8; B at k10; C at k12", (10, 5, 5, 0)),
        ("k8^3 k10^3 k12^2 k14", "A at k8; B at k10; C at k12; D at k14", (10, 10, 5, 0)),
        ("k8^3 k10^2 k12^2 k14", "A at k8; B at k10; C at k12; D at k14", (10, 5, 5, 0)),
        ("k8^2 k10^2 k12", "A at k8 k12; B at k10", (10, 5, 0, 0)),
        ("k8^2 k10 k12 k14", "D at k8; A at k10 k12 k14", (5, 0, 0, 10)),
        ("k8", "", (0, 0, 0, 0)),
    ],
)
def test_the_first_score_the_value_and_the_second_half(
    villages: str, facts: str, scores: tuple[int, ...]
) -> None:  # C-E3
    assert final(villages, facts) == scores


@pytest.mark.parametrize("value", [2, 4, 6, 8, 10])
def test_the_second_score_half_of_any_value(value: int) -> None:  # C-E3
    assert final("k8^2 k10", "A at k8; B at k10", value) == (value, value // 2, 0, 0)


def test_the_final_scoring_goes_city_by_city() -> None:  # C-E3
    cities = "villages k8 k10 k12^2 g8 g10; temple k8 10; temple g8 6; A at k10 g10; B at k12"
    table = cuzco(f"turn A ap 0; last A; {cities}").play("end")
    found = [(city.at, city.rank, city.points) for city in table.event(FinalScored).cities]
    assert found == [("g8", 1, 6), ("k8", 2, 5)]
    assert table.scores == (11, 0)


def test_a_village_without_temple_and_incas_outside_score_nothing() -> None:  # C-E3
    table = cuzco("turn A ap 0; last A; villages k8 k10; crops l9; A at k8 l9").play("end")
    assert table.scores == (0, 0)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [([5, 3, 4], (0,)), ([3, 5, 5], (1, 2)), ([0, 0, 0], (0, 1, 2))],
)
def test_most_points_win_and_equals_share_the_throne(
    scores: list[int], winners: tuple[int, ...]
) -> None:  # C-E4
    had = "; ".join(f"{letter} score {n}" for letter, n in zip("ABC", scores, strict=True))
    table = cuzco(f"seats 3; turn C ap 0; last A; scored A B; {had}").play("end")
    assert table.event(MatchEnded).winners == winners
    assert table.match.game.winners(table.match.state) == winners


def test_nobody_has_won_before_the_end() -> None:  # C-E4
    table = cuzco("A score 9")
    assert table.match.game.winners(table.match.state) == ()


def idle(seats: int, turns: int, facts: str = "") -> Table:
    """Nobody can lay a tile anywhere, and that many turns have ended without one."""
    return cuzco(f"seats {seats}; turn A idle {turns}; {paved()}; {facts}")


def test_turns_without_a_tile_are_counted() -> None:  # C-E5
    table = idle(3, 0).play("end")
    assert table.state["turn"]["idle"] == 1
    assert table.play("end").state["turn"]["idle"] == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_after_a_round_without_a_tile_the_next_player_opens_the_last(seats: int) -> None:  # C-E5
    assert idle(seats, seats - 2).play("end").state["last"]["opened_by"] is None
    table = idle(seats, seats - 1).play("end")
    assert table.event(LastRoundOpened) == LastRoundOpened(seat=1, idle=True)
    assert table.to_act == "B"
    assert table.state["turn"]["idle"] == 0


def test_a_tile_begins_the_count_anew() -> None:  # C-E5
    table = cuzco("turn A idle 1").play("place crop k8", "end")
    assert (table.state["turn"]["idle"], table.state["last"]["opened_by"]) == (0, None)


def test_the_player_who_opens_by_idleness_has_no_duty() -> None:  # C-E5
    table = cuzco(f"turn A idle 1; supply triples 0; A {NOTHING_OWNED}").play("end")
    assert table.offers("place crop k8")
    assert table.offers("draw pile")
    assert table.offers("end")


def test_it_goes_on_as_if_he_had_laid_the_last_triple() -> None:  # C-E5
    tops = "villages k8^5 k10^5; temple k8 4"
    table = idle(3, 2, f"{tops}; B at k10").play("end", "end")
    assert table.scores == (0, 4, 0)
    assert table.to_act == "C"
    assert table.play("end").to_act == "A"
    assert table.play("end").match.over


def test_idle_turns_in_the_last_round_open_no_other() -> None:  # C-E5
    table = idle(3, 0, "last A; scored A; turn B ap 0").play("end")
    assert (table.to_act, table.state["turn"]["idle"]) == ("C", 0)
    assert table.state["last"]["opened_by"] == 0
