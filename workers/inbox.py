"""SMTP and LMTP server for answers by mail, on the loopback, behind a mail server that knows the world.

Who brings a mail is told that it has arrived when what came of it is kept, and no sooner. Whoever dies in
between has said nothing: the mail server brings it again, and it counts once.
"""

from __future__ import annotations

import asyncio
import signal

import click
import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from app.mail.incoming.receive import MOST_BYTES, Outcome, receive_mail
from app.mail.reply_addresses import read_bounce_address, read_reply_address
from app.platform.logging import configure_logging
from app.platform.services import Services
from app.platform.settings import Settings
from workers.metrics import MAILS_IN
from workers.starting import prepared
from workers.status import start_status_server

log = structlog.get_logger()

DONE, NOBODY, LATER = "250 2.0.0 OK", "550 5.1.1 No such address", "451 4.3.0 Try again later"
SAID: dict[Outcome, str] = {
    "unknown": NOBODY,
    "large": "552 5.3.4 Too large",
    "later": LATER,
    "dead": "554 5.6.0 This mail cannot be read: it is broken, or has too many parts",
}
PROTOCOLS: dict[str, type[SMTP]] = {"smtp": SMTP, "lmtp": LMTP}


class Doorkeeper:
    """What the mail server is told; everything about mails is `app.mail.incoming`'s."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        settings = self.services.settings
        ours = read_reply_address(settings, address) or read_bounce_address(settings, address)
        if not ours:
            return NOBODY
        if envelope.rcpt_tos:  # each address is an act of its own, and may fail by itself
            return "452 4.5.3 One recipient at a time"
        envelope.rcpt_tos.append(address)
        return DONE

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        outcome = await asyncio.to_thread(
            receive_mail, self.services, envelope.rcpt_tos[0], raw, envelope.mail_from or ""
        )
        MAILS_IN.labels(outcome).inc()
        return SAID.get(outcome, DONE)

    async def handle_exception(self, error: Exception) -> str:
        log.error("inbox", exc_info=error)
        return LATER


class Listener(Controller):
    """The door itself, in a thread of its own; the settings say where."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        self.protocol = PROTOCOLS[settings.inbox_protocol]
        super().__init__(
            Doorkeeper(services),
            settings.inbox_host,
            settings.inbox_port or 0,
            ready_timeout=30,
        )

    def factory(self) -> SMTP:
        return self.protocol(
            self.handler, data_size_limit=MOST_BYTES, ident="Chasqui", loop=self.loop
        )


def listening(services: Services) -> Listener | None:
    """A door that stands open, where the settings want one."""
    settings = services.settings
    if settings.inbox_port is None:
        return None
    door = Listener(services)
    try:
        door.start()
    except OSError as fault:
        raise click.ClickException(
            f"Port {settings.inbox_port} of {settings.inbox_host} cannot be used: {fault.strerror}."
        ) from fault
    return door


def stand(settings: Settings, services: Services) -> None:
    """Keeps the door open until a signal closes it."""
    door = listening(services)
    if door is None:
        raise click.ClickException("CHASQUI_INBOX_PORT is needed: where to listen for mails.")
    click.echo(f"Listening for mails on {settings.inbox_host}:{settings.inbox_port}.")
    try:
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    finally:
        door.stop()


@click.command()
def main() -> None:
    """Listen for answers by mail, beside web and worker processes."""
    from workers.celery_app import wake_workers  # noqa: PLC0415 - the one process that serves has no Celery

    configure_logging()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    settings, database = prepared()
    services = Services(settings, database)
    wake_workers(services)
    start_status_server(services)
    stand(settings, services)
    database.close()


if __name__ == "__main__":
    main()
