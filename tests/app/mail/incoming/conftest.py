"""What the tests of incoming mail share."""

import pytest

from app.platform.services import Services
from tests.app.answering import table
from tests.app.seated import played


@pytest.fixture
def seated(services: Services) -> list[int]:
    """Ana and Bo at a fresh match; Ana begins."""
    return table(services, played(0), "ana", "bo")
