"""A page makes the new board from the old one and from what changed."""

from __future__ import annotations

from functools import partial

import pytest

from app.platform.i18n import translate_sentence
from app.views.board_pictures import find_changes, split_picture
from engine.core.registry import games
from tests.app.seated import played

SPEAK = partial(translate_sentence, language="en")


def board(key: str, orders: int) -> str:
    match = played(orders, "changing22", key, games()[key].seats[0])
    return match.game.render(match.game.view(match.state, 0), SPEAK)


@pytest.mark.parametrize("key", games())
def test_a_picture_is_its_elements_one_after_the_other(key: str) -> None:
    svg = board(key, 12)
    inside = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    assert "".join(split_picture(svg)) == inside


@pytest.mark.parametrize("key", games())
def test_the_new_picture_comes_of_the_old_one(key: str) -> None:
    old, new = board(key, 12), board(key, 13)
    before = split_picture(old)
    made = [
        element
        for change in find_changes(old, new)
        for element in ([change] if isinstance(change, str) else before[change[0] : sum(change)])
    ]
    assert made == split_picture(new)


def test_little_is_sent_when_little_changed() -> None:
    old, new = board("cuzco", 12), board("cuzco", 13)
    sent = sum(len(change) for change in find_changes(old, new) if isinstance(change, str))
    assert sent < len(new) / 5
