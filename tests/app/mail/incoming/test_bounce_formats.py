"""Every known way to say that a mail did not arrive is understood, and what is not about the person freezes nobody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.mail.compose import compose_mail, text_of_mail
from app.mail.incoming.delivery_reports import read_report
from app.mail.incoming.receive import receive_mail
from app.mail.outgoing.template import Unwanted
from app.mail.reply_addresses import make_bounce_address
from app.matches.tables import create_table
from app.platform import tables
from app.platform.services import Services
from app.platform.tables import Outbox, Player
from tests.app.answering import outbox, table
from tests.app.browser import Visitor
from tests.app.mail.incoming.bounce_formats import FORMATS
from tests.app.seated import played

MATCH = "playedout2"
TABLE = Path(__file__).parents[4] / "docs" / "MAIL.md"


def raw(name: str) -> bytes:
    return FORMATS[name][1].replace("\n", "\r\n").encode()


def sent(services: Services, **values: object) -> Outbox:
    with services.database.session() as session:
        row = Outbox(**{"kind": "turn", "state": "sent", "sent_at": services.now(), **values})
        session.add(row)
        session.flush()
        session.refresh(row)
        session.expunge(row)
        return row


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_understood(name: str) -> None:
    assert read_report(raw(name))["verdict"] == FORMATS[name][0]


def test_the_table_in_the_documents_names_every_format(figures: Callable[[str], None]) -> None:
    figures(f"formats of returned mails understood: {len(FORMATS)}")
    told = TABLE.read_text(encoding="utf-8")
    assert not [name for name in FORMATS if f"| {name} |" not in told]


def test_a_refusal_of_us_freezes_nobody_until_it_has_lasted_for_days(services: Services) -> None:
    _, bo = table(services, played(0), "ana", "bo")
    start = services.now()
    outcomes = []
    for day in range(4):
        services.now = lambda day=day: start + timedelta(days=day)  # type: ignore[misc]
        row = sent(services, match_id=MATCH, pos=day, player_id=bo, created_at=services.now())
        to = make_bounce_address(services.settings, row)
        outcomes.append(receive_mail(services, to, raw("Gmail, our DKIM"), ""))
    assert outcomes == ["ignored", "ignored", "ignored", "bounced"]
    with services.database.look() as session:
        assert session.get_one(Player, bo).bouncing_at is not None


def test_a_word_from_the_person_ends_the_row_of_refusals(services: Services) -> None:
    _, bo = table(services, played(0), "ana", "bo")
    start = services.now()
    for day in range(4):
        services.now = lambda day=day: start + timedelta(days=day)  # type: ignore[misc]
        row = sent(services, match_id=MATCH, pos=day, player_id=bo, created_at=services.now())
        to = make_bounce_address(services.settings, row)
        assert receive_mail(services, to, raw("Gmail, our DKIM"), "") == "ignored"
        if day == 2:
            with services.database.session() as session:
                came = tables.Received(key="x", player_id=bo, state="played", at=services.now())
                session.add(came)


def test_the_host_hears_of_an_invitation_that_came_back_and_corrects_it(
    signed_in: Callable[[str], Visitor],
) -> None:
    ana = signed_in("ana@example.org")
    services = ana.services
    with services.database.session() as session:
        host = session.exec(select(Player).where(Player.email == "ana@example.org")).one()
        wishes = ["me", {"email": "wrong@example.org"}]
        at = services.now()
        match = create_table(
            session, host, "cuzco", "A table", wishes, options={}, pace={}, public=False, at=at
        ).id
    (invitation,) = outbox(services, "invitation")
    to = make_bounce_address(services.settings, invitation)
    assert receive_mail(services, to, raw("Exim"), "") == "bounced"
    assert receive_mail(services, to, raw("Exim"), "") == "ignored"
    (told,) = outbox(services, "lost")
    with services.database.look() as session:
        text = text_of_mail(compose_mail(session, services, told).parsed(), "plain") or ""
    assert "The invitation to wrong@example.org came back" in text
    assert "came back" in ana.get(f"/m/{match}").text
    form = {"wish": "invite", "email": "right@example.org"}
    assert ana.post(f"/m/{match}/seat/1", form).status_code == 303
    assert ana.post(f"/m/{match}/seat/1", form).status_code == 403  # it has its mail
    assert [row.email for row in outbox(services, "invitation")][-1] == "right@example.org"
    assert "came back" not in ana.get(f"/m/{match}").text
    with services.database.look() as session, pytest.raises(Unwanted):
        compose_mail(session, services, told)
    assert signed_in("bo@example.org").post(f"/m/{match}/seat/1", form).status_code in (403, 404)
