"""What each seat may know. Names what is shown; whatever is not named stays hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.codec import encode
from engine.cuzco.edition import Edition
from engine.cuzco.rules.decide import to_act, winners
from engine.cuzco.rules.festivals import highest, own, still_in
from engine.cuzco.state import State, Stock


@dataclass(frozen=True, slots=True)
class TempleView:
    value: int
    disc: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class SupplyView:
    triples: int
    basins: int
    floors: dict[str, int]


@dataclass(frozen=True, slots=True)
class TurnView:
    seat: int
    ap: int
    laid: bool
    drawn: int
    token: bool
    idle: int


@dataclass(frozen=True, slots=True)
class LastView:
    opened_by: int | None
    scored: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FestivalView:
    """`totals` are FP by seat; who is not in `present` has no Inca in the city or has dropped out."""

    at: str
    proposer: int
    played: tuple[tuple[str, ...], ...]
    totals: tuple[int, ...]
    highest: int
    present: tuple[int, ...]
    out: tuple[int, ...]
    asked: int | None
    answered: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it, or as anybody may (`seat` None)."""

    seat: int | None
    seats: int
    options: dict[str, Any]
    tiles: tuple[tuple[str, ...], ...]  # kind, village hex, crops; in laying order
    basins: tuple[str, ...]  # the printed ones too
    temples: dict[str, TempleView]
    incas: tuple[tuple[str, ...], ...]  # hexes by seat
    hand: tuple[str, ...] | None
    hand_sizes: tuple[int, ...]
    open: str | None
    pile_size: int
    discard: tuple[str, ...]
    scores: tuple[int, ...]
    stock: tuple[Stock, ...]
    supply: SupplyView
    turn: TurnView
    last: LastView
    festival: FestivalView | None
    to_act: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]


def view(state: State, seat: int | None) -> View:
    layout, turn = state.edition.layout, state.turn
    return View(
        seat=seat,
        seats=state.seats,
        options=state.options,
        tiles=tuple((placed.tile, *placed.names) for placed in state.board.tiles),
        basins=layout.named(state.board.basins),
        temples=temples(state),
        incas=tuple(layout.named(mask) for mask in state.incas),
        hand=None if seat is None else state.hands[seat],
        hand_sizes=tuple(map(len, state.hands)),
        open=state.open,
        pile_size=len(state.pile),
        discard=state.discard,
        scores=state.scores,
        stock=state.stocks,
        supply=supply(state),
        turn=TurnView(turn.seat, turn.ap, turn.laid, turn.drawn, turn.token, turn.idle),
        last=LastView(state.opened_by, state.scored),
        festival=festival(state),
        to_act=to_act(state),
        over=state.over,
        winners=winners(state),
    )


def temples(state: State) -> dict[str, TempleView]:
    names, changed = state.edition.layout.names, state.turn.changed
    return {
        names[hex_]: TempleView(temple.value, temple.disc, bool(changed >> hex_ & 1))
        for hex_, temple in sorted(state.board.temples.items())
    }


def supply(state: State) -> SupplyView:
    common = state.supply
    floors = {str(2 * (i + 1)): count for i, count in enumerate(common.floors)}
    return SupplyView(common.triples, common.basins, floors)


def festival(state: State) -> FestivalView | None:
    feast = state.festival
    if feast is None:
        return None
    return FestivalView(
        at=feast.at,
        proposer=feast.proposer,
        played=feast.played,
        totals=tuple(own(state, feast, seat) for seat in range(state.seats)),
        highest=highest(state, feast),
        present=still_in(state, feast),
        out=feast.out,
        asked=feast.asked,
        answered=feast.answered,
    )


def show(edition: Edition, seen: View) -> dict[str, Any]:
    """A view as JSON, in the words that the positions of this edition use."""
    shown: dict[str, Any] = renamed(encode(seen), edition.words)
    return shown


def renamed(data: Any, words: Any) -> Any:
    if isinstance(data, dict):
        return {words.get(key, key): renamed(value, words) for key, value in data.items()}
    if isinstance(data, list):
        return [renamed(item, words) for item in data]
    return words.get(data, data) if isinstance(data, str) else data
