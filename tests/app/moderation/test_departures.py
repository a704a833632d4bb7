"""Who deletes an account leaves every table: bots play on, the next person owns the match, nothing hangs."""

from __future__ import annotations

import pytest
from sqlmodel import select

from app.clocks.clocks import load_clocks
from app.matches.bot_names import default_bot
from app.matches.participants import load_seats
from app.moderation.commands import OPERATOR
from app.moderation.consent import open_proposal
from app.moderation.departures import delete_account
from app.platform import tables
from app.platform.services import EXTENSION_KEY
from engine.core import record
from tests.app.api.test_moderation import mails
from tests.app.kept import stored
from tests.app.moderating import ask_undo, replace_player, rewind_match
from tests.app.moderation.test_undo_requests import SECOND
from tests.app.seated import played
from tests.app.service import FIRST, NOON, Service
from workers import bots

pytestmark = pytest.mark.people("owner", "ana", "bea", "carl")


def row(service: Service, match_id: str) -> tables.Match:
    with service.database.look() as session:
        return session.get_one(tables.Match, match_id)


def seats(service: Service, match_id: str) -> list[tables.Seat]:
    with service.database.look() as session:
        return load_seats(session, match_id)


def leave(service: Service, who: str) -> None:
    with service.database.session() as session:
        delete_account(session, service.ids[who], NOON)


def kinds(service: Service, match_id: str, since: int = 0) -> list[str]:
    return [type(entry.event).__name__ for entry in stored(service, match_id).log[since:]]


def test_a_bot_plays_on_and_the_next_person_owns_the_match(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl")
    seat = service.get("ana", f"/matches/{match_id}")["my_seat"]
    head = stored(service, match_id).head
    leave(service, "ana")
    assert kinds(service, match_id, head) == ["SeatResigned", "OwnerChanged"]
    found = seats(service, match_id)
    assert (found[seat].player_id, found[seat].bot) == (None, default_bot(stored(service, match_id).game))  # fmt: skip
    assert row(service, match_id).owner_id == found[(seat + 1) % 3].player_id
    heard = {m.player_id for m in mails(service, match_id, "resigned")}
    assert heard == {service.ids["bea"], service.ids["carl"]}
    assert record.verify(record.read(record.export(stored(service, match_id)))).sound


def test_nobody_waits_for_who_has_left(service: Service) -> None:
    match_id = service.running("ana", "bea")
    asked = service.asked(match_id, "ana", "bea")
    leave(service, asked)
    with service.database.look() as session:
        assert [c.phase for c in load_clocks(session, match_id)] == ["idle", "idle"]
    services = service.app.extensions[EXTENSION_KEY]
    later = NOON.replace(hour=13)
    services.now = lambda: later
    assert bots.play(services) >= 1
    other = "bea" if asked == "ana" else "ana"
    assert service.asked(match_id, other) == other


def test_where_nobody_is_left_the_match_is_closed(service: Service) -> None:
    against_bots = service.open_table("ana", "me", {"bot": "random"})
    alone = service.open_table("ana", "me", "me")
    leave(service, "ana")
    for match_id in (against_bots, alone):
        assert row(service, match_id).status == "closed"
        assert kinds(service, match_id)[-2:] == ["Closed", "SeedRevealed"]


def test_a_paused_match_is_left_too(service: Service) -> None:
    match_id = service.running("ana", "bea")
    service.post("ana", f"/matches/{match_id}/pause", {"reason": "lunch"})
    leave(service, "ana")
    assert kinds(service, match_id)[-2:] == ["SeatResigned", "OwnerChanged"]
    assert row(service, match_id).owner_id == service.ids["bea"]
    assert (
        service.post("bea", f"/matches/{match_id}/resume", {"reason": "on"})["status"] == "running"
    )


def test_an_owner_who_does_not_play_hands_it_to_the_first_seat(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    head = stored(service, match_id).head
    leave(service, "owner")
    assert kinds(service, match_id, head) == ["OwnerChanged"]
    assert row(service, match_id).owner_id == seats(service, match_id)[0].player_id
    told = service.get("ana", f"/matches/{match_id}/history")["events"][-1]["text"]
    assert told == "The owner has left; the match is in other hands."


def test_an_open_table_goes_to_who_sits_there_or_is_closed(service: Service) -> None:
    shared = service.open_table("ana", "me", None, None, public=True)
    service.post("bea", f"/matches/{shared}/join")
    empty = service.open_table("ana", "me", None, public=True)
    leave(service, "ana")
    assert (row(service, shared).status, row(service, shared).owner_id) == (
        "open",
        service.ids["bea"],
    )
    assert row(service, empty).status == "closed"
    assert service.ids["ana"] not in [seat.player_id for seat in seats(service, shared)]


def test_a_seat_that_was_kept_for_them_is_not_waited_for(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    seat = service.get("bea", f"/matches/{match_id}")["my_seat"]
    with service.database.session() as session:
        wish = (seat, "carl@example.com", None, "gone", None)
        replace_player(session, match_id, OPERATOR, *wish, NOON)
    leave(service, "carl")
    found = seats(service, match_id)[seat]
    assert (found.player_id, found.invited_email, found.bot is not None) == (None, None, True)


def test_an_undo_that_waited_for_them_alone_is_granted(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl")
    first = service.asked(match_id, "ana", "bea", "carl")
    start = stored(service, match_id).head
    service.order(first, match_id, FIRST, "end")
    others = [name for name in ("ana", "bea", "carl") if name != first]
    second = service.asked(match_id, *others)
    service.order(second, match_id, SECOND)
    third = next(name for name in others if name != second)
    with service.database.session() as session:
        ask_undo(session, match_id, service.ids[first], start, "a slip", None, NOON)
    leave(service, second)  # a bot has their seat now: the third is asked instead
    assert {m.player_id for m in mails(service, match_id, "undo")} >= {service.ids[third]}
    leave(service, third)
    assert kinds(service, match_id)[-1] == "Rewound"


def test_what_they_asked_for_or_proposed_lapses(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl")
    service.order(service.asked(match_id, "ana", "bea", "carl"), match_id, FIRST)
    head = stored(service, match_id).head
    wish = {"head": head, "to": head - 1, "reason": "a slip"}
    service.post("ana", f"/matches/{match_id}/rewind", wish)
    assert open_proposal(stored(service, match_id))
    leave(service, "ana")
    assert open_proposal(stored(service, match_id)) is None


def test_a_finished_match_that_is_taken_back_has_a_bot_in_their_seat(service: Service) -> None:
    over = played(10_000, "overmatch2")
    service.put_match(over, ["ana", "bea"])
    leave(service, "ana")
    assert seats(service, over.id)[0].player_id == service.ids["ana"]  # the moves stay theirs
    ends = sorted({e.act: e.pos for e in over.timeline.effective}.values())
    rewind_match(service.database, over.id, OPERATOR, None, ends[-3], "a slip", NOON)
    assert seats(service, over.id)[0].bot is not None
    with service.database.look() as session:
        waiting = [c.seat for c in load_clocks(session, over.id) if c.phase != "idle"]
    assert 0 not in waiting


def test_nothing_of_them_cares_for_a_match_any_more(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    with service.database.session() as session:
        session.add(tables.Moderator(match_id=match_id, player_id=service.ids["carl"]))
    leave(service, "carl")
    with service.database.look() as session:
        assert session.exec(select(tables.Moderator)).all() == []
        assert session.exec(select(tables.Vacation)).all() == []
