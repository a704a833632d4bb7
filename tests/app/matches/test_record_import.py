"""Records that come from elsewhere: every word in them is looked at before anybody here reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import reduce
from random import Random
from typing import Any, get_type_hints

import pytest

from app.matches import record_import
from app.matches.record_import import check_words, read_record
from app.platform.errors import BadRecord
from engine.core import record
from engine.core.chance import commitment
from engine.core.codec import decode, encode
from engine.core.match import Match, note, play, reseed_as, rewind, start
from engine.core.playout import random_acts
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import find, games
from engine.core.timeline import (
    CORE_EVENTS,
    TABLE_EVENTS,
    ActProposed,
    Paused,
    ProposalAnswered,
    ProposalDone,
    ProposalWithdrawn,
    Reseeded,
    Resumed,
    Returned,
    StoodIn,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)
from tests.app.seated import FIRST

HOSTILE = ("a\u202eb", "a\x00b", "a\x1b[31m", "a\u200bb", "a\u2028b", "x" * 501)
GOOD: dict[str, Any] = {
    "by": "owner",
    "reason": "a slip\nof the finger",
    "bot": "steady",
    "seat": 0,
    "to": 6,
    "hours": 5,
    "winners": (),
    "agrees": True,
    "act": "replace",
    "given": 1,
    "commitment": commitment("a fresh seed"),
}
ASKED = UndoAsked(0, 6, "a slip")
# What must have been before a fact can be one.
BEFORE: dict[type, tuple[Any, ...]] = {
    Resumed: (Paused("owner", "lunch"),),
    Returned: (StoodIn(0, "steady"),),
    UndoAnswered: (ASKED,),
    UndoRefused: (ASKED,),
    UndoWithdrawn: (ASKED,),
    ProposalAnswered: (ActProposed("owner", "replace", "gone", given=1, bot="steady"),),
    ProposalWithdrawn: (ActProposed("owner", "replace", "gone", given=1, bot="steady"),),
    ProposalDone: (ActProposed("owner", "moderator", ""),),
}


def begun(*facts: Any) -> Match:
    return reduce(note, facts, play(start(find("cuzco"), 2, {}, "a seed", "elsewhere"), 0, FIRST))


def brought(match: Match) -> Match:
    return read_record(record.text(record.export(match)).encode())


def noted(match: Match, event: Any) -> Match:
    """The match after a fact; one that brings a seed along has it."""
    return (
        reseed_as(match, event, "a fresh seed")
        if isinstance(event, Reseeded)
        else note(match, event)
    )


def words_of(event: type) -> list[str]:
    """The fields in which somebody could write something."""
    hints = get_type_hints(event)
    return [field.name for field in fields(event) if "str" in str(hints[field.name])]


@pytest.mark.parametrize("event", TABLE_EVENTS, ids=lambda event: event.__name__)
def test_every_word_of_every_fact_about_a_table_is_checked(event: type) -> None:
    values = {field.name: GOOD[field.name] for field in fields(event)}
    made = event(**values if event is not UndoAnswered else {**values, "seat": 1})  # not who asked
    match = begun(*BEFORE.get(event, ()))
    assert brought(noted(match, made)).head == match.head + 1
    for name in words_of(event):
        for word in HOSTILE:
            with pytest.raises((BadRecord, Unknown)) as refused:
                brought(noted(match, replace(made, **{name: word})))
            assert str(refused.value).endswith(".")


@pytest.mark.parametrize("by", ["Ada", "", "OWNER", "owner ", "<b>owner</b>", "www.evil.example"])
def test_only_somebody_with_a_role_did_something_to_a_match(by: str) -> None:
    with pytest.raises(BadRecord):
        brought(rewind(begun(), 6, by, "a slip"))


@pytest.mark.parametrize("by", ["owner", "moderator", "site", "operator", "referee"])
def test_what_was_taken_back_by_one_of_ours_comes_in(by: str) -> None:
    assert brought(rewind(begun(), 6, by, "")).head == begun().head + 1


@pytest.mark.parametrize("name", ["www.evil.example", "a\u202eb", "x" * 101, " "])
def test_the_name_of_the_match_is_one_that_strangers_may_read(name: str) -> None:
    with pytest.raises(BadRecord):
        brought(start(find("cuzco"), 2, {}, "a seed", name))


def test_a_long_order_is_refused() -> None:
    match = begun()
    spelled = match.log[-1]._replace(order=f"place triple {' ' * 500}e14 e16 d15")
    with pytest.raises(NotUnderstood, match=r"The order has \d+ letters; 500 are the most"):
        check_words(replace(match, log=(*match.log[:-1], spelled)))


def test_a_file_that_is_too_large_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    content = record.text(record.export(begun())).encode()
    monkeypatch.setattr(record_import, "MOST_BYTES", len(content) - 1)
    monkeypatch.setattr(record, "parse", None)
    with pytest.raises(BadRecord, match="longer than any match"):
        read_record(content)


# The games' own words


def changed(value: Any, change: Callable[[str], str]) -> Iterator[Any]:
    """The value with one of its words changed, each in its turn."""
    match value:
        case str():
            yield change(value)
        case list():
            for number, part in enumerate(value):
                for other in changed(part, change):
                    yield [*value[:number], other, *value[number + 1 :]]
        case dict():
            for name, part in value.items():
                for other in changed(part, change):
                    yield {**value, name: other}


@pytest.mark.parametrize("key", sorted(games()))
def test_every_word_of_every_event_of_a_game_is_checked(key: str) -> None:
    *_, match = random_acts(start(find(key), find(key).seats[0], {}, "a seed"), Random(3))
    check_words(match)
    kinds = {type(entry.event): entry for entry in match.log}
    tried = 0
    for kind, entry in kinds.items():
        if kind in CORE_EVENTS:
            continue
        for word in (*HOSTILE, "<script>", "a>b"):
            for data in changed(encode(entry.event), lambda _, word=word: word):
                hostile = entry._replace(event=decode(kind, data))
                with pytest.raises(NotUnderstood):
                    check_words(replace(match, log=(*match.log[:-1], hostile)))
                tried += 1
    assert tried > 50 or key == "apacheta"  # its events hold numbers alone


def test_a_number_that_no_database_keeps_is_refused() -> None:
    match = begun()
    large = match.log[-1]._replace(event=replace(match.log[-1].event, cost=2**63))
    with pytest.raises(NotUnderstood, match="a number that is too large"):
        check_words(replace(match, log=(*match.log[:-1], large)))
