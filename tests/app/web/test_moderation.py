"""The pages for the care of a match: the whole way from a slip to its undoing, by whoever may."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from flask import Flask

from app.eventstore.store import load_match
from app.matches.tables import create_table
from app.moderation.moderators import appoint_site_moderator
from app.platform import tables
from engine.core.match import Match
from tests.app.browser import services_of
from tests.app.kept import NOON
from tests.app.seated import come_in, judged, my_id, own, played, two

ALERT = re.compile(r'<p class="notice" role="status">(.*?)</p>')


def stored(app: Flask, where: str) -> Match:
    return load_match(services_of(app).database, where.rpartition("/")[2])


def kinds(app: Flask, where: str) -> list[str]:
    return [type(entry.event).__name__ for entry in stored(app, where).log]


def back(app: Flask, where: str) -> int:
    """The end of the last order but one."""
    ends = sorted({e.act: e.pos for e in stored(app, where).timeline.effective}.values())
    return ends[-2]


def test_a_moderator_goes_back_from_the_history_page_and_returns(app: Flask) -> None:
    where, ana, bea = judged(app, played(12))
    to, head = back(app, where), stored(app, where).head
    assert f"{where}/rewind/{to}" in ana.get(f"{where}/history/{to}").text
    assert f"{where}/rewind/{to}" not in bea.get(f"{where}/history/{to}").text
    page = ana.get(f"{where}/rewind/{to}").text
    assert "What the players have learned since" in page
    late = ana.post(f"{where}/rewind/{to}", {"head": head - 1, "reason": "a slip"})
    assert late.status_code == 409
    assert f'href="{where}/rewind/{to}"' in late.text  # to look again
    assert ana.post(f"{where}/rewind/{to}", {"head": head, "reason": " "}).status_code == 400
    assert bea.post(f"{where}/rewind/{to}", {"head": head, "reason": "mine"}).status_code == 403
    assert kinds(app, where)[-1] != "Rewound"
    done = ana.post(f"{where}/rewind/{to}", {"head": head, "reason": "a <b>slip</b>"})
    assert done.status_code == 303
    assert kinds(app, where)[-1] == "Rewound"
    story = bea.get(f"{where}/history").text
    assert "a &lt;b&gt;slip&lt;/b&gt;" in story
    assert "Bring back what was cut" in ana.get(f"{where}/care").text
    ana.post(f"{where}/restore", {"head": head + 1})
    assert kinds(app, where)[-1] == "Restored"


def test_nobody_is_offered_to_go_back_to_where_the_match_is(app: Flask) -> None:
    match = played(12)
    where, _, _ = two(app, match)
    mo = come_in(app, "mo@example.org")
    with mo.services.database.session() as session:
        session.get_one(tables.Player, my_id(mo)).moderator = True
    for pos in range(1, match.head + 1):
        offered = f"{where}/rewind/{pos}" in mo.get(f"{where}/history/{pos}").text
        assert offered == (mo.get(f"{where}/rewind/{pos}").status_code == 200)
    assert mo.get(f"{where}/rewind/{match.head}").status_code == 422


def test_dangerous_acts_ask_for_a_fresh_sign_in(app: Flask) -> None:
    where, ana, _ = two(app, played(12))
    services = services_of(app)
    tomorrow = services.now() + timedelta(days=1)
    services.now = lambda: tomorrow
    going_back = f"rewind/{back(app, where)}"
    for path in (going_back, "restore", "care/close", "care/replace", "care/owner"):
        answer = ana.post(f"{where}/{path}", {"head": 1, "reason": "x", "seat": 0, "player": 1})
        assert answer.status_code == 403, path
        assert "sign in again" in answer.text
        (way,) = re.findall(r'href="/sign-in\?next=([^"]+)"', answer.text.partition("<main")[2])
        assert ana.get(unquote(way)).status_code == 200, path
    for page in ("care", going_back, "resign"):
        assert "Your last sign-in is some time ago." in ana.get(f"{where}/{page}").text
    assert kinds(app, where)[-1] not in ("Rewound", "Closed")


def test_pausing_extending_and_going_on(app: Flask) -> None:
    where, ana, bea = judged(app, played(12))
    for what, more in (
        ("pause", {}),
        ("resume", {}),
        ("extend", {"hours": 12}),
    ):
        answer = ana.post(f"{where}/care/{what}", {"reason": "a holiday", **more})
        assert answer.status_code == 303, answer.text
        assert bea.post(f"{where}/care/{what}", {"reason": "x", **more}).status_code == 403
    assert kinds(app, where)[-3:] == ["Paused", "Resumed", "Extended"]
    assert ana.post(f"{where}/care/extend", {"reason": "x", "hours": "many"}).status_code == 400


def test_a_bot_gets_a_seat_and_the_match_is_closed_with_a_winner(app: Flask) -> None:
    where, ana, _ = judged(app, played(12))
    with ana.services.database.session() as session:
        match_id = where.rpartition("/")[2]
        session.add(tables.Clock(match_id=match_id, seat=1, phase="over", bank=0))
    given = ana.post(f"{where}/care/replace", {"seat": 1, "bot": "random", "reason": "gone"})
    assert given.status_code == 303
    closed = ana.post(f"{where}/care/close", {"winners": [0], "reason": "agreed"})
    assert closed.status_code == 303
    assert kinds(app, where)[-3:] == ["SeatReplaced", "Closed", "SeedRevealed"]
    assert stored(app, where).log[-2].event.winners == (0,)


# Who plays and cares for the match


def proposal(page: str) -> str:
    found = re.search(r'name="asked" value="(\d+)"', page)
    assert found
    return found[1]


def test_an_owner_who_plays_proposes_and_the_other_agrees_on_the_page(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    assert "You play in this match." in ana.get(f"{where}/care").text
    to, head = back(app, where), stored(app, where).head
    answer = ana.post(f"{where}/rewind/{to}", {"head": head, "reason": "a <b>slip</b>"})
    assert answer.status_code == 303
    assert kinds(app, where)[-1] == "ActProposed"
    page = ana.get(where).text
    assert "You may not decide this alone" in page
    assert "Waiting for Bo." in page
    assert "Take the proposal back" in page
    assert "Take the proposal back" in ana.get(f"{where}/care").text
    page = bo.get(where).text
    assert f"Ana proposes to go back to position {to}: a &lt;b&gt;slip&lt;/b&gt;" in page
    assert "Take the proposal back" not in page
    wish = {"asked": proposal(page), "agrees": "yes"}
    assert ana.post(f"{where}/proposal/answer", wish).status_code == 403
    assert bo.post(f"{where}/proposal/withdraw", wish).status_code == 403
    assert bo.post(f"{where}/proposal/answer", wish).status_code == 303
    assert kinds(app, where)[-3:] == ["ActProposed", "ProposalAnswered", "Rewound"]
    assert "Everybody agreed: it is done." in bo.get(where).text
    assert bo.post(f"{where}/proposal/answer", wish).status_code == 404


def test_a_proposal_is_taken_back_on_the_page(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    ana.post(f"{where}/care/close", {"winners": [0], "reason": "I win"})
    assert "Ana proposes to close the match, won by Ana: I win" in bo.get(where).text
    wish = {"asked": proposal(ana.get(where).text)}
    assert ana.post(f"{where}/proposal/withdraw", wish).status_code == 303
    assert "Something is proposed" not in bo.get(where).text


def test_the_table_is_told_that_its_owner_plays(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    assert "The owner plays" in bo.get(where).text
    own(come_in(app, "eve@example.org"), where)
    assert "The owner plays" not in bo.get(where).text
    with ana.services.database.session() as session:
        host = session.get_one(tables.Player, my_id(ana))
        row = create_table(
            session,
            host,
            "cuzco",
            "Open",
            ["me", None],
            options={},
            pace=None,
            public=True,
            at=NOON,
        )
        door = f"/m/{row.id}"
    assert "the owner plays" in bo.get(door).text


def test_the_page_of_undos_names_their_number(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    for visitor in (ana, bo):
        assert "At most 3 undos of one turn" in visitor.get(f"{where}/undo").text


def test_naming_handing_over_and_dismissing(app: Flask) -> None:
    where, ana, bea = two(app, played(12))
    assert f'{where}/care"' not in bea.get(where).text
    ana.post(f"{where}/care/name", {"player": bea.player.id})
    assert f'{where}/care"' in bea.get(where).text
    assert bea.get(f"{where}/care").status_code == 200
    ana.post(f"{where}/care/dismiss", {"player": bea.player.id})
    assert bea.get(f"{where}/care").status_code == 403
    ana.post(f"{where}/care/owner", {"player": bea.player.id, "reason": "I travel"})
    assert kinds(app, where)[-3:] == ["ModeratorNamed", "ModeratorDismissed", "OwnerChanged"]
    assert bea.get(f"{where}/care").status_code == 200


def test_players_ask_answer_and_are_told(app: Flask) -> None:
    where, ana, bea = two(app, played(40))
    match = stored(app, where)
    asker, other = (ana, bea) if match.log[-1].seat == 0 else (bea, ana)
    page = asker.get(f"{where}/undo").text
    places = [int(pos) for pos in re.findall(r'name="to" value="(\d+)"', page)]
    answer = asker.post(f"{where}/undo", {"to": places[-1], "reason": "a slip"})
    assert answer.status_code == 303
    shown = other.get(where).text
    assert "An undo is asked for" in shown
    asked = re.search(r'name="asked" value="(\d+)"', shown)
    assert asked
    assert (
        asker.post(f"{where}/undo/answer", {"asked": asked[1], "agrees": "yes"}).status_code == 403
    )
    other.post(f"{where}/undo/answer", {"asked": asked[1], "agrees": "yes"})
    assert kinds(app, where)[-3:] == ["UndoAsked", "UndoAnswered", "Rewound"]
    assert "An undo is asked for" not in other.get(where).text


def test_resigning_takes_two_pages(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    assert "A bot plays on for you" in bo.get(f"{where}/resign").text
    assert bo.post(f"{where}/resign", {"reason": "no time"}).status_code == 303
    assert bo.get(where).status_code == 404
    assert "gave up: no time" in ana.get(f"{where}/history").text


def test_the_audit_is_a_page_and_a_file_without_formulas(app: Flask) -> None:
    where, ana, bea = two(app, played(12))
    ana.post(f"{where}/care/pause", {"reason": "=1+1"})
    assert "paused the match" in ana.get(f"{where}/audit").text
    lines = list(csv.reader(io.StringIO(ana.get(f"{where}/audit.csv").text)))
    assert lines[1][-1] == "'=1+1"
    for path in ("audit", "audit.csv", "care"):
        assert bea.get(f"{where}/{path}").status_code == 403


def test_the_site_is_for_its_moderators(app: Flask) -> None:
    where, ana, _ = two(app, played(12))
    site = come_in(app, "site@example.org")
    for path in ("/site", "/site/audit", "/site/audit.csv"):
        assert site.get(path).status_code == 404
    assert ana.post(f"{where}/report", {"text": "<i>rude</i>"}).status_code == 303
    with services_of(app).database.session() as session:
        appoint_site_moderator(session, session.get_one(tables.Player, site.player.id), True, NOON)
    page = site.get("/site").text
    assert "&lt;i&gt;rude&lt;/i&gt;" in page
    assert site.get(where).status_code == 200
    number = re.search(r"/site/reports/(\d+)", page)
    assert number
    assert site.post(f"/site/reports/{number[1]}").status_code == 303
    assert "rude" not in site.get("/site").text
    assert "settled a report" in site.get("/site/audit").text


@pytest.mark.parametrize("path", ["care", "rewind/2", "audit", "undo", "resign", "report"])
def test_a_stranger_finds_nothing(app: Flask, path: str) -> None:
    where, _, _ = two(app, played(12))
    assert come_in(app, "eve@example.org").get(f"{where}/{path}").status_code == 404
