"""Per-request count of enqueued mails, for the rate limit on mails.

A limit on each route that mails would be forgotten on the next one; what reaches the outbox cannot be overlooked.
"""

from __future__ import annotations

from contextvars import ContextVar

Recipient = tuple[int | None, str | None]  # a player, or an address


# None: nobody counts, as in a worker.
_MAILED: ContextVar[list[Recipient] | None] = ContextVar("mailed", default=None)


def begin_count() -> None:
    """From here on the mails of one request are noted."""
    _MAILED.set([])


def count_mail(player_id: int | None, email: str | None) -> None:
    """Notes that a mail was put into the outbox, or is to be sent once more."""
    noted = _MAILED.get()
    if noted is not None:
        noted.append((player_id, email))


def load_mailed() -> list[Recipient]:
    """To whom the request has written so far."""
    return _MAILED.get() or []
