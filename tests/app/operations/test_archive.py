"""Finished matches as files: whole, checked, signed, written once, and anew where a match was played on."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from app.cli.main import load_record_file, main
from app.eventstore.store import MATCH_CACHE
from app.matches.record_signing import check_signature
from app.operations.archive import NotArchived, archive_file, archive_matches, find_ended_matches
from app.platform.services import Services
from engine.core import record
from engine.core.playout import random_match
from engine.core.registry import find
from tests.app.kept import NOON, kept

ENDED = NOON
LATER = ENDED + timedelta(days=40)
PLAYED = random_match(find("java"), 2, 1)


def ended(services: Services, status: str = "over", at: datetime = ENDED) -> str:
    """A finished match in the database."""
    match = kept(services.database, PLAYED)
    with services.database.write() as connection:
        told = {"status": status, "at": at.strftime("%Y-%m-%d %H:%M:%S.%f"), "id": match.id}
        connection.execute(
            text("UPDATE match SET status = :status, ended_at = :at WHERE id = :id"), told
        )
    return match.id


def archived(services: Services, folder: Path, at: datetime = LATER) -> list[object]:
    found = find_ended_matches(services.database, at)
    return list(archive_matches(services.database, services.settings, folder, found, at))


def test_a_record_is_whole_signed_and_written_once(services: Services, tmp_path: Path) -> None:
    match_id = ended(services)
    assert archived(services, tmp_path) == ["written"]
    file = archive_file(tmp_path, match_id)
    assert file.stat().st_mode & 0o777 == 0o600
    told = load_record_file(file)
    verdict = record.verify(told)
    complete = bool(told.seeds)
    assert (verdict.problems, complete) == ((), True)
    assert check_signature(told)
    before = file.read_bytes()
    assert archived(services, tmp_path, LATER + timedelta(days=1)) == ["there"]
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.rglob("*.part")] == []


def test_a_match_that_was_played_on_or_cut_short_is_written_anew(
    services: Services, tmp_path: Path
) -> None:
    match_id = ended(services)
    archived(services, tmp_path)
    file = archive_file(tmp_path, match_id)
    whole = file.read_text()
    for broken in (whole[: len(whole) // 2], "", "no record\n", "[]\n"):
        file.write_text(broken)
        assert archived(services, tmp_path) == ["written"]
        complete = bool(load_record_file(file).seeds)
        assert complete


@pytest.mark.parametrize(
    ("status", "at"), [("running", ENDED), ("open", ENDED), ("over", LATER + timedelta(days=1))]
)
def test_what_goes_on_or_ended_lately_is_left_out(
    services: Services, tmp_path: Path, status: str, at: datetime
) -> None:
    ended(services, status, at)
    assert archived(services, tmp_path) == []


def test_a_damaged_match_is_named_and_leaves_no_file(services: Services, tmp_path: Path) -> None:
    match_id = ended(services)
    with services.database.write() as connection:
        connection.execute(text("UPDATE match SET hash = 'x'"))
    MATCH_CACHE.clear()
    (refusal,) = archived(services, tmp_path)
    assert isinstance(refusal, NotArchived)
    assert match_id in str(refusal)
    assert list(tmp_path.rglob("*.jsonl")) == []


def test_a_folder_that_takes_nothing_is_named(services: Services, tmp_path: Path) -> None:
    ended(services)
    (tmp_path / PLAYED.id[:2]).write_text("in the way")
    (refusal,) = archived(services, tmp_path)
    assert "cannot be written" in str(refusal)


def test_the_command_tells_what_it_did(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(services)
    url = services.database.url.render_as_string(hide_password=False)
    monkeypatch.setenv("CHASQUI_DATABASE_URL", url)
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(services.settings.data_dir))
    for told in ("1 records written, 0 were there", "0 records written, 1 were there"):
        done = CliRunner().invoke(main, ["archive", str(tmp_path)])
        assert (done.exit_code, told in done.output) == (0, True), done.output
