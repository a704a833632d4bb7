"""K-B: where a blockade may stand."""

from __future__ import annotations

from engine.inka.printed_board import CELLS
from tests.games.inka.table import inka


def test_a_blockade_stands_on_any_cell_without_pawn_blockade_or_destination() -> None:  # K-B1
    table = inka("A r1c7; L01 r2c4 r2c5; block B r8c8")
    closed = {"r1c7", "r0c12", "r8c8"} | {c["id"] for c in CELLS if c["centre"]}
    assert table.legal("block") == sorted(
        f"block {c['id']}" for c in CELLS if c["id"] not in closed
    )
    for cell in ("r0c0", "r5c0", "r3c2", "r2c4", "r9c9"):  # exit, signs, a lozenge, chasm
        assert table.offers(f"block {cell}")


def test_where_it_may_not_stand() -> None:  # K-B1
    table = inka("A r1c7; L01 r2c4 r2c5; block B r2c4")
    table.refuses("block r1c7", "K-B1", "A pawn stands on r1c7.")
    table.refuses("block r0c12", "K-B1", "A pawn stands on r0c12.")
    table.refuses("block r2c4", "K-B1", "A blockade stands on r2c4.")
    table.refuses("block r2c5", "K-B1", "L01 bears a blockade already.")
    table.refuses("block r5c10", "K-B1", "r5c10 lies on the destination lozenge D1.")


def test_it_goes_back_to_where_it_was() -> None:  # K-B1
    table = inka("block B r2c4; L01 r2c4 r2c5").play("end", "block r2c4")
    assert table.state["blockades"] == [None, "r2c4"]


def test_with_the_option_it_needs_a_fresh_place() -> None:  # K-B1
    table = inka("option fresh_blockade; block B r2c4; L01 r2c4 r2c5; turn A").play("end")
    table.refuses("block r2c4", "K-B1", "Your blockade has just left r2c4")
    table.refuses("block r2c5", "K-B1", "Your blockade has just left r2c5")
    table.play("slide L01 r2c8 r2c9")
    table.refuses("block r2c4", "K-B1", "it needs a fresh place")  # the cell
    table.refuses("block r2c9", "K-B1", "it needs a fresh place")  # the lozenge, wherever it is
    table.play("block r2c5", "end")
    assert table.offers("block r2c4")


def test_with_the_option_a_blockade_on_a_bare_cell_frees_its_lozenge() -> None:  # K-B1
    table = inka("option fresh_blockade; block B r4c4; L01 r2c4 r2c5; turn A").play("end")
    assert not table.offers("block r4c4")
    assert table.offers("block r2c4")


def test_a_position_remembers_what_the_option_needs() -> None:  # K-B1
    table = inka("option fresh_blockade; block B r2c4; L01 r2c4 r2c5; turn A").play("end")
    assert table.state["turn"]["lifted"] == ["r2c4", "L01"]
    game = table.match.game
    assert game.evolve(None, game.load(table.state)) == table.match.state
