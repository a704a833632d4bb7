"""Standing orders for festivals: the least that keeps a seat in, and never more than was allowed."""

from typing import Any

import pytest

from engine.core.refusal import NotUnderstood
from engine.core.registry import find
from tests.games.cuzco.test_festivals import feast
from tests.games.table import Table

RULE = find("cuzco").standing["festival"]


def says(table: Table, **wish: Any) -> str | None:
    """What the standing orders of the seat that is asked answer."""
    game, state, seat = table.match.game, table.match.state, table.seat
    found = RULE.answer(game.view(state, seat), RULE.settle(wish), list(game.legal(state, seat)))
    return found and game.format(found)


def asked(hand: str, played: str = "tumi") -> Table:
    """B is asked after A has played these cards; the open card is tumi+kero."""
    table = feast(f"open tumi+kero; A hand {played} tumi tumi; B hand {hand}")
    return table.play(f"festival k10 {played}")


def test_who_shares_bids_just_enough_to_be_level() -> None:  # C-F3
    table = asked("kero kero tumi+kero")
    assert says(table, up_to=3, share=True) == "bid kero"


def test_who_does_not_share_bids_one_ahead() -> None:  # C-F3
    assert says(asked("kero quipu+kero"), up_to=3) == "bid kero quipu+kero"


def test_a_card_that_matches_doubly_is_one_card() -> None:  # C-F2
    table = asked("kero tumi tumi+kero", "tumi tumi")
    assert says(table, up_to=2, share=True) == "bid tumi+kero"


def test_of_equal_bids_the_plainest_cards_go_first() -> None:
    assert says(asked("quipu+kero kero"), up_to=1, share=True) == "bid kero"
    assert says(asked("quipu+kero"), up_to=1, share=True) == "bid quipu+kero"


@pytest.mark.parametrize("wish", [{"up_to": 0, "share": True}, {"up_to": 1}])
def test_beyond_the_limit_it_drops_out(wish: dict[str, Any]) -> None:  # C-F3
    assert says(asked("kero kero"), **wish) == "pass"


def test_a_limit_that_only_shares_is_no_use_to_who_will_not() -> None:
    assert says(asked("kero kero"), up_to=1, share=False) == "pass"


def test_a_city_may_have_a_limit_of_its_own() -> None:
    table = asked("kero kero")
    assert says(table, up_to=5, share=True, cities={"k10": 0}) == "pass"
    assert says(table, up_to=0, share=True, cities={"k10": 1}) == "bid kero"
    assert says(table, up_to=0, share=True, cities={"e14": 5}) == "pass"


def test_without_a_limit_it_is_silent_about_cities_that_it_does_not_name() -> None:
    table = asked("kero kero")
    assert says(table, share=True, cities={"e14": 5}) is None
    assert says(table, share=True, cities={"k10": 0}) == "pass"


def test_the_limit_is_on_all_that_was_played_in_the_festival() -> None:
    table = asked("kero tumi tumi+kero").play("bid kero tumi").play("bid tumi tumi")
    assert table.to_act == "B"  # 2 FP are on the table, A has 3
    assert says(table, up_to=3, share=True) == "pass"
    assert says(table, up_to=4, share=True) == "bid tumi+kero"


def test_the_highest_holds_if_content_to_share_and_raises_if_not() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi").play("festival k10 tumi")
    table = table.play("bid tumi")
    assert table.to_act == "A"
    assert says(table, up_to=5, share=True) == "hold"
    assert says(table, up_to=5, share=False) == "bid tumi"
    assert says(table, up_to=1, share=False) == "hold"  # it cannot drop out, and may not raise


def test_who_wishes_so_answers_at_once_where_only_one_answer_is_possible() -> None:  # C-F4
    table = feast("seats 4; open tumi; A hand tumi; B hand kero").play("festival k10 tumi")
    assert says(table, only=True) == "pass"
    assert says(table, only=False) is None
    assert says(asked("kero kero"), only=True) is None  # there is a choice, so the person is asked


def test_it_says_nothing_while_no_festival_runs() -> None:
    assert says(feast("open tumi; A hand tumi"), up_to=5) is None


@pytest.mark.parametrize(
    "wish",
    [
        5,
        {"more": 1},
        {"up_to": -1},
        {"up_to": True},
        {"up_to": 61},
        {"share": 1},
        {"only": "yes"},
        {"cities": ["g16"]},
        {"cities": {"z99": 1}},
        {"cities": {"g16": "1"}},
        {"cities": {1: 1}},
    ],
)
def test_what_cannot_be_wished_is_refused_with_a_sentence(wish: Any) -> None:
    with pytest.raises(NotUnderstood, match=r"\w.*[.]"):
        RULE.settle(wish)


def test_a_wish_is_completed() -> None:
    assert RULE.settle({}) == {"up_to": None, "share": False, "cities": {}}
    assert RULE.settle({"only": True})["only"]
    assert "only" not in RULE.settle({"only": False})


def test_java_answers_alike() -> None:
    assert find("java").standing.keys() == {"festival"}
