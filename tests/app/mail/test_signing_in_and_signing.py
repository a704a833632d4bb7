"""Mails signed by DKIM where the mail server does not, and accounts that take tokens instead of passwords."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pydantic import SecretStr

from app.mail import oauth
from app.mail.dkim_signing import sign_mail
from app.mail.mime import build_message
from app.mail.transports import sign_in
from app.platform.settings import Settings

HEADERS = {
    "From": "Chasqui <play@chasqui.example>",
    "To": "ana@example.org",
    "Subject": "A table · Cuzco",
    "Message-ID": "<1.2@chasqui.example>",
}


def made_key() -> tuple[str, str]:
    """A private key, and its public half as the DNS tells it."""
    key = rsa.generate_private_key(65537, 2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private.decode(), f"v=DKIM1; k=rsa; p={b64encode(public).decode()}"


def test_a_mail_is_signed_and_what_is_changed_on_the_way_shows(settings: Settings) -> None:
    private, public = made_key()
    signing = {
        "dkim_key": SecretStr(private),
        "dkim_selector": "x1",
        "mail_from": "play@chasqui.example",
    }
    source = build_message(HEADERS, "ñandú\n", "<p>ñandú</p>", None)
    signed = sign_mail(settings.model_copy(update=signing), source)
    asked: list[bytes] = []

    def dns(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return public.encode()

    assert signed.endswith(source)
    assert dkim.verify(signed, dnsfunc=dns)
    assert asked == [b"x1._domainkey.chasqui.example."]
    assert not dkim.verify(signed.replace(b"=C3=B1and", b"=C3=B1ant"), dnsfunc=dns)
    assert sign_mail(settings, source) == source


class Server:
    """What `sign_in` asks of a mail server."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def ehlo_or_helo_if_needed(self) -> None: ...

    def auth(self, mechanism: str, answer: Any) -> None:
        self.told.append((mechanism, answer(), answer(b"more?")))


def test_gmail_and_outlook_are_signed_in_to_by_a_token_that_is_asked_for_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def token(_: Settings, refresh: str) -> tuple[str, float]:
        asked.append(refresh)
        return "fresh", 3600.0

    monkeypatch.setattr(oauth, "ask_for_token", token)
    mine = settings.model_copy(
        update={
            "smtp_user": "me@gmail.example",
            "oauth_token_url": "https://token.example",
            "oauth_client_id": "us",
            "oauth_refresh_token": SecretStr("refresh me"),
        }
    )
    server = Server()
    for _ in range(2):
        sign_in(server, mine)  # type: ignore[arg-type]  # as much of one as is asked
    assert server.told == [("XOAUTH2", "user=me@gmail.example\1auth=Bearer fresh\1\1", "")] * 2
    assert asked == ["refresh me"]
