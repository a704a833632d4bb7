"""Who may import whom: each rule against every file, and the checker against broken code."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import engine
from engine.core.registry import games
from tests import architecture_picture, template
from tests.crossings import (
    crossings,
    defined_twice,
    import_graph,
    knots,
    many_positional,
    one_word_share,
    packages_of,
    upward,
)
from tests.imports import (
    Source,
    foreign,
    knows_too_much,
    may_refuse,
    out_of_place,
    worldly,
    writes_to,
)

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


def says(path: Path) -> bool:
    """Whether a module draws or speaks: all of a game's `picture/` and `text/`, which a small game has as one file each."""
    return path.parent.name in {"picture", "text"} or path.name in {"render.py", "text.py"}


@each([path for path in modules(*GAMES) if says(path)])
def test_pictures_and_words_come_from_a_view_or_an_event(path: Path) -> None:
    assert knows_too_much(source(path)) == []


@each([path for path in modules("engine") if path.name in {"evolve.py", "complete_form.py"}])
def test_evolve_knows_no_refusal_and_no_rule(path: Path) -> None:
    assert may_refuse(source(path)) == []
    raised = [node for node in ast.walk(source(path).tree) if isinstance(node, ast.Raise)]
    assert all(ast.unparse(node).startswith("raise TypeError(") for node in raised)


# Who alone may do what, by the calls in the source.


@each(modules("app", "workers"))
def test_only_the_commit_saves_a_match(path: Path) -> None:
    if path.relative_to(ROOT).as_posix() != "app/matches/commit.py":
        assert "save_match" not in source(path).calls


OUTBOX_WRITERS = {"app/outbox/rows.py", "workers/relay.py"}


@each(modules("app", "workers"))
def test_only_the_outbox_and_the_relay_write_the_outbox(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    if place not in OUTBOX_WRITERS and not place.startswith("app/migrations/"):
        assert writes_to(source(path), "Outbox") == []


@each(modules("app/views"))
def test_views_never_open_a_write_session(path: Path) -> None:
    assert not source(path).methods & {"session", "write"}


def test_the_checker_catches_whoever_writes_to_a_table_of_others() -> None:
    for text in (
        "Outbox(kind='turn')",
        "tables.Outbox()",
        "update(tables.Outbox)",
        "insert(OUTBOX)",
    ):
        assert writes_to(Source("app.matches.drafts", text), "Outbox")
    assert writes_to(Source("app.matches.drafts", "select(Outbox.id)"), "Outbox") == []
    assert Source("app.views.news", "with database.session() as s: pass").methods == {"session"}


def test_the_picture_of_the_architecture_is_drawn_from_todays_imports() -> None:
    drawn = architecture_picture.PICTURE.read_text(encoding="utf-8")
    assert drawn == architecture_picture.picture(ROOT), "`make picture` draws it anew"


def test_a_game_is_found_under_the_name_of_its_folder() -> None:
    for key in games():
        assert any((Path(place) / key / "__init__.py").is_file() for place in engine.__path__)


def test_a_declared_parent_is_another_game() -> None:
    for key, parent in parents().items():
        assert parent is None or parent in games().keys() - {key}


# Names: what crosses modules is found by its name alone.


def test_few_functions_that_cross_modules_have_a_name_of_one_word() -> None:
    one_word, all_of_them = one_word_share(crossings(ROOT))
    assert one_word / all_of_them < 0.1, "what crosses a module has a verb and an object"


def test_no_name_that_crosses_modules_is_defined_twice() -> None:
    assert defined_twice(crossings(ROOT)) == []


def test_nothing_that_crosses_modules_takes_six_things_by_position() -> None:
    assert many_positional(crossings(ROOT)) == []


def test_the_packages_stand_in_order_without_a_cycle() -> None:
    packages = packages_of(import_graph(ROOT))
    assert (upward(packages), knots(packages)) == ([], [])


def test_no_module_needs_one_that_needs_it() -> None:
    assert knots(import_graph(ROOT, types=False)) == []


def test_the_checker_sees_names_that_cross_and_cycles(tmp_path: Path) -> None:
    for place, text in {
        "app/matches/drafts.py": "def save(a, b, c, d, e, f): ...\ndef own(): ...",
        "app/matches/tables.py": "from app.matches.drafts import save\ndef load(): ...",
        "app/views/news.py": "from app.matches import tables\ntables.load()\ndef load(): ...",
        "app/clocks/pace.py": "def late():\n    from app.views import news\n    news.load()",
        "workers/bots.py": "from app.clocks import pace",
        "app/views/lists.py": "import app.clocks.pace",
        "app/people/accounts.py": "import app.people.sessions",
        "app/people/sessions.py": "if TYPE_CHECKING:\n    import app.people.accounts",
    }.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text, encoding="utf-8")
    found = crossings(tmp_path)
    assert [(c.module, c.name) for c in found] == [
        ("app.matches.drafts", "save"),
        ("app.matches.tables", "load"),
        ("app.views.news", "load"),
    ]
    assert one_word_share(found) == (3, 3)
    assert defined_twice(found) == ["load"]
    assert many_positional(found) == ["app.matches.drafts.save"]
    packages = packages_of(import_graph(tmp_path))
    assert upward(packages) == [("clocks", "views")]
    assert knots(packages) == [{"clocks", "views"}]
    assert knots(import_graph(tmp_path)) == [{"app.people.accounts", "app.people.sessions"}]
    assert knots(import_graph(tmp_path, types=False)) == []


# Outside its folder nobody knows a game: neither code nor pages have its name.

WRITTEN = {".py", ".html", ".txt", ".js", ".css", ".svg"}
AROUND = [
    path
    for folder in ("app", "workers", "templates")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in WRITTEN
]


@each(AROUND)
def test_nothing_outside_its_folder_names_a_game(path: Path) -> None:
    names = {name for game in games().values() for name in (game.key, game.name)}
    words = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    assert words.findall(path.read_text(encoding="utf-8")) == []


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
        ("engine.cuzco.rules", "from app.eventstore.store import append_events"),
        ("app.matches.drafts", "from engine.cuzco import GAME"),
        ("app.matches.drafts", "from engine import cuzco"),
        ("app.matches.drafts", "from engine.kit.hexes import Hex"),
        ("app.matches.drafts", "from workers.relay import nudge"),
        ("app.matches.drafts", "from app.web import pages"),
        ("app.matches.drafts", "from .. import api"),
        ("app.web.turns", "from engine.core.game import fold"),
        ("workers.relay", "from app.web.pages import index"),
        ("workers.relay", "import app.api"),
        ("workers.relay", "from app.http.auth import current_player"),
        ("app.platform.settings", "from app.eventstore.store import load_match"),
        ("app.matches.submissions", "from app.moderation.acts import rewind_match"),
        ("app.views.turn_page", "from app.mail import compose"),
        ("app.http.auth", "from app import create_app"),
        ("app.web.turns", "from app.api import routes"),
        ("workers.relay", "from engine.cuzco.render import render"),
        ("app.matches.drafts", "from tests.imports import Source"),
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
        ("app.matches.drafts", "from engine.core.registry import games\nimport sqlmodel"),
        ("app.web.turns", "from app.matches import drafts\nimport flask"),
        ("workers.relay", "from app.mail.compose import compose_mail"),
        ("app.views.engine_room", "import engineering"),
        ("app.cli.service", "from app import create_app"),
        ("workers.deadlines", "from app import create_app"),
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
    assert out_of_place(Source("app.mail.compose", text), FAMILY) == ["app.web.pages"]


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
        ("engine.cuzco.printed_board", "from importlib.resources import files"),
        ("engine.cuzco.printed_board", "from importlib import resources"),
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


@pytest.mark.parametrize(
    "text",
    [
        "from engine.core.refusal import IllegalMove",
        "from engine.kit.forms import whole",
        "from engine.inka.rules.legal import legal",
        "from engine.inka.position.referee_form import load",
    ],
)
def test_the_checker_catches_an_evolve_that_could_refuse(text: str) -> None:
    assert may_refuse(Source("engine.inka.evolve", text))
