"""Mails on their way: each at least once, none twice without the same Message-ID, none for ever."""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from time import sleep
from typing import Any

import pytest
import time_machine
from sqlmodel import Session, col, select
from structlog.testing import capture_logs

from app.mail.compose import compose_mail
from app.mail.connections import CAUSES
from app.mail.mime import Written
from app.mail.transports import (
    Bounced,
    Mailbox,
    MailRefused,
    TooLarge,
    Unreachable,
    faults,
    make_transport,
)
from app.matches.tables import create_table
from app.platform import tables
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Outbox
from tests.app.answering import table
from tests.app.browser import Visitor, letters
from tests.app.kept import NOON
from tests.app.post_office import Office, post_office
from tests.app.seated import played
from workers import relay
from workers.chores import Beat, Chore
from workers.metrics import REGISTRY
from workers.relay import drain


class Fake:
    """A way to send that remembers; it fails as often as it is told to."""

    def __init__(self, *faults: Exception) -> None:
        self.faults, self.sent = list(faults), list[EmailMessage]()

    def send(self, row: Outbox, message: Written) -> None:  # noqa: ARG002 - the protocol's
        if self.faults:
            raise self.faults.pop(0)
        self.sent.append(message.parsed())

    def close(self) -> None:
        pass


def rows(services: Services) -> list[Outbox]:
    with services.database.look() as session:
        return list(session.exec(select(Outbox).order_by(col(Outbox.id))))


def asked(client: Visitor, email: str = "ana@example.org") -> Services:
    client.post("/sign-in", {"email": email})
    return client.services


def test_what_waits_is_sent_and_marked(client: Visitor) -> None:
    services, way = asked(client), Fake()
    assert drain(services, way) == 1
    (row,) = rows(services)
    assert (row.state, row.tries, row.payload) == ("sent", 1, {})
    assert row.sent_at
    assert drain(services, way) == 0
    assert len(way.sent) == 1


def test_a_mail_that_fails_is_tried_again_later_and_later(client: Visitor) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        services, way = asked(client), Fake(Unreachable(), Unreachable())
        pauses = []
        for _ in range(2):
            assert drain(services, way) == 0
            pauses.append(rows(services)[0].not_before - services.now())
            assert drain(services, way) == 0  # not yet
            clock.shift(pauses[-1])
        assert pauses == [timedelta(seconds=15), timedelta(seconds=30)]
        assert drain(services, way) == 1
        assert rows(services)[0].state == "sent"


def test_a_mail_is_not_tried_for_ever(client: Visitor) -> None:
    with time_machine.travel(NOON, tick=False):
        services = asked(client)
        with services.database.session() as session:
            row = session.exec(select(Outbox)).one()
            row.tries = relay.MOST_TRIES - 1
            session.add(row)
        drain(services, Fake(Unreachable("timeout")))
        (row,) = rows(services)
        assert (row.state, row.why) == ("dead", "timeout")
        assert row.payload  # it was our fault: it can be sent again


def test_what_became_of_mails_is_counted(client: Visitor) -> None:
    states = ("sent", "dead")

    def counted() -> list[float]:
        found = (REGISTRY.get_sample_value("chasqui_mails_out_total", {"state": s}) for s in states)
        return [value or 0 for value in found]

    before = counted()
    for number in range(3):
        asked(client, f"a{number}@example.org")
    assert drain(client.services, Fake(MailRefused())) == 2
    assert [now - then for now, then in zip(counted(), before, strict=True)] == [2, 1]


def test_what_the_server_will_never_take_is_not_tried_again(client: Visitor) -> None:
    services = asked(client)
    drain(services, Fake(MailRefused()))
    (row,) = rows(services)
    assert (row.state, row.payload) == ("dead", {})


class Killed(BaseException):
    """As if the process had ended here."""


def test_who_dies_after_sending_sends_again_with_the_same_message_id(
    client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        services, way = asked(client), Fake()

        def die(*_: object) -> None:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(relay, "settle", die)
            with pytest.raises(Killed):
                drain(services, way)
        assert rows(services)[0].state == "waiting"
        assert drain(services, way) == 0  # the claim of the dead still holds
        clock.shift(relay.CLAIM)
        assert drain(services, way) == 1
    first, second = way.sent
    assert first["Message-ID"] == second["Message-ID"]
    assert first.get_body(("plain",)).get_content() == second.get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_every_mail_fares_for_itself(client: Visitor) -> None:
    with time_machine.travel(NOON, tick=False):
        services = client.services
        for number in range(3):
            asked(client, f"a{number}@example.org")
        assert drain(services, Fake(Unreachable(), MailRefused())) == 1
        away, refused, sent = rows(services)
    assert (away.state, away.sent_at, away.not_before) == (
        "waiting",
        None,
        NOON + relay.FIRST_PAUSE,
    )
    assert (refused.state, refused.sent_at, refused.payload) == ("dead", None, {})
    assert (sent.state, sent.sent_at, sent.why) == ("sent", NOON, None)
    assert refused.not_before == sent.not_before == NOON + relay.CLAIM
    assert away.payload  # what the mail will say when it is tried again


def test_a_fault_of_ours_keeps_its_own_mail_waiting_and_no_other(
    client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with time_machine.travel(NOON, tick=False):
        services = client.services
        for number in range(3):
            asked(client, f"a{number}@example.org")
        compose, fallen = relay.compose_mail, list[int]()

        def sometimes(session: Session, given: Services, row: Outbox, *draw: Any) -> Any:
            if not fallen:
                fallen.append(row.id or 0)
                raise RuntimeError("while it was composed")
            return compose(session, given, row, *draw)

        monkeypatch.setattr(relay, "compose_mail", sometimes)
        assert drain(services, Fake(RuntimeError("while it was sent"))) == 1
        first, second, sent = rows(services)
        for kept in (first, second):
            assert (kept.state, kept.why, kept.tries) == ("waiting", "fault", 1)
            assert kept.not_before == NOON + relay.FIRST_PAUSE
            assert kept.payload
        assert sent.state == "sent"


def test_what_another_was_quicker_to_take_or_drop_is_not_taken(client: Visitor) -> None:
    for number in range(3):
        asked(client, f"a{number}@example.org")
    services, until = client.services, client.services.now() + relay.CLAIM
    batch = relay.due(services)
    assert [row.id for row in relay.claim(services, batch[:1], until)] == [batch[0].id]
    with services.database.session() as session:
        session.get_one(Outbox, batch[1].id).state = "dropped"
    assert [row.id for row in relay.claim(services, batch, until)] == [batch[2].id]
    assert [row.tries for row in rows(services)] == [1, 0, 1]


def test_no_mail_leaves_before_the_one_ahead_of_it_is_marked(
    client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So whoever dies has at most one mail to send again, also where the disk is slow."""
    services, ahead = client.services, list[list[str]]()
    for number in range(5):
        asked(client, f"a{number}@example.org")
    settle = relay.settle

    def slowly(*given: Any) -> None:
        sleep(0.1)
        settle(*given)

    monkeypatch.setattr(relay, "settle", slowly)

    class Watching(Fake):
        def send(self, row: Outbox, message: Written) -> None:
            ahead.append(
                [other.state for other in rows(services) if (other.id or 0) < (row.id or 0)]
            )
            super().send(row, message)

    assert drain(services, Watching()) == 5
    assert ahead == [["sent"] * number for number in range(5)]
    assert {row.state for row in rows(services)} == {"sent"}


def test_the_mailbox_takes_a_repeat_for_what_it_is(client: Visitor) -> None:
    services = asked(client)
    (row,) = rows(services)
    with services.database.look() as session:
        message = compose_mail(session, services, row)
    assert message
    for _ in range(2):
        Mailbox(services).send(row, message)
    assert len(letters(services, "ana@example.org")) == 1


def test_of_several_relays_one_sends_each_mail(client: Visitor) -> None:
    services = client.services
    for number in range(12):
        asked(client, f"a{number}@example.org")
    ways = [Fake() for _ in range(4)]
    threads = [threading.Thread(target=drain, args=(services, way)) for way in ways]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent = [message["To"] for way in ways for message in way.sent]
    assert sorted(sent) == sorted(f"a{number}@example.org" for number in range(12))


@pytest.mark.parametrize(
    ("late", "first"), [(timedelta(0), 3), (timedelta(seconds=1), 1)], ids=["in time", "late"]
)
def test_who_has_too_little_left_of_a_claim_begins_with_no_mail(
    client: Visitor, late: timedelta, first: int
) -> None:
    """Another relay may take what was claimed when the claim has run out."""
    with time_machine.travel(NOON, tick=False) as clock:
        services = client.services
        for number in range(3):
            asked(client, f"a{number}@example.org")

        class Slow(Fake):
            def send(self, row: Outbox, message: Written) -> None:
                if not self.sent:
                    clock.shift(relay.CLAIM - relay.ENOUGH + late)
                super().send(row, message)

        assert drain(services, Slow()) == first
        clock.shift(relay.ENOUGH)
        assert drain(services, Fake()) == 3 - first


def test_a_link_that_ran_out_while_it_waited_is_dropped(client: Visitor) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        services, way = asked(client), Fake()
        clock.shift(timedelta(minutes=11))
        assert drain(services, way) == 0
    assert rows(services)[0].state == "dropped"
    assert way.sent == []


def test_a_kind_that_nobody_writes_is_dropped(services: Services) -> None:
    with services.database.session() as session:
        session.add(
            Outbox(kind="pigeon", email="ana@example.org", created_at=NOON, not_before=NOON)
        )
    assert drain(services, Fake()) == 0
    assert rows(services)[0].state == "dropped"


def test_the_thread_wakes_when_it_is_nudged_and_survives_a_fault(
    client: Visitor,
) -> None:
    services, done, falls = client.services, threading.Event(), [True]

    def sometimes(given: Services) -> int:
        if falls.pop() if falls else False:
            raise RuntimeError("a bad moment")
        sent = drain(given, Fake())
        if sent:
            done.set()
        return sent

    thread = Beat(Chore("drain", partial(sometimes, services)), every=60)
    services.nudge = thread.nudge
    thread.start()
    asked(client)  # the request nudges
    assert done.wait(10)
    thread.stop()
    assert not thread.is_alive()


# What a mail says


def test_a_mail_is_plain_text_and_html_and_says_that_a_machine_wrote_it(client: Visitor) -> None:
    services, way = asked(client), Fake()
    drain(services, way)
    (message,) = way.sent
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].startswith(f"<{rows(services)[0].id}.")
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert b"\n" not in message.as_bytes().replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Your way in"), ("fr", "entrer"), ("pt-BR", "entra")]
)
def test_a_mail_speaks_the_language_it_was_asked_in(
    client: Visitor, language: str, word: str
) -> None:
    client.client.post(
        "/sign-in",
        data={"csrf_token": client.form_token(), "email": "ana@example.org"},
        headers={"Accept-Language": language},
    )
    (letter,) = letters(client.services, "ana@example.org")
    assert word in letter.subject
    assert f'lang="{language}"' in str(letter.html)


def test_an_invitation_names_host_and_table_as_text(client: Visitor) -> None:
    services = client.services
    title = '<b>"Nacht" & Nebel</b>'
    with services.database.session() as session:
        host = tables.Player(name="<i>Eva</i>", email="eva@example.org")
        session.add(host)
        session.flush()
        create_table(
            session,
            host,
            "cuzco",
            title,
            ["me", {"email": "ana@example.org"}],
            options={},
            pace=None,
            public=False,
            at=NOON,
        )
    (letter,) = letters(services, "ana@example.org")
    assert title in letter.subject
    assert title in letter.text
    assert "/invitation/" in letter.text
    assert "&lt;b&gt;" in str(letter.html)
    assert "<b>" not in str(letter.html)
    assert "<i>" not in str(letter.html)


# By SMTP


def settings_to(office: Office, settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "smtp_host": "127.0.0.1",
            "smtp_port": office.port,
            "smtp_security": "none",
            "mail_from": "play@chasqui.example",
        }
    )


def test_many_mails_go_over_one_connection(client: Visitor) -> None:
    for number in range(5):
        asked(client, f"a{number}@example.org")
    services = client.services
    with post_office() as office:
        services.settings = settings_to(office, services.settings)
        assert drain(services) == 5
        assert office.connections == 1
    assert {str(m["From"]) for m in office.mails} == {"Chasqui <play@chasqui.example>"}


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([451], "waiting"),
        ([250, 452], "waiting"),
        ([550], "dead"),
        ([250, 554], "dead"),
        ([], "sent"),
    ],
)
def test_what_the_server_says_counts(client: Visitor, answers: list[int], state: str) -> None:
    services = asked(client)
    with post_office() as office:
        services.settings = settings_to(office, services.settings)
        office.answers = answers
        drain(services)
    assert rows(services)[0].state == state


def test_a_recipient_that_is_refused_at_once_is_a_bounce(client: Visitor) -> None:
    services = asked(client.sign_in("ana@example.org"))
    with post_office() as office:
        services.settings = settings_to(office, services.settings)
        office.answers = [550]
        drain(services)
    with services.database.look() as session:
        assert session.exec(select(tables.Player)).one().bouncing_at is not None


def test_that_we_were_refused_until_the_end_is_told_the_operator_and_freezes_nobody(
    client: Visitor,
) -> None:
    services = asked(client.sign_in("ana@example.org"))
    with services.database.session() as session:
        session.get_one(Outbox, rows(services)[-1].id).tries = relay.MOST_TRIES - 1
    with capture_logs() as logs:
        drain(services, Fake(Unreachable("policy")))
    last = rows(services)[-1]
    assert (last.state, last.why) == ("dead", "policy")
    assert [said["row"] for said in logs if said["event"] == "mail refused"] == [last.id]
    with services.database.look() as session:
        assert session.exec(select(tables.Player)).one().bouncing_at is None


@pytest.mark.parametrize("said", ["5.7.1 Relay access denied", "5.7.26 SPF", "blocked: spam"])
def test_a_refusal_of_us_waits_and_freezes_nobody(client: Visitor, said: str) -> None:
    services = asked(client.sign_in("ana@example.org"))
    refused = smtplib.SMTPRecipientsRefused({"ana@example.org": (550, said.encode())})
    with pytest.raises(Unreachable) as away, faults():
        raise refused
    assert away.value.why == "policy"
    drain(services, Fake(away.value))
    assert (rows(services)[-1].state, rows(services)[-1].why) == ("waiting", "policy")
    with services.database.look() as session:
        assert session.exec(select(tables.Player)).one().bouncing_at is None


def test_a_mail_that_is_too_large_goes_once_more_without_the_picture(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(services, played(0), "ana", "bo")
    with services.database.session() as session:
        session.add(Outbox(kind="turn", match_id="playedout2", pos=1, player_id=1))
    monkeypatch.setattr(relay, "draw", lambda _: b"\x89PNG" + bytes(1000))
    way = Fake(TooLarge(552))
    assert drain(services, way) == 1
    assert [part.get_content_type() for part in way.sent[0].walk()].count("image/png") == 0


def test_a_mailbox_without_room_for_words_alone_cannot_be_reached(client: Visitor) -> None:
    services = asked(client.sign_in("ana@example.org"))
    drain(services, Fake(TooLarge(552)))
    assert rows(services)[-1].state == "dead"
    with services.database.look() as session:
        assert session.exec(select(tables.Player)).one().bouncing_at is not None


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (b"delivery error: dd This user doesn't have an account", Bounced),
        (b"5.6.0 rejected", MailRefused),
        (b"5.7.1 Message content rejected", Unreachable),
        (b"5.1.0 sender rejected", Unreachable),
    ],
)
def test_what_is_said_after_the_mail_may_still_be_about_the_person(
    said: bytes, kind: type[Exception]
) -> None:
    with pytest.raises(kind) as told, faults():
        raise smtplib.SMTPDataError(554, said)
    assert type(told.value) is kind


CAUSED = [
    (ssl.SSLCertVerificationError("expired"), "certificate"),
    (ssl.SSLError("wrong version number"), "tls"),
    (socket.gaierror(-2, "Name or service not known"), "host"),
    (TimeoutError(), "timeout"),
    (ConnectionRefusedError(), "connection"),
    (smtplib.SMTPNotSupportedError("STARTTLS"), "starttls"),
    (smtplib.SMTPAuthenticationError(535, b"no"), "sign-in"),
    (smtplib.SMTPSenderRefused(553, b"not yours", "play@x"), "sender"),
    (smtplib.SMTPServerDisconnected("bye"), "away"),
]


@pytest.mark.parametrize(("fault", "word"), CAUSED)
def test_the_log_names_the_cause_and_not_the_exception(fault: Exception, word: str) -> None:
    with pytest.raises(Unreachable) as away, faults():
        raise fault
    assert away.value.why == word
    assert word in CAUSES


def test_a_server_that_is_away_is_tried_again(client: Visitor) -> None:
    services = asked(client)
    with post_office() as office:
        services.settings = settings_to(office, services.settings)
    assert drain(services) == 0
    assert rows(services)[0].state == "waiting"


def test_the_settings_choose_the_way(services: Services) -> None:
    assert isinstance(make_transport(services), Mailbox)


class Ending:
    """A way out on which the signal to end arrives with the second mail."""

    def __init__(self, services: Services) -> None:
        self.services, self.sent = services, 0

    def send(self, row: Outbox, message: Written) -> None:  # noqa: ARG002 - the protocol's
        self.sent += 1
        if self.sent == 2:
            self.services.stopping.set()

    def close(self) -> None:
        pass


def test_a_worker_that_shall_end_stops_between_two_mails_and_another_takes_the_rest(
    client: Visitor,
) -> None:
    for number in range(5):
        services = asked(client, f"{number}@example.org")
    way = Ending(services)
    assert drain(services, way) == 2
    left = [row for row in rows(services) if row.state == "waiting"]
    assert len(left) == 3
    assert all(row.not_before <= services.now() for row in left)
    services.stopping.clear()
    assert drain(services) == 3
