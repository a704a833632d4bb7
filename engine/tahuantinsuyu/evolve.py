"""How each event changes the position. Nothing here refuses and nothing knows a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core.game import amend
from engine.kit.editions import played_by
from engine.kit.rows import add, put, without
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.options import BOARD, OPTIONS
from engine.tahuantinsuyu.position import complete_form
from engine.tahuantinsuyu.printed_board import board, mask
from engine.tahuantinsuyu.state import State, Turn, fresh, moved


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
        case e.TerraceBuilt(seat, region):
            paid = spend(state, event, a.BuildTerrace(seat, region))
            return amend(paid, terraces=paid.terraces | region_mask(state, (region,)))
        case e.PilgrimageMade(seat, kind, instead):
            return score(noted(state, a.GoOnPilgrimage(seat, kind, instead), 0), event)
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
        case e.EmpireScored():
            return score(state, event)
        case e.LabourReturned(seat, labour):
            return amend(state, labour=add(state.labour, seat, -labour))
        case e.PizarroCame(phase):
            return amend(state, pizarro=phase)
        case e.MatchEnded():
            return amend(state, over=True, turn=Turn())
        case e.SetUp(seats, options, colours, order):
            chosen = played_by(OPTIONS, options)
            return fresh(board(seats, chosen[BOARD]), chosen, colours, order)
        case e.PositionSet(form):
            return complete_form.build(form or {})
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
    order = a.BuildRoad(event.seat, event.pair, event.wild, event.bought)
    laid = state.roads[event.seat] | 1 << state.board.edge_index[event.pair]
    paid = noted(state, order, event.cost)
    return amend(paid, roads=put(state.roads, event.seat, laid))


def conquest(state: State, event: e.RegionConquered) -> State:
    seat, taken = event.seat, region_mask(state, (event.region,))
    paid = spend(state, event, a.Conquer(seat, event.region))
    return amend(paid, owned=put(state.owned, seat, state.owned[seat] | taken))


def building(state: State, event: Any) -> State:
    verb = BUILT[type(event)]
    bit = 1 << state.board.site_index[event.at]
    paid = spend(state, event, a.Build(event.seat, verb, event.at))
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


def spend(state: State, event: Any, order: a.Order) -> State:
    """The state after an order of a People turn that scores: paid, scored and noted."""
    return score(noted(state, order, event.cost), event)


def noted(state: State, order: a.Order, cost: int) -> State:
    seat = order.seat
    return amend(
        state,
        labour=add(state.labour, seat, -cost) if cost else state.labour,
        turn=Turn(seat, (*state.turn.done, order)),
    )


def score(state: State, event: Any) -> State:
    """Moves a figure; a figure that scores nothing stays where it is."""
    seat, points = event.seat, event.points
    if not points:
        return state
    standing = event.standing or moved(state, seat, points)
    return amend(state, scores=add(state.scores, seat, points), standing=standing)


# Rows and heaps


def region_mask(state: State, names: Iterable[str]) -> int:
    return mask(state.board.region_index[name] for name in names)


def gain(cards: tuple[str, ...], new: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted((*cards, *(card or UNSEEN for card in new))))
