"""The long campaigns of the inbox: forged and hostile mails, and a whole match by answers."""

from __future__ import annotations

from app.mail.incoming import receive
from app.platform.services import Services
from app.platform.settings import Settings
from tests.app.mail.incoming import test_hostile_mails as hostile
from tests.soak import api, faults
from tests.workers import by_mail

MAILS = 5000


def hostile_mails() -> str:
    receive.MOST_AN_HOUR = 10**9  # type: ignore[misc]  # one player gets them all
    with api.on_sqlite() as made:
        services = Services(Settings(data_dir=made.folder), made.database)
        outcomes = hostile.attack(services, hostile.aimed(services), MAILS)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    return f"{outcomes.total()} hostile mails, 0 executed, 0 tracebacks: {told}"


def whole_match() -> str:
    with faults.service() as running:
        report = by_mail.play(running, by_mail.opened(running))
    assert report.festivals >= 5
    assert report.orders["bid"] >= 5
    return str(report)
