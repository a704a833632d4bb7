"""A table to try the rules at: a position in a few words, and orders by whoever is asked.

Positions are written in the notation of `engine.cuzco.notation`, and one thing more: `villages` and
`crops` (`rices` in Java) lay single tiles, `k8^3` three of them on one hex.
"""

import re
from collections.abc import Callable
from typing import Any, Self

import pytest

from engine.core.match import Match, play, start, start_at
from engine.core.refusal import IllegalMove
from engine.core.registry import games
from engine.core.sentence import seat_letter
from engine.cuzco.edition import CUZCO, Edition
from engine.cuzco.position import notation
from engine.java import JAVA

SITE = list(CUZCO.layout.named(CUZCO.layout.site & ~CUZCO.layout.printed))


class Table:
    """One match and the events of the last order; the seat that is asked gives the next."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.events = [entry.event for entry in match.log]

    @property
    def seat(self) -> int:
        return self.match.game.to_act(self.match.state)[0]

    @property
    def to_act(self) -> str:
        """The letters of those who are asked now."""
        return "".join(map(seat_letter, self.match.game.to_act(self.match.state)))

    @property
    def scores(self) -> tuple[int, ...]:
        return self.match.game.scores(self.match.state)

    @property
    def state(self) -> dict[str, Any]:
        """Everything, in the referee's form."""
        return self.match.game.dump(self.match.state)

    @property
    def ap(self) -> int:
        return self.state["turn"]["ap"]

    def hand(self, letter: str) -> list[str]:
        return self.state["hands"]["ABCD".index(letter)]

    def view(self, letter: str | None) -> dict[str, Any]:
        """What that seat may know; None is a spectator."""
        seat = None if letter is None else "ABCD".index(letter)
        return self.match.game.show(self.match.game.view(self.match.state, seat))

    def level(self, name: str) -> int:
        return self.match.state.board.level(CUZCO.layout.index[name])

    def kind(self, name: str) -> str:
        board, place = self.match.state.board, CUZCO.layout.index[name]
        return "village" if board.villages >> place & 1 else "crop"

    def event(self, kind: type) -> Any:
        """The one event of that kind that the last order caused."""
        (found,) = (event for event in self.events if isinstance(event, kind))
        return found

    def kinds(self) -> list[str]:
        """What the last order caused, by name."""
        return [type(event).__name__ for event in self.events]

    def offers(self, order: str) -> bool:
        """Whether the order, however spelled, is among the legal ones."""
        game = self.match.game
        return game.parse(self.seat, order) in game.legal(self.match.state, self.seat)

    def legal(self, prefix: str = "") -> list[str]:
        """The legal orders of the seat that is asked, those that begin with `prefix`."""
        game = self.match.game
        orders = map(game.format, game.legal(self.match.state, self.seat))
        return sorted(order for order in orders if order.startswith(prefix))

    def play(self, *orders: str) -> Self:
        """Each order by the seat that is asked then; all must be listed as legal."""
        for order in orders:
            assert self.offers(order)
            after = play(self.match, self.seat, order)
            self.events = [entry.event for entry in after.log[len(self.match.log) :]]
            self.match = after
        return self

    def refuses(self, order: str, rule: str, sentence: str) -> None:
        """That clause forbids the order and says so; it is not listed, and nothing has changed."""
        before = self.state
        with pytest.raises(IllegalMove, match=re.escape(sentence)) as refusal:
            play(self.match, self.seat, order)
        assert refusal.value.rule == rule
        assert not self.offers(order)
        assert self.state == before


def cuzco(position: str, seed: str = "seed") -> Table:
    return table(CUZCO, position, seed)


def java(position: str, seed: str = "seed") -> Table:
    return table(JAVA, position, seed)


def table(edition: Edition, position: str, seed: str) -> Table:
    form = notation.read(edition, spelled_out(position))
    return Table(start_at(games()[edition.key], form, seed))


def who_may(order: str, position: str, sit_down: Callable[[str], Table]) -> str:
    """Which of three players may give the order, each in a turn of his own."""
    tables = {letter: sit_down(f"seats 3; turn {letter} ap 1 laid; {position}") for letter in "ABC"}
    return "".join(letter for letter, table in tables.items() if table.offers(order))


def new(game: str, seats: int, seed: str = "seed") -> Table:
    """A match from its beginning."""
    return Table(start(games()[game], seats, {}, seed))


def spelled_out(position: str) -> str:
    """`villages k8 k10^2` as `village k8`, `village k10`, `village k10`."""
    return re.sub(r"\b(village|crop|rice)s ([a-o][^;\n]*)", singles, position)


def singles(found: re.Match[str]) -> str:
    stacks = (word.partition("^") for word in found[2].split())
    return "; ".join(f"{found[1]} {name}" for name, _, n in stacks for _ in range(int(n or 1)))


def paved(*bare: str) -> str:
    """Crops on the whole site, no two neighbours level: no tile fits, but on the hexes left bare."""
    return "crops " + " ".join(f"{name}^{height(name)}" for name in SITE if name not in bare)


def height(name: str) -> int:
    """1, 2 or 3, so that no two neighbours have the same."""
    row, column = ord(name[0]), int(name[1:])
    return ((column - row) // 2 - row) % 3 + 1
