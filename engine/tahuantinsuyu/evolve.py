"""How each event changes the position. Nothing here refuses and nothing knows a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core.game import amend
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu import position
from engine.tahuantinsuyu.board import board, mask
from engine.tahuantinsuyu.state import UNSEEN, State, Turn, fresh


def evolve(state: State, event: Any) -> State:
    """The state after one event. Checks nothing: events are facts."""
    match event:
        case e.RoadBuilt():
            return road(state, event)
        case e.MarkersTurned(regions, types):
            found = list(state.types)
            for name, kind in zip(regions, types, strict=True):
                found[state.board.region_index[name]] = kind
            return amend(state, types=tuple(found), up=state.up | region_mask(state, regions))
        case e.RegionConquered():
            return conquest(state, event)
        case e.TerraceBuilt(seat, region, cost, points):
            paid = spend(state, seat, cost, points, f"terrace {region}")
            return amend(paid, terraces=paid.terraces | region_mask(state, (region,)))
        case e.PilgrimageMade(seat, kind, instead, points):
            return spend(state, seat, 0, points, f"pilgrimage {kind} for {instead}")
        case e.TurnBegan(seat) | e.CardAsked(seat):
            return amend(state, turn=Turn(seat))
        case e.TurnEnded():
            return amend(state, turn=Turn())
        case e.CityFounded() | e.TempleBuilt() | e.GarrisonBuilt() | e.GarrisonUpgraded():
            return building(state, event)
    return evolve_cards(state, event)


def evolve_cards(state: State, event: Any) -> State:
    """The events of the Sun phase."""
    match event:
        case e.CardLaid(seat, sector, card):
            hands = put(state.hands, seat, without(state.hands[seat], (card,)))
            laid = put(state.laid, state.board.sectors.index(sector), (seat, card or UNSEEN))
            return amend(state, hands=hands, laid=laid)
        case e.CardDrawn(seat, refilled, card):
            pile = state.discard if refilled else state.pile
            discard = () if refilled else state.discard
            hands = put(state.hands, seat, gain(state.hands[seat], (card,)))
            return amend(state, hands=hands, pile=without(pile, (card,)), discard=discard)
        case e.CardsTurned(sectors, cards):
            sun = state.sun
            for sector, card in zip(sectors, cards, strict=True):
                number = state.board.sectors.index(sector)
                sun = put(sun, number, gain(sun[number], (card,)))
            return amend(state, sun=sun, laid=(None,) * len(sun), turn=Turn())
        case e.RoadsDestroyed(seat, roads):
            lost = mask(state.board.edge_index[a, b] for a, b in roads)
            return amend(state, roads=put(state.roads, seat, state.roads[seat] & ~lost))
        case e.SupportGained(seat, labour):
            return amend(state, labour=add(state.labour, seat, labour))
        case e.OrderSet(order):
            return amend(state, order=order)
        case e.SunCleared(cards):
            discard = tuple(sorted(state.discard + cards))
            return amend(state, sun=((),) * len(state.sun), discard=discard)
    return evolve_periods(state, event)


def evolve_periods(state: State, event: Any) -> State:
    """The events of the other phases that nobody plays, of the beginning and of the end."""
    match event:
        case e.PhaseBegan(period, step):
            return amend(state, period=period, step=step, turn=Turn())
        case e.LabourReceived(seat, labour=labour):
            return amend(state, labour=add(state.labour, seat, labour))
        case e.AidGiven(giver, taker, labour):
            return amend(state, labour=add(add(state.labour, giver, -labour), taker, labour))
        case e.EmpireScored(seat, points=points):
            return score(state, seat, points)
        case e.LabourReturned(seat, labour):
            return amend(state, labour=add(state.labour, seat, -labour))
        case e.PizarroCame(phase):
            return amend(state, pizarro=phase)
        case e.MatchEnded():
            return amend(state, over=True, turn=Turn())
        case e.SetUp(seats, options, colours, order):
            return fresh(board(seats), options, colours, order)
        case e.PositionSet(form):
            return position.read(form)
        case e.MarkersDealt(types, spare):
            dealt = types or {}
            found = tuple(dealt.get(region.id) for region in state.board.regions)
            unseen = (UNSEEN,) * state.board.spare_markers
            return amend(state, types=found, spare=unseen if spare is None else spare)
        case e.PizarroSetOut(phase):
            return amend(state, pizarro=phase)
        case e.HandDealt(seat, count, cards):
            given: tuple[str | None, ...] = cards or (None,) * count
            hands = put(state.hands, seat, gain(state.hands[seat], given))
            return amend(state, hands=hands, pile=without(state.pile, given))
    raise TypeError(f"not an event of Tahuantinsuyu: {event!r}")


# People turns


def road(state: State, event: e.RoadBuilt) -> State:
    verb = ("buy " if event.bought else "") + ("wild" if event.wild else "road")
    one, other = event.pair
    laid = state.roads[event.seat] | 1 << state.board.edge_index[event.pair]
    paid = spend(state, event.seat, event.cost, 0, f"{verb} {one} {other}")
    return amend(paid, roads=put(state.roads, event.seat, laid))


def conquest(state: State, event: e.RegionConquered) -> State:
    seat, taken = event.seat, region_mask(state, (event.region,))
    paid = spend(state, seat, event.cost, event.points, f"conquer {event.region}")
    return amend(paid, owned=put(state.owned, seat, state.owned[seat] | taken))


def building(state: State, event: Any) -> State:
    verb = BUILT[type(event)]
    bit = 1 << state.board.site_index[event.at]
    paid = spend(state, event.seat, event.cost, event.points, f"{verb} {event.at}")
    match verb:
        case "city":
            return amend(paid, cities=state.cities | bit)
        case "garrison":
            return amend(paid, garrisons=state.garrisons | bit)
        case "temple":
            return amend(paid, temples=state.temples | bit)
    return amend(paid, garrisons=state.garrisons & ~bit, cities=state.cities | bit)


BUILT: dict[type, str] = {
    e.CityFounded: "city",
    e.GarrisonBuilt: "garrison",
    e.TempleBuilt: "temple",
    e.GarrisonUpgraded: "upgrade",
}


def spend(state: State, seat: int, cost: int, points: int, order: str) -> State:
    """The state after an order of a People turn: paid, scored and noted."""
    paid = amend(
        state,
        labour=add(state.labour, seat, -cost) if cost else state.labour,
        turn=Turn(seat, (*state.turn.done, order)),
    )
    return score(paid, seat, points)


def score(state: State, seat: int, points: int) -> State:
    """Moves a figure; where others stand it goes outermost, so behind them (the lead)."""
    if not points:
        return state
    scores = add(state.scores, seat, points)
    others = [other for other in state.standing if other != seat]
    ahead = sum(scores[other] >= scores[seat] for other in others)
    return amend(state, scores=scores, standing=(*others[:ahead], seat, *others[ahead:]))


# Rows and heaps


def region_mask(state: State, names: Iterable[str]) -> int:
    return mask(state.board.region_index[name] for name in names)


def put(row: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """`row` with one place changed."""
    return (*row[:at], value, *row[at + 1 :])


def add(row: tuple[int, ...], at: int, amount: int) -> tuple[int, ...]:
    return put(row, at, row[at] + amount)


def gain(cards: tuple[str, ...], new: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted((*cards, *(card or UNSEEN for card in new))))


def without(cards: tuple[str, ...], gone: Iterable[str | None]) -> tuple[str, ...]:
    """`cards` less those; for one that a redacted record never named, any will do for counting."""
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else left[-1])
    return tuple(left)
