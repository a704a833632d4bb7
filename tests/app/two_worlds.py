"""One story told in two worlds that differ in what one seat or nobody knows: all that others see, are told and are sent.

By construction: whatever route is added is asked here too, page or API, for every role but the one that knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from app.eventstore.store import load_match
from app.mail.incoming.receive import receive_mail
from app.mail.outgoing.digest import enqueue_due_digests
from app.mail.reply_addresses import make_reply_address
from app.matches.access import access_match
from app.matches.standing_orders import put_standing_orders
from app.outbox.notifications import notify_player
from app.platform import tables
from app.views.share import draw_share
from app.web.composing import PARTS
from engine.core.match import Match
from tests import surfaces
from tests.app.browser import letters, services_of
from tests.app.kept import NOON
from tests.app.roles import MATCH, ROLES, SEATED, Stage, World, path, rules, world
from tests.worlds import Worlds
from workers.notices import compose

API = f"/api/v1/matches/{MATCH}"
NOTES = ("beware of the carer", "")
OTHERS = tuple(role for role in ROLES if role != "holder")
# What is drawn anew for every page, and for every mail.
TOKEN = re.compile(r'(name="(?:csrf_token|key)" value=")[^"]+')
BOUNDARY = re.compile(r"\b[0-9a-f]{24}\b")
CHANGING = ("Set-Cookie", "Date")  # headers that every answer has anew
KEYED = {"key": "guessed"}  # under which `holder` sent orders, and others repeat them
WRITTEN = ("status", "board", "history", "help", "standing")
JSON = {"Accept": "application/json"}
TRIED = 3  # orders of those that somebody could give


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matches that differ in what `holder` or nobody knows, what happens there, and what others try then."""

    matches: tuple[Match, Match]
    plans: tuple[list[str], list[str]]
    deeds: tuple[tuple[str, tuple[str, str]], ...]  # who orders what in each world
    asked: tuple[str, ...]  # who is asked afterwards
    # Who is asked commits none but those of several orders, all refused.
    tries: tuple[tuple[str, ...], ...]
    standing: tuple[dict[str, Any] | None, ...] = (None, None)
    seated: tuple[str, ...] = SEATED
    back: int | None = None  # where the match is taken back to in the end
    moments: tuple[int, ...] = (2, 3)  # that are looked at, besides the last
    cared_for: bool = False  # mails of all kinds are called for

    def hopeless(self, role: str, asked: Collection[str]) -> list[tuple[str, ...]]:
        """What will be refused; one order alone could be played by who is asked."""
        return [orders for orders in self.tries if role not in asked or len(orders) > 1]

    @property
    def sitting(self) -> dict[str, int]:
        """The seats of those who play and must not know."""
        found = {role: seat for seat, role in enumerate(self.seated)}
        return {role: found[role] for role in ("player", "carer") if role in found}

    @property
    def holder(self) -> int:
        return self.seated.index("holder")


def pair_of(worlds: Worlds, back: bool = False) -> Pair:
    """Two worlds of any game: `holder` knows, the others sit in the seats that are left; perhaps half is taken back."""
    others = iter(role for role in SEATED if role != "holder")
    seats = range(worlds.one.log[0].event.seats)
    seated = tuple("holder" if seat == worlds.knower else next(others) for seat in seats)
    plans = [surfaces.orders(match, worlds.knower)[-1:] for match in worlds.matches]
    ends = sorted({entry.act: entry.pos for entry in worlds.one.log}.values())
    middle = ends[len(ends) // 2]
    return Pair(
        worlds.matches,
        (plans[0], plans[1]),
        (),
        tuple(seated[seat] for seat in worlds.one.game.to_act(worlds.one.state)),
        tuple((order,) for order in surfaces.tried_orders(worlds)[::-1][:TRIED]),
        seated=seated,
        back=middle if back and middle < worlds.one.head else None,
        moments=(2, middle),
        cared_for=True,
    )


def differing_answers(stage: Stage, pair: Pair) -> tuple[list[str], int]:
    """What the service tells others differently in the two worlds, and how many answers and mails were compared."""
    here, there = (
        told_there(stage.set_world(pair.matches[n], True, pair.seated), pair, n) for n in (0, 1)
    )
    return unlike(here, there), len(here)


def unlike(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """What was told in one world alone, or otherwise."""
    keys = sorted(here.keys() | there.keys())
    return [key for key in keys if here.get(key) != there.get(key)]


def quiet(page: str) -> str:
    return TOKEN.sub(r"\1", page)


def whole(answer: TestResponse) -> str:
    """Everything that was answered, headers too; the tag of a page is sealed with its reader's form token."""
    page = answer.mimetype == "text/html"
    noise = (*CHANGING, "ETag") if page else CHANGING
    headers = [line for line in answer.headers if line[0] not in noise]
    assert answer.status_code < 500, answer.text
    return f"{answer.status_code} {headers} {quiet(answer.text) if page else answer.text}"


def lived(made: World, pair: Pair, number: int) -> None:
    """The seat keeps its secrets, and something is under way; others write mails and try what they may not."""
    prepared(made, pair, number)
    with services_of(made.app).database.session() as session:
        for role in OTHERS[1:]:
            reader = session.get_one(tables.Player, made.id_of(role))
            reader.mail_preferences = {"digest": True, "talk": True}
            reader.digest_at = NOON
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
            put_standing_orders(session, access_match(session, MATCH, made.id_of("holder")), wishes)


def refusals(made: World, pair: Pair) -> dict[str, str]:
    """What those are told who ask for what cannot be done, or may not be known."""
    told, asked = {}, asked_now(made, pair)
    for role in OTHERS:
        for orders in pair.tries:
            wish = {"orders": list(orders)}
            answer = made.call(role, "PUT", f"{API}/draft", json=wish)
            told[f"{role} drafts {orders}"] = whole(answer)
            for look in looks(orders[-1]) if role in pair.sitting else ():
                answer = made.call(role, "GET", f"/m/{MATCH}{look}")
                told[f"{role} has drafted {orders} {look}"] = whole(answer)
            if orders in pair.hopeless(role, asked):
                answer = made.call(role, "POST", f"{API}/orders", json={**wish, **KEYED})
                assert answer.status_code >= 400, answer.text
                told[f"{role} orders {orders}"] = whole(answer)
        # What is shown and advised without it is looked at later.
        made.call(role, "DELETE", f"{API}/draft")
    return told


def looks(order: str) -> tuple[str, ...]:
    """What a page asks for about a draft, and about one more order."""
    return "", "/choices", f"/confirm?order={order}", f"/brings?order={order}"


def mails(made: World, pair: Pair) -> dict[str, str]:
    """Every mail to the others, pictures too: what the match called for, answers to mails, the digest."""
    services, asked = services_of(made.app), asked_now(made, pair)
    enqueue_due_digests(services)
    # What is kept of his mail is not for the others.
    write(made, "holder", pair.holder, [("board", head(made))])
    for role, seat in pair.sitting.items():
        late = [(word, 2) for word in WRITTEN]
        now = [("\r\n".join(orders), head(made)) for orders in pair.hopeless(role, asked)]
        write(made, role, seat, late + now)
    return received(made)


def write(made: World, role: str, seat: int, words: list[tuple[str, int]]) -> None:
    """Answers mails of these positions, and waits for what comes back."""
    services = services_of(made.app)
    for number, (word, pos) in enumerate(words):
        to = make_reply_address(services.settings, MATCH, seat, made.id_of(role), pos)
        raw = f"From: {role}@example.org\r\nMessage-ID: <{role}.{number}>\r\n\r\n{word}\r\n"
        receive_mail(services, to, raw.encode())
    letters(services, f"{role}@example.org")


def received(made: World) -> dict[str, str]:
    """All that was mailed to the others until now."""
    services = services_of(made.app)
    return {
        f"{role} letter {number}": BOUNDARY.sub("boundary", letter.source)
        for role in OTHERS[1:]
        for number, letter in enumerate(letters(services, f"{role}@example.org"))
    }


def seen(made: World, pair: Pair) -> dict[str, str]:
    """Every route that can be asked for, by everybody who must not know."""
    told, eyes = {}, f"?eyes={pair.holder}&seat={pair.holder}"  # as if `holder` looked
    for rule in rules(made.app, "GET"):
        if rule.endpoint == "pages.metrics":  # tells how long things took
            continue
        for pos in {*pair.moments, head(made)} if {"pos", "to"} & rule.arguments else (2,):
            where = path(made.app, rule, pos=pos, to=pos)
            made.call("holder", "GET", where)  # what is kept of his look is not for the others
            for role in OTHERS if "match_id" in rule.arguments else ("player", "site"):
                answer = made.call(role, "GET", where)
                told[f"{role} {where}"] = whole(answer)
            if "match_id" in rule.arguments:
                told[f"as holder {where}"] = whole(made.call("player", "GET", where + eyes))
    return {**told, **scripted(made, pair), **in_hand(made, pair), **beyond(made, pair)}


def scripted(made: World, pair: Pair) -> dict[str, str]:
    """What scripts are told: the parts of a page whose board they name, and a whole turn as a bot would play it."""
    match, told = load_match(services_of(made.app).database, MATCH), dict[str, str]()
    planned = (plan[0] for plan in pair.plans if plan)  # what a board is called behind an order
    texts = (f"{match.hash} {pair.holder} {order}" for order in planned)
    guesses = [sha256(text.encode()).hexdigest() for text in texts]
    made.call("holder", "GET", f"/m/{MATCH}")  # so that the service has the board with the plan
    for rule in rules(made.app, "GET"):
        if "match_id" not in rule.arguments or not rule.rule.endswith("/parts"):
            continue
        where = path(made.app, rule, pos=match.head)
        for role in OTHERS:
            for name in ("-", match.hash, *guesses):
                answer = made.call(role, "GET", where, headers={PARTS: name})
                told[f"{role} {where} of {name}"] = whole(answer)
    for role in pair.sitting:
        answer = made.call(role, "GET", f"/m/{MATCH}/hint", headers=JSON)
        told[f"{role} is advised a turn"] = whole(answer)
    return told


def in_hand(made: World, pair: Pair) -> dict[str, str]:
    """Pages without a script with every verb in hand: how it goes on, or why it is of no use now."""
    pages = (f"/m/{MATCH}", f"/m/{MATCH}/analysis")
    return {
        f"{role} {page} holds {verb}": whole(made.call(role, "GET", f"{page}?verb={verb}"))
        for role in pair.sitting
        for page in pages
        for verb in pair.matches[0].game.verbs
    }


def beyond(made: World, pair: Pair) -> dict[str, str]:
    """What goes out without a mail: the picture for whoever has a link, and what browsers and webhooks are told."""
    services, told = services_of(made.app), dict[str, str]()
    with services.database.look() as session:
        told["share"] = draw_share(load_match(session.connection(), MATCH))
        for role in pair.sitting:
            notice = tables.Notice(player_id=made.id_of(role), match_id=MATCH, not_before=NOON)
            told[f"{role} is woken"] = str(compose(session, services, notice))
    return told


def taken_back(made: World, pair: Pair) -> dict[str, str]:
    """The same when all that was done is cut: what is looked at now is a branch that does not count."""
    wish = {"head": head(made), "to": pair.back, "reason": "a slip"}
    answer = made.call("owner", "POST", f"{API}/rewind", json=wish)
    assert answer.status_code == 200, answer.text
    told = {"rewind": whole(answer), **received(made), **seen(made, pair)}
    return {f"taken back: {key}": said for key, said in told.items()}


def cared_for(made: World, pair: Pair) -> dict[str, str]:
    """Whatever calls for a mail: the question itself, time that runs out, what is said at the table and done to it."""
    services, why = services_of(made.app), {"reason": "a slip"}
    with services.database.session() as session:
        match = load_match(session.connection(), MATCH)
        asked = [role for role in pair.sitting if role in pair.asked]
        kinds = [(role, match.game.awaited(match.state)) for role in asked]
        kinds += [(role, "reminder") for role in asked]
        kinds += [(role, "timeout") for role in ("owner", "carer")]
        for role, kind in kinds:  # number 0 may be there
            about = MATCH, match.head, made.id_of(role), kind
            notify_player(session, *about, at=NOON, number=1)
    told = dict[str, str]()
    for role in pair.sitting:
        told[f"{role} talks"] = whole(
            made.call(role, "POST", f"/m/{MATCH}/talk", data={"text": "well"})
        )
        wish = {**why, "to": pair.moments[-1], "head": head(made)}
        told[f"{role} asks for an undo"] = whole(
            made.call(role, "POST", f"/m/{MATCH}/undo", data=wish)
        )
    for act, more in (("extend", {"hours": 24}), ("pause", {}), ("resume", {})):
        received(made)  # a mail about a paused match would come too late
        told[act] = whole(made.call("owner", "POST", f"{API}/{act}", json={**why, **more}))
    return told


def asked_now(made: World, pair: Pair) -> list[str]:
    """Whose turn it is: an undo that nobody was asked about may have taken it back to somebody."""
    match = load_match(services_of(made.app).database, MATCH)
    return [pair.seated[seat] for seat in match.game.to_act(match.state)]


def head(made: World) -> int:
    return load_match(services_of(made.app).database, MATCH).head


def story(folder: Path, migrated: Path, pair: Pair, number: int) -> tuple[dict[str, str], str]:
    """All that is told to those who must not know, and what the holder's own page says."""
    with world(folder, migrated, pair.matches[number], True, pair.seated) as made:
        told = told_there(made, pair, number)
        return told, quiet(made.call("holder", "GET", f"/m/{MATCH}").text)


def told_there(made: World, pair: Pair, number: int) -> dict[str, str]:
    """Every answer and mail to those who must not know, in one of the worlds."""
    lived(made, pair, number)
    called = cared_for(made, pair) if pair.cared_for else {}
    told = {**called, **refusals(made, pair), **mails(made, pair), **seen(made, pair)}
    return told if pair.back is None else {**told, **taken_back(made, pair)}


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
