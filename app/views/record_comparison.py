"""Comparing a record that somebody holds with our own log of the match: hash by hash, and its signature."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Literal

from sqlmodel import Session

from app.eventstore.store import check_match_id, load_match
from app.matches.access import access_match
from app.matches.record_import import read_lines
from app.matches.record_signing import check_signature, load_public_keys
from app.platform import tables
from app.platform.errors import BadRecord
from app.platform.settings import Settings
from engine.core import record
from engine.core.record import Record, Signed
from engine.core.refusal import Refusal, Unknown
from engine.core.sentence import Sentence, say
from engine.core.timeline import Entry

Outcome = Literal["same", "earlier", "longer", "differs", "other"]
Origin = Literal["ours", "foreign", "broken", "unsigned"]


class UnknownHere(Unknown):
    """There is nothing that a record could be compared with."""

    def __init__(self) -> None:
        super().__init__(say("This match is unknown here, or not for you to see."))


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a record and our log relate. `agreed` is the last position up to which they are the same."""

    match_id: str
    title: str
    outcome: Outcome
    agreed: int
    events: int
    ours: int
    hash: str
    origin: Origin
    signed: Signed | None
    problems: tuple[Sentence, ...]

    @property
    def signed_at(self) -> datetime | None:
        """When we signed it, while the match ran; what others wrote there need not be a time."""
        at = self.signed.at if self.signed and self.origin == "ours" else None
        return datetime.fromisoformat(at) if at else None


def compare_record(
    session: Session,
    settings: Settings,
    player_id: int | None,
    content: bytes,
    match_id: str | None = None,
) -> Comparison:
    """Compares with the match that the record names, or with that one; unknown is what the asker may not see."""
    told, problems = _read_record(content)
    wanted = match_id or told.started.match
    row = access_begun_match(session, wanted, player_id)
    log = load_match(session.connection(), wanted).log
    agreed = count_agreed(told.entries, log)
    return Comparison(
        match_id=wanted,
        title=row.title,
        outcome=name_outcome(agreed, len(told.entries), len(log)),
        agreed=agreed,
        events=len(told.entries),
        ours=len(log),
        hash=told.head.hash,
        origin=name_origin(told, load_public_keys(settings)),
        signed=told.signed,
        problems=tuple(problems),
    )


def access_begun_match(session: Session, match_id: str, player_id: int | None) -> tables.Match:
    """The match, if there is one with a log that the asker may see; that it exists is nobody else's business."""
    try:
        access_match(session, check_match_id(match_id), player_id)
    except Unknown as refusal:
        raise UnknownHere from refusal
    row = session.get_one(tables.Match, match_id)
    if not row.head:
        raise UnknownHere
    return row


def _read_record(content: bytes) -> tuple[Record, list[Sentence]]:
    """A record of any kind whose chain holds, and what else is wrong with it; nothing is played again."""
    lines = read_lines(content)
    try:
        told = record.read(lines)
        return told, list_problems(told)
    except Refusal as refusal:
        raise BadRecord(refusal.sentence) from refusal
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BadRecord(say("The record holds values that no match can have.")) from error


def count_agreed(theirs: tuple[Entry, ...], ours: tuple[Entry, ...]) -> int:
    """Up to which position the hashes are the same; each stands for all before it."""
    pairs = zip(theirs, ours, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].hash == pair[1].hash, pairs))


def name_outcome(agreed: int, theirs: int, ours: int) -> Outcome:
    if not agreed:
        return "other"
    if agreed == theirs:
        return "same" if agreed == ours else "earlier"
    return "longer" if agreed == ours else "differs"


def name_origin(told: Record, keys: list[str]) -> Origin:
    """Whether the signature fits, and whether it is by a key of ours."""
    try:
        if not check_signature(told):
            return "unsigned"
    except Unknown:
        return "broken"
    if record.head_problems(told):  # it was signed once, but not with these events
        return "broken"
    return "ours" if told.signed and told.signed.key in keys else "foreign"


def list_problems(told: Record) -> list[Sentence]:
    """What beside the chain is wrong with the file itself."""
    sealed = record.seal_problems(told) if told.sealed else []
    seeds = told.seeds or record.told_seeds(told)
    return [*record.seed_problems(told, seeds), *record.head_problems(told), *sealed]
