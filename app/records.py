"""Taking in a record: a match that was played elsewhere, or here before, with its log as it stands."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from app import clock, models, notices, store
from app.errors import BadRecord
from app.lobby import ID_LENGTH, ID_LETTERS
from app.pace import settle_pace
from app.words import one_line, plain_text
from engine.core import record
from engine.core.chain import GENESIS
from engine.core.match import Match
from engine.core.refusal import Refusal
from engine.core.sentence import say
from engine.core.timeline import (
    ActProposed,
    Closed,
    Extended,
    MatchStarted,
    Paused,
    ProposalWithdrawn,
    Restored,
    Resumed,
    Rewound,
    SeatReplaced,
    StoodIn,
)

MOST_EVENTS = 10_000
MOST_STEPS = 300_000  # every turning back folds the match anew
LONGEST_NAME, LONGEST_SEED, LONGEST_REASON = 100, 200, 500


def understood(content: bytes) -> Match:
    """The match of a complete record; one that is cut, changed, redacted or too long is refused."""
    try:
        lines = record.parse(content.decode("ascii"))
        json.dumps(lines, ensure_ascii=False).encode()  # half a letter can be written, but not kept
        check_length(lines)
        match = record.load(lines)
        check_words(match)
    except UnicodeError as error:
        raise BadRecord(say("The record has bytes that records have not.")) from error
    except Refusal as refusal:
        raise BadRecord(refusal.sentence) from refusal
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BadRecord(say("The record holds values that no match can have.")) from error
    return match


def check_length(lines: list[record.Line]) -> None:
    turns = sum(line.get("kind") in ("Rewound", "Restored") for line in lines)
    if len(lines) > MOST_EVENTS or turns * len(lines) > MOST_STEPS:
        raise BadRecord(say("The record is longer than any match that is kept here."))


def check_words(match: Match) -> None:
    """What a person wrote into the record, for others will read it here."""
    for _, seed in match.seeds:
        one_line(seed, say("The seed"), LONGEST_SEED)
    for entry in match.log:
        match entry.event:
            case MatchStarted(match=name):
                one_line(name, say("The match’s name"), LONGEST_NAME)
            case Rewound(by=by, reason=reason):
                one_line(by, say("The name"), LONGEST_NAME)
                plain_text(reason or "-", say("The reason"), LONGEST_REASON)
            case Restored(by=by):
                one_line(by, say("The name"), LONGEST_NAME)
            case StoodIn(bot=bot):
                one_line(bot, say("The bot"), LONGEST_NAME)
            case ActProposed():
                one_line(entry.event.by, say("The name"), LONGEST_NAME)
                one_line(entry.event.bot or "-", say("The bot"), LONGEST_NAME)
                plain_text(entry.event.reason or "-", say("The reason"), LONGEST_REASON)
            case ProposalWithdrawn(by=by):
                one_line(by, say("The name"), LONGEST_NAME)
            case Paused() | Resumed() | Extended() | Closed() | SeatReplaced() as fact:
                one_line(fact.by, say("The name"), LONGEST_NAME)
                plain_text(fact.reason, say("The reason"), LONGEST_REASON)


def take_in(session: Session, player: models.Player, match: Match, at: datetime) -> models.Match:
    """Keeps the match under a new id, every seat the player's: running it is played on alone."""
    started: MatchStarted = match.log[0].event
    row = models.Match(
        id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
        game=match.game.key,
        title=match.game.name,
        owner_id=player.id,
        options=started.options,
        pace=settle_pace(None),
        status="over" if match.over else "running",
        seats=started.seats,
        hash=GENESIS,
        created_at=at,
        started_at=at,
        ended_at=at if match.over else None,
        alone=True,
    )
    session.add(row)
    session.flush()
    for number in range(started.seats):
        session.add(models.Seat(match_id=row.id, number=number, player_id=player.id))
    session.flush()
    kept = replace(match, id=row.id)
    deadline = clock.arrange(session, row.id, kept.game.to_act(kept.state), at, row.status)
    store.save(session.connection(), kept, 0, at, deadline=deadline)
    if not match.over:
        notices.after_act(session, None, kept, at)
    session.refresh(row)
    return row
