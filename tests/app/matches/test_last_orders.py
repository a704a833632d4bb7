"""The order that ends a match: whatever is thought about it beforehand, nothing shows what the end would open.

Driven by the registry: a new game is covered without a line here.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.eventstore.store import load_match
from app.mail.incoming.receive import receive_mail
from app.mail.outgoing.digest import enqueue_due_digests
from app.mail.reply_addresses import make_reply_address
from app.matches.drafts import preview_draft
from app.matches.lookahead import foresee_ending
from app.people.api_tokens import make_api_token
from app.platform import tables
from engine.core.match import Match, entry_salts, rewind, start
from engine.core.playout import random_acts
from engine.core.registry import games
from engine.core.secrecy import hidden_parts
from tests.app.browser import Visitor, letters, services_of
from tests.app.roles import MATCH, forget_everything, path, rules
from tests.app.seated import add, come_in, commit, my_id, seat

SEEDS = ("a seed that nobody may see", "a second seed that nobody may see")
ENDS = "This ends the match and opens all secrets."
MOST_LAST_ORDERS = 8
API = f"/api/v1/matches/{MATCH}"


def last_position(key: str) -> Match:
    """A random match before its last order; it was turned back on its way, so it has two seeds."""
    game = games()[key]
    match = start(game, game.seats[-1], {}, SEEDS[0], MATCH, [""] * game.seats[-1])
    for number, later in enumerate(random_acts(match, Random(3))):
        if number == 9:
            return before_the_end(rewind(later, later.head, "operator", "a slip", SEEDS[1]))
    raise AssertionError("a match of nine orders")


def before_the_end(match: Match) -> Match:
    before = match
    for later in random_acts(match, Random(4)):
        if later.over:
            return before
        before = later
    raise AssertionError("nothing was played")


def last_orders(match: Match) -> list[str]:
    """Every order that would end the match, as its seat can know."""
    game = match.game
    (asked,) = game.to_act(match.state)
    actions = list(game.legal(match.state, asked))
    found = [game.format(action) for action in actions if foresee_ending(game, match.state, action)]
    return found[:MOST_LAST_ORDERS]


@dataclass
class Table:
    """A running match in its last moment, with a browser and a token in every seat."""

    app: Flask
    match: Match
    sitting: list[Visitor]
    tokens: list[str]
    told: list[tuple[int | None, str, str]]  # who was told, where, and what

    @property
    def asked(self) -> int:
        (seat,) = self.match.game.to_act(self.match.state)
        return seat

    def heard(self, who: int | None, where: str, answer: TestResponse) -> TestResponse:
        said = f"{answer.status_code} {list(answer.headers)} {html.unescape(answer.text)}"
        self.told.append((who, where, said))
        return answer

    def call(self, who: int | None, method: str, where: str, **more: Any) -> TestResponse:
        """By token or by browser, as the address has it; nobody has neither."""
        if where.startswith("/api/"):
            headers = {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}
            client = self.app.test_client()
            answer = client.open(where, method=method, headers=headers, **more)
        else:
            visitor = Visitor(self.app) if who is None else self.sitting[who]
            answer = visitor.client.open(where, method=method, **more)
        return self.heard(who, where, answer)

    def write(self, who: int, words: str) -> None:
        """Answers the mail of this turn."""
        services, visitor = services_of(self.app), self.sitting[who]
        to = make_reply_address(services.settings, MATCH, who, my_id(visitor), self.match.head)
        number = len(self.told)
        raw = f"From: {visitor.email}\r\nMessage-ID: <{who}.{number}>\r\n\r\n{words}\r\n"
        receive_mail(services, to, raw.encode())

    def mails(self) -> None:
        enqueue_due_digests(services_of(self.app))
        for who, visitor in enumerate(self.sitting):
            for letter in letters(services_of(self.app), visitor.email or ""):
                self.told.append((who, "mail", f"{letter.source} {letter.text} {letter.html}"))

    def everywhere(self) -> None:
        """Every route that can be asked for, by everybody."""
        for rule in rules(self.app, "GET"):
            for pos in {2, self.match.head} if {"pos", "to"} & rule.arguments else (2,):
                for who in (None, *range(len(self.sitting))):
                    self.call(who, "GET", path(self.app, rule, pos=pos, to=pos))


@pytest.fixture(params=games())
def table(request: pytest.FixtureRequest, app: Flask) -> Table:
    forget_everything()
    match = last_position(request.param)
    seats = match.log[0].event.seats
    sitting = [come_in(app, f"seat{number}@example.org") for number in range(seats)]
    services = services_of(app)
    seat(services, match, *(my_id(visitor) for visitor in sitting), public=True)
    with services.database.session() as session:
        tokens = [make_api_token(session, my_id(v), "t", services.now()) for v in sitting]
        row = session.get_one(tables.Match, MATCH)
        row.hints = True
        for visitor in sitting:
            player = session.get_one(tables.Player, my_id(visitor))
            player.mail_preferences, player.digest_at = {"digest": True}, services.now()
            session.add(player)
    return Table(app, match, sitting, tokens, [])


def hidden_words(match: Match, seat: int | None) -> set[str]:
    """What opens a secret of others: seeds, and the salts of every part that this seat may not know."""
    found = {seed for _, seed in match.seeds}
    for entry in match.log:
        salts = entry_salts(entry, match.name, match.seed_at(entry.pos))
        parts = hidden_parts(entry.event, seat)
        if entry.hidden and entry.seat != seat:
            parts.append("order")
        found |= {salts[part] for part in parts}
    return found


def check_secrets(table: Table) -> None:
    opening = {who: hidden_words(table.match, who) for who in (None, *range(len(table.sitting)))}
    leaks = [
        (who, where, word)
        for who, where, said in table.told
        for word in opening[who]
        if word in said
    ]
    assert leaks == []
    for where in ("/history", f"/history?from={table.match.head}", "/record"):
        for who in (None, *range(len(table.sitting))):
            assert "SeedRevealed" not in table.call(who, "GET", API + where).text


def test_nothing_that_is_thought_about_the_last_order_tells_a_secret(table: Table) -> None:
    orders = last_orders(table.match)
    assert orders
    where, asked, before = f"/m/{MATCH}", table.asked, table.match
    view = table.call(asked, "GET", API).get_json()["view"]
    for order in orders:
        drafted = table.call(asked, "PUT", f"{API}/draft", json={"orders": [order, order]})
        assert drafted.get_json()["waiting"] == [order, order]
        assert drafted.get_json()["view"] == view  # as if nothing were drafted
        drafted = table.call(asked, "PUT", f"{API}/draft", json={"orders": [order]}).get_json()
        assert (drafted["waiting"], drafted["problem"], drafted["view"]) == ([order], None, view)
        for look in ("", "/choices", "/hint"):
            table.call(asked, "GET", where + look)
        table.call(asked, "GET", f"{API}/draft")
        page = table.call(asked, "GET", where).text
        assert (ENDS in page) == (drafted["ends"] == "surely")
        table.call(asked, "DELETE", f"{API}/draft")
        # By the page it does not even come into the draft: it is asked about.
        added = table.heard(asked, "add", add(table.sitting[asked], where, order))
        assert added.headers["Location"].startswith(f"{where}/confirm?")
        asking = table.call(asked, "GET", added.headers["Location"]).text
        assert (ENDS in asking) == (drafted["ends"] == "surely")
        table.heard(asked, "add", add(table.sitting[asked], where, f"{order}; {order}"))
        # With more behind it the submission is refused whole, by page, API and mail.
        refused = commit(table.sitting[asked], where, order, order)
        assert table.heard(asked, "commit", refused).status_code == 422
        sent = table.call(asked, "POST", f"{API}/orders", json={"orders": [order, order]})
        assert sent.status_code == 422
        table.write(asked, f"{order}\r\n{order}")
        for other in range(len(table.sitting)):
            if other != asked:
                table.call(other, "PUT", f"{API}/draft", json={"orders": [order]})
                table.call(other, "GET", where)
                table.call(other, "GET", f"{where}/confirm?order={order}")
    for word in ("status", "board", "history", "help"):
        table.write(asked, word)
    table.call(asked, "PUT", f"{API}/draft", json={"orders": [orders[0]]})
    table.everywhere()
    table.mails()
    assert load_match(services_of(table.app).database, MATCH).log == before.log
    assert sum(said.startswith("200") for _, _, said in table.told) > 100
    check_secrets(table)


def test_the_search_finds_what_is_planted(table: Table) -> None:
    """The seed in force, one before it, and a salt of another's secret where the game has secrets."""
    other = next(seat for seat in range(len(table.sitting)) if seat != table.asked)
    for word in (*SEEDS, *sorted(hidden_words(table.match, other))[:3]):
        table.told[:] = [(other, "planted", f"200 {word}")]
        with pytest.raises(AssertionError, match="planted"):
            check_secrets(table)


def test_the_last_order_ends_the_match_once_it_is_confirmed(table: Table) -> None:
    where, asked = f"/m/{MATCH}", table.asked
    order = last_orders(table.match)[0]
    added = add(table.sitting[asked], where, order)
    page = table.sitting[asked].get(added.headers["Location"])
    assert page.status_code == 200
    assert commit(table.sitting[asked], where, order).status_code == 303
    after = load_match(services_of(table.app).database, MATCH)
    if after.over:  # by some draws it is not
        assert {
            seed for seed in SEEDS if seed in table.sitting[asked].get(f"{where}/history").text
        } == set(SEEDS)
        assert "Verified" in table.sitting[asked].get(where).text


def test_a_plan_of_the_last_order_says_so_when_its_turn_comes(app: Flask) -> None:
    """Planned out of turn only its words are checked; on the turn the plan stops before the end."""
    match = last_position("cuzco")
    (asked,) = match.game.to_act(match.state)
    order = last_orders(match)[0]
    other = next(seat for seat in range(match.log[0].event.seats) if seat != asked)
    assert preview_draft(match, other, [order]).planned
    thought = preview_draft(match, asked, [order])
    assert (thought.waiting, thought.ends, thought.shown.acts) == ((order,), "surely", ())
