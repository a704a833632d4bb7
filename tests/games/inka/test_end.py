"""K-E: the way out, and the last turn."""

from __future__ import annotations

import pytest

from engine.core.match import play
from engine.core.refusal import MatchOver
from engine.inka.events import MatchEnded
from tests.games.inka.table import inka, new

ALL = "with D1 D2 D3"


def test_whoever_walks_to_an_exit_with_three_statues_wins_at_once() -> None:  # K-E1
    table = inka(f"A r0c2 {ALL}; B r1c7 with D1").play("walk r0c0")
    ended = table.event(MatchEnded)
    assert (ended.winners, ended.scores, ended.escaped) == ((0,), (3, 1), True)
    assert table.kinds()[-2:] == ["MatchEnded", "SeedRevealed"]
    assert table.match.over
    with pytest.raises(MatchOver):
        play(table.match, 0, "end")


def test_any_exit_will_do() -> None:  # K-E1
    table = inka(f"A r11c11 {ALL}; B r1c7").play("walk r11c12")
    assert table.match.over


def test_two_statues_are_not_enough() -> None:  # K-E1
    table = inka("A r0c2 with D1 D2; B r1c7").play("walk r0c0")
    assert not table.match.over


def test_taking_the_last_statue_on_an_exit_wins() -> None:  # K-E1
    # D3 has come to the corner: its h0 lies on the exit.
    table = inka("A r0c0 with D1 D2; D3 r0c0 r0c1; B r1c7").play("take")
    assert table.match.over
    assert table.event(MatchEnded).winners == (0,)


def test_being_carried_to_an_exit_wins_in_anyones_turn() -> None:  # K-E1
    table = inka(f"A r0c2 {ALL}; L01 r0c2 r0c3; B r1c7; turn B").play("slide L01 r0c0 r0c1")
    assert table.event(MatchEnded).winners == (0,)


def test_a_passage_near_the_exit_does_not_win_by_itself() -> None:  # K-E1
    assert not inka(f"A r1c7 {ALL}; B r0c0").play("passage r5c0").match.over


def test_the_match_ends_with_the_last_turn_of_the_last_round() -> None:  # K-E2
    table = inka("seats 3; option round_limit 2; turn C ended 5; A r5c10 with D1")
    assert not table.match.over
    table.play("end")
    assert table.kinds() == ["TurnEnded", "MatchEnded", "SeedRevealed"]
    assert table.event(MatchEnded).winners == (0,)
    assert table.state["turn"]["ended"] == 6
    assert table.state["turn"]["seat"] == 2


def test_the_last_blockade_stays_where_it_was_set() -> None:  # K-E2
    table = inka("option round_limit 1; turn B ended 1").play("block r4c4")
    assert table.match.over
    assert table.state["blockades"] == [None, "r4c4"]


@pytest.mark.parametrize(
    ("position", "winners"),
    [
        ("A r5c10 with D1 D2; B r5c12 with D1", (0,)),  # more statues
        ("A r0c2; B r0c12", (1,)),  # none each: the nearer exit, 0 steps
        ("A r0c2; B r0c10", (0, 1)),  # two steps each
        ("A r5c10; B r0c2", (1,)),  # no way is worse than any way
        ("A r5c10; B r5c12", (0, 1)),  # no way for both
        ("A r0c2 with D1; B r0c1", (0,)),  # statues come first
    ],
)
def test_statues_and_then_steps_decide(position: str, winners: tuple[int, ...]) -> None:  # K-E2
    table = inka(f"{position}; option round_limit 1; turn B ended 1").play("end")
    assert table.event(MatchEnded).winners == winners
    assert table.match.game.winners(table.match.state) == winners


def test_steps_pass_pawns_blockades_and_snakes() -> None:  # K-E2
    # B stands two steps from the exit, behind A who stands on it and a blockade between them.
    table = inka("A r0c0; B r0c2; block A r0c1; option round_limit 1; turn B ended 1").play("end")
    assert table.event(MatchEnded).steps == (0, 2)
    snakes = inka("A r2c3; L05 r1c2 r2c3; option round_limit 1; turn B ended 1").play("end")
    assert snakes.event(MatchEnded).steps == (3, 0)


def test_walls_count_for_steps() -> None:  # K-E2
    table = inka("A r1c2; L10 r1c2 r2c3; option round_limit 1; turn B ended 1").play("end")
    assert table.event(MatchEnded).steps == (None, 0)


def test_sixty_rounds_are_usual() -> None:  # K-E2
    assert new(2).state["options"]["round_limit"] == 60
    assert new(4, round_limit=3).view(None)["last_turn"] == 12
