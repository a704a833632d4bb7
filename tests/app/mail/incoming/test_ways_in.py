"""The ways in: a mail server that brings mails, a mailbox that is looked into, a pipe; and what comes back."""

from __future__ import annotations

import smtplib
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from app.clocks.clocks import arrange_clocks
from app.mail.compose import compose_mail, message_id, text_of_mail
from app.mail.incoming import receive
from app.mail.incoming.receive import MOST_BYTES, receive_mail
from app.mail.incoming.routing import route_mail
from app.mail.outgoing.template import Unwanted
from app.mail.reply_addresses import (
    make_bounce_address,
    make_reply_address,
    read_bounce_address,
    read_reply_address,
)
from app.operations.heartbeats import ChoreFailed
from app.people.sessions import LOGIN_PURPOSE, request_login, use_login
from app.platform import tables
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Player
from app.platform.tokens import recover_secret
from tests.app.answering import address, head, letter, outbox
from tests.app.seated import FIRST, come_in, my_id, played, seat
from tests.servers import free_port
from workers import imap
from workers.inbox import Listener

MATCH = "playedout2"


@pytest.fixture
def to(services: Services, seated: list[int]) -> str:
    return address(services, MATCH, 0, seated[0])


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
    bounce = make_bounce_address(services.settings, tables.Outbox(id=1, kind="turn"))
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
        broken.setattr(receive, "opened", fail)
        with dialled(door, services) as server, pytest.raises(smtplib.SMTPDataError) as no:
            server.sendmail("ana@example.org", [to], raw)
    assert no.value.smtp_code == 451
    with dialled(door, services) as server:
        server.sendmail("ana@example.org", [to], raw)
    assert outbox(services)[-1].payload["code"] == "played"


# A mailbox


class Box:
    """A mailbox as imap-tools hands it out, with mails by number; `seen` are those that were marked."""

    def __init__(self, *mails: bytes) -> None:
        self.mails = {str(number): raw for number, raw in enumerate(mails, 1)}
        self.seen: set[str] = set()
        self.asked: list[str] = []
        self.client, self.capabilities = self, ("IMAP4REV1",)

    def uids(self, criteria: str) -> list[str]:
        self.asked.append(criteria)
        return [number for number in self.mails if number not in self.seen]

    def uid(self, _command: str, number: str, _parts: str) -> tuple[str, list[Any]]:
        raw = self.mails[number][: MOST_BYTES + 1]
        return "OK", [(b"1 (BODY[]<0> {%d}" % len(raw), raw), b")"]

    def flag(self, number: str, flag: str, value: bool) -> None:
        assert (flag, value) == ("\\Seen", True)
        self.seen.add(number)


def polled(services: Services, box: Box, monkeypatch: pytest.MonkeyPatch) -> int:
    services.settings = services.settings.model_copy(update={"imap_host": "imap.example"})
    monkeypatch.setattr(imap, "WATCH", imap.Watch())
    monkeypatch.setattr(imap, "open_mailbox", lambda _: box)
    return imap.poll(services)


def test_new_mails_are_fetched_once_and_foreign_ones_are_not_touched(
    services: Services, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Box(letter(FIRST, Delivered_To=to), letter("hello", To="play+x@example.org"))
    assert polled(services, box, monkeypatch) == 1
    assert box.seen == {"1"}
    assert 'TO "play+"' in box.asked[0]
    assert imap.poll(services) == 0
    assert polled(services, box, monkeypatch) == 0
    box.seen.clear()  # as if we had died before marking it
    polled(services, box, monkeypatch)
    assert [row.payload["code"] for row in outbox(services)] == ["played"]


def test_what_cannot_be_taken_now_stays_new(
    services: Services, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receive, "MOST_AN_HOUR", 0)
    box = Box(letter(FIRST, To=f"Chasqui <{to}>"))
    assert polled(services, box, monkeypatch) == 0
    assert box.seen == set()


def test_a_mailbox_that_cannot_be_opened_is_tried_again_later(
    services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tries: list[int] = []

    def refuse(_: object) -> None:
        tries.append(1)
        raise ConnectionRefusedError

    services.settings = services.settings.model_copy(update={"imap_host": "imap.example"})
    monkeypatch.setattr(imap, "WATCH", imap.Watch())
    monkeypatch.setattr(imap, "open_mailbox", refuse)
    for _ in range(2):
        with pytest.raises(ChoreFailed, match="connection"):
            imap.poll(services)
    assert len(tries) == 1
    imap.WATCH.rest_until = 0.0
    with pytest.raises(ChoreFailed):
        imap.poll(services)
    assert len(tries) == 2


def test_without_a_mailbox_nothing_is_fetched(services: Services) -> None:
    assert imap.poll(services) == 0


@pytest.mark.parametrize("local", ["me", "first.last-name-of-mine"])
def test_plus_addresses_of_an_ordinary_account_serve_for_answers_and_returns(
    settings: Settings, local: str
) -> None:
    account = {"reply_domain": "gmail.example", "reply_local": local, "bounce_local": local}
    mine = settings.model_copy(update=account)
    to = make_reply_address(mine, "abcdefghjk", 3, 1234, 345)
    back = make_bounce_address(mine, tables.Outbox(id=77, kind="turn"))
    assert to.startswith(f"{local}+")
    assert len(to.partition("@")[0]) <= 64
    assert read_reply_address(mine, to) is not None
    assert read_bounce_address(mine, back) == 77
    assert (
        read_reply_address(settings.model_copy(update={"reply_domain": "gmail.example"}), to)
        is None
    )


def test_a_report_to_the_account_itself_is_known_by_the_mail_in_it(
    services: Services, seated: list[int]
) -> None:
    services.settings = services.settings.model_copy(update={"envelope_from": "me@gmail.example"})
    with services.database.session() as session:
        row = tables.Outbox(kind="turn", match_id=MATCH, pos=3, player_id=seated[1])
        session.add(row)
        session.flush()
        known = message_id(row, "127.0.0.1")
    report = REPORT.format(action="failed", status="5.1.1").replace(
        "From: play@chasqui.example\n", f"From: play@chasqui.example\nMessage-ID: {known}\n"
    )
    raw = f"Return-Path: <>\nTo: me@gmail.example\n{report}".replace("\n", "\r\n").encode()
    assert route_mail(services, raw.replace(known.encode(), b"<1.1@127.0.0.1>")) == "unknown"
    assert route_mail(services, raw) == "bounced"


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
        row = tables.Outbox(kind="turn", match_id=MATCH, pos=3, player_id=bo.id)
        known = session.exec(select(tables.Outbox).where(tables.Outbox.kind == "turn")).first()
        session.add(known or row)
        session.flush()
        to = make_bounce_address(services.settings, known or row)
    raw = (above + REPORT.format(action=action, status=status)).replace("\n", "\r\n").encode()
    return receive_mail(services, to, raw, sender)


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
        message = compose_mail(session, services, told).parsed()
    assert "Our mails to Bo come back" in (text_of_mail(message, "plain") or "")
    receive_mail(
        services, address(services, MATCH, 1, seated[1]), letter("status", "bo@example.org")
    )
    with services.database.look() as session, pytest.raises(Unwanted):
        compose_mail(session, services, told)


@pytest.mark.parametrize(("action", "status"), [("delayed", "4.4.1"), ("relayed", "5.0.0")])  # fmt: skip
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
        row = tables.Outbox(kind="turn", match_id=MATCH, pos=3, player_id=seated[1])
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
        arrange_clocks(session, MATCH, (0,), services.now())
    assert returned(services) == "bounced"
    assert bo.get(where).status_code == 200
    assert deadline(services) is None  # looking is no act
    assert "stands still until Bo acts" in ana.get(where).text
    assert bo.post(f"{where}/note", {"text": "I am here"}).status_code == 303
    assert deadline(services) is not None
    assert "Mails to Bo come back." in ana.get(where).text


def test_a_report_that_is_none_does_nothing(services: Services, seated: list[int]) -> None:
    to = make_bounce_address(services.settings, tables.Outbox(id=1, kind="turn"))
    for raw in (letter(FIRST), letter("x", Content_Type="multipart/report; boundary=x"), b""):
        assert receive_mail(services, to, raw, "") == "ignored"


def test_the_clock_of_who_cannot_be_reached_stands_still(services: Services, app: Any) -> None:
    bo, ana = come_in(app, "bo@example.org"), come_in(app, "ana@example.org")
    where = seat(services, played(0), my_id(bo), my_id(ana))  # Bo begins
    with services.database.session() as session:
        arrange_clocks(session, MATCH, (0,), services.now())
    assert returned(services) == "bounced"
    assert deadline(services) is None
    assert "Mails to Bo come back" in ana.get(where).text
    sign_in(services, "bo@example.org")
    assert bo_of(services).bouncing_at is None
    assert deadline(services) is not None
    assert "Mails to Bo come back" not in ana.get(where).text


def deadline(services: Services) -> datetime | None:
    with services.database.look() as session:
        return session.get_one(tables.Match, MATCH).deadline


def sign_in(services: Services, email: str) -> None:
    """By a mailed link, which proves that mails arrive."""
    at = services.now()
    with services.database.session() as session:
        request_login(session, services.settings, email, next_page=None, language="en", at=at)
        row = session.exec(select(tables.Outbox).where(tables.Outbox.kind == "login")).one()
        nonce, known = row.payload["nonce"], row.payload["hash"]
        token = recover_secret(services.settings, LOGIN_PURPOSE, nonce, known)
        use_login(session, token or "", language="en", at=at)


def test_an_answer_by_mail_proves_that_mails_arrive(services: Services, seated: list[int]) -> None:
    returned(services)
    to = address(services, MATCH, 1, seated[1])
    assert receive_mail(services, to, letter("confirm", "bo@example.org")) == "told"
    assert bo_of(services).bouncing_at is None
