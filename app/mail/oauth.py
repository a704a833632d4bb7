"""Access tokens for mail accounts that take no passwords (Gmail, Outlook): asked for by a refresh token, kept while they last."""

from __future__ import annotations

import json
import time
from threading import Lock
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from app.mail.connections import NoToken
from app.platform.settings import Settings

PATIENCE = 30  # seconds
EARLY = 60  # seconds before its end a token is not used any more
_TOKENS: dict[str, tuple[str, float]] = {}
_LOCK = Lock()


def load_access_token(settings: Settings) -> str:
    """A token that is good now; one is asked for when the last has run out."""
    refresh = settings.oauth_refresh_token
    if refresh is None or settings.oauth_token_url is None:
        raise NoToken("no refresh token is set")
    with _LOCK:
        token, until = _TOKENS.get(refresh.get_secret_value(), ("", 0.0))
        if time.monotonic() >= until:
            token, lasts = ask_for_token(settings, refresh.get_secret_value())
            _TOKENS[refresh.get_secret_value()] = (token, time.monotonic() + lasts - EARLY)
        return token


def ask_for_token(settings: Settings, refresh: str) -> tuple[str, float]:
    """A new token, and the seconds that it lasts (RFC 6749, 6)."""
    secret = settings.oauth_client_secret
    form = {
        "grant_type": "refresh_token",
        "refresh_token": refresh,
        "client_id": settings.oauth_client_id or "",
        **({"client_secret": secret.get_secret_value()} if secret else {}),
    }
    request = Request(settings.oauth_token_url or "", urlencode(form).encode())  # noqa: S310 - the operator's
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - the operator's
            told = json.load(answer)
    except HTTPError as fault:
        raise NoToken(f"the token service answers {fault.code}") from fault
    return str(told["access_token"]), float(told.get("expires_in", 3600))
