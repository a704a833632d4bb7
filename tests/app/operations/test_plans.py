"""No whole-table work: on tables that have grown, everything that is done often is done by index.

PostgreSQL itself tells, by auto_explain, how it did what the service asked of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import psycopg
import pytest

from app.eventstore.store import check_seed_key
from app.mail.outgoing.digest import enqueue_due_digests
from app.matches.bot_moves import load_waiting_matches
from app.matches.standing_answers import load_due
from app.matches.timeouts import load_due_clocks
from app.operations.cleanup import find_needless, guests_gone
from app.operations.conditions import Conditions
from app.operations.health import Patient, find_problems
from app.people.sessions import find_session
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import utc_now
from app.views.deadlines import dates_of
from app.views.lobby_lists import load_lobby
from app.views.match_json import list_matches
from app.views.site_dashboard import load_dead_letters, load_stalled_matches
from tests.servers import CARELESS, Postgresql, running_postgresql
from workers import relay

TELLING = (
    "session_preload_libraries=auto_explain",
    "auto_explain.log_min_duration=0",
    "auto_explain.log_nested_statements=on",
    "autovacuum=off",
)
SCAN = re.compile(r"Seq Scan on (\w+)")
GROWN = {
    "match", "event", "seat", "clock", "outbox", "player", "session", "submission", "received", "talk",
    "access_event", "login", "audit", "draft", "notification", "clock_stop", "answered", "standing",
}  # fmt: skip
FILL = """
    INSERT INTO player (id, email, name, language, timezone, mail_preferences, moderator, guest, calendars, created_at, suspended_why)
        SELECT n, n || '@example.org', 'p' || n, 'en', 'UTC', '{}', n <= 3, n % 50 = 0, 0, now() - n * interval '1 minute', ''
        FROM generate_series(1, 20000) n;
    INSERT INTO match (id, game, title, owner_id, options, pace, public, status, seats, seeds, head, hash, hints, imported, alone, created_at)
        SELECT 'm' || n, 'cuzco', 't', n, '{}', '{}', n % 9 = 0,
            CASE n % 100 WHEN 0 THEN 'open' WHEN 1 THEN 'running' ELSE 'over' END, 2, '[[1, "s"]]', 0, '0', false, false, false,
            now() - n * interval '1 minute'
        FROM generate_series(1, 20000) n;
    INSERT INTO seat (match_id, number, player_id)
        SELECT 'm' || n, s, 1 + (n * 7 + s * 13) % 20000 FROM generate_series(1, 20000) n, generate_series(0, 1) s;
    INSERT INTO clock (match_id, seat, phase, bank) SELECT 'm' || n, s, 'idle', 0
        FROM generate_series(1, 20000) n, generate_series(0, 1) s;
    INSERT INTO event (match_id, pos, act, kind, data, hidden, hash, at)
        SELECT 'm' || n, p, p, 'x', '{}', false, '0', now() FROM generate_series(1, 20000) n, generate_series(1, 5) p;
    INSERT INTO outbox (match_id, pos, player_id, kind, number, state, payload, tries, not_before, created_at)
        SELECT 'm' || n, p, 1 + n % 20000, 'turn', 0, 'sent', '{}', 1, now() - n * interval '1 minute', now() - n * interval '1 minute'
        FROM generate_series(1, 20000) n, generate_series(1, 3) p;
    INSERT INTO session (token_hash, player_id, created_at, fresh_at, seen_at, browser)
        SELECT 'h' || n, n, now(), now(), now(), '' FROM generate_series(1, 20000) n;
    INSERT INTO login (token_hash, email, created_at)
        SELECT 'h' || n, n || '@example.org', now() FROM generate_series(1, 20000) n;
    INSERT INTO submission (match_id, seat, key, payload_hash, answer, at)
        SELECT 'm' || n, 0, 'k', 'h', '{}', now() FROM generate_series(1, 20000) n;
    INSERT INTO received (key, state, at) SELECT 'k' || n, 'done', now() FROM generate_series(1, 20000) n;
    INSERT INTO access_event (player_id, kind, browser, at) SELECT n, 'x', '', now() FROM generate_series(1, 20000) n;
    INSERT INTO talk (match_id, player_id, text, at) SELECT 'm' || n, n, 'x', now() FROM generate_series(1, 20000) n;
    INSERT INTO audit (match_id, player_id, role, act, reason, at)
        SELECT 'm' || n, n, 'owner', 'x', '', now() FROM generate_series(1, 20000) n;
    ANALYZE;
"""


@pytest.fixture(scope="module")
def old_service() -> Iterator[tuple[Postgresql, Services]]:
    """A service on tables that have grown."""
    with running_postgresql((*CARELESS, *TELLING)) as server:
        url = server.fresh()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            connection.execute(FILL)
        database = Database(url)
        yield server, Services(Settings(secret_key="k" * 40, database_url=url), database)  # type: ignore[arg-type]
        database.close()


def lobby(services: Services) -> None:
    with services.database.look() as session:
        load_lobby(session, session.get(tables.Player, 77), 1)
        load_lobby(session, None, 3)


def api_lists(services: Services) -> None:
    with services.database.look() as session:
        for status in (None, "running", "over"):
            list_matches(session, 77, 1, status, True)
            list_matches(session, 77, 2, status, False)
            list_matches(session, None, 1, status, False)


def tidying(services: Services) -> None:
    with services.database.look() as session:
        find_needless(session, services.now(), timedelta(days=90))
        guests_gone(session, services.now())


def chores(services: Services) -> None:
    with services.database.look() as session:
        load_due_clocks(session, services.now(), 100, 0)
        load_waiting_matches(session, services.now(), 50)
        load_due(session, services.now(), 100)
        dates_of(session, 77)
    relay.due(services)
    enqueue_due_digests(services)


def watching(services: Services) -> None:
    list(Conditions(services).collect())
    find_problems(Patient(services.settings, services.database, utc_now()))
    check_seed_key(services.database)


def visiting(services: Services) -> None:
    with services.database.look() as session:
        find_session(session, "x", services.now())
        load_stalled_matches(session, services.now())
        load_dead_letters(session)


WORK: list[Callable[[Services], None]] = [lobby, api_lists, tidying, chores, watching, visiting]


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_nothing_that_is_done_often_reads_a_whole_table(
    old_service: tuple[Postgresql, Services], work: Callable[[Services], None]
) -> None:
    server, services = old_service
    log = server.server.folder / "log"
    before = log.stat().st_size
    work(services)
    with log.open("rb") as told:
        told.seek(before)
        plans = told.read().decode("utf-8", "replace")
    assert "Query Text:" in plans
    found = [
        plan for plan in re.split(r"Query Text: ", plans)[1:] if GROWN & set(SCAN.findall(plan))
    ]
    assert not found, "\n".join(plan[:1500] for plan in found)
