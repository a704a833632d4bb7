"""The process that reads mails: it knows neither settings nor database, and each mail has so much time and memory.

Begun by `reader_process`, which asks by a line and is answered by a line. It imports little, so that it is there at once.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from app.mail.incoming.delivery_reports import read_report
from app.mail.incoming.message import read_message
from app.mail.incoming.own_lines import OurMarks

CPU_SECONDS = 2  # of one mail; the longest that people write take a hundredth of one
MEMORY = 512 * 1024 * 1024  # bytes of addresses, the interpreter's own with them
IDLE = 60.0  # seconds without a mail after which the child ends


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
        "mail": lambda raw, ours, verbs: asdict(read_message(raw, OurMarks(**ours), verbs)),
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
