"""What a game is: a handful of pure functions gathered under one name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from engine.core.chance import Chance
from engine.core.sentence import Sentence, Speak

T = TypeVar("T")
Fact = tuple[Sentence, tuple[Sentence | str, ...]]  # a label and the things under it


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice that the table makes before the match begins: yes or no, or, with `limits`, a number.

    `before` marks an edition of rules or board: what matches play by that began before there was a choice. Their
    first event does not name it, and they are decided by it for ever.

    A form calls it by its `title`, recommends its `default`, and offers numbers that are `named` by their names.
    """

    default: bool | int
    help: str
    limits: tuple[int, int] | None = None
    before: int | None = None
    title: Sentence | None = None
    named: Mapping[int, Sentence] = field(default_factory=dict)

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


def no_tools(_view: Any) -> Mapping[str, Tool]:
    """A game may leave it at the words of its orders."""
    return {}


def no_pieces(_view: Any) -> Mapping[str, str]:
    """Most orders name places alone."""
    return {}


def no_tries(_view: Any) -> Mapping[str, str]:
    """A game may leave it at what is possible."""
    return {}


def no_symbols(_view: Any) -> Sequence[Symbol]:
    """Some boards show nothing but what is played."""
    return ()


def no_question(_view: Any) -> Question | None:
    """Most games ask for turns alone."""
    return None


def nothing_left(_view: Any) -> Sentence | None:
    """Most turns have nothing to use up."""
    return None


def no_advice(_view: Any) -> Sentence | None:
    """A game may leave it to its lessons."""
    return None


def no_ledgers(_view: Any) -> Sequence[Ledger]:
    """Most boards speak for themselves."""
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
class Symbol:
    """A sign of the board and its name; `box` is the part of the paper that it needs, where that is not one place."""

    name: Sentence
    svg: str
    box: str = "-40 -40 80 80"


@dataclass(frozen=True, slots=True)
class Ghost:
    """What an order would put on one of its places, as SVG around the middle of that place.

    With `spans` it lies from there to the order's next place, drawn along the x axis; without a drawing it is a
    line. `word` says which word of the order names the piece, for those that `Game.pieces` draws.
    """

    svg: str = ""
    spans: bool = False
    word: int | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """How a page lets somebody take a verb in hand: what its button says, and what is seen before it is done.

    `at` are places that stand for it, such as one's own pawn. What `closes` ends the turn; what is played `at_once`
    is all that was asked, so that no second question follows.
    """

    label: Sentence
    icon: str = ""  # SVG around 0, 0, as large as a place
    # By place of the order; the last one serves for those that follow.
    ghosts: tuple[Ghost, ...] = ()
    at: tuple[str, ...] = ()
    closes: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A card as people hold it: what it is called, what it says, and its drawing as SVG of 44 by 62 around 0, 0."""

    name: Sentence
    picture: str
    text: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer a question: the order, what it would come to, and the words on its cards."""

    order: str
    label: Sentence
    brings: Sentence | None = None
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody is asked between turns: what it is about, what is at stake, and the answers.

    Orders of the verbs in `composed` are answers too, but too many to be listed: of a hand that nobody knows.
    """

    title: Sentence
    facts: tuple[Fact, ...]
    answers: tuple[Answer, ...]
    composed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """A small table about the board: what its places are worth, and to whom. The first column names a place."""

    title: Sentence
    columns: tuple[Sentence, ...]
    rows: tuple[tuple[Sentence | str, ...], ...]


@dataclass(frozen=True, slots=True)
class ScoredPlaces:
    """What a scoring brought whom, place by place: a heading, and what an event tells as (place, seat, points)."""

    title: Sentence
    told: Callable[[Any], Iterable[tuple[str, int, int]]]


@dataclass(frozen=True, slots=True)
class WishField:
    """One line of the form in which a wish is written: a number, a tick, or words."""

    name: str
    label: Sentence
    kind: Literal["number", "tick", "words"]
    hint: Sentence | None = None
    most: int | None = None  # of a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a question may be answered in advance, for those who sleep; the rules know nothing of it.

    `settle` completes a wish or refuses its words; `answer` gives one of the legal actions from what the seat
    sees, or None where the wish is silent. A wish is written in a form of these `fields`, which `from_form` reads, or
    in a line of a mail, which `parse` reads; `to_form` and `format` write the same again.
    """

    settle: Callable[[Any], dict[str, Any]]
    answer: Callable[[Any, Mapping[str, Any], Sequence[Any]], Any]
    title: Sentence  # what pages call it
    help: Sentence
    fields: tuple[WishField, ...]
    from_form: Callable[[Mapping[str, str]], dict[str, Any]]
    to_form: Callable[[Mapping[str, Any]], dict[str, str]]
    parse: Callable[[str], dict[str, Any]]
    format: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game. `evolve` is total and silent; only `decide`, `parse`, `load` and `recognise` may refuse.

    An action carries its seat. What is shown, said or drawn comes from a view or from an event as a seat may know it
    (`redact`), never from the state. Who learns of a function's result stands above it: *rules* means nobody, the service
    only goes by it; *one seat* means the seat that it is asked for; *everybody* means also those who only look on, so that
    it must be the same whatever is hidden. `docs/ADDING_A_GAME.md` tells the rest, the picture's markup with it.

    A secret keeps its place when its value is gone. `evolve` folds an event whose private fields are None into a state
    that is right in all that is open: how many cards a hand has, who is asked, what it costs. `forget` makes the same of
    a whole state. Upon both, `legal`, `decide` and `evolve` go on: whatever an order brings to light there, `decide`
    draws from all that it may be. So redacted records are decided again (`core.review`), and orders that follow a draw
    are tried with every outcome without telling one (`app.matches.lookahead`).
    """

    # The box: everybody.
    key: str
    name: str
    seats: range
    options: Mapping[str, Option]
    turns: tuple[int, int] | None = None  # how many each player has in a match, about
    parent: str | None = None  # the game whose bots and folder this one may use

    # The rules: a state and an action lead to events, and events alone to a state.
    events: tuple[type, ...]
    actions: tuple[type, ...]
    setup: Callable[[int, Mapping[str, Any], Chance], Sequence[Any]]
    decide: Callable[[Any, Any, Chance], Sequence[Any]]
    evolve: Callable[[Any, Any], Any]
    legal: Callable[[Any, int], Iterator[Any]]  # one seat: from what it knows
    priced: Callable[[Any, int], Iterator[tuple[Any, int]]]  # the same with what each action costs
    to_act: Callable[[Any], tuple[int, ...]]  # everybody: the seats that are asked now
    awaited: Callable[[Any], str]  # everybody: "turn", or the game's own word for another question
    scores: Callable[[Any], tuple[int, ...]]  # everybody
    winners: Callable[[Any], tuple[int, ...]]  # everybody
    # Rules: whether an action draws or reveals in a state, so that no preview may show it. What ends the match reveals
    # too: `thought` sees to that for every game.
    commits: Callable[[Any, Any], bool]
    # Rules: a state without what its orders may bring to light and the seat (or nobody: None) does not know: alike in all
    # worlds that the seat cannot tell apart. What `decide` draws in its place stands in the events.
    forget: Callable[[Any, int | None], Any] = lambda state, _seat: state
    # Rules: what chance still owes a position that was just set up.
    owed: Callable[[Any, Chance], Sequence[Any]] = nothing
    # Refuses the words of an action that this table lacks, though they fit an order.
    recognise: Callable[[Any, Any], None] = lambda _state, _action: None

    # What a seat, or with None a spectator, may know; all below is made of it.
    view: Callable[[Any, int | None], Any]
    show: Callable[[Any], dict[str, Any]]  # as JSON, in the game's own words
    render: Callable[[Any, Speak], str]  # as SVG
    chart: Callable[[Any, Speak], str]  # as plain text, 80 columns or less
    summary: Callable[[Any], Sequence[Fact]]  # what of it lies beside the board
    question: Callable[[Any], Question | None] = no_question  # what is asked for between turns
    ledgers: Callable[[Any], Sequence[Ledger]] = no_ledgers  # tables about the board
    left: Callable[[Any], Sentence | None] = nothing_left  # what is still to spend in this turn
    parts: Callable[[Any], Sequence[Part]] = whole  # how a turn is divided
    # What a newcomer who is asked could do next, in one sentence or two short ones; a draft is advised on as far as it goes.
    coach: Callable[[Any], Sentence | None] = no_advice

    # Words: everybody's.
    verbs: Mapping[str, Sentence]  # how orders begin, and what each asks for
    parse: Callable[[int, str], Any]
    format: Callable[[Any], str]
    describe: Callable[[Any], Sentence]  # an event as its reader may know it
    # What the words of orders are called that name no place of the picture.
    words: Mapping[str, Sentence] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(
        default_factory=dict
    )  # by the words for them; pages draw them
    # Everybody: the event with which a turn of its `seat` ends; by it the turns are counted in which a coach speaks.
    turn_ended: type | None = None
    turn_began: type | None = None  # everybody: the event after which its `seat` orders in a turn
    # Events that only ask somebody: no news, though the history has them.
    asking: tuple[type, ...] = ()
    # Everybody: by seat, as the board paints them.
    colours: Callable[[Any], tuple[str, ...]] = usual
    # Everybody, at the end: what points come from, by the events that bring them.
    sources: Mapping[type, Sentence] = field(default_factory=dict)
    # Everybody, at the end: what the places of the board brought, where they are scored one by one.
    scored_places: ScoredPlaces | None = None
    # One seat: the places that an action would pass over, for pages to show.
    touched: Callable[[Any, Any], Sequence[str]] = untouched
    # For pages on which the board is touched, from a view: verbs as tools, and the pieces that orders name.
    tools: Callable[[Any], Mapping[str, Tool]] = no_tools
    pieces: Callable[[Any], Mapping[str, str]] = no_pieces
    # The verbs of a turn in their fixed places: an order of each that could be meant, from a view. What the rules say to it
    # tells why the verb is of no use just now.
    tries: Callable[[Any], Mapping[str, str]] = no_tries
    # For the page on which all that the board shows has its name, from a view.
    symbols: Callable[[Any], Sequence[Symbol]] = no_symbols
    # Rules: the position as if it were that seat's turn already, to plan it; None where nobody can say.
    imagine: Callable[[Any, int], Any] = lambda _state, _seat: None

    # Positions in the referee's form: rules.
    # A position -> the event that sets it up, complete, so that `evolve` builds it without a check.
    load: Callable[[Any], Any]
    dump: Callable[[Any], dict[str, Any]]  # a state -> the same form

    # Answers in advance, by what is `awaited`: one seat's secret.
    standing: Mapping[str, Standing] = field(default_factory=dict)


def amend(old: T, **changes: Any) -> T:
    """`old` with some fields changed: `dataclasses.replace` without its checks, which cost 3 µs a call.

    For frozen dataclasses without slots; what a cached property keeps is left behind.
    """
    values = old.__dict__ | changes
    fields = len(getattr(old, "__dataclass_fields__"))  # noqa: B009 - unknown to mypy
    while len(values) > fields:  # they came first, what was kept later
        values.popitem()
    new = object.__new__(type(old))
    object.__setattr__(new, "__dict__", values)  # filling the one that it has takes twice as long
    return new


def later(default: Any) -> Any:
    """A field that an event got later: where it has its default it is not written, so old events keep their bytes."""
    return field(default=default, metadata={"later": True})


def private(owner: str | None) -> Any:
    """A field that only the seat named in the field `owner` may know; with None, nobody before the end."""
    return field(metadata={"private": owner})
