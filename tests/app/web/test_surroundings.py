"""What stands around the pages: help, mailbox, health, metrics, files, logs, and starting it all."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape, unescape
from importlib import import_module
from pathlib import Path

import pytest
import structlog
from flask import Flask

from app import create_app
from app.http.template_helpers import mailbox_is_open
from app.platform.database import Database
from app.platform.i18n import LANGUAGES
from app.platform.logging import masked, write_json_logs
from app.platform.settings import Settings
from app.views import help_pages
from app.views.help_pages import (
    list_chapters,
    list_clauses,
    list_help_contents,
    list_things,
    render_help_page,
    show_match,
)
from engine.core.registry import games
from tests.app.browser import Visitor, newest_link, services_of
from tests.servers import free_port
from workers.embedded import settings_for

Door = Callable[[str], Visitor]
ROOT = Path(__file__).resolve().parents[3]


# Help


PICTURE = re.compile(r'<img src="([^"]+)" alt="[^"]+" loading="lazy" width="[1-9]')
LIGHT = 60_000  # bytes of a page of rules
CLAUSE = re.compile(r'refusal\(\s*"([A-Z]\d)"')


@pytest.mark.parametrize("key", games())
def test_the_rules_are_read_by_chapter_and_every_page_is_light(client: Visitor, key: str) -> None:
    chapters = list_chapters(key, "en")[1:]
    overview = client.get(f"/help/{key}").text
    for number, chapter in enumerate(chapters):
        where = f"/help/{key}/{chapter.slug}"
        assert f'href="{where}"' in overview
        page = client.get(where)
        assert escape(chapter.heading) in page.text
        for later in chapters[number + 1 : number + 2]:
            assert f'rel="next" href="/help/{key}/{later.slug}"' in page.text
        assert len(page.data) < LIGHT
    assert len(client.get(f"/help/{key}/all").data) < LIGHT
    assert client.get(f"/help/{key}/llamas").status_code == 404


def test_the_rules_are_searched_in_the_readers_language_whatever_its_accents(
    client: Visitor,
) -> None:
    page = client.get("/help/cuzco", query_string={"q": "level HIGHEST"}).text
    assert '<ol class="found">' in page
    assert "/help/cuzco/the-highest-position#p39" in page
    coming = client.get("/help/cuzco?q=coming+going").text
    assert "Coming and going: an Inca enters" in coming
    assert "No paragraph has all these words." in client.get("/help/cuzco?q=zeppelin").text
    client.post("/language", {"language": "fr"})
    assert client.get("/help/cuzco?q=etang").text.count("<li><a") > 3


@pytest.mark.parametrize("key", ["cuzco", "java", "inka", "tahuantinsuyu"])
def test_every_clause_that_a_refusal_names_leads_to_its_sentence(client: Visitor, key: str) -> None:
    game = games()[key]
    folder = Path(import_module(f"engine.{game.parent or key}").__file__ or "").parent
    named = {c for file in folder.rglob("*.py") for c in CLAUSE.findall(file.read_text())}
    stated = {clause.partition("-")[2]: clause for clause in list_clauses(key)}
    assert len(named) > 8
    assert named - stated.keys() <= ({"F8"} if key == "cuzco" else set())  # Java alone has it
    for clause in stated.values():
        where = client.get(f"/help/{key}/rule/{clause}").headers["Location"]
        path, _, at = where.partition("#")
        assert f'id="{at}"' in client.get(path).text
    for language in LANGUAGES:  # they run parallel
        blocks = [[at for at, _ in one.blocks] for one in list_chapters(key, language)]
        assert blocks == [[at for at, _ in one.blocks] for one in list_chapters(key, "en")]


@pytest.mark.parametrize("key", games())
def test_there_is_a_picture_of_every_card_and_of_what_is_laid_and_done(
    client: Visitor, key: str
) -> None:
    page, game = client.get(f"/help/{key}/pieces").text.replace("&#39;", "&#x27;"), games()[key]
    for card in game.cards.values():
        assert card.picture in page
        assert escape(str(card.text or card.name))[1:] in page  # it begins as a sentence does
    things = list_things(key)
    assert page.count("<svg") >= len(game.cards) + len(things.pieces) + len(things.symbols)
    for sign in things.symbols:
        assert sign.svg in page
        assert str(sign.name)[1:] in page
    assert len(page.encode()) < LIGHT
    assert client.get("/help/chess/pieces").status_code == 404


@pytest.mark.parametrize(
    ("key", "signs"),
    [
        ("cuzco", ["mountain", "village, level 3", "temple of 10", "temple of 2, solar disc"]),
        ("inka", ["chasm", "start and exit", "secret passage", "wall", "snake", "blockade"]),
        ("tahuantinsuyu", ["the capital", "huaca", "city site", "garrison with temple", "Road"]),
    ],
)
def test_every_sign_of_the_board_has_its_picture_and_its_name(key: str, signs: list[str]) -> None:
    named = {str(one.name) for one in list_things(key).symbols}
    assert named >= set(signs)
    drawn = [one.svg for one in list_things(key).symbols]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("key", ["cuzco", "java", "inka", "tahuantinsuyu"])
def test_an_example_of_the_rules_is_played_with_on_the_analysis_board(
    client: Visitor, key: str
) -> None:
    page = unescape(client.get(f"/help/{key}/all").text)
    boards = re.findall(r'href="(/analysis/rules/[^"]+)"', page)
    assert len(boards) >= 3
    told = [unescape(client.get(board).text) for board in boards]
    assert all("Analysis" in one for one in told)
    assert any("As in the rules" in one and "does not fit here" not in one for one in told)


@pytest.mark.parametrize("key", games())
def test_the_rules_of_a_game_are_a_page_with_pictures(client: Visitor, key: str) -> None:
    page = client.get(f"/help/{key}/all").text
    pictures = PICTURE.findall(page)
    assert len(pictures) >= 3
    for picture in pictures:
        drawn = client.get(picture)
        assert drawn.mimetype == "image/svg+xml"
        assert '<svg xmlns="http://www.w3.org/2000/svg" class="' in drawn.text
    assert "(board:" not in page
    assert '{"seats"' not in page  # positions are drawn, not shown
    assert '<pre class="orders">' in page
    for anchor, _ in list_help_contents(key, "en"):
        assert f'id="{anchor}"' in page


def test_the_list_of_rules_shows_a_running_match_of_every_game(client: Visitor) -> None:
    """Also of one that is over sooner than a picture would like."""
    page = client.get("/help").text
    assert (
        "<svg " not in page
    )  # each is a picture of its own: on one page they would paint each other
    for key in games():
        address = f"/games/{key}/en.svg"
        assert f'src="{address}"' in page
        assert client.get(address).text.startswith("<svg ")
    assert [key for key in games() if show_match(key).over] == []


def test_the_rules_are_read_in_the_readers_language(client: Visitor) -> None:
    assert "The highest position" in client.get("/help/cuzco/all").text
    client.post("/language", {"language": "fr"})
    page = client.get("/help/cuzco/all").text
    assert '<h2 id="la-plus-haute-position">La plus haute position</h2>' in page
    pictures = [client.get(picture).text for picture in PICTURE.findall(page)]
    assert any("niveau 2, Inca de A" in picture for picture in pictures)
    assert "The highest position" not in page


def test_html_in_a_manual_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "# A\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](board:none) ![z](//e.vil/x.png)\n"
    monkeypatch.setattr(help_pages, "manual", lambda *_: hostile)
    list_chapters.cache_clear()
    page = render_help_page.__wrapped__("cuzco", "en")
    list_chapters.cache_clear()
    assert "<script>" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page


def test_an_unknown_game_has_no_page(client: Visitor) -> None:
    response = client.get("/help/chess")
    assert response.status_code == 404
    assert "There is no game" in response.text


# The mailbox


def test_the_mailbox_shows_each_mail_as_html_text_and_source(client: Visitor) -> None:
    assert "No mail yet" in client.get("/mailbox").text
    client.post("/sign-in", {"email": "ana@example.org"})
    link = newest_link(client.services, "ana@example.org")
    assert "Your way in" in client.get("/mailbox").text
    assert link in client.get("/mailbox/1").text
    page = client.get("/mailbox/1/html").text
    assert link in page
    assert '<base target="_top">' in page
    assert "Message-ID: <" in client.get("/mailbox/1/source").text
    assert client.get("/mailbox/1/source").mimetype == "text/plain"
    assert client.get("/mailbox/2").status_code == 404


@pytest.mark.parametrize(
    "public",
    [
        {"base_url": "https://chasqui.example"},
        {"base_url": "http://192.0.2.7:8000"},
        {"smtp_host": "mail.example", "mail_from": "play@chasqui.example"},
        {"embedded": False},
    ],
)
def test_the_mailbox_is_shut_wherever_others_come_by(
    settings: Settings, public: dict[str, object]
) -> None:
    other = settings.model_copy(update=public)
    app = create_app(other, Database(other.database_url), RATELIMIT_ENABLED=False)
    client = app.test_client()
    for page in ("/mailbox", "/mailbox/1", "/mailbox/1/html", "/mailbox/1/source"):
        assert client.get(page, base_url=other.base_url).status_code == 404
    assert not mailbox_is_open(services_of(app))
    services_of(app).database.close()


MAILBOX = ("/mailbox", "/mailbox/1", "/mailbox/1/html", "/mailbox/1/source")


@pytest.mark.parametrize(
    ("peer", "status"),
    [
        ("127.0.0.1", 200),
        ("127.8.9.1", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("192.0.2.7", 404),
        ("10.0.0.1", 404),
        ("::ffff:192.0.2.7", 404),
        ("fe80::1%eth0", 404),
        ("", 404),
        ("localhost", 404),
    ],
)
def test_the_mailbox_answers_only_this_machine(client: Visitor, peer: str, status: int) -> None:
    client.post("/sign-in", {"email": "ana@example.org"})
    newest_link(client.services, "ana@example.org")
    for page in MAILBOX:
        asked = client.client.get(page, environ_overrides={"REMOTE_ADDR": peer})
        assert asked.status_code == status, page
    home = client.client.get("/", environ_overrides={"REMOTE_ADDR": peer}).text
    assert ('href="/mailbox"' in home) == (status == 200)


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Proto"]
)
def test_no_header_opens_the_mailbox_and_behind_a_proxy_it_is_shut(
    client: Visitor, header: str
) -> None:
    client.post("/sign-in", {"email": "ana@example.org"})
    newest_link(client.services, "ana@example.org")
    for page in MAILBOX:
        claimed = {header: "127.0.0.1"}
        afar = {"REMOTE_ADDR": "192.0.2.7"}
        asked = client.client.get(page, headers=claimed, environ_overrides=afar)
        assert asked.status_code == 404, page
        proxied = client.client.get(page, headers={header: "192.0.2.7"})
        assert proxied.status_code == 404, page


def test_a_page_kept_for_this_machine_is_not_shown_elsewhere(client: Visitor) -> None:
    """The turn page has a link to the mailbox; the front may not hand it to those who cannot open it."""
    client.sign_in("ana@example.org")
    where = client.post("/demo", {"against": "myself"}).headers["Location"]
    client.get(where)
    here, again = client.client.get(where), client.client.get(where)
    assert here.headers["ETag"] == again.headers["ETag"]
    there = client.client.get(where, environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
    assert 'href="/mailbox"' in again.text
    assert 'href="/mailbox"' not in there.text


# Health and metrics


def test_we_live_and_are_ready(client: Visitor) -> None:
    assert client.get("/health/live").json == {"status": "live"}
    assert client.get("/health/ready").json == {"status": "ready", "problems": []}


def test_without_its_tables_a_service_is_not_ready(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    app = create_app(settings, Database(settings.database_url))
    response = app.test_client().get("/health/ready")
    assert (response.status_code, response.json) == (
        503,
        {"status": "waiting", "problems": ["migrations"]},
    )
    services_of(app).database.close()


def test_metrics_count_requests_by_route_and_mails_by_state(client: Visitor) -> None:
    client.post("/sign-in", {"email": "ana@example.org"})
    client.get("/sign-in/link/" + "x" * 43)
    text = client.get("/metrics").text
    assert (
        'chasqui_requests_total{method="GET",route="/sign-in/link/<token>",status="303"} 1.0'
        in text
    )
    assert 'chasqui_outbox{state="waiting"} 1.0' in text
    assert "xxxx" not in text


# Files


def test_files_have_names_that_change_with_their_content(client: Visitor) -> None:
    found = re.search(r'href="(/static/chasqui\.[0-9a-f]{12}\.css)"', client.get("/").text)
    assert found
    with client.get(found[1]) as response:
        assert response.status_code == 200
        assert "immutable" in response.headers["Cache-Control"]


def test_only_files_of_ours_are_served(client: Visitor) -> None:
    for path in (
        "/static/../settings.py",
        "/static/%2e%2e/settings.py",
        "/static/",
        "/static/nope.css",
    ):
        assert client.get(path).status_code == 404


# Logs


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Everything that is logged while the block runs."""
    stream = io.StringIO()
    write_json_logs(stream)
    yield stream
    structlog.reset_defaults()


def test_logs_hold_no_token_no_address_and_nothing_that_somebody_wrote(client: Visitor) -> None:
    with logged() as stream:
        client.sign_in("ana@example.org", next_page="/help")
        client.post("/account", {"name": "Ana the Bold", "language": "en", "timezone": "UTC"})
        token = re.search(r"chq_[\w-]{43}", client.post("/account/tokens", {"name": "robot"}).text)
        client.get("/nowhere/secret-path?email=ana@example.org")
    text = stream.getvalue()
    link = newest_link(client.services, "ana@example.org").rpartition("/")[2]
    session = client.client.get_cookie("chasqui-session")
    assert token
    assert session
    for secret in (
        link,
        token[0],
        session.value,
        "ana@example.org",
        "Ana the Bold",
        "secret-path",
        "robot",
    ):
        assert secret not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"method": "GET", "route": "/sign-in/link/<token>", "status": 303}.items() <= next(
        line.items() for line in lines if line.get("route") == "/sign-in/link/<token>"
    )
    assert any(line["event"] == "mail" and line["state"] == "sent" for line in lines)


def test_a_fault_is_logged_by_its_place_and_not_by_its_words(app: Flask, client: Visitor) -> None:
    def fall() -> str:
        raise ValueError("ana@example.org wrote swordfish")

    app.view_functions["pages.home"] = fall
    with logged() as stream:
        response = client.get("/")
    fault = next(
        line
        for line in map(json.loads, stream.getvalue().splitlines())
        if line["event"] == "broken"
    )
    assert fault["error"] == "ValueError"
    assert "fall" in fault["at"][-1]
    assert fault["incident"] in response.text
    assert "swordfish" not in stream.getvalue()


def test_what_slips_into_a_log_is_masked() -> None:
    assert masked("to ana@example.org by " + "Ab3_-" * 9) == "to (address) by (secret)"
    assert masked({"a": ["eva@example.org", 7]}) == {"a": ["(address)", 7]}


# Starting


@pytest.mark.parametrize(
    ("host", "port", "base", "listen"),
    [
        (None, None, "http://127.0.0.1:8000", ("127.0.0.1", 8000)),
        (None, 9000, "http://127.0.0.1:9000", ("127.0.0.1", 9000)),
        ("0.0.0.0", 9000, "http://127.0.0.1:9000", ("0.0.0.0", 9000)),  # noqa: S104 - said, not bound
        ("::1", 9000, "http://[::1]:9000", ("::1", 9000)),
    ],
)
def test_links_point_to_where_we_listen(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    host: str,
    port: int,
    base: str,
    listen: tuple[str, int],
) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(tmp_path))
    settings, *where = settings_for(host, port)
    assert (settings.base_url, tuple(where)) == (base, listen)


def test_an_address_that_was_set_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CHASQUI_BASE_URL", "https://chasqui.example/")
    settings, *where = settings_for("127.0.0.1", 9000)
    assert (settings.base_url, where) == ("https://chasqui.example", ["127.0.0.1", 9000])


def test_one_command_serves_it_all_and_ends_when_told(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    environment = {**os.environ, "CHASQUI_DATA_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
    ) as process:
        try:
            assert process.stdout
            assert f"http://127.0.0.1:{port}" in process.stdout.readline()
            assert "Chasqui" in opened(f"http://127.0.0.1:{port}/")
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def opened(url: str) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own
                return answer.read().decode()  # type: ignore[no-any-return]
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the service does not answer")
