"""Reads mails in a child process with limits on processor time and memory: a mail made to be slow stops nobody else.

The child is kept for the next mail, ends by itself when none comes, and is made anew when a mail was too much for it.
"""

from __future__ import annotations

import atexit
import json
import signal
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import structlog

from app.mail.incoming.message import Mail, Unreadable, check_shape
from app.mail.incoming.own_lines import OurMarks
from app.platform.child_process import Child, NoAnswer
from app.platform.errors import Busy

log = structlog.get_logger()
PATIENCE = 30.0  # seconds for an answer, a start on a busy machine included
TOO_MUCH = (-signal.SIGXCPU, -signal.SIGSEGV, -signal.SIGABRT)  # how a child ends of a mail
LONGEST_ANSWER = 2 * 1024 * 1024  # bytes: every line of a mail, each letter escaped


def read_mail(raw: bytes, ours: OurMarks, verbs: Sequence[str] = ()) -> Mail:
    """The mail of these bytes; `Unreadable` if they are none, or cost too much to read."""
    return Mail(**READER.ask("mail", raw, ours=asdict(ours), verbs=verbs))


def read_bounce(raw: bytes) -> dict[str, Any]:
    """What a report says: its `verdict` on a mail of ours, and its own `sender`, if it names one."""
    return dict(READER.ask("bounce", raw))


class Reader:
    """The parent's end; `command` starts the child."""

    def __init__(self, *command: str) -> None:
        self.child = Child(*command, patience=PATIENCE, longest=LONGEST_ANSWER)

    def ask(self, what: str, raw: bytes, **given: Any) -> Any:
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


READER = Reader(sys.executable, "-m", "app.mail.incoming.reader_child")
atexit.register(READER.child.close)
