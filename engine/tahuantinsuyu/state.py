"""The position of a game of Tahuantinsuyu."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

from engine.kit.masks import bits, union
from engine.tahuantinsuyu.actions import Order
from engine.tahuantinsuyu.printed_board import Board

CUZCO = 1  # the first site of the data, as a mask
Laid = tuple[int, str]  # a seat and the card that it laid
Sun = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Turn:
    """Who is asked, and the orders of this People turn so far: all progress follows from them (N-R1)."""

    seat: int | None = None
    done: tuple[Order, ...] = ()


@dataclass(frozen=True)
class State:
    """Everything there is to know; sites, regions and roads as masks over the board. Card lists are sorted."""

    board: Board
    options: dict[str, Any]
    colours: tuple[str, ...]
    order: tuple[int, ...]
    scores: tuple[int, ...]
    standing: tuple[int, ...]  # seats from first to last
    labour: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    types: tuple[str | None, ...]  # the marker of each region; suyus have none
    spare: tuple[str, ...]
    roads: tuple[int, ...]  # by seat, the starting roads too
    discard: tuple[str, ...] = ()
    sun: Sun = ()  # the cards face up in each sector
    laid: tuple[Laid | None, ...] = ()  # the card face down in each sector
    up: int = 0
    owned: tuple[int, ...] = ()  # the regions whose marker each seat has
    terraces: int = 0
    cities: int = 0
    garrisons: int = 0
    temples: int = 0
    period: int = 0
    step: int = 0
    turn: Turn = Turn()
    pizarro: int | None = None
    over: bool = False

    @property
    def seats(self) -> int:
        return len(self.scores)

    @property
    def phase(self) -> str:
        return self.board.periods[self.period].phases[self.step]

    @cached_property
    def conquered(self) -> int:
        """The regions of the empire, the suyus too (N-S5)."""
        return self.board.suyus | union(self.owned)

    @cached_property
    def all_roads(self) -> int:
        return union(self.roads)

    def joined(self, seat: int) -> int:
        """The sites that the seat's own roads connect to Cuzco."""
        return network(self.board, self.roads[seat])[0]

    def cards(self, seat: int) -> Counter[str]:
        """The sun cards that affect a seat, with their copies (N-U3)."""
        return affecting(self.board, self.sun, self.colours[seat])


@lru_cache(maxsize=4096)
def network(board: Board, roads: int) -> tuple[int, int]:
    """The sites that these roads join to Cuzco, and all edges at them."""
    at_site, ends = board.at_site, board.ends
    sites = fresh_sites = CUZCO
    edges = 0
    while fresh_sites:
        here = at_site[fresh_sites.bit_length() - 1]
        fresh_sites ^= 1 << fresh_sites.bit_length() - 1
        edges |= here
        along, roads = roads & here, roads & ~here  # nobody walks a road twice
        for road in bits(along):
            found = ends[road] & ~sites
            sites |= found
            fresh_sites |= found
    return sites, edges


@lru_cache(maxsize=1024)
def affecting(board: Board, sun: Sun, colour: str) -> Counter[str]:
    return Counter(card for sector in board.sectors_of[colour] for card in sun[sector])


@lru_cache(maxsize=1024)
def open_edges(board: Board, conquered: int) -> int:
    """The edges on which R3 lets a road lie as far as conquests go."""
    found = 0
    for number, edge in enumerate(board.edges):
        if not edge.regions & ~conquered or edge.touched & conquered:
            found |= 1 << number
    return found


@lru_cache(maxsize=1024)
def border_sites(board: Board, conquered: int) -> int:
    """The sites that touch a conquered region."""
    found = 0
    for number, site in enumerate(board.sites):
        if site.regions & conquered:
            found |= 1 << number
    return found


@lru_cache(maxsize=4096)
def touched(board: Board, sites: int) -> int:
    return board.touched(sites)


@lru_cache(maxsize=1024)
def in_the_way(board: Board, roads: int) -> int:
    """The wild segments that cross one of these roads."""
    found = 0
    for edge in bits(roads & board.segments):
        found |= board.crossing[edge]
    return found


def fresh(
    board: Board, options: dict[str, Any], colours: tuple[str, ...], order: tuple[int, ...]
) -> State:
    """The table before a marker or card is dealt."""
    seats = board.players
    return State(
        board=board,
        options=options,
        colours=colours,
        order=order,
        scores=(0,) * seats,
        standing=order,
        labour=(0,) * seats,
        hands=((),) * seats,
        pile=board.deck(options),
        types=(None,) * len(board.regions),
        spare=(),
        roads=tuple(1 << board.exits[colour] for colour in colours),
        sun=((),) * len(board.sectors),
        laid=(None,) * len(board.sectors),
        owned=(0,) * seats,
    )


def moved(state: State, seat: int, points: int) -> tuple[int, ...]:
    """The standing when a figure scores: where others stand it goes outermost, so behind them (the lead)."""
    score = state.scores[seat] + points
    others = [other for other in state.standing if other != seat]
    ahead = sum(state.scores[other] >= score for other in others)
    return (*others[:ahead], seat, *others[ahead:])


def next_layer(state: State) -> int | None:
    """The first in order who has a card and has not laid one in this phase (N-U2)."""
    laid = {seat for seat, _ in filter(None, state.laid)}
    waiting = (seat for seat in state.order if seat not in laid and state.hands[seat])
    return next(waiting, None)


def unseen_cards(state: State) -> list[str]:
    """The sun cards that may lie anywhere, once they are forgotten."""
    left = Counter(state.board.deck(state.options))
    laid = (card for _, card in filter(None, state.laid))
    left.subtract(chain(*state.hands, *state.sun, state.discard, laid))
    return sorted((+left).elements())
