"""What a budget leaves behind: nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

UNSPENT = "pass"
SPENT = """
    while True:
        pass
"""
PROFILED = """
import sys
from contextlib import suppress
from app.platform.cpu_budget import OverBudget, cpu_budget

def called():
    return 1

with suppress(OverBudget), cpu_budget(0.2):
    {block}
sys.setprofile(lambda *_: None)
called()
sys.setprofile(None)
print("went on")
"""


@pytest.mark.parametrize("block", [UNSPENT, SPENT], ids=["unspent", "spent"])
def test_a_profiler_can_watch_after_a_budget(block: str) -> None:
    """In Python 3.11 a profiled call waits without end for an exception that was sent and taken back."""
    command = [sys.executable, "-c", PROFILED.format(block=block)]
    assert subprocess.check_output(command, text=True, timeout=60) == "went on\n"
