"""What somebody at the table might try: undo as an oracle, other people's mails, floods, links that should be dead."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from flask import Flask
from sqlmodel import select

from app import create_app
from app.eventstore.store import load_match
from app.mail.mail_log import load_mail_log
from app.matches import bot_moves, invitations
from app.matches.access import access_match
from app.matches.bot_moves import (
    ADVICE,
    THINKING,
    asked_bot,
    load_advice,
    load_bot_seats,
    move_bots,
)
from app.matches.invitations import TO_ONE_ADDRESS, check_invitations
from app.moderation import undo_requests
from app.moderation.commands import OPERATOR
from app.moderation.consent import open_wish
from app.moderation.departures import delete_account
from app.moderation.reports import report_match, settle_report
from app.moderation.undo_requests import concerned
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import Busy, Forbidden, TooMany
from app.platform.services import Services
from app.platform.settings import Settings
from app.views.moderation_page import MOST_PLACES
from app.web.care import harmless
from engine.core.match import Match
from tests.app.answering import address, answer, table
from tests.app.browser import Visitor, services_of
from tests.app.moderating import answer_undo, replace_player, rewind_match
from tests.app.moderation.test_undo_requests import ask, done, stored
from tests.app.seated import come_in, late_match, played, two
from tests.app.service import NOON, Service

pytestmark = pytest.mark.people("owner", "ana", "bea", "carl", "site")


# Undo


def drew(service: Service, *seats: object) -> tuple[str, int, int]:
    """Ana at a table with these: she lays a tile and draws a card; the match, her seat, and where she was before."""
    match_id = service.open_table("ana", "me", *seats)
    for name in ("bea", "carl"):
        if {"email": f"{name}@example.com"} in seats:
            service.post(name, f"/matches/{match_id}/join")
    match = stored(service, match_id)
    mine = service.get("ana", f"/matches/{match_id}")["my_seat"]
    while match.game.to_act(match.state) != (mine,):
        who = service.asked(match_id, "bea", "carl") if not bots_turn(service, match) else None
        if who is None:
            move_bots(service.database, match_id, NOON)
        else:
            tile = a_tile(service, who, match_id)
            assert service.order(who, match_id, tile, "end").status_code == 200
        match = stored(service, match_id)
    tile = a_tile(service, "ana", match_id)
    assert service.order("ana", match_id, tile, "draw pile").status_code == 200
    return match_id, mine, match.head


def bots_turn(service: Service, match: Match) -> bool:
    with service.database.look() as session:
        return asked_bot(match, load_bot_seats(session, match.id)) is not None


def a_tile(service: Service, who: str, match_id: str) -> str:
    orders = service.get(who, f"/matches/{match_id}/legal")["orders"]
    return next(order for order in orders if order.startswith("place triple"))


BEA = {"email": "bea@example.com"}
BOT = {"bot": "random"}


def test_against_bots_alone_a_draw_may_be_undone(service: Service) -> None:
    match_id, _, start = drew(service, BOT)
    assert ask(service, match_id, "ana", start) is True


def test_a_draw_is_not_undone_behind_the_back_of_somebody_who_is_to_come(service: Service) -> None:
    """A seat that is kept is somebody's: otherwise one could draw until the card is good."""
    match_id, mine, start = drew(service, BEA)
    with service.database.session() as session:
        replace_player(
            session, match_id, OPERATOR, 1 - mine, "carl@example.com", None, "gone", None, NOON
        )  # fmt: skip
    assert ask(service, match_id, "ana", start) is False
    wish = open_wish(stored(service, match_id))
    assert wish
    service.post("carl", f"/matches/{match_id}/join")
    assert done(service, answer_undo, match_id, "carl", wish.pos, True) is True


def test_what_a_bot_answered_is_not_tried_out_at_a_table_with_people(service: Service) -> None:
    match_id = service.open_table("ana", "me", BEA, BOT)
    service.post("bea", f"/matches/{match_id}/join")
    while True:
        match = stored(service, match_id)
        if bots_turn(service, match):
            move_bots(service.database, match_id, NOON)
            continue
        who = service.asked(match_id, "ana", "bea")
        before = match.head
        tile = a_tile(service, who, match_id)
        assert service.order(who, match_id, tile, "end").status_code == 200
        if bots_turn(service, stored(service, match_id)):
            break
    assert ask_in_thought(service, match_id, who, before) == ()  # nobody has answered yet
    move_bots(service.database, match_id, NOON)
    assert len(ask_in_thought(service, match_id, who, before)) == 1
    assert ask(service, match_id, who, before) is False


def ask_in_thought(service: Service, match_id: str, who: str, to: int) -> tuple[int, ...]:
    with service.database.look() as session:
        here = access_match(session, match_id, service.ids[who])
        return concerned(session, stored(service, match_id), here.seat or 0, to)


def test_consent_goes_with_the_one_who_gave_it(service: Service) -> None:
    """Whoever comes into a seat has not agreed; and what the one before asked for is asked no more."""
    match_id, mine, start = drew(service, BEA, {"email": "carl@example.com"})
    assert ask(service, match_id, "ana", start) is False
    wish = open_wish(stored(service, match_id))
    assert wish
    assert done(service, answer_undo, match_id, "bea", wish.pos, True) is False
    given = service.get("bea", f"/matches/{match_id}")["my_seat"]
    replace(service, match_id, given)
    wish = open_wish(stored(service, match_id))
    assert wish
    assert wish.agreed == frozenset()
    replace(service, match_id, mine)
    assert open_wish(stored(service, match_id)) is None


def replace(service: Service, match_id: str, number: int) -> None:
    with service.database.session() as session:
        replace_player(session, match_id, OPERATOR, number, None, "random", "gone", None, NOON)


# Advice


def test_advice_waits_for_who_is_to_come_and_thinks_one_thought_at_a_time(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, mine, _ = drew(service, BOT)
    with service.database.look() as session:
        here = access_match(session, match_id, service.ids["ana"])
        monkeypatch.setattr(bot_moves, "PATIENCE", 0)
        ADVICE.clear()
        with THINKING, pytest.raises(Busy):
            load_advice(session, here)
        order = load_advice(session, here)
        with THINKING:  # it is known by now
            assert load_advice(session, here) == order
    with service.database.session() as session:
        other = session.get_one(tables.Seat, (match_id, 1 - mine))
        other.bot, other.invited_email = None, "carl@example.com"
        session.add(other)
        session.flush()
        with pytest.raises(Forbidden, match="not allowed"):
            load_advice(session, here)


# Mails and the audit


def test_what_somebody_asked_by_mail_is_in_nobody_elses_log(app: Flask) -> None:
    """Whoever sends a mail out of turn has probably changed their standing orders."""
    where, ana, bo = two(app, late_match())
    match_id = where.rpartition("/")[2]
    services = services_of(app)
    with services.database.session() as session:
        session.add(tables.Outbox(match_id=match_id, kind="answer", player_id=bo.player.id, pos=1))
    with services.database.look() as session:
        logs = [
            load_mail_log(session, access_match(session, match_id, visitor.player.id))
            for visitor in (ana, bo)
        ]
    assert [len(found.lines) for found in logs] == [0, 1]  # Ana owns the match


def test_that_a_match_was_reported_is_the_sites_affair(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    site = come_in(app, "site@example.org")
    services = services_of(app)
    with services.database.session() as session:
        moderator = session.get_one(tables.Player, site.player.id)
        moderator.moderator = True
        here = access_match(session, where.rpartition("/")[2], bo.player.id)
        report_match(session, here, "the owner is rude", services.now())
        session.flush()
        settle_report(session, moderator, 1, services.now())
    assert "settled a report" not in ana.get(f"{where}/audit").text
    assert "report" not in ana.get(f"{where}/audit.csv").text
    assert "report settled" in site.get("/site/audit.csv").text


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_no_cell_is_a_formula(start: str) -> None:
    text = io.StringIO()
    csv.writer(text).writerow([harmless(f"{start}HYPERLINK(1)\r\n{start}2")])
    (cells,) = csv.reader(io.StringIO(text.getvalue(), newline=""))
    assert cells[0].startswith("'")


# Old addresses and links


def test_an_old_reply_address_sets_no_standing_orders_after_a_turn_back(services: Services) -> None:
    ids = table(services, played(12), "ana", "bo")
    match = load_match(services.database, "playedout2")
    to = address(services, match.id, 0, ids[0], match.head)
    ends = sorted({e.act: e.pos for e in match.timeline.effective}.values())
    rewind_match(
        services.database, match.id, OPERATOR, None, ends[-3], "a slip", services.now()
    )  # fmt: skip
    assert answer(services, to, "standing up to 60") == "refused"
    with services.database.look() as session:
        assert session.exec(select(tables.Standing)).all() == []


@pytest.mark.parametrize("body", ["end", "standing up to 60", "agree", "history"])
def test_who_has_left_the_seat_or_the_site_does_nothing_by_mail(
    services: Services, body: str
) -> None:
    ids = table(services, played(12), "ana", "bo")
    match = load_match(services.database, "playedout2")
    to = address(services, match.id, 1, ids[1], match.head)
    with services.database.session() as session:
        replace_player(session, match.id, OPERATOR, 1, None, "random", "gone", None, services.now())
    head = load_match(services.database, match.id).head
    assert answer(services, to, body, sender="bo@example.org") == "refused"
    with services.database.session() as session:
        delete_account(session, ids[1], services.now())
    assert answer(services, to, f"{body} ", sender="bo@example.org") == "ignored"
    assert load_match(services.database, match.id).head == head
    with services.database.look() as session:
        assert session.exec(select(tables.Standing)).all() == []


# Floods


def test_nobody_is_flooded_with_invitations(service: Service) -> None:
    """Five mails an hour to one address; the seat is kept all the same, and the lobby tells of it."""
    for _ in range(8):
        match_id = service.open_table("ana", "me", BEA)
    with service.database.look() as session:
        sent = select(tables.Outbox).where(tables.Outbox.kind == "invitation")
        assert len(list(session.exec(sent))) == TO_ONE_ADDRESS
    service.post("bea", f"/matches/{match_id}/join")


def test_nobody_writes_to_ever_more_strangers(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "TO_ALL_ADDRESSES", 2)
    for name in ("one", "two", "two"):
        service.open_table("ana", "me", {"email": f"{name}@example.net"})
    before = service.contents()
    wish = {"game": "cuzco", "seats": ["me", {"email": "three@example.net"}]}
    service.post("ana", "/matches", wish, 429)
    assert service.contents() == before
    service.open_table("bea", "me", {"email": "three@example.net"})
    with service.database.session() as session, pytest.raises(TooMany):
        check_invitations(session, service.ids["ana"], "three@example.net", NOON)


@pytest.fixture
def limited(settings: Settings) -> Iterator[Flask]:
    """The service with its limits."""
    app = create_app(settings, Database(settings.database_url))
    yield app
    services_of(app).database.close()


def test_what_writes_to_others_or_thinks_hard_is_limited_for_each_person(limited: Flask) -> None:
    where, ana, bo = two(limited, played(12))
    token = ana.form_token()
    for path, most in (("talk", 30), ("report", 20), ("undo/withdraw", 30), ("mails/1/resend", 30)):
        found = [sent(ana, f"{where}/{path}", token) for _ in range(most + 1)]
        assert 429 not in found[:most], path
        assert found[most] == 429, path
        assert sent(bo, f"{where}/{path}", bo.form_token()) != 429, path
    found = [ana.client.get(f"{where}/hint").status_code for _ in range(21)]
    assert found.count(429) == 1


def sent(visitor: Visitor, path: str, token: str) -> int:
    data = {"csrf_token": token, "text": "hello", "asked": 1}
    return visitor.client.post(path, data=data).status_code


def test_of_a_long_match_only_the_places_that_are_shown_are_looked_up(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a state of its own: to find them all would keep the server busy for a minute."""
    where, ana, _ = two(app, played(300))
    looked = list[int]()
    was_asked = undo_requests.was_asked

    def counted(match: Match, number: int, pos: int) -> bool:
        looked.append(pos)
        return was_asked(match, number, pos)

    monkeypatch.setattr(undo_requests, "was_asked", counted)
    assert ana.get(f"{where}/undo").status_code == 200
    assert MOST_PLACES <= len(looked) < 150
