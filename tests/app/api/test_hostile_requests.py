"""Whatever a client sends, the answer is an error with a sentence, never a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app import create_app
from app.api.operation import OPERATIONS
from app.platform.settings import Settings
from tests.app.service import FIRST, Service, code

WRITES = [o for o in OPERATIONS if isinstance(o.body, type)]
BODIES: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"42",
    b'"text"',
    b"\xff\xfe\x00",
    b'{"orders": ["\xff"]}',
    b"[" * 50_000,
    b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    b'{"orders": ["\\u0000"], "key": "\\u0000"}',
    b'{"orders": ["\\ud800"]}',
    b'{"orders": "end", "head": 1}',
    b'{"orders": [["end"]]}',
    b'{"orders": [], "head": 1e400}',
    b'{"orders": ["end"], "head": ' + b"9" * 5000 + b"}",
    b'{"orders": ["end"], "head": -1}',
    b'{"orders": ["end"], "head": true}',
    b'{"orders": ["end"], "head": 1.5}',
    b'{"orders": ["end"], "head": NaN}',
    b'{"orders": ["end"], "key": ""}',
    b'{"orders": ["end"], "key": "a\\nb"}',
    b'{"orders": ["end"], "unknown": 1}',
    json.dumps({"orders": ["x" * 501]}).encode(),
    json.dumps({"orders": ["end"] * 101}).encode(),
    json.dumps({"festival": {"up_to": 10**30}}).encode(),
    json.dumps({"game": {"$ne": 1}, "seats": {}}).encode(),
    json.dumps({"game": "cuzco", "seats": ["me"] * 1000}).encode(),
    json.dumps({"game": "cuzco\0", "seats": ["me", "me"]}).encode(),
    json.dumps({"game": "cuzco", "seats": ["me", {"email": "a@b\0.example"}]}).encode(),
    json.dumps({"head": 6, "to": 6, "reason": "  "}).encode(),
    json.dumps({"head": 6, "to": 6, "reason": "a\0b"}).encode(),
]


pytestmark = pytest.mark.people("ana", "bea")


def check(response: Any) -> None:
    assert 400 <= response.status_code < 500
    told = response.get_json()["error"]
    assert told["message"].endswith((".", "!", "?"))
    assert "Traceback" not in response.text


def test_no_body_breaks_anything_or_is_played(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    for operation in WRITES:
        path = operation.path.replace("{match_id}", match_id)
        for body in BODIES:
            if body == b"" and operation.name in ("join_match", "leave_match"):
                continue
            more = {"data": body, "content_type": "application/json"}
            check(service.call(who, operation.method, path, **more))
    assert service.get(who, f"/matches/{match_id}")["head"] == 7


def test_a_body_too_large_is_413(service: Service) -> None:
    match_id = service.running("ana", "bea")
    for path, size in ((f"/matches/{match_id}/orders", 70_000), ("/records", 2_200_000)):
        response = service.call("ana", "POST", path, data=b"x" * size)
        assert (response.status_code, code(response)) == (413, "size")


@pytest.mark.parametrize(
    "path",
    [
        "/matches/%00", "/matches/%ff%fe", "/matches/..%2f..", "/matches/A'--", "/matches/" + "a" * 5000,
        "/matches/{id}/at/-1", "/matches/{id}/at/x", "/matches/{id}/at/" + "9" * 400,
        "/matches/{id}/history?from=-1", "/matches/{id}/history?to=x", "/matches/{id}/history?to=",
        "/matches/{id}/history?from=1&from=2", "/matches/{id}/history?from=%00",
        "/matches/{id}/history?from=" + "9" * 5000, "/matches/{id}/board.svg?pos=0",
        "/matches/{id}/board.svg?pos=1", "/matches/{id}/board.svg?pos=99",
        "/matches/{id}/board.svg?pos=1e3", "/matches/{id}/board.svg?position=1",
        "/matches?page=0", "/matches?page=99999999999", "/matches?status=lost", "/matches?mine=perhaps",
        "/matches?%ff=1", "/nowhere", "/matches/{id}/nowhere", "/matches/{id}/knowledge?to=x",
    ],
)  # fmt: skip
def test_no_address_breaks_anything(service: Service, path: str) -> None:
    match_id = service.running("ana", "bea")
    check(service.call("ana", "GET", path.format(id=match_id)))


def test_a_moderators_act_without_a_body_is_refused_with_a_sentence(service: Service) -> None:
    match_id = service.running("ana", "bea")
    for path in ("pause", "resume", "extend", "close", "seats/0/replace"):
        response = service.call("ana", "POST", f"/matches/{match_id}/{path}")
        assert response.status_code == 400
        check(response)


def test_other_methods_are_refused_with_a_sentence(service: Service) -> None:
    for method in ("PATCH", "TRACE", "PUT", "DELETE"):
        response = service.call("ana", method, "/games")
        assert response.status_code == 405
        check(response)


@pytest.mark.parametrize(
    "record",
    [
        b"", b"\n", b"x\n", b"{}\n", b"\xff\n", b"[" * 100_000 + b"\n", b'{"format":"chasqui-record-1"}\n',
        b'{"format":"chasqui-record-1","seeds":[],"seen_by":"spectator"}\n',
        b'{"format":"chasqui-record-1","seeds":[[1,"\\ud800"]],"seen_by":"everybody"}\n',
        b'{"format":"chasqui-record-1","seeds":[[1,"s"]],"seen_by":"everybody"}\n{"act":1}\n',
        b"{}\n" * 20_000,
    ],
)  # fmt: skip
def test_what_is_no_record_is_422_with_what_is_wrong(service: Service, record: bytes) -> None:
    response = service.call("ana", "POST", "/records", data=record)
    check(response)
    assert (response.status_code, code(response)) == (422, "illegal")
    assert service.get("ana", "/matches?mine=true")["matches"] == []


def test_hostile_names_and_titles_come_back_as_text(service: Service) -> None:
    title = "<script>alert(1)</script> {0} %s ${x} \u05d0\u0301"
    match_id = service.open_table("ana", "me", "me", title=title)
    told = service.call("ana", "GET", f"/matches/{match_id}")
    assert told.get_json()["title"] == title
    assert told.mimetype == "application/json"
    assert told.headers["X-Content-Type-Options"] == "nosniff"


def test_hostile_orders_are_refused_one_by_one(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    for order in (
        "{0}",
        "%s",
        "\x1b[31m",
        "pl\u0430ce",
        "place " + "e14 " * 100,
        "build e14 " + "9" * 400,
    ):
        response = service.order(who, match_id, FIRST, order)
        check(response)
        assert response.get_json()["error"]["line"] == 2


def test_who_sends_too_many_records_is_told_to_wait(service: Service) -> None:
    settings = Settings(data_dir=service.folder, database_url=str(service.database.url))
    service.app = create_app(settings, service.database)  # with limits
    answers = [service.call("ana", "POST", "/records", data=b"x") for _ in range(32)]
    assert [answer.status_code for answer in answers] == [422] * 30 + [429] * 2
    assert code(answers[-1]) == "rate"
    assert service.call("bea", "POST", "/records", data=b"x").status_code == 422
    assert {service.call("ana", "GET", "/games").status_code for _ in range(60)} == {200}
