"""How each event changes the position. Nothing here refuses and nothing knows a rule."""

from __future__ import annotations

from typing import Any

from engine.core.game import amend
from engine.cuzco import events as e
from engine.cuzco.board import Temple
from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.hexes import bit
from engine.cuzco.position.complete_form import build
from engine.cuzco.state import UNSEEN, Festival, State, Turn, fresh
from engine.kit.editions import played_by
from engine.kit.rows import add, put, without


def evolve(edition: Edition, state: State, event: Any) -> State:
    """The state after one event. Checks nothing: events are facts."""
    match event:
        case e.IncaMoved(seat, origin, to, cost):  # by far the most frequent
            places = state.edition.layout.index
            step = 1 << places[origin] | 1 << places[to]
            return amend(state, incas=stood(state, seat, step), turn=spend(state, cost))
        case e.TilePlaced():
            return place(state, event)
        case e.IncaEntered(seat, at, cost) | e.IncaLeft(seat, at, cost):
            step = bit(index(state, at))
            return amend(state, incas=stood(state, seat, step), turn=spend(state, cost))
        case e.PondClosed(_, seat, points):
            return state if seat is None else amend(state, scores=add(state.scores, seat, points))
        case e.TempleBuilt(seat, at, value, floors, points, cost):
            return raise_temple(state, seat, at, value, floors, points, cost)
        case e.TempleExpanded(seat, at, _, value, floors, points, cost):
            return raise_temple(state, seat, at, value, floors, points, cost)
        case e.BasinLaid(_, at, cost):
            supply = amend(state.supply, basins=state.supply.basins - 1)
            board = state.board.with_basin(index(state, at))
            return amend(state, board=board, supply=supply, turn=spend(state, cost))
        case e.TokenUsed(seat, ap):
            stock = amend(state.stocks[seat], tokens=state.stocks[seat].tokens - 1)
            turn = amend(state.turn, token=True, ap=state.turn.ap + ap)
            return amend(state, stocks=put(state.stocks, seat, stock), turn=turn)
        case e.TurnBegan(seat, ap, idle):
            return amend(state, turn=Turn(seat=seat, ap=ap, idle=idle))
        case e.TurnEnded():
            return state
    return evolve_cards(edition, state, event)


def evolve_cards(edition: Edition, state: State, event: Any) -> State:
    """The events of cards and festivals."""
    match event:
        case e.OpenCardTaken(seat, card, cost):
            turn = amend(spend(state, cost), drawn=state.turn.drawn + 1)
            return amend(state, hands=gain(state, seat, (card,)), open=None, turn=turn)
        case e.CardDrawn(seat, cost, refilled, card):
            state = refill(state) if refilled else state
            turn = amend(spend(state, cost), drawn=state.turn.drawn + 1)
            pile = without(state.pile, (card,))
            return amend(state, hands=gain(state, seat, (card,)), pile=pile, turn=turn)
        case e.CardTurned(card, refilled):
            state = refill(state) if refilled else state
            under = () if state.open is None else (state.open,)
            discard = tuple(sorted(state.discard + under))
            return amend(state, pile=without(state.pile, (card,)), open=card, discard=discard)
        case e.HandDealt(seat, count, cards):
            dealt: tuple[str | None, ...] = cards or (None,) * count
            return amend(state, hands=gain(state, seat, dealt), pile=without(state.pile, dealt))
        case e.FestivalProposed(seat, at, _, _, cards):
            played = put(((),) * state.seats, seat, cards)
            festival = Festival(at, seat, played, answered=spoken(state, seat))
            hands = put(state.hands, seat, without(state.hands[seat], cards))
            return amend(state, festival=festival, hands=hands)
        case e.AnswerAsked() | e.BidMade() | e.FestivalHeld() | e.DroppedOut() | e.FestivalEnded():
            return evolve_festival(state, state.festival, event)
    return evolve_end(edition, state, event)


def evolve_festival(state: State, festival: Any, event: Any) -> State:
    """The events while bids run."""
    match event:
        case e.AnswerAsked(seat):
            return amend(state, festival=amend(festival, asked=seat))
        case e.BidMade(seat, cards):
            played = put(festival.played, seat, tuple(sorted(festival.played[seat] + cards)))
            hands = put(state.hands, seat, without(state.hands[seat], cards))
            bid = amend(festival, played=played, answered=spoken(state, seat), asked=None)
            return amend(state, festival=bid, hands=hands)
        case e.FestivalHeld(seat):
            held = tuple(sorted((*festival.answered, seat)))
            return amend(state, festival=amend(festival, answered=held, asked=None))
        case e.DroppedOut(seat):
            out = tuple(sorted((*festival.out, seat)))
            return amend(state, festival=amend(festival, out=out, asked=None))
        case e.FestivalEnded(at, hosts, points, discarded):
            scores = state.scores
            for host in hosts:
                scores = add(scores, host, points)
            board = state.board.with_disc(index(state, at))
            discard = tuple(sorted(state.discard + discarded))
            return amend(state, festival=None, board=board, scores=scores, discard=discard)
    raise TypeError(f"not an event of a festival: {event!r}")


def evolve_end(edition: Edition, state: State, event: Any) -> State:
    """The events that begin and end a match."""
    match event:
        case e.SetUp(seats, options):
            return fresh(edition, seats, played_by(edition.options, options))
        case e.PositionSet(position):
            return build(edition, position or {})
        case e.LastRoundOpened(seat):
            return amend(state, opened_by=seat, turn=amend(state.turn, idle=0))
        case e.FinalScored(seat, _, points):
            scored = tuple(sorted((*state.scored, seat)))
            return amend(state, scored=scored, scores=add(state.scores, seat, points))
        case e.MatchEnded():
            return state
    raise TypeError(f"not an event of {edition.name}: {event!r}")


STOCK_OF = {"double": "doubles", "crop": "crops", "village": "villages"}


def place(state: State, event: e.TilePlaced) -> State:
    board = state.board.with_tile(state.edition.layout.placements[event.tile, event.at])
    turn = amend(state.turn, ap=state.turn.ap - event.cost, laid=True)
    if event.tile == "triple":
        supply = amend(state.supply, triples=state.supply.triples - 1)
        return amend(state, board=board, turn=turn, supply=supply)
    kind, stock = STOCK_OF[event.tile], state.stocks[event.seat]
    left = amend(stock, **{kind: getattr(stock, kind) - 1})
    return amend(state, board=board, turn=turn, stocks=put(state.stocks, event.seat, left))


def raise_temple(
    state: State, seat: int, at: str, value: int, floors: tuple[int, ...], points: int, cost: int
) -> State:
    hex_ = index(state, at)
    left = tuple(
        count - floors.count(v) for v, count in zip(VALUES, state.supply.floors, strict=True)
    )
    return amend(
        state,
        board=state.board.with_temple(hex_, Temple(value)),
        supply=amend(state.supply, floors=left),
        scores=add(state.scores, seat, points),
        turn=amend(spend(state, cost), changed=state.turn.changed | bit(hex_)),
    )


def stood(state: State, seat: int, mask: int) -> tuple[int, ...]:
    """Where everybody stands when Incas of `seat` have come to or gone from the hexes of `mask`."""
    return put(state.incas, seat, state.incas[seat] ^ mask)


def spend(state: State, cost: int) -> Turn:
    """The turn after a cost; most walks have none."""
    return amend(state.turn, ap=state.turn.ap - cost) if cost else state.turn


def refill(state: State) -> State:
    """The discards become the pile (C-D2)."""
    return amend(state, pile=state.discard, discard=())


def gain(state: State, seat: int, cards: tuple[str | None, ...]) -> tuple[tuple[str, ...], ...]:
    hand = tuple(sorted((*state.hands[seat], *(card or UNSEEN for card in cards))))
    return put(state.hands, seat, hand)


def index(state: State, name: str) -> int:
    return state.edition.layout.index[name]


def spoken(state: State, bidder: int) -> tuple[int, ...]:
    """Who owes no answer after a bid: where the last bidder has a word of his own (C-F3), nobody."""
    return () if state.edition.last_word else (bidder,)
