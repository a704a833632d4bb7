"""Matches by people who see nothing of them but mails, and answer those: festivals and empires included.

Orders are those that a mail proposed, or a bot whispers. Mails go out by SMTP to a server of the tests, answers
come in by SMTP.
"""

from __future__ import annotations

import re
import smtplib
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from random import Random

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.mail.compose import text_of_mail
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.services import Services
from engine.core.match import Match, start, start_at
from engine.core.registry import find
from tests.app.answering import people
from tests.app.mail.incoming.test_ways_in import free_port
from tests.app.post_office import Office, post_office
from tests.app.reply_formats import FORMATS
from tests.app.seated import late_match, seat
from tests.whispering import FOUR, THREE, Empire, check_empire, turn_of, verb_of
from workers.inbox import Listener
from workers.relay import drain

NAMES = ("ana", "bo", "cleo", "dan")
ORDER = re.compile(r"^  ([a-z]+(?: [A-Za-z0-9+_-]+)*)$", re.MULTILINE)
MOST = 300  # answers of a match
Answering = Callable[[EmailMessage, Match], list[str]]  # what is answered to a mail
STYLES = [style for style in FORMATS if "signed" not in style and "windows" not in style]


def four() -> Match:
    """One triple is left, and three have a piece in the city of e14: a festival can be held there."""
    return late_match(
        seats=4,
        incas=[["d13", "h21"], ["f13", "i28"], ["g12"], ["j21"]],
        hands=[["kero", "tumi+kero"], ["kero", "quipu+kero"], ["kero"], ["tumi", "kero"]],
        scores=[12, 14, 9, 11],
    )


def hall() -> Match:
    """A hall of four, in its last round but one."""
    return start_at(
        find("inka"),
        {
            "seats": 4,
            "options": {"round_limit": 2},
            "lozenges": {"L01": ["r1c2", "r2c3"], "L05": ["r2c8", "r2c9"], "L10": ["r9c4", "r9c5"]},
        },
        "hall",
        "hallmatch",
    )


def proposed(letter: EmailMessage) -> list[str]:
    """The orders that a mail says can be answered."""
    text = "\n".join(
        (text_of_mail(letter, "plain") or "").splitlines()
    )  # in base64 they end in CRLF
    return ORDER.findall(text.partition("\n-- \n")[0])


def choice(orders: list[str], rng: Random) -> str:
    """Festivals and the last triple whenever they may be; otherwise anything, and soon the end of the turn."""
    wanted = [order for order in orders if order.split()[0] in ("festival", "bid")]
    wanted = wanted or [order for order in orders if order.startswith("place triple")]
    ending = [order for order in orders if order in ("end", "hold", "pass")]
    return rng.choice(wanted or ending * 3 + orders)


def by_chance(rng: Random) -> Answering:
    """Answers with one order that the mail proposes."""
    return lambda letter, _match: [choice(proposed(letter), rng)]


def by_whispers(used: Counter[str]) -> Answering:
    """Answers with the turn that a bot whispers, as far as it can be known before something is revealed."""

    def turn(letter: EmailMessage, match: Match) -> list[str]:
        game = match.game
        (seat,) = game.to_act(match.state)
        assert letter["To"] == f"{NAMES[seat]}@example.org"
        assert set(proposed(letter)) & set(map(game.format, game.legal(match.state, seat)))
        orders = turn_of(match, seat, used)
        used.update(verb_of(game, order) for order in orders)
        return orders

    return turn


def answered(letter: EmailMessage, orders: list[str], number: int, port: int) -> None:
    """One person's answer, in the manner of one mail reader or another."""
    style = STYLES[number % len(STYLES)]
    sender, to = str(letter["To"]), str(letter["Reply-To"])
    head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n"
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        server.sendmail(sender, [to], head.encode() + FORMATS[style]("\n".join(orders).upper()))


def play_by_mail(
    services: Services, office: Office, port: int, match_id: str, answer: Answering
) -> Counter[str]:
    """Answers the newest mail of whoever is asked until nobody is; which verbs were ordered how often."""
    used, read = Counter[str](), 0
    for number in range(MOST):
        drain(services)
        new, read = office.mails[read:], len(office.mails)
        asking = [letter for letter in new if letter["Reply-To"] and proposed(letter)]
        if not asking:
            used["answers"] = number
            return used
        orders = answer(asking[-1], load_match(services.database, match_id))
        used.update(order.split()[0] for order in orders)
        answered(asking[-1], orders, number, port)
    raise AssertionError("the match does not end")


def whole(services: Services, match: Match, answer: Answering | None = None) -> Counter[str]:
    """The people, the post and the match from its first mail to its last; what was ordered."""
    names = NAMES[: match.log[0].event.seats]
    ids = people(services, *names)
    with services.database.session() as session:
        for player in session.exec(select(tables.Player)):
            player.mail_preferences = {"pictures": False}
    seat(services, match, *ids)
    with post_office() as office:
        services.settings = services.settings.model_copy(
            update={
                "smtp_host": "127.0.0.1",
                "smtp_port": office.port,
                "smtp_security": "none",
                "mail_from": "play@chasqui.example",
                "reply_domain": "chasqui.example",
                "inbox_port": free_port(),
            }
        )
        door = Listener(services)
        door.start()
        try:
            begin(services, match, ids)
            how = answer or by_chance(Random(4))
            used = play_by_mail(services, office, door.port, match.id, how)
        finally:
            door.stop()
    assert load_match(services.database, match.id).over
    subjects = Counter(str(letter["X-Chasqui-News"]) for letter in office.mails)
    assert subjects["A table: the match is over"] == len(names)
    assert subjects["A table: your orders were not played"] == 0
    assert subjects["A table: your orders were played"] == used["answers"]
    return used


def begin(services: Services, match: Match, ids: list[int]) -> None:
    """The first mail; the others follow from what is played."""
    (first,) = match.game.to_act(match.state)
    with services.database.session() as session:
        at, pos = services.now(), match.head
        enqueue_mail(session, "turn", at, match_id=match.id, pos=pos, player_id=ids[first])


def test_four_people_end_a_match_by_answering_mails(services: Services) -> None:
    used = whole(services, four())
    assert used["festival"] >= 1
    assert used["bid"] + used["hold"] + used["pass"] >= 1


@pytest.mark.parametrize("empire", [THREE, FOUR])
def test_people_play_a_whole_empire_by_answering_mails(services: Services, empire: Empire) -> None:
    used = Counter[str]()
    whole(services, empire.start(), by_whispers(used))
    check_empire(load_match(services.database, empire.name), empire, used)


def test_four_people_end_a_hall_of_inka_by_answering_mails(services: Services) -> None:
    used = whole(services, hall())
    assert used["end"] + used["block"] == 8


def test_four_people_play_a_whole_match_of_inka_by_answering_mails(services: Services) -> None:
    match = start(find("inka"), 4, {"round_limit": 1}, "whole", "wholehall")
    used = whole(services, match)
    assert (used["start"], used["lay"]) == (4, 13)
    assert used["end"] + used["block"] <= 4
