"""Who may import whom: each rule against every file, and the checker against broken code."""

from functools import cache
from pathlib import Path

import pytest

import engine
from engine.core.registry import games
from tests import template
from tests.imports import Source, foreign, knows_too_much, out_of_place, worldly

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("engine", "tests/template/engine")


def modules(*folders: str) -> list[Path]:
    """The Python files of the folders, by path."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def each(paths: list[Path]) -> pytest.MarkDecorator:
    """Run a test once for each file, named by its path."""
    return pytest.mark.parametrize(
        "path", paths, ids=[path.relative_to(ROOT).as_posix() for path in paths]
    )


def source(path: Path) -> Source:
    """A module at its place; the template is read as if it lay where it will be copied to."""
    return Source.read(path, template.ROOT if path.is_relative_to(template.ROOT) else ROOT)


@cache
def parents() -> dict[str, str | None]:
    """The parent that each game declares."""
    return {key: game.parent for key, game in games().items()}


@each(modules(*GAMES, "app", "workers"))
def test_a_module_imports_only_what_its_place_allows(path: Path) -> None:
    assert out_of_place(source(path), parents()) == []


@each(modules(*GAMES))
def test_the_engine_needs_only_the_standard_library(path: Path) -> None:
    assert foreign(source(path)) == []


@each(modules(*GAMES))
def test_the_engine_knows_no_clock_no_file_and_no_dice_of_its_own(path: Path) -> None:
    assert worldly(source(path)) == []


SAYING = {
    "render.py",
    "text.py",
    "chart.py",
    "describe.py",
    "terrain.py",
    "glyphs.py",
    "palette.py",
    "summary.py",
    "panels.py",
    "parts.py",
}


@each([path for path in modules(*GAMES) if path.name in SAYING])
def test_pictures_and_words_come_from_a_view_or_an_event(path: Path) -> None:
    assert knows_too_much(source(path)) == []


def test_a_game_is_found_under_the_name_of_its_folder() -> None:
    for key in games():
        assert any((Path(place) / key / "__init__.py").is_file() for place in engine.__path__)


def test_a_declared_parent_is_another_game() -> None:
    for key, parent in parents().items():
        assert parent is None or parent in games().keys() - {key}


# The checker itself, on code that nobody should write. Java is a child of Cuzco here.

FAMILY = {"cuzco": None, "java": "cuzco", "inka": None}


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("engine.core.game", "from engine.kit import hexes"),
        ("engine.core.game", "from engine import kit"),
        ("engine.core.game", "from .. import kit"),
        ("engine.core.game", "import engine"),
        ("engine.core.game", "def late():\n    import engine.cuzco.rules"),
        ("engine.kit.hexes", "from engine.cuzco.board import BOARD"),
        ("engine.cuzco.rules", "from engine.java import edition"),
        ("engine.java.rules", "from ..inka.rules import decide"),
        ("engine.cuzco.rules", "from app.store import append"),
        ("app.play", "from engine.cuzco import GAME"),
        ("app.play", "from engine import cuzco"),
        ("app.play", "from engine.kit.hexes import Hex"),
        ("app.play", "from workers.relay import nudge"),
        ("app.play", "from app.web import pages"),
        ("app.play", "from . import api"),
        ("app.web.turns", "from engine.core.game import fold"),
        ("workers.relay", "from app.web.pages import index"),
        ("workers.relay", "import app.api"),
        ("workers.relay", "from engine.cuzco.render import render"),
        ("app.play", "from tests.imports import Source"),
    ],
)
def test_the_checker_catches_an_import_out_of_place(module: str, text: str) -> None:
    assert out_of_place(Source(module, text), FAMILY)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("engine.core.game", "from .chance import Chance"),
        ("engine.core.registry", "import engine"),
        ("engine.kit.hexes", "from engine.core.game import IllegalMove"),
        ("engine.cuzco.rules", "from engine.kit import hexes\nfrom . import state"),
        ("engine.java.edition", "from engine.cuzco.edition import Edition"),
        ("app.play", "from engine.core.registry import games\nimport sqlmodel"),
        ("app.web.turns", "from app import play\nimport flask"),
        ("workers.relay", "from app.mail import compose"),
        ("app.engine_room", "import engineering"),
    ],
)
def test_the_checker_lets_a_proper_import_pass(module: str, text: str) -> None:
    assert out_of_place(Source(module, text), FAMILY) == []


def test_a_relative_import_is_read_from_where_it_stands() -> None:
    text = "from . import state\nfrom .state import State\nfrom ..core import game"
    expected = ("engine.cuzco.state", "engine.cuzco.state.State", "engine.core.game")
    assert Source("engine.cuzco.rules", text).imports == expected
    assert Source("engine.cuzco", text, is_package=True).imports == expected


def test_the_factory_alone_may_put_the_pages_on() -> None:
    text = "from app.web import pages"
    assert out_of_place(Source("app", text, is_package=True), FAMILY) == []
    assert out_of_place(Source("app.mail", text), FAMILY) == ["app.web.pages"]


def test_a_module_outside_the_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        out_of_place(Source("misc.helpers", "import app"), FAMILY)


@pytest.mark.parametrize("text", ["import flask", "from pydantic import BaseModel"])
def test_the_checker_catches_a_package_from_outside(text: str) -> None:
    assert foreign(Source("engine.core.codec", text))


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("engine.core.timeline", "from datetime import datetime"),
        ("engine.core.timeline", "import os.path"),
        ("engine.cuzco.rules", "import random"),
        ("engine.cuzco.rules", "from random import Random"),
        ("engine.core.playout", "from random import choice"),
        ("engine.core.playout", "import random"),
        ("engine.core.record", "from pathlib import Path"),
        ("engine.core.record", "text = open('match.jsonl').read()"),
        ("engine.core.referee", "print('ready')"),
        ("engine.cuzco.rules", "from importlib.resources import files"),
        ("engine.core.game", "from importlib import import_module"),
    ],
)
def test_the_checker_catches_a_door_to_the_world(module: str, text: str) -> None:
    assert worldly(Source(module, text))


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("engine.core.playout", "from random import Random"),
        ("engine.cuzco.board", "from importlib.resources import files"),
        ("engine.cuzco.board", "from importlib import resources"),
        ("engine.core.registry", "from importlib import import_module"),
        ("engine.core.chance", "import hmac\nfrom hashlib import sha256"),
    ],
)
def test_the_checker_knows_the_doors_that_are_open(module: str, text: str) -> None:
    assert worldly(Source(module, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "from .state import State",
        "from . import rules",
        "import engine.cuzco.rules as laws",
        "from engine.cuzco import *",
        "if TYPE_CHECKING:\n    from engine.cuzco.state import State",
    ],
)
def test_the_checker_catches_a_picture_that_sees_the_state(text: str) -> None:
    assert knows_too_much(Source("engine.java.render", text))


def test_a_picture_may_see_the_view_and_the_board() -> None:
    text = "from .view import View\nfrom .board import BOARD\nfrom engine.kit import svg"
    assert knows_too_much(Source("engine.cuzco.render", text)) == []
