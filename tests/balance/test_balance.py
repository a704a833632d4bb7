"""The tables of balance: the same words give the same matches, and every match is counted once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.registry import games
from tests.balance import kept, report
from tests.balance.figures import Measured, course_row, win_rows
from tests.balance.matches import Course, Series, Watch


@pytest.mark.parametrize("key", sorted(games()))
def test_a_series_can_be_played_again(key: str) -> None:
    series = Series(key, "random", games()[key].seats[0], "again")
    assert series.play(0) == series.play(0)


def test_two_jobs_play_the_same_matches_as_one() -> None:
    series = Series("java", "random", 2, "jobs")
    assert list(series.play_some(range(2), 2)) == list(series.play_some(range(2), 1))


def test_a_series_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    series = Series("java", "random", 2, "kept")
    begun = list(kept.play_on(series, 1, 1))
    monkeypatch.setattr(Series, "play", lambda _, match: replace(begun[0], rounds=match))
    assert list(kept.play_on(series, 2, 1)) == [*begun, replace(begun[0], rounds=1)]


def keep_elsewhere(series: Series, *courses: Course) -> Path:
    """Keeps matches as if other code had led to them."""
    file = kept.file_of(series).with_name(f"{kept.name_of(series)}-other.jsonl")
    file.write_text("".join(f"{kept.written(course)}\n" for course in courses))
    return file


def test_what_other_rules_led_to_is_thrown_away_when_a_series_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    series, other = (Series("java", "random", seats, "kept") for seats in (2, 3))
    kept.file_of(other).write_text("")
    stale = keep_elsewhere(series, replace(series.play(0), rounds=1))
    assert list(kept.play_on(series, 1, 1)) == kept.kept(series) == [series.play(0)]
    assert set(tmp_path.iterdir()) == {kept.file_of(series), kept.file_of(other)} - {stale}


def test_a_series_goes_on_by_other_code_if_its_first_matches_come_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    series = Series("java", "random", 2, "kept")
    first = list(series.play_some(range(kept.PROOF), 1))
    known = [*first, replace(first[0], rounds=1)]
    keep_elsewhere(series, *known)
    assert list(kept.play_on(series, len(known), 1)) == known == kept.kept(series)


def test_a_changed_word_begins_another_series() -> None:
    one, other = (Series("java", "random", 2, seed) for seed in ("one", "other"))
    assert kept.file_of(one) != kept.file_of(other)


def test_in_a_duel_every_deal_is_played_from_each_seat() -> None:
    series = Series("java", "keen", 3, "duel", rival="random")
    assert [series.seated(match).index("keen") for match in range(4)] == [0, 2, 1, 0]
    assert [series.seated(match).count("random") for match in range(4)] == [2] * 4


@pytest.mark.parametrize("key", ["cuzco", "inka", "tahuantinsuyu"])
def test_a_series_survives_a_new_picture_but_no_new_rule(key: str) -> None:
    home = kept.ENGINE / key
    files = [file for file in kept.modules([key], ["keen"]) if file.is_relative_to(home)]
    found = {str(file.relative_to(home)) for file in files}
    assert {"__init__.py", "evolve.py", "state.py", "rules/decide.py"} < found
    assert any(name.startswith("bots/") for name in found)
    assert not any(name.startswith(("picture/", "puzzles")) for name in found)


def test_a_series_of_one_bot_survives_a_change_of_another() -> None:
    names = {file.name for file in kept.modules(["inka"], ["steady"])}
    assert "steady.py" in names
    assert not names & {"keen.py", "master.py"}


def course(winners: tuple[int, ...], colours: tuple[str, ...], rounds: int) -> Course:
    return Course(winners, colours, rounds, lead_changes=rounds - 1, ending="escaped")


def test_a_shared_win_is_a_part_for_each() -> None:
    measured = Measured(2, (course((0,), ("blue", "red"), 1), course((0, 1), ("blue", "red"), 3)))
    rows = list(win_rows(measured))
    assert [row[1:5] for row in rows] == [
        ("seat 0 (blue)", "2", "1.5", "75.0%"),
        ("seat 1 (red)", "2", "0.5", "25.0%"),
    ]
    assert course_row(measured)[1:4] == ("2", "1.5 – 2.5", "50.0%")


def test_colours_that_change_seats_have_rows_of_their_own() -> None:
    measured = Measured(2, (course((0,), ("blue", "red"), 1), course((1,), ("red", "blue"), 1)))
    assert [row[1:4] for row in win_rows(measured)] == [
        ("seat 0", "2", "1"),
        ("seat 1", "2", "1"),
        ("blue", "2", "2"),
        ("red", "2", "0"),
    ]


def test_a_duel_has_a_row_for_each_strength() -> None:
    one, other = course((0,), ("blue", "red"), 1), course((0, 1), ("blue", "red"), 3)
    duel = (replace(one, bots=("master", "keen")), replace(other, bots=("keen", "master")))
    *_, master, keen = win_rows(Measured(2, duel))
    assert master[1:5] == ("master", "2", "1.5", "75.0%")
    assert (keen[1], keen[3], keen[6]) == ("keen", "0.5", "-25.0")


def test_a_tie_is_no_change_of_the_lead() -> None:
    watch = Watch()
    for scores in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 3)]:
        watch.note_leader(scores)
    assert watch.leaders == [0, 1]


def test_a_section_takes_the_place_of_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "FILE", tmp_path / "BALANCE.md")
    for title, text in [("Inka", "old"), ("Cuzco", "one"), ("Inka", "new")]:
        report.write_section(title, f"## {title}\n\n{text}\n")
    assert report.FILE.read_text() == f"{report.HEAD}\n## Cuzco\n\none\n\n## Inka\n\nnew\n"


def test_a_section_says_where_it_tells_of_few_matches() -> None:
    measured = [Measured(2, (course((0,), ("blue", "red"), 1),))]
    assert "Fewer matches than the 100 asked for" in report.section("Inka", "", measured, 100)
    assert "Fewer" not in report.section("Inka", "", measured, 1)
