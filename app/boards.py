"""The pictures of boards: drawn once for each position and viewer, with what changed marked on them."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from engine.core.game import Fact, Game

MOST = 200  # at 140 kB each
HEX = re.compile(r'class="hex" data-hex="([^"]+)"')
LOCK = Lock()


@dataclass(frozen=True, slots=True)
class Scene:
    """What one seat sees of a position: the board as a picture and as text, and what lies beside it."""

    board: str
    chart: str
    facts: Sequence[Fact]


SCENES: OrderedDict[tuple[str, int | None], Scene] = OrderedDict()


def scene(game: Game, state: Any, seat: int | None, link: str) -> Scene:
    """The position as `seat` sees it; `link` is the hash of the log up to there, which names the state."""
    key = (link, seat)
    with LOCK:
        if key in SCENES:
            SCENES.move_to_end(key)
            return SCENES[key]
    view = game.view(state, seat)
    drawn = Scene(game.render(view, str), game.chart(view, str), game.summary(view))
    with LOCK:
        SCENES[key] = drawn
        while len(SCENES) > MOST:
            SCENES.popitem(last=False)
    return drawn


def board(game: Game, state: Any, seat: int | None, link: str) -> str:
    """The picture alone."""
    return scene(game, state, seat, link).board


def marked(svg: str, places: Iterable[str]) -> str:
    """The same board with the class `changed` on some of its hexes."""
    wanted = set(places)

    def mark(found: re.Match[str]) -> str:
        name = found[1]
        return f'class="hex changed" data-hex="{name}"' if name in wanted else found[0]

    return HEX.sub(mark, svg) if wanted else svg


def words(data: Any) -> Iterable[str]:
    """Every word in an event's data; those that name a hex are where something happened."""
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from words(value)
        case list() | tuple():
            for value in data:
                yield from words(value)
