"""Which seed draws when, what the end tells of it, and how anybody can check that nobody chose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core import chain, chance, record
from engine.core.codec import encode
from engine.core.match import Match, append, close, note, play, restore, rewind, sealed_body, start
from engine.core.playout import random_acts
from engine.core.refusal import MatchOver, Unknown
from engine.core.registry import games
from engine.core.timeline import Closed, Paused, Rewound, SeatsDrawn, SeatsTurned, SeedRevealed
from tests.engine.matches import whole

RECORDS = {path.stem: path for path in sorted(Path(__file__).with_name("records").glob("*.jsonl"))}
WORDS = sha256(b"a throw of my own dice").hexdigest()
END = Closed("owner", "enough", (0,))


def opening(key: str = "cuzco", seats: int = 2, nonces: Sequence[str] | None = None) -> Match:
    match = start(games()[key], seats, {}, "seeds", "match", nonces)
    for _, later in zip(range(6), random_acts(match, Random(1)), strict=False):
        match = later
    return match


def finished(match: Match) -> Match:
    for later in random_acts(match, Random(2)):
        match = later
    return match


def ends(match: Match) -> list[int]:
    return sorted({entry.act: entry.pos for entry in match.timeline.effective}.values())


def told(match: Match) -> list[str]:
    return [entry.event.seed for entry in match.log if isinstance(entry.event, SeedRevealed)]


def sound(match: Match) -> bool:
    verdict = record.verify(record.read(record.parse(record.text(record.export(match)))))
    return verdict.sound and verdict.draws_checked


# Turning back


def test_every_rewind_commits_to_a_fresh_seed_that_draws_from_then_on() -> None:
    match = opening()
    back = rewind(match, ends(match)[2], "owner", "a slip", "fresh")
    assert back.seeds == ((1, "seeds"), (back.head, "fresh"))
    assert back.log[-1].event.commitment == chance.commitment("fresh")
    assert sound(finished(back))


def test_a_table_with_one_seed_for_everything_derives_the_next_one() -> None:
    match = opening()
    back = rewind(match, ends(match)[2], "referee", "")
    assert back.seed == chance.next_seed("seeds", back.head)
    assert sound(back)


def test_what_is_restored_was_drawn_by_the_old_seed_and_what_follows_by_the_newest() -> None:
    match = opening()
    again = restore(rewind(match, ends(match)[2], "owner", "", "fresh"), "owner")
    assert again.state == match.state
    assert again.seed == "fresh"
    assert sound(finished(again))


def test_the_end_tells_every_seed_by_which_something_was_played() -> None:
    match = opening()
    unused = rewind(match, ends(match)[2], "owner", "", "unused")
    again = finished(rewind(restore(unused, "owner"), ends(match)[3], "owner", "", "last"))
    assert told(again) == ["seeds", "last"]
    later = finished(rewind(again, ends(again)[2], "owner", "", "after the end"))
    assert told(later) == ["seeds", "last", "after the end"]
    assert sound(later)


def test_a_redacted_record_of_a_match_that_was_over_once_verifies() -> None:
    over = finished(rewind(opening(), 7, "owner", "", "second"))
    running = rewind(over, ends(over)[-3], "owner", "", "third")
    verdict = record.verify(record.read(record.redacted(running, None)))
    assert verdict.sound
    assert not verdict.draws_checked
    assert "third" not in record.text(record.redacted(running, 0))


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_verifies_as_it_did_whatever_its_rewinds_and_closings_told(name: str) -> None:
    lines = record.parse(RECORDS[name].read_text(encoding="ascii"))
    assert record.verify(record.read(lines)).sound
    match = record.load(lines)
    assert record.export(match) == lines
    turns = [entry.event for entry in match.log if isinstance(entry.event, Rewound)]
    if name.endswith("new"):
        assert all(turn.commitment for turn in turns)
    elif "turned" in name:
        assert [bool(turn.commitment) for turn in turns] == [False, False, True, True]
    assert match.revealed == (name != "closed-old")  # older closings told nothing


def test_an_old_rewind_of_a_match_that_was_over_is_drift() -> None:
    over = whole("cuzco", 2, 0)
    forged = append_rewind(over, Rewound(7, "owner", "again"))
    assert record.verify(record.read(record.export(forged))).drift == (forged.head,)


def append_rewind(match: Match, event: Rewound) -> Match:
    """The match with a turn back that the rules would have written otherwise."""
    return replace(append(replace(match, state=opening().state), [event]), state=match.state)


# Closing


def test_a_closed_match_tells_its_seeds_in_the_same_act() -> None:
    match = rewind(opening(), 7, "owner", "", "fresh")
    closed = close(play_on(match), END)
    last = [entry for entry in closed.log if entry.act == closed.log[-1].act]
    assert [type(entry.event) for entry in last] == [Closed, SeedRevealed, SeedRevealed]
    assert told(closed) == ["seeds", "fresh"]
    assert closed.revealed
    assert not closed.over
    assert record.redacted(closed, None) == record.export(closed)
    assert sound(closed)


def play_on(match: Match) -> Match:
    return next(iter(random_acts(match, Random(3))))


def test_nothing_comes_after_a_closing_that_told_the_seed() -> None:
    closed = close(opening(), END)
    with pytest.raises(MatchOver):
        note(closed, Paused("owner", "rain"))
    order = closed.game.format(next(closed.game.legal(closed.state, 0)))
    with pytest.raises(MatchOver):
        play(closed, 0, order)


def test_a_closing_that_tells_another_seed_is_found() -> None:
    closed = close(opening(), END)
    forged = relinked(closed, closed.head, SeedRevealed("another"))
    assert record.verify(record.read(forged)).problems


# The lot


@pytest.mark.parametrize("key", games())
def test_who_sits_where_stands_in_the_log_and_follows_from_the_seed(key: str) -> None:
    seats = games()[key].seats[0]
    match = opening(key, seats, [""] * seats)
    drawn = match.log[1].event
    assert isinstance(drawn, SeatsDrawn)
    assert sorted(drawn.chairs) == list(range(seats))
    assert sound(match)
    for chairs in permutations(range(seats)):
        if chairs != drawn.chairs:
            forged = record.read(relinked(match, 2, replace(drawn, chairs=chairs)))
            assert record.verify(forged).drift == (1,)


def test_in_a_rematch_no_lot_is_drawn_and_the_rest_is_as_ever() -> None:
    game, nonces = games()["cuzco"], ["", WORDS]
    turned = start(game, 2, {}, "a seed", "match", nonces, turned=True)
    drawn = start(game, 2, {}, "a seed", "match", nonces)
    assert isinstance(turned.log[1].event, SeatsTurned)
    assert (turned.chairs, turned.nonces) == ((0, 1), drawn.nonces)
    assert [e.event for e in turned.log[2:]] == [e.event for e in drawn.log[2:]]
    assert sound(finished(turned))
    forged = record.read(relinked(turned, 2, SeatsTurned(("", ""))))
    assert record.verify(forged).problems or record.verify(forged).drift


def test_a_rematch_names_the_match_before_and_an_old_one_keeps_its_bytes() -> None:
    game, nonces = games()["cuzco"], ["", WORDS]
    old = start(game, 2, {}, "a seed", "match", nonces, turned=True)
    new = start(game, 2, {}, "a seed", "match", nonces, turned=True, before="thefirst22")
    assert encode(old.log[1].event) == {"nonces": nonces}
    assert encode(new.log[1].event) == {"nonces": nonces, "before": "thefirst22"}
    assert sound(finished(old))
    assert sound(finished(new))


def test_every_seating_can_be_drawn() -> None:
    drawn = {
        start(games()["cuzco"], 3, {}, f"seed {n}", "match", [""] * 3).log[1].event.chairs
        for n in range(80)
    }
    assert drawn == set(permutations(range(3)))


def test_a_match_without_a_lot_is_as_it_always_was() -> None:
    match = opening()
    assert not any(isinstance(entry.event, SeatsDrawn) for entry in match.log)
    drawn = opening(nonces=["", ""])
    assert [e.event for e in drawn.log[2:6]] == [e.event for e in match.log[1:5]]


# Nonces


def test_a_nonce_changes_what_is_drawn_though_the_seed_was_committed_to_before() -> None:
    plain, mixed = opening(nonces=["", ""]), opening(nonces=["", WORDS])
    assert plain.log[0].event.commitment == mixed.log[0].event.commitment
    assert plain.log[1].event.nonces != mixed.log[1].event.nonces
    assert [e.event for e in plain.log[2:]] != [e.event for e in mixed.log[2:]]
    assert sound(finished(mixed))
    assert told(finished(mixed)) == ["seeds"]


def test_a_seed_after_a_rewind_is_mixed_with_the_same_nonces() -> None:
    mixed = opening(nonces=["", WORDS])
    back = rewind(mixed, ends(mixed)[1], "owner", "", "fresh")
    assert sound(finished(back))


def test_whose_nonce_it_was_matters() -> None:
    assert chance.mixed("seed", ["", WORDS]) != chance.mixed("seed", [WORDS, ""])
    assert chance.mixed("seed", ["", ""]) == "seed"


def test_a_nonce_that_was_left_out_or_changed_afterwards_is_found() -> None:
    mixed = finished(opening(nonces=["", WORDS]))
    for nonces in (("", ""), (WORDS, ""), ("", WORDS[::-1])):
        forged = relinked(mixed, 2, replace(mixed.log[1].event, nonces=nonces))
        assert record.verify(record.read(forged)).drift


@pytest.mark.parametrize(
    "nonces", [["my own words", ""], [WORDS], ["", "", ""], [WORDS.upper(), ""]]
)
def test_the_log_takes_hashes_and_no_words(nonces: list[str]) -> None:
    with pytest.raises(Unknown):
        opening(nonces=nonces)


def relinked(match: Match, pos: int, event: Any) -> list[record.Line]:
    """The record with one event changed and all links made anew, as a forger would."""
    before, entries = chain.GENESIS, []
    for entry in match.log:
        bare = entry._replace(event=event) if entry.pos == pos else entry
        before = chain.link(before, sealed_body(bare, match.name, match.seed_at(entry.pos)))
        entries.append(bare._replace(hash=before))
    return record.export(replace(match, log=tuple(entries)))
