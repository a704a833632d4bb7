"""Events as sentences: what happened, ready to be translated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.sentence import Seat, Sentence, deed, listed, say
from engine.inka import events as e
from engine.inka.options import OPTIONS
from engine.kit.telling import table_laid, told


def describe(event: Any) -> Sentence:
    """One sentence for one event."""
    return told(event, PLAIN.get(type(event)) or varied(event), spell)


PLAIN: dict[type, Sentence] = {
    e.PositionSet: say("The match began in a given position."),
    e.StartAsked: deed("{seat} was asked to choose a start.", "{seat} is asked to choose a start."),
    e.StartChosen: deed("{seat} chose the start {at}.", "{seat} chooses the start {at}."),
    e.LozengeDrawn: say("{seat} drew the lozenge {lozenge} to lay."),
    e.LozengeLaid: deed("{seat} laid {lozenge} on {at}.", "{seat} lays {lozenge} on {at}."),
    e.TurnBegan: deed("{seat} began a turn with {ap} AP.", "{seat} begins a turn with {ap} AP."),
    e.StatueTaken: deed(
        "{seat} took the statue from {lozenge} for {cost} AP.",
        "{seat} takes the statue from {lozenge} for {cost} AP.",
    ),
    e.PassageUsed: deed(
        "The pawn of {seat} went through the secret passage from {origin} to {to} for {cost} AP.",
        "The pawn of {seat} goes through the secret passage from {origin} to {to} for {cost} AP.",
    ),
}


def varied(event: Any) -> Sentence:
    """The events that can be told in more than one way."""
    match event:
        case e.SetUp():
            return table_laid(OPTIONS, event.seats, event.options)
        case e.LozengeMoved(how=how, symbol=symbol, carried=carried):
            said = MOVED[how, symbol, bool(carried)]
            pawns = listed(say("{seat} to {cell}", seat=Seat(p.seat), cell=p.to) for p in carried)
            return replace(said, values={"pawns": pawns})
        case e.PawnWalked(cost=0):
            return deed(
                "The pawn of {seat} walked from {origin} to {to}.",
                "The pawn of {seat} walks from {origin} to {to}.",
            )
        case e.PawnWalked():
            return deed(
                "The pawn of {seat} walked from {origin} to {to}, past snakes for {cost} AP.",
                "The pawn of {seat} walks from {origin} to {to}, past snakes for {cost} AP.",
            )
        case e.BlockadeLifted(lozenge=None) | e.BlockadeSet(lozenge=None):
            return BLOCKADES[type(event), False]
        case e.BlockadeLifted() | e.BlockadeSet():
            return BLOCKADES[type(event), True]
        case e.TurnEnded(unused=0):
            return deed("{seat} ended the turn.", "{seat} ends the turn.")
        case e.TurnEnded():
            return deed(
                "{seat} ended the turn with {unused} AP unused.",
                "{seat} ends the turn with {unused} AP unused.",
            )
        case e.MatchEnded():
            return end(event)
    raise TypeError(f"not an event of Inka: {event!r}")


MOVED = {
    ("slide", False, False): deed(
        "{seat} slid {lozenge} from {origin} to {to} for {cost} AP.",
        "{seat} slides {lozenge} from {origin} to {to} for {cost} AP.",
    ),
    ("turn", False, False): deed(
        "{seat} turned {lozenge} from {origin} to {to} for {cost} AP.",
        "{seat} turns {lozenge} from {origin} to {to} for {cost} AP.",
    ),
    ("slide", False, True): deed(
        "{seat} slid {lozenge} from {origin} to {to} for {cost} AP and carried pawns: {pawns}.",
        "{seat} slides {lozenge} from {origin} to {to} for {cost} AP and carries pawns: {pawns}.",
    ),
    ("turn", False, True): deed(
        "{seat} turned {lozenge} from {origin} to {to} for {cost} AP and carried pawns: {pawns}.",
        "{seat} turns {lozenge} from {origin} to {to} for {cost} AP and carries pawns: {pawns}.",
    ),
    ("slide", True, False): deed(
        "By the symbol {seat} slid {lozenge} from {origin} to {to} for {cost} AP.",
        "By the symbol {seat} slides {lozenge} from {origin} to {to} for {cost} AP.",
    ),
    ("turn", True, False): deed(
        "By the symbol {seat} turned {lozenge} from {origin} to {to} for {cost} AP.",
        "By the symbol {seat} turns {lozenge} from {origin} to {to} for {cost} AP.",
    ),
    ("slide", True, True): deed(
        "By the symbol {seat} slid {lozenge} from {origin} to {to} for {cost} AP and carried"
        " pawns: {pawns}.",
        "By the symbol {seat} slides {lozenge} from {origin} to {to} for {cost} AP and"
        " carries pawns: {pawns}.",
    ),
    ("turn", True, True): deed(
        "By the symbol {seat} turned {lozenge} from {origin} to {to} for {cost} AP and carried"
        " pawns: {pawns}.",
        "By the symbol {seat} turns {lozenge} from {origin} to {to} for {cost} AP and"
        " carries pawns: {pawns}.",
    ),
}
BLOCKADES = {
    (e.BlockadeSet, False): deed(
        "{seat} set the blockade on {at}.", "{seat} sets the blockade on {at}."
    ),
    (e.BlockadeSet, True): deed(
        "{seat} set the blockade on {at}; {lozenge} cannot move.",
        "{seat} sets the blockade on {at}; {lozenge} cannot move.",
    ),
    (e.BlockadeLifted, False): deed(
        "The blockade of {seat} came off {at}.", "The blockade of {seat} comes off {at}."
    ),
    (e.BlockadeLifted, True): deed(
        "The blockade of {seat} came off {at}; {lozenge} can move.",
        "The blockade of {seat} comes off {at}; {lozenge} can move.",
    ),
}


def end(event: e.MatchEnded) -> Sentence:
    standing = listed(
        say("{seat} {n} statue", "{seat} {n} statues", seat=Seat(seat), n=score)
        for seat, score in enumerate(event.scores)
    )
    if event.escaped:
        return say("{winners} escaped with all statues and won. {standing}.", standing=standing)
    far = listed(
        NO_WAY_OUT if n is None else say("{n} step", "{n} steps", n=n) for n in event.steps
    )
    if len(event.winners) == 1:
        return say(
            "The last turn was over: {winners} won. {standing}; to an exit: {far}.",
            standing=standing,
            far=far,
        )
    return say(
        "The last turn was over: {winners} shared the win. {standing}; to an exit: {far}.",
        standing=standing,
        far=far,
    )


NO_WAY_OUT = say("no way")


# Values


def spell(name: str, value: Any) -> Any:
    """A field of an event as it stands in a sentence."""
    if name == "seat":
        return Seat(value)
    if name == "winners":
        return listed(map(Seat, value))
    return (
        " ".join(map(str, value))
        if name in ("at", "origin", "to") and isinstance(value, tuple)
        else value
    )
