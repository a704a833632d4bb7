"""A turn in the hall is divided into its phases."""

from __future__ import annotations

from engine.core.game import Part
from tests.games.inka.table import GAME, inka
from tests.games.table import Table


def parts(match: Table, seat: int | None = 0) -> dict[str, Part]:
    return {str(part.title): part for part in GAME.parts(GAME.view(match.match.state, seat))}


def test_every_verb_stands_in_one_part_while_the_setup_lasts() -> None:
    found = parts(inka("phase start"))
    assert sorted(verb for part in found.values() for verb in part.verbs) == sorted(GAME.verbs)


def test_the_setup_is_over_once_turns_are_played() -> None:
    found = parts(inka("A r0c0; B r11c12"))
    assert list(found) == ["Path lozenges", "The pawn", "End of the turn"]


def test_once_the_pawn_has_acted_the_lozenges_are_said_to_rest() -> None:
    match = inka("A r0c0; B r11c12; L01 r4c4 r4c5")
    assert parts(match)["Path lozenges"].state == ()
    match.play("walk r0c1")
    assert [str(word) for word in parts(match)["Path lozenges"].state] == [
        "the pawn has acted, path lozenges rest"
    ]
    assert parts(match, 1)["Path lozenges"].state == ()
