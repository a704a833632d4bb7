"""The hall as text: a reader who has nothing else can order a whole turn from it."""

from __future__ import annotations

import re

from tests.games.inka.table import GAME, Table, inka, new

POSITION = "L03 r1c2 r2c3; L08 r2c8 r2c9; L10 r0c3 r0c4; block B r8c8; A r0c0 with D2; turn A"


def text(table: Table, seat: int | None = 0) -> str:
    return GAME.chart(GAME.view(table.match.state, seat), str)


def told(table: Table) -> str:
    """Without line breaks."""
    return re.sub(r"\n +", " ", text(table))


def test_the_map_shows_every_row_between_its_first_and_last_cell() -> None:
    lines = text(inka(POSITION)).split("\n")[:12]
    assert [line.split()[0] for line in lines] == [f"r{row}c0" for row in range(12)]
    assert lines[0].strip() == "r0c0  *A __ __ 10 10 .  .  .  .  .  __ __ *B r0c12"
    assert lines[1].strip() == "r1c0  .  __ 03~.  .  .  __ () __ .  .  .  .  __ .  r1c14"
    assert "xB" in lines[8]
    assert all(len(line) <= 80 for line in lines)


def test_cells_that_touch_up_and_down_stand_under_each_other() -> None:
    lines = text(inka(POSITION)).split("\n")[:12]
    # r0c0 touches r1c1 below it, r1c2 touches r2c3.
    assert lines[0].index("*A") == lines[1].index("__")
    assert lines[1].index("03~") == lines[2].index("03")


def test_what_surrounds_the_pawns_is_named() -> None:
    said = told(inka(POSITION))
    assert "Around A on r0c0: r0c1 floor, r1c1 floor." in said
    near = told(inka("A r1c1; L03 r1c2 r2c3; L10 r1c0 r2c1"))
    assert (
        "Around A on r1c1: r0c0 start and exit, r1c0 behind a wall, r1c2 on L03 with a snake."
        in near
    )


def test_where_the_pawn_can_walk_is_told_with_its_price() -> None:
    said = told(inka(POSITION))
    assert "A can walk for 0 AP to: r0c1 r0c2 r1c1." in said
    assert "A can walk for 1 AP to: r1c2 r2c3." in said


def test_lozenges_are_listed_with_snakes_walls_and_statues() -> None:
    said = told(inka(POSITION))
    assert "L03 on r1c2 r2c3: snake on r1c2." in said
    assert "L08 on r2c8 r2c9: wall between r2c8 and r3c9, wall between r2c9 and r1c8." in said
    assert "D2 on r6c11 r6c10: statue of B." in said
    assert "D1 on r5c10 r5c11: statue of A, statue of B." in said


def test_every_move_of_a_path_lozenge_is_listed_while_it_may_be_made() -> None:
    table = inka(POSITION)
    said = told(table)
    for order in table.legal("slide") + table.legal("turn"):
        verb, lozenge, cells = order.split(" ", 2)
        (line,) = re.findall(rf"^{verb} {lozenge}: (.*)\.$", said, re.MULTILINE)
        assert cells in line.split(", ")
    table.play("walk r0c1")
    assert "Where path lozenges can go" not in text(table)


def test_in_the_setup_the_lozenge_in_hand_is_described() -> None:
    said = told(inka("phase lay; hand L12"))
    assert "L12, in hand: wall on side e0 of h0, snake on h1." in said
    assert "Turn of A: lay the lozenge L12." in said
    assert "no walls, no snakes" in told(inka("phase lay; hand L01"))
    assert "Turn of A: choose a start cell." in told(new())


def test_the_end_is_told() -> None:
    assert "The match is over; won by A." in told(inka("A r0c0 with D1 D2 D3"))


def test_everybody_reads_the_same() -> None:
    table = inka(POSITION)
    assert text(table, 0) == text(table, 1) == text(table, None)
