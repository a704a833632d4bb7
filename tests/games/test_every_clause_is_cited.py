"""Every numbered clause of the rules of a game has a test that cites it, as `# C-T2`."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CITATION = re.compile(r"-> None:  # (.+)$", re.MULTILINE)
CLAUSES = {  # how many clauses each section of the rules of Cuzco has
    "S": 6,
    "A": 4,
    "P": 9,
    "M": 4,
    "T": 8,
    "B": 3,
    "D": 3,
    "F": 7,
    "E": 5,
}
NUMBERED = {"S": 5, "I": 2, "U": 5, "R": 6, "D": 11, "Z": 4}  # of Tahuantinsuyu
CUZCO = {f"C-{section}{n}" for section, last in CLAUSES.items() for n in range(1, last + 1)}
TAHUANTINSUYU = {  # two sections have no numbers
    *(f"N-{section}{n}" for section, last in NUMBERED.items() for n in range(1, last + 1)),
    "N-P",
    "N-V",
}
INKA_CLAUSES = {"S": 5, "T": 4, "L": 4, "W": 5, "B": 1, "E": 2}
INKA = {f"K-{section}{n}" for section, last in INKA_CLAUSES.items() for n in range(1, last + 1)}
JAVA = {f"J-{number}" for number in ("S3", "A2", "T4", "T5", "F3", "F5", "F6", "F8")}


def cited(folder: str) -> set[str]:
    """The clauses that the tests of a folder cite at the end of their first line."""
    texts = (path.read_text("utf-8") for path in sorted((HERE / folder).glob("test_*.py")))
    return {
        clause for text in texts for found in CITATION.findall(text) for clause in found.split(", ")
    }


@pytest.mark.parametrize("clause", sorted(CUZCO))
def test_a_clause_of_cuzco_is_cited(clause: str) -> None:
    assert clause in cited("cuzco")


@pytest.mark.parametrize("clause", sorted(JAVA))
def test_a_clause_of_java_is_cited(clause: str) -> None:
    assert clause in cited("java")


@pytest.mark.parametrize("clause", sorted(TAHUANTINSUYU))
def test_a_clause_of_tahuantinsuyu_is_cited(clause: str) -> None:
    assert clause in cited("tahuantinsuyu")


@pytest.mark.parametrize("clause", sorted(INKA))
def test_a_clause_of_inka_is_cited(clause: str) -> None:
    assert clause in cited("inka")


def test_only_clauses_that_exist_are_cited() -> None:
    assert cited("inka") <= INKA
    assert cited("cuzco") <= CUZCO
    assert cited("java") <= CUZCO | JAVA
    assert cited("tahuantinsuyu") <= TAHUANTINSUYU
