"""The grown service as it is deployed: gunicorn, PostgreSQL, Redis, Celery workers and a mail server, all real."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.app.mail.incoming.test_whole_matches import four
from tests.faults import broker
from tests.grown import Grown, grown, smoke, words_of
from tests.servers import Postgresql
from tests.workers import by_mail
from workers import celery_app, web


def test_matches_by_http_and_mail_festivals_included_and_a_broker_that_vanishes(
    postgresql: Postgresql, tmp_path: Path
) -> None:
    """In one test, for all of it needs the same eight processes, and they take seconds to start."""
    with grown(postgresql, tmp_path, CHASQUI_LIMITS="false") as service:
        told = smoke(service)
        assert len(told) >= 6
        no_secret_is_written(service)
        by_answers = by_mail.play(service, by_mail.put(service, four()))
        vanished = broker.campaign(service, acts=6)
    assert by_answers.festivals >= 1
    assert by_answers.orders["bid"] >= 1
    assert vanished.refused == []
    assert vanished.mails > 0


def no_secret_is_written(service: Grown) -> None:
    """Neither links nor addresses are in what the processes write."""
    written = service.last_words()
    assert "/sign-in/link/<token>" in written
    mails = " ".join(words_of(mail) for mail in service.office.mails)
    secrets = {word for line in mails.split() for word in line.split("/") if len(word) >= 22}
    assert secrets
    assert not [secret for secret in secrets if secret in written]
    assert "@example.org" not in written


@pytest.mark.parametrize("command", [web.main, celery_app.main])
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "`chasqui serve` is the whole service"),
        ({"CHASQUI_EMBEDDED": "false"}, "CHASQUI_REDIS_URL is needed"),
        ({"CHASQUI_DATABSE_URL": "x"}, "is CHASQUI_DATABASE_URL meant?"),
    ],
)
def test_a_process_that_cannot_work_says_why(
    command: object, settings: dict[str, str], sentence: str
) -> None:
    result = CliRunner().invoke(command, [], env=settings)  # type: ignore[arg-type]
    assert result.exit_code == 1
    assert sentence in result.output
