"""The operator's commands for matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.main import main
from tests.app.moderation.test_undo_requests import kinds, stored
from tests.app.service import FIRST, Service


@pytest.fixture
def service(
    sqlite_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Service]:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CHASQUI_DATABASE_URL", f"sqlite:///{tmp_path}/chasqui.sqlite3")
    with Service.on_sqlite(sqlite_folder, tmp_path, "ana", "bea") as made:
        yield made


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_an_operator_takes_a_match_back_and_forth(service: Service) -> None:
    match_id = service.running("ana", "bea")
    start = stored(service, match_id).head
    service.order(service.asked(match_id, "ana", "bea"), match_id, FIRST)
    head = stored(service, match_id).head
    assert match_id in run("matches", "--status", "running").output
    dry = run("rewind", match_id, str(start), "--reason", "a slip", "--dry-run")
    assert "laid a triple" in dry.output
    assert "Nothing was changed." in dry.output
    assert stored(service, match_id).head == head
    assert run("rewind", match_id, str(start), "--reason", "a slip").exit_code == 0
    assert kinds(stored(service, match_id), head) == ["Rewound"]
    assert "1 events would be brought back" in run("restore", match_id, "--dry-run").output
    assert run("restore", match_id).exit_code == 0
    assert kinds(stored(service, match_id), head) == ["Rewound", "Restored"]
    told = run("audit", match_id).output.splitlines()
    assert [line.split(",")[2:5] for line in told[1:]] == [
        ["operator", "", "rewind"],
        ["operator", "", "restore"],
    ]


def test_what_cannot_be_done_is_a_sentence(service: Service) -> None:
    match_id = service.running("ana", "bea")
    for words, sentence in (
        (("rewind", "nosuch", "3", "--reason", "x"), "no match"),
        (("rewind", match_id, "1", "--reason", "x"), "not the end of an order"),
        (("restore", match_id), "nothing to restore"),
        (("moderator", "eve@example.com"), "Nobody has the address"),
    ):
        result = run(*words)
        assert result.exit_code == 1, result.output
        assert sentence in result.output


def test_somebody_becomes_a_moderator_of_the_site(service: Service) -> None:
    match_id = service.running("ana", "bea")
    service.people("site")
    assert service.call("site", "GET", f"/matches/{match_id}").status_code == 404
    assert "is now" in run("moderator", "site@example.com").output
    assert service.call("site", "GET", f"/matches/{match_id}").status_code == 200
    assert "no longer" in run("moderator", "site@example.com", "--dismiss").output
    assert service.call("site", "GET", f"/matches/{match_id}").status_code == 404
