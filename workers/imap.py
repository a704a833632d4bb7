"""Fetches answers from a mailbox, where no mail server can bring them: every new mail once.

A mail is marked as seen when what came of it is kept; whoever dies before that finds it new again, and it
counts once all the same.
"""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Iterator
from typing import Any

import structlog

from app import inbox, inbox_route
from app.services import Services
from app.settings import Settings

log = structlog.get_logger()

EVERY = 30.0  # seconds
PATIENCE = 30  # seconds for the server to answer
AT_ONCE = 200  # mails of one look; the rest waits for the next


def poll(services: Services) -> int:
    """Takes in what is new, and says how many mails it was; without a mailbox there is nothing to do."""
    settings = services.settings
    if settings.imap_host is None:
        return 0
    with connected(settings) as box:
        box.select(quoted(settings.imap_folder))
        return sum(taken(services, box, number) for number in new_mails(box))


def connected(settings: Settings) -> imaplib.IMAP4:
    """The mailbox, opened; the certificate is checked, and the connection closes by itself."""
    box = imaplib.IMAP4_SSL(
        settings.imap_host or "",
        settings.imap_port,
        ssl_context=ssl.create_default_context(),
        timeout=PATIENCE,
    )
    password = settings.imap_password.get_secret_value() if settings.imap_password else ""
    box.login(settings.imap_user or "", password)
    return box


def quoted(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def new_mails(box: Any) -> Iterator[str]:
    _, found = box.uid("SEARCH", "UNSEEN")
    yield from found[0].decode().split()[:AT_ONCE]


def taken(services: Services, box: Any, number: str) -> bool:
    """Takes in one mail; what cannot be taken now stays new."""
    raw = fetched(box, number)
    if raw is None:
        return False
    outcome = inbox_route.routed(services, raw)
    if outcome == "later":
        return False
    box.uid("STORE", number, "+FLAGS", r"(\Seen)")
    return outcome not in inbox.LOST


def fetched(box: Any, number: str) -> bytes | None:
    """The whole mail, without marking it; of one too large the beginning, which is enough to say so."""
    _, answer = box.uid("FETCH", number, f"(BODY.PEEK[]<0.{inbox.MOST_BYTES + 1}>)")
    bodies = [part[1] for part in answer if isinstance(part, tuple)]
    return bytes(bodies[0]) if bodies else None
