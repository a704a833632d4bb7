"""What holds for every route: headers, form tokens, pages that change nothing, ways that lead nowhere else."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
import time_machine
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import create_environ, run_wsgi_app

from app import create_app
from app.http.rate_limit_memory import ROOM, Tally
from app.http.security import safe_next
from app.platform.database import Database
from app.platform.paths import STATIC
from app.platform.settings import Settings
from tests.app.browser import Visitor, letters, services_of
from tests.app.kept import NOON

Door = Callable[[str], Visitor]
VALUES = {
    "key": "cuzco",
    "number": 1,
    "to": 1,
    "token": "x" * 43,
    "token_id": 1,
    "player_id": 1,
    "session_id": 1,
    "passkey_id": 1,
    "pos": 1,
    "n": 0,
    "count": 3,
    "language": "en",
    "vacation_id": 1,
}
OFF_LIMITS = {"pages.live"}  # answers without asking anybody anything


def rules(app: Flask, method: str) -> Iterator[Rule]:
    return (rule for rule in app.url_map.iter_rules() if method in (rule.methods or ()))


def path(app: Flask, rule: Rule, **known: object) -> str:
    values = {name: known.get(name, VALUES.get(name, "unknown")) for name in rule.arguments}
    with app.test_request_context():
        return rule.build(values)[1]  # type: ignore[index,no-any-return]  # it builds with all values


def demo(visitor: Visitor) -> str:
    """The id of a match that the visitor plays."""
    return visitor.post("/demo", {"against": "myself"}).headers["Location"].rpartition("/")[2]


def dump(settings: Settings) -> str:
    """Everything in the database, as text."""
    file = sqlite3.connect(settings.data_dir / "chasqui.sqlite3")
    try:
        return "\n".join(file.iterdump())
    finally:
        file.close()


# Headers


def assert_guarded(headers: dict[str, str]) -> None:
    policy = headers["Content-Security-Policy"]
    assert "script-src" not in policy  # so that default-src speaks for it
    assert "unsafe-eval" not in policy
    assert "frame-ancestors 'none'" in policy or "sandbox" in policy
    for part in ("default-src", "base-uri 'none'", "form-action"):
        assert part in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_every_answer_carries_the_headers(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    paths = [path(app, rule, match_id=match) for rule in rules(app, "GET")]
    for where in [*paths, "/nowhere", "/api/v1/nowhere", "/static/chasqui.css", "/static/none.css"]:
        with ana.get(where) as response:
            assert response.status_code < 500, where
            assert_guarded(dict(response.headers))


def test_refusals_carry_the_headers_too(app: Flask, client: Visitor) -> None:
    for rule in rules(app, "POST"):
        response = client.client.post(path(app, rule))
        assert 400 <= response.status_code < 500, rule
        assert_guarded(dict(response.headers))
    assert_guarded(dict(client.client.put("/sign-in").headers))
    assert_guarded(dict(client.get("/", headers={"Host": "evil.example"}).headers))


def test_only_the_mailbox_lets_a_mail_bring_its_own_style(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    for rule in rules(app, "GET"):
        policy = ana.get(path(app, rule)).headers["Content-Security-Policy"]
        assert ("unsafe-inline" in policy) == (rule.endpoint == "mailbox.html")
        assert rule.endpoint != "mailbox.html" or "default-src 'none'" in policy


def test_every_style_in_a_page_is_one_that_the_policy_knows(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    seen = 0
    for rule in rules(app, "GET"):
        response = ana.get(path(app, rule, match_id=match))
        if response.mimetype != "text/html" or rule.endpoint == "mailbox.html":
            continue
        assert "<script>" not in response.text
        assert not re.search(r"<[^>]+\s(style|on\w+)=", response.text), rule
        for style in re.findall(r"<style[^>]*>(.*?)</style>", response.text, re.DOTALL):
            digest = b64encode(sha256(style.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in response.headers["Content-Security-Policy"]
            seen += 1
    assert seen >= 3


STARTED = """
from app import create_app
client = create_app(RATELIMIT_ENABLED=False).test_client()
for path in ("/sign-in", "/static/icon.svg", "/tables", "/sign-in"):
    print(client.get(path).headers["Content-Security-Policy"])
"""


@pytest.mark.usefixtures("app")
def test_a_start_waits_for_no_game_and_whatever_follows_one_may_show_its_board(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(settings.data_dir))
    told = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)  # fmt: skip
    assert ["sha256-" in policy for policy in told.stdout.splitlines()] == [
        False,
        False,
        True,
        True,
    ]


def test_every_answer_says_what_it_is_and_in_which_letters(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    paths = [path(app, rule, match_id=match) for rule in rules(app, "GET")]
    for where in [*paths, "/nowhere", "/api/v1/nowhere"]:
        with ana.get(where) as answer:
            told = answer.headers.get("Content-Type", "")
            assert told or not answer.data, where
            if told.startswith("text/") or told.partition(";")[0].endswith("xml"):
                assert "charset=utf-8" in told.lower(), (where, told)


def test_no_other_origin_may_read_an_answer(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    for rule in rules(app, "GET"):
        where = path(app, rule, match_id=match)
        for method in ("get", "options"):
            asked = getattr(ana.client, method)(where, headers={"Origin": "https://evil.example"})
            with asked as answer:
                assert not [name for name, _ in answer.headers if "access-control" in name.lower()]


def test_nothing_is_traced_and_nothing_is_debugged(app: Flask, client: Visitor) -> None:
    for where in ("/", "/sign-in", "/api/v1/games"):
        assert client.client.open(where, method="TRACE").status_code == 405
    assert not app.debug
    assert not app.testing
    assert not app.jinja_env.auto_reload


def test_no_script_makes_html_or_code_of_words() -> None:
    """What is shown is set as text; nothing is taken from other windows."""
    scripts = list(STATIC.glob("*.js"))
    assert scripts
    dangerous = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|postMessage|\.srcdoc"
    )
    for script in scripts:
        assert not dangerous.search(script.read_text()), script.name


PRIVATE = (
    "account",
    "signin",
    "passkeys",
    "address",
    "site",
)  # the blueprints of people's own affairs


def test_no_cache_keeps_pages_of_accounts_and_ways_in(app: Flask, signed_in: Door) -> None:
    """Nor the back button of a shared browser: refusals and redirects there too."""
    ana, seen = signed_in("ana@example.org"), 0
    for visitor in (ana, Visitor(app)):
        for rule in app.url_map.iter_rules():
            method = "GET" if "GET" in (rule.methods or ()) else "POST"
            if rule.endpoint.partition(".")[0] in PRIVATE:
                response = visitor.client.open(path(app, rule), method=method)
                assert response.headers["Cache-Control"] == "no-store", rule
                seen += 1
    assert seen > 40


def secured(settings: Settings) -> Flask:
    """The service as it runs behind a proxy with https."""
    public = settings.model_copy(update={"base_url": "https://chasqui.example"})
    return create_app(public, Database(public.database_url), RATELIMIT_ENABLED=False)


def test_with_https_cookies_are_secure_and_the_name_is_ours_alone(settings: Settings) -> None:
    app = secured(settings)
    client = app.test_client()
    response = client.get("/sign-in", base_url="https://chasqui.example")
    assert "max-age" in response.headers["Strict-Transport-Security"]
    client.get("/sign-in/link/abc", base_url="https://chasqui.example")
    for name in ("__Host-chasqui-form", "__Host-chasqui-link"):
        kept = client.get_cookie(name, "chasqui.example")
        assert kept
        assert kept.secure
        assert kept.http_only
        assert kept.same_site == "Lax"
        assert kept.path == "/"
    services_of(app).database.close()


def test_with_https_only_our_own_name_is_answered(settings: Settings) -> None:
    app = secured(settings)
    client = app.test_client()
    for base, status in [
        ("https://chasqui.example", 200),
        ("https://localhost", 400),
        ("https://e.vil", 400),
    ]:
        assert client.get("/", base_url=base).status_code == status
    services_of(app).database.close()


def test_a_strangers_name_is_not_ours(client: Visitor) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("path", ["/", "/m/abcdefgh23", "/api/v1/games", "/static/chasqui.css"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8000",
        "localhost@evil.example",
        "evil.example/localhost",
        "localhost,evil.example",
        "localhost evil.example",
        "[::1].evil.example",
        "xn--localhost-",
        "LOCALHOST.",
        "",
        "\u00e9vil.example",
        "a" * 4000,
    ],
)
def test_a_host_that_is_not_ours_gets_nothing_and_is_not_repeated(
    app: Flask, host: str, path: str
) -> None:
    environ = create_environ(path, headers={"X-Forwarded-Host": "evil.example"})
    asked = {**environ, "HTTP_HOST": host}  # by hand: the client itself reads the name
    told, status, headers = run_wsgi_app(app.wsgi_app, asked, buffered=True)
    static = path.startswith("/static/")  # the same bytes for everybody, no address in them
    assert status.startswith("400") or (static and status.startswith("200"))
    assert b"vil.example" not in b"".join(told)
    assert "vil.example" not in str(headers)


def test_our_own_name_is_known_at_every_port(client: Visitor) -> None:
    for host in ("localhost", "localhost:8000", "127.0.0.1:9", "[::1]", "[::1]:8000"):
        assert client.client.get("/", headers={"Host": host}).status_code == 200


def test_a_forwarded_host_names_nobody(client: Visitor) -> None:
    """Links are made from the settings: neither header finds its way into a page, a redirect or a mail."""
    named = {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    for where in ("/", "/account", "/tables", "/m/abcdefgh23"):
        answer = client.client.get(where, headers=named)
        assert "evil.example" not in answer.text + str(answer.headers)
    token = client.form_token()
    form = {"csrf_token": token, "email": "ana@example.org"}
    assert client.client.post("/sign-in", data=form, headers=named).status_code == 303
    (mail,) = letters(client.services, "ana@example.org")
    assert "evil.example" not in mail.source


# Forms


def test_every_form_needs_its_token(app: Flask, settings: Settings, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    before = dump(settings)
    for rule in rules(app, "POST"):
        if rule.rule.startswith("/api/"):
            continue
        where = path(app, rule, match_id=match)
        for data in ({}, {"csrf_token": "forged"}, {"csrf_token": Visitor(app).form_token()}):
            assert ana.client.post(where, data=data).status_code == 403, where
    assert dump(settings) == before


def test_the_api_asks_for_no_cookie_and_takes_none(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    for rule in rules(app, "POST"):
        if rule.rule.startswith("/api/"):
            response = ana.client.post(path(app, rule), json={})
            assert response.status_code in (400, 401, 404), rule
            assert response.json
            assert response.json["error"]["message"]


def test_signing_out_clears_what_the_browser_kept(signed_in: Door) -> None:
    for way in ("/sign-out", "/sign-out/everywhere"):
        gone = signed_in("ana@example.org").post(way)
        assert gone.headers["Clear-Site-Data"] == '"cache", "storage"'


# Pages that are only looked at


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_looking_writes_nothing(
    app: Flask, settings: Settings, signed_in: Door, client: Visitor, method: str
) -> None:
    ana = signed_in("ana@example.org")
    match = demo(ana)
    client.post("/guest")
    before = dump(settings)
    for visitor in (ana, client, Visitor(app)):
        for rule in rules(app, "GET"):
            where = path(app, rule, match_id=match)
            assert getattr(visitor.client, method)(where).status_code < 500, where
    assert dump(settings) == before


# Ways that lead elsewhere


ELSEWHERE = [
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "http:evil.example",
    "evil.example",
    "/ok\r\nSet-Cookie: a=b",
    "",
]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_redirect_leads_elsewhere(client: Visitor, target: str) -> None:
    assert safe_next(target) == "/"
    assert client.post("/language", {"language": "fr", "next": target}).headers["Location"] == "/"
    client.sign_in("ana@example.org", next_page=target)
    assert client.post("/account", account(next=target)).headers["Location"] == "/account"


def account(**more: str) -> dict[str, str]:
    return {"name": "Ana", "language": "en", "timezone": "UTC", **more}


@pytest.mark.parametrize(
    "target", ["/", "/m/abc", "/help/cuzco?x=1#temples", "/%2F%2Fevil.example"]
)
def test_a_place_of_ours_is_kept(target: str) -> None:
    assert safe_next(target) == target


# Sizes and limits


def test_what_is_too_large_is_refused_with_a_sentence(client: Visitor) -> None:
    response = client.post("/sign-in", {"email": "a" * 300_000})
    assert response.status_code == 413
    assert "too large" in response.text


def test_whoever_asks_too_often_is_told_to_wait(settings: Settings) -> None:
    app = create_app(settings, Database(settings.database_url))
    visitor = Visitor(app)
    answers = [visitor.post("/sign-in", {"email": f"a{i}@example.org"}) for i in range(12)]
    assert [a.status_code for a in answers].count(429) == 2
    assert "too often" in answers[-1].text
    assert answers[-1].headers["Retry-After"]
    assert visitor.get("/").status_code == 200
    services_of(app).database.close()


def test_an_operator_may_do_without_limits(settings: Settings) -> None:
    free = settings.model_copy(update={"limits": False})
    app = create_app(free, Database(free.database_url))
    visitor = Visitor(app)
    answers = [visitor.post("/sign-in", {"email": f"a{i}@example.org"}) for i in range(12)]
    assert {a.status_code for a in answers} == {303}
    services_of(app).database.close()


def test_without_its_redis_a_service_counts_by_itself(settings: Settings) -> None:
    gone = settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    app = create_app(gone, Database(gone.database_url))
    visitor = Visitor(app)
    answers = [visitor.post("/sign-in", {"email": f"a{i}@example.org"}) for i in range(11)]
    assert [a.status_code for a in answers] == [303] * 10 + [429]
    services_of(app).database.close()


def test_a_count_ends_after_its_time_and_old_counts_are_forgotten() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        tally = Tally()
        assert [tally.incr("ana", 60), tally.incr("ana", 60), tally.incr("eva", 60)] == [1, 2, 1]
        clock.shift(61)
        assert tally.get("ana") == 0
        assert tally.incr("ana", 60) == 1
        for number in range(ROOM - 2):
            tally.incr(f"stranger {number}", 1)
        clock.shift(2)
        tally.incr("ana", 60)
        assert tally.reset() == 1
        assert tally.get("ana") == 0


def test_however_many_ask_the_counts_take_no_more_room() -> None:
    with time_machine.travel(NOON, tick=False):
        tally = Tally()
        for number in range(3 * ROOM):
            tally.incr(f"stranger {number}", 3600)
        assert tally.get(f"stranger {3 * ROOM - 1}") == 1
        kept = tally.reset()
        assert kept is not None
        assert kept <= ROOM


# Errors


def test_pages_and_programs_are_refused_in_their_own_form(client: Visitor) -> None:
    page, answer = client.get("/nowhere"), client.get("/api/v1/nowhere")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "There is nothing at this address." in page.text
    assert (answer.status_code, answer.json) == (
        404,
        {"error": {"code": "unknown", "message": "There is nothing at this address."}},
    )


def test_a_wrong_method_is_told_the_right_one(client: Visitor) -> None:
    response = client.client.put("/sign-in")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]


def test_a_refusal_is_said_in_the_readers_language(client: Visitor) -> None:
    response = client.get("/nowhere", headers={"Accept-Language": "fr"})
    assert '<html lang="fr">' in response.text
    assert "There is nothing" not in response.text


def test_nobody_sees_a_traceback(
    app: Flask, client: Visitor, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall() -> str:
        raise RuntimeError("the secret password is swordfish")

    app.view_functions["pages.home"] = fall
    response = client.get("/")
    assert response.status_code == 500
    assert "Something broke on our side" in response.text
    assert "Traceback" not in response.text
    assert "swordfish" not in response.text + "".join(capsys.readouterr())


def test_a_broken_database_still_gets_a_page(settings: Settings, client: Visitor) -> None:
    client.sign_in("ana@example.org")
    client.services.database.close()
    Path(settings.data_dir / "chasqui.sqlite3").write_bytes(b"no database at all" * 100)
    response = client.get("/account")
    assert response.status_code == 500
    assert "Something broke on our side" in response.text
