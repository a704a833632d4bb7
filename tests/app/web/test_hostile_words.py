"""Names, titles and talk are hostile until proven otherwise: on a page they are only text."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import col, select

from app.platform import tables
from tests.app.browser import Visitor
from tests.app.seated import come_in
from tests.app.web.test_lobby import opened

HOSTILE = "<script>alert(1)</script>\"'&"


def test_titles_names_and_talk_are_only_text(app: Flask) -> None:
    ana = come_in(app, "ana@example.org", HOSTILE[:30])
    bo = come_in(app, "bo@example.org", "Bo & <b>Co</b>")
    where = opened(ana, title=HOSTILE, public="yes")
    bo.post(f"{where}/join")
    bo.post(f"{where}/talk", {"text": f"{HOSTILE}\nhttps://example.org/?q=<b> javascript:alert(1)"})
    bo.post(f"{where}/note", {"text": f"</textarea>{HOSTILE}"})
    for visitor in (ana, bo, Visitor(app)):
        for path in ("/tables", where, f"{where}/history", f"{where}/history/7"):
            page = visitor.get(path).text
            assert "<script>alert" not in page, path
            assert (
                "<b>" not in page.replace("<b>0</b>", "").replace("<b><bdi>", "")
                or "Co</b>" not in page
            )
            assert 'href="javascript' not in page
    assert "</textarea>&lt;" not in bo.get(where).text


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001, "\u202e", "a\x00b"])
def test_talk_that_cannot_be_shown_is_refused(app: Flask, text: str) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana, seat1="me")
    assert ana.post(f"{where}/talk", {"text": text}).status_code == 400


def test_a_refusal_names_the_field_in_the_readers_language(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana, seat1="me")
    assert "The text is missing." in ana.post(f"{where}/talk", {"text": " "}).text
    ana.post("/language", {"language": "fr"})
    assert "Le texte manque." in ana.post(f"{where}/talk", {"text": " "}).text


def test_spectators_do_not_talk(app: Flask) -> None:
    ana, eve = come_in(app, "ana@example.org"), come_in(app, "eve@example.org")
    where = opened(ana, seat1="me", public="yes")
    assert eve.post(f"{where}/talk", {"text": "hello"}).status_code == 403
    assert eve.post(f"{where}/note", {"text": "hello"}).status_code == 403
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Talk).order_by(col(tables.Talk.id))).all() == []
