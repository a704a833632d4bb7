"""Two worlds that nobody but one seat can tell apart: made for any game, out of its own rules and private fields.

A match is played by chance. Then its acts are decided once more by other dice: one hidden draw or order is another,
what it leaves over goes to whoever asks for what it took, and all that the others have seen stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any, TypeVar

from engine.core import chance
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, advance, append, settle_options, start_at
from engine.core.refusal import Refusal
from engine.core.secrecy import owners
from engine.core.timeline import Entry, MatchStarted

T = TypeVar("T")
Eyes = tuple[int | None, ...]
SEED, OTHER_SEED = "seed", "another seed"
TWISTS = 4  # hidden values that are exchanged, at most
TRIES = 40  # for each of them
LATE = 6  # acts
LENGTHS = (4, 12, 36, 200)  # acts at most: games differ, and early secrets are told later on


@dataclass(frozen=True)
class Act:
    """One act: what was asked for, what chance gave in it, and what came of it. The setup has no action."""

    action: Any
    picks: tuple[Any, ...]
    events: tuple[Any, ...]
    after: Any  # the state


@dataclass(frozen=True, repr=False)  # a failing test need not print two whole matches
class Worlds:
    """Two matches alike to `eyes`: all seats but `knower`, and those who only look on."""

    one: Match
    other: Match
    knower: int

    @property
    def eyes(self) -> Eyes:
        return eyes_beside(self.knower, self.one.log[0].event.seats)

    @property
    def matches(self) -> tuple[Match, Match]:
        return self.one, self.other


def eyes_beside(knower: int, seats: int) -> Eyes:
    return (None, *(seat for seat in range(seats) if seat != knower))


# What eyes have seen


def told(match: Match, eyes: Eyes) -> list[tuple[Any, ...]]:
    """The log as these eyes together know it; its hashes seal the rest."""
    return [shown(entry, eyes) for entry in match.log]


def shown(entry: Entry, eyes: Eyes) -> tuple[Any, ...]:
    order = None if entry.hidden and entry.seat not in eyes else entry.order
    return entry.pos, entry.act, entry.seat, order, without(entry.event, eyes)


def without(thing: Any, eyes: Eyes) -> Any:
    """An event or action without what is hidden from each of these eyes."""
    private = known_owners(type(thing)).items() if thing is not None else ()
    hidden = [part for part, owner in private if owner is None or getattr(thing, owner) not in eyes]
    return replace(thing, **dict.fromkeys(hidden)) if hidden else thing


known_owners = cache(owners)  # asked for every event of every try


def differing(worlds: Worlds) -> set[str]:
    """The private fields, and the hidden orders, in which the two logs differ."""
    found = set[str]()
    for here, there in zip(worlds.one.log, worlds.other.log, strict=True):
        for part in owners(type(here.event)):
            if getattr(here.event, part) != getattr(there.event, part):
                found.add(f"{type(here.event).__name__}.{part}")
        found |= {"order"} if here.order != there.order else set()
    return found


def drawn_in_secret(game: Game) -> set[str]:
    """The private fields of a game's events, but for that of a given position."""
    given = type(game.load({"seats": game.seats[-1]}))
    kinds = (kind for kind in game.events if kind is not given)
    return {f"{kind.__name__}.{part}" for kind in kinds for part in owners(kind)}


# Dice


@dataclass
class Recorded(Chance):
    """Chance that keeps what it gave."""

    dice: Random
    given: list[Any] = field(default_factory=list)

    def pick(self, items: Sequence[T]) -> T:
        self.given.append(self.dice.choice(items))
        return self.given[-1]


@dataclass
class Twisted(Recorded):
    """Chance that gives what it gave before, but for pick number `at`; what that leaves over goes to the next in want."""

    before: Sequence[Any] = ()
    at: int | None = None
    left: list[Any] = field(default_factory=list)

    def pick(self, items: Sequence[T]) -> T:
        number = len(self.given)
        wish = self.before[number] if number < len(self.before) else None
        self.given.append(self.instead(items, wish, other=number == self.at))
        return self.given[-1]

    def instead(self, items: Sequence[T], wish: Any, other: bool) -> T:
        if wish in items and not other:
            return wish
        spare = [] if other else [item for item in self.left if item in items]
        found = self.dice.choice(spare or [item for item in items if item != wish] or list(items))
        if spare:
            self.left.remove(found)
        else:
            self.left.append(wish)
        return found


# Playing by chance


@dataclass(frozen=True)
class Table:
    """What is played, who must not know, and the dice of whoever makes two worlds of it."""

    game: Game
    opening: MatchStarted
    eyes: Eyes
    dice: Random

    def decided(self, state: Any, action: Any, rolled: Recorded) -> Act:
        """One act, by these dice; before there is a state, the setup."""
        if state is None:
            events = self.game.setup(self.opening.seats, self.opening.options, rolled)
        else:
            events = self.game.decide(state, action, rolled)
        after = advance(self.game, state, events)
        return Act(action, tuple(rolled.given), tuple(events), after)

    def match(self, acts: Sequence[Act], seed: str) -> Match:
        """The match of these acts, with its log and hashes."""
        first, *rest = acts
        match = Match(self.game, self.opening.match, ((1, seed),))
        match = append(match, [self.opening, *first.events])
        for act in rest:
            order, hidden = self.game.format(act.action), bool(owners(type(act.action)))
            match = append(match, act.events, act.action.seat, order, hidden=hidden)
        return match


def played(table: Table) -> list[Act]:
    """A match up to somewhere before its end."""
    first = table.decided(None, None, Recorded(table.dice))
    length = table.dice.randrange(table.dice.choice(LENGTHS))
    return cut([first, *islice(going_on(table, first.after), length)], table)


def cut(acts: list[Act], table: Table) -> list[Act]:
    """Half of the matches stop where something has just become a secret, whatever its kind, and nothing tells it yet."""
    places = hiding_places(table, acts)
    if not places or table.dice.random() < 0.5:
        return acts
    return acts[: table.dice.choice(places[table.dice.choice(sorted(places))]) + 1]


def going_on(table: Table, state: Any) -> Iterator[Act]:
    """Act by act until the next would end the match."""
    by_kind = table.dice.random() < 0.5
    while True:
        act = table.decided(state, chosen(table, state, by_kind), Recorded(table.dice))
        state = act.after
        if not table.game.to_act(state):
            return
        yield act


def chosen(table: Table, state: Any, by_kind: bool) -> Any:
    """Any legal action; or first its kind, so that rare ones occur."""
    dice = table.dice
    legal = list(table.game.legal(state, dice.choice(table.game.to_act(state))))
    if by_kind:
        kind = dice.choice(sorted({type(action).__name__ for action in legal}))
        legal = [action for action in legal if type(action).__name__ == kind]
    return dice.choice(legal)


def some_options(game: Game, seats: int, dice: Random) -> dict[str, Any]:
    """What a table may agree on, where it is a yes or no; as usual where that does not go together."""
    flags = [name for name, option in game.options.items() if option.limits is None]
    options = settle_options(game, {name: dice.random() < 0.5 for name in flags})
    try:
        game.setup(seats, options, Recorded(Random(0)))
    except Refusal:
        return settle_options(game, {})
    return options


# Once more, and otherwise where nobody sees it


def twisted(table: Table, acts: list[Act], at: int) -> list[Act] | None:
    """The same acts with another value in that one; None if what the eyes see would tell it."""
    again, left = acts[:at], list[Any]()
    for number, act in enumerate(acts[at:], at):
        found = once_more(table, act, again[-1].after if again else None, left, other=number == at)
        if found is None or seen(table, found) != seen(table, act):
            return None
        again.append(found)
    return again if [act.events for act in again] != [act.events for act in acts] else None


def hiding_places(table: Table, acts: list[Act]) -> dict[str, list[int]]:
    """The acts that the eyes do not know everything of, by what they do not know."""
    found = dict[str, list[int]]()
    for number, act in enumerate(acts):
        for kind in {type(event).__name__ for event in act.events if hides(table, event)}:
            found.setdefault(kind, []).append(number)
    return found


def hides(table: Table, thing: Any) -> bool:
    return without(thing, table.eyes) != thing


def somewhere(dice: Random, some: list[int]) -> int:
    """One of some acts, and rather a late one, which nothing tells yet."""
    return dice.choice(some[-LATE:] if dice.random() < 0.5 else some)


def seen(table: Table, act: Act) -> list[Any]:
    return [without(event, table.eyes) for event in act.events]


def once_more(table: Table, act: Act, state: Any, left: list[Any], other: bool) -> Act | None:
    """An act as it was, or with another order or pick; None where an order that the eyes saw cannot be given."""
    hidden = hides(table, act.action)
    by_order = other and hidden and (not act.picks or table.dice.random() < 0.5)
    pick = table.dice.randrange(len(act.picks)) if other and act.picks and not by_order else None
    try:
        action = same_wish(table, state, act.action, by_order) if hidden else act.action
        return table.decided(state, action, Twisted(table.dice, [], act.picks, pick, left))
    except (Refusal, LookupError):
        return None


def same_wish(table: Table, state: Any, action: Any, other: bool) -> Any:
    """What is ordered in its place: the same, but for what the eyes do not see of it."""
    wish = without(action, table.eyes)
    legal = table.game.legal(state, action.seat)
    some = [one for one in legal if without(one, table.eyes) == wish]
    if action in some and not other:
        return action
    return table.dice.choice([one for one in some if one != action])


# Pairs


def worlds(game: Game, seats: int, number: int, match_id: str = "match") -> Worlds:
    """Pair number so and so: always the same. A game without secrets differs in the draws to come alone."""
    dice = Random(f"{game.key} {seats} {number}")
    for _ in range(TRIES):
        options, knower = some_options(game, seats, dice), dice.randrange(seats)
        opening = MatchStarted(game.key, match_id, seats, options, chance.commitment(SEED))
        table = Table(game, opening, eyes_beside(knower, seats), dice)
        acts = played(table)
        other = table.match(exchanged(table, acts), OTHER_SEED)
        found = Worlds(table.match(acts, SEED), other, knower)
        here, there = (game.dump(match.state) for match in found.matches)
        if here != there or not drawn_in_secret(game):
            return found
    raise AssertionError(f"{game.name} has private fields, and none of them is a secret")


def exchanged(table: Table, acts: list[Act]) -> list[Act]:
    """A match in which some hidden values are others, if that can be."""
    if places := hiding_places(table, acts):
        for _ in range(table.dice.randint(1, TWISTS)):
            kind = table.dice.choice(
                sorted(places)
            )  # else many picks of one kind would hide the few of others
            tries = (
                twisted(table, acts, somewhere(table.dice, places[kind])) for _ in range(TRIES)
            )
            acts = next((again for again in tries if again and changed(kind, acts, again)), acts)
    return acts


def changed(kind: str, acts: list[Act], again: list[Act]) -> bool:
    """Whether an event of that kind is another."""
    events = ([event for act in some for event in act.events] for some in (acts, again))
    return any(
        one != other and type(one).__name__ == kind for one, other in zip(*events, strict=True)
    )


def begun_there(found: Worlds) -> Worlds:
    """Matches that begin where those two are: what differs lies in the positions that they are given."""
    game, name = found.one.game, found.one.id
    here, there = (game.dump(match.state) for match in found.matches)
    one = start_at(game, here, SEED, name)
    # What chance owes a position may be seen by all: then it must come from the same seed.
    others = (start_at(game, there, seed, name) for seed in (OTHER_SEED, SEED))
    other = next(match for match in others if told(match, found.eyes) == told(one, found.eyes))
    return Worlds(one, other, found.knower)
