"""Connections that are opened and then say nothing, or half of something: others are answered all the same."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any

import pytest
from waitress.wasyncore import close_all

from tests.servers import free_port
from workers import waitress_server

HALF = (
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: x\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
)
PATIENCE = 30


def hello(_environ: dict[str, Any], start: Any) -> list[bytes]:
    start("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def answer(port: int) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/")
    try:
        return connection.getresponse().read()
    finally:
        connection.close()


@contextmanager
def half_open(port: int, count: int, *said: bytes) -> Iterator[None]:
    with ExitStack() as stack:
        for number in range(count):
            opened = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            opened.sendall(said[number % len(said)])
        yield


def test_an_embedded_service_answers_behind_more_half_open_connections_than_it_keeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waitress_server, "MOST_CONNECTIONS", 40)
    monkeypatch.setattr(waitress_server, "FREED", 5)
    with embedded(hello) as port, half_open(port, 120, *HALF):
        assert [answer(port) for _ in range(3)] == [b"hello"] * 3


@pytest.mark.parametrize("status", ["304 NOT MODIFIED", "204 NO CONTENT"])
def test_a_browser_goes_on_with_its_connection_after_an_answer_without_a_body(status: str) -> None:
    def silent(_environ: dict[str, Any], start: Any) -> list[bytes]:
        start(status, [])
        return []

    with embedded(silent) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for wish, kept in (("keep-alive", True), ("close", False)):
            connection.request("GET", "/", headers={"Connection": wish})
            told = connection.getresponse()
            assert (told.status, told.will_close) == (int(status[:3]), not kept)
            told.read()
        connection.close()


@contextmanager
def embedded(app: Any) -> Iterator[int]:
    """The server of the one process, on a port of its own."""
    server = waitress_server.make_server(app, "127.0.0.1", 0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        server.maintenance = sys.exit  # ends its loop, from inside
        server.next_channel_cleanup = 0
        server.pull_trigger()
        thread.join(PATIENCE)
        close_all(server._map)


def test_a_request_that_comes_in_drops_waits_since_its_connection_was_made() -> None:
    class Channel:
        creation_time, last_activity, request = 1.0, 9.0, object()

    assert waitress_server.waiting_since(Channel()) == 1.0


def test_no_thread_of_a_grown_service_waits_for_a_silent_connection() -> None:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:workers.web", "--workers", "1"]
    command += ["--threads", "2", "--bind", f"127.0.0.1:{port}", f"{__name__}:hello"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            wait_until_up(process, port)
            with half_open(port, 60, b""):
                assert [answer(port) for _ in range(3)] == [b"hello"] * 3
        finally:
            process.terminate()
            process.wait(PATIENCE)


def wait_until_up(process: subprocess.Popen[bytes], port: int) -> None:
    while process.poll() is None:
        try:
            answer(port)
        except ConnectionRefusedError:
            continue
        return
    raise AssertionError(process.stderr.read() if process.stderr else "")
