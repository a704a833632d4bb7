"""Names what a turn page shows without making it, so that an unchanged page costs a few small reads.

Whatever a page shows must enter its stamp: the log by its head and hash, and every other table by a reading
below. A test holds the stamps of all pages that the tests ask for against what the pages said.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, select

from app import files, store, tokens
from app.lately import Lately
from app.models import Table
from app.signin import SESSION_LASTS
from app.statement import Statement
from app.talk import SHOWN

T = Table.metadata.tables
PLAYER, MATCH, SEAT, TALK = T["player"], T["match"], T["seat"], T["talk"]
ME = bindparam("me", type_=PLAYER.c.id.type)
HERE = bindparam("match", type_=MATCH.c.id.type)
NAMED = (PLAYER.c.id, PLAYER.c.name, PLAYER.c.guest, PLAYER.c.deleted_at)

VISIT = Statement(
    select(PLAYER.c.id, PLAYER.c.moderator, T["session"].c.id, PLAYER)
    .join(T["session"], T["session"].c.player_id == PLAYER.c.id)
    .where(
        T["session"].c.token_hash == bindparam("token"),
        T["session"].c.ended_at.is_(None),
        T["session"].c.seen_at > bindparam("since", type_=T["session"].c.seen_at.type),
        PLAYER.c.deleted_at.is_(None),
    )
)
ROW = Statement(
    select(
        MATCH.c.head, MATCH.c.owner_id, *(column for column in MATCH.c if column.name != "seeds")
    ).where(MATCH.c.id == HERE)
)
SEATS = Statement(
    select(SEAT.c.player_id, SEAT, *NAMED, PLAYER.c.bouncing_at)
    .join(PLAYER, PLAYER.c.id == SEAT.c.player_id, isouter=True)
    .where(SEAT.c.match_id == HERE)
    .order_by(SEAT.c.number)
)
CLOCKS = Statement(
    select(*(T["clock"].c[name] for name in ("seat", "phase", "bank", "left")))
    .where(T["clock"].c.match_id == HERE)
    .order_by(T["clock"].c.seat)
)
CARERS = Statement(
    select(T["moderator"].c.player_id).where(
        T["moderator"].c.match_id == HERE, T["moderator"].c.player_id == ME
    )
)
SPOKEN = Statement(
    select(TALK.c.id, *NAMED)
    .join(PLAYER, PLAYER.c.id == TALK.c.player_id)
    .where(TALK.c.match_id == HERE, TALK.c.hidden_at.is_(None))
    .order_by(TALK.c.id.desc())
    .limit(SHOWN)
)


def of_my_seats(name: str) -> Statement:
    """The rows that a table holds for the seats of one player."""
    table = T[name]
    mine = (SEAT.c.match_id == table.c.match_id) & (SEAT.c.number == table.c.seat)
    return Statement(
        select(table)
        .join(SEAT, mine)
        .where(table.c.match_id == HERE, SEAT.c.player_id == ME)
        .order_by(*table.primary_key.columns)
    )


SECRETS = tuple(map(of_my_seats, ("draft", "note", "standing", "answered")))

# What no turn page shows. A new table stands here or is read above: a test asks for one of the two.
SILENT = {
    "event",  # the match's head and hash speak for it
    "vacation",  # of it, the clocks show what counts
    "login", "api_token", "submission", "audit", "report", "outbox", "received", "letter",
}  # fmt: skip


def shown(
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
    carers = CARERS.found(connection, where) if visit else []
    known = [visit, row, seats, carers, CLOCKS.found(connection, where)]
    at_table = me in (row[0][1], *(seat[0] for seat in seats)) or carers or (visit and visit[0][1])
    if visit and at_table:
        known += [reading.found(connection, where) for reading in (SPOKEN, *SECRETS)]
    # Times are told as "3 minutes ago", so no page is the same for longer than a minute.
    return [*known, at.replace(second=0, microsecond=0)]


def visitor(connection: Connection, token: str | None, at: datetime) -> list[Any]:
    if not token:
        return []
    wanted = {"token": tokens.digest(token), "since": at - SESSION_LASTS}
    return VISIT.found(connection, wanted)


def sealed(key: str, *parts: object) -> str:
    """A short name for all that, which tells nothing: it changes with the code and with the key of the forms."""
    return hmac.digest(key.encode(), repr((code(), parts)).encode(), "sha256").hex()[:32]


@cache
def code() -> str:
    """A hash of what makes the pages."""
    folders = (Path(__file__).parent, files.TEMPLATES)
    return store.fingerprint() + "".join(map(store.hash_of_files, folders))


PAGES: Lately[str, bytes] = Lately(100)  # that were made, by name; at 150 kB each
