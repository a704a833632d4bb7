"""The boards: planar, each slot in one region, every site to be reached, and the counts of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import dist

import pytest

from engine.kit.masks import bits
from engine.tahuantinsuyu.picture.room import inside
from engine.tahuantinsuyu.printed_board import DATA, SEATS, Board, Point, board, cross
from engine.tahuantinsuyu.state import network
from tests.games.tahuantinsuyu.worth import worth

BOARDS = {f"{players} players, board {n}": board(players, n) for players in SEATS for n in DATA}
boards = pytest.mark.parametrize("layout", BOARDS.values(), ids=BOARDS)
mended = pytest.mark.parametrize("layout", [board(3, 2), board(4, 2)], ids=["three", "four"])


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
    ("players", "edition", "lands", "sites", "slots", "wild"),
    [
        (3, 1, 36, 116, 226, 140),
        (4, 1, 42, 128, 249, 161),
        (3, 2, 36, 103, 225, 83),
        (4, 2, 42, 119, 250, 88),
    ],
)
def test_the_boards_have_the_counts_of_the_data(
    players: int, edition: int, lands: int, sites: int, slots: int, wild: int
) -> None:
    layout = board(players, edition)
    assert layout.suyus.bit_count() == players == len(layout.colours)
    assert len(layout.regions) == lands + players
    assert len(layout.sites) == sites
    assert layout.slots.bit_count() == slots
    assert layout.segments.bit_count() == wild
    assert len(layout.all_markers) == lands + 3


@pytest.mark.parametrize(
    ("players", "edition", "kinds"),
    [(3, 1, (81, 17, 17)), (4, 1, (87, 20, 20)), (3, 2, (66, 18, 18)), (4, 2, (78, 20, 20))],
)
def test_the_sites_by_kind(players: int, edition: int, kinds: tuple[int, int, int]) -> None:
    found = Counter(site.kind for site in board(players, edition).sites)
    assert (found["huaca"], found["city"], found["garrison"]) == kinds


@pytest.mark.parametrize("edition", DATA)
def test_four_players_have_two_shrines_for_each_pilgrimage(edition: int) -> None:  # N-D9
    layout = board(4, edition)
    names = {
        kind: {layout.sites[n].name for n in bits(sites)} for kind, sites in layout.shrines.items()
    }
    assert names == {
        "local": {"Machu Picchu", "Huanuco Pampa"},
        "annual": {"Chiquitoy Viejo", "Pachacamac"},
        "great": {"Pucara de Andagala", "Ranchillo"},
    }


# The boards of the second edition


@mended
def test_every_suyu_has_the_same_within_reach(layout: Board) -> None:
    assert len({worth(layout, colour) for colour in layout.colours}) == 1


@mended
def test_four_regions_are_marked_for_the_gift_of_the_gods(layout: Board) -> None:  # N-V
    assert layout.hands_of_gods.bit_count() == 4


@mended
def test_every_wild_way_that_the_rule_allows_is_there_and_no_other(layout: Board) -> None:  # N-R6
    slots = [layout.line(number) for number in bits(layout.slots)]
    pairs = {edge.ends for edge in layout.edges if not edge.wild}
    allowed = {}
    for ends in combinations(range(len(layout.sites)), 2):
        a, b = (layout.sites[end].at for end in ends)
        if ends in pairs or any(cross(a, b, *slot) for slot in slots):
            continue
        if any(passes(site.at, a, b) for n, site in enumerate(layout.sites) if n not in ends):
            continue
        regions = crossed(layout, a, b)
        if regions and len(regions) < 3 and not regions & set(bits(layout.suyus)):
            allowed[ends] = regions
    printed = {e.ends: set(bits(e.regions)) for e in layout.edges if e.wild}
    assert {tuple(sorted(ends)): regions for ends, regions in printed.items()} == allowed


def crossed(layout: Board, a: Point, b: Point) -> set[int]:
    """The regions under a line from near its one end to near its other; none if it leads over water."""
    parts, found = int(dist(a, b) / 2), list[int]()
    for part in range(2, parts - 1):
        point = tuple(a[i] + (b[i] - a[i]) * part / parts for i in (0, 1))
        here = [n for n, r in enumerate(layout.regions) if inside((point[0], point[1]), r.polygon)]
        if not here:
            return set()
        if here[0] not in found[-1:]:
            found += here
    return set(found) if len(found) == len(set(found)) else set(range(3))


def passes(site: Point, a: Point, b: Point) -> bool:
    """Whether a line leads over a site as it is drawn."""
    way = [b[i] - a[i] for i in (0, 1)]
    along = sum((site[i] - a[i]) * way[i] for i in (0, 1)) / dist(a, b) ** 2
    foot = tuple(a[i] + along * way[i] for i in (0, 1))
    return 0 < along < 1 and dist(site, foot) < 8


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
