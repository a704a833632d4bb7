"""The position of a game of Cuzco."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.cuzco.board import Board
from engine.cuzco.edition import AP, PRINTED_SUPPLY, VALUES, Edition, by_rules
from engine.kit.masks import union

TRIPLES = 56
UNSEEN = "?"  # a card that a redacted record does not name, or that a seat may not know


@dataclass(frozen=True)
class Stock:
    """What a player still owns besides Incas and cards (C-S2)."""

    tokens: int = 3
    doubles: int = 5
    crops: int = 3
    villages: int = 2


@dataclass(frozen=True)
class Supply:
    """What lies beside the board for everybody (C-S3); `floors` by value."""

    triples: int
    basins: int
    floors: tuple[int, ...]

    def floor(self, value: int) -> int:
        return self.floors[VALUES.index(value)]


@dataclass(frozen=True)
class Turn:
    """The running turn. `changed` are the temples that changed value in it (C-T6)."""

    seat: int = 0
    ap: int = AP
    laid: bool = False
    drawn: int = 0
    token: bool = False
    idle: int = 0
    changed: int = 0


@dataclass(frozen=True)
class Festival:
    """A festival while bids run; `answered` owe no answer now (C-F3)."""

    at: str
    proposer: int
    played: tuple[tuple[str, ...], ...]
    out: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()
    asked: int | None = None


@dataclass(frozen=True)
class State:
    """Everything there is to know. Card lists are sorted: no pile has an order (C-S6)."""

    edition: Edition
    options: dict[str, Any]
    board: Board
    incas: tuple[int, ...]  # a mask of hexes for each seat
    hands: tuple[tuple[str, ...], ...]
    open: str | None
    discard: tuple[str, ...]
    pile: tuple[str, ...]
    scores: tuple[int, ...]
    stocks: tuple[Stock, ...]
    supply: Supply
    turn: Turn = field(default_factory=Turn)
    opened_by: int | None = None
    scored: tuple[int, ...] = ()
    festival: Festival | None = None

    @property
    def seats(self) -> int:
        return len(self.scores)

    @property
    def over(self) -> bool:
        return len(self.scored) == self.seats

    @cached_property
    def all_incas(self) -> int:
        return union(self.incas)

    @cached_property
    def closed(self) -> int:
        """The hexes on which no tile may be laid (C-P3)."""
        return self.all_incas | self.board.basins | self.board.temple_hexes


def fresh(edition: Edition, seats: int, options: dict[str, Any]) -> State:
    """The table before any card is dealt; the edition is the one of the rules that are played."""
    return State(
        edition=by_rules(edition, options["rules"]),
        options=options,
        board=Board.bare(edition.layout),
        incas=(0,) * seats,
        hands=((),) * seats,
        open=None,
        discard=(),
        pile=edition.deck,
        scores=(0,) * seats,
        stocks=(Stock(),) * seats,
        supply=Supply(triples=TRIPLES, basins=PRINTED_SUPPLY, floors=edition.floors),
    )
