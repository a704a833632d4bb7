"""Reads mails in a child process with limits on processor time and memory: a mail made to be slow stops nobody else.

The child is kept for the next mail, ends by itself when none comes, and is made anew when a mail was too much for it.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import select
import signal
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from typing import Any

import structlog

from app.mail.incoming.delivery_reports import read_report
from app.mail.incoming.message import Mail, Unreadable, check_shape, read_message
from app.platform.child_process import Child, NoAnswer
from app.platform.errors import Busy

log = structlog.get_logger()
CPU_SECONDS = 2  # of one mail; the longest that people write take a hundredth of one
MEMORY = 512 * 1024 * 1024  # bytes of addresses, the interpreter's own with them
PATIENCE = 30.0  # seconds for an answer, a start on a busy machine included
IDLE = 60.0  # seconds without a mail after which the child ends
TOO_MUCH = (-signal.SIGXCPU, -signal.SIGSEGV, -signal.SIGABRT)  # how a child ends of a mail
LONGEST_ANSWER = 2 * 1024 * 1024  # bytes: every line of a mail, each letter escaped


def read_mail(raw: bytes, ours: Sequence[str] = (), verbs: Sequence[str] = ()) -> Mail:
    """The mail of these bytes; `Unreadable` if they are none, or cost too much to read."""
    return Mail(**READER.ask("mail", raw, ours=ours, verbs=verbs))


def read_bounce(raw: bytes) -> dict[str, Any]:
    """What a report says: its `verdict` on a mail of ours, and its own `sender`, if it names one."""
    return dict(READER.ask("bounce", raw))


class Reader:
    """The parent's end; `command` starts the child."""

    def __init__(self, *command: str) -> None:
        self.child = Child(*command, patience=PATIENCE, longest=LONGEST_ANSWER)

    def ask(self, what: str, raw: bytes, **given: Sequence[str]) -> Any:
        """What the child says of a mail; its shape is looked at before, as bytes."""
        check_shape(raw)
        whole = {"what": what, "raw": b64encode(raw).decode(), "given": given}
        answer = json.loads(self._exchanged(json.dumps(whole).encode() + b"\n"))
        if "problem" in answer:
            raise Unreadable(answer["problem"])
        return answer["told"]

    def _exchanged(self, request: bytes) -> bytes:
        try:
            return self.child.ask(request)
        except NoAnswer as lost:
            log.warning("mail reader", ended=lost.ended)
            if lost.ended in TOO_MUCH:
                raise Unreadable("too costly") from lost
            raise Busy from lost  # not the mail's fault: it may be brought again


READER = Reader(sys.executable, "-m", "app.mail.incoming.reader_process")
atexit.register(READER.child.close)


# The child's end


def serve() -> None:
    """Answers one line by one line, each within the limits, until nobody asks any more."""
    ways = ways_to_read()
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, MEMORY)):
        with suppress(ValueError, OSError):  # where the system has no such limit
            resource.setrlimit(kind, (most, most))
    while select.select([sys.stdin], [], [], IDLE)[0] and (line := sys.stdin.buffer.readline()):
        request = json.loads(line)
        with limited_processor():
            read = partial(ways[request["what"]], **request["given"])
            answer = json.dumps(answered(read, b64decode(request["raw"])))
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def ways_to_read() -> dict[str, Callable[..., Any]]:
    return {
        "mail": lambda raw, **given: asdict(read_message(raw, **given)),
        "bounce": read_report,
    }


@contextmanager
def limited_processor() -> Iterator[None]:
    """So many seconds more and no longer: the system ends us when they are spent."""
    used, hard = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrlimit(resource.RLIMIT_CPU)[1],
    )
    most = int(used.ru_utime + used.ru_stime) + 1 + CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    yield
    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


def answered(read: Callable[[bytes], Any], raw: bytes) -> dict[str, Any]:
    """What a mail says; whatever it breaks, it is no mail."""
    try:
        return {"told": read(raw)}
    except (
        Exception
    ) as fault:  # made to break the reader, or worth a look: the operator finds it in the table
        return {"problem": type(fault).__name__}


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks ends by it, and we with them
    os.nice(5)
    serve()
