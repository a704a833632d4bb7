"""How often somebody may ask: by the account that a cookie or a token was found to be good for, else by address.

What a request merely claims counts for nothing: no spelling of a header gives anybody a fresh budget.
"""

from __future__ import annotations

from flask import Flask, request
from flask_limiter import Limiter
from redis.backoff import NoBackoff
from redis.retry import Retry

from app import tally  # noqa: F401 - the library learns of it by its import
from app.models import Player
from app.proxies import by_whom
from app.services import Services
from app.who import visit

# Generous: a person never meets them, a program in a loop does.
EVERYTHING = "1200 per minute"
SIGN_IN = "30 per hour; 10 per minute"
GUESTS = "30 per hour"
WRITING = "120 per minute"
IMPORTS = "20 per hour"
COMPARISONS = "60 per hour"
HINTS = "20 per minute"  # a bot thinks hard
TALK = "30 per minute; 300 per hour"
# What writes to others: whoever is at a table with them must not be able to fill their mailbox.
MAILING = "30 per minute; 120 per hour"
REPORTS = "20 per hour"


def address() -> str:
    """Where the request comes from, as the network says."""
    return by_whom(request.remote_addr or "")


def account() -> str:
    """Whose request it is, or where it comes from if nobody's."""
    here = visit()
    return counted(here.player if here else None)


def counted(player: Player | None) -> str:
    """The name under which somebody is counted; guests, whom anybody can make, share that of their address."""
    return address() if player is None or player.guest else f"player {player.id}"


# A Redis that does not answer costs one request half a second, and is left alone for a while.
PATIENCE = {"socket_connect_timeout": 0.25, "socket_timeout": 0.25, "retry": Retry(NoBackoff(), 0)}

limiter = Limiter(address, default_limits=[EVERYTHING], headers_enabled=False)


def limit(app: Flask, services: Services) -> None:
    """Counts in Redis where there is one, so that many processes count together."""
    app.config.setdefault("RATELIMIT_ENABLED", services.settings.limits)
    redis = services.settings.redis_url
    app.config.update(
        RATELIMIT_STORAGE_URI=storage(redis),
        RATELIMIT_STORAGE_OPTIONS=PATIENCE if redis else {},
        RATELIMIT_STRATEGY="fixed-window",
        # Without Redis each process counts for itself: nobody is refused because it vanished.
        RATELIMIT_IN_MEMORY_FALLBACK_ENABLED=redis is not None,
    )
    limiter.init_app(app)


def storage(redis: str | None) -> str:
    """The address of Redis as the library writes it, or this process."""
    return redis.replace("unix://", "redis+unix://", 1) if redis else "tally://"
