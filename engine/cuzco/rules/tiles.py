"""Laying tiles (C-P): every legal placement at once, and why one is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, compress, filterfalse

from engine.cuzco.actions import PlaceTile
from engine.cuzco.board import Board
from engine.cuzco.hexes import flags
from engine.cuzco.printed_board import Placement, Shape
from engine.cuzco.state import State

KINDS = ("triple", "double", "village", "crop")


def placements(
    state: State, ap: int, closed: int | None = None, board: Board | None = None
) -> Iterator[Placement]:
    """Every way in which the player may lay a tile with `ap`.

    `closed` and `board` may be given as they would be after an order that is being weighed (C-A3).
    """
    board = board or state.board
    if ap < 1:
        return iter(())
    closed = state.closed if closed is None else closed
    planes = [plane & ~closed for plane in board.planes]
    if ap == 1:
        planes[0] &= board.layout.site  # reaching over the border costs more (C-P7)
    shapes = (s for tile in KINDS if owned(state, tile) for s in board.layout.shapes[tile])
    return chain.from_iterable(of_shape(board, shape, planes, ap) for shape in shapes)


def of_shape(board: Board, shape: Shape, planes: list[int], ap: int) -> Iterable[Placement]:
    anchors = 0
    for plane in planes:
        anchors |= shape.level(plane)
    if ap == 2:
        anchors &= ~shape.twice(planes[0] & board.layout.ring)
    anchors &= ~board.stacked.get(shape, 0)
    ways = chain.from_iterable(compress(shape.table, flags(anchors)))
    barred = joining(board, shape, anchors)
    return filterfalse(barred.__contains__, ways) if barred else ways


def joining(board: Board, shape: Shape, anchors: int) -> set[Placement]:
    """The ways to lay a tile from these anchors that would leave two cities joined (C-P6)."""
    if not board.joints:
        return set()
    near = compress(shape.table, flags(anchors & shape.touching(board.joints)))
    ways = chain.from_iterable(near)
    return {way for way in ways if way.village & board.joints and board.joins_cities(way)}


def owned(state: State, tile: str) -> int:
    """How many tiles of that kind the player could take."""
    stock = state.stocks[state.turn.seat]
    match tile:
        case "triple":
            return state.supply.triples
        case "double":
            return stock.doubles
        case "village":
            return stock.villages
    return stock.crops


def cost(board: Board, placement: Placement) -> int:
    """1 AP, and 1 more for each bare ring hex (C-P7)."""
    return 1 + (placement.mask & board.layout.ring & board.planes[0]).bit_count()


def check(state: State, action: PlaceTile) -> Placement:
    """The placement that `action` asks for, or why it may not be laid."""
    check_owned(state, action.tile)
    placement = find(state, action)
    check_ground(state, placement)
    board, edition, price = state.board, state.edition, cost(state.board, placement)
    if price > state.turn.ap:
        raise edition.refusal(
            "P7" if price > 1 else "P2",
            "Laying this tile costs {price} AP (1, and 1 for each bare hex beyond the border);"
            " you have {ap}.",
            price=price,
            ap=state.turn.ap,
        )
    if placement.mask in board.whole:
        raise edition.refusal("P5", "A tile may not lie exactly on one tile of the same shape.")
    if board.joins_cities(placement):
        raise edition.refusal(
            "P6", "This tile would leave 2 cities joined; a city holds 1 {temple} only."
        )
    return placement


def check_owned(state: State, tile: str) -> None:
    if owned(state, tile):
        return
    if tile == "triple":
        raise state.edition.refusal("P1", "There are 0 triple tiles left in the supply.")
    raise state.edition.refusal(
        "P1", "You have 0 {tile} tiles left.", tile=state.edition.words.get(tile, tile)
    )


def find(state: State, action: PlaceTile) -> Placement:
    """The placement with these hexes, if a tile can have that form at all."""
    layout = state.edition.layout
    placement = layout.placements.get((action.tile, action.at))
    if placement:
        return placement
    names = " ".join(action.at)
    if not layout.mask(action.at) & layout.site:
        raise state.edition.refusal(
            "P8", "A tile must cover at least 1 hex of {site}; {hexes} has 0.", hexes=names
        )
    raise state.edition.refusal(
        "P1",
        "The {count} hexes of a {tile} tile must touch each other; {hexes} do not.",
        count=len(action.at),
        tile=action.tile,
        hexes=names,
    )


def check_ground(state: State, placement: Placement) -> None:
    """Nothing stands on the hexes (C-P3) and they are level (C-P4)."""
    board, edition, layout = state.board, state.edition, state.edition.layout
    if taken := state.all_incas & placement.mask:
        where = layout.named(taken)[0]
        raise edition.refusal("P3", "{hex} is taken by {an_inca}; no tile may cover it.", hex=where)
    if taken := board.basins & placement.mask:
        where = layout.named(taken)[0]
        raise edition.refusal("P3", "{hex} is a basin; no tile may cover it.", hex=where)
    if taken := board.temple_hexes & placement.mask:
        where = layout.named(taken)[0]
        raise edition.refusal("P3", "{hex} bears a {temple}; no tile may cover it.", hex=where)
    heights = [(layout.names[h], board.level(h)) for h in placement.hexes]
    if len({level for _, level in heights}) > 1:
        raise edition.refusal(
            "P4",
            "All hexes under a tile must have one level; here they have {heights}.",
            heights=", ".join(f"{name} {level}" for name, level in heights),
        )
