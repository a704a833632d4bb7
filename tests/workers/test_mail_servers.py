"""Sign-in, a turn, and answers by every way in, through a real Postfix and a real Dovecot; a bounce and restarts."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.utils import parseaddr
from functools import partial
from typing import Any

import pytest
from flask import Flask
from pydantic import SecretStr
from sqlmodel import select

from app.mail.imap_mailbox import mailbox_cause, open_mailbox, our_mails
from app.operations.heartbeats import ChoreFailed
from app.outbox.notifications import notify_seats
from app.platform.services import Services
from app.platform.tables import Outbox, Player
from tests.app.answering import head, outbox, table
from tests.app.browser import Visitor, services_of
from tests.app.conftest import app, services, settings
from tests.app.seated import FIRST, played
from tests.mail_servers import (
    PASSWORD,
    REFRESH,
    SOON,
    MailServers,
    free_ports,
    mail_servers,
    said_in,
)
from tests.servers import sqlite_folder
from workers import imap
from workers.inbox import Listener
from workers.relay import drain

__all__ = ["app", "services", "settings", "sqlite_folder"]
MATCH = "playedout2"
FOREIGN = 2000  # mails in the mailbox that are none of our business
FOLDER = "Züge & ñandú 対局"


@pytest.fixture
def doors(services: Services) -> Iterator[dict[str, int]]:
    """Our own doors, one that speaks SMTP and one LMTP."""
    ports = dict(zip(("smtp", "lmtp"), free_ports(2), strict=True))
    open_doors = []
    for protocol, port in ports.items():
        values = {"inbox_port": port, "inbox_protocol": protocol}
        there = Services(services.settings.model_copy(update=values), services.database)
        there.settings = there.settings.model_copy(update={"reply_domain": f"{protocol}.test"})
        door = Listener(there)
        door.start()
        open_doors.append(door)
    yield ports
    for door in open_doors:
        door.stop()


@pytest.fixture
def servers(services: Services) -> Iterator[MailServers]:
    with mail_servers("people.test", "imap.test") as found:
        yield found


def mailbox_problem(services: Services) -> str | None:
    """A word for why the mailbox cannot be read."""
    try:
        with open_mailbox(services.settings):
            return None
    except Exception as fault:
        return mailbox_cause(fault)


def polled(watch: imap.Watch, services: Services) -> int:
    """What the watcher finds; nothing while the mailbox cannot be opened."""
    with suppress(ChoreFailed):
        return watch.poll(services)
    return 0


def through(services: Services, servers: MailServers, domain: str) -> None:
    """From now on mails leave by Postfix, with STARTTLS, and are answered to this domain."""
    services.settings = services.settings.model_copy(
        update={
            "smtp_host": "127.0.0.1",
            "smtp_port": servers.smtp,
            "smtp_ca": servers.authority,
            "mail_from": f"play@{domain}",
            "reply_domain": domain,
            "imap_host": "127.0.0.1",
            "imap_port": servers.imap,
            "imap_user": "play",
            "imap_password": SecretStr(PASSWORD),
            "imap_ca": servers.authority,
        }
    )


def until(true: Callable[[], Any], why: Callable[[], str]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end, why()
        time.sleep(0.05)


def asked(services: Services, number: int, seat: int = 0) -> None:
    """Ana, or another, is asked anew, so that a mail goes out."""
    with services.database.session() as session:
        at = services.now()
        notify_seats(session, MATCH, number, (seat,), "turn", at=at)
    drain(services)


def test_a_sign_in_a_turn_and_answers_by_every_way_in(
    app: Flask, servers: MailServers, doors: dict[str, int], figures: Callable[[str], None]
) -> None:
    """By SMTP, LMTP and a pipe as the recipes say, typed as they stand; by IMAP; and what comes back."""
    services, began = services_of(app), time.monotonic()
    through(services, servers, "smtp.test")
    sign_in(app, services, servers)
    table(services, played(0), "ana", "bo")
    with services.database.session() as session:
        for player in session.exec(select(Player)):
            name = (player.email or "").partition("@")[0]
            player.email = f"{name}@people.test" if player.name else player.email
            session.add(player)
    for number, (way, order) in enumerate((("smtp", FIRST), ("lmtp", "draw pile"), ("pipe", "token"), ("imap", "end"))):  # fmt: skip
        if way != "imap":
            servers.type_recipe(way, f"{way}.test", doors.get(way, 0))
        answered(services, servers, number, way, order, figures)
    by_token(services, servers)
    servers.type_recipe("smtp", "smtp.test", doors["smtp"])
    refused_at_the_door(services, servers, doors)
    comes_back(services, servers)
    restarted(app, services, servers)
    figures(f"Postfix and Dovecot: the whole test took {time.monotonic() - began:.0f} s")


def sign_in(app: Flask, services: Services, servers: MailServers) -> None:
    visitor = Visitor(app)
    visitor.post("/sign-in", {"email": "ana@people.test"})
    assert drain(services) == 1
    link = re.search(r"http://\S+/sign-in/link/\S+", servers.mail("ana", "lets you into").get_body(("plain",)).get_content())  # type: ignore[union-attr]  # fmt: skip
    assert link
    assert visitor.get(link[0].partition("8000")[2]).status_code in (200, 303)


def answered(
    services: Services,
    servers: MailServers,
    number: int,
    way: str,
    order: str,
    figures: Callable[[str], None],
) -> None:
    """One answer by one way in, and the mail that tells what came of it."""
    through(services, servers, f"{way}.test")
    asked(services, 10 + number)
    mail = servers.mail("ana", "Answer above this line", number * 2)
    before, began = head(services, MATCH), time.monotonic()
    if way == "imap":
        servers.put_foreign_mails("play", FOREIGN)
    servers.answer(mail, order)
    watch = imap.Watch()
    looks = {"pipe": partial(take_piped, services, servers), "imap": partial(watch.poll, services)}

    def played_by_now() -> bool:
        looks.get(way, int)()
        return head(services, MATCH) > before and len(outbox(services)) > number

    until(played_by_now, servers.last_words)
    assert servers.count_seen("play") == (way == "imap")  # ours alone
    figures(f"an answer by {way} was played after {time.monotonic() - began:.1f} s")
    watch.close()
    drain(services)
    told = servers.mail("ana", "1 order was played", number)
    assert told["Auto-Submitted"] == "auto-replied"


def by_token(services: Services, servers: MailServers) -> None:
    """Out and in with XOAUTH2, and from a folder that is named in letters beyond ASCII; a bad token is told as such."""
    through(services, servers, "imap.test")
    with open_mailbox(services.settings) as box:
        box.folder.create(FOLDER)
    passwords = services.settings
    oauth = {
        "smtp_user": "play",
        "imap_password": None,
        "imap_folder": FOLDER,
        "oauth_token_url": f"http://127.0.0.1:{servers.tokens}/token",
        "oauth_client_id": "us",
    }
    services.settings = passwords.model_copy(
        update={**oauth, "oauth_refresh_token": SecretStr("another")}
    )
    assert mailbox_problem(services) == "sign-in"
    services.settings = services.settings.model_copy(
        update={"oauth_refresh_token": SecretStr(REFRESH)}
    )
    known = sum("Answer above this line" in said_in(mail) for mail in servers.mails("bo"))
    asked(services, 40, seat=1)
    mail = servers.mail("bo", "Answer above this line", known)
    watch = imap.Watch()
    before = len(outbox(services))
    servers.answer(mail, "status")
    with open_mailbox(passwords) as box:  # somebody's filter puts our mails into a folder

        def moved() -> bool:
            found = [m.uid for m in box.fetch(our_mails(passwords), mark_seen=False) if m.uid]
            return bool(found and box.move(found, FOLDER))

        until(moved, servers.last_words)

    def answered_by_now() -> bool:
        watch.poll(services)
        return len(outbox(services)) > before

    until(answered_by_now, servers.last_words)
    watch.close()
    drain(services)


def refused_at_the_door(services: Services, servers: MailServers, doors: dict[str, int]) -> None:
    """Postfix asks us whether somebody lives there before it takes a mail."""
    through(services, servers, "smtp.test")
    known = sum("Answer above this line" in said_in(mail) for mail in servers.mails("bo"))
    asked(services, 45, seat=1)
    mail = servers.mail("bo", "Answer above this line", known)
    address = parseaddr(str(mail["Reply-To"]))[1]
    servers.type_recipe("door", "smtp.test", doors["smtp"])
    assert servers.refusal_at_the_door("play+nobody@smtp.test") == 550
    assert servers.refusal_at_the_door("somebody@elsewhere.test") == 554
    assert servers.refusal_at_the_door(address) == 250
    servers.open_to_everybody()


def take_piped(services: Services, servers: MailServers) -> None:
    """Runs the recipe's script for what Postfix piped, with the settings of this test."""
    folder = services.settings.data_dir.absolute()
    program = folder / "chasqui"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m app.cli "$@"\n')
    program.chmod(0o755)
    settings = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "CHASQUI_DATA_DIR": str(folder),
        "CHASQUI_REPLY_DOMAIN": "pipe.test",
        "ENV_FILE": "/dev/null",
        "PROGRAM": str(program),
    }
    servers.take_piped(settings)


def comes_back(services: Services, servers: MailServers) -> None:
    """A mail to an address that nobody has: Dovecot refuses it, Postfix says so, and we understand."""
    through(services, servers, "smtp.test")
    with services.database.session() as session:
        bo = session.exec(select(Player).where(Player.name == "Bo")).one()
        bo.email = "gone@people.test"
        session.add(bo)
        session.flush()
        notify_seats(session, MATCH, 50, (1,), "turn", at=services.now())
    drain(services)

    def lost() -> bool:
        with services.database.look() as session:
            return (
                session.exec(select(Player).where(Player.name == "Bo")).one().bouncing_at
                is not None
            )

    until(lost, servers.last_words)


def restarted(app: Flask, services: Services, servers: MailServers) -> None:
    """While a server is away mails wait, the cause is named, and nothing is lost."""
    watch = imap.Watch()
    watch.poll(services)
    assert watch.listening
    servers.postfix("stop")
    servers.stop_dovecot()
    Visitor(app).post("/sign-in", {"email": "ana@people.test"})
    assert drain(services) == 0
    assert [row.why for row in outbox(services, "login") if row.state == "waiting"] == [
        "connection"
    ]
    assert mailbox_problem(services) == "connection"
    until(lambda: polled(watch, services) or not watch.listening, servers.last_words)
    servers.start_dovecot()
    servers.start_postfix()
    assert mailbox_problem(services) is None
    with services.database.session() as session:
        for row in session.exec(select(Outbox).where(Outbox.state == "waiting")):
            row.not_before = services.now()
            session.add(row)
    assert drain(services) >= 1  # the notice that Bo is lost may wait with it
    servers.mail("ana", "lets you into", 1)
    watch.rest_until = 0.0
    watch.poll(services)
    assert watch.listening
    watch.close()
