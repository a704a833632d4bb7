"""Perft: how many sequences of orders there are, from the start and from full tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.match import Match, start, start_at
from engine.core.playout import perft
from engine.core.registry import games
from engine.cuzco.edition import CUZCO
from engine.cuzco.position import notation
from engine.java import JAVA

EDITIONS = {"cuzco": CUZCO, "java": JAVA}
FULL_TABLES: dict[str, tuple[int, int, int]] = {
    "cuzco-2": (20, 3579, 458144),
    "cuzco-3": (25, 1762, 190975),
    "cuzco-4": (26, 2160, 237251),
    "java-2": (146, 13831, 542307),
    "java-3": (50, 1325, 85889),
    "java-4": (25, 557, 14617),
}
MENDED = {"cuzco-2": (18, 3539), "cuzco-3": (12, 1428), "cuzco-4": (13, 1785), "java-4": (25, 557)}
START = [("cuzco", 2350), ("java", 2445)]
EMPIRES = {  # of Tahuantinsuyu: a position in the referee's form, and its numbers
    "tahuantinsuyu-3": (29, 582),
    "tahuantinsuyu-4": (26, 705),
    "tahuantinsuyu-4-sun": (9, 54),
}
# By seats and edition of the board.
FIRST_TURNS = {(3, 1): (11, 85), (4, 1): (11, 89), (3, 2): (13, 138), (4, 2): (13, 129)}


def full_table(name: str, rules: int) -> Match:
    """A full table that asks nobody with only one answer, as those were played that it was taken from."""
    key = name.split("-", maxsplit=1)[0]
    text = Path(__file__).with_name("positions").joinpath(f"{name}.txt").read_text(encoding="ascii")
    position = notation.read(EDITIONS[key], text)
    options = {"rules": rules, "ask_everyone": False}
    return start_at(games()[key], {**position, "options": options}, "perft")


@pytest.mark.parametrize("name", FULL_TABLES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_by_the_first_rules_a_full_table_has_as_many_sequences_as_ever(
    name: str, depth: int
) -> None:
    assert perft(full_table(name, rules=1), depth) == FULL_TABLES[name][depth - 1]


@pytest.mark.parametrize("name", MENDED)
@pytest.mark.parametrize("depth", [1, 2])
def test_by_the_mended_rules_a_full_table_has_as_many_sequences(name: str, depth: int) -> None:
    assert perft(full_table(name, rules=2), depth) == MENDED[name][depth - 1]


@pytest.mark.parametrize(("key", "orders"), START)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_start_has_as_many_orders_as_ever(key: str, orders: int, seats: int) -> None:
    assert perft(start(games()[key], seats, {}, "perft"), 1) == orders


def test_the_start_of_cuzco_two_orders_deep() -> None:
    assert perft(start(games()["cuzco"], 2, {}, "perft"), 2) == 5634285


@pytest.mark.parametrize("name", EMPIRES)
@pytest.mark.parametrize("depth", [1, 2])
def test_an_empire_has_as_many_sequences_as_ever(name: str, depth: int) -> None:
    text = Path(__file__).with_name("positions").joinpath(f"{name}.json").read_text("ascii")
    match = start_at(games()["tahuantinsuyu"], json.loads(text), "perft")
    assert perft(match, depth) == EMPIRES[name][depth - 1]


@pytest.mark.parametrize(("seats", "board"), FIRST_TURNS)
@pytest.mark.parametrize("depth", [1, 2])
def test_the_first_turn_of_an_empire_has_as_many_sequences_as_ever(
    seats: int, board: int, depth: int
) -> None:
    match = start(games()["tahuantinsuyu"], seats, {"board": board}, "perft")
    assert perft(match, depth) == FIRST_TURNS[seats, board][depth - 1]
