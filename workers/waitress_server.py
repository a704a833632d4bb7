"""Waitress, but connections that say nothing shut nobody out: when there are too many, the idle ones go."""

from __future__ import annotations

from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import MultiSocketServer, TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

THREADS = 8
MOST_CONNECTIONS = 500  # well below what a process may open
FREED = 50  # at once, when there is no room for another
IDLE_SECONDS = 60  # longer than a browser takes between two clicks that belong together
CLEANUP_SECONDS = 10


class Answering(WSGITask):  # type: ignore[misc]  # waitress has no types
    """Keeps the connection of an answer that has no body (304, 204): it has no length either, for which waitress would close it."""

    def set_close_on_finish(self) -> None:
        unwanted = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or self.version == "1.0" or unwanted:
            super().set_close_on_finish()


class Channel(HTTPChannel):  # type: ignore[misc]  # the same
    task_class = Answering


class RoomyServer(TcpWSGIServer):  # type: ignore[misc]  # the same
    """Closes the connections that have waited longest for the rest of a request, where others stop listening."""

    channel_class = Channel

    def readable(self) -> bool:
        if len(self._map) >= self.adj.connection_limit:
            self.make_room()
        return bool(super().readable())

    def make_room(self) -> None:
        idle = [channel for channel in self.active_channels.values() if not channel.requests]
        for channel in sorted(idle, key=waiting_since)[:FREED]:
            channel.will_close = True


def waiting_since(channel: Any) -> float:
    """Since when we wait for a request; one that comes in drops has been coming since its connection was made."""
    half = channel.request is not None
    return float(channel.creation_time if half else channel.last_activity)


def make_server(app: Any, host: str, port: int) -> Any:
    """A server on every address of the host, ready to `run`; OSError where the port is taken."""
    settings = Adjustments(
        host=host,
        port=port,
        threads=THREADS,
        ident=None,
        clear_untrusted_proxy_headers=False,  # app.http.proxies sees to them
        connection_limit=MOST_CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=CLEANUP_SECONDS,
        asyncore_use_poll=True,  # select() knows no file beyond 1024
    )
    dispatcher, sockets = ThreadedTaskDispatcher(), dict[int, Any]()
    dispatcher.set_thread_count(THREADS)
    made = [
        RoomyServer(app, sockets, dispatcher=dispatcher, adj=settings, sockinfo=where)
        for where in settings.listen
    ]
    if len(made) == 1:
        return made[0]
    listen = [(one.effective_host, one.effective_port) for one in made]
    return MultiSocketServer(sockets, settings, listen, dispatcher, made[0].log_info)
