"""Festivals: what to propose at the end of a turn, and what to answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.core.chance import Chance
from engine.cuzco import actions as a
from engine.cuzco.bots.imagine import deal, unseen
from engine.cuzco.cards import total, worth
from engine.cuzco.edition import VALUES
from engine.cuzco.rules.festivals import guests, highest, own, still_in
from engine.cuzco.state import Festival, State
from engine.cuzco.view import View

SAMPLES = 12  # of what the others may hold
SHARING, OUTBID = 0.35, 0.2  # what a rival who can answer leaves of a share, and takes


def rivals_reach(state: State, view: View, chance: Chance) -> list[list[int]]:
    """For some imagined deals, the FP that each seat could still play."""
    cards = unseen(state.edition, view)
    deals = (deal(cards.copy(), view, chance)[0] for _ in range(SAMPLES))
    return [[total(hand, state.open) for hand in hands] for hands in deals]


def price(state: State, card_price: float) -> float:
    """What a card is worth for later: less and less towards the end."""
    if state.opened_by is not None:
        return 0.05
    return card_price * min(1.0, state.supply.triples / 12)


def proposal(
    state: State, seat: int, reach: list[list[int]], card_price: float
) -> tuple[float, a.ProposeFestival | None]:
    """The festival that promises most to its proposer, and how much."""
    best: tuple[float, a.ProposeFestival | None] = (0.0, None)
    hands = cheapest(state, seat)
    if not hands:
        return best
    names = state.edition.layout.names
    for hex_, city in state.board.cities.items():
        temple = state.board.temples[hex_]
        if temple.disc or not state.incas[seat] & city:
            continue
        at = names[hex_]
        others = guests(state, at, seat)
        for fp, cards in hands.items():
            gain = expected(state, temple.value, fp, others, reach, [0] * state.seats)
            gain -= price(state, card_price) * len(cards)
            if gain > best[0]:
                best = (gain, a.ProposeFestival(seat, at, cards))
            if not others:
                break
    return best


def expected(
    state: State,
    value: int,
    fp: int,
    others: Iterable[int],
    reach: list[list[int]],
    played: list[int],
) -> float:
    """The PP to expect with `fp` on the table: all of them if none of the others can reach it; if one can, a
    part of a share, less a part of what he has by outbidding."""
    step = VALUES.index(value)
    alone, shared = state.edition.alone[step], state.edition.shared[step]
    rivals = list(others)
    free = sum(all(played[s] + can[s] < fp for s in rivals) for can in reach) / len(reach)
    return free * alone + (1 - free) * (SHARING * shared - OUTBID * alone)


def cheapest(state: State, seat: int) -> Mapping[int, tuple[str, ...]]:
    """For every total of FP that the hand can make, the fewest cards that make it; low totals first."""
    return cheapest_of(state.hands[seat], state.open)


@lru_cache(maxsize=256)
def cheapest_of(hand: tuple[str, ...], open_card: str | None) -> Mapping[int, tuple[str, ...]]:
    """The same of any hand: the plans of a turn mostly hold one and the same."""
    found: dict[int, tuple[str, ...]] = {0: ()}
    for card in hand:
        fp = worth(card, open_card)
        if fp:
            for have, cards in sorted(found.items(), reverse=True):
                known = found.get(have + fp)
                if known is None or len(known) > len(cards) + 1:
                    found[have + fp] = tuple(sorted((*cards, card)))
    found.pop(0)
    return dict(sorted(found.items()))


def answer(state: State, seat: int, reach: list[list[int]], card_price: float) -> Any:
    """Bid, hold or pass, whatever promises most."""
    feast = running(state)
    value = state.board.temples[state.edition.layout.index[feast.at]].value
    lost = state.edition.alone[VALUES.index(value)] / 2  # what another would have by it
    level = own(state, feast, seat) == highest(state, feast)
    best: tuple[float, Any] = (0.0, a.Hold(seat)) if level else (-lost, a.Pass(seat))
    for gain, bid in bids(state, seat, reach, card_price):
        if gain > best[0]:
            best = (gain, bid)
    return best[1]


def bids(
    state: State, seat: int, reach: list[list[int]], card_price: float
) -> Iterator[tuple[float, a.Bid]]:
    """Every bid that is high enough, and what it promises beyond its cards."""
    feast = running(state)
    others = [s for s in still_in(state, feast) if s != seat]
    played = [own(state, feast, s) for s in range(state.seats)]
    value = state.board.temples[state.edition.layout.index[feast.at]].value
    for fp, cards in cheapest(state, seat).items():
        if played[seat] + fp >= highest(state, feast):
            gain = expected(state, value, played[seat] + fp, others, reach, played)
            yield gain - price(state, card_price) * len(cards), a.Bid(seat, cards)


def running(state: State) -> Festival:
    if state.festival is None:
        raise ValueError("no festival is running")
    return state.festival
