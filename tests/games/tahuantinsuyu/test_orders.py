"""Orders as text: the table of the rules, spelling, and what fits no order."""

from __future__ import annotations

import pytest

from engine.core.match import play, start_at
from engine.core.refusal import IllegalMove, NotAsked, NotUnderstood
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.text.orders import BOARDS
from tests.games.tahuantinsuyu.tables import new, table

ORDERS = {
    "sun el_nino orange-blue": a.LayCard(0, "orange-blue", "el_nino"),
    "road cuzco s002": a.BuildRoad(0, ("cuzco", "s002"), wild=False, bought=False),
    "wild s001 s104": a.BuildRoad(0, ("s001", "s104"), wild=True, bought=False),
    "buy road s001 s005": a.BuildRoad(0, ("s001", "s005"), wild=False, bought=True),
    "buy wild s001 s104": a.BuildRoad(0, ("s001", "s104"), wild=True, bought=True),
    "city s104": a.Build(0, "city", "s104"),
    "temple s104": a.Build(0, "temple", "s104"),
    "garrison s109": a.Build(0, "garrison", "s109"),
    "upgrade s109": a.Build(0, "upgrade", "s109"),
    "terrace huanca": a.BuildTerrace(0, "huanca"),
    "conquer huanca": a.Conquer(0, "huanca"),
    "pilgrimage local for roads": a.GoOnPilgrimage(0, "local", "roads"),
    "pilgrimage great for development": a.GoOnPilgrimage(0, "great", "development"),
    "end": a.EndTurn(0),
}


@pytest.mark.parametrize("text", ORDERS)
def test_an_order_is_read_and_written(text: str) -> None:
    assert GAME.parse(0, text) == ORDERS[text]
    assert GAME.format(ORDERS[text]) == text
    assert GAME.parse(0, f"  {text.upper().replace(' ', '   ')} ") == ORDERS[text]


@pytest.mark.parametrize("verb", ["road", "wild", "buy road", "buy wild"])
def test_sites_come_in_either_order(verb: str) -> None:
    assert GAME.format(GAME.parse(0, f"{verb} s001 cuzco")) == f"{verb} cuzco s001"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "road",
        "road s001",
        "road s001 s005 s061",
        "road s001 s999",
        "road s1 s5",
        "road Tunanmarca s005",
        "buy s001 s005",
        "buy city s104",
        "city huanca",
        "terrace s104",
        "conquer Atlantis",
        "conquer",
        "sun el_nino",
        "sun nino orange-blue",
        "sun el_nino blue-green",
        "sun el_nino orange-orange",
        "pilgrimage",
        "pilgrimage local roads",
        "pilgrimage huge for roads",
        "pilgrimage local for cities",
        "end now",
        "pass",
        "rood s001 s005",
        "road\ts001 s005",
        "el niño",
    ],
)
def test_words_that_fit_no_order_are_not_understood(text: str) -> None:
    with pytest.raises(NotUnderstood, match=r"\w.*[.]$"):
        GAME.parse(0, text)


def test_ids_of_the_other_board_are_not_understood_whoever_is_asked() -> None:
    match = start_at(GAME, {"seats": 3}, "seed")
    for order in ("city s120", "road s001 s120", "conquer pasto", "terrace pasto"):
        for seat in (0, 1):
            with pytest.raises(NotUnderstood, match="There is no"):
                play(match, seat, order)
    sun = start_at(GAME, {"seats": 3, "period": 1, "step": 1, "hands": [["el_nino"]]}, "seed")
    with pytest.raises(NotUnderstood, match="There is no sector 'orange-blue'; there are"):
        play(sun, 0, "sun el_nino orange-blue")
    with pytest.raises(NotUnderstood, match="There is no sector 'orange-brown'; there are"):
        play(table().match, 0, "sun el_nino orange-brown")


def test_a_sector_that_no_board_has_is_refused_with_one_that_all_have() -> None:  # N-U3
    with pytest.raises(NotUnderstood, match=r"no sector 'blue-green'; .* like green-orange[.]$"):
        GAME.parse(0, "sun el_nino blue-green")
    assert all("green-orange" in layout.sectors for layout in BOARDS)


def test_a_sector_may_be_named_with_its_colours_in_either_order() -> None:  # N-U3
    for layout in BOARDS:
        for sector in layout.sectors:
            one, other = sector.split("-")
            action = GAME.parse(0, f"sun el_nino {other}-{one}")
            assert action.sector == sector
            assert GAME.format(action) == f"sun el_nino {sector}"


def test_who_is_not_asked_is_told_so() -> None:
    with pytest.raises(NotAsked, match="B is not asked now; A is"):
        play(table().match, 1, "end")


def test_two_sites_without_slot_or_segment_are_illegal() -> None:
    with pytest.raises(IllegalMove, match="No road slot leads"):
        play(table().match, 0, "road s001 s086")


def test_legal_orders_name_the_smaller_site_first() -> None:
    for order in new().legal("road"):
        _, one, other = order.split()
        assert one < other


def test_end_is_always_legal_in_a_people_turn() -> None:
    match = new()
    for _ in range(8):
        assert "end" in match.legal()
        match.play(match.legal()[0])


def test_what_commits_is_what_reveals() -> None:
    """A road that turns up no marker may be thought over; one that does, a card or a conquest may not."""
    match = table(roads=[[["s001", "s061"]]], markers={"ichma": {"up": False}}, labour=[9])
    state = match.match.state

    def commits(order: str) -> bool:
        return GAME.commits(state, GAME.parse(0, order))

    assert not commits("road s001 s005")
    assert not commits("buy road s001 s005")
    assert commits("road s012 s061")
    assert commits("conquer huanca")
    assert not commits("end")
    assert not commits("city s104")
    assert commits("sun el_nino orange-blue")
    late = table(options={"pizarro": True}, period=6, step=2).match.state
    assert GAME.commits(late, GAME.parse(0, "end"))
