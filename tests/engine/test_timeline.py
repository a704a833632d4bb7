"""The log and what of it counts: rewinds, restorations, and positions that are never reused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.core import chance, record
from engine.core.match import MOST_HOURS, Match, act, note, play, restore, rewind, start
from engine.core.refusal import IllegalMove, MatchOver, Unknown
from engine.core.registry import games
from engine.core.timeline import (
    Closed,
    Extended,
    Paused,
    Restored,
    Resumed,
    Rewound,
    SeatReplaced,
    SeedRevealed,
)
from tests.engine.matches import whole


def opening() -> Match:
    match = start(games()["cuzco"], 2, {}, "timeline")
    for order in ("place triple e14 e16 d15", "draw pile", "end"):
        match = play(match, 0, order)
    return match


def test_a_rewind_is_itself_an_event_and_no_position_is_reused() -> None:
    match = opening()
    back = rewind(match, 7, "Ana", "a slip")
    assert [e.pos for e in back.log] == list(range(1, match.head + 2))
    commitment = chance.commitment(back.seed)
    assert back.log[-1].event == Rewound(7, "Ana", "a slip", commitment)
    assert play(back, 0, "place crop e16").log[-1].pos == match.head + 2


def test_a_draw_after_a_rewind_is_fresh() -> None:
    match = opening()
    drawn = [e.event.card for e in match.log if e.order == "draw pile"]
    for _ in range(12):
        match = rewind(match, 8, "Ana", "")
        match = play(match, 0, "draw pile")
        drawn.append(match.log[-1].event.card)
    assert len(set(drawn)) > 1


@pytest.mark.parametrize("to", [0, 3, 11, 999, -1])
def test_only_the_end_of_an_order_is_a_place_to_go_back_to(to: int) -> None:
    with pytest.raises(Unknown, match="not the end of an order"):
        rewind(opening(), to, "Ana", "")


def test_a_piece_that_was_cut_is_no_place_to_go_back_to() -> None:
    match = opening()
    cut = next(e.pos for e in match.log if e.order == "draw pile")
    with pytest.raises(Unknown):
        rewind(rewind(match, 7, "Ana", ""), cut, "Ana", "")


def test_restoring_brings_the_cut_pieces_back_one_by_one() -> None:
    match = opening()
    once = rewind(match, 8, "Ana", "")
    twice = rewind(once, 7, "Ana", "")
    assert restore(twice, "Ana").state == once.state
    assert restore(restore(twice, "Ana"), "Ana").state == match.state


def test_nothing_is_left_to_restore_once_something_new_was_played() -> None:
    back = play(rewind(opening(), 7, "Ana", ""), 0, "token")
    with pytest.raises(IllegalMove, match="nothing to restore"):
        restore(back, "Ana")


def test_a_rewind_that_cuts_nothing_leaves_nothing_to_restore() -> None:
    match = opening()
    with pytest.raises(IllegalMove):
        restore(rewind(match, match.head, "Ana", ""), "Ana")


def test_the_end_reveals_the_seed_that_the_first_event_committed_to() -> None:
    match = whole("cuzco", 2, 0)
    last = match.log[-1].event
    assert isinstance(last, SeedRevealed)
    assert chance.commitment(last.seed) == match.log[0].event.commitment


def test_going_back_behind_the_end_commits_to_a_new_seed() -> None:
    match = whole("cuzco", 2, 0)
    back = rewind(match, 7, "Ana", "again")
    assert back.seed != match.seed
    assert back.log[-1].event.commitment == chance.commitment(back.seed)
    assert record.load(record.export(play(back, 0, "place crop g16"))).seed == back.seed


FACTS = [
    Paused("Ana", "a holiday"),
    Resumed("Ana", "back again"),
    Extended("Ana", "rain", 24),
    SeatReplaced("Ana", "gone", 1),
    Closed("Ana", "enough"),
]
AT_ANY_TIME = FACTS[2:4]  # the others must fit what was before them, and what follows


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_a_fact_about_the_table_is_in_the_log_and_changes_nothing_else(fact: object) -> None:
    match = rewind(opening(), 7, "Ana", "")
    noted = note(match, fact)
    entry = noted.log[-1]
    assert (entry.pos, entry.act) == (match.head + 1, match.head + 1)
    assert (entry.event, entry.seat, entry.order) == (fact, None, None)
    assert entry.hash != match.hash
    assert (noted.state, noted.timeline) == (match.state, match.timeline)
    assert (
        restore(noted, "Ana").state == opening().state
    )  # it leaves the cut piece to be brought back


def test_a_fact_about_the_table_is_no_place_to_go_back_to() -> None:
    noted = note(opening(), FACTS[0])
    with pytest.raises(Unknown, match="not the end of an order"):
        rewind(noted, noted.head, "Ana", "")


@pytest.mark.parametrize(
    "fact",
    [
        SeatReplaced("Ana", "", 2),
        SeatReplaced("Ana", "", -1),
        Extended("Ana", "", 0),
        Extended("Ana", "", MOST_HOURS + 1),
    ],
)
def test_a_table_cannot_do_what_cannot_be(fact: object) -> None:
    with pytest.raises(Unknown):
        note(opening(), fact)


def test_only_facts_about_the_table_are_noted_and_only_until_the_end() -> None:
    with pytest.raises(TypeError):
        note(opening(), Restored("Ana"))
    with pytest.raises(MatchOver):
        note(whole("cuzco", 2, 0), FACTS[0])


class Table(RuleBasedStateMachine):
    """Orders, rewinds and restorations in any order, against a plain list of what counts."""

    def __init__(self) -> None:
        super().__init__()
        self.match = start(games()["cuzco"], 2, {}, "machine")
        self.history = [(self.match.head, self.match.state)]  # the end of each act that counts
        self.cuts: list[list[tuple[int, object]]] = []

    @rule(seed=st.integers(0, 10**6))
    def order(self, seed: int) -> None:
        game = self.match.game
        if seats := game.to_act(self.match.state):
            action = Random(seed).choice(list(game.legal(self.match.state, seats[0])))
            self.match = act(self.match, action)
            self.history.append((self.match.head, self.match.state))
            self.cuts = []

    @rule(back=st.integers(0, 10))
    def go_back(self, back: int) -> None:
        keep = max(1, len(self.history) - back)
        self.match = rewind(self.match, self.history[keep - 1][0], "machine", "")
        if cut := self.history[keep:]:
            self.cuts.append(cut)
        del self.history[keep:]

    @rule(fact=st.sampled_from(AT_ANY_TIME))
    def take_note(self, fact: object) -> None:
        if not self.match.over:
            self.match = note(self.match, fact)

    @precondition(lambda self: self.cuts)
    @rule()
    def bring_back(self) -> None:
        self.match = restore(self.match, "machine")
        self.history += self.cuts.pop()

    @invariant()
    def the_state_is_that_of_what_counts(self) -> None:
        assert self.match.state == self.history[-1][1]

    @invariant()
    def positions_are_never_reused(self) -> None:
        assert [e.pos for e in self.match.log] == list(range(1, self.match.head + 1))

    def teardown(self) -> None:
        assert record.verify(record.read(record.export(self.match))).sound


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=15, stateful_step_count=25)
