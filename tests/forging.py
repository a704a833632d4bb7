"""Honest records of lively tables, and forgeries of them: each changes something that is not so, and says what."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from app.matches.record_signing import Signer, check_signature, load_signer, sign_record
from app.platform.settings import Settings
from engine.core import chain, chance, record
from engine.core.game import Game
from engine.core.match import Match, act, close, note, restore, rewind, start
from engine.core.record import Line
from engine.core.refusal import Refusal
from engine.core.registry import games
from engine.core.secrecy import owners
from engine.core.timeline import (
    CORE_EVENTS,
    Closed,
    Extended,
    ModeratorDismissed,
    ModeratorNamed,
    OwnerChanged,
    Paused,
    Resumed,
    Returned,
    SeatReplaced,
    SeatResigned,
    StoodIn,
    TalkHidden,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
RECORDS = Path(__file__).parent / "games" / "records"
CORE = {kind.__name__ for kind in CORE_EVENTS}


# Lively tables


def lively(game: Game, seats: int, rng: Random, orders: int, **options: Any) -> Match:
    """A match played at random at a table where much else happens; every fact as the service writes it."""
    match = start(game, seats, options, f"lively {rng.random()}", f"m{rng.randrange(10**6)}")
    asked = {match.head: game.to_act(match.state)}
    for _ in range(orders):
        if match.over:
            match = turned_back(match, rng)
        if not match.over and rng.random() < 0.1:
            match = rng.choice(HAPPENINGS)(match, rng, asked)
        if match.over:
            continue
        seat = rng.choice(game.to_act(match.state))
        match = act(match, rng.choice(list(game.legal(match.state, seat))))
        asked[match.head] = game.to_act(match.state)
    if not match.over and rng.random() < 0.1:
        match = close(match, Closed("owner", "enough", rng.choice([(), (0,), (0, 1)])))
    return match


def ends(match: Match) -> list[int]:
    return sorted({entry.act: entry.pos for entry in match.timeline.effective}.values())


def turned_back(match: Match, rng: Random, _: Any = None) -> Match:
    back = rewind(match, rng.choice(ends(match)[-8:]), "owner", "a slip")
    if back.timeline.cuts and rng.random() < 0.3:
        return restore(back, "moderator")
    return back


def paused(match: Match, rng: Random, _: Any) -> Match:
    match = note(match, Paused("owner", "rain"))
    if rng.random() < 0.3:
        match = note(match, Extended("site", "rain", rng.randint(1, 24)))
    return note(match, Resumed("owner", "sun"))


def stood_in(match: Match, rng: Random, _: Any) -> Match:
    seat = rng.randrange(match.log[0].event.seats)
    match = note(match, StoodIn(seat, "steady"))
    return note(match, Returned(seat)) if rng.random() < 0.7 else match


def seats_changed(match: Match, rng: Random, _: Any) -> Match:
    seat = rng.randrange(match.log[0].event.seats)
    return note(
        match, rng.choice([SeatReplaced("operator", "gone", seat), SeatResigned(seat, "tired")])
    )


def cared_for(match: Match, rng: Random, _: Any) -> Match:
    facts = (
        OwnerChanged("owner", "leaving"),
        ModeratorNamed("owner"),
        ModeratorDismissed("moderator"),
        TalkHidden("site", "rude"),
    )
    return note(match, rng.choice(facts))


def undone(match: Match, rng: Random, asked: dict[int, tuple[int, ...]]) -> Match:
    """Somebody asks to go back, and others say yes or no."""
    places = [(pos, seat) for pos in ends(match)[:-1] for seat in asked.get(pos, ())]
    if not places:
        return match
    to, seat = rng.choice(places[-10:])
    other = (seat + 1) % match.log[0].event.seats
    match = note(match, UndoAsked(seat, to, "oh"))
    match rng.randrange(4):
        case 0:
            return note(match, UndoWithdrawn(seat))
        case 1:
            return note(match, UndoRefused("owner", "no"))
        case 2:
            return note(match, UndoAnswered(other, agrees=False))
    return rewind(note(match, UndoAnswered(other, agrees=True)), to, "table", "oh")


HAPPENINGS: list[Callable[[Match, Random, Any], Match]] = [
    turned_back,
    paused,
    stood_in,
    seats_changed,
    cared_for,
    undone,
]


def some_options(game: Game, seats: int, rng: Random) -> dict[str, Any]:
    """Options that this table may choose."""
    chosen: dict[str, Any] = {}
    for name, option in game.options.items():
        if rng.random() < 0.3:
            chosen[name] = (
                rng.choice([True, False]) if option.limits is None else rng.randint(*option.limits)
            )
    try:
        start(game, seats, chosen, "")
    except Refusal:
        return {}
    return chosen


# Records to forge


class Sample(NamedTuple):
    """The lines of an honest record, and the match it is of."""

    match: Match
    lines: list[Line]
    game: Game

    @property
    def sealed(self) -> bool:
        return self.lines[0]["seen_by"] != record.EVERYBODY


@cache
def recorded(name: str) -> Match:
    return record.load(record.parse((RECORDS / name).read_text("ascii")))


def complete(rng: Random) -> Sample:
    """A complete record: one of those that are kept, or of a lively table."""
    if rng.random() < 0.3:
        match = recorded(rng.choice(sorted(path.name for path in RECORDS.glob("*.jsonl"))))
    else:
        match = some_match(rng)
    return Sample(match, record.export(match), match.game)


def redacted(rng: Random) -> Sample:
    """A record of a running match as a seat or a spectator has it."""
    match = some_match(rng)
    while match.over:
        match = some_match(rng)
    seat = rng.choice([None, *range(match.log[0].event.seats)])
    return Sample(match, record.redacted(match, seat), match.game)


def openly_ordered(rng: Random) -> Sample:
    """The same of a game that has orders which everybody sees."""
    sample = redacted(rng)
    while all(owners(action) for action in sample.game.actions):
        sample = redacted(rng)
    return sample


def signed(rng: Random) -> Sample:
    """A record as our service hands it out."""
    match = some_match(rng)
    seat = rng.choice([None, *range(match.log[0].event.seats)])
    return Sample(match, sign_record(match, seat, signer(), NOON), match.game)


def some_match(rng: Random) -> Match:
    return kept_match(rng.choice(sorted(games())), rng.randrange(12))


@cache
def kept_match(key: str, number: int) -> Match:
    """One of a dozen lively matches of each game."""
    rng = Random(f"{key} {number}")
    game = games()[key]
    seats = rng.choice(game.seats)
    return lively(game, seats, rng, rng.randint(40, 160), **some_options(game, seats, rng))


@cache
def signer() -> Signer:
    """The service's own hand."""
    found = load_signer(Settings(signing_key="the key of the service, " * 3))  # type: ignore[arg-type]
    assert found
    return found


@cache
def forger() -> Signer:
    """Another hand, who knows everything but the key."""
    found = load_signer(Settings(signing_key="the key of somebody else " * 3))  # type: ignore[arg-type]
    assert found
    return found


# Whether it is found


def found(content: bytes, key: str | None = None) -> bool:
    """Whether `chasqui verify` (with that key) finds something wrong."""
    try:
        told = record.read(record.parse(content.decode("ascii")))
        is_signed = check_signature(told)
        if key and (not is_signed or told.signed is None or told.signed.key != key):
            return True
        return not record.verify(told).sound
    except (Refusal, UnicodeDecodeError):
        return True


# Forging


def copied(lines: list[Line]) -> list[Line]:
    copy: list[Line] = json.loads(json.dumps(lines))
    return copy


def rechained(lines: list[Line]) -> list[Line]:
    """The positions and hashes computed anew, as a forger would."""
    moved = {line["pos"]: pos for pos, line in enumerate(lines[1:], 1)}
    before = chain.GENESIS
    for pos, line in enumerate(lines[1:], 1):
        line["act"] = moved.get(line["act"], pos)
        line["pos"] = pos
        before = line["hash"] = chain.link(before, record.sealed_line(line))
    return lines


def written(lines: list[Line]) -> bytes:
    return record.text(lines).encode()


def another(value: Any, rng: Random) -> Any:
    """A value of the same kind that is not this one."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice([-1, 1])
        case str():
            return f"{value}a" if rng.random() < 0.5 or not value else value[:-1] + "~"
        case None:
            return 0
    return [value]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every single value inside."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from leaves(item, (*path, number))
    else:
        yield path


def change(value: Any, path: tuple[Any, ...], rng: Random) -> None:
    *way, last = path
    for name in way:
        value = value[name]
    value[last] = another(value[last], rng)


def byte_flipped(sample: Sample, rng: Random) -> bytes:
    content = written(sample.lines)
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def value_changed(sample: Sample, rng: Random) -> bytes:
    lines = copied(sample.lines)
    line = rng.choice(lines[1:])
    change(line, rng.choice(list(leaves(line))), rng)
    return written(lines)


def line_dropped(sample: Sample, rng: Random) -> bytes:
    lines = list(sample.lines)
    del lines[rng.randrange(len(lines) - 1)]  # the last one would be a cut end
    return written(lines)


def line_doubled(sample: Sample, rng: Random) -> bytes:
    at = rng.randrange(len(sample.lines))
    return written([*sample.lines[: at + 1], *sample.lines[at:]])


def lines_swapped(sample: Sample, rng: Random) -> bytes:
    lines = list(sample.lines)
    one, other = rng.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return written(lines)


def header_changed(sample: Sample, rng: Random) -> bytes:
    """What a header says that the rest can refute: who may see it, the format, the seeds."""
    lines = copied(sample.lines)
    header = lines[0]
    match rng.randrange(3):
        case 0:
            header["format"] = another(header["format"], rng)
        case 1:
            header["seen_by"] = record.SPECTATOR if not sample.sealed else record.EVERYBODY
        case _:
            header[rng.choice(["seeds", "seen_by"])] = rng.choice([[[1]], "x", {}, None, True])
    return written(lines)


def seed_changed(sample: Sample, rng: Random) -> bytes:
    """Another seed; half of the forgers commit to it, too: one that settled nothing would be as good as the other."""
    lines = copied(sample.lines)
    seeds = lines[0]["seeds"]
    settled = settling(lines)
    commits = bool(settled) and rng.random() < 0.5
    pair = rng.choice(settled if commits else seeds)
    pair[1] = another(pair[1], rng)
    if commits:
        line = next(line for line in lines[1:] if line["pos"] == pair[0])
        line["data"]["commitment"] = chance.commitment(pair[1])
    return written(rechained(lines))


def settling(lines: list[Line]) -> list[list[Any]]:
    """The seeds that something was sealed with while they were in force; a die may fall alike from two of them."""
    seeds: list[list[Any]] = lines[0]["seeds"]
    ends = [pos for pos, _ in seeds[1:]] + [len(lines)]
    sealed = [line["pos"] for line in lines[1:] if line.get("salts")]
    return [
        pair
        for pair, end in zip(seeds, ends, strict=True)
        if any(pair[0] <= pos < end for pos in sealed)
    ]


def played_lines(lines: list[Line]) -> list[Line]:
    """The lines of what was played after the setup."""
    return [line for line in lines[1:] if line["kind"] not in CORE and line["act"] > 1]


def any_fact_changed(sample: Sample, rng: Random) -> bytes:
    """One value of what was played or set up, all hashes anew: seals too, for a complete record tells its salts."""
    lines = copied(sample.lines)
    line = rng.choice([line for line in lines[1:] if line["kind"] not in CORE])
    change(line["data"], rng.choice(list(leaves(line["data"])) or [()]), rng)
    return written(rechained(lines))


def number_changed(sample: Sample, rng: Random) -> bytes:
    """Points, costs, levels, seats and the like, one more or less, all hashes anew."""
    lines = copied(sample.lines)
    told = max((line["pos"] for line in lines[1:] if line["kind"] == "SeedRevealed"), default=0)
    places = [(line, path) for line in played_lines(lines) for path in leaves(line["data"])]
    line, path = rng.choice(
        [
            (line, path)
            for line, path in places
            if type(looked_up(line["data"], path)) is int
            and (line["pos"] < told or (line["kind"], path[0]) not in CAME_TO_LIGHT)
        ]
    )
    change(line["data"], path, rng)
    return written(rechained(lines))


# By these an open value is told that was drawn or laid in secret. While the seed is a secret, too, any stone that is
# left is as good as another: only the end can show which it was, or the signature.
CAME_TO_LIGHT = {("StonesTurned", "stones"), ("StoneDrawn", "stone"), ("StoneLaid", "stone")}


def looked_up(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def other_order(sample: Sample, rng: Random) -> bytes:
    """Another order stands where one was given, the events as they were."""
    lines = copied(sample.lines)
    acts = [line for line in played_lines(lines) if isinstance(line["order"], str)]
    victim = rng.choice(acts)
    orders = sorted({line["order"] for line in acts} - {victim["order"]}) or ["dance"]
    order = rng.choice([*orders, f"{victim['order']} "])
    for line in acts:
        if line["act"] == victim["act"]:
            line["order"] = order
    return written(rechained(lines))


def other_seat(sample: Sample, rng: Random) -> bytes:
    """Somebody acts who was not asked."""
    lines = copied(sample.lines)
    victim = rng.choice(played_lines(lines))["act"]
    seats = lines[1]["data"]["seats"]
    shift = rng.randrange(1, seats)
    for line in lines[1:]:
        if line["act"] == victim:
            line["seat"] = (line["seat"] + shift) % seats
    return written(rechained(lines))


def fact_left_out(sample: Sample, rng: Random) -> bytes:
    """One event of an act that has several is missing: somebody is not asked, points are not given."""
    lines = copied(sample.lines)
    size = Counter(line["act"] for line in lines[1:])
    several = [n for n, line in enumerate(lines) if n and size[line["act"]] > 1 and line["pos"] > 1]
    at = rng.choice(several)
    if lines[at]["act"] == lines[at]["pos"]:  # the act goes by its next event
        for line in lines[at + 1 :]:
            if line["act"] == lines[at]["act"]:
                line["act"] = lines[at + 1]["pos"]
    del lines[at]
    shifted(lines, at + 1, -1)
    return written(rechained(lines))


def fact_invented(sample: Sample, rng: Random) -> bytes:
    """Something that cannot have been done to this table at that moment."""
    lines = copied(sample.lines)
    seats = lines[1]["data"]["seats"]
    first = next(n for n, line in enumerate(lines) if n and line["act"] != 1)
    starts = [n for n in range(first, len(lines)) if lines[n]["act"] == lines[n]["pos"]]
    at = rng.choice(starts)
    paused = False
    for line in lines[1:at]:
        paused = {"Paused": True, "Resumed": False}.get(line["kind"], paused)
    by = {"by": "owner", "reason": "so"}
    invented: list[tuple[str, dict[str, Any]]] = [
        ("Paused" if paused else "Resumed", by),
        ("Closed", {**by, "winners": [0]}),
        ("Closed", {**by, "winners": [seats]}),
        ("Extended", {**by, "hours": 0}),
        ("Extended", {**by, "hours": 10**6}),
        ("SeatReplaced", {**by, "seat": seats}),
        ("SeatResigned", {"seat": -1, "reason": "so"}),
        ("Rewound", {**by, "to": 1, "commitment": None}),
        ("TalkHidden", {"by": "wizard", "reason": "so"}),
        ("ModeratorNamed", {"by": ""}),
        ("UndoAsked", {"seat": 0, "to": lines[at - 1]["pos"] + 9, "reason": "so"}),
        ("UndoAnswered", {"seat": seats, "agrees": True}),
        ("MatchStarted", lines[1]["data"]),
        ("SeedRevealed", {"seed": "mine"}),
    ]
    if lines[at - 1]["kind"] not in ("UndoAsked", "UndoAnswered"):
        invented += [("UndoWithdrawn", {"seat": 0}), ("UndoRefused", by)]
        invented += [
            (
                "Rewound",
                {"by": "table", "to": lines[at - 1]["pos"], "reason": "", "commitment": None},
            )
        ]
    kind, data = rng.choice(invented)
    new = {
        "pos": -1,
        "act": -1,
        "seat": None,
        "order": None,
        "kind": kind,
        "data": data,
        "hash": "",
    }
    shifted(lines, at, 1)
    lines.insert(at, {**new, "pos": at, "act": at})
    return written(rechained(lines))


def shifted(lines: list[Line], at: int, by: int) -> None:
    """Whatever points to that place or behind it points so much further, lest that alone give the forger away."""
    for line in lines[1:]:
        if line["kind"] in ("Rewound", "UndoAsked") and line["data"]["to"] >= at:
            line["data"]["to"] += by
        line["act"] += by * (line["act"] >= at)
        line["pos"] += by * (line["pos"] >= at)
    for pair in lines[0]["seeds"]:
        pair[0] += by * (pair[0] >= at)


def end_cut(sample: Sample, rng: Random) -> bytes:
    return written(sample.lines[: rng.randrange(2, len(sample.lines))])


def resigned(sample: Sample, rng: Random) -> bytes:
    """Anything at all is changed, and whoever did it leaves the old signature, takes it off, or signs it."""
    lines = copied(sample.lines)
    line = rng.choice(lines[1:])
    places = [("data", *path) for path in leaves(line["data"])] + [("seat",), ("order",)]
    change(line, rng.choice(places), rng)
    lines = rechained(lines)
    header = lines[0]
    match rng.randrange(3):
        case 0:
            return written(lines)
        case 1:
            del header["signed"]
            header["format"] = record.FORMAT
            return written(lines)
    last = lines[-1]
    header["signed"] |= {"key": forger().public, "hash": last["hash"], "pos": last["pos"]}
    header["signed"]["signature"] = forger().private.sign(record.statement(header)).hex()
    return written(lines)


def head_changed(sample: Sample, rng: Random) -> bytes:
    """Any word of what was signed."""
    lines = copied(sample.lines)
    change(lines[0], rng.choice([path for path in leaves(lines[0]) if path]), rng)
    return written(lines)


def cut_and_signed(sample: Sample, rng: Random) -> bytes:
    """The end is cut off, and the head says so, with the signature as it was."""
    lines = copied(sample.lines)
    lines = lines[: rng.randrange(2, len(lines))]
    lines[0]["signed"] |= {"pos": lines[-1]["pos"], "hash": lines[-1]["hash"]}
    return written(lines)


class Class(NamedTuple):
    """A kind of forgery: of which records, and whether the reader has the service's key."""

    sample: Callable[[Random], Sample]
    forge: Callable[[Sample, Random], bytes]
    keyed: bool = False


# Of an unsigned record a forger can change what nobody can refute: words that people wrote, an open draw of a
# running match, its end. These are left to the signature, by construction; everything else must be found.
CLASSES: dict[str, Class] = {
    "complete: byte flipped": Class(complete, byte_flipped),
    "complete: value changed": Class(complete, value_changed),
    "complete: line dropped": Class(complete, line_dropped),
    "complete: line doubled": Class(complete, line_doubled),
    "complete: lines swapped": Class(complete, lines_swapped),
    "complete: header changed": Class(complete, header_changed),
    "complete: seed changed, rechained": Class(complete, seed_changed),
    "complete: fact changed, rechained": Class(complete, any_fact_changed),
    "complete: order changed, rechained": Class(complete, other_order),
    "complete: seat changed, rechained": Class(complete, other_seat),
    "complete: fact left out, rechained": Class(complete, fact_left_out),
    "complete: fact invented, rechained": Class(complete, fact_invented),
    "redacted: byte flipped": Class(redacted, byte_flipped),
    "redacted: value changed": Class(redacted, value_changed),
    "redacted: line dropped": Class(redacted, line_dropped),
    "redacted: header changed": Class(redacted, header_changed),
    "redacted: number changed, rechained": Class(redacted, number_changed),
    "redacted: order changed, rechained": Class(openly_ordered, other_order),
    "redacted: seat changed, rechained": Class(redacted, other_seat),
    "redacted: fact left out, rechained": Class(redacted, fact_left_out),
    "redacted: fact invented, rechained": Class(redacted, fact_invented),
    "signed: end cut": Class(signed, end_cut, keyed=True),
    "signed: end cut, head fitted": Class(signed, cut_and_signed, keyed=True),
    "signed: head changed": Class(signed, head_changed, keyed=True),
    "signed: anything changed, rechained": Class(signed, resigned, keyed=True),
}


def campaign(each: int, seed: int) -> dict[str, list[bytes]]:
    """So many forgeries of every class; those of each that were not found. What they were made of is found sound."""
    return {name: missed(name, each, seed) for name in CLASSES}


def missed(name: str, each: int, seed: int) -> list[bytes]:
    kind, rng = CLASSES[name], Random(f"{name} {seed}")
    key = signer().public if kind.keyed else None
    escaped = []
    for _ in range(each):
        sample = kind.sample(rng)
        assert not found(written(sample.lines), key), (name, sample.match.name)
        forged = kind.forge(sample, rng)
        assert forged != written(sample.lines)
        if not found(forged, key):
            escaped.append(forged)
    return escaped
