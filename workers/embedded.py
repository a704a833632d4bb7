"""The whole service in one process: pages, the thread that sends the mails, and the mailbox.

`chasqui serve` becomes this module (`python -m workers`): `app` may not import `workers`, and here
both come together, as they do in a deployment of many processes.
"""

from __future__ import annotations

import gc
import signal
import sys
from ctypes import CDLL
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from app import create_app
from app.eventstore.store import prepare_database
from app.mail.local_mailbox import mailbox_is_open
from app.platform.database import Database, open_database, sqlite_warning
from app.platform.logging import configure_logging
from app.platform.seed_vault import WrongSeedKey
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import BadSettings, Settings, load_settings
from workers.chores import beats, stop_beats
from workers.waitress_server import make_server

if TYPE_CHECKING:
    from workers.inbox import Listener

HEAPS, M_ARENA_MAX = 2, -8  # the latter is glibc's


def settings_for(host: str | None, port: int | None) -> tuple[Settings, str, int]:
    """The settings, and where to listen: where the address that players open points, unless told otherwise."""
    settings = load_settings()
    base = urlsplit(settings.base_url)
    listen, at = host or base.hostname or "127.0.0.1", port or base.port or 8000
    if "base_url" not in settings.model_fields_set:
        shown = "127.0.0.1" if listen in ("", "0.0.0.0", "::") else listen  # noqa: S104 - compared, not bound
        name = f"[{shown}]" if ":" in shown else shown
        settings = settings.model_copy(update={"base_url": f"http://{name}:{at}"})
    return settings, listen, at


@click.command()
@click.option("--host", help="The address to listen on; otherwise that of CHASQUI_BASE_URL.")
@click.option("--port", type=int, help="The port to listen on; otherwise that of CHASQUI_BASE_URL.")
def serve_alone(host: str | None, port: int | None) -> None:
    """Serve Chasqui from this one process."""
    share_heaps()
    configure_logging()
    try:
        settings, listen, at = settings_for(host, port)
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad
    database = open_database(settings)
    try:
        prepare_database(database)
    except WrongSeedKey as fault:
        raise click.ClickException(str(fault)) from fault
    serve(settings, database, listen, at)


def serve(settings: Settings, database: Database, host: str, port: int) -> None:
    app = create_app(settings, database)
    services: Services = app.extensions[EXTENSION_KEY]
    running = beats(services).values()
    try:
        server = make_server(app, host, port)
    except OSError as fault:
        raise click.ClickException(
            f"Port {port} of {host} cannot be used: {fault.strerror}; --port chooses another."
        ) from fault
    door = open_inbox(services)
    greet(services, host)
    for beat in running:
        beat.start()
    signal.signal(signal.SIGTERM, stop)
    gc.freeze()  # what is there now is no garbage, and need not be looked through
    gc.enable()
    try:
        server.run()  # until a signal: it takes KeyboardInterrupt and SystemExit for its end
        click.echo("Goodbye.")
    finally:
        server.close()
        if door is not None:
            door.stop()
        stop_beats(services, running)
        database.close()


def share_heaps() -> None:
    """Lets all threads share two heaps: glibc would give each of twenty its own, which keeps what a page has freed."""
    if choose := getattr(CDLL(None), "mallopt", None):  # other C libraries have none
        choose(M_ARENA_MAX, HEAPS)


def open_inbox(services: Services) -> Listener | None:
    """The door for answers by mail, where the settings want one."""
    if services.settings.inbox_port is None:
        return None
    from workers.inbox import listening  # noqa: PLC0415 - it brings an SMTP server

    return listening(services)


def greet(services: Services, host: str) -> None:
    """Tells whoever started it where to go, and what they should know."""
    base = services.settings.base_url
    click.echo(f"Chasqui is at {base} (Ctrl+C ends it).")
    if mailbox_is_open(services):
        click.echo(f"It sends nothing: its mails, sign-in links too, are at {base}/mailbox")
        if host not in ("127.0.0.1", "localhost", "::1"):
            click.echo("Only this machine can read them there, and only without a proxy.", err=True)
    elif services.settings.smtp_host is None:
        click.echo("No mail can leave: set CHASQUI_SMTP_HOST, or nobody can sign in.", err=True)
    if services.database.url.get_backend_name() == "sqlite" and (warning := sqlite_warning()):
        click.echo(warning, err=True)


def stop(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)
