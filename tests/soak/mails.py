"""The long campaigns of the inbox: forged and hostile mails, and a whole match by mail."""

from __future__ import annotations

from app import inbox
from app.services import Services
from app.settings import Settings
from engine.core.match import start
from engine.core.registry import find
from tests.app import test_inbox_hostile as hostile
from tests.app import test_inbox_match as by_mail
from tests.soak import api

MAILS = 5000


def hostile_mails() -> str:
    inbox.MOST_AN_HOUR = 10**9  # type: ignore[misc]  # one player gets them all
    with api.on_sqlite() as made:
        services = Services(Settings(data_dir=made.folder), made.database)
        outcomes = hostile.attack(services, hostile.aimed(services), MAILS)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    return f"{outcomes.total()} hostile mails, 0 executed, 0 tracebacks: {told}"


def whole_match() -> str:
    inbox.MOST_AN_HOUR = 10**9  # type: ignore[misc]  # they answer in seconds
    with api.on_sqlite() as made:
        services = Services(Settings(data_dir=made.folder), made.database)
        match = start(find("cuzco"), len(by_mail.NAMES), {}, "a seed for tests", "wholematch")
        used = by_mail.whole(services, match, 5000)
    told = ", ".join(f"{count} {verb}" for verb, count in used.most_common())
    return f"A whole match of Cuzco by four people who only answered mails, {used.total()} answers: {told}"
