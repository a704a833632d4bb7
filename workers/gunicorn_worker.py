"""Gunicorn's worker with threads, but no thread waits for a connection that says nothing."""

from __future__ import annotations

import errno
import selectors
import socket
import struct
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import (  # type: ignore[import-untyped]  # it brings no types
    TConn,
    ThreadWorker,
)

MOST_PENDING = 500  # connections that have said nothing yet; the oldest goes when another comes
FIRST_WORD_SECONDS = 15  # as long as nginx waits for a header
RECEIVE_TIMEOUT = struct.pack("ll", FIRST_WORD_SECONDS, 0)  # a timeval, for the kernel
NOTHING_THERE = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Lets the poller wait for the first byte: gunicorn gives each new connection a thread for five seconds."""

    def accept(self, listener: Any) -> None:
        try:
            sock, address = listener.accept()
        except OSError as fault:
            if fault.errno not in NOTHING_THERE:
                raise
            return
        # Whoever stops in the middle of a request gives its thread back.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, RECEIVE_TIMEOUT)
        sock.setblocking(False)
        self.nr_conns += 1
        self.wait_for(TConn(self.cfg, sock, address, listener.getsockname()))

    def wait_for(self, connection: Any) -> None:
        """Puts a connection among those that have said nothing yet."""
        if len(self.pending_conns) >= MOST_PENDING:
            self.pending_conns[0].timeout = 0
            self.murder_pending()
        connection.timeout = time.monotonic() + FIRST_WORD_SECONDS
        self.pending_conns.append(connection)
        ready = partial(self.on_pending_socket_readable, connection)
        self.poller.register(connection.sock, selectors.EVENT_READ, ready)
