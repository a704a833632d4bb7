"""What a restored backup does not bring back: draws that were seen before the disaster; and one damaged match in a list."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from app.eventstore.store import DAMAGED, MATCH_CACHE, load_match
from app.operations.backups import NoBackup, restore_backup, save_backup
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.tables import utc_now
from engine.core import record
from engine.core.timeline import Reseeded
from tests.app.browser import Visitor
from tests.app.seated import late_match, my_id, seat, two


def running(app: Flask, name: str = "latematch2") -> tuple[str, Visitor]:
    """A match of two that runs, and somebody who plays in it."""
    where, ana, _ = two(app, late_match(name))
    return where, ana


def test_a_restored_match_draws_anew_and_verifies(
    app: Flask, services: Services, tmp_path: Path
) -> None:
    where, _ = running(app)
    match_id = where.rpartition("/")[2]
    file, elsewhere = tmp_path / "a.backup", f"sqlite:///{tmp_path}/new.sqlite3"
    save_backup(str(services.database.url), file)
    before = load_match(services.database, match_id)
    keys = services.settings.seed_keys()
    restore_backup(elsewhere, file, utc_now(), replace=False, seed_keys=keys)
    MATCH_CACHE.clear()
    database = Database(elsewhere, keys)
    after = load_match(database, match_id)
    database.close()
    assert isinstance(after.log[-1].event, Reseeded)
    assert after.seed != before.seed
    assert after.state == before.state
    verdict = record.verify(record.read(record.export(after)))
    assert (verdict.problems, verdict.drift) == ((), ())


def test_an_open_table_that_was_put_back_commits_anew_before_nonces_are_given(
    services: Services, tmp_path: Path
) -> None:
    with services.database.session() as session:
        session.add(
            tables.Match(
                id="open", game="cuzco", title="x", seats=2, hash="0" * 64, commitment="old"
            )
        )
        session.flush()
        session.add(tables.Seat(match_id="open", number=0, nonce="a" * 64))
    file, elsewhere = tmp_path / "a.backup", f"sqlite:///{tmp_path}/new.sqlite3"
    save_backup(str(services.database.url), file)
    restore_backup(
        elsewhere, file, utc_now(), replace=False, seed_keys=services.settings.seed_keys()
    )
    database = Database(elsewhere, services.settings.seed_keys())
    with database.look() as session:
        row = session.get_one(tables.Match, "open")
        assert row.commitment not in (None, "old")
        assert session.get_one(tables.Seat, ("open", 0)).nonce is None
    database.close()


def test_a_service_that_runs_and_does_nothing_is_noticed(
    services: Services, tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    url = str(services.database.url)
    save_backup(url, file)
    with services.database.look() as session:  # as the pool of a running service keeps it open
        session.connection()
    with pytest.raises(NoBackup, match="stop the service first"):
        restore_backup(url, file, utc_now(), replace=True, seed_keys=services.settings.seed_keys())
    services.database.close()
    restore_backup(url, file, utc_now(), replace=True, seed_keys=services.settings.seed_keys())


def test_one_damaged_match_takes_no_list_down(app: Flask, services: Services) -> None:
    _, ana = running(app, "sound")
    seat(services, late_match("broken"), my_id(ana), my_id(ana))
    with services.database.write() as connection:  # as a bad disk would
        connection.execute(text("UPDATE match SET hash = 'x' WHERE id = 'broken'"))
    MATCH_CACHE.clear()
    page = ana.get("/matches")
    assert page.status_code == 200
    assert "/m/sound" in page.text
    assert "cannot be read" in page.text
    assert "broken" in DAMAGED
    DAMAGED.clear()
