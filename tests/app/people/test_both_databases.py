"""The use cases of people and mails, on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from app.moderation.departures import delete_account
from app.operations.health import find_health_problems
from app.people.account_deletion import export_account
from app.people.api_tokens import load_bearer, make_api_token
from app.people.sessions import (
    LOGIN_PURPOSE,
    SignedIn,
    find_session,
    is_fresh,
    request_login,
    sign_out,
    use_login,
)
from app.platform import tables
from app.platform.errors import BadLink, BadToken
from app.platform.services import Services
from app.platform.tokens import recover_secret
from tests.app.kept import NOON
from workers.relay import drain


def link_token(services: Services) -> str:
    """The secret of the last link that was asked for."""
    with services.database.look() as session:
        payload = session.exec(select(tables.Outbox)).all()[-1].payload
    found = recover_secret(services.settings, LOGIN_PURPOSE, payload["nonce"], payload["hash"])
    assert found
    return found


def came_in(services: Services, email: str = "ana@example.org") -> SignedIn:
    with services.database.session() as session:
        request_login(session, services.settings, email, next_page="/help", language="fr", at=NOON)
    token = link_token(services)
    with services.database.session() as session:
        return use_login(session, token, language="fr", at=NOON)


def test_a_link_is_used_once(at_noon: Services) -> None:
    new = came_in(at_noon)
    assert (new.newcomer, new.next, new.player.name) == (True, "/help", "Joueur 1")
    with at_noon.database.session() as session, pytest.raises(BadLink):
        use_login(session, link_token(at_noon), language="fr", at=NOON)
    assert not came_in(at_noon).newcomer


def test_a_session_is_found_until_it_ends(at_noon: Services) -> None:
    token = came_in(at_noon).token
    with at_noon.database.look() as session:
        visit = find_session(session, token, NOON)
        assert visit
        assert visit.player.email == "ana@example.org"
        assert is_fresh(visit, NOON + timedelta(minutes=15))
        assert not is_fresh(visit, NOON + timedelta(minutes=16))
    with at_noon.database.session() as session:
        sign_out(session, token, NOON)
    with at_noon.database.look() as session:
        assert find_session(session, token, NOON) is None


def test_mails_are_claimed_sent_and_kept(at_noon: Services) -> None:
    with at_noon.database.session() as session:
        request_login(
            session, at_noon.settings, "ana@example.org", next_page=None, language="pt_BR", at=NOON
        )
    assert drain(at_noon) == 1
    assert drain(at_noon) == 0
    with at_noon.database.look() as session:
        assert session.exec(select(tables.Letter)).one().to == "ana@example.org"
        assert session.exec(select(tables.Outbox)).one().state == "sent"


def test_everything_about_a_person_can_be_taken_along_and_goes(at_noon: Services) -> None:
    player = came_in(at_noon).player
    drain(at_noon)
    assert player.id
    with at_noon.database.session() as session:
        token = make_api_token(session, player.id, "bot", NOON)
    with at_noon.database.look() as session:
        assert load_bearer(session, token, NOON).player.id == player.id
        told = export_account(session, player.id, NOON)
        assert (told["player"]["email"], len(told["tokens"])) == ("ana@example.org", 1)
    with at_noon.database.session() as session:
        delete_account(session, player.id, NOON)
    with at_noon.database.look() as session:
        with pytest.raises(BadToken):
            load_bearer(session, token, NOON)
        kept = [
            session.exec(select(m)).all() for m in (tables.Player, tables.Outbox, tables.Letter)
        ]
    assert "ana@example.org" not in str(kept)


def test_a_database_with_its_tables_is_ready(at_noon: Services) -> None:
    assert find_health_problems(at_noon.database) == []
