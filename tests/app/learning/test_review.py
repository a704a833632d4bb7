"""The review of a match that is over: worked out behind the pages, from what each seat knew at that moment."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from itertools import pairwise
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from app.learning import review
from app.learning.notebook import read_notebook
from app.learning.review import (
    LEAST,
    POINTS,
    expect,
    list_turns,
    review_match,
    think_turn,
    turning,
)
from app.platform import tables
from app.views.hope_chart import draw_hope_chart
from app.views.order_words import describe_orders
from engine.core.match import Match
from engine.core.playout import random_acts
from engine.core.registry import games
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, my_id, seat
from tests.worlds import worlds
from workers import reviewing
from workers.reviewing import review_matches


def at_table(
    app: Flask, match: Match, ended: timedelta | None = timedelta()
) -> tuple[str, Visitor]:
    ana, bo = (come_in(app, f"{name}@example.org") for name in ("ana", "bo"))
    where = seat(ana.services, match, my_id(ana), my_id(bo), public=True)
    with ana.services.database.session() as session:
        row = session.get_one(tables.Match, match.id)
        over = match.over and ended is not None
        row.ended_at = ana.services.now() - (ended or timedelta()) if over else None
    return where, ana


def short_match() -> Match:
    """A match of a few turns, played to its end."""
    *_, over = random_acts(late_match(), Random(5))
    return over


def test_a_page_never_waits_for_it_and_shows_it_when_it_is_there(app: Flask) -> None:
    where, ana = at_table(app, short_match())
    page = unescape(ana.get(f"{where}/review").text)
    assert "A bot is still looking at this match" in page
    assert review_matches(ana.services) == 1
    assert review_matches(ana.services) == 0  # once is enough
    page = unescape(Visitor(app).get(f"{where}/review").text)
    assert "Where it turned" in page
    turned = turning(list_turns(short_match()))
    assert page.count("Open it on the analysis board") == len(turned) > 0
    assert f"{where}/review" in ana.get(f"{where}/result").text


@pytest.mark.parametrize("ended", [timedelta(days=31), None])
def test_of_a_match_that_ended_long_ago_there_is_a_review_when_somebody_asks(
    app: Flask, ended: timedelta | None
) -> None:
    where, ana = at_table(app, short_match(), ended)
    page = unescape(ana.get(f"{where}/review").text)
    assert "No bot has looked at this match" in page
    assert review_matches(ana.services) == 0
    ana.post(f"{where}/review")
    assert "A bot is still looking at this match" in unescape(ana.get(f"{where}/review").text)
    assert review_matches(ana.services) == 1
    assert "Where it turned" in unescape(ana.get(f"{where}/review").text)
    ana.post(f"{where}/review")  # from another window: it is there
    assert "Where it turned" in unescape(ana.get(f"{where}/review").text)


def test_a_match_of_which_nothing_can_be_made_holds_up_no_other(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, ana = at_table(app, short_match())
    monkeypatch.setattr(review, "load_readable_match", lambda *_: None)
    assert review_matches(ana.services) == 1
    assert review_matches(ana.services) == 0
    assert "No bot has looked at this match" in unescape(ana.get(f"{where}/review").text)


def test_a_bot_that_breaks_over_one_match_holds_up_no_other(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ana = at_table(app, short_match())

    def broken(*_: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr(reviewing, "review_match", broken)
    assert review_matches(ana.services) == 1
    assert review_matches(ana.services) == 0


def test_a_turning_point_opens_on_the_analysis_board_with_what_was_played(app: Flask) -> None:
    where, ana = at_table(app, short_match())
    review_matches(ana.services)
    page = unescape(ana.get(f"{where}/review").text)
    links = [one.split('"')[0] for one in page.split('href="')[1:]]
    board = next(link for link in links if "/analysis/" in link and "a=" in link)
    book = read_notebook(parse_qs(urlsplit(board).query)["a"][0])
    assert book.kept[0].note == "What was played"
    assert book.eyes is not None
    opened = unescape(ana.get(board).text)
    assert "What was played" in opened
    assert "knew: what was hidden stays unknown" in opened


def test_numbers_are_written_as_the_reader_writes_them(app: Flask) -> None:
    where, ana = at_table(app, short_match())
    review_matches(ana.services)
    for language, mark in (("en", "."), ("fr", ","), ("pt-BR", ",")):
        page = Visitor(app).get(f"{where}/review", headers={"Accept-Language": language}).text
        assert re.search(rf'class="gain">[+]\d+\{mark}\d<', page)


def test_a_match_under_way_has_no_review(app: Flask) -> None:
    where, ana = at_table(app, late_match())
    assert ana.get(f"{where}/review").headers["Location"] == where
    assert review_matches(ana.services) == 0


def test_every_turn_that_counts_is_judged_and_three_at_most_turned_the_match() -> None:
    match = short_match()
    turns = list_turns(match)
    assert [turn.first for turn in turns] == sorted(turn.first for turn in turns)
    assert turns[-1].last == match.head
    for before, after in pairwise(turns):
        assert before.after == after.before
    swings = sorted((abs(turn.swing) for turn in turns if abs(turn.swing) >= LEAST), reverse=True)
    assert sorted((abs(turns[n].swing) for n in turning(turns)), reverse=True) == swings[:POINTS]
    assert turning([replace(turn, after=turn.before) for turn in turns]) == []  # nothing changed
    assert review_match(match).head == match.head


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("number", range(3))
def test_in_two_worlds_a_review_says_the_same_of_whoever_cannot_tell_them_apart(
    key: str, number: int
) -> None:
    game = games()[key]
    found = worlds(game, game.seats[-1], number)
    said = []
    for match in found.matches:
        hopes, (asked, *_) = expect(game, match.state), game.to_act(match.state)
        told = [f"{seat} {hopes[seat]}" for seat in found.eyes if seat is not None]
        if asked in found.eyes:
            orders = think_turn(game, match.state, asked, "here")
            told.append(f"{describe_orders(game, match.state, asked, orders)}")
        said.append(told)
    assert said[0] == said[1]


def test_what_was_played_and_what_could_have_been_is_said_in_words(app: Flask) -> None:
    where, ana = at_table(app, short_match())
    review_matches(ana.services)
    page = unescape(ana.get(f"{where}/review").text)
    story = unescape(ana.get(f"{where}/history").text)
    played = re.search(r"What was played:</strong></p>\s*<ul><li>([^<]*)</li>", page)
    assert played
    assert played[1] in story
    assert page.count("<summary>In notation</summary>") >= 2 * page.count("What else could have")
    assert "place " not in re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)


def test_the_numbers_of_turns_that_follow_each_other_do_not_run_together() -> None:
    match = short_match()
    drawn = draw_hope_chart(match, [(0, (1.0, 2.0)), (match.head, (3.0, 2.0))], [50, 51, 52], "")
    marks = re.findall(r'stroke="#8a3f1d" stroke-width="1.7".*?translate\(([\d.]+)', drawn)
    left, middle, right = map(float, marks)
    assert left + 8 < middle < right - 8
