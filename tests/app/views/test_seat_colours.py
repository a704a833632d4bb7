"""A seat has one colour: on its board, on every page of its match and in its mails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from app.views.score_chart import GROUND
from app.views.seat_colours import HUES, LINE_HUES, colour_classes
from engine.core.match import start
from engine.core.registry import games
from tests.app.seated import played, two

SHEET = (Path(__file__).parents[3] / "app/static/chasqui.css").read_text()


@pytest.mark.parametrize("key", games())
def test_a_seat_is_marked_in_the_colour_of_its_board(key: str) -> None:
    game = games()[key]
    state = start(game, game.seats[-1], {}, "seed").state
    picture = game.render(game.view(state, None), str)
    colours = game.colours(state)
    assert len({*colours}) == len(colours) == game.seats[-1]
    for colour in colours:
        assert f"fill:{HUES[colour][0]}" in picture, colour


@pytest.mark.parametrize("colour", HUES)
def test_pages_and_mails_paint_a_colour_alike(colour: str) -> None:
    (rule,) = (line for line in SHEET.splitlines() if f".D-{colour} .seat-D" in line)
    assert all(f".{letter}-{colour} .seat-{letter}" in rule for letter in "ABCD")
    ground, ink = HUES[colour]
    assert f"background: {ground};" in rule
    assert (f"color: {ink};" in rule) == (ink != "#ffffff")


@pytest.mark.parametrize("colour", HUES)
def test_a_letter_can_be_read_on_its_ground(colour: str) -> None:
    dark, light = sorted(map(luminance, HUES[colour]))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize("colour", HUES)
def test_a_line_can_be_seen_on_the_paper_of_its_chart(colour: str) -> None:
    dark, light = sorted(map(luminance, (LINE_HUES[colour], GROUND)))
    assert (light + 0.05) / (dark + 0.05) >= 3


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("path", ["", "/history", "/history/20", "/mails", "/care"])
def test_every_page_of_a_match_knows_its_colours(app: Flask, path: str) -> None:
    match = played(30, "huespage22", "inka")
    where, ana, _ = two(app, match)
    found = re.search(r'<body class="([^"]*)"', ana.get(where + path).text)
    assert found
    assert colour_classes(match) == "A-blue B-yellow C-green D-red"
    assert colour_classes(match) in found[1]


def test_a_colour_drawn_for_a_seat_is_the_one_shown() -> None:
    match = played(0, "huesdrawn2", "tahuantinsuyu", 4)
    letters = {f"{letter}-{c}" for letter, c in zip("ABCD", match.state.colours, strict=True)}
    assert set(colour_classes(match).split()) == letters
