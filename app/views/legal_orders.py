"""What can be ordered next, from the game's own generator, gathered so that a person can choose."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from app.matches.drafts import Preview
from app.platform.lru_cache import LruCache
from engine.core import thought as thoughts
from engine.core.chain import canonical
from engine.core.game import Game, Part
from engine.core.sentence import Sentence

T = TypeVar("T")
Choice = tuple[str, int]  # an order and what it costs
MOST_LISTED = 10_000  # orders in one answer; no match that was played had half as many
KEPT_ORDERS = 100_000  # in memory, in each of the caches below; some 140 bytes each
FEW = 30  # as many can stand in one list; of more, the first word is asked for before


@dataclass(frozen=True, slots=True)
class Group:
    """The orders that begin with one verb. `plain`: the verb is the whole order."""

    verb: str
    help: Sentence
    choices: tuple[Choice, ...]
    commits: bool

    @property
    def plain(self) -> bool:
        return [order for order, _ in self.choices] == [self.verb]

    @property
    def cheapest(self) -> int:
        return min(cost for _, cost in self.choices)

    @property
    def dearest(self) -> int:
        return max(cost for _, cost in self.choices)


@dataclass(frozen=True, slots=True)
class Menu:
    """The way to an order by lists: a verb, then its first word where there are many, then the order."""

    group: Group
    first: str | None
    firsts: tuple[str, ...]
    orders: tuple[Choice, ...]


def list_choices(thought: Preview, seat: int) -> list[Choice]:
    """The orders that are legal after the draft, with their costs, sorted; the page and its script both ask.

    Of more than can be listed the first ones that the generator gives: every other can be typed.
    """
    if thought.waiting or thought.problem:
        return []
    return list_orders(thought.match.game, thought.ahead.state, seat, thought.ahead.hash)


def list_orders(game: Game, state: Any, seat: int, link: str) -> list[Choice]:
    """What is legal in a position, which `link` names as it names a scene; listed once for pages and mails."""
    name = link, seat
    known = FOUND.get(name)
    if known is None:
        known = FOUND.keep(name, sorted(priced_orders(game, state, seat)))
    return known


FOUND: LruCache[tuple[str, int], list[Choice]] = LruCache(KEPT_ORDERS, len)


def priced_orders(game: Game, state: Any, seat: int, start: int = 0) -> Iterator[Choice]:
    """As many orders with their costs as are listed at once, from that one on; the generator makes no more."""
    priced = islice(game.priced(state, seat), start, start + MOST_LISTED)
    return ((game.format(action), cost) for action, cost in priced)


def has_more(thought: Preview, seat: int, start: int = 0) -> bool:
    """Whether there are legal orders beyond those that are listed from there on."""
    if (
        thought.waiting
        or thought.problem
        or (not start and len(list_choices(thought, seat)) < MOST_LISTED)
    ):
        return False
    beyond = islice(thought.match.game.legal(thought.ahead.state, seat), start + MOST_LISTED, None)
    return next(beyond, None) is not None


def tell_choices(thought: Preview, seat: int, start: int = 0) -> list[tuple[Any, ...]]:
    """The same for the board: where an order would pass over places, with their names. `start` turns the page."""
    game, state = thought.match.game, thought.ahead.state
    if thought.waiting or thought.problem:
        return []
    found = []
    page = sorted(priced_orders(game, state, seat, start)) if start else list_choices(thought, seat)
    for order, cost in page:
        passed = game.touched(state, game.parse(seat, order))
        found.append((order, cost, passed) if passed else (order, cost))
    return found


def pack_choices(game: Game, found: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    """The same in fewer letters: by verb, by cost and by first word; and what some orders pass over."""
    verbs = sorted(game.verbs, key=len, reverse=True)
    packed: dict[str, dict[str, dict[str, list[str]]]] = {}
    for order, cost, *_ in found:
        verb = next(verb for verb in verbs if f"{order} ".startswith(f"{verb} "))
        first, _, rest = order[len(verb) :].strip().partition(" ")
        packed.setdefault(verb, {}).setdefault(str(cost), {}).setdefault(first, []).append(rest)
    return {
        "orders": {
            verb: {
                cost: {first: ";".join(rests) for first, rests in firsts.items()}
                for cost, firsts in costs.items()
            }
            for verb, costs in packed.items()
        },
        "over": {order: passed for order, _, *more in found for passed in more},
    }


def choices_fingerprint(thought: Preview, seat: int, start: int = 0) -> str:
    """Names the choices without making them: match, seat and draft decide them, and the page that is asked for."""
    told = [
        thought.match.id,
        thought.match.hash,
        seat,
        list(thought.orders),
        *([start] if start else []),
    ]
    return hashlib.sha256(canonical(told)).hexdigest()[:32]


def group_choices(game: Game, state: Any, seat: int, found: Sequence[Choice]) -> list[Group]:
    """The choices by verb, in the order in which the game names its verbs."""

    def commits(verb: str, some: Sequence[Choice]) -> bool:
        """A few tell for all: where an order of the others reveals, the page asks before it is played."""
        if [order for order, _ in some] == [verb]:
            return thoughts.is_revealing(game, state, game.parse(seat, verb))
        return any(game.commits(state, game.parse(seat, order)) for order, _ in some[:FEW])

    by_verb: dict[str, list[Choice]] = {verb: [] for verb in game.verbs}
    longest_first = [(f"{verb} ", verb) for verb in sorted(game.verbs, key=len, reverse=True)]
    for choice in found:
        order = f"{choice[0]} "
        for beginning, verb in longest_first:
            if order.startswith(beginning):
                by_verb[verb].append(choice)
                break
    return [
        Group(verb, help_, tuple(some), commits(verb, some))
        for verb, help_ in game.verbs.items()
        if (some := by_verb[verb])
    ]


def gather_groups(thought: Preview, seat: int) -> list[Group]:
    """The groups of what is legal after the draft."""
    if thought.waiting or thought.problem:
        return []
    return group_orders(thought.match.game, thought.ahead.state, seat, thought.ahead.hash)


def group_orders(game: Game, state: Any, seat: int, link: str) -> list[Group]:
    """The groups of what is legal in a position; there may be thousands of orders in them, so they are kept."""
    name = link, seat
    known = GATHERED.get(name)
    if known is None:
        found = list_orders(game, state, seat, link)
        known = GATHERED.keep(name, group_choices(game, state, seat, found))
    return known


def weigh_groups(found: list[Group]) -> int:
    """How many orders are in them."""
    return sum(len(group.choices) for group in found)


GATHERED: LruCache[tuple[str, int], list[Group]] = LruCache(KEPT_ORDERS, weigh_groups)


def arrange_parts(parts: Sequence[Part], found: Mapping[str, T]) -> list[tuple[Part, list[T]]]:
    """What stands for each verb, under the game's headings; without any, all in one part that has no words."""
    whole = (Part(None, tuple(found)),)
    by_part = ((part, [found[v] for v in part.verbs if v in found]) for part in parts or whole)
    return [(part, some) for part, some in by_part if some or (found and part.state)]


def make_menu(found: Sequence[Group], verb: str | None, first: str | None) -> Menu | None:
    """What the lists offer once a verb was chosen; unknown words choose nothing."""
    group = next((group for group in found if group.verb == verb), None)
    if group is None or group.plain:
        return None
    by_first: dict[str, list[Choice]] = {}
    for choice in group.choices:
        by_first.setdefault(words_after_verb(group, choice)[0], []).append(choice)
    if len(group.choices) <= FEW or len(by_first) == 1:
        return Menu(group, None, (), group.choices)
    return Menu(group, first, tuple(by_first), tuple(by_first.get(first or "", ())))


def words_after_verb(group: Group, choice: Choice) -> list[str]:
    """The words of an order after its verb."""
    return choice[0][len(group.verb) :].split()
