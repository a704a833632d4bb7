"""Answers through a real Exim, by the recipe in `deploy/mail`."""

from __future__ import annotations

import smtplib
from pathlib import Path

from app.platform.services import Services
from tests.app.answering import address, head, letter, table
from tests.app.conftest import app, services, settings
from tests.app.seated import FIRST, played
from tests.exim import exim, last_words
from tests.mail_servers import free_ports
from tests.servers import sqlite_folder
from tests.workers.test_mail_servers import MATCH, until
from workers.inbox import Listener

__all__ = ["app", "services", "settings", "sqlite_folder"]
STRANGER = ("127.0.0.2", 0)  # to Exim 127.0.0.1 is a friend, whose mails it takes unseen


def test_exim_brings_answers_and_refuses_who_is_unknown_at_the_door(
    services: Services, tmp_path: Path
) -> None:
    (door,) = free_ports(1)
    values = {"inbox_port": door, "reply_domain": "play.chasqui.example"}
    services.settings = services.settings.model_copy(update=values)
    ana, _ = table(services, played(0), "ana", "bo")
    to, before = address(services, MATCH, 0, ana), head(services, MATCH)
    listener = Listener(services)
    listener.start()
    folder = tmp_path / "root"
    try:
        with exim(folder, door) as port, smtplib.SMTP("127.0.0.1", port, source_address=STRANGER) as server:  # fmt: skip
            server.ehlo()
            server.mail("ana@example.org")
            code, words = server.rcpt("nobody@play.chasqui.example")
            assert (code, b"Nobody lives there" in words) == (550, True), last_words(folder)
            assert server.rcpt(to)[0] == 250, last_words(folder)
            assert server.data(letter(FIRST, "ana@example.org"))[0] == 250
            until(lambda: head(services, MATCH) > before, lambda: last_words(folder))
    finally:
        listener.stop()
