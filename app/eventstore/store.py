"""Event store: append with optimistic concurrency, load, fold, and a cache of folded matches.

A match is its log, folded. What is kept in memory is used only where position, hash and code agree with
the database, so that a miss is slower and never different.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Text, bindparam, cast, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

import engine.core
from app.eventstore.codec import dump_event, event_readers
from app.platform.database import VAULT, Database
from app.platform.errors import Busy, NoMatch, Stale
from app.platform.logging import log
from app.platform.lru_cache import LruCache
from app.platform.seed_vault import Seeds, SeedVault, WrongSeedKey
from app.platform.statements import Statement
from app.platform.tables import Table
from engine.core.game import Game
from engine.core.match import Match, advance
from engine.core.refusal import Unknown
from engine.core.registry import find
from engine.core.sentence import say
from engine.core.timeline import TURNS, Entry

EVENT, MATCH = (Table.metadata.tables[name] for name in ("event", "match"))
EVERYTHING = 2**31 - 1
DAMAGED: set[str] = set()  # the matches that this process could not read
CACHED_EVENTS = 100_000  # of some three hundred long matches


# Statements are made once: SQLAlchemy remembers what they compile to.
ADD = Statement(insert(EVENT), EVENT.c.keys())
HEAD = select(MATCH.c.head).where(MATCH.c.id == bindparam("match"))
ROW = Statement(
    select(MATCH.c.id, MATCH.c.game, MATCH.c.head, MATCH.c.hash, MATCH.c.seeds).where(
        MATCH.c.id == bindparam("match")
    )
)
OF_MATCH = (EVENT.c.match_id == bindparam("match"), EVENT.c.pos > bindparam("after"))
COLUMNS = ("pos", "act", "seat", "order", "kind", "data", "hash", "hidden")
LOG = Statement(
    select(*(EVENT.c[name] for name in COLUMNS))
    .where(*OF_MATCH, EVENT.c.pos <= bindparam("upto"))
    .order_by(EVENT.c.pos)
)
TIMES = Statement(
    select(EVENT.c.pos, EVENT.c.at)
    .where(*OF_MATCH, EVENT.c.pos <= bindparam("upto"))
    .order_by(EVENT.c.pos)
)


class Kept(NamedTuple):
    """What the row of a match says of its log."""

    id: str
    game: str
    head: int
    hash: str
    seeds: Any  # as the table keeps them


class LogBroken(Exception):
    """The log does not end where the match says: somebody else wrote to the database."""


# Writing


def append_events(
    connection: Connection,
    match_id: str,
    expected_head: int,
    entries: Sequence[Entry],
    at: datetime,
    **changes: Any,
) -> None:
    """Adds to the log of a match that is still where the caller saw it; `changes` are to the match's row."""
    if [entry.pos for entry in entries] != [*range(expected_head + 1, entries[-1].pos + 1)]:
        raise ValueError(f"the entries do not follow position {expected_head}")
    moved = {"head": entries[-1].pos, "hash": entries[-1].hash, **changes}
    where = {"expected": expected_head, "match": match_id}
    values = {f"new_{name}": value for name, value in moved.items()}
    # The row first: on PostgreSQL whoever comes second waits here and then finds the head moved.
    if move(*moved).run(connection, {**where, **values}) == 0:
        raise Stale(load_head(connection, match_id))
    try:
        ADD.run(connection, *(row(match_id, entry, at) for entry in entries))
    except IntegrityError as error:
        raise Stale(entries[0].pos) from error


def save_match(
    connection: Connection, match: Match, since: int, at: datetime, **changes: Any
) -> None:
    """Keeps what was played in `match` after the position `since`, with the seeds that came with it."""
    if match.seeds[-1][0] > since:
        changes["seeds"] = seal_seeds(connection, match.seeds)
    append_events(connection, match.id, since, match.log[since:], at, **changes)
    # Not committed yet, but no harm: should it fail, no log will ever agree with this hash.
    MATCH_CACHE.put(match)


@cache
def move(*names: str) -> Statement:
    """The statement that moves a match's head along, and sets more columns of its row."""
    return Statement(
        update(MATCH)
        .where(MATCH.c.id == bindparam("match"), MATCH.c.head == bindparam("expected"))
        .values({name: bindparam(f"new_{name}") for name in names})
    )


def row(match_id: str, entry: Entry, at: datetime) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "pos": entry.pos,
        "act": entry.act,
        "seat": entry.seat,
        "order": entry.order,
        "kind": type(entry.event).__name__,
        "data": dump_event(entry.event),
        "hidden": entry.hidden,
        "hash": entry.hash,
        "at": at,
    }


# Reading


def load_head(connection: Connection, match_id: str) -> int:
    """Where a match stands."""
    head = connection.execute(HEAD, {"match": match_id}).scalar_one_or_none()
    if head is None:
        raise unknown_match(match_id)
    return int(head)


def load_entries(
    connection: Connection, match_id: str, game: Game, after: int = 0, upto: int = EVERYTHING
) -> list[Entry]:
    """The log of a match, or the part after one position."""
    read = event_readers(game.key)
    where = {"match": match_id, "after": after, "upto": upto}
    return [
        Entry(pos, act, seat, order, read[kind](data), link, bool(hidden))
        for pos, act, seat, order, kind, data, link, hidden in LOG.found(connection, where)
    ]


def load_event_times(
    connection: Connection, match_id: str, after: int = 0, upto: int = EVERYTHING
) -> dict[int, datetime]:
    """When each event was added."""
    found = TIMES.rows(connection, {"match": match_id, "after": after, "upto": upto})
    return {pos: at for pos, at in found}  # noqa: C416 - rows are not pairs to mypy


def load_match(source: Database | Connection, match_id: str) -> Match:
    """A match as it stands in the database."""
    if isinstance(source, Database):
        with source.read() as connection:
            return load_match(connection, match_id)
    kept = row_of(source, match_id)
    known = MATCH_CACHE.get(match_id)
    if known is None or (known.head, known.hash) != (kept.head, kept.hash):
        known = rebuilt(source, kept, known)
        MATCH_CACHE.put(known)
    return known


def load_readable_match(connection: Connection, match_id: str) -> Match | None:
    """A match for a list, or nothing if its rows cannot be folded: one damaged match never takes a list down."""
    try:
        return load_match(connection, match_id)
    except (Busy, SQLAlchemyError, WrongSeedKey):
        raise  # not this match's fault
    except Exception as error:
        if match_id not in DAMAGED:
            log.error("damaged match", match=match_id, exc_info=error)
        DAMAGED.add(match_id)
        return None


def reread_match(connection: Connection, match_id: str) -> Match:
    """A match from its rows alone, whatever is remembered: for those who doubt the rows."""
    return rebuilt(connection, row_of(connection, match_id), None)


def row_of(connection: Connection, match_id: str) -> Kept:
    found = ROW.rows(connection, {"match": match_id})
    if not found:
        raise unknown_match(match_id)
    kept = Kept(*found[0])
    if kept.head == 0:
        raise Unknown(say("This match has not begun."))
    return kept


def rebuilt(connection: Connection, kept: Kept, known: Match | None) -> Match:
    """The match of a row, folded from what is known of it, or from nothing."""
    game = find(kept.game)
    new = load_entries(connection, kept.id, game, known.head - 1 if known else 0, kept.head)
    if known and new[:1] != [known.log[-1]]:  # not a part of this log, or newer than we may see
        return rebuilt(connection, kept, None)
    before, added = (known, new[1:]) if known else (Match(game, kept.id, ()), new)
    match = extended(before, added)
    if (match.head, match.hash) != (kept.head, kept.hash):
        raise LogBroken(f"The log of match {kept.id} does not end at {kept.head} {kept.hash}.")
    return replace(match, seeds=unseal_seeds(connection, kept.seeds))


# Seeds


def vault(connection: Connection) -> SeedVault:
    """The keys to the seeds of this database."""
    found: SeedVault = connection.get_execution_options()[VAULT]
    return found


def seal_seeds(connection: Connection, seeds: Seeds) -> Any:
    return vault(connection).seal(seeds)


def unseal_seeds(connection: Connection, kept: Any) -> Seeds:
    return vault(connection).unseal(kept)


def check_seed_key(database: Database) -> None:
    """Refuses to go on with keys that cannot open the seeds that lie in the table; one match tells for all."""
    newest = select(MATCH.c.seeds).order_by(MATCH.c.created_at.desc(), MATCH.c.id.desc())
    any_match = newest.where(MATCH.c.seeds.is_not(None)).limit(1)
    with database.read() as connection:
        kept = connection.execute(any_match).scalar()
        if kept is not None:
            unseal_seeds(connection, kept)


def prepare_database(database: Database) -> None:
    """Brings the tables up to date, seals seeds that older versions left in plain, and tries the key."""
    database.migrate()
    reseal_seeds(database, plain=True)
    check_seed_key(database)


def reseal_seeds(database: Database, *, plain: bool) -> int:
    """Seals seeds with the first key of the settings, all of them or those that lie in plain; says how many."""
    there = select(MATCH.c.id).where(MATCH.c.seeds.is_not(None))
    if plain:
        there = there.where(cast(MATCH.c.seeds, Text).like("[%"))
    with database.read() as connection:
        found = connection.execute(there).scalars().all()
    for match_id in found:
        # One at a time, and nobody may add a seed meanwhile.
        with database.write() as connection:
            one = MATCH.c.id == match_id
            kept = connection.execute(select(MATCH.c.seeds).where(one).with_for_update()).scalar()
            sealed = seal_seeds(connection, unseal_seeds(connection, kept))
            connection.execute(update(MATCH).where(one).values(seeds=sealed))
    return len(found)


def extended(match: Match, added: Sequence[Entry]) -> Match:
    """The match after more of its log; only a turn back needs the whole to be folded anew."""
    timeline = match.timeline.extended(added)
    turned = any(type(entry.event) in TURNS for entry in added)
    events = (entry.event for entry in (timeline.effective if turned else added))
    state = advance(match.game, None if turned else match.state, events)
    return replace(match, log=(*match.log, *added), timeline=timeline, state=state)


def unknown_match(match_id: str) -> NoMatch:
    return NoMatch(match_id)


# Remembering


class MatchCache:
    """The matches that were asked for last, each as far as this code has folded it; so many events of all."""

    def __init__(self, most: int = CACHED_EVENTS) -> None:
        self._matches: LruCache[tuple[str, str], Match] = LruCache(most, weigh_match)

    def get(self, match_id: str) -> Match | None:
        return self._matches.get((match_id, code_fingerprint()))

    def put(self, match: Match) -> None:
        self._matches.keep((match.id, code_fingerprint()), match)

    def clear(self) -> None:
        self._matches.clear()


def weigh_match(match: Match) -> int:
    return len(match.log)


MATCH_CACHE = MatchCache()


@cache
def code_fingerprint() -> str:
    """A hash of the engine, code and boards: what other code folded must not be taken for ours."""
    return hash_of_files(Path(engine.core.__path__[0]).parent)


def hash_of_files(root: Path) -> str:
    told = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix != ".pyc"):
        content = path.read_bytes()
        told.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return told.hexdigest()


MATCH_ID = re.compile(r"[0-9a-z]{1,32}")


def check_match_id(text: str) -> str:
    """An id that a match may have; whatever else is asked for, there is none."""
    if not MATCH_ID.fullmatch(text):
        raise unknown_match(text[:40])
    return text
