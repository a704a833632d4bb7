"""The chance of a match: committed to when the table is opened, and mixed with what players give before it begins."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from app.eventstore.store import load_match
from app.matches.tables import committed_seed
from app.moderation.commands import OPERATOR
from app.platform import tables
from engine.core import chance, record
from engine.core.timeline import SeatsDrawn
from tests.app.browser import Visitor, services_of
from tests.app.moderating import close_match
from tests.app.service import NOON, Service

PEOPLE = ("ana", "bea", "cy")
WORDS = "seven black llamas, 4 2 6"
HASH = sha256(WORDS.encode()).hexdigest()


pytestmark = pytest.mark.people(*PEOPLE)


def give(service: Service, who: str, match_id: str, nonce: Any) -> Any:
    return service.call(who, "PUT", f"/matches/{match_id}/nonce", json={"nonce": nonce})


def test_the_table_is_shown_the_seal_of_a_seed_before_anybody_gives_a_nonce(
    service: Service,
) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    shown = service.get(None, f"/matches/{match_id}")["commitment"]
    assert len(shown) == 64
    assert give(service, "ana", match_id, WORDS).get_json()["commitment"] == shown
    service.post("bea", f"/matches/{match_id}/join")
    match = load_match(service.database, match_id)
    assert match.log[0].event.commitment == shown == chance.commitment(match.seed)


def test_nonces_are_shown_as_hashes_and_mixed_into_every_draw(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, None, public=True)
    told = give(service, "ana", match_id, WORDS).get_json()
    assert [seat["nonce"] for seat in told["seats"]] == [HASH, None, None]
    assert WORDS not in service.contents()
    service.post("bea", f"/matches/{match_id}/join")
    # The last one starts the match with the joining, and must be heard too.
    service.post("cy", f"/matches/{match_id}/join", {"nonce": "rain"})
    match = load_match(service.database, match_id)
    drawn = match.log[1].event
    assert drawn.nonces == (HASH, "", sha256(b"rain").hexdigest())
    assert [seat["nonce"] for seat in service.get("ana", f"/matches/{match_id}")["seats"]] == [
        None
    ] * 3
    with service.database.session() as session:
        close_match(session, match_id, OPERATOR, "enough", None, NOON)
    file = service.call("bea", "GET", f"/matches/{match_id}/record").text
    verdict = record.verify(record.read(record.parse(file)))
    assert (verdict.sound, verdict.draws_checked) == (True, True)


def test_who_sits_where_is_what_the_log_says(service: Service) -> None:
    for _ in range(6):
        match_id = service.open_table("ana", "me", None, {"bot": "random"}, public=True)
        service.post("bea", f"/matches/{match_id}/join")
        event = load_match(service.database, match_id).log[1].event
        assert isinstance(event, SeatsDrawn)
        chairs = ["Ana", "Bea", None]
        seats = service.get("ana", f"/matches/{match_id}")["seats"]
        assert [seat["name"] for seat in seats] == [chairs[chair] for chair in event.chairs]
        text = service.get("ana", f"/matches/{match_id}/history")["events"][1]["text"]
        assert text == "The seats were drawn by lot."


def test_a_nonce_can_be_changed_or_taken_back_and_goes_with_its_player(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, None, public=True)
    path = f"/matches/{match_id}"
    give(service, "ana", match_id, WORDS)
    assert give(service, "ana", match_id, "rain").get_json()["seats"][0]["nonce"] != HASH
    assert give(service, "ana", match_id, "").get_json()["seats"][0]["nonce"] is None
    service.post("bea", f"{path}/join", {"nonce": WORDS})
    assert service.get("ana", path)["seats"][1]["nonce"] == HASH
    service.post("bea", f"{path}/leave")
    assert service.get("ana", path)["seats"][1]["nonce"] is None


@pytest.mark.parametrize("nonce", ["two\nlines", "x" * 201, 7, None, ["a"], "\x00"])
def test_a_nonce_that_cannot_be_is_refused_and_changes_nothing(
    service: Service, nonce: Any
) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    give(service, "ana", match_id, WORDS)
    before = service.contents()
    assert give(service, "ana", match_id, nonce).status_code == 400
    assert service.contents() == before
    joining = service.call("bea", "POST", f"/matches/{match_id}/join", json={"nonce": "a\nb"})
    assert joining.status_code == 400
    assert service.contents() == before


def test_only_who_sits_at_an_open_table_gives_a_nonce(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    assert give(service, "bea", match_id, WORDS).status_code == 403
    private = service.open_table("ana", "me", None)
    assert give(service, "bea", private, WORDS).status_code == 404
    service.post("bea", f"/matches/{match_id}/join")
    before = service.contents()
    assert give(service, "ana", match_id, WORDS).status_code == 403
    assert service.contents() == before


def test_a_table_that_an_older_version_opened_starts_with_a_seed_of_its_own(
    service: Service,
) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    with service.database.session() as session:
        row = session.get_one(tables.Match, match_id)
        row.seeds = row.commitment = None
        session.add(row)
    assert service.get("ana", f"/matches/{match_id}")["commitment"] is None
    service.post("bea", f"/matches/{match_id}/join")
    assert load_match(service.database, match_id).seed


# Pages


def opened(ana: Visitor, **more: Any) -> str:
    wish = {"game": "cuzco", "seat0": "me", "seat1": "open", "seat2": "open", "public": "yes"}
    return str(ana.post("/tables/new", {**wish, **more}).headers["Location"])


def test_the_waiting_room_explains_it_and_takes_words(
    app: Flask, signed_in: Callable[[str], Visitor]
) -> None:
    ana, bo, cy = (signed_in(f"{name}@example.org") for name in ("ana", "bo", "cy"))
    where = opened(ana)
    with services_of(app).database.look() as session:
        row = session.get_one(tables.Match, where.rpartition("/")[2])
        seal = row.commitment or ""
    page = ana.get(where).text
    assert seal in page
    assert "none of us alone can choose" in page
    assert ana.post(f"{where}/nonce", {"nonce": WORDS}).status_code == 303
    shown = bo.get(where).text
    assert HASH in shown
    assert WORDS not in shown
    assert bo.post(f"{where}/join", {"nonce": "of bo"}).status_code == 303
    assert bo.post(f"{where}/nonce", {"nonce": "two\nlines"}).status_code == 400
    assert cy.post(f"{where}/nonce", {"nonce": WORDS}).status_code == 403
    assert cy.post(f"{where}/join").status_code == 303
    match = load_match(services_of(app).database, where.rpartition("/")[2])
    assert match.nonces == (HASH, sha256(b"of bo").hexdigest(), "")
    assert "what players had mixed into it" in cy.get(f"{where}/history").text
    assert match.seed not in cy.get(f"{where}/history").text


def test_an_invitation_takes_words_too(signed_in: Callable[[str], Visitor]) -> None:
    ana, bo = signed_in("ana@example.org"), signed_in("bo@example.org")
    where = opened(ana, seat1="invite", email1="bo@example.org")
    assert 'name="nonce"' in bo.get(where).text
    assert bo.post(f"{where}/join", {"nonce": WORDS}).status_code == 303
    assert HASH in ana.get(where).text


def test_the_seed_of_an_open_table_is_nowhere_to_be_seen(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    with service.database.look() as session:
        row = session.get_one(tables.Match, match_id)
        seed = committed_seed(session, row)
    for path in ("", "/mails", "/history", "/record", "/legal"):
        assert seed not in service.call("ana", "GET", f"/matches/{match_id}{path}").text
    assert seed not in service.contents()
