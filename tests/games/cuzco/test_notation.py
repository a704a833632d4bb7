"""A position as a few lines of text."""

import pytest

from engine.core.match import start_at
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.cuzco.edition import CUZCO, Edition
from engine.cuzco.position import notation
from engine.java import JAVA
from tests.games.cuzco.moments import MOMENTS
from tests.games.table import Table, java

EVERYTHING = """
    seats 3 exact_temples ask_everyone off rules 1
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


def complete(edition: Edition, text: str) -> dict:
    """The position of a text, defaults filled in."""
    return Table(start_at(games()[edition.key], notation.read(edition, text), "seed")).state


def test_a_text_says_what_the_referees_form_says() -> None:
    state = complete(CUZCO, EVERYTHING)
    assert state["seats"] == 3
    assert state["options"] == {"rules": 1, "exact_temples": True, "ask_everyone": False}
    assert state["turn"] == {
        "seat": 1,
        "ap": 0,
        "laid": True,
        "drawn": 1,
        "token": True,
        "idle": 1,
    }
    assert state["tiles"][:2] == [["triple", "e14", "d15", "e16"], ["crop", "e16"]]
    assert state["basins"] == ["g18", "g20"]
    assert state["temples"]["e14"] == {"value": 4, "disc": True, "changed": True}
    assert state["incas"] == [["d15", "e16"], ["g10"], ["c14"]]
    assert state["hands"] == [["tumi", "tumi+quipu"], ["kero"], []]
    assert state["stock"][0] == {"tokens": 0, "doubles": 2, "crops": 3, "villages": 2}
    assert state["scores"] == [7, 0, 0]
    assert (state["open"], state["pile"], state["discard"]) == (
        "kero",
        ["quipu", "tumi"],
        ["quipu"],
    )
    assert (state["supply"]["triples"], state["supply"]["basins"]) == (1, 3)
    assert state["supply"]["floors"] == {"2": 12, "4": 0, "6": 10, "8": 8, "10": 1}
    assert state["last"] == {"opened_by": 0, "scored": [0]}


def test_a_festival_is_told_in_a_few_statements() -> None:
    text = (
        "seats 3; turn A ap 0 laid; open tumi; village k8; village k10; village k12; temple k10 2;"
        "A at k8; B at k12; festival k10 by A asked B; played A tumi; out C; answered A"
    )
    festival = complete(CUZCO, text)["festival"]
    assert festival == {
        "at": "k10",
        "proposer": 0,
        "played": [["tumi"], [], []],
        "out": [2],
        "answered": [0],
        "asked": 1,
    }


def test_what_is_left_out_has_its_default() -> None:
    assert notation.read(CUZCO, "") == {"seats": 2}
    assert notation.read(CUZCO, " ;\n; ") == {"seats": 2}
    assert notation.read(CUZCO, "B score 5")["scores"] == [0, 5]


def test_statements_stand_on_lines_or_between_semicolons() -> None:
    one, other = "seats 3; crop k8; crop k10", "seats 3\n  crop   k8 \n crop k10\n"
    assert notation.read(CUZCO, one) == notation.read(CUZCO, other)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_position_written_and_read_again_is_the_same(moment: str) -> None:
    state = MOMENTS[moment]().state
    assert complete(CUZCO, notation.write(CUZCO, state)) == state


def test_a_rich_position_survives_too() -> None:
    state = complete(CUZCO, EVERYTHING)
    assert complete(CUZCO, notation.write(CUZCO, state)) == state


def test_java_is_written_in_its_own_words() -> None:
    table = java("rices k8; villages k10 k12; palace k12 2 danced; A stock rices 1; floors 2 0")
    text = notation.write(JAVA, table.state)
    assert "rice k8" in text
    assert "palace k12 2 danced" in text
    assert complete(JAVA, text) == table.state


BAD_STATEMENTS = """
    seats; seats two; turn; turn E; turn A ap; turn A ap x; temple k8; temple k8 x
    A; A flies k8; A score; A score x; A stock tokens; open; supply triples
    floors 2; last; last E; scored X; festival k8; played; out Z; seats 2 cheat
    nonsense; palace k8 2; rice k8; turn A ap 3 flying; Z at k8; triple k8 k10
"""


@pytest.mark.parametrize("statement", BAD_STATEMENTS.strip().replace("\n", ";").split(";"))
def test_a_bad_statement_is_refused(statement: str) -> None:
    with pytest.raises(Unknown) as refusal:
        complete(CUZCO, f"crop k12; {statement}")
    assert str(refusal.value).endswith(".")


def test_the_refusal_names_the_statement() -> None:
    with pytest.raises(Unknown, match="turn E' says nothing about a position"):
        notation.read(CUZCO, "seats 2; turn E")
