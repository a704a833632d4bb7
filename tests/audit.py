"""Whether a known vulnerability is in what we depend on; `make audit`, which CI runs.

`pip-audit` alone prints "No known vulnerabilities found" and succeeds where its service knows none of the packages, as a
mirror of the registry does, and with `--strict` it fails there as if it had found one. Here the three are told apart:
what was found fails, what was checked is said with its number, and where nothing could be checked that is said aloud.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parent.parent
LOCK = (
    ROOT / "requirements-dev.txt"
)  # everything that requirements.txt names, and what we work with
SERVICES = ("pypi", "osv")  # the second is asked where the first cannot be
OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
AWAY = re.compile(
    r"could not connect|failed to resolve|connection|timed? ?out|unreachable|not redirecting", re.I
)

Kind = Literal["clean", "found", "partly", "nothing", "broken"]
FAILS: tuple[Kind, ...] = ("found", "partly", "broken")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an audit came to: a kind, and the lines that tell it."""

    kind: Kind
    lines: tuple[str, ...]


def audit(program: list[str], lock: Path = LOCK) -> Outcome:
    """Asks the services in turn, until one of them could check something."""
    unreached = list[str]()
    for service in SERVICES:
        outcome = ask(program, service, lock)
        if outcome.kind != "nothing":
            return outcome
        unreached += outcome.lines
    return Outcome("nothing", tuple(unreached))


def ask(program: list[str], service: str, lock: Path) -> Outcome:
    words = [*program, *OPTIONS, "--vulnerability-service", service, "--requirement", str(lock)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, LookupError, TypeError):
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        away = AWAY.search(done.stderr) is not None
        return Outcome("nothing" if away else "broken", (f"{service}: {last[:200]}",))
    return judged(service, told, done.returncode)


def judged(service: str, told: list[dict[str, Any]], code: int) -> Outcome:
    """What a list of dependencies says; one that was skipped was not checked."""
    found = [line for entry in told for line in weaknesses(entry)]
    skipped = [entry["name"] for entry in told if "skip_reason" in entry]
    if found:
        return Outcome("found", tuple(found))
    if len(skipped) == len(told):
        return Outcome("nothing", (f"{service}: it knows none of {len(told)} packages",))
    if skipped:
        names = ", ".join(skipped)
        return Outcome("partly", (f"{service}: {len(skipped)} of {len(told)} unchecked: {names}",))
    if code:
        return Outcome("broken", (f"{service}: it found nothing and failed with code {code}",))
    return Outcome("clean", (f"{service}: {len(told)} packages, no known vulnerability",))


def weaknesses(entry: dict[str, Any]) -> list[str]:
    """A line for each vulnerability of a package, with the versions that mend it."""
    return [
        f"{entry['name']} {entry['version']}: {weak['id']}, mended in "
        f"{', '.join(weak.get('fix_versions', ())) or 'no version yet'}"
        for weak in entry.get("vulns", ())
    ]


HEADINGS: dict[Kind, str] = {
    "clean": "The dependencies were audited.",
    "found": "KNOWN VULNERABILITIES:",
    "partly": "THE AUDIT IS NOT COMPLETE:",
    "nothing": "NOTHING COULD BE CHECKED: the dependencies were NOT audited, for no vulnerability service answers here.",
    "broken": "THE AUDIT ITSELF FAILED:",
}


def main(program: list[str] | None = None) -> int:
    outcome = audit(program or [str(Path(sys.executable).parent / "pip-audit")])
    print("\n  ".join((HEADINGS[outcome.kind], *outcome.lines)))
    return int(outcome.kind in FAILS)


if __name__ == "__main__":
    sys.exit(main())
