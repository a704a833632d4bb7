"""What holds for all tests: the template is one of the games, so whatever the registry drives runs through it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.template import register_template

register_template()
FIGURE = "figure"


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Says something that was measured at the end of the run, whichever process measured it."""
    return lambda said: record_property(FIGURE, said)


@pytest.fixture
def seals_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seals that are the same whatever they seal, for worlds that are compared byte by byte."""
    from tests import sealing  # noqa: PLC0415 - it knows the service, which tests of the rules do without

    sealing.tell_nothing(monkeypatch)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found = (item for items in terminalreporter.stats.values() for item in items)
    calls = (report for report in found if getattr(report, "when", None) == "call")
    said = [told for report in calls for name, told in report.user_properties if name == FIGURE]
    if said:
        terminalreporter.section("figures")
        for line in said:
            terminalreporter.write_line(line)
