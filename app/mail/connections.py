"""TLS contexts for mail servers, and why a connection to one failed, in a word that an operator can act on."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from pathlib import Path


class NoToken(OSError):
    """The service that hands out access tokens refuses us."""


# What each word of `cause_of` means, for logs, `chasqui health` and `chasqui mail test`.
CAUSES = {
    "certificate": "The server's certificate is not trusted: its name is another, it ran out, or its authority is unknown (CHASQUI_SMTP_CA, CHASQUI_IMAP_CA).",
    "tls": "The connection could not be encrypted: perhaps the port expects starttls instead of tls, or the other way round.",
    "starttls": "The server offers no STARTTLS; the settings say to use it.",
    "host": "The server's name is not known: CHASQUI_SMTP_HOST or CHASQUI_IMAP_HOST.",
    "timeout": "The server did not answer in time.",
    "connection": "Nobody listens there: is the host or the port wrong, or the server down?",
    "sign-in": "The server does not take our user and password.",
    "sender": "The server does not take our sender: CHASQUI_MAIL_FROM, or CHASQUI_ENVELOPE_FROM.",
    "folder": "The mailbox has no such folder: CHASQUI_IMAP_FOLDER.",
    "policy": "The recipient's server refuses us, not the person: look at SPF, DKIM, DMARC, reverse DNS and block lists.",
    "away": "The connection broke, or the server was busy.",
    "fault": "A mail could not be written: our own fault, the log says where.",
}
TYPES: tuple[tuple[type[BaseException], str], ...] = (
    (NoToken, "sign-in"),
    (ssl.SSLCertVerificationError, "certificate"),
    (ssl.SSLError, "tls"),
    (socket.gaierror, "host"),
    (TimeoutError, "timeout"),
    (ConnectionRefusedError, "connection"),
    (smtplib.SMTPNotSupportedError, "starttls"),
    (smtplib.SMTPAuthenticationError, "sign-in"),
    (smtplib.SMTPSenderRefused, "sender"),
    (smtplib.SMTPException, "away"),
    (imaplib.IMAP4.error, "sign-in"),
    (OSError, "away"),
)


def cause_of(fault: BaseException) -> str:
    """A word for what went wrong on the way to a mail server."""
    return next((word for kind, word in TYPES if isinstance(fault, kind)), "away")


def make_tls_context(authority: Path | None) -> ssl.SSLContext:
    """Checks certificates, against an operator's own authority where one is set."""
    return ssl.create_default_context(cafile=authority)
