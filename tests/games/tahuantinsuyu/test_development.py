"""Development: buildings, terraces, conquests, bought roads, pilgrimages, each card alone and with others (N-D)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.tahuantinsuyu import events as e
from tests.games.table import Table
from tests.games.tahuantinsuyu.tables import (
    A_AND_D,
    B_AND_A,
    FOUR,
    TO_XAUXA,
    marker,
    owned,
    people,
    table,
)

HUANCA = owned(1, "huanca")
CITY = {"s104": {"kind": "city"}}
# Along chincha and nazca to the garrison site s109.
TO_GARRISON = [["s001", "s007"], ["s007", "s065"], ["s065", "s109"]]
NAZCA = owned(1, "nazca", "chincha")


def xauxa(*cards: str, **parts: Any) -> Table:
    """A is joined to the city site s104, and huanca is B's."""
    return people(*cards, **{"roads": TO_XAUXA, "markers": HUANCA, **parts})


def garrison(*cards: str, **parts: Any) -> Table:
    """A is joined to the garrison site s109, and nazca is B's."""
    return people(*cards, **{"roads": TO_GARRISON, "markers": NAZCA, **parts})


# Cities


@pytest.mark.parametrize(
    ("cards", "cost", "points"),
    [
        ([], 6, 4),
        (["epidemic"], 8, 4),
        (["epidemic", "epidemic"], 10, 4),
        (["urban_renewal"], 6, 6),
        (["epidemic", "urban_renewal"], 8, 6),
    ],
)
def test_a_city_costs_and_scores(cards: list[str], cost: int, points: int) -> None:  # N-D1
    match = xauxa(*cards).play("city s104")
    founded = e.CityFounded(0, "s104", "Xauxa", cost, points, standing=(0, 1, 2, 3))
    assert match.event(e.CityFounded) == founded
    assert match.state["labour"][0] == 20 - cost
    assert match.scores[0] == points
    assert match.state["buildings"] == {"s104": {"kind": "city", "temple": False}}


def test_a_city_needs_its_labour() -> None:  # N-D1
    xauxa(labour=5).refuses("city s104", "N-D1", "This costs 6 labour; you have 5.")
    xauxa("epidemic", labour=7).refuses("city s104", "N-D1", "This costs 8 labour; you have 7.")


def test_a_city_stands_on_a_free_joined_city_site_at_a_conquered_region() -> None:  # N-D1
    match = xauxa()
    match.refuses("city s109", "N-D1", "is no city site")
    match.refuses("city cuzco", "N-D1", "Cuzco is no city site")
    match.refuses("city s107", "N-D1", "s107 (La Centinela) is not joined")
    xauxa(buildings=CITY).refuses("city s104", "N-D1", "s104 (Xauxa) is built on already")
    xauxa(markers={}).refuses("city s104", "N-D1", "s104 (Xauxa) touches no conquered region")


# Temples


@pytest.mark.parametrize(("site", "bonus"), [("s104", 0), ("s106", 1)])
def test_a_temple_costs_5_and_scores_4_and_the_bonus_of_a_renowned_site(
    site: str, bonus: int
) -> None:  # N-D2
    roads = [*TO_XAUXA, ["s001", "s005"], ["s005", "s106"]]
    match = people(roads=roads, buildings={site: {"kind": "city"}}).play(f"temple {site}")
    assert match.scores[0] == 4 + bonus
    assert match.state["labour"][0] == 15
    assert match.state["buildings"][site] == {"kind": "city", "temple": True}
    assert match.event(e.TempleBuilt).bonus == bonus


def test_a_temple_stands_on_a_joined_city_without_temple_whoever_founded_it() -> None:  # N-D2
    xauxa().refuses("temple s104", "N-D2", "there is none on s104 (Xauxa)")
    with_temple = {"s104": {"kind": "city", "temple": True}}
    xauxa(buildings=with_temple).refuses("temple s104", "N-D2", "has a temple already")
    people(buildings=CITY).refuses("temple s104", "N-D2", "is not joined")
    xauxa(buildings=CITY, labour=4).refuses(
        "temple s104", "N-D2", "This costs 5 labour; you have 4"
    )


def test_religious_fervour_lets_a_temple_stand_on_a_garrison_without_bonus() -> None:  # N-D2
    built = {"s109": {"kind": "garrison"}}
    garrison(buildings=built).refuses("temple s109", "N-D2", "only Religious Fervour")
    match = garrison("religious_fervour", buildings=built).play("temple s109")
    assert match.scores[0] == 4
    assert match.state["buildings"]["s109"] == {"kind": "garrison", "temple": True}


def test_in_an_eclipse_there_is_no_temple_after_the_road_action_began() -> None:  # N-D2
    match = xauxa("solar_eclipse", buildings=CITY).play("road s001 s005")
    match.refuses("temple s104", "N-D2", "no temple once the road action has begun")


def test_in_an_eclipse_there_is_no_road_action_after_a_temple() -> None:  # N-D2
    match = xauxa("solar_eclipse", buildings=CITY).play("temple s104")
    match.refuses("road s001 s005", "N-D2", "after a temple no road action may happen")
    assert match.legal() == ["end"]


def test_without_an_eclipse_both_may_happen() -> None:  # N-D2
    xauxa(buildings=CITY).play("temple s104", "road s001 s005", "end")
    xauxa(buildings=CITY).play("road s001 s005", "temple s104", "end")


def machu_picchu(*cards: str, **parts: Any) -> Table:
    """A is joined to s105 with a temple, where the Local Pilgrimage leads, and to Xauxa, a city."""
    roads = [*TO_XAUXA, ["s001", "s005"], ["s005", "s084"], ["s002", "s084"], ["s002", "s105"]]
    built = {"s105": {"kind": "city", "temple": True}, **CITY}
    return people(*cards, **{"roads": roads, "buildings": built, **parts})


def test_in_an_eclipse_a_pilgrimage_for_roads_and_a_temple_exclude_each_other() -> None:  # N-D2
    match = machu_picchu("solar_eclipse", "local_pilgrimage")
    match.play("pilgrimage local for roads")
    match.refuses("temple s104", "N-D2", "begun or been given up")
    match = machu_picchu("solar_eclipse", "local_pilgrimage").play("temple s104")
    match.refuses("pilgrimage local for roads", "N-D2", "the road action cannot be given up")
    assert match.legal() == ["end"]


# Garrisons


@pytest.mark.parametrize(
    ("cards", "cost", "points"),
    [
        ([], 4, 3),
        (["bad_weather"], 5, 3),
        (["safety_rations"], 4, 4),
        (["bad_weather", "safety_rations"], 5, 4),
    ],
)
def test_a_garrison_costs_and_scores(cards: list[str], cost: int, points: int) -> None:  # N-D3
    match = garrison(*cards).play("garrison s109")
    assert match.state["labour"][0] == 20 - cost
    assert match.scores[0] == points
    assert match.state["buildings"] == {"s109": {"kind": "garrison", "temple": False}}


def test_a_garrison_stands_on_a_free_joined_garrison_site_at_a_conquered_region() -> None:  # N-D3
    match = garrison()
    match.refuses("garrison s104", "N-D3", "is no garrison site")
    match.refuses("garrison s111", "N-D3", "is not joined")
    garrison(markers={}).refuses("garrison s109", "N-D3", "touches no conquered region")
    built = {"s109": {"kind": "garrison"}}
    garrison(buildings=built).refuses("garrison s109", "N-D3", "is built on already")
    garrison(labour=3).refuses("garrison s109", "N-D3", "This costs 4 labour; you have 3.")


def two_garrisons(*cards: str, **parts: Any) -> Table:
    """A is joined to s109 and, by a road along C's first, to s111."""
    roads = [*TO_GARRISON, ["cuzco", "s003"], ["s003", "s111"]]
    return people(*cards, **{"roads": roads, "markers": {**NAZCA, **owned(1, "canas")}, **parts})


def test_building_project_lets_a_second_garrison_follow_at_full_cost() -> None:  # N-D3
    two_garrisons().play("garrison s109").refuses("garrison s111", "N-R1", "no card lets another")
    match = two_garrisons("building_project", "bad_weather").play("garrison s109", "garrison s111")
    assert match.state["labour"][0] == 20 - 2 * 5
    assert match.scores[0] == 6


# Terraces


def test_a_terrace_costs_2_and_scores_1_on_an_own_marker() -> None:  # N-D4
    match = people(markers={**owned(0, "huanca"), **owned(1, "chanka")}).play("terrace huanca")
    assert match.state["labour"][0] == 18
    assert match.scores[0] == 1
    assert marker(match, "huanca")["terrace"]


def test_a_marker_bears_one_terrace() -> None:  # N-D4
    match = people(markers={**owned(0, "huanca", terrace=True), **owned(1, "chanka")})
    match.refuses("terrace huanca", "N-D4", "has 1 terrace, which is the most")
    match.refuses("terrace chanka", "N-D4", "The marker of chanka is not yours.")
    people(labour=1, markers=owned(0, "huanca")).refuses(
        "terrace huanca", "N-D4", "This costs 2 labour; you have 1."
    )


def test_surveyors_let_a_second_terrace_follow() -> None:  # N-D4
    markers = owned(0, "huanca", "nazca", "chincha")
    people(markers=markers).play("terrace huanca").refuses("terrace nazca", "N-R1", "no card lets")
    match = people("expert_surveyors", markers=markers).play("terrace huanca", "terrace nazca")
    match.refuses("terrace chincha", "N-R1", "no card lets another follow")
    assert match.state["labour"][0] == 16


# Conquests


@pytest.mark.parametrize(
    ("cards", "kind", "cost", "points"),
    [
        ([], "warriors", 4, 5),
        ([], "kingdom", 3, 1),
        (["resistance"], "allies", 2, 1),
        (["resistance", "resistance"], "herders", 4, 3),
        (["military_superiority"], "lordship", 2, 3),
        (["military_superiority"], "allies", 0, 1),
        (["military_superiority", "resistance"], "farmers", 2, 1),
    ],
)
def test_a_conquest_costs_the_resistance_and_scores_the_marker(
    cards: list[str], kind: str, cost: int, points: int
) -> None:  # N-D5
    match = people(*cards, markers={"huanca": {"type": kind}}).play("conquer huanca")
    assert match.state["labour"][0] == 20 - cost
    assert match.scores[0] == points
    assert marker(match, "huanca") == {"type": kind, "up": True, "owner": 0, "terrace": False}


def test_a_conquest_turns_up_the_neighbours() -> None:  # N-D5
    match = people()
    assert not any(marker(match, name)["up"] for name in ("huaylas", "tarma", "ichma"))
    match.play("conquer huanca")
    assert match.event(e.MarkersTurned).regions == ("huaylas", "tarma", "ichma")
    assert all(marker(match, name)["up"] for name in ("huaylas", "tarma", "ichma"))


def test_a_region_is_conquered_face_up_from_a_joined_site_and_once() -> None:  # N-D5
    match = people(markers={"huanca": {"up": False}, "chincha": {"type": "kingdom", "owner": 2}})
    match.refuses("conquer huanca", "N-D5", "The marker of huanca is face down.")
    match.refuses("conquer chincha", "N-D5", "chincha is conquered already.")
    match.refuses("conquer chanka", "N-D5", "No site that your roads join to Cuzco touches chanka.")
    poor = people(labour=1, markers={"huanca": {"type": "kingdom"}})
    poor.refuses("conquer huanca", "N-D5", "This costs 3 labour; you have 1.")


# Bought roads


def test_a_road_is_bought_for_one_labour() -> None:  # N-D6
    match = people().play("buy road s001 s005")
    assert match.state["labour"][0] == 19
    match.refuses("buy road s001 s061", "N-D6", "no card lets another follow")
    people(labour=0).refuses("buy road s001 s005", "N-D6", "This costs 1 labour; you have 0.")


def test_motivated_workers_make_one_more_bought_road_free_for_each_copy() -> None:  # N-D6
    match = people("motivated_workers").play("buy road s001 s005", "buy road s001 s061")
    assert match.state["labour"][0] == 19
    match.refuses("buy road s001 s007", "N-D6", "no card lets another follow")
    match = people("motivated_workers", "motivated_workers", labour=1)
    match.play("buy road s001 s005", "buy road s001 s061", "buy road s001 s007")
    assert match.state["labour"][0] == 0


def test_the_free_one_may_be_wild() -> None:  # N-D6
    match = people("motivated_workers", "wild_road").play(
        "buy road s001 s005", "buy wild s001 s104"
    )
    assert match.state["labour"][0] == 19


def test_el_nino_does_not_count_for_bought_roads() -> None:  # N-D6
    match = people("el_nino", "el_nino", "motivated_workers")
    match.play("buy road s001 s005", "buy road s001 s061", "road s001 s007")
    match.refuses("road s061 s104", "N-R2", "You have laid 1 of the 1 road")


def test_bought_roads_do_not_count_as_free_ones() -> None:  # N-D6
    people().play("buy road s001 s005", "road s001 s061", "road s001 s007")
    people().play("road s001 s061", "road s001 s007", "buy road s001 s005")


# Upgrades


@pytest.mark.parametrize(
    ("cards", "cost", "points"),
    [
        ([], 4, 4),
        (["epidemic"], 6, 4),
        (["urban_renewal"], 4, 6),
        (["epidemic", "urban_renewal"], 6, 6),
    ],
)
def test_strategic_point_makes_a_city_of_a_garrison(
    cards: list[str], cost: int, points: int
) -> None:  # N-D7
    built = {"s109": {"kind": "garrison", "temple": True}}
    match = garrison("strategic_point", *cards, buildings=built).play("upgrade s109")
    assert match.state["labour"][0] == 20 - cost
    assert match.scores[0] == points
    assert match.state["buildings"]["s109"] == {"kind": "city", "temple": True}


def test_only_a_joined_garrison_is_upgraded_and_only_by_the_card() -> None:  # N-D7
    built = {"s109": {"kind": "garrison"}, "s111": {"kind": "garrison"}, **CITY}
    garrison(buildings=built).refuses("upgrade s109", "N-D7", "Only Strategic Point")
    match = garrison("strategic_point", buildings=built)
    match.refuses("upgrade s111", "N-D7", "is not joined")
    match.refuses("upgrade s104", "N-D7", "There is no garrison on s104")
    poor = garrison("strategic_point", buildings=built, labour=3)
    poor.refuses("upgrade s109", "N-D7", "This costs 4 labour; you have 3.")


def test_an_upgraded_garrison_is_a_city_for_temples() -> None:  # N-D7, N-D2
    match = garrison(buildings={"s109": {"kind": "city"}}).play("temple s109")
    assert match.scores[0] == 4


# Rapid Expansion


def test_rapid_expansion_adds_a_conquest_at_2_more_after_any_development() -> None:  # N-D8
    markers = {**owned(0, "nazca"), "huanca": {"type": "allies"}, "chincha": {"type": "farmers"}}
    match = people("rapid_expansion", markers=markers).play("terrace nazca", "conquer huanca")
    conquered = match.event(e.RegionConquered)
    assert conquered.extra
    assert conquered.cost == 1 + 2
    match.refuses("conquer chincha", "N-D8", "You have made 1 extra conquest; Rapid")


@pytest.mark.parametrize(
    ("cards", "orders"),
    [
        ([], ["city s107"]),
        ([], ["temple s104"]),
        (["solar_eclipse"], ["temple s104"]),
        (["building_project"], ["garrison s109", "garrison s111"]),
        (["strategic_point"], ["upgrade s100"]),
        (["expert_surveyors"], ["terrace chincha", "terrace nazca"]),
        (["motivated_workers"], ["buy road s001 s005", "buy road s005 s084"]),
        (["wild_road"], ["buy wild cuzco s002"]),
    ],
)
def test_an_extra_conquest_follows_whatever_the_development_was(
    cards: list[str], orders: list[str]
) -> None:  # N-D8
    roads = [
        *TO_XAUXA,
        *(["s018", "s104"], ["s018", "s100"]),
        *(["s001", "s007"], ["s007", "s107"], ["s007", "s063"], ["s063", "s109"]),
        *(["cuzco", "s003"], ["s003", "s111"]),
    ]
    roads = [sorted(pair) for pair in roads]
    markers = {**owned(0, "chincha", "nazca", "canas"), "huanca": {"type": "allies"}}
    built = {**CITY, "s100": {"kind": "garrison"}}
    match = people("rapid_expansion", *cards, roads=roads, markers=markers, buildings=built)
    match.play(*orders, "conquer huanca")
    assert match.event(e.RegionConquered).cost == 1 + 2
    match.refuses("conquer condesuyo", "N-D8", "You have made 1 extra conquest;")


def test_a_first_conquest_is_the_action_and_each_later_one_is_extra() -> None:  # N-D8
    markers = {region: {"type": "allies"} for region in ("huanca", "chincha", "nazca", "condesuyo")}
    parts = {"roads": [["s001", "s007"]], "markers": markers}
    match = people("rapid_expansion", "rapid_expansion", **parts)
    match.play("conquer huanca", "conquer chincha", "conquer nazca")
    assert match.state["labour"][0] == 20 - 1 - 3 - 3
    match.refuses("conquer condesuyo", "N-D8", "You have made 2 extra conquests; Rapid")


def test_resistance_and_superiority_count_for_extra_conquests_too() -> None:  # N-D8
    markers = {"huanca": {"type": "allies"}, "chincha": {"type": "allies"}}
    match = people("rapid_expansion", "military_superiority", markers=markers)
    match.play("conquer huanca", "conquer chincha")
    assert match.state["labour"][0] == 20 - 0 - 2
    match = people("rapid_expansion", "resistance", markers=markers, labour=5)
    match.play("conquer huanca")
    match.refuses("conquer chincha", "N-D8", "This costs 4 labour; you have 3.")


def test_no_extra_conquest_without_a_development_before_it() -> None:  # N-D8
    markers = {"huanca": {"type": "allies"}, "chincha": {"type": "allies"}}
    match = people("rapid_expansion", markers=markers).play("road s001 s005", "conquer huanca")
    assert not match.event(e.RegionConquered).extra
    match.play("conquer chincha")
    assert match.event(e.RegionConquered).extra


def test_extra_conquests_end_with_the_development_action() -> None:  # N-D8, N-R1
    markers = {"huanca": {"type": "allies"}, "chincha": {"type": "allies"}}
    match = people("rapid_expansion", markers=markers).play("conquer huanca", "road s001 s005")
    match.refuses("conquer chincha", "N-R1", "The development action is finished")


# Pilgrimages


@pytest.mark.parametrize(
    ("kind", "points", "sites"),
    [
        ("local", 4, ("s105", "s098")),
        ("annual", 5, ("s099", "s103")),
        ("great", 7, ("s125", "s126")),
    ],
)
def test_a_pilgrimage_leads_to_a_temple_on_a_named_site(
    kind: str, points: int, sites: tuple[str, str]
) -> None:  # N-D9
    assert FOUR.pilgrim_points[kind] == points
    assert {FOUR.sites[n].id for n in range(128) if FOUR.shrines[kind] >> n & 1} == set(sites)


@pytest.mark.parametrize("instead", ["roads", "development"])
def test_a_pilgrimage_takes_the_place_of_an_action(instead: str) -> None:  # N-D9
    match = machu_picchu("local_pilgrimage").play(f"pilgrimage local for {instead}")
    assert match.scores[0] == 4
    assert match.state["labour"][0] == 20
    other = {"roads": "road s001 s007", "development": "temple s104"}
    gone, left = other.pop(instead), other.popitem()[1]
    match.refuses(gone, "N-D9", "You went on a pilgrimage instead of")
    match.play(left)


def test_a_pilgrimage_needs_its_card_and_a_joined_temple() -> None:  # N-D9
    machu_picchu().refuses("pilgrimage local for roads", "N-D9", "does not lie beside your colour")
    match = machu_picchu("great_pilgrimage")
    match.refuses("pilgrimage great for roads", "N-D9", "Pucara de Andagala, Ranchillo")
    without = machu_picchu("local_pilgrimage", buildings={"s105": {"kind": "city"}})
    without.refuses("pilgrimage local for roads", "N-D9", "needs a temple")
    cut_off = machu_picchu("local_pilgrimage", roads=[["s002", "s105"]])
    cut_off.refuses("pilgrimage local for roads", "N-D9", "Machu Picchu")


def test_one_pilgrimage_a_phase() -> None:  # N-D9
    match = machu_picchu("local_pilgrimage").play("pilgrimage local for roads")
    match.refuses("pilgrimage local for development", "N-D9", "1 pilgrimage in this phase")


def test_the_action_given_up_must_not_have_begun() -> None:  # N-D9
    match = machu_picchu("local_pilgrimage").play("road s001 s007")
    match.refuses("pilgrimage local for roads", "N-D9", "You have begun the road action")
    match.play("pilgrimage local for development")
    match.refuses("road s001 s061", "N-R1", "Your pilgrimage has finished the road action.")
    assert match.legal() == ["end"]


def test_a_pilgrimage_finishes_a_development_that_has_begun() -> None:  # N-D9
    match = machu_picchu("local_pilgrimage", "rapid_expansion").play("temple s104")
    match.play("pilgrimage local for roads")
    match.refuses("conquer huanca", "N-R1", "Your pilgrimage has finished the development action.")


def test_rapid_expansion_does_not_follow_a_pilgrimage() -> None:  # N-D9
    match = machu_picchu("local_pilgrimage", "rapid_expansion")
    match.play("pilgrimage local for development")
    match.refuses("conquer huanca", "N-D9", "instead of the development action")


def test_three_players_have_no_pilgrimages() -> None:  # N-D9, N-S4
    match = table(3)
    match.refuses("pilgrimage local for roads", "N-D9", "does not lie beside your colour")


# Whose things are


def test_buildings_belong_to_all_and_pieces_are_not_limited() -> None:  # N-D10
    cities = [site.id for site in FOUR.sites if site.kind == "city"]
    built = {site: {"kind": "city"} for site in cities if site != "s104"}
    garrisons = {site.id: {"kind": "garrison"} for site in FOUR.sites if site.kind == "garrison"}
    match = xauxa(buildings={**built, **garrisons}).play("city s104")
    assert len(match.state["buildings"]) == 40
    # B, who has a road to Xauxa too, builds the temple there.
    roads = [[], [["s002", "s084"], ["s005", "s084"], ["s001", "s005"], *TO_XAUXA]]
    match = table(roads=roads, buildings=CITY, labour=[0, 5], order=[1, 0, 2, 3])
    match.play("temple s104")
    assert match.scores == (0, 4, 0, 0)


def test_terraces_belong_to_their_builder() -> None:  # N-D10
    match = people(markers=owned(0, "huanca", terrace=True))
    view = match.view("B")["markers"]["huanca"]
    assert view == {"type": "farmers", "up": True, "owner": 0, "terrace": True}


def test_cards_hold_for_those_beside_them_only() -> None:  # N-D1, N-U3
    sun = {A_AND_D: ["epidemic"], B_AND_A: ["epidemic"], "blue-brown": ["urban_renewal"]}
    match = people(sun=sun, roads=TO_XAUXA, markers=HUANCA).play("city s104")
    assert match.event(e.CityFounded).cost == 10
    assert match.event(e.CityFounded).points == 4
