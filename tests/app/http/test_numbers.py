"""Numbers that no database can count to, and words where a number should be: a refusal, never a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app import create_app
from app.platform.database import Database
from app.platform.settings import Settings
from tests.app.browser import Visitor, services_of
from tests.app.roles import VALUES, rules
from tests.app.seated import come_in

ODD = ("3000000000", "99999999999999999999", "9" * 5000, "%00")
NUMBERS = (
    *("head", "seat", "to", "from", "pos", "page", "eyes", "at", "hours", "player", "number"),
    *("talk", "asked", "winners", "bank_hours", "reminders", "days_off", "option_round_limit"),
)


@pytest.fixture
def app(database: Database, tmp_path: Path) -> Flask:
    settings = Settings(data_dir=tmp_path, database_url=str(database.url))
    return create_app(settings, database, RATELIMIT_ENABLED=False)


@pytest.fixture
def ana(app: Flask) -> Visitor:
    """Ana, who cares for the site too: every page lets her in."""
    visitor = come_in(app, "ana@example.org")
    with services_of(app).database.session() as session:
        session.merge(visitor.player).moderator = True
    return visitor


def paths(rule: Rule, match_id: str, odd: str) -> Iterator[str]:
    """Addresses of the route with that in the place of each number."""
    known = {**VALUES, "match_id": match_id}
    kinds = {name for name, converter in rule._converters.items() if hasattr(converter, "min")}
    for swapped in kinds or {""}:
        values = {name: odd if name == swapped else known.get(name, "x") for name in rule.arguments}
        yield "".join(str(values[text]) if dynamic else text for dynamic, text in rule._trace).replace("|", "", 1)  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda text: text[:22] or "empty")
def test_no_number_breaks_a_page_or_the_api(app: Flask, ana: Visitor, odd: str) -> None:
    match_id = ana.post("/demo", {"against": "myself"}).headers["Location"].rpartition("/")[2]
    token = ana.form_token()
    query = dict.fromkeys(NUMBERS, odd.replace("%00", "\0"))
    for rule in [*rules(app, "GET"), *rules(app, "POST")]:
        if rule.endpoint in ("account.delete", "signin.leave", "signin.leave_everywhere"):
            continue  # they would end what the others need
        for path in paths(rule, match_id, odd):
            if "GET" in (rule.methods or ()):
                answers = [ana.client.get(path, query_string=query)]
                if path.startswith("/api/"):  # which takes no field that it does not know
                    fields = ({name: query[name]} for name in ("page", "pos", "from", "to"))
                    answers += [ana.client.get(path, query_string=some) for some in fields]
            else:
                answers = [ana.client.post(path, data={"csrf_token": token, "reason": "-", "text": "-", **query})]  # fmt: skip
            for response in answers:
                assert response.status_code < 500, (path, odd[:30], response.text)
                response.close()


@pytest.mark.parametrize("odd", [2**31, 2**63, 10**30, -(2**63) - 1, 1e300])
def test_no_number_of_json_breaks_the_api(app: Flask, ana: Visitor, odd: float) -> None:
    match_id = ana.post("/demo", {"against": "myself"}).headers["Location"].rpartition("/")[2]
    made = ana.post("/account/tokens", {"name": "test"}).text
    secret = next(word for word in made.replace("<", " ").replace(">", " ").split() if word.startswith("chq_"))  # fmt: skip
    headers = {"Authorization": f"Bearer {secret}"}
    body = {"reason": "-", "orders": [f"place {odd}"], "head": odd, "to": odd, "hours": odd, "seat": odd}  # fmt: skip
    match = f"/api/v1/matches/{match_id}"
    wishes = [
        {name: body[name] for name in names.split()}
        for names in (
            "orders head",
            "reason head",
            "reason hours",
            "reason head to",
            "head",
            "seat",
        )
    ]
    wishes += [{"reason": "-", "winners": [odd]}, {"orders": []}]
    for operation in ("orders", "pause", "extend", "close", "rewind", "restore", "join", "leave"):
        for wish in wishes:
            response = ana.client.post(f"{match}/{operation}", json=wish, headers=headers)
            assert 400 <= response.status_code < 500, (operation, wish, response.text)
    for game, options in (("inka", {"round_limit": odd}), ("cuzco", {"ask_everyone": odd})):
        wish = {"game": game, "seats": ["me", "me"], "options": options}
        response = ana.client.post("/api/v1/matches", json=wish, headers=headers)
        assert 400 <= response.status_code < 500, response.text
    pace = {"hours": odd, "bank_hours": odd, "reminders": [odd], "days_off": [odd]}
    wish = {"game": "cuzco", "seats": ["me", "me"], "pace": pace}
    assert ana.client.post("/api/v1/matches", json=wish, headers=headers).status_code == 400
