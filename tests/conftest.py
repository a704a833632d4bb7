"""What holds for all tests: the template is one of the games, so whatever the registry drives runs through it."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from tests.template import register_template

register_template()
FIGURE = "figure"
# How long an example takes is the machine's affair: no test depends on speed.
settings.register_profile("ours", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")


class CompiledOnce(BytecodeCache):
    """Templates that one service of this process has compiled serve all those that the tests make after it."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": CompiledOnce()}
compile_builder, builders = Rule._compile_builder, dict[Any, Any]()


def compile_once(rule: Rule, append_unknown: bool = True) -> Any:
    """What writes the addresses of a route depends on its text alone; made anew it was half of making a service."""
    key = tuple(rule._trace), repr(rule.defaults), append_unknown
    if key not in builders:
        builders[key] = compile_builder(rule, append_unknown)
    return builders[key]


Rule._compile_builder = compile_once


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
