"""An undo by mail: the question says how to answer it, and a word above the quote is the answer."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.mail.compose import compose_mail, text_of_mail
from app.mail.incoming.commands import CONSENT
from app.mail.incoming.receive import receive_mail
from app.mail.outgoing.template import Unwanted
from app.mail.outgoing.undo import WORDS
from app.matches.submissions import submit_orders
from app.moderation.commands import OPERATOR
from app.moderation.undo_requests import undo_places
from app.platform import tables
from app.platform.i18n import LANGUAGES, translate_sentence
from app.platform.services import Services
from engine.core.match import Match, play
from tests.app.answering import address, answer, letter, outbox, people
from tests.app.moderating import ask_undo, rewind_match, withdraw_undo
from tests.app.moderation.test_undo_requests import SECOND
from tests.app.seated import FIRST, played, seat

MATCH = "playedout2"


def after(orders: tuple[tuple[int, str], ...]) -> Match:
    match = played(0)
    for number, order in orders:
        match = play(match, number, order)
    return match


@pytest.fixture
def ids(services: Services) -> list[int]:
    """Ana has ended her turn, Bo has begun his; Cleo owns the match and has no seat."""
    made = people(services, "ana", "bo", "cleo")
    seat(services, after(((0, FIRST), (0, "end"), (1, SECOND))), *made[:2])
    with services.database.session() as session:
        row = session.get_one(tables.Match, MATCH)
        row.owner_id = made[2]
    return made


def head(services: Services) -> int:
    return load_match(services.database, MATCH).head


def ask(services: Services, player: int, to: int) -> None:
    with services.database.session() as session:
        assert ask_undo(session, MATCH, player, to, "a slip", None, services.now()) is False


def before_anas_turn(services: Services) -> int:
    return list(undo_places(load_match(services.database, MATCH), 0))[-1]


def mails(services: Services, player: int, kind: str = "undo") -> list[EmailMessage]:
    with services.database.look() as session:
        query = select(tables.Outbox).where(
            tables.Outbox.kind == kind, tables.Outbox.player_id == player
        )
        return [compose_mail(session, services, row).parsed() for row in session.exec(query)]


def text(message: EmailMessage, kind: str = "plain") -> str:
    return text_of_mail(message, kind) or ""


def kinds(services: Services) -> list[str]:
    log = load_match(services.database, MATCH).log
    return [type(entry.event).__name__ for entry in log]


def last_answer(services: Services) -> str:
    with services.database.look() as session:
        return text(compose_mail(session, services, outbox(services)[-1]).parsed())


def asked_of_bo(services: Services, ids: list[int]) -> EmailMessage:
    ask(services, ids[0], before_anas_turn(services))
    (question,) = mails(services, ids[1])
    return question


def test_the_question_tells_what_would_be_undone_and_how_to_answer(
    services: Services, ids: list[int]
) -> None:
    question = asked_of_bo(services, ids)
    to = before_anas_turn(services)
    assert question["X-Chasqui-News"] == "A table: an undo is asked for"
    for said in (text(question), text(question, "html")):
        assert f"Ana asks to go back to position {to}: a slip" in said
        assert "laid a triple" in said
        assert f"/m/{MATCH}/history/{to}" in said
        assert "disagree" in said
        assert "/care" not in said
    (told,) = mails(services, ids[2])
    assert f"/m/{MATCH}/care" in text(told)
    assert "disagree" not in text(told)
    assert mails(services, ids[0]) == []


@pytest.mark.parametrize("word", ["agree", "Agree.", "D’accord !", "concordo"])
def test_a_word_in_the_answer_agrees(services: Services, ids: list[int], word: str) -> None:
    to = str(asked_of_bo(services, ids)["Reply-To"])
    raw = letter(f"{word}\n\nBo\n\n> a quote", "bo@example.org")
    assert receive_mail(services, to, raw, "bo@example.org") == "told"
    assert kinds(services)[-3:] == ["UndoAsked", "UndoAnswered", "Rewound"]
    assert "Everybody agreed: it is undone." in last_answer(services)
    assert receive_mail(services, to, raw, "bo@example.org") == "repeat"
    again = answer(services, to, word, "bo@example.org")
    assert again == "refused"
    told = last_answer(services)
    assert "This question is settled" in told
    assert "Nothing was changed." in told


@pytest.mark.parametrize("word", ["disagree", "refuser", "Discordo"])
def test_another_word_does_not(services: Services, ids: list[int], word: str) -> None:
    to = str(asked_of_bo(services, ids)["Reply-To"])
    assert answer(services, to, word, "bo@example.org") == "told"
    assert kinds(services)[-1] == "UndoAnswered"
    assert "Your answer is noted." in last_answer(services)
    (refused,) = mails(services, ids[0], "refused")
    assert refused["X-Chasqui-News"] == "A table: the undo is refused"
    assert "Bo does not agree to going back." in text(refused)


def test_an_answer_to_an_older_question_does_not_count_for_the_new_one(
    services: Services, ids: list[int]
) -> None:
    old = str(asked_of_bo(services, ids)["Reply-To"])
    asked = head(services)
    with services.database.session() as session:
        withdraw_undo(session, MATCH, ids[0], asked, services.now())
    ask(services, ids[0], before_anas_turn(services))
    assert answer(services, old, "agree", "bo@example.org") == "refused"
    assert "This question is settled" in last_answer(services)
    assert kinds(services)[-1] == "UndoAsked"


def test_who_is_not_asked_agrees_to_nothing(services: Services, ids: list[int]) -> None:
    asked_of_bo(services, ids)
    to = before_anas_turn(services)
    rewind_match(services.database, MATCH, OPERATOR, None, to, "anew", services.now())
    (told,) = mails(services, ids[0], "rewound")
    before = head(services)
    for words in ("agree", "agree\nend"):
        assert answer(services, str(told["Reply-To"]), words) == "refused"
    assert head(services) == before
    assert "as one word" in last_answer(services)


def test_a_question_that_is_settled_is_mailed_to_nobody(services: Services, ids: list[int]) -> None:
    asked_of_bo(services, ids)
    with services.database.session() as session:
        withdraw_undo(session, MATCH, ids[0], head(services), services.now())
    with pytest.raises(Unwanted, match="stale"):
        mails(services, ids[1])


def test_every_language_asks_for_words_that_are_understood() -> None:
    for language in LANGUAGES:
        said = [translate_sentence(word, language=language) for word in WORDS]
        assert [CONSENT.get(word) for word in said] == [True, False], language


def test_an_order_for_a_turn_that_was_undone_is_told_by_whom_and_why(
    services: Services, ids: list[int]
) -> None:
    asked = address(services, MATCH, 1, ids[1])
    to = before_anas_turn(services)
    rewind_match(services.database, MATCH, OPERATOR, None, to, "the cat", services.now())
    assert answer(services, asked, "end", "bo@example.org") == "refused"
    told = last_answer(services)
    assert "This turn was undone." in told
    assert "The operator of this site went back" in told
    assert f"/m/{MATCH}/play" in told


# Who plays several seats

THIRD = "place triple j19 j21 i20"


@pytest.fixture
def two_of_three(services: Services) -> list[int]:
    """Ana and the first seat of Bo have played; his second one is asked."""
    made = people(services, "ana", "bo")
    match = played(0, seats=3)
    for number, order in ((0, FIRST), (0, "end"), (1, SECOND), (1, "end")):
        match = play(match, number, order)
    seat(services, match, made[0], made[1], made[1])
    return made


def test_who_plays_several_seats_is_told_how_to_answer_for_any_of_them(
    services: Services, two_of_three: list[int]
) -> None:
    question = asked_of_bo(services, two_of_three)
    assert "disagree" in text(question)
    assert answer(services, str(question["Reply-To"]), "agree", "bo@example.org") == "told"
    assert kinds(services)[-1] == "Rewound"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("agree", "This question is settled"),
        (THIRD, "You have moved since that mail was"),
        ("status", "Turn of Ana"),
    ],
)
def test_a_late_mail_for_another_of_ones_seats_is_not_called_a_strangers(
    services: Services, two_of_three: list[int], word: str, told: str
) -> None:
    to = str(asked_of_bo(services, two_of_three)["Reply-To"])
    submit_orders(
        services.database,
        MATCH,
        two_of_three[1],
        [THIRD, "end"],
        head=None,
        key=None,
        at=services.now(),
    )
    before = head(services)
    answer(services, to, word, "bo@example.org")
    assert told in last_answer(services)
    assert "not yours" not in last_answer(services)
    assert head(services) == before
