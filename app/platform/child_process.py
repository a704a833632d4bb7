"""Child processes with a line protocol: asked by a line, they answer by a line, and whatever they do, we go on."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import IO

GRACE = 1.0  # seconds to end after its input has ended


class NoAnswer(Exception):
    """A program gave no answer; the sentence says why, and `ended` how it ended, if it was ours to end."""

    def __init__(self, why: str, ended: int | None = None) -> None:
        super().__init__(why)
        self.ended = ended


class Child:
    """A program that is kept for the next question, and started anew when it has ended; one question at a time."""

    def __init__(self, *command: str, patience: float, longest: int) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._command, self._patience, self._longest = command, patience, longest
        self._lock = Lock()

    def ask(self, request: bytes) -> bytes:
        """What it answers to a line; `NoAnswer` where it could not, and then it has ended."""
        with self._lock:
            return self._asked(request)

    def _asked(self, request: bytes) -> bytes:
        known = self.process is not None
        try:
            self.process = self.process or start_program(self._command)
            return exchange_lines(self.process, request, self._patience, self._longest)
        except NoAnswer as lost:
            ended = self._end()
            if known and ended == 0:  # it had waited, and ended by itself just now
                return self._asked(request)
            raise NoAnswer(str(lost), ended) from lost

    def close(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> int | None:
        """Ends it, and says how it ended."""
        process, self.process = self.process, None
        if process is None:
            return None
        stop_program(process)
        return process.returncode


def start_program(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """The program, in a process group of its own, so that what it starts ends with it."""
    try:
        process = subprocess.Popen(  # noqa: S603 - our own, or one that whoever calls the arena names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
    except (OSError, ValueError, IndexError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault) or "no command"
        raise NoAnswer(f"cannot be run: {reason}.") from fault
    for end in ends(process):
        os.set_blocking(end.fileno(), False)
    return process


def ends(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The program's input and its output."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("the program was started without pipes")
    return process.stdin, process.stdout


def exchange_lines(
    process: subprocess.Popen[bytes], request: bytes, limit: float, longest: int
) -> bytes:
    """The line that the program answers; a program that neither reads nor writes is given up in time."""
    given, taken = ends(process)
    until, answer = monotonic() + limit, bytearray()
    left = memoryview(request)
    with selectors.DefaultSelector() as waiting:
        waiting.register(given, selectors.EVENT_WRITE)
        waiting.register(taken, selectors.EVENT_READ)
        while b"\n" not in answer:
            ready = waiting.select(max(0.0, until - monotonic()))
            if not ready:
                raise NoAnswer(f"It did not answer within {limit:g} seconds.")
            for end, _ in ready:
                if end.fileobj is taken:
                    answer += received(taken, len(answer), longest)
                    continue
                left = left[sent(given, left) :]
                if not left:
                    waiting.unregister(given)
    return bytes(answer).partition(b"\n")[0]


def sent(given: IO[bytes], request: memoryview) -> int:
    """How much of the request went into the pipe; a program that reads no more is told by its output."""
    with suppress(BlockingIOError):
        try:
            return os.write(given.fileno(), request)
        except BrokenPipeError:
            return len(request)
    return 0


def received(taken: IO[bytes], before: int, longest: int) -> bytes:
    """What the program wrote since; silence after its end is no answer, and neither is endless talk."""
    chunk = os.read(taken.fileno(), longest)
    if not chunk:
        raise NoAnswer("It ended without an answer.")
    if before + len(chunk) > longest:
        raise NoAnswer(f"Its answer has more than {longest} bytes.")
    return chunk


def stop_program(process: subprocess.Popen[bytes]) -> None:
    """Ends the program: kindly by the end of its input, otherwise at once."""
    for end in ends(process):
        end.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
