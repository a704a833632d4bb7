"""Answers by mail: played like any submission, once, by whom the address was made for; and answered."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from app import inbox, mail, mail_reader, models, moderation, play, replies, seen
from app.mails.draft import Unwanted
from app.models import Player, Received
from app.moderation import OPERATOR
from app.services import Services
from app.settings import Settings
from tests.app.answering import address, answer, head, letter, outbox, people, table
from tests.app.seated import FIRST, late_match, played, seat

MATCH = "playedout2"


@pytest.fixture
def seated(services: Services) -> list[int]:
    """Ana and Bo at a fresh match; Ana begins."""
    return table(services, played(0), "ana", "bo")


def my_address(services: Services, ids: list[int], number: int = 0, at: int = 0) -> str:
    return address(services, MATCH, number, ids[number], at)


def text(services: Services) -> str:
    """The last answer as it is mailed."""
    with services.database.look() as session:
        message = mail.compose(session, services, outbox(services)[-1]).parsed()
    return mail.text_of(message, "plain") or ""


# The address


def test_an_address_is_read_back_in_any_case(settings: Settings) -> None:
    made = replies.reply_address(settings, "abcdefgh23", 3, 10**9, 10**5)
    assert replies.read_address(settings, f"<{made.upper()}>") == replies.Answerer(
        "abcdefgh23", 3, 10**9, 10**5
    )
    assert len(made.partition("@")[0]) <= replies.LONGEST_LOCAL_PART


@pytest.mark.parametrize("change", ["0.1.5.", "seal", "domain", "word"])
def test_an_address_that_was_changed_is_nobodys(settings: Settings, change: str) -> None:
    made = replies.reply_address(settings, "abcdefgh23", 0, 1, 5)
    other = {
        "0.1.5.": made.replace(".0.1.5.", ".1.1.5."),
        "seal": made.replace("@", "a@"),
        "domain": made.replace("@", "@other."),
        "word": made.replace("play+", "bounce+"),
    }[change]
    assert replies.read_address(settings, other) is None
    assert replies.read_bounce(settings, other) is None


def test_addresses_outlive_a_change_of_keys(settings: Settings) -> None:
    old = settings.model_copy(update={"secret_key": None})
    made = replies.reply_address(old, "abcdefgh23", 0, 1, 5)
    key = settings.signing_keys()[0]
    new = Settings(data_dir=settings.data_dir, secret_key="n" * 40, secret_key_fallbacks=key)  # type: ignore[arg-type]
    assert replies.read_address(new, made) is not None


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
    assert replies.marker("en") == told.splitlines()[0]


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


def test_an_empty_answer_is_told_so(services: Services, seated: list[int]) -> None:
    assert answer(services, my_address(services, seated), "\n> quoted") == "refused"
    assert "There are no orders above the quoted mail." in text(services)


def test_what_is_no_order_at_the_end_is_told(services: Services, seated: list[int]) -> None:
    assert answer(services, my_address(services, seated), f"{FIRST}\n\nCheers\nAna") == "played"
    assert outbox(services)[-1].payload["unread"] == ["cheers", "ana"]


def test_when_somebody_moved_meanwhile_the_board_is_shown_as_it_is(
    services: Services, seated: list[int]
) -> None:
    old = my_address(services, seated)
    answer(services, old, FIRST)
    assert answer(services, old, "end") == "refused"
    told = text(services)
    assert "Somebody moved meanwhile" in told
    assert "WHAT HAPPENED" in told
    again = outbox(services)[-1]
    with services.database.look() as session:
        to = str(mail.compose(session, services, again).parsed()["Reply-To"])
    assert answer(services, to, "end") == "played"


def test_a_longer_deadline_does_not_spoil_an_answer(services: Services, seated: list[int]) -> None:
    to = my_address(services, seated)
    with services.database.session() as session:
        moderation.pause(session, MATCH, seated[0], "lunch", None, services.now())
    assert answer(services, to, FIRST) == "refused"
    assert "This match is not running" in text(services)
    with services.database.session() as session:
        moderation.resume(session, MATCH, seated[0], "lunch", None, services.now())
    assert answer(services, to, FIRST) == "played"


def test_a_turn_that_was_undone_is_told_so(services: Services, seated: list[int]) -> None:
    start = head(services, MATCH)
    answer(services, my_address(services, seated), FIRST)
    cut = my_address(services, seated)
    moderation.rewind(services.database, MATCH, OPERATOR, None, start, "a slip", services.now())
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
        assert session.exec(select(models.Standing)).all() == []
    assert head(services, MATCH) == before


@pytest.mark.parametrize("wish", ["standing up to 3", "standing off"])
def test_an_old_mail_sets_no_standing_orders_and_says_where_to_turn(
    services: Services, seated: list[int], wish: str
) -> None:
    old = my_address(services, seated)
    assert answer(services, old, "standing up to 1, share") == "told"
    assert answer(services, old, FIRST) == "played"
    before, now = replies.read_address(services.settings, old), head(services, MATCH)
    assert before is not None
    assert answer(services, old, wish) == "refused"
    said = " ".join(text(services).split())
    assert f"This mail was written at position {before.head}, and the match is at {now}" in said
    assert "answer the newest mail to give standing orders, or give them on the page" in said
    with services.database.look() as session:
        assert [row.orders for row in session.exec(select(models.Standing))] == [
            {"festival": {"up_to": 1, "share": True, "cities": {}}}
        ]
    assert answer(services, old, "standing") == "told"  # to ask changes nothing
    assert answer(services, my_address(services, seated), wish) == "told"


def test_a_mail_stays_new_while_only_the_table_was_busy(
    services: Services, seated: list[int]
) -> None:
    to = my_address(services, seated)
    with services.database.session() as session:
        moderation.extend(session, MATCH, seated[0], "so be it", 5, None, services.now())
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
        row = session.get_one(models.Seat, (MATCH, 0))
        row.player_id = session.get_one(models.Match, MATCH).owner_id = new
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
        at = seen.table(session, play.place(session, MATCH, seated[1]))
        assert [m for m in seen.mails(session, at) if m["kind"] == "answer"] == []


# Once


def test_a_mail_that_comes_twice_does_nothing_twice(services: Services, seated: list[int]) -> None:
    raw, to = letter(FIRST), my_address(services, seated)
    assert inbox.receive(services, to, raw) == "played"
    after = head(services, MATCH)
    assert [inbox.receive(services, to, raw) for _ in range(3)] == ["repeat"] * 3
    assert head(services, MATCH) == after
    assert len(outbox(services)) == 1


def test_without_a_message_id_the_words_tell_mails_apart(
    services: Services, seated: list[int]
) -> None:
    raw, to = letter("status", Message_ID=""), my_address(services, seated)
    assert inbox.receive(services, to, raw) == "told"
    assert inbox.receive(services, to, b"Received: again\r\n" + raw) == "repeat"
    assert inbox.receive(services, to, letter("board", Message_ID="")) == "told"


def test_who_dies_between_playing_and_answering_answers_later(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, to = letter(FIRST), my_address(services, seated)

    def die(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(inbox, "told", die)
        with pytest.raises(SystemExit):
            inbox.receive(services, to, raw)
    after = head(services, MATCH)
    assert inbox.receive(services, to, raw) == "played"
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
        inbox.receive(services, my_address(services, seated), letter(FIRST, **header)) == "ignored"
    )
    assert (head(services, MATCH), outbox(services)) == (before, [])


def test_a_mail_without_sender_on_its_envelope_is_from_a_machine(
    services: Services, seated: list[int]
) -> None:
    assert inbox.receive(services, my_address(services, seated), letter(FIRST), "") == "ignored"


def test_too_large_a_mail_is_not_even_read(services: Services, seated: list[int]) -> None:
    raw = letter(FIRST + "\n" + "x" * inbox.MOST_BYTES)
    assert inbox.receive(services, my_address(services, seated), raw) == "large"


def test_who_writes_too_often_waits(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 2)
    to = my_address(services, seated)
    assert [answer(services, to, "status") for _ in range(3)] == ["told", "told", "later"]
    later = services.now() + timedelta(hours=1)
    services.now = lambda: later
    assert answer(services, to, "status") == "told"


def test_every_mail_is_counted_before_anybody_reads_it(
    services: Services, seated: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that came before, those of machines, those that nobody can read, and our own that come back."""
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 5)
    to, same = my_address(services, seated), letter("status")
    machine = letter("end", Auto_Submitted="auto-replied")
    broken = letter("end", Content_Type="multipart/mixed; boundary=x" + " multipart/x" * 100)
    outcomes = [inbox.receive(services, to, raw) for raw in (same, same, machine, broken, same)]
    assert outcomes == ["told", "repeat", "ignored", "dead", "repeat"]
    read = list[bytes]()

    def noted(_what: str, raw: bytes) -> dict[str, object]:
        read.append(raw)
        return {"final": False, "sender": None}

    monkeypatch.setattr(mail_reader.READER, "ask", noted)
    assert inbox.receive(services, to, letter("status")) == "later"
    with services.database.session() as session:
        rows = [models.Outbox(kind="turn", player_id=seated[0], pos=pos) for pos in (1, 2)]
        session.add_all(rows)
        session.flush()
        back = [replies.bounce_address(services.settings, row) for row in rows]
    found = [inbox.receive(services, back[n % 2], b"", "") for n in range(6)]
    assert found == ["ignored"] * 5 + ["later"]  # by whom they went to, not by the mail
    assert len(read) == 5


def test_a_mail_that_breaks_the_reader_is_kept(services: Services, seated: list[int]) -> None:
    raw = letter("end", Content_Type="multipart/mixed; boundary=x" + " multipart/x" * 100)
    assert inbox.receive(services, my_address(services, seated), raw) == "dead"
    with services.database.look() as session:
        row = session.exec(select(Received)).one()
    assert row.state == "dead"
    assert (row.source or "").encode("latin-1") == raw
    assert inbox.receive(services, my_address(services, seated), raw) == "repeat"


# Secrets


@pytest.mark.parametrize("body", ["status", "history", "help", "end", FIRST, "standing"])
def test_answers_are_the_same_whatever_the_others_hold(services: Services, body: str) -> None:
    ids, told, at = people(services, "ana", "bo"), [], services.now()
    services.now = lambda: at  # a minute may pass between the two
    for number, hand in enumerate((["kero", "tumi", "tumi"], ["quipu", "quipu", "tumi+kero"])):
        match = late_match(f"twoworlds{number + 2}", hands=[["kero"] * 3, hand])
        seat(services, match, *ids)
        answer(services, address(services, match.id, 0, ids[0]), body)
        told.append(re.sub(r"twoworlds\d|[0-9a-f]{16,64}|unsubscribe/\S+", "", text(services)))
    assert told[0] == told[1]
