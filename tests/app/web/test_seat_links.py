"""The link of a mail plays its seat without signing in: that seat of that match, and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta

from flask import Flask

from app.eventstore.store import load_match
from app.outbox.notifications import notify_seats
from app.platform import tables
from tests.app.browser import Visitor, letters
from tests.app.seated import FIRST, commit, late_match, my_id, now, seat, two


def mailed_link(ana: Visitor) -> str:
    with ana.services.database.session() as session:
        notify_seats(session, "latematch2", 2, (0,), "turn", at=ana.services.now())
    found = re.search(
        r"https?://[^\s/]+(/m/latematch2/play\S+)",
        letters(ana.services, "ana@example.org")[-1].text,
    )
    assert found
    return found[1].rstrip(">")


def test_the_link_of_a_mail_plays_a_turn_without_a_second_mail(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    link, phone = mailed_link(ana), Visitor(app)
    onward = phone.get(link)
    assert "key=" not in onward.headers["Location"]
    page = phone.get(where)
    assert page.status_code == 200
    assert "It is your turn." in page.text
    for part in ("parts", "frames"):  # what the page's script asks for
        assert phone.get(f"{where}/{part}").status_code == 200, part
    assert commit(phone, where, "place triple g14 g16 h15").status_code == 303, FIRST


def test_it_opens_nothing_else(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    phone = Visitor(app)
    phone.get(mailed_link(ana))
    for path in ("/account", "/matches", f"{where}/mails", f"{where}/resign", "/account/tokens"):
        answer = phone.get(path)
        assert answer.status_code == 303, path
        assert "/sign-in" in answer.headers["Location"]
    assert phone.post(f"{where}/note", {"text": "x"}).status_code == 303
    assert ana.get("/").text.count("Ana") > 0
    assert "Sign in by mail" in phone.get("/").text


def test_it_ends_when_it_is_old_or_the_seat_is_anothers(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    phone = Visitor(app)
    phone.get(mailed_link(ana))
    assert phone.get(where).status_code == 200
    with ana.services.database.session() as session:
        session.get_one(tables.Seat, ("latematch2", 0)).player_id = bo.player.id
    assert phone.get(where).status_code == 303
    with ana.services.database.session() as session:
        session.get_one(tables.Seat, ("latematch2", 0)).player_id = ana.player.id
    assert phone.get(where).status_code == 200
    later = ana.services.now() + timedelta(days=40)
    ana.services.now = lambda: later
    assert phone.get(where).status_code == 303
    assert Visitor(app).get(f"{where}/play?key=madeup").headers["Location"].startswith("/sign-in")


def test_signing_out_everywhere_ends_it(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    phone = Visitor(app)
    phone.get(mailed_link(ana))
    assert phone.get(where).status_code == 200
    ana.post("/sign-out/everywhere")
    assert phone.get(where).status_code == 303


def test_it_is_of_one_match_and_plays_one_seat(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    other = seat(ana.services, late_match("othermatch"), my_id(ana), my_id(bo))
    link, phone = mailed_link(ana), Visitor(app)
    phone.get(link)
    assert phone.get(where).status_code == 200
    assert phone.get(other).status_code == 303  # Ana plays there too, but it is not this key's
    carried = Visitor(app).get(link.replace(where, other))
    assert carried.headers["Location"].startswith("/sign-in")
    form = {**now(phone, where), "order": "place triple g14 g16 h15", "key": "k", "seat": "1"}
    phone.client.post(f"{where}/commit", data=form)  # whichever seat the form names
    played = load_match(ana.services.database, "latematch2").log[2:]
    assert {entry.seat for entry in played} == {0}


def test_a_link_only_opens_a_page_whatever_it_says(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    link = mailed_link(ana)
    assert "key=" in link
    for who in (ana, Visitor(app)):
        assert who.get(f"{link}&order=place+triple+g14+g16+h15").status_code == 303
        assert who.get(f"{where}?order=place+triple+g14+g16+h15").status_code == 200
    assert head(ana) == 2


def test_after_the_end_it_plays_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    phone = Visitor(app)
    phone.get(mailed_link(ana))
    form = {**now(phone, where), "order": "place triple g14 g16 h15", "key": "k"}
    with ana.services.database.session() as session:
        session.get_one(tables.Match, "latematch2").status = "closed"
    assert phone.client.post(f"{where}/commit", data=form).status_code == 403
    assert head(ana) == 2


def head(visitor: Visitor) -> int:
    return load_match(visitor.services.database, "latematch2").head
