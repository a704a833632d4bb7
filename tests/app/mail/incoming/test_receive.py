"""Answers by mail: played like any submission, once, by whom the address was made for; and answered."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.mail.compose import compose_mail, text_of_mail
from app.mail.incoming import receive
from app.mail.incoming.reader_process import READER
from app.mail.incoming.receive import MOST_BYTES, receive_mail
from app.mail.outgoing.template import Unwanted
from app.mail.reply_addresses import (
    LONGEST_LOCAL_PART,
    Answerer,
    make_bounce_address,
    make_reply_address,
    marker_line,
    read_bounce_address,
    read_reply_address,
)
from app.matches.access import access_match
from app.moderation.commands import OPERATOR
from app.platform import tables
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Player, Received
from app.views.legal_orders import priced_orders
from app.views.mail_log_json import list_mails
from app.views.match_json import load_table
from tests.app.answering import address, answer, head, letter, outbox, people
from tests.app.moderating import extend_match, pause_match, resume_match, rewind_match
from tests.app.seated import FIRST, late_match, seat

MATCH = "playedout2"


def my_address(services: Services, ids: list[int], number: int = 0, at: int = 0) -> str:
    return address(services, MATCH, number, ids[number], at)


def text(services: Services, form: str = "plain") -> str:
    """The last answer as it is mailed."""
    with services.database.look() as session:
        message = compose_mail(session, services, outbox(services)[-1]).parsed()
    return text_of_mail(message, form) or ""


# The address


def test_an_address_is_read_back_in_any_case(settings: Settings) -> None:
    made = make_reply_address(settings, "abcdefgh23", 3, 10**9, 10**5)
    assert read_reply_address(settings, f"<{made.upper()}>") == Answerer(
        "abcdefgh23", 3, 10**9, 10**5
    )
    assert len(made.partition("@")[0]) <= LONGEST_LOCAL_PART


@pytest.mark.parametrize("change", ["0.1.5.", "seal", "domain", "word"])
def test_an_address_that_was_changed_is_nobodys(settings: Settings, change: str) -> None:
    made = make_reply_address(settings, "abcdefgh23", 0, 1, 5)
    other = {
        "0.1.5.": made.replace(".0.1.5.", ".1.1.5."),
        "seal": made.replace("@", "a@"),
        "domain": made.replace("@", "@other."),
        "word": made.replace("play+", "bounce+"),
    }[change]
    assert read_reply_address(settings, other) is None
    assert read_bounce_address(settings, other) is None


def test_addresses_outlive_a_change_of_keys(settings: Settings) -> None:
    old = settings.model_copy(update={"secret_key": None})
    made = make_reply_address(old, "abcdefgh23", 0, 1, 5)
    key = settings.signing_keys()[0]
    new = Settings(data_dir=settings.data_dir, secret_key="n" * 40, secret_key_fallbacks=key)  # type: ignore[arg-type]
    assert read_reply_address(new, made) is not None


# Orders


def test_orders_are_played_and_the_answer_tells_what_followed(
    services: Services, seated: list[int]
) -> None:
    before = head(services, MATCH)
    assert (
        answer(services, my_address(services, seated), f"{FIRST}\nDraw Pile # why not\n")
        == "played"
    )
    assert head(services, MATCH) > before
    told = text(services)
    assert "2 orders were played." in told
    assert "  1. place triple e14 e16 d15" in told
    assert "Ana laid" in told or "Ana" in told
    assert marker_line("en") == told.splitlines()[0]


def test_a_line_that_fails_is_named_and_nothing_is_played(
    services: Services, seated: list[int]
) -> None:
    before = head(services, MATCH)
    assert answer(services, my_address(services, seated), f"{FIRST}\nbuild a1 9\nend") == "refused"
    assert head(services, MATCH) == before
    told = text(services)
    assert "Nothing was played: line 2 cannot be done." in told
    payload = outbox(services)[-1].payload
    assert payload["line"] == 2
    assert f"     ^ {payload['problem']}" in told


def test_the_clause_that_forbids_it_leads_to_its_sentence(
    services: Services, seated: list[int]
) -> None:
    assert answer(services, my_address(services, seated), "end") == "refused"
    where = f"{services.settings.base_url}/help/cuzco/rule/C-A4"
    assert f"C-A4: {where}" in text(services)
    assert f'href="{where}"' in text(services, "html")


def test_an_empty_answer_is_told_so(services: Services, seated: list[int]) -> None:
    assert answer(services, my_address(services, seated), "\n> quoted") == "refused"
    assert "There are no orders above the quoted mail." in text(services)


def test_what_is_no_order_at_the_end_is_told(services: Services, seated: list[int]) -> None:
    assert answer(services, my_address(services, seated), f"{FIRST}\n\nCheers\nAna") == "played"
    assert outbox(services)[-1].payload["unread"] == ["cheers", "ana"]


def test_a_second_answer_after_ones_own_move_says_so_and_shows_the_board_as_it_is(
    services: Services, seated: list[int]
) -> None:
    old = my_address(services, seated)
    answer(services, old, FIRST)
    assert answer(services, old, "end") == "refused"
    told = text(services)
    assert "You have moved since that mail was written" in " ".join(told.split())
    assert "Somebody moved" not in told
    assert "WHAT HAPPENED" in told
    again = outbox(services)[-1]
    with services.database.look() as session:
        to = str(compose_mail(session, services, again).parsed()["Reply-To"])
    assert answer(services, to, "end") == "played"


def test_when_somebody_else_moved_the_answer_says_so(services: Services, seated: list[int]) -> None:
    answer(services, my_address(services, seated), f"{FIRST}\nend")
    old = my_address(services, seated, 0)
    bo = my_address(services, seated, 1)
    played = load_match(services.database, MATCH)
    order = next(order for order, _ in priced_orders(played.game, played.state, 1))
    assert answer(services, bo, order, "bo@example.org") == "played"
    assert answer(services, old, "end") == "refused"
    assert "Somebody moved meanwhile" in text(services)


def test_an_answer_stands_below_the_mail_that_it_answers(
    services: Services, seated: list[int]
) -> None:
    raw = letter(FIRST, Message_ID="<mine.1@example.org>")
    receive_mail(services, my_address(services, seated), raw, "ana@example.org")
    with services.database.look() as session:
        message = compose_mail(session, services, outbox(services)[-1]).parsed()
    assert message["In-Reply-To"] == "<mine.1@example.org>"
    assert str(message["References"]).endswith(f"<{MATCH}.thread@127.0.0.1> <mine.1@example.org>")
    assert message["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize("hostile", ["<a b@c>", "no", "<x@y>\r\n Bcc: <z@y>", f"<{'x' * 900}@y>"])
def test_a_strange_message_id_is_not_repeated(
    services: Services, seated: list[int], hostile: str
) -> None:
    raw = letter(FIRST, Message_ID=hostile)
    receive_mail(services, my_address(services, seated), raw, "ana@example.org")
    with services.database.look() as session:
        message = compose_mail(session, services, outbox(services)[-1]).parsed()
    assert message["In-Reply-To"] == f"<{MATCH}.thread@127.0.0.1>"


def test_a_line_that_nobody_can_tell_from_the_quote_is_named(
    services: Services, seated: list[int]
) -> None:
    body = f"Chasqui wrote:\n> {'long ' * 14}\n{FIRST}\n> and so on\n"
    assert answer(services, my_address(services, seated), body) == "refused"
    assert FIRST in " ".join(text(services).split())


def test_a_longer_deadline_does_not_spoil_an_answer(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated)
    with services.database.session() as session:
        pause_match(session, MATCH, seated[0], "lunch", None, services.now())
    assert answer(services, to, FIRST) == "refused"
    assert "This match is not running" in text(services)
    with services.database.session() as session:
        resume_match(session, MATCH, seated[0], "lunch", None, services.now())
    assert answer(services, to, FIRST) == "played"


def test_a_turn_that_was_undone_is_told_so(services: Services, seated: list[int]) -> None:
    start = head(services, MATCH)
    answer(services, my_address(services, seated), FIRST)
    cut = my_address(services, seated)
    rewind_match(services.database, MATCH, OPERATOR, None, start, "a slip", services.now())
    for old in (cut, my_address(services, seated, at=start)):
        assert answer(services, old, "end") == "refused"
        told = text(services)
        assert "This turn was undone" in told
        assert f"/m/{MATCH}" in told


def test_not_on_turn_is_told(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated, 1)
    assert answer(services, to, FIRST, "bo@example.org") == "refused"
    assert "is not asked now" in text(services)


# Questions and standing orders


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("help", "place triple"),
        ("AIDE", "place triple"),
        ("status", "Here is your answer."),
        ("Board.", "position 6"),
        ("history", "WHAT HAPPENED"),
        ("tabuleiro", "position 6"),
    ],
)
def test_single_words_are_answered(
    services: Services, seated: list[int], word: str, said: str
) -> None:
    assert answer(services, my_address(services, seated), word) == "told"
    assert said in text(services)


def test_standing_orders_are_kept_shown_and_dropped(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated)
    assert answer(services, to, "standing up to 3, share, never in g16") == "told"
    assert "up to 3, share, g16 0" in text(services)
    assert answer(services, to, "standing") == "told"
    assert "up to 3" in text(services)
    assert answer(services, to, "standing off") == "told"
    assert "You have no standing orders" in text(services)


@pytest.mark.parametrize(
    "body", ["standing up to me", f"standing up to 3\n{FIRST}", "standing up to 999"]
)
def test_standing_orders_that_are_not_understood_change_nothing(
    services: Services, seated: list[int], body: str
) -> None:
    before = head(services, MATCH)
    assert answer(services, my_address(services, seated), body) == "refused"
    with services.database.look() as session:
        assert session.exec(select(tables.Standing)).all() == []
    assert head(services, MATCH) == before


@pytest.mark.parametrize("wish", ["standing up to 3", "standing off"])
def test_an_old_mail_sets_no_standing_orders_and_says_where_to_turn(
    services: Services, seated: list[int], wish: str
) -> None:
    old = my_address(services, seated)
    assert answer(services, old, "standing up to 1, share") == "told"
    assert answer(services, old, FIRST) == "played"
    before, now = read_reply_address(services.settings, old), head(services, MATCH)
    assert before is not None
    assert answer(services, old, wish) == "refused"
    said = " ".join(text(services).split())
    assert f"This mail was written at position {before.head}, and the match is at {now}" in said
    assert "answer the newest mail to give standing orders, or give them on the page" in said
    with services.database.look() as session:
        assert [row.orders for row in session.exec(select(tables.Standing))] == [
            {"festival": {"up_to": 1, "share": True, "cities": {}}}
        ]
    assert answer(services, old, "standing") == "told"  # to ask changes nothing
    assert answer(services, my_address(services, seated), wish) == "told"


def test_a_mail_stays_new_while_only_the_table_was_busy(
    services: Services, seated: list[int]
) -> None:
    to = my_address(services, seated)
    with services.database.session() as session:
        extend_match(session, MATCH, seated[0], "so be it", 5, None, services.now())
    assert answer(services, to, "standing up to 3") == "told"


# Who may


def test_another_sender_plays_nothing_and_the_player_hears_of_it(
    services: Services, seated: list[int]
) -> None:
    before = head(services, MATCH)
    assert answer(services, my_address(services, seated), FIRST, "bo@example.org") == "refused"
    assert head(services, MATCH) == before
    assert outbox(services)[-1].player_id == seated[0]
    assert "did not come from the address" in text(services)


def test_an_address_nobody_made_is_unknown(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated).replace(f".{seated[0]}.", f".{seated[1]}.")
    assert answer(services, to, FIRST) == "unknown"
    assert outbox(services) == []


def test_who_left_the_seat_plays_no_more(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated)
    (new,) = people(services, "cleo")
    with services.database.session() as session:
        row = session.get_one(tables.Seat, (MATCH, 0))
        row.player_id = session.get_one(tables.Match, MATCH).owner_id = new
    assert answer(services, to, FIRST) == "refused"
    with pytest.raises(Unwanted):
        text(services)


def test_a_mute_match_still_answers(services: Services, seated: list[int]) -> None:
    with services.database.session() as session:
        player = session.get_one(Player, seated[0])
        player.mail_preferences = {"muted": [MATCH], "turn": False}
        session.add(player)
    assert answer(services, my_address(services, seated), "status") == "told"
    assert "Here is your answer." in text(services)


def test_the_others_do_not_see_in_the_mail_log_who_asked_what(
    services: Services, seated: list[int]
) -> None:
    answer(services, my_address(services, seated), "status")
    with services.database.look() as session:
        at = load_table(session, access_match(session, MATCH, seated[1]))
        assert [m for m in list_mails(session, at) if m["kind"] == "answer"] == []


# Once


def test_a_mail_that_comes_twice_does_nothing_twice(services: Services, seated: list[int]) -> None:
    raw, to = letter(FIRST), my_address(services, seated)
    assert receive_mail(services, to, raw) == "played"
    after = head(services, MATCH)
    assert [receive_mail(services, to, raw) for _ in range(3)] == ["repeat"] * 3
    assert head(services, MATCH) == after
    assert len(outbox(services)) == 1


def test_without_a_message_id_the_words_tell_mails_apart(
    services: Services, seated: list[int]
) -> None:
    raw, to = letter("status", Message_ID=""), my_address(services, seated)
    assert receive_mail(services, to, raw) == "told"
    assert receive_mail(services, to, b"Received: again\r\n" + raw) == "repeat"
    assert receive_mail(services, to, letter("board", Message_ID="")) == "told"


def test_who_dies_between_playing_and_answering_answers_later(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, to = letter(FIRST), my_address(services, seated)

    def die(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(receive, "write_answer", die)
        with pytest.raises(SystemExit):
            receive_mail(services, to, raw)
    after = head(services, MATCH)
    assert receive_mail(services, to, raw) == "played"
    assert head(services, MATCH) == after
    assert "1 order was played." in text(services)


# Machines, floods and rubbish


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<x>"},
        {"X_Loop": "x"},
    ],
)
def test_machines_are_neither_obeyed_nor_answered(
    services: Services, seated: list[int], header: dict[str, str]
) -> None:
    before = head(services, MATCH)
    assert (
        receive_mail(services, my_address(services, seated), letter(FIRST, **header)) == "ignored"
    )
    assert (head(services, MATCH), outbox(services)) == (before, [])


def test_a_mail_without_sender_on_its_envelope_is_from_a_machine(
    services: Services, seated: list[int]
) -> None:
    assert receive_mail(services, my_address(services, seated), letter(FIRST), "") == "ignored"


def test_too_large_a_mail_is_not_even_read(services: Services, seated: list[int]) -> None:
    raw = letter(FIRST + "\n" + "x" * MOST_BYTES)
    assert receive_mail(services, my_address(services, seated), raw) == "large"


def test_who_writes_too_often_waits(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receive, "MOST_AN_HOUR", 2)
    to = my_address(services, seated)
    assert [answer(services, to, "status") for _ in range(3)] == ["told", "told", "later"]
    later = services.now() + timedelta(hours=1)
    services.now = lambda: later
    assert answer(services, to, "status") == "told"


def test_every_mail_is_counted_before_anybody_reads_it(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that came before, those of machines, those that nobody can read, and our own that come back."""
    monkeypatch.setattr(receive, "MOST_AN_HOUR", 5)
    to, same = my_address(services, seated), letter("status")
    machine = letter("end", Auto_Submitted="auto-replied")
    broken = letter("end", Content_Type="multipart/mixed; boundary=x" + " multipart/x" * 100)
    outcomes = [receive_mail(services, to, raw) for raw in (same, same, machine, broken, same)]
    assert outcomes == ["told", "repeat", "ignored", "dead", "repeat"]
    read = list[bytes]()

    def noted(_what: str, raw: bytes) -> dict[str, object]:
        read.append(raw)
        return {"verdict": "none", "sender": None}

    monkeypatch.setattr(READER, "ask", noted)
    assert receive_mail(services, to, letter("status")) == "later"
    with services.database.session() as session:
        rows = [tables.Outbox(kind="turn", player_id=seated[0], pos=pos) for pos in (1, 2)]
        session.add_all(rows)
        session.flush()
        back = [make_bounce_address(services.settings, row) for row in rows]
    found = [receive_mail(services, back[n % 2], b"", "") for n in range(6)]
    assert found == ["ignored"] * 5 + ["later"]  # by whom they went to, not by the mail
    assert len(read) == 5


def test_a_mail_that_breaks_the_reader_is_kept(services: Services, seated: list[int]) -> None:
    raw = letter("end", Content_Type="multipart/mixed; boundary=x" + " multipart/x" * 100)
    assert receive_mail(services, my_address(services, seated), raw) == "dead"
    with services.database.look() as session:
        row = session.exec(select(Received)).one()
    assert row.state == "dead"
    assert (row.source or "").encode("latin-1") == raw
    assert receive_mail(services, my_address(services, seated), raw) == "repeat"


# Secrets


@pytest.mark.parametrize("body", ["status", "history", "help", "end", FIRST, "standing"])
def test_answers_are_the_same_whatever_the_others_hold(services: Services, body: str) -> None:
    ids, told, at = people(services, "ana", "bo"), [], services.now()
    services.now = lambda: at  # a minute may pass between the two
    for number, hand in enumerate((["kero", "tumi", "tumi"], ["quipu", "quipu", "tumi+kero"])):
        match = late_match(f"twoworlds{number + 2}", hands=[["kero"] * 3, hand])
        seat(services, match, *ids)
        answer(services, address(services, match.id, 0, ids[0]), body)
        told.append(
            re.sub(
                r"twoworlds\d|[0-9a-f]{16,64}|unsubscribe/\S+|[\w-]+\.[\w-]{43}", "", text(services)
            )
        )
    assert told[0] == told[1]
