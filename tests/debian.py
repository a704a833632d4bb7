"""Debian's packages for tests of real servers: fetched where we may, as the browser is; a clear sentence where we may not."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.browser.chromium import APT, PATIENCE, alone, can_install

WHERE = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}  # and starts nothing


def fetch_programs(packages: Mapping[str, str]) -> None:
    """Has these programs, by name of their packages, on this machine."""
    with alone():
        if missing(packages) and can_install():
            for words in (("update",), ("install", *sorted(missing(packages).values()))):
                subprocess.run((*APT, *words), capture_output=True, check=False, timeout=PATIENCE, env={**os.environ, **QUIET})  # fmt: skip
    if lacking := missing(packages):
        give_up(f"needs Debian's {', '.join(sorted(lacking.values()))}")


def missing(packages: Mapping[str, str]) -> dict[str, str]:
    return {name: kept for name, kept in packages.items() if not shutil.which(name, path=WHERE)}


def give_up(why: str) -> None:
    """In CI a test that cannot run fails; on somebody's own machine it is left out."""
    (pytest.fail if "CI" in os.environ else pytest.skip)(f"This test {why}.")


def unpack_packages(*names: str) -> Path:
    """A folder with what is in these packages, and in what else they need here: for programs that cannot be installed beside others."""
    folder = Path(tempfile.gettempdir()) / f"chasqui-{names[0]}-{os.geteuid()}"
    with alone():
        if not folder.exists() and can_install():
            with tempfile.TemporaryDirectory() as fetched:
                (Path(fetched) / "partial").mkdir()
                only = ("--download-only", "--reinstall", "-o", f"Dir::Cache::archives={fetched}")
                for words in (("update",), (*only, "install", *names)):
                    subprocess.run((*APT, *words), capture_output=True, check=False, timeout=PATIENCE, env={**os.environ, **QUIET})  # fmt: skip
                for package in Path(fetched).glob("*.deb"):
                    subprocess.run(("dpkg-deb", "-x", package, f"{fetched}/root"), check=True)
                if (Path(fetched) / "root").exists():
                    shutil.move(f"{fetched}/root", folder)
    if not folder.exists():
        give_up(f"needs Debian's {', '.join(names)}")
    return folder
