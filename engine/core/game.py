"""What a game is: a handful of pure functions gathered under one name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeVar

from engine.core.chance import Chance
from engine.core.sentence import Sentence, Speak

T = TypeVar("T")
Fact = tuple[Sentence, tuple[Sentence | str, ...]]  # a label and the things under it


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice that the table makes before the match begins: yes or no, or, with `limits`, a number."""

    default: bool | int
    help: str
    limits: tuple[int, int] | None = None

    def told(self) -> dict[str, Any]:
        """As the referee and the API list it; only numbers have limits to tell."""
        shown: dict[str, Any] = {"default": self.default, "help": self.help}
        return {**shown, "limits": list(self.limits)} if self.limits else shown


def untouched(_state: Any, _action: Any) -> Sequence[str]:
    """Most actions pass over nothing worth showing."""
    return ()


def nothing(_state: Any, _chance: Chance) -> Sequence[Any]:
    """Most positions owe no draw."""
    return ()


def whole(_view: Any) -> Sequence[Part]:
    """Most turns are not divided."""
    return ()


def usual(_state: Any) -> tuple[str, ...]:
    """Most games paint the seats in the same colours."""
    return "blue", "red", "yellow", "black"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn: some verbs under one heading, how far it has come, and what changes a verb just now."""

    title: Sentence | None
    verbs: tuple[str, ...]
    state: tuple[Sentence, ...] = ()
    changes: Mapping[str, tuple[Sentence, ...]] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """All that is changed in this part, each thing once."""
        found: list[Sentence] = []
        for verb in self.verbs:
            found += (note for note in self.changes.get(verb, ()) if note not in found)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a question may be answered in advance, for those who sleep; the rules know nothing of it.

    `settle` completes a wish or refuses its words; `answer` gives one of the legal actions from what the seat
    sees, or None where the wish is silent.
    """

    settle: Callable[[Any], dict[str, Any]]
    answer: Callable[[Any, Mapping[str, Any], Sequence[Any]], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game. `evolve` is total and silent; only `decide`, `parse` and `load` may refuse.

    An action carries its seat. What is shown, said or drawn comes from a view or from an event as a
    seat may know it (`redact`), never from the state.
    """

    key: str
    name: str
    seats: range
    options: Mapping[str, Option]
    events: tuple[type, ...]
    actions: tuple[type, ...]
    setup: Callable[[int, Mapping[str, Any], Chance], Sequence[Any]]
    decide: Callable[[Any, Any, Chance], Sequence[Any]]
    evolve: Callable[[Any, Any], Any]
    legal: Callable[[Any, int], Iterator[Any]]
    priced: Callable[[Any, int], Iterator[tuple[Any, int]]]  # the same with what each action costs
    verbs: Mapping[str, Sentence]  # how orders begin, and what each asks for
    to_act: Callable[[Any], tuple[int, ...]]
    awaited: Callable[[Any], str]  # what is asked for now: "turn", or a word of the game's own
    # Whether an action draws or reveals in a state, so that no preview may show it. What ends the match reveals too:
    # `thought` sees to that for every game.
    commits: Callable[[Any, Any], bool]
    scores: Callable[[Any], tuple[int, ...]]
    winners: Callable[[Any], tuple[int, ...]]
    view: Callable[[Any, int | None], Any]
    show: Callable[[Any], dict[str, Any]]  # a view as JSON, in the game's own words
    parse: Callable[[int, str], Any]
    format: Callable[[Any], str]
    describe: Callable[[Any], Sentence]
    render: Callable[[Any, Speak], str]  # a view as SVG
    chart: Callable[[Any, Speak], str]  # a view as plain text, 80 columns or less
    summary: Callable[[Any], Sequence[Fact]]  # what of a view lies beside the board
    load: Callable[[Any], Any]  # a position in the referee's form -> the event that sets it up
    dump: Callable[[Any], dict[str, Any]]  # a state -> the referee's form
    standing: Mapping[str, Standing] = field(default_factory=dict)  # by what is `awaited`
    parts: Callable[[Any], Sequence[Part]] = whole  # how a turn is divided, from a view
    colours: Callable[[Any], tuple[str, ...]] = usual  # by seat, as its board paints them
    # What the words of orders are called that name no place of the picture.
    words: Mapping[str, Sentence] = field(default_factory=dict)
    # The places that an action would pass over, for pages to show.
    touched: Callable[[Any, Any], Sequence[str]] = untouched
    # What chance still owes a position that was just set up.
    owed: Callable[[Any, Chance], Sequence[Any]] = nothing
    # Events that only ask somebody: no news, though the history has them.
    asking: tuple[type, ...] = ()
    parent: str | None = None
    # A state without what its orders may bring to light and the seat (or nobody: None) does not know; `decide`
    # draws it anew, also where a redacted record never named it. What is drawn stands in the events.
    forget: Callable[[Any, int | None], Any] = lambda state, _seat: state
    # Refuses the words of an action that this table lacks, though they fit an order.
    recognise: Callable[[Any, Any], None] = lambda _state, _action: None


def fold(game: Game, events: Iterable[Any], state: Any = None) -> Any:
    """The state after `events`, starting from nothing or from a snapshot."""
    return reduce(game.evolve, events, state)


def amend(old: T, **changes: Any) -> T:
    """`old` with some fields changed: `dataclasses.replace` without its checks, which cost 3 µs a call.

    For frozen dataclasses without slots; what a cached property keeps is left behind.
    """
    new, values = object.__new__(type(old)), old.__dict__
    names: Any = getattr(type(old), "__dataclass_fields__")  # noqa: B009 - unknown to mypy
    if len(values) > len(names):
        values = {name: values[name] for name in names}
    object.__setattr__(new, "__dict__", values | changes)
    return new


def private(owner: str | None) -> Any:
    """A field that only the seat named in the field `owner` may know; with None, nobody before the end."""
    return field(metadata={"private": owner})
