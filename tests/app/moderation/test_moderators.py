"""Who cares for a match, who leaves it, what is hidden and reported; the audit knows who did it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.matches.access import access_match
from app.matches.bot_names import default_bot
from app.matches.chat import load_talk, say_at_table
from app.matches.participants import load_seats
from app.moderation.commands import OPERATOR
from app.moderation.moderators import appoint_site_moderator
from app.moderation.reports import report_match, settle_report
from app.platform import tables
from app.platform.errors import Forbidden
from app.views.audit_log import load_all_deeds, load_deeds
from app.views.site_dashboard import load_open_reports, load_stalled_matches
from engine.core.refusal import NotUnderstood, Unknown
from tests.app.api.test_moderation import mails
from tests.app.moderating import (
    dismiss_moderator,
    hand_over,
    hide_talk,
    name_moderator,
    pause_match,
    replace_player,
    resign_seat,
    resume_match,
    rewind_match,
)
from tests.app.moderation.test_undo_requests import done, kinds, stored
from tests.app.service import FIRST, NOON, Service

PEOPLE = ("owner", "ana", "bea", "site", "stranger")


@pytest.fixture
def service(sqlite_folder: Path, tmp_path: Path) -> Iterator[Service]:
    with Service.on_sqlite(sqlite_folder, tmp_path, *PEOPLE) as made:
        with made.database.session() as session:
            appoint_site_moderator(
                session, session.get_one(tables.Player, made.ids["site"]), True, NOON
            )
        yield made


def role(service: Service, match_id: str, who: str) -> str | None:
    with service.database.look() as session:
        return access_match(session, match_id, service.ids[who]).role


def pause(service: Service, match_id: str, who: str) -> None:
    done(service, pause_match, match_id, who, "a holiday", None)


# Roles


def test_a_moderator_of_the_site_sees_a_private_match_as_a_spectator_does(
    service: Service, match_id: str
) -> None:
    seen = service.get("site", f"/matches/{match_id}")
    assert (seen["my_seat"], seen["view"]["hand"]) == (None, None)
    service.call("stranger", "GET", f"/matches/{match_id}")
    pause(service, match_id, "site")
    assert service.get("ana", f"/matches/{match_id}")["status"] == "paused"


def test_a_moderator_who_plays_sees_only_the_own_seat(service: Service, match_id: str) -> None:
    before = service.get("ana", f"/matches/{match_id}")["view"]
    done(service, name_moderator, match_id, "owner", service.ids["ana"], None)
    assert role(service, match_id, "ana") == "moderator"
    assert service.get("ana", f"/matches/{match_id}")["view"] == before
    pause(service, match_id, "ana")
    assert kinds(stored(service, match_id), 0)[-2:] == ["ModeratorNamed", "Paused"]


def test_only_the_owner_names_and_dismisses(service: Service, match_id: str) -> None:
    done(service, name_moderator, match_id, "owner", service.ids["ana"], None)
    for who in ("ana", "bea"):
        with pytest.raises(Forbidden):
            done(service, name_moderator, match_id, who, service.ids["bea"], None)
    with pytest.raises(Unknown, match="not at this table"):
        done(service, name_moderator, match_id, "owner", service.ids["stranger"], None)
    with pytest.raises(Forbidden, match="already"):
        done(service, name_moderator, match_id, "owner", service.ids["ana"], None)
    done(service, dismiss_moderator, match_id, "ana", service.ids["ana"], None)
    assert role(service, match_id, "ana") is None
    with pytest.raises(Forbidden, match="moderators"):
        pause(service, match_id, "ana")


def test_a_match_is_put_into_other_hands(service: Service, match_id: str) -> None:
    done(service, hand_over, match_id, "owner", service.ids["bea"], "I travel", None)
    assert (role(service, match_id, "bea"), role_or_none(service, match_id, "owner")) == (
        "owner",
        None,
    )
    assert kinds(stored(service, match_id), 0)[-1] == "OwnerChanged"


def role_or_none(service: Service, match_id: str, who: str) -> str | None:
    try:
        return role(service, match_id, who)
    except Unknown:
        return None


# Leaving


def test_a_bot_plays_on_for_who_gives_up(service: Service, match_id: str) -> None:
    seat = service.get("ana", f"/matches/{match_id}")["my_seat"]
    done(service, resign_seat, match_id, "ana", "no time", None)
    told = service.get("bea", f"/matches/{match_id}")
    assert told["seats"][seat]["bot"] == default_bot(stored(service, match_id).game)
    assert told["status"] == "running"
    assert service.call("ana", "GET", f"/matches/{match_id}").status_code == 404
    assert [m.player_id for m in mails(service, match_id, "resigned")] == [service.ids["bea"]]


def test_where_no_person_is_left_the_match_is_closed(service: Service, match_id: str) -> None:
    for who in ("ana", "bea"):
        done(service, resign_seat, match_id, who, "no time", None)
    resigned, *closed = kinds(stored(service, match_id), 0)[-3:]
    assert (resigned, closed) == ("SeatResigned", ["Closed", "SeedRevealed"])
    assert service.get("owner", f"/matches/{match_id}")["status"] == "closed"


def test_who_has_no_seat_cannot_give_one_up(service: Service, match_id: str) -> None:
    with pytest.raises(Forbidden):
        done(service, resign_seat, match_id, "owner", "why not", None)


# Closing with a result


def test_a_match_is_closed_with_winners_or_void(service: Service, match_id: str) -> None:
    path = f"/matches/{match_id}/close"
    for winners in ([2], [9]):
        assert (
            service.call(
                "owner", "POST", path, json={"reason": "x", "winners": winners}
            ).status_code
            == 404
        )
    service.post("owner", path, {"reason": "agreed", "winners": [1]})
    text = service.get("owner", f"/matches/{match_id}/history")["events"][-2]["text"]
    assert "won by" in text


# Talk and reports


def test_what_is_hidden_is_heard_no_more(service: Service, match_id: str) -> None:
    with service.database.session() as session:
        here = access_match(session, match_id, service.ids["ana"])
        say_at_table(session, here, "something rude", NOON)
    with service.database.look() as session:
        number = session.exec(select(tables.Talk.id)).one()
    with pytest.raises(Forbidden):
        done(service, hide_talk, match_id, "ana", number, "rude")
    done(service, hide_talk, match_id, "owner", number, "rude")
    with service.database.look() as session:
        assert load_talk(session, access_match(session, match_id, service.ids["bea"])) == []
    assert kinds(stored(service, match_id), 0)[-1] == "TalkHidden"
    with pytest.raises(Unknown):
        done(service, hide_talk, match_id, "owner", number, "again")


def test_a_report_reaches_the_moderators_of_the_site(service: Service, match_id: str) -> None:
    with service.database.session() as session:
        report_match(session, access_match(session, match_id, service.ids["ana"]), "help", NOON)
    with service.database.session() as session:
        found = load_open_reports(session)
        assert [(report.match_id, report.text) for report in found] == [(match_id, "help")]
        number = found[0].id or 0
        with pytest.raises(Unknown):
            settle_report(session, session.get_one(tables.Player, service.ids["ana"]), number, NOON)
        site = session.get_one(tables.Player, service.ids["site"])
        settle_report(session, site, number, NOON)
        assert load_open_reports(session) == []


def test_stalled_matches_are_those_whose_deadline_passed(service: Service, match_id: str) -> None:
    with service.database.look() as session:
        assert load_stalled_matches(session, NOON) == []
        later = load_stalled_matches(session, NOON + timedelta(days=30))
        assert [row.id for row in later] == [match_id]


# Turning back


def test_pending_mails_of_what_was_cut_do_not_go_out(service: Service, match_id: str) -> None:
    who = service.asked(match_id, "ana", "bea")
    start = stored(service, match_id).head
    service.order(who, match_id, FIRST, "end")
    rewind_match(service.database, match_id, OPERATOR, None, start, "a slip", NOON)
    assert {mail.state for mail in mails(service, match_id, "turn")} == {"dropped"}
    assert {mail.state for mail in mails(service, match_id, "rewound")} == {"waiting"}


def test_what_is_true_of_the_table_is_told_all_the_same(service: Service, match_id: str) -> None:
    start = stored(service, match_id).head
    service.order(service.asked(match_id, "ana", "bea"), match_id, FIRST)
    pause(service, match_id, "owner")
    rewind_match(service.database, match_id, OPERATOR, None, start, "a slip", NOON)
    assert {mail.state for mail in mails(service, match_id, "paused")} == {"waiting"}


def test_who_has_another_seat_is_told_once_of_the_one_that_was_given_away(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me", {"bot": "random"})
    with service.database.look() as session:
        seats = {s.number for s in load_seats(session, match_id) if s.player_id}
    wish = (min(seats), None, "random", "too many", None)
    done(service, replace_player, match_id, "ana", *wish)
    assert [m.player_id for m in mails(service, match_id, "replaced")] == [service.ids["ana"]]


def test_a_match_waits_for_somebody_invited_when_the_last_player_leaves(
    service: Service, match_id: str
) -> None:
    seat = service.get("ana", f"/matches/{match_id}")["my_seat"]
    service.run_out(match_id, seat)
    invited = (seat, "dora@example.com", None, "a swap", None)
    done(service, replace_player, match_id, "owner", *invited)
    done(service, resign_seat, match_id, "bea", "no time", None)
    assert service.get("owner", f"/matches/{match_id}")["status"] == "running"


def test_a_reason_is_needed(service: Service, match_id: str) -> None:
    before = service.contents()
    with pytest.raises(NotUnderstood):
        rewind_match(service.database, match_id, OPERATOR, None, 2, " ", NOON)
    assert service.contents() == before


# The audit


def test_the_audit_tells_who_it_was_and_the_log_only_as_what(
    service: Service, match_id: str
) -> None:
    pause(service, match_id, "owner")
    with service.database.session() as session:
        resume_match(session, match_id, OPERATOR, "go on", None, NOON)
    with service.database.look() as session:
        told = load_deeds(session, match_id)
        assert [(deed.role, deed.name, deed.act) for deed in told] == [
            ("operator", None, "Resumed"),
            ("owner", "Owner", "Paused"),
        ]
        assert next(deed.act for deed in load_all_deeds(session)) == "appointed"
    assert stored(service, match_id).log[-1].event.by == "operator"
