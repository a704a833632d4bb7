"""A mail server for tests: takes mails on the loopback, and says no when it is told to."""

from __future__ import annotations

import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class Office(socketserver.ThreadingTCPServer):
    """The mails it got, and what it answers to the next RCPT and DATA (a code each; 250 when empty)."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.mails: list[EmailMessage] = []
        self.answers: list[int] = []
        self.connections = 0

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever talks to us may be killed in the middle of a word; other faults are told."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def verdict(self) -> int:
        return self.answers.pop(0) if self.answers else 250


class Conversation(socketserver.StreamRequestHandler):
    """As much of SMTP as smtplib speaks."""

    server: Office
    extensions: tuple[str, ...] = ()

    def handle(self) -> None:
        self.server.connections += 1
        self.say(220)
        while line := self.rfile.readline():
            match line.split()[0].upper():
                case b"DATA":
                    self.say(354)
                    self.take()
                case b"EHLO":
                    self.wfile.writelines(
                        f"250-{name}\r\n".encode() for name in ("so", *self.extensions)
                    )
                    self.say(250)
                case b"RCPT":
                    self.say(self.server.verdict())
                case b"QUIT":
                    self.say(221)
                    return
                case _:
                    self.say(250)

    def take(self) -> None:
        lines = list(iter(self.rfile.readline, b".\r\n"))
        code = self.server.verdict()
        if code == 250:
            self.server.mails.append(message_from_bytes(b"".join(lines), policy=policy.SMTP))  # type: ignore[arg-type]
        self.say(code)

    def say(self, code: int) -> None:
        self.wfile.write(f"{code} so\r\n".encode())


@contextmanager
def post_office() -> Iterator[Office]:
    with Office() as office:
        thread = threading.Thread(target=office.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield office
        finally:
            office.shutdown()
            thread.join()
