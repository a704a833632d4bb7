"""Pictures for mails: drawn by another process, once, as wide as fits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from app.views.board_pictures import close_up_board
from app.views.scenes import make_scene
from tests.app.seated import played
from workers import pictures
from workers.pictures import CHILD, MOST_BYTES, PICTURES, WIDTHS, draw


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    PICTURES.clear()
    WIDTHS.clear()
    yield
    CHILD.close()


def board(orders: int) -> str:
    match = played(orders)
    return close_up_board(make_scene(match, match.state, 0, match.hash, "en").board)


def widths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How wide everything is drawn from now on."""
    seen, drawn_at = list[int](), pictures.drawn_at

    def noted(svg: str, width: int) -> bytes:
        seen.append(width)
        return drawn_at(svg, width)

    monkeypatch.setattr(pictures, "drawn_at", noted)
    return seen


def test_a_board_whose_width_is_known_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = widths(monkeypatch)
    first, tries = draw(board(10)), len(seen)
    second = draw(board(12))
    assert first is not None
    assert second is not None
    assert len(seen) == tries + 1
    assert max(len(first), len(second)) <= MOST_BYTES


def test_the_same_view_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first, seen = draw(board(10)), widths(monkeypatch)
    assert draw(board(10)) == first
    assert seen == []


def test_what_does_not_fit_is_drawn_smaller_until_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = draw(board(10))
    PICTURES.clear()
    assert whole is not None
    monkeypatch.setattr(pictures, "MOST_BYTES", len(whole) * 2 // 3)
    seen, smaller = widths(monkeypatch), draw(board(10))
    assert smaller is not None
    assert len(smaller) <= len(whole) * 2 // 3
    assert seen == sorted(seen, reverse=True)


# In an interpreter of its own: another test may have loaded the library in this one.
DRAWING = """
import sys
from workers.pictures import draw
assert draw(sys.stdin.read()).startswith(b"\\x89PNG")
assert "resvg_py" not in sys.modules
"""


def test_no_process_of_ours_draws_itself() -> None:
    subprocess.run([sys.executable, "-c", DRAWING], input=board(4), text=True, check=True)


def test_a_drawing_that_kills_its_process_costs_one_picture_and_nothing_else() -> None:
    assert draw(board(4))
    assert CHILD.process is not None
    CHILD.process.kill()
    assert draw(board(5)) is None
    assert draw(board(5))


def test_what_is_no_picture_is_none() -> None:
    assert draw("<svg") is None
    assert draw(board(4))
