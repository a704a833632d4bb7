"""Pages against a constant string from Flask: the same server, the same client, by turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, cycle
from pathlib import Path
from random import Random

from app.people.api_tokens import SCOPES, make_api_token
from app.platform.database import Database
from app.platform.settings import Settings
from app.platform.tables import utc_now
from engine.core import match as matches
from engine.core.match import Match
from engine.core.playout import random_acts
from engine.core.timeline import Extended
from tests.app.seated import my_id, played
from tests.bench.acts import POSTGRESQL, at_once, slowest_row
from tests.bench.measure import Clock, Row, Side, answered, at_least, at_most, in_turns
from tests.bench.service import Client, Player, Server, begun, fill_bare, filled, served
from tests.servers import running_postgresql

PAGES, QUICK = 12, 40  # a round
CLIENTS, EACH = 8, 4
POSITION, LONG, ENDLESS = 200, 330, 5000  # an old position, and the events of the matches
FLOOR, ANEW = "a constant string", "the page made anew"
NUMBERS = count()


def rows() -> Iterator[Row]:
    crowd = [begun(f"opened{number}", 60) for number in range(CLIENTS)]
    long, endless = of_events("longmatch22", LONG), of_events("endless2222", ENDLESS)
    empire = played(60, "empirematch", "tahuantinsuyu", 3)
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(running_postgresql(settings=())).fresh()
        fill_bare(made, [])
        settings = Settings(data_dir=made, limits=False)
        server, some = players(stack, settings, [*crowd, long, endless, empire])
        away = Settings(data_dir=made / "grown", database_url=url, limits=False)
        (made / "grown").mkdir()
        fill_bare(made / "grown", [])
        distant, (far,) = players(stack, away, crowd[:1])
        token = api_token(settings, some[0])
        sides = page_sides(some[0], some[-1], token, server.worked)
        sides[POSTGRESQL] = answered(fresh(far.clients[0], far.board.where), PAGES, distant.worked)
        yield from shares(sides)
        yield from old_positions(*some[-3:-1], server.worked)
        yield from together(some[:CLIENTS], server.worked)


def players(stack: ExitStack, settings: Settings, some: list[Match]) -> tuple[Server, list[Player]]:
    boards = stack.enter_context(filled(settings, some))
    server = stack.enter_context(served(settings))
    return server, [Player(server.port, board) for board in boards]


def of_events(name: str, least: int) -> Match:
    """A match in play with so many events; of very many, most are of the table."""
    match = begun(name, 0)
    while match.head < least - LONG:
        match = matches.note(match, Extended("owner", "to grow", 1))
    return next(later for later in random_acts(match, Random(5)) if later.head >= least)


def api_token(settings: Settings, player: Player) -> str:
    database = Database(settings.database_url)
    with database.session() as session:
        who = my_id(player.board.people[0])
        token = make_api_token(session, who, "bench", utc_now(), tuple(SCOPES))
    database.close()
    return token


# One reader


def fresh(client: Client, path: str) -> Callable[[], object]:
    """The page made anew in the same position: for another wish each time."""
    return lambda: client.get(path, **{"Accept-Language": f"en, x{next(NUMBERS)}"})


def unchanged(client: Client, path: str) -> Callable[[], object]:
    tag = {"If-None-Match": ""}

    def ask() -> None:
        tag["If-None-Match"] = client.get(path, **tag)[1].get("etag", "")

    return ask


def page_sides(near: Player, empire: Player, token: str, server: Clock) -> dict[str, Side]:
    (ana, _), where = near.clients, near.board.where
    api = {"Authorization": f"Bearer {token}"}
    constant = Client(ana.connection.port or 0)
    as_json = f"/api/v1/matches/{near.board.id}"
    return {
        FLOOR: answered(lambda: constant.get("/bare/"), QUICK, server),
        ANEW: answered(fresh(ana, where), PAGES, server),
        "after a move": answered(lambda: ana.get(where), PAGES, server, near.act),
        "Tahuantinsuyu": answered(fresh(empire.clients[0], empire.board.where), PAGES, server),
        "unchanged": answered(lambda: ana.get(where), QUICK, server),
        "304": answered(unchanged(ana, where), QUICK, server),
        "as JSON": answered(lambda: constant.get(as_json, **api), PAGES, server),
    }


def shares(sides: dict[str, Side]) -> Iterator[Row]:
    found = in_turns("pages", sides)
    yield found.share("turn page made anew", ANEW, FLOOR, at_least(0.2))
    yield found.share("turn page after a move", "after a move", FLOOR, at_least(0.1))
    yield found.share("turn page of Tahuantinsuyu, made anew", "Tahuantinsuyu", FLOOR)
    yield found.share("turn page, unchanged", "unchanged", FLOOR, at_least(0.8))
    yield found.share("turn page, 304", "304", FLOOR, at_least(0.8))
    yield found.row("turn page on PostgreSQL", POSTGRESQL, ANEW, at_most(1.5))
    yield found.row("the match as JSON", "as JSON", ANEW)


def old_positions(long: Player, endless: Player, server: Clock) -> Iterator[Row]:
    """Positions that were not looked at before, of a long match and of one that is far too long."""
    for player, what in (
        (long, f"position {POSITION} of {LONG}"),
        (endless, f"positions of {ENDLESS}"),
    ):
        client, where = player.clients[0], player.board.where
        about = range(POSITION - 60, POSITION + 60) if player is long else range(300, ENDLESS)
        order = cycle(Random(3).sample(about, len(about)))
        sides = {
            "ours": answered(lambda c=client, w=where, o=order: c.get(f"{w}/history/{next(o)}"), PAGES, server),
            ANEW: answered(fresh(client, where), PAGES, server),
        }  # fmt: skip
        found = in_turns(what, sides)
        yield found.row(what, "ours", ANEW, at_most(0.6))


# Many readers


def together(crowd: list[Player], server: Clock) -> Iterator[Row]:
    what, spent = f"pages a second, {CLIENTS} clients", list[float]()
    calls = [fresh(one.clients[0], one.board.where) for one in crowd]
    sides = {
        "ours": at_once(calls, server, EACH, spent),
        "one client": at_once(calls[:1], server, EACH * 2),
    }
    found = in_turns(what, sides)
    yield found.row(what, "ours", "one client", at_least(1.4), unit="a second")
    yield slowest_row(f"a page with {CLIENTS} clients", spent, found.foreign)
