"""Notices beside the mails: browsers that may be woken (Web Push) and webhooks of a player's own."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlmodel import Session, col, delete, select

from app.platform import tables
from app.platform.errors import Misspelt, TooMany
from app.platform.settings import Settings
from engine.core.sentence import say

MOST = 10  # browsers or webhooks of one player
LONGEST_URL = 1000
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
POINT_BYTES, AUTH_BYTES = 65, 16


def enqueue_notices(session: Session, player_id: int, match_id: str, at: datetime) -> None:
    """One notice for every browser and webhook of a player, in the transaction that calls for it."""
    for push in session.exec(
        select(tables.PushSubscription).where(mine(tables.PushSubscription, player_id))
    ):
        session.add(
            tables.Notice(player_id=player_id, match_id=match_id, push_id=push.id, not_before=at)
        )
    for hook in session.exec(select(tables.Webhook).where(mine(tables.Webhook, player_id))):
        session.add(
            tables.Notice(player_id=player_id, match_id=match_id, webhook_id=hook.id, not_before=at)
        )


def mine(model: Any, player_id: int) -> Any:
    return col(model.player_id) == player_id


# Browsers


@cache
def push_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Our key for Web Push (VAPID), which follows from the key of the service."""
    number = int.from_bytes(sha256(f"web-push:{secret}".encode()).digest())
    return ec.derive_private_key(number % (ORDER - 1) + 1, ec.SECP256R1())


def public_push_key(settings: Settings) -> str:
    """What a browser must know to let us wake it."""
    public = push_key(settings.signing_keys()[0]).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def subscribe(
    session: Session,
    player_id: int,
    *,
    endpoint: object,
    p256dh: object,
    auth: object,
    browser: str,
    at: datetime,
) -> None:
    """Keeps a browser to be woken; the same browser again is the same row, whoever is signed in now."""
    address = check_address(endpoint)
    point, salt = check_key(p256dh, POINT_BYTES), check_key(auth, AUTH_BYTES)
    session.exec(
        delete(tables.PushSubscription).where(col(tables.PushSubscription.endpoint) == address)
    )
    check_room(session, tables.PushSubscription, player_id)
    session.add(
        tables.PushSubscription(
            player_id=player_id,
            endpoint=address,
            p256dh=point,
            auth=salt,
            browser=browser,
            created_at=at,
        )
    )


def check_key(value: object, length: int) -> str:
    try:
        raw = urlsafe_b64decode(str(value) + "==") if isinstance(value, str) else b""
    except ValueError:
        raw = b""
    if len(raw) != length:
        raise Misspelt(say("The browser’s key cannot be understood."))
    return str(value)


def list_subscriptions(session: Session, player_id: int) -> list[tables.PushSubscription]:
    query = select(tables.PushSubscription).where(mine(tables.PushSubscription, player_id))
    return list(session.exec(query.order_by(col(tables.PushSubscription.id))))


def unsubscribe(session: Session, player_id: int, number: int) -> None:
    drop(session, tables.PushSubscription, player_id, number)


# Webhooks


def add_webhook(session: Session, player_id: int, url: object, at: datetime) -> None:
    """Keeps an address that is told what waits; where it leads is checked each time before it is told anything."""
    address = check_address(url)
    check_room(session, tables.Webhook, player_id)
    session.add(tables.Webhook(player_id=player_id, url=address, created_at=at))


def list_webhooks(session: Session, player_id: int) -> list[tables.Webhook]:
    query = select(tables.Webhook).where(mine(tables.Webhook, player_id))
    return list(session.exec(query.order_by(col(tables.Webhook.id))))


def remove_webhook(session: Session, player_id: int, number: int) -> None:
    drop(session, tables.Webhook, player_id, number)


def drop(session: Session, model: Any, player_id: int, number: int) -> None:
    session.exec(delete(model).where(col(model.id) == number, mine(model, player_id)))


def check_room(session: Session, model: Any, player_id: int) -> None:
    if len(list(session.exec(select(model.id).where(mine(model, player_id))))) >= MOST:
        raise TooMany


def check_address(value: object) -> str:
    """An https address without a password in it."""
    address = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(address)
        sound = parts.scheme == "https" and parts.hostname and not parts.username
    except ValueError:
        sound = False
    if (
        not sound
        or len(address) > LONGEST_URL
        or not address.isascii()
        or not address.isprintable()
    ):
        raise Misspelt(say("This is no https address."))
    return address
