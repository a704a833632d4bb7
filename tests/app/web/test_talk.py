"""Talk at the table and the moves between it are one stream."""

from __future__ import annotations

import re

from flask import Flask

from app.web.composing import PARTS, SEEN
from tests.app.browser import Visitor
from tests.app.seated import FIRST, commit, late_match, played, two


def stream(page: str) -> str:
    """What of the talk panel is said and done, without its markup."""
    found = re.search(r'id="told".*?</ol>', page, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split())


def in_order(text: str, *parts: str) -> bool:
    spots = [text.find(part) for part in parts]
    return -1 not in spots and spots == sorted(spots)


def test_words_and_moves_stand_in_the_order_in_which_they_happened(app: Flask) -> None:
    where, ana, bo = two(app, played(0))
    ana.post(f"{where}/talk", {"text": "I begin at the lake."})
    commit(ana, where, FIRST, "end")
    bo.post(f"{where}/talk", {"text": "So soon?"})
    ana.post(f"{where}/talk", {"text": "Why not."})
    commit(bo, where, "place triple g8 g10 h9", "end")
    for visitor in (ana, bo):
        told = stream(visitor.get(where).text)
        assert in_order(told, "at the lake.", "e14", "So soon?", "Why not.", "g8"), told


def test_who_only_looks_on_reads_no_talk(app: Flask) -> None:
    where, ana, _ = two(app, played(0), public=True)
    ana.post(f"{where}/talk", {"text": "Between us."})
    page = Visitor(app).get(where)
    assert page.status_code == 200
    assert "Between us." not in page.text
    assert 'id="told"' not in page.text


def test_moves_in_the_talk_tell_nobody_anothers_secret(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    commit(ana, where, "place triple g14 g16 h15")
    commit(ana, where, "draw pile", key="two")
    ours, theirs = (stream(visitor.get(where).text) for visitor in (ana, bo))
    assert ours != theirs
    assert "drew" in theirs
    assert "drew" in ours


def test_a_draft_step_fetches_the_stream_only_when_it_has_grown(app: Flask) -> None:
    where, ana, bo = two(app, played(0))
    page = ana.get(where).text
    state = re.search(r'data-state="([^"]*)"', page)
    assert state
    head = {PARTS: "-", SEEN: state[1]}
    assert 'id="told"' not in ana.get(f"{where}/parts", headers=head).text
    bo.post(f"{where}/talk", {"text": "I am here."})
    assert "I am here." in stream(ana.get(f"{where}/parts", headers=head).text)
