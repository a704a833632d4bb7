"""Mails to people who have not come yet: what they may carry, and how they are ended for good."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from app.matches.tables import create_table
from app.outbox.mail_preferences import hash_address, invitations_token
from app.people.api_tokens import make_api_token
from app.platform import tables
from app.platform.settings import Settings
from app.platform.tables import Outbox
from tests.app.browser import Visitor, letters
from tests.app.http.test_security import dump
from tests.app.seated import come_in, late_match, my_id, seat
from workers.relay import drain

NEVER = re.compile(r"https?://[^\s/]+(/unsubscribe/[\w.-]+)")
BO = "bo@example.net"
SPAM = "Free money www.evil.example"


def invited(ana: Visitor, title: str = "A table", email: str = BO) -> str:
    """The id of a table at which Ana keeps a seat for an address."""
    with ana.services.database.session() as session:
        owner = session.get_one(tables.Player, my_id(ana))
        seats: list[Any] = ["me", {"email": email}]
        at = ana.services.now()
        return create_table(
            session, owner, "cuzco", title, seats, options={}, pace=None, public=False, at=at
        ).id


def never_again(ana: Visitor) -> str:
    """The link in the last invitation to Bo."""
    found = NEVER.search(letters(ana.services, BO)[-1].text)
    assert found
    return found[1]


@pytest.fixture
def ana(app: Flask) -> Visitor:
    return come_in(app, "ana@example.org", "Ana")


# What they may carry


def test_an_invitation_advertises_nothing(ana: Visitor) -> None:
    """The title, by the page and by the API, and the name of the host are what strangers get to read."""
    form = {"game": "cuzco", "title": SPAM, "seat0": "me", "seat1": "invite", "email1": BO}
    page = ana.post("/tables/new", form)
    assert page.status_code == 400
    assert "may hold no web or mail address, and “www.evil.example” looks like one" in page.text
    account = {"name": "evil.example", "language": "en", "timezone": "UTC"}
    refused = ana.post("/account", account)
    assert refused.status_code == 400
    assert "The name may hold no web or mail address" in refused.text
    assert ana.player.name == "Ana"
    assert letters(ana.services, BO) == []


def test_the_api_takes_no_title_that_advertises(app: Flask, ana: Visitor) -> None:
    with ana.services.database.session() as session:
        token = make_api_token(session, my_id(ana), "test", ana.services.now())
    body = {"game": "cuzco", "title": SPAM, "seats": ["me", {"email": BO}]}
    headers = {"Authorization": f"Bearer {token}"}
    answer = app.test_client().post("/api/v1/matches", json=body, headers=headers)
    assert answer.status_code == 400
    assert "web or mail address" in answer.get_json()["error"]["message"]


def test_titles_and_names_from_before_the_rule_are_mailed_without_addresses(
    app: Flask, ana: Visitor
) -> None:
    bea = come_in(app, "bea@example.org", "Bea")
    match_id = invited(ana)
    where = seat(ana.services, late_match(), my_id(ana), my_id(bea), title=SPAM)
    with ana.services.database.session() as session:
        session.get_one(tables.Match, match_id).title = SPAM
        session.get_one(tables.Player, my_id(ana)).name = "win@evil.example"
        for player, kind, payload in (
            (my_id(ana), "turn", {}),
            (my_id(bea), "over", {}),
            (my_id(ana), "digest", {}),
        ):
            session.add(
                Outbox(match_id=where[3:], pos=1, player_id=player, kind=kind, payload=payload)
            )
        carl = {"match_id": where[3:], "email": "carl@example.net"}
        session.add(tables.ModeratorInvitation(**carl, role="owner", created_at=ana.services.now()))
        session.add(Outbox(**carl, pos=2, kind="care"))
        session.get_one(tables.Player, my_id(ana)).mail_preferences = {"digest": True}
    drain(ana.services)
    with ana.services.database.look() as session:
        sent = session.exec(select(tables.Letter)).all()
    assert {letter.to for letter in sent} >= {BO, "ana@example.org", "carl@example.net"}
    for letter in sent:
        everything = letter.subject + letter.text + (letter.html or "")
        assert "evil" not in everything, letter.subject
    assert any("Free money …" in letter.subject for letter in sent)


def test_a_name_from_before_the_rule_stays_until_it_is_changed(ana: Visitor) -> None:
    with ana.services.database.session() as session:
        session.get_one(tables.Player, my_id(ana)).name = "ana.example"
    account = {"name": "ana.example", "language": "fr", "timezone": "UTC"}
    assert ana.post("/account", account).status_code == 303
    assert (ana.player.name, ana.player.language) == ("ana.example", "fr")


# Never again


def test_an_address_without_an_account_can_end_invitations_for_good(
    ana: Visitor, settings: Settings
) -> None:
    invited(ana)
    link = never_again(ana)
    nobody = Visitor(ana.app)
    before = dump(settings)
    page = nobody.get(link).text
    assert "No more invitations" in page
    assert "any match" not in page
    assert dump(settings) == before  # looking does nothing
    assert nobody.client.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert nobody.client.post(link).status_code == 200  # once more changes nothing
    invited(ana, "Another")
    assert len(letters(ana.services, BO)) == 1
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Player).where(tables.Player.email == BO)).all() == []
        (kept,) = session.exec(select(tables.Declined))
    assert kept.address_hash == hash_address(BO)
    assert "bo" not in kept.address_hash
    assert BO not in link


def test_a_mail_program_finds_the_way_out_in_the_headers(ana: Visitor) -> None:
    invited(ana)
    (letter,) = letters(ana.services, BO)
    assert re.search(
        r"^List-Unsubscribe: <http\S+/unsubscribe/\S+>\r?$", letter.source, re.MULTILINE
    )
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in letter.source
    assert never_again(ana) in (letter.html or "")


def test_it_also_ends_being_asked_to_care_for_a_match(app: Flask, ana: Visitor) -> None:
    bea = come_in(app, "bea@example.org", "Bea")
    where = seat(ana.services, late_match(), my_id(ana), my_id(bea))
    invited(ana)
    Visitor(app).client.post(never_again(ana))
    assert ana.post(f"{where}/care/invite", {"email": BO}).status_code == 303
    assert len(letters(ana.services, BO)) == 1


def test_whoever_invites_is_not_told(app: Flask, ana: Visitor) -> None:
    """The table, the mail log and the API show the same for an address that declined and one that did not."""
    invited(ana)
    Visitor(app).client.post(never_again(ana))
    shown = []
    for email in (BO, "new@example.net"):
        match_id = invited(ana, "The same", email)
        drain(ana.services)
        log = ana.get(f"/m/{match_id}/mails").text.partition("<main")[2]
        room = ana.get(f"/m/{match_id}").text.partition("<main")[2]
        with ana.services.database.look() as session:
            row = session.exec(select(Outbox).where(Outbox.match_id == match_id)).one()
        assert row.state == "sent"
        assert row.sent_at is not None
        varying = re.compile(r'<time .*?</time>|value="[^"]*"|mails/\d+/|[0-9a-f]{64}')
        # The address stands in the room for the eyes of whoever wrote it.
        pages = (page.replace(match_id, "ID").replace(email, "ADDRESS") for page in (log, room))
        shown.append([varying.sub("", page) for page in pages])
    assert shown[0] == shown[1]
    assert len(letters(ana.services, "new@example.net")) == 1


def test_the_seat_stays_kept_and_opens_by_signing_in(app: Flask, ana: Visitor) -> None:
    invited(ana)
    Visitor(app).client.post(never_again(ana))
    match_id = invited(ana, "The second")
    drain(ana.services)
    bo = come_in(app, BO)
    assert "The second" in bo.get("/tables").text
    assert bo.post(f"/m/{match_id}/join").status_code == 303


def test_it_can_be_undone_after_signing_in_by_that_person_alone(app: Flask, ana: Visitor) -> None:
    invited(ana)
    Visitor(app).client.post(never_again(ana))
    assert ana.post("/account/invitations", {"wanted": "yes"}).status_code == 303
    invited(ana, "Another")
    assert len(letters(ana.services, BO)) == 1
    bo = come_in(app, BO)
    assert "Write to me when I am invited" in bo.get("/account").text
    assert bo.post("/account/invitations", {"wanted": "yes"}).status_code == 303
    assert "Write to me when I am invited" not in bo.get("/account").text
    invited(ana, "A third")
    assert len(letters(ana.services, BO)) == 2
    assert bo.post("/account/invitations", {"wanted": "no"}).status_code == 303
    assert '"wants_invitations": false' in bo.get("/account/export").text
    invited(ana, "A fourth")
    assert len(letters(ana.services, BO)) == 2


def test_a_guest_has_no_address_to_be_invited_at(client: Visitor) -> None:
    client.post("/guest")
    assert "account/invitations" not in client.get("/account").text
    assert client.post("/account/invitations", {"wanted": "no"}).status_code == 403


def test_the_way_out_survives_a_change_of_key(settings: Settings) -> None:
    """Never means never: what is kept does not hang on the key that signs."""
    hashes = {hash_address.__wrapped__(BO) for _ in range(2)}
    assert hashes == {hash_address(BO)}
    other = settings.model_copy(update={"data_dir": settings.data_dir / "elsewhere"})
    assert invitations_token(other, BO) != invitations_token(settings, BO)
