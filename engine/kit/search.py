"""Every turn that a seat can play, each position once: for games whose turns are few enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from math import inf
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.core.puzzle import Solution, TooWide

DICE = Chance("", "puzzle", 0)  # nothing that is looked at draws


def search_all(
    game: Game,
    state: Any,
    most: int,
    known: int,
    *,
    options: Callable[[Any], Iterable[Any]],
    key: Callable[[Any], Hashable],
    value: Callable[[Any], int],
    bound: Callable[[Any], float] = lambda _: inf,
) -> Solution:
    """The best value of any position that these options lead to, and orders to it.

    `key` says which positions are alike, `bound` what nothing after a position exceeds, `known` is a value that orders
    are known for; more than `most` positions are not looked at. The most promising come first, then the shortest lines.
    """
    best, nodes = known, 0
    line: tuple[Any, ...] = ()
    front = [(-bound(state), 0, 0, state, line)]
    seen = {key(state)}
    while front:
        hope, _, _, now, orders = heappop(front)
        if -hope <= best:
            break
        nodes += 1
        if nodes > most:
            raise TooWide(nodes)
        if value(now) > best:
            best, line = value(now), orders
        for action in options(now):
            after = advance(game, now, game.decide(now, action, DICE))
            if bound(after) > best and (name := key(after)) not in seen:
                seen.add(name)
                longer = (*orders, action)
                heappush(front, (-bound(after), len(longer), len(seen), after, longer))
    return Solution(best, tuple(game.format(action) for action in line), nodes)
