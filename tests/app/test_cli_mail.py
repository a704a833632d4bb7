"""The operator's command for mails that went nowhere."""

from __future__ import annotations

import pytest

from app.models import Outbox, Received
from tests.app.service import NOON, Service
from tests.app.test_cli_care import run, service

__all__ = ["service"]


def test_an_operator_is_told_of_mails_that_went_nowhere(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.cli_mail.CONSOLE.width", 200)
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
