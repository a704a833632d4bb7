"""The grown service on one machine, without containers: the processes of `deploy/` and the servers they need.

Tests and campaigns visit it; `python -m tests.grown` (`make grown`) lets a person do so.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import smtplib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import click

from app.people.api_tokens import make_api_token
from app.people.sessions import find_or_make_player
from app.platform.database import Database
from app.platform.tables import utc_now
from tests.app.post_office import Office, post_office
from tests.servers import (
    Postgresql,
    Redis,
    end_with_parent,
    free_port,
    running_postgresql,
    running_redis,
)

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60.0  # seconds for anything to happen on a busy machine
FORM = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
LINK = re.compile(r"https?://\S+/sign-in/link/\S+")


class TooLate(AssertionError):
    """Something that should have happened did not."""


def wait_for(what: Callable[[], Any], why: Callable[[], str], patience: float = PATIENCE) -> Any:
    """What `what` gives once it gives something."""
    until = time.monotonic() + patience
    while not (found := what()):
        if time.monotonic() > until:
            raise TooLate(why())
        time.sleep(0.02)
    return found


@dataclass
class Process:
    """One of our own programs, running; what it writes goes into a file."""

    module: str
    options: tuple[str, ...]
    environment: dict[str, str]
    log: Path
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        more: dict[str, Any] = {}
        if sys.platform == "linux":
            more["preexec_fn"] = end_with_parent
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                [sys.executable, "-m", self.module, *self.options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=ROOT,
                env={**clean_environment(), **self.environment}, **more,
            )  # fmt: skip

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.running is not None:
            with suppress(ProcessLookupError):
                self.running.send_signal(how)
            self.running.wait(PATIENCE)
            self.running = None

    def last_words(self) -> str:
        return self.log.read_text("utf-8", "replace")[-3000:] if self.log.exists() else ""


def clean_environment() -> dict[str, str]:
    """The environment without settings of somebody's own service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CHASQUI_")}


@dataclass
class Grown:
    """A grown service: `url` is where its pages are, `office` has the mails that it sent."""

    url: str
    office: Office
    redis: Redis
    environment: dict[str, str]
    web: Process
    workers: list[Process]
    more: list[Process] = field(default_factory=list)

    @property
    def processes(self) -> list[Process]:
        return [self.web, *self.workers, *self.more]

    def start(self) -> None:
        for process in self.processes:
            process.start()
        wait_for(self.ready, self.last_words, 3 * PATIENCE)

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health/ready", timeout=5) as answer:  # noqa: S310 - our own
                return bool(answer.status == 200)
        except (OSError, http.client.HTTPException):
            return False

    def stop(self) -> None:
        for process in self.processes:
            process.stop()

    def last_words(self) -> str:
        return "\n".join(f"{process.module}:\n{process.last_words()}" for process in self.processes)

    def token(self, email: str) -> str:
        """A token for the API, as `chasqui token` prints it."""
        database = Database(self.environment["CHASQUI_DATABASE_URL"])
        with database.session() as session:
            player, _ = find_or_make_player(session, email, "en", utc_now())
            token = make_api_token(session, player.id or 0, "test", utc_now())
        database.close()
        return token

    def mail(self, to: str, holding: str = "", patience: float = PATIENCE) -> EmailMessage:
        """The newest mail to somebody with these words in it, once it is there."""

        def found() -> EmailMessage | None:
            mine = (m for m in reversed(self.office.mails) if m["To"] == to)
            return next((m for m in mine if holding in words_of(m)), None)

        why = f"no mail to {to} with “{holding}” came"
        return wait_for(found, lambda: f"{why}\n{self.last_words()}", patience)  # type: ignore[no-any-return]

    def answer(self, mail: EmailMessage, text: str) -> None:
        """Answers a mail as its reader would, through the inbox."""
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = mail["To"], mail["Reply-To"], mail["Subject"]
        reply["Message-ID"] = make_msgid(domain="example.org")
        reply["In-Reply-To"] = mail["Message-ID"]
        reply.set_content(text)
        with smtplib.SMTP("127.0.0.1", int(self.environment["CHASQUI_INBOX_PORT"])) as server:
            server.send_message(reply)


def words_of(message: EmailMessage) -> str:
    """The subject and the plain text."""
    body = message.get_body(("plain",))
    return f"{message['X-Chasqui-News']}\n{body.get_content() if body else ''}"


@contextmanager
def grown(
    postgresql: Postgresql, folder: Path, *, workers: int = 2, port: int = 0, **settings: str
) -> Iterator[Grown]:
    """The whole service: gunicorn, Celery workers, a Redis and a mail server of its own."""
    with running_redis() as redis, post_office() as office, ExitStack() as stack:
        port = port or free_port()
        environment = {
            "CHASQUI_EMBEDDED": "false",
            "CHASQUI_BASE_URL": f"http://127.0.0.1:{port}",
            "CHASQUI_DATABASE_URL": postgresql.fresh(),
            "CHASQUI_DATA_DIR": str(folder / "data"),
            "CHASQUI_REDIS_URL": redis.url,
            "CHASQUI_SECRET_KEY": os.urandom(24).hex(),
            "CHASQUI_SMTP_HOST": "127.0.0.1",
            "CHASQUI_SMTP_PORT": str(office.port),
            "CHASQUI_SMTP_SECURITY": "none",
            "CHASQUI_MAIL_FROM": "play@chasqui.example",
            "CHASQUI_REPLY_DOMAIN": "chasqui.example",
            "CHASQUI_INBOX_PORT": str(free_port()),
            **settings,
        }
        options = ("--bind", f"127.0.0.1:{port}")
        service = Grown(
            environment["CHASQUI_BASE_URL"],
            office,
            redis,
            environment,
            Process("workers.web", options, environment, folder / "web.log"),
            [
                Process("workers.celery_app", (), environment, folder / f"worker-{number}.log")
                for number in range(workers)
            ],
            [Process("workers.inbox", (), environment, folder / "inbox.log")],
        )
        stack.callback(service.stop)
        service.start()
        yield service


class Caller:
    """Somebody who talks to the service over the network: by pages with cookies, or by the API with a token."""

    def __init__(self, service: Grown, email: str) -> None:
        self.service, self.email = service, email
        self.token = ""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def page(self, path: str, form: dict[str, str] | None = None) -> str:
        url = path if path.startswith("http") else f"{self.service.url}{path}"
        data = urlencode(form).encode() if form is not None else None
        with self.opener.open(url, data, timeout=30) as answer:
            return str(answer.read().decode())

    def press(self, path: str, form: dict[str, str] | None = None) -> str:
        """Posts a form with the token that the pages carry."""
        found = FORM.search(self.page("/sign-in"))
        assert found, "the page has no form"
        return self.page(path, {"csrf_token": found[1], **(form or {})})

    def sign_in(self) -> str:
        """In by a mailed link, as a person does; gives the page that follows."""
        self.press("/sign-in", {"email": self.email})
        link = LINK.search(words_of(self.service.mail(self.email, "/sign-in/link/")))
        assert link, "the mail has no link"
        self.page(link[0])
        return self.press("/sign-in/confirm")

    def api(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """A call of the API with this person's token: its status and answer."""
        self.token = self.token or self.service.token(self.email)
        request = urllib.request.Request(  # noqa: S310 - our own address
            f"{self.service.url}/api/v1{path}",
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def must(self, method: str, path: str, body: Any = None) -> Any:
        """The answer of a call that goes well."""
        status, answer = self.api(method, path, body)
        assert status < 300, (status, answer)
        return answer


def smoke(service: Grown) -> list[str]:
    """Two people sign in, meet and play a turn each, one on the page and one by mail; what happened, a line each."""
    ana, bea = Caller(service, "ana@example.org"), Caller(service, "bea@example.org")
    assert ana.email in ana.sign_in()
    told = [f"{ana.email} signed in by a mailed link."]
    seats = ["me", {"email": bea.email}]
    match_id = ana.must("POST", "/matches", {"game": "cuzco", "title": "Grown", "seats": seats})[
        "id"
    ]
    told.append(mailed(service, bea, "Grown"))
    bea.must("POST", f"/matches/{match_id}/join", {})
    first, second = (ana, bea) if is_asked(ana, match_id) else (bea, ana)
    told.append(mailed(service, first, f"/{match_id}"))
    orders = ["place triple e14 e16 d15", "end"]
    head = first.must("POST", f"/matches/{match_id}/orders", {"orders": orders})["head"]
    told.append(f"{first.email} played a turn over HTTP; the match is at position {head}.")
    told.append(mailed(service, second, f"/{match_id}"))
    legal = second.must("GET", f"/matches/{match_id}/legal")["orders"]
    order = next(order for order in legal if order.startswith("place triple"))
    service.answer(service.mail(second.email, f"/{match_id}"), f"{order}\nend\n")
    wait_for(
        lambda: second.must("GET", f"/matches/{match_id}")["head"] > head,
        lambda: f"the answer by mail was not played\n{service.last_words()}",
    )
    told.append(f"{second.email} answered the mail, and the answer was played.")
    return told


def mailed(service: Grown, person: Caller, holding: str) -> str:
    return f"{person.email} was mailed: {service.mail(person.email, holding)['X-Chasqui-News']}"


def is_asked(person: Caller, match_id: str) -> bool:
    match = person.must("GET", f"/matches/{match_id}")
    return match["my_seat"] in match["to_act"]


@click.command()
@click.option("--port", default=8000, help="Where the pages are.")
@click.option("--once", is_flag=True, help="End after the smoke match.")
def main(port: int, once: bool) -> None:
    """Run the grown service on this machine, play a smoke match, and stay until Ctrl+C."""
    with (
        running_postgresql() as postgresql,
        TemporaryDirectory(prefix="chasqui-grown-") as folder,
        grown(postgresql, Path(folder), port=port) as service,
    ):
        click.echo(
            f"Chasqui is at {service.url}: PostgreSQL, Redis, gunicorn, 2 workers, an inbox."
        )
        for line in smoke(service):
            click.echo(f"  {line}")
        seen = len(service.office.mails)
        click.echo(
            f"The smoke match went well; {seen} mails were caught and none left the machine."
        )
        if once:
            return
        click.echo("Every mail that is sent from now on is shown here. Ctrl+C ends it all.")
        with suppress(KeyboardInterrupt):
            show_mails(service, seen)


def show_mails(service: Grown, seen: int) -> None:
    while True:
        for mail in service.office.mails[seen:]:
            click.echo(f"\nTo: {mail['To']}\nSubject: {words_of(mail)}")
        seen = len(service.office.mails)
        time.sleep(0.2)


if __name__ == "__main__":
    main()
