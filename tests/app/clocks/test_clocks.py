"""Clocks at a table: the turn's hours, the bank, what happens at the end, and what stops them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from app.clocks.clocks import clocks_stopped, earliest_deadline, load_clocks
from app.clocks.vacations import end_vacation, load_vacations, take_vacation
from app.eventstore.store import MATCH_CACHE
from app.matches.access import access_match
from app.matches.bot_moves import come_back
from app.matches.timeouts import Due, fire_clock
from app.moderation.commands import OPERATOR
from app.moderation.departures import delete_account
from app.outbox.deliverability import confirm_reachable, mark_unreachable
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.services import EXTENSION_KEY
from app.platform.tables import Clock
from app.views.deadlines import stood_in
from engine.core import record
from tests.app.browser import letters
from tests.app.moderating import close_match
from tests.app.seated import late_match
from tests.app.service import FIRST, NOON
from tests.app.timed import HOUR, PACE, Timed
from tests.app.web.test_turn import LAST
from workers import deadlines


def test_the_turn_the_bank_and_the_end(service: Timed) -> None:
    match_id = service.match()
    who = service.asked(match_id, "ana", "bea").title()
    assert service.shown(match_id) == NOON + 48 * HOUR
    assert service.sweep(23.9) == 0
    assert service.sweep(24) == 1
    assert service.mails() == [("reminder", who, "turn")]
    assert service.sweep(47.9) == 0
    assert service.sweep(48) == 1
    assert service.mails()[1:] == [("reminder", who, "bank")]
    assert service.shown(match_id) == NOON + 58 * HOUR
    assert service.sweep(58) == 1
    assert service.mails()[2:] == [("reminder", who, "over")]
    assert service.shown(match_id) == NOON + 58 * HOUR  # passed, and shown so
    assert service.sweep(500) == 0
    assert service.clock(match_id).bank == 0
    with service.database.look() as session:
        late = session.exec(select(tables.LateTurn)).one()
    assert (late.match_id, late.player_id) == (match_id, service.ids[who.lower()])


def test_who_answers_keeps_what_is_left_of_the_bank(service: Timed) -> None:
    match_id = service.match()
    seat = service.clock(match_id).seat
    service.sweep(48)
    service.at(52)
    service.act(match_id, FIRST, "end")
    with service.database.look() as session:
        spent = session.get_one(Clock, (match_id, seat))
    assert (spent.phase, spent.bank, spent.wake_at) == ("idle", 6 * 3600, None)
    assert service.shown(match_id) == NOON + (52 + 48) * HOUR  # the other's
    service.at(53)
    service.act(match_id, "place double h19 h21", "end")
    assert service.sweep(53 + 48 + 6) == 2  # the turn's hours, then the six that are left
    assert service.clock(match_id).phase == "over"


def test_orders_within_a_turn_do_not_wind_the_clock(service: Timed) -> None:
    match_id = service.match()
    service.at(5)
    service.act(match_id, FIRST)
    assert service.shown(match_id) == NOON + 48 * HOUR


def test_a_sweep_that_comes_late_does_all_that_is_due(service: Timed) -> None:
    match_id = service.match(on_timeout="moderator")
    assert service.sweep(1000) == 2
    assert [(kind, phase) for kind, _, phase in service.mails()] == [
        ("reminder", "bank"),
        ("reminder", "over"),
        ("timeout", None),
    ]
    assert service.clock(match_id).phase == "over"


def test_the_end_is_told_to_those_who_care_for_the_match(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="moderator")
    who = service.asked(match_id, "ana", "bea").title()
    service.sweep(24)
    service.sweep(48)
    assert service.mails()[1:] == [("reminder", who, "over"), ("timeout", "Owner", None)]


# A bot plays on


def test_a_bot_stands_in_until_the_player_returns_with_an_order(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    seat = service.get(who, f"/matches/{match_id}")["my_seat"]
    told = service.get("owner", f"/matches/{match_id}")
    assert told["seats"][seat]["bot"] in ("steady", "random")
    assert told["seats"][seat]["name"] == who.title()  # the seat is kept
    assert told["deadline"] is None
    assert service.events(match_id)[-1] == "StoodIn"
    service.at(60)
    service.act(match_id, FIRST)
    assert service.events(match_id)[-2:] == ["Returned", "TilePlaced"]
    assert service.get("owner", f"/matches/{match_id}")["seats"][seat]["bot"] is None
    assert service.shown(match_id) == NOON + (60 + 48) * HOUR


def test_an_order_that_is_refused_does_not_bring_them_back(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    before = service.contents()
    assert service.order(who, match_id, "enter a1").status_code in (400, 422)
    assert service.contents() == before


def test_the_player_is_back_by_a_button_once(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    for _ in range(2):
        with service.database.session() as session:
            here = access_match(session, match_id, service.ids[who])
            come_back(session, here, NOON + 50 * HOUR)
    assert service.events(match_id)[-2:] == ["StoodIn", "Returned"]
    assert service.shown(match_id) == NOON + 98 * HOUR


def test_nobody_is_back_at_a_table_that_was_closed_while_they_waited(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    with service.database.session() as session:
        here = access_match(session, match_id, service.ids[who])  # seen before the row was theirs
        close_match(session, match_id, OPERATOR, "enough", None, NOON)
        with pytest.raises(Forbidden):
            come_back(session, here, NOON + 50 * HOUR)
    assert service.events(match_id)[-2:] == ["Closed", "SeedRevealed"]


def test_nobody_is_called_to_a_table_where_a_bot_plays_for_them(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    first = service.asked(match_id, "ana", "bea").title()
    service.act(match_id, FIRST, "end")
    service.sweep(48)  # the other is away now
    asked = [name for _, name, _ in service.mails("turn")]
    with service.database.session() as session:
        here = access_match(session, match_id, service.ids[first.lower()])
        away = 1 - (here.seat or 0)
        assert stood_in(session, match_id) == {away}
        row = session.get_one(tables.Seat, (match_id, here.seat))
        row.bot = "random"  # both are
    assert asked.count(first) == 1
    with service.database.session() as session:
        session.get_one(tables.Seat, (match_id, away)).bot = None
    service.act(match_id, "place double h19 h21", "end")
    assert [name for _, name, _ in service.mails("turn")] == asked


def test_a_record_tells_of_them_and_is_sound(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    service.sweep(48)
    service.act(match_id, FIRST)
    text = service.call("ana", "GET", f"/matches/{match_id}/record").text
    assert "StoodIn" in text
    assert "Returned" in text
    assert record.verify(record.read(record.parse(text))).sound


# What stops a clock


def test_a_pause_stops_it_and_an_extension_moves_it(service: Timed) -> None:
    match_id = service.match()
    service.at(10)
    service.care(match_id, "pause")
    assert service.shown(match_id) is None
    assert service.sweep(1000) == 0
    service.care(match_id, "extend", hours=2)
    service.care(match_id, "resume")
    assert service.shown(match_id) == NOON + (1000 + 38 + 2) * HOUR
    service.care(match_id, "extend", hours=3)
    assert service.shown(match_id) == NOON + (1000 + 38 + 5) * HOUR
    assert service.sweep(1000 + 19) == 1  # the reminder goes by the new deadline
    assert service.sweep(1000 + 43) == 1


def test_seats_that_nobody_took_at_another_table_stop_no_clock_here(service: Timed) -> None:
    service.open_table("owner", {"email": "cyd@example.com"}, {"email": "dan@example.com"})
    match_id = service.match()
    service.at(10)
    for act in ("pause", "resume"):
        service.care(match_id, act)
    assert service.shown(match_id) == NOON + 48 * HOUR


def test_a_pause_gives_nothing_to_who_has_run_out(service: Timed) -> None:
    match_id = service.match(bank_hours=0)
    service.sweep(48)
    mails = service.mails()
    service.care(match_id, "pause")
    service.at(60)
    service.care(match_id, "resume")
    assert service.sweep(100) == 0
    assert (service.shown(match_id), service.mails()) == (NOON + 48 * HOUR, mails)


def test_an_extension_gives_time_to_who_has_none_left(service: Timed) -> None:
    match_id = service.match(bank_hours=0)
    service.sweep(48)
    service.at(60)
    service.care(match_id, "extend", hours=5)
    assert service.shown(match_id) == NOON + 65 * HOUR
    assert service.clock(match_id).phase == "turn"
    assert service.sweep(65) == 1
    assert service.clock(match_id).phase == "over"


def test_an_extension_in_the_bank_does_not_fill_it(service: Timed) -> None:
    match_id = service.match()
    seat = service.clock(match_id).seat
    service.sweep(48)
    service.care(match_id, "extend", hours=100)
    service.act(match_id, FIRST, "end")
    with service.database.look() as session:
        assert session.get_one(Clock, (match_id, seat)).bank == 10 * 3600


def test_a_closed_match_has_no_clocks(service: Timed) -> None:
    match_id = service.match()
    service.care(match_id, "close")
    assert service.shown(match_id) is None
    assert service.sweep(1000) == 0


def test_who_answers_last_and_goes_on_has_the_time_of_a_whole_turn(service: Timed) -> None:
    service.put_match(late_match(), ["ana", "bea"])
    with service.database.session() as session:
        session.get_one(tables.Match, "latematch2").pace = PACE
    service.at(10)
    service.order("ana", "latematch2", LAST, "festival e14 kero")
    assert service.shown("latematch2") == NOON + 58 * HOUR
    service.sweep(58)
    service.at(62)  # four hours of the bank are used for the answer
    assert service.order("bea", "latematch2", "pass").status_code == 200
    assert service.get("bea", "/matches/latematch2")["to_act"] == [1]  # asked as before, for a turn
    assert service.shown("latematch2") == NOON + 110 * HOUR
    assert service.clock("latematch2").bank == 6 * 3600


def test_after_going_back_there_is_a_day_at_least(service: Timed) -> None:
    match_id = service.match(bank_hours=0)
    start = service.get("owner", f"/matches/{match_id}")["head"]
    service.at(1)
    service.act(match_id, FIRST)
    service.sweep(47)
    head = service.get("owner", f"/matches/{match_id}")["head"]
    service.care(match_id, "rewind", head=head, to=start)
    assert service.shown(match_id) == NOON + 71 * HOUR


def test_after_going_back_those_asked_again_have_a_whole_turn(service: Timed) -> None:
    match_id = service.match()
    start = service.get("owner", f"/matches/{match_id}")["head"]
    service.at(1)
    service.act(match_id, FIRST, "end")
    service.at(20)
    head = service.get("owner", f"/matches/{match_id}")["head"]
    service.care(match_id, "rewind", head=head, to=start)
    assert service.shown(match_id) == NOON + 68 * HOUR
    assert service.sweep(68) == 1


def test_going_back_gives_time_to_who_had_run_out(service: Timed) -> None:
    match_id = service.match(bank_hours=0)
    start = service.get("owner", f"/matches/{match_id}")["head"]
    service.act(match_id, FIRST)
    service.sweep(48)
    head = service.get("owner", f"/matches/{match_id}")["head"]
    service.care(match_id, "rewind", head=head, to=start)
    assert service.shown(match_id) == NOON + 72 * HOUR
    assert service.clock(match_id).phase == "turn"  # so that a pause stops it
    assert service.sweep(72) == 1


def test_going_back_gives_no_second_bank_to_who_lives_on_it(service: Timed) -> None:
    match_id = service.match()
    start = service.get("owner", f"/matches/{match_id}")["head"]
    service.act(match_id, FIRST)
    service.sweep(48)
    head = service.get("owner", f"/matches/{match_id}")["head"]
    service.care(match_id, "rewind", head=head, to=start)
    assert (service.clock(match_id).phase, service.shown(match_id)) == ("bank", NOON + 72 * HOUR)


def bounce(service: Timed, match_id: str, hours: float) -> str:
    """The mails of whoever is asked come back."""
    service.at(hours)
    who = service.asked(match_id, "ana", "bea")
    with service.database.session() as session:
        player = session.get_one(tables.Player, service.ids[who])
        mark_unreachable(session, player, NOON + hours * HOUR)
    return who


def test_whose_mails_come_back_has_a_clock_that_stands_still(service: Timed) -> None:
    match_id = service.match()
    who = bounce(service, match_id, 1)
    assert service.shown(match_id) is None
    assert service.sweep(40) == 0
    with service.database.session() as session:
        confirm_reachable(session, service.ids[who], NOON + 40 * HOUR)
    assert service.shown(match_id) == NOON + 87 * HOUR


def test_it_stands_still_too_for_who_is_asked_meanwhile(service: Timed) -> None:
    match_id = service.match()
    who = "bea" if service.asked(match_id, "ana", "bea") == "ana" else "ana"
    service.at(1)
    with service.database.session() as session:
        mark_unreachable(session, session.get_one(tables.Player, service.ids[who]), NOON + HOUR)
    service.at(2)
    service.act(match_id, FIRST, "end")
    assert service.shown(match_id) is None
    with service.database.session() as session:
        confirm_reachable(session, service.ids[who], NOON + 10 * HOUR)
    assert service.shown(match_id) == NOON + 58 * HOUR


def test_the_end_is_told_once_though_mails_come_back_after_it(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="moderator")
    service.sweep(48)
    bounce(service, match_id, 50)
    assert service.sweep(500) == 0
    assert service.mails("timeout") == [("timeout", "Owner", None)]


def test_it_stands_still_for_two_days_and_no_longer(service: Timed) -> None:
    match_id = service.match(on_timeout="bot", reminders=[])
    bounce(service, match_id, 1)
    assert service.sweep(48.9) == 0
    assert service.sweep(60) == 1  # late, but the time ran from its end on
    assert service.shown(match_id) == NOON + (49 + 47) * HOUR
    assert service.sweep(96) == 1
    assert service.sweep(106) == 1  # the bank is empty
    assert service.events(match_id)[-1] == "StoodIn"


def test_while_the_match_is_paused_the_two_days_pass_too(service: Timed) -> None:
    match_id = service.match()
    bounce(service, match_id, 1)
    service.care(match_id, "pause")
    assert service.sweep(60) == 0
    service.care(match_id, "resume")
    assert service.shown(match_id) == NOON + 107 * HOUR


@pytest.mark.parametrize("proof", ["orders", "draft", "standing"])
def test_any_act_by_a_program_ends_the_standstill_but_looking_does_not(
    service: Timed, proof: str
) -> None:
    match_id = service.match()
    who = bounce(service, match_id, 1)
    service.at(11)
    service.get(who, f"/matches/{match_id}")
    service.get(who, f"/matches/{match_id}/legal")
    assert service.shown(match_id) is None
    body = {"orders": ["nonsense"]} if proof != "standing" else {"festival": {"up_to": 1}}
    method = "POST" if proof == "orders" else "PUT"
    service.call(who, method, f"/matches/{match_id}/{proof}", json=body)
    assert service.shown(match_id) == NOON + 58 * HOUR
    with service.database.look() as session:  # mails wait for a sign-in all the same
        assert session.get_one(tables.Player, service.ids[who]).bouncing_at is not None


def test_somebody_elses_act_does_not(service: Timed) -> None:
    match_id = service.match()
    who = bounce(service, match_id, 1)
    other = "bea" if who == "ana" else "ana"
    service.call(other, "PUT", f"/matches/{match_id}/draft", json={"orders": ["end"]})
    service.care(match_id, "pause")
    service.care(match_id, "resume")
    assert service.shown(match_id) is None


def test_nobody_stops_the_clock_twice_within_two_weeks(service: Timed) -> None:
    match_id = service.match(hours=1000)
    who = bounce(service, match_id, 1)
    with service.database.session() as session:
        confirm_reachable(session, service.ids[who], NOON + 40 * HOUR)
    bounce(service, match_id, 41)
    assert service.shown(match_id) == NOON + (39 + 1000) * HOUR
    with service.database.session() as session:
        confirm_reachable(session, service.ids[who], NOON + 42 * HOUR)
    bounce(service, match_id, 40 + 14 * 24)
    assert service.shown(match_id) is None


@pytest.mark.parametrize(("hours", "left"), [(46, 24), (2, 46)])
def test_going_back_while_mails_come_back_leaves_a_day_and_takes_none(
    service: Timed, hours: int, left: int
) -> None:
    match_id = service.match(bank_hours=0)
    start = service.get("owner", f"/matches/{match_id}")["head"]
    service.at(1)
    service.act(match_id, FIRST)
    who = bounce(service, match_id, hours)
    head = service.get("owner", f"/matches/{match_id}")["head"]
    service.care(match_id, "rewind", head=head, to=start)
    with service.database.session() as session:
        confirm_reachable(session, service.ids[who], NOON + 47 * HOUR)
    assert service.shown(match_id) == NOON + (47 + left) * HOUR


def test_who_leaves_while_the_match_rests_has_used_no_more_of_the_bank(service: Timed) -> None:
    match_id = service.match()
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    service.at(52)
    service.care(match_id, "pause")
    with service.database.session() as session:
        delete_account(session, service.ids[who], NOON + 70 * HOUR)
    with service.database.look() as session:
        banks = sorted(clock.bank for clock in load_clocks(session, match_id))
    assert banks == [6 * 3600, 10 * 3600]


def test_what_was_noted_of_clocks_goes_with_the_match_and_with_no_other(service: Timed) -> None:
    ended, other = service.match(), service.match()
    for match_id in (ended, other):
        service.act(match_id, FIRST, "end")
    service.care(ended, "close")
    with service.database.look() as session:
        assert set(session.exec(select(tables.ClockStop.match_id))) == {other}


def test_a_vacation_stops_it_for_these_days(service: Timed) -> None:
    match_id = service.match()
    player_id = service.ids[service.asked(match_id, "ana", "bea")]
    with service.database.session() as session, clocks_stopped(session, player_id, NOON + HOUR):
        player = session.get_one(tables.Player, player_id)
        day = NOON.date() + timedelta(days=1)
        take_vacation(session, player, day.isoformat(), day.isoformat(), NOON + HOUR)
    assert service.shown(match_id) == NOON + 72 * HOUR
    middle = NOON + 20 * HOUR  # eight hours into it
    with service.database.session() as session, clocks_stopped(session, player_id, middle):
        player = session.get_one(tables.Player, player_id)
        (taken,) = load_vacations(session, player_id)
        end_vacation(session, player, taken.id or 0, middle)
    assert service.shown(match_id) == NOON + 56 * HOUR


def test_a_vacation_does_not_ask_for_matches_of_others(service: Timed) -> None:
    broken = service.match()
    service.people("cyd")
    with service.database.session() as session:
        session.get_one(tables.Match, broken).hash = "another"
    MATCH_CACHE.clear()
    with service.database.session() as session, clocks_stopped(session, service.ids["cyd"], NOON):
        pass


@pytest.mark.parametrize(
    "other", [{"bot": "random"}, {"email": "bea@example.com"}], ids=["with a bot", "not begun"]
)
def test_a_vacation_is_taken_at_a_table_with_a_bot_and_at_one_that_waits(
    service: Timed, other: dict[str, str]
) -> None:
    service.open_table("ana", "me", other)
    player_id, day = service.ids["ana"], (NOON.date() + timedelta(days=1)).isoformat()
    with service.database.session() as session, clocks_stopped(session, player_id, NOON):
        take_vacation(session, session.get_one(tables.Player, player_id), day, day, NOON)
    with service.database.look() as session:
        assert len(load_vacations(session, player_id)) == 1


def bot_awaited(service: Timed, match_id: str) -> datetime | None:
    with service.database.look() as session:
        return session.get_one(tables.Match, match_id).bot_at


def test_a_bot_is_awaited_while_the_match_runs_and_not_while_it_rests(service: Timed) -> None:
    match_id = service.open_table("ana", "me", {"bot": "random"})
    if bot_awaited(service, match_id) is None:  # Ana begins
        assert service.order("ana", match_id, FIRST, "end").status_code == 200
    assert bot_awaited(service, match_id) == NOON
    for act, moment in (("pause", None), ("resume", NOON)):
        service.post("ana", f"/matches/{match_id}/{act}", {"reason": "a holiday"})
        assert bot_awaited(service, match_id) == moment


def test_no_bot_is_awaited_while_a_person_is_asked(service: Timed) -> None:
    match_id = service.match()
    assert bot_awaited(service, match_id) is None
    with service.database.session() as session:
        session.get_one(tables.Seat, (match_id, 1 - service.clock(match_id).seat)).bot = "random"
    for act in ("pause", "resume"):
        service.care(match_id, act)
        assert bot_awaited(service, match_id) is None


def test_a_seat_that_is_given_away_is_not_waited_for_until_somebody_comes(service: Timed) -> None:
    service.people("cyd")
    match_id = service.match()
    seat = service.clock(match_id).seat
    service.run_out(match_id, seat)
    service.care(match_id, f"seats/{seat}/replace", email="cyd@example.com")
    assert service.shown(match_id) is None
    assert service.sweep(100) == 0
    service.post("cyd", f"/matches/{match_id}/join")
    assert service.shown(match_id) == NOON + 148 * HOUR


def test_one_broken_match_does_not_stop_the_others(
    service: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = service.match(bank_hours=0), service.match(bank_hours=0)
    fire = fire_clock

    def sometimes(session: Any, seen: Due, at: datetime) -> bool:
        if seen.match_id == broken:
            raise RuntimeError("a bad moment")
        return fire(session, seen, at)

    monkeypatch.setattr(deadlines, "fire_clock", sometimes)
    monkeypatch.setattr(deadlines, "BATCH", 1)
    assert service.sweep(48) == 1
    assert service.clock(sound).phase == "over"
    monkeypatch.undo()
    assert service.sweep(49) == 1
    assert service.clock(broken).phase == "over"


def test_several_reminders_at_one_position_are_all_sent(service: Timed) -> None:
    service.match(reminders=[24, 12, 1], bank_hours=0)
    for hours in (24, 36, 47, 48):
        assert service.sweep(hours) == 1
    assert [phase for _, _, phase in service.mails()] == ["turn", "turn", "turn", "over"]


def test_of_several_who_are_asked_the_first_to_run_out_counts() -> None:
    idle, late, soon = Clock(), Clock(due_at=NOON + 2 * HOUR), Clock(due_at=NOON + HOUR)
    assert earliest_deadline({0: idle, 1: late, 2: soon}) == NOON + HOUR
    assert earliest_deadline({0: idle}) is None


# What the mails say


def letter(service: Timed, who: str) -> tables.Letter:
    """The last mail to somebody."""
    return letters(service.app.extensions[EXTENSION_KEY], f"{who}@example.com")[-1]


def test_a_reminder_tells_what_runs_now(service: Timed) -> None:
    match_id = service.match()
    who = service.asked(match_id, "ana", "bea")
    service.sweep(24)
    assert "You are awaited: your time ends in 1 day." in letter(service, who).text
    service.sweep(48)
    told = " ".join(letter(service, who).text.split())
    assert "you play on time from your bank, which ends in 10 hours" in told
    service.sweep(58)
    assert letter(service, who).subject == "Cuzco: your time is over"
    assert "the others still wait for you" in letter(service, who).text


def test_who_lost_the_seat_to_a_bot_is_told_how_to_come_back(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="bot")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    assert "a bot plays on for you" in letter(service, who).text


def test_the_owner_is_told_who_let_the_time_run_out(service: Timed) -> None:
    match_id = service.match(bank_hours=0, on_timeout="moderator")
    who = service.asked(match_id, "ana", "bea")
    service.sweep(48)
    assert letter(service, "owner").subject == f"Cuzco: {who.title()} let the time run out"
