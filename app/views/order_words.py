"""Orders in words, by what comes of them; their notation stands beside them for those who want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.views.event_text import foretell_event
from engine.core.game import Game
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, listed, say
from engine.core.thought import Thought, think_ahead


@dataclass(frozen=True, slots=True)
class ToldOrder:
    """An order in notation, and what it does."""

    order: str
    told: tuple[Sentence, ...]


def describe_orders(game: Game, state: Any, seat: int, orders: Sequence[str]) -> list[ToldOrder]:
    """What orders of one seat would do, from what that seat knows.

    What draws, reveals or ends the match is only named, and so is all that follows: nobody may look behind it.
    """
    thought: Thought | None = Thought(game, game.forget(state, seat), "")
    view, found = game.view(state, seat), list[ToldOrder]()
    for order in orders:
        thought = think_ahead(thought, game.parse(seat, order)) if thought else None
        acts = thought.acts[-1] if thought else ()
        told = tuple(
            foretell_event(game, redact(event, seat))
            for event in acts
            if not isinstance(event, game.asking)
        )
        found.append(ToldOrder(order, told or (name_order(game, view, order),)))
    return found


def name_order(game: Game, view: Any, order: str) -> Sentence:
    """An order as its button says it, with the names of what it is given."""
    verb = max((verb for verb in game.verbs if f"{order} ".startswith(f"{verb} ")), key=len)
    words = order.removeprefix(verb).split()
    tool = game.tools(view).get(verb)
    label = tool.label if tool else say("{word}", word=verb)
    if not words:
        return say("{verb}.", verb=label)
    return say("{verb}: {what}.", verb=label, what=listed(name_word(game, word) for word in words))


def name_word(game: Game, word: str) -> Sentence | str:
    card = game.cards.get(word)
    return card.name if card else game.words.get(word, word)
