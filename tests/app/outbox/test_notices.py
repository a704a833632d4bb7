"""Notices to browsers and webhooks: encrypted for the browser alone, retried, and never sent into a network of ours."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import http_ece  # type: ignore[import-untyped]  # it has no types
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask import Flask
from sqlmodel import select

from app.outbox.notices import enqueue_notices
from app.platform import tables
from tests.app.seated import come_in, late_match, my_id, seat
from workers import notices, public_http


class Endpoint:
    """A push service and a webhook on this machine: keeps what it gets, and answers as it is told to."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        self.onward = ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(outer.status)
                if outer.onward:
                    self.send_header("Location", outer.onward)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Says nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/send"
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    found = Endpoint()
    yield found
    found.server.shutdown()
    found.server.server_close()


def coded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def awaited(app: Flask, **rows: Any) -> Any:
    """Ana, whose turn it is, with a browser or a webhook and a notice for it."""
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    seat(ana.services, late_match(), my_id(ana), my_id(bo), title="Old foes", clocks=True)
    kind = tables.PushSubscription if "endpoint" in rows else tables.Webhook
    with ana.services.database.session() as session:
        session.add(kind(player_id=my_id(ana), **rows))
        session.flush()
        enqueue_notices(session, my_id(ana), "latematch2", ana.services.now())
    return ana


def test_a_browser_is_woken_with_what_only_it_can_read(
    app: Flask, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    key, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    ana = awaited(app, endpoint=endpoint.url, p256dh=coded(point), auth=coded(salt))
    assert notices.tell(ana.services) == 1
    ((headers, body),) = endpoint.got
    assert b"Old foes" not in body
    told = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=salt))
    assert told["title"] == "Old foes · Cuzco"
    assert told["body"] == "It is your turn."
    assert told["url"].endswith("/m/latematch2")
    assert headers["authorization"].startswith("vapid ")
    assert notices.tell(ana.services) == 0


def test_a_browser_that_is_gone_is_forgotten(
    app: Flask, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    endpoint.status = 410
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    ana = awaited(app, endpoint=endpoint.url, p256dh=coded(raw), auth=coded(os.urandom(16)))
    notices.tell(ana.services)
    with ana.services.database.look() as session:
        assert session.exec(select(tables.PushSubscription)).all() == []
        assert session.exec(select(tables.Notice)).all() == []


def test_a_webhook_is_told_again_until_it_answers_and_its_owner_sees_why(
    app: Flask, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    endpoint.status = 500
    ana = awaited(app, url=endpoint.url)
    assert notices.tell(ana.services) == 0
    assert "Last error: HTTP 500" in ana.get("/account/notices").text
    endpoint.status, later = 204, ana.services.now() + timedelta(minutes=10)
    ana.services.now = lambda: later
    assert notices.tell(ana.services) == 1
    told = json.loads(endpoint.got[-1][1])
    assert told["content"] == told["text"]
    assert "It is your turn." in told["text"]
    assert "Last error" not in ana.get("/account/notices").text


def test_the_name_of_a_table_calls_nobody_in_a_chat(
    app: Flask, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What wakes a whole room, and a link: another's table is named by a stranger."""
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    ana = awaited(app, url=endpoint.url)
    with ana.services.database.session() as session:
        row = session.get_one(tables.Match, "latematch2")
        row.title = "@everyone <!channel> https://evil.example now"  # a title from before the rule
    assert notices.tell(ana.services) == 1
    told = json.loads(endpoint.got[-1][1])
    assert told["text"].startswith("＠everyone ‹!channel› … now · Cuzco: It is your turn. ")
    assert told["allowed_mentions"] == {"parse": []}


INSIDE = (
    "127.0.0.1",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "0.0.0.0",  # noqa: S104  # refused, not bound
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
)


@pytest.mark.parametrize("address", INSIDE)
def test_nothing_is_told_to_an_address_inside(address: str, endpoint: Endpoint) -> None:
    assert not public_http.is_public(address)
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(notices.Failed, match="private address"):
        notices.post(tables.Webhook(player_id=1, url=f"https://{host}/hook"), MESSAGE)
    assert endpoint.got == []


def test_a_name_that_leads_inside_beside_outside_is_refused(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "look_up", lambda *_: ["93.184.215.14", "127.0.0.1"])
    with pytest.raises(notices.Failed, match="private address"):
        notices.post(tables.Webhook(player_id=1, url=named(endpoint)), MESSAGE)
    assert endpoint.got == []


def test_a_webhook_is_connected_to_the_address_that_was_checked(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: a name that leads outside when it is asked first, and inside ever after."""
    asked, connected = [], []

    def rebinding(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["93.184.215.14"] if len(asked) == 1 else ["127.0.0.1"]

    def unreachable(where: tuple[str, int], *_: Any) -> None:
        connected.append(where[0])
        raise OSError("unreachable")

    monkeypatch.setattr(public_http, "look_up", rebinding)
    monkeypatch.setattr(public_http.socket, "create_connection", unreachable)
    with pytest.raises(notices.Failed, match="ConnectionError"):
        notices.post(tables.Webhook(player_id=1, url=named(endpoint)), MESSAGE)
    assert (asked, connected) == (["hook.example"], ["93.184.215.14"])
    # The second time the name leads inside: nothing is connected to at all.
    with pytest.raises(notices.Failed, match="private address"):
        notices.post(tables.Webhook(player_id=1, url=named(endpoint)), MESSAGE)
    assert connected == ["93.184.215.14"]
    assert endpoint.got == []


def test_the_host_that_was_named_is_the_one_that_is_asked_for(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "look_up", lambda *_: ["127.0.0.1"])
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    notices.post(tables.Webhook(player_id=1, url=named(endpoint)), MESSAGE)
    ((headers, _),) = endpoint.got
    assert headers["host"].startswith("hook.example:")


@pytest.mark.parametrize("kind", ["webhook", "browser"])
def test_no_redirect_is_followed(
    kind: str, app: Flask, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_http, "is_public", lambda _: True)
    endpoint.status, endpoint.onward = 307, endpoint.url
    if kind == "webhook":
        ana = awaited(app, url=endpoint.url)
    else:
        point = ec.generate_private_key(ec.SECP256R1()).public_key()
        raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        ana = awaited(app, endpoint=endpoint.url, p256dh=coded(raw), auth=coded(os.urandom(16)))
    assert notices.tell(ana.services) == 0
    assert len(endpoint.got) == 1


def test_a_proxy_of_the_environment_is_not_asked(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would look the name up by itself."""
    monkeypatch.setenv("HTTP_PROXY", endpoint.url)
    monkeypatch.setattr(public_http, "look_up", lambda *_: ["10.0.0.1"])
    with pytest.raises(notices.Failed, match="private address"):
        notices.post(tables.Webhook(player_id=1, url="http://hook.example/"), MESSAGE)
    assert endpoint.got == []


MESSAGE = {"title": "Old foes", "body": "It is your turn.", "url": "/m/x", "tag": "x"}


def named(endpoint: Endpoint) -> str:
    return endpoint.url.replace("127.0.0.1", "hook.example")


@pytest.mark.parametrize(
    "url", ["http://example.org/", "ftp://x", "https://", "https://u:p@x.org", ""]
)
def test_only_https_is_kept(app: Flask, url: str) -> None:
    ana = come_in(app, "ana@example.org")
    page = ana.post("/account/notices/webhooks", {"url": url})
    assert page.status_code == 400
    assert "no https address" in page.text


def test_a_match_that_is_muted_is_silent(app: Flask, endpoint: Endpoint) -> None:
    ana = awaited(app, url=endpoint.url)
    ana.post("/m/latematch2/mails/mute", {"silent": "yes"})
    assert notices.tell(ana.services) == 0
    assert endpoint.got == []
