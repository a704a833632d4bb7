"""Every route for every role: who may do what, and that looking changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from app.api.operation import OPERATIONS, RECORD, Operation
from app.api.routes import bp
from app.platform import tables
from app.platform.tokens import hash_secret
from tests.app.service import FIRST, NOON, Service, code

ROLES = ("nobody", "stranger", "player", "owner")
BODIES: dict[str, Any] = {
    "create_match": {"game": "cuzco", "seats": ["me", "me"]},
    "submit_orders": {"orders": [FIRST]},
    "put_draft": {"orders": [FIRST]},
    "give_nonce": {"nonce": "dice"},
    "put_standing_orders": {"festival": {"up_to": 1}},
    "ask_undo": {"to": 7, "reason": "a slip"},
    "answer_undo": {"pos": 7, "agrees": True},
    "answer_proposal": {"pos": 7, "agrees": True},
    "rewind_match": {"head": 7, "to": 7, "reason": "a slip"},
    "restore_match": {"head": 7},
    "pause_match": {"reason": "a holiday"},
    "resume_match": {"reason": "back again"},
    "extend_match": {"reason": "a holiday", "hours": 24},
    "close_match": {"reason": "nobody plays"},
    "replace_player": {"reason": "gone", "email": "new@example.com"},
}
OPEN = ((200, 200, 200, 200), (404, 404, 200, 200))
SEAT = ((401, 403, 200, 403), (401, 404, 200, 403))
CARE = ((401, 403, 403, 200), (401, 404, 403, 200))
TABLE = ((401, 403, 200, 200), (401, 404, 200, 200))
# What each role gets, in a public match and in a private one. Both run: it is too late to join or leave.
MATRIX = {
    "get_match": OPEN,
    "get_history": OPEN,
    "get_position": OPEN,
    "get_picture": OPEN,
    "get_record": OPEN,
    "list_legal_orders": SEAT,
    "submit_orders": SEAT,
    "get_draft": SEAT,
    "put_draft": SEAT,
    "delete_draft": SEAT,
    "get_standing_orders": SEAT,
    "put_standing_orders": SEAT,
    "delete_standing_orders": SEAT,
    "list_mails": TABLE,
    "join_match": ((401, 403, 403, 403), (401, 404, 403, 403)),
    "give_nonce": ((401, 403, 403, 403), (401, 404, 403, 403)),
    "leave_match": ((401, 403, 403, 403), (401, 404, 403, 403)),
    "get_undo": OPEN,
    "get_proposal": OPEN,
    # Nothing was played that could be undone, and nothing stands open.
    "ask_undo": ((401, 403, 404, 403), (401, 404, 404, 403)),
    "answer_undo": ((401, 403, 404, 403), (401, 404, 404, 403)),
    "withdraw_undo": ((401, 403, 404, 403), (401, 404, 404, 403)),
    "answer_proposal": ((401, 403, 404, 403), (401, 404, 404, 403)),
    "withdraw_proposal": ((401, 403, 404, 404), (401, 404, 404, 404)),
    "rewind_match": ((401, 403, 403, 200), (401, 404, 403, 200)),
    "restore_match": ((401, 403, 403, 422), (401, 404, 403, 422)),
    "get_knowledge": CARE,
    "pause_match": CARE,
    "resume_match": ((401, 403, 403, 403), (401, 404, 403, 403)),  # it is not paused
    "extend_match": CARE,
    "close_match": CARE,
    "replace_player": CARE,
}
ELSEWHERE = {
    "games": (200, 200, 200, 200),
    "list_matches": (200, 200, 200, 200),
    "create_match": (401, 201, 201, 201),
    "import_record": (401, 422, 422, 422),
    "compare_with_log": (401, 422, 422, 422),
}


pytestmark = pytest.mark.people("owner", "player", "other", "stranger")


def filled(path: str, match_id: str) -> str:
    """A path with values for its places."""
    return path.replace("{match_id}", match_id).replace("{pos}", "7").replace("{n}", "0")


def ask(service: Service, operation: Operation, role: str, match_id: str) -> Any:
    path = filled(operation.path, match_id)
    more: dict[str, Any] = {}
    if operation.body == RECORD:
        more["data"] = "no record"
    elif operation.body:
        more["json"] = BODIES.get(operation.name, {})
    return service.call(None if role == "nobody" else role, operation.method, path, **more)


def test_every_operation_stands_in_a_table_here() -> None:
    assert {operation.name for operation in OPERATIONS} == MATRIX.keys() | ELSEWHERE.keys()
    assert all("{match_id}" in o.path for o in OPERATIONS if o.name in MATRIX)


@pytest.mark.parametrize("public", [True, False], ids=["public", "private"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_each_role_gets_what_is_due(service: Service, operation: Operation, public: bool) -> None:
    if operation.name in ELSEWHERE:
        due = ELSEWHERE[operation.name]
        found = tuple(ask(service, operation, role, "").status_code for role in ROLES)
    else:
        due = MATRIX[operation.name][0 if public else 1]
        match_id = seated_first(service, public)
        found = tuple(ask(service, operation, role, match_id).status_code for role in ROLES)
    assert found == due


def seated_first(service: Service, public: bool) -> str:
    """A running match of the owner's, who does not play, in which it is the turn of `player`."""
    while True:
        match_id = service.running("player", "other", owner="owner", public=public)
        if service.asked(match_id, "player", "other") == "player":
            return match_id


def test_what_may_not_be_seen_is_not_told_apart_from_what_is_not_there(service: Service) -> None:
    hidden = service.running("player", "other", owner="owner")
    gone = "zzzzzzzzzz"
    for operation in OPERATIONS:
        if operation.name in MATRIX:
            for role in ("nobody", "stranger"):
                there = ask(service, operation, role, hidden)
                nowhere = ask(service, operation, role, gone)
                assert there.status_code == nowhere.status_code
                assert there.data == nowhere.data.replace(gone.encode(), hidden.encode())


@pytest.mark.parametrize("token", ["", "x", "chq_wrong", "chq_" + "x" * 5000, "\udcff"])
def test_a_bad_token_opens_nothing(service: Service, token: str) -> None:
    match_id = service.running("player", "other", public=True)
    for operation in OPERATIONS:
        response = ask(service, operation, token, match_id) if token else None
        if response is not None:
            assert (response.status_code, code(response)) == (401, "token")
            assert response.headers["WWW-Authenticate"] == "Bearer"
    basic = service.call(None, "GET", "/games", headers={"Authorization": f"Basic {token}"})
    assert basic.status_code == 401


def test_a_browsers_session_counts_for_nothing_here(service: Service) -> None:
    """Otherwise any page on the web could play for whoever looks at it."""
    with service.database.session() as session:
        session.add(
            tables.Session(
                token_hash=hash_secret("cookie"),
                player_id=service.ids["player"],
                created_at=NOON,
                fresh_at=NOON,
                seen_at=NOON,
            )
        )
    client = service.app.test_client()
    client.set_cookie("chasqui-session", "cookie")
    body = {"game": "cuzco", "seats": ["me", "me"]}
    assert client.get("/account").status_code == 200  # the session is good elsewhere
    assert client.post("/api/v1/matches", json=body).status_code == 401
    assert client.get("/api/v1/matches?mine=true").status_code == 401


def test_looking_never_writes(service: Service) -> None:
    match_id = service.running("player", "other", owner="owner", public=True)
    service.call("player", "PUT", f"/matches/{match_id}/draft", json={"orders": [FIRST]})
    paths = {filled(o.path, match_id) for o in OPERATIONS}
    before = service.contents()
    for path in (*paths, "/openapi.json"):
        for method in ("GET", "HEAD", "OPTIONS"):
            for role in (None, "stranger", "player", "owner"):
                assert service.call(role, method, path).status_code < 500
    assert service.contents() == before


def test_every_route_of_the_blueprint_is_described(service: Service) -> None:
    routes = {
        rule.rule.removeprefix(bp.url_prefix or "")
        .replace("<int:pos>", "{pos}")
        .replace("<int:n>", "{n}")
        .replace("<match_id>", "{match_id}")
        for rule in service.app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
    }
    assert routes == {operation.path for operation in OPERATIONS} | {"/openapi.json"}
