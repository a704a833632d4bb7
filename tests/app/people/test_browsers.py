"""Sessions: which browsers are signed in, ending one, an end in any case, and a mail about a new browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from flask import Flask
from sqlmodel import select

from app.people.browsers import name_browser
from app.platform import tables
from app.platform.settings import Settings
from app.platform.tokens import seal_value
from tests.app.browser import LINK, Visitor, letters
from tests.app.kept import NOON
from tests.app.people.test_sessions import cookie

Door = Callable[[str], Visitor]
EMAIL = "ana@example.org"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1"
)
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"
NEW = "Somebody signed in from a new browser"


def coming(app: Flask, agent: str, email: str = EMAIL) -> Visitor:
    """A browser that calls itself so, signed in."""
    visitor = Visitor(app)
    visitor.client.environ_base["HTTP_USER_AGENT"] = agent
    return visitor.sign_in(email)


def told(visitor: Visitor, email: str = EMAIL) -> list[str]:
    """The subjects of the mails that are no sign-in links."""
    mails = letters(visitor.services, email)
    return [mail.subject for mail in mails if not LINK.search(mail.text)]


def numbers(visitor: Visitor) -> dict[str, int]:
    with visitor.services.database.look() as session:
        rows = session.exec(select(tables.Session).where(tables.Session.ended_at == None))  # noqa: E711
        return {row.browser: row.id or 0 for row in rows}


# What they are called


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox · Linux"),
        (IPHONE, "Safari · iPhone"),
        (CHROME, "Chrome · Windows"),
        (f"{CHROME} Edg/126.0", "Edge · Windows"),
        (f"{CHROME} OPR/112.0", "Opera · Windows"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126 Mobile Safari/537.36", "Chrome · Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17 Safari/605", "Safari · macOS"),
        ("curl/8.5", ""),
        ("", ""),
        ("<script>alert(1)</script>", ""),
    ],
)  # fmt: skip
def test_a_browser_is_called_as_people_call_it(agent: str, name: str) -> None:
    assert name_browser(agent) == name


# The list


def test_the_account_page_lists_the_browsers_that_are_signed_in(app: Flask) -> None:
    laptop, phone = coming(app, FIREFOX), coming(app, IPHONE)
    page = laptop.get("/account").text
    lines = re.findall(r"<li><div><strong>([^<]*)</strong>(.*?)</li>", page, re.DOTALL)
    assert {name: "badge good" in rest for name, rest in lines} == {
        "Firefox · Linux": True,
        "Safari · iPhone": False,
    }
    assert "Last seen:" in page
    phone.post("/sign-out")
    assert "Safari · iPhone</strong>" not in laptop.get("/account").text


def test_one_browser_is_ended_and_the_others_stay(app: Flask) -> None:
    laptop, phone = coming(app, FIREFOX), coming(app, IPHONE)
    response = laptop.post(f"/account/sessions/{numbers(laptop)['Safari · iPhone']}/end")
    assert response.headers["Location"] == "/account#access"
    assert [v.get("/account").status_code for v in (laptop, phone)] == [200, 303]


def test_nobody_ends_the_session_of_another(app: Flask) -> None:
    ana, bo = coming(app, FIREFOX), coming(app, IPHONE, "bo@example.org")
    bo.post(f"/account/sessions/{numbers(ana)['Firefox · Linux']}/end")
    assert ana.get("/account").status_code == 200


# Its end


def test_a_session_ends_a_year_after_it_was_made_whatever_it_did(signed_in: Door) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in(EMAIL)
        secret = cookie(ana)
        for _ in range(6):
            clock.shift(timedelta(days=60))
            assert ana.post("/language", {"language": "en"}).status_code == 303
        assert ana.get("/account").status_code == 200
        clock.shift(timedelta(days=5))
        ana.client.set_cookie(
            "chasqui-session", str(secret)
        )  # a browser that keeps it all the same
        assert ana.get("/account").status_code == 303


def test_the_cookie_lasts_as_long_as_the_session_may(app: Flask) -> None:
    """It lasted 90 days from the sign-in, however much its owner did."""
    ana = Visitor(app).sign_in(EMAIL)
    kept = ana.client.get_cookie("chasqui-session")
    assert kept
    assert kept.max_age == 365 * 24 * 3600


# A mail about a new browser


def test_the_first_sign_in_of_a_new_account_is_no_news(app: Flask) -> None:
    assert told(coming(app, FIREFOX)) == []


def test_a_sign_in_from_a_new_browser_is_told_by_mail_once(app: Flask) -> None:
    coming(app, FIREFOX)
    phone = coming(app, IPHONE)
    assert told(phone) == [NEW]
    mail = letters(phone.services, EMAIL)[-1]
    assert "Safari · iPhone" in mail.text
    assert "/account#access" in mail.text
    assert mail.html
    assert "Safari · iPhone" in mail.html
    phone.post("/sign-out")
    phone.sign_in(EMAIL)
    assert told(phone) == [NEW]


def test_a_browser_is_known_to_each_who_signed_in_with_it(app: Flask) -> None:
    shared = coming(app, FIREFOX)
    shared.sign_in("bo@example.org")
    coming(app, IPHONE, "bo@example.org")
    shared.sign_in(EMAIL)
    assert told(shared) == []
    shared.sign_in("bo@example.org")
    assert told(shared, "bo@example.org") == [NEW]  # the phone


def test_who_only_signs_in_once_more_has_no_new_browser(app: Flask) -> None:
    """Sessions from before there was such a cookie too."""
    ana = coming(app, FIREFOX)
    ana.client.delete_cookie("chasqui-browser")
    ana.sign_in(EMAIL)
    assert told(ana) == []


def test_after_signing_out_everywhere_every_browser_is_new(app: Flask) -> None:
    ana = coming(app, FIREFOX)
    ana.post("/sign-out/everywhere")
    ana.sign_in(EMAIL)
    assert told(ana) == [NEW]


def test_nobody_can_forge_that_a_browser_is_known(app: Flask, settings: Settings) -> None:
    ana = coming(app, FIREFOX)
    thief = Visitor(app)
    for forged in ("x", seal_value(settings, "calendar", [[1, 0]]), "W1sxLDBdXQ.abc"):
        thief.client.set_cookie("chasqui-browser", forged)
        thief.sign_in(EMAIL)
        thief.post("/sign-out")
        thief.client.delete_cookie("chasqui-browser")
    assert told(ana) == [NEW] * 3


@pytest.mark.parametrize(
    ("language", "subject"),
    [("fr", "Quelqu’un s’est connecté avec un nouveau navigateur"), ("pt_BR", "Alguém entrou com um navegador novo")],
)  # fmt: skip
def test_the_mail_speaks_the_language_of_its_reader(
    app: Flask, language: str, subject: str
) -> None:
    coming(app, FIREFOX).post("/language", {"language": language})
    assert told(coming(app, IPHONE)) == [subject]


# The access log


def test_the_person_reads_when_and_how_somebody_came_in(app: Flask) -> None:
    coming(app, FIREFOX)
    ana = coming(app, IPHONE)
    page = ana.get("/account").text
    assert page.count("signed in by a mailed link") == 2
    assert "<td>Firefox · Linux</td>" in page
    ana.post("/sign-out/everywhere")
    assert "signed out everywhere" in ana.sign_in(EMAIL).get("/account").text


def test_nobody_else_reads_it(app: Flask) -> None:
    coming(app, FIREFOX)
    bo = coming(app, IPHONE, "bo@example.org")
    assert "Firefox" not in bo.get("/account").text
    assert bo.get("/site/people/1").status_code == 404


def test_the_export_has_it_and_leaving_takes_it_away(app: Flask) -> None:
    ana = coming(app, FIREFOX)
    assert "Firefox" in ana.get("/account/export").text
    ana.post("/account/delete")
    with ana.services.database.look() as session:
        kept = [list(session.exec(select(m))) for m in (tables.AccessEvent, tables.Session)]
    assert "Firefox" not in str(kept)
