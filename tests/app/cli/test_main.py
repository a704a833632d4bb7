"""The command line: what it prints, and that bad input gets a sentence and a non-zero exit."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from app.cli.main import main
from engine.core import record
from engine.core.match import start
from engine.core.registry import find
from tests.engine.matches import walk, whole

ROOT = Path(__file__).resolve().parents[3]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "finished.jsonl"
    path.write_text(record.text(record.export(whole("cuzco", 2, 0))), encoding="ascii")
    return path


@pytest.fixture(scope="module")
def redacted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "redacted.jsonl"
    match = next(m for m in walk("cuzco", 2, 5) if m.head > 40)
    path.write_text(record.text(record.redacted(match, 1)), encoding="ascii")
    return path


def test_the_readme_tells_of_every_command_and_of_no_other() -> None:
    rows = re.findall(r"^\| (`chasqui [^|]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(?:chasqui )?([a-z]+)", row)}
    assert named == set(main.list_commands(click.Context(main)))


@pytest.mark.parametrize("command", ["serve", "web", "worker", "inbox"])
def test_what_becomes_another_process_explains_itself_where_nothing_is_set_up(command: str) -> None:
    asked = [sys.executable, "-m", "app.cli", command, "--help"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert "usage:" in told.stdout.lower()


def test_verify_says_what_was_checked(finished: Path, redacted: Path) -> None:
    assert "every draw and every order" in run("verify", finished).output
    assert "stay sealed" in run("verify", redacted).output


@pytest.mark.parametrize(
    ("nonces", "turned", "told"),
    [
        (("", ""), False, "Seats: drawn by lot, from the sealed seed"),
        (("", ""), True, "Seats: turned by one since the match before; no lot was drawn"),
        (None, False, "Seats: as the table was opened; no lot was drawn"),
    ],
)
def test_verify_says_how_it_came_about_who_sits_where(
    tmp_path: Path, nonces: tuple[str, ...] | None, turned: bool, told: str
) -> None:
    match = start(find("cuzco"), 2, {}, "a seed", "match", nonces, turned=turned)
    path = tmp_path / "match.jsonl"
    path.write_text(record.text(record.export(match)), encoding="ascii")
    assert told in run("verify", path).output


def test_verify_finds_a_changed_line(finished: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    changed.write_text(finished.read_text().replace('"cost":1', '"cost":2', 1))
    result = run("verify", changed)
    assert result.exit_code == 1
    assert "The chain breaks at event" in result.output


def test_replay_tells_the_story_up_to_a_position(finished: Path) -> None:
    story = run("replay", finished, "--at", 8).output
    assert "    8  A " in story
    assert "    9  " not in story
    assert "village at level" in story  # the chart's legend


def test_replay_shows_a_hand_to_its_own_seat_only(finished: Path) -> None:
    own = run("replay", finished, "--seat", 0, "--at", 7).output
    other = run("replay", finished, "--seat", 1, "--at", 7).output
    dealt = next(e.event for e in whole("cuzco", 2, 0).log if type(e.event).__name__ == "HandDealt")
    assert ", ".join(dealt.cards) in own
    assert ", ".join(dealt.cards) not in other


def test_a_redacted_record_replays(redacted: Path) -> None:
    assert run("replay", redacted, "--seat", 1).exit_code == 0


def test_perft_counts(finished: Path) -> None:
    assert run("perft", "cuzco", 1, "--seats", 3).output.split() == ["0", "1", "1", "2350"]


def test_demo_plays_a_whole_match_and_saves_it(tmp_path: Path) -> None:
    path = tmp_path / "demo.jsonl"
    shown = run("demo", "--seed", 1, "--save", path)
    assert "wins" in shown.output
    assert "Sound" in run("verify", path).output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replay", "nowhere.jsonl"], "cannot be read"),
        (["verify", "."], "cannot be read"),
        (["perft", "chess", "1"], "There is no game"),
        (["perft", "cuzco", "99"], "not in the range"),
        (["perft", "cuzco", "one"], "not a valid"),
        (["perft", "cuzco", "1", "--seats", "9"], "2 to 4 seats"),
        (["demo", "--game", "go"], "There is no game"),
        (["demo", "--seats", "1"], "2 to 4 seats"),
        (["dance"], "No such command"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    result = run(*words)
    assert result.exit_code != 0
    assert sentence in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "option", [["--at", "0"], ["--at", "99999"], ["--seat", "2"], ["--seat", "-1"]]
)
def test_replay_refuses_what_the_record_has_not(finished: Path, option: list[str]) -> None:
    result = run("replay", finished, *option)
    assert result.exit_code == 1
    assert "There is no" in result.output


@pytest.mark.parametrize(
    "content", [b"", b"\xff\n", b"{}\n", b"hello", b'{"format":1}\n', b"[" * 9999 + b"\n"]
)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_what_is_no_record_is_refused(tmp_path: Path, command: str, content: bytes) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(content)
    result = run(command, path)
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert isinstance(result.exception, SystemExit)


def test_the_referee_answers_line_by_line_to_the_end_of_the_file() -> None:
    lines = ['{"do":"new","game":"cuzco","seats":2,"seed":"a"}', "nonsense", "", '{"do":"to_act"}']
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "referee"],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, True]
    assert answers[-1]["seats"] == [0]
    assert done.stderr == b""
