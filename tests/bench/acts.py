"""An act by HTTP until it is acknowledged, durable: against a bare view of the same server that appends the same rows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from app.eventstore.codec import dump_event
from app.platform.settings import Settings
from tests.bench.mail import sink
from tests.bench.measure import (
    Clock,
    Goal,
    Row,
    Side,
    Spent,
    answered,
    at_least,
    at_most,
    in_turns,
    seconds,
)
from tests.bench.peers import NoPeer, asking
from tests.bench.service import Player, Server, begun, fill_bare, filled, served
from tests.bench.store import NODE_PEER, typical_of
from tests.servers import running_postgresql

CLIENTS, EACH = 8, 12  # at once, and acts of each a round
ACTS = 30  # a round, of one client
MAILED = 300  # acts while mails go out
FLOOR, POSTGRESQL = "a bare view", "PostgreSQL"


def rows() -> Iterator[Row]:
    matches = [begun(f"acting{number}", 40) for number in range(CLIENTS + 1)]
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(running_postgresql(settings=())).fresh()
        fill_bare(made, matches)
        (made / "grown").mkdir()
        fill_bare(made / "grown", [])
        server, (lone, *crowd) = players(stack, Settings(data_dir=made, limits=False), matches)
        away = Settings(data_dir=made / "grown", database_url=url, limits=False)
        distant, (far,) = players(stack, away, matches[:1])
        sides = {
            "ours": answered(lone.act, ACTS, server.worked),
            FLOOR: answered(lone.act_bare, ACTS, server.worked),
            POSTGRESQL: answered(far.act, ACTS, distant.worked),
        }
        yield from alone(lone, sides)
        yield from together(lone, crowd, server.worked)
    yield mailed_row()


def players(
    stack: ExitStack, settings: Settings, matches: list, *, mails: bool = False
) -> tuple[Server, list[Player]]:
    """A server, and one who plays each of these matches there."""
    boards = stack.enter_context(filled(settings, matches))
    server = stack.enter_context(served(settings, mails=mails))
    return server, [Player(server.port, board) for board in boards]


def alone(player: Player, sides: dict[str, Side]) -> Iterator[Row]:
    what = "an act, until it is acknowledged"
    found = in_turns(what, sides)
    yield found.row(what, "ours", FLOOR, at_most(2.5))
    yield found.row(f"{what}, on PostgreSQL", POSTGRESQL, "ours", at_most(1.5))
    yield node_row(what, sides["ours"], player)


def node_row(what: str, ours: Side, player: Player) -> Row:
    """For orientation: its master keeps a move with fsync, without HTTP."""
    event = player.board.next_bare().entries[0].event
    told = [type(event).__name__, dump_event(event)]
    try:
        with asking("boardgameio") as peer:
            theirs = typical_of(lambda: peer.ask("act", event=told), ACTS)
            return in_turns(NODE_PEER, {"ours": ours, NODE_PEER: theirs}).row(
                f"{what} (theirs: without HTTP)", "ours", NODE_PEER
            )
    except NoPeer as sorry:
        return Row(what, NODE_PEER, said=str(sorry))


def together(player: Player, crowd: list[Player], server: Clock) -> Iterator[Row]:
    what, spent = f"acts a second, {CLIENTS} clients", list[float]()
    sides = {
        "ours": at_once([one.act for one in crowd], server, spent=spent),
        FLOOR: at_once([one.act_bare for one in crowd], server),
        "one client": at_once([player.act], server),
    }
    found = in_turns(what, sides)
    yield found.row(what, "ours", FLOOR, at_least(0.5), unit="a second")
    yield found.row(what, "ours", "one client", at_least(1.4), unit="a second")
    yield slowest_row(f"an act with {CLIENTS} clients", spent, found.foreign)


def at_once(
    calls: list[Callable[[], object]],
    server: Clock,
    each: int = EACH,
    spent: list[float] | None = None,
) -> Side:
    """How many calls a second all of them together get through, and for a second of the server's work.

    What each call took by the clock is added to `spent`.
    """
    kept = [] if spent is None else spent

    def one(call: Callable[[], object]) -> None:
        for _ in range(each):
            kept.append(seconds(call))

    def measure() -> Spent:
        begun, worked = perf_counter(), server()
        with ThreadPoolExecutor(len(calls)) as pool:
            list(pool.map(one, calls))
        done = each * len(calls)
        return Spent(done / (perf_counter() - begun), done / (server() - worked))

    return measure


def mailed_row() -> Row:
    """The slowest of a hundred acts beside the usual one, while every turn sends a mail with a new picture."""
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(sink())
        fill_bare(made, [])
        mail = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none"}
        settings = Settings(data_dir=made, limits=False, mail_from="play@chasqui.example", **mail)
        _, (player,) = players(stack, settings, [begun("mailed", 40)], mails=True)
        spent: list[float] = []

        def acted() -> float:
            spent.extend(seconds(player.act) for _ in range(MAILED // 10))
            return spent[-1]

        what = "an act while mails go out"
        return slowest_row(what, spent, in_turns(what, {"ours": acted}).foreign, at_most(3))


def slowest_row(what: str, spent: list[float], foreign: float, goal: Goal | None = None) -> Row:
    """The slowest of a hundred beside the usual one."""
    p99, p50 = quantiles(spent, n=100)[98], median(spent)
    return Row(f"{what}: the slowest of 100", "the usual one", p99, p50, goal=goal, foreign=foreign)
