"""A Chromium for the tests: the machine's, else Debian's, else Playwright's own."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

# The shell has no window around its pages, which would cost as much as they do.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
# What nobody looks at in a window without a screen: the popups of the address bar alone cost a second.
NEEDLESS = ("MediaRouter", "OptimizationHints", "PaintHolding", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup")  # fmt: skip
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    f"--disable-features={','.join(NEEDLESS)}",
]
APT = ("apt-get", "-y", "--no-install-recommends")
DEBIAN = [(*APT, "update"), *((*APT, "install", name) for name in NAMES[:2])]
OWN = (sys.executable, "-m", "playwright", "install", "chromium")
PATIENCE = 300  # seconds for a download


def chromium(playwright: Playwright) -> str:
    """Where one is; without one that can be had the tests fail."""
    own = Path(playwright.chromium.executable_path)
    with alone():
        for fetch in ((), *(DEBIAN if can_install() else ()), OWN):
            if fetch:
                subprocess.run(fetch, capture_output=True, check=False, timeout=PATIENCE)
            if found := on_path() or (str(own) if own.exists() else None):
                return found
    pytest.fail("There is no Chromium here and none can be fetched: install Debian's chromium.")


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def can_install() -> bool:
    return shutil.which("apt-get") is not None and os.geteuid() == 0


@contextmanager
def alone() -> Iterator[None]:
    """Waits while another process of the tests looks for one: Debian's installer serves one at a time."""
    own = f"chasqui-chromium-{os.geteuid()}.lock"  # what another user has made cannot be opened
    with (Path(tempfile.gettempdir()) / own).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
