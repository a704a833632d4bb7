"""Facts about a table: which can follow which, and that invented ones are found, with open and sealed records alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core import record, refusal, sequence
from engine.core.codec import encode
from engine.core.match import Match, act, note, play, restore, rewind, start
from engine.core.playout import random_match
from engine.core.registry import games
from engine.core.timeline import (
    TABLE_EVENTS,
    TURNS,
    ActProposed,
    Closed,
    Extended,
    ModeratorDismissed,
    ModeratorNamed,
    OwnerChanged,
    Paused,
    ProposalAnswered,
    Restored,
    Resumed,
    Returned,
    Rewound,
    SeatReplaced,
    SeatResigned,
    SeedRevealed,
    StoodIn,
    TalkHidden,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)
from tests import forging

ORDERS = ("place triple e14 e16 d15", "token")  # positions 7 and 8


def opening() -> Match:
    match = start(games()["cuzco"], 2, {}, "sequence")
    for order in ORDERS:
        match = play(match, 0, order)
    return match


def with_facts(facts: Sequence[Any]) -> Match:
    """A match with facts in its log that nobody checked; an order is a text."""
    match = opening()
    for fact in facts:
        if isinstance(fact, str):
            match = play(match, 0, fact)
        elif isinstance(fact, Rewound):
            match = rewind(match, fact.to, fact.by, fact.reason)
        elif isinstance(fact, Restored):
            match = restore(match, fact.by)
        else:
            match = note(match, fact)
    return match


def problems(match: Match, seat: int | None = None, *, sealed: bool = True) -> list[str]:
    lines = record.redacted(match, seat) if sealed else record.export(match)
    return list(map(str, record.verify(record.read(lines)).problems))


BECAUSE = ("owner", "so")
HONEST: list[list[Any]] = [
    [Paused(*BECAUSE), Extended(*BECAUSE, 5), Resumed(*BECAUSE), "draw open"],
    [Paused(*BECAUSE), Rewound(7, *BECAUSE), Resumed(*BECAUSE), "token"],
    [Paused(*BECAUSE), Closed(*BECAUSE, (0, 1))],
    [StoodIn(0, "steady"), "draw open", Returned(0), StoodIn(0, "steady"), Returned(0)],
    [StoodIn(0, "steady"), StoodIn(0, "steady"), Returned(0)],  # taken in from a record meanwhile
    [UndoAsked(0, 7, "oh"), UndoAnswered(1, agrees=True), Rewound(7, "table", "oh")],
    [UndoAsked(0, 7, "oh"), Rewound(7, "table", "oh")],  # nobody else was concerned
    [UndoAsked(0, 7, "oh"), UndoAnswered(1, agrees=False), UndoAsked(0, 6, "oh")],
    [UndoAsked(0, 7, "oh"), UndoWithdrawn(0), UndoAsked(0, 7, "oh"), UndoRefused(*BECAUSE)],
    [UndoAsked(0, 7, "oh"), "draw open", UndoAsked(0, 8, "oh")],  # the first one lapsed
    [UndoAsked(0, 7, "oh"), SeatReplaced(*BECAUSE, 0), UndoAsked(0, 7, "oh")],
    [Rewound(7, "Ana", ""), Restored("Ana"), Rewound(6, "referee", "")],
    [OwnerChanged(*BECAUSE), ModeratorNamed("owner"), ModeratorDismissed("site")],
    [TalkHidden("moderator", "rude"), SeatResigned(1, "tired"), Closed("table", "tired")],
]
INVENTED: list[tuple[list[Any], str]] = [
    ([Resumed(*BECAUSE)], "which was not paused"),
    ([Paused(*BECAUSE), Paused(*BECAUSE)], "while the match was paused"),
    ([Paused(*BECAUSE), "draw open"], "played although the match was paused"),
    ([Paused(*BECAUSE), StoodIn(0, "steady")], "while the match was paused"),
    ([Closed(*BECAUSE), "draw open"], "although the match was closed"),
    ([Closed(*BECAUSE), Extended(*BECAUSE, 1)], "although the match was closed"),
    ([Closed(*BECAUSE), Rewound(7, *BECAUSE)], "although the match was closed"),
    ([Closed(*BECAUSE, (1, 0))], "winners that cannot be"),
    ([Closed(*BECAUSE, (1, 1))], "winners that cannot be"),
    ([Returned(0)], "for whom no bot stood in"),
    ([StoodIn(0, "steady"), Returned(1)], "for whom no bot stood in"),
    ([StoodIn(0, "steady"), SeatReplaced(*BECAUSE, 0), Returned(0)], "for whom no bot stood in"),
    ([UndoAsked(0, 7, "oh"), UndoAsked(0, 7, "oh")], "one was asked for already"),
    ([UndoAsked(0, 8, "oh")], "where that seat cannot wish to"),  # nothing was played after it
    ([UndoAsked(1, 7, "oh")], "where that seat cannot wish to"),  # it was not asked there
    ([UndoAsked(0, 3, "oh")], "where that seat cannot wish to"),  # in the middle of an act
    ([UndoAnswered(1, agrees=True)], "no undo was asked for"),
    ([UndoAsked(0, 7, "oh"), UndoAnswered(0, agrees=True)], "was not asked"),
    ([UndoAsked(0, 7, "oh"), *[UndoAnswered(1, agrees=True)] * 2], "was not asked"),
    ([UndoRefused(*BECAUSE)], "no undo was asked for"),
    ([UndoWithdrawn(0)], "no undo was asked for"),
    ([UndoAsked(0, 7, "oh"), UndoWithdrawn(1)], "question of another seat"),
    ([UndoAsked(0, 7, "oh"), "draw open", UndoAnswered(1, agrees=True)], "no undo was asked for"),
    ([Rewound(7, "table", "oh")], "which had not agreed"),
    ([UndoAsked(0, 7, "oh"), Rewound(6, "table", "oh")], "which had not agreed"),
    ([OwnerChanged("wizard", "so")], "may not do such a thing"),
    ([ModeratorNamed("")], "may not do such a thing"),
    ([ModeratorDismissed("Ana")], "may not do such a thing"),
    ([TalkHidden("seat 1", "so")], "may not do such a thing"),
]


@pytest.mark.parametrize("facts", HONEST, ids=str)
def test_what_a_service_writes_is_accused_in_no_form(facts: list[Any]) -> None:
    match = with_facts(facts)
    assert problems(match) == problems(match, 1) == problems(match, sealed=False) == []
    assert record.load(record.export(match)) == match


@pytest.mark.parametrize(("facts", "said"), INVENTED, ids=str)
def test_an_invented_fact_is_found_and_its_position_told(facts: list[Any], said: str) -> None:
    match = with_facts(facts)
    found = [problems(match), problems(match, 0), problems(match, sealed=False)]
    for told in found:
        assert said in told[0]
        assert told[0].startswith(f"Event {match.log[-1].act} ")
    with pytest.raises(refusal.Unknown, match=said):
        record.load(record.export(match))


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (Restored("owner"), "although none was cut"),
        (Rewound(3, *BECAUSE), "where no order had ended"),
        (Rewound(99, *BECAUSE), "where no order had ended"),
        (Extended(*BECAUSE, 0), "more or fewer hours"),
        (Closed(*BECAUSE, (7,)), "winners that cannot be"),
        (SeatReplaced(*BECAUSE, 2), "a seat that this match has not"),
        (SeatResigned(-1, "so"), "a seat that this match has not"),
        (StoodIn(9, "steady"), "a seat that this match has not"),
        (SeedRevealed("mine"), "although nothing had ended"),
    ],
    ids=str,
)
def test_what_our_own_hands_refuse_to_write_is_found_too(fact: Any, said: str) -> None:
    lines = record.redacted(opening(), None)
    lines.append(line_of(fact, len(lines)))
    verdict = record.verify(record.read(forging.rechained(lines)))
    assert said in str(verdict.problems[-1])


def line_of(fact: Any, pos: int, **more: Any) -> record.Line:
    line = {"pos": pos, "act": pos, "seat": None, "order": None, "hash": ""}
    return {**line, "kind": type(fact).__name__, "data": encode(fact), **more}


@pytest.mark.parametrize("more", [{"seat": 0}, {"order": "pause"}, {"act": 8}, {"act": 1}])
def test_a_fact_is_an_act_of_its_own_that_no_seat_ordered(more: dict[str, Any]) -> None:
    lines = record.redacted(opening(), None)
    lines.append(line_of(Paused(*BECAUSE), len(lines), **more))
    verdict = record.verify(record.read(forging.rechained(lines)))
    assert "does not follow from any order or deed" in str(verdict.problems[0])


def test_nothing_is_noted_after_the_end() -> None:
    lines = record.export(random_match(games()["inka"], 2, 3))
    lines.append(line_of(Extended(*BECAUSE, 1), len(lines)))
    verdict = record.verify(record.read(forging.rechained(lines)))
    assert "although the match was over" in str(verdict.problems[0])


def test_an_end_ends_a_pause_too() -> None:
    """Paused, taken back to before the end and restored to it: the service knows it as over, then as running."""
    match = random_match(games()["inka"], 2, 3)
    end = sorted({entry.act: entry.pos for entry in match.timeline.effective}.values())[-2]
    match = note(rewind(match, end, *BECAUSE), Paused(*BECAUSE))
    match = rewind(restore(match, "owner"), end, *BECAUSE)
    match = act(match, next(match.game.legal(match.state, match.game.to_act(match.state)[0])))
    assert problems(match, sealed=False) == []


def test_how_a_match_stands_follows_from_its_log() -> None:
    match = opening()
    assert sequence.status(match.log) == "running"
    assert sequence.status(note(match, Paused(*BECAUSE)).log) == "paused"
    assert sequence.status(note(match, Closed(*BECAUSE)).log) == "closed"
    over = random_match(games()["inka"], 2, 3)
    assert sequence.status(over.log) == "over"
    assert sequence.status(rewind(over, 3, *BECAUSE).log) == "running"


def test_every_fact_of_today_has_a_row_in_the_table() -> None:
    assert sequence.CHECKS.keys() == {*TABLE_EVENTS, *TURNS}


def test_a_kind_of_fact_that_nobody_knows_here_passes() -> None:
    """Others may come: who adds one adds a row, and until then nobody is accused."""
    kept = dict(sequence.CHECKS)
    try:
        sequence.CHECKS.clear()
        assert problems(with_facts([Resumed(*BECAUSE)])) == []
    finally:
        sequence.CHECKS.update(kept)


def test_a_proposal_stands_while_other_things_are_done_to_the_table() -> None:
    """As at the table itself: only a no, a withdrawal, other carers or the next order end it."""
    match = note(opening(), ActProposed("owner", "extend", "rain", hours=5))
    for fact in (Extended("site", "rain", 5), SeatReplaced("operator", "gone", 1)):
        match = note(match, fact)
    agreed = note(match, ProposalAnswered(0, agrees=True))
    assert record.verify(record.read(record.export(agreed))).sound
    ended = note(match, OwnerChanged("owner", "leaving"))
    invented = note(ended, ProposalAnswered(0, agrees=True))
    assert not record.verify(record.read(record.export(invented))).sound
