"""Orders to actions and back, and events as sentences."""

from __future__ import annotations

import re
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import Sentence, say
from engine.cuzco import actions as a
from engine.cuzco.edition import Edition
from engine.kit.orders import no_order, split

NUMBER = re.compile(r"0|[1-9][0-9]*")
TILE_SIZES = {"triple": 3, "double": 2, "village": 1, "crop": 1}
LONGEST_NUMBER = 9  # digits; more are as illegal as these, and cheaper to read


def parse(edition: Edition, seat: int, text: str) -> Any:
    """The action that an order asks for, whatever its spelling; refuses words that fit no order."""
    words = split(text)
    verb, rest = words[0], words[1:]
    match verb, len(rest):
        case "place", 2 | 3 | 4:
            return place(edition, seat, rest)
        case "enter", 1:
            return a.EnterInca(seat, hex_name(edition, rest[0]))
        case "leave", 1:
            return a.LeaveInca(seat, hex_name(edition, rest[0]))
        case "move", 2:
            return a.MoveInca(seat, hex_name(edition, rest[0]), hex_name(edition, rest[1]))
        case "build", 2:
            return a.BuildTemple(seat, hex_name(edition, rest[0]), number(rest[1]))
        case "expand", 2:
            return a.ExpandTemple(seat, hex_name(edition, rest[0]), number(rest[1]))
        case "basin", 1:
            return a.LayBasin(seat, hex_name(edition, rest[0]))
        case "festival", count if count > 1:
            return a.ProposeFestival(seat, hex_name(edition, rest[0]), cards(edition, rest[1:]))
        case "bid", count if count > 0:
            return a.Bid(seat, cards(edition, rest))
    if " ".join(words) in PLAIN:
        return PLAIN[" ".join(words)](seat)
    raise no_order(text, verbs(edition))


PLAIN: dict[str, type] = {
    "draw open": a.DrawOpen,
    "draw pile": a.DrawPile,
    "token": a.UseToken,
    "hold": a.Hold,
    "pass": a.Pass,
    "end": a.EndTurn,
}


def verbs(edition: Edition) -> dict[str, Sentence]:
    """How orders begin, and what each asks for."""
    words = edition.spoken
    return {
        "place triple": say(
            "lay a triple tile: village hex, then its two {crops}", crops=words["crops"]
        ),
        "place double": say("lay a double tile: village hex, then its {crop}", crop=words["crop"]),
        "place village": say("lay a single village tile"),
        f"place {edition.words['crop']}": say("lay a single {crop} tile", crop=words["crop"]),
        "enter": say("bring in a piece ({inca}) at the border", inca=words["inca"]),
        "move": say("move a piece ({inca}): from, to", inca=words["inca"]),
        "leave": say("take a piece ({inca}) home from the border", inca=words["inca"]),
        "build": say("build a {temple}: hex, value", temple=words["temple"]),
        "expand": say("expand a {temple}: hex, value", temple=words["temple"]),
        "basin": say("lay a basin"),
        "draw open": say("take the open card"),
        "draw pile": say("draw an unseen card"),
        "token": say("use an action token: 1 AP more this turn"),
        "festival": say("propose a festival, as the last act: hex, cards"),
        "bid": say("play matching cards: reach or pass the highest"),
        "hold": say("share the festival"),
        "pass": say("drop out of the festival"),
        "end": say("end the turn"),
    }


def place(edition: Edition, seat: int, rest: list[str]) -> a.PlaceTile:
    tile = {edition.words["crop"]: "crop"}.get(rest[0], rest[0] if rest[0] != "crop" else "")
    if TILE_SIZES.get(tile) != len(rest) - 1:
        raise NotUnderstood(
            say(
                "A tile is laid as: place triple V {c} {c}, place double V {c}, place village H"
                " or place {crop} H.",
                crop=edition.words["crop"],
                c=edition.words["crop"][0].upper(),
            )
        )
    village, *crops = (hex_name(edition, word) for word in rest[1:])
    return a.PlaceTile(seat, tile, (village, *sorted(crops)))


def hex_name(edition: Edition, word: str) -> str:
    if word in edition.layout.index:
        return word
    raise NotUnderstood(say("There is no hex {hex}.", hex=repr(word[:20])))


def number(word: str) -> int:
    if NUMBER.fullmatch(word):
        return int(word[:LONGEST_NUMBER])
    raise NotUnderstood(say("{word} is no whole number.", word=repr(word[:20])))


def cards(edition: Edition, words: list[str]) -> tuple[str, ...]:
    known = edition.cards
    for word in words:
        if word not in known:
            raise NotUnderstood(
                say(
                    "There is no card {card}; the cards are {cards}.",
                    card=repr(word[:20]),
                    cards=", ".join(known),
                )
            )
    return tuple(sorted(words))


def write(edition: Edition, action: Any) -> str:
    """The canonical text of an action."""
    match action:
        case a.PlaceTile(_, tile, at):
            return f"place {edition.words.get(tile, tile)} {' '.join(at)}"
        case a.MoveInca(_, origin, to):
            return f"move {origin} {to}"
        case a.EnterInca(_, at):
            return f"enter {at}"
        case a.LeaveInca(_, at):
            return f"leave {at}"
        case a.LayBasin(_, at):
            return f"basin {at}"
        case a.BuildTemple(_, at, value):
            return f"build {at} {value}"
        case a.ExpandTemple(_, at, value):
            return f"expand {at} {value}"
        case a.ProposeFestival(_, at, played):
            return f"festival {at} {' '.join(played)}"
        case a.Bid(_, played):
            return f"bid {' '.join(played)}"
    return next(text for text, kind in PLAIN.items() if type(action) is kind)
