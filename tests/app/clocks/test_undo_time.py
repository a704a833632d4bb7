"""An undo gives no time, however often it is tried, and of several in one turn the table hears once."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from app.eventstore.store import load_match
from app.moderation.consent import open_wish
from app.moderation.undo_requests import MOST_FREE, load_open_request
from app.platform import tables
from app.platform.services import EXTENSION_KEY
from app.platform.tables import Clock
from engine.core.match import Match
from tests.app.moderating import answer_undo, ask_undo, rewind_match
from tests.app.moderation.test_undo_requests import a_tile
from tests.app.seated import late_match
from tests.app.service import FIRST, NOON
from tests.app.timed import HOUR, Timed
from tests.app.web.test_turn import LAST
from workers import bots, relay

SECOND = "place triple g10 g12 f11"


def stored(service: Timed, match_id: str) -> Match:
    return load_match(service.database, match_id)


def do(service: Timed, act: Any, match_id: str, who: str, *more: Any) -> Any:
    with service.database.session() as session:
        return act(
            session, match_id, service.ids[who], *more, service.app.extensions[EXTENSION_KEY].now()
        )


def ask(service: Timed, match_id: str, who: str, to: int) -> bool:
    return bool(do(service, ask_undo, match_id, who, to, "a slip", None))


def agree(service: Timed, match_id: str, first: str, second: str, to: int) -> None:
    """The one asks to go back, and the other agrees at once."""
    assert ask(service, match_id, first, to) is False
    wish = open_wish(stored(service, match_id))
    assert wish
    assert do(service, answer_undo, match_id, second, wish.pos, True) is True


def clock_of(service: Timed, match_id: str, who: str) -> Clock:
    seat = service.get(who, f"/matches/{match_id}")["my_seat"]
    with service.database.look() as session:
        return session.get_one(Clock, (match_id, seat))


def first_turn(service: Timed, match_id: str, hours: float) -> tuple[str, str, int]:
    """Somebody lays a tile and ends the turn at that hour: who, who is next, and where the turn began."""
    start = stored(service, match_id).head
    service.at(hours)
    first = service.act(match_id, FIRST, "end")
    return first, "bea" if first == "ana" else "ana", start


def test_undoing_ones_own_turn_gives_no_time(service: Timed) -> None:
    match_id = service.match()
    first, _, start = first_turn(service, match_id, 10)
    service.at(40)
    assert ask(service, match_id, first, start) is True
    assert service.shown(match_id) == NOON + 48 * HOUR  # as if the turn had not been ended


def test_nor_does_undoing_it_again_and_again(service: Timed) -> None:
    match_id = service.match(hours=4, bank_hours=0)
    first, _, start = first_turn(service, match_id, 1)
    for hours in (1.5, 2.5, 3.5):
        service.at(hours)
        assert ask(service, match_id, first, start) is True
        assert service.shown(match_id) == NOON + 4 * HOUR
        service.act(match_id, FIRST, "end")


def test_nor_undoing_a_part_of_what_was_ordered_at_once(service: Timed) -> None:
    match_id = service.match()
    first, _, start = first_turn(service, match_id, 10)
    service.at(20)
    assert ask(service, match_id, first, start + 1) is True  # the end of the turn alone
    assert service.shown(match_id) == NOON + 48 * HOUR


def test_nor_undoing_an_order_within_the_turn(service: Timed) -> None:
    match_id = service.match()
    start = stored(service, match_id).head
    service.at(47)
    first = service.act(match_id, FIRST)
    assert ask(service, match_id, first, start) is True
    assert service.shown(match_id) == NOON + 48 * HOUR


def test_time_that_would_have_run_comes_from_the_bank(service: Timed) -> None:
    match_id = service.match()
    first, _, start = first_turn(service, match_id, 47)
    service.at(51)
    assert ask(service, match_id, first, start) is True
    mine = clock_of(service, match_id, first)
    assert (mine.phase, mine.due_at) == ("bank", NOON + 58 * HOUR)
    service.at(52)
    service.act(match_id, FIRST, "end")
    assert clock_of(service, match_id, first).bank == 6 * 3600


def test_who_would_have_run_out_has(service: Timed) -> None:
    match_id = service.match(on_timeout="bot")
    first, _, start = first_turn(service, match_id, 47)
    service.at(59)
    assert ask(service, match_id, first, start) is True
    assert service.sweep(59) == 1
    assert service.events(match_id)[-1] == "StoodIn"


def test_who_was_in_the_bank_has_what_the_time_since_left_of_it(service: Timed) -> None:
    match_id = service.match()
    service.sweep(48)
    first, _, start = first_turn(service, match_id, 52)  # six hours of the bank are left
    service.at(60)
    assert ask(service, match_id, first, start) is True
    mine = clock_of(service, match_id, first)
    assert (mine.phase, mine.due_at) == ("bank", NOON + 60 * HOUR)


def test_who_had_run_out_has_nothing_after_going_back(service: Timed) -> None:
    match_id = service.match()
    service.sweep(48)
    service.sweep(58)
    first, _, start = first_turn(service, match_id, 60)
    service.at(61)
    assert ask(service, match_id, first, start) is True
    assert clock_of(service, match_id, first).due_at == NOON + 61 * HOUR
    assert service.sweep(61) == 1
    assert clock_of(service, match_id, first).phase == "over"


def test_while_the_match_was_paused_no_time_ran(service: Timed) -> None:
    match_id = service.match()
    first, _, start = first_turn(service, match_id, 10)
    service.at(11)
    service.care(match_id, "pause")
    service.at(31)
    service.care(match_id, "resume")
    service.at(40)
    assert ask(service, match_id, first, start) is True
    assert service.shown(match_id) == NOON + 68 * HOUR


def test_what_was_done_to_the_table_meanwhile_stopped_no_time(service: Timed) -> None:
    match_id = service.match()
    first, _, start = first_turn(service, match_id, 10)
    service.at(20)
    service.care(match_id, "extend", hours=5)
    service.at(40)
    assert ask(service, match_id, first, start) is True
    assert service.shown(match_id) == NOON + 48 * HOUR


def test_where_the_others_agree_one_has_what_one_had(service: Timed) -> None:
    elsewhere, match_id = (service.match(hours=20, reminders=[]) for _ in range(2))
    first_turn(service, elsewhere, 1)  # what was left there is nothing to this match
    first, second, start = first_turn(service, match_id, 15)
    service.at(30)
    service.act(match_id, SECOND)
    assert ask(service, match_id, first, start) is False
    service.at(33)
    wish = open_wish(stored(service, match_id))
    assert wish
    assert do(service, answer_undo, match_id, second, wish.pos, True) is True
    assert service.shown(match_id) == NOON + (33 + 5) * HOUR  # and no day as a present


def test_of_two_turns_the_one_that_comes_back_counts(service: Timed) -> None:
    match_id = service.match(hours=20, reminders=[])
    first, second, _ = first_turn(service, match_id, 1)  # nineteen hours left
    service.at(2)
    service.act(match_id, SECOND, "end")
    begin = stored(service, match_id).head
    service.at(12)
    service.act(match_id, "place triple c14 c16 b15", "end")  # and ten in this turn
    service.at(13)
    service.act(match_id, a_tile(service, match_id))
    agree(service, match_id, first, second, begin)
    assert service.shown(match_id) == NOON + (13 + 10) * HOUR


def test_an_earlier_turn_has_what_was_left_of_it_and_todays_bank(service: Timed) -> None:
    match_id = service.match(hours=20, reminders=[])
    first, second, start = first_turn(service, match_id, 15)  # five hours left
    service.at(16)
    service.act(match_id, SECOND, "end")
    service.sweep(36)
    service.at(40)  # four hours of the bank used in the second turn
    assert service.asked(match_id, "ana", "bea") == first
    agree(service, match_id, first, second, start)
    mine = clock_of(service, match_id, first)
    assert (mine.phase, mine.due_at, mine.bank) == ("turn", NOON + 45 * HOUR, 6 * 3600)


def test_an_earlier_turn_that_was_in_the_bank_has_no_more_than_todays(service: Timed) -> None:
    match_id = service.match(hours=20, reminders=[])
    service.sweep(20)
    first, second, start = first_turn(service, match_id, 24)  # six hours of the bank are left
    service.at(25)
    service.act(match_id, SECOND, "end")
    service.sweep(45)
    service.at(49)  # and two by now
    agree(service, match_id, first, second, start)
    mine = clock_of(service, match_id, first)
    assert (mine.phase, mine.due_at, mine.bank) == ("bank", NOON + 51 * HOUR, 2 * 3600)


def test_a_stop_that_was_cut_before_does_not_count_again(service: Timed) -> None:
    match_id = service.match(hours=20, reminders=[])
    first, second, start = first_turn(service, match_id, 1)
    service.at(2)
    assert ask(service, match_id, first, start) is True
    service.at(12)
    service.act(match_id, FIRST, "end")  # eight hours left, not nineteen
    service.at(13)
    service.act(match_id, SECOND)
    agree(service, match_id, first, second, start)
    assert service.shown(match_id) == NOON + (13 + 8) * HOUR


def test_what_another_took_back_meanwhile_leaves_the_stop_as_it_was(service: Timed) -> None:
    match_id = service.match(hours=20, reminders=[])
    first, second, start = first_turn(service, match_id, 15)
    begun = stored(service, match_id).head
    service.at(16)
    service.act(match_id, SECOND)
    assert ask(service, match_id, second, begun) is True
    service.act(match_id, SECOND)
    agree(service, match_id, first, second, start)
    assert service.shown(match_id) == NOON + (16 + 5) * HOUR


def test_whose_question_is_taken_away_has_used_no_bank(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 1)
    service.sweep(49)
    service.at(55)
    assert clock_of(service, match_id, second).phase == "bank"
    assert ask(service, match_id, first, start) is True
    theirs = clock_of(service, match_id, second)
    assert (theirs.phase, theirs.bank) == ("idle", 10 * 3600)


def test_against_bots_one_goes_back_with_what_one_had(service: Timed) -> None:
    """Nobody waits there, so nobody is robbed of time."""
    match_id = service.open_table("ana", "me", {"bot": "random"})
    service.at(1)
    begun = bots.play(service.app.extensions[EXTENSION_KEY])  # perhaps it begins
    start = stored(service, match_id).head
    service.at(11)
    assert service.order("ana", match_id, a_tile(service, match_id), "end").status_code == 200
    service.at(1000)
    assert bots.play(service.app.extensions[EXTENSION_KEY])
    assert ask(service, match_id, "ana", start) is True
    left = 48 - (10 if begun else 11)
    assert clock_of(service, match_id, "ana").due_at == NOON + (1000 + left) * HOUR


# How often


def test_the_fourth_undo_of_a_turn_needs_the_others_leave(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    for _ in range(MOST_FREE):
        assert ask(service, match_id, first, start) is True
        service.act(match_id, FIRST, "end")
    assert ask(service, match_id, first, start) is False
    with service.database.look() as session:
        question = load_open_request(session, stored(service, match_id))
    assert question
    assert question.waiting == (service.get(second, f"/matches/{match_id}")["my_seat"],)
    assert do(service, answer_undo, match_id, second, question.wish.pos, True) is True


def test_the_next_turn_has_undos_of_its_own(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    for _ in range(MOST_FREE):
        assert ask(service, match_id, first, start) is True
        service.act(match_id, FIRST, "end")
    begin = stored(service, match_id).head
    service.act(match_id, SECOND, "end")
    assert ask(service, match_id, second, begin) is True  # another player's turn
    service.act(match_id, SECOND, "end")
    for place in ("c14 c16 b15", ""):
        begin = stored(service, match_id).head
        tile = f"place triple {place}" if place else a_tile(service, match_id)
        for _ in range(MOST_FREE):
            service.act(match_id, tile)
            assert ask(service, match_id, first, begin) is True
        service.act(match_id, tile, "end")
        service.act(match_id, a_tile(service, match_id), "end")


def test_what_another_took_back_is_not_counted(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    begin = stored(service, match_id).head
    for _ in range(MOST_FREE):
        service.act(match_id, SECOND)
        assert ask(service, match_id, second, begin) is True
    assert ask(service, match_id, first, start) is True


def test_what_a_moderator_took_back_is_not_counted(service: Timed) -> None:
    match_id = service.match()
    start = stored(service, match_id).head
    for _ in range(MOST_FREE):
        first, _, _ = first_turn(service, match_id, 0)
        service.act(match_id, SECOND)
        assert ask(service, match_id, first, start) is False
        owner = service.ids["owner"]
        rewind_match(service.database, match_id, owner, None, start, "it is fair", NOON)
    service.act(match_id, FIRST)
    assert ask(service, match_id, first, start) is True


def test_small_undos_of_one_turn_count_together(service: Timed) -> None:
    """Each leads back to another moment of the same turn."""
    service.put_match(late_match(), ["ana", "bea"])
    for undone, order in enumerate((LAST, "token", "move d13 g14", "basin i12")):
        before = stored(service, "latematch2").head
        assert service.order("ana", "latematch2", order).status_code == 200
        assert ask(service, "latematch2", "ana", before) is (undone < MOST_FREE)
        service.order("ana", "latematch2", order)


def test_alone_there_is_no_limit(service: Timed) -> None:
    match_id = service.open_table("ana", "me", "me")
    start = stored(service, match_id).head
    for _ in range(MOST_FREE + 2):
        service.order("ana", match_id, FIRST)
        assert ask(service, match_id, "ana", start) is True


def test_several_free_undos_of_a_turn_are_one_mail_and_each_in_the_log(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    for _ in range(MOST_FREE):
        assert ask(service, match_id, first, start) is True
        relay.drain(service.app.extensions[EXTENSION_KEY])
        service.act(match_id, FIRST, "end")
    query = select(tables.Outbox.player_id).where(tables.Outbox.kind == "rewound")
    with service.database.look() as session:
        assert sorted(session.exec(query)) == sorted(service.ids[who] for who in (first, second))
    assert service.events(match_id).count("Rewound") == MOST_FREE


def test_an_undo_with_the_others_leave_is_told_though_free_ones_were(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    assert ask(service, match_id, first, start) is True
    relay.drain(service.app.extensions[EXTENSION_KEY])
    service.act(match_id, FIRST, "end")
    service.act(match_id, SECOND)
    agree(service, match_id, first, second, start)
    query = select(tables.Outbox.player_id).where(
        tables.Outbox.kind == "rewound", tables.Outbox.state == "waiting"
    )
    with service.database.look() as session:
        assert sorted(session.exec(query)) == sorted(service.ids[who] for who in (first, second))


def test_a_mail_that_has_not_left_yet_is_replaced_by_the_next(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    for _ in range(2):
        assert ask(service, match_id, first, start) is True
        service.act(match_id, FIRST, "end")
    relay.drain(service.app.extensions[EXTENSION_KEY])
    query = select(tables.Outbox).where(
        tables.Outbox.kind == "rewound", tables.Outbox.player_id == service.ids[second]
    )
    with service.database.look() as session:
        assert [mail.state for mail in session.exec(query)] == ["dropped", "sent"]


def test_an_undo_of_the_next_turn_has_a_mail_of_its_own(service: Timed) -> None:
    match_id = service.match()
    first, second, start = first_turn(service, match_id, 0)
    assert ask(service, match_id, first, start) is True
    relay.drain(service.app.extensions[EXTENSION_KEY])
    service.act(match_id, FIRST, "end")
    begin = stored(service, match_id).head
    service.act(match_id, SECOND, "end")
    assert ask(service, match_id, second, begin) is True
    query = select(tables.Outbox.player_id).where(
        tables.Outbox.kind == "rewound", tables.Outbox.state == "waiting"
    )
    with service.database.look() as session:
        assert sorted(session.exec(query)) == sorted(service.ids[who] for who in (first, second))


def test_a_mail_about_another_table_does_not_stand_for_one_about_this(service: Timed) -> None:
    other, here = service.match(), service.match()
    first, _, start = first_turn(service, other, 0)
    assert ask(service, other, first, start) is True
    relay.drain(service.app.extensions[EXTENSION_KEY])
    first, second, start = first_turn(service, here, 0)
    for _ in range(2):
        assert ask(service, here, first, start) is True
        service.act(here, FIRST, "end")
    query = select(tables.Outbox.state).where(
        tables.Outbox.kind == "rewound",
        tables.Outbox.match_id == here,
        tables.Outbox.player_id == service.ids[second],
    )
    with service.database.look() as session:
        assert list(session.exec(query)) == ["dropped", "waiting"]
