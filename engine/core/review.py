"""Deciding again what a redacted record shows: whether its open facts can have come about at all.

What is sealed is forgotten and drawn anew (`Game.forget`), so an act is right if some way that chance and
secrets may fall leads to just the events that are told. Only where no way does is it found wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, groupby, takewhile
from operator import attrgetter
from typing import Any, TypeVar

from engine.core.chance import Chance, Every
from engine.core.codec import encode
from engine.core.game import Game
from engine.core.match import OF_THE_CORE, advance, check_seats, settle_options
from engine.core.refusal import Refusal
from engine.core.registry import find
from engine.core.secrecy import owners
from engine.core.timeline import NOT_PLAYED, TURNS, Entry, MatchStarted, SeedRevealed, Timeline

T = TypeVar("T")
MOST_TRIES = 5000  # for one act; those of honest records need a handful
FEW = 4  # so many outcomes are all tried
SETUPS = 60  # dealt to learn what of a setup is the same for everybody
FAULTS = (LookupError, ValueError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Review:
    """How many orders were decided again, how many are sealed or would need a secret, and the acts that are wrong."""

    decided: int = 0
    sealed: int = 0
    wrong: tuple[int, ...] = ()


def review(game: Game, entries: Sequence[Entry], seat: int | None) -> Review:
    """Looks at every act of a record that was redacted for `seat`."""
    line, state = Timeline(), None
    counts, wrong = {True: 0, None: 0}, list[int]()
    known = not any(is_sealed_position(entry.event) for entry in entries)
    for act, group in groupby(entries, key=attrgetter("act")):
        stored = tuple(group)
        kind = type(stored[0].event)
        if kind not in NOT_PLAYED:
            right = judge(game, state, stored, seat) if known else None
            if right is False:
                wrong.append(act)
            elif stored[0].seat is not None:
                counts[right] += 1
        line = line.extended(stored)
        if known and kind in TURNS:
            state = advance(game, None, (entry.event for entry in line.effective))
        elif known:
            state = advance(game, state, (entry.event for entry in stored))
    return Review(counts[True], counts[None], tuple(wrong))


def is_sealed_position(event: Any) -> bool:
    """Whether a match begins in a position that the record keeps to itself."""
    return getattr(event, "position", event) is None


def judge(game: Game, state: Any, stored: tuple[Entry, ...], seat: int | None) -> bool | None:
    """Whether an act can have come about as it is told; None where that hangs on what is sealed."""
    first, last = stored[0], stored[-1]
    told = [entry.event for entry in stored if type(entry.event) not in OF_THE_CORE]
    if isinstance(first.event, MatchStarted):
        return may_begin(game, first.event, told)
    if isinstance(first.event, SeedRevealed):
        return None  # of a closed match: it answers no order
    if first.seat not in game.to_act(state):
        return False
    if isinstance(last.event, SeedRevealed) == bool(game.to_act(advance(game, state, told))):
        return False
    known = game.forget(state, seat)
    try:
        actions = meant(game, known, first)
    except Refusal:
        return False
    right = explained(game, known, actions, told)
    return None if right and first.order is None else right


def meant(game: Game, state: Any, entry: Entry) -> list[Any]:
    """The actions that an order may have been: the one it names or, if it is sealed, all secret ones."""
    seat = entry.seat or 0
    if entry.order is None:
        return [action for action in game.legal(state, seat) if owners(type(action))]
    action = game.parse(seat, entry.order)
    game.recognise(state, action)
    honest = game.format(action) == entry.order and entry.hidden == bool(owners(type(action)))
    return [action] if honest else []


# Looking for a way


class Told(Every):
    """Chance that tries first what the events tell, in their order, and little else.

    What is drawn stands in the events, openly or sealed; and what is sealed leads to nothing open that would tell
    one sealed value from another, so one of them stands for all.
    """

    __slots__ = ("left", "open_only", "values")

    def __init__(self, script: tuple[int, ...], values: Sequence[Any], *, open_only: bool) -> None:
        super().__init__(script)
        self.values, self.left, self.open_only = values, list(values), open_only

    def pick(self, items: Sequence[T]) -> T:
        found = super().pick(items)
        if found in self.left:
            self.left.remove(found)
        return found

    def outcomes(self, items: Sequence[T]) -> Sequence[T]:
        different = dict.fromkeys(items)
        told = [value for value in dict.fromkeys(self.left) if value in different]
        rest = [item for item in different if item not in told]
        if len(different) <= FEW:
            return told + rest
        if self.open_only:
            return told or rest[:1]
        used = [item for item in rest if item in self.values]
        return told + used + [item for item in rest if item not in used][:1]


def explained(game: Game, state: Any, actions: list[Any], told: list[Any]) -> bool | None:
    """Whether one of the actions, with one way of chance, leads to these events.

    None if too many ways would have to be tried, or if a rule met something sealed that it cannot do without.
    """
    values = [*told, *(leaf for event in told for leaf in open_leaves(event))]
    open_only = not any(sealed_parts(event) for event in told)
    number, doubtful = count(), False
    waiting: list[tuple[int, int, Any, tuple[int, ...]]]
    waiting = [(0, next(number), action, ()) for action in actions]
    for _ in range(MOST_TRIES):
        if not waiting:
            return None if doubtful else False
        near, _, action, script = heappop(waiting)
        chance = Told(script, values, open_only=open_only)
        try:
            found = game.decide(state, action, chance)
            near = -agreeing(told, found)
            if near == -COMPLETE:
                return True
        except Refusal:
            pass
        except FAULTS:
            doubtful = True
        for more in chance.open:
            heappush(waiting, (near, next(number), action, more))
    return None


COMPLETE = 1 << 30


def agreeing(told: Sequence[Any], found: Sequence[Any]) -> int:
    """How many values agree before the first that does not; `COMPLETE` if they all do."""
    agreed = 0
    for event, other in zip(told, found, strict=False):
        if type(event) is not type(other):
            return agreed
        sealed = sealed_parts(event)
        for part in (f.name for f in fields(event) if f.name not in sealed):
            mine, theirs = getattr(event, part), getattr(other, part)
            if mine != theirs:
                return agreed + alike(flat(mine), flat(theirs))
            agreed += 1 if not isinstance(mine, tuple) else len(mine)
    return COMPLETE if len(told) == len(found) else agreed


def alike(some: Iterable[Any], others: Iterable[Any]) -> int:
    """How many values are the same from the beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others)))  # noqa: B905 - the shorter ends it


def sealed_parts(event: Any) -> list[str]:
    return [part for part in owners(type(event)) if getattr(event, part) is None]


def open_leaves(event: Any) -> Iterator[Any]:
    """Every single value that an event tells."""
    sealed = sealed_parts(event)
    for part in (f.name for f in fields(event) if f.name not in sealed):
        yield from flat(encode(getattr(event, part)))


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in sorted(value):
            yield from flat(value[name])
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from flat(item)
    else:
        yield value


# The beginning


def may_begin(game: Game, opening: MatchStarted, told: list[Any]) -> bool | None:
    """Whether a match can begin so; what is drawn in a setup is not asked for."""
    try:
        check_seats(game, opening.seats)
        if settle_options(game, opening.options) != opening.options:
            return False
        fixed = fixed_setup(game.key, opening.seats, tuple(sorted(opening.options.items())))
    except Refusal:
        return False
    if fixed is None:
        return None
    if len(fixed) != len(told):
        return False
    pairs = zip(fixed, told, strict=True)
    return all(begins(kind, constant, event) for (kind, constant), event in pairs)


def begins(kind: type, constant: dict[tuple[str, int], Any], event: Any) -> bool:
    if type(event) is not kind:
        return False
    sealed = sealed_parts(event)
    return all(
        part in sealed or list(flat(encode(getattr(event, part))))[at : at + 1] == [value]
        for (part, at), value in constant.items()
    )


@lru_cache(maxsize=64)
def fixed_setup(
    key: str, seats: int, options: tuple[tuple[str, Any], ...]
) -> list[tuple[type, dict[tuple[str, int], Any]]] | None:
    """The events of every setup, each with the values that chance does not touch; None if chance decides what happens."""
    game = find(key)
    dealt = [game.setup(seats, dict(options), Chance(f"{n}", "setup", 1)) for n in range(SETUPS)]
    kinds = {tuple(map(type, events)) for events in dealt}
    if len(kinds) != 1:
        return None
    return [
        (kind, constants(column))
        for kind, column in zip(*kinds, zip(*dealt, strict=True), strict=True)
    ]


def constants(events: Sequence[Any]) -> dict[tuple[str, int], Any]:
    """The values in which all these events of one kind agree, by field and place in it."""
    found = dict[tuple[str, int], Any]()
    for part in (f.name for f in fields(events[0])):
        rows = [list(flat(encode(getattr(event, part)))) for event in events]
        if len({len(row) for row in rows}) == 1:
            columns = enumerate(zip(*rows, strict=True))
            found |= {(part, at): column[0] for at, column in columns if len(set(column)) == 1}
    return found
