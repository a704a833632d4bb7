"""Forged and hostile mails: none is executed, none breaks the reader, none reaches a stranger."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlmodel import select

from app.mail.incoming import receive
from app.mail.incoming.message import Unreadable
from app.mail.incoming.reader_process import READER, Reader
from app.mail.incoming.receive import MOST_BYTES, receive_mail
from app.mail.incoming.routing import route_mail
from app.mail.reply_addresses import make_bounce_address
from app.platform import tables
from app.platform.errors import Busy
from app.platform.services import Services
from app.platform.tables import Outbox, Received
from tests.app.answering import address, answer, head, letter, table
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
        outcome = receive_mail(services, to, raw, sender)
        outcomes[outcome] += 1
        assert outcome not in ("played", "later"), name
    assert {match: head(services, match) for match in before} == before
    check_recipients(services)
    return outcomes


def test_no_hostile_mail_plays_anything_or_breaks_anything(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receive, "MOST_AN_HOUR", 10**9)
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
        assert session.exec(select(tables.Standing)).all() == []


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


# What reading may cost


def nested(depth: int, boundary: str) -> bytes:
    """Parts inside parts; `boundary` is how each says where it ends."""
    parts = [
        f"Content-Type: multipart/mixed; {boundary.format(n=n)}\r\n\r\n--b{n}\r\n"
        for n in range(depth)
    ]
    return "".join(parts).encode() + b"\r\nplace"


COSTLY = {
    "boundaries of RFC 2231": nested(3000, "boundary*0=b{n}"),
    "encoded boundaries": nested(3000, "boundary*0*=utf-8''b{n}"),
    "folded boundaries": nested(3000, "boundary\r\n =b{n}"),
    "mails inside mails": b"Content-Type: message/rfc822\r\n\r\n" * 5000,
    "reports": b"Content-Type: MESSAGE/delivery-status\r\n\r\n" * 5000,
    "thousands of parts": b"Content-Type: multipart/digest; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 30_000,
    "parts between bare returns": b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"\r--x" * 30_000,
    "thousands of headers": b"X: y\r\n" * 40_000,
    "headers without an end": b"X" * 250_000,
    "nothing but lines": b"From: a@b.org\r\n\r\n" + b"\n" * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", COSTLY)
def test_a_mail_that_costs_too_much_is_refused_by_its_bytes_and_never_parsed(
    services: Services, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = table(services, played(0), "ana", "bo")
    asked = list[bytes]()
    monkeypatch.setattr(READER, "_exchanged", asked.append)
    raw = COSTLY[name]
    assert len(raw) <= MOST_BYTES
    assert receive_mail(services, address(services, MATCH, 0, ana), raw) == "dead"
    with services.database.session() as session:
        row = Outbox(kind="turn", player_id=ana)
        session.add(row)
        session.flush()
        back = make_bounce_address(services.settings, row)
    assert receive_mail(services, back, raw, "") == "ignored"
    assert route_mail(services, raw) == "unknown"
    assert asked == []


@pytest.mark.parametrize(
    "head",
    [
        "Subject: " + "=?utf-8?q?=C3=A9?= " * 10_000,
        "From: " + "(" * 50_000 + "ana@example.org" + ")" * 50_000,
        "Content-Type: text/plain; " + "a*0=b; " * 10_000,
        'Content-Type: text/plain; charset="' + "\\" * 50_000,
    ],
)
def test_long_headers_are_read_within_the_limits(services: Services, head: str) -> None:
    ana, _ = table(services, played(0), "ana", "bo")
    raw = letter("status") if head.startswith("From") else letter("status", Subject="")
    outcome = receive_mail(
        services, address(services, MATCH, 0, ana), head.encode() + b"\r\n" + raw
    )
    assert outcome in ("told", "refused", "dead")


CHILD = """
from app.mail.incoming import reader_child as mail_reader
def read(raw):
    while raw == b"endless":
        pass
    if raw == b"greedy":
        return len(bytearray(1 << 40))
    return raw.decode()
mail_reader.CPU_SECONDS, mail_reader.IDLE = 0, {idle}
mail_reader.ways_to_read = lambda: {{"mail": read}}
mail_reader.serve()
"""


@contextmanager
def reader(idle: float = 60.0) -> Iterator[Reader]:
    """A child that reads some mails for ever."""
    made = Reader(sys.executable, "-c", CHILD.format(idle=idle))
    yield made
    made.child.close()


def test_the_system_ends_a_child_that_reads_for_too_long_and_another_reads_the_next_mail() -> None:
    with reader() as made:
        assert made.ask("mail", b"first") == "first"
        before = made.child.process
        with pytest.raises(Unreadable, match="too costly"):
            made.ask("mail", b"endless")
        assert before is not None
        assert before.returncode == -signal.SIGXCPU
        assert made.ask("mail", b"next") == "next"


def test_a_mail_that_wants_all_memory_gets_none() -> None:
    with reader() as made:
        with pytest.raises(Unreadable, match="MemoryError"):
            made.ask("mail", b"greedy")
        assert made.ask("mail", b"next") == "next"


def test_a_child_that_nobody_asks_ends_and_is_made_anew() -> None:
    with reader(idle=0.001) as made:
        for said in ("first", "second", "third"):
            assert made.ask("mail", said.encode()) == said
            assert made.child.process is not None
            assert made.child.process.wait(30) == 0


def test_a_child_that_is_killed_is_not_the_mails_fault() -> None:
    with reader() as made:
        assert made.ask("mail", b"first") == "first"
        assert made.child.process is not None
        made.child.process.kill()
        with pytest.raises(Busy):
            made.ask("mail", b"second")
        assert made.ask("mail", b"second") == "second"
