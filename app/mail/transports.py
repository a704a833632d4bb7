"""Mail transports: SMTP, or the mailbox of an embedded service."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

import structlog
from sqlmodel import select

from app.mail.compose import make_letter
from app.mail.connections import cause_of, make_tls_context
from app.mail.dkim_signing import sign_mail
from app.mail.mime import Written
from app.mail.oauth import load_access_token
from app.mail.reply_addresses import make_bounce_address
from app.mail.server_words import blames_us, means_too_large, names_recipient
from app.platform import tables
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Outbox

log = structlog.get_logger()
PATIENCE = 30  # seconds
PERMANENT = 500  # the first code that means: never
POLICY = "policy"  # they refuse us


class MailRefused(Exception):
    """The mail server will never take this mail; `why` is its code."""

    def __init__(self, why: object = "") -> None:
        super().__init__(why)
        self.why = str(why)


class Bounced(MailRefused):
    """The server knows the recipient, and says that there is none."""


class TooLarge(MailRefused):
    """A smaller mail might be taken."""


class Unreachable(Exception):
    """It may go better later; `why` is a word or the server's code."""

    def __init__(self, why: object = "") -> None:
        super().__init__(why)
        self.why = str(why)


class Transport(Protocol):
    """A way to send; what it cannot do now it says with `Unreachable`, what never with `MailRefused`."""

    def send(self, row: Outbox, message: Written) -> None: ...
    def close(self) -> None: ...


class Mailbox:
    """Keeps the mails in the database, each once."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def send(self, row: Outbox, message: Written) -> None:
        with self.services.database.session() as session:
            known = select(tables.Letter).where(tables.Letter.outbox_id == row.id)
            if session.exec(known).first() is None:
                session.add(make_letter(row, message, self.services.now()))

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
    """Hands a mail to the server."""
    sender = envelope_sender(settings, row, message)
    server.sendmail(sender, [message.to], sign_mail(settings, message.source))


def envelope_sender(settings: Settings, row: Outbox, message: Written) -> str:
    """Where what cannot be delivered comes back to: an address of its own where answers come in, unless the account may not."""
    if settings.envelope_from is not None:
        return settings.envelope_from
    return make_bounce_address(settings, row) if settings.reply_domain else message.sender


def connected(settings: Settings) -> smtplib.SMTP:
    """A connection as the settings want it; certificates are checked."""
    if settings.smtp_host is None:
        raise ValueError("no mail server is set")
    where, context = (settings.smtp_host, settings.smtp_port), make_tls_context(settings.smtp_ca)
    server: smtplib.SMTP
    if settings.smtp_security == "tls":
        server = smtplib.SMTP_SSL(*where, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(*where, timeout=PATIENCE)
    if settings.smtp_security == "starttls":
        server.starttls(context=context)
    sign_in(server, settings)
    return server


def sign_in(server: smtplib.SMTP, settings: Settings) -> None:
    """By password, or by a token that Gmail and Outlook take instead (XOAUTH2)."""
    if settings.smtp_user and settings.smtp_password:
        server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    elif settings.smtp_user and settings.oauth_refresh_token:
        told = f"user={settings.smtp_user}\1auth=Bearer {load_access_token(settings)}\1\1"
        server.ehlo_or_helo_if_needed()
        server.auth("XOAUTH2", lambda challenge=None: told if challenge is None else "")


@contextmanager
def faults() -> Iterator[None]:
    """What the server says, as one of our words for it; what is wrong with us or on the way may go better later."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as fault:
        code, said = next(iter(fault.recipients.values()))
        raise told(code, said.decode("utf-8", "replace"), Bounced) from fault
    except smtplib.SMTPDataError as fault:
        heard = words(fault)  # some look for the mailbox only when they have the mail
        final = Bounced if names_recipient(heard) else MailRefused
        raise told(fault.smtp_code, heard, final) from fault
    except smtplib.SMTPResponseException as fault:  # before the recipient was named: it is about us
        raise Unreachable(cause_of(fault)) from fault
    except (smtplib.SMTPException, OSError) as fault:
        raise Unreachable(cause_of(fault)) from fault


def told(code: int, said: str, final: type[MailRefused]) -> MailRefused | Unreachable:
    """What follows from an answer: `final` where the server will never take it, and neither our name nor the size is why."""
    if code < PERMANENT:
        return Unreachable(code)
    if means_too_large(code, said):
        return TooLarge(code)
    if blames_us(f"{code} {said}"):
        log.error("mail refused", why="the server refuses us, not the person", code=code, said=said)
        return Unreachable(POLICY)
    return final(code)


def words(fault: smtplib.SMTPResponseException) -> str:
    said = fault.smtp_error
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def make_transport(services: Services) -> Transport:
    """The way that the settings choose."""
    return Smtp(services.settings) if services.settings.smtp_host else Mailbox(services)
