"""The text map: 80 columns of plain letters that one can play from."""

from random import Random
from typing import Any

import pytest

from engine.cuzco.edition import CUZCO
from engine.cuzco.picture.chart import chart
from engine.java import JAVA
from tests.engine.matches import whole
from tests.games.cuzco.test_render import POSITION, seen
from tests.games.oracle.positions import random_position

EDITIONS = {"cuzco": CUZCO, "java": JAVA}


def lines(position: dict[str, Any], key: str = "cuzco", seat: int | None = None) -> list[str]:
    return chart(EDITIONS[key], seen(position, seat, key), str).splitlines()


def cell(position: dict[str, Any], name: str, key: str = "cuzco") -> str:
    """The two characters of one hex, found by its row and column as a reader would."""
    (row,) = (line for line in lines(position, key)[2:17] if line[0] == name[0])
    column = 2 + int(name[1:])
    return row[column : column + 2].ljust(2)


EMPTY = r"""
  0         1         2         3
  0123456789012345678901234567890123456
a         /\/\  /\/\  /\/\  /\/\
b        /\. /\/\. /\/\. /\/\. /\
c     /\/\. . /\. . /\. . /\. . /\/\
d  /\/\. . . . . . . . . . . . . . /\/\
e /\. . . . . . . . . . . . . . . . . /\
f  /\. . . . . . ~~. . . . . ~~. . . /\
g /\. . . . . . . . . . . . . . . . . /\
h  /\%%. . . . . . . . . . . . . . %%/\
i     %%. . . . . . ~~. . . . . . %%
j    %%. . . . . . . . . . . . . . %%
k     %%. . . . . . . . . . . . . %%
l      %%. . . . . . . . . . . . %%
m       %%%%. . . %%. %%. . . %%%%
n          %%. . %%%%%%%%. . %%
o           %%%%%%      %%%%%%
  0123456789012345678901234567890123456
"""


def test_the_empty_board_is_the_printed_one() -> None:
    assert lines({"seats": 2})[:18] == EMPTY.splitlines()[1:]


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("e22", "^1"),
        ("d17", '"1'),
        ("f21", "A2"),
        ("e18", "B1"),
        ("g22", "d1"),
        ("e20", "*6"),
        ("h19", "~~"),
        ("h3", '"1'),
        ("j15", ". "),
        ("a8", "/\\"),
        ("o10", "%%"),
    ],
)
def test_a_hex_shows_its_kind_level_and_guest(name: str, mark: str) -> None:
    assert cell(POSITION, name) == mark


def test_a_temple_of_ten_and_a_tower_keep_to_two_characters() -> None:
    tower = [["village" if n % 2 else "crop", "j15"] for n in range(11)]
    position = {
        "seats": 2,
        "tiles": [*tower, ["village", "j17"]],
        "temples": {"j17": {"value": 10}},
    }
    assert cell(position, "j15") == '"+'
    assert cell(position, "j17") == "TX"
    java = {"seats": 2, "tiles": [["village", "j17"]], "palaces": {"j17": {"value": 4}}}
    assert cell(java, "j17", "java") == "P4"


def test_lists_tell_what_the_map_cannot() -> None:
    text = "\n".join(lines(POSITION))
    assert "e20: temple of 6, solar disc; city size 5; highest: A." in text
    assert "A to play: 6 AP left, no tile laid yet, cards drawn: 0." in text
    assert "Open card: kero." in text
    assert "D: 0 PP; cards 1, tokens 3, doubles 5, crops 3, villages 2; Incas: g22 crop 1." in text


def test_a_tie_is_called_a_tie() -> None:
    tied = POSITION | {"incas": [["e22"], ["e18"], [], []]}
    assert "e20: temple of 6, solar disc; city size 5; highest: A, B (a tie)." in lines(tied)
    empty = POSITION | {"incas": []}
    assert "e20: temple of 6, solar disc; city size 5; highest: nobody." in lines(empty)


def test_a_festival_is_told_with_its_totals() -> None:
    festival = {
        "at": "e20", "proposer": 0, "played": [["kero"], [], [], []], "out": [1], "asked": 2,
    }  # fmt: skip
    position = POSITION | {"temples": {"e20": {"value": 6}}, "festival": festival}
    told = "Festival on e20, C to answer. FP so far: A 1, B 0 (out), C 0."
    assert told in lines(position)


def test_java_speaks_of_rice_and_palaces() -> None:
    text = "\n".join(lines({"seats": 2, "tiles": [["rice", "e14"]]}, "java"))
    for word in ("rice field at level 1", "developer of A", "palace of 4", "plain: 1 AP"):
        assert word in text
    for word in ("crop", "Inca", "temple", "forest", "solar"):
        assert word not in text


def test_no_hand_is_shown() -> None:
    other_hands = POSITION | {"hands": [["tumi+quipu"], ["tumi"], ["tumi"], ["tumi"]]}
    assert {"\n".join(lines(POSITION, seat=seat)) for seat in (None, 0, 1, 2, 3)} == {
        "\n".join(lines(other_hands))
    }


@pytest.mark.parametrize("key", EDITIONS)
def test_lines_are_plain_and_short(key: str) -> None:
    rng = Random(80)
    charts = [lines(random_position(rng, key), key) for _ in range(40)]
    last = whole(key, 4, 0)
    charts.append(last.game.chart(last.game.view(last.state, None), str).splitlines())
    for line in (line for table in charts for line in table):
        assert line.isascii()
        assert len(line) <= 80
        assert line == line.rstrip()


def test_the_end_names_the_winners() -> None:
    position = {"seats": 2, "scores": [3, 5], "last": {"opened_by": 0, "scored": [0, 1]}}
    assert "The match is over; won by B." in lines(position)
