"""What pictures and charts say of the board. Seats are letters, as on the pieces, never names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.core.sentence import Sentence, Speak, say, seat_letter
from engine.cuzco.edition import Edition

if TYPE_CHECKING:
    from engine.cuzco.view import TempleView
GROUND = {  # what every edition calls alike
    "bare": say("bare"),
    "basin": say("basin"),
    "mountain": say("mountain"),
    "village": say("village"),
}


@dataclass(frozen=True, slots=True)
class Content:
    """What is on a hex, and what it costs to come and go there (C-M1) if one can."""

    kind: str
    cost: int | None
    level: int = 0
    temple: TempleView | None = None
    seat: int | None = None


def letters(seats: tuple[int, ...]) -> str:
    return ", ".join(map(seat_letter, seats))


def kind_of_land(edition: Edition, kind: str) -> Sentence:
    """A kind of land as people call it."""
    return GROUND.get(kind) or edition.spoken[kind]


def building(edition: Edition, temple: TempleView) -> Sentence:
    """A temple with its value, and whether it had its festival."""
    word, disc = edition.spoken["temple"], edition.spoken["disc"]
    if temple.disc:
        return say("{temple} of {value}, {disc}", temple=word, value=temple.value, disc=disc)
    return say("{temple} of {value}", temple=word, value=temple.value)


def titles(edition: Edition, speak: Speak) -> Callable[[str, Content], str]:
    """Tells what is on a hex. Most of two hundred are alike, and what is alike is said only once."""
    pattern = speak(say("{hex}: {what}", hex="{}", what="{}"))
    told = cache(lambda content: speak(spelled(edition, content)))
    return lambda name, content: pattern.format(name, told(content))


def spelled(edition: Edition, content: Content) -> Sentence:
    """A hex in words: its land, who or what stands on it, and the way in."""
    said = kind_of_land(edition, content.kind)
    if content.level:
        said = say("{land}, level {level}", land=said, level=content.level)
    if content.temple:
        said = say("{land}, {what}", land=said, what=building(edition, content.temple))
    if content.seat is not None:
        inca, seat = edition.spoken["inca"], seat_letter(content.seat)
        said = say("{land}, {inca} of {seat}", land=said, inca=inca, seat=seat)
    if content.cost:
        said = say("{land}, {cost} AP to enter or leave", land=said, cost=content.cost)
    return said
