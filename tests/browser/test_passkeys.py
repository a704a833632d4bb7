"""Passkeys in a real browser with an authenticator that is made of software: added, used, copied, removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession

from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.browser.test_accessible import faults

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def named(sqlite_folder: Path) -> Iterator[Live]:
    """A service with a name: browsers bind passkeys to no number."""
    with serving(sqlite_folder / "migrated.sqlite3", "localhost") as found:
        yield found


@dataclass
class Device:
    """What holds somebody's passkeys, as Chromium's tools let us see into it."""

    tools: CDPSession
    id: str

    def credentials(self) -> list[dict[str, Any]]:
        told = self.tools.send("WebAuthn.getCredentials", {"authenticatorId": self.id})
        found: list[dict[str, Any]] = told["credentials"]
        return found

    def put_back(self, credential: dict[str, Any]) -> None:
        """Replaces what it holds by a copy that was made earlier."""
        self.tools.send("WebAuthn.clearCredentials", {"authenticatorId": self.id})
        put = {"authenticatorId": self.id, "credential": credential}
        self.tools.send("WebAuthn.addCredential", put)

    def verify(self, yes: bool) -> None:
        """Whether the one who touches it is its owner."""
        who = {"authenticatorId": self.id, "isUserVerified": yes}
        self.tools.send("WebAuthn.setUserVerified", who)


def with_device(person: Person) -> Device:
    tools = person.context.new_cdp_session(person.page)
    tools.send("WebAuthn.enable")
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return Device(tools, made["authenticatorId"])


@pytest.fixture
def ana(browser: Browser, named: Live, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody new, signed in by a mailed link."""
    found = arrive(browser, named, script=True, size="desktop")
    found.sign_in(f"{request.node.name[-40:]}@passkeys.org")
    yield found
    found.leave()


def add(person: Person, name: str) -> None:
    person.go("/account")
    person.page.fill("#passkey-name", name)
    person.press("Add a passkey")
    person.sees("The passkey is kept")


def sign_in(person: Person) -> None:
    person.go("/sign-in?next=/account")
    person.press("Sign in by a passkey")


def come_in(person: Person) -> None:
    sign_in(person)
    person.page.wait_for_url(f"{person.live.url}/account")


def test_a_passkey_is_added_used_and_removed(ana: Person) -> None:
    device = with_device(ana)
    add(ana, "My laptop")
    (kept,) = device.credentials()
    assert kept["isResidentCredential"]
    assert kept["rpId"] == "localhost"
    assert faults(ana) == []

    ana.press("Sign out")
    come_in(ana)
    ana.sees("signed in by a passkey")

    ana.page.locator("#access li", has_text="My laptop").get_by_role("button").click()
    ana.sees("That passkey opens nothing any more.")
    ana.press("Sign out")
    refused(ana)


def refused(person: Person) -> None:
    """The passkey does not open; the browser says so in its console, as it should."""
    sign_in(person)
    person.sees("This passkey was not accepted")
    person.complaints.clear()


def test_a_copy_of_a_passkey_is_refused_and_noted(ana: Person) -> None:
    device = with_device(ana)
    add(ana, "My key")
    (copy,) = device.credentials()
    for _ in range(2):  # the true one is used and counts on
        ana.press("Sign out")
        come_in(ana)
    (true,) = device.credentials()
    assert true["signCount"] > copy["signCount"]
    ana.press("Sign out")
    device.put_back(copy)
    refused(ana)
    device.put_back(true)
    come_in(ana)
    ana.sees("a passkey was refused: it may have been copied")


def test_who_does_not_prove_to_be_the_owner_of_the_device_is_not_let_in(ana: Person) -> None:
    device = with_device(ana)
    add(ana, "My phone")
    ana.press("Sign out")
    device.verify(False)
    sign_in(ana)
    ana.sees("It did not work, or you stopped it.")
    assert ana.page.url.endswith("/sign-in?next=/account")


def test_without_scripts_passkeys_are_not_offered(browser: Browser, named: Live) -> None:
    somebody = arrive(browser, named, script=False, size="phone")
    somebody.go("/sign-in")
    assert not somebody.page.get_by_text("Sign in by a passkey").is_visible()
    assert somebody.page.get_by_text("Send me the link").is_visible()
    somebody.leave()


def test_at_a_number_instead_of_a_name_passkeys_are_not_offered(
    browser: Browser, live: Live
) -> None:
    somebody = arrive(browser, live, script=True, size="desktop")
    somebody.go("/sign-in")
    assert somebody.page.get_by_text("Sign in by a passkey").count() == 0
    somebody.leave()
