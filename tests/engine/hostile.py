"""Hostile lines for the referee: broken JSON, wrong types, odd orders, mended logs."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from engine.core.referee import REQUESTS, Referee

VALUES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 3.5, 1e300, 10**30, "", "0", "cuzco", "java", "x" * 3000, "\ud800", "\x00",
    [], [[]], [None], {}, {"seats": 2}, {"a": {"b": []}}, "place triple e14 e16 d15", "end", "hold", "draw pile",
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
ORDERS = [
    "place triple e14 e16 d15", "place double g16 g18", "place crop h5", "place village c8", "enter e4", "leave e4",
    "move e14 e16", "build e14 2", "expand e14 4", "basin g16", "draw open", "draw pile", "token", "end", "hold",
    "pass", "bid tumi", "festival e14 tumi", "place rice h5", "build e14 00", "build e14 9" + "9" * 6000,
    "place triple e14 e14 e14", "move e14 e14", "enter a1", "basin f15", "END ", "\tend", "place", "e\u212ad",
]  # fmt: skip
POSITION_KEYS = [
    "seats",
    "options",
    "tiles",
    "basins",
    "temples",
    "incas",
    "hands",
    "open",
    "discard",
    "pile",
    "scores",
    "stock",
    "supply",
    "turn",
    "last",
    "festival",
]
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


def line(rng: Random, logs: list[Any]) -> bytes:
    """One line that no friend would send."""
    choice = rng.random()
    if choice < 0.03:
        return rng.choice(BAD_BYTES)
    if choice < 0.10:
        return damaged(json.dumps(request(rng, logs)).encode(), rng)
    return json.dumps(request(rng, logs)).encode()


def damaged(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content))
    return (content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]).replace(b"\n", b" ")


def request(rng: Random, logs: list[Any]) -> dict[str, Any]:
    wish: dict[str, Any] = {"do": rng.choice(REQUESTS)}
    match wish["do"]:
        case "new":
            wish |= {
                "game": rng.choice(["cuzco", "java"]),
                "seats": rng.choice([2, 3, 4]),
                "seed": "hostile",
            }
        case "order":
            wish |= {"seat": rng.choice([0, 1]), "order": rng.choice(ORDERS)}
        case "position":
            wish |= {"game": rng.choice(["cuzco", "java"]), "position": position(rng)}
        case "load":
            wish["log"] = spoiled(rng.choice(logs), rng) if logs else rng.choice(VALUES)
        case "perft":
            wish["depth"] = rng.choice([0, 1, -1, 7, 10**9, "2", None])
        case "rewind":
            wish["to"] = rng.randrange(-2, 20)
        case "legal" | "view" | "svg":
            wish["seat"] = rng.choice([0, 1, 2, None, -1, "0"])
    if rng.random() < 0.3:
        wish[rng.choice(KEYS)] = rng.choice(VALUES)
    return wish


def position(rng: Random) -> Any:
    found: dict[str, Any] = {"seats": rng.choice([2, 3, 4])}
    for key in rng.sample(POSITION_KEYS, rng.randrange(5)):
        found[key] = rng.choice(
            [*VALUES, [["triple", "e14", "e16", "d15"]], [["crop", "h5"], ["crop"], []]]
        )
    return found


def spoiled(log: list[Any], rng: Random) -> list[Any]:
    """A real log with one thing changed somewhere."""
    lines = [dict(item) for item in log]
    where = lines[rng.randrange(len(lines))]
    where[rng.choice([*where, "extra"])] = rng.choice(VALUES)
    return lines


def campaign(count: int, seed: int) -> dict[str, int]:
    """Sends that many hostile lines; every answer is one JSON object, and a refusal changes nothing."""
    rng, referee, logs = Random(seed), Referee(entropy=lambda: "hostile"), list[Any]()
    tally: dict[str, int] = {}
    for number in range(count):
        sent, before = line(rng, logs), referee._match
        answer = json.loads(referee.answer(sent))
        if answer["ok"]:
            code = "ok"
            if "log" in answer and len(logs) < 20:
                logs.append(answer["log"])
        else:
            code = answer["error"]["code"]
            assert code in {"syntax", "illegal", "turn", "over", "unknown"}, (number, sent)
            assert answer["error"]["message"].endswith("."), (sent, answer)
            assert referee._match is before, (number, sent)
        tally[code] = tally.get(code, 0) + 1
    return tally
