"""The picture of the board: complete, readable without colour, and the same for the same view."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine.core.registry import games
from engine.core.sentence import say
from engine.cuzco.edition import CUZCO
from engine.cuzco.picture.render import render
from tests.engine.matches import walk, whole
from tests.games.oracle.positions import full

SVG = "{http://www.w3.org/2000/svg}"
HEXES = {name for name in CUZCO.layout.names if name}

POSITION: dict[str, Any] = {
    "seats": 4,
    "tiles": [
        ["triple", "e18", "d17", "d19"],
        ["triple", "e20", "f19", "f21"],
        ["triple", "e22", "d21", "d23"],
        ["double", "f23", "g22"],
        ["village", "f21"],
        ["double", "h5", "h3"],
    ],
    "basins": ["h17", "h19"],
    "temples": {"e20": {"value": 6, "disc": True}},
    "incas": [["f21"], ["e18"], ["f23"], ["g22"]],
    "hands": [["tumi"], ["quipu"], ["tumi+kero"], ["quipu+kero"]],
    "open": "kero",
}


def seen(position: dict[str, Any], seat: int | None = None, key: str = "cuzco") -> Any:
    """The view of a position."""
    game = games()[key]
    return game.view(game.evolve(None, game.load(position)), seat)


def picture(position: dict[str, Any], seat: int | None = None) -> str:
    return render(CUZCO, seen(position, seat), str)


def hexes(svg: str) -> dict[str, ET.Element]:
    """The group of each hex by its name."""
    groups = ET.fromstring(svg).iter(f"{SVG}g")  # noqa: S314 - our own picture
    return {group.attrib["data-place"]: group for group in groups if group.get("class") == "place"}


def title(svg: str, name: str) -> str:
    return hexes(svg)[name].findtext(f"{SVG}title") or ""


def looks(svg: str, name: str) -> list[str]:
    """The classes drawn in one hex."""
    return [part.get("class", "") for part in hexes(svg)[name].iter()]


def test_every_hex_is_drawn_once_with_its_name_to_point_at() -> None:
    svg = picture({"seats": 2})
    assert svg.count("data-place=") == len(HEXES) == 216
    assert set(hexes(svg)) == HEXES
    assert all(title(svg, name).startswith(f"{name}: ") for name in HEXES)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("f21", "f21: village, level 2, Inca of A"),
        ("d17", "d17: crop, level 1, 2 AP to enter or leave"),
        ("g22", "g22: crop, level 1, Inca of D"),
        ("e20", "e20: village, level 1, temple of 6, solar disc"),
        ("h17", "h17: basin"),
        ("i18", "i18: basin"),
        ("j15", "j15: bare"),
        ("g2", "g2: bare, 1 AP to enter or leave"),
        ("a8", "a8: mountain, 2 AP to enter or leave"),
        ("o10", "o10: forest, 1 AP to enter or leave"),
        ("h3", "h3: crop, level 1, 1 AP to enter or leave"),
    ],
)
def test_a_title_says_all_that_is_on_a_hex(name: str, words: str) -> None:
    assert title(picture(POSITION), name) == words


def test_the_pieces_bear_their_letters_and_shapes() -> None:
    svg = picture(POSITION)
    bodies = set()
    for name, letter in (("f21", "A"), ("e18", "B"), ("f23", "C"), ("g22", "D")):
        assert f"p{letter}" in looks(svg, name)
        (body,) = (part for part in hexes(svg)[name].iter() if part.get("class") == "body")
        bodies.add(body.attrib["d"])
    assert len(bodies) == 4


def test_kinds_differ_in_more_than_colour() -> None:
    svg = picture(POSITION)
    assert "houses" in looks(svg, "e22")
    assert "sprouts" in looks(svg, "d21")
    assert "wave" in looks(svg, "h17")
    assert "peak" in looks(svg, "a8")
    assert "trees" in looks(svg, "o10")


def test_levels_are_written_from_two_on_and_lift_the_hex() -> None:
    svg = picture(POSITION)
    assert "level" in looks(svg, "f21")
    assert "level" not in looks(svg, "e18")
    assert [hexes(svg)[name].attrib["transform"] for name in ("f21", "f23")] == [
        "translate(546 215)",
        "translate(598 220)",
    ]


def test_a_tile_is_held_together_by_thin_lines() -> None:
    svg = picture(POSITION)
    assert "seam" in looks(svg, "d17")
    assert "seam" not in looks(svg, "f21")  # a single on top


def test_a_higher_temple_has_more_floors_and_shows_its_value() -> None:
    def floors(value: int) -> int:
        temples = {"e20": {"value": value}}
        return looks(picture(POSITION | {"temples": temples}), "e20").count("floor")

    assert [floors(value) for value in (2, 4, 6, 8, 10)] == [1, 2, 3, 4, 5]
    ten = picture(POSITION | {"temples": {"e20": {"value": 10}}})
    assert looks(ten, "e20").count("value") == 2  # a one and a nought
    assert "sun" not in looks(ten, "e20")
    assert "sun" in looks(picture(POSITION), "e20")


def test_java_is_drawn_in_its_own_words() -> None:
    position = {
        "seats": 2,
        "tiles": [["double", "e20", "e22"]],
        "palaces": {"e20": {"value": 2, "danced": True}},
        "developers": [["e22"], []],
    }
    svg = games()["java"].render(seen(position, key="java"), str)
    assert title(svg, "e20") == "e20: village, level 1, palace of 2, dancer side up"
    assert title(svg, "e22") == "e22: rice field, level 1, developer of A"
    assert title(svg, "o10") == "o10: plain, 1 AP to enter or leave"
    assert "figure" in looks(svg, "e20")
    assert "tufts" in looks(svg, "o10")


def test_a_running_festival_is_marked_at_its_temple() -> None:
    festival = {"at": "e20", "proposer": 0, "played": [["kero"], [], [], []], "asked": 2}
    position = POSITION | {"temples": {"e20": {"value": 6}}, "festival": festival}
    assert "feast" in looks(picture(position), "e20")
    assert "feast" not in picture(POSITION).split("</style>")[1]


def test_whoever_listens_hears_the_position_in_short() -> None:
    root = ET.fromstring(picture(POSITION))  # noqa: S314 - our own picture
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Cuzco: the board"
    said = root.findtext(f"{SVG}desc") or ""
    assert said.startswith("A to play. A: 0 PP, Incas on the board: 1.")
    assert "e20: temple of 6, solar disc." in said


def test_no_seat_sees_another_picture_and_no_card_is_in_it() -> None:
    pictures = {picture(POSITION, seat) for seat in (None, 0, 1, 2, 3)}
    other_hands = POSITION | {"hands": [["kero"], ["kero"], ["kero"], []]}
    assert pictures == {picture(other_hands)}
    assert not re.search("tumi|quipu|kero", pictures.pop())


def test_two_boards_may_stand_on_one_page() -> None:
    svg = picture(POSITION)
    assert not re.search(r'\sid="|href|<script|url\(|<text', svg)
    rules = re.findall(r"[}>]([^{}<>@]+)\{", svg[svg.index("<style>") : svg.index("</style>")])
    assert rules
    assert all(
        ".chasqui-board" in selector for rule in rules for selector in rule.strip().split(",")
    )


def test_programs_that_know_no_variables_find_plain_colours_first() -> None:
    style = picture({"seats": 2}).partition("</style>")[0]
    plain, _, live = style.partition("@supports")
    assert "var(" not in plain
    assert ".ground{fill:#" in plain
    assert ".ground{fill:var(--board-ground-fill,light-dark(" in live


def test_a_crowded_board_stays_small() -> None:
    tiles = full(Random(11)).tiles
    assert len(picture({"seats": 2, "tiles": tiles}).encode()) < 200_000
    for svg in final_pictures():
        assert len(svg.encode()) < 200_000


def final_pictures() -> Iterator[str]:
    for key in ("cuzco", "java"):
        match = whole(key, 4, 0)
        yield match.game.render(match.game.view(match.state, None), str)


def test_every_position_of_a_match_can_be_drawn_and_drawn_again() -> None:
    for key in ("cuzco", "java"):
        for number, match in enumerate(walk(key, 4, 8)):
            if number % 40 == 0:
                view = match.game.view(match.state, 0)
                assert match.game.render(view, str) == match.game.render(view, str)
                assert set(hexes(match.game.render(view, str))) == HEXES


def test_what_an_edition_says_is_escaped() -> None:
    edition = replace(CUZCO, name="<Cuzco> & Co.", spoken={**CUZCO.spoken, "inca": say("<i>&")})
    svg = render(edition, seen(POSITION), str)
    assert title(svg, "f21") == "f21: village, level 2, <i>& of A"
