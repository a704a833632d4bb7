"""The picture of the board: complete, readable without colour, and the same for the same view."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine.core.sentence import Sentence, seat_letter
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.picture.glyphs import PENNANT, SHAPES
from engine.tahuantinsuyu.picture.ground import stretched
from engine.tahuantinsuyu.picture.lettering import GLYPHS, SIZE, word, writable
from engine.tahuantinsuyu.picture.palette import FORMS, PAINTS
from engine.tahuantinsuyu.picture.room import inside, rooms, roomy, shared, site_rooms
from engine.tahuantinsuyu.printed_board import board
from engine.tahuantinsuyu.text.orders import BOARDS
from tests.engine.matches import walk
from tests.games.tahuantinsuyu import room
from tests.games.tahuantinsuyu.tables import owned, sun, table

SVG = "{http://www.w3.org/2000/svg}"
RICH: dict[str, Any] = {
    "period": 4,
    "step": 4,
    "scores": [23, 23, 117, 5],
    "standing": [2, 1, 0, 3],
    "sun": {"orange-blue": ["epidemic"]},
    "roads": [[["s001", "s061"]], [["s001", "s061"]], [["s003", "s111"]], [["s065", "s109"]]],
    "markers": {
        **owned(0, "huanca", terrace=True),
        **owned(3, "chanka"),
        "pasto": {"type": "warriors", "up": False},
    },
    "buildings": {
        "s104": {"kind": "city", "temple": True},
        "s111": {"kind": "garrison"},
        "s106": {"kind": "city"},
    },
}


def picture(parts: dict[str, Any], seat: int | None = None, seats: int = 4) -> str:
    return GAME.render(GAME.view(table(seats, **parts).match.state, seat), str)


def places(svg: str) -> dict[str, ET.Element]:
    """The parts that can be pointed at, by name."""
    groups = ET.fromstring(svg).iter(f"{SVG}g")  # noqa: S314 - our own picture
    return {x.attrib["data-place"]: x for x in groups if x.get("class") == "place"}


def title(svg: str, name: str) -> str:
    return places(svg)[name].findtext(f"{SVG}title") or ""


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("seats", [3, 4])
def test_every_site_region_and_sector_can_be_pointed_at(seats: int, edition: int) -> None:
    layout = board(seats, edition)
    names = [*layout.site_index, *layout.region_index, *layout.sectors]
    svg = picture({"options": {"board": edition}}, seats=seats)
    drawn = places(svg)
    assert sorted(drawn) == sorted(names)
    assert svg.count('class="place" data-place="') == len(names)
    for name, found in drawn.items():
        assert re.fullmatch(r"translate\(\S+ \S+\)", found.attrib["transform"])
        assert name in (found.findtext(f"{SVG}title") or "").lower()
        assert found.find(f"{SVG}path") is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cuzco", "Cuzco: the capital"),
        ("s001", "s001 (Tunanmarca): huaca"),
        ("s107", "s107 (La Centinela): city site"),
        ("s103", "s103 (Pachacamac): renowned city site, temple bonus 2; Annual Pilgrimage"),
        ("s109", "s109 (Paredones): garrison site"),
        ("s104", "s104 (Xauxa): city with temple"),
        ("s111", "s111 (Ayaviri): garrison"),
        ("pasto", "pasto: face down"),
        ("huanca", "huanca: of A, labour 2, with a terrace"),
        ("chanka", "chanka: of D, labour 2"),
        ("chinchaysuyu", "chinchaysuyu: suyu of A"),
    ],
)
def test_a_place_says_what_it_is(name: str, words: str) -> None:
    assert title(picture(RICH), name) == words


def test_a_marker_that_is_up_tells_its_values() -> None:
    svg = picture({"markers": {"huanca": {"type": "warriors"}}})
    assert title(svg, "huanca") == "huanca: warriors, labour 2, resistance 4, 5 VP"


def test_the_same_view_gives_the_same_picture() -> None:
    assert picture(RICH) == picture(RICH)


def test_a_picture_needs_no_fonts_and_no_scripts() -> None:
    svg = picture(RICH)
    for word_ in ("<text", "<script", "style=", "font", "href", "<image"):
        assert word_ not in svg
    assert svg.count("<style>") == 1


def test_every_picture_brings_the_same_style() -> None:
    styles = {re.findall(r"<style>(.*?)</style>", picture(RICH, seats=4))[0]}
    styles.add(re.findall(r"<style>(.*?)</style>", picture({}, seats=3))[0])
    assert len(styles) == 1


def test_every_class_that_is_drawn_has_a_look() -> None:
    known = set(re.findall(r"[.]([a-z0-9]+)", FORMS))
    for name, *_ in PAINTS:
        known.update(name.replace(".", "").split())
    used: set[str] = set()
    for seats in (3, 4):
        for match in islice(walk("tahuantinsuyu", seats, 3, pizarro=True), 0, None, 60):
            svg = GAME.render(GAME.view(match.state, None), str)
            for found in re.findall(r'class="([^"]+)"', svg):
                used.update(found.split())
    assert used - known - {"place", "tahuantinsuyu-board"} == set()


# What letters stand on what: the ink, and the grounds under it.
LETTERED = {
    "ink": ("l0", "l1", "l2", "l3", "l4", "mist", "sky"),
    "dark": ("city", "gold", "toil", "card", "cuzco", "orange .hue"),
    "pale": ("shield", "laurel", "sealed", "back", "green .hue", "brown .hue", "blue .hue"),
}


@pytest.mark.parametrize("night", [False, True], ids=["light", "dark"])
def test_letters_stand_out_from_what_they_stand_on(night: bool) -> None:
    paints = {(name, prop): (light, dark)[night] for name, prop, light, dark in PAINTS}
    for ink, grounds in LETTERED.items():
        for ground in grounds:
            light, dark = sorted(
                (lightness(paints[ink, "stroke"]), lightness(paints[ground, "fill"])), reverse=True
            )
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


def lightness(colour: str) -> float:
    """The relative luminance of a colour, as WCAG reckons contrast."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_differ_in_shape_and_their_roads_in_beat() -> None:
    assert len({shape for shape, _ in SHAPES.values()}) == 4
    beats = re.findall(r"R [.](\w+) [.]beat\{stroke-dasharray:([^;}]+)", FORMS)
    assert len({beat for _, beat in beats}) == 3
    assert "orange" not in dict(beats)


def test_a_hidden_card_is_not_drawn_for_others() -> None:
    match = sun(pile=[]).play("sun el_nino orange-blue").match
    views = {seat: GAME.render(GAME.view(match.state, seat), str) for seat in (None, 0, 1)}
    drawn = word("el niño")
    assert drawn in views[0]
    assert drawn not in views[1]
    assert views[None] == views[1]
    assert "face down, by A" in views[1]


def test_nobodys_hand_is_drawn() -> None:
    one = table(hands=[["epidemic"], ["el_nino"]]).match.state
    other = table(hands=[["resistance"], ["wild_road"]]).match.state
    assert GAME.render(GAME.view(one, 0), str) == GAME.render(GAME.view(other, 0), str)


def test_roads_that_share_a_way_lie_side_by_side_and_those_cut_off_are_pale() -> None:
    svg = picture(RICH)
    ways = re.findall(r'class="casing( cut)?" d="([^"]+)"', svg)
    drawn = [(cut, way) for cut, path in ways for way in path.split("M")[1:]]
    assert len(drawn) == 4 + 4  # first roads, four more
    assert len({way for _, way in drawn}) == len(drawn)
    assert sum(bool(cut) for cut, _ in drawn) == 2  # of B and of D


def test_every_letter_is_as_high_as_a_page_needs_to_show_it() -> None:
    """A sheet on a screen of 1280 x 800 is 860 pixels wide: letters of 10 units must become 11 pixels there."""
    for seats in (3, 4):
        for edition in (1, 2):
            svg = picture({"options": {"board": edition}}, seats=seats)
            width = float(re.findall(r'viewBox="0 0 (\S+) ', svg)[0])
            sizes = re.findall(r'class="letter [a-z ]+" transform="matrix\(\S+ 0 0 (\S+) ', svg)
            assert len(sizes) == svg.count('class="letter ') > 200
            assert {float(size) for size in sizes} == {SIZE[1]}
            assert 10 * SIZE[1] * 860 / width >= 11
            assert f'data-lettering="{10 * SIZE[1]:g}"' in svg


def test_the_land_fills_the_picture() -> None:
    for layout in map(stretched, BOARDS):
        width, height = layout.canvas
        for axis, most in enumerate((width, height)):
            lies = [point[axis] for point in layout.land]
            assert min(lies) <= 24.5
            assert max(lies) >= most - 24.5
        assert all(0 < x < width and 0 < y < height for x, y in (site.at for site in layout.sites))


def test_the_id_of_a_site_stands_with_the_site_for_where_it_is_asked_for() -> None:
    for name, found in places(picture({})).items():
        captions = [x for x in found.iter(f"{SVG}g") if x.get("class") == "caption"]
        drawn = [path.get("d") for caption in captions for path in caption]
        assert (word(name) in drawn) == (re.fullmatch(r"s\d+", name) is not None)


def test_points_labour_and_turns_are_told_beside_the_picture() -> None:
    """The land is drawn alone: what the box prints around it is told in facts and in a table."""
    view = GAME.view(table(**RICH).match.state, None)
    told = {str(label): [str(thing) for thing in things] for label, things in GAME.summary(view)}
    assert told["Standing, first to last"] == ["C: 117 VP", "B: 23 VP", "A: 23 VP", "D: 5 VP"]
    assert told["Order of play"] == [seat_letter(seat) for seat in view.order]
    for seat in range(4):
        own = told[f"{seat_letter(seat)} has"]
        assert own[1:3] == [f"{view.scores[seat]} VP", f"labour: {view.labour[seat]}"]


@pytest.mark.parametrize(("players", "edition"), room.BOARDS)
def test_markers_and_mountains_stand_where_there_is_most_room(players: int, edition: int) -> None:
    kept = json.loads(room.FILE.read_text())[f"{players} players, edition {edition}"]
    assert kept == room.search(players, edition), "python -m tests.games.tahuantinsuyu.room"


def test_markers_stay_on_their_region_and_in_the_picture() -> None:
    for layout in map(stretched, BOARDS):
        width, height = layout.canvas
        for region in layout.regions:
            at = roomy(layout)[region.id]
            assert inside(at, region.polygon), region.id
            for left, top, right, bottom in rooms(region, at):
                assert left > 0, region.id
                assert top > 0, region.id
                assert right < width, region.id
                assert bottom < height, region.id


def test_no_name_and_no_marker_hides_behind_a_site() -> None:
    """Neither behind what may be built there: a temple stands out above its city."""
    for layout in map(stretched, BOARDS):
        for region in layout.regions:
            tag, name = rooms(region, roomy(layout)[region.id])
            for site in layout.sites:
                for drawn in site_rooms(site):
                    assert shared(name, drawn) < 500, (region.id, site.id)  # of some 2600
                    assert shared(tag, drawn) < 760, (region.id, site.id)  # of 3800


def test_pilgrims_find_their_sites_where_their_cards_are_played() -> None:
    assert picture({}).count(PENNANT) == 6
    assert PENNANT not in picture({}, seats=3)
    assert PENNANT not in picture({"options": {"early_decline": True}})


def periods(parts: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The period table: labour and phases by period."""
    (ledger,) = GAME.ledgers(GAME.view(table(**parts).match.state, None))
    return {str(name): (str(labour), str(phases)) for name, labour, phases in ledger.rows}


def test_the_period_table_tells_labour_and_phases_and_where_the_black_inca_stands() -> None:
    found = periods(RICH)
    assert list(found) == [
        *("Pre-Empire 1", "Early Empire 1", "Early Empire 2", "Early Empire 3"),
        *("Middle Empire 1", "Middle Empire 2", "Late Empire 1"),
    ]
    assert [labour for labour, _ in found.values()] == list("6333221")
    assert found["Middle Empire 1"][1] == (
        "Inca phase, Sun phase, People phase, Sun phase, ▶ People phase, Sun phase, People phase,"
        " Sapa Inca phase"
    )
    assert "".join(phases for _, phases in found.values()).count("▶") == 1
    shorter = periods({"options": {"early_decline": True}})
    assert list(shorter) == [
        name for name in found if name not in ("Early Empire 3", "Middle Empire 2")
    ]


def test_when_pizarro_has_come_his_ship_is_told_there_alone() -> None:
    late = periods({"options": {"pizarro": True}})["Late Empire 1"][1]
    assert late.count("People phase (Pizarro may come)") == 4
    come = {"options": {"pizarro": True}, "pizarro": 2, "over": True, "period": 6, "step": 9}
    late = periods(come)["Late Empire 1"][1]
    assert late.count("Pizarro") == 1
    assert [told for told in late.split(", ") if "People" in told].index(
        "People phase (Pizarro came)"
    ) == 1
    assert "Pizarro" not in str(periods({}))


def test_the_heart_of_the_picture_holds_all_that_lies_on_the_map() -> None:
    layout = stretched(board(4, 1))
    for parts in ({}, RICH):
        svg = picture(parts)
        left, top, width, height = map(float, re.findall(r'data-heart="([^"]+)"', svg)[0].split())
        assert width <= layout.canvas[0]
        assert height / width <= layout.canvas[1] / layout.canvas[0] + 0.01
        for name in ("cuzco", "s001", "s002", "s003", "s004", *parts.get("buildings", {})):
            x, y = layout.sites[layout.site_index[name]].at
            assert left < x < left + width
            assert top < y < top + height


def test_every_name_on_the_map_can_be_lettered() -> None:
    names = "".join(x.id for layout in BOARDS for x in (*layout.regions, *layout.sites))
    assert set(names) | set("".join(board(4, 1).cards).replace("_", " ")) <= set(GLYPHS)


@pytest.mark.parametrize("name", ["El Niño", "Supériorité militaire", "Projeto de Construção"])
def test_a_name_keeps_its_accents(name: str) -> None:
    assert writable(name) == name.lower()
    bare = name.translate(str.maketrans("ñéçã", "neca")).lower()
    assert len(word(name.lower())) > len(word(bare))


def test_what_cannot_be_lettered_is_left_out() -> None:
    assert writable("Main-d’œuvre ¡ж!") == "main-d’oeuvre "


def test_a_picture_speaks_the_readers_language() -> None:
    said: list[str] = []

    def speak(sentence: Sentence) -> str:
        said.append(sentence.template)
        return "¡hola!"

    svg = GAME.render(GAME.view(table(**RICH).match.state, None), speak)
    titles = set(re.findall(r"<title>(.*?)</title>", svg))
    assert titles <= {"¡hola!", "¡hola! (¡hola!)"}
    assert len(said) > 150
