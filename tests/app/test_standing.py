"""Standing orders at work: the service answers for those who sleep, in the act that asked them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from app import models, standing
from app.services import KEY, Services
from engine.core.match import Match, start_at
from engine.core.refusal import NotUnderstood
from engine.core.registry import find
from tests.app.browser import letters
from tests.app.service import Service, code
from tests.games.table import cuzco

PEOPLE = ("ana", "bea", "cyd")
PROPOSE = "festival k10 tumi"


def feast(**hands: str) -> Match:
    """Three in the city of k10, A to play; the open card is tumi."""
    cards = "; ".join(f"{letter} hand {hand}" for letter, hand in hands.items())
    position = cuzco(
        f"seats 3; turn A ap 0 laid; villages k8 k10 k12 j9 j11; A at k8; B at k12; C at j9; "
        f"temple k10 8; open tumi; {cards}"
    ).state
    return start_at(find("cuzco"), position, "a seed for tests", "thefeast22")


@pytest.fixture
def service(sqlite_folder: Path, tmp_path: Path) -> Iterator[Service]:
    with Service.on_sqlite(sqlite_folder, tmp_path / "service", "owner", *PEOPLE) as made:
        yield made


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


def mails(service: Service, kind: str) -> list[str]:
    query = (
        select(models.Player.name)
        .join(models.Outbox, models.Outbox.player_id == models.Player.id)  # type: ignore[arg-type]
        .where(models.Outbox.kind == kind)
    )
    with service.database.look() as session:
        return sorted(session.exec(query))


def test_the_service_bids_for_who_sleeps_and_asks_the_next(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi tumi", C="tumi")
    stand(service, "bea", match_id, up_to=1, share=True)
    answer = service.order("ana", match_id, PROPOSE).json
    assert [event["kind"] for event in answer["events"]] == [  # type: ignore[index]
        "FestivalProposed",
        "AnswerAsked",
        "BidMade",
        "AnswerAsked",
    ]
    match = service.get("cyd", f"/matches/{match_id}")
    assert (match["to_act"], match["head"]) == ([2], answer["head"])  # type: ignore[index]
    assert mails(service, "festival") == ["Cyd"]  # nobody is called who need not come


def test_all_asleep_a_festival_is_over_at_once(service: Service) -> None:
    match_id = seated(service, A="tumi tumi+kero tumi+kero", B="tumi+quipu tumi+quipu", C="tumi")
    stand(service, "ana", match_id, up_to=3, share=False)
    stand(service, "bea", match_id, up_to=2, share=True)
    stand(service, "cyd", match_id, up_to=0)
    assert service.order("ana", match_id, PROPOSE).status_code == 200
    acts = [
        (seat, kind)
        for seat, kind in story(service, "ana", match_id)
        if kind in ("BidMade", "DroppedOut", "FestivalHeld")
    ]
    # B levels at 1, C passes, A goes ahead with 2, B levels, A goes ahead with 3, B cannot.
    assert acts == [(1, "BidMade"), (2, "DroppedOut"), (0, "BidMade"), (1, "BidMade"),
                    (0, "BidMade"), (0, "DroppedOut")]  # fmt: skip
    assert service.get("ana", f"/matches/{match_id}")["to_act"] == [1]
    assert mails(service, "turn") == ["Bea"]
    assert mails(service, "festival") == []


def test_who_is_asked_again_because_of_them_is_told(service: Service) -> None:
    match_id = seated(
        service, A="tumi tumi+kero tumi+kero", B="tumi tumi+quipu tumi+quipu", C="tumi"
    )
    stand(service, "cyd", match_id, up_to=0)
    service.order("ana", match_id, PROPOSE)
    stand(service, "ana", match_id, up_to=3)
    assert mails(service, "festival") == ["Bea"]
    assert service.order("bea", match_id, "bid tumi").status_code == 200
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]  # A went ahead
    assert mails(service, "festival") == ["Bea", "Bea"]


def test_who_is_asked_again_because_of_one_other_is_told(service: Service) -> None:
    match_id = seated(
        service, A="tumi tumi+kero tumi+kero", B="tumi tumi+quipu tumi+quipu", C="tumi"
    )
    for who, order in (("ana", PROPOSE), ("bea", "bid tumi"), ("cyd", "pass")):
        assert service.order(who, match_id, order).status_code == 200
    assert service.order("ana", match_id, "bid tumi+kero").status_code == 200
    told = mails(service, "festival").count("Bea")
    stand(service, "ana", match_id, up_to=3)
    assert service.order("bea", match_id, "bid tumi+quipu").status_code == 200
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]  # A alone went ahead
    assert mails(service, "festival").count("Bea") == told + 1


def test_silent_orders_leave_the_question_to_the_person(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, cities={"e14": 3}, share=True)
    service.order("ana", match_id, PROPOSE)
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]
    assert mails(service, "festival") == ["Bea"]


def test_orders_given_when_already_asked_wait_for_the_next_question(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    service.order("ana", match_id, PROPOSE)
    stand(service, "bea", match_id, up_to=3, share=True)
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]


def test_orders_taken_back_do_nothing(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.call("bea", "DELETE", f"/matches/{match_id}/standing")
    service.order("ana", match_id, PROPOSE)
    assert service.get("bea", f"/matches/{match_id}")["to_act"] == [1]


def test_a_repeat_answers_as_the_first_did(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    first = service.order("ana", match_id, PROPOSE, key="once")
    assert service.order("ana", match_id, PROPOSE, key="once").json == first.json
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
    for who in PEOPLE:
        for path in ("", "/history", "/record", "/mails"):
            text = service.call(who, "GET", f"/matches/{match_id}{path}").text
            assert "standing" not in text.lower()
    with service.database.look() as session:
        (kept,) = session.exec(select(models.Answered))
        assert (kept.match_id, kept.seat) == (match_id, 1)


def test_the_mail_to_who_slept_says_what_was_done_in_their_name(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    services: Services = service.app.extensions[KEY]
    for who, order, reader, told in (("ana", PROPOSE, "cyd", 0), ("cyd", "pass", "bea", 1)):
        assert service.order(who, match_id, order).status_code == 200
        (mail,) = letters(services, f"{reader}@example.com")
        assert "Bea played tumi and reached 1 FP" in mail.text
        assert mail.text.count("(by your standing orders)") == told


def test_the_record_of_such_a_match_is_sound(service: Service) -> None:
    match_id = seated(service, A="tumi", B="tumi", C="tumi")
    stand(service, "bea", match_id, up_to=3, share=True)
    service.order("ana", match_id, PROPOSE)
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
    ],
)
def test_orders_are_understood_from_a_line(text: str, wish: dict[str, Any]) -> None:
    assert standing.from_line(text) == wish
    assert standing.from_line(standing.line(wish)) == wish


@pytest.mark.parametrize("text", ["up to many", "never", "3 please", "g16", "<b>"])
def test_a_line_that_says_something_else_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood, match="cannot say this"):
        standing.from_line(text)
