"""A whole match through the API, its record taken along and brought back, and turning back."""

from __future__ import annotations

import json
from random import Random

import pytest

from app.eventstore.store import load_match
from app.matches.record_signing import sign_record
from engine.core import chance, record
from engine.core.match import Match, note, play, rewind, start
from engine.core.registry import find
from engine.core.timeline import Closed, Paused, Resumed
from tests import forging
from tests.app.service import FIRST, Service, code
from tests.engine.matches import whole

pytestmark = pytest.mark.people("ana", "bea", "cai")


LIKED = ("bid", "festival", "build", "place triple", "enter")  # what leads to an eventful end


def played_out(service: Service, match_id: str, rng: Random) -> int:
    """Random orders by whoever is asked, some liked better, until it is over; the number of orders."""
    seats = {service.get(who, f"/matches/{match_id}")["my_seat"]: who for who in ("ana", "bea")}
    match, count = service.get("ana", f"/matches/{match_id}"), 0
    while match["to_act"]:
        who = seats[match["to_act"][0]]
        legal = service.get(who, f"/matches/{match_id}/legal")["orders"]
        legal = [order for order in legal if not order.startswith("move")]  # to and fro for ever
        liked = [[order for order in legal if order.startswith(word)] for word in LIKED]
        chosen = rng.choice(next(filter(None, liked), legal) if rng.random() < 0.7 else legal)
        chosen = rng.choice(liked[-1]) if liked[-1] and rng.random() < 0.3 else chosen
        orders = [chosen, "end"] if chosen.startswith("place") and rng.random() < 0.2 else [chosen]
        answer = service.order(who, match_id, *orders, head=match["head"], key=f"{count}")
        assert answer.status_code == 200, answer.text
        match, count = service.get("ana", f"/matches/{match_id}"), count + len(orders)
    return count


def test_a_random_match_is_played_to_its_end_and_its_record_comes_back(service: Service) -> None:
    match_id = "wholematch"
    service.put_match(start(find("cuzco"), 2, {}, "a seed", match_id), ["ana", "bea"])
    orders = played_out(service, match_id, Random(5))
    over = service.get("bea", f"/matches/{match_id}")
    assert (over["status"], over["view"]["over"], orders > 50) == ("over", True, True)
    assert over["winners"]
    assert code(service.order("ana", match_id, "end")) == "over"
    events = service.get("bea", f"/matches/{match_id}/history")["events"]
    assert {"TempleBuilt", "FestivalEnded"} <= {event["kind"] for event in events}
    assert events[-1]["kind"] == "SeedRevealed"
    assert all(e["data"]["cards"] for e in events if e["kind"] == "HandDealt")
    file = service.call("bea", "GET", f"/matches/{match_id}/record")
    assert file.mimetype == "application/x-ndjson"
    verdict = record.verify(record.read(record.parse(file.text)))
    assert (verdict.sound, verdict.draws_checked, verdict.events) == (True, True, over["head"])
    brought = service.call("bea", "POST", "/records", data=file.data)
    assert brought.status_code == 201
    again = service.call("bea", "GET", f"/matches/{brought.get_json()['id']}/record")
    assert again.data == file.data


# Taking in


def bring(service: Service, match: Match, who: str = "ana") -> dict[str, object]:
    content = record.text(record.export(match))
    response = service.call(who, "POST", "/records", data=content.encode())
    assert response.status_code == 201, response.text
    return dict(response.get_json())


def test_a_finished_record_becomes_a_finished_match_of_the_caller(service: Service) -> None:
    match = whole("cuzco", 3, 1)
    told = bring(service, match)
    assert (told["status"], told["head"], told["hash"]) == ("over", match.head, match.hash)
    assert [seat["me"] for seat in told["seats"]] == [True] * 3
    assert told["scores"] == list(match.game.scores(match.state))
    assert service.call("bea", "GET", f"/matches/{told['id']}").status_code == 404
    assert bring(service, match)["id"] != told["id"]


def test_a_running_record_is_played_on_by_the_caller_and_still_verifies(service: Service) -> None:
    match = play(start(find("cuzco"), 2, {}, "a seed", "elsewhere"), 0, FIRST)
    match_id = str(bring(service, match)["id"])
    assert service.order("ana", match_id, "draw pile", "end").status_code == 200
    assert service.order("ana", match_id, "place triple g8 g10 h9", "end").status_code == 200
    expected = match
    for seat, order in ((0, "draw pile"), (0, "end"), (1, "place triple g8 g10 h9"), (1, "end")):
        expected = play(expected, seat, order)
    assert service.get("ana", f"/matches/{match_id}")["hash"] == expected.hash


def test_a_record_with_rewinds_comes_in_with_its_cut_branch(service: Service) -> None:
    match = rewind(play(start(find("cuzco"), 2, {}, "a seed"), 0, FIRST), 6, "owner", "a slip")
    told = bring(service, match)
    events = service.get("ana", f"/matches/{told['id']}/history")["events"]
    assert [event["pos"] for event in events if event["cut"]] == [7]


def test_what_was_paused_or_closed_comes_in_as_it_stood(service: Service) -> None:
    """Otherwise it would be played on, and its next record would tell of play while it rested."""
    match = play(start(find("cuzco"), 2, {}, "a seed"), 0, FIRST)
    for fact, status in ((Paused("owner", "rain"), "paused"), (Closed("owner", "rain"), "closed")):
        told = bring(service, note(match, fact))
        assert told["status"] == status
        assert service.order("ana", str(told["id"]), "end").status_code == 403


def test_facts_that_no_table_can_have_done_do_not_come_in(service: Service) -> None:
    match = play(start(find("cuzco"), 2, {}, "a seed"), 0, FIRST)
    content = record.text(record.export(note(match, Resumed("owner", "sun")))).encode()
    response = service.call("ana", "POST", "/records", data=content)
    assert (response.status_code, code(response)) == (422, "illegal")
    assert "was not paused" in response.text


def test_a_record_whose_signature_does_not_fit_does_not_come_in(service: Service) -> None:
    lines = sign_record(whole("cuzco", 2, 0), None, forging.signer(), forging.NOON)
    for service_named, status in (("https://elsewhere.example", 422), (None, 201)):
        changed = forging.copied(lines)
        if service_named:
            changed[0]["signed"]["service"] = service_named
        content = record.text(changed).encode()
        assert service.call("ana", "POST", "/records", data=content).status_code == status


def test_a_record_that_was_changed_cut_or_redacted_is_refused(service: Service) -> None:
    match = play(start(find("cuzco"), 2, {}, "a seed"), 0, FIRST)
    good = record.text(record.export(match))
    bad = {
        "changed": good.replace('"e14"', '"e18"', 1),
        "cut short": good[:-10],
        "redacted": record.text(record.redacted(match, 0)),
        "hostile reason": record.text(record.export(rewind(match, 6, "owner", "x\u202ey"))),
        "hostile name": record.text(record.export(rewind(match, 6, "A" * 200, "x"))),
    }
    for content in bad.values():
        response = service.call("ana", "POST", "/records", data=content.encode())
        assert (response.status_code, code(response)) == (422, "illegal")
    assert service.get("ana", "/matches?mine=true")["matches"] == []


def test_a_running_record_is_redacted_to_the_callers_view(service: Service) -> None:
    match_id = service.running("ana", "bea", public=True)
    for who in ("ana", "bea", "cai", None):
        told = service.call(who, "GET", f"/matches/{match_id}/record").text
        lines = [json.loads(line) for line in told.splitlines()]
        open_hands = [
            line["data"]["seat"] for line in lines[1:]
            if line["kind"] == "HandDealt" and isinstance(line["data"]["cards"], list)
        ]  # fmt: skip
        mine = service.get(who, f"/matches/{match_id}")["my_seat"]
        assert open_hands == ([] if mine is None else [mine])
        assert lines[0]["seeds"] == []
        assert record.verify(record.read(record.parse(told))).sound


# Turning back


def turn_back(service: Service, who: str, match_id: str, head: int, to: int) -> object:
    body = {"head": head, "to": to, "reason": "a slip"}
    return service.call(who, "POST", f"/matches/{match_id}/rewind", json=body)


def test_the_owner_rewinds_and_restores_and_all_are_told(service: Service) -> None:
    service.people("host")
    match_id = service.running("ana", "bea", owner="host")
    who = service.asked(match_id, "ana", "bea")
    service.call(who, "PUT", f"/matches/{match_id}/standing", json={"festival": {"up_to": 1}})
    service.order(who, match_id, FIRST)
    service.call(who, "PUT", f"/matches/{match_id}/draft", json={"orders": ["end"]})
    told = turn_back(service, "host", match_id, 8, 7).get_json()
    assert told == {"head": 9, "awaiting": []}
    match = service.get("ana", f"/matches/{match_id}")
    assert (match["head"], match["view"]["tiles"]) == (9, [])
    assert service.get(who, f"/matches/{match_id}/draft")["orders"] == []
    assert service.get(who, f"/matches/{match_id}/standing") == {"festival": None}
    told = service.post("host", f"/matches/{match_id}/restore", {"head": 9})
    assert told == {"head": 10, "awaiting": []}
    assert len(service.get("ana", f"/matches/{match_id}")["view"]["tiles"]) == 1
    mails = service.get("ana", f"/matches/{match_id}/mails")["mails"]
    for kind in ("rewound", "restored"):
        assert sorted(mail["seat"] for mail in mails if mail["kind"] == kind) == [0, 1]
    last = service.get("bea", f"/matches/{match_id}/history")["events"][8]
    assert "a slip" in last["text"]


def test_a_rewind_needs_a_reason_the_head_and_the_end_of_an_order(service: Service) -> None:
    match_id = service.running("ana", "bea")
    before = service.contents()
    assert code(turn_back(service, "ana", match_id, 6, 7)) == "stale"
    assert code(turn_back(service, "ana", match_id, 7, 6)) == "unknown"
    assert code(turn_back(service, "bea", match_id, 7, 7)) == "forbidden"
    for reason in ("", "  ", None):
        body = {"head": 7, "to": 7, "reason": reason}
        assert (
            code(service.call("ana", "POST", f"/matches/{match_id}/rewind", json=body)) == "syntax"
        )
    restore = service.call("ana", "POST", f"/matches/{match_id}/restore", json={"head": 7})
    assert (restore.status_code, code(restore)) == (422, "illegal")
    assert service.contents() == before


def test_a_finished_match_that_is_rewound_runs_again_with_a_fresh_seed(service: Service) -> None:
    match = whole("cuzco", 2, 1)
    told = bring(service, match)
    match_id, head = str(told["id"]), match.head
    before = max(e.pos for e in match.log if e.act != match.log[-1].act)
    answer = turn_back(service, "ana", match_id, head, before)
    assert answer.get_json() == {"head": head + 1, "awaiting": []}
    running = service.get("ana", f"/matches/{match_id}")
    assert (running["status"], running["winners"], len(running["to_act"])) == ("running", [], 1)
    rewound = service.get("ana", f"/matches/{match_id}/history?from={head + 1}")["events"][0]
    foreseen = chance.next_seed(match.seed, head + 1)  # the old seed is known to everybody
    assert rewound["data"]["commitment"] not in (None, chance.commitment(foreseen))
    assert service.post("ana", f"/matches/{match_id}/restore", {"head": head + 1})
    assert service.get("ana", f"/matches/{match_id}")["status"] == "over"
    file = service.call("ana", "GET", f"/matches/{match_id}/record").text
    assert record.verify(record.read(record.parse(file))).sound


def test_the_seed_of_a_match_is_long_and_cannot_be_made_from_what_is_shown(
    service: Service,
) -> None:
    """Whoever knew it would know every draw and could open every seal."""
    found = [load_match(service.database, service.running("ana", "bea")) for _ in range(2)]
    seeds = [match.seed for match in found]
    assert all(len(bytes.fromhex(seed)) >= 32 for seed in seeds)
    assert len(set(seeds)) == 2
    for match in found:
        shown = {match.id, match.game.key, service.get("ana", f"/matches/{match.id}")["created_at"]}
        assert match.log[0].event.commitment not in map(chance.commitment, shown)
