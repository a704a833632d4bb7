"""Looking back: every position has an address, a board, a sentence and ways on; records go out and come in."""

from __future__ import annotations

import io
import re

import pytest
from flask import Flask

from app.eventstore.positions import state_at
from engine.core.match import rewind
from engine.core.registry import find
from tests.app.browser import Visitor, letters
from tests.app.kept import ends
from tests.app.seated import come_in, judged, late_match, links, my_id, played, seat, two

LONG = 10_000


def changed(page: str) -> set[str]:
    return set(re.findall(r'class="place changed" data-place="([^"]+)"', page))


def test_every_position_has_a_page_with_its_sentence(app: Flask) -> None:
    match = played(30)
    where, ana, _ = two(app, match)
    for entry in match.log:
        page = ana.get(f"{where}/history/{entry.pos}")
        assert page.status_code == 200
        assert f"Position {entry.pos} of {match.head}" in page.text


@pytest.mark.parametrize("pos", [0, 10_000, 10**30])
def test_other_positions_are_not_there(app: Flask, pos: int) -> None:
    where, ana, _ = two(app, played(5))
    assert ana.get(f"{where}/history/{pos}").status_code == 404


def test_the_board_is_that_of_the_position_and_shows_what_changed(app: Flask) -> None:
    match = played(30)
    where, ana, _ = two(app, match)
    tile = next(e for e in match.log if type(e.event).__name__ == "TilePlaced")
    page = ana.get(f"{where}/history/{tile.pos}").text
    assert changed(page) == set(tile.event.at)
    before = ana.get(f"{where}/history/{tile.pos - 1}").text
    assert changed(before) == set()
    assert f"{tile.event.at[0]}: bare" in before
    assert f"{tile.event.at[0]}: village" in page


def test_one_can_walk_from_the_start_to_the_end_and_back(app: Flask) -> None:
    match = played(15)
    where, ana, _ = two(app, match)
    here, visited = f"{where}/history/1", []
    while here:
        page = ana.get(here).text
        visited.append(here)
        onward = re.search(r'href="([^"]+)" rel="next"', page)
        here = onward[1] if onward else ""
    assert visited == [f"{where}/history/{pos}" for pos in range(1, match.head + 1)]
    assert f'href="{where}/history/{match.head - 1}" rel="prev"' in ana.get(visited[-1]).text


def test_steps_by_order_stop_where_orders_end(app: Flask) -> None:
    match = played(15)
    where, ana, _ = two(app, match)
    stops, here = [], f"{where}/history/1"
    while here:
        onward = re.search(r'href="([^"]+)" data-key="PageDown"', ana.get(here).text)
        here = onward[1] if onward else ""
        stops += [int(here.rpartition("/")[2])] if here else []
    assert stops == ends(match)


def test_my_last_turn_is_one_step_away(app: Flask) -> None:
    match = played(40)
    where, ana, _ = two(app, match)
    page = ana.get(f"{where}/history/{match.head}").text
    found = re.search(r'class="word" href="[^"]+/history/(\d+)"', page)
    assert found
    assert match.log[int(found[1]) - 1].seat == 0


def test_it_plays_by_itself_without_a_script(app: Flask) -> None:
    where, ana, _ = two(app, played(15))
    page = ana.get(f"{where}/history/8?play=").text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "refresh" not in ana.get(f"{where}/history/8").text


# What was taken back


def test_what_was_cut_is_grey_and_can_be_opened(app: Flask) -> None:
    match = played(30)
    to = ends(match)[-5]
    cut = [e for e in match.log if e.pos > to]
    match = rewind(match, to, "owner", "A <slip> of the finger")
    where, ana, _ = two(app, match)
    page = ana.get(f"{where}/history").text
    assert f"{len(cut)} events that were taken back" in page
    assert page.count('class="step cut') == len(cut)
    assert "A &lt;slip&gt; of the finger" in page
    opened = ana.get(f"{where}/history/{cut[-1].pos}").text
    assert "taken back later" in opened
    assert changed(opened) or "PP" in opened or opened.count("<svg")


# When it is over


def test_a_finished_match_has_no_secrets(app: Flask) -> None:
    match = played(LONG)
    assert match.over
    where, ana, _ = two(app, match)
    dealt = next(
        e for e in match.log if type(e.event).__name__ == "HandDealt" and e.event.seat == 1
    )
    page = ana.get(f"{where}/history/{dealt.pos}").text
    assert all(card in page for card in dealt.event.cards)
    last = ana.get(f"{where}/history/{match.head}?eyes=1").text
    assert "Verified" in last
    assert match.seed in last
    hand = match.game.view(match.state, 1).hand
    assert all(f'#card-{card.replace("+", "-")}"' in last for card in hand)


def test_while_it_runs_nobody_looks_through_anothers_eyes(app: Flask) -> None:
    match = played(20)
    where, _, bo = two(app, match)
    with_eyes = bo.get(f"{where}/history/{match.head}?eyes=0").text
    for card in set(match.game.view(match.state, 0).hand) - set(
        match.game.view(match.state, 1).hand
    ):
        assert f'#card-{card.replace("+", "-")}"' not in with_eyes.partition("Open card")[0]
    assert match.seed not in with_eyes


# Records


def test_a_record_goes_out_and_comes_in_again(app: Flask) -> None:
    match = played(LONG)
    where, ana, _ = two(app, match)
    record = ana.get(f"{where}/record")
    assert (
        record.headers["Content-Disposition"] == 'attachment; filename="chasqui-playedout2.jsonl"'
    )
    sent = ana.post("/import", {"record": (io.BytesIO(record.data), "r.jsonl")})
    assert sent.status_code == 303
    copy = sent.headers["Location"]
    assert copy != where
    assert "Verified" in ana.get(copy).text
    assert ana.get(f"{copy}/record").data == record.data


def test_a_running_match_gives_only_what_the_viewer_knows(app: Flask) -> None:
    match = late_match()
    where, ana, bo = two(app, match)
    for visitor in (ana, bo):
        record = visitor.get(f"{where}/record").text
        assert match.seed not in record
        assert "hands" not in record
    sent = ana.post("/import", {"record": (io.BytesIO(ana.get(f"{where}/record").data), "r")})
    assert sent.status_code == 422
    assert "redacted" in sent.text


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{}\n", b"<script>alert(1)</script>\n", b"[" * 5000]
)
def test_what_is_no_record_is_told(app: Flask, content: bytes) -> None:
    ana = come_in(app, "ana@example.org")
    response = ana.post("/import", {"record": (io.BytesIO(content), "<b>.jsonl")})
    assert response.status_code == 422
    assert "<script>alert" not in response.text
    assert ana.post("/import").status_code == 422


# Who may look


def test_spectators_walk_through_public_matches_only(app: Flask) -> None:
    match = played(20)
    where, _, _ = two(app, match, public=True)
    stranger = Visitor(app)
    assert where in links(stranger.get("/tables").text)
    page = stranger.get(where).text
    assert "you are watching" in page
    assert 'id="draft"' not in page
    assert 'id="talk"' not in page
    for path in ("/history", f"/history/{match.head}", "/record"):
        assert stranger.get(where + path).status_code == 200
    assert stranger.get(f"{where}/choices").status_code == 403


def test_private_matches_are_not_there_for_others(app: Flask) -> None:
    match = played(20)
    where, _, _ = two(app, match)
    for other, told in ((Visitor(app), 303), (come_in(app, "eve@example.org"), 404)):
        assert where not in links(other.get("/tables").text)
        for path in ("", "/history", "/history/3", "/record", "/choices"):
            assert other.get(where + path).status_code == told  # nobody is asked to sign in
    eve = come_in(app, "eva@example.org")
    for path in ("draft", "commit", "talk", "note", "join", "leave"):
        form = {"head": 1, "seat": 0, "order": "end", "text": "hello"}
        assert eve.post(f"{where}/{path}", form).status_code == 404


def test_java_needs_no_page_of_its_own(app: Flask) -> None:
    match = played(60, "javajava22", "java", 3)
    people = [come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy")]
    where = seat(people[0].services, match, *map(my_id, people))
    assert find("java").name in people[0].get(where).text
    for link in links(people[0].get(f"{where}/history").text)[:20]:
        assert people[0].get(link, follow_redirects=True).status_code == 200


# Names as of then


def test_what_somebody_wrote_stays_theirs_when_a_bot_takes_the_seat(app: Flask) -> None:
    where, ana, bo = judged(app, played(30))
    ana.post(f"{where}/care/pause", {"reason": "tea"})
    ana.post(f"{where}/care/resume", {"reason": "back"})
    assert bo.post(f"{where}/resign", {"reason": "tired"}).status_code == 303
    page = ana.get(f"{where}/history").text
    assert "Bo gave up: tired" in page
    assert "Bo ended the turn." in page
    assert "Ana paused the match: tea" in page
    assert "Ana let the match go on: back" in page
    first = ana.get(f"{where}/history/10").text
    assert "Steady (bot)" not in first
    table = ana.get(where).text
    assert "Steady (bot)" in table
    assert "Bo gave up: tired" in table


def test_mails_and_their_log_have_the_names_of_then(app: Flask) -> None:
    where, ana, bo = judged(app, played(30))
    ana.post(f"{where}/care/pause", {"reason": "tea"})
    assert "Ana paused the match: tea" in letters(ana.services, "bo@example.org")[-1].text
    ana.post(f"{where}/care/resume", {"reason": "back"})
    bo.post(f"{where}/resign", {"reason": "tired"})
    letter = letters(ana.services, "cy@example.org")[-1].text
    assert "Bo gave up: tired" in letter
    assert "Steady (bot) gave up" not in letter
    log = ana.get(f"{where}/mails").text
    rows = re.findall(r"<tr>\s*<td>paused.*?</tr>", log, re.DOTALL)
    assert any("<bdi>Bo</bdi>" in row for row in rows)
    assert not any("Steady (bot)" in row for row in rows)


def test_every_position_tells_the_scores_of_then(app: Flask) -> None:
    match = played(60)
    where, ana, _ = two(app, match)
    for pos in (20, 40, match.head):
        page = ana.get(f"{where}/history/{pos}").text
        told = re.findall(r'<span class="score"><b>(\d+)</b>', page)
        assert tuple(map(int, told)) == match.game.scores(state_at(match, pos))
    assert ana.get(f"{where}/history?pos=7").headers["Location"] == f"{where}/history/7"
