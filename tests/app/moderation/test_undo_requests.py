"""Asking for an undo: at once where nobody is wronged, otherwise by those it concerns; every step is in the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.matches.participants import load_seats
from app.moderation.consent import open_wish
from app.moderation.undo_requests import entry_reveals, load_open_request, undo_places
from app.platform import tables
from app.platform.errors import Forbidden, Stale
from app.views.audit_log import load_deeds
from engine.core import record
from engine.core.match import Match, play
from engine.core.refusal import Unknown
from engine.core.timeline import SeedRevealed
from tests.app.api.test_moderation import mails
from tests.app.kept import stored
from tests.app.matches.test_lookahead import ROAD, world
from tests.app.moderating import answer_undo, ask_undo, refuse_undo, rewind_match, withdraw_undo
from tests.app.seated import played
from tests.app.service import FIRST, NOON, Service

SECOND = "place triple g10 g12 f11"


pytestmark = pytest.mark.people("owner", "ana", "bea", "carl")


def done(service: Service, act: Callable[..., Any], match_id: str, who: str, *more: Any) -> Any:
    with service.database.session() as session:
        return act(session, match_id, service.ids[who], *more, NOON)


def ask(service: Service, match_id: str, who: str, to: int) -> Any:
    return done(service, ask_undo, match_id, who, to, "a slip", None)


def kinds(match: Match, since: int) -> list[str]:
    return [type(entry.event).__name__ for entry in match.log if entry.pos > since]


def in_order(service: Service, match_id: str) -> tuple[str, str]:
    first = service.asked(match_id, "ana", "bea")
    return first, "bea" if first == "ana" else "ana"


def first_turn(service: Service, match_id: str) -> tuple[str, str, int, int]:
    """Somebody lays a tile and ends the turn: who, who is next, and the heads before and after."""
    first, second = in_order(service, match_id)
    start = stored(service, match_id).head
    assert service.order(first, match_id, FIRST, "end").status_code == 200
    return first, second, start, stored(service, match_id).head


def test_what_nobody_saw_or_answered_is_undone_at_once(service: Service, match_id: str) -> None:
    first, _, start, head = first_turn(service, match_id)
    assert ask(service, match_id, first, start) is True
    match = stored(service, match_id)
    assert kinds(match, head) == ["UndoAsked", "Rewound"]
    told = service.get(first, f"/matches/{match_id}/history")["events"][-1]
    assert told["text"].startswith("The table")
    assert match.game.to_act(match.state) == (
        service.get(first, f"/matches/{match_id}")["my_seat"],
    )
    assert {m.player_id for m in mails(service, match_id, "rewound")} == {
        service.ids["ana"],
        service.ids["bea"],
    }
    assert record.verify(record.read(record.export(match))).sound


def test_whoever_acted_since_is_asked(service: Service, match_id: str) -> None:
    first, second, start, _ = first_turn(service, match_id)
    assert service.order(second, match_id, SECOND).status_code == 200
    head = stored(service, match_id).head
    assert ask(service, match_id, first, start) is False
    assert kinds(stored(service, match_id), head) == ["UndoAsked"]
    asked = {m.player_id for m in mails(service, match_id, "undo")}
    assert asked == {service.ids[second], service.ids["owner"]}
    wish = open_wish(stored(service, match_id))
    assert wish
    assert wish.to == start
    assert done(service, answer_undo, match_id, second, wish.pos, True) is True
    assert kinds(stored(service, match_id), head) == ["UndoAsked", "UndoAnswered", "Rewound"]
    assert open_wish(stored(service, match_id)) is None


@pytest.mark.parametrize("left", [{"bot": "random"}, {"player_id": None}])
def test_a_bot_that_stands_in_or_an_empty_chair_takes_nobody_their_say(
    service: Service, match_id: str, left: dict[str, Any]
) -> None:
    first, second, start, _ = first_turn(service, match_id)
    assert service.order(second, match_id, SECOND).status_code == 200
    with service.database.session() as session:
        (seat,) = (s for s in load_seats(session, match_id) if s.player_id == service.ids[second])
        for name, value in left.items():
            setattr(seat, name, value)
    assert ask(service, match_id, first, start) is False


def test_where_nobody_owns_the_match_those_concerned_are_asked_and_nobody_else(
    service: Service, match_id: str
) -> None:
    first, second, start, _ = first_turn(service, match_id)
    assert service.order(second, match_id, SECOND).status_code == 200
    with service.database.session() as session:
        session.get_one(tables.Match, match_id).owner_id = None
    assert ask(service, match_id, first, start) is False
    assert [m.player_id for m in mails(service, match_id, "undo")] == [service.ids[second]]


def test_where_a_card_was_drawn_all_others_are_asked(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl", owner="owner")
    first = service.asked(match_id, "ana", "bea", "carl")
    start = stored(service, match_id).head
    service.order(first, match_id, FIRST, "draw pile")
    assert ask(service, match_id, first, start) is False
    others = [name for name in ("ana", "bea", "carl") if name != first]
    wish = open_wish(stored(service, match_id))
    assert wish
    assert done(service, answer_undo, match_id, others[0], wish.pos, True) is False
    with pytest.raises(Forbidden):
        done(service, answer_undo, match_id, others[0], wish.pos, True)
    assert mails(service, match_id, "refused") == []
    with service.database.look() as session:
        question = load_open_request(session, stored(service, match_id))
    assert question
    assert question.waiting == (service.get(others[1], f"/matches/{match_id}")["my_seat"],)
    assert done(service, answer_undo, match_id, others[1], wish.pos, True) is True


def test_what_was_turned_up_for_all_to_see_is_not_taken_back_unasked(service: Service) -> None:
    match = replace(world("allies"), id="turnedup22")
    service.put_match(match, ["ana", "bea", "carl", "owner"])
    assert service.order("ana", match.id, ROAD).status_code == 200  # what lies in ichma is seen
    assert ask(service, match.id, "ana", match.head) is False
    with service.database.look() as session:
        question = load_open_request(session, stored(service, match.id))
    assert question
    assert question.waiting == (1, 2, 3)


def test_one_who_does_not_agree_ends_it(service: Service, match_id: str) -> None:
    first, second, start, _ = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    ask(service, match_id, first, start)
    wish = open_wish(stored(service, match_id))
    assert wish
    assert done(service, answer_undo, match_id, second, wish.pos, False) is False
    assert open_wish(stored(service, match_id)) is None
    assert [m.player_id for m in mails(service, match_id, "refused")] == [service.ids[first]]
    with pytest.raises(Unknown, match="settled"):
        done(service, answer_undo, match_id, second, wish.pos, True)


def test_a_move_lets_the_question_lapse(service: Service, match_id: str) -> None:
    first, second, start, _ = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    ask(service, match_id, first, start)
    service.order(second, match_id, "end")
    assert open_wish(stored(service, match_id)) is None


def test_the_moderator_decides(service: Service, match_id: str) -> None:
    first, second, start, _ = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    ask(service, match_id, first, start)
    wish = open_wish(stored(service, match_id))
    assert wish
    with pytest.raises(Forbidden, match="moderators"):
        done(service, refuse_undo, match_id, first, wish.pos, "no")
    done(service, refuse_undo, match_id, "owner", wish.pos, "play on")
    assert open_wish(stored(service, match_id)) is None
    assert [m.player_id for m in mails(service, match_id, "refused")] == [service.ids[first]]
    with service.database.look() as session:
        (deed,) = load_deeds(session, match_id)
        assert (deed.act, deed.name, deed.reason) == ("UndoRefused", "Owner", "play on")
    ask(service, match_id, first, start)
    rewind_match(service.database, match_id, service.ids["owner"], None, start, "it is fair", NOON)
    assert open_wish(stored(service, match_id)) is None


def test_a_moderator_who_plays_answers_as_a_player_only(service: Service) -> None:
    """Ana owns the match: whether Bea may go back is not for her alone to say where others are asked too."""
    match_id = service.running("ana", "bea", "carl")
    people = ("ana", "bea", "carl")
    start, first = stored(service, match_id).head, service.asked(match_id, *people)
    while first == "ana":
        match_id = service.running(*people)
        start, first = stored(service, match_id).head, service.asked(match_id, *people)
    service.order(first, match_id, FIRST, "draw pile")
    ask(service, match_id, first, start)
    wish = open_wish(stored(service, match_id))
    assert wish
    with pytest.raises(Forbidden, match="as a player"):
        done(service, refuse_undo, match_id, "ana", wish.pos, "no")
    assert open_wish(stored(service, match_id)) == wish
    assert done(service, answer_undo, match_id, "ana", wish.pos, False) is False
    assert open_wish(stored(service, match_id)) is None


def test_who_asked_may_take_it_back(service: Service, match_id: str) -> None:
    first, second, start, _ = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    ask(service, match_id, first, start)
    wish = open_wish(stored(service, match_id))
    assert wish
    with pytest.raises(Forbidden):
        done(service, withdraw_undo, match_id, second, wish.pos)
    with pytest.raises(Forbidden, match="already"):
        ask(service, match_id, first, start)
    done(service, withdraw_undo, match_id, first, wish.pos)
    assert open_wish(stored(service, match_id)) is None


def test_only_moments_of_ones_own_turn_can_be_asked_for(service: Service, match_id: str) -> None:
    first, second, start, head = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    before = service.contents()
    for who, to, problem in (
        (second, start, Forbidden),
        (first, head, Forbidden),
        (first, head + 1, Unknown),
        (first, 1, Unknown),
        (second, stored(service, match_id).head, Unknown),
        ("owner", start, Forbidden),
    ):
        with pytest.raises(problem):
            ask(service, match_id, who, to)
    with pytest.raises(Stale):
        done(service, ask_undo, match_id, first, start, "late", head)
    assert service.contents() == before
    seat = service.get(first, f"/matches/{match_id}")["my_seat"]
    assert list(undo_places(stored(service, match_id), seat)) == [start + 1, start]


def test_the_order_just_played_is_the_first_that_may_be_taken_back(
    service: Service, match_id: str
) -> None:
    first, _ = in_order(service, match_id)
    start = stored(service, match_id).head
    service.order(first, match_id, FIRST)
    seat = service.get(first, f"/matches/{match_id}")["my_seat"]
    assert list(undo_places(stored(service, match_id), seat)) == [start]


def test_what_holds_a_secret_or_the_seed_reveals_whatever_is_said_of_its_order() -> None:
    match = play(play(played(0), 0, FIRST), 0, "draw pile")
    quiet, loud = (
        replace(match, game=replace(match.game, commits=lambda *_, said=said: said))
        for said in (False, True)
    )
    tile = next(entry for entry in match.log if entry.order)
    secret = (
        next(entry for entry in match.log if type(entry.event).__name__ == "CardDrawn"),
        tile._replace(hidden=True),
        tile._replace(event=SeedRevealed("seed")),
    )
    assert [entry_reveals(quiet, entry) for entry in (*secret, tile)] == [True, True, True, False]
    nobodys = (tile._replace(order=None), tile._replace(seat=None))
    assert [entry_reveals(loud, entry) for entry in (tile, *nobodys)] == [True, False, False]


def test_who_plays_every_seat_needs_nobodys_leave(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    start = stored(service, match_id).head
    service.order("ana", match_id, FIRST, "draw pile")
    assert ask(service, match_id, "ana", start) is True


@pytest.mark.parametrize("agrees", [True, False])
def test_who_plays_two_of_three_seats_answers_for_both(service: Service, agrees: bool) -> None:
    match_id = service.open_table("ana", "me", "me", {"email": "bea@example.com"})
    service.post("bea", f"/matches/{match_id}/join")
    while service.asked(match_id, "ana", "bea") == "ana":
        service.order("ana", match_id, a_tile(service, match_id), "end")
    start = stored(service, match_id).head
    service.order("bea", match_id, a_tile(service, match_id), "draw pile")
    assert ask(service, match_id, "bea", start) is False
    wish = open_wish(stored(service, match_id))
    assert wish
    assert done(service, answer_undo, match_id, "ana", wish.pos, agrees) is agrees
    match = stored(service, match_id)
    assert open_wish(match) is None
    answers = ["UndoAnswered", "UndoAnswered", "Rewound"] if agrees else ["UndoAnswered"]
    assert kinds(match, wish.pos) == answers  # one who does not agree is enough
    assert record.verify(record.read(record.export(match))).sound


def test_who_agrees_for_two_seats_is_asked_no_more(service: Service) -> None:
    guests = [{"email": f"{name}@example.com"} for name in ("bea", "carl")]
    match_id = service.open_table("ana", "me", "me", *guests)
    for name in ("bea", "carl"):
        service.post(name, f"/matches/{match_id}/join")
    while (who := service.asked(match_id, "ana", "bea", "carl")) != "bea":
        service.order(who, match_id, a_tile(service, match_id), "end")
    start = stored(service, match_id).head
    service.order("bea", match_id, a_tile(service, match_id), "draw pile")
    assert ask(service, match_id, "bea", start) is False
    wish = open_wish(stored(service, match_id))
    assert wish
    assert done(service, answer_undo, match_id, "ana", wish.pos, True) is False
    assert done(service, answer_undo, match_id, "carl", wish.pos, True) is True


def a_tile(service: Service, match_id: str) -> str:
    """Some order that lays a tile now."""
    match = stored(service, match_id)
    (seat,) = match.game.to_act(match.state)
    orders = map(match.game.format, match.game.legal(match.state, seat))
    return next(order for order in orders if order.startswith("place triple"))
