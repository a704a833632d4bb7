"""The pictures of boards: drawn once for each position and viewer, with what changed marked on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from app import i18n
from app.lru_cache import LruCache
from engine.core.game import Fact, Game, Part

HEART = re.compile(r'viewBox="[^"]*" data-heart="([^"]*)"')
PLACE = re.compile(r'class="place" data-place="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Scene:
    """What one seat sees of a position: the board as a picture and as text, and what lies beside it."""

    board: str
    chart: str
    facts: Sequence[Fact]
    parts: Sequence[Part]  # of the seat's turn


KEPT_LETTERS = 28_000_000  # 200 boards of 140 kB


def weigh_scene(scene: Scene) -> int:
    """How many letters a scene has; its facts are few."""
    return len(scene.board) + len(scene.chart)


SCENES: LruCache[tuple[str, int | None, str], Scene] = LruCache(KEPT_LETTERS, weigh_scene)


def scene(game: Game, state: Any, seat: int | None, link: str) -> Scene:
    """The position as `seat` sees it; `link` is the hash of the log up to there, which names the state.

    Players are letters in it: their names are not part of the position.
    """
    language = i18n.language_here()
    key = (link, seat, language)
    if known := SCENES.get(key):
        return known
    view = game.view(state, seat)
    speak = partial(i18n.translate, language=language)
    text, facts, parts = game.chart(view, speak), game.summary(view), game.parts(view)
    return SCENES.keep(key, Scene(game.render(view, speak), text, facts, parts))


def board(game: Game, state: Any, seat: int | None, link: str) -> str:
    """The picture alone."""
    return scene(game, state, seat, link).board


def close_up(svg: str) -> str:
    """The same board for where there is little room: the part that the picture calls its heart, if it does."""
    return HEART.sub(r'viewBox="\1"', svg, count=1)


def marked(svg: str, places: Iterable[str]) -> str:
    """The same board with the class `changed` on some of its places."""
    wanted = set(places)

    def mark(found: re.Match[str]) -> str:
        name = found[1]
        return f'class="place changed" data-place="{name}"' if name in wanted else found[0]

    return PLACE.sub(mark, svg) if wanted else svg


def words(data: Any) -> Iterable[str]:
    """Every word in an event's data; those that name a place are where something happened."""
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from words(value)
        case list() | tuple():
            for value in data:
                yield from words(value)
