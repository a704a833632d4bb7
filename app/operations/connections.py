"""`chasqui config check --connect`: tries everything that the settings name, and tells what does not answer as it should."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from app.operations.health import SENTENCES, find_health_problems
from app.platform.database import open_database
from app.platform.redis_addresses import open_redis
from app.platform.settings import LOOPBACK, Settings

PATIENCE = 10.0  # seconds for each
FAULTS = (OSError, smtplib.SMTPException, imaplib.IMAP4.error)


def try_connections(settings: Settings) -> Iterator[tuple[str, str | None]]:
    """What was tried, and a sentence about it if it failed."""
    for name, (wanted, attempt) in ATTEMPTS.items():
        if wanted(settings):
            yield name, fault_of(attempt, settings)


def fault_of(attempt: Callable[[Settings], str | None], settings: Settings) -> str | None:
    try:
        return attempt(settings)
    except FAULTS as fault:
        return told(fault)


def told(fault: Exception) -> str:
    return f"{type(fault).__name__}: {str(fault) or 'no answer'}"


def try_database(settings: Settings) -> str | None:
    database = open_database(settings)
    try:
        words = find_health_problems(database)
    finally:
        database.close()
    return SENTENCES[words[0]] if words else None


def try_redis(settings: Settings) -> str | None:
    from redis.exceptions import RedisError  # noqa: PLC0415 - a small service has no Redis

    try:
        with open_redis(settings.redis_url or "", PATIENCE) as client:
            client.ping()
    except RedisError as fault:
        return told(fault)
    return None


def try_smtp(settings: Settings) -> str | None:
    """Signs in as the relay does, and sends nothing."""
    host, port, context = settings.smtp_host or "", settings.smtp_port, ssl.create_default_context()
    if settings.smtp_security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=PATIENCE)
    with server:
        if settings.smtp_security == "starttls":
            server.starttls(context=context)
        if settings.smtp_user and settings.smtp_password:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        server.noop()
    return None


def try_imap(settings: Settings) -> str | None:
    context = ssl.create_default_context()
    with imaplib.IMAP4_SSL(
        settings.imap_host or "", settings.imap_port, ssl_context=context, timeout=PATIENCE
    ) as box:
        password = settings.imap_password.get_secret_value() if settings.imap_password else ""
        box.login(settings.imap_user or "", password)
        folder = settings.imap_folder.replace("\\", "\\\\").replace('"', '\\"')
        status, _ = box.select(f'"{folder}"', readonly=True)
    return None if status == "OK" else f"There is no folder {settings.imap_folder}."


def try_names(settings: Settings) -> str | None:
    """Whether the world's names lead somewhere: the players' address, and where answers are mailed to."""
    for name in (urlsplit(settings.base_url).hostname or "", settings.reply_host):
        try:
            socket.getaddrinfo(name, None)
        except OSError:
            return f"{name} has no address in the DNS."
    return None


ATTEMPTS: dict[str, tuple[Callable[[Settings], bool], Callable[[Settings], str | None]]] = {
    "database": (lambda _: True, try_database),
    "Redis": (lambda settings: bool(settings.redis_url), try_redis),
    "mail server": (lambda settings: bool(settings.smtp_host), try_smtp),
    "mailbox": (lambda settings: bool(settings.imap_host), try_imap),
    "names": (lambda s: urlsplit(s.base_url).hostname not in LOOPBACK, try_names),
}
