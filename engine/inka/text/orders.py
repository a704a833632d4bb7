"""Orders to actions and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import Sentence, say
from engine.inka import actions as a
from engine.inka.printed_board import INDEX, LOZENGES
from engine.kit.orders import no_order, split

VERBS: dict[str, Sentence] = {
    "start": say("choose a start cell for your pawn"),
    "lay": say("lay the drawn lozenge: the cell of its lighter half, then that of the other"),
    "slide": say(
        "slide a path lozenge: which one, then the cells of its lighter half and of the other"
    ),
    "turn": say(
        "turn a path lozenge about a corner: which one, then the cells of its lighter half and"
        " of the other"
    ),
    "walk": say("walk with your pawn: the cell where it stops"),
    "take": say("take your statue from the destination lozenge under your pawn"),
    "passage": say("go through the secret passage under your pawn: the other passage"),
    "symbol": say("move a destination lozenge by the symbol under your pawn: its name, how, cells"),
    "block": say("set your blockade on a cell, which ends the turn"),
    "end": say("end the turn"),
}


def parse(seat: int, text: str) -> Any:
    """The action that an order asks for, whatever its spelling; refuses words that fit no order."""
    verb, *rest = split(text)
    match verb, rest:
        case "lay", [one, other]:
            return a.LayLozenge(seat, (cell(one), cell(other)))
        case "slide" | "turn", [id_, one, other]:
            return a.MoveLozenge(seat, verb, lozenge(id_), (cell(one), cell(other)))
        case "symbol", [id_, ("slide" | "turn") as how, one, other]:
            cells = (cell(one), cell(other))
            return a.MoveLozenge(seat, how, lozenge(id_), cells, symbol=True)
        case _, [name] if verb in TO_A_CELL:
            return TO_A_CELL[verb](seat, cell(name))
        case _, [] if verb in PLAIN:
            return PLAIN[verb](seat)
    raise no_order(text, VERBS)


TO_A_CELL: dict[str, Callable[[int, str], Any]] = {
    "start": a.ChooseStart,
    "walk": a.Walk,
    "passage": a.UsePassage,
    "block": a.SetBlockade,
}
PLAIN: dict[str, Callable[[int], Any]] = {"take": a.TakeStatue, "end": a.EndTurn}
WORDS: dict[type, str] = {
    a.ChooseStart: "start",
    a.Walk: "walk",
    a.UsePassage: "passage",
    a.SetBlockade: "block",
    a.TakeStatue: "take",
    a.EndTurn: "end",
}


def cell(word: str) -> str:
    if word in INDEX:
        return word
    raise NotUnderstood(say("There is no cell {cell}.", cell=repr(word[:20])))


def lozenge(word: str) -> str:
    if word.upper() in LOZENGES:
        return word.upper()
    raise NotUnderstood(say("There is no lozenge {lozenge}.", lozenge=repr(word[:20])))


def write(action: Any) -> str:
    """The canonical text of an action."""
    match action:
        case a.MoveLozenge(_, how, id_, (one, other), symbol):
            return f"symbol {id_} {how} {one} {other}" if symbol else f"{how} {id_} {one} {other}"
        case a.LayLozenge(_, (one, other)):
            return f"lay {one} {other}"
        case a.Walk() | a.UsePassage():
            return f"{WORDS[type(action)]} {action.to}"
        case a.ChooseStart() | a.SetBlockade():
            return f"{WORDS[type(action)]} {action.at}"
    return WORDS[type(action)]
