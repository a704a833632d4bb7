"""What follows when a match goes back: what was made for the part that went is void, and everybody is told once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flask import Flask
from sqlmodel import col, select

from app.eventstore.store import load_head, load_match
from app.mail.mime import Written
from app.matches.access import access_match
from app.matches.standing_orders import standing_by_line
from app.moderation.commands import OPERATOR
from app.platform import tables
from app.platform.services import Services
from engine.core import record
from engine.core.match import Match
from tests.app.browser import Visitor, letters, services_of
from tests.app.moderating import (
    ask_undo,
    pause_match,
    replace_player,
    restore_match,
    resume_match,
    rewind_match,
)
from tests.app.seated import FIRST, add, come_in, commit, late_match, my_id, now, own, played, two
from tests.app.test_relay import Fake
from workers import bots as worker
from workers.relay import drain

PLAY = re.compile(r"https?://\S+/play\?\S+")
WHY = "the cat sat on it"


def load(services: Services, where: str) -> Match:
    return load_match(services.database, where.rpartition("/")[2])


def back(visitor: Visitor, where: str, to: int, why: str = WHY) -> None:
    services = visitor.services
    rewind_match(
        services.database, where.rpartition("/")[2], OPERATOR, None, to, why, services.now()
    )


def kept(services: Services, *tables: type[tables.Draft | tables.Standing]) -> list[int]:
    with services.database.look() as session:
        return [len(session.exec(select(table)).all()) for table in tables]


def begun(app: Flask) -> tuple[str, Visitor, Visitor, int]:
    """Ana has laid a tile and ended her turn; the position before that."""
    where, ana, bo = two(app, played(0))
    start = load(ana.services, where).head
    assert commit(ana, where, FIRST, "end").status_code == 303
    return where, ana, bo, start


# Void


def test_drafts_and_standing_orders_are_void(app: Flask) -> None:
    where, ana, bo, start = begun(app)
    add(bo, where, "place village g8")
    with ana.services.database.session() as session:
        here = access_match(session, where.rpartition("/")[2], my_id(ana))
        standing_by_line(session, here, "up to 3, share")
    assert kept(ana.services, tables.Draft, tables.Standing) == [1, 1]
    back(ana, where, start)
    assert kept(ana.services, tables.Draft, tables.Standing) == [0, 0]


def test_each_player_gets_one_mail_with_the_reason_and_the_board(app: Flask) -> None:
    where, ana, _, start = begun(app)
    back(ana, where, start)
    for name, asked in (("ana", True), ("bo", False)):
        (told,) = letters(ana.services, f"{name}@example.org")
        assert told.subject == "A table: the match was taken back"
        assert f"The operator of this site went back to position {start}: {WHY}" in told.text
        assert "THE BOARD" in told.text
        assert ("ANSWER BY MAIL" in told.text) is asked


# Old links


def last_link(services: Services, email: str) -> str:
    link = urlsplit(PLAY.findall(letters(services, email)[-1].text)[0])
    return f"{link.path}?{link.query}"


def test_a_link_in_the_mail_of_an_undone_turn_says_so_and_shows_the_present(app: Flask) -> None:
    where, ana, bo, start = begun(app)
    link = last_link(ana.services, "bo@example.org")
    at_once = bo.client.get(link, follow_redirects=True)
    assert "This turn was undone" not in at_once.text
    head = load(ana.services, where).head
    back(ana, where, start, "a <b>slip</b>")
    page = bo.client.get(link, follow_redirects=True)
    assert page.status_code == 200
    assert "This turn was undone" in page.text
    assert "The operator of this site went back" in page.text
    assert "a &lt;b&gt;slip&lt;/b&gt;" in page.text
    restore_match(
        ana.services.database, where.rpartition("/")[2], OPERATOR, None, ana.services.now()
    )
    assert "This turn was undone" not in bo.client.get(link, follow_redirects=True).text
    for odd in ("0", "-3", str(head), "99999999999999999999", "x", ""):
        assert "was undone" not in bo.get(f"{where}?at={odd}").text


def test_a_page_made_for_an_undone_turn_says_by_whom_and_why(app: Flask) -> None:
    where, ana, bo, start = begun(app)
    form = now(bo, where)
    judge = come_in(app, "judge@example.org")
    own(judge, where)
    judge.post(f"{where}/rewind/{start}", {"head": form["head"], "reason": "I meant e12"})
    for action, more in (("commit", {"order": "end", "key": "k"}), ("draft", {"add": "end"})):
        late = bo.client.post(f"{where}/{action}", data={**form, **more})
        assert late.status_code == 409
        assert "This turn was undone" in late.text
        assert "The owner went back" in late.text
        assert "I meant e12" in late.text
        assert "Somebody moved meanwhile" not in late.text
    assert load(ana.services, where).log[-1].pos == int(form["head"]) + 1


def test_a_page_that_a_move_made_late_still_says_that(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    form = now(ana, where)
    back_to = load(ana.services, where).head
    commit(ana, where, "place triple g14 g16 h15")
    late = ana.client.post(f"{where}/commit", data={**form, "order": "end", "key": "other"})
    assert "Somebody moved meanwhile" in late.text
    back(ana, where, back_to)
    commit(ana, where, "place triple g14 g16 h15", key="third")
    form = now(ana, where)
    commit(ana, where, "end", key="fourth")
    late = ana.client.post(f"{where}/commit", data={**form, "order": "end", "key": "fifth"})
    assert "Somebody moved meanwhile" in late.text
    assert bo.get(where).status_code == 200


# Bots


def seat_of_bot(services: Services, where: str, number: int) -> None:
    """A bot plays the seat from now on."""
    with services.database.session() as session:
        replace_player(
            session,
            where.rpartition("/")[2],
            OPERATOR,
            number,
            None,
            "random",
            "gone",
            None,
            services.now(),
        )


def waits_for_bot(services: Services, where: str) -> bool:
    with services.database.look() as session:
        return session.get_one(tables.Match, where.rpartition("/")[2]).bot_at is not None


def test_a_bot_is_asked_again_wherever_its_turn_comes_back(app: Flask) -> None:
    where, ana, _, start = begun(app)
    services, match_id = ana.services, where.rpartition("/")[2]
    assert not waits_for_bot(services, where)
    seat_of_bot(services, where, 1)
    assert waits_for_bot(services, where)
    for act, waits in ((pause_match, False), (resume_match, True)):
        with services.database.session() as session:
            act(session, match_id, OPERATOR, "lunch", None, services.now())
        assert waits_for_bot(services, where) is waits
    back(ana, where, start)  # into Ana's turn
    assert not waits_for_bot(services, where)
    restore_match(services.database, match_id, OPERATOR, None, services.now())
    assert waits_for_bot(services, where)
    bots_turn, soon = load(services, where).timeline.effective[-1].pos, later(services)
    services.now = lambda: soon
    worker.play(services)
    after = load(services, where).head
    assert {entry.seat for entry in load(services, where).log[bots_turn:]} >= {1}
    back(ana, where, bots_turn)  # into the bot's turn
    assert waits_for_bot(services, where)
    again = later(services)
    services.now = lambda: again
    worker.play(services)
    assert load(services, where).head > after + 1


def later(services: Services) -> datetime:
    return services.now() + timedelta(minutes=5)


def test_a_bot_is_asked_when_a_player_gives_up(app: Flask) -> None:
    where, ana, bo, _ = begun(app)
    assert bo.post(f"{where}/resign", {"reason": "no time"}).status_code == 303
    assert waits_for_bot(ana.services, where)


# Chance


def test_what_is_drawn_after_going_back_is_drawn_anew_and_can_be_checked(app: Flask) -> None:
    """The same order at the same place of the match, ten times: not always the same card."""
    where, ana, _ = two(app, played(0))
    start = load(ana.services, where).head
    cards = set()
    for number in range(10):
        commit(ana, where, FIRST, "draw pile", key=f"draw{number}")
        match = load(ana.services, where)
        cards.add(match.log[-1].event.card)
        back(ana, where, start)
    assert len(cards) > 1
    assert record.verify(record.read(record.export(load(ana.services, where)))).sound


def test_mails_of_the_cut_part_that_wait_never_go_out(app: Flask) -> None:
    where, ana, _, start = begun(app)
    back(ana, where, start)
    tomorrow = services_of(app).now() + timedelta(days=1)
    ana.services.now = lambda: tomorrow
    letters(ana.services, "bo@example.org")
    with ana.services.database.look() as session:
        query = select(tables.Outbox).order_by(col(tables.Outbox.id))
        states = {(row.kind, row.state) for row in session.exec(query)}
    assert states == {("turn", "dropped"), ("rewound", "sent")}


def test_what_was_said_at_the_table_goes_out_though_the_turn_was_cut(app: Flask) -> None:
    where, ana, bo, start = begun(app)
    with ana.services.database.session() as session:
        session.get_one(tables.Player, my_id(bo)).mail_preferences = {"talk": True}
    ana.post(f"{where}/talk", {"text": "a slip of mine"})
    back(ana, where, start)
    said = [letter.text for letter in letters(ana.services, "bo@example.org")]
    assert any("a slip of mine" in text for text in said)


class TurningBack(Fake):
    """A way to send on which the match is taken back as the first mail leaves."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__()
        self.act = act

    def send(self, row: tables.Outbox, message: Written) -> None:
        if not self.sent:
            self.act()
        super().send(row, message)


def test_a_mail_of_the_cut_part_that_a_relay_holds_already_is_not_sent(app: Flask) -> None:
    where, ana, bo, start = begun(app)
    letters(ana.services, "bo@example.org")
    Visitor(app).post("/sign-in", {"email": "eve@example.org"})
    assert commit(bo, where, "place triple g8 g10 h9", "end").status_code == 303
    way = TurningBack(lambda: back(ana, where, start))  # to Ana's turn, as it is now
    drain(ana.services, way)
    assert [(mail["To"], mail["X-Chasqui-News"]) for mail in way.sent[1:]] == [
        ("ana@example.org", "A table: the match was taken back"),
        ("bo@example.org", "A table: the match was taken back"),
    ]


def test_who_goes_on_in_the_same_session_sees_the_match_as_it_stands(app: Flask) -> None:
    where, ana, _ = two(app, played(0))
    services, match_id = ana.services, where.rpartition("/")[2]
    start = load(services, where).head
    commit(ana, where, FIRST)
    with services.database.session() as session:
        row = session.get_one(tables.Match, match_id)
        assert row.head == start + 1
        assert ask_undo(session, match_id, my_id(ana), start, WHY, None, services.now())
        assert row.head == load_head(session.connection(), match_id) == start + 3
