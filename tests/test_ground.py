"""The ground we stand on: what a stranger reads first, and what plain pip installs."""

import os
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements-embedded.txt", "requirements.txt", "requirements-dev.txt")
SET_UP = (*LOCKS, "pyproject.toml", "Makefile", ".ci/run")

# Written so that these lines do not match themselves.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:root|work|home|Users)/\w")
REGISTRY_HOST = re.compile(r"(?:pypi|pythonhosted|npmjs|debian)[.](?:org|com)")
INDEX_OPTION = re.compile(r"--(?:index-url|extra-index-url|find-links|trusted-host)\b")
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def text_of(name: str) -> str:
    """A file of the repository, by its path."""
    return (ROOT / name).read_text("utf-8")


@cache
def project() -> dict:
    """The project table of pyproject.toml."""
    return tomllib.loads(text_of("pyproject.toml"))["project"]


def repository_files() -> list[Path]:
    """Every file that git tracks or would track."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        stop = pytest.fail if "CI" in os.environ else pytest.skip
        stop("This is no git repository, so nothing is tracked.")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    """Each line of a tracked text file that matches, with its place."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in repository_files()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]


def requirements(lock: str) -> list[str]:
    """The requirements of a lock file, each with its hashes on one line."""
    joined = text_of(lock).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]


def pins(lock: str) -> dict[str, str]:
    """The version of each package that a lock file installs."""
    found = (re.match(r"([\w.-]+)==([\w.!+-]+)", line) for line in requirements(lock))
    return {match[1]: match[2] for match in found if match}


def names(dependencies: list[str]) -> set[str]:
    """The bare package names of dependencies such as `click>=8.1`."""
    bare = (re.split(r"[^\w.-]", dependency)[0] for dependency in dependencies)
    return {re.sub(r"[-_.]+", "-", name).lower() for name in bare}  # as lock files spell them


def make_targets() -> set[str]:
    """What `make` can be asked for."""
    return set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_the_readme_names_the_two_commands(command: str) -> None:
    assert command in text_of("README.md")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_make_command_that_we_advise_exists(page: str) -> None:
    advised = re.findall(r"(?:`|^)make ([a-z]+)", text_of(page), re.MULTILINE)
    assert advised
    assert set(advised) <= make_targets()


def test_ci_runs_the_tests_and_then_the_gates() -> None:
    assert re.findall(r"^make (\w+)$", text_of(".ci/run"), re.MULTILINE) == [
        "test",
        "lint",
        "audit",
    ]
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_the_changelog_tells_of_this_version_or_of_what_is_to_come() -> None:
    headings = re.findall(r"^## \[(.+?)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] in ("Unreleased", project()["version"])


def test_the_distribution_is_private_and_takes_nobodys_name() -> None:
    assert project()["name"] == "chasqui-pbem"  # `chasqui` in the registry is somebody else's
    assert "Private :: Do Not Upload" in project()["classifiers"]
    assert "chasqui" in project()["scripts"]


@pytest.mark.parametrize("document", ["ASVS.md", "TRUST.md"])
def test_every_test_that_a_document_names_exists(document: str) -> None:
    text = text_of(f"docs/{document}")
    named = NAMED_TEST.findall(text)
    assert len(named) == len(re.findall(r"test_\w+\.py::", text)) > 50  # none is written otherwise
    missing = [f"{file}::{name}" for file, name in named if f"def {name}(" not in text_of(file)]
    assert missing == []


def test_the_licence_is_the_one_we_declare() -> None:
    assert project()["license"] == text_of("LICENSE").split()[0] == "MIT"


def test_no_file_names_a_place_on_a_developers_machine() -> None:
    assert lines_matching(MACHINE_PATH) == []


def test_no_file_names_a_registrys_host() -> None:
    assert lines_matching(REGISTRY_HOST) == []


@pytest.mark.parametrize("name", SET_UP)
def test_what_installs_us_takes_packages_from_wherever_pip_is_set_to(name: str) -> None:
    assert "://" not in text_of(name)
    assert not INDEX_OPTION.search(text_of(name))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_and_hashed(lock: str) -> None:
    assert requirements(lock)
    for line in requirements(lock):
        assert re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)


def test_the_locks_hold_what_the_project_declares() -> None:
    more = project()["optional-dependencies"]
    wanted = names(project()["dependencies"])
    assert wanted <= pins("requirements-embedded.txt").keys()
    wanted |= names(more["grown"])
    assert wanted <= pins("requirements.txt").keys()
    wanted |= names(more["dev"])
    assert wanted <= pins("requirements-dev.txt").keys()


def test_developers_run_the_very_versions_that_players_get() -> None:
    assert pins("requirements-embedded.txt").items() <= pins("requirements.txt").items()
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MACHINE_PATH, "see " + "/".join(["", "home", "ana", "notes.txt"])),
        (REGISTRY_HOST, "fetched from " + ".".join(["files", "pythonhosted", "org"])),
        (INDEX_OPTION, "--find" + "-links wheels"),
    ],
)
def test_the_patterns_find_what_they_look_for(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)
