"""Every budget of a turn that can be counted, held: `make budgets` prints what these find, and holds milliseconds too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.budgets.measures import MEASURES, Row
from tests.browser.live import Live


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_a_turn_costs_no_more_than_it_may(
    browser: Browser, live: Live, measure: Callable[[Browser, Live], Iterator[Row]]
) -> None:
    assert [row for row in measure(browser, live) if not (row.holds or row.timed)] == []
