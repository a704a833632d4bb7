"""Redacted records decided again: no honest one is accused, and open facts that are wrong are found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest

from engine.core import record
from engine.core.match import Match, act, note, rewind, start, start_at
from engine.core.playout import random_acts
from engine.core.record import Line
from engine.core.refusal import Refusal
from engine.core.registry import games
from engine.core.timeline import UndoAsked
from tests import forging
from tests.engine.matches import walk

TABLES = [(key, seats) for key in games() for seats in games()[key].seats]
Forge = Callable[[list[Line]], Line]


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_no_honest_redacted_record_is_accused(key: str, seats: int) -> None:
    """At any moment, for any eyes, with rewinds and facts; `make soak ARGS=honest-records` looks at hundreds."""
    for number in range(3):
        rng = Random(f"{key} {seats} {number}")
        options = forging.some_options(games()[key], seats, rng)
        match = forging.lively(games()[key], seats, rng, rng.randint(1, 120), **options)
        for seat in (None, *range(seats)):
            verdict = record.verify(record.read(record.redacted(match, seat)))
            assert verdict.sound, (number, seat, verdict)


@pytest.mark.parametrize("key", games())
def test_no_honest_setup_is_accused(key: str) -> None:
    game = games()[key]
    flags = [name for name, option in game.options.items() if option.limits is None]
    for seats in game.seats:
        for chosen in product((False, True), repeat=len(flags)):
            options = dict(zip(flags, chosen, strict=True))
            for seed in range(8):
                try:
                    match = start(game, seats, options, f"setup {seed}")
                except Refusal:  # not for so many
                    continue
                told = record.read(record.redacted(match, seed % seats))
                assert record.verify(told).sound, (seats, options, seed)


def at_least(key: str, seats: int, head: int, seed: int = 0, **options: bool) -> Match:
    return next(m for m in walk(key, seats, seed, **options) if m.head >= head)


def verdict_on(match: Match, forge: Forge, seat: int | None = None) -> tuple[record.Verdict, Line]:
    """What is found in a redacted record that somebody changed and chained anew."""
    lines = forging.copied(record.redacted(match, seat))
    changed = forge(lines)
    return record.verify(record.read(forging.rechained(lines))), changed


def of_kind(lines: list[Line], kind: str, **parts: Any) -> Line:
    return next(
        line for line in lines[1:] if line["kind"] == kind and parts.items() <= line["data"].items()
    )


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_cheaper_cost_is_found(seat: int | None) -> None:
    def cheaper(lines: list[Line]) -> Line:
        line = of_kind(lines, "TilePlaced")
        line["data"]["cost"] -= 1
        return line

    verdict, line = verdict_on(at_least("cuzco", 2, 60), cheaper, seat)
    assert line["act"] in verdict.drift


def test_one_point_too_many_is_found_even_at_a_festival() -> None:
    """Who dropped out silently hangs on hidden cards; what the festival is worth does not."""

    def richer(lines: list[Line]) -> Line:
        line = of_kind(lines, "FestivalEnded")
        line["data"]["points"] += 1
        return line

    ended = "FestivalEnded"
    for seed in range(40):
        match = at_least("java", 3, 300, seed)
        if any(type(entry.event).__name__ == ended for entry in match.log) and not match.over:
            verdict, line = verdict_on(match, richer)
            assert verdict.drift[0] == line["act"]
            return
    pytest.fail("nobody celebrated")


def test_an_illegal_open_order_is_found() -> None:
    def elsewhere(lines: list[Line]) -> Line:
        line = next(line for line in lines[1:] if line["order"] == "end")
        for other in lines[1:]:
            if other["act"] == line["act"]:
                other["order"] = "token"
        return line

    verdict, line = verdict_on(at_least("cuzco", 3, 60), elsewhere)
    assert line["act"] in verdict.drift


def test_the_act_of_somebody_who_was_not_asked_is_found() -> None:
    def other(lines: list[Line]) -> Line:
        line = next(line for line in lines[1:] if line["seat"] == 0)
        line["seat"] = 1
        return line

    verdict, line = verdict_on(at_least("inka", 2, 40), other)
    assert line["act"] in verdict.drift


def test_that_somebody_is_not_asked_is_found() -> None:
    def skipped(lines: list[Line]) -> Line:
        line = of_kind(lines, "CardAsked")
        lines.remove(line)
        return line

    match = at_least("tahuantinsuyu", 3, 60)
    assert not verdict_on(match, skipped)[0].sound


def test_more_labour_than_the_sun_gave_is_found_behind_sealed_cards() -> None:
    """The last card of a Sun phase is laid in secret; what follows from the cards that are turned up is not."""

    def richer(lines: list[Line]) -> Line:
        sealed = {line["act"] for line in lines[1:] if line["kind"] == "CardLaid"}
        line = next(
            line for line in lines[1:] if line["act"] in sealed and line["kind"] == "TurnBegan"
        )
        line["data"]["roads"] += 1
        return line

    verdict, line = verdict_on(at_least("tahuantinsuyu", 3, 200), richer)
    assert line["act"] in verdict.drift


def test_a_setup_with_more_for_somebody_is_found() -> None:
    def richer(lines: list[Line]) -> Line:
        line = of_kind(lines, "TurnBegan")
        line["data"]["ap"] += 1
        return line

    verdict, _ = verdict_on(at_least("cuzco", 2, 10), richer)
    assert verdict.drift[0] == 1


def test_an_end_that_was_not_reached_is_found() -> None:
    def ended(lines: list[Line]) -> Line:
        line = {**lines[-1], "kind": "SeedRevealed", "data": {"seed": "mine"}, "pos": len(lines)}
        line.pop("salts", None)
        lines.append(line)
        return line

    verdict, line = verdict_on(at_least("inka", 2, 40), ended)
    assert line["act"] in verdict.drift


def test_what_is_open_but_should_be_sealed_or_sealed_but_known_is_found() -> None:
    match = at_least("cuzco", 2, 20)
    lines = record.redacted(match, 0)
    lines[0] = {**lines[0], "seen_by": 1}
    assert "seals what its reader may know" in str(record.verify(record.read(lines)).problems[0])


def test_nothing_but_a_secret_can_be_sealed() -> None:
    """Whoever seals the seat that a pond gives its points to hides what everybody may see."""
    lines = forging.copied(record.redacted(at_least("cuzco", 2, 20), None))
    line = of_kind(lines, "TilePlaced")
    line["data"]["cost"] = {"sealed": "0" * 64}
    with pytest.raises(Refusal, match="cannot be understood"):
        record.read(forging.rechained(lines))


def test_it_says_how_many_orders_were_decided_and_how_many_not() -> None:
    cuzco = record.verify(record.read(record.redacted(at_least("cuzco", 2, 60), None)))
    assert (cuzco.decided > 40, cuzco.sealed, cuzco.draws_checked) == (True, 0, False)
    sun = at_least("tahuantinsuyu", 3, 60)
    laid = [e.act for e in sun.log if type(e.event).__name__ == "CardLaid"]
    spectators = record.verify(record.read(record.redacted(sun, None)))
    assert spectators.sealed == len(laid) > 0


def test_a_position_that_is_sealed_is_neither_decided_nor_accused() -> None:
    given = at_least("cuzco", 2, 40)
    match = start_at(given.game, given.game.dump(given.state), "position")
    match = next(random_acts(match, Random(1)))
    verdict = record.verify(record.read(record.redacted(match, 0)))
    assert verdict.sound
    assert verdict.decided == 0
    assert verdict.sealed == len({entry.act for entry in match.log if entry.seat is not None})


# What an end has told


def played_on(key: str, seats: int, to: int = 20, *, position: Any = None) -> Match:
    """A match that came to its end, was taken back and goes on: its log tells the seed of the first part."""
    game = games()[key]
    match = start_at(game, position, "told") if position else start(game, seats, {}, "told")
    match, ended = ended_match(match)
    assert ended
    back = max(pos for pos in forging.ends(match) if pos <= to)
    return rewind(match, back, "owner", "once more")


def ended_match(match: Match) -> tuple[Match, bool]:
    rng = Random(7)
    for _ in range(4000):
        if match.over:
            return match, True
        seat = rng.choice(match.game.to_act(match.state))
        match = act(match, rng.choice(list(match.game.legal(match.state, seat))))
    return match, False


def last_of(kind: str) -> Forge:
    """One more of the first number that the last event of that kind tells."""

    def forge(lines: list[Line]) -> Line:
        line = next(line for line in reversed(lines) if line.get("kind") == kind)
        path = next(p for p in forging.leaves(line["data"]) if type(looked(line, p)) is int)
        forging.change(line["data"], path, Random(1))
        return line

    def looked(line: Line, path: tuple[Any, ...]) -> Any:
        return forging.looked_up(line["data"], path)

    return forge


@pytest.mark.parametrize("kind", ["StonesTurned", "BuriedTurned", "MatchEnded"])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_what_came_before_an_end_is_opened_by_its_seed(kind: str, seat: int | None) -> None:
    """Stones that were laid in secret and turned up: which they were only the seed can show, and the log tells it."""
    match = played_on("apacheta", 2)
    honest = record.verify(record.read(record.redacted(match, seat)))
    assert honest.sound
    assert not honest.sealed
    verdict, line = verdict_on(match, last_of(kind), seat)
    assert verdict.drift == (line["act"],)


def test_a_secret_that_is_turned_up_while_the_seed_is_one_too_could_be_another() -> None:
    """Nothing public tells the stone of somebody else from one as good: both worlds are possible until the end."""
    match = next(m for m in walk("apacheta", 3, 4) if turned(m, lambda seat: seat is not None))
    winner = turned(match, lambda seat: seat is not None)

    def lighter(lines: list[Line]) -> Line:
        line = next(line for line in lines if line.get("kind") == "StonesTurned")
        other = next(n for n in range(3) if n != line["data"]["seat"])
        weight = line["data"]["stones"][other]
        line["data"]["stones"][other] = weight - 1 if weight > 1 else weight + 1
        return line

    assert winner
    verdict, _ = verdict_on(match, lighter)
    assert verdict.sound


def turned(match: Match, takes: Callable[[int | None], bool]) -> bool:
    kinds = [entry.event for entry in match.log if type(entry.event).__name__ == "StonesTurned"]
    return bool(kinds) and takes(kinds[0].seat)


def test_a_sealed_position_is_not_guessed_even_when_the_seed_is_told() -> None:
    given = games()["apacheta"].dump(at_least("apacheta", 2, 12).state)
    match = played_on("apacheta", 2, position=given)
    for seat in (None, 0, 1):
        assert record.verify(record.read(record.redacted(match, seat))).sound


def test_an_order_of_a_rewound_end_that_was_sealed_is_found_among_all() -> None:
    """The forger seals another order: no order of that seat has its hash."""
    match = played_on("apacheta", 2)

    def resealed(lines: list[Line]) -> Line:
        line = next(line for line in lines[3:] if isinstance(line["order"], dict))
        line["order"] = {"sealed": "0" * 64}
        return line

    verdict, line = verdict_on(match, resealed)
    assert verdict.drift == (line["act"],)


@pytest.mark.parametrize("key", games())
def test_a_forged_setup_is_told_and_breaks_nothing(key: str) -> None:
    """A position that nobody could set up, in a record with a wish to go back: who was asked then cannot be said."""
    match = at_least(key, games()[key].seats[0], 40)
    match = note(match, UndoAsked(0, 1, "oh"))
    honest = record.export(match)
    for number in range(60):
        forged = forging.any_fact_changed(forging.Sample(match, honest, match.game), Random(number))
        assert forging.found(forged)
