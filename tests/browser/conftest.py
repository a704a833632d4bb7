"""A real browser and a running service for the tests in this folder."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import QUIET, chromium
from tests.browser.live import Live, serving
from tests.browser.people import Person, arrive
from tests.servers import sqlite_folder

PEOPLE = pytest.StashKey[list[Person]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that failed says what everybody's page showed and what the service was doing."""
    report = yield
    if call.when == "call" and report.failed and (people := item.stash.get(PEOPLE, [])):
        for number, one in enumerate(people, 1):
            report.sections.append((f"browser {number}", one.tell()))
        report.sections.append(("threads of the service", threads()))
    return report


def threads() -> str:
    """Where every thread of this process is: one that hangs holds up the others."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    found = sys._current_frames().items()
    told = (
        (names.get(ident), "".join(traceback.format_stack(frame)[-4:])) for ident, frame in found
    )
    return "\n".join(f"{name}:\n{stack}" for name, stack in told)


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
def person(
    browser: Browser, live: Live, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Person]]:
    """`person(script=True, size="phone")`: somebody's browser, closed afterwards; it may not have complained."""
    people: list[Person] = request.node.stash.setdefault(PEOPLE, [])

    def come(**how: Any) -> Person:
        people.append(arrive(browser, live, **{"script": True, "size": "desktop", **how}))
        return people[-1]

    yield come
    for one in people:
        one.leave()
