"""Standing orders at work: the service answers for those who sleep, some seconds after they were asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.matches.sleeping_seats import LATEST, SOONEST
from app.matches.standing_answers import give_answer
from app.moderation.commands import OPERATOR
from app.people.account_deletion import export_account
from app.platform import tables
from app.platform.errors import Stale
from app.platform.services import EXTENSION_KEY, Services
from engine.core.match import Match, start_at
from engine.core.refusal import NotUnderstood
from engine.core.registry import find
from engine.cuzco.text.wishes import parse, write
from tests.app import sleepers
from tests.app.browser import letters
from tests.app.moderating import pause_match, restore_match, resume_match, rewind_match
from tests.app.service import NOON, Service, code
from tests.games.table import cuzco
from workers import bots, relay
from workers import standing as worker

PEOPLE = ("ana", "bea", "cyd")
PROPOSE = "festival k10 tumi"


def feast(match_id: str = "thefeast22", **hands: str) -> Match:
    """Three in the city of k10, A to play; the open card is tumi."""
    cards = "; ".join(f"{letter} hand {hand}" for letter, hand in hands.items())
    position = cuzco(
        f"seats 3; turn A ap 0 laid; villages k8 k10 k12 j9 j11; A at k8; B at k12; C at j9; "
        f"temple k10 8; open tumi; {cards}"
    ).state
    return start_at(find("cuzco"), position, "a seed for tests", match_id)


pytestmark = pytest.mark.people("owner", *PEOPLE)


def seated(service: Service, **hands: str) -> str:
    match = feast(**hands)
    service.put_match(match, list(PEOPLE))
    return match.id


def stand(service: Service, who: str, match_id: str, **wish: Any) -> None:
    path = f"/matches/{match_id}/standing"
    response = service.call(who, "PUT", path, json={"festival": wish})
    assert response.status_code == 200, response.text


def story(service: Service, who: str, match_id: str) -> list[tuple[int | None, str]]:
    events = service.get(who, f"/matches/{match_id}/history")["events"]
    return [(event["seat"], event["kind"]) for event in events[2:]]


def mails(service: Service, kind: str, state: str = "waiting") -> list[str]:
    query = (
        select(tables.Player.name)
        .join(tables.Outbox, tables.Outbox.player_id == tables.Player.id)  # type: ignore[arg-type]
        .where(tables.Outbox.kind == kind, tables.Outbox.state == state)
    )
    with service.database.look() as session:
        return sorted(session.exec(query))


def services(service: Service) -> Services:
    found: Services = service.app.extensions[EXTENSION_KEY]
    return found


def answers(service: Service) -> int:
    """Lets all who sleep answer, and what nobody awaits any more be dropped; says how many answers."""
    given = sleepers.answers(services(service))
    relay.drain(services(service))
    return given


def due(service: Service, match_id: str) -> datetime | None:
    with service.database.look() as session:
        return session.get_one(tables.Match, match_id).standing_at


def test_the_service_bids_for_who_sleeps_and_asks_the_next(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi tumi", C="tumi")
    stand(service, "bea", match_id, up_to=1, share=True)
    answer = service.order("ana", match_id, PROPOSE).json
    assert [event["kind"] for event in answer["events"]] == [  # type: ignore[index]
        "FestivalProposed",
        "AnswerAsked",
    ]
    assert service.get("cyd", f"/matches/{match_id}")["to_act"] == [1]
    relay.drain(services(service))
    assert mails(service, "question", "sent") == []  # Bea's waits until she would have answered
    assert answers(service) == 1
    assert story(service, "cyd", match_id)[-2:] == [(1, "BidMade"), (1, "AnswerAsked")]
    assert service.get("cyd", f"/matches/{match_id}")["to_act"] == [2]
    assert mails(service, "question", "sent") == ["Cyd"]  # nobody is called who need not come
    assert mails(service, "question", "dropped") == ["Bea"]


def test_an_answer_has_its_own_moment_some_seconds_after_the_question(service: Service) -> None:
    moments = set()
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    begin = load_match(service.database, match_id).head
    for _ in range(10):
        stand(service, "bea", match_id, up_to=3, share=True)
        start = load_match(service.database, match_id).head
        assert service.order("ana", match_id, PROPOSE).status_code == 200
        asked, moment = services(service).now(), due(service, match_id)
        assert moment is not None
        assert SOONEST <= (moment - asked).total_seconds() <= LATEST
        moments.add((moment - asked).total_seconds())
        at = moment - timedelta(seconds=1)
        services(service).now = lambda at=at: at  # type: ignore[misc]  # bound at once
        assert worker.answer(services(service)) == 0  # not before its moment
        services(service).now = lambda moment=moment: moment  # type: ignore[misc]
        assert worker.answer(services(service)) == 1
        events = service.get("ana", f"/matches/{match_id}/history")["events"]
        times = {event["kind"]: event["at"] for event in events[start:]}
        assert datetime.fromisoformat(times["FestivalProposed"]) == asked
        assert datetime.fromisoformat(times["BidMade"]) == moment
        rewind_match(service.database, match_id, OPERATOR, None, begin, "again", moment)
    assert len(moments) == 10


def test_all_asleep_a_festival_is_answered_to_its_end_each_at_its_own_time(
    service: Service,
) -> None:
    match_id = seated(service, A="tumi tumi+kero tumi+kero", B="tumi+quipu tumi+quipu", C="tumi")
    stand(service, "ana", match_id, up_to=3, share=False)
    stand(service, "bea", match_id, up_to=2, share=True)
    stand(service, "cyd", match_id, up_to=0)
    assert service.order("ana", match_id, PROPOSE).status_code == 200
    assert answers(service) == 6
    # B levels at 1, C passes, A goes ahead with 2, B levels, A goes ahead with 3, B cannot and says so.
    assert [
        (seat, kind)
        for seat, kind in story(service, "ana", match_id)
        if kind in ("BidMade", "DroppedOut", "FestivalHeld")
    ] == [(1, "BidMade"), (2, "DroppedOut"), (0, "BidMade"), (1, "BidMade"),
          (0, "BidMade"), (1, "DroppedOut")]  # fmt: skip
    events = service.get("ana", f"/matches/{match_id}/history")["events"]
    times = [
        event["at"] for event in events[2:] if event["kind"] in ("FestivalProposed", "BidMade")
    ]
    assert len(set(times)) == len(times)
    assert service.get("ana", f"/matches/{match_id}")["to_act"] == [1]
    assert mails(service, "turn", "sent") == ["Bea"]
    assert mails(service, "question", "sent") == []
    assert due(service, match_id) is None


def test_who_is_asked_again_because_of_them_is_told(service: Service) -> None:
    match_id = seated(
        service, A="tumi tumi+kero tumi+kero", B="tumi tumi+quipu tumi+quipu", C="tumi"
    )
    stand(service, "cyd", match_id, up_to=0)
    service.order("ana", match_id, PROPOSE)
    stand(service, "ana", match_id, up_to=3)
    assert mails(service, "question") == ["Bea"]
    assert service.order("bea", match_id, "bid tumi").status_code == 200
    assert answers(service) == 2
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]  # A went ahead
    assert mails(service, "question", "sent") == ["Bea"]  # the first was answered before it left


def test_a_question_taken_over_by_its_person_is_answered_once(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi tumi", C="tumi")
    stand(service, "bea", match_id, up_to=1, share=True)
    service.order("ana", match_id, PROPOSE)
    moment = due(service, match_id)
    assert moment
    assert service.order("bea", match_id, "pass").status_code == 200
    assert due(service, match_id) is None
    assert not give_answer(service.database, (match_id, moment), moment)
    assert answers(service) == 0
    assert story(service, "ana", match_id).count((1, "BidMade")) == 0


def test_orders_taken_back_before_their_moment_leave_the_question_to_the_person(
    service: Service,
) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
    service.call("bea", "DELETE", f"/matches/{match_id}/standing")
    assert answers(service) == 0
    assert due(service, match_id) is None
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]
    assert mails(service, "question", "sent") == ["Bea"]  # late, and not lost


def test_a_paused_match_answers_when_it_goes_on(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
    with service.database.session() as session:
        pause_match(session, match_id, OPERATOR, "lunch", None, NOON)
    assert answers(service) == 0
    with service.database.session() as session:
        resume_match(session, match_id, OPERATOR, "done", None, NOON)
    assert answers(service) == 1


def test_a_match_that_went_back_is_not_answered_for_the_part_that_was_cut(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    start = load_match(service.database, match_id).head
    service.order("ana", match_id, PROPOSE)
    rewind_match(service.database, match_id, OPERATOR, None, start, "a slip", NOON)
    assert due(service, match_id) is None
    restore_match(service.database, match_id, OPERATOR, None, NOON)
    stand(service, "bea", match_id, up_to=3, share=True)  # asked already: for the next question
    assert answers(service) == 0
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]


def test_of_many_who_answer_for_a_sleeper_one_does(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi tumi", C="tumi")
    stand(service, "bea", match_id, up_to=1, share=True)
    service.order("ana", match_id, PROPOSE)
    moment = due(service, match_id)
    assert moment
    seen = (match_id, moment)

    def sweep(_: int) -> bool:
        try:
            return give_answer(service.database, seen, moment)
        except Stale:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(sweep, range(8))) == 1
    assert story(service, "ana", match_id).count((1, "BidMade")) == 1
    with service.database.look() as session:
        assert len(session.exec(select(tables.Answered)).all()) == 1


def test_the_mail_log_does_not_tell_a_sleeper_from_others(service: Service) -> None:
    """A row is there for whoever is asked, from the same moment on."""
    logs = []
    for match_id, sleeps in (("thefeast22", True), ("thefeast33", False)):
        service.put_match(feast(match_id, A="tumi", B="tumi", C="tumi"), list(PEOPLE))
        if sleeps:
            stand(service, "bea", match_id, up_to=3, share=True)
        service.order("ana", match_id, PROPOSE)
        logs.append(service.get("ana", f"/matches/{match_id}/mails")["mails"])
    assert logs[0] == logs[1]
    assert [mail["seat"] for mail in logs[0]] == [1]


def test_nobody_can_read_when_standing_orders_will_answer(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
    moment = due(service, match_id)
    assert moment
    for who in PEOPLE:
        with service.database.look() as session:
            whole = str(export_account(session, service.ids[who], NOON))
        assert "standing_at" not in whole
        assert moment.isoformat()[:19] not in whole


def test_a_bot_is_asked_after_a_sleeper(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    with service.database.session() as session:
        seat = session.get_one(tables.Seat, (match_id, 2))
        seat.player_id, seat.bot = None, "random"
    service.order("ana", match_id, PROPOSE)
    assert bots.play(services(service)) == 0
    assert answers(service) == 1
    assert bots.play(services(service)) >= 1


def test_who_is_asked_again_because_of_one_other_is_told(service: Service) -> None:
    match_id = seated(
        service, A="tumi tumi+kero tumi+kero", B="tumi tumi+quipu tumi+quipu", C="tumi"
    )
    for who, order in (("ana", PROPOSE), ("bea", "bid tumi"), ("cyd", "pass")):
        assert service.order(who, match_id, order).status_code == 200
    assert service.order("ana", match_id, "bid tumi+kero").status_code == 200
    relay.drain(services(service))
    told = mails(service, "question", "sent").count("Bea")
    stand(service, "ana", match_id, up_to=3)
    assert service.order("bea", match_id, "bid tumi+quipu").status_code == 200
    assert answers(service) == 1
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]  # A alone went ahead
    assert mails(service, "question", "sent").count("Bea") == told + 1


def test_silent_orders_leave_the_question_to_the_person(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, cities={"e14": 3}, share=True)
    service.order("ana", match_id, PROPOSE)
    assert due(service, match_id) is None  # nobody looks for an answer there
    assert answers(service) == 0
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]
    assert mails(service, "question", "sent") == ["Bea"]


def test_orders_given_when_already_asked_wait_for_the_next_question(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    service.order("ana", match_id, PROPOSE)
    stand(service, "bea", match_id, up_to=3, share=True)
    assert answers(service) == 0
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]


def test_orders_taken_back_do_nothing(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.call("bea", "DELETE", f"/matches/{match_id}/standing")
    service.order("ana", match_id, PROPOSE)
    assert answers(service) == 0
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]


def test_a_repeat_answers_as_the_first_did(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    first = service.order("ana", match_id, PROPOSE, key="once")
    assert service.order("ana", match_id, PROPOSE, key="once").json == first.json
    assert answers(service) == 1
    assert story(service, "ana", match_id).count((1, "BidMade")) == 1


def test_a_refused_order_moves_nobody(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    before = service.contents()
    assert code(service.order("ana", match_id, "festival k8 tumi")) == "illegal"
    assert code(service.order("ana", match_id, PROPOSE, "end")) == "illegal"  # none may look ahead
    assert service.contents() == before


def test_only_the_seat_itself_is_told_whose_word_it_was(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
    assert answers(service) == 1
    for who in PEOPLE:
        for path in ("", "/history", "/record", "/mails"):
            text = service.call(who, "GET", f"/matches/{match_id}{path}").text
            assert "standing" not in text.lower()
    with service.database.look() as session:
        (kept,) = session.exec(select(tables.Answered))
        assert (kept.match_id, kept.seat) == (match_id, 1)


def test_the_mail_to_who_slept_says_what_was_done_in_their_name(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    said = (("ana", PROPOSE, "cyd", 0), ("cyd", "pass", "ana", 0), ("ana", "hold", "bea", 2))
    for who, order, reader, told in said:
        assert service.order(who, match_id, order).status_code == 200
        answers(service)
        (mail,) = letters(services(service), f"{reader}@example.com")
        assert "Bea played tumi and reached 1 FP" in mail.text
        assert mail.text.count("(by your standing orders)") == told


def test_the_record_of_such_a_match_is_sound(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
    assert answers(service) == 1
    events = service.get("ana", f"/matches/{match_id}/history")["events"]
    assert [event["pos"] for event in events] == [*range(1, len(events) + 1)]
    (bid,) = (event for event in events if event["kind"] == "BidMade")
    assert bid["seat"] == 1  # an act of its seat like any


# As people write them


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("up to 3", {"up_to": 3, "share": False, "cities": {}}),
        ("Up to 3; share; never in G16", {"up_to": 3, "share": True, "cities": {"g16": 0}}),
        ("3 share e14 5, g16=0", {"up_to": 3, "share": True, "cities": {"e14": 5, "g16": 0}}),
        ("never g16", {"up_to": None, "share": False, "cities": {"g16": 0}}),
        ("share, alone", {"up_to": None, "share": False, "cities": {}}),
        ("only answers", {"up_to": None, "share": False, "cities": {}, "only": True}),
    ],
)
def test_orders_are_understood_from_a_line(text: str, wish: dict[str, Any]) -> None:
    wish = {"only": False, **wish}
    assert parse(text) == wish
    assert parse(write(wish)) == wish


@pytest.mark.parametrize("text", ["up to many", "never", "3 please", "g16", "<b>"])
def test_a_line_that_says_something_else_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood, match="cannot say this"):
        parse(text)
