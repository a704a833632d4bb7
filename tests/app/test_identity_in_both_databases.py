"""Passkeys, tokens, addresses and suspension on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app import (
    access_log,
    accounts,
    address_changes,
    audit,
    models,
    passkeys,
    signin,
    suspensions,
    tokens,
)
from app.browsers import Browser
from app.db import Database
from app.errors import BadPasskey, Suspended
from app.services import Services
from app.settings import Settings
from tests.app.kept import NOON
from tests.app.soft_device import SoftDevice
from workers.chores import write_token_uses

OLD, NEW = "ana@example.org", "ana@new.example"
BROWSER = Browser("Firefox · Linux")


@pytest.fixture
def services(database: Database, tmp_path: Path) -> Services:
    settings = Settings(data_dir=tmp_path, base_url="http://localhost:8000")
    return Services(settings, database, now=lambda: NOON)


@pytest.fixture
def ana(services: Services) -> int:
    with services.database.session() as session:
        player = models.Player(email=OLD, name="Ana")
        session.add(player)
        session.flush()
        return player.id or 0


def added(services: Services, player_id: int) -> SoftDevice:
    """A device with a passkey of that player."""
    device = SoftDevice("localhost", "http://localhost:8000")
    with services.database.session() as session:
        made = passkeys.registration_options(session, services.settings, player_id, NOON)
    options, challenge = made
    credential = device.make(json.loads(options))
    passkeys.add_passkey(services, player_id, "Key", credential, challenge, BROWSER)
    return device


def test_a_passkey_is_added_once_and_signs_in(services: Services, ana: int) -> None:
    device = added(services, ana)
    with pytest.raises(BadPasskey):
        added(services, ana)  # the same number
    with services.database.session() as session:
        options, challenge = passkeys.sign_in_options(session, services.settings, NOON)
    credential = device.use(json.loads(options))
    new = passkeys.sign_in_by_passkey(services, credential, challenge, BROWSER)
    with pytest.raises(BadPasskey):
        passkeys.sign_in_by_passkey(services, credential, challenge, BROWSER)
    with services.database.look() as session:
        visit = signin.find_session(session, new.token, NOON)
        assert visit
        assert (visit.player.id, visit.session.browser) == (ana, "Firefox · Linux")
        assert signin.find_session(session, new.token, NOON + timedelta(days=366)) is None
        log = access_log.load_access_log(session, ana)
    assert [line.kind for line in log] == ["passkey", "passkey added"]


def test_uses_of_tokens_are_written(services: Services, ana: int) -> None:
    with services.database.session() as session:
        token = accounts.new_token(session, ana, "bot", NOON, ["play", "read"])
    with services.database.look() as session:
        shown = accounts.bearer(session, token, NOON)
        assert shown.token.scopes == ["read", "play"]
        services.token_uses.note_use(shown.token, NOON)
    assert write_token_uses(services) == 1
    with services.database.look() as session:
        assert accounts.bearer(session, token, NOON).token.last_used_at == NOON


def test_an_address_is_changed_by_both_links(services: Services, ana: int) -> None:
    with services.database.session() as session:
        mine = signin.open_session(session, session.get_one(models.Player, ana), NOON)
        visit = signin.find_session(session, mine, NOON)
        assert visit
        address_changes.request_address_change(
            session, services.settings, ana, visit.session.id or 0, NEW, NOON
        )
    with services.database.look() as session:
        mails = list(session.exec(select(models.Outbox).order_by(models.Outbox.kind)))
    assert [(mail.kind, mail.email) for mail in mails] == [
        ("address_new", NEW),
        ("address_old", OLD),
    ]
    done = []
    for mail in mails:
        given = (mail.payload["nonce"], mail.payload["hash"])
        token = tokens.recover(services.settings, address_changes.PURPOSE, *given)
        with services.database.session() as session:
            done.append(address_changes.confirm_address(session, token or "", "", NOON))
    assert done == [False, True]
    with services.database.look() as session:
        assert session.get_one(models.Player, ana).email == NEW
        assert signin.find_session(session, mine, NOON)


def test_somebody_is_found_suspended_and_let_in_again(services: Services, ana: int) -> None:
    with services.database.session() as session:
        for words in ("AN", "Ana@Example.org", "a\x00na"):
            assert [one.id for one in suspensions.find_people(session, words)] == [ana]
        assert suspensions.find_people(session, "") == []
        person = suspensions.get_person(session, ana)
        suspensions.suspend_account(session, person, None, "rude", NOON)
        assert [one.id for one in suspensions.find_people(session, "")] == [ana]
        with pytest.raises(Suspended):
            accounts.get(session, ana)
        suspensions.lift_suspension(session, person, None, "sorry", NOON)
        assert accounts.get(session, ana)
    with services.database.look() as session:
        assert [(str(deed.whom), deed.reason) for deed in audit.deeds(session)] == [
            ("Ana", "sorry"),
            ("Ana", "rude"),
        ]
