"""Another mail address: asked for by whoever is freshly signed in, and confirmed at the old and at the new one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from flask import Flask
from sqlmodel import select

from app.matches.participants import load_seats
from app.matches.tables import create_table
from app.platform import tables
from app.views.site_dashboard import load_bouncing_seats
from tests.app.browser import Visitor, letters
from tests.app.kept import NOON
from tests.app.moderating import invite_moderator
from tests.app.seated import come_in, late_match, my_id, seat

Door = Callable[[str], Visitor]
OLD, NEW = "ana@example.org", "ana@new.example"
LINK = re.compile(r"https?://[^\s/]+(/address/link/[\w-]+)")


@pytest.fixture
def ana(signed_in: Door) -> Visitor:
    return signed_in(OLD)


def ask(visitor: Visitor, email: str = NEW) -> int:
    return visitor.post("/account/address", {"email": email}).status_code


def link(visitor: Visitor, email: str) -> str:
    """The last link to confirm a change that was mailed to an address."""
    found = [LINK.search(mail.text) for mail in letters(visitor.services, email)]
    return [one[1] for one in found if one][-1]


def confirm(app: Flask, path: str) -> int:
    """What a browser of nobody's gets that follows a link and presses the button."""
    visitor = Visitor(app)
    visitor.get(path)
    return visitor.post("/address/confirm").status_code


def email_of(visitor: Visitor, number: int = 1) -> str | None:
    with visitor.services.database.look() as session:
        return session.get_one(tables.Player, number).email


# The way


@pytest.mark.parametrize("order", [(OLD, NEW), (NEW, OLD)])
def test_the_address_changes_when_both_have_confirmed(
    app: Flask, ana: Visitor, order: tuple[str, str]
) -> None:
    assert ask(ana) == 303
    paths = [link(ana, email) for email in order]
    assert confirm(app, paths[0]) == 303
    assert email_of(ana) == OLD
    assert confirm(app, paths[1]) == 303
    assert email_of(ana) == NEW
    assert NEW in ana.get("/account").text
    assert Visitor(app).sign_in(NEW).player.id == 1


def test_looking_at_a_link_changes_nothing(app: Flask, ana: Visitor) -> None:
    ask(ana)
    for email in (OLD, NEW):
        for _ in range(2):  # a scanner, the person
            page = Visitor(app).follow(link(ana, email)).text
        assert NEW in page
        assert link(ana, email).rpartition("/")[2] not in page
    assert email_of(ana) == OLD
    assert "confirmed yet" in ana.get("/account").text


def test_the_same_link_twice_is_not_both(app: Flask, ana: Visitor) -> None:
    ask(ana)
    for email in (OLD, OLD):
        assert confirm(app, link(ana, email)) == 303
    assert email_of(ana) == OLD


def test_the_other_browsers_are_signed_out_and_the_old_address_is_told(
    app: Flask, ana: Visitor
) -> None:
    other = Visitor(app).sign_in(OLD)
    ask(ana)
    for email in (OLD, NEW):
        confirm(app, link(ana, email))
    assert [v.get("/account").status_code for v in (ana, other)] == [200, 303]
    assert letters(ana.services, OLD)[-1].subject == "Your address at Chasqui was changed"
    assert NEW not in letters(ana.services, OLD)[-1].text
    assert "changed the mail address" in ana.get("/account").text


def test_links_to_sign_in_at_the_old_address_open_nothing_of_the_account(
    app: Flask, ana: Visitor
) -> None:
    visitor = Visitor(app)
    visitor.post("/sign-in", {"email": OLD})
    ask(ana)
    sign_in = [mail for mail in letters(ana.services, OLD) if "/sign-in/link/" in mail.text][-1]
    for email in (OLD, NEW):
        confirm(app, link(ana, email))
    found = re.search(r"/sign-in/link/[\w-]+", sign_in.text)
    assert found
    visitor.get(found[0])
    assert visitor.post("/sign-in/confirm").status_code == 401
    assert Visitor(app).sign_in(OLD).player.id != 1  # it is free again


# What changes nothing


def test_it_needs_a_fresh_sign_in(ana: Visitor) -> None:
    with time_machine.travel(ana.services.now(), tick=False) as clock:
        clock.shift(timedelta(minutes=16))
        assert ask(ana) == 403
    assert [mail.subject for mail in letters(ana.services, NEW)] == []


def test_links_last_a_day_and_a_new_wish_makes_the_old_ones_void(
    app: Flask, signed_in: Door
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in(OLD)
        ask(ana, "first@new.example")
        first = link(ana, OLD)
        ask(ana)
        assert confirm(app, first) == 404
        paths = [link(ana, email) for email in (OLD, NEW)]
        assert confirm(app, paths[0]) == 303
        clock.shift(timedelta(days=1))
        assert confirm(app, paths[1]) == 404
        assert email_of(ana) == OLD


def test_a_change_that_was_taken_back_is_not_made(app: Flask, ana: Visitor) -> None:
    ask(ana)
    paths = [link(ana, email) for email in (OLD, NEW)]
    assert "Keep the old address" in ana.get("/account").text
    ana.post("/account/address/cancel")
    assert [confirm(app, path) for path in paths] == [404, 404]
    assert email_of(ana) == OLD


@pytest.mark.parametrize("token", ["x", "a" * 43, "%00", "a" * 9000])
def test_a_forged_link_changes_nothing(app: Flask, ana: Visitor, token: str) -> None:
    ask(ana)
    assert confirm(app, f"/address/link/{token}") == 404
    assert Visitor(app).post("/address/confirm").status_code == 404


@pytest.mark.parametrize("email", ["", "ana", OLD, "ana@example.org\nBcc: eva@example.org"])
def test_what_is_no_new_address_is_refused(ana: Visitor, email: str) -> None:
    assert ask(ana, email) == 400
    assert len(letters(ana.services, OLD)) == 1  # the link to sign in


def test_there_is_an_end_to_wishes(ana: Visitor) -> None:
    for number in range(5):
        assert ask(ana, f"a{number}@new.example") == 303
    assert ask(ana) == 429


def test_a_guest_has_no_address_to_change(client: Visitor) -> None:
    client.post("/guest")
    assert ask(client) == 403


# What nobody learns


def test_a_taken_address_is_answered_alike_and_stays_whose_it_is(
    app: Flask, ana: Visitor, signed_in: Door
) -> None:
    signed_in("bo@example.org")
    pages = []
    for email in ("bo@example.org", "no@example.org"):
        response = ana.post("/account/address", {"email": email})
        page = re.sub(r'value="[^"]*"|<time .*?</time>', "", ana.get("/account").text)
        pages.append((response.status_code, page.replace(email, "")))
    assert pages[0] == pages[1]
    ask(ana, "bo@example.org")
    told = letters(ana.services, "bo@example.org")[-1]
    assert "has an account already" in " ".join(told.text.split())
    assert not LINK.search(told.text)
    assert confirm(app, link(ana, OLD)) == 303
    assert (email_of(ana), email_of(ana, 2)) == (OLD, "bo@example.org")


def test_an_address_that_is_taken_meanwhile_stays_whose_it_is(
    app: Flask, ana: Visitor, signed_in: Door
) -> None:
    ask(ana)
    paths = {email: link(ana, email) for email in (OLD, NEW)}
    assert confirm(app, paths[NEW]) == 303
    signed_in(NEW)
    assert confirm(app, paths[NEW]) == 403
    assert confirm(app, paths[OLD]) == 403
    assert (email_of(ana), email_of(ana, 2)) == (OLD, NEW)


def test_the_tables_hold_nothing_that_confirms(ana: Visitor) -> None:
    ask(ana)
    tokens = [link(ana, email).rpartition("/")[2] for email in (OLD, NEW)]
    with ana.services.database.look() as session:
        kept = str([list(session.exec(select(m))) for m in (tables.AddressChange, tables.Outbox)])
    assert not any(token in kept for token in tokens)


def test_a_suspended_account_keeps_its_address(app: Flask, ana: Visitor) -> None:
    ask(ana)
    paths = [link(ana, email) for email in (OLD, NEW)]
    with ana.services.database.session() as session:
        session.get_one(tables.Player, 1).suspended_at = NOON
    assert [confirm(app, path) for path in paths] == [403, 403]


# Invitations


def moved(app: Flask, visitor: Visitor) -> None:
    ask(visitor)
    for email in (OLD, NEW):
        assert confirm(app, link(visitor, email)) == 303


def test_seats_and_invitations_to_care_follow_the_person(app: Flask, ana: Visitor) -> None:
    bo = come_in(app, "bo@example.org")
    match = late_match()
    seat(bo.services, match, my_id(bo), my_id(bo))
    with bo.services.database.session() as session:
        host = session.get_one(tables.Player, my_id(bo))
        wish = ["me", {"email": OLD}]
        table = create_table(
            session, host, "cuzco", None, wish, options=None, pace=None, public=False, at=NOON
        )
        invite_moderator(session, match.id, my_id(bo), OLD, None, bo.services.now())
        table_id = table.id
    moved(app, ana)
    assert ana.get(f"/m/{match.id}/care/invitation").status_code == 200
    assert ana.post(f"/m/{table_id}/join").status_code == 303
    with ana.services.database.look() as session:
        seats = load_seats(session, table_id)
        assert {one.player_id for one in seats} == {my_id(bo), 1}


def test_where_both_addresses_are_invited_both_seats_stay_kept(app: Flask, ana: Visitor) -> None:
    bo = come_in(app, "bo@example.org")
    with bo.services.database.session() as session:
        host = session.get_one(tables.Player, my_id(bo))
        wish = ["me", {"email": OLD}, {"email": NEW}]
        create_table(
            session, host, "cuzco", None, wish, options=None, pace=None, public=False, at=NOON
        )
    moved(app, ana)
    with ana.services.database.look() as session:
        kept = {one.invited_email for one in session.exec(select(tables.Seat))}
    assert kept == {None, OLD, NEW}


def test_mails_that_came_back_are_forgotten_with_the_address(app: Flask, ana: Visitor) -> None:
    with ana.services.database.session() as session:
        session.get_one(tables.Player, 1).bouncing_at = NOON
    moved(app, ana)
    with ana.services.database.look() as session:
        assert session.get_one(tables.Player, 1).bouncing_at is None
        assert load_bouncing_seats(session) == []
