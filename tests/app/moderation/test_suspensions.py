"""A suspended account: it is shut out everywhere and told why; its seats are played as their tables agreed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from click.testing import CliRunner, Result
from flask import Flask
from sqlmodel import select

from app.cli.main import main
from app.mail.compose import compose_mail
from app.mail.outgoing.template import Unwanted
from app.matches.tables import create_table
from app.moderation.moderators import appoint_site_moderator, load_candidates
from app.people.api_tokens import make_api_token
from app.platform import tables
from app.platform.services import Services
from app.platform.settings import Settings
from app.views.audit_log import load_deeds
from tests.app.answering import address, answer, head, table
from tests.app.browser import Visitor, letters, newest_link
from tests.app.kept import NOON
from tests.app.seated import FIRST, come_in, late_match, my_id, played, seat
from workers.deadlines import sweep

Door = Callable[[str], Visitor]
WHY = "Insults at three tables"
SAID = f"This account is suspended by the moderators of this site: {WHY}"


@pytest.fixture
def site(app: Flask) -> Visitor:
    """A moderator of the site."""
    visitor = come_in(app, "mod@example.org", "Mo")
    with visitor.services.database.session() as session:
        appoint_site_moderator(session, session.get_one(tables.Player, my_id(visitor)), True, NOON)
    return visitor


def suspend(site: Visitor, whom: Visitor, reason: str = WHY, act: str = "suspend") -> int:
    where = f"/site/people/{my_id(whom)}/{act}"
    return site.post(where, {"reason": reason}).status_code


# Who is shut out, and from what


def test_a_suspended_account_is_signed_out_and_cannot_sign_in(
    site: Visitor, signed_in: Door
) -> None:
    ana = signed_in("ana@example.org")
    assert suspend(site, ana) == 303
    assert ana.get("/account").status_code == 303
    ana.post("/sign-in", {"email": "ana@example.org"})
    ana.follow(newest_link(ana.services, "ana@example.org"))
    response = ana.post("/sign-in/confirm")
    assert response.status_code == 403
    assert SAID in response.text
    assert ana.get("/account").status_code == 303


def test_asking_for_a_link_tells_nobody_that_an_account_is_suspended(
    site: Visitor, signed_in: Door, client: Visitor
) -> None:
    suspend(site, signed_in("ana@example.org"))
    answers = [
        client.post("/sign-in", {"email": email})
        for email in ("ana@example.org", "nobody@example.org")
    ]
    assert len({(a.status_code, a.headers["Location"]) for a in answers}) == 1


def test_a_session_that_were_left_would_open_nothing(site: Visitor, app: Flask) -> None:
    """The door asks for itself, whatever became of the sessions."""
    ana = come_in(app, "ana@example.org")
    where = seat(ana.services, late_match(), my_id(ana), my_id(site))
    with ana.services.database.session() as session:
        row = session.get_one(tables.Player, my_id(ana))
        row.suspended_at, row.suspended_why = NOON, WHY
    assert ana.get("/account").status_code == 303
    assert ana.client.get(where).status_code == 303  # to sign in, which is refused


def test_its_tokens_open_nothing_until_the_suspension_is_lifted(site: Visitor, app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    with ana.services.database.session() as session:
        token = make_api_token(session, my_id(ana), "bot", ana.services.now())
    headers = {"Authorization": f"Bearer {token}"}
    suspend(site, ana)
    for path in ("/games", "/matches"):
        response = app.test_client().get(f"/api/v1{path}", headers=headers)
        assert response.status_code == 403
        assert response.json
        assert response.json["error"] == {"code": "forbidden", "message": SAID}
    suspend(site, ana, "a mistake", "lift")
    assert app.test_client().get("/api/v1/games", headers=headers).status_code == 200


def test_its_answers_by_mail_are_not_played_and_told_why(services: Services) -> None:
    match = played(0)
    ana, _ = table(services, match, "ana", "bo")
    with services.database.session() as session:
        row = session.get_one(tables.Player, ana)
        row.suspended_at, row.suspended_why = NOON, WHY
    to = address(services, match.id, 0, ana)
    assert answer(services, to, FIRST, "thief@example.org") == "refused"
    for body in (FIRST, "status", "agree"):
        assert answer(services, to, body) == "refused"
    assert head(services, match.id) == match.head
    stranger, *own = [mail.text.replace("\n", " ") for mail in letters(services, "ana@example.org")]
    assert WHY not in stranger
    assert [SAID in text for text in own] == [True] * 3


def test_the_calendar_link_is_void(site: Visitor, signed_in: Door, client: Visitor) -> None:
    ana = signed_in("ana@example.org")
    feed = ana.get("/account").text.partition('class="share" readonly value="')[2].partition('"')[0]
    path = "/calendar/" + feed.rpartition("/")[2]
    assert client.get(path).status_code == 200
    suspend(site, ana)
    assert client.get(path).status_code == 404


def test_no_mail_about_a_match_goes_to_it(site: Visitor, app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    match = late_match()
    seat(ana.services, match, my_id(ana), my_id(site))
    suspend(site, ana)
    turn = tables.Outbox(kind="turn", match_id=match.id, pos=match.head, player_id=my_id(ana))
    with ana.services.database.look() as session, pytest.raises(Unwanted, match="suspended"):
        compose_mail(session, ana.services, turn)


def test_nobody_is_invited_in_its_name(site: Visitor, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    with ana.services.database.session() as session:
        player = session.get_one(tables.Player, my_id(ana))
        wish = ["me", {"email": "x@example.org"}]
        create_table(
            session,
            player,
            "cuzco",
            None,
            wish,
            options=None,
            pace=None,
            public=False,
            at=ana.services.now(),
        )
    suspend(site, ana)
    assert letters(ana.services, "x@example.org") == []


def test_its_clocks_run_on_and_the_table_goes_on_as_agreed(site: Visitor, app: Flask) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
        site.sign_in("mod@example.org")
        body = {"game": "cuzco", "seats": ["me", {"email": "bo@example.org"}]}
        with ana.services.database.session() as session:
            token = make_api_token(session, my_id(ana), "bot", NOON)
            other = make_api_token(session, my_id(bo), "bot", NOON)
        body["pace"] = {"hours": 24, "bank_hours": 0, "on_timeout": "bot"}
        client, mine = app.test_client(), {"Authorization": f"Bearer {token}"}
        made = client.post("/api/v1/matches", json=body, headers=mine).get_json()
        where = f"/api/v1/matches/{made['id']}"
        theirs = {"Authorization": f"Bearer {other}"}
        client.post(f"{where}/join", json={}, headers=theirs)
        match = client.get(where, headers=mine).get_json()
        first = ana if match["my_seat"] in match["to_act"] else bo
        assert suspend(site, first) == 303
        clock.shift(timedelta(hours=25))
        sweep(ana.services)
        with ana.services.database.look() as session:
            seats = list(session.exec(select(tables.Seat)))
        (late,) = [one for one in seats if one.player_id == my_id(first)]
        assert late.bot is not None
        assert [one.bot for one in seats if one is not late] == [None]


# Who may, and what is kept of it


def test_the_person_is_told_by_mail_and_again_when_it_is_lifted(
    site: Visitor, signed_in: Door
) -> None:
    ana = signed_in("ana@example.org")
    suspend(site, ana)
    suspend(site, ana, "Sorry", "lift")
    shut, opened = letters(ana.services, "ana@example.org")[-2:]
    assert (shut.subject, opened.subject) == (
        "Your account is suspended",
        "Your account is open again",
    )
    assert WHY in shut.text
    assert "Sorry" in opened.text
    ana.sign_in("ana@example.org")
    assert ana.get("/account").status_code == 200


def test_it_stands_in_the_audit_with_reason_and_name(site: Visitor, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/account", {"name": "Ana", "language": "en", "timezone": "UTC"})
    suspend(site, ana)
    suspend(site, ana, "Sorry", "lift")
    with site.services.database.look() as session:
        lifted, done = load_deeds(session)[:2]
    assert (done.act, str(done.name), str(done.whom), done.reason) == (
        "suspended", "Mo", "Ana", WHY,
    )  # fmt: skip
    assert (lifted.act, lifted.reason) == ("suspension lifted", "Sorry")
    page = site.get("/site/audit").text
    assert "suspended an account: <bdi>Ana</bdi>" in page
    assert WHY in page
    assert WHY in site.get("/site/audit.csv").text


def test_it_needs_a_fresh_sign_in_and_a_reason(site: Visitor, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    assert suspend(site, ana, " ") == 400
    with site.services.database.session() as session:
        for row in session.exec(select(tables.Session)):
            row.fresh_at = row.fresh_at - timedelta(minutes=16)
    assert suspend(site, ana) == 403
    assert suspend(site, ana, act="lift") == 403
    assert ana.get("/account").status_code == 200


def test_moderators_of_the_site_do_not_suspend_each_other_or_themselves(
    site: Visitor, app: Flask
) -> None:
    other = come_in(app, "other@example.org")
    with site.services.database.session() as session:
        appoint_site_moderator(session, session.get_one(tables.Player, my_id(other)), True, NOON)
    assert suspend(site, other) == 403
    assert suspend(site, site) == 403
    assert other.get("/account").status_code == 200


def test_twice_is_once_and_nobody_is_nobody(site: Visitor, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    assert suspend(site, ana, act="lift") == 403
    assert suspend(site, ana) == 303
    assert suspend(site, ana) == 403
    assert site.post("/site/people/999/suspend", {"reason": WHY}).status_code == 404
    assert site.get("/site/people/999").status_code == 404


def test_a_match_is_not_put_into_its_hands(site: Visitor, app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    match = late_match()
    seat(ana.services, match, my_id(ana), my_id(bo))
    suspend(site, bo)
    with ana.services.database.look() as session:
        assert [one.id for one in load_candidates(session, match.id)] == [my_id(ana)]


# Finding somebody


def test_people_are_found_by_name_or_whole_address_and_no_address_is_shown(
    site: Visitor, app: Flask
) -> None:
    come_in(app, "ana@example.org", "Ana the Bold")
    for words, found in (
        ("bold", True),
        ("ana@example.org", True),
        ("Ana@Example.org", True),
        ("ana@", False),
        ("example.org", False),
        ("%", False),
        ("_na", False),
        ("bol\x00d", True),
    ):
        page = site.get("/site/people", query_string={"q": words}).text
        assert ("Ana the Bold" in page) == found, words
    assert "ana@example.org" not in site.get("/site/people?q=bold").text
    assert "ana@example.org" not in site.get(f"/site/people/{my_id(come_in(app, 'x@y.org'))}").text


# The operator


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["suspend", *words])


def test_an_operator_suspends_and_lifts_moderators_too(
    settings: Settings, site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(settings.data_dir))
    assert run("mod@example.org", "--reason", WHY).exit_code == 0
    assert site.get("/site").status_code == 404
    assert "is suspended already" in run("mod@example.org", "--reason", WHY).output
    assert run("mod@example.org", "--reason", "Sorry", "--lift").exit_code == 0
    assert site.sign_in("mod@example.org").get("/site").status_code == 200
    assert run("nobody@example.org", "--reason", WHY).exit_code == 1
    assert run("mod@example.org").exit_code == 2
    token = CliRunner().invoke(main, ["token", "mod@example.org"])
    assert token.exit_code == 0
    run("mod@example.org", "--reason", WHY)
    assert CliRunner().invoke(main, ["token", "mod@example.org"]).exit_code == 1
