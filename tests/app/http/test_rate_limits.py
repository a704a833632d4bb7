"""How often somebody may ask: counted by account or by address, and by nothing that a request merely claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app import create_app
from app.api.operation import SELDOM
from app.eventstore.store import MATCH_CACHE, load_match
from app.http.page_fingerprint import PAGES
from app.http.proxies import TrustedProxies
from app.matches.drafts import preview_draft
from app.people.api_tokens import make_api_token
from app.platform.networks import counted_address, read_networks
from app.platform.settings import Settings
from app.views import legal_orders, match_json
from app.views.legal_orders import FOUND, GATHERED, gather_groups, list_choices
from app.web import composing
from tests.app.browser import Visitor, services_of
from tests.app.seated import add, played, two
from tests.app.service import NOON, Service

MOST = int(SELDOM.split()[0])


@pytest.fixture
def service(sqlite_folder: Path, tmp_path: Path) -> Iterator[Service]:
    """Ana and Bea by the API, with limits."""
    with Service.on_sqlite(sqlite_folder, tmp_path, "ana", "bea") as made:
        settings = Settings(data_dir=made.folder, database_url=str(made.database.url))
        made.app = create_app(settings, made.database)
        services_of(made.app).now = lambda: NOON
        yield made


def pause(service: Service, token: str, address: str = "192.0.2.1", **headers: str) -> int:
    """What an operation that few may ask for says; the match does not exist."""
    response = service.app.test_client().post(
        "/api/v1/matches/nomatch222/pause",
        json={"reason": "-"},
        headers={"Authorization": token, **headers},
        environ_overrides={"REMOTE_ADDR": address},
    )
    return response.status_code


def test_every_token_and_every_spelling_of_it_counts_for_its_owner(service: Service) -> None:
    with service.database.session() as session:
        second = make_api_token(session, service.ids["ana"], "second", NOON)
    spellings = [
        f"{scheme}{' ' * spaces}{token}"
        for token in (service.tokens["ana"], second)
        for scheme in ("Bearer", "bearer", "BEARER", "bEaReR")
        for spaces in (1, 2, 3, 4)
    ]
    found = [pause(service, spelling, f"192.0.2.{n}") for n, spelling in enumerate(spellings, 1)]
    assert found == [404] * MOST + [429] * (len(spellings) - MOST)
    assert pause(service, f"Bearer {service.tokens['bea']}") == 404


def test_a_token_that_opens_nothing_gives_no_budget_of_its_own(service: Service) -> None:
    made_up = [f"Bearer chq_{number}" for number in range(MOST)] + ["Basic eA==", "x", "Bearer "]
    found = [pause(service, token) for token in made_up]
    assert found == [401] * MOST + [429] * 3
    assert pause(service, f"Bearer {service.tokens['ana']}") == 404  # the good one has its own
    assert pause(service, "Bearer chq_1", "198.51.100.7") == 401


def test_whoever_has_one_address_of_ipv6_has_no_more_budgets_than_one(service: Service) -> None:
    found = [pause(service, "x", f"2001:db8:0:1::{number:x}") for number in range(MOST + 1)]
    assert found == [401] * MOST + [429]
    assert pause(service, "x", "2001:db8:0:2::1") == 401


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::", "2001:db8::/64"),
        ("", "nowhere"),
    ],
)
def test_an_address_is_counted_as_the_one_who_has_it(address: str, name: str) -> None:
    assert counted_address(address) == name


# Proxies


def test_without_proxies_nobody_can_claim_to_come_from_elsewhere(service: Service) -> None:
    claims = ("X-Forwarded-For", "X-Real-Ip", "Forwarded")
    found = [
        pause(service, "x", **{name: f"for=198.51.100.{n}" if name == "Forwarded" else f"198.51.100.{n}"})
        for name in claims
        for n in range(1, MOST // len(claims) + 2)
    ]  # fmt: skip
    assert found == [401] * MOST + [429] * (len(found) - MOST)


@dataclass
class Echo:
    """Says what reaches the service of a request."""

    seen: dict[str, Any]

    def __call__(self, environ: dict[str, Any], start: Any) -> list[bytes]:
        self.seen = environ
        start("200 OK", [])
        return [b""]


def through(proxies: str, peer: str, **claims: str) -> dict[str, Any]:
    echo = Echo({})
    wrapped = TrustedProxies(echo, read_networks(filter(None, proxies.split(","))))
    headers = {f"HTTP_X_FORWARDED_{name.upper()}": value for name, value in claims.items()}
    wrapped({"REMOTE_ADDR": peer, "wsgi.url_scheme": "http", **headers}, lambda *_: None)
    return echo.seen


@pytest.mark.parametrize(
    ("proxies", "peer", "claim", "caller"),
    [
        ("", "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("127.0.0.1", "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1,10.0.0.0/8", "10.1.1.1", "6.6.6.6, 203.0.113.9, 10.2.2.2", "203.0.113.9"),
        ("127.0.0.1", "127.0.0.1", "203.0.113.9, nonsense", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1", "", "127.0.0.1"),
        ("::1", "::1", "2001:db8::5", "2001:db8::5"),
        ("127.0.0.1", "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
    ],
)
def test_proxies_are_believed_only_where_the_settings_say_so(
    proxies: str, peer: str, claim: str, caller: str
) -> None:
    seen = through(proxies, peer, **{"for": claim, "proto": "https", "host": "evil.example"})
    assert seen["REMOTE_ADDR"] == caller
    trusted = peer.removeprefix("::ffff:") in ("127.0.0.1", "::1", "10.1.1.1") and proxies != ""
    assert seen["wsgi.url_scheme"] == ("https" if trusted else "http")
    assert not any(name.startswith("HTTP_X_FORWARDED") for name in seen)


def test_a_scheme_that_is_none_is_not_taken(client: Visitor) -> None:
    seen = through("127.0.0.1", "127.0.0.1", proto="javascript")
    assert seen["wsgi.url_scheme"] == "http"
    response = client.get("/sign-in", headers={"X-Forwarded-Host": "evil.example"})
    assert "evil.example" not in response.text


# Orders by the thousand


def forget() -> None:
    for kept in (FOUND, GATHERED, MATCH_CACHE, PAGES):
        kept.clear()


@pytest.fixture
def forgetful() -> Iterator[None]:
    """What is listed or played otherwise in a test is known in no other."""
    forget()
    yield
    forget()


def counted(monkeypatch: pytest.MonkeyPatch, match_id: str, service: Service) -> list[int]:
    """Lets every answer list ten orders, and notes each order that is made."""
    for module in (legal_orders, match_json, composing):
        monkeypatch.setattr(module, "MOST_LISTED", 10)
    made = list[int]()
    match = load_match(service.database, match_id)
    game = match.game

    def one_by_one(state: Any, seat: int) -> Iterator[Any]:
        for number, action in enumerate(game.legal(state, seat)):
            made.append(number)
            yield action

    def priced(state: Any, seat: int) -> Iterator[Any]:
        for number, found in enumerate(game.priced(state, seat)):
            made.append(number)
            yield found

    MATCH_CACHE.put(replace(match, game=replace(game, legal=one_by_one, priced=priced)))
    return made


@pytest.mark.usefixtures("forgetful")
def test_legal_orders_come_in_pages_and_no_more_are_made_than_are_told(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = service.open_table("ana", "me", "me")
    whole = service.get("ana", f"/matches/{match_id}/legal")
    assert whole["next"] is None
    assert whole["orders"] == sorted(whole["orders"])
    assert len(whole["orders"]) > 100
    made = counted(monkeypatch, match_id, service)
    first = service.get("ana", f"/matches/{match_id}/legal")
    assert (len(first["orders"]), first["next"]) == (10, 10)
    assert max(made) <= 10  # the one beyond tells that there are more
    found, start = list(first["orders"]), first["next"]
    while start is not None:
        page = service.get("ana", f"/matches/{match_id}/legal?from={start}")
        assert page["orders"] == sorted(page["orders"])
        found, start = [*found, *page["orders"]], page["next"]
    assert sorted(found) == whole["orders"]
    assert service.get("ana", f"/matches/{match_id}/legal?from=999999") == {
        "orders": [],
        "next": None,
    }


@pytest.mark.usefixtures("forgetful")
def test_the_page_lists_what_fits_and_says_that_others_can_be_typed(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, ana, _ = two(app, played(0))
    everything = ana.client.get(f"{where}/choices").json
    assert "More orders are possible" not in ana.client.get(where).text
    forget()
    for module in (legal_orders, match_json, composing):
        monkeypatch.setattr(module, "MOST_LISTED", 10)
    assert "More orders are possible" in ana.client.get(where).text
    found, more = list[Any](), f"{where}/choices"
    while more:
        answer = ana.client.get(more)
        assert len(answer.json) <= 10
        found += answer.json
        more = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert sorted(found) == sorted(everything)
    last = everything[-1][0]
    assert add(ana, where, last).status_code == 303  # typed, though it is not listed
    for odd in ("-1", "x", "99999999999999999999"):
        assert ana.client.get(f"{where}/choices?from={odd}").status_code == 200


@pytest.mark.usefixtures("forgetful")
def test_the_orders_that_are_kept_are_weighed_by_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many drafts somebody tries in a position with many orders, memory has its bound."""
    match = played(0)
    (seat,) = match.game.to_act(match.state)
    orders = [order for order, _ in list_choices(preview_draft(match, seat, []), seat)]
    for kept in (FOUND, GATHERED):
        monkeypatch.setattr(kept, "_most", 3 * len(orders))
    for order in orders[:12]:
        gather_groups(preview_draft(match, seat, [order]), seat)
        assert 0 < FOUND.weight <= 3 * len(orders)
        assert 0 < GATHERED.weight <= 3 * len(orders)
    assert len(FOUND.names()) < 12
