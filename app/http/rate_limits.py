"""Rate limits: by the account that a cookie or a token was found to be good for, else by address.

What a request merely claims counts for nothing: no spelling of a header gives anybody a fresh budget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_limiter import ApplicationLimit, Limiter

from app.http.auth import current_visit
from app.outbox.mail_count import begin_count, load_mailed
from app.platform.networks import counted_address
from app.platform.redis_addresses import limits_address, limits_options
from app.platform.services import Services
from app.platform.tables import Player

# Generous: a person never meets them, a program in a loop does.
EVERYTHING = "1200 per minute"
SIGN_IN = "30 per hour; 10 per minute"
GUESTS = "30 per hour"
WRITING = "120 per minute"
IMPORTS = "20 per hour"
COMPARISONS = "60 per hour"
HINTS = "20 per minute"  # a bot thinks hard
REVIEWS = "20 per hour"  # a bot thinks for half a minute
TALK = "30 per minute; 300 per hour"


# Requests that write to others, all of them together: nobody shall be able to fill another's mailbox.
MAILING = "30 per minute; 120 per hour"


# An order asks who is next, and who was asked must answer before they are asked again.
PLAYING = "1200 per minute"
PLAYED_BY = ("match.commit", "api.submit_orders")
ACTS = ("POST", "PUT", "PATCH", "DELETE")
REPORTS = "20 per hour"


def peer_address() -> str:
    """Where the request comes from, as the network says."""
    return counted_address(request.remote_addr or "")


def payer() -> str:
    """Whose request it is, or where it comes from if nobody's."""
    here = current_visit()
    return counted_name(here.player if here else None)


def counted_name(player: Player | None) -> str:
    """The name under which somebody is counted; guests, whom anybody can make, share that of their address."""
    return peer_address() if player is None or player.guest else f"player {player.id}"


ASKERS: dict[str, Callable[[], str]] = {}  # who asks, by blueprint, where no cookie tells it


def asker() -> str:
    """Whose request it is, on pages and in the API."""
    return ASKERS.get(request.blueprint or "", payer)()


def wrote_to_others(_response: Response) -> bool:
    """Whether the request put mails into the outbox for anybody but who asks."""
    me = asker()
    return any(player is None or f"player {player}" != me for player, _ in load_mailed())


mailing = ApplicationLimit(
    limit_provider=MAILING,
    key_function=asker,
    scope="mails",
    methods=ACTS,
    deduct_when=wrote_to_others,
    exempt_when=lambda: request.endpoint in PLAYED_BY,
)
limiter = Limiter(
    peer_address, default_limits=[EVERYTHING], application_limits=[mailing], headers_enabled=False
)


def storage_options(redis: str | None) -> dict[str, Any]:
    """A Redis that does not answer costs one request half a second, and is left alone for a while."""
    if redis is None:
        return {}
    from redis.backoff import NoBackoff  # noqa: PLC0415 - the driver, where there is a Redis
    from redis.retry import Retry  # noqa: PLC0415 - the same

    patience = {"socket_connect_timeout": 0.25, "socket_timeout": 0.25}
    return {**patience, "retry": Retry(NoBackoff(), 0), **limits_options(redis)}


def set_up_limits(app: Flask, services: Services) -> None:
    """Counts in Redis where there is one, so that many processes count together."""
    app.config.setdefault("RATELIMIT_ENABLED", services.settings.limits)
    redis = services.settings.redis_url
    app.config.update(
        RATELIMIT_STORAGE_URI=limits_address(redis),
        RATELIMIT_STORAGE_OPTIONS=storage_options(redis),
        RATELIMIT_STRATEGY="fixed-window",
        # Without Redis each process counts for itself: nobody is refused because it vanished.
        RATELIMIT_IN_MEMORY_FALLBACK_ENABLED=redis is not None,
    )
    app.before_request(begin_count)
    limiter.init_app(app)
