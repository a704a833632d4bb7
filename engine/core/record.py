"""A whole match as one file of JSON lines: written, redacted, read back, replayed and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from engine.core import chain, chance, sequence
from engine.core.codec import decode, encode
from engine.core.game import Game
from engine.core.match import (
    Match,
    advance,
    close,
    entry_salts,
    note,
    play,
    recorded_options,
    reseed_as,
    restore,
    rewind,
    rewind_by_old_seed,
    start_at_recorded,
    start_by,
)
from engine.core.refusal import Refusal, Unknown
from engine.core.registry import find
from engine.core.reopening import reopen
from engine.core.review import is_sealed_position, review, sealed_parts
from engine.core.secrecy import hidden_parts, owners
from engine.core.sentence import Sentence, say
from engine.core.timeline import (
    CORE_EVENTS,
    SEATINGS,
    TABLE_EVENTS,
    Closed,
    Entry,
    MatchStarted,
    Reseeded,
    Restored,
    Rewound,
    SeatsTurned,
    SeedRevealed,
    Timeline,
    UndoAsked,
)

FORMAT, SIGNED_FORMAT = "chasqui-record-1", "chasqui-record-2"
HEADER_KEYS = {
    FORMAT: {"format", "seeds", "seen_by"},
    SIGNED_FORMAT: {"format", "seeds", "seen_by", "signed"},
}
EVERYBODY, SPECTATOR = "everybody", "spectator"
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Signed:
    """What a service says of a record it wrote: from where, when, and how far the match had come."""

    algorithm: str
    key: str
    signature: str
    service: str
    match: str
    pos: int
    hash: str
    status: str
    at: str | None = None  # not said of what has ended: that is signed alike whenever it is


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: its entries, with None where a part is sealed, and the seeds it tells."""

    game: Game
    entries: tuple[Entry, ...]
    seeds: tuple[tuple[int, str], ...]
    sealed: bool
    seen_by: int | None = None  # whose eyes a redacted one is for; None for a spectator's
    signed: Signed | None = None
    statement: bytes = b""  # what was signed

    @property
    def started(self) -> MatchStarted:
        event: MatchStarted = self.entries[0].event
        return event

    @property
    def head(self) -> Entry:
        return self.entries[-1]


# Writing


def export(match: Match) -> list[Line]:
    """The complete record, seeds included: for the table's own keeping, or for all once it is over."""
    header = {"format": FORMAT, "seen_by": EVERYBODY, "seeds": encode(match.seeds)}
    return [header, *(opened(entry, match) for entry in match.log)]


def redacted(match: Match, seat: int | None) -> list[Line]:
    """The record as `seat` may know it while the match runs; a finished match has no secrets."""
    if match.revealed:
        return export(match)
    seen_by = SPECTATOR if seat is None else seat
    header: Line = {"format": FORMAT, "seen_by": seen_by, "seeds": []}
    return [header, *(sealed_for(opened(e, match), e, seat) for e in match.log)]


def opened(entry: Entry, match: Match) -> Line:
    line = {
        "pos": entry.pos,
        "act": entry.act,
        "seat": entry.seat,
        "order": entry.order,
        "kind": type(entry.event).__name__,
        "data": encode(entry.event),
        "hash": entry.hash,
    }
    salts = entry_salts(entry, match.name, match.seed_at(entry.pos))
    return {**line, "salts": salts} if salts else line


def sealed_for(line: Line, entry: Entry, seat: int | None) -> Line:
    """`line` with every part sealed that `seat` may not know; only known parts keep their salt."""
    hidden = hidden_parts(entry.event, seat)
    if entry.hidden and entry.seat != seat:
        hidden.append("order")
    for part in hidden:
        line = seal_part(line, part)
    return line


def seal_part(line: Line, part: str) -> Line:
    salts = dict(line["salts"])
    salt = salts.pop(part)
    if part == "order":
        return {**line, "salts": salts, "order": chain.seal(line["order"], salt)}
    data = {**line["data"], part: chain.seal(line["data"][part], salt)}
    return {**line, "salts": salts, "data": data}


def headed(match: Match, seat: int | None, at: str, **signer: str) -> list[Line]:
    """The record for `seat` with a head that says where, when and how far; it lacks the signature alone."""
    header, *rest = redacted(match, seat)
    status = sequence.status(match.log)
    head = {
        **signer,
        "match": match.name,
        "pos": match.head,
        "hash": match.hash,
        "status": status,
        **({} if status in ("over", "closed") else {"at": at}),
    }
    return [{**header, "format": SIGNED_FORMAT, "signed": head}, *rest]


def statement(header: Line) -> bytes:
    """What of a record is signed: its whole first line, which names the last hash, but for the signature."""
    signed = {name: value for name, value in header["signed"].items() if name != "signature"}
    return b"chasqui record head\n" + chain.canonical({**header, "signed": signed})


def text(lines: Sequence[Line]) -> str:
    """The record as a file."""
    return "".join(chain.canonical(line).decode() + "\n" for line in lines)


# Reading


def parse(content: str) -> list[Line]:
    """The lines of a record file, which must be written exactly as we write them."""
    rows = content.split("\n")
    if rows.pop() != "" or not rows:
        raise Unknown(say("A record ends with a line break; this one is cut short."))
    return [parse_line(number, row) for number, row in enumerate(rows, 1)]


def parse_line(number: int, row: str) -> Line:
    try:
        line = json.loads(row)
        faithful = isinstance(line, dict) and chain.canonical(line).decode() == row
    except (ValueError, RecursionError):
        faithful = False
    if not faithful:
        raise Unknown(say("Line {line} of the record is not written as records are.", line=number))
    return dict(line)


def read(lines: Sequence[Any]) -> Record:
    """A record from its lines: the chain holds and every line can be understood, or it is refused."""
    if not lines or not all(isinstance(line, dict) for line in lines):
        raise Unknown(say("A record is a list of lines, each a JSON object."))
    header, *rest = lines
    seeds, signed = read_header(header)
    entries = list[Entry]()
    before = chain.GENESIS
    for pos, line in enumerate(rest, 1):
        before = check_link(pos, line, before)
        game = entries[0].event.game if entries else None
        entries.append(read_entry(game, line))
    if not entries:
        raise Unknown(say("The record holds 0 events."))
    seen_by = header["seen_by"]
    return Record(
        find(entries[0].event.game),
        tuple(entries),
        seeds,
        sealed=seen_by != EVERYBODY,
        seen_by=seen_by if type(seen_by) is int else None,
        signed=signed,
        statement=statement(header) if signed else b"",
    )


def read_header(header: Any) -> tuple[tuple[tuple[int, str], ...], Signed | None]:
    """The seeds that a record tells, and what its service signed."""
    named = header.get("format")
    if not isinstance(named, str) or header.keys() != HEADER_KEYS.get(named):
        raise Unknown(say("This is not a record of the format {format}.", format=FORMAT))
    seen_by = header["seen_by"]
    if seen_by not in (EVERYBODY, SPECTATOR) and (type(seen_by) is not int or seen_by < 0):
        raise Unknown(say("The record does not say who may see it."))
    try:
        seeds: tuple[tuple[int, str], ...] = decode(SEEDS, header["seeds"])
    except ValueError as error:
        raise Unknown(say("The seeds of the record cannot be understood.")) from error
    if bool(seeds) != (seen_by == EVERYBODY):
        raise Unknown(say("A complete record tells its seeds, and only a complete one does."))
    return seeds, read_signed(header["signed"]) if named == SIGNED_FORMAT else None


def read_signed(signed: Any) -> Signed:
    try:
        found: Signed = decode(Signed, signed)
    except ValueError as error:
        raise Unknown(say("The signature of the record cannot be understood.")) from error
    return found


SEEDS: Any = tuple[tuple[int, str], ...]


def check_link(pos: int, line: Line, before: str) -> str:
    """The hash of a line, once it has been found to follow from the one before."""
    try:
        decode(Shape, line)
        body = sealed_line(line)
    except ValueError as error:
        raise Unknown(say("Line {line} of the record is no event.", line=pos + 1)) from error
    if line["pos"] != pos or chain.link(before, body) != line["hash"]:
        raise Unknown(say("The chain breaks at event {pos}: its hash does not fit.", pos=pos))
    return str(line["hash"])


@dataclass(frozen=True, slots=True)
class Shape:
    """What a line must have for us to look into it; `order` is a text, a seal or nothing."""

    pos: int
    act: int
    seat: int | None
    order: Any
    kind: str
    data: dict[str, Any]
    hash: str
    salts: dict[str, str] = field(default_factory=dict)


def sealed_line(line: Line) -> Line:
    """What of a line was hashed."""
    for part in line.get("salts", {}):
        if part != "order" and part not in line["data"]:
            raise ValueError(f"no such part: {part}")
        line = seal_part(line, part)
    return {key: line[key] for key in ("pos", "act", "seat", "order", "kind", "data")}


def read_entry(key: str | None, line: Line) -> Entry:
    """The entry of a line; the first must be the start of a match, whose game knows all others."""
    classes = (MatchStarted,) if key is None else (*CORE_EVENTS, *find(key).events)
    cls = next((c for c in classes if c.__name__ == line["kind"]), None)
    hidden = "order" in line.get("salts", {}) or isinstance(line["order"], dict)
    try:
        if cls is None:
            raise ValueError(f"no such event: {line['kind']!r:.40}")
        check_seals(cls, line, hidden=hidden)
        event = decode(cls, {part: unsealed(value) for part, value in line["data"].items()})
        order = decode(ORDER, unsealed(line["order"]))
    except ValueError as error:
        pos = line["pos"]
        raise Unknown(say("Event {pos} of the record cannot be understood.", pos=pos)) from error
    return Entry(line["pos"], line["act"], line["seat"], order, event, line["hash"], hidden)


ORDER: Any = str | None


def check_seals(cls: type, line: Line, *, hidden: bool) -> None:
    """Just the secrets of an event are sealed, or open with their salt."""
    salted = [part for part in line.get("salts", {}) if part != "order"]
    sealed = [part for part, value in line["data"].items() if is_seal(value)]
    secret = owners(cls)
    if sorted(salted + sealed) != sorted(secret) or ("salts" in line) != bool(secret or hidden):
        raise ValueError("sealed where nothing is secret, or open where something is")


def is_seal(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"sealed"}


def unsealed(value: Any) -> Any:
    return None if is_seal(value) else value


# Replaying and verifying


def states(record: Record) -> Iterator[tuple[Entry, Any]]:
    """Every entry with the state of the match after it, rewinds taken into account."""
    line, state = Timeline(), None
    for entry in record.entries:
        try:
            line = line.extended([entry])
            turned = isinstance(entry.event, Rewound | Restored)
            events = (e.event for e in line.effective) if turned else (entry.event,)
            state = advance(record.game, None if turned else state, events)
        except (LookupError, ValueError, TypeError, AttributeError, Refusal) as error:
            raise not_replayed(entry.pos) from error
        yield entry, state


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of a record found. `drift` are events that today's rules would not decide so."""

    events: int
    draws_checked: bool
    drift: tuple[int, ...] = ()
    problems: tuple[Sentence, ...] = ()
    decided: int = 0  # orders that were decided again
    sealed: int = 0  # orders for which a secret is needed that the record does not tell

    @property
    def sound(self) -> bool:
        return not self.drift and not self.problems


def verify(record: Record) -> Verdict:
    """Checks the seeds against their commitments, the order of all facts, and decides every order again.

    Of a redacted record it opens what came before an end that told its seeds, and of the rest asks whether it can be
    so at all. What a running match drew by its secret seed, or turned up of what was sealed, could as well be another
    card or stone that is left: nothing public shows which before the end does, and until then only the signature.
    """
    seeds = record.seeds or told_seeds(record)
    wrong = seed_problems(record, seeds)
    bare = Verdict(len(record.entries), draws_checked=False, problems=tuple(wrong))
    try:
        bare = replace(bare, problems=(*wrong, *head_problems(record), *sequence_problems(record)))
        if record.sealed:
            return verify_sealed(record, bare, seeds)
        return bare if wrong or not seeds else verify_complete(record, bare, seeds)
    except Unknown:  # what is wrong already says more than that it cannot be replayed
        if bare.sound:
            raise
        return bare


def verify_complete(record: Record, bare: Verdict, seeds: tuple[tuple[int, str], ...]) -> Verdict:
    _, drift = redecide(record, seeds)
    orders = len({entry.act for entry in record.entries if entry.seat is not None})
    return replace(bare, draws_checked=True, drift=drift, decided=orders - len(drift))


def verify_sealed(record: Record, bare: Verdict, seeds: tuple[tuple[int, str], ...]) -> Verdict:
    """Checks what of a redacted record needs no secret, or none that its own log has not told."""
    problems = (*bare.problems, *seal_problems(record))
    try:
        opened = reopen(record.game, record.entries, dict(seeds))
        found = review(record.game, record.entries, record.seen_by, opened.right)
    except (LookupError, ValueError, TypeError, AttributeError, Refusal):
        for _ in states(record):  # says where
            pass
        raise Unknown(say("The record cannot be replayed.")) from None
    return replace(
        bare,
        problems=problems,
        drift=tuple(sorted({*opened.wrong, *found.wrong})),
        decided=found.decided,
        sealed=found.sealed,
    )


def head_problems(record: Record) -> list[Sentence]:
    """What was signed is this match, up to this event and no other."""
    signed, last = record.signed, record.head
    if signed is None:
        return []
    if signed.pos != last.pos:
        return [
            say(
                "The record was signed at event {pos} and ends at {last}: its end was cut or added.",
                pos=signed.pos,
                last=last.pos,
            )
        ]
    found = (record.started.match, last.hash, sequence.status(record.entries))
    if (signed.match, signed.hash, signed.status) != found:
        return [say("The head of the record was signed for another match or another end.")]
    return []


def sequence_problems(record: Record) -> list[Sentence]:
    """Facts that cannot follow each other, as far as the match can be replayed."""
    asked = dict[int, tuple[int, ...]]()
    wished = any(isinstance(entry.event, UndoAsked) for entry in record.entries)
    if wished and not any(is_sealed_position(entry.event) for entry in record.entries):
        reached = ((entry.pos, state) for entry, state in states(record) if state is not None)
        asked = {pos: asked_at(record.game, state, pos) for pos, state in reached}
    return sequence.faults(record.entries, asked)


def asked_at(game: Game, state: Any, pos: int) -> tuple[int, ...]:
    """Who is asked after an event; what nobody could have set up is no state of the game."""
    try:
        return game.to_act(state)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise not_replayed(pos) from error


def not_replayed(pos: int) -> Unknown:
    return Unknown(say("Event {pos} of the record cannot be replayed.", pos=pos))


def seal_problems(record: Record) -> list[Sentence]:
    """A redacted record seals what its reader may not know, and nothing else."""
    return [
        say("Event {pos} seals what its reader may know, or tells what they may not.", pos=e.pos)
        for e in record.entries
        if sealed_parts(e.event) != hidden_parts(e.event, record.seen_by)
        or (e.hidden and (e.order is None) != (e.seat != record.seen_by))
    ]


def load(lines: Sequence[Any]) -> Match:
    """The match of a complete record, ready to be played on; refuses what would not verify."""
    record = read(lines)
    if record.sealed:
        raise Unknown(
            say("This record is redacted; a match is played on from a complete one only.")
        )
    problems = seed_problems(record, record.seeds)
    if problems:
        raise Unknown(problems[0])
    match, drift = redecide(record, record.seeds)
    if drift:
        raise Unknown(say("Event {pos} does not follow from its order.", pos=drift[0]))
    facts = [*head_problems(record), *sequence_problems(record)]
    if facts:
        raise Unknown(facts[0])
    return match


def told_seeds(record: Record) -> tuple[tuple[int, str], ...]:
    """The seeds that the log itself reveals, each in force since its commitment."""
    told = (e.event.seed for e in record.entries if isinstance(e.event, SeedRevealed))
    revealed = {chance.commitment(seed): seed for seed in told}
    return tuple((pos, revealed[c]) for pos, c in commitments(record) if c in revealed)


def commitments(record: Record) -> list[tuple[int, str]]:
    given = [(e.pos, getattr(e.event, "commitment", None)) for e in record.entries]
    return [(pos, commitment) for pos, commitment in given if commitment]


def seed_problems(record: Record, seeds: tuple[tuple[int, str], ...]) -> list[Sentence]:
    """Seeds that do not fit what was committed to, or was revealed."""
    promised = commitments(record)
    found = [(pos, chance.commitment(seed)) for pos, seed in seeds]
    if not set(found) <= set(promised) or (record.seeds and found != promised):
        return [say("A seed of the record does not fit its commitment.")]
    secret = {seed for _, seed in seeds}
    return [
        say("Event {pos} reveals another seed than was committed to.", pos=entry.pos)
        for entry in record.entries
        if isinstance(entry.event, SeedRevealed) and entry.event.seed not in secret
    ]


def redecide(record: Record, seeds: tuple[tuple[int, str], ...]) -> tuple[Match, tuple[int, ...]]:
    """Plays the record again by its orders; where events differ the stored ones count, and are reported."""
    match = Match(record.game, record.started.match, seeds[:1])
    drift = list[int]()
    for act, group in groupby(record.entries, key=attrgetter("act")):
        stored = tuple(group)
        try:
            again = repeat(match, stored, dict(seeds))
        except (Refusal, LookupError, ValueError, TypeError, AttributeError):
            again = match
        if again.log[len(match.log) :] != stored:
            drift.append(act)
            again = adopt(match, stored)
        match = again
    return match, tuple(drift)


def repeat(match: Match, stored: tuple[Entry, ...], seeds: dict[int, str]) -> Match:
    """The match after the order that caused the stored events."""
    first = stored[0]
    match first.event:
        case MatchStarted(_, name, seats, options):
            given = [e.event.position for e in stored if hasattr(e.event, "position")]
            if given:
                return start_at_recorded(match.game, given[0], match.seed, name)
            seated = [e.event for e in stored if isinstance(e.event, SEATINGS)]
            nonces = (one.nonces for one in seated)
            turned = [one for one in seated if isinstance(one, SeatsTurned)]
            since = turned[0].before if turned else None
            settled = recorded_options(match.game, options)
            return start_by(
                match.game, seats, settled, match.seed, name, *nonces,
                turned=bool(turned), before=since,
            )  # fmt: skip
        case Rewound(to, by, reason, None):
            return rewind_by_old_seed(match, to, by, reason)
        case Rewound(to, by, reason):
            return rewind(match, to, by, reason, seeds.get(first.pos))
        case Restored(by):
            return restore(match, by)
        case Reseeded():
            return reseed_as(match, first.event, seeds.get(first.pos))
        case Closed() if len(stored) > 1:  # older ones revealed nothing
            return close(match, first.event)
        case event if isinstance(event, TABLE_EVENTS):
            return note(match, event)
    return play(match, first.seat or 0, first.order or "")


def adopt(match: Match, stored: tuple[Entry, ...]) -> Match:
    """The match after events as they stand in the record."""
    try:
        timeline = match.timeline.extended(stored)
        state = advance(match.game, None, (e.event for e in timeline.effective))
    except (LookupError, ValueError, TypeError, AttributeError, Refusal) as error:
        raise not_replayed(stored[0].pos) from error
    return replace(match, log=(*match.log, *stored), timeline=timeline, state=state)
