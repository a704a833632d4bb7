"""Forged records: whatever is changed in one is found, hashes computed anew or not."""

from __future__ import annotations

import pytest

from tests import forging


@pytest.mark.parametrize("name", forging.CLASSES)
def test_every_forgery_is_found(name: str) -> None:
    """A few of each kind; `make soak ARGS=mutations` makes two thousand."""
    assert forging.missed(name, 4, 0) == []
