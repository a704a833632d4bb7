"""The rules of Cuzco: what an action leads to, why it may not be done, and all that may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.core.chance import Chance
from engine.core.game import amend
from engine.cuzco import actions as a
from engine.cuzco import events as e
from engine.cuzco import scoring
from engine.cuzco.edition import AP, Edition
from engine.cuzco.evolve import evolve
from engine.cuzco.rules import duty, festivals, incas, temples, tiles
from engine.cuzco.rules.pile import drawn
from engine.cuzco.state import State, Turn
from engine.kit.rows import folded as fold

HAND = 3
MOST_DRAWN = 2


def setup(edition: Edition, seats: int, options: Mapping[str, Any], chance: Chance) -> list[Any]:
    """The table is laid, the cards are dealt and the first seat begins (C-S)."""
    events: list[Any] = [e.SetUp(seats, dict(options))]
    pile = list(edition.deck)

    def draw() -> str:
        card = chance.pick(pile)
        pile.remove(card)
        return card

    for seat in range(seats):
        cards = tuple(sorted(draw() for _ in range(HAND)))
        events.append(e.HandDealt(seat, HAND, cards))
    return [*events, e.CardTurned(draw(), refilled=False), e.TurnBegan(0, AP, 0)]


def to_act(state: State) -> tuple[int, ...]:
    """The seat whose turn it is, or which a festival asks; nobody once it is over."""
    if state.over:
        return ()
    if state.festival is not None and state.festival.asked is not None:
        return (state.festival.asked,)
    return (state.turn.seat,)


def imagine(state: State, seat: int) -> State:
    """The board as it lies, at the beginning of that seat's turn."""
    return amend(state, festival=None, turn=Turn(seat))


def awaited(state: State) -> str:
    return "turn" if state.festival is None else "festival"


def commits(_state: State, action: Any) -> bool:
    """Whether an action draws a card, or shows what others hold by what they answer or do not."""
    return isinstance(action, REVEALING)


REVEALING = (a.DrawOpen, a.DrawPile, a.ProposeFestival, a.Bid, a.Hold, a.Pass)


# What an action leads to


def decide(state: State, action: Any, chance: Chance) -> list[Any]:
    """The events that `action` causes, or a refusal."""
    if isinstance(action, a.Bid | a.Hold | a.Pass):
        return follow(state, festivals.answer(state, action, chance))
    if state.festival is not None:
        raise state.edition.refusal(
            "F3",
            "A festival is running in the city of {hex}: bid, hold or pass.",
            hex=state.festival.at,
        )
    if isinstance(action, a.ProposeFestival):
        duty.check_done(state)
        return follow(state, festivals.propose(state, action, chance))
    return DECIDE[type(action)](state, action, chance)


def follow(state: State, events: list[Any]) -> list[Any]:
    """What a festival's end brings with it: the proposer's turn is over."""
    after = folded(state, events)
    return events if after.festival else [*events, *turn_end(after)]


def place_tile(state: State, action: a.PlaceTile, _: Chance) -> list[Any]:
    placement = tiles.check(state, action)
    board = state.board.with_tile(placement)
    placed = e.TilePlaced(
        seat=action.seat,
        tile=action.tile,
        at=action.at,
        level=board.level(placement.hexes[0]),
        cost=tiles.cost(state.board, placement),
    )
    events = [placed, *scoring.closed_ponds(state, board)]
    if action.tile == "triple" and state.supply.triples == 1 and state.opened_by is None:
        events.append(e.LastRoundOpened(action.seat, idle=False))
    return events


def enter_inca(state: State, action: a.EnterInca, _: Chance) -> list[Any]:
    price = incas.check_enter(state, action.seat, action.at)
    pay(state, action, price, "M1")
    return [e.IncaEntered(action.seat, action.at, price)]


def leave_inca(state: State, action: a.LeaveInca, _: Chance) -> list[Any]:
    price = incas.check_leave(state, action.seat, action.at)
    pay(state, action, price, "M2")
    return [e.IncaLeft(action.seat, action.at, price)]


def move_inca(state: State, action: a.MoveInca, _: Chance) -> list[Any]:
    price = incas.check_move(state, action.seat, action.origin, action.to)
    pay(state, action, price, "M3")
    return [e.IncaMoved(action.seat, action.origin, action.to, price)]


def build_temple(state: State, action: a.BuildTemple, _: Chance) -> list[Any]:
    temples.check_build(state, action)
    pay(state, action, 1, "T1")
    floors, points = temples.floors_for(state, 0, action.value), action.value // 2
    return [e.TempleBuilt(action.seat, action.at, action.value, floors, points, 1)]


def expand_temple(state: State, action: a.ExpandTemple, _: Chance) -> list[Any]:
    was = temples.check_expand(state, action)
    pay(state, action, 1, "T1")
    floors, points = temples.floors_for(state, was, action.value), action.value // 2
    return [e.TempleExpanded(action.seat, action.at, was, action.value, floors, points, 1)]


def lay_basin(state: State, action: a.LayBasin, _: Chance) -> list[Any]:
    edition, hex_ = state.edition, state.edition.layout.index[action.at]
    if not state.supply.basins:
        raise edition.refusal("B1", "There are 0 basins left in the supply.")
    if not state.board.basin_room >> hex_ & 1:
        raise edition.refusal(
            "B1",
            "A basin lies on a bare hex of {site} off its border; {hex} is not one.",
            hex=action.at,
        )
    pay(state, action, 1, "B1")
    board = state.board.with_basin(hex_)
    return [e.BasinLaid(action.seat, action.at, 1), *scoring.closed_ponds(state, board)]


def draw_open(state: State, action: a.DrawOpen, chance: Chance) -> list[Any]:
    check_draw(state, action)
    if state.open is None:
        raise state.edition.refusal("D3", "No card lies open.")
    taken = e.OpenCardTaken(action.seat, state.open, 1)
    return [taken, festivals.turn_card(folded(state, [taken]), chance)]


def draw_pile(state: State, action: a.DrawPile, chance: Chance) -> list[Any]:
    check_draw(state, action)
    card, refilled = drawn(state, chance)
    return [e.CardDrawn(action.seat, 1, refilled, card)]


def check_draw(state: State, action: a.DrawOpen | a.DrawPile) -> None:
    if state.turn.drawn >= MOST_DRAWN:
        raise state.edition.refusal(
            "D1",
            "You have drawn {drawn} cards; {most} a turn is the most.",
            drawn=state.turn.drawn,
            most=MOST_DRAWN,
        )
    if not state.pile and not state.discard:
        raise state.edition.refusal(
            "D3", "The pile and the discards hold 0 cards; nothing can be drawn."
        )
    pay(state, action, 1, "D1")


def use_token(state: State, action: a.UseToken, _: Chance) -> list[Any]:
    if state.turn.token:
        raise state.edition.refusal("A1", "You have used 1 token; that is the most in a turn.")
    if not state.stocks[action.seat].tokens:
        raise state.edition.refusal("A1", "You have 0 tokens left.")
    return [e.TokenUsed(action.seat, 1)]


def end_turn(state: State, _: a.EndTurn, __: Chance) -> list[Any]:
    duty.check_done(state)
    return turn_end(state)


DECIDE: dict[type, Callable[[State, Any, Chance], list[Any]]] = {
    a.PlaceTile: place_tile,
    a.EnterInca: enter_inca,
    a.LeaveInca: leave_inca,
    a.MoveInca: move_inca,
    a.BuildTemple: build_temple,
    a.ExpandTemple: expand_temple,
    a.LayBasin: lay_basin,
    a.DrawOpen: draw_open,
    a.DrawPile: draw_pile,
    a.UseToken: use_token,
    a.EndTurn: end_turn,
}


def pay(state: State, action: Any, cost: int, clause: str) -> None:
    """The AP are there, and a due tile is not forestalled."""
    if cost > state.turn.ap:
        raise state.edition.refusal(
            clause, "This costs {cost} AP; you have {ap}.", cost=cost, ap=state.turn.ap
        )
    duty.check(state, action, cost)


def turn_end(state: State) -> list[Any]:
    """The turn is over: final scoring in the last round, then the next turn or the end (C-E)."""
    seat = state.turn.seat
    events: list[Any] = [e.TurnEnded(seat, state.turn.ap, state.turn.laid)]
    if state.opened_by is not None:
        events.append(scoring.final(state, seat))
    after = folded(state, events)
    if after.over:
        return [*events, e.MatchEnded(winners(after), after.scores)]
    next_seat = next(
        s
        for s in ((seat + step) % state.seats for step in range(1, state.seats + 1))
        if s not in after.scored
    )
    idle = 0 if state.turn.laid or state.opened_by is not None else state.turn.idle + 1
    if idle < state.seats:
        return [*events, e.TurnBegan(next_seat, AP, idle)]
    return [*events, e.TurnBegan(next_seat, AP, 0), e.LastRoundOpened(next_seat, idle=True)]


def winners(state: State) -> tuple[int, ...]:
    """The seats with the most PP once it is over; before, nobody."""
    if not state.over:
        return ()
    best = max(state.scores)
    return tuple(seat for seat, score in enumerate(state.scores) if score == best)


def folded(state: State, events: list[Any]) -> State:
    return fold(partial(evolve, state.edition), state, events)


def scores(state: State) -> tuple[int, ...]:
    return state.scores
