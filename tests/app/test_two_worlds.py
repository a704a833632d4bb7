"""Two worlds that differ only in what one seat or nobody knows: hands, plans, notes, piles, what lies face down.

By construction: whatever route is added is asked here too, page or API, for every role but the one that knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from app import inbox, models, replies, store
from app.mails import digest
from app.play import place
from app.standing import put
from engine.core.match import Match, play, start_at
from engine.core.registry import find
from tests import sealing
from tests.app.browser import letters, services_of
from tests.app.kept import NOON
from tests.app.roles import MATCH, ROLES, World, begun, path, rules, world

EMPIRE, INKA = find("tahuantinsuyu"), find("inka")
API = f"/api/v1/matches/{MATCH}"
NOTES = ("beware of the carer", "")
OTHERS = tuple(role for role in ROLES if role != "holder")
SITTING = ("player", "carer")  # of the others
# What is drawn anew for every page or mail.
NOISE = (
    (re.compile(r'(name="(?:csrf_token|key)" value=")[^"]+'), r"\1"),
    (re.compile(r"\b[0-9a-f]{24}\b"), "boundary"),
)
CHANGING = ("Set-Cookie", "Date")  # headers that every answer has anew
KEYED = {"key": "guessed"}  # under which `holder` sent orders, and others repeat them
EYES = "?eyes=2&seat=2"  # as if `holder` looked
WRITTEN = ("status", "board", "history", "help", "standing")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matches that differ in what `holder` or nobody knows, what happens there, and what others try then."""

    matches: tuple[Match, Match]
    plans: tuple[list[str], list[str]]
    deeds: tuple[tuple[str, tuple[str, str]], ...]  # who orders what in each world
    asked: str  # who is asked afterwards
    tries: tuple[
        tuple[str, ...], ...
    ]  # who is asked commits none but those of several orders, all refused
    standing: tuple[dict[str, Any] | None, ...] = (None, None)

    def hopeless(self, role: str) -> list[tuple[str, ...]]:
        """What will be refused; one order alone could be played by who is asked."""
        return [orders for orders in self.tries if role != self.asked or len(orders) > 1]


def festival() -> Pair:
    """Both can answer a festival for tumi, so who is asked does not tell them apart."""
    # Neither speaks at e14: what standing orders answer, all can see.
    orders = ({"up_to": None, "share": True, "cities": {"g8": 0}}, None)
    return Pair(
        (begun(["tumi", "tumi+kero"]), begun(["quipu", "tumi"])),
        (["place village h9"], []),
        (("player", ("festival e14 tumi", "festival e14 tumi")),),
        "carer",
        (
            ("bid tumi",),
            ("pass",),
            ("hold",),
            ("draw pile",),
            ("festival e14 tumi+kero",),
            ("bid kero", "hold"),
        ),
        orders,
    )


def empire(**more: Any) -> dict[str, Any]:
    """A whole position of four in the Late Empire; Pizarro's day is still to be told."""
    sparse = {
        "seats": 4,
        "options": {"pizarro": True},
        "period": 6,
        "labour": [3, 3, 3, 3],
        "hands": [["extra_labour"], ["rural_unrest"], ["el_nino", "epidemic"], ["wild_road"]],
        "roads": [[["s001", "s061"]]],
        "markers": {
            "ichma": {"type": "warriors", "up": False},
            "huanca": {"type": "farmers"},
            "chincha": {"type": "allies", "owner": 1},
        },
    }
    found: dict[str, Any] = EMPIRE.load({**sparse, **more}).position
    return found


def mixed(position: dict[str, Any], rng: Random, pizarro: int) -> Match:
    """The same to all but `holder`: other cards in his hand, seat 3 and the pile, other markers face down."""
    down = [name for name, marker in position["markers"].items() if not marker["up"]]
    types = [*(position["markers"][name]["type"] for name in down), *position["spare"]]
    rng.shuffle(types)
    markers = {
        name: {**marker, "type": types.pop() if name in down else marker["type"]}
        for name, marker in position["markers"].items()
    }
    *seen, his, theirs = position["hands"]
    cards = [*his, *theirs, *position["pile"]]
    rng.shuffle(cards)
    his, theirs = ([cards.pop() for _ in hand] for hand in (his, theirs))
    changed = {"markers": markers, "spare": types, "hands": [*seen, his, theirs], "pile": cards}
    return start_at(EMPIRE, {**position, **changed, "pizarro": pizarro}, "seed", MATCH)


def suns() -> tuple[Match, Match]:
    """A Sun phase that `holder` begins, and in which `player` draws the same card in both worlds."""
    position = empire(step=1, order=[2, 0, 1, 3])
    one = mixed(position, Random(0), 1)
    others = (mixed(position, Random(number), 4) for number in count(1))
    return one, next(match for match in others if differs(one, match))


def laying() -> Pair:
    """`holder` is asked, and has drafted which card to lay."""
    matches = suns()
    lays = [f"sun {his_card(match)} orange-blue" for match in matches]
    tries = (*((lay,) for lay in lays), ("end",))
    return Pair(matches, ([lays[0]], [lays[1]]), (), "holder", tries)


def sun() -> Pair:
    """`holder` lays a card face down, then `player`."""
    one, other = suns()
    cards = [his_card(match) for match in (one, other)]
    return Pair(
        (one, other),
        (["conquer huanca"], ["end"]),
        (
            ("holder", (f"sun {cards[0]} orange-blue", f"sun {cards[1]} orange-blue")),
            ("player", (LAYING, LAYING)),
        ),
        "carer",
        (
            ("sun rural_unrest brown-green",),
            ("sun rural_unrest orange-blue",),
            (f"sun {cards[0]} brown-green",),
            (f"sun {cards[1]} brown-green",),
            # Word for word what `holder` sent in one of the worlds.
            (f"sun {cards[0]} orange-blue",),
            ("sun rural_unrest brown-green", "end"),
            ("end",),
        ),
    )


LAYING = "sun extra_labour blue-brown"


def his_card(match: Match) -> str:
    return str(match.game.dump(match.state)["hands"][2][0])


def laid(match: Match) -> Match:
    return play(play(match, 2, f"sun {his_card(match)} orange-blue"), 0, LAYING)


def differs(one: Match, other: Match) -> bool:
    """Whether `holder` lays another card, and `player` draws the same."""
    hands = [EMPIRE.dump(laid(match).state)["hands"][0] for match in (one, other)]
    return his_card(one) != his_card(other) and hands[0] == hands[1]


def people() -> Pair:
    """`player` is the last of a People phase: Pizarro comes at its end, or in three phases."""
    position = empire(step=2, order=[1, 2, 3, 0], turn={"seat": 0})
    road = "road s012 s061"  # joins s012, which touches ichma
    return Pair(
        (mixed(position, Random(0), 1), mixed(position, Random(1), 4)),
        (["sun el_nino orange-blue"], []),
        (),
        "player",
        ((road,), (road, "conquer ichma"), (road, "end", "end"), ("end",), ("end", "end")),
    )


def hall() -> Pair:
    """Nobody holds anything in Inka: what differs is which lozenge will be drawn next."""
    position = {
        "seats": 4,
        "phase": "lay",
        "drawn": "L05",
        "pawns": ["r0c0", "r11c12", "r0c12", "r11c0"],
    }
    one, other = (start_at(INKA, position, seed, MATCH) for seed in ("seed", "another"))
    lay = "lay r2c8 r2c9"
    assert play(one, 0, lay).state.drawn != play(other, 0, lay).state.drawn
    return Pair(
        (one, other),
        (["walk r1c2"], []),
        (),
        "player",
        ((lay,), (lay, lay), (lay, "end"), ("end",)),
    )


PAIRS = (festival, laying, sun, people, hall)


def quiet(text: str) -> str:
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def whole(answer: TestResponse) -> str:
    """Everything that was answered, headers too; the tag of a page is sealed with its reader's form token."""
    noise = (*CHANGING, "ETag") if answer.mimetype == "text/html" else CHANGING
    headers = [line for line in answer.headers if line[0] not in noise]
    return quiet(f"{answer.status_code} {headers} {answer.text}")


def lived(made: World, pair: Pair, number: int) -> None:
    """The seat keeps its secrets, and something is under way; others write mails and try what they may not."""
    prepared(made, pair, number)
    with services_of(made.app).database.session() as session:
        for role in OTHERS[1:]:
            reader = session.get_one(models.Player, made.id_of(role))
            reader.mail_preferences, reader.digest_at = {"digest": True}, NOON
            session.add(reader)
    for role, orders in pair.deeds:
        wish = {"orders": [orders[number]], **(KEYED if role == "holder" else {})}
        answer = made.call(role, "POST", f"{API}/orders", json=wish)
        assert answer.status_code == 200, answer.text


def prepared(made: World, pair: Pair, number: int) -> None:
    """What the seat keeps to itself."""
    made.call("holder", "PUT", f"{API}/draft", json={"orders": pair.plans[number]})
    made.call("holder", "POST", f"/m/{MATCH}/note", data={"text": NOTES[number]})
    if wishes := pair.standing[number]:
        with services_of(made.app).database.session() as session:
            put(session, place(session, MATCH, made.id_of("holder")), wishes)


def refusals(made: World, pair: Pair) -> dict[str, str]:
    """What those are told who ask for what cannot be done, or may not be known."""
    told = {}
    for role in OTHERS:
        for orders in pair.tries:
            wish = {"orders": list(orders)}
            answer = made.call(role, "PUT", f"{API}/draft", json=wish)
            told[f"{role} drafts {orders}"] = whole(answer)
            for look in ("", "/choices", f"/confirm?order={orders[-1]}") if role in SITTING else ():
                answer = made.call(role, "GET", f"/m/{MATCH}{look}")
                told[f"{role} has drafted {orders} {look}"] = whole(answer)
            if orders in pair.hopeless(role):
                answer = made.call(role, "POST", f"{API}/orders", json={**wish, **KEYED})
                assert answer.status_code >= 400, answer.text
                told[f"{role} orders {orders}"] = whole(answer)
        # What is shown and advised without it is looked at later.
        made.call(role, "DELETE", f"{API}/draft")
    return told


def mails(made: World, pair: Pair) -> dict[str, str]:
    """Every mail to the others, pictures too: what the match called for, answers to mails, the digest."""
    services = services_of(made.app)
    digest.write_due(services)
    # What is kept of his mail is not for the others.
    write(made, "holder", 2, [("board", head(made))])
    for seat, role in enumerate(SITTING):
        late = [(word, 2) for word in WRITTEN]
        now = [("\r\n".join(orders), head(made)) for orders in pair.hopeless(role)]
        write(made, role, seat, late + now)
    return received(made)


def write(made: World, role: str, seat: int, words: list[tuple[str, int]]) -> None:
    """Answers mails of these positions, and waits for what comes back."""
    services = services_of(made.app)
    for number, (word, pos) in enumerate(words):
        to = replies.reply_address(services.settings, MATCH, seat, made.id_of(role), pos)
        raw = f"From: {role}@example.org\r\nMessage-ID: <{role}.{number}>\r\n\r\n{word}\r\n"
        inbox.receive(services, to, raw.encode())
    letters(services, f"{role}@example.org")


def received(made: World) -> dict[str, str]:
    """All that was mailed to the others until now."""
    services = services_of(made.app)
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
        for pos in {2, 3, head(made)} if {"pos", "to"} & rule.arguments else (2,):
            where = path(made.app, rule, pos=pos, to=pos)
            made.call("holder", "GET", where)  # what is kept of his look is not for the others
            for role in OTHERS if "match_id" in rule.arguments else ("player", "site"):
                answer = made.call(role, "GET", where)
                told[f"{role} {where}"] = whole(answer)
            if "match_id" in rule.arguments:
                told[f"as holder {where}"] = whole(made.call("player", "GET", where + EYES))
    return told


def taken_back(made: World) -> dict[str, str]:
    """The same when all that was done is cut: what is looked at now is a branch that does not count."""
    wish = {"head": head(made), "to": 2, "reason": "a slip"}
    answer = made.call("owner", "POST", f"{API}/rewind", json=wish)
    assert answer.status_code == 200, answer.text
    told = {"rewind": whole(answer), **received(made), **seen(made)}
    return {f"taken back: {key}": said for key, said in told.items()}


def head(made: World) -> int:
    return store.load(services_of(made.app).database, MATCH).head


def story(folder: Path, migrated: Path, pair: Pair, number: int) -> tuple[dict[str, str], str]:
    """All that is told to those who must not know, and what the holder's own page says."""
    with world(folder, migrated, pair.matches[number], public=True) as made:
        lived(made, pair, number)
        told = {**refusals(made, pair), **mails(made, pair), **seen(made)}
        if pair.deeds:
            told |= taken_back(made)
        return told, quiet(made.call("holder", "GET", f"/m/{MATCH}").text)


@pytest.fixture(autouse=True)
def seals_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sealing.tell_nothing(monkeypatch)


@pytest.mark.parametrize("pair", PAIRS)
def test_nobody_learns_what_a_seat_holds_plans_notes_or_wants_answered(
    pair: Callable[[], Pair], tmp_path: Path, sqlite_folder: Path
) -> None:
    found = pair()
    (here, mine), (there, yours) = (
        story(tmp_path / str(number), sqlite_folder, found, number) for number in (0, 1)
    )
    assert mine != yours  # the holder knows
    assert here.keys() == there.keys()
    assert [key for key in here if here[key] != there[key]] == []
    assert sum("letter" in key for key in here) > 10
    assert sum("200 " in said[:4] for said in here.values()) > 130
    assert any("image/png" in said for said in here.values())
    assert found.asked == "holder" or advised(here[f"{found.asked} /m/{MATCH}/hint"])


def advised(said: str) -> bool:
    """Whether a bot has suggested an order: it leads to a page with the order in its form."""
    return said.startswith("303 ") and "order=" in said


def tags(made: World) -> dict[str, str]:
    """By what programs and browsers of the others know whether something has changed."""
    found = {}
    for rule in rules(made.app, "GET"):
        for role in OTHERS if "match_id" in rule.arguments else ():
            where = path(made.app, rule)
            found[f"{role} {where}"] = made.call(role, "GET", where).headers.get("ETag", "")
    return {key: tag for key, tag in found.items() if tag}


@pytest.mark.parametrize("pair", [festival, people])
def test_nobody_notices_that_a_seat_prepares_something(
    pair: Callable[[], Pair], tmp_path: Path, sqlite_folder: Path
) -> None:
    """Whoever asks again and again must not see by a changed tag that somebody plans, notes or sleeps."""
    found = pair()
    with world(tmp_path / "one", sqlite_folder, found.matches[0], public=True) as made:
        tags(made)  # a page is tagged from the second look on
        before, mine = tags(made), made.call("holder", "GET", f"{API}/draft").headers["ETag"]
        prepared(made, found, 0)
        after = tags(made)
        assert made.call("holder", "GET", f"{API}/draft").headers["ETag"] != mine
    assert [key for key in before if before[key] != after[key]] == []
    assert len(before) > 50
