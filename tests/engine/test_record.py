"""The record file: chain, seals, redaction, and that nothing can be changed unseen."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.core import chain, chance, record
from engine.core.match import Match, note, play, start
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.timeline import Closed, Extended, Paused, Resumed, SeatReplaced
from tests.engine.matches import walk, whole


@pytest.fixture(scope="module")
def running() -> Match:
    match = start(games()["cuzco"], 3, {}, "record")
    for order in ("place triple e14 e16 d15", "draw pile", "draw open", "end"):
        match = play(match, 0, order)
    return match


def test_every_event_carries_the_hash_of_all_before_it(running: Match) -> None:
    before = chain.GENESIS
    for line in record.export(running)[1:]:
        before = record.check_link(line["pos"], line, before)
    assert before == running.hash


def test_the_chain_is_the_same_whoever_looks(running: Match) -> None:
    for seat in (None, 0, 1, 2):
        lines = record.redacted(running, seat)
        assert record.read(lines).entries[-1].hash == running.hash


def test_a_redacted_record_names_only_the_cards_of_its_seat(running: Match) -> None:
    dealt = {
        seat: [
            line["data"]["cards"]
            for line in record.redacted(running, seat)[1:]
            if line["kind"] == "HandDealt"
        ]
        for seat in (None, 0, 1, 2)
    }
    assert all(set(cards) == {"sealed"} for cards in dealt[None])
    for seat in (0, 1, 2):
        assert [isinstance(cards, list) for cards in dealt[seat]] == [s == seat for s in range(3)]


def test_a_redacted_record_holds_no_seed_and_no_salt_of_others(running: Match) -> None:
    content = record.text(record.redacted(running, 1))
    assert running.seed not in json.loads(content.split("\n")[0])["seeds"]
    salts = [line.get("salts", {}) for line in record.parse(content)[1:]]
    assert sum(map(len, salts)) == 1  # the own hand


def test_a_seal_cannot_be_opened_by_guessing_cards(running: Match) -> None:
    sealed = next(
        line["data"]["cards"]
        for line in record.redacted(running, None)[1:]
        if line["kind"] == "HandDealt"
    )
    assert sealed not in [chain.seal(list(cards), "") for cards in running.state.hands]


def test_salts_are_long_unlike_and_made_from_the_secret_seed(running: Match) -> None:
    """Who has the record of a seat knows all but the seed: the place of a seal must not give its salt."""
    lines = record.export(running)[1:]
    salts = {(line["pos"], part): s for line in lines for part, s in line.get("salts", {}).items()}
    assert all(len(bytes.fromhex(salt)) >= 16 for salt in salts.values())
    assert len(set(salts.values())) == len(salts) > 3
    known = ["", running.name, lines[0]["data"]["commitment"], "another seed"]
    guesses = {chance.salt(g, running.name, *place) for g in known for place in salts}
    assert guesses.isdisjoint(salts.values())


def test_a_redacted_record_replays_the_board_and_the_own_hand(running: Match) -> None:
    game = running.game
    for seat in (None, 0, 1, 2):
        told = record.read(record.redacted(running, seat))
        *_, (_, state) = record.states(told)
        assert game.view(state, seat) == game.view(running.state, seat)


def test_a_redacted_record_is_not_played_on(running: Match) -> None:
    with pytest.raises(Unknown, match="redacted"):
        record.load(record.redacted(running, 0))


def test_a_finished_match_has_no_secrets() -> None:
    match = whole("cuzco", 2, 0)
    assert record.redacted(match, None) == record.export(match)


def test_a_running_redacted_record_verifies_as_far_as_it_is_open(running: Match) -> None:
    verdict = record.verify(record.read(record.redacted(running, 0)))
    assert verdict.sound
    assert not verdict.draws_checked


def test_a_changed_draw_is_found(running: Match) -> None:
    """Somebody who holds the seed swaps a card and computes every hash anew: the draw gives it away."""
    lines = record.export(running)
    drawn = next(line for line in lines[1:] if line["kind"] == "CardDrawn")
    drawn["data"]["card"] = "kero" if drawn["data"]["card"] != "kero" else "tumi"
    before = chain.GENESIS
    for line in lines[1:]:
        before = line["hash"] = chain.link(before, record.sealed_line(line))
    assert record.verify(record.read(lines)).drift == (drawn["act"],)
    with pytest.raises(Unknown, match="does not follow"):
        record.load(lines)


def noted(match: Match) -> Match:
    """The match after everything that can be done to a table."""
    for fact in (
        Paused("Ana", "rain"),
        Resumed("Ana", "sun"),
        Extended("Ana", "rain", 5),
        SeatReplaced("Ana", "gone", 2),
        Closed("Ana", "enough"),
    ):
        match = note(match, fact)
    return match


def test_facts_about_the_table_verify_load_and_replay(running: Match) -> None:
    match = noted(running)
    lines = record.parse(record.text(record.export(match)))
    assert record.verify(record.read(lines)).sound
    assert record.load(lines) == match
    *_, (_, state) = record.states(record.read(lines))
    assert state == running.state
    assert record.verify(record.read(record.redacted(match, 1))).sound
    assert play(record.load(lines), 1, "place village h9").head == match.head + 1


def test_a_fact_that_no_table_can_have_is_found(running: Match) -> None:
    for part, wrong in (("seat", 10**9), ("seat", -1), ("hours", 0)):
        lines = record.export(noted(running))
        line = next(
            line
            for line in lines[1:]
            if part in line["data"]
            and line["order"] is None
            and line["kind"] in ("SeatReplaced", "Extended")
        )
        line["data"][part] = wrong
        before = chain.GENESIS
        for each in lines[1:]:
            before = each["hash"] = chain.link(before, record.sealed_line(each))
        assert record.verify(record.read(lines)).drift == (line["act"],)
        with pytest.raises(Unknown, match="does not follow"):
            record.load(lines)


def test_every_flipped_byte_is_found() -> None:
    match = next(m for m in walk("cuzco", 2, 1) if m.head > 30)
    content = record.text(record.export(match)).encode()
    rng = Random(1)
    for _ in range(400):
        at, flip = rng.randrange(len(content)), 1 << rng.randrange(8)
        broken = content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :]
        assert not sound(broken), f"byte {at} flipped by {flip}"


def sound(content: bytes) -> bool:
    try:
        return record.verify(record.read(record.parse(content.decode("ascii")))).sound
    except (Unknown, UnicodeDecodeError):
        return False


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [1, 2],
        [{}],
        [{"format": "other", "seeds": [], "seen_by": "spectator"}],
        [{"format": record.FORMAT, "seeds": [], "seen_by": True}],
        [{"format": record.FORMAT, "seeds": [[1]], "seen_by": "everybody"}],
        [{"format": record.FORMAT, "seeds": [], "seen_by": "spectator"}],
        [{"format": record.FORMAT, "seeds": [], "seen_by": "spectator"}, {}],
    ],
)
def test_what_is_no_record_is_refused_with_a_sentence(lines: list[object]) -> None:
    with pytest.raises(Unknown, match=r"\w.*[.]"):
        record.read(lines)


@pytest.mark.parametrize("content", ["", "x", "{}", '{"a": 1}\n', "[" * 100_000 + "\n", "null\n"])
def test_what_is_no_record_file_is_refused_with_a_sentence(content: str) -> None:
    with pytest.raises(Unknown, match=r"\w.*[.]"):
        record.read(record.parse(content))
