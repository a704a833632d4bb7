"""Two worlds that differ only in what one seat holds, plans, notes and wants answered: nothing shows it to the others.

By construction: whatever route is added is asked here too, page or API, for every role but the one that knows.
"""

from __future__ import annotations

import re
from pathlib import Path

from app import inbox, models, replies
from app.mails import digest
from app.play import place
from app.standing import put
from tests.app.browser import letters, services_of
from tests.app.kept import NOON
from tests.app.roles import MATCH, ROLES, World, path, rules, world

API = f"/api/v1/matches/{MATCH}"
# Both can answer a festival for tumi, so who is asked does not tell them apart.
HANDS = (["tumi", "tumi+kero"], ["quipu", "tumi"])
PLANS: tuple[list[str], ...] = (["place village h9"], [])
NOTES = ("beware of the carer", "")
# Neither speaks at e14: what standing orders answer, all can see.
STANDING = ({"up_to": None, "share": True, "cities": {"g8": 0}}, None)
OTHERS = tuple(role for role in ROLES if role != "holder")
# What is drawn anew for every page or mail, or seals a secret without telling it.
NOISE = (
    (re.compile(r'(name="(?:csrf_token|key)" value=")[^"]+'), r"\1"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "hash"),
    (re.compile(r"={15}\d+=="), "boundary"),
)
WRITTEN = ("status", "board", "history", "help", "standing", "place triple a1 a2 a3", "bid kero")


def quiet(text: str) -> str:
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def lived(made: World, number: int) -> None:
    """The seat keeps its secrets, and a festival is under way; others write mails and try what they may not."""
    services = services_of(made.app)
    made.call("holder", "PUT", f"{API}/draft", json={"orders": PLANS[number]})
    made.call("holder", "POST", f"/m/{MATCH}/note", data={"text": NOTES[number]})
    with services.database.session() as session:
        if STANDING[number]:
            put(session, place(session, MATCH, made.id_of("holder")), STANDING[number])
        for role in OTHERS[1:]:
            reader = session.get_one(models.Player, made.id_of(role))
            reader.mail_preferences, reader.digest_at = {"digest": True}, NOON
            session.add(reader)
    assert made.call("player", "POST", f"{API}/orders", json={"orders": ["festival e14 tumi"]}).json


def refusals(made: World) -> dict[str, str]:
    """What those are told who ask for what cannot be done."""
    told = {}
    for role in OTHERS:
        for order in ("bid tumi", "pass", "hold", "draw pile", "festival e14 tumi+kero"):
            answer = made.call(role, "PUT", f"{API}/draft", json={"orders": [order]})
            told[f"{role} drafts {order}"] = quiet(answer.text)
            if role != "carer":  # who is asked could
                answer = made.call(role, "POST", f"{API}/orders", json={"orders": [order]})
                told[f"{role} orders {order}"] = quiet(answer.text)
    return told


def mails(made: World) -> dict[str, str]:
    """Every mail to the others, pictures too: what the match called for, answers to mails, the digest."""
    services = services_of(made.app)
    digest.write_due(services)
    for role, seat in (("player", 0), ("carer", 1)):
        for word in WRITTEN:
            to = replies.reply_address(services.settings, MATCH, seat, made.id_of(role), 2)
            raw = f"From: {role}@example.org\r\nMessage-ID: <{role}.{word}>\r\n\r\n{word}\r\n"
            inbox.receive(services, to, raw.encode())
    return {
        f"{role} letter {number}": quiet(letter.source)
        for role in OTHERS[1:]
        for number, letter in enumerate(letters(services, f"{role}@example.org"))
    }


def seen(made: World) -> dict[str, str]:
    """Every route that can be asked for, by everybody who must not know."""
    told = {}
    for rule in rules(made.app, "GET"):
        if rule.endpoint == "pages.metrics":  # tells how long things took
            continue
        for pos in (2, 3) if {"pos", "to"} & rule.arguments else (2,):
            where = path(made.app, rule, pos=pos, to=pos)
            for role in OTHERS if "match_id" in rule.arguments else ("player", "site"):
                answer = made.call(role, "GET", where)
                location = answer.headers.get("Location")
                told[f"{role} {where}"] = quiet(f"{answer.status_code} {location} {answer.text}")
    return told


def story(folder: Path, migrated: Path, number: int) -> tuple[dict[str, str], str]:
    """All that is told to those who must not know, and what the holder's own page says."""
    with world(folder, migrated, HANDS[number], public=True) as made:
        lived(made, number)
        told = {**refusals(made), **mails(made), **seen(made)}
        return told, quiet(made.call("holder", "GET", f"/m/{MATCH}").text)


def test_nobody_learns_what_a_seat_holds_plans_notes_or_wants_answered(
    tmp_path: Path, sqlite_folder: Path
) -> None:
    (here, mine), (there, yours) = (
        story(tmp_path / str(number), sqlite_folder, number) for number in (0, 1)
    )
    assert mine != yours  # the holder knows
    assert here.keys() == there.keys()
    assert [key for key in here if here[key] != there[key]] == []
    assert sum("letter" in key for key in here) > 10
    assert sum("200 " in said[:4] for said in here.values()) > 150
    assert any("image/png" in said for said in here.values())
