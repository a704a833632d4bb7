"""The one process of `make run` does with the packages of its own lock."""

from __future__ import annotations

import gc
import re
import signal
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.platform.database import Database
from app.platform.settings import Settings
from workers import embedded

ROOT = Path(__file__).resolve().parents[2]
OTHERS = (
    "app.cli.__main__",  # it begins to work
    "workers.__main__",  # the same
    "app.migrations.env",  # Alembic runs it
    "app.platform.postgresql",
    "workers.celery_app",
    "workers.gunicorn_worker",
    "workers.web",
)
WITHOUT = """
import pkgutil, sys
from importlib import import_module
missing, others = (words.split(",") for words in sys.argv[1:])
sys.modules.update(dict.fromkeys(missing))  # to import one of them fails
import app, workers
for package in (app, workers):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name not in others:
            import_module(module.name)
"""


def pinned(lock: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / lock).read_text("utf-8"), re.MULTILINE))


def spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_all_but_the_modules_of_many_processes_load_without_their_packages() -> None:
    absent = pinned("requirements.txt") - pinned("requirements-embedded.txt")
    found = packages_distributions().items()
    names = [top for top, owners in found if {spelled(owner) for owner in owners} <= absent]
    assert {"celery", "gunicorn", "psycopg", "redis", "dkim"} <= set(names)
    words = [sys.executable, "-c", WITHOUT, ",".join(names), ",".join(OTHERS)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_needs_more_says_so(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['gunicorn'] = None\nfrom app.cli.main import main; main(['web'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "This needs the package gunicorn, which is not installed here" in done.stderr


def test_the_collector_rests_until_all_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, seen = Settings(data_dir=tmp_path), list[bool]()
    server = SimpleNamespace(run=lambda: seen.append(gc.isenabled()), close=lambda: None)
    monkeypatch.setattr(embedded, "make_server", lambda *_: server)
    monkeypatch.setattr(embedded, "beats", lambda _: {})
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    gc.disable()
    try:
        embedded.serve(settings, Database(settings.database_url), "127.0.0.1", 8000)
    finally:
        gc.enable()
        gc.unfreeze()
    assert seen == [True]
