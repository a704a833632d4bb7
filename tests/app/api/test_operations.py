"""The HTTP API as API.md describes it: what each call takes and gives."""

from __future__ import annotations

import pytest

from tests.app.service import FIRST, Service, code

pytestmark = pytest.mark.people("ana", "bea", "cai")


def test_the_games_are_told_as_the_referee_tells_them(service: Service) -> None:
    games = {game["key"]: game for game in service.get(None, "/games")["games"]}
    assert {"cuzco", "inka", "java"} <= games.keys()
    assert games["cuzco"]["seats"] == [2, 3, 4]
    assert games["cuzco"]["options"]["ask_everyone"]["default"] is True
    assert games["inka"]["options"]["round_limit"]["default"] == 60
    assert games["inka"]["options"]["round_limit"]["limits"] == [1, 999]


# Tables


def test_a_table_opens_fills_and_starts(service: Service) -> None:
    made = service.post(
        "ana", "/matches", {"game": "cuzco", "seats": ["me", None], "public": True}, 201
    )
    assert made["status"] == "open"
    assert made["url"].endswith(f"/m/{made['id']}")
    before = service.get("bea", f"/matches/{made['id']}")
    assert (before["head"], before["view"], before["to_act"], before["my_seat"]) == (
        0,
        None,
        [],
        None,
    )
    joined = service.post("bea", f"/matches/{made['id']}/join")
    assert joined["status"] == "running"
    assert sorted(seat["name"] for seat in joined["seats"]) == ["Ana", "Bea"]
    assert [seat["seat"] for seat in joined["seats"] if seat["me"]] == [joined["my_seat"]]


def test_a_match_has_every_field_of_its_description(service: Service) -> None:
    match_id = service.running("ana", "bea")
    match = service.get("ana", f"/matches/{match_id}")
    wanted = "id game title status head hash to_act scores deadline seats my_seat view"
    assert set(wanted.split()) <= match.keys()
    assert match["view"]["hand_sizes"] == [3, 3]
    assert len(match["view"]["hand"]) == 3


def test_a_seat_may_be_named_and_a_taken_one_is_refused(service: Service) -> None:
    match_id = service.open_table("ana", None, "me", None, public=True)
    assert (
        code(service.call("bea", "POST", f"/matches/{match_id}/join", json={"seat": 1}))
        == "forbidden"
    )
    assert service.post("bea", f"/matches/{match_id}/join", {"seat": 2})["my_seat"] == 2


def test_who_leaves_an_open_table_frees_the_seat(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, None, public=True)
    service.post("bea", f"/matches/{match_id}/join")
    left = service.post("bea", f"/matches/{match_id}/leave")
    assert left["my_seat"] is None
    assert sum(seat["name"] is None for seat in left["seats"]) == 2


def test_an_invited_player_sees_a_private_table_before_joining_it(service: Service) -> None:
    match_id = service.open_table("ana", "me", {"email": "Bea@Example.com"}, None)
    told = service.get("bea", f"/matches/{match_id}")
    assert [seat["invited"] for seat in told["seats"]] == [False, True, False]
    assert "example.com" not in str(told)
    assert service.call("cai", "GET", f"/matches/{match_id}").status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"game": "chess", "seats": ["me", "me"]}, 404, "unknown"),
        ({"game": "cuzco", "seats": ["me"]}, 404, "unknown"),
        ({"game": "cuzco", "seats": ["me", {"bot": "clever"}]}, 404, "unknown"),
        ({"game": "cuzco", "seats": ["me", {"email": "nobody"}]}, 400, "syntax"),
        ({"game": "cuzco", "seats": ["me", "you"]}, 400, "syntax"),
        ({"game": "cuzco", "seats": ["me", "me"], "options": {"x": True}}, 404, "unknown"),
        ({"game": "cuzco", "seats": ["me", "me"], "options": {"ask_everyone": 1}}, 404, "unknown"),
        ({"game": "inka", "seats": ["me", "me"], "options": {"round_limit": 0}}, 404, "unknown"),
        ({"game": "inka", "seats": ["me", "me"], "options": {"round_limit": True}}, 404, "unknown"),
        ({"game": "cuzco", "seats": ["me", "me"], "pace": {"hours": 0}}, 400, "syntax"),
        ({"game": "cuzco", "seats": ["me", "me"], "title": "a\u202eb"}, 400, "syntax"),
        ({"game": "cuzco", "seats": ["me", "me"], "colour": "red"}, 400, "syntax"),
        ({"seats": ["me", "me"]}, 400, "syntax"),
        (  # a variant that is not for three
            {
                "game": "tahuantinsuyu",
                "seats": ["me", "me", None],
                "options": {"early_decline": True},
            },
            404,
            "unknown",
        ),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_not_kept(
    service: Service, body: object, status: int, error: str
) -> None:
    response = service.call("ana", "POST", "/matches", json=body)
    assert (response.status_code, code(response)) == (status, error)
    assert service.get("ana", "/matches?mine=true")["matches"] == []


def test_an_option_may_be_a_number(service: Service) -> None:
    body = {"game": "inka", "seats": ["me", "me"], "options": {"round_limit": 7}}
    made = service.post("ana", "/matches", body, 201)
    told = service.get("ana", f"/matches/{made['id']}")
    assert told["options"] == {
        "round_limit": 7,
        "start_seat_first": False,
        "fresh_blockade": False,
        "board": 2,
    }


def test_lists_show_what_the_caller_may_see_page_by_page(service: Service) -> None:
    hidden = service.open_table("ana", "me", None)
    shown = [service.open_table("ana", "me", None, public=True) for _ in range(21)]
    first = service.get(None, "/matches")
    second = service.get(None, f"/matches?page={first['next']}")
    found = [match["id"] for match in first["matches"] + second["matches"]]
    assert (sorted(found), second["next"]) == (sorted(shown), None)
    assert hidden in [
        m["id"] for p in (1, 2) for m in service.get("ana", f"/matches?page={p}")["matches"]
    ]
    assert service.get("bea", "/matches?mine=true")["matches"] == []
    assert service.get("ana", "/matches?status=running")["matches"] == []
    assert code(service.call(None, "GET", "/matches?mine=true")) == "token"


# Looking


def test_history_is_told_in_the_callers_language_with_names(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    service.order(who, match_id, FIRST)
    events = service.get(who, f"/matches/{match_id}/history")["events"]
    assert [event["pos"] for event in events] == list(range(1, 9))
    assert {"pos", "kind", "seat", "at", "text", "data", "cut"} <= events[0].keys()
    assert events[-1]["text"].startswith(who.title())
    assert events[-1]["at"] == "2026-03-29T12:00:00Z"
    french = service.get(who, f"/matches/{match_id}/history", headers={"Accept-Language": "fr"})[
        "events"
    ]
    assert french[-1]["text"] != events[-1]["text"]
    assert french[-1]["data"] == events[-1]["data"]
    part = service.get(who, f"/matches/{match_id}/history?from=3&to=5")["events"]
    assert [event["pos"] for event in part] == [3, 4, 5]


def test_errors_speak_the_callers_language(service: Service) -> None:
    answers = {
        language: service.call(None, "GET", "/nowhere", headers={"Accept-Language": language}).json
        for language in ("en", "fr", "pt-BR", "xx")
    }
    assert all(answer["error"]["code"] == "unknown" for answer in answers.values())
    assert answers["xx"] == answers["en"]
    assert len({answer["error"]["message"] for answer in answers.values()}) == 3


def test_every_position_can_be_seen_and_drawn(service: Service) -> None:
    match_id = service.running("ana", "bea")
    who = service.asked(match_id, "ana", "bea")
    service.order(who, match_id, FIRST)
    then = service.get(who, f"/matches/{match_id}/at/7")["view"]
    now = service.get(who, f"/matches/{match_id}/at/8")["view"]
    assert (len(then["tiles"]), len(now["tiles"])) == (0, 1)
    assert now == service.get(who, f"/matches/{match_id}")["view"]
    for query in ("", "?pos=7"):
        picture = service.call(who, "GET", f"/matches/{match_id}/board.svg{query}")
        assert picture.mimetype == "image/svg+xml"
        assert picture.text.startswith("<svg")
    for pos in (0, 1, 2, 9, 10**30):
        assert service.call(who, "GET", f"/matches/{match_id}/at/{pos}").status_code == 404


def test_the_mail_log_names_kinds_and_seats_but_no_address(service: Service) -> None:
    match_id = service.running("ana", "bea")
    mails = service.get("ana", f"/matches/{match_id}/mails")["mails"]
    assert [mail["kind"] for mail in mails] == ["invitation", "turn"]
    assert {"kind", "seat", "pos", "state", "at"} <= mails[0].keys()
    assert "example" not in str(mails)


# Conditional requests


@pytest.mark.parametrize(
    "path",
    ["", "/legal", "/draft", "/standing", "/history", "/at/6", "/record", "/board.svg", "/mails"],
)
def test_unchanged_answers_are_304_and_changed_ones_are_not(service: Service, path: str) -> None:
    match_id = service.running("ana", "bea", public=True)
    who = service.asked(match_id, "ana", "bea")

    def ask(**headers: str) -> object:
        return service.call(who, "GET", f"/matches/{match_id}{path}", headers=headers)

    seen = ask()
    tag = seen.headers["ETag"]
    same = ask(**{"If-None-Match": tag})
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    assert ask(**{"If-None-Match": tag, "Accept-Language": "fr"}).status_code == 200
    service.order(who, match_id, FIRST)
    assert ask(**{"If-None-Match": tag}).status_code == 200


def test_an_etag_is_good_for_its_viewer_alone_and_changes_with_draft_and_names(
    service: Service,
) -> None:
    match_id = service.running("ana", "bea", public=True)
    path = f"/matches/{match_id}"
    tags = {who: service.call(who, "GET", path).headers["ETag"] for who in ("ana", "bea", "cai")}
    assert len(set(tags.values())) == 3
    draft = service.call("ana", "GET", f"{path}/draft").headers["ETag"]
    service.call("ana", "PUT", f"{path}/draft", json={"orders": [FIRST]})
    assert service.call("ana", "GET", f"{path}/draft").headers["ETag"] != draft
    assert service.call("ana", "GET", path).headers["ETag"] == tags["ana"]
