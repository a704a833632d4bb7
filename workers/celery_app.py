"""The workers of a grown service (`chasqui worker`): Celery on Redis carries nudges, the table is the queue.

A nudge says that something waits, never what: it may be lost, doubled or late, for every worker looks by
itself now and then. So nothing is kept in Redis that would be missed, and no task is ever tried again.
"""

from __future__ import annotations

import ssl
import sys
from threading import Event, Thread

import click
import structlog
from celery import Celery
from celery.signals import worker_shutting_down

from app.platform.database import Database
from app.platform.logging import configure_logging
from app.platform.redis_addresses import celery_address
from app.platform.services import Services
from app.platform.settings import Settings
from workers.chores import beats, stop_beats
from workers.starting import prepared
from workers.status import start_status_server

log = structlog.get_logger()

THREADS = 4  # a chore is done once at a time: more than there are chores would idle
OLD = 60  # seconds after which a nudge says nothing that a beat did not find by itself
PATIENCE = 5  # seconds for Redis to answer
PAUSE = 2.0  # seconds between two tries to reach it


def carrier(settings: Settings) -> Celery:
    """Celery as we use it: small messages one way, no results, no chatter between workers."""
    url = settings.redis_url or ""
    address, more = celery_address(url)
    made = Celery("chasqui", broker=address, set_as_current=False)
    made.conf.update(
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "max_retries": 1,
            **more,
        },
        broker_use_ssl={"ssl_cert_reqs": ssl.CERT_REQUIRED} if url.startswith("rediss:") else None,
        accept_content=["json"],
        task_default_queue="chasqui",
        task_ignore_result=True,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,  # our lines are JSON already
        worker_send_task_events=False,
    )
    return made


class Nudger(Thread):
    """Tells the workers that mails wait, from a thread of its own: no request waits for the broker.

    However many ask at once, one message says it; while Redis is away, the last wish is kept.
    """

    def __init__(self, celery: Celery, pause: float = PAUSE) -> None:
        super().__init__(name="nudger", daemon=True)
        self.celery, self.pause = celery, pause
        self._wanted, self._away = Event(), False

    def nudge(self) -> None:
        self._wanted.set()

    def run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if not self.sent():
                self._wanted.set()
                Event().wait(self.pause)

    def sent(self) -> bool:
        """Whether the nudge left; what is lost on the way a worker's beat makes good."""
        try:
            self.celery.send_task("drain", expires=OLD, retry=False, ignore_result=True)
        except Exception as error:  # whatever is wrong with the broker, the acts go on
            if not self._away:
                log.warning("broker away", exc_info=error)
            self._away = True
            return False
        self._away = False
        return True


def wake_workers(services: Services) -> None:
    """Lets what is written in this process be heard of by the workers."""
    nudger = Nudger(carrier(services.settings))
    services.nudge = nudger.nudge
    nudger.start()


def work(settings: Settings, database: Database) -> int:
    """Works until a signal ends it, with or without a broker; gives the exit code."""
    services = Services(settings, database)
    celery, running = carrier(settings), beats(services)
    start_status_server(services)
    for name, beat in running.items():
        celery.task(beat.chore.__call__, name=name)
        beat.start()
    # A task that Celery runs would be waited for, however many mails there are.
    worker_shutting_down.connect(lambda **_: services.stopping.set(), weak=False)
    worker = celery.Worker(
        pool="threads",
        concurrency=THREADS,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    try:
        worker.start()
    finally:
        stop_beats(services, running.values())
    return int(worker.exitcode or 0)


@click.command()
def main() -> None:
    """Send mails and watch deadlines, beside as many others as there are."""
    settings, database = prepared()
    configure_logging()
    code = work(settings, database)
    database.close()
    sys.exit(code)


if __name__ == "__main__":
    main()
