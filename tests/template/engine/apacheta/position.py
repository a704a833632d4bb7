"""Positions in and out, in the referee's form. Reading refuses what could not lie on the table."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import NoneType
from typing import Any

from engine.apacheta.events import PositionSet
from engine.apacheta.state import HAND, OPTIONS, SEATS, STONES, State, of_position
from engine.core.match import check_option
from engine.core.sentence import brief
from engine.kit.forms import flag, impossible, keyed, listed, rows, whole

KEYS = (
    "seats",
    "options",
    "hands",
    "laid",
    "seen",
    "scores",
    "bag",
    "turned",
    "buried",
    "cairn",
    "passed",
)


def load(position: Any) -> PositionSet:
    """The event that sets up a position: its complete form, defaults filled in."""
    form = keyed("position", position, KEYS)
    seats = read_seats(form)
    filled = {
        "seats": seats,
        "options": read_options(form),
        "laid": [None if s is None else stone(s) for s in row(form, "laid", seats, NoneType)],
        "seen": [flag(value, "seen") for value in row(form, "seen", seats, bool)],
        "scores": [whole(value, "scores") for value in row(form, "scores", seats, int)],
        "turned": sorted(map(stone, listed(form.get("turned", []), "turned"))),
        "cairn": whole(form.get("cairn", 0), "cairn"),
        "passed": whole(form.get("passed", 0), "passed"),
    }
    return PositionSet(write(checked(deal(filled, form))))


def write(state: State) -> dict[str, Any]:
    """A state in the referee's form."""
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "hands": [list(hand) for hand in state.hands],
        "laid": list(state.laid),
        "seen": list(state.seen),
        "scores": list(state.scores),
        "bag": list(state.bag),
        "turned": list(state.turned),
        "buried": state.buried,
        "cairn": state.cairn,
        "passed": state.passed,
    }


# The parts of a position


def read_seats(form: dict[str, Any]) -> int:
    seats = form.get("seats")
    if type(seats) is not int or seats not in SEATS:
        raise impossible("A position has 2 or 3 seats, not {seats}.", seats=brief(seats))
    return seats


def read_options(form: dict[str, Any]) -> dict[str, Any]:
    given = keyed("options", form.get("options", {}), tuple(OPTIONS))
    for name, value in given.items():
        check_option(name, OPTIONS[name], value)
    return {name: given.get(name, option.default) for name, option in OPTIONS.items()}


def row(form: dict[str, Any], key: str, seats: int, kind: type) -> list[Any]:
    return rows(form.get(key, []), key, seats, kind)


def stone(value: Any) -> int:
    if type(value) is not int or value not in STONES:
        raise impossible("There is no stone of {stone}.", stone=brief(value))
    return value


def read_hand(hand: Any) -> list[int]:
    return sorted(map(stone, listed(hand, "hands")))


def deal(filled: dict[str, Any], form: dict[str, Any]) -> State:
    """Hands, the buried stone and the bag: those left out are filled from what is left, lightest first."""
    left = Counter(STONES)
    left.subtract(filled["turned"])
    left.subtract(filter(None, filled["laid"]))
    hands = [read_hand(hand) for hand in row(form, "hands", filled["seats"], list)]
    left.subtract(chain(*hands))
    buried = stone(form["buried"]) if "buried" in form else max((+left).elements(), default=0)
    left[buried] -= 1
    for hand, laid in zip(hands, filled["laid"], strict=True):
        more = sorted((+left).elements())[: 0 if hand else HAND - (laid is not None)]
        left.subtract(more)
        hand.extend(more)
    if min(left.values()) < 0:
        raise impossible(
            "There are not so many stones of {stone}.", stone=min(left, key=left.__getitem__)
        )
    return of_position(
        {**filled, "hands": hands, "buried": buried, "bag": sorted((+left).elements())}
    )


def checked(state: State) -> State:
    """Refuses what no match comes to."""
    if state.passed > state.options["passes"]:
        raise impossible("The match would be over after {n} passes.", n=state.options["passes"])
    if None not in state.laid:
        raise impossible("All have laid: the stones would be turned up.")
    for hand, laid in zip(state.hands, state.laid, strict=True):
        if len(hand) + (laid is not None) != HAND - state.over:
            raise impossible("A hand and what was laid from it are {n} stones.", n=HAND)
    if len(state.bag) < (state.options["passes"] - state.passed - 1) * state.seats:
        raise impossible("There are too few stones in the bag for the passes to come.")
    if len(state.turned) < state.cairn:
        raise impossible("{n} stones lie on the cairn; so many were not turned up.", n=state.cairn)
    return state
