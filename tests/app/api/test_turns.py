"""Playing through the API: orders, repeats, drafts and standing orders."""

from __future__ import annotations

import pytest

from tests.app.service import FIRST, Service, code

pytestmark = pytest.mark.people("ana", "bea", "cai")


def test_orders_are_played_and_told_as_the_caller_may_see_them(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    assert (
        FIRST.replace("e16 d15", "d15 e16")
        in service.get(who, f"/matches/{match_id}/legal")["orders"]
    )
    answer = service.order(who, match_id, FIRST, "draw pile", "end", head=7).json
    kinds = [event["kind"] for event in answer["events"]]
    assert (kinds[:2], kinds[-1]) == (["TilePlaced", "CardDrawn"], "TurnBegan")
    assert answer["head"] == service.get(who, f"/matches/{match_id}")["head"]
    drawn = next(event for event in answer["events"] if event["kind"] == "CardDrawn")
    assert drawn["data"]["card"]


def test_all_or_nothing_and_the_line_that_failed(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    other = "bea" if who == "ana" else "ana"
    before = service.contents()
    for orders, status, error, line in (
        ([FIRST, "build e14 6"], 422, "illegal", 2),
        ([FIRST, "end", "end"], 422, "turn", 3),
        ([FIRST, "fly to the moon"], 400, "syntax", 2),
        (["build e14 6", "fly"], 422, "illegal", 1),
    ):
        response = service.order(who, match_id, *orders)
        assert (response.status_code, code(response)) == (status, error)
        assert response.get_json()["error"]["line"] == line
    assert code(service.order(other, match_id, FIRST)) == "turn"
    assert code(service.order(who, match_id)) == "syntax"
    assert service.contents() == before


def test_a_moved_head_is_stale_and_told(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    response = service.order(who, match_id, FIRST, head=6)
    assert (response.status_code, response.get_json()["error"]["head"]) == (409, 7)
    assert code(response) == "stale"


def test_the_same_key_gets_the_same_answer_and_another_payload_is_refused(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    first = service.order(who, match_id, FIRST, "end", head=7, key="once")
    before = service.contents()
    for _ in range(3):
        again = service.order(who, match_id, FIRST, "end", head=7, key="once")
        assert (again.status_code, again.data) == (200, first.data)
    for orders, head in (([FIRST], 7), ([FIRST, "end"], 8), ([FIRST, "end"], None)):
        other = service.order(who, match_id, *orders, head=head, key="once")
        assert (other.status_code, code(other)) == (409, "key")
    assert service.contents() == before


def test_a_repeat_is_known_when_one_plays_all_seats(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    first = service.order("ana", match_id, FIRST, "end", key="solo")
    again = service.order("ana", match_id, FIRST, "end", key="solo")
    assert (again.status_code, again.data) == (200, first.data)


def test_a_draft_is_kept_shown_on_the_board_and_dropped(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    path = f"/matches/{match_id}/draft"
    made = service.call(who, "PUT", path, json={"orders": [FIRST, "draw pile", "end"]}).json
    assert len(made["view"]["tiles"]) == 1
    assert (made["problem"], made["waiting"]) == (None, ["draw pile", "end"])
    assert service.get(who, path) == made
    bad = service.call(who, "PUT", path, json={"orders": [FIRST, "build e14 6"]}).json
    assert bad["problem"]["line"] == 2
    assert service.get(who, f"/matches/{match_id}")["head"] == 7
    assert service.call(who, "DELETE", path).json["orders"] == []
    assert service.get(who, path)["orders"] == []


def test_a_draft_may_be_planned_out_of_turn_and_goes_with_the_submission(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    other = "bea" if who == "ana" else "ana"
    path = f"/matches/{match_id}/draft"
    assert service.call(other, "PUT", path, json={"orders": [FIRST]}).json["planned"] is True
    service.call(who, "PUT", path, json={"orders": [FIRST]})
    assert service.order(who, match_id, FIRST, "end").status_code == 200
    assert service.get(who, path)["orders"] == []
    assert service.get(other, path)["problem"]["line"] == 1  # the hexes are taken now


def test_standing_orders_are_kept_and_shape_is_checked(service: Service) -> None:
    match_id = service.running("ana", "bea")
    path = f"/matches/{match_id}/standing"
    wish = {"festival": {"up_to": 3, "share": True, "cities": {"g16": 0}}}
    assert service.get("ana", path) == {"festival": None}
    assert service.call("ana", "PUT", path, json=wish).json == wish
    assert service.get("ana", path) == wish
    assert service.get("bea", path) == {"festival": None}
    for bad in ({"up_to": -1}, {"cities": {"nowhere": 1}}, {"share": 1}, {"more": 1}):
        assert code(service.call("ana", "PUT", path, json={"festival": bad})) == "syntax"
    assert service.call("ana", "DELETE", path).json == {"festival": None}
    assert service.get("ana", path) == {"festival": None}
