"""Validation of settings that look right and would not work: each check reads one group of them and yields a sentence for every fault."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import URL
from sqlalchemy.exc import ArgumentError

from app.platform.database_address import driver_address
from app.platform.networks import read_address, read_networks
from app.platform.redis_addresses import is_sentinel, watched_name, watchers

if TYPE_CHECKING:
    from app.platform.settings import Settings

HOST_NAME = re.compile(r"(?=.{1,253}$)[A-Za-z0-9](-*[A-Za-z0-9])*(\.[A-Za-z0-9](-*[A-Za-z0-9])*)*")
LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
TLS_PORT, STARTTLS_PORT = 465, 587
HOSTS = ("smtp_host", "imap_host", "inbox_host", "status_host")
ONE_LINE = ("smtp_user", "imap_user", "imap_folder")


def is_host(text: str) -> bool:
    """Whether it is a name or a number of a machine, and nothing besides."""
    return read_address(text.strip("[]")) is not None or HOST_NAME.fullmatch(text) is not None


def find_wrong_settings(settings: Settings) -> Iterator[str]:
    """Everything of this module, a sentence each."""
    for check in (
        base_faults,
        host_faults,
        mail_faults,
        library_faults,
        database_faults,
        redis_faults,
        other_faults,
    ):
        yield from check(settings)


def base_faults(settings: Settings) -> Iterator[str]:
    try:
        base = urlsplit(settings.base_url)
        port = base.port
    except ValueError:
        yield "CHASQUI_BASE_URL has a port that is no number from 1 to 65535."
        return
    if port == 0:
        yield "CHASQUI_BASE_URL has a port that is no number from 1 to 65535."
    if base.path or base.username or base.password:
        yield "CHASQUI_BASE_URL must be a host alone, without a path or a password: https://chasqui.example."
    if base.hostname and not is_host(base.hostname):
        yield "CHASQUI_BASE_URL names no host that there can be."


def host_faults(settings: Settings) -> Iterator[str]:
    for name in HOSTS:
        value = getattr(settings, name)
        if value and not is_host(value):
            example = (
                "a host alone; its port has a setting of its own" if ":" in value else "a host"
            )
            yield f"CHASQUI_{name.upper()} must be {example}."
    for name in ONE_LINE:
        value = getattr(settings, name)
        if value and not value.isprintable():
            yield f"CHASQUI_{name.upper()} must be one line of letters."


def mail_faults(settings: Settings) -> Iterator[str]:
    if settings.mail_from and not is_bare_address(settings.mail_from):
        yield "CHASQUI_MAIL_FROM must be an address alone, without a name: play@chasqui.example."
    if settings.reply_domain and not HOST_NAME.fullmatch(settings.reply_domain):
        yield "CHASQUI_REPLY_DOMAIN must be the domain that answers are mailed to, such as chasqui.example."
    if settings.smtp_security == "starttls" and settings.smtp_port == TLS_PORT:
        yield "CHASQUI_SMTP_PORT 465 speaks TLS from the first byte: CHASQUI_SMTP_SECURITY must be tls."
    if settings.smtp_security == "tls" and settings.smtp_port == STARTTLS_PORT:
        yield "CHASQUI_SMTP_PORT 587 begins in plain: CHASQUI_SMTP_SECURITY must be starttls."
    if settings.smtp_user and not settings.smtp_password:
        yield "CHASQUI_SMTP_USER is set without CHASQUI_SMTP_PASSWORD."
    if (settings.smtp_user or settings.smtp_password) and not settings.smtp_host:
        yield "CHASQUI_SMTP_USER or CHASQUI_SMTP_PASSWORD is set without CHASQUI_SMTP_HOST."
    if (settings.imap_user or settings.imap_password) and not settings.imap_host:
        yield "CHASQUI_IMAP_USER or CHASQUI_IMAP_PASSWORD is set without CHASQUI_IMAP_HOST."


def is_bare_address(text: str) -> bool:
    local, _, domain = text.rpartition("@")
    return LOCAL_PART.fullmatch(local) is not None and HOST_NAME.fullmatch(domain) is not None


def library_faults(settings: Settings) -> Iterator[str]:
    """What is asked for beyond `requirements-embedded.txt`, the little that `make run` installs."""
    asked = {
        "psycopg": settings.database_url.startswith("postgres") and "CHASQUI_DATABASE_URL",
        "redis": settings.redis_url and "CHASQUI_REDIS_URL",
        "dkim": settings.dkim_key and "CHASQUI_DKIM_KEY",
    }
    for library, name in asked.items():
        if name and find_spec(library) is None:
            yield f"{name} needs the package {library}, which is not installed here: requirements.txt has it (make run LOCK=requirements.txt)."


def database_faults(settings: Settings) -> Iterator[str]:
    try:
        url = driver_address(settings.database_url)
    except (ArgumentError, ValueError):
        yield "CHASQUI_DATABASE_URL cannot be understood; is its port a number, and is its password percent-encoded?"
        return
    if url.get_backend_name() == "sqlite":
        if not url.database or url.database == ":memory:" or url.host:
            yield "CHASQUI_DATABASE_URL must name a file: sqlite:///file, or sqlite:////path/from/the/root."
    elif url.get_backend_name() == "postgresql":
        yield from postgresql_faults(url)


def postgresql_faults(url: URL) -> Iterator[str]:
    if not url.database:
        yield "CHASQUI_DATABASE_URL names no database: postgresql://role:password@host/name."
    if url.port is not None and not 1 <= url.port <= 65535:
        yield "CHASQUI_DATABASE_URL has a port that is no number from 1 to 65535."
    mode = url.query.get("sslmode", "prefer")
    if mode not in SSL_MODES:
        yield f"CHASQUI_DATABASE_URL has an sslmode that PostgreSQL does not know; it knows {', '.join(SSL_MODES)}."
    if find_spec("psycopg") is None:
        return
    import psycopg  # noqa: PLC0415 - the driver, where it is used

    from app.platform.postgresql import libpq_words  # noqa: PLC0415 - as above

    try:
        libpq_words(url)
    except (psycopg.Error, ValueError, TypeError):
        yield "CHASQUI_DATABASE_URL has an option that PostgreSQL does not know."


def redis_faults(settings: Settings) -> Iterator[str]:
    url = settings.redis_url
    if not url:
        return
    if is_sentinel(url):
        yield from sentinel_faults(url)
        return
    parts = urlsplit(url)
    if parts.scheme == "unix" and not parts.path:
        yield "CHASQUI_REDIS_URL names no socket: unix:///run/redis/redis.sock."
    if parts.scheme in ("redis", "rediss"):
        yield from redis_host_faults(parts)


def redis_host_faults(parts: SplitResult) -> Iterator[str]:
    port: int | None = 0
    with suppress(ValueError):
        port = parts.port
    if port == 0:
        yield "CHASQUI_REDIS_URL has a port that is no number from 1 to 65535."
    if not parts.hostname or not is_redis_host(parts.hostname):
        yield "CHASQUI_REDIS_URL names no host: redis://:password@host:6379/0."
    if parts.path.strip("/") and not parts.path.strip("/").isdigit():
        yield "CHASQUI_REDIS_URL must end in the number of a database: redis://:password@host:6379/0."


def is_redis_host(text: str) -> bool:
    return (
        is_host(text) or re.fullmatch(r"[a-z0-9_.-]+", text) is not None
    )  # compose allows _ in names


def sentinel_faults(url: str) -> Iterator[str]:
    try:
        found = watchers(url)
    except ValueError:
        found = []
    if not found or not all(is_host(host) and 1 <= port <= 65535 for host, port in found):
        yield "CHASQUI_REDIS_URL must name the sentinels: redis+sentinel://:password@one:26379,two:26379/mymaster."
    if not re.fullmatch(r"[\w.-]+", watched_name(url)):
        yield "CHASQUI_REDIS_URL must end in what the sentinels watch: redis+sentinel://one:26379/mymaster."


def other_faults(settings: Settings) -> Iterator[str]:
    with suppress(ValueError):  # that it cannot be read is said elsewhere
        if any(network.prefixlen == 0 for network in read_networks(settings.proxies)):
            yield "CHASQUI_PROXIES must not be everybody: whoever calls could claim another's address."
    if not math.isfinite(settings.bot_delay):
        yield "CHASQUI_BOT_DELAY must be a number of seconds."
    if settings.inbox_port is not None and settings.inbox_port == settings.status_port:
        yield "CHASQUI_INBOX_PORT and CHASQUI_STATUS_PORT must differ."
    secrets = [settings.secret_key, settings.seed_key, settings.signing_key]
    given = [one.get_secret_value() for one in secrets if one]
    if len(set(given)) < len(given):
        yield "CHASQUI_SECRET_KEY, CHASQUI_SEED_KEY and CHASQUI_SIGNING_KEY must differ: each opens something else."
