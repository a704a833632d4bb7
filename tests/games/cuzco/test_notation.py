"""A position as a few lines of text."""

import pytest

from engine.core.match import start_at
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.cuzco import notation
from engine.cuzco.edition import CUZCO, Edition
from engine.java import JAVA
from tests.games.table import Table

EVERYTHING = """
    seats 3 ask_everyone
    turn B ap 0 drawn 1 idle 1 laid token
    triple e14 e16 d15; crop e16; village g8; double g10 g12
    village c14; basins g18 g20
    temple e14 4 disc changed; temple g8 2
    A at d15 e16; A hand tumi tumi+quipu; A stock tokens 0 doubles 2; A score 7
    B at g10; B hand kero
    C at c14
    open kero; pile tumi quipu; discard quipu; supply triples 1 basins 3; floors 4 0 10 1
    last A; scored A
"""
FESTIVAL = """
    seats 3
    turn A ap 2 laid
    villages: none
"""


def complete(edition: Edition, text: str) -> dict:
    """The position of a text, defaults filled in."""
    return Table(start_at(games()[edition.key], notation.read(edition, text), "seed")).state


def test_a_text_says_what_the_referees_form_says() -> None:
    state = complete(CUZCO, EVERYTHING)
    assert state["seats"] == 3
    assert state["options"] == {"exact_temples": False, "ask_everyone": True}
    assert state["turn"] == dict(seat=1, ap=0, laid=True, drawn=1, token=True, idle=1)
    assert state["tiles"][:2] == [["triple", "e14", "d15", "e16"], ["crop", "e16"]]
    assert state["basins"] == ["g18", "g20"]
    assert state["temples"]["e14"] == {"value": 4, "disc": True, "changed": True}
    assert state["incas"] == [["d15", "e16"], ["g10"], ["c14"]]
    assert state["hands"] == [["tumi", "tumi+quipu"], ["kero"], []]
    assert state["stock"][0] == {"tokens": 0, "doubles": 2, "crops": 3, "villages": 2}
    assert state["scores"] == [7, 0, 0]
    assert (state["open"], state["pile"], state["discard"]) == ("kero", ["quipu", "tumi"], ["quipu"])
    assert (state["supply"]["triples"], state["supply"]["basins"]) == (1, 3)
    assert state["supply"]["floors"] == {"2": 12, "4": 0, "6": 10, "8": 8, "10": 1}
    assert state["last"] == {"opened_by": 0, "scored": [0]}
