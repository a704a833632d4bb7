"""Signing in by a mailed link: what opens, what no longer does, and what nobody can learn from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from flask import Flask
from sqlmodel import col, select

from app.people.sessions import (
    AGAIN,
    LINKS_BY_ALL,
    LOGIN_PURPOSE,
    check_login,
    find_session,
    mark_used,
)
from app.platform import tables
from app.platform.services import Services
from app.platform.tokens import issue_nonce, recover_secret
from tests.app.browser import LINK as ADDRESS
from tests.app.browser import Visitor, letters, newest_link
from tests.app.kept import NOON

Door = Callable[[str], Visitor]
SESSION, LINK = "chasqui-session", "chasqui-link"


def rows(services: Services, model: type) -> list:
    with services.database.look() as session:
        return list(session.exec(select(model).order_by(col(model.id))))


def cookie(visitor: Visitor, name: str = SESSION) -> str | None:
    kept = visitor.client.get_cookie(name)
    return kept.value if kept else None


def use(app: Flask, link: str) -> int:
    """What a browser without a past gets when it follows a link and presses the button."""
    visitor = Visitor(app)
    visitor.get(link)
    return visitor.post("/sign-in/confirm").status_code


# The way in


def test_a_newcomer_is_led_to_the_account_page_and_then_on(client: Visitor) -> None:
    client.post("/sign-in", {"email": "Ana@Example.ORG", "next": "/help/java"})
    client.get(newest_link(client.services, "ana@example.org"))
    response = client.post("/sign-in/confirm")
    assert response.headers["Location"] == "/account?next=/help/java"
    assert "Player 1" in client.get("/account").text


def test_who_was_here_before_goes_straight_to_where_they_wanted(
    app: Flask, signed_in: Door
) -> None:
    signed_in("ana@example.org")
    again = Visitor(app)
    again.post("/sign-in", {"email": "ana@example.org", "next": "/help/java"})
    again.get(newest_link(again.services, "ana@example.org"))
    assert again.post("/sign-in/confirm").headers["Location"] == "/help/java"
    assert len(rows(again.services, tables.Player)) == 1


def test_the_secret_leaves_the_address_before_a_page_is_shown(client: Visitor) -> None:
    client.post("/sign-in", {"email": "ana@example.org"})
    response = client.get(link := newest_link(client.services, "ana@example.org"))
    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in/confirm")
    assert link.rpartition("/")[2] not in client.get("/sign-in/confirm").text


def test_looking_at_a_link_signs_nobody_in(client: Visitor) -> None:
    client.post("/sign-in", {"email": "ana@example.org"})
    for _ in range(3):  # a scanner, a preview, the person
        page = client.follow(newest_link(client.services, "ana@example.org"))
    assert "ana@example.org" in page.text
    assert cookie(client) is None
    assert rows(client.services, tables.Player) == []
    assert client.post("/sign-in/confirm").status_code == 303


# What opens nothing


def test_a_link_works_once(app: Flask, signed_in: Door) -> None:
    link = newest_link(signed_in("ana@example.org").services, "ana@example.org")
    assert use(app, link) == 401


def test_a_link_lasts_ten_minutes(app: Flask, client: Visitor) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        client.post("/sign-in", {"email": "ana@example.org"})
        link = newest_link(client.services, "ana@example.org")
        clock.shift(timedelta(minutes=10, seconds=1))
        assert use(app, link) == 401
        clock.shift(timedelta(seconds=-1))
        assert use(app, link) == 303


@pytest.mark.parametrize("token", ["x", "a" * 43, "%00", "é" * 20, "." * 43, "a" * 9000])
def test_a_forged_link_opens_nothing(app: Flask, token: str) -> None:
    assert use(app, f"/sign-in/link/{token}") == 401


def test_the_button_without_a_link_opens_nothing(client: Visitor) -> None:
    assert client.get("/sign-in/confirm").status_code == 401
    assert client.post("/sign-in/confirm").status_code == 401


def test_a_used_a_stale_and_a_forged_link_are_answered_alike(app: Flask, signed_in: Door) -> None:
    used = newest_link(signed_in("ana@example.org").services, "ana@example.org")
    pages = {Visitor(app).follow(link).text for link in (used, f"/sign-in/link/{'a' * 43}")}
    assert len({re.sub(r'value="[^"]+"', "", page) for page in pages}) == 1


def test_of_two_who_press_at_once_one_comes_in(services: Services) -> None:
    nonce, token_hash = issue_nonce(services.settings, LOGIN_PURPOSE)
    token = recover_secret(services.settings, LOGIN_PURPOSE, nonce, token_hash)
    assert token
    with services.database.session() as session:
        session.add(tables.Login(token_hash=token_hash, email="ana@example.org", created_at=NOON))
    with services.database.session() as session:
        link = check_login(session, token, NOON)
        assert mark_used(session, link, NOON)
        assert not mark_used(session, link, NOON)


# What nobody learns


def test_known_and_unknown_addresses_are_answered_alike(app: Flask, signed_in: Door) -> None:
    signed_in("known@example.org")
    answers = []
    for email in ("known@example.org", "unknown@example.org"):
        visitor = Visitor(app)
        response = visitor.post("/sign-in", {"email": email})
        page = visitor.get(response.headers["Location"]).text
        answers.append((response.status_code, response.headers["Location"], strip(page)))
    assert answers[0] == answers[1]


def strip(page: str) -> str:
    return re.sub(r'(csrf_token" value)="[^"]+"', r"\1", page)


ANA = "ana@example.org"


def ask(visitor: Visitor, address: str, times: int = 1) -> None:
    """Asks for a link to Ana's address from somewhere; the answer is the same each time."""
    for _ in range(times):
        response = visitor.post(
            "/sign-in", {"email": ANA}, environ_overrides={"REMOTE_ADDR": address}
        )
        assert response.headers["Location"] == "/sign-in/sent"


def links(services: Services) -> list[str]:
    return [found[1] for letter in letters(services, ANA) if (found := ADDRESS.search(letter.text))]


def test_more_than_five_links_an_hour_are_quietly_not_sent_at_once(client: Visitor) -> None:
    ask(client, "192.0.2.1", 8)
    assert len(links(client.services)) == 5


def test_a_stranger_who_asks_for_links_locks_nobody_out(app: Flask, client: Visitor) -> None:
    """However many addresses ask, in whatever rhythm: at each moment there is a link in the mailbox that lets Ana in."""
    services = client.services
    for minute in range(0, 60, 3):
        moment = NOON + timedelta(minutes=minute)
        services.now = lambda moment=moment: moment
        for stranger in range(3):
            ask(client, f"198.51.100.{minute + stranger}", 2)
        ask(client, "192.0.2.1")
        sent = links(services)
        assert len(sent) <= LINKS_BY_ALL + 12
        with services.database.look() as session:
            token = sent[-1].rpartition("/")[2]
            assert check_login(session, token, services.now()).email == ANA
    assert Visitor(app).follow(sent[-1]).status_code == 200


def test_beyond_the_number_of_links_the_same_one_is_mailed_again(client: Visitor) -> None:
    services = client.services
    services.now = lambda: NOON
    ask(client, "192.0.2.1", 5)
    services.now = lambda: NOON + AGAIN
    ask(client, "192.0.2.1", 3)
    sent = links(services)
    assert len(sent) == 6
    assert sent[-1] == sent[-2]
    assert len(rows(services, tables.Login)) == 5


def test_links_are_void_once_one_of_them_is_used(app: Flask, client: Visitor) -> None:
    ask(client, "192.0.2.1", 3)
    first, second, third = links(client.services)
    client.follow(second)
    assert client.post("/sign-in/confirm").status_code == 303
    for link in (first, second, third):
        other = Visitor(app)
        other.client.get(link)
        assert other.post("/sign-in/confirm").status_code == 401
    ask(client, "192.0.2.1")  # a new one is good again
    with client.services.database.look() as session:
        token = links(client.services)[-1].rpartition("/")[2]
        assert check_login(session, token, client.services.now())


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ana",
        "ana@",
        "@example.org",
        "ana@example",
        "a b@example.org",
        "ana@exa mple.org",
        "ana@-x.org",
        "ana@example.org\nBcc: eva@example.org",
        "ana@example.org, eva@example.org",
        "x" * 65 + "@a.org",
        "<ana@example.org>",
        "ana@example..org",
        ".ana@example.org",
        "ana@" + "x" * 250 + ".org",
    ],
)
def test_what_is_no_address_is_refused_and_nothing_is_sent(client: Visitor, email: str) -> None:
    assert client.post("/sign-in", {"email": email}).status_code == 400
    assert rows(client.services, tables.Outbox) == []


def test_the_tables_hold_nothing_that_opens_a_door(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/account/tokens", {"name": "bot"})
    link = newest_link(ana.services, "ana@example.org").rpartition("/")[2]
    ana.post("/sign-in", {"email": "ana@example.org"})  # one that still waits in the outbox
    dump = "".join(
        str(row)
        for model in (tables.Login, tables.Session, tables.Outbox)
        for row in rows(ana.services, model)
    )
    assert link not in dump
    assert str(cookie(ana)) not in dump


# Sessions


def test_each_sign_in_makes_a_new_session_and_ends_the_old(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    before = cookie(ana)
    ana.sign_in("ana@example.org")
    assert cookie(ana) != before
    ana.client.set_cookie(SESSION, str(before))
    assert ana.get("/account").status_code == 303


def test_a_session_cannot_be_planted(app: Flask) -> None:
    victim = Visitor(app)
    victim.client.set_cookie(SESSION, "planted-by-somebody-else-planted-by-somebody")
    victim.sign_in("ana@example.org")
    assert cookie(victim) != "planted-by-somebody-else-planted-by-somebody"
    thief = Visitor(app)
    thief.client.set_cookie(SESSION, "planted-by-somebody-else-planted-by-somebody")
    assert thief.get("/account").status_code == 303


def test_the_form_token_changes_with_the_session(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    before = ana.form_token()
    ana.sign_in("ana@example.org")
    response = ana.client.post("/language", data={"csrf_token": before, "language": "fr"})
    assert response.status_code == 403


def test_signing_out_ends_the_session_for_good(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    before = cookie(ana)
    ana.post("/sign-out")
    assert cookie(ana) is None
    ana.client.set_cookie(SESSION, str(before))
    assert ana.get("/account").status_code == 303


def test_signing_out_everywhere_ends_every_session(app: Flask, signed_in: Door) -> None:
    laptop, phone = signed_in("ana@example.org"), signed_in("ana@example.org")
    other = signed_in("eva@example.org")
    phone.post("/sign-out/everywhere")
    assert [v.get("/account").status_code for v in (laptop, phone, other)] == [303, 303, 200]


def test_a_session_that_does_nothing_for_three_months_ends(signed_in: Door) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in("ana@example.org")
        clock.shift(timedelta(days=89))
        ana.post("/language", {"language": "fr"})  # alive
        clock.shift(timedelta(days=89))
        assert counts(ana)
        clock.shift(timedelta(days=2))
        assert not counts(ana)


def counts(visitor: Visitor) -> bool:
    """Whether the session in the cookie still stands for somebody."""
    services = visitor.services
    with services.database.look() as session:
        return find_session(session, cookie(visitor), services.now()) is not None


# Guests


def test_a_guest_plays_at_once_and_has_no_address(client: Visitor) -> None:
    assert client.post("/guest", {"next": "/help"}).headers["Location"] == "/help"
    assert "Guest 1" in client.get("/").text
    (guest,) = rows(client.services, tables.Player)
    assert (guest.guest, guest.email) == (True, None)


def test_a_guest_who_signs_in_for_the_first_time_stays_who_they_are(client: Visitor) -> None:
    client.post("/guest")
    before = cookie(client)
    client.sign_in("ana@example.org")
    (player,) = rows(client.services, tables.Player)
    assert (player.guest, player.email) == (False, "ana@example.org")
    client.client.set_cookie(SESSION, str(before))  # whoever shared the guest's session is out
    assert client.get("/account").status_code == 303


def test_a_guest_who_chose_a_name_keeps_it(client: Visitor) -> None:
    client.post("/guest")
    client.post("/account", {"name": "Ana", "language": "en", "timezone": "UTC"})
    client.sign_in("ana@example.org")
    assert client.player.name == "Ana"


def test_a_guest_who_has_an_account_goes_back_to_it(app: Flask, signed_in: Door) -> None:
    signed_in("ana@example.org")
    visitor = Visitor(app)
    visitor.post("/guest")
    visitor.sign_in("ana@example.org")
    assert "Player 1" in visitor.get("/").text


def test_who_is_signed_in_does_not_become_a_guest(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/guest")
    assert len(rows(ana.services, tables.Player)) == 1
    assert "Player 1" in ana.get("/").text
