"""What stands before Flask: it answers as Flask would, and never where Flask would refuse."""

from __future__ import annotations

import io
import json

import pytest
import structlog
from flask import Flask

from app.http import page_cache
from app.http.page_fingerprint import PAGES
from app.platform.logging import write_json_logs
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, two


def named(visitor: Visitor, where: str) -> str:
    visitor.client.get(where)
    return visitor.client.get(where).headers["ETag"]


def test_a_page_from_memory_is_the_page_that_flask_sent(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    ana.client.get(where)
    made, kept = ana.client.get(where), ana.client.get(where)
    assert kept.data == made.data
    assert sorted(kept.headers) == sorted(made.headers)
    assert len(kept.headers) > 10


def test_an_unchanged_answer_carries_the_guards(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = named(ana, where)
    answer = ana.client.get(where, headers={"If-None-Match": f'"other", W/{tag}'})
    made = ana.client.get(where).headers
    assert answer.status_code == 304
    assert {*dict(made)} - {*dict(answer.headers)} == {"Content-Type", "Content-Length"}


def test_a_star_does_not_tell_that_a_match_is_there(app: Flask) -> None:
    where, _, _ = two(app, late_match())
    eve = come_in(app, "eve@example.org")
    eve.client.get("/")  # which brings a form cookie
    assert eve.client.get(where, headers={"If-None-Match": "*"}).status_code == 404


def test_another_host_is_refused_though_the_page_is_kept(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = named(ana, where)
    answer = ana.client.get(where, headers={"If-None-Match": tag, "Host": "evil.example"})
    assert answer.status_code == 400


def test_who_prefers_another_language_gets_another_page(app: Flask) -> None:
    where, _, _ = two(app, late_match(), public=True)
    stranger = Visitor(app)
    tag = named(stranger, where)
    for language in ("fr", "pt-BR"):
        wish = {"Accept-Language": language}
        page = stranger.client.get(where, headers={**wish, "If-None-Match": tag})
        assert page.status_code == 200
        for _ in range(2):  # one that is made, one that is kept
            assert f'<html lang="{language}"' in stranger.client.get(where, headers=wish).text


def test_what_the_front_answers_is_logged_and_counted(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = named(ana, where)
    write_json_logs(said := io.StringIO())
    ana.client.get(where, headers={"If-None-Match": tag})
    structlog.reset_defaults()
    (line,) = map(json.loads, said.getvalue().splitlines())
    assert (line["event"], line["route"], line["status"]) == ("request", "/m/<match_id>", 304)
    counted = 'chasqui_requests_total{method="GET",route="/m/<match_id>",status="304"} 1.0'
    assert counted in ana.client.get("/metrics").text


def test_who_asks_too_often_goes_on_to_the_limits(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, ana, _ = two(app, late_match())
    tag = named(ana, where)
    monkeypatch.setattr(page_cache, "MOST", 1)
    app.config["RATELIMIT_ENABLED"] = True
    again = [ana.client.get(where, headers={"If-None-Match": tag}).status_code for _ in range(3)]
    assert again[0] == 304
    assert set(again[1:]) == {200}  # made by Flask, whose limits have counted it


def test_a_page_without_the_front_has_no_name(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    ana.client.get(where)
    PAGES.clear()
    unnamed = ana.client.get(f"{where}?", environ_overrides={"REQUEST_METHOD": "HEAD"})
    assert (unnamed.status_code, "ETag" in unnamed.headers) == (200, False)
