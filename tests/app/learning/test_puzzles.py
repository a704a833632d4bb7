"""Puzzles on the page: tried as often as one likes, and what came of it is one's own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from html import unescape

import pytest
from sqlmodel import select

from app.learning.puzzles import (
    ENOUGH,
    Entry,
    Puzzle,
    ask_puzzle,
    attempt_puzzle,
    find_puzzle,
    list_collections,
    mix_puzzles,
    puzzle_of_day,
)
from app.people.puzzle_tries import PuzzleTally
from app.platform import tables
from tests.app.browser import Visitor

SignedIn = Callable[[str], Visitor]
ALL = mix_puzzles()
FIRST = find_puzzle("cuzco", "1")
one_of_each_game = pytest.mark.parametrize(
    "puzzle", [one for one in ALL if one.key == "1"], ids=lambda one: one.game
)


def where(puzzle: Puzzle, rest: str = "") -> str:
    return f"/puzzles/{puzzle.game}/{puzzle.key}{rest}"


def play(visitor: Visitor, puzzle: Puzzle, *orders: str) -> str:
    told = visitor.post(where(puzzle, "/commit"), {"order": list(orders)}, follow_redirects=True)
    assert told.status_code == 200
    return unescape(told.text)


def rows(visitor: Visitor) -> list[tables.PuzzleTry]:
    with visitor.services.database.look() as session:
        return list(session.exec(select(tables.PuzzleTry)))


@pytest.mark.parametrize("puzzle", ALL, ids=[f"{one.game}-{one.key}" for one in ALL])
def test_every_puzzle_is_solved_by_its_solution_and_not_by_doing_nothing(puzzle: Puzzle) -> None:
    assert attempt_puzzle(puzzle, puzzle.solution).solved
    assert not attempt_puzzle(puzzle, []).solved


@one_of_each_game
def test_whoever_solves_a_puzzle_is_told_so_and_remembered(puzzle: Puzzle, client: Visitor) -> None:
    assert str(ask_puzzle(puzzle.game, puzzle.key)) in unescape(client.get(where(puzzle)).text)
    assert "Not yet." in play(client, puzzle)
    assert "That is the best there is." in play(client, puzzle, *puzzle.solution)
    (row,) = rows(client)
    assert (row.tries, row.best, row.shown_at) == (2, puzzle.best, None)
    assert row.solved_at
    page = client.get(f"/puzzles/{puzzle.game}").text
    assert page.count('<li class="solved">') == 1
    assert "tried by 1, solved by 1" in page


def test_whoever_saw_the_solution_has_not_solved_it(client: Visitor) -> None:
    assert FIRST.solution[0] not in client.get(where(FIRST)).text
    page = client.post(where(FIRST, "/solution"), follow_redirects=True).text
    assert all(order in page for order in FIRST.solution)
    play(client, FIRST, *FIRST.solution)
    assert [row.solved_at for row in rows(client)] == [None]


def test_who_solved_it_may_look_at_the_solution_and_has_still_solved_it(client: Visitor) -> None:
    play(client, FIRST, *FIRST.solution)
    client.post(where(FIRST, "/solution"))
    assert rows(client)[0].solved_at


def test_what_the_rules_forbid_is_refused_and_counts_as_no_try(client: Visitor) -> None:
    answer = client.post(where(FIRST, "/commit"), {"order": ["gather llamas"]})
    assert answer.status_code == 400
    assert rows(client) == []


def test_looking_at_what_somebody_sent_solves_nothing(client: Visitor) -> None:
    page = client.get(where(FIRST, "/played"), query_string={"order": list(FIRST.solution)})
    assert "That is the best there is." in page.text
    assert rows(client) == []


def test_there_is_no_puzzle_that_there_is_not(client: Visitor) -> None:
    assert client.get("/puzzles/cuzco/999").status_code == 404
    assert client.get("/puzzles/chess").status_code == 404


def test_a_guest_who_has_an_account_brings_it_there(client: Visitor, signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    play(ana, FIRST)
    play(client, FIRST, *FIRST.solution)
    client.sign_in("ana@example.org")
    (row,) = rows(ana)
    assert (row.player_id, row.tries, row.best) == (ana.player.id, 2, FIRST.best)
    assert row.solved_at


def test_it_is_in_the_export_and_goes_with_the_account(signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    play(ana, FIRST, *FIRST.solution)
    told = ana.get("/account/export").json
    assert told
    assert [(one["game"], one["puzzle"]) for one in told["puzzles"]] == [("cuzco", "1")]
    assert ana.post("/account/delete").status_code == 303
    assert rows(ana) == []


def test_each_puzzle_has_its_day_and_home_shows_it(client: Visitor, signed_in: SignedIn) -> None:
    begun = date(2026, 1, 1)
    days = [puzzle_of_day(begun + timedelta(n)) for n in range(len(ALL))]
    assert {(one.game, one.key) for one in days if one} == {(one.game, one.key) for one in ALL}
    today = puzzle_of_day(client.services.now().date())
    assert today
    for visitor in (client, signed_in("ana@example.org")):
        assert f'href="{where(today)}">Puzzle of the day' in visitor.get("/").text


@pytest.mark.parametrize(
    ("solved", "rating"), [(ENOUGH, "easy"), (ENOUGH // 2, "medium"), (0, "hard")]
)
def test_a_puzzle_is_rated_by_how_many_solve_it(solved: int, rating: str) -> None:
    entry = list_collections({}, {})[0].entries[0]
    assert entry.rating is None
    rated = Entry(entry.puzzle, entry.question, None, PuzzleTally(ENOUGH, solved))
    assert str(rated.rating) == rating
