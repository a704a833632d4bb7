"""Deciding again what a redacted record shows: whether its open facts can have come about at all.

What is sealed is forgotten and drawn anew (`Game.forget`), so an act is right if some way that chance and
secrets may fall leads to just the events that are told. Only where no way does is it found wrong.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import chain, groupby, takewhile
from operator import attrgetter
from typing import Any, TypeVar

from engine.core.chance import Chance
from engine.core.codec import encode
from engine.core.game import Game
from engine.core.match import OF_THE_CORE, advance, check_seats, recorded_options
from engine.core.refusal import Refusal
from engine.core.registry import find
from engine.core.secrecy import owners, redact
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


def review(
    game: Game, entries: Sequence[Entry], seat: int | None, right_acts: Container[int] = ()
) -> Review:
    """Looks at every act of a record that was redacted for `seat`, but for those known to be right."""
    line, state = Timeline(), None
    counts, wrong = {True: 0, None: 0}, list[int]()
    known = not any(is_sealed_position(entry.event) for entry in entries)
    for act, group in groupby(entries, key=attrgetter("act")):
        stored = tuple(group)
        kind = type(stored[0].event)
        if kind not in NOT_PLAYED:
            right = act in right_acts or (judge(game, state, stored, seat) if known else None)
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
    right = explained(game, known, actions, told, seat)
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


class Told(Chance):
    """Chance that tries first what the events tell, in their order, and little else.

    What is drawn stands in the events, openly or sealed; and what is sealed leads to nothing open that would tell
    one sealed value from another, so one of them stands for all. `script` says what the first picks give; those after
    it give what they gave in the way that this one parts from, so that two ways differ in one pick alone.
    """

    __slots__ = ("before", "left", "open", "open_only", "script", "values")

    def __init__(
        self,
        script: tuple[Any, ...],
        before: tuple[Any, ...],
        values: Sequence[Any],
        *,
        open_only: bool,
    ) -> None:
        super().__init__("", "", 0)
        self.script, self.before, self.open_only = script, before, open_only
        self.values, self.left = values, list(values)
        self.open: list[tuple[Any, ...]] = []  # the scripts that differ in a pick beyond this one

    def pick(self, items: Sequence[T]) -> T:
        at = self._count
        self._count += 1
        if at == len(self.script):
            likely = self.outcomes(items)
            kept = at < len(self.before) and self.before[at] in items
            first = self.before[at] if kept else likely[0]
            self.open += [(*self.script, other) for other in likely if other != first]
            self.script = (*self.script, first)
        found: T = self.script[at]
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


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What comes of an action if chance falls in one way; `shown` is what the reader would be told of it."""

    action: Any
    chance: Told
    near: int = 0  # how many values agree with what is told, below zero: the nearest is the least
    shown: list[Any] | None = None  # None if it cannot be, or if a rule met something sealed
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """Looks for a way from `state` to the events that are `told` to `seat`."""

    game: Game
    state: Any
    told: Sequence[Any]
    seat: int | None
    values: Sequence[Any]
    open_only: bool

    def follow(
        self, action: Any, script: tuple[Any, ...] = (), before: tuple[Any, ...] = ()
    ) -> Way:
        chance = Told(script, before, self.values, open_only=self.open_only)
        try:
            found = self.game.decide(self.state, action, chance)
        except Refusal:
            return Way(action, chance)
        except FAULTS:
            return Way(action, chance, doubtful=True)
        shown = [redact(event, self.seat) for event in found]
        return Way(action, chance, -agreeing(self.told, found), shown)

    def partings(self, way: Way) -> Iterator[list[Way]]:
        """The ways that part from this one, by the pick at which they do.

        A pick that shows the reader the same whatever it gives is a secret. It should take nothing that is told and
        so drawn openly elsewhere; if it does not, all others are as good, and if it does, one that does not is better.
        """
        for length, scripts in groupby(way.chance.open, key=len):
            others = [self.follow(way.action, script, way.chance.script) for script in scripts]
            silent = way.shown is not None and all(other.shown == way.shown for other in others)
            free = [w for w in (way, *others) if w.chance.script[length - 1] not in self.values]
            if not silent or not free:
                yield others
            elif way not in free:
                yield free[:1]
                return


def explained(
    game: Game, state: Any, actions: list[Any], told: list[Any], seat: int | None
) -> bool | None:
    """Whether one of the actions, with one way of chance, leads to these events.

    None if too many ways would have to be tried, or if a rule met something sealed that it cannot do without.
    """
    values = [*told, *(leaf for event in told for leaf in open_leaves(event))]
    open_only = not any(sealed_parts(event) for event in told)
    search = Search(game, state, told, seat, values, open_only)
    doubtful = False
    waiting = [(way.near, tries, way) for tries, way in enumerate(map(search.follow, actions))]
    tries = len(waiting)
    heapify(waiting)
    while waiting:
        near, _, way = heappop(waiting)
        if near == -COMPLETE:
            return True
        if tries > MOST_TRIES:
            return None
        doubtful = doubtful or way.doubtful
        for other in chain.from_iterable(search.partings(way)):
            tries += 1
            heappush(waiting, (other.near, tries, other))
    return None if doubtful else False


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
        if recorded_options(game, opening.options) != opening.options:
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
