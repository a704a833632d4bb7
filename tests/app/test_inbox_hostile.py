"""Forged and hostile mails: none is executed, none breaks the reader, none reaches a stranger."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlmodel import select

from app import inbox, models
from app.models import Outbox, Received
from app.services import Services
from tests.app.answering import address, answer, head, table
from tests.app.hostile_mails import Target, corpus
from tests.app.seated import FIRST, late_match, played, seat

MATCH, OTHER = "playedout2", "latematch2"
ATTEMPTS = 120  # at random, beside those that were thought of


def aimed(services: Services) -> Target:
    """Ana, who is asked at one table and sits at another."""
    ana, bo = table(services, played(0), "ana", "bo")
    seat(services, late_match(OTHER), ana, bo)
    at = head(services, MATCH)
    return Target(
        address(services, MATCH, 0, ana),
        old=tuple(address(services, MATCH, 0, ana, pos) for pos in range(1, at)),
        foreign=(
            address(services, MATCH, 1, bo),
            address(services, MATCH, 0, bo),
            address(services, MATCH, 1, ana),
            address(services, OTHER, 0, ana),
            address(services, OTHER, 1, bo),
            address(services, "nomatch222", 0, ana, 3),
            address(services, MATCH, 9, ana),
            address(services, MATCH, 0, 999),
        ),
    )


def attack(services: Services, target: Target, attempts: int, seed: int = 1) -> Counter[str]:
    """What comes of each of them; nothing may be played."""
    before = {match: head(services, match) for match in (MATCH, OTHER)}
    outcomes: Counter[str] = Counter()
    for name, to, sender, raw in corpus(target, attempts, seed):
        outcome = inbox.receive(services, to, raw, sender)
        outcomes[outcome] += 1
        assert outcome not in ("played", "later"), name
    assert {match: head(services, match) for match in before} == before
    check_recipients(services)
    return outcomes


def test_no_hostile_mail_plays_anything_or_breaks_anything(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 10**9)
    target = aimed(services)
    assert attack(services, target, ATTEMPTS).total() >= 300
    assert answer(services, target.to, FIRST) == "played"  # what was meant still works


def check_recipients(services: Services) -> None:
    """Answers go to players, and no mail that was read is kept."""
    with services.database.look() as session:
        answers = session.exec(select(Outbox).where(Outbox.kind == "answer")).all()
        assert all(row.email is None and row.player_id is not None for row in answers)
        kept = session.exec(select(Received)).all()
        assert all(row.source is None for row in kept if row.state != "dead")
        assert session.exec(select(models.Standing)).all() == []


def test_a_line_of_orders_is_played_whole_or_not_at_all_however_long(services: Services) -> None:
    ana, _ = table(services, played(0), "ana", "bo")
    before = head(services, MATCH)
    for line in (f"{FIRST};{' ' * 1000}; dance", f"{FIRST}; {'a' * 50_000}; dance"):
        assert answer(services, address(services, MATCH, 0, ana), line) == "refused"
    assert head(services, MATCH) == before


def test_the_answer_to_a_flood_of_orders_does_not_repeat_them(services: Services) -> None:
    ana, _ = table(services, played(0), "ana", "bo")
    assert (
        answer(services, address(services, MATCH, 0, ana), ("a;" * 290 + "\n") * 100) == "refused"
    )
    with services.database.look() as session:
        told = session.exec(select(Outbox).where(Outbox.kind == "answer")).one().payload
    assert told["orders"] == []
    assert "at most 100 orders" in told["problem"]
