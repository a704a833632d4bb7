"""One mail for an operator who tries the settings: every step to the mail server, in the server's own words."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from email.utils import format_datetime, make_msgid

from app.mail.compose import host_of, sender
from app.mail.connections import CAUSES, cause_of
from app.mail.dkim_signing import sign_mail
from app.mail.mime import build_message
from app.mail.transports import connected
from app.platform.settings import Settings
from app.platform.tables import utc_now

FIRST_NO = 400
TEXT = "This is a test of the mail settings of Chasqui. If you can read it, they work.\n"


class NotTaken(Exception):
    """The mail did not leave; the sentence says where it stopped and what that means."""


def send_test_mail(settings: Settings, address: str) -> Iterator[str]:
    """Sends one mail, and tells each step; `NotTaken` where one fails."""
    where = f"{settings.smtp_host}:{settings.smtp_port} ({settings.smtp_security})"
    try:
        server = connected(settings)
    except (smtplib.SMTPException, OSError) as fault:
        raise NotTaken(f"{where}: {said_by(fault)}\n{CAUSES[cause_of(fault)]}") from fault
    with server:
        yield f"Connected to {where}" + (
            f" as {settings.smtp_user}." if settings.smtp_user else "."
        )
        server.ehlo_or_helo_if_needed()
        origin = settings.envelope_from or sender(settings)
        yield step("MAIL FROM", server.mail(origin))
        yield step("RCPT TO", server.rcpt(address))
        yield step("DATA", server.data(sign_mail(settings, written(settings, address))))
    yield f"The server has taken it; whether it arrives shows at {address}."


def written(settings: Settings, address: str) -> bytes:
    above = {
        "From": f"Chasqui <{sender(settings)}>",
        "To": address,
        "Subject": "A test of Chasqui",
        "Date": format_datetime(utc_now()),
        "Message-ID": make_msgid(domain=host_of(settings)),
        "Auto-Submitted": "auto-generated",
    }
    return build_message(above, TEXT, f"<p>{TEXT}</p>", None)


def step(name: str, answer: tuple[int, bytes]) -> str:
    """What the server said to one step."""
    code, said = answer
    told = f"{name}: {code} {said.decode('utf-8', 'replace')}"
    if code >= FIRST_NO:
        raise NotTaken(told)
    return told


def said_by(fault: BaseException) -> str:
    """The server's words where it spoke, else the system's; neither holds a password."""
    if isinstance(fault, smtplib.SMTPResponseException):
        error = fault.smtp_error
        words = error.decode("utf-8", "replace") if isinstance(error, bytes) else str(error)
        return f"{fault.smtp_code} {words}"
    return str(fault)
