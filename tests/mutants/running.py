"""Runs tests in forks of one process that has collected them all. A fork has a fault in its code; no file has."""

from __future__ import annotations

import ast
import functools
import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from time import monotonic, process_time, sleep
from types import CodeType, FunctionType, ModuleType
from typing import Any

import coverage
import pytest

from tests.mutants.planting import Fault

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutants"
LOG = BUILD / "tests.log"  # what the tests said last
FAILED = BUILD / "failed"  # the test that failed last
SUITES = ("tests/app", "tests/workers", "tests/engine")
# A test that fails need not say how: to write down two matches that differ takes longer than to play them.
CALMLY = ("-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "--tb=no")
PATIENCE = 3600  # seconds of the processor for all tests, with their lines noted
SHARE = 10  # a process has at least so small a part of the processor


class Unsound(Exception):
    """The tests do not hold without any fault, so they can say nothing about one."""


class Suite:
    """A plugin of pytest that has all tests at hand, and leaves it to `act` which of them to run."""

    def __init__(self, act: Callable[[Suite], None]) -> None:
        self.act, self.ran = act, False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session, self.ran = session, True
        self.items = {item.nodeid: item for item in session.items}
        self.act(self)
        return True

    def run(self, tests: list[str]) -> bool:
        """Whether these hold, up to the first that does not."""
        failed = next(self.failing(tests), None)
        if failed:
            FAILED.write_text(failed)
        return failed is None

    def failing(self, tests: list[str]) -> Iterator[str]:
        """Runs these and tells those that fail; what is made once for a session stays for others."""
        items = [self.items[test] for test in tests]
        self.session._setupstate.teardown_exact(items[0])
        for item, following in zip(items, [*items[1:], items[0]], strict=True):
            before = self.session.testsfailed
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed > before:
                yield item.nodeid

    def holds(self, tests: list[str], seconds: int, before: Callable[[], None]) -> bool | None:
        """The same in a fork that has done something before; None if it took so much of the processor."""

        def act() -> int:
            before()
            return 0 if self.run(tests) else 1

        code = in_child(act, seconds)
        return None if code is None else code == 0


def with_tests(suites: tuple[str, ...], act: Callable[[Suite], None]) -> None:
    os.chdir(ROOT)
    BUILD.mkdir(parents=True, exist_ok=True)
    suite = Suite(act)
    pytest.main([*CALMLY, *suites], plugins=[suite])
    if not suite.ran:
        raise Unsound("The tests cannot be collected.")


def in_child(act: Callable[[], int], seconds: int) -> int | None:
    """What `act` answers in a process of its own; None if it took too much of the processor, or waited for ever."""
    child = os.fork()
    if child == 0:
        live(act, seconds)
    until, ended, status = monotonic() + seconds * SHARE, 0, 0
    try:
        while not ended and monotonic() < until:
            sleep(0.02)
            ended, status = os.waitpid(child, os.WNOHANG)
    finally:
        if not ended:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status) if ended else -signal.SIGXCPU
    return None if code == -signal.SIGXCPU else code


def live(act: Callable[[], int], seconds: int) -> None:
    """The life of a child: it leads a group of its own, so that what it starts ends with it."""
    os.setsid()
    resource.setrlimit(
        resource.RLIMIT_CPU, (seconds, seconds + 1)
    )  # a sign first, that tells why it ended
    with LOG.open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    code = 70
    try:
        code = act()
    finally:
        os._exit(code)


# Changing code that is loaded


def plant(fault: Fault, tree: ast.Module) -> None:
    """Only for a process that will end soon."""
    fault.plant()
    module = sys.modules[fault.module.removesuffix(".py").replace("/", ".")]
    ast.fix_missing_locations(tree)
    if fault.around is None:
        later = (part for part in tree.body if part.lineno >= fault.statement)
        run_again(module, [part for part in later if isinstance(part, ast.Assign | ast.AnnAssign)])
    else:
        renew(module, dict(functions_in(compile(tree, str(module.__file__), "exec"))))


def renew(module: ModuleType, codes: dict[str, CodeType]) -> None:
    """Gives every function of a module its new code, and lets what is remembered go."""
    functions, caches = loaded()
    for function in functions.get(module.__name__, ()):
        new = codes.get(function.__qualname__)
        if new and new.co_freevars == function.__code__.co_freevars:
            function.__code__ = new
    for cache in caches:
        cache.cache_clear()


Functions = dict[str, list[FunctionType]]


@functools.cache
def loaded() -> tuple[Functions, list[functools._lru_cache_wrapper[Any]]]:
    """The functions of each module, and all caches; found once, for looking at a thing copies it into a fork."""
    functions: Functions = {}
    caches = []
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            functions.setdefault(thing.__module__, []).append(thing)
        elif type(thing) is functools._lru_cache_wrapper:
            caches.append(thing)
    return functions, caches


def settle_memory() -> None:
    """What lies in memory is left alone from now on, so that forks need no copy of it."""
    loaded()
    gc.collect()
    gc.freeze()


def functions_in(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part.co_qualname, part
            yield from functions_in(part)


def run_again(module: ModuleType, made: list[ast.stmt]) -> None:
    """Makes values of a module once more; who has imported the old gets the new."""
    before = dict(vars(module))
    exec(compile(ast.Module(made, []), str(module.__file__), "exec"), vars(module))  # noqa: S102 - ours
    for name, old in before.items():
        new = getattr(module, name)
        for other in [*sys.modules.values()] if new is not old else []:
            if vars(other).get(name) is old:
                setattr(other, name, new)


# Which tests come by which line


@dataclass(eq=False)
class Watching:
    """A plugin of pytest that notes which test runs which lines, and what each takes of the processor."""

    cover: coverage.Coverage
    took: dict[str, float]
    begun: float = 0

    def pytest_runtest_logstart(self) -> None:
        self.begun = process_time()  # of the clock on the wall others have their share

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.cover.switch_context(item.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.took[nodeid] = process_time() - self.begun


@dataclass(frozen=True)
class Ways:
    """The tests that run each line of each module, and the seconds of the processor that each takes.

    Those that fail without any fault are left out: they could say nothing about one.
    """

    lines: dict[str, dict[str, list[str]]]
    took: dict[str, float]
    failing: list[str]

    def to(self, fault: Fault, seconds: float, sharp: list[str]) -> list[str]:
        """The tests that come by a fault, as many as fit: the sharp, then by turns of its own file and of elsewhere."""
        found = self.found(fault)
        own = sorted((t for t in found if is_own(t, fault.module)), key=self.rank)
        elsewhere = [sorted(kind, key=self.rank) for kind in self.kinds(fault, found)]
        others = (test for some in zip_longest(*elsewhere) for test in some if test)
        turns = (test for some in zip_longest(own, others) for test in some if test)
        chosen: dict[str, None] = {}
        spent = 0.0
        for test in (*(test for test in sharp if test in found), *turns):
            if test not in chosen and (not chosen or spent + self.took[test] <= seconds):
                spent += self.took[test]
                chosen[test] = None
        return [*chosen]

    def found(self, fault: Fault) -> set[str]:
        first, last = fault.lines
        lines = self.lines[fault.module].items()
        everywhere = fault.around is None
        passing = (set(tests) for line, tests in lines if everywhere or first <= int(line) <= last)
        return set[str]().union(*passing) & self.took.keys()

    def kinds(self, fault: Fault, found: set[str]) -> list[set[str]]:
        """Tests of a line of the function, the rarest first; of a file."""
        first, last = fault.around or (0, 0)
        lines = self.lines[fault.module].items()
        by_line = [found & set(tests) for line, tests in lines if first < int(line) <= last]
        by_file: dict[str, set[str]] = {}
        for test in found:
            by_file.setdefault(test.partition("::")[0], set()).add(test)
        return [*sorted(by_line, key=len), *(by_file[file] for file in sorted(by_file))]

    def rank(self, test: str) -> tuple[bool, float, str]:
        """PostgreSQL is slow, so its tests come last."""
        return "[postgresql" in test, self.took[test], test

    def quickest(self, kind: str) -> str:
        """A test of that kind that is over soon; any, if there is none of that kind."""
        return min(self.took, key=lambda test: (kind not in test, self.took[test]))


def is_own(test: str, module: str) -> bool:
    """Whether a test stands in the file that is named after a module."""
    return Path(module).stem in test.partition("::")[0]


def ways(suite: Suite, modules: list[str], state: str) -> Ways:
    """From the last time, if neither code nor tests have changed since."""
    file = BUILD / "ways.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    if known.get("state") == state and set(modules) <= set(known["lines"]):
        return Ways(known["lines"], known["took"], known["failing"])

    def measure() -> int:
        watching = [str(ROOT / module) for module in modules]
        cover = coverage.Coverage(data_file=None, include=watching, config_file=False)
        took: dict[str, float] = {}
        suite.session.config.pluginmanager.register(Watching(cover, took))
        cover.start()
        failing = [*suite.failing([*suite.items])]
        cover.stop()
        data = cover.get_data()
        lines = {module: data.contexts_by_lineno(str(ROOT / module)) for module in modules}
        for test in failing:
            del took[test]
        told = {"state": state, "lines": lines, "took": took, "failing": failing}
        file.write_text(json.dumps(told))
        return 0

    if in_child(measure, PATIENCE) != 0:
        file.unlink(missing_ok=True)
        raise Unsound(f"The tests cannot be run: see {LOG}")
    return ways(suite, modules, state)
