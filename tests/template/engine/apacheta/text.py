"""Orders to actions and back, and events as sentences."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engine.apacheta import actions as a
from engine.apacheta import events as e
from engine.core.sentence import Seat, Sentence, deed, filled, listed, say
from engine.kit.orders import no_order, split

VERBS: dict[str, Sentence] = {
    "lay": say("lay a stone face down: its weight"),
    "dig": say("bury a stone and take the one that lies there, for one point: its weight"),
}


def parse(seat: int, text: str) -> Any:
    """The action that an order asks for, whatever its spelling; refuses words that fit no order."""
    match split(text):
        case ["lay", stone] if stone.isdigit() and len(stone) == 1:
            return a.LayStone(seat, int(stone))
        case ["dig", stone] if stone.isdigit() and len(stone) == 1:
            return a.Dig(seat, int(stone))
    raise no_order(text, VERBS)


def write(action: Any) -> str:
    """The canonical text of an action."""
    return f"{'lay' if isinstance(action, a.LayStone) else 'dig'} {action.stone}"


def describe(event: Any) -> Sentence:
    """One sentence for one event; what its reader may not know is None in it."""
    told = {field.name: spell(field.name, getattr(event, field.name)) for field in fields(event)}
    return filled(PLAIN.get(type(event)) or varied(event), told)


PLAIN: dict[type, Sentence] = {
    e.SetUp: say("The table was laid for {seats} players."),
    e.PositionSet: say("The match began in a given position."),
    e.StoneBuried: say("A stone was buried unseen."),
    e.BuriedTurned: say("The buried stone weighs {stone}; stones as heavy gave {points} points."),
    e.MatchEnded: say("{winners} won, with {scores} points."),
}


def varied(event: Any) -> Sentence:
    """The events that can be told in more than one way."""
    match event:
        case e.HandDealt(stones=None):
            return say("{seat} was dealt {count} stones.")
        case e.HandDealt():
            return say("{seat} was dealt the stones {stones}.")
        case e.StoneLaid(stone=None):
            return say("{seat} laid a stone.")
        case e.StoneLaid():
            return deed("{seat} laid the stone {stone}.", "{seat} lays the stone {stone}.")
        case e.StoneDrawn(stone=None):
            return say("{seat} drew a stone.")
        case e.StoneDrawn():
            return say("{seat} drew the stone {stone}.")
        case e.StoneDug(stone=None):
            return say("{seat} dug out the buried stone and buried another.")
        case e.StoneDug():
            return say("{seat} dug out the buried stone {stone} and buried {buried}.")
        case e.StonesTurned(seat=None):
            return say(
                "The stones {stones} were turned up; the heaviest were alike, so all stay lying."
            )
        case e.StonesTurned():
            return say(
                "The stones {stones} were turned up; {seat} took the cairn for {points} points."
            )
    raise TypeError(f"not an event of Apacheta: {event!r}")


def spell(name: str, value: Any) -> Any:
    """A field of an event as it stands in a sentence."""
    if name == "seat" and value is not None:
        return Seat(value)
    if name == "winners":
        return listed(map(Seat, value))
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
