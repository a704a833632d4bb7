"""A bot that is a program of its own: asked by a line of JSON, it answers by a line, within a time limit."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from app.platform.child_process import NoAnswer, exchange_lines, start_program, stop_program
from engine.core.arena import Forfeit
from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.refusal import Refusal

PROGRAM_MARK = "cmd:"
LONGEST_ANSWER = 10_000  # bytes


@contextmanager
def external_bot(command: str, limit: float) -> Iterator[Bot]:
    """A bot that runs `command` for one match, and leaves no process behind."""
    try:
        process = start_program(shlex.split(command))
    except (NoAnswer, ValueError) as fault:
        reason = str(fault) if isinstance(fault, NoAnswer) else f"cannot be run: {fault}."
        raise Forfeit(f"{command!r} {reason}") from fault

    def ask(game: Game, view: Any, legal: Sequence[Any], _: Chance) -> Any:
        """Sends what the seat may know and do, and reads the order."""
        seat = legal[0].seat
        request = {
            "do": "choose",
            "game": game.key,
            "seat": seat,
            "view": game.show(view),
            "legal": sorted(map(game.format, legal)),
        }
        words = json.dumps(request).encode() + b"\n"
        try:
            line = exchange_lines(process, words, limit, LONGEST_ANSWER)
            return game.parse(seat, order_in(line))
        except (NoAnswer, Refusal) as fault:
            raise Forfeit(str(fault)) from fault

    try:
        yield ask
    finally:
        stop_program(process)


def order_in(line: bytes) -> str:
    """The order in an answer such as {"ok": true, "order": "end"}."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    order = answer.get("order") if isinstance(answer, dict) else None
    if isinstance(order, str):
        return order
    shown = line[:60].decode("ascii", "backslashreplace")
    raise Forfeit(f"{shown!r} is no answer with an order.")
