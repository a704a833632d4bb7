"""A whole state that agrees with a view: what the seat cannot see is filled in by its own dice."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from engine.core.chance import Chance
from engine.core.game import Game, amend
from engine.cuzco.board import Board, Temple
from engine.cuzco.edition import Edition
from engine.cuzco.events import SetUp
from engine.cuzco.hexes import bit
from engine.cuzco.state import Festival, State, Supply, Turn
from engine.cuzco.view import View


def imagine(game: Game, view: View, chance: Chance) -> State:
    """A state whose view from this seat is `view`; hands and pile are dealt from the unseen cards."""
    empty: State = game.evolve(None, SetUp(view.seats, view.options))
    hands, pile = deal(unseen(empty.edition, view), view, chance)
    return amend(put_down(empty, view), hands=hands, pile=pile)


def put_down(empty: State, view: View) -> State:
    """The table as everybody sees it; the cards of hands and pile are left out."""
    layout = empty.edition.layout
    return amend(
        empty,
        board=board(empty.edition, view),
        incas=tuple(map(layout.mask, view.incas)),
        open=view.open,
        discard=view.discard,
        scores=view.scores,
        stocks=view.stock,
        supply=Supply(view.supply.triples, view.supply.basins, tuple(view.supply.floors.values())),
        turn=turn(empty.edition, view),
        opened_by=view.last.opened_by,
        scored=view.last.scored,
        festival=festival(view),
    )


def board(edition: Edition, view: View) -> Board:
    layout = edition.layout
    built = Board.bare(layout)
    for tile, *names in view.tiles:
        built = built.with_tile(layout.placements[tile, tuple(names)])
    temples = {layout.index[at]: Temple(t.value, t.disc) for at, t in view.temples.items()}
    return amend(built, basins=layout.mask(view.basins), temples=temples)


def turn(edition: Edition, view: View) -> Turn:
    now, index = view.turn, edition.layout.index
    changed = sum(bit(index[at]) for at, temple in view.temples.items() if temple.changed)
    return Turn(now.seat, now.ap, now.laid, now.drawn, now.token, now.idle, changed)


def festival(view: View) -> Festival | None:
    feast = view.festival
    if feast is None:
        return None
    return Festival(feast.at, feast.proposer, feast.played, feast.out, feast.answered, feast.asked)


def unseen(edition: Edition, view: View) -> list[str]:
    """The cards that lie in other hands or in the pile, sorted."""
    left = Counter(edition.deck)
    played = chain.from_iterable(view.festival.played) if view.festival else ()
    left.subtract([*(view.hand or ()), *view.discard, *played, *([view.open] if view.open else [])])
    return sorted(left.elements())


def deal(
    cards: list[str], view: View, chance: Chance
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Hands of the sizes that everybody sees, and a pile of what is left."""
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            hands.append(view.hand or ())
            continue
        hands.append(tuple(sorted(taken(cards, chance) for _ in range(size))))
    return tuple(hands), tuple(cards[: view.pile_size])


def taken(cards: list[str], chance: Chance) -> str:
    """One card, which leaves `cards`."""
    return cards.pop(chance.pick(range(len(cards))))
