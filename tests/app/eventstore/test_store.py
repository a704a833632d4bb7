"""The store: what goes in comes out, one writer wins, and memory never tells another story."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy.exc import SQLAlchemyError
from structlog.testing import capture_logs

from app.eventstore import store
from app.eventstore.codec import dump_event, event_readers
from app.eventstore.store import (
    DAMAGED,
    MATCH_CACHE,
    LogBroken,
    MatchCache,
    append_events,
    check_match_id,
    hash_of_files,
    load_entries,
    load_event_times,
    load_head,
    load_match,
    load_readable_match,
    save_match,
)
from app.outbox.rows import enqueue_rows
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import Busy, Stale
from app.platform.seed_vault import WrongSeedKey
from engine.core.match import Match, play
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.timeline import Rewound, timeline
from tests.app.kept import NOON, keep, kept, later, open_table, wandered, wandering
from tests.engine.matches import orders, walk, whole


@pytest.fixture(autouse=True)
def nothing_in_memory() -> None:
    MATCH_CACHE.clear()


# Round trips


@pytest.mark.parametrize("seed", range(3))
def test_a_match_comes_back_as_it_was(database: Database, seed: int) -> None:
    match = kept(database, whole("cuzco", 3, seed))
    assert load_match(database, match.id) == match


@pytest.mark.parametrize("key", sorted(games()))
def test_a_match_of_every_game_comes_back_with_all_its_rewinds(
    database: Database, key: str
) -> None:
    match = kept(database, wandered(key)[-1])
    loaded = load_match(database, match.id)
    assert loaded == match
    assert loaded.seeds == match.seeds
    turned = sum(isinstance(entry.event, Rewound) for entry in match.log)
    assert len(loaded.seeds) == turned + 1 > 2  # every rewind commits to another


def test_every_prefix_of_the_log_comes_back(database: Database) -> None:
    whole = kept(database, wandered()[-1])
    with database.read() as connection:
        log = load_entries(connection, whole.id, whole.game)
    for match in wandered():
        prefix = tuple(log[: match.head])
        assert prefix == match.log
        assert timeline(prefix) == match.timeline


def test_a_part_of_the_log_can_be_read(database: Database) -> None:
    match = kept(database, whole("cuzco", 3, 0))
    with database.read() as connection:
        assert tuple(load_entries(connection, match.id, match.game, 10)) == match.log[10:]
        assert tuple(load_entries(connection, match.id, match.game, 10, 20)) == match.log[10:20]
        assert load_entries(connection, match.id, match.game, match.head) == []
        assert list(load_event_times(connection, match.id, 10, 20)) == [*range(11, 21)]


def test_a_match_is_kept_act_by_act(database: Database) -> None:
    first, *rest = wandered()[:45]
    open_table(database, first)
    keep(database, first)
    before = first
    for minutes, match in enumerate(rest):
        keep(database, match, before.head, later(minutes))
        assert load_match(database, match.id) == match
        before = match
    with database.read() as connection:
        times = load_event_times(connection, first.id)
    assert list(times) == list(range(1, before.head + 1))
    assert times[1] == NOON
    assert times[before.head] == later(len(rest) - 1)


@pytest.mark.parametrize("key", sorted(games()))
def test_every_event_is_written_and_read_as_it_is(key: str) -> None:
    read = event_readers(key)
    for entry in wandered(key)[-1].log:
        again = read[type(entry.event).__name__](dump_event(entry.event))
        assert again == entry.event
        assert type(again) is type(entry.event)


def test_an_event_that_is_not_what_it_says_is_not_written() -> None:
    event = next(e.event for e in wandered()[-1].log if type(e.event).__name__ == "TilePlaced")
    with pytest.raises(Exception, match="cost"):
        dump_event(replace(event, cost="three"))


def test_other_columns_change_in_the_same_act(database: Database) -> None:
    match = wandered()[0]
    open_table(database, match)
    with database.write() as connection:
        save_match(connection, match, 0, NOON, status="running", started_at=NOON, deadline=NOON)
    with database.look() as session:
        row = session.get_one(tables.Match, match.id)
        assert (row.status, row.started_at, row.deadline) == ("running", NOON, NOON)
        assert (row.head, row.hash) == (match.head, match.hash)


# Refusals


def test_who_comes_late_is_told_where_the_match_is(database: Database) -> None:
    before, match = wandered()[3], wandered()[6]
    open_table(database, match)
    keep(database, match)
    with pytest.raises(Stale, match=f"the match is at position {match.head}") as refused:
        keep(database, match, before.head)
    assert (refused.value.head, refused.value.code) == (match.head, "stale")
    assert load_match(database, match.id) == match


def test_a_refused_act_leaves_nothing(database: Database) -> None:
    before, after = wandered()[3:5]
    open_table(database, before)
    keep(database, before)
    with suppress(Busy), database.write() as connection:
        save_match(connection, after, before.head, NOON)
        enqueue_rows(connection, "turn", NOON, {"match_id": after.id, "pos": after.head})
        raise Busy
    assert load_match(database, before.id) == before
    with database.read() as connection:
        assert connection.execute(tables.Table.metadata.tables["outbox"].select()).all() == []


def test_events_must_follow_the_head(database: Database) -> None:
    match = wandered()[5]
    open_table(database, match)
    with database.write() as connection, pytest.raises(ValueError, match="do not follow"):
        append_events(connection, match.id, 0, match.log[1:], NOON)


def test_an_unknown_match_is_named(database: Database) -> None:
    with pytest.raises(Unknown, match="There is no match nowhere"):
        load_match(database, "nowhere")
    with database.write() as connection, pytest.raises(Unknown, match="There is no match nowhere"):
        append_events(connection, "nowhere", 0, wandered()[0].log, NOON)


@pytest.mark.parametrize("name", ["", "ABC", "a-b", "a\0", "x" * 33])
def test_what_can_be_no_match_is_not_even_asked_for(name: str) -> None:
    assert check_match_id("x" * 32) == "x" * 32
    with pytest.raises(Unknown, match="There is no match"):
        check_match_id(name)


def test_an_act_moves_its_own_match_alone(database: Database) -> None:
    before, after = wandered()[3:5]
    others = tuple(islice(wandering("cuzco", 1, "elsewhere"), 4))
    assert others[3].head == before.head
    for match in (before, others[3]):
        open_table(database, match)
        keep(database, match)
    keep(database, after, before.head, later(5))
    MATCH_CACHE.clear()
    assert load_match(database, before.id) == after
    assert load_match(database, "elsewhere") == others[3]
    with database.read() as connection:
        assert set(load_event_times(connection, "elsewhere").values()) == {NOON}
        heads = [load_head(connection, match.id) for match in (after, others[3])]
    assert heads == [after.head, others[3].head]


def test_a_match_that_has_not_begun_cannot_be_loaded(database: Database) -> None:
    open_table(database, wandered()[0])
    with pytest.raises(Unknown, match="has not begun"):
        load_match(database, "wandering")


def test_a_log_that_does_not_end_at_the_head_is_not_believed(database: Database) -> None:
    match = kept(database, wandered()[9])
    matches = tables.Table.metadata.tables["match"]
    with database.write() as connection:
        connection.execute(matches.update().values(head=match.head - 1))
    with pytest.raises(LogBroken):
        load_match(database, match.id)


def test_a_damaged_match_is_left_out_of_lists_and_told_in_the_log_once(database: Database) -> None:
    match = kept(database, wandered()[9])
    matches = tables.Table.metadata.tables["match"]
    with database.write() as connection:
        connection.execute(matches.update().values(hash="another"))
    MATCH_CACHE.clear()
    DAMAGED.discard(match.id)
    with capture_logs() as logs, database.read() as connection:
        found = [load_readable_match(connection, match.id) for _ in range(2)]
    assert found == [None, None]
    assert [(said["event"], said["match"]) for said in logs] == [("damaged match", match.id)]


@pytest.mark.parametrize("fault", [Busy, SQLAlchemyError, WrongSeedKey])
def test_a_match_is_not_damaged_because_something_else_is(
    database: Database, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    match = kept(database, wandered()[9])

    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(store, "load_match", fail)
    DAMAGED.discard(match.id)
    with database.read() as connection, pytest.raises(fault):
        load_readable_match(connection, match.id)
    assert match.id not in DAMAGED


# Mails


def test_a_mail_is_written_once_for_each_recipient(database: Database) -> None:
    match = kept(database, wandered()[9])
    with database.session() as session:
        ada = tables.Player(name="Ada")
        session.add(ada)
        session.flush()
        to_ada = {"match_id": match.id, "pos": match.head, "player_id": ada.id}
        to_bob = {"match_id": match.id, "pos": match.head, "email": "bob@example.org"}
        enqueue_rows(session.connection(), "turn", NOON, to_ada, to_bob)
        enqueue_rows(session.connection(), "turn", NOON)
    for again in (to_ada, to_bob):
        with pytest.raises(Exception, match=r"(?i)unique"), database.write() as connection:
            enqueue_rows(connection, "turn", NOON, again)
    with database.look() as session:
        mail = session.get_one(tables.Outbox, 1)
        assert (mail.kind, mail.state, mail.tries, mail.payload) == ("turn", "waiting", 0, {})
        assert (mail.created_at, mail.not_before, mail.sent_at) == (NOON, NOON, None)


# Races


@pytest.mark.parametrize("writers", [2, 7, 32])
def test_one_writer_of_a_process_wins_each_position(database: Database, writers: int) -> None:
    race(database, [database] * writers)


@pytest.mark.parametrize("writers", [2, 7, 32])
def test_one_of_many_processes_wins_each_position(
    database: Database, database_url: str, writers: int
) -> None:
    apart = [Database(database_url) for _ in range(writers)]  # each with a queue of its own
    race(database, apart)
    for one in apart:
        one.close()


def race(database: Database, writers: list[Database]) -> None:
    """Lets all writers try to play on from the same position, a few times over."""
    match = wandered()[0]
    open_table(database, match)
    keep(database, match)
    for _ in range(3):
        match = race_once(match, writers)
        MATCH_CACHE.clear()
        assert load_match(database, match.id) == match
    assert [entry.pos for entry in match.log] == list(range(1, match.head + 1))


def race_once(match: Match, writers: list[Database]) -> Match:
    """The match as the one winner played it; everybody else was told so."""
    choices, seat = orders(match.game, match.state), match.game.to_act(match.state)[0]
    wishes = [play(match, seat, order) for order, _ in zip(cycle(choices), writers, strict=False)]
    begin = Barrier(len(writers))

    def write(database: Database, wish: Match) -> str:
        begin.wait()
        try:
            keep(database, wish, match.head)
        except Stale as refusal:
            return f"stale {refusal.head}"
        return "kept"

    with ThreadPoolExecutor(len(writers)) as pool:
        told = list(pool.map(write, writers, wishes))
    assert told.count("kept") == 1
    winner = wishes[told.index("kept")]
    assert set(told) == {"kept", f"stale {winner.head}"}
    return winner


# Memory


def test_what_is_remembered_is_what_would_be_read(database: Database) -> None:
    first, *rest = (*wandered()[:50], *wandered()[-40:])
    open_table(database, first)
    keep(database, first)
    before, remembering = first, MatchCache()
    for number, match in enumerate(rest):
        keep(database, match, before.head)
        if number % 3 == 0:  # so that what is remembered lags behind by one, two or three acts
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(store, "MATCH_CACHE", remembering)
                assert load_match(database, match.id) == match
        before = match


def test_a_memory_of_another_database_is_not_believed(database: Database) -> None:
    mine, other = (next(islice(walk("cuzco", 2, seed), 20, None)) for seed in (1, 2))
    kept(database, mine)
    MATCH_CACHE.put(other)
    assert load_match(database, mine.id) == mine
    MATCH_CACHE.put(other)
    longer = next(m for m in walk("cuzco", 2, 1) if m.head > max(mine.head, other.head))
    keep(database, longer, mine.head)
    MATCH_CACHE.put(other)
    assert load_match(database, mine.id) == longer


def test_an_act_that_was_rolled_back_is_not_remembered(database: Database) -> None:
    before, after = wandered()[3:5]
    kept(database, before)
    with suppress(Busy), database.write() as connection:
        save_match(connection, after, before.head, NOON)
        raise Busy
    assert load_match(database, before.id) == before
    with database.write() as connection:
        save_match(connection, after, before.head, NOON)
        assert load_match(connection, before.id) == after


def test_only_so_many_events_are_remembered() -> None:
    match = wandered()[0]
    remembering = MatchCache(2 * len(match.log))
    for name in "abc":
        remembering.put(replace(match, id=name))
        remembering.get("a")
    assert [remembering.get(name) is not None for name in "abc"] == [True, False, True]


def test_the_fingerprint_tells_any_two_states_of_the_code_apart(tmp_path: Path) -> None:
    seen = set[str]()
    for name, content in [("a.py", "1"), ("a.py", "2"), ("b.txt", "2"), ("b.txt", "2b")]:
        (tmp_path / name).write_text(content)
        seen.add(hash_of_files(tmp_path))
    (tmp_path / "c.pyc").write_text("left by Python")
    assert hash_of_files(tmp_path) in seen
    assert len(seen) == 4


# Reading and writing


def test_who_reads_cannot_write(database: Database) -> None:
    match = wandered()[0]
    open_table(database, match)
    with pytest.raises(Exception, match=r"(?i)read.?only"), database.read() as connection:
        save_match(connection, match, 0, NOON)
    with database.look() as session:
        session.get_one(tables.Match, match.id).title = "Another"
    with database.look() as session:
        assert session.get_one(tables.Match, match.id).title == "A table"


def test_who_reads_sees_one_moment(database: Database) -> None:
    before, after = wandered()[3:5]
    kept(database, before)
    with database.read() as connection:
        assert load_head(connection, before.id) == before.head
        keep(database, after, before.head)
        assert load_head(connection, before.id) == before.head
        MATCH_CACHE.clear()
        assert load_match(connection, before.id) == before
    assert load_match(database, before.id) == after


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    match = wandered()[0]
    open_table(database, match)
    with pytest.raises(ValueError, match="no time zone"):
        keep(database, match, at=datetime(2026, 1, 1))
