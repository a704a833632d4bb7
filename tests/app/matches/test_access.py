"""Who may look at a match and care for it: what somebody is at one table says nothing of another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from app.eventstore.store import DAMAGED, MATCH_CACHE
from app.matches.access import Place, access_match
from app.moderation.moderators import appoint_site_moderator
from app.platform import tables
from engine.core.refusal import Unknown
from tests.app.moderating import name_moderator
from tests.app.moderation.test_undo_requests import a_tile, done
from tests.app.service import NOON, Service


@pytest.fixture
def service(sqlite_folder: Path, tmp_path: Path) -> Iterator[Service]:
    with Service.on_sqlite(sqlite_folder, tmp_path, "ana", "bea", "eve", "site") as made:
        with made.database.session() as session:
            appoint_site_moderator(
                session, session.get_one(tables.Player, made.ids["site"]), True, NOON
            )
        yield made


def sits(service: Service, match_id: str, player_id: int | None) -> Place | None:
    """Where somebody is at a table; None if they may not even look."""
    with service.database.look() as session:
        try:
            return access_match(session, match_id, player_id)
        except Unknown:
            return None


def invite(service: Service, name: str) -> str:
    """A private table with one seat kept for somebody."""
    return service.open_table("ana", "me", {"email": f"{name}@example.com"})


def test_who_is_invited_to_one_table_sees_no_other(service: Service) -> None:
    mine, others, running = invite(service, "eve"), invite(service, "bea"), invite(service, "bea")
    service.post("bea", f"/matches/{running}/join")
    here = sits(service, mine, service.ids["eve"])
    assert here
    assert (here.invited, here.at_table) == (True, False)
    assert sits(service, others, service.ids["eve"]) is None
    assert sits(service, running, service.ids["eve"]) is None


def test_a_guest_without_an_address_is_invited_nowhere(service: Service) -> None:
    with service.database.session() as session:
        guest = tables.Player(name="Guest", guest=True)
        session.add(guest)
        session.flush()
        guest_id = guest.id or 0
    for match_id in (invite(service, "bea"), service.running("ana", "bea")):
        assert sits(service, match_id, guest_id) is None
        assert service.call(None, "GET", f"/matches/{match_id}").status_code in (401, 404)


def test_who_cares_for_one_match_cares_for_no_other(service: Service) -> None:
    mine, other = service.running("ana", "bea"), service.running("ana", "bea")
    done(service, name_moderator, mine, "ana", service.ids["bea"], None)
    roles = [place.role for m in (mine, other) if (place := sits(service, m, service.ids["bea"]))]
    assert roles == ["moderator", None]
    assert sits(service, mine, service.ids["eve"]) is None


def test_a_moderator_of_the_site_makes_nobody_else_one(service: Service) -> None:
    match_id = service.running("ana", "bea")
    site, bea = (sits(service, match_id, service.ids[name]) for name in ("site", "bea"))
    assert site
    assert bea
    assert (site.role, bea.role) == ("site", None)
    here = sits(service, match_id, service.ids["ana"])
    assert here
    assert here.role == "owner"
    assert sits(service, match_id, service.ids["eve"]) is None


def test_a_match_that_nobody_owns_is_not_everybodys(service: Service) -> None:
    match_id = service.running("ana", "bea")
    with service.database.session() as session:
        session.get_one(tables.Match, match_id).owner_id = None
    assert sits(service, match_id, None) is None
    assert sits(service, match_id, service.ids["eve"]) is None


def test_before_a_match_begins_who_keeps_several_seats_sits_in_the_first(service: Service) -> None:
    match_id = service.open_table("ana", {"email": "bea@example.com"}, "me", "me")
    here = sits(service, match_id, service.ids["ana"])
    assert here
    assert here.seat == 1
    assert match_id not in DAMAGED  # it was not even tried to read a log that is not there


def test_whose_log_is_damaged_has_a_seat_all_the_same(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    with service.database.session() as session:
        session.get_one(tables.Match, match_id).hash = "another"
    MATCH_CACHE.clear()
    here = sits(service, match_id, service.ids["ana"])
    assert here
    assert here.seat == 0


def test_who_plays_all_seats_sits_in_the_one_that_is_asked(service: Service) -> None:
    match_id, sat = service.open_table("ana", "me", "me"), set[int]()
    for _ in range(2):
        here = sits(service, match_id, service.ids["ana"])
        assert here
        assert [here.seat] == service.get("ana", f"/matches/{match_id}")["to_act"]
        sat.add(here.seat or 0)
        order = service.order("ana", match_id, a_tile(service, match_id), "end")
        assert order.status_code == 200
    assert sat == {0, 1}


def test_while_others_are_asked_who_plays_several_seats_sits_in_the_first(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me", {"email": "bea@example.com"})
    service.post("bea", f"/matches/{match_id}/join")
    with service.database.look() as session:
        found = session.exec(select(tables.Seat).where(tables.Seat.match_id == match_id))
        mine = [seat.number for seat in found if seat.player_id == service.ids["ana"]]
    while service.asked(match_id, "ana", "bea") == "ana":
        here = sits(service, match_id, service.ids["ana"])
        assert here
        assert [here.seat] == service.get("ana", f"/matches/{match_id}")["to_act"]
        service.order("ana", match_id, a_tile(service, match_id), "end")
    here = sits(service, match_id, service.ids["ana"])
    assert here
    assert here.seat == min(mine)
