"""`make budgets`: the table of PLAY.md, measured now."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser.budgets.measures import MEASURES, Row
from tests.browser.chromium import QUIET, chromium
from tests.browser.live import serving
from tests.servers import migrate


def main() -> int:
    over = 0
    for row in measured():
        over += not row.holds
        sys.stdout.write(
            f"{'ok  ' if row.holds else 'OVER'}  {row.what:<58}  {row.goal:>8}  {row.value}\n"
        )
        sys.stdout.flush()
    return int(over > 0)


def measured() -> Iterator[Row]:
    with TemporaryDirectory() as made, sync_playwright() as playwright:
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=QUIET)
        with serving(Path(made) / "migrated.sqlite3") as live:
            for measure in MEASURES:
                yield from measure(browser, live)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
