"""What requests cost, counted at fixed positions: clocks differ from machine to machine, counts do not."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.pool import Pool
from werkzeug.test import TestResponse

from app.eventstore.store import MATCH_CACHE
from app.http.page_fingerprint import PAGES
from app.people.api_tokens import SCOPES, make_api_token
from engine.core.playout import random_acts
from tests.app.browser import Visitor
from tests.app.kept import keep
from tests.app.seated import come_in, late_match, my_id, now, played, seat, two
from tests.app.web.test_turn import LAST

BUDGETS = tomllib.loads(Path(__file__).with_name("costs.toml").read_text())
ORDERS = 100  # of a match of Cuzco that has some way behind it
DECODES = "validate_json"  # what pydantic reads an event of the log with

Act = Callable[[Visitor, str], TestResponse]


class Cost:
    """What was counted while a block ran."""

    statements = calls = decoded = 0

    def asked(self, statement: str) -> None:
        self.statements += not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))

    def called(self, _: FrameType, what: str, code: object) -> None:
        self.calls += what == "call"
        self.decoded += what == "c_call" and getattr(code, "__name__", "") == DECODES


COUNTED: list[Cost] = []


@pytest.fixture(autouse=True)
def _traced() -> Iterator[None]:
    """Every connection tells what it is asked, from its beginning: the one that writes is never handed out again."""
    event.listen(Pool, "connect", trace)
    yield
    event.remove(Pool, "connect", trace)


def trace(connection: Any, *_: Any) -> None:
    connection.set_trace_callback(lambda words: [cost.asked(words) for cost in COUNTED])


@contextmanager
def counting() -> Iterator[Cost]:
    cost = Cost()
    COUNTED.append(cost)
    sys.setprofile(cost.called)
    try:
        yield cost
    finally:
        sys.setprofile(None)
        COUNTED.remove(cost)


def made_anew(ana: Visitor, where: str) -> TestResponse:
    PAGES.clear()
    return ana.client.get(where)


def after_a_restart(ana: Visitor, where: str) -> TestResponse:
    MATCH_CACHE.clear()
    return made_anew(ana, where)


REQUESTS: dict[str, Act] = {
    "page": made_anew,
    "page after a restart": after_a_restart,
    "page unchanged": lambda ana, where: ana.client.get(where),
    "choices": lambda ana, where: ana.client.get(f"{where}/choices?packed"),
    "history": lambda ana, where: ana.client.get(f"{where}/history/60"),
    "my matches": lambda ana, _: ana.client.get("/matches"),
    "lobby": lambda ana, _: ana.client.get("/tables"),
    "home": lambda ana, _: ana.client.get("/"),
}


def judge(name: str, cost: Cost, answer: TestResponse) -> None:
    found = {
        "statements": cost.statements,
        "decoded": cost.decoded,
        "calls": cost.calls,
        "bytes": len(answer.data),
    }
    budget = {"decoded": 0, **BUDGETS[name]}
    assert {what: n for what, n in found.items() if n > budget[what]} == {}, (found, budget)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_costs_no_more_than_it_may(app: Flask, name: str) -> None:
    where, ana, _ = two(app, played(ORDERS))
    for _ in range(2):  # templates are compiled, and what is kept is kept
        REQUESTS[name](ana, where)
    with counting() as cost:
        answer = REQUESTS[name](ana, where)
    assert answer.status_code in (200, 304)
    judge(name, cost, answer)


@pytest.mark.parametrize(("name", "told"), [("draft step", "add"), ("act", "order")])
def test_an_order_costs_no_more_than_it_may(app: Flask, name: str, told: str) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    for match_id in ("warmedup22", "measured22"):
        where = seat(ana.services, late_match(match_id), my_id(ana), my_id(bo), clocks=True)
        form = {**now(ana, where), told: LAST, "key": match_id}
        address = f"{where}/{'draft' if told == 'add' else 'commit'}"
        with counting() as cost:
            answer = ana.client.post(address, data=form, headers={"X-Board": "-"})
    assert answer.status_code in (200, 303)
    judge(name, cost, answer)


def test_the_page_after_a_move_costs_no_more_than_it_may(app: Flask) -> None:
    match = played(ORDERS)
    where, ana, _ = two(app, match)
    for later in islice(random_acts(match, Random(5)), 2):
        ana.client.get(where)
        keep(ana.services.database, later, match.head)
        match = later
        with counting() as cost:
            answer = ana.client.get(where)
    judge("page after a move", cost, answer)


def test_a_match_as_json_costs_no_more_than_it_may(app: Flask) -> None:
    where, ana, _ = two(app, played(ORDERS))
    with ana.services.database.session() as session:
        key = make_api_token(session, my_id(ana), "counted", ana.services.now(), tuple(SCOPES))
    address, shown = f"/api/v1/matches/{where[3:]}", {"Authorization": f"Bearer {key}"}
    for _ in range(3):
        with counting() as cost:
            answer = ana.client.get(address, headers=shown)
    assert answer.status_code == 200
    judge("match as JSON", cost, answer)


def test_every_budget_is_of_something_that_is_measured() -> None:
    assert set(BUDGETS) == {*REQUESTS, "page after a move", "match as JSON", "draft step", "act"}
