"""Orders in words: told beforehand, and no further than anybody can see."""

from __future__ import annotations

import pytest

from app.views.order_words import describe_orders
from engine.core.lessons import begin_lesson, list_lessons
from engine.core.registry import games


def said(key: str, name: str) -> list[str]:
    """The solution of a lesson, order by order."""
    game = games()[key]
    lesson = next(one for one in list_lessons(key) if one.key == name)
    match = begin_lesson(game, lesson)
    told = describe_orders(game, match.state, lesson.seat, lesson.solution)
    assert tuple(one.order for one in told) == lesson.solution
    return [" ".join(map(str, one.told)) for one in told]


def test_an_order_is_told_by_what_comes_of_it() -> None:
    assert said("cuzco", "aim") == [
        "A lays a double, village on i10 and crop on j11, at level 1 for 1 AP.",
        "A builds a temple of 6 on g8 and scores 3 PP.",
    ]


@pytest.mark.parametrize(
    ("key", "name", "last"),
    [
        ("cuzco", "festivals", "Bid: tumi."),
        ("cuzco", "end", "End turn."),
        ("inka", "aim", "Walk: r0c0."),
        ("java", "festivals", "Festival: e20, mask and drum."),
        ("tahuantinsuyu", "sun", "Sun card: Extra Labour, orange-brown."),
    ],
)
def test_what_draws_reveals_or_ends_the_match_is_only_named(key: str, name: str, last: str) -> None:
    assert said(key, name)[-1] == last


def test_nothing_is_told_that_comes_after_what_is_only_named() -> None:
    game = games()["cuzco"]
    lesson = list_lessons("cuzco")[-1]
    match = begin_lesson(game, lesson)
    told = describe_orders(game, match.state, 0, ["draw pile", "move e18 f21"])
    assert [str(one.told[0]) for one in told] == ["Draw a card.", "Move: e18, f21."]
