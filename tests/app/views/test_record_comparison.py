"""A record held against our log: what is said of it, to whom, and that nobody learns of a match that is not theirs."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from flask import Flask

from engine.core import record
from engine.core.match import play
from tests import forging
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, two
from tests.app.service import Service, code

Page = Any


pytestmark = pytest.mark.people("ana", "bea", "cai")


def compared(visitor: Visitor, content: bytes, **more: str) -> Page:
    return visitor.post("/compare", {"record": (io.BytesIO(content), "r.jsonl"), **more})


def told(text: str) -> str:
    return " ".join(text.split())


def test_our_own_record_is_recognised_by_whoever_may_see_the_match(app: Flask) -> None:
    where, ana, _ = two(app, late_match(), public=True)
    content = ana.get(f"{where}/record").data
    for visitor in (ana, Visitor(app)):
        page = compared(visitor, content)
        assert page.status_code == 200
        assert "The record is our log, all of its" in page.text
        assert 'We signed it at position 2, at <time datetime="' in page.text


def lines_of(visitor: Visitor, where: str) -> list[record.Line]:
    return record.parse(visitor.get(f"{where}/record").text)


def test_an_earlier_record_is_the_beginning_of_our_log(app: Flask) -> None:
    match = late_match()
    where, ana, _ = two(app, match)
    lines = lines_of(ana, where)
    page = compared(ana, record.text(lines[:-1]).encode())
    assert f"up to position {match.head - 1}; ours goes on to {match.head}" in told(page.text)
    assert "its end was cut or added" in page.text  # and the signature is of the whole


def test_a_record_that_goes_on_or_differs_is_told_from_where(app: Flask) -> None:
    match = late_match()
    _, ana, _ = two(app, match)
    order = next(match.game.legal(match.state, match.game.to_act(match.state)[0]))
    later = play(match, order.seat, match.game.format(order))
    longer = compared(ana, record.text(record.redacted(later, 0)).encode())
    assert f"up to position {match.head}, where ours ends" in told(longer.text)
    lines = forging.copied(record.redacted(match, 0))
    lines[-1]["seat"] = 1
    differs = compared(ana, forging.written(forging.rechained(lines)))
    assert f"differs from event {match.head} on" in told(differs.text)
    assert "not signed" in differs.text


def test_a_record_of_another_match_is_none_of_this_one(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    lines = forging.copied(lines_of(ana, where))
    lines[1]["data"]["commitment"] = "0" * 64
    page = compared(ana, forging.written(forging.rechained(lines)))
    assert "not a record of this match" in page.text
    assert "does not fit it" in page.text


def test_somebody_elses_signature_is_not_ours(app: Flask) -> None:
    match = late_match()
    _, ana, _ = two(app, match)
    lines = forging.sign_record(match, 0, forging.forger(), forging.NOON)
    assert "not by a key of ours" in compared(ana, record.text(lines).encode()).text


def test_a_match_that_one_may_not_see_is_as_unknown_as_none(app: Flask) -> None:
    match = late_match()
    where, ana, _ = two(app, match)
    content = ana.get(f"{where}/record").data
    nowhere = content.replace(match.id.encode(), b"n" * len(match.id))
    lines = forging.rechained(record.parse(nowhere.decode()))
    for visitor in (come_in(app, "stranger@example.org"), Visitor(app)):
        pages = [
            compared(visitor, content),
            compared(visitor, record.text(lines).encode()),
            compared(visitor, content, match=match.id),
            compared(visitor, content, match="nothere"),
        ]
        assert {page.status_code for page in pages} == {404}
        assert all("unknown here" in page.text for page in pages)
        assert all(match.hash not in page.text for page in pages)


def test_the_copy_of_an_imported_match_is_compared_from_its_own_page(app: Flask) -> None:
    match = forging.recorded("cuzco-2-last-triple.jsonl")
    content = record.text(record.export(match)).encode()
    ana = come_in(app, "ana@example.org")
    copy = ana.post("/import", {"record": (io.BytesIO(content), "r")}).headers["Location"]
    link = f"/compare?match={copy.rpartition('/')[2]}"
    assert link in ana.get(f"{copy}/history").text
    page = compared(ana, content, match=copy.rpartition("/")[2])
    assert "The record is our log" in page.text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"{}\n",
        b"[" * 5000,
        b"null\n",
        b'{"format":"chasqui-record-2"}\n',
        b"x" * 400_000,
    ],
)
def test_what_is_no_record_is_told_and_harms_nobody(app: Flask, content: bytes) -> None:
    page = compared(Visitor(app), content)
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert Visitor(app).post("/compare").status_code == 422


def test_a_file_that_is_too_large_is_refused(app: Flask) -> None:
    body, kind = b"x" * (3 * 1024 * 1024), "multipart/form-data; boundary=x"
    assert Visitor(app).client.post("/compare", data=body, content_type=kind).status_code == 413


def test_no_forged_file_breaks_the_page(app: Flask) -> None:
    """Each is told, none is an error of ours."""
    match = late_match()
    _, ana, _ = two(app, match)
    for name, kind in forging.CLASSES.items():
        rng = Random(name)
        sample = kind.sample(rng)
        forged = kind.forge(sample, rng).replace(sample.match.name.encode(), match.id.encode())
        assert compared(ana, forged).status_code in (200, 404, 422), name


def test_the_api_compares_too_and_keeps_the_same_secrets(service: Service) -> None:
    match_id = service.running("ana", "bea")
    content = service.call("ana", "GET", f"/matches/{match_id}/record").data
    answer = service.call("bea", "POST", "/records/compare", data=content)
    assert answer.status_code == 200
    assert answer.json
    assert answer.json["outcome"] == "same"
    assert answer.json["signature"] == "ours"
    assert answer.json["problems"] == []
    assert answer.json["agreed"] == answer.json["events"] == answer.json["ours"]
    refused = service.call("cai", "POST", "/records/compare", data=content)
    assert (refused.status_code, code(refused)) == (404, "unknown")
    assert service.call(None, "POST", "/records/compare", data=content).status_code == 401
