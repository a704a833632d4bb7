"""The boards: planar, each slot in one region, every site to be reached, and the counts of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from engine.tahuantinsuyu.board import Board, Point, bits, board, cross
from engine.tahuantinsuyu.state import network

boards = pytest.mark.parametrize("layout", [board(3), board(4)], ids=["three", "four"])


def lines(layout: Board, edge: int) -> list[tuple[Point, Point]]:
    path = layout.edges[edge].path
    return list(pairwise(path))


@boards
def test_no_two_slots_cross_neither_straight_nor_as_drawn(layout: Board) -> None:
    for one, other in combinations(bits(layout.slots), 2):
        assert not cross(*layout.line(one), *layout.line(other))
        assert not any(cross(*a, *b) for a in lines(layout, one) for b in lines(layout, other))


@boards
def test_no_wild_segment_crosses_a_slot(layout: Board) -> None:  # N-R6
    for wild in bits(layout.segments):
        for slot in bits(layout.slots):
            assert not cross(*layout.line(wild), *layout.line(slot))


@boards
def test_a_wild_segment_crosses_one_border_at_most(layout: Board) -> None:  # N-R6
    assert {layout.edges[n].regions.bit_count() for n in bits(layout.segments)} == {1, 2}


@boards
def test_each_slot_lies_in_one_region_which_both_its_ends_touch(layout: Board) -> None:
    for number in bits(layout.slots):
        edge = layout.edges[number]
        assert edge.regions.bit_count() == 1
        assert all(layout.sites[end].regions & edge.regions for end in edge.ends)


@boards
def test_two_sites_have_one_slot_or_segment_at_most(layout: Board) -> None:
    assert len(layout.edge_index) == len(layout.edges)
    assert all(a < b for a, b in layout.edge_index)


@boards
def test_every_site_can_be_reached_from_cuzco(layout: Board) -> None:
    assert network(layout, layout.slots)[0].bit_count() == len(layout.sites)
    assert layout.sites[0].kind == "cuzco"


@boards
def test_neighbours_are_mutual(layout: Board) -> None:
    for number, region in enumerate(layout.regions):
        assert not region.neighbours >> number & 1
        assert all(layout.regions[n].neighbours >> number & 1 for n in bits(region.neighbours))


@boards
def test_every_region_is_touched_by_a_site_and_can_be_reached_over_neighbours(
    layout: Board,
) -> None:
    everything = (1 << len(layout.regions)) - 1
    assert layout.touched((1 << len(layout.sites)) - 1) == everything
    reached = layout.suyus
    while (further := reached | layout.beside(reached)) != reached:
        reached = further
    assert reached == everything


@boards
def test_each_starting_road_leads_from_cuzco_to_the_edge_of_its_suyu(
    layout: Board,
) -> None:  # N-S3
    for colour, number in layout.exits.items():
        edge = layout.edges[number]
        (suyu,) = bits(edge.regions)
        assert layout.regions[suyu].colour == colour
        assert edge.pair[0] == "cuzco"
        assert layout.sites[edge.ends[1]].regions & ~layout.suyus


@pytest.mark.parametrize(
    ("players", "lands", "sites", "slots", "wild"), [(3, 36, 116, 226, 140), (4, 42, 128, 249, 161)]
)
def test_the_boards_have_the_counts_of_the_data(
    players: int, lands: int, sites: int, slots: int, wild: int
) -> None:
    layout = board(players)
    assert layout.suyus.bit_count() == players == len(layout.colours)
    assert len(layout.regions) == lands + players
    assert len(layout.sites) == sites
    assert layout.slots.bit_count() == slots
    assert layout.segments.bit_count() == wild
    assert len(layout.all_markers) == lands + 3


@pytest.mark.parametrize(("players", "kinds"), [(3, (81, 17, 17)), (4, (87, 20, 20))])
def test_the_sites_by_kind(players: int, kinds: tuple[int, int, int]) -> None:
    found = Counter(site.kind for site in board(players).sites)
    assert (found["huaca"], found["city"], found["garrison"]) == kinds


def test_four_players_have_two_shrines_for_each_pilgrimage() -> None:  # N-D9
    layout = board(4)
    names = {
        kind: {layout.sites[n].name for n in bits(sites)} for kind, sites in layout.shrines.items()
    }
    assert names == {
        "local": {"Machu Picchu", "Huanuco Pampa"},
        "annual": {"Chiquitoy Viejo", "Pachacamac"},
        "great": {"Pucara de Andagala", "Ranchillo"},
    }


@pytest.mark.parametrize(
    ("c", "d", "meet"),
    [
        ((2.0, -1.0), (2.0, 1.0), True),
        ((0.0, 0.0), (3.0, 3.0), False),  # a common end
        ((0.0, 0.0), (2.0, 0.0), True),  # a common end, and one on the other
        ((2.0, 0.0), (2.0, 5.0), True),  # an end on the line
        ((5.0, 0.0), (9.0, 0.0), False),  # beyond, in one line
        ((0.0, 1.0), (4.0, 1.0), False),
    ],
)
def test_lines_cross_if_they_meet_other_than_in_a_common_end(
    c: Point, d: Point, meet: bool
) -> None:  # N-R6
    assert cross((0.0, 0.0), (4.0, 0.0), c, d) is meet
    assert cross(c, d, (4.0, 0.0), (0.0, 0.0)) is meet
