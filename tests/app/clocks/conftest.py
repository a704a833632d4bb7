"""What the tests of time may ask for by name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.timed import Timed


@pytest.fixture
def service(sqlite_folder: Path, tmp_path: Path) -> Iterator[Timed]:
    with Timed.on_sqlite(sqlite_folder, tmp_path / "s", "owner", "ana", "bea") as made:
        yield made
