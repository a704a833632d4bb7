"""Asking somebody from outside to care for a match: by mail, without learning who has an account."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from app.eventstore.store import load_match
from app.moderation.moderator_invitations import INVITED, LASTS, MOST, load_moderator_invitations
from app.platform import tables
from app.views.audit_log import load_all_deeds
from tests.app.browser import Visitor, letters
from tests.app.seated import come_in, judged, my_id, played

EVE = "eve@example.org"


@pytest.fixture
def table(app: Flask) -> tuple[str, Visitor, Visitor]:
    """Ana owns the match and does not play; Bo does."""
    return judged(app, played(12))


def ask(owner: Visitor, where: str, address: str = EVE) -> int:
    return owner.post(f"{where}/care/invite", {"email": address}).status_code


def log(owner: Visitor, where: str) -> list[str]:
    match = load_match(owner.services.database, where.rpartition("/")[2])
    return [type(entry.event).__name__ for entry in match.log]


def test_whoever_accepts_the_mail_cares_for_the_match(
    app: Flask, table: tuple[str, Visitor, Visitor]
) -> None:
    where, ana, bo = table
    assert ask(ana, where) == 303
    (mail,) = letters(ana.services, EVE)
    assert mail.subject == "You are asked to care for A table"
    for said in (mail.text, mail.html or ""):
        assert "Ana asks you" in said
        assert f"{where}/care/invitation" in said
    eve = Visitor(app).sign_in(EVE)
    assert eve.get(where).status_code == 404
    page = eve.get(f"{where}/care/invitation")
    assert page.status_code == 200
    assert log(ana, where)[-1] != "ModeratorNamed"  # looking does nothing
    assert eve.post(f"{where}/care/invitation").status_code == 303
    assert log(ana, where)[-1] == "ModeratorNamed"
    assert EVE not in bo.get(f"{where}/history").text
    assert eve.get(f"{where}/care").status_code == 200
    assert eve.post(f"{where}/care/pause", {"reason": "lunch"}).status_code == 303
    with ana.services.database.look() as session:
        told = [(d.role, d.act) for d in load_all_deeds(session, where.rpartition("/")[2])]
    assert told == [
        ("owner", INVITED),
        ("moderator", "ModeratorNamed"),
        ("moderator", "Paused"),
    ]
    assert eve.post(f"{where}/care/invitation").status_code == 404


def test_nobody_learns_by_it_who_has_an_account(
    app: Flask, table: tuple[str, Visitor, Visitor]
) -> None:
    where, ana, _ = table
    come_in(app, "known@example.org")
    told = []
    for address in ("known@example.org", "other@example.org"):
        answer = ana.post(f"{where}/care/invite", {"email": address})
        shown = ana.get(f"{where}/care").text.replace(address, "")
        number = re.search(r'name="number" value="(\d+)"', shown)
        assert number
        told.append(f"{answer.status_code} {answer.location}")
        assert address in ana.get(f"{where}/care").text
        assert len(letters(ana.services, address)) == 1
        assert ana.post(f"{where}/care/withdraw", {"number": number[1]}).status_code == 303
        assert address not in ana.get(f"{where}/care").text
    assert told[0] == told[1]


def test_an_invitation_is_for_one_person_and_not_for_ever(
    app: Flask, table: tuple[str, Visitor, Visitor]
) -> None:
    where, ana, _ = table
    assert ask(ana, where) == 303
    letters(ana.services, EVE)
    eve, other = come_in(app, EVE), come_in(app, "other@example.org")
    for somebody in (other, Visitor(app)):
        assert somebody.get(f"{where}/care/invitation").status_code in (303, 404)
        assert somebody.post(f"{where}/care/invitation").status_code in (303, 404)
    late = ana.services.now() + LASTS + timedelta(hours=1)
    with ana.services.database.look() as session:
        assert load_moderator_invitations(session, where.rpartition("/")[2], late) == []
    with ana.services.database.look() as session:
        number = session.exec(select(tables.Outbox.id)).one()
    assert ana.post(f"{where}/care/withdraw", {"number": number}).status_code == 303
    assert eve.get(f"{where}/care/invitation").status_code == 404
    assert eve.post(f"{where}/care/invitation").status_code == 404
    assert ask(ana, where) == 303  # at the same position: the row is used again
    assert eve.get(f"{where}/care/invitation").status_code == 200
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Outbox.state)).one() == "sent"  # and not once more


def test_only_the_owner_asks_and_a_dismissed_one_does_not_come_back(
    app: Flask, table: tuple[str, Visitor, Visitor]
) -> None:
    where, ana, bo = table
    assert ask(bo, where) == 403
    ana.post(f"{where}/care/name", {"player": my_id(bo)})
    assert ask(bo, where) == 403
    assert ask(ana, where, "no address") == 400
    assert ask(ana, where) == 303
    assert ask(ana, where) == 403
    eve = come_in(app, EVE)
    eve.post(f"{where}/care/invitation")
    ana.post(f"{where}/care/dismiss", {"player": my_id(eve)})
    assert eve.get(f"{where}/care").status_code == 404
    assert eve.post(f"{where}/care/invitation").status_code == 404
    assert ana.post(f"{where}/care/withdraw", {"number": 999}).status_code == 404


def test_there_are_not_ever_more_invitations(table: tuple[str, Visitor, Visitor]) -> None:
    where, ana, _ = table
    answers = [ask(ana, where, f"p{number}@example.org") for number in range(MOST + 1)]
    assert answers == [303] * MOST + [403]
