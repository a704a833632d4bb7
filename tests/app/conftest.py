"""What the tests of the service may ask for by name."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from tests.app.browser import Visitor, services_of
from tests.app.kept import NOON
from tests.app.service import Service
from tests.faults import drill
from tests.servers import (
    database,
    database_url,
    guarded_postgresql,
    postgresql,
    postgresql_url,
    redis_server,
    sqlite_folder,
)


@pytest.fixture
def settings(sqlite_folder: Path) -> Iterator[Settings]:
    """An embedded service in a folder of its own, with all tables and nobody in them."""
    with tempfile.TemporaryDirectory(dir=sqlite_folder) as made:
        shutil.copy(sqlite_folder / "migrated.sqlite3", Path(made) / "chasqui.sqlite3")
        yield Settings(data_dir=Path(made))


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    """The whole service without limits; `app.extensions["chasqui"]` are its services."""
    database = Database(settings.database_url)
    yield create_app(settings, database, RATELIMIT_ENABLED=False)
    database.close()


@pytest.fixture
def services(app: Flask) -> Services:
    return services_of(app)


@pytest.fixture
def at_noon(database: Database, tmp_path: Path) -> Services:
    """The services without pages, on either database, at an hour that stays."""
    settings = Settings(data_dir=tmp_path, base_url="http://localhost:8000")
    return Services(settings, database, now=lambda: NOON)


@pytest.fixture
def service(
    request: pytest.FixtureRequest, sqlite_folder: Path, tmp_path: Path
) -> Iterator[Service]:
    """The service as programs see it, with the people of `pytestmark = pytest.mark.people("ana", "bea")`."""
    people = request.node.get_closest_marker("people")
    with Service.on_sqlite(sqlite_folder, tmp_path / "service", *people.args) as made:
        yield made


@pytest.fixture
def match_id(service: Service) -> str:
    """A match of Ana and Bea in its first turn; its owner only looks after it."""
    return service.running("ana", "bea", owner="owner")


@pytest.fixture
def programs_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own to work in, and PostgreSQL's programs on the path."""
    monkeypatch.chdir(tmp_path)
    with drill.programs():
        yield


@pytest.fixture
def client(app: Flask) -> Visitor:
    """A browser that nobody is signed in with."""
    return Visitor(app)


@pytest.fixture
def signed_in(app: Flask) -> Callable[[str], Visitor]:
    """`signed_in("ana@example.org")`: a browser of somebody who came in by a mailed link."""
    return lambda email: Visitor(app).sign_in(email)
