"""A real browser and a running service for the tests in this folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.servers import sqlite_folder

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
APT = ("apt-get", "install", "-y", "--no-install-recommends", "chromium")


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def chromium(playwright: Playwright) -> str:
    """A Chromium: from the PATH, else Playwright's own, else Debian's package; without one the tests fail."""
    own = Path(playwright.chromium.executable_path)
    for attempt in ((), (sys.executable, "-m", "playwright", "install", "chromium"), APT):
        if attempt and (attempt is not APT or (shutil.which("apt-get") and os.geteuid() == 0)):
            subprocess.run(attempt, capture_output=True, check=False, timeout=300)
        if found := on_path() or (str(own) if own.exists() else None):
            return found
    pytest.fail("There is no Chromium here and none can be fetched: install Debian's chromium.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(playwright), args=QUIET)
        yield found
        found.close()


@pytest.fixture(scope="session")
def live(sqlite_folder: Path) -> Iterator[Live]:
    """One service for all tests of a process; each makes its own people and matches."""
    with serving(sqlite_folder / "migrated.sqlite3") as found:
        yield found


@pytest.fixture
def person(browser: Browser, live: Live) -> Iterator[Callable[..., Person]]:
    """`person(script=True, size="phone")`: somebody's browser, closed afterwards; it may not have complained."""
    people: list[Person] = []

    def come(**how: Any) -> Person:
        people.append(arrive(browser, live, **{"script": True, "size": "desktop", **how}))
        return people[-1]

    yield come
    for one in people:
        one.leave()
