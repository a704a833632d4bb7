"""The bots of Inka: what they choose is legal, follows from what they see, and leads to the way out."""

from __future__ import annotations

import pytest

from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.match import Match, act, start
from engine.core.registry import bots
from engine.inka.actions import UsePassage
from engine.inka.bots.keen import keen, nearest, plans
from engine.inka.bots.master import finished, master
from engine.inka.bots.reckoning import BIT, HALL, Hall, Standing, hall, standings
from engine.inka.bots.steady import steady
from engine.inka.bots.thinking import table, way_of
from engine.inka.printed_board import CELLS, INDEX, printed_board
from engine.inka.state import State
from tests.games.inka.table import GAME, Table, inka


def played(names: list[str], seed: str, **options: int) -> Match:
    """A whole match between bots; each choice must be among the legal ones."""
    match, dice, known = start(GAME, len(names), options, seed), Chance(seed, "dice", 1), bots(GAME)
    while seats := GAME.to_act(match.state):
        legal = list(GAME.legal(match.state, seats[0]))
        choice = known[names[seats[0]]](GAME, GAME.view(match.state, seats[0]), legal, dice)
        assert choice in legal
        match = act(match, choice)
    return match


def test_the_game_offers_its_bots() -> None:
    assert bots(GAME).keys() == {"random", "steady", "keen", "master"}


@pytest.mark.parametrize("seed", ["one", "two"])
def test_steady_finds_the_way_out_before_random_does(seed: str) -> None:
    match = played(["random", "steady"], seed)
    assert match.state.escaped == (1,)


def test_keen_and_steady_play_a_match_of_three_to_its_end() -> None:
    assert played(["keen", "random", "steady"], "bots", round_limit=2).over


def test_master_plays_a_match_to_its_end() -> None:
    assert played(["master", "steady"], "bots", round_limit=2).over


def test_a_bot_knows_the_table_from_its_view() -> None:
    for position in (
        "L03 r1c2 r2c3; block B r8c8; A r2c3 with D2; turn A ap 1 pawn ended 4",
        "phase lay; hand L12; seats 3",
        "option fresh_blockade; block B r2c4; L01 r2c4 r2c5; turn A",
    ):
        one = inka(position)
        if "fresh" in position:
            one.play("end")
        state = one.match.state
        assert table(GAME.view(state, one.seat)) == state


def test_steady_takes_what_it_can_and_walks_out() -> None:
    one = inka("A r5c10 with D2 D3; B r11c0; L02 r4c9 r4c10; turn A ap 1")
    assert chosen(one, steady) == "take"
    out = inka("A r0c2 with D1 D2 D3; B r11c0")
    assert {chosen(out, bot) for bot in (steady, keen, master)} == {"walk r0c0"}


def test_keen_bars_the_way_of_a_rival_about_to_win() -> None:
    # B needs one more bridge, over r0c3 and r0c4 or r1c4 and r1c3, and would be out; A cannot win now.
    one = inka("A r11c0; B r0c5 with D1 D2 D3; L01 r0c5 r0c6; L02 r2c5 r2c4; turn A ap 0")
    rival = reckoned(one.match.state).far
    while one.to_act == "A":
        one.play(chosen(one, keen))
    (barred,) = filter(None, one.state["blockades"])
    assert reckoned(one.match.state, barred=BIT[INDEX[barred]]).far > rival


def test_of_rivals_about_as_near_keen_bars_whoever_moves_next() -> None:
    equal = [Standing(9.0, 9)] * 3
    assert [nearest(equal, seat) for seat in range(3)] == [1, 2, 0]
    assert nearest([Standing(9.0, 9), Standing(9.0, 9), Standing(6.0, 6)], 0) == 2


def reckoned(state: State, seat: int = 1, barred: int = 0) -> Standing:
    return standings(hall(state, barred), state.pawns, state.taken)[seat]


def test_steady_breaks_the_bridge_of_a_rival_about_to_win() -> None:
    one = inka("A r11c0; B r0c4 with D1 D2 D3; L01 r0c4 r0c3; turn A ap 1")
    assert reckoned(one.match.state).need == 0
    one.play(chosen(one, steady))
    assert reckoned(one.match.state).need > 0


def test_every_plan_can_be_played() -> None:
    # A walks to a passage beside it and may go on through any other, but not to where it stands.
    state = inka("A r1c6; B r11c0; turn A ap 2").match.state
    known = plans(state, 0)
    assert any(isinstance(action, UsePassage) for _, plan in known for action in plan)
    for _, plan in known:
        finished(state, 0, plan, Chance("dice", "", 1))


def chosen(one: Table, bot: Bot) -> str:
    match, seat = one.match, one.seat
    legal = list(GAME.legal(match.state, seat))
    view = GAME.view(match.state, seat)
    return GAME.format(bot(GAME, view, legal, Chance("dice", "", 1)))


def test_the_grid_of_the_bots_is_the_hall() -> None:
    empty = Hall({}, printed_board(1))
    for cell, data in enumerate(CELLS):
        beside = sum(BIT[INDEX[name]] for name in data["neighbours"])
        assert empty.beside(BIT[cell]) & HALL == beside


def test_a_bridge_shortens_the_way_and_a_gap_is_known() -> None:
    apart, joined = inka("A r0c0"), inka("A r0c0; L01 r1c2 r2c3")
    ways = [reckoned(one.match.state, 0).far for one in (apart, joined)]
    assert ways[1] < ways[0]
    assert gaps(apart.match.state)
    assert not gaps(inka("A r5c10; B r11c0").match.state)


def gaps(state: State) -> int:
    """The bare cells on the way of A."""
    map_ = hall(state)
    return way_of(state, 0, map_) & map_.chasm
