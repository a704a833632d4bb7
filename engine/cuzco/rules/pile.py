"""The pile: which card a draw takes, and what of hands and pile a seat cannot know (C-D, C-S6)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from engine.core.chance import Chance
from engine.core.game import amend
from engine.cuzco.state import UNSEEN, State


def drawn(state: State, chance: Chance) -> tuple[str, bool]:
    """The card that a draw takes, and whether the discards became the pile for it (C-D2)."""
    refilled = not state.pile
    card = chance.pick(state.discard if refilled else state.pile)
    return chance.pick(unseen(state)) if card == UNSEEN else card, refilled


def forget(state: State, seat: int | None) -> State:
    """The state without the cards of other hands and of the pile; how many they are, all can see."""
    hands = tuple(
        hand if owner == seat else (UNSEEN,) * len(hand) for owner, hand in enumerate(state.hands)
    )
    return amend(state, hands=hands, pile=(UNSEEN,) * len(state.pile))


def unseen(state: State) -> list[str]:
    """The cards that may lie anywhere, once they are forgotten."""
    played = state.festival.played if state.festival else ()
    left = Counter(state.edition.deck)
    left.subtract(chain(*state.hands, *played, state.discard, filter(None, [state.open])))
    return sorted((+left).elements())
