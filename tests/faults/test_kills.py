"""Whoever is killed in the middle of something: nothing acknowledged is lost, and nothing happens twice."""

from __future__ import annotations

from pathlib import Path

from tests.faults import acts, answers, mails


def test_no_mail_is_lost_and_at_most_one_repeated_for_each_kill(
    database_url: str, tmp_path: Path
) -> None:
    report = mails.campaign(database_url, tmp_path, kills=5)
    assert report.kills >= 3
    assert report.hesitations > 0
    assert report.lost == report.strange == 0
    assert report.duplicates <= report.kills


def test_an_acknowledged_act_outlives_the_server(database_url: str, tmp_path: Path) -> None:
    report = acts.campaign(database_url, tmp_path, kills=6)
    assert report.kills == 6
    assert report.inside >= 3
    assert report.lost == report.doubled == report.gaps == 0


def test_an_answer_by_mail_counts_once_however_often_it_is_brought(
    database_url: str, tmp_path: Path
) -> None:
    report = answers.campaign(database_url, tmp_path, mails=12)
    assert report.kills >= 3
    assert report.deliveries > report.mails
    assert report.lost == report.doubled == report.unanswered == 0
