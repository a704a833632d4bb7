"""The referee protocol, request by request."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.core.referee import Referee
from tests.engine import hostile


class Desk:
    """A referee that takes and gives objects instead of lines."""

    def __init__(self) -> None:
        self.referee = Referee(entropy=lambda: "entropy")

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.referee.answer(json.dumps({"do": do, **more})))
        return answer

    def code(self, do: str, **more: Any) -> str:
        answer = self.ask(do, **more)
        assert not answer["ok"]
        assert answer["error"]["message"].endswith(".")
        return str(answer["error"]["code"])


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def table(desk: Desk) -> Desk:
    desk.ask("new", game="cuzco", seats=2, seed="a")
    return desk


@pytest.fixture
def over(desk: Desk) -> Desk:
    desk.ask(
        "position", game="cuzco", position={"seats": 2, "last": {"opened_by": 0, "scored": [0, 1]}}
    )
    return desk


def test_games_lists_what_can_be_played(desk: Desk) -> None:
    games = {game["key"]: game for game in desk.ask("games")["games"]}
    assert games["cuzco"]["name"] == "Cuzco"
    assert games["cuzco"]["seats"] == [2, 3, 4]
    assert games["cuzco"]["options"]["exact_temples"]["default"] is False
    assert set(games["java"]["options"]) == {"rules", "ask_everyone"}


def test_new_answers_the_setup_and_the_same_seed_gives_the_same_match(desk: Desk) -> None:
    first = desk.ask("new", game="cuzco", seats=3, seed="text", options={"ask_everyone": True})
    assert first["head"] == len(first["events"]) == first["events"][-1]["pos"]
    assert (
        desk.ask("new", game="cuzco", seats=3, seed="text", options={"ask_everyone": True}) == first
    )
    assert desk.ask("new", game="cuzco", seats=3, seed="other") != first


def test_new_without_a_seed_takes_one_from_outside(desk: Desk) -> None:
    assert desk.ask("new", game="cuzco", seats=2) == desk.ask(
        "new", game="cuzco", seats=2, seed="entropy"
    )


def test_an_order_answers_the_events_that_it_caused(table: Desk) -> None:
    answer = table.ask("order", seat=0, order="place triple e14 e16 d15")
    assert answer["head"] == 7
    assert [(e["pos"], e["kind"]) for e in answer["events"]] == [(7, "TilePlaced")]


def test_legal_is_sorted_as_plain_text_and_empty_for_others(table: Desk) -> None:
    orders = table.ask("legal", seat=0)["orders"]
    assert orders == sorted(orders)
    assert "place triple e10 d9 e8" in orders
    assert "place triple e10 e8 d9" not in orders
    assert table.ask("legal", seat=1)["orders"] == []


def test_to_act_scores_and_winners(table: Desk, over: Desk) -> None:
    assert table.ask("new", game="cuzco", seats=2, seed="a")["ok"]
    assert table.ask("to_act")["seats"] == [0]
    assert table.ask("scores") == {"ok": True, "scores": [0, 0], "over": False}
    over.ask(
        "position",
        game="cuzco",
        position={"seats": 2, "last": {"scored": [0, 1]}, "scores": [1, 4]},
    )
    assert over.ask("to_act")["seats"] == []
    assert over.ask("scores") == {"ok": True, "scores": [1, 4], "over": True, "winners": [1]}


def test_the_state_fed_back_gives_an_equal_state(table: Desk) -> None:
    for order in ("place triple e14 e16 d15", "draw open", "basin g16"):
        table.ask("order", seat=0, order=order)
    position = table.ask("state")["position"]
    assert table.ask("position", game="cuzco", position=position)["ok"]
    assert table.ask("state")["position"] == position


def test_a_view_shows_the_own_hand_only(table: Desk) -> None:
    hands = table.ask("state")["position"]["hands"]
    assert table.ask("view", seat=0)["view"]["hand"] == hands[0]
    assert table.ask("view", seat=None)["view"]["hand"] is None
    assert table.ask("view", seat=1)["view"]["hand_sizes"] == [3, 3]
    assert table.ask("svg", seat=1)["svg"].startswith("<svg")


def test_rewind_and_restore(table: Desk) -> None:
    before = table.ask("state")["position"]
    table.ask("order", seat=0, order="place crop g16")
    after = table.ask("state")["position"]
    assert table.ask("rewind", to=6, reason="a slip")["head"] == 8
    assert table.ask("state")["position"] == before
    assert table.ask("restore")["head"] == 9
    assert table.ask("state")["position"] == after
    assert table.code("restore") == "illegal"
    assert table.code("rewind", to=5) == "unknown"
    assert table.code("rewind", to="6") == "unknown"


def test_the_log_is_taken_back(table: Desk) -> None:
    table.ask("order", seat=0, order="place crop g16")
    log, state = table.ask("log")["log"], table.ask("state")["position"]
    other = Desk()
    assert other.ask("load", log=log)["head"] == 7
    assert other.ask("state")["position"] == state
    assert other.ask("order", seat=0, order="draw pile") == table.ask(
        "order", seat=0, order="draw pile"
    )


def test_a_log_from_a_position_is_taken_back(desk: Desk) -> None:
    desk.ask("position", game="java", position={"seats": 2, "tiles": [["rice", "h5"]]})
    desk.ask("order", seat=0, order="draw pile")
    log = desk.ask("log")["log"]
    assert Desk().ask("load", log=log)["ok"]


def test_perft_counts_order_sequences(table: Desk) -> None:
    assert table.ask("perft", depth=0)["nodes"] == 1
    assert table.ask("perft", depth=1)["nodes"] == len(table.ask("legal", seat=0)["orders"])


def test_sequences_cut_short_by_the_end_are_not_counted(desk: Desk) -> None:
    last = {"seats": 2, "turn": {"seat": 1, "ap": 0}, "last": {"opened_by": 0, "scored": [0]}}
    desk.ask("position", game="cuzco", position={**last, "stock": [{}, {"tokens": 0}]})
    assert desk.ask("legal", seat=1)["orders"] == ["end"]
    assert [desk.ask("perft", depth=d)["nodes"] for d in (0, 1, 2)] == [1, 1, 0]


# Refusals: the first of unknown seat, over, syntax, turn, illegal


@pytest.mark.parametrize(
    "do", ["to_act", "legal", "order", "view", "state", "scores", "log", "perft", "restore"]
)
def test_without_a_match_everything_is_unknown(desk: Desk, do: str) -> None:
    assert desk.code(do, seat=0, order="end", depth=1) == "unknown"


@pytest.mark.parametrize("seat", [2, -1, "0", True, 0.0, None, []])
def test_an_unknown_seat_comes_before_everything_else(table: Desk, over: Desk, seat: Any) -> None:
    assert over.code("order", seat=seat, order="nonsense") == "unknown"


def test_over_comes_before_syntax(over: Desk) -> None:
    assert over.code("order", seat=0, order="nonsense") == "over"


def test_syntax_comes_before_turn(table: Desk) -> None:
    assert table.code("order", seat=1, order="nonsense") == "syntax"
    assert table.code("order", seat=1, order=7) == "syntax"


def test_turn_comes_before_illegal(table: Desk) -> None:
    assert table.code("order", seat=1, order="build e14 3") == "turn"


def test_an_illegal_order_names_its_rule(table: Desk) -> None:
    answer = table.ask("order", seat=0, order="place triple f15 f17 e16")
    assert answer["error"]["code"] == "illegal"
    assert answer["error"]["rule"] == "C-P3"


@pytest.mark.parametrize(
    ("code", "request_"),
    [
        ("unknown", {"do": "new", "game": "chess", "seats": 2}),
        ("unknown", {"do": "new", "seats": 2}),
        ("unknown", {"do": "new", "game": "cuzco", "seats": 5}),
        ("unknown", {"do": "new", "game": "cuzco", "seats": True}),
        ("unknown", {"do": "new", "game": "cuzco", "seats": 2, "options": {"x": True}}),
        ("unknown", {"do": "new", "game": "java", "seats": 2, "options": {"exact_temples": True}}),
        ("unknown", {"do": "new", "game": "cuzco", "seats": 2, "options": {"ask_everyone": 1}}),
        ("syntax", {"do": "new", "game": "cuzco", "seats": 2, "seed": 7}),
        ("syntax", {"do": "dance"}),
        ("syntax", {"do": ["new"]}),
        ("syntax", {}),
        ("syntax", {"do": "load", "log": "x"}),
        ("unknown", {"do": "load", "log": []}),
        ("unknown", {"do": "position", "game": "cuzco", "position": 1}),
        ("syntax", {"do": "perft", "depth": -1}),
    ],
)
def test_bad_requests_get_a_code_and_a_sentence(
    table: Desk, code: str, request_: dict[str, Any]
) -> None:
    before = table.ask("state")
    answer = json.loads(table.referee.answer(json.dumps(request_)))
    assert answer["error"]["code"] == code
    assert table.ask("state") == before


@pytest.mark.parametrize(
    "line", ["", " ", "x", "[]", "1", '"new"', "null", "NaN", "{", "[" * 99_999, b"\xff"]
)
def test_what_is_no_json_object_is_refused(line: str | bytes) -> None:
    answer = json.loads(Desk().referee.answer(line))
    assert answer["error"]["code"] == "syntax"


def test_an_object_names_each_key_once(desk: Desk) -> None:
    """A sector laid on twice, in a position of Tahuantinsuyu, can be told in no other way."""
    laid = '"orange-blue": {"seat": 1, "card": "epidemic"}'
    line = (
        '{"do": "position", "game": "tahuantinsuyu", "position": {"seats": 4, "period": 1,'
        f' "step": 1, "hands": [["el_nino"]], "laid": {{{laid}}}}}}}'
    )
    assert json.loads(desk.referee.answer(line))["ok"]
    answer = json.loads(desk.referee.answer(line.replace(laid, f"{laid}, {laid}")))
    assert answer["error"]["code"] == "unknown"
    assert answer["error"]["message"] == 'The key "orange-blue" stands twice in one object.'


@pytest.mark.parametrize("key", hostile.ORDERS)
def test_hostile_lines_change_nothing_and_get_a_sentence(key: str) -> None:
    tally = hostile.campaign(1000, Random(7).randrange(10**6), key)
    assert {"ok", "syntax", "illegal", "turn", "unknown"} <= set(tally)
