"""A browser for tests: keeps cookies, fills in the form token, and reads its mail."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from app.http.page_fingerprint import PAGES
from app.platform import tables
from app.platform.services import EXTENSION_KEY, Services
from workers.relay import drain

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
VARYING = re.compile(r'name="(csrf_token|key)" value="[^"]*"|<time .*?</time>')
LINK = re.compile(r"https?://[^\s/]+(/sign-in/link/[\w-]+)")


SHOWN: dict[str, str] = {}  # what pages said, by path and ETag


def services_of(app: Flask) -> Services:
    services: Services = app.extensions[EXTENSION_KEY]
    return services


class Visitor:
    """One person's browser. `get` and `post` take a path; `post` sends the form token along."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.services = services_of(app)
        self.client: FlaskClient = app.test_client()
        self.email: str | None = None

    def get(self, path: str, **more: Any) -> TestResponse:
        """A page; made anew, and held against what was shown under the same ETag before."""
        PAGES.clear()
        response = self.client.get(path, **more)
        if response.status_code == 200 and (name := response.headers.get("ETag")):
            said = VARYING.sub("", response.text)
            assert SHOWN.setdefault(f"{path} {name}", said) == said, (
                "app/http/page_fingerprint.py overlooks it"
            )
        return response

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        return self.client.post(
            path, data={"csrf_token": self.form_token(), **(data or {})}, **more
        )

    def form_token(self) -> str:
        found = TOKEN.search(self.client.get("/sign-in").text)
        assert found, "the page has no form"
        return found[1]

    def sign_in(self, email: str, next_page: str = "") -> Visitor:
        """Asks for a link, reads the mail, follows the link and presses the button."""
        self.email = email
        assert self.post("/sign-in", {"email": email, "next": next_page}).status_code == 303
        self.follow(newest_link(self.services, email))
        assert self.post("/sign-in/confirm").status_code == 303
        return self

    def follow(self, link: str) -> TestResponse:
        return self.client.get(link, follow_redirects=True)

    @property
    def player(self) -> tables.Player:
        """The account behind the address."""
        with self.services.database.look() as session:
            query = select(tables.Player).where(tables.Player.email == self.email)
            return session.exec(query).one()


def letters(services: Services, email: str) -> list[tables.Letter]:
    """The mails to an address, oldest first; what waits is sent before."""
    drain(services)
    query = select(tables.Letter).where(tables.Letter.to == email).order_by(col(tables.Letter.id))
    with services.database.look() as session:
        return list(session.exec(query))


def newest_link(services: Services, email: str) -> str:
    """The path of the last sign-in link to an address."""
    found = [link[1] for mail in letters(services, email) if (link := LINK.search(mail.text))]
    assert found, "no mail has a link"
    return found[-1]
