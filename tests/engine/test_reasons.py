"""What bots say of their choices: from their own evaluation, in sentences, and from one view alone."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from engine.core.chance import Chance
from engine.core.lessons import begin_lesson, list_lessons
from engine.core.match import Match, act, start, start_at
from engine.core.registry import find_bot, games, insight
from engine.cuzco.bots.imagine import imagine
from engine.cuzco.bots.keen import TASTE
from engine.cuzco.bots.reasons import read_terms
from engine.cuzco.bots.worth import Judge
from tests.engine.matches import walk

DICE = Chance("", "test", 0)


def some(key: str, seats: int, every: int) -> list[Match]:
    """Positions of a random match in which a turn is asked for."""
    found = [m for m in walk(key, seats, 3) if not m.over and m.game.awaited(m.state) == "turn"]
    return found[::every][:12]


@pytest.mark.parametrize("key", ["cuzco", "java"])
def test_the_terms_that_are_told_add_up_to_what_the_bot_weighs(key: str) -> None:
    for match in some(key, 3, 9):
        state = imagine(match.game, match.game.view(match.state, 0), DICE)
        judge = Judge(0, TASTE)
        columns = zip(*read_terms(judge, state).values(), strict=True)
        assert [sum(column) for column in columns] == pytest.approx(judge.prospects(state))


@pytest.mark.parametrize("key", ["cuzco", "java", "inka", "tahuantinsuyu"])
def test_every_choice_of_a_bot_can_be_explained_and_nothing_is_drawn_for_it(key: str) -> None:
    told = 0
    for match in some(key, 3, 9):
        game, (seat,) = match.game, match.game.to_act(match.state)
        found = insight(game)
        assert found
        view = game.view(match.state, seat)
        action = find_bot(game, "keen")(game, view, list(game.legal(match.state, seat)), DICE)
        reasons = found.explain(game, view, [action])
        told += len(reasons)
        assert all(str(reason.sentence) for reason in reasons)
        assert reasons == found.explain(game, view, [action])
    assert told


@pytest.mark.parametrize(
    ("sayri", "spared"),
    [
        (["tumi", "tumi+kero"], {"hold": "a share costs no more cards"}),
        (["tumi", "tumi+quipu"], {"pass": "the cards are worth more"}),
    ],
    ids=["level", "behind"],
)
def test_every_answer_in_a_festival_has_its_reason(
    sayri: list[str], spared: dict[str, str]
) -> None:
    game = games()["cuzco"]
    lesson = next(one for one in list_lessons("cuzco") if one.key == "festivals")
    feast = {**lesson.position["festival"], "played": [["tumi+quipu"], [], sayri, []]}
    match = start_at(game, {**lesson.position, "festival": feast}, "a seed", "feasts")
    view, found = game.view(match.state, 0), insight(game)
    assert found
    told = {}
    for action in game.legal(match.state, 0):
        (reason,) = found.explain(game, view, [action])
        told[game.format(action)] = str(reason.sentence)
        assert (reason.worth or 1) > 0
    assert all(told[order].startswith(words) for order, words in spared.items())
    assert told["bid tumi"] not in {told[order] for order in spared}


def test_where_inka_lets_one_begin_and_lay_there_is_a_reason_too() -> None:
    game = games()["inka"]
    found = insight(game)
    assert found
    told = {"start": set[str](), "lay": set[str]()}
    for match in islice(walk("inka", 2, 3), 15):
        view, (seat, *_) = game.view(match.state, None), game.to_act(match.state)
        if view.phase in told:
            action = find_bot(game, "keen")(game, view, list(game.legal(match.state, seat)), DICE)
            reasons = found.explain(game, view, [action])
            told[view.phase] |= {str(reason.sentence) for reason in reasons}
            assert reasons
    assert told["start"] == {"one start is as good as another"}
    assert "shortens your way" in told["lay"]


def test_every_sun_card_has_its_reason_also_one_that_does_no_good() -> None:
    game = games()["tahuantinsuyu"]
    found = insight(game)
    assert found
    looked = 0
    for match in islice(walk("tahuantinsuyu", 3, 3), 60):
        for seat in game.to_act(match.state) if match.state.phase == "sun" else ():
            view, legal = game.view(match.state, seat), game.legal(match.state, seat)
            told = [found.explain(game, view, [action]) for action in legal]
            assert all(told)
            assert any((some[0].worth or 0) > 0 or some[0].worth is None for some in told)
            looked += 1
    assert looked


@pytest.mark.parametrize("key", ["cuzco", "java", "inka", "tahuantinsuyu"])
def test_an_estimate_has_a_value_for_every_seat_also_for_who_only_looks_on(key: str) -> None:
    for match in some(key, 3, 15):
        game = match.game
        found = insight(game)
        assert found
        for seat in (None, 0, 2):
            values = found.estimate(game, game.view(match.state, seat))
            assert len(values) == 3


def test_a_game_without_insight_has_none() -> None:
    games()
    bare: Any = type("Bare", (), {"key": "core", "parent": None})
    assert insight(bare) is None


def test_coming_in_at_the_best_start_changes_nothing_that_was_expected() -> None:
    game = games()["inka"]
    match = start(game, 2, {}, "a seed", "starts")
    found = insight(game)
    assert found
    before = found.estimate(game, game.view(match.state, None))
    after = [
        found.estimate(game, game.view(act(match, action).state, None))
        for action in game.legal(match.state, 0)
    ]
    assert max(hopes[0] for hopes in after) == before[0]


def test_what_wins_the_match_is_measured_by_no_number() -> None:
    lesson = list_lessons("inka")[0]
    game = games()["inka"]
    match = begin_lesson(game, lesson)
    found = insight(game)
    assert found
    actions = [game.parse(lesson.seat, order) for order in lesson.solution]
    (reason,) = found.explain(game, game.view(match.state, lesson.seat), actions)
    assert (str(reason.sentence), reason.worth) == ("wins the match", None)
