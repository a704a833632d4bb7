"""What nobody will ask for again is taken out of the tables; all else stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import SQLModel, func, select, update

from app.eventstore.store import MATCH_CACHE, load_match
from app.matches.bot_moves import load_waiting_matches
from app.matches.tables import create_demo
from app.operations import cleanup
from app.operations.cleanup import GUEST_LEFT, end_guest, guests_gone
from app.people.sessions import guest_login
from app.platform import tables
from app.platform.services import Services
from engine.core.timeline import Closed
from tests.app.kept import NOON
from workers.tidying import some, tidy

DAY = timedelta(days=1)
LONG_AGO, LATELY = NOON - 91 * DAY, NOON - 89 * DAY


def put(services: Services, *rows: SQLModel) -> None:
    with services.database.session() as session:
        for row in rows:
            session.add(row)
            session.flush()


def left(services: Services, column: Any) -> list[Any]:
    with services.database.look() as session:
        return sorted(session.exec(select(column)).all())


def test_sessions_that_ended_or_were_forgotten_go(at_noon: Services) -> None:
    ends = {"open": None, "ended": LONG_AGO, "just ended": LATELY, "forgotten": None}
    put(at_noon, tables.Player(id=1, name="Ana", email="ana@example.org"))
    for name, ended in ends.items():
        seen = LONG_AGO if name == "forgotten" else NOON
        put(at_noon, tables.Session(token_hash=name, player_id=1, seen_at=seen, ended_at=ended))
    assert tidy(at_noon) == 2
    assert left(at_noon, tables.Session.token_hash) == ["just ended", "open"]


def test_mails_that_came_are_remembered_for_a_season_and_unread_ones_wait(
    at_noon: Services,
) -> None:
    for key, state, at in (
        ("old", "played", LONG_AGO),
        ("unread", "dead", LONG_AGO),
        ("new", "played", LATELY),
    ):
        put(at_noon, tables.Received(key=key, state=state, at=at))
    assert tidy(at_noon) == 1
    assert left(at_noon, tables.Received.key) == ["new", "unread"]


def test_answers_and_links_go_when_nobody_can_ask_for_them(at_noon: Services) -> None:
    put(at_noon, tables.Match(id="tidymatch1", game="cuzco", title="Tidy", seats=2, hash=""))
    answer = {"match_id": "tidymatch1", "seat": 0, "payload_hash": "", "answer": {}}
    for key, at in (("old", LONG_AGO), ("new", LATELY), ("today", NOON)):
        put(at_noon, tables.Submission(key=key, at=at, **answer))
        put(at_noon, tables.Login(token_hash=key, email="ana@example.org", created_at=at))
    assert tidy(at_noon) == 3
    assert left(at_noon, tables.Submission.key) == ["new", "today"]
    assert left(at_noon, tables.Login.token_hash) == ["today"]


def test_sign_in_mails_go_with_their_addresses_and_those_of_matches_stay(
    at_noon: Services,
) -> None:
    for id_, kind, state, at in (
        (1, "login", "sent", LONG_AGO),
        (2, "login", "sent", LATELY),
        (3, "login", "waiting", LONG_AGO),
        (4, "turn", "sent", LONG_AGO),
    ):
        mail = {"kind": kind, "state": state, "created_at": at, "email": f"{id_}@example.org"}
        put(at_noon, tables.Outbox(id=id_, **mail))
        put(at_noon, tables.Letter(outbox_id=id_, to="", subject="", text="", source=""))
    assert tidy(at_noon) == 2
    assert left(at_noon, tables.Outbox.id) == left(at_noon, tables.Letter.outbox_id) == [2, 3, 4]


# Guests


def demo(services: Services, seen: timedelta, *, guest: bool = True) -> tuple[int, str]:
    """Somebody who began a match against a bot, drafted, and was last seen so long ago; and the match."""
    then = NOON - seen
    with services.database.session() as session:
        new = guest_login(session, "en", then)
        row = create_demo(session, new.player, then, bot="random")
        session.add(tables.Note(match_id=row.id, seat=0, text="remember"))
        session.add(tables.Draft(match_id=row.id, seat=0, orders=["end"], head=row.head))
        new.player.guest = guest
        session.add(new.player)
        return new.player.id or 0, row.id


def test_a_guest_who_stays_away_for_thirty_days_is_seen_off_with_their_matches(
    at_noon: Services,
) -> None:
    gone, match_id = demo(at_noon, 31 * DAY)
    here, other = demo(at_noon, 29 * DAY)
    member, third = demo(at_noon, 80 * DAY, guest=False)
    before = load_match(at_noon.database, match_id)
    tidy(at_noon)
    with at_noon.database.look() as session:
        status = [session.get_one(tables.Match, id_).status for id_ in (match_id, other, third)]
        assert status == ["closed", "running", "running"]
        ended = [session.get_one(tables.Player, id_).deleted_at for id_ in (gone, here, member)]
        assert ended == [NOON, None, None]
        assert match_id not in load_waiting_matches(session, NOON, 9)
    assert match_id not in left(at_noon, tables.Draft.match_id)
    MATCH_CACHE.clear()
    after = load_match(at_noon.database, match_id)
    assert after.log[: before.head] == before.log  # nothing of the log is changed
    assert after.log[-2].event == Closed("operator", GUEST_LEFT)
    assert tidy(at_noon) == 0


def test_a_guest_who_comes_back_at_the_last_moment_stays(at_noon: Services) -> None:
    gone, match_id = demo(at_noon, 31 * DAY)
    with at_noon.database.session() as session:
        assert guests_gone(session, NOON) == [gone]
        session.exec(update(tables.Session).values(seen_at=NOON))
        assert not end_guest(session, gone, NOON)
        assert session.get_one(tables.Match, match_id).status == "running"


def test_much_is_tidied_in_several_steps(
    at_noon: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "BATCH", 3)
    put(at_noon, *(tables.Received(key=f"{n}", state="played", at=LONG_AGO) for n in range(8)))
    assert some(at_noon) == 3
    assert tidy(at_noon) == 5
    with at_noon.database.look() as session:
        assert session.exec(select(func.count()).select_from(tables.Received)).one() == 0


def test_what_let_people_in_is_kept_as_long_as_it_is_told(at_noon: Services) -> None:
    put(at_noon, tables.Player(id=1, name="Ana", email="ana@example.org"))
    for years, name in ((2, "old"), (0, "new")):
        at = NOON - years * 364 * DAY
        put(at_noon, tables.AccessEvent(player_id=1, kind=name, at=at))
        put(at_noon, tables.Challenge(challenge_hash=name, created_at=at))
        change = {"player_id": 1, "session_id": 1, "email": f"{name}@example.org"}
        hashes = {"old_hash": name, "new_hash": f"{name} too"}
        put(at_noon, tables.AddressChange(created_at=at, **change, **hashes))
        put(
            at_noon,
            tables.Session(token_hash=name, player_id=1, seen_at=NOON, created_at=at),
        )
        for kind in ("access", "address_old", "address_new"):
            put(at_noon, tables.Outbox(kind=kind, email=name, state="sent", created_at=at))
    assert tidy(at_noon) == 7
    for column in (
        tables.AccessEvent.kind,
        tables.Challenge.challenge_hash,
        tables.AddressChange.old_hash,
        tables.Session.token_hash,
    ):
        assert left(at_noon, column) == ["new"]
    assert left(at_noon, tables.Outbox.email) == ["new"] * 3
