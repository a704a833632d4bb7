"""Everything that writes to others counts against one budget of mails, on pages and in the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from app.http.rate_limits import ACTS, MAILING, PLAYED_BY, PLAYING, WRITING, limiter
from app.outbox.mail_preferences import MAILS
from app.platform import tables
from tests.app.browser import services_of
from tests.app.roles import MATCH, World, begun, path, rules, world

MOST = int(MAILING.split()[0])
NUMBERS = count(1)


@pytest.fixture
def everybody(sqlite_folder: Path, tmp_path: Path) -> Iterator[World]:
    """Somebody in every role, all of whom want every mail; limits are counted."""
    with world(
        tmp_path / "world", sqlite_folder, begun(["tumi"]), public=True, limited=True
    ) as made:
        with services_of(made.app).database.session() as session:
            for player in session.exec(select(tables.Player)):
                player.mail_preferences = dict.fromkeys(MAILS, True)
                session.add(player)
        limiter.reset()
        yield made
        limiter.reset()


def wish(made: World, role: str, endpoint: str) -> dict[str, Any]:
    """What lets most forms and operations act, for a seat or a person that is there."""
    with services_of(made.app).database.look() as session:
        row = session.get_one(tables.Match, MATCH)
        head, status = row.head, row.status
    other = f"friend{next(NUMBERS)}@example.net"
    if endpoint.startswith("api."):
        match endpoint.removeprefix("api."):
            case "create_match":
                return {"game": "cuzco", "seats": ["me", {"email": other}]}
            case "submit_orders":
                return {"orders": ["end"]}
            case "extend_match":
                return {"reason": "-", "hours": 5}
            case "replace_player":
                return {"reason": "-", "email": other}
            case "rewind_match":
                return {"reason": "-", "head": head, "to": 2}
            case "restore_match":
                return {"head": head}
            case "join_match" | "leave_match":
                return {}
        return {"reason": "-"}
    player = made.id_of("holder" if endpoint == "care.name" else "player")
    return {
        "reason": "-", "text": "hello", "hours": "5", "seat": "2", "head": str(head), "email": other,
        "player": str(player), "asked": "1", "to": "2", "number": "1", "talk": "1", "order": "end",
        "game": "cuzco", "seat0": "me", "seat1": "invite", "email1": other, "name": role, "status": status,
    } | ({"seat": "0"} if endpoint == "match.commit" else {})  # fmt: skip


def outbox(made: World) -> dict[int, tuple[Any, ...]]:
    """Every mail with what changes when it is sent again."""
    with services_of(made.app).database.look() as session:
        return {
            row.id or 0: (row.player_id, row.email, row.state, row.created_at)
            for row in session.exec(select(tables.Outbox).order_by(col(tables.Outbox.id)))
        }


def spent(key: str) -> int:
    """How many of an asker's requests were counted as mails in this minute."""
    limit = next(iter(limiter.limit_manager.application_limits)).limit
    storage: Any = limiter.limiter.storage
    return int(storage.get(limit.key_for(key, "mails")))


def act(made: World, role: str, method: str, endpoint: str, where: str) -> int:
    given = wish(made, role, endpoint)
    kind = "json" if endpoint.startswith("api.") else "data"
    return made.call(role, method, where, **{kind: given}).status_code


# Who does what in turn, so that each of them has something to tell the others.
STORY = (
    *("nobody signin.send", "player lobby.create", "player api.create_match", "player match.speak"),
    *("site mails.resend", "owner care.pause", "owner care.resume", "owner care.extend"),
    *("owner care.invite", "player match.commit", "player care.ask"),
    *("owner care.rewind", "owner care.restore", "owner api.pause_match", "owner api.resume_match"),
    *("owner api.extend_match", "owner api.rewind_match", "owner api.restore_match"),
    *("owner care.rewind", "player api.submit_orders", "site care.replace"),
    *("site api.replace_player", "carer care.resign", "owner care.hand_over", "player care.close"),
)  # fmt: skip
# They would end what the others need.
ENDS = {"account.delete", "signin.leave", "signin.leave_everywhere", "account.end_token"}


@pytest.fixture
def watched(everybody: World) -> Callable[[str, Any, str], bool]:
    """Does something, holds what reached the outbox against the budget, and says whether others were written to."""
    ids = {role: made_id(everybody, role) for role in everybody.browsers}

    def others(role: str) -> list[int | None]:
        return [number for other, number in ids.items() if other != role]

    def do(role: str, rule: Any, method: str) -> bool:
        key = f"player {ids[role]}" if ids[role] else "127.0.0.1"
        before, count_before = outbox(everybody), spent(key)
        where = path(everybody.app, rule, pos=2, to=2, n=2, number=1)
        act(everybody, role, method, rule.endpoint, where)
        wrote = any(
            before.get(number) != row and row[2] == "waiting" and row[0] in (None, *others(role))
            for number, row in outbox(everybody).items()
        )
        if wrote and rule.endpoint not in PLAYED_BY:
            assert spent(key) == count_before + 1, (role, rule.endpoint)
        return wrote

    return do


def made_id(made: World, role: str) -> int | None:
    return None if role == "nobody" else made.id_of(role)


def test_every_route_that_writes_to_others_counts_against_the_budget(
    everybody: World, watched: Callable[[str, Any, str], bool]
) -> None:
    """First those that are known to, in an order that lets each act; then all routes by everybody."""
    routes = {(rule.endpoint, m): rule for m in ACTS for rule in rules(everybody.app, m)}
    assert everybody.call("invited", "POST", f"/m/{MATCH}/join").status_code == 303
    for line in STORY:
        role, endpoint = line.split()
        assert watched(role, routes[endpoint, "POST"], "POST"), line
    for (endpoint, method), rule in routes.items():
        if endpoint not in ENDS:
            for role in everybody.browsers:
                watched(role, rule, method)


@pytest.mark.parametrize("endpoint", PLAYED_BY)
def test_orders_have_a_limit_of_their_own(everybody: World, endpoint: str) -> None:
    """They cannot fill a mailbox: who is asked must answer before they are asked again."""
    (rule,) = (rule for rule in rules(everybody.app, "POST") if rule.endpoint == endpoint)
    act(everybody, "player", "POST", endpoint, path(everybody.app, rule))
    storage: Any = limiter.limiter.storage
    most = (PLAYING if endpoint.startswith("api.") else WRITING).split()[0]
    counted = [key for key in storage._counts if f"{endpoint}/{most}/1/minute" in key]
    assert len(counted) == 1, storage._counts


def test_page_and_api_share_one_budget_and_oneself_is_free(everybody: World) -> None:
    made = everybody
    for number in range(MOST + 5):
        alone = {"game": "cuzco", "seats": ["me", {"bot": "random"}]} if number < 15 else {"game": "cuzco", "seats": ["me", "me"]}  # fmt: skip
        assert made.call("player", "POST", "/api/v1/matches", json=alone).status_code == 201
    codes = [
        made.call("player", "POST", "/api/v1/matches", json=wish(made, "player", "api.create_match")).status_code
        for _ in range(MOST)
    ]  # fmt: skip
    assert codes == [201] * MOST
    for where in ("/api/v1/matches", "/tables/new"):
        endpoint = "api.create_match" if where.startswith("/api") else "lobby.create"
        assert act(made, "player", "POST", endpoint, where) == 429
    assert (
        act(made, "carer", "POST", "lobby.create", "/tables/new") == 303
    )  # has a budget of their own
    assert made.call("player", "GET", f"/m/{MATCH}").status_code == 200
