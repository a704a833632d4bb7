"""A turn page that has not changed is not sent again; whatever is shown or secret decides that rightly."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import Select
from sqlalchemy import Table as SqlTable
from sqlalchemy.sql import visitors

from app.http.page_fingerprint import ANSWERED, PAGES, READ, ROW, SEATS, SILENT, SPOKEN, VISIT
from app.platform import tables
from app.platform.tables import Table
from tests.app.browser import Visitor
from tests.app.seated import add, come_in, commit, late_match, my_id, two
from tests.app.web.test_lobby import opened
from tests.app.web.test_turn import LAST


def name(visitor: Visitor, where: str) -> str:
    """The ETag of a page."""
    visitor.get(where)  # a notice is shown once, and such a page has none
    return visitor.get(where).headers["ETag"]


def again(visitor: Visitor, where: str, tag: str) -> int:
    return visitor.client.get(where, headers={"If-None-Match": tag}).status_code


def test_an_unchanged_page_is_not_sent_again(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    answer = ana.client.get(where, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == tag
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert (
        "sha256-" in answer.headers["Content-Security-Policy"]
    )  # of the board that the browser has
    assert "Set-Cookie" not in answer.headers


def test_an_unchanged_page_is_not_made_again(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    assert PAGES.names() == [tag.strip('"')]
    PAGES.keep(tag.strip('"'), b"the same")
    assert ana.client.get(where).text == "the same"


ACTS: dict[str, Callable[[Visitor, str], object]] = {
    "an order for the draft": lambda ana, where: add(ana, where, LAST),
    "a note": lambda ana, where: ana.post(f"{where}/note", {"text": "mine"}),
    "talk": lambda ana, where: ana.post(f"{where}/talk", {"text": "hello"}),
    "a turn": lambda ana, where: commit(ana, where, LAST, "end"),
    "another language": lambda ana, _: ana.post("/language", {"language": "fr"}),
    "another name": lambda ana, _: ana.post(
        "/account", {"name": "Anna", "language": "en", "timezone": "UTC"}
    ),
    "another time zone": lambda ana, _: ana.post(
        "/account", {"name": "Ana", "language": "en", "timezone": "Asia/Tokyo"}
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_what_a_person_does_shows_on_their_page(app: Flask, act: str) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    ACTS[act](ana, where)
    assert again(ana, where, tag) == 200
    assert name(ana, where) != tag


@pytest.mark.parametrize("act", ["talk", "a turn", "another name"])
def test_what_the_others_do_in_the_open_shows_too(app: Flask, act: str) -> None:
    where, ana, bo = two(app, late_match())
    tag = name(bo, where)
    ACTS[act](ana, where)
    assert again(bo, where, tag) == 200


@pytest.mark.parametrize("act", ["an order for the draft", "a note", "another time zone"])
def test_what_the_others_do_in_secret_changes_nothing(app: Flask, act: str) -> None:
    where, ana, bo = two(app, late_match(), public=True)
    eve = come_in(app, "eve@example.org")
    tags = [name(bo, where), name(eve, where)]
    ACTS[act](ana, where)
    assert [again(bo, where, tags[0]), again(eve, where, tags[1])] == [304, 304]


def test_who_only_watches_hears_of_no_talk(app: Flask) -> None:
    where, ana, _ = two(app, late_match(), public=True)
    eve = come_in(app, "eve@example.org")
    tag = name(eve, where)
    ACTS["talk"](ana, where)
    assert again(eve, where, tag) == 304


# Notices and forms


def test_a_notice_is_shown_once_and_never_again(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    ana.client.post(f"{where}/note", data={"csrf_token": ana.form_token(), "text": ""})
    with_notice = ana.client.get(where, headers={"If-None-Match": tag})
    assert "Your note is saved." in with_notice.text
    assert "ETag" not in with_notice.headers
    assert "Your note is saved." not in ana.get(where).text


def test_a_page_with_forms_that_are_void_is_made_anew(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    ana.client.delete_cookie("chasqui-form")
    assert "ETag" not in ana.get(where).headers  # it brings a new form cookie
    assert again(ana, where, tag) == 200


def test_every_browser_has_pages_of_its_own(app: Flask) -> None:
    where, ana, bo = two(app, late_match(), public=True)
    stranger = Visitor(app)
    tags = [name(visitor, where) for visitor in (ana, bo, stranger)]
    assert len(set(tags)) == 3
    for tag in tags[1:]:
        assert again(ana, where, tag) == 200


# Who may look


def test_who_signed_out_is_not_told_that_nothing_changed(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag = name(ana, where)
    ana.post("/sign-out")
    assert again(ana, where, tag) == 303  # to the sign-in


def test_who_lost_the_seat_is_not_told_that_nothing_changed(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    tag = name(bo, where)
    with ana.services.database.session() as session:
        row = session.get_one(tables.Seat, (where.rpartition("/")[2], 1))
        row.player_id = my_id(ana)
        session.add(row)
    assert again(bo, where, tag) == 404


def test_times_grow_old(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    tag, at = name(ana, where), ana.services.now()
    ana.services.now = lambda: at + timedelta(minutes=1)
    assert again(ana, where, tag) == 200


def test_a_table_that_has_not_begun_has_no_name_for_its_page(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana)
    assert "The match begins when every seat is taken." in ana.get(where).text
    assert "ETag" not in ana.get(where).headers


def test_every_table_is_read_or_known_to_be_silent() -> None:
    """Whoever makes a new one decides here whether a turn page shows anything of it."""
    readings = (VISIT, ROW, SEATS, ANSWERED, SPOKEN, READ)
    read = {
        part.name
        for one in readings
        if isinstance(one.words, Select)
        for found in one.words.get_final_froms()
        for part in visitors.iterate(found)
        if isinstance(part, SqlTable)
    }
    assert read | SILENT == set(Table.metadata.tables)
    assert read.isdisjoint(SILENT)
