"""Pages travel packed, and a form token never looks the same twice."""

from __future__ import annotations

import gzip
import re

from flask import Flask

from app.http.compression import mask, unmask
from app.platform.paths import STATIC
from tests.app.browser import TOKEN, Visitor
from tests.app.seated import late_match, two

ASKED = {"Accept-Encoding": "gzip, br"}


def test_a_page_is_packed_for_those_who_can_unpack_it(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    packed, plain = ana.client.get(where, headers=ASKED), ana.client.get(where)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 4
    assert "<title>A table · Chasqui</title>" in gzip.decompress(packed.data).decode()
    assert "Content-Encoding" not in plain.headers


def test_a_packed_page_is_known_again_by_its_name(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    ana.get(where)  # which brings the cookie of its forms
    name = ana.client.get(where, headers=ASKED).headers["ETag"]
    assert name.startswith("W/")
    again = ana.client.get(where, headers={**ASKED, "If-None-Match": name})
    assert (again.status_code, again.data) == (304, b"")


def test_what_is_packed_is_what_was_asked_for(app: Flask) -> None:
    """Whatever is kept of packed answers: two of one name stay two."""
    where, ana, _ = two(app, late_match())
    for path in ("/choices?packed", "/choices", "/choices?packed"):
        plain, packed = (ana.client.get(where + path, headers=how) for how in ({}, ASKED))
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data


def test_files_are_packed_and_what_is_small_is_not(client: Visitor) -> None:
    with client.client.get("/static/match.css", headers=ASKED) as sheet:
        assert sheet.headers["Content-Encoding"] == "gzip"
    with client.client.get("/static/icon.svg", headers=ASKED) as icon:
        assert "Content-Encoding" not in icon.headers


def test_comments_and_indents_of_styles_and_scripts_stay_at_home(client: Visitor) -> None:
    """And nothing else does: a comment has a line of its own in scripts, and no text runs over lines."""
    for path in sorted(STATIC.glob("*.*s")):
        plain = path.read_text()
        with client.client.get(f"/static/{path.name}", headers=ASKED) as answer:
            if "Content-Encoding" not in answer.headers:  # it is too small
                continue
            sent = gzip.decompress(answer.data).decode()
        lines = (line.strip() for line in re.sub(r"(?s)/\*.*?\*/", "", plain).splitlines())
        told = [line for line in lines if line and not line.startswith("//")]
        kept = re.sub(r"(?s)/\*.*?\*/", "", sent).splitlines()
        assert [line.rstrip() for line in kept if line.strip()] == told, path.name
        assert all(line.count("`") % 2 == 0 for line in plain.splitlines()), path.name


def test_a_stream_is_not_held_back_to_be_packed(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    with ana.client.get(f"{where}/events", headers=ASKED) as answer:
        assert "Content-Encoding" not in answer.headers
        assert b"data: 2.running" in answer.data


def test_the_same_token_never_stands_in_two_pages_as_the_same_letters(client: Visitor) -> None:
    first, second = (TOKEN.search(client.client.get("/sign-in").text) for _ in range(2))
    assert first
    assert second
    assert first[1] != second[1]
    shared = sum(a == b for a, b in zip(first[1], second[1], strict=False))
    assert shared < len(first[1]) / 4
    for token in (first[1], second[1]):  # and each of them opens the door
        asked = client.client.post(
            "/sign-in", data={"csrf_token": token, "email": "ana@example.org"}
        )
        assert asked.status_code == 303


def test_what_was_never_masked_is_no_token(client: Visitor) -> None:
    assert unmask(mask("a.token-of-ours")) == "a.token-of-ours"
    for forged in ("", "x", "é", "=" * 9, "QUJD" * 40):
        asked = client.client.post(
            "/sign-in", data={"csrf_token": forged, "email": "a@example.org"}
        )
        assert asked.status_code in (400, 403)
