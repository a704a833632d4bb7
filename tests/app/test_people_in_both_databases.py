"""The use cases of people and mails, on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app import accounts, health, leaving, models, signin, tokens
from app.db import Database
from app.errors import BadLink, BadToken
from app.services import Services
from app.settings import Settings
from tests.app.kept import NOON
from workers.relay import drain


@pytest.fixture
def services(database: Database, tmp_path: Path) -> Services:
    return Services(Settings(data_dir=tmp_path), database, now=lambda: NOON)


def link_token(services: Services) -> str:
    """The secret of the last link that was asked for."""
    with services.database.look() as session:
        payload = session.exec(select(models.Outbox)).all()[-1].payload
    found = tokens.recover(services.settings, signin.PURPOSE, payload["nonce"], payload["hash"])
    assert found
    return found


def came_in(services: Services, email: str = "ana@example.org") -> signin.SignedIn:
    with services.database.session() as session:
        signin.request_login(session, services.settings, email, "/help", "fr", NOON)
    token = link_token(services)
    with services.database.session() as session:
        return signin.use_login(session, token, "fr", NOON)


def test_a_link_is_used_once(services: Services) -> None:
    new = came_in(services)
    assert (new.newcomer, new.next, new.player.name) == (True, "/help", "Joueur 1")
    with services.database.session() as session, pytest.raises(BadLink):
        signin.use_login(session, link_token(services), "fr", NOON)
    assert not came_in(services).newcomer


def test_a_session_is_found_until_it_ends(services: Services) -> None:
    token = came_in(services).token
    with services.database.look() as session:
        visit = signin.find_session(session, token, NOON)
        assert visit
        assert visit.player.email == "ana@example.org"
        assert signin.is_fresh(visit, NOON + timedelta(minutes=15))
        assert not signin.is_fresh(visit, NOON + timedelta(minutes=16))
    with services.database.session() as session:
        signin.sign_out(session, token, NOON)
    with services.database.look() as session:
        assert signin.find_session(session, token, NOON) is None


def test_mails_are_claimed_sent_and_kept(services: Services) -> None:
    with services.database.session() as session:
        signin.request_login(session, services.settings, "ana@example.org", None, "pt_BR", NOON)
    assert drain(services) == 1
    assert drain(services) == 0
    with services.database.look() as session:
        assert session.exec(select(models.Letter)).one().to == "ana@example.org"
        assert session.exec(select(models.Outbox)).one().state == "sent"


def test_everything_about_a_person_can_be_taken_along_and_goes(services: Services) -> None:
    player = came_in(services).player
    drain(services)
    assert player.id
    with services.database.session() as session:
        token = accounts.new_token(session, player.id, "bot", NOON)
    with services.database.look() as session:
        assert accounts.bearer(session, token, NOON).player.id == player.id
        told = leaving.export(session, player.id, NOON)
        assert (told["player"]["email"], len(told["tokens"])) == ("ana@example.org", 1)
    with services.database.session() as session:
        leaving.delete_account(session, player.id, NOON)
    with services.database.look() as session:
        with pytest.raises(BadToken):
            accounts.bearer(session, token, NOON)
        kept = [
            session.exec(select(m)).all() for m in (models.Player, models.Outbox, models.Letter)
        ]
    assert "ana@example.org" not in str(kept)


def test_a_database_with_its_tables_is_ready(services: Services) -> None:
    assert health.problems(services.database) == []
