"""A real browser and a running service for the tests in this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.servers import sqlite_folder


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
