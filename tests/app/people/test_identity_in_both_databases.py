"""Passkeys, tokens, addresses and suspension on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlmodel import select

from app.moderation.suspensions import find_people, get_person, lift_suspension, suspend_account
from app.people.access_log import load_access_log
from app.people.accounts import load_account
from app.people.address_changes import PURPOSE, confirm_address, request_address_change
from app.people.api_tokens import load_bearer, make_api_token
from app.people.browsers import Browser
from app.people.passkeys import (
    add_passkey,
    registration_options,
    sign_in_by_passkey,
    sign_in_options,
)
from app.people.sessions import find_session, open_session
from app.platform import tables
from app.platform.errors import BadPasskey, Suspended
from app.platform.services import Services
from app.platform.tokens import recover_secret
from app.views.audit_log import load_deeds
from tests.app.kept import NOON
from tests.app.soft_device import SoftDevice
from workers.chores import write_token_uses

OLD, NEW = "ana@example.org", "ana@new.example"
BROWSER = Browser("Firefox · Linux")


@pytest.fixture
def ana(at_noon: Services) -> int:
    with at_noon.database.session() as session:
        player = tables.Player(email=OLD, name="Ana")
        session.add(player)
        session.flush()
        return player.id or 0


def added(services: Services, player_id: int) -> SoftDevice:
    """A device with a passkey of that player."""
    device = SoftDevice("localhost", "http://localhost:8000")
    with services.database.session() as session:
        made = registration_options(session, services.settings, player_id, NOON)
    options, challenge = made
    credential = device.make(json.loads(options))
    add_passkey(
        services, player_id, name="Key", credential=credential, challenge=challenge, browser=BROWSER
    )
    return device


def test_a_passkey_is_added_once_and_signs_in(at_noon: Services, ana: int) -> None:
    device = added(at_noon, ana)
    with pytest.raises(BadPasskey):
        added(at_noon, ana)  # the same number
    with at_noon.database.session() as session:
        options, challenge = sign_in_options(session, at_noon.settings, NOON)
    credential = device.use(json.loads(options))
    new = sign_in_by_passkey(at_noon, credential, challenge, BROWSER)
    with pytest.raises(BadPasskey):
        sign_in_by_passkey(at_noon, credential, challenge, BROWSER)
    with at_noon.database.look() as session:
        visit = find_session(session, new.token, NOON)
        assert visit
        assert (visit.player.id, visit.session.browser) == (ana, "Firefox · Linux")
        assert find_session(session, new.token, NOON + timedelta(days=366)) is None
        log = load_access_log(session, ana)
    assert [line.kind for line in log] == ["passkey", "passkey added"]


def test_uses_of_tokens_are_written(at_noon: Services, ana: int) -> None:
    with at_noon.database.session() as session:
        token = make_api_token(session, ana, "bot", NOON, ["play", "read"])
    with at_noon.database.look() as session:
        shown = load_bearer(session, token, NOON)
        assert shown.token.scopes == ["read", "play"]
        at_noon.token_uses.note_use(shown.token, NOON)
    assert write_token_uses(at_noon) == 1
    with at_noon.database.look() as session:
        assert load_bearer(session, token, NOON).token.last_used_at == NOON


def test_an_address_is_changed_by_both_links(at_noon: Services, ana: int) -> None:
    with at_noon.database.session() as session:
        mine = open_session(session, session.get_one(tables.Player, ana), NOON)
        visit = find_session(session, mine, NOON)
        assert visit
        request_address_change(
            session, at_noon.settings, ana, session_id=visit.session.id or 0, email=NEW, at=NOON
        )
    with at_noon.database.look() as session:
        mails = list(session.exec(select(tables.Outbox).order_by(tables.Outbox.kind)))
    assert [(mail.kind, mail.email) for mail in mails] == [
        ("address_new", NEW),
        ("address_old", OLD),
    ]
    done = []
    for mail in mails:
        given = (mail.payload["nonce"], mail.payload["hash"])
        token = recover_secret(at_noon.settings, PURPOSE, *given)
        with at_noon.database.session() as session:
            done.append(confirm_address(session, token or "", "", NOON))
    assert done == [False, True]
    with at_noon.database.look() as session:
        assert session.get_one(tables.Player, ana).email == NEW
        assert find_session(session, mine, NOON)


def test_somebody_is_found_suspended_and_let_in_again(at_noon: Services, ana: int) -> None:
    with at_noon.database.session() as session:
        for words in ("AN", "Ana@Example.org", "a\x00na"):
            assert [one.id for one in find_people(session, words)] == [ana]
        assert find_people(session, "") == []
        person = get_person(session, ana)
        suspend_account(session, person, None, "rude", NOON)
        assert [one.id for one in find_people(session, "")] == [ana]
        with pytest.raises(Suspended):
            load_account(session, ana)
        lift_suspension(session, person, None, "sorry", NOON)
        assert load_account(session, ana)
    with at_noon.database.look() as session:
        assert [(str(deed.whom), deed.reason) for deed in load_deeds(session)] == [
            ("Ana", "sorry"),
            ("Ana", "rude"),
        ]
