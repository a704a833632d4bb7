"""What each seat may know. Names what is shown; whatever is not named stays hidden (N-D11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.kit.masks import bits
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.options import BOARD
from engine.tahuantinsuyu.position.referee_form import write_buildings, write_roads
from engine.tahuantinsuyu.printed_board import Board, board
from engine.tahuantinsuyu.progress import Progress, progress
from engine.tahuantinsuyu.rules import roads
from engine.tahuantinsuyu.rules.decide import to_act, winners
from engine.tahuantinsuyu.state import State
from engine.tahuantinsuyu.text import orders

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MarkerView:
    """`type` is None while the marker is face down."""

    type: str | None
    up: bool
    owner: int | None
    terrace: bool


@dataclass(frozen=True, slots=True)
class BuildingView:
    kind: str
    temple: bool


@dataclass(frozen=True, slots=True)
class LaidView:
    """A card laid face down; only who laid it knows which."""

    seat: int
    card: str | None


@dataclass(frozen=True, slots=True)
class TurnView:
    """`allowance` are the free roads of the seat's road action."""

    seat: int | None
    done: tuple[str, ...]
    allowance: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it, or as anybody may (`seat` None)."""

    seat: int | None
    seats: int
    options: dict[str, Any]
    colours: tuple[str, ...]
    order: tuple[int, ...]
    scores: tuple[int, ...]
    standing: tuple[int, ...]
    labour: tuple[int, ...]
    period: int
    step: int
    hand: tuple[str, ...] | None
    hand_sizes: tuple[int, ...]
    pile_size: int
    discard: tuple[str, ...]
    sun: dict[str, tuple[str, ...]]  # all sectors
    laid: dict[str, LaidView]
    cards: tuple[dict[str, int], ...]  # by seat, the open cards that affect it
    markers: dict[str, MarkerView]
    spare: int
    roads: tuple[tuple[Pair, ...], ...]  # besides the starting roads
    buildings: dict[str, BuildingView]
    joined: tuple[tuple[str, ...], ...]  # sites by seat
    ways: tuple[Pair, ...]  # where whoever is asked could lay a plain road
    turn: TurnView
    pizarro: int | None
    to_act: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]

    @property
    def board(self) -> Board:
        """What is printed on the table."""
        return board(self.seats, self.options[BOARD])


def view(state: State, seat: int | None) -> View:
    sectors = state.board.sectors
    return View(
        seat=seat,
        seats=state.seats,
        options=state.options,
        colours=state.colours,
        order=state.order,
        scores=state.scores,
        standing=state.standing,
        labour=state.labour,
        period=state.period,
        step=state.step,
        hand=None if seat is None else state.hands[seat],
        hand_sizes=tuple(map(len, state.hands)),
        pile_size=len(state.pile),
        discard=state.discard,
        sun=dict(zip(sectors, state.sun, strict=True)),
        laid={
            sector: LaidView(laid[0], laid[1] if laid[0] == seat and laid[1] != UNSEEN else None)
            for sector, laid in zip(sectors, state.laid, strict=True)
            if laid
        },
        cards=tuple(dict(sorted(state.cards(one).items())) for one in range(state.seats)),
        markers=markers(state),
        spare=len(state.spare),
        roads=tuple(tuple((a, b) for a, b in row) for row in write_roads(state)),
        buildings={site: BuildingView(**built) for site, built in write_buildings(state).items()},
        joined=tuple(joined(state, one) for one in range(state.seats)),
        ways=ways(state),
        turn=turn(state),
        pizarro=state.pizarro if state.over else None,
        to_act=to_act(state),
        over=state.over,
        winners=winners(state),
    )


def markers(state: State) -> dict[str, MarkerView]:
    owners = {n: seat for seat, owned in enumerate(state.owned) for n in bits(owned)}
    return {
        region.id: MarkerView(
            type=state.types[number] if state.up >> number & 1 else None,
            up=bool(state.up >> number & 1),
            owner=owners.get(number),
            terrace=bool(state.terraces >> number & 1),
        )
        for number, region in enumerate(state.board.regions)
        if not region.colour
    }


def joined(state: State, seat: int) -> tuple[str, ...]:
    return tuple(state.board.sites[number].id for number in bits(state.joined(seat)))


def ways(state: State) -> tuple[Pair, ...]:
    if state.turn.seat is None or state.phase != "people":
        return ()
    return state.board.pairs(roads.plain(state, state.turn.seat))


def turn(state: State) -> TurnView:
    seat = state.turn.seat
    allowance = 0 if seat is None else roads.allowance(state, seat)
    done = state.turn.done
    return TurnView(seat, tuple(map(orders.write, done)), allowance, progress(done))


def show(seen: View) -> dict[str, Any]:
    """A view as JSON, with the keys of a position; what is hidden is a number or null."""
    hands: list[Any] = list(seen.hand_sizes)
    if seen.seat is not None and seen.hand is not None:
        hands[seen.seat] = list(seen.hand)
    return {
        "seats": seen.seats,
        "options": dict(seen.options),
        "colours": list(seen.colours),
        "order": list(seen.order),
        "scores": list(seen.scores),
        "standing": list(seen.standing),
        "labour": list(seen.labour),
        "period": seen.period,
        "step": seen.step,
        "hands": hands,
        "pile": seen.pile_size,
        "discard": list(seen.discard),
        "sun": {sector: list(cards) for sector, cards in seen.sun.items() if cards},
        "laid": {s: {"seat": laid.seat, "card": laid.card} for s, laid in seen.laid.items()},
        "markers": {
            region: {
                "type": marker.type,
                "up": marker.up,
                "owner": marker.owner,
                "terrace": marker.terrace,
            }
            for region, marker in seen.markers.items()
        },
        "spare": seen.spare,
        "roads": [[list(pair) for pair in pairs] for pairs in seen.roads],
        "buildings": {
            site: {"kind": built.kind, "temple": built.temple}
            for site, built in seen.buildings.items()
        },
        "turn": {"seat": seen.turn.seat, "done": list(seen.turn.done)},
        "pizarro": seen.pizarro,
        "over": seen.over,
    }
