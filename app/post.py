"""The ways that a mail can go: by SMTP, or into the mailbox of an embedded service."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from sqlmodel import select

from app import mail, models, replies
from app.mails.wire import Written
from app.models import Outbox
from app.services import Services
from app.settings import Settings

PATIENCE = 30  # seconds


class Refused(Exception):
    """The mail server will never take this mail; `why` is its code."""

    def __init__(self, why: object = "") -> None:
        super().__init__(why)
        self.why = str(why)


class Unreachable(Exception):
    """It may go better later; `why` is a word or the server's code."""

    def __init__(self, why: object = "") -> None:
        super().__init__(why)
        self.why = str(why)


class Transport(Protocol):
    """A way to send; what it cannot do now it says with `Unreachable`, what never with `Refused`."""

    def send(self, row: Outbox, message: Written) -> None: ...
    def close(self) -> None: ...


class Mailbox:
    """Keeps the mails in the database, each once."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def send(self, row: Outbox, message: Written) -> None:
        with self.services.database.session() as session:
            known = select(models.Letter).where(models.Letter.outbox_id == row.id)
            if session.exec(known).first() is None:
                session.add(mail.letter(row, message, self.services.now()))

    def close(self) -> None:
        pass


class Smtp:
    """One connection for as many mails as there are, opened when the first is sent."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._server: smtplib.SMTP | None = None

    def send(self, row: Outbox, message: Written) -> None:
        with faults():
            server = self._server = self._server or connected(self.settings)
            try:
                post(server, self.settings, row, message)
            except smtplib.SMTPServerDisconnected:
                self._server = None
                raise

    def close(self) -> None:
        if self._server is not None:
            with suppress(smtplib.SMTPException, OSError):
                self._server.quit()
        self._server = None


def post(server: smtplib.SMTP, settings: Settings, row: Outbox, message: Written) -> None:
    """Hands a mail to the server; where answers come in, what cannot be delivered comes back there too."""
    sender = replies.bounce_address(settings, row) if settings.reply_domain else message.sender
    server.ehlo_or_helo_if_needed()
    whole = server.has_extn("8bitmime")
    source, options = (message.source, ["BODY=8BITMIME"]) if whole else (message.ascii(), [])
    server.sendmail(sender, [message.to], source, options)


def connected(settings: Settings) -> smtplib.SMTP:
    """A connection as the settings want it; certificates are checked."""
    if settings.smtp_host is None:
        raise ValueError("no mail server is set")
    where, context = (settings.smtp_host, settings.smtp_port), ssl.create_default_context()
    server: smtplib.SMTP
    if settings.smtp_security == "tls":
        server = smtplib.SMTP_SSL(*where, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(*where, timeout=PATIENCE)
    if settings.smtp_security == "starttls":
        server.starttls(context=context)
    if settings.smtp_user and settings.smtp_password:
        server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    return server


@contextmanager
def faults() -> Iterator[None]:
    """What the server says, as one of our two words for it."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as fault:
        codes = [code for code, _ in fault.recipients.values()]
        raise (Refused if all(code >= 500 for code in codes) else Unreachable)(codes[0]) from fault
    except smtplib.SMTPAuthenticationError as fault:  # our own settings are wrong, not the mail
        raise Unreachable("sign-in") from fault
    except smtplib.SMTPResponseException as fault:
        code = fault.smtp_code
        raise (Refused if code >= 500 else Unreachable)(code) from fault
    except (smtplib.SMTPException, OSError) as fault:
        raise Unreachable("away") from fault


def transport(services: Services) -> Transport:
    """The way that the settings choose."""
    return Smtp(services.settings) if services.settings.smtp_host else Mailbox(services)
