"""The rules against python-chess, whose rules are as old as they can be: legal sets and random matches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from statistics import median
from time import process_time
from typing import Any

import msgspec

from app.eventstore.codec import dump_event
from engine.core.game import Game
from engine.core.match import advance
from engine.core.playout import random_match, random_state
from engine.core.registry import games
from engine.core.timeline import CORE_EVENTS
from tests.bench.measure import Row, at_least, at_most, in_turns, seconds, typical, working
from tests.bench.peers import NoPeer, asking
from tests.engine.matches import walk

SEATS = 3
LEGAL = {"cuzco": at_most(1.5)}
MATCHES = {"cuzco": at_least(0.4), "java": at_least(0.33), "inka": at_least(0.33), "tahuantinsuyu": at_least(1.3)}  # fmt: skip
SOME = {"cuzco": 6, "java": 4, "inka": 4, "tahuantinsuyu": 12}  # matches a round
PEER = "python-chess"
PEERS_MATCHES = 25


def rows() -> Iterator[Row]:
    try:
        with asking("chess") as chess:
            for key in games():
                yield legal_row(key, chess)
                yield match_row(key, chess)
    except NoPeer as sorry:
        yield Row("beside python-chess", PEER, said=str(sorry))
    for key in games():
        yield fold_row(key)


def legal_row(key: str, chess: Any) -> Row:
    """The whole legal set, in the positions of a random match."""
    asked = [
        (m.game, m.state, s) for m in list(walk(key, SEATS, 1))[::3] for s in m.game.to_act(m.state)
    ]
    what = f"{key}: legal orders"

    def ours() -> float:
        return median(
            seconds(lambda g=g, s=s, n=n: list(g.legal(s, n)), working) for g, s, n in asked
        )

    found = in_turns(what, {"ours": ours, PEER: lambda: chess.ask("legal")})
    return found.row(what, "ours", PEER, LEGAL.get(key))


def match_row(key: str, chess: Any) -> Row:
    """Whole random matches: list all legal orders, choose one, decide, evolve."""
    game, seeds, what = games()[key], count(), f"{key}: random matches"
    sides = {
        "ours": lambda: random_matches(game, seeds, SOME.get(key, 4)),
        PEER: lambda: chess.ask("matches", count=PEERS_MATCHES),
    }
    return in_turns(what, sides).row(what, "ours", PEER, MATCHES.get(key), unit="a second")


def random_matches(game: Game, seeds: Iterator[int], some: int) -> float:
    begun = process_time()
    for _ in range(some):
        random_state(game, SEATS, next(seeds))
    return some / (process_time() - begun)


def fold_row(key: str) -> Row:
    """Folding a match, beside decoding its events by msgspec."""
    match, what, floor = random_match(games()[key], SEATS, 1), f"{key}: fold a match", "msgspec"
    events = [entry.event for entry in match.log]
    decoders = {
        cls.__name__: msgspec.json.Decoder(cls) for cls in (*CORE_EVENTS, *match.game.events)
    }
    raw = [(decoders[type(event).__name__], dump_event(event)) for event in events]
    sides = {
        "ours": typical(lambda: advance(match.game, None, events), 20, clock=working),
        floor: typical(lambda: [decoder.decode(data) for decoder, data in raw], 20, clock=working),
    }
    return in_turns(what, sides).row(what, "ours", floor)
