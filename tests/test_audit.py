"""The audit of what we depend on says what it could check; a fake `pip-audit` stands for the services."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.audit import AWAY, LOCK, audit, main

ROOT = Path(__file__).resolve().parent.parent
SOUND = {"name": "flask", "version": "3.1.0", "vulns": []}
WEAK = {
    "name": "idna",
    "version": "3.6",
    "vulns": [{"id": "CVE-2024-3651", "fix_versions": ["3.7"], "description": "slow"}],
}
SKIPPED = {"name": "amqp", "skip_reason": "Dependency not found on PyPI and could not be audited"}
AWAY_NOW = "ERROR:pip_audit._cli:Could not connect to PyPI's vulnerability feed\n"


def fake(folder: Path, **answers: tuple[list[dict[str, Any]] | None, str, int]) -> list[str]:
    """A `pip-audit` that answers by the service it is asked to use, and notes how it was called."""
    told = {
        service: ("" if entries is None else json.dumps({"dependencies": entries}), said, code)
        for service, (entries, said, code) in answers.items()
    }
    program = folder / "pip_audit.py"
    program.write_text(
        "import json, pathlib, sys\n"
        f"answers = json.loads({json.dumps(told)!r})\n"
        "service = sys.argv[sys.argv.index('--vulnerability-service') + 1]\n"
        f"with pathlib.Path({str(folder / 'calls')!r}).open('a') as calls:\n"
        "    calls.write(' '.join(sys.argv[1:]) + '\\n')\n"
        "out, err, code = answers[service]\n"
        "sys.stdout.write(out)\n"
        "sys.stderr.write(err)\n"
        "sys.exit(code)\n"
    )
    return [sys.executable, str(program)]


def test_what_is_sound_passes_and_says_how_much_was_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(fake(tmp_path, pypi=([SOUND, SOUND], "No known vulnerabilities found", 0))) == 0
    assert "audited.\n  pypi: 2 packages" in capsys.readouterr().out
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert "--require-hashes" in call
    assert str(LOCK) in call


def test_a_known_vulnerability_fails_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(fake(tmp_path, pypi=([SOUND, WEAK, SKIPPED], "Found 1 known", 1))) == 1
    told = capsys.readouterr().out
    assert told.startswith("KNOWN VULNERABILITIES:")
    assert "idna 3.6: CVE-2024-3651, mended in 3.7" in told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((None, AWAY_NOW, 1), (None, AWAY_NOW, 1)),
        (([SKIPPED, SKIPPED], "No known vulnerabilities found", 0), (None, AWAY_NOW, 1)),
        (([SKIPPED], "", 0), ([SKIPPED], "", 0)),
        (([], "", 0), (None, "requests.exceptions.ReadTimeout: Read timed out.", 1)),
    ],
)
def test_where_nothing_could_be_checked_that_is_said_and_nothing_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: Any, second: Any
) -> None:
    """A mirror that knows no package lets `pip-audit` itself print that nothing was found."""
    assert main(fake(tmp_path, pypi=first, osv=second)) == 0
    told = capsys.readouterr().out
    assert told.startswith("NOTHING COULD BE CHECKED")
    assert "audited.\n" not in told
    assert len((tmp_path / "calls").read_text().splitlines()) == 2


def test_the_second_service_is_asked_where_the_first_is_away(tmp_path: Path) -> None:
    program = fake(tmp_path, pypi=([SKIPPED], "", 0), osv=([WEAK], "Found 1 known", 1))
    assert audit(program).kind == "found"


def test_a_package_that_was_not_checked_fails_the_rest(tmp_path: Path) -> None:
    outcome = audit(fake(tmp_path, pypi=([SOUND, SKIPPED], "", 0)))
    assert (outcome.kind, outcome.lines) == ("partly", ("pypi: 1 of 2 unchecked: amqp",))
    assert main(fake(tmp_path, pypi=([SOUND, SKIPPED], "", 0))) == 1


@pytest.mark.parametrize(
    "answer",
    [
        (None, "ERROR:pip_audit._cli:invalid requirements input: requirements-dev.txt", 1),
        (None, "", 0),
        ([SOUND], "", 3),
    ],
)
def test_an_audit_that_breaks_is_no_audit(tmp_path: Path, answer: Any) -> None:
    assert audit(fake(tmp_path, pypi=answer)).kind == "broken"
    assert main(fake(tmp_path, pypi=answer)) == 1


def test_make_runs_the_audit_on_the_lock_that_there_is() -> None:
    assert "python -m tests.audit" in (ROOT / "Makefile").read_text()
    assert AWAY.search(AWAY_NOW)
    assert LOCK.exists()


def test_the_lock_that_is_audited_holds_all_that_is_installed() -> None:
    names = [
        set(re.findall(r"^([a-z0-9.-]+)==", path.read_text(), re.MULTILINE))
        for path in (ROOT / "requirements.txt", LOCK)
    ]
    assert names[0]
    assert names[0] <= names[1]
