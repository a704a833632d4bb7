"""What lies beside the board, in a few labelled facts for a page or a mail."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.core.game import Fact
from engine.core.sentence import Seat, Sentence, say
from engine.cuzco.edition import INCAS, Edition

if TYPE_CHECKING:
    from engine.cuzco.view import FestivalView, View
NONE = say("none")


def summary(edition: Edition, view: View) -> list[Fact]:
    """Whose turn it is and what everybody has; the hand is the viewer's own, or nobody's."""
    facts: list[Fact] = (
        [(say("Your cards"), view.hand or (say("none in hand"),))] if view.hand is not None else []
    )
    seats = (player(edition, view, seat) for seat in range(view.seats))
    return [*now(view), *facts, *common(edition, view), *seats]


def now(view: View) -> list[Fact]:
    """What the one who is asked has left to do it with."""
    if view.over:
        return []
    if view.festival:
        return festival(view.festival)
    turn = view.turn
    laid = say("a tile is laid") if turn.laid else say("no tile laid yet")
    return [(say("Turn of {seat}", seat=Seat(turn.seat)), (say("{ap} AP left", ap=turn.ap), laid))]


def left(view: View) -> Sentence | None:
    """The action points that are not spent yet."""
    return say("{ap} AP left", ap=view.turn.ap) if view.festival is None else None


def festival(feast: FestivalView) -> list[Fact]:
    totals = tuple(
        say("{seat} dropped out", seat=Seat(seat))
        if seat in feast.out
        else say("{seat} {points} FP", seat=Seat(seat), points=total)
        for seat, total in enumerate(feast.totals)
        if seat in feast.present or seat in feast.out
    )
    return [(say("Festival on {hex}", hex=feast.at), totals)]


def common(edition: Edition, view: View) -> list[Fact]:
    """The open card, the pile and the supply."""
    supply = view.supply
    floors = tuple(
        say("{value} ({count})", value=value, count=count) for value, count in supply.floors.items()
    )
    pieces = (
        say("triples: {count}", count=supply.triples),
        say("basins: {count}", count=supply.basins),
    )
    return [
        (say("Open card"), (view.open or say("none lies open"),)),
        (say("Cards in the pile"), (str(view.pile_size),)),
        (say("Supply"), pieces),
        (say("Pieces left by {temple} value", temple=edition.spoken["temple"]), floors),
    ]


def player(edition: Edition, view: View, seat: int) -> Fact:
    """What a player still owns; how many cards, not which."""
    stock, words = view.stock[seat], edition.spoken
    counts: tuple[tuple[Sentence, int], ...] = (
        (say("cards: {count}"), view.hand_sizes[seat]),
        (say("tokens: {count}"), stock.tokens),
        (say("doubles: {count}"), stock.doubles),
        (say("{crop}: {count}", crop=words["crop"]), stock.crops),
        (say("village: {count}"), stock.villages),
        (say("{inca}: {count}", inca=words["inca"]), INCAS - len(view.incas[seat])),
    )
    items = tuple(replace(said, values={**said.values, "count": n}) for said, n in counts)
    return say("{seat} has", seat=Seat(seat)), items
