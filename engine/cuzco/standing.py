"""Standing orders for festivals: what may be said in advance, and the answer that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import say
from engine.cuzco.actions import Bid, Hold, Pass
from engine.cuzco.cards import total
from engine.cuzco.edition import COPIES, Edition
from engine.cuzco.view import View

USUAL: dict[str, Any] = {"up_to": None, "share": False, "cities": {}, "only": False}
MOST_FP = 12 * COPIES  # all cards together are worth less


def settle(edition: Edition, wish: Any) -> dict[str, Any]:
    """A wish with nothing left out: up to how many FP, whether to share, cities with a limit of their own,
    and (`only`) whether to answer at once where only one answer is possible (C-F4).

    Without a limit (None) it says nothing about the cities that it does not name.
    """
    if not isinstance(wish, dict) or not wish.keys() <= USUAL.keys():
        raise NotUnderstood(say("festival has {keys} and nothing else.", keys=", ".join(USUAL)))
    settled = {**USUAL, "cities": {}, **wish}
    if settled["up_to"] is not None:
        check_limit(settled["up_to"], "up_to")
    for key in ("share", "only"):
        if type(settled[key]) is not bool:
            raise NotUnderstood(say("{key} is true or false.", key=key))
    if not isinstance(settled["cities"], dict):
        raise NotUnderstood(say("cities names hexes and a limit for each."))
    for name, limit in settled["cities"].items():
        if name not in edition.layout.index:
            raise NotUnderstood(say("There is no hex {hex}.", hex=repr(name)[:20]))
        check_limit(limit, name)
    if not settled["only"]:
        del settled["only"]  # as those wishes are kept that were made before it could be said
    return settled


def check_limit(value: Any, what: str) -> None:
    if type(value) is not int or not 0 <= value <= MOST_FP:
        raise NotUnderstood(
            say(
                "{what} takes whole numbers from {least} to {most}.",
                what=what,
                least=0,
                most=MOST_FP,
            )
        )


def answer(view: View, wish: Mapping[str, Any], legal: Sequence[Any]) -> Any:
    """The least that keeps the seat in within its limit (C-F3): level if it shares, ahead if it does not.

    The limit is on all that the seat has played in this festival. Who cannot stay in drops out; who is highest
    and may not or need not raise agrees to share, for that is all that is left.
    """
    feast = view.festival
    if feast is None or view.seat is None:
        return None
    if wish.get("only") and len(legal) == 1:
        return legal[0]
    limit = wish["cities"].get(feast.at, wish["up_to"])
    if limit is None:
        return None
    mine, level = feast.totals[view.seat], feast.totals[view.seat] == feast.highest
    otherwise = next((action for action in legal if isinstance(action, Hold | Pass)), None)
    if level and wish["share"]:
        return otherwise
    goal = feast.highest if wish["share"] else feast.highest + 1
    bids = (action for action in legal if isinstance(action, Bid))
    enough = [bid for bid in bids if goal <= mine + total(bid.cards, view.open) <= limit]
    return min(enough, key=lambda bid: price(bid, view.open), default=otherwise)


def price(bid: Bid, open_card: str | None) -> tuple[Any, ...]:
    """What a bid costs: its FP, then the relics that could have matched another day, then cards."""
    relics = sum(len(card.split("+")) for card in bid.cards)
    return total(bid.cards, open_card), relics, len(bid.cards), bid.cards
