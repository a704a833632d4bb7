"""What a position promises a seat: how the bots of Tahuantinsuyu see a table that they may know."""

from __future__ import annotations

from functools import lru_cache

from engine.kit.masks import bits
from engine.tahuantinsuyu.options import EARLY_DECLINE
from engine.tahuantinsuyu.printed_board import Board
from engine.tahuantinsuyu.state import State, border_sites, network, open_edges, touched

LABOUR = 0.62  # what one labour is worth in VP while there is time to use it
USED = 5.0  # how much labour a phase can use
FAR = 4  # roads beyond which nothing is hoped for
DISCOUNT = (1.0, 0.72, 0.5, 0.34, 0.22)
CONTESTED = 0.62  # what is left of a hope when others may come first
RIVALS = 0.4  # how much what others have counts against what one has
UNKNOWN = 2.6  # what a marker face down is taken for


@lru_cache(maxsize=256)
def left(board: Board, decline: bool, period: int, step: int) -> tuple[int, int, int, int]:
    """What is to come: Inca, Sapa Inca and People phases, and the labour of the eras."""
    counts, resources = {"inca": 0, "sapa": 0, "people": 0, "sun": 0}, 0
    for number, column in enumerate(board.periods):
        if number < period or (decline and column.skipped):
            continue
        for place, phase in enumerate(column.phases):
            if number > period or place > step:
                counts[phase] += 1
                resources += column.resources if phase == "inca" else 0
    return counts["inca"], counts["sapa"], counts["people"], resources


def standing_worth(state: State, seat: int) -> float:
    """Points, and what the joined empire will give if nothing changes."""
    _, sapas, _, _ = ahead(state)
    joined = state.joined(seat)
    each = (
        3 * (state.cities & joined).bit_count()
        + 2 * (state.garrisons & joined).bit_count()
        + (state.temples & joined).bit_count()
        + (state.owned[seat] & state.terraces).bit_count()
    )
    return state.scores[seat] + sapas * each


def ahead(state: State) -> tuple[int, int, int, int]:
    return left(state.board, state.options[EARLY_DECLINE], state.period, state.step)


def outlook(state: State, seat: int) -> float:
    """What the seat can hope for, less a part of what the others have."""
    others = [standing_worth(state, other) for other in range(state.seats) if other != seat]
    own = standing_worth(state, seat) + wealth(state, seat) + hopes(state, seat)
    return own - RIVALS * (sum(others) / len(others) + max(others)) / 2


def wealth(state: State, seat: int) -> float:
    """The labour there is and will be, as far as the phases left can use it."""
    incas, _, peoples, resources = ahead(state)
    income = (
        sum(state.board.markers[str(state.types[n])].labour for n in bits(state.owned[seat]))
        + (state.owned[seat] & state.terraces).bit_count()
    )
    labour = state.labour[seat] + incas * income + resources
    useful = USED * (peoples + 0.5)
    return LABOUR * (min(labour, useful) + 0.15 * max(0.0, labour - useful))


# Hopes


def hopes(state: State, seat: int) -> float:
    """What roads and developments to come may bring: the best of them, as many as there are phases."""
    _, _, peoples, _ = ahead(state)
    if not peoples:
        return 0.0
    near = distances(state.board, state.roads[seat], state.all_roads, state.conquered)
    chances = sorted(developments(state, seat, near), reverse=True)
    return 0.5 * sum(chances[:peoples]) + joining(state, near)


@lru_cache(maxsize=8192)
def distances(board: Board, own: int, taken: int, conquered: int) -> tuple[int, ...]:
    """The sites by how many roads they are away: those joined, those one road further, and so on."""
    passable = board.slots & ~taken & open_edges(board, conquered) | own
    seen, edges = network(board, own)
    layers = [seen]
    for _ in range(FAR):
        layers.append(ends_of(board, edges & passable) & ~seen)
        seen |= layers[-1]
        passable &= ~edges
        edges = edges_at(board, layers[-1])
    return tuple(layers)


def ends_of(board: Board, edges: int) -> int:
    """The sites at these edges."""
    found, ends = 0, board.ends
    for edge in bits(edges):
        found |= ends[edge]
    return found


def edges_at(board: Board, sites: int) -> int:
    found, at_site = 0, board.at_site
    for site in bits(sites):
        found |= at_site[site]
    return found


def joining(state: State, near: tuple[int, ...]) -> float:
    """What buildings that stand already would give if they were joined."""
    _, sapas, _, _ = ahead(state)
    worth = 0.0
    for far, sites in enumerate(near[1:], 1):
        each = (
            3 * (state.cities & sites).bit_count()
            + 2 * (state.garrisons & sites).bit_count()
            + (state.temples & sites).bit_count()
        )
        worth += DISCOUNT[far] * sapas * each
    return 0.8 * worth


def developments(state: State, seat: int, near: tuple[int, ...]) -> list[float]:
    """What each development in reach is worth, less its labour and discounted by its distance."""
    board, (incas, sapas, _, _) = state.board, ahead(state)
    found: list[float] = []
    built = state.cities | state.garrisons
    border = border_sites(board, state.conquered)
    for far, sites in enumerate(near):
        weight = DISCOUNT[far] * (1.0 if far == 0 else CONTESTED)
        ready = sites & border & ~built
        found += [weight * (4 + 3 * sapas - 6 * LABOUR)] * (board.kinds["city"] & ready).bit_count()
        found += [weight * (3 + 2 * sapas - 4 * LABOUR)] * (
            board.kinds["garrison"] & ready
        ).bit_count()
        for site in bits(state.cities & ~state.temples & sites):
            found.append(weight * CONTESTED * (4 + board.sites[site].bonus + sapas - 5 * LABOUR))
    terrace = 1 + sapas + (incas - 2) * LABOUR
    found += [terrace] * (state.owned[seat] & ~state.terraces).bit_count()
    return found + conquests(state, near, incas)


def conquests(state: State, near: tuple[int, ...], incas: int) -> list[float]:
    found, seen = [], state.conquered
    for far, sites in enumerate(near):
        weight = DISCOUNT[far] * (0.9 if far == 0 else CONTESTED)
        fresh = touched(state.board, sites) & ~seen
        seen |= fresh
        for region in bits(fresh):
            kind = state.types[region]
            if kind is None or not state.up >> region & 1:
                found.append(weight * (UNKNOWN + LABOUR * (1.8 * incas - 2.4)))
                continue
            marker = state.board.markers[kind]
            found.append(
                weight * (marker.points + LABOUR * (marker.labour * incas - marker.resistance))
            )
    return found
