"""`make mutants ARGS="app/moderation/undo_requests.py"`: plants small faults, one at a time, and tells which of them no test notices.

Each fault meets the tests that come by its line, the likely ones first, until one fails. What was found is kept in
`build/mutants`, so a run goes on where it was ended; what no test noticed is tried again when there are other tests.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from tests.mutants.planting import Fault, faults_in
from tests.mutants.running import (  # fmt: skip
    BUILD,
    FAILED,
    LOG,
    PATIENCE,
    ROOT,
    SUITES,
    Suite,
    Unsound,
    Ways,
    plant,
    settle_memory,
    ways,
    with_tests,
)

KEPT = BUILD / "found.json"
# Where a fault would be worst: who may do what, what is kept, whose time it is, what is told to whom.
MODULES = (
    "app/matches/access.py",
    "app/matches/drafts.py",
    "app/matches/submissions.py",
    "app/eventstore/store.py",
    "app/clocks/clocks.py",
    "app/moderation/undo_requests.py",
    "app/matches/lookahead.py",
    "workers/relay.py",
    "engine/core/secrecy.py",
)
UNNOTICED = ("survived", "unseen")
SLACK = 2  # seconds of the processor for a child to begin and to end
A_FEW = 3  # seconds of tests, to see that they hold
CONSOLE = Console(soft_wrap=True, highlight=False, markup=False)


@dataclass
class Run:
    """The faults of some modules, and what is known of each."""

    trees: dict[str, ast.Module]
    seconds: float  # of tests for each fault
    state: str
    found: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.faults = [f for module, tree in self.trees.items() for f in faults_in(module, tree)]
        if KEPT.exists():
            self.found = json.loads(KEPT.read_text())

    def is_open(self, fault: Fault) -> bool:
        known = self.found.get(str(fault))
        if known is None:
            return True
        met = (known["state"], known["seconds"])
        return known["verdict"] in UNNOTICED and met != (self.state, self.seconds)

    def keep(self, fault: Fault, verdict: str) -> None:
        met: dict[str, Any] = {"state": self.state, "seconds": self.seconds}
        if verdict == "killed":
            met["by"] = FAILED.read_text()
        self.found[str(fault)] = {"verdict": verdict, "line": fault.lines[0], **met}
        KEPT.write_text(json.dumps(self.found, indent=1))

    def attempt(self, fault: Fault, suite: Suite, known: Ways) -> str:
        """What becomes of a fault: killed, slow (the tests came to no end), survived, or unseen (no test comes by)."""
        tests = known.to(fault, self.seconds, self.sharp(fault.module, known))
        if not tests:
            return "unseen"
        patience = int(self.seconds * 1.5) + SLACK
        held = suite.holds(tests, patience, lambda: plant(fault, self.trees[fault.module]))
        return {None: "slow", True: "survived", False: "killed"}[held]

    def sharp(self, module: str, known: Ways) -> list[str]:
        """The tests that noticed other faults of the same module: those first that notice most for their time."""
        noticed = (kept.get("by") for name, kept in self.found.items() if name.startswith(module))
        counts = Counter(test for test in noticed if test in known.took)
        return sorted(counts, key=lambda test: known.took[test] / counts[test])

    def check_sound(self, suite: Suite, known: Ways) -> None:
        """Without a fault the tests must hold in a fork, too: else everything would seem to be noticed."""
        faults = {fault.module: fault for fault in self.faults if fault.around}
        tests = dict.fromkeys(t for f in faults.values() for t in known.to(f, A_FEW, []))
        if not suite.holds([*tests], PATIENCE, lambda: None):
            raise Unsound(f"The tests fail without any fault: see {LOG}")


def state_of_the_code(suites: tuple[str, ...]) -> str:
    """Names the code and the tests as they are, but for ourselves, and which of them are run."""
    folders = (ROOT / name for name in ("app", "engine", "workers", "tests"))
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    files = [file for file in files if file.parent != Path(__file__).parent]
    told = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    if suites != SUITES:
        told.update(" ".join(suites).encode())
    return told.hexdigest()[:16]


@click.command(help=__doc__)
@click.argument("modules", nargs=-1)
@click.option("--minutes", default=45.0, help="Ends after so long.", show_default=True)
@click.option("--seconds", default=15.0, help="Of tests for each fault.", show_default=True)
@click.option(
    "--tests", multiple=True, default=SUITES, help="Only these: quick, and a lower bound."
)
@click.option("--again", is_flag=True, help="Only what no test noticed before.")
@click.option("--tell", is_flag=True, help="Only what is known already.")
def main(
    modules: tuple[str, ...],
    minutes: float,
    seconds: float,
    tests: tuple[str, ...],
    again: bool,
    tell: bool,
) -> None:
    chosen = modules or MODULES
    trees = {module: ast.parse((ROOT / module).read_text()) for module in chosen}
    run = Run(trees, seconds, state_of_the_code(tests))
    if not tell:
        wanted = [f for f in run.faults if run.is_open(f) and (not again or str(f) in run.found)]
        Random(0).shuffle(wanted)  # so that a run which ends early has tried a fair part
        until = monotonic() + minutes * 60
        with_tests(tests, lambda suite: try_all(suite, run, wanted, until))
    for module in chosen:
        report(run, module)


def try_all(suite: Suite, run: Run, faults: list[Fault], until: float) -> None:
    CONSOLE.print("Looking which tests come by which line; after a change all of them are run.")
    known = ways(suite, [*run.trees], run.state)
    for test in known.failing:
        CONSOLE.print(f"Left out, for it fails without any fault: {test}")
    # What they need for a whole session, the servers above all, is there for every fork.
    suite.run([*{known.quickest("[sqlite]"), known.quickest("[postgresql]")}])
    run.check_sound(suite, known)
    settle_memory()
    with Progress(console=CONSOLE) as progress:
        for fault in progress.track(faults, description="faults"):
            if monotonic() > until:
                break
            verdict = run.attempt(fault, suite, known)
            run.keep(fault, verdict)
            if verdict in UNNOTICED:
                progress.print(f"{verdict} {fault.lines[0]} {fault}")


def report(run: Run, module: str) -> None:
    faults = [fault for fault in run.faults if fault.module == module]
    tried = [fault for fault in faults if str(fault) in run.found]
    tally = Counter(run.found[str(fault)]["verdict"] for fault in tried)
    noticed = len(tried) - sum(tally[verdict] for verdict in UNNOTICED)
    share = f"{noticed / max(1, len(tried)):.1%}"
    CONSOLE.print(
        f"{module}: {noticed} of {len(tried)} noticed ({share}); {len(faults)} can be planted"
    )
    for fault in tried:
        if (verdict := run.found[str(fault)]["verdict"]) in UNNOTICED:
            CONSOLE.print(f"  {verdict} {fault.lines[0]} {fault.function}: {fault.told}")


if __name__ == "__main__":
    main()
