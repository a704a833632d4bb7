"""A bot that is a program of its own: asked by a line of JSON, it answers by a line, within a time limit."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import IO, Any

from engine.core.arena import Forfeit
from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.refusal import Refusal

MARK = "cmd:"
LONGEST_ANSWER = 10_000  # bytes
GRACE = 1.0  # seconds to end after its input has ended


@contextmanager
def program(command: str, limit: float) -> Iterator[Bot]:
    """A bot that runs `command` for one match, and leaves no process behind."""
    process = started(command)

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
        line = exchanged(process, json.dumps(request).encode() + b"\n", limit)
        try:
            return game.parse(seat, order_in(line))
        except Refusal as refusal:
            raise Forfeit(str(refusal)) from refusal

    try:
        yield ask
    finally:
        stop(process)


def started(command: str) -> subprocess.Popen[bytes]:
    """The program, in a process group of its own, so that what it starts ends with it."""
    try:
        words = shlex.split(command)
        process = subprocess.Popen(  # noqa: S603 - whoever calls the arena names the program
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
        )
    except (OSError, ValueError, IndexError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault) or "no command"
        raise Forfeit(f"{command!r} cannot be run: {reason}.") from fault
    for end in ends(process):
        os.set_blocking(end.fileno(), False)
    return process


def ends(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The program's input and its output."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("the program was started without pipes")
    return process.stdin, process.stdout


def exchanged(
    process: subprocess.Popen[bytes], request: bytes, limit: float, longest: int = LONGEST_ANSWER
) -> bytes:
    """The line that the program answers; a program that neither reads nor writes is given up in time."""
    given, taken = ends(process)
    until, answer = monotonic() + limit, b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(given, selectors.EVENT_WRITE)
        waiting.register(taken, selectors.EVENT_READ)
        while b"\n" not in answer:
            ready = waiting.select(max(0.0, until - monotonic()))
            if not ready:
                raise Forfeit(f"It did not answer within {limit:g} seconds.")
            for end, _ in ready:
                if end.fileobj is taken:
                    answer += received(process, answer, longest)
                    continue
                request = request[sent(given, request) :]
                if not request:
                    waiting.unregister(given)
    return answer.partition(b"\n")[0]


def sent(given: IO[bytes], request: bytes) -> int:
    """How much of the request went into the pipe; a program that reads no more is told by its output."""
    with suppress(BlockingIOError):
        try:
            return os.write(given.fileno(), request)
        except BrokenPipeError:
            return len(request)
    return 0


def received(process: subprocess.Popen[bytes], before: bytes, longest: int) -> bytes:
    """What the program wrote since; silence after its end is a forfeit, and so is endless talk."""
    chunk = os.read(ends(process)[1].fileno(), longest)
    if not chunk:
        raise Forfeit("It ended without an answer.")
    if len(before) + len(chunk) > longest:
        raise Forfeit(f"Its answer has more than {longest} bytes.")
    return chunk


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


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the program: kindly by the end of its input, otherwise at once."""
    for end in ends(process):
        end.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
