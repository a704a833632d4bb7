"""What spam filters think of our mails: content that costs a point at the most, for every kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.mail.mime import Written
from app.platform.services import Services
from tests.app.mail_gallery import Gallery, missing_kinds
from tests.spam_filters import fetch_filters, judge_by_rspamd, judge_by_spamassassin, rspamd

MOST = 1.0


@pytest.fixture
def mails(services: Services) -> list[tuple[str, Written]]:
    services.settings = services.settings.model_copy(
        update={
            "base_url": "https://chasqui.example",
            "mail_from": "play@chasqui.example",
            "reply_domain": "play.chasqui.example",
        }
    )
    return list(Gallery(services).mails())


def test_the_gallery_has_every_kind_of_mail(mails: list[tuple[str, Written]]) -> None:
    assert not missing_kinds([name for name, _ in mails])


def test_the_content_of_every_kind_of_mail_passes_spam_filters(
    mails: list[tuple[str, Written]], figures: Callable[[str], None]
) -> None:
    fetch_filters()
    with rspamd() as door:
        judged = {name: judge_by_rspamd(door, mail.source) for name, mail in mails}
    worst = max(judged, key=lambda name: sum(judged[name].values()))
    figures(f"rspamd: {len(judged)} mails, at most {sum(judged[worst].values()):.2f} ({worst})")
    scores = judge_by_spamassassin([mail.source for _, mail in mails])
    figures(f"SpamAssassin: {len(scores)} mails, at most {max(scores)}")
    assert len(scores) == len(mails)
    assert {n: rules for n, rules in judged.items() if sum(rules.values()) > MOST} == {}
    assert max(scores) <= MOST
