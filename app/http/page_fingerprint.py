"""Fingerprint (ETag) of a turn page, made without rendering it, so that an unchanged page costs a few small reads.

Whatever a page shows must enter its stamp: the log by its head and hash, and every other table by a reading
below. A test holds the stamps of all pages that the tests ask for against what the pages said.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select

from app.eventstore.store import code_fingerprint, hash_of_files
from app.matches.chat import SHOWN
from app.matches.waiting import list_waiting
from app.people.sessions import session_lookup
from app.platform.lru_cache import LruCache
from app.platform.paths import APP, TEMPLATES
from app.platform.statements import Statement
from app.platform.tables import Table

T = Table.metadata.tables
PLAYER, MATCH, SEAT, TALK, CARER = (T[n] for n in ("player", "match", "seat", "talk", "moderator"))
ME = bindparam("me", type_=PLAYER.c.id.type)
HERE = bindparam("match", type_=MATCH.c.id.type)
NAMED = (PLAYER.c.id, PLAYER.c.name, PLAYER.c.guest, PLAYER.c.deleted_at)
TIMES = [T["clock"].c[name] for name in ("phase", "bank", "left")]
SECRETS = [T[name] for name in ("draft", "note", "standing")]  # a row a seat, for its player alone
VISIT = Statement(
    select(PLAYER.c.id, PLAYER.c.moderator, T["session"].c.id, PLAYER)
    .join(T["session"], T["session"].c.player_id == PLAYER.c.id)
    .where(
        T["session"].c.token_hash == bindparam("token"),
        T["session"].c.ended_at.is_(None),
        T["session"].c.seen_at > bindparam("since", type_=T["session"].c.seen_at.type),
        T["session"].c.created_at > bindparam("born", type_=T["session"].c.created_at.type),
        PLAYER.c.deleted_at.is_(None),
        PLAYER.c.suspended_at.is_(None),
    )
)
ROW = Statement(
    select(
        MATCH.c.head,
        MATCH.c.owner_id,
        CARER.c.player_id,
        *(column for column in MATCH.c if column.name not in ("seeds", "standing_at")),
    )
    .outerjoin(CARER, (CARER.c.match_id == MATCH.c.id) & (CARER.c.player_id == ME))
    .where(MATCH.c.id == HERE)
)


def of_seat(table: Any) -> Any:
    """Whether a row belongs to the seat."""
    return (table.c.match_id == SEAT.c.match_id) & (table.c.seat == SEAT.c.number)


def seats() -> Statement:
    """Every seat with its player and clock, and what my own ones keep for me."""
    words = (
        select(
            SEAT.c.player_id,
            SEAT,
            *NAMED,
            PLAYER.c.bouncing_at,
            PLAYER.c.frozen_until,
            *TIMES,
            *SECRETS,
        )
        .outerjoin(PLAYER, PLAYER.c.id == SEAT.c.player_id)
        .outerjoin(T["clock"], of_seat(T["clock"]))
    )
    for table in SECRETS:
        words = words.outerjoin(table, of_seat(table) & (SEAT.c.player_id == ME))
    return Statement(words.where(SEAT.c.match_id == HERE).order_by(SEAT.c.number))


SEATS = seats()
ANSWERED = Statement(
    select(T["answered"])
    .join(SEAT, of_seat(T["answered"]))
    .where(SEAT.c.match_id == HERE, SEAT.c.player_id == ME)
    .order_by(T["answered"].c.act)
)
SPOKEN = Statement(
    select(TALK.c.id, *NAMED)
    .join(PLAYER, PLAYER.c.id == TALK.c.player_id)
    .where(TALK.c.match_id == HERE, TALK.c.hidden_at.is_(None))
    .order_by(TALK.c.id.desc())
    .limit(SHOWN)
)

READ = Statement(
    select(T["talk_read"].c.talk_id).where(
        T["talk_read"].c.match_id == HERE, T["talk_read"].c.player_id == ME
    )
)


# What no turn page shows. A new table stands here or is read above: a test asks for one of the two.
SILENT = {
    "event",  # the match's head and hash speak for it
    "vacation",  # of it, the clocks show what counts
    "proposal", "moderator_invitation", "clock_stop",  # the log and the clocks show what counts of them
    "push_subscription", "webhook", "notice",
    "late_turn",  # a player's page shows it
    "solved_lesson", "puzzle_try",  # of the pages on which they are played
    "seat_change", "share_picture", "match_review",  # the log speaks for the one, and the others have pages of their own
    "passkey", "challenge", "address_change", "access_event",
    "login", "declined", "api_token", "submission", "audit", "report", "outbox", "received", "letter", "arrival", "cooling",
    "heartbeat",
}  # fmt: skip


def load_shown(
    connection: Connection, match_id: str, token: str | None, at: datetime
) -> list[Any] | None:
    """All that a turn page shows to the owner of that cookie now; None before the match began.

    It is the same for two visits only if both may look, or neither: who asks is part of it.
    """
    visit = visitor(connection, token, at)
    me = visit[0][0] if visit else None
    where = {"match": match_id, "me": me}
    row, seats = ROW.found(connection, where), SEATS.found(connection, where)
    if not row or not row[0][0]:
        return None
    known = [visit, row, seats, list_waiting(connection, me) if me else []]
    # A site's moderator, the owner, one who was named to care for the match, those who play.
    if visit and (visit[0][1] or me in (*row[0][1:3], *(seat[0] for seat in seats))):
        known += [reading.found(connection, where) for reading in (SPOKEN, READ, ANSWERED)]
    # Times are told as "3 minutes ago", so no page is the same for longer than a minute.
    return [*known, at.replace(second=0, microsecond=0)]


def visitor(connection: Connection, token: str | None, at: datetime) -> list[Any]:
    if not token:
        return []
    return VISIT.found(connection, session_lookup(token, at))


def seal_fingerprint(key: str, *parts: object) -> str:
    """A short name for all that, which tells nothing: it changes with the code and with the key of the forms."""
    return hmac.digest(key.encode(), repr((code(), parts)).encode(), "sha256").hex()[:32]


@cache
def code() -> str:
    """A hash of what makes the pages."""
    folders = (APP, TEMPLATES)
    return code_fingerprint() + "".join(map(hash_of_files, folders))


KEPT_BYTES = 15_000_000  # a hundred pages of 150 kB
PAGES: LruCache[str, bytes] = LruCache(KEPT_BYTES, len)  # that were made, by name
