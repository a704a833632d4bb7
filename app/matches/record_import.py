"""Taking in a record: a match that was played elsewhere, or here before, with its log as it stands."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.clocks.pace import settle_pace
from app.matches.access import ROLES
from app.matches.commit import TO_NOBODY, ToAsked, commit_match
from app.matches.order_lines import LONGEST_ORDER
from app.matches.quotas import check_imports
from app.matches.record_signing import check_signature
from app.matches.tables import ID_LENGTH, ID_LETTERS
from app.platform import tables
from app.platform.errors import BadRecord
from app.platform.text_input import LONGEST_REASON, check_one_line, check_plain_text, shown_line
from engine.core import record, sequence
from engine.core.chain import GENESIS
from engine.core.codec import encode
from engine.core.match import Match
from engine.core.referee import BY
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.sentence import say
from engine.core.timeline import CORE_EVENTS, MatchStarted

MOST_EVENTS = 10_000
MOST_STEPS = 300_000  # every turning back folds the match anew
MOST_BYTES = 2 * 1024 * 1024  # as much as a request may bring
LONGEST_NAME, LONGEST_SEED = 100, 200
LARGEST = 2**53  # of the whole numbers that every program reads alike
MARKUP = frozenset("<>")
BOT = re.compile(r"[a-z0-9_-]{1,40}")
KNOWN_ROLES = frozenset({*ROLES, BY})
TOO_LONG = say("The record is longer than any match that is kept here.")


def read_record(content: bytes) -> Match:
    """The match of a complete record; one that is cut, changed, redacted or too long is refused."""
    lines = read_lines(content)
    try:
        if "signed" in lines[0]:
            check_signature(record.read(lines))
        match = record.load(lines)
        check_words(match)
    except Refusal as refusal:
        raise BadRecord(refusal.sentence) from refusal
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BadRecord(say("The record holds values that no match can have.")) from error
    return match


def read_lines(content: bytes) -> list[record.Line]:
    """The lines of a record file, which must not be longer than a match can be."""
    if len(content) > MOST_BYTES:
        raise BadRecord(TOO_LONG)
    try:
        lines = record.parse(content.decode("ascii"))
        json.dumps(lines, ensure_ascii=False).encode()  # half a letter can be written, but not kept
    except UnicodeError as error:
        raise BadRecord(say("The record has bytes that records have not.")) from error
    except Refusal as refusal:
        raise BadRecord(refusal.sentence) from refusal
    check_length(lines)
    return lines


def check_length(lines: list[record.Line]) -> None:
    turns = sum(line.get("kind") in ("Rewound", "Restored") for line in lines)
    if len(lines) > MOST_EVENTS or turns * len(lines) > MOST_STEPS:
        raise BadRecord(TOO_LONG)


def check_words(match: Match) -> None:
    """Every text of every event, as if it had come by the door that is made for it: others will read it here."""
    for _, seed in match.seeds:
        check_seed(seed)
    for entry in match.log:
        if entry.order is not None:
            check_one_line(entry.order, say("The order"), LONGEST_ORDER)
        doors = DOORS if isinstance(entry.event, CORE_EVENTS) else {}
        for field, value in encode(entry.event).items():
            if value is not None:
                doors.get(field, check_value)(value)


def check_value(value: Any) -> None:
    """A value of an event, whatever it is made of: short words of a board, and numbers that can be kept."""
    match value:
        case str():
            check_one_line(value or "-", say("A word of the record"), LONGEST_NAME)
            if MARKUP.intersection(value):
                raise NotUnderstood(say("The record holds words that no board has."))
        case list():
            for part in value:
                check_value(part)
        case dict():
            for name, part in value.items():
                check_value(name)
                check_value(part)
        case int() if abs(value) > LARGEST:
            raise NotUnderstood(say("The record holds a number that is too large."))


def check_role(value: str) -> None:
    if value not in KNOWN_ROLES:
        raise NotUnderstood(say("The record tells of somebody without a role at a table."))


def check_bot(value: str) -> None:
    if not BOT.fullmatch(value):
        raise NotUnderstood(say("The record names a bot that cannot be one."))


def check_reason(value: str) -> None:
    check_plain_text(value or "-", say("The reason"), LONGEST_REASON)


def check_seed(value: str) -> None:
    check_one_line(value, say("The seed"), LONGEST_SEED)


def check_name(value: str) -> None:
    shown_line(value, say("The match’s name"), LONGEST_NAME)


# What the log itself and its table write down, by the names of the fields; a game's words are the board's.
DOORS: dict[str, Callable[[Any], None]] = {
    "by": check_role,
    "bot": check_bot,
    "reason": check_reason,
    "match": check_name,
    "seed": check_seed,
}


def import_record(
    session: Session, player: tables.Player, match: Match, at: datetime
) -> tables.Match:
    """Keeps the match under a new id, every seat the player's: running it is played on alone."""
    check_imports(session, player, at, over=match.over)
    started: MatchStarted = match.log[0].event
    status = sequence.status(match.log)  # what was paused or closed stays so
    row = tables.Match(
        id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
        game=match.game.key,
        title=match.game.name,
        owner_id=player.id,
        options=started.options,
        pace=settle_pace(None),
        status=status,
        seats=started.seats,
        hash=GENESIS,
        created_at=at,
        started_at=at,
        ended_at=at if status in ("over", "closed") else None,
        imported=True,
        alone=True,
    )
    session.add(row)
    session.flush()
    for number in range(started.seats):
        session.add(tables.Seat(match_id=row.id, number=number, player_id=player.id))
    session.flush()
    kept = replace(match, id=row.id)
    commit_match(session, None, kept, at, ToAsked() if status == "running" else TO_NOBODY)
    session.refresh(row)
    return row
