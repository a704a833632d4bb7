"""The hall as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from engine.inka.picture.palette import FORMS, PAINTS
from engine.inka.printed_board import INDEX, NAMES
from tests.games.inka.table import GAME, inka, new

SVG = "{http://www.w3.org/2000/svg}"
POSITION = "L03 r1c2 r2c3; L08 r2c8 r2c9; L10 r0c3 r0c4; block B r8c8; A r2c3 with D2; turn A"


def draw(position: str, seat: int | None = None) -> str:
    return GAME.render(GAME.view(inka(position).match.state, seat), str)


def places(svg: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own picture
    found = [g for g in root.iter(f"{SVG}g") if "data-place" in g.attrib]
    assert len({g.attrib["data-place"] for g in found}) == len(found)
    return {g.attrib["data-place"]: g for g in found}


def title(place: ElementTree.Element) -> str:
    return place.findtext(f"{SVG}title") or ""


def test_every_cell_and_every_lozenge_can_be_pointed_at_once() -> None:
    found = places(draw(POSITION))
    assert found.keys() == {*NAMES, "L03", "L08", "L10", "D1", "D2", "D3"}
    assert all(g.attrib["class"] == "place" for g in found.values())


def test_every_word_of_a_legal_order_that_names_something_is_a_place() -> None:
    table, found = inka(POSITION), places(draw(POSITION))
    words = {word for order in table.legal() for word in order.split()[1:]}
    assert words - {"slide", "turn"} <= found.keys()


def test_places_stand_where_the_data_say() -> None:
    found = places(draw(POSITION))
    assert spot(found["r5c10"]) == pytest.approx((-40, -23.1), abs=0.2)
    for lozenge, (one, other) in {"L03": ("r1c2", "r2c3"), "D1": ("r5c10", "r5c11")}.items():
        (x, y), (u, v) = spot(found[one]), spot(found[other])
        assert spot(found[lozenge]) == pytest.approx(((x + u) / 2, (y + v) / 2), abs=0.3)


def spot(place: ElementTree.Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[\d.]+", place.attrib["transform"])
    return float(x), float(y)


def test_places_say_what_they_are() -> None:
    found = places(draw(POSITION))
    assert title(found["r0c0"]) == "r0c0: start and exit"
    assert title(found["r1c7"]) == "r1c7: secret passage"
    assert title(found["r8c8"]) == "r8c8: chasm, blockade of B"
    assert title(found["r2c3"]) == "r2c3: on L03, pawn of A"
    assert title(found["L03"]) == "L03 on r1c2 and r2c3, snake on r1c2"
    assert title(found["L08"]) == "L08 on r2c8 and r2c9, 2 walls"
    assert title(found["D2"]) == "D2 on r6c11 and r6c10, statue of B"


def test_covered_cells_let_the_pointer_through_until_they_are_lit() -> None:
    found = places(draw(POSITION))
    covered = {name for name, g in found.items() if "data-half" in g.attrib}
    assert {"r1c2", "r2c3", "r5c10"} <= covered
    assert "r0c0" not in covered
    assert "[data-half]:not(.can){pointer-events:none}" in FORMS


def test_pawns_ride_on_their_lozenge_and_statues_are_gone_when_taken() -> None:
    found = places(draw(POSITION))
    assert pieces(found["L03"]) == ["pA"]
    assert pieces(found["r2c3"]) == []
    assert pieces(found["r0c12"]) == ["pB"]
    assert pieces(found["D1"]) == ["pA", "pB"]
    assert pieces(found["D2"]) == ["pB"]
    assert pieces(found["r8c8"]) == ["pB"]


def pieces(place: ElementTree.Element) -> list[str]:
    return [
        g.attrib["class"] for g in place.iter(f"{SVG}g") if re.match("p[A-D]", g.get("class", ""))
    ]


def test_the_lozenge_in_hand_lies_beside_the_hall() -> None:
    assert 'class="over"' in draw("phase lay; hand L12")
    assert 'class="over"' not in draw(POSITION)


def test_walls_and_snakes_are_drawn_as_often_as_they_are_printed() -> None:
    svg = draw(POSITION)
    assert svg.count('class="wall"') == 4
    assert svg.count('class="snake"') == 1


def test_the_picture_needs_no_fonts_no_ids_and_no_styles_of_its_own() -> None:
    svg = draw(POSITION)
    assert "<text" not in svg
    assert " id=" not in svg
    assert " style=" not in svg
    assert svg.count("<style>") == 1


def test_the_style_sheet_is_the_same_in_every_picture_and_touches_nothing_else() -> None:
    sheets = {re.findall("<style>(.*?)</style>", draw(p))[0] for p in (POSITION, "phase start", "")}
    assert len(sheets) == 1
    plain = sheets.pop().split("@supports")[0]
    for selector in re.findall(r"([^{}]+)\{", plain):
        assert all(".inka-board" in part for part in selector.split(","))


def test_every_class_that_is_drawn_has_its_paint() -> None:
    drawn = set(re.findall(r'class="([^" ]+)"', draw(POSITION) + draw("phase lay; hand L13")))
    painted = {word for name, *_ in PAINTS for word in name.replace(".", "").split()}
    formed = set(re.findall(r"\.([a-z-]+)", FORMS, re.IGNORECASE))
    assert drawn - painted - formed <= {"place", "pA", "pB", "pC", "pD", "ruler"}


def test_players_differ_in_shape_and_letter_not_only_in_colour() -> None:
    svg = GAME.render(GAME.view(new(4).match.state, None), str)
    bodies = {
        seat: re.search(rf'class="p{seat}".*?class="body" d="([^"]+)"', svg)[1]  # type: ignore[index]
        for seat in "ABCD"
    }
    assert len(set(bodies.values())) == 4


def test_words_in_the_picture_are_spoken_in_the_readers_language() -> None:
    view = GAME.view(inka(POSITION).match.state, None)
    svg = GAME.render(view, lambda sentence: f"«{sentence}»")
    titles = re.findall("<title>(.*?)</title>", svg)
    assert len(titles) == len(INDEX) + 6 + 1
    assert all(said.startswith("«") for said in titles)
