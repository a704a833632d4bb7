"""`chasqui arena`: its table, and programs that play, die, hang, lie and leave nothing behind."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.arena import Contest
from app.cli.main import main
from app.matches import external_bot
from app.platform import child_process
from engine.core.chance import Chance
from engine.core.match import advance
from engine.core.registry import games
from tests.engine.matches import orders

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = f"cmd:{shlex.join([sys.executable, str(ROOT / 'docs' / 'example_bot.py')])}"


def run(*words: str | int) -> Result:
    # A wide terminal, so that no row of the table is broken.
    return CliRunner().invoke(main, ["arena", *map(str, words)], env={"COLUMNS": "160"})


def python(text: str) -> str:
    return f"cmd:{shlex.join([sys.executable, '-c', text])}"


def cells(output: str, name: str) -> list[str]:
    """The row of a bot in the table."""
    row = next(line for line in output.splitlines() if line.startswith(f"│ {name}"))
    return [cell.strip() for cell in row.strip("│").split("│")]


def test_the_table_tells_wins_scores_orders_and_times() -> None:
    told = run("cuzco", "random", "random", "--matches", 1, "--seed", "x").output
    name, wins, interval, score, orders, *times = cells(told, "random")
    assert name == "random"
    assert wins.endswith("%)")
    assert "–" in interval
    assert float(score) >= 0
    assert int(orders) > 10
    assert len(times) == 2
    assert "--seed x plays these matches again." in told


def test_the_same_seed_gives_the_same_table_with_one_job_or_two() -> None:
    words = ("java", "random", "random", "--matches", 2, "--seed", "y")
    tables = [run(*words, "--jobs", jobs).output for jobs in (1, 2)]
    rows = [cells(told, "random")[:5] for told in tables]
    assert rows[0] == rows[1]


def test_the_example_plays_whole_matches() -> None:
    told = run("cuzco", "random", EXAMPLE, "--matches", 2, "--seed", "z").output
    assert "lost" not in told
    assert int(cells(told, "cmd:")[4]) > 20


def test_a_bot_may_be_named_by_an_option() -> None:
    told = run("java", python("pass"), "--bot", "random", "--matches", 1, "--seed", "z").output
    assert cells(told, "random")[1] == "1 (100%)"
    assert "-c pass lost. It ended without an answer." in told


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("cmd:/nowhere/to/be/found", "cannot be run: No such file or directory."),
        ("cmd:", "cannot be run: "),
        ("cmd:'", "cannot be run: No closing quotation."),
        (python("pass"), "It ended without an answer."),
        (python("input(); print('checkmate')"), "'checkmate' is no answer with an order."),
        (python("input(); print('[1]')"), "'[1]' is no answer with an order."),
        (python("input(); print('{\"ok\":false}')"), "is no answer with an order."),
        (python('input(); print(\'{"order":"fly e14"}\')'), "fly"),
        (python('input(); print(\'{"order":"end"}\')'), "It chose end, which is not legal."),
        (python("input(); print('x' * 20000)"), "Its answer has more than 10000 bytes."),
    ],
)
def test_a_program_that_fails_loses_with_a_sentence(bot: str, why: str) -> None:
    outcome = Contest("cuzco", ("random", bot), "s").play(1).result  # it has the first seat
    assert (outcome.loser, outcome.winners) == (0, (1,))
    assert why in outcome.why


@pytest.mark.parametrize(
    "words", ["input(); import time; time.sleep(60)", "import time; time.sleep(60)"]
)
def test_a_program_that_hangs_loses_and_is_ended(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process, "GRACE", 0.05)
    outcome = Contest("cuzco", ("random", python(words)), "s", limit=0.3).play(1).result
    assert (outcome.loser, outcome.why) == (0, "It did not answer within 0.3 seconds.")


def test_no_process_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    started = external_bot.start_program

    def watched(command: Sequence[str]) -> subprocess.Popen[bytes]:
        begun.append(started(command))
        return begun[-1]

    monkeypatch.setattr(external_bot, "start_program", watched)
    deaf = python("import time; time.sleep(60)")
    with monkeypatch.context() as impatient:
        impatient.setattr(child_process, "GRACE", 0.05)
        Contest("cuzco", ("random", deaf), "s", limit=0.05).play(0)
    Contest("cuzco", ("random", EXAMPLE), "s").play(0)
    assert [process.returncode for process in begun] == [-9, 0]


def test_a_program_sees_what_its_seat_sees(tmp_path: Path) -> None:
    kept = tmp_path / "asked.jsonl"
    spy = f"import sys; line = sys.stdin.readline(); open({str(kept)!r}, 'w').write(line)"
    Contest("java", ("random", python(spy)), "s").play(1)
    asked = json.loads(kept.read_text())
    game = games()["java"]
    state = advance(
        game, None, game.setup(2, {"rules": 2, "ask_everyone": True}, Chance("s 0", "arena", 1))
    )
    assert asked == {
        "do": "choose",
        "game": "java",
        "seat": 0,
        "view": game.show(game.view(state, 0)),
        "legal": orders(game, state),
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("chess", "random", "random"), 'There is no game "chess"'),
        (("cuzco", "random"), "Cuzco is for 2 to 4 seats, not 1."),
        (("cuzco", "random", "clever"), 'There is no bot "clever" for Cuzco'),
        (("cuzco", "random", "random", "--matches", 0), "0 is not in the range"),
    ],
)
def test_bad_words_get_a_sentence(words: tuple[str | int, ...], sentence: str) -> None:
    told = run(*words)
    assert told.exit_code != 0
    assert sentence in told.output
