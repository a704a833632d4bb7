"""The operator's command for mails that went nowhere."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from app.cli.main import main
from app.platform.services import Services
from app.platform.tables import Outbox, Received
from tests.app.cli.test_moderation import run, service
from tests.app.post_office import post_office
from tests.app.service import NOON, Service

__all__ = ["service"]


def test_an_operator_is_told_of_mails_that_went_nowhere(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.cli.mail.CONSOLE.width", 200)
    with service.database.session() as session:
        for number, state in enumerate(("dead", "sent", "waiting")):
            address = f"a{number}@example.org"
            session.add(Outbox(kind="login", email=address, created_at=NOON, not_before=NOON,
                               state=state, why="550"))  # fmt: skip
        session.add(Received(key="a", state="dead", source="x", player_id=service.ids["ana"]))
        session.add(Received(key="b", state="played", player_id=service.ids["bea"]))
    told = [line.split("│") for line in run("mail", "dead").output.splitlines() if "│" in line]
    assert [[word.strip() for word in line[1:-1]] for line in told] == [
        ["out", "1", f"{NOON:%Y-%m-%d %H:%M} UTC", "", "a0@example.org", "login", "550"],
        ["in", "1", told[1][3].strip(), "", str(service.ids["ana"]), "answer", "unreadable"],
    ]


def test_what_died_of_our_own_fault_is_sent_once_more(services: Services) -> None:
    with services.database.session() as session:
        for why in ("sign-in", "policy", "550", "bounced"):
            session.add(Outbox(kind="turn", state="dead", why=why, tries=24, payload={"again": 1}))
    result = CliRunner().invoke(main, ["mail", "again"], env=environment(services))
    assert result.output == "2 mails will be sent once more.\n"
    with services.database.look() as session:
        rows = list(session.exec(select(Outbox).where(Outbox.state == "waiting")))
    assert [(row.why, row.tries, row.payload) for row in rows] == [(None, 0, {"again": 1})] * 2


def test_a_trial_mail_tells_the_servers_own_words(services: Services) -> None:
    with post_office() as office:
        smtp = {
            "CHASQUI_SMTP_HOST": "127.0.0.1",
            "CHASQUI_SMTP_PORT": str(office.port),
            "CHASQUI_SMTP_SECURITY": "none",
            "CHASQUI_MAIL_FROM": "play@chasqui.example",
        }
        sent = trial(services, **smtp)
        office.answers = [550]
        refused = trial(services, **smtp)
    away = trial(services, **smtp)
    assert "RCPT TO: 250" in sent.output
    assert "The server has taken it" in sent.output
    assert [mail["Subject"] for mail in office.mails] == ["A test of Chasqui"]
    assert (refused.exit_code, away.exit_code) == (1, 1)
    assert "RCPT TO: 550" in refused.output
    assert "Nobody listens there" in away.output


def environment(services: Services, **more: str) -> dict[str, str]:
    return {"CHASQUI_DATABASE_URL": str(services.database.url), **more}


def trial(services: Services, **more: str) -> Result:
    words = ["mail", "test", "ana@example.org"]
    return CliRunner().invoke(main, words, env=environment(services, **more))
