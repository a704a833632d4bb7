"""A fresh seed in the middle of a match: committed to in the log, verified like the first, and drawn from at once."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from engine.core import record
from engine.core.match import close, reseed, rewind, start
from engine.core.playout import random_acts
from engine.core.refusal import MatchOver
from engine.core.registry import find, games
from engine.core.timeline import Closed, Reseeded, SeedRevealed


@pytest.mark.parametrize("key", games())
def test_a_match_with_a_fresh_seed_is_played_to_its_end_and_verifies(key: str) -> None:
    game = find(key)
    match = start(game, game.seats[0], {}, "a seed")
    for later in islice(random_acts(match, Random(1)), 12):
        match = later
    before, match = match, reseed(match, "operator", "A backup was put back.", "a fresh seed")
    assert match.state == before.state
    assert match.draws(99).pick(range(10**9)) != before.draws(99).pick(range(10**9))
    for later in random_acts(match, Random(2)):
        match = later
    told = [entry.event.seed for entry in match.log if isinstance(entry.event, SeedRevealed)]
    assert told == ["a seed", "a fresh seed"]
    for lines in (record.export(match), record.redacted(match, None)):
        verdict = record.verify(record.read(lines))
        assert verdict.draws_checked
        assert not verdict.problems
        assert not verdict.drift


def test_a_fresh_seed_that_drew_nothing_and_was_followed_by_another_verifies_too() -> None:
    match = start(find("cuzco"), 2, {}, "a seed")
    for later in islice(random_acts(match, Random(1)), 5):
        match = later
    for seed in ("never used", "in force"):
        match = reseed(match, "operator", "again", seed)
    match = close(match, Closed("owner", "enough", ()))
    for lines in (record.export(match), record.redacted(match, None)):
        verdict = record.verify(record.read(lines))
        assert (verdict.problems, verdict.drift) == ((), ())


def test_another_seed_than_was_committed_to_is_noticed() -> None:
    match = start(find("cuzco"), 2, {}, "a seed")
    lines = record.export(reseed(match, "operator", "why", "a fresh seed"))
    lines[0]["seeds"][1][1] = "one that suits me"
    assert record.verify(record.read(lines)).problems


def test_a_rewind_leaves_the_fresh_seed_in_the_log() -> None:
    match = start(find("cuzco"), 2, {}, "a seed")
    first = match.head
    for later in islice(random_acts(match, Random(1)), 5):
        match = later
    match = rewind(reseed(match, "operator", "why", "a fresh seed"), first, "owner", "a slip")
    assert [entry for entry in match.log if isinstance(entry.event, Reseeded)]


def test_a_match_that_is_over_needs_no_seed() -> None:
    match = start(find("cuzco"), 2, {}, "a seed")
    match = close(match, Closed("owner", "enough", ()))
    with pytest.raises(MatchOver):
        reseed(match, "operator", "why", "a fresh seed")
