"""C-P: laying tiles."""

import pytest

from tests.games.table import cuzco


def test_a_triple_is_one_village_and_two_crops_on_three_hexes_that_touch() -> None:  # C-P1
    table = cuzco("").play("place triple k8 k10 l9")
    assert [table.kind(hex_) for hex_ in ("k8", "k10", "l9")] == ["village", "crop", "crop"]
    table.refuses("place triple g8 g10 g12", "C-P1", "3 hexes of a triple tile must touch")
    table.refuses("place triple g8 g8 g10", "C-P1", "must touch each other")


def test_a_double_is_one_village_and_one_crop_on_two_hexes_that_touch() -> None:  # C-P1
    table = cuzco("").play("place double k8 k10")
    assert [table.kind(hex_) for hex_ in ("k8", "k10")] == ["village", "crop"]
    table.refuses("place double g8 g12", "C-P1", "2 hexes of a double tile must touch")
    table.refuses("place double g8 g8", "C-P1", "must touch each other")


def test_a_single_is_one_village_or_one_crop() -> None:  # C-P1
    table = cuzco("").play("place village k8", "place crop k12")
    assert [table.kind(hex_) for hex_ in ("k8", "k12")] == ["village", "crop"]


def test_a_triple_comes_from_the_common_supply() -> None:  # C-P1
    before = cuzco("").state
    after = cuzco("").play("place triple k8 k10 l9").state
    assert after["supply"]["triples"] == 55
    assert after["stock"] == before["stock"]


@pytest.mark.parametrize(
    ("order", "kind", "left"),
    [
        ("place double k8 k10", "doubles", 4),
        ("place crop k8", "crops", 2),
        ("place village k8", "villages", 1),
    ],
)
def test_the_other_tiles_come_from_the_players_own(
    order: str, kind: str, left: int
) -> None:  # C-P1
    before, after = cuzco("").state, cuzco("").play(order).state
    assert after["stock"][0] == {**before["stock"][0], kind: left}
    assert (after["stock"][1], after["supply"]) == (before["stock"][1], before["supply"])


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("place triple k8 k10 l9", "0 triple tiles left in the supply"),
        ("place double k8 k10", "You have 0 double tiles left"),
        ("place crop k8", "You have 0 crop tiles left"),
        ("place village k8", "You have 0 village tiles left"),
    ],
)
def test_a_tile_that_is_used_up_cannot_be_laid(order: str, sentence: str) -> None:  # C-P1
    gone = "supply triples 0; A stock doubles 0 crops 0 villages 0"
    cuzco(f"turn A laid; {gone}").refuses(order, "C-P1", sentence)


@pytest.mark.parametrize(
    "order", ["place triple k8 k10 l9", "place double k8 k10", "place village k8"]
)
def test_a_tile_costs_one_action_point(order: str) -> None:  # C-P2
    assert cuzco("turn A ap 1").play(order).ap == 0
    cuzco("turn A ap 0 laid").refuses(order, "C-P2", "costs 1 AP")


def test_a_tile_raises_its_hexes_by_one_and_sets_their_kind() -> None:  # C-P2
    table = cuzco("villages k8 k10; crops l9").play("place triple l9 k10 k8")
    assert [table.level(hex_) for hex_ in ("l9", "k10", "k8", "k12")] == [2, 2, 2, 0]
    assert [table.kind(hex_) for hex_ in ("l9", "k10", "k8")] == ["village", "crop", "crop"]


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("place crop k8", "k8 is taken by an Inca"),
        ("place double k10 k8", "k8 is taken by an Inca"),
        ("place crop k14", "k14 is taken by an Inca"),
        ("place crop g10", "g10 is a basin"),
        ("place triple g8 g10 h9", "g10 is a basin"),
        ("place village f15", "f15 is a basin"),
        ("place village k12", "k12 bears a temple"),
    ],
)
def test_no_tile_covers_an_inca_a_basin_or_a_temple(order: str, sentence: str) -> None:  # C-P3
    position = "double k8 k10; double k12 k14; temple k12 2; basins g10; A at k8; B at k14"
    cuzco(position).refuses(order, "C-P3", sentence)


def test_a_tile_need_touch_neither_tile_nor_border() -> None:  # C-P3
    cuzco("crops k8").play("place crop g10", "place triple e20 e22 d21")


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("place double k8 k10", "k8 1, k10 0"),
        ("place double k8 k6", "k8 1, k6 2"),
        ("place triple l7 k6 k8", "l7 0, k6 2, k8 1"),
    ],
)
def test_all_hexes_under_a_tile_have_one_level(order: str, sentence: str) -> None:  # C-P4
    cuzco("crops k6^2 k8").refuses(order, "C-P4", sentence)


def test_a_tile_may_bridge_tiles_of_one_level() -> None:  # C-P4
    table = cuzco("double k6 k8; double k10 k12; crops l9").play("place triple k8 k10 l9")
    assert table.level("k8") == table.level("l9") == 2


@pytest.mark.parametrize(
    ("under", "order"),
    [
        ("crop k8", "place crop k8"),
        ("crop k8", "place village k8"),
        ("village k8", "place crop k8"),
        ("double k8 k10", "place double k8 k10"),
        ("double k8 k10", "place double k10 k8"),
        ("triple k8 k10 l9", "place triple k8 k10 l9"),
        ("triple k8 k10 l9", "place triple l9 k8 k10"),
        ("triple k8 k10 l9; double k8 k10", "place double k10 k8"),
        ("double k8 k10; crop k8; village k10; double k8 k10", "place double k8 k10"),
    ],
)
def test_no_tile_lies_exactly_on_one_of_its_shape(under: str, order: str) -> None:  # C-P5
    cuzco(under).refuses(order, "C-P5", "may not lie exactly on one tile of the same shape")


@pytest.mark.parametrize(
    ("under", "order"),
    [
        ("double k8 k10", "place crop k8"),
        ("triple k8 k10 l9", "place double k8 k10"),
        ("double k8 k10; crop l9", "place triple k8 k10 l9"),
        ("double k6 k8; double k10 k12", "place double k8 k10"),
        ("double k8 k10; crop k8; village k10", "place double k8 k10"),
        ("triple k8 k10 l9; crops k8 k10 l9", "place triple k8 k10 l9"),
        ("double k8 k10; crop k8", "place crop k10"),
        ("crops k6 k8; double k8 k6", "place crop k8"),
    ],
)
def test_a_tile_may_lie_on_its_shape_in_any_other_way(under: str, order: str) -> None:  # C-P5
    cuzco(under).play(order)


TWO_CITIES = "villages k8 k10 k14 k16; temple k8 2; temple k16 2; crops"


def test_no_tile_may_join_two_cities() -> None:  # C-P6
    table = cuzco(f"{TWO_CITIES} k12 l13")
    table.refuses("place double k12 l13", "C-P6", "2 cities joined")
    table.play("place double l13 k12")


def test_a_village_that_touches_both_joins_two_cities_too() -> None:  # C-P6
    table = cuzco("villages k8 k10 j13 k14; temple k8 2; temple k14 2")
    table.refuses("place village k12", "C-P6", "a city holds 1 temple only")
    table.refuses("place village j11", "C-P6", "a city holds 1 temple only")


def test_a_city_and_villages_may_be_joined() -> None:  # C-P6
    table = cuzco("villages k8 k10 k14 l13; temple k8 2; A at k10").play("place village k12")
    assert "expand k8 4" in table.legal()


def test_a_tile_may_cut_one_city_and_join_its_rest_to_another_at_once() -> None:  # C-P6
    table = cuzco("villages k8 k10 l11 k14; temple k8 2; temple k14 2; crops k12; A at l11")
    table.play("place double k12 k10")
    assert table.legal("expand") == []
    table.play("place village k16")
    assert table.legal("expand") == ["expand k14 4"]


@pytest.mark.parametrize(
    ("order", "cost"),
    [
        ("place double k6 k4", 2),
        ("place double k4 k6", 2),
        ("place triple k6 k8 l7", 1),
        ("place triple k6 j5 k4", 2),
        ("place triple k6 k4 l5", 3),
        ("place double e2 e0", 2),
    ],
)
def test_each_ring_hex_under_a_tile_costs_one_more(order: str, cost: int) -> None:  # C-P7
    assert cuzco(f"turn A ap {cost}").play(order).ap == 0
    rule = "C-P7" if cost > 1 else "C-P2"
    cuzco(f"turn A ap {cost - 1} laid").refuses(order, rule, f"costs {cost} AP")


def test_a_ring_hex_that_carries_a_tile_costs_nothing_more() -> None:  # C-P7
    table = cuzco("turn A ap 1; triple k6 k4 l5").play("place double k4 k6")
    assert table.ap == 0


def test_levels_count_ring_hexes_too() -> None:  # C-P7
    table = cuzco("crops k6")
    table.refuses("place double k6 k4", "C-P4", "k6 1, k4 0")


@pytest.mark.parametrize("order", ["place double k4 l5", "place crop k4", "place village k4"])
@pytest.mark.parametrize("ring", ["bare", "built"])
def test_a_tile_must_cover_a_site_hex(order: str, ring: str) -> None:  # C-P8
    tiles = "triple k6 k4 l5" if ring == "built" else "triple g8 g10 h9"
    cuzco(tiles).refuses(order, "C-P8", "at least 1 hex of the site")


def test_covered_ring_hexes_count_for_villages_and_cities() -> None:  # C-P9
    table = cuzco("turn A ap 1 laid; triple k4 k6 l5; village j5; A at j5")
    assert table.legal("build") == ["build k4 2"]


def test_incas_stand_on_covered_ring_hexes_and_cross_them() -> None:  # C-P9
    ring = "triple j5 j3 k4; double h5 i4"
    table = cuzco(f"turn A ap 0 laid; {ring}; crops k6 i6; A at k6")
    assert table.legal("move") == ["move k6 i4", "move k6 i6", "move k6 j3", "move k6 k4"]
    table.play("move k6 i6", "move i6 j3")
