"""The mail log of a table, sending again, and the ways to be left in peace."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from app.matches.tables import create_table
from app.moderation.moderators import appoint_site_moderator
from app.outbox.mail_preferences import load_muted, mute_match, unsubscribe_token
from app.outbox.notifications import notify_seats
from app.platform import tables
from app.platform.tables import Outbox
from tests.app.browser import Visitor, letters
from tests.app.seated import come_in, late_match, my_id, two
from workers.relay import drain

Table = tuple[str, Visitor, Visitor]


@pytest.fixture
def table(app: Flask) -> Table:
    """Ana, who owns the match and is asked, and Bo."""
    return two(app, late_match())


def called(ana: Visitor, where: str, kind: str = "turn") -> None:
    """Has Ana written to about the match as it stands."""
    with ana.services.database.session() as session:
        row = session.get_one(tables.Match, where.removeprefix("/m/"))
        notify_seats(session, row.id, row.head, (0,), kind, at=ana.services.now())


def only(ana: Visitor) -> Outbox:
    with ana.services.database.look() as session:
        return session.exec(select(Outbox)).one()


def unsubscribe(ana: Visitor, scope: str) -> str:
    return f"/unsubscribe/{unsubscribe_token(ana.services.settings, my_id(ana), scope)}"


def test_the_table_sees_who_was_written_to_and_no_address(table: Table, app: Flask) -> None:
    where, ana, bo = table
    called(ana, where)
    drain(ana.services)
    for visitor in (ana, bo):
        page = visitor.get(f"{where}/mails").text
        assert "turn" in page
        assert "sent" in page
        assert "@example.org" not in page.partition("<main")[2]
    assert "Send again" in ana.get(f"{where}/mails").text
    assert "Send again" not in bo.get(f"{where}/mails").text
    assert come_in(app, "eve@example.org").get(f"{where}/mails").status_code == 404
    assert Visitor(app).get(f"{where}/mails").status_code == 303  # to the sign-in


def test_why_a_mail_was_not_sent_is_told_to_its_reader_alone(table: Table) -> None:
    where, ana, bo = table
    with ana.services.database.session() as session:
        row = session.get_one(tables.Match, where.removeprefix("/m/"))
        row.owner_id = None
        mute_match(session, session.get_one(tables.Player, my_id(ana)), row.id, silent=True)
        session.add(row)
    called(ana, where)
    drain(ana.services)
    assert "not wanted" in ana.get(f"{where}/mails").text
    assert "not wanted" not in bo.get(f"{where}/mails").text


def test_a_mail_sent_again_is_a_new_one(table: Table) -> None:
    where, ana, bo = table
    called(ana, where)
    (first,) = letters(ana.services, "ana@example.org")
    number = only(ana).id
    assert bo.post(f"{where}/mails/{number}/resend").status_code == 403
    assert bo.post("/m/nosuch2222/mails/1/resend").status_code == 404
    assert ana.post(f"{where}/mails/999/resend").status_code == 404
    later = only(ana).created_at + timedelta(hours=1)
    ana.services.now = lambda: later
    with ana.services.database.session() as session:
        row = session.get_one(Outbox, number)
        row.state, row.why = "dead", "550"
        session.add(row)
    assert "could not be delivered" in ana.get(f"{where}/mails").text
    assert ana.post(f"{where}/mails/{number}/resend").status_code == 303
    assert ana.post(f"{where}/mails/{number}/resend").status_code == 403  # it waits
    drain(ana.services)
    row = only(ana)
    assert (row.state, row.tries, row.why) == ("sent", 1, None)
    assert row.created_at == later  # and so another Message-ID
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Audit.act)).all() == ["resend"]
    assert first.text


def test_an_invitation_sent_again_opens_the_seat_and_the_old_one_no_longer(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    with ana.services.database.session() as session:
        owner = session.get_one(tables.Player, my_id(ana))
        seats: list[Any] = ["me", {"email": "bo@example.org"}]
        row = create_table(
            session,
            owner,
            "cuzco",
            "T",
            seats,
            options={},
            pace=None,
            public=False,
            at=ana.services.now(),
        )
        where = f"/m/{row.id}"
    (first,) = letters(ana.services, "bo@example.org")
    assert ana.post(f"{where}/mails/{only(ana).id}/resend").status_code == 303
    with ana.services.database.session() as session:
        for letter in session.exec(select(tables.Letter)):
            session.delete(letter)
    (second,) = letters(ana.services, "bo@example.org")
    for letter, status in ((first, 404), (second, 200)):
        visitor = Visitor(app)
        link = next(w for w in letter.text.split() if "/invitation/" in w)
        assert visitor.follow(link.partition("8000")[2]).status_code == status


def test_what_waits_in_the_outbox_opens_no_seat(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    with ana.services.database.session() as session:
        owner = session.get_one(tables.Player, my_id(ana))
        seats: list[Any] = ["me", {"email": "bo@example.org"}]
        create_table(
            session,
            owner,
            "cuzco",
            "T",
            seats,
            options={},
            pace=None,
            public=False,
            at=ana.services.now(),
        )
    key = only(ana).payload["key"]
    assert Visitor(app).follow(f"/invitation/{key}").status_code == 404


def test_a_click_on_the_page_silences_one_match_and_another_undoes_it(table: Table) -> None:
    where, ana, _ = table
    match_id = where.removeprefix("/m/")
    assert ana.post(f"{where}/mails/mute", {"silent": "yes"}).status_code == 303
    assert load_muted(ana.player) == [match_id]
    assert "You get no mails about this match." in ana.get(f"{where}/mails").text
    ana.post(f"{where}/mails/mute", {"silent": "no"})
    assert load_muted(ana.player) == []


def test_one_click_ends_the_mails_about_a_match_without_signing_in(table: Table) -> None:
    where, ana, _ = table
    match_id = where.removeprefix("/m/")
    link = unsubscribe(ana, match_id)
    stranger = Visitor(ana.app)
    page = stranger.get(link)
    assert "A table" in page.text
    assert load_muted(ana.player) == []  # looking does nothing
    done = stranger.client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert load_muted(ana.player) == [match_id]
    called(ana, where)
    assert letters(ana.services, "ana@example.org") == []
    assert only(ana).why == "muted"


@pytest.mark.parametrize("form", [{}, {"everything": "yes"}, {"scope": "all"}])
def test_a_link_ends_what_it_stands_for_and_nothing_else(
    table: Table, form: dict[str, str]
) -> None:
    where, ana, bo = table
    before, theirs = dict(ana.player.mail_preferences), dict(bo.player.mail_preferences)
    match_id = where.removeprefix("/m/")
    nobody = Visitor(ana.app).client
    assert nobody.post(unsubscribe(ana, match_id), data=form).status_code == 200
    assert ana.player.mail_preferences == {**before, "muted": [match_id]}
    assert nobody.post(unsubscribe(ana, "digest"), data=form).status_code == 200
    assert ana.player.mail_preferences == {**before, "muted": [match_id], "digest": False}
    assert bo.player.mail_preferences == theirs
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Declined)).all() == []
    assert "any match" not in nobody.get(unsubscribe(ana, match_id)).text


@pytest.mark.parametrize("scope", ["all", "turn", "invitations", "nosuchid22", "", "muted"])
def test_a_link_without_a_scope_of_ours_ends_nothing(table: Table, scope: str) -> None:
    """Also one of a kind that was sealed once and is no longer."""
    _, ana, _ = table
    before = dict(ana.player.mail_preferences)
    for method in ("get", "post"):
        asked = getattr(Visitor(ana.app).client, method)(unsubscribe(ana, scope))
        assert asked.status_code == 403
    assert ana.player.mail_preferences == before


@pytest.mark.parametrize("token", ["x", "WzEsImEiXQ.forged", "%00", "a" * 3000])
def test_a_forged_link_ends_nothing(app: Flask, token: str) -> None:
    for method in ("get", "post"):
        answer = getattr(app.test_client(), method)(f"/unsubscribe/{token}")
        assert answer.status_code in (403, 404)


def test_what_is_muted_stays_muted_when_the_account_page_is_kept(table: Table) -> None:
    where, ana, _ = table
    ana.post(f"{where}/mails/mute", {"silent": "yes"})
    form = {"name": "Ana", "language": "en", "timezone": "UTC", "mails": ["turn"]}
    assert ana.post("/account", form).status_code == 303
    assert load_muted(ana.player) == [where.removeprefix("/m/")]


def test_the_mailbox_shows_the_picture_in_its_frame(table: Table) -> None:
    where, ana, _ = table
    called(ana, where)
    (letter,) = letters(ana.services, "ana@example.org")
    framed = ana.get(f"/mailbox/{letter.id}/html").text
    assert 'src="data:image/png;base64,iVBOR' in framed
    assert "cid:" not in framed
    assert "Content-ID:" in ana.get(f"/mailbox/{letter.id}/source").text


def test_table_talk_is_mailed_to_those_who_want_it(table: Table) -> None:
    where, ana, bo = table
    with ana.services.database.session() as session:
        player = session.get_one(tables.Player, my_id(ana))
        player.mail_preferences = {"talk": True}
        session.add(player)
    bo.post(f"{where}/talk", {"text": "Well <played>!"})
    (letter,) = letters(ana.services, "ana@example.org")
    assert letter.subject == "A table: Bo says something"
    assert "Well <played>!" in letter.text
    assert "Well &lt;played&gt;!" in str(letter.html)
    ana.post(f"{where}/talk", {"text": "Thanks"})
    assert letters(ana.services, "bo@example.org") == []


def test_all_who_care_for_the_match_have_mails_sent_again_and_the_audit_tells(
    table: Table, app: Flask
) -> None:
    where, ana, bo = table
    called(ana, where)
    site = come_in(app, "site@example.org")
    ana.post(f"{where}/care/name", {"player": my_id(bo)})
    with ana.services.database.session() as session:
        appoint_site_moderator(
            session, session.get_one(tables.Player, my_id(site)), True, ana.services.now()
        )
    for visitor in (ana, bo, site):
        drain(ana.services)
        assert f"{where}/mails" in visitor.get(f"{where}/care").text
        assert "Send again" in visitor.get(f"{where}/mails").text
        assert visitor.post(f"{where}/mails/{only(ana).id}/resend").status_code == 303
    page = ana.get(f"{where}/audit").text
    assert page.count("sent a mail again") == 3
    for role in ("The owner", "A moderator", "A moderator of this site"):
        assert f">{role}<" in page
