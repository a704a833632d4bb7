"""Hostile lines for the referee: broken JSON, wrong types, odd orders, mended logs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.referee import REQUESTS, Referee
from engine.core.registry import find

VALUES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 3.5, 1e300, 10**30, "", "0", "cuzco", "java", "x" * 3000, "\ud800", "\x00",
    [], [[]], [None], {}, {"seats": 2}, {"a": {"b": []}}, "place triple e14 e16 d15", "end", "hold", "draw pile",
    "s001", "huanca", "el_nino", "orange-blue", "L01", "D1", "r2c8", ["s001", "s056"], ["r2c8", "r2c9"],
]  # fmt: skip
KEYS = [
    "do",
    "game",
    "seats",
    "seed",
    "options",
    "position",
    "seat",
    "order",
    "to",
    "reason",
    "log",
    "depth",
]
TILES = [
    "place triple e14 e16 d15", "place double g16 g18", "place crop h5", "place village c8", "enter e4", "leave e4",
    "move e14 e16", "build e14 2", "expand e14 4", "basin g16", "draw open", "draw pile", "token", "end", "hold",
    "pass", "bid tumi", "festival e14 tumi", "place rice h5", "build e14 00", "build e14 9" + "9" * 6000,
    "place triple e14 e14 e14", "move e14 e14", "enter a1", "basin f15", "END ", "\tend", "place", "e\u212ad",
]  # fmt: skip
ORDERS = {
    "cuzco": TILES,
    "java": TILES,
    "tahuantinsuyu": [
        "sun el_nino orange-blue", "sun wild_road orange-brown", "sun el_nino", "sun x orange-blue", "road cuzco s002",
        "road s002 cuzco", "road s001 s001", "road s001", "road S001  s056", "wild s001 s056", "buy road s001 s096",
        "buy wild s001 s096", "buy", "buy road", "city s096", "city cuzco", "temple s097", "garrison s001", "upgrade s001",
        "terrace huanca", "terrace chinchaysuyu", "conquer huanca", "conquer s001", "pilgrimage local for roads",
        "pilgrimage great for", "pilgrimage x for roads", "end", "END ", "end end", "\tend", "e\u212ad", "road s999 s001",
        "road " + "s" * 6000 + " s001",
    ],
    "inka": [
        "start r0c0", "start r0c12", "start x", "lay r2c8 r2c9", "lay r2c8 r2c8", "lay r2c8", "lay r99c99 r0c0",
        "slide L01 r2c10 r2c11", "slide L99 r2c10 r2c11", "turn L01 r3c7 r2c6", "turn L01", "walk r1c2", "walk r-1c2",
        "walk L01", "take", "take D1", "passage r1c2", "symbol D1 slide r2c8 r2c9",
        "symbol D1 turn r2c8", "symbol L01 turn r2c8 r2c9", "block r5c9", "block", "drop", "end", "END ", "\tend", "walk r1c" + "2" * 6000,
        "e\u212ad", "slide L01 r2c10 r2c10",
    ],
}  # fmt: skip
SEATS = (2, 3, 4)
BAD_BYTES = [
    b"",
    b"\n",
    b"{",
    b"nul",
    b"\xff\xfe",
    b"[" * 50_000,
    b'{"do":' * 900,
    b'{"do":"new","do":1}',
    b"NaN",
]


@dataclass
class Enemy:
    """Somebody who knows the referee's words, the games and what was played, and means no good."""

    rng: Random
    keys: Sequence[str]
    logs: list[Any] = field(default_factory=list)

    def line(self, match: Match | None) -> bytes:
        """One line that no friend would send."""
        choice, sent = self.rng.random(), json.dumps(self.request(match)).encode()
        if choice < 0.03:
            return self.rng.choice(BAD_BYTES)
        return damaged(sent, self.rng) if choice < 0.10 else sent

    def request(self, match: Match | None) -> dict[str, Any]:
        rng, key = self.rng, self.rng.choice(self.keys)
        wish: dict[str, Any] = {"do": rng.choice(REQUESTS)}
        match wish["do"]:
            case "new":
                wish |= {"game": key, "seats": rng.choice(SEATS), "seed": "hostile"}
            case "order":
                wish |= self.order(match, key)
            case "position":
                wish |= {"game": key, "position": self.position(key)}
            case "load":
                wish["log"] = spoiled(rng.choice(self.logs), rng) if self.logs else None
            case "perft":
                wish["depth"] = rng.choice([0, 1, -1, 7, 10**9, "2", None])
            case "rewind":
                wish["to"] = rng.randrange(-2, 20)
            case "legal" | "view" | "svg":
                wish["seat"] = rng.choice([0, 1, 2, None, -1, "0"])
        if rng.random() < 0.3:
            wish[rng.choice(KEYS)] = rng.choice(VALUES)
        return wish

    def order(self, match: Match | None, key: str) -> dict[str, Any]:
        """Often one that is legal, so that the match goes on; else one that hardly ever is."""
        asked = match.game.to_act(match.state) if match else ()
        if match and asked and self.rng.random() < 0.5:
            actions = list(match.game.legal(match.state, asked[0]))
            return {"seat": asked[0], "order": match.game.format(self.rng.choice(actions))}
        return {"seat": self.rng.choice([0, 1]), "order": self.rng.choice(ORDERS[key])}

    def position(self, key: str) -> Any:
        """A real one, cut down to a few keys or with some things in it changed."""
        found = json.loads(self.rng.choice(positions(key)))
        if self.rng.random() < 0.3:
            found = {name: found[name] for name in self.rng.sample(sorted(found), 3)}
            found["seats"] = self.rng.choice(SEATS)
        for _ in range(self.rng.randrange(3)):
            change(found, self.rng)
        return found


@cache
def positions(key: str) -> list[str]:
    """Some moments of random matches, one match for each number of seats."""
    game, found = find(key), list[str]()
    for seats in game.seats:
        match = start(game, seats, {}, "hostile")
        for count, later in zip(range(60), random_acts(match, Random(seats)), strict=False):
            if count % 12 == 0:
                found.append(json.dumps(game.dump(later.state)))
    return found


def change(found: Any, rng: Random) -> None:
    """Puts something odd into some place of an object, however deep."""
    while isinstance(found, dict | list) and found:
        key: Any = (
            rng.choice(sorted(found)) if isinstance(found, dict) else rng.randrange(len(found))
        )
        if not found[key] or not isinstance(found[key], dict | list) or rng.random() < 0.3:
            found[key] = deepcopy(rng.choice(VALUES))  # or the next change would reach into it
            return
        found = found[key]


def damaged(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content))
    return (content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]).replace(b"\n", b" ")


def spoiled(log: list[Any], rng: Random) -> list[Any]:
    """A real log with one thing changed somewhere."""
    lines = [dict(item) for item in log]
    where = lines[rng.randrange(len(lines))]
    where[rng.choice([*where, "extra"])] = rng.choice(VALUES)
    return lines


def campaign(count: int, seed: int, *keys: str) -> dict[str, int]:
    """Sends that many hostile lines; every answer is one JSON object, and a refusal changes nothing."""
    enemy, referee = Enemy(Random(seed), keys or tuple(ORDERS)), Referee(entropy=lambda: "hostile")
    tally: dict[str, int] = {}
    for number in range(count):
        before = referee._match
        sent = enemy.line(before)
        answer = json.loads(referee.answer(sent))
        if answer["ok"]:
            code = "ok"
            if "log" in answer and len(enemy.logs) < 20:
                enemy.logs.append(answer["log"])
        else:
            code = answer["error"]["code"]
            assert code in {"syntax", "illegal", "turn", "over", "unknown"}, (number, sent)
            assert answer["error"]["message"].endswith("."), (sent, answer)
            assert referee._match is before, (number, sent)
        tally[code] = tally.get(code, 0) + 1
    return tally
