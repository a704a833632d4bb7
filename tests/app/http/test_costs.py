"""What requests cost, counted at fixed positions: clocks differ from machine to machine, counts do not."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.pool import Pool
from werkzeug.test import TestResponse

from app.eventstore.store import MATCH_CACHE
from app.http.page_fingerprint import PAGES
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, my_id, now, played, seat, two
from tests.app.web.test_turn import LAST

BUDGETS = tomllib.loads(Path(__file__).with_name("costs.toml").read_text())
ORDERS = 100  # of a match of Cuzco that has some way behind it

Act = Callable[[Visitor, str], TestResponse]


class Cost:
    """What was counted while a block ran."""

    statements = calls = 0

    def asked(self, statement: str) -> None:
        self.statements += not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))

    def called(self, _: FrameType, what: str, __: object) -> None:
        self.calls += what == "call"


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


def after_a_move(ana: Visitor, where: str) -> TestResponse:
    PAGES.clear()
    return ana.client.get(where)


def after_a_restart(ana: Visitor, where: str) -> TestResponse:
    MATCH_CACHE.clear()
    return after_a_move(ana, where)


REQUESTS: dict[str, Act] = {
    "page": after_a_move,
    "page after a restart": after_a_restart,
    "page unchanged": lambda ana, where: ana.client.get(where),
    "choices": lambda ana, where: ana.client.get(f"{where}/choices?packed"),
    "history": lambda ana, where: ana.client.get(f"{where}/history/60"),
    "my matches": lambda ana, _: ana.client.get("/matches"),
    "lobby": lambda ana, _: ana.client.get("/tables"),
    "home": lambda ana, _: ana.client.get("/"),
}


def judge(name: str, cost: Cost, answer: TestResponse) -> None:
    found = {"statements": cost.statements, "calls": cost.calls, "bytes": len(answer.data)}
    budget = BUDGETS[name]
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


def test_every_budget_is_of_something_that_is_measured() -> None:
    assert set(BUDGETS) == {*REQUESTS, "draft step", "act"}
