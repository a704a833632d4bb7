"""The period table, the Inca phase and the Sapa Inca phase (N-P, N-I, N-Z)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.core.playout import random_match
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import events as e
from tests.games.tahuantinsuyu.tables import FOUR, TO_XAUXA, owned, table

LAST = {"period": 6, "step": 8, "order": [1, 2, 3, 0], "turn": {"seat": 0}}


def phases(seed: int = 0, **options: bool) -> list[tuple[str, str]]:
    """The phases of a whole random match."""
    log = random_match(GAME, 4, seed, **options).log
    return [(x.event.era, x.event.phase) for x in log if isinstance(x.event, e.PhaseBegan)]


def test_the_eras_have_the_columns_of_the_table() -> None:  # N-P
    early = ["inca", "sun", "people", "sun", "people", "sapa"]
    middle = ["inca", *["sun", "people"] * 3, "sapa"]
    late = ["inca", *["sun", "people"] * 4, "sapa"]
    expected = [("pre", phase) for phase in ("inca", "people", "people")]
    expected += [("early", phase) for phase in early * 3]
    expected += [("middle", phase) for phase in middle * 2]
    expected += [("late", phase) for phase in late]
    assert phases() == expected


def test_the_resources_of_the_eras() -> None:  # N-P
    assert [period.resources for period in FOUR.periods] == [6, 3, 3, 3, 2, 2, 1]


def test_a_match_rests_in_sun_and_people_phases_only() -> None:  # N-P
    match = random_match(GAME, 3, 1)
    resting = [
        before.event
        for before, after in pairwise(match.log)
        if before.act != after.act and after.seat is not None
    ]
    kinds = {type(event) for event in resting}
    assert kinds & {e.LabourReceived, e.EmpireScored, e.SunCleared, e.LabourReturned} == set()
    assert e.TurnBegan in kinds
    assert e.CardAsked in kinds


def test_after_the_last_sapa_inca_the_match_is_over() -> None:  # N-P
    match = table(**LAST).play("end")
    assert match.match.over
    assert match.to_act == ""
    assert (match.state["period"], match.state["step"]) == (6, 9)
    assert match.state["turn"] == {"seat": None, "done": []}


# Inca phase


def to_the_next_inca(**parts: Any) -> Any:
    """The end of the first period of the Early Empire, played by the last in order."""
    given = {"period": 1, "step": 4, "order": [1, 2, 3, 0], "turn": {"seat": 0}}
    return table(**{**given, **parts}).play("end")


def test_labour_comes_from_the_era_the_markers_and_the_terraces() -> None:  # N-I1
    markers = {
        "huanca": {"type": "kingdom", "owner": 0, "terrace": True},
        "chincha": {"type": "allies", "owner": 0},
        "chanka": {"type": "warriors", "owner": 1},
    }
    match = to_the_next_inca(markers=markers)
    received = {x.seat: x for x in match.events if isinstance(x, e.LabourReceived)}
    assert received[0] == e.LabourReceived(0, resources=3, markers=4, terraces=1, labour=8)
    assert received[1] == e.LabourReceived(1, resources=3, markers=2, terraces=0, labour=5)
    assert received[2].labour == 3


def test_labour_is_not_limited() -> None:  # N-I1
    lands = [region.id for region in FOUR.regions if not region.colour]
    kinds = ["kingdom"] * 6 + ["farmers"] * 9 + ["lordship"] * 7 + ["warriors"] * 6
    markers = {
        name: {"type": kind, "owner": 0, "terrace": True}
        for name, kind in zip(lands, kinds, strict=False)
    }
    match = to_the_next_inca(markers=markers)
    assert match.state["labour"][0] > 73


@pytest.mark.parametrize(
    ("period", "step", "given"),
    [
        (0, 2, [(0, 3, 1)]),
        (2, 4, [(0, 3, 1)]),
        (3, 4, [(0, 3, 2), (1, 2, 1)]),
        (5, 6, [(0, 3, 2), (1, 2, 1)]),
    ],
)
def test_the_leaders_aid_those_behind(
    period: int, step: int, given: list[tuple[int, int, int]]
) -> None:  # N-I2
    parts = {"period": period, "step": step, "scores": [40, 30, 20, 10], "labour": [9] * 4}
    match = table(**parts, order=[3, 2, 1, 0], turn={"seat": 0}).play("end")
    aid = [(x.giver, x.taker, x.labour) for x in match.events if isinstance(x, e.AidGiven)]
    assert aid == given


def test_no_aid_is_given_in_the_first_inca_phase() -> None:  # N-I2
    assert FOUR.periods[0].aid == (0, 0)


def test_with_three_players_only_the_first_gives() -> None:  # N-I2
    parts = {"period": 3, "step": 4, "scores": [30, 20, 10]}
    match = table(3, **parts, order=[2, 1, 0], turn={"seat": 0}).play("end")
    aid = [(x.giver, x.taker, x.labour) for x in match.events if isinstance(x, e.AidGiven)]
    assert aid == [(0, 2, 2)]


def test_who_has_less_gives_what_he_has() -> None:  # N-I2
    parts = {"period": 5, "step": 6, "scores": [40, 30, 20, 10]}
    match = table(**parts, order=[3, 2, 1, 0], turn={"seat": 0}).play("end")
    # The Late Empire brings 1 labour to each: the first has 1 and not 2 to give.
    # What was kept from before the Sapa Inca counts too; here nobody had any.
    aid = [(x.giver, x.taker, x.labour) for x in match.events if isinstance(x, e.AidGiven)]
    assert aid == [(0, 3, 1), (1, 2, 1)]
    assert match.state["labour"] == [0, 0, 2, 2]


def test_aid_is_given_by_the_standing_now() -> None:  # N-I2
    markers = owned(3, "huanca", "chincha", terrace=True)
    match = to_the_next_inca(scores=[1, 0, 0, 0], standing=[0, 1, 2, 3], markers=markers)
    # D scores 2 for terraces in the Sapa Inca phase before and so leads; C is last.
    assert match.state["standing"] == [3, 0, 1, 2]
    assert match.event(e.AidGiven) == e.AidGiven(3, 2, 1)


# Sapa Inca phase


def test_all_sun_cards_are_discarded() -> None:  # N-Z1
    match = to_the_next_inca(
        sun={"orange-blue": ["epidemic", "el_nino"], "brown-green": ["resistance"]},
        discard=["wild_road"],
    )
    assert match.state["sun"] == {}
    assert match.state["discard"] == ["el_nino", "epidemic", "resistance", "wild_road"]


def test_the_empire_scores_by_what_is_joined_whoever_built_it() -> None:  # N-Z2
    match = to_the_next_inca(
        roads=[[*TO_XAUXA, ["s061", "s107"]], [["s002", "s106"]], [["s003", "s111"]]],
        buildings={
            "s104": {"kind": "city", "temple": True},
            "s107": {"kind": "city"},
            "s111": {"kind": "garrison"},
            "s106": {"kind": "city"},
        },
        markers=owned(0, "huanca", terrace=True),
    )
    scored = {x.seat: x for x in match.events if isinstance(x, e.EmpireScored)}
    assert scored[0] == e.EmpireScored(0, 1, 0, 2, 1, points=1 + 2 * 3 + 1, standing=(0, 1, 2, 3))
    assert scored[1].points == 3
    assert scored[2].points == 2
    assert scored[3].points == 0
    assert match.scores == (8, 3, 2, 0)


def test_what_is_cut_off_from_cuzco_scores_nothing() -> None:  # N-Z2, N-R5
    match = to_the_next_inca(
        roads=[[["s061", "s104"]]], buildings={"s104": {"kind": "city", "temple": True}}
    )
    assert match.scores == (0, 0, 0, 0)


def test_cuzco_itself_counts_nothing() -> None:  # N-Z2
    match = to_the_next_inca()
    assert match.scores == (0, 0, 0, 0)


def test_the_last_scores_first_by_the_standing_at_the_start() -> None:  # N-Z2
    match = to_the_next_inca(
        scores=[5, 3, 3, 1],
        standing=[0, 2, 1, 3],
        markers=owned(3, "huanca", "chincha", terrace=True) | owned(1, "chanka", terrace=True),
    )
    seats = [x.seat for x in match.events if isinstance(x, e.EmpireScored)]
    assert seats == [3, 1, 2, 0]
    # D comes to 3 behind B and C, then B leaves for 4.
    assert match.scores == (5, 4, 3, 3)
    assert match.state["standing"] == [0, 1, 2, 3]


def test_a_figure_that_scores_nothing_stays_where_it_is() -> None:  # N-Z2
    match = to_the_next_inca(
        scores=[3, 3, 2, 2], standing=[1, 0, 3, 2], markers=owned(2, "huanca", terrace=True)
    )
    assert match.scores == (3, 3, 3, 2)
    assert match.state["standing"] == [1, 0, 2, 3]


def test_labour_beyond_the_resources_of_the_era_is_returned() -> None:  # N-Z3
    match = to_the_next_inca(labour=[9, 3, 2, 4])
    returned = {x.seat: x.labour for x in match.events if isinstance(x, e.LabourReturned)}
    assert returned == {0: 6, 3: 1}
    # All then receive 3; the first in standing, by tile B, gives 1 to the last, A.
    assert match.state["labour"] == [3 + 3 + 1, 3 + 3 - 1, 2 + 3, 3 + 3]


def test_of_two_on_one_space_the_one_nearer_the_centre_wins() -> None:  # N-Z4
    match = table(**LAST, scores=[7, 7, 7, 2], standing=[2, 0, 1, 3]).play("end")
    assert GAME.winners(match.match.state) == (2,)
    assert match.event(e.MatchEnded) == e.MatchEnded((2, 0, 1, 3), (7, 7, 7, 2))


def test_who_arrives_at_a_space_goes_outermost() -> None:  # N-Z4
    markers = owned(3, "huanca", terrace=True)
    match = table(**LAST, scores=[7, 7, 7, 6], standing=[2, 0, 1, 3], markers=markers).play("end")
    assert match.scores == (7, 7, 7, 7)
    assert match.state["standing"] == [2, 0, 1, 3]


def test_nobody_has_won_before_the_end() -> None:  # N-Z4
    assert GAME.winners(table(scores=[5]).match.state) == ()
