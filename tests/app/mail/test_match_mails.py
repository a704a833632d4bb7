"""Mails about a match: every kind in every language, with everything that its reader needs to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from functools import cache
from gettext import NullTranslations
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.mail.outgoing.template import Unwanted
from app.mail.reply_addresses import Answerer, marker_line, read_reply_address
from app.platform import tables
from app.platform.i18n import LANGUAGES, SOURCE, load_catalog
from app.platform.services import EXTENSION_KEY, Services
from app.platform.tables import Language
from app.views.board_pictures import close_up_board, outline_places
from app.views.seat_colours import mail_colours
from engine.core.match import Match, rewind, start_at
from engine.core.registry import find
from tests.app.api.test_secrets import MINE, PEOPLE, RICH, started
from tests.app.mail_kinds import KINDS, REASON, STATUS, act, called_for, composed, text
from tests.app.post_office import post_office
from tests.app.seated import late_match, played
from tests.app.service import NOON, Service
from tests.app.test_relay import settings_to
from workers.relay import drain

DEADLINE = NOON + timedelta(hours=44)
READER = "seat0"


pytestmark = pytest.mark.people(*PEOPLE)


def services(service: Service) -> Services:
    found: Services = service.app.extensions[EXTENSION_KEY]
    return found


def seated(service: Service, match: Match, kind: str = "turn", **changes: Any) -> None:
    """A match at which the reader, another and a third sit, with a deadline."""
    service.put_match(match, PEOPLE[1 : 1 + len(match.game.scores(match.state))])
    with service.database.session() as session:
        row = session.get_one(tables.Match, match.id)
        row.deadline, row.status = DEADLINE, STATUS.get(kind, row.status)  # type: ignore[assignment]
        for name, value in changes.items():
            setattr(row, name, value)
        session.add(row)


@contextmanager
def person(service: Service, name: str = READER) -> Iterator[tables.Player]:
    with service.database.session() as session:
        player = session.get_one(tables.Player, service.ids[name])
        yield player
        session.add(player)


def mailed(
    service: Service, match: Match, kind: str, name: str = READER, pictures: bool = False
) -> EmailMessage:
    with service.database.session() as session:
        row = called_for(session, match, kind, service.ids[name], NOON)
        session.expunge(row)
    return composed(services(service), row, pictures)


def table(kind: str) -> Match:
    return KINDS[kind](started([MINE, RICH, RICH], "seed"))


@cache
def whole() -> Match:
    """A match played to its end."""
    return played(10_000)


def reader_of(kind: str) -> str:
    return "seat1" if kind == "question" else READER


class Missed(NullTranslations):
    """Notes what has words and no translation."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def gettext(self, message: str) -> str:
        if re.search(r"\w", re.sub(r"\{\w+\}", "", message)):
            self.messages.append(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.messages.append(msgid1)
        return msgid1 if n == 1 else msgid2


UNFILLED = re.compile(r"\{\w*\}|%\(\w+\)|\bNone\b|Undefined|<bound|Sentence\(")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [*KINDS, "over"])
def test_every_kind_is_said_whole_in_every_language(
    service: Service, monkeypatch: pytest.MonkeyPatch, kind: str, language: Language
) -> None:
    missed = Missed()
    if language != SOURCE:
        monkeypatch.setattr(load_catalog(language), "_fallback", missed)
    match = whole() if kind == "over" else table(kind)
    seated(service, match, kind)
    with person(service, reader_of(kind)) as player:
        player.language, player.timezone = language, "America/Lima"
        player.mail_preferences = {"talk": True}
    message = mailed(service, match, kind, reader_of(kind))
    assert missed.messages == []
    assert message["Content-Language"] == language.replace("_", "-")
    for part in ("plain", "html"):
        said = text(message, part)
        assert "A table" in said
        assert not UNFILLED.search(said), UNFILLED.search(said)
    if kind in ("rewound", "paused", "resumed", "extended", "replaced", "closed", "undo"):
        assert REASON in " ".join(text(message).split())
    assert max(map(len, message.as_bytes().split(b"\r\n"))) <= 998
    english = {"en": "Deadline:", "fr": "Échéance", "pt_BR": "Prazo"}[language]
    assert (english in text(message)) == (kind not in ("over", "paused", "closed"))


def test_a_turn_mail_has_what_a_decision_needs(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    with person(service) as player:
        player.timezone = "Europe/Paris"
    message = mailed(service, match, "turn", pictures=True)
    assert message["X-Chasqui-News"] == "A table: your turn"
    for said in (text(message), text(message, "html")):
        assert "It is your turn." in said
        assert "tumi+quipu" in said  # the hand
        assert "5 AP left" in said
        assert "Tue 31 Mar 2026, 10:00 GMT+02:00" in said  # the clocks have changed
        assert "(in 2 days)" in said
        assert f"/m/{match.id}/play" in said
        assert "festival e14 tumi" in said  # an example of a legal order
        assert match.hash in said
        assert marker_line("en") in said
    plain = text(message)
    assert plain.startswith(marker_line("en"))
    assert match.game.chart(match.game.view(match.state, 0), str).splitlines()[4] in plain
    assert len(plain) < 8000  # a few of thousands of orders
    assert 'src="cid:board.' in text(message, "html")


def test_news_are_those_since_the_readers_last_turn(service: Service) -> None:
    match = act("place village g8", "end", "place village h9", "draw pile", "end")(table("turn"))
    seated(service, match)
    other = mailed(service, match, "turn", "seat2")
    assert re.search(r"Seat0 laid .*g8", text(other))
    assert "drew" in text(other)
    assert "Since your last turn" in text(other, "html")


def test_a_question_of_the_game_has_its_answers_as_links_and_as_lines(service: Service) -> None:
    match = table("question")
    seated(service, match)
    message = mailed(service, match, "question", "seat1")
    assert (
        message["X-Chasqui-News"]
        == "A table: you are asked for an answer (Festival in the city of e14)"
    )
    legal = [match.game.format(action) for action in match.game.legal(match.state, 1)]
    for order in legal:
        assert f"\n  {order}\n" in text(message)
        assert f"/play?order={order.replace(' ', '+')}" in text(message, "html").replace("%2B", "+")
    assert "Seat0 1 FP" in text(message)
    assert "Open card: tumi" in text(message)


def test_the_link_fills_the_order_in_and_does_nothing(service: Service) -> None:
    match = table("question")
    seated(service, match)
    client = service.app.test_client()
    answer = client.get(f"/m/{match.id}/play?order=pass")
    assert answer.status_code == 303
    assert urlsplit(answer.headers["Location"]).path == "/sign-in"
    assert "order%3Dpass" in answer.headers["Location"]


def test_the_headers_thread_and_let_go(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    first, second = (mailed(service, match, kind) for kind in ("turn", "reminder"))
    assert first["References"] == first["In-Reply-To"] == second["References"]
    assert first["Message-ID"] != second["Message-ID"]
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Id"]
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert first["List-Unsubscribe"] in [f"<{found}>" for found in links(first)]
    settings = services(service).settings
    found = read_reply_address(settings, str(first["Reply-To"]))
    assert found == Answerer(match.id, 0, service.ids[READER], match.head)


def links(message: EmailMessage) -> list[str]:
    return re.findall(r"https?://\S+", text(message))


def test_over_ranks_the_table_and_opens_everything(service: Service) -> None:
    match = whole()
    seated(service, match, "over")
    message = mailed(service, match, "over")
    won = match.game.winners(match.state)
    assert message["X-Chasqui-News"] == "A table: the match is over"
    ranked = re.findall(r"^ +(\d+)  ([A-D]) ", text(message), re.MULTILINE)
    assert ranked[0] == (str(max(match.game.scores(match.state))), "AB"[won[0]])
    assert len(ranked) == len(match.game.scores(match.state))
    assert "winner" in text(message)
    assert re.search(r"It was won by [A-Z]\w+( and [A-Z]\w+)*\.", text(message))


# An empire, whose board is full of small things


def third_to_lay() -> Match:
    """Two have laid their sun cards, and the reader has seen them do so."""
    laid = act("sun wild_road orange-brown", "sun epidemic brown-green")
    return laid(start_at(find("tahuantinsuyu"), SUNNY, "seed", "sunny"))


SUNNY: dict[str, Any] = {
    "seats": 3,
    "period": 1,
    "step": 1,
    "order": [1, 2, 0],
    "hands": [["el_nino"], ["wild_road"], ["epidemic"]],
}


def test_a_mail_tells_who_the_letters_are_and_no_sector_is_broken(service: Service) -> None:
    match = third_to_lay()
    seated(service, match)
    plain = text(mailed(service, match, "turn"))
    for letter, name in zip("ABC", PEOPLE[1:], strict=False):
        assert re.search(rf"^ +0  {letter} {name}", plain, re.IGNORECASE | re.MULTILINE)
    assert not re.search(r"(orange|brown|green)-$", plain, re.MULTILINE)


def test_who_was_asked_for_a_card_is_no_news(service: Service) -> None:
    match = third_to_lay()
    seated(service, match)
    plain = text(mailed(service, match, "turn"))
    assert "laid a sun card face down in orange-brown." in plain
    assert "was asked to lay a sun card" not in plain


def test_a_picture_in_a_mail_shows_the_heart_of_a_full_board() -> None:
    match = third_to_lay()
    whole_board = match.game.render(match.game.view(match.state, 0), str)
    (heart,) = re.findall(r'data-heart="([^"]+)"', whole_board)
    close = close_up_board(whole_board)
    assert f'viewBox="{heart}"' in close
    assert close.count("viewBox") == 1
    cuzco = late_match()
    plain_board = cuzco.game.render(cuzco.game.view(cuzco.state, 0), str)
    assert close_up_board(plain_board) == plain_board


# Sizes and pictures


@pytest.mark.parametrize(
    ("key", "orders"), [("cuzco", 250), ("java", 250), ("inka", 60), ("tahuantinsuyu", 150)]
)
def test_a_mail_with_a_crowded_board_stays_small(service: Service, key: str, orders: int) -> None:
    match = played(orders, key=key, seats=3)
    assert not match.over
    seated(service, match)
    kind = match.game.awaited(match.state)
    reader = PEOPLE[1 + match.game.to_act(match.state)[0]]
    whole = mailed(service, match, kind, reader, pictures=True).as_bytes()
    assert 20_000 < len(whole) < 200_000  # readers send it back in answers, and we take 256 kB


def test_the_picture_is_in_the_mail_and_nothing_is_fetched(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    message = mailed(service, match, "turn", pictures=True)
    (picture,) = [part for part in message.walk() if part.get_content_maintype() == "image"]
    assert bytes(picture.get_payload(decode=True)).startswith(b"\x89PNG")  # type: ignore[arg-type]
    name = str(picture["Content-ID"]).strip("<>")
    html = text(message, "html")
    assert re.findall(r'src="([^"]*)"', html) == [f"cid:{name}"]
    assert not re.search(r"url\(|<link|<script|@import|background=", html)


def test_who_wants_no_pictures_gets_the_board_as_text(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    with person(service) as player:
        player.mail_preferences = {"pictures": False}
    message = mailed(service, match, "turn", pictures=True)
    assert "<img" not in text(message, "html")
    assert "<pre" in text(message, "html")


# What nobody waits for


def unwanted(service: Service, match: Match, kind: str = "turn", name: str = READER) -> str:
    with pytest.raises(Unwanted) as refused:
        mailed(service, match, kind, name)
    return refused.value.why


def test_a_match_that_moved_on_asks_nobody_in_vain(service: Service) -> None:
    match = table("turn")
    moved = act("place village g8", "end")(match)
    seated(service, moved)
    assert unwanted(service, match) == "stale"
    assert mailed(service, moved, "turn", "seat1")


def test_who_has_begun_the_turn_knows_already(service: Service) -> None:
    match = table("turn")
    seated(service, act("place village g8")(match))
    assert unwanted(service, match) == "stale"


def test_what_was_cut_is_not_told(service: Service) -> None:
    match = table("turn")
    later = act("place village g8", "end", "place village h9", "end")(match)
    seated(service, rewind(later, match.head, "owner", REASON))
    assert unwanted(service, later, "turn", "seat2") == "stale"


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_while_nothing_is_played_nobody_is_asked(service: Service, status: str) -> None:
    match = table("turn")
    seated(service, match, status=status)
    assert unwanted(service, match) == "stale"
    assert unwanted(service, match, "timeout") == "stale"


@pytest.mark.parametrize(
    ("preferences", "kind"),
    [
        ({"turn": False}, "turn"),
        ({"reminder": False}, "reminder"),
        ({"table": False}, "paused"),
        ({"muted": ["twoworlds"]}, "turn"),
        ({}, "talk"),
    ],
)
def test_what_the_reader_does_not_want_is_not_sent(
    service: Service, preferences: dict[str, Any], kind: str
) -> None:
    match = table(kind)
    seated(service, match, kind)
    with person(service) as player:
        player.mail_preferences = preferences
    assert unwanted(service, match, kind) == "muted"


def test_nobody_writes_to_whom_mails_come_back_from(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    with person(service) as player:
        player.bouncing_at = NOON
    assert unwanted(service, match) == "bouncing"


def test_while_a_bot_plays_its_player_is_not_asked(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    with service.database.session() as session:
        seat = session.get_one(tables.Seat, (match.id, 0))
        seat.bot = "steady"
        session.add(seat)
    assert unwanted(service, match) == "bot"


def test_who_sat_there_before_sees_no_board(service: Service) -> None:
    match = table("replaced")
    seated(service, match, "replaced")
    message = mailed(service, match, "replaced", "stranger", pictures=True)
    assert REASON in " ".join(text(message).split())
    for said in (text(message), text(message, "html")):
        assert match.hash not in said
        assert "Seat0" not in said
    assert "Reply-To" not in message


def test_who_plays_alone_needs_no_mail(service: Service) -> None:
    match = late_match()
    service.put_match(match, [READER, READER])
    assert unwanted(service, match) == "alone"


# On its way


def test_a_turn_goes_out_by_smtp_and_arrives_as_it_was_written(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    here = services(service)
    with service.database.session() as session:
        called_for(session, match, "turn", service.ids[READER], NOON)
    with post_office() as office:
        here.settings = settings_to(office, here.settings)
        assert drain(here) == 1
    (message,) = office.mails
    assert message["To"] == "seat0@example.com"
    assert message.get_content_type() == "multipart/alternative"
    plain, related = message.iter_parts()
    assert plain.get_content_type() == "text/plain"
    assert [part.get_content_type() for part in related.iter_parts()] == ["text/html", "image/png"]
    assert "--- Answer above this line ---" in text(message)


def test_an_act_calls_for_one_mail_to_each_who_is_asked(service: Service) -> None:
    match_id = service.running("seat0", "seat1")
    first = service.asked(match_id, "seat0", "seat1")
    orders = ("place triple e14 e16 d15", "end")
    assert service.order(first, match_id, *orders).status_code == 200
    log = service.get(first, f"/matches/{match_id}/mails")["mails"]
    turns = [mail for mail in log if mail["kind"] == "turn"]
    assert [mail["state"] for mail in turns] == ["waiting", "waiting"]
    drain(services(service))
    log = service.get(first, f"/matches/{match_id}/mails")["mails"]
    turns = [mail for mail in log if mail["kind"] == "turn"]
    assert [mail["state"] for mail in turns] == ["dropped", "sent"]


# A turn in parts


def empire(labour: int, *cards: str) -> Match:
    """A turn of the reader in Tahuantinsuyu."""
    position = {
        "seats": 3,
        "period": 1,
        "step": 2,
        "labour": [labour],
        "sun": {"green-orange": ["epidemic", "el_nino", *cards]},
    }
    return start_at(find("tahuantinsuyu"), position, "seed", "inparts222")


def test_a_few_orders_are_told_under_the_headings_of_the_game(service: Service) -> None:
    match = empire(labour=1)
    seated(service, match)
    message = mailed(service, match, "turn", pictures=True)
    told = text(message)
    roads = told.index("ROAD ACTION (laid 0 of 1)\n* El Niño: one road fewer\n")
    development = told.index("DEVELOPMENT ACTION (not begun)\n* Epidemic: cities cost 2 more\n")
    assert roads < told.index("\n  road s001 ") < development < told.index("\n  buy road s001 ")
    assert re.search(r"\n  buy road s001 s\d+  # costs 1\n", told)
    html = text(message, "html")
    assert html.index("Road action") < html.index(">road s001 ") < html.index("Development action")


def test_where_there_are_many_each_verb_tells_what_may_follow_it(service: Service) -> None:
    match = empire(20, "wild_road")
    seated(service, match)
    message = mailed(service, match, "turn")
    chanka, *others = [order.split()[1] for order in orders_of(match) if "conquer" in order]
    assert others
    for kind in ("plain", "html"):
        told = " ".join(text(message, kind).split())
        assert f"conquer {chanka}" in told
        assert f"also: {', '.join(others)}" in told


def orders_of(match: Match) -> list[str]:
    return sorted(match.game.format(action) for action in match.game.legal(match.state, 0))


def test_a_reader_of_pictures_gets_the_board_in_words_too(service: Service) -> None:
    match = empire(labour=20)
    seated(service, match)
    html = text(mailed(service, match, "turn", pictures=True), "html")
    assert "<img" in html
    assert "Free slots in reach of A" in html


def test_a_seat_is_marked_in_its_colour(service: Service) -> None:
    match = empire(labour=20)
    seated(service, match)
    html = text(mailed(service, match, "turn"), "html")
    marks = re.findall(r"background:(#[0-9a-f]{6});color:(#[0-9a-f]{6});[^>]*>([A-D])<", html)
    assert marks == [(*mail_colours(match, seat), letter) for seat, letter in enumerate("ABC")]


# What a list of mails shows, and a phone


def test_every_mail_of_a_match_has_the_same_subject_and_tells_its_news_before_anything_else(
    service: Service,
) -> None:
    match = table("resumed")
    seated(service, match, "resumed")
    message = mailed(service, match, "resumed")
    page = text(message, "html")
    hidden = re.search(r'<div style="display:none[^"]*">([^<]*)<', page)
    assert hidden
    assert page.index(hidden[0]) < page.index("Answer above this line")
    assert REASON in hidden[1]
    assert str(message["Feedback-ID"]).startswith("resumed:match:")
    assert message["Subject"] == "A table · Cuzco"
    assert message["X-Chasqui-News"] == "A table: the match goes on"


def test_a_rewind_says_who_what_was_undone_and_whose_turn_it_is(service: Service) -> None:
    match = table("rewound")
    seated(service, match, "rewound")
    message = mailed(service, match, "rewound")
    for part in ("plain", "html"):
        said = text(message, part)
        assert "went back to position" in said
        assert "what was undone" in said.lower()
        assert "laid a single village on" in said
        assert "It is your turn." in said


def test_the_picture_shows_what_changed_since_the_readers_last_turn() -> None:
    match = played(40)
    seat = match.game.to_act(match.state)[0]
    board = match.game.render(match.game.view(match.state, seat), str)
    marked = outline_places(board, ["g2", "k28", "nowhere"])
    assert marked.count("<circle") == board.count("<circle") + 2
    assert outline_places(board, []) == board


def test_a_mail_is_fit_for_phones_and_dark_rooms(service: Service) -> None:
    match = table("turn")
    seated(service, match)
    page = text(mailed(service, match, "turn"), "html")
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert "prefers-color-scheme: dark" in page
