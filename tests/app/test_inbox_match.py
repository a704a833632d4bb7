"""A match by four people who see nothing of it but mails, and answer them: festivals included.

Every order is one that a mail proposed. Mails go out by SMTP to a server of the tests, answers come in by SMTP.
"""

from __future__ import annotations

import re
import smtplib
from collections import Counter
from email.message import EmailMessage
from random import Random

from sqlmodel import select

from app import mail, models, notices, store
from app.services import Services
from engine.core.match import Match, start, start_at
from engine.core.registry import find
from tests.app.answering import people
from tests.app.post_office import Office, post_office
from tests.app.reply_formats import FORMATS
from tests.app.seated import late_match, seat
from tests.app.test_inbox_ways import free_port
from workers.inbox import Listener
from workers.relay import drain

NAMES = ("ana", "bo", "cleo", "dan")
ORDER = re.compile(r"^  ([a-z]+(?: [A-Za-z0-9+_-]+)*)$", re.MULTILINE)
STYLES = [style for style in FORMATS if "signed" not in style and "windows" not in style]


def four() -> Match:
    """One triple is left, and three have a piece in the city of e14: a festival can be held there."""
    return late_match(
        seats=4,
        incas=[["d13", "h21"], ["f13", "i28"], ["g12"], ["j21"]],
        hands=[["kero", "tumi+kero"], ["kero", "quipu+kero"], ["kero"], ["tumi", "kero"]],
        scores=[12, 14, 9, 11],
    )


def empire() -> Match:
    """The last Sun phase and the last People phase of an empire of four."""
    return start_at(
        find("tahuantinsuyu"),
        {
            "seats": 4,
            "options": {"pizarro": True},
            "period": 6,
            "step": 5,
            "labour": [9, 7, 8, 6],
            "scores": [30, 28, 33, 31],
            "order": [1, 0, 3, 2],
            "hands": [["el_nino"], ["extra_labour"], ["wild_road"], ["epidemic"]],
            "pizarro": 4,
        },
        "empire",
        "empirematch",
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
        (mail.text_of(letter, "plain") or "").splitlines()
    )  # in base64 they end in CRLF
    return ORDER.findall(text.partition("\n-- \n")[0])


def choice(orders: list[str], rng: Random) -> str:
    """Festivals and the last triple whenever they may be; otherwise anything, and soon the end of the turn."""
    wanted = [order for order in orders if order.split()[0] in ("festival", "bid")]
    wanted = wanted or [order for order in orders if order.startswith("place triple")]
    ending = [order for order in orders if order in ("end", "hold", "pass")]
    return rng.choice(wanted or ending * 3 + orders)


def answered(letter: EmailMessage, order: str, number: int, port: int) -> None:
    """One person's answer, in the manner of one mail reader or another."""
    style = STYLES[number % len(STYLES)]
    sender, to = str(letter["To"]), str(letter["Reply-To"])
    head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n"
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        server.sendmail(sender, [to], head.encode() + FORMATS[style](order.upper()))


def play_by_mail(services: Services, office: Office, port: int, most: int) -> Counter[str]:
    """Answers the newest mail of whoever is asked until nobody is; which verbs were ordered how often."""
    used, rng, read = Counter[str](), Random(4), 0
    for number in range(most):
        drain(services)
        new, read = office.mails[read:], len(office.mails)
        asking = [letter for letter in new if letter["Reply-To"] and proposed(letter)]
        if not asking:
            return used
        order = choice(proposed(asking[-1]), rng)
        used[order.split()[0]] += 1
        answered(asking[-1], order, number, port)
    raise AssertionError("the match does not end")


def whole(services: Services, match: Match, most: int) -> Counter[str]:
    """Four people, the post and the match from its first mail to its last; what was ordered."""
    ids = people(services, *NAMES)
    with services.database.session() as session:
        for player in session.exec(select(models.Player)):
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
            used = play_by_mail(services, office, door.port, most)
        finally:
            door.stop()
    assert store.load(services.database, match.id).over
    subjects = Counter(str(letter["Subject"]) for letter in office.mails)
    assert subjects["A table: the match is over"] == len(NAMES)
    assert subjects["A table: your orders were not played"] == 0
    assert subjects["A table: your orders were played"] == used.total()
    return used


def begin(services: Services, match: Match, ids: list[int]) -> None:
    """The first mail; the others follow from what is played."""
    (first,) = match.game.to_act(match.state)
    with services.database.session() as session:
        at, pos = services.now(), match.head
        notices.post(session, "turn", at, match_id=match.id, pos=pos, player_id=ids[first])


def test_four_people_end_a_match_by_answering_mails(services: Services) -> None:
    used = whole(services, four(), 200)
    assert used["festival"] >= 1
    assert used["bid"] + used["hold"] + used["pass"] >= 1


def test_four_people_end_an_empire_by_answering_mails(services: Services) -> None:
    used = whole(services, empire(), 200)
    assert used["sun"] >= 4
    assert used["end"] == 8
    assert used["road"] + used["wild"] + used["conquer"] + used["buy"] >= 4


def test_four_people_end_a_hall_of_inka_by_answering_mails(services: Services) -> None:
    used = whole(services, hall(), 200)
    assert used["end"] + used["block"] == 8


def test_four_people_play_a_whole_match_of_inka_by_answering_mails(services: Services) -> None:
    match = start(find("inka"), 4, {"round_limit": 1}, "whole", "wholehall")
    used = whole(services, match, 200)
    assert (used["start"], used["lay"]) == (4, 13)
    assert used["end"] + used["block"] <= 4
