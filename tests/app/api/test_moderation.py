"""Care of a match by its owner: each act is in the log, told to the table, and gives nothing away."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from app.clocks.clocks import load_clocks
from app.platform import tables
from app.platform.services import EXTENSION_KEY
from engine.core import record
from tests.app.api.test_secrets import MINE, POOR, RICH, started
from tests.app.kept import stored
from tests.app.service import FIRST, NOON, Service, code
from tests.engine.matches import whole

PEOPLE = ("owner", "ana", "bea", "carl", "stranger")
WHY = {"reason": "a holiday"}
ACTS: dict[str, dict[str, Any]] = {
    "pause": {},
    "extend": {"hours": 24},
    "close": {},
    "seats/0/replace": {"email": "carl@example.com"},
}


pytestmark = pytest.mark.people(*PEOPLE)


def care(
    service: Service, match_id: str, what: str, status: int = 200, who: str = "owner", **more: Any
) -> Any:
    return service.post(who, f"/matches/{match_id}/{what}", {**WHY, **more}, status)


def last(service: Service, match_id: str) -> dict[str, Any]:
    event: dict[str, Any] = service.get("owner", f"/matches/{match_id}/history")["events"][-1]
    return event


def mails(service: Service, match_id: str, kind: str) -> list[tables.Outbox]:
    with service.database.look() as session:
        query = select(tables.Outbox).where(
            tables.Outbox.match_id == match_id, tables.Outbox.kind == kind
        )
        return list(session.exec(query.order_by(col(tables.Outbox.id))))


def seat_of(service: Service, who: str, match_id: str) -> int:
    return int(service.get(who, f"/matches/{match_id}")["my_seat"])


def sound(service: Service, match_id: str) -> bool:
    lines = record.export(stored(service, match_id))
    return record.verify(record.read(lines)).sound and record.load(lines).hash == lines[-1]["hash"]


# Pausing, extending, closing


def test_a_paused_match_takes_no_orders_until_it_goes_on(service: Service, match_id: str) -> None:
    who = service.asked(match_id, "ana", "bea")
    paused = care(service, match_id, "pause")
    assert (paused["status"], paused["to_act"]) == ("paused", [])
    refused = service.order(who, match_id, FIRST)
    assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert "paused" in refused.json["error"]["message"]  # type: ignore[index]
    assert care(service, match_id, "resume")["status"] == "running"
    assert service.order(who, match_id, FIRST).status_code == 200
    assert sound(service, match_id)


def test_the_time_of_a_pause_is_not_counted(service: Service, match_id: str) -> None:
    set_deadline(service, match_id)
    care(service, match_id, "pause")
    service.app.extensions[EXTENSION_KEY].now = lambda: NOON + timedelta(hours=5)
    assert care(service, match_id, "resume")["deadline"] == "2026-03-29T18:00:00Z"


def test_a_deadline_is_extended_by_hours(service: Service, match_id: str) -> None:
    assert (
        care(service, match_id, "extend", hours=1)["deadline"] == "2026-03-31T13:00:00Z"
    )  # 48 + 1
    set_deadline(service, match_id)
    assert care(service, match_id, "extend", hours=24)["deadline"] == "2026-03-30T13:00:00Z"
    assert last(service, match_id)["data"] == {"by": "owner", "reason": "a holiday", "hours": 24}
    assert sound(service, match_id)


@pytest.mark.parametrize("hours", [0, -1, 1441, 1.5, "3", None, 10**30])
def test_hours_that_cannot_be(service: Service, match_id: str, hours: Any) -> None:
    care(service, match_id, "extend", 400, hours=hours)


def set_deadline(service: Service, match_id: str) -> None:
    """One hour is left to whoever is asked."""
    with service.database.session() as session:
        (running,) = (c for c in load_clocks(session, match_id) if c.phase == "turn")
        running.due_at = session.get_one(tables.Match, match_id).deadline = NOON + timedelta(
            hours=1
        )


def test_a_closed_match_is_ended_and_tells_its_seed(service: Service, match_id: str) -> None:
    seed = stored(service, match_id).seed
    assert seed not in service.call("owner", "GET", f"/matches/{match_id}/record").text
    assert care(service, match_id, "close")["status"] == "closed"
    with service.database.look() as session:
        assert session.get_one(tables.Match, match_id).ended_at == NOON
    for who in ("ana", "owner"):
        told = record.read(
            record.parse(service.call(who, "GET", f"/matches/{match_id}/record").text)
        )
        assert told.seeds == ((1, seed),)
        verdict = record.verify(told)
        assert verdict.sound
        assert verdict.draws_checked
    events = service.get("ana", f"/matches/{match_id}/history")["events"]
    assert events[-1]["data"] == {"seed": seed}
    assert None not in [event["data"].get("card") for event in events if "card" in event["data"]]
    for what, more in {**ACTS, "resume": {}}.items():
        care(service, match_id, what, 403, **more)
    assert service.order("ana", match_id, FIRST).status_code == 403
    assert sound(service, match_id)


def test_acts_that_do_not_fit_the_state_are_refused(service: Service, match_id: str) -> None:
    care(service, match_id, "resume", 403)
    care(service, match_id, "pause")
    care(service, match_id, "pause", 403)
    table = service.open_table("owner", "me", None)
    for what, more in {**ACTS, "resume": {}}.items():
        care(service, table, what, 403, **more)


# What all of them share


@pytest.mark.parametrize(("what", "more"), ACTS.items())
def test_each_is_in_the_log_with_its_reason_and_told_once(
    service: Service, match_id: str, what: str, more: dict[str, Any]
) -> None:
    service.run_out(match_id, 0)
    before = stored(service, match_id)
    care(service, match_id, what, **more)
    event = service.get("owner", f"/matches/{match_id}/history")["events"][before.head]
    assert event["pos"] == before.head + 1
    assert not event["cut"]
    assert event["text"].startswith("Owner ")
    assert event["text"].endswith(": a holiday")
    after = stored(service, match_id)
    assert after.state == before.state
    if not after.revealed:
        assert after.timeline == before.timeline
    kinds = {"pause": "paused", "extend": "extended", "close": "closed"}
    told = [mail.player_id for mail in mails(service, match_id, kinds.get(what, "replaced"))]
    table = ["ana", "bea"]
    assert sorted(told) == [service.ids[name] for name in table]
    assert service.get("owner", f"/matches/{match_id}/at/{after.head}")["view"]
    assert sound(service, match_id)


@pytest.mark.parametrize(("what", "more"), ACTS.items())
def test_each_needs_the_owner_a_reason_and_the_head_that_is(
    service: Service, match_id: str, what: str, more: dict[str, Any]
) -> None:
    before = service.contents()
    path = f"/matches/{match_id}/{what}"
    care(service, match_id, what, 403, "ana", **more)
    care(service, match_id, what, 404, "stranger", **more)
    assert service.call(None, "POST", path, json={**WHY, **more}).status_code == 401
    for reason in ("", "  ", "\x00", "x" * 501, None, 5):
        assert (
            service.call("owner", "POST", path, json={**more, "reason": reason}).status_code == 400
        )
    stale = service.call("owner", "POST", path, json={**WHY, **more, "head": 1})
    assert (stale.status_code, code(stale)) == (409, "stale")
    assert service.contents() == before
    care(service, match_id, what, head=stale.json["error"]["head"], **more)  # type: ignore[index]


def test_a_rewind_cuts_no_fact_about_the_table(service: Service, match_id: str) -> None:
    who = service.asked(match_id, "ana", "bea")
    start = stored(service, match_id).head
    service.order(who, match_id, FIRST)
    care(service, match_id, "extend", hours=2)
    wish = {"head": start + 2, "to": start, "reason": "a slip"}
    service.post("owner", f"/matches/{match_id}/rewind", wish)
    care(service, match_id, "extend", hours=3)
    events = service.get("owner", f"/matches/{match_id}/history?from={start + 1}")["events"]
    assert [event["cut"] for event in events] == [True, False, False, False]
    service.post("owner", f"/matches/{match_id}/restore", {"head": start + 4})
    assert sound(service, match_id)


# Giving a seat to another


def test_whoever_takes_over_a_seat_has_the_hand_and_nothing_that_was_prepared(
    service: Service, match_id: str
) -> None:
    who = service.asked(match_id, "ana", "bea")
    seat = seat_of(service, who, match_id)
    hand = service.get(who, f"/matches/{match_id}")["view"]["hand"]
    service.call(who, "PUT", f"/matches/{match_id}/draft", json={"orders": [FIRST]})
    standing = {"festival": {"up_to": 2}}
    service.call(who, "PUT", f"/matches/{match_id}/standing", json=standing)
    with service.database.session() as session:
        session.add(tables.Note(match_id=match_id, seat=seat, text="my plan"))
    service.run_out(match_id, seat)
    care(service, match_id, f"seats/{seat}/replace", email="Carl@example.com")
    assert service.call("carl", "GET", f"/matches/{match_id}/draft").status_code == 403
    service.post("carl", f"/matches/{match_id}/join")
    assert service.call(who, "GET", f"/matches/{match_id}").status_code == 404
    seen = service.get("carl", f"/matches/{match_id}")
    assert (seen["my_seat"], seen["view"]["hand"]) == (seat, hand)
    assert service.get("carl", f"/matches/{match_id}/draft")["orders"] == []
    assert service.get("carl", f"/matches/{match_id}/standing")["festival"] is None
    with service.database.look() as session:
        assert session.get(tables.Note, (match_id, seat)) is None
    assert [m.player_id for m in mails(service, match_id, "turn")][-1] == service.ids["carl"]
    assert service.order("carl", match_id, FIRST).status_code == 200
    assert sound(service, match_id)


def test_a_seat_waits_for_an_address_that_is_nobodys_yet(service: Service, match_id: str) -> None:
    who = service.asked(match_id, "ana", "bea")
    seat = seat_of(service, who, match_id)
    service.run_out(match_id, seat)
    for email in ("dora@example.com", "ed@example.com", "dora@example.com"):
        told = care(service, match_id, f"seats/{seat}/replace", email=email)
        assert told["status"] == "running"
        assert told["seats"][seat]["name"] is None
        assert told["seats"][seat]["invited"]
    assert "example.com" not in service.call("owner", "GET", f"/matches/{match_id}").text
    service.people("dora", "ed")
    service.post("ed", f"/matches/{match_id}/join", status=404)
    service.post("stranger", f"/matches/{match_id}/join", status=404)
    head = stored(service, match_id).head
    joined = service.post("dora", f"/matches/{match_id}/join")
    assert (joined["my_seat"], joined["head"], joined["status"]) == (seat, head, "running")
    assert service.order("dora", match_id, FIRST).status_code == 200
    assert sound(service, match_id)


def test_a_known_address_is_invited_like_any_other(service: Service, match_id: str) -> None:
    service.run_out(match_id, 0)
    answers = [
        care(service, match_id, "seats/0/replace", email=email)["seats"]
        for email in ("carl@example.com", "nobody.yet@example.com")
    ]
    assert answers[0] == answers[1]


def test_a_bot_takes_a_seat_at_once(service: Service, match_id: str) -> None:
    service.run_out(match_id, 1)
    told = care(service, match_id, "seats/1/replace", bot="random")
    assert (told["seats"][1]["bot"], told["seats"][1]["name"]) == ("random", None)
    assert sound(service, match_id)


def test_seats_that_cannot_be_given(service: Service, match_id: str) -> None:
    before = service.contents()
    for wish, status in (
        ({"bot": "clever"}, 404),
        ({}, 400),
        ({"bot": "random", "email": "carl@example.com"}, 400),
        ({"email": "nobody"}, 400),
        ({"email": "ana@example.com"}, 403),
        ({"email": "bea@example.com"}, 403),
    ):
        care(service, match_id, "seats/0/replace", status, **wish)
    for number in ("2", "11", "9" * 40):
        care(service, match_id, f"seats/{number}/replace", 404, email="carl@example.com")
    assert service.contents() == before


def test_whoever_took_a_match_in_knows_its_seed_and_plays_alone(service: Service) -> None:
    content = record.text(record.export(started([MINE, POOR, POOR], "known")))
    taken = service.call("owner", "POST", "/records", data=content)
    own = taken.json["id"]  # type: ignore[index]
    care(service, own, "seats/1/replace", 403, email="carl@example.com")
    care(service, own, "pause")
    text = record.text(record.export(stored(service, own)))
    again = service.call("ana", "POST", "/records", data=text)
    assert again.status_code == 201


# What was learned


def test_the_report_counts_what_others_learned_and_names_only_ones_own(
    sqlite_folder: Path, tmp_path: Path
) -> None:
    told: dict[str, set[str]] = {"owner": set(), "seat0": set()}
    for number, (hand, seed) in enumerate([(POOR, "one"), (RICH, "two"), (RICH, "three")]):
        folder = tmp_path / str(number)
        people = ("owner", "seat0", "seat1", "seat2")
        with Service.on_sqlite(sqlite_folder, folder, *people) as service:
            service.put_match(started([MINE, hand, POOR], seed), list(people[1:]))
            assert service.order("seat0", "twoworlds", "place village g8", "end").status_code == 200
            drawn = service.order("seat1", "twoworlds", "place village h9", "draw pile", "end")
            assert drawn.status_code == 200
            path = "/matches/twoworlds/knowledge?to=2"
            told["owner"].add(service.call("owner", "GET", path).text)
            with service.database.session() as session:
                row = session.get_one(tables.Match, "twoworlds")
                row.owner_id = service.ids["seat0"]
            told["seat0"].add(service.call("seat0", "GET", path).text)
            report = service.get("seat0", path)
            with service.database.session() as session:
                row = session.get_one(tables.Match, "twoworlds")
                row.owner_id = service.ids["seat1"]
            (own,) = service.get("seat1", path)["own"]
            assert own["data"]["card"] is not None
    assert {who: len(texts) for who, texts in told.items()} == {"owner": 1, "seat0": 1}
    assert [seat["count"] for seat in report["seats"]] == [0, 1, 0]
    assert report["seats"][1]["kinds"] == {"CardDrawn": 1}
    assert report["seats"][1]["text"] == "Seat1 learned 1 secret."
    assert report["own"] == []
    assert report["public"] > 3
    assert {(mail["kind"], mail["seat"]) for mail in report["mails"]} == {("turn", 1), ("turn", 2)}
    assert all(mail["pos"] > 2 for mail in report["mails"])


def test_the_report_says_that_the_end_opened_all_secrets(
    sqlite_folder: Path, tmp_path: Path
) -> None:
    """Also where nothing was drawn or shown in the part to be cut: hands, pile and seed were there for all to see."""
    with Service.on_sqlite(sqlite_folder, tmp_path, "owner", "ana", "bo") as service:
        match = whole("cuzco", 2, 0)
        service.put_match(match, ["ana", "bo"])
        last = match.log[-1].act - 1
        report = service.get("owner", f"/matches/{match.id}/knowledge?to={last}")
    assert "all its secrets lay open to everybody" in report["shown"][-1]


def test_the_report_is_for_the_owner_and_for_positions_that_are(
    service: Service, match_id: str
) -> None:
    path = f"/matches/{match_id}/knowledge"
    assert service.call("ana", "GET", path).status_code == 403
    assert service.call("stranger", "GET", path).status_code == 404
    assert service.call(None, "GET", path).status_code == 401
    assert service.call("owner", "GET", f"{path}?to=999").status_code == 404
    assert service.call("owner", "GET", f"{path}?to=x").status_code == 400
    assert service.get("owner", f"{path}?to=7")["public"] == 0
    dealt = service.get("owner", path)
    assert [seat["count"] for seat in dealt["seats"]] == [1, 1]
    assert "@" not in service.call("owner", "GET", path).text
