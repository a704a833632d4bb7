"""The ways in: a mail server that brings mails, a mailbox that is looked into, a pipe; and what comes back."""

from __future__ import annotations

import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from app import clock, inbox, mail, models, replies, signin, tokens
from app.mails.draft import Unwanted
from app.models import Player
from app.services import Services
from tests.app.answering import address, head, letter, outbox, table
from tests.app.seated import FIRST, come_in, my_id, played, seat
from workers import imap
from workers.inbox import Listener

MATCH = "playedout2"


@pytest.fixture
def seated(services: Services) -> list[int]:
    return table(services, played(0), "ana", "bo")


@pytest.fixture
def to(services: Services, seated: list[int]) -> str:
    return address(services, MATCH, 0, seated[0])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=["smtp", "lmtp"])
def door(request: pytest.FixtureRequest, services: Services) -> Iterator[Listener]:
    services.settings = services.settings.model_copy(
        update={"inbox_port": free_port(), "inbox_protocol": request.param}
    )
    listener = Listener(services)
    listener.start()
    yield listener
    listener.stop()


def dialled(door: Listener, services: Services) -> smtplib.SMTP:
    kind = smtplib.LMTP if services.settings.inbox_protocol == "lmtp" else smtplib.SMTP
    return kind("127.0.0.1", door.port or 0, timeout=20)


# A mail server


def test_a_mail_is_taken_when_it_is_played(services: Services, door: Listener, to: str) -> None:
    before, raw = head(services, MATCH), letter(FIRST)
    with dialled(door, services) as server:
        for _ in range(3):  # as often as the server likes
            server.sendmail("ana@example.org", [to], raw)
    after = head(services, MATCH)
    assert after > before
    assert len(outbox(services)) == 1


def test_unknown_addresses_are_refused_without_a_word(
    services: Services, door: Listener, to: str
) -> None:
    for other in (to.replace("play+", "play+a"), "nobody@127.0.0.1", "play@localhost"):
        with dialled(door, services) as server, pytest.raises(smtplib.SMTPRecipientsRefused) as no:
            server.sendmail("ana@example.org", [other], letter(FIRST))
        assert no.value.recipients == {other: (550, b"5.1.1 No such address")}


def test_too_large_a_mail_is_refused(services: Services, door: Listener, to: str) -> None:
    raw = letter("\n".join(["x" * 70] * 4000))
    with dialled(door, services) as server, pytest.raises(smtplib.SMTPException) as no:
        server.sendmail("ana@example.org", [to], raw)
    assert "552" in str(no.value)


def test_each_address_is_brought_by_itself(services: Services, door: Listener, to: str) -> None:
    bounce = replies.bounce_address(services.settings, models.Outbox(id=1, kind="turn"))
    with dialled(door, services) as server:
        refused = server.sendmail("ana@example.org", [to, bounce], letter("status"))
    assert refused[bounce][0] == 452


def test_a_fault_of_ours_is_no_loss(
    services: Services, door: Listener, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = letter(FIRST)

    def fail(*_: Any) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr(inbox, "opened", fail)
        with dialled(door, services) as server, pytest.raises(smtplib.SMTPDataError) as no:
            server.sendmail("ana@example.org", [to], raw)
    assert no.value.smtp_code == 451
    with dialled(door, services) as server:
        server.sendmail("ana@example.org", [to], raw)
    assert outbox(services)[-1].payload["code"] == "played"


# A mailbox


class Box:
    """A mailbox as imaplib hands it out, with mails by number; `seen` are those that were marked."""

    def __init__(self, *mails: bytes) -> None:
        self.mails = dict(enumerate(mails, 1))
        self.seen: set[int] = set()
        self.folder = ""

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def select(self, folder: str) -> None:
        self.folder = folder

    def uid(self, command: str, *told: str) -> tuple[str, list[Any]]:
        match command:
            case "SEARCH":
                new = [str(number) for number in self.mails if number not in self.seen]
                return "OK", [" ".join(new).encode()]
            case "FETCH":
                raw = self.mails[int(told[0])][: inbox.MOST_BYTES + 1]
                return "OK", [(b"1 (BODY[]<0> {%d}" % len(raw), raw), b")"]
        self.seen.add(int(told[0]))
        return "OK", [None]


def polled(services: Services, box: Box, monkeypatch: pytest.MonkeyPatch) -> int:
    services.settings = services.settings.model_copy(update={"imap_host": "imap.example"})
    monkeypatch.setattr(imap, "connected", lambda _: box)
    return imap.poll(services)


def test_new_mails_are_fetched_once(
    services: Services, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Box(letter(FIRST, Delivered_To=to), letter("hello", To="else@example.org"))
    assert polled(services, box, monkeypatch) == 1
    assert box.seen == {1, 2}
    assert polled(services, box, monkeypatch) == 0
    box.seen.clear()  # as if we had died before marking it
    polled(services, box, monkeypatch)
    assert [row.payload["code"] for row in outbox(services)] == ["played"]


def test_what_cannot_be_taken_now_stays_new(
    services: Services, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 0)
    box = Box(letter(FIRST, To=f"Chasqui <{to}>"))
    assert polled(services, box, monkeypatch) == 0
    assert box.seen == set()


def test_without_a_mailbox_nothing_is_fetched(services: Services) -> None:
    assert imap.poll(services) == 0


# A pipe


@pytest.mark.parametrize("told", [True, False])
def test_a_pipe_brings_mails(services: Services, to: str, told: bool) -> None:
    raw = letter(FIRST, **({} if told else {"X_Original_To": to}))
    done = piped(services.settings.data_dir, raw, *(["--to", to] if told else []))
    assert (done.returncode, done.stdout) == (0, b"played\n")
    assert outbox(services)[0].payload["code"] == "played"


def test_a_pipe_says_that_nobody_lives_there(services: Services) -> None:
    done = piped(services.settings.data_dir, letter(FIRST, To="x@example.org"))
    assert (done.returncode, done.stdout) == (67, b"unknown\n")


def piped(folder: Path, raw: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", "mail", "receive", *options],
        input=raw,
        capture_output=True,
        env={"CHASQUI_DATA_DIR": str(folder), "PATH": "/usr/bin"},
        check=False,
    )


# Mails that come back

REPORT = """From: MAILER-DAEMON@example.org
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

I'm sorry.

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; bo@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 No such user

--x
Content-Type: message/rfc822

From: play@chasqui.example

end
--x--
"""


def returned(
    services: Services,
    action: str = "failed",
    status: str = "5.1.1",
    sender: str | None = "",
    above: str = "",
) -> str:
    """What comes of a report about the last mail to Bo."""
    with services.database.session() as session:
        bo = session.exec(select(Player).where(Player.email == "bo@example.org")).one()
        row = models.Outbox(kind="turn", match_id=MATCH, pos=3, player_id=bo.id)
        known = session.exec(select(models.Outbox).where(models.Outbox.kind == "turn")).first()
        session.add(known or row)
        session.flush()
        to = replies.bounce_address(services.settings, known or row)
    raw = (above + REPORT.format(action=action, status=status)).replace("\n", "\r\n").encode()
    return inbox.receive(services, to, raw, sender)


def bo_of(services: Services) -> Player:
    with services.database.look() as session:
        return session.exec(select(Player).where(Player.email == "bo@example.org")).one()


def test_a_mail_that_comes_back_for_good_is_told_to_the_table_once(
    services: Services, seated: list[int]
) -> None:
    assert returned(services) == "bounced"
    assert bo_of(services).bouncing_at is not None
    assert returned(services) == "ignored"
    (told,) = outbox(services, "bounced")
    assert (told.player_id, told.match_id) == (seated[0], MATCH)
    with services.database.look() as session:
        message = mail.compose(session, services, told).parsed()
    assert "Our mails to Bo come back" in (mail.text_of(message, "plain") or "")
    inbox.receive(
        services, address(services, MATCH, 1, seated[1]), letter("status", "bo@example.org")
    )
    with services.database.look() as session, pytest.raises(Unwanted):
        mail.compose(session, services, told)


@pytest.mark.parametrize(("action", "status"), [("delayed", "4.4.1"), ("failed", "4.2.2"), ("relayed", "5.0.0")])  # fmt: skip
def test_a_mail_that_is_only_late_is_not_lost(
    services: Services, seated: list[int], action: str, status: str
) -> None:
    assert returned(services, action, status) == "ignored"
    assert bo_of(services).bouncing_at is None


@pytest.mark.parametrize(
    ("sender", "above", "counts"),
    [
        ("bo@example.org", "", False),
        ("bo@example.org", "Return-Path: <>\n", False),  # the envelope knows better
        ("<>", "", True),
        (None, "", False),
        (None, "Return-Path: <bo@example.org>\nReturn-Path: <>\n", False),
        (None, "Return-Path: <>\n", True),
    ],
)
def test_a_report_counts_only_if_it_has_no_sender(
    services: Services, seated: list[int], sender: str | None, above: str, counts: bool
) -> None:
    outcome = returned(services, sender=sender, above=above)
    assert outcome == ("bounced" if counts else "ignored")
    assert (bo_of(services).bouncing_at is not None) is counts


def test_a_report_about_a_mail_of_long_ago_says_nothing(
    services: Services, seated: list[int]
) -> None:
    sent = services.now()
    with services.database.session() as session:
        row = models.Outbox(kind="turn", match_id=MATCH, pos=3, player_id=seated[1])
        row.sent_at, row.state = sent, "sent"
        session.add(row)
    services.now = lambda: sent + timedelta(days=7, seconds=1)
    assert returned(services) == "ignored"
    services.now = lambda: sent + timedelta(days=7)
    assert returned(services) == "bounced"


def test_an_act_on_a_page_lets_the_clock_run_though_mails_come_back(
    services: Services, app: Any
) -> None:
    bo, ana = come_in(app, "bo@example.org"), come_in(app, "ana@example.org")
    where = seat(services, played(0), my_id(bo), my_id(ana))  # Bo begins
    with services.database.session() as session:
        clock.arrange(session, MATCH, (0,), services.now())
    assert returned(services) == "bounced"
    assert bo.get(where).status_code == 200
    assert deadline(services) is None  # looking is no act
    assert "stands still until Bo acts" in ana.get(where).text
    assert bo.post(f"{where}/note", {"text": "I am here"}).status_code == 303
    assert deadline(services) is not None
    assert "Mails to Bo come back." in ana.get(where).text


def test_a_report_that_is_none_does_nothing(services: Services, seated: list[int]) -> None:
    to = replies.bounce_address(services.settings, models.Outbox(id=1, kind="turn"))
    for raw in (letter(FIRST), letter("x", Content_Type="multipart/report; boundary=x"), b""):
        assert inbox.receive(services, to, raw, "") == "ignored"


def test_the_clock_of_who_cannot_be_reached_stands_still(services: Services, app: Any) -> None:
    bo, ana = come_in(app, "bo@example.org"), come_in(app, "ana@example.org")
    where = seat(services, played(0), my_id(bo), my_id(ana))  # Bo begins
    with services.database.session() as session:
        clock.arrange(session, MATCH, (0,), services.now())
    assert returned(services) == "bounced"
    assert deadline(services) is None
    assert "Mails to Bo come back" in ana.get(where).text
    sign_in(services, "bo@example.org")
    assert bo_of(services).bouncing_at is None
    assert deadline(services) is not None
    assert "Mails to Bo come back" not in ana.get(where).text


def deadline(services: Services) -> datetime | None:
    with services.database.look() as session:
        return session.get_one(models.Match, MATCH).deadline


def sign_in(services: Services, email: str) -> None:
    """By a mailed link, which proves that mails arrive."""
    at = services.now()
    with services.database.session() as session:
        signin.request_login(session, services.settings, email, None, "en", at)
        row = session.exec(select(models.Outbox).where(models.Outbox.kind == "login")).one()
        nonce, known = row.payload["nonce"], row.payload["hash"]
        token = tokens.recover(services.settings, signin.PURPOSE, nonce, known)
        signin.use_login(session, token or "", "en", at)


def test_an_answer_by_mail_proves_that_mails_arrive(services: Services, seated: list[int]) -> None:
    returned(services)
    to = address(services, MATCH, 1, seated[1])
    assert inbox.receive(services, to, letter("confirm", "bo@example.org")) == "told"
    assert bo_of(services).bouncing_at is None
