"""Who cares for a match and plays in it is no judge: the others agree, or a moderator acts who does not play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import select

from app.mail.incoming.receive import receive_mail
from app.matches.participants import load_seats
from app.matches.record_import import import_record, read_record
from app.matches.tables import join_table
from app.moderation.commands import OPERATOR
from app.moderation.consent import load_open_proposal, open_proposal
from app.people.account_deletion import export_account
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.services import EXTENSION_KEY
from app.platform.tables import Clock
from engine.core import record
from engine.core.refusal import Unknown
from tests.app.answering import letter as written
from tests.app.api.test_moderation import mails
from tests.app.browser import letters
from tests.app.kept import stored
from tests.app.moderating import (
    answer_proposal,
    ask_undo,
    hand_over,
    invite_moderator,
    name_moderator,
    replace_player,
    resign_and_settle,
    resign_seat,
    rewind_match,
    withdraw_proposal,
)
from tests.app.moderation.test_undo_requests import a_tile
from tests.app.seated import played
from tests.app.service import FIRST, NOON, Service, code

WHY = {"reason": "a slip"}


pytestmark = pytest.mark.people("owner", "ana", "bea", "carl", "dora")


@pytest.fixture
def match_id(service: Service) -> str:
    """Ana owns the match and plays it with Bea; the first order is given."""
    made = service.running("ana", "bea")
    service.order(service.asked(made, "ana", "bea"), made, FIRST)
    return made


def kinds(service: Service, match_id: str, since: int = 0) -> list[str]:
    return [type(entry.event).__name__ for entry in stored(service, match_id).log[since:]]


def seat_of(service: Service, match_id: str, who: str) -> int:
    return int(service.get(who, f"/matches/{match_id}")["my_seat"])


def done(service: Service, act: Callable[..., Any], match_id: str, who: Any, *more: Any) -> Any:
    carer = service.ids[who] if isinstance(who, str) else who
    with service.database.session() as session:
        return act(session, match_id, carer, *more, NOON)


def waiting(service: Service, match_id: str) -> tuple[int, ...] | None:
    with service.database.look() as session:
        found = load_open_proposal(session, stored(service, match_id))
        return found and found.waiting


def answer(service: Service, match_id: str, who: str, agrees: bool = True) -> bool:
    found = open_proposal(stored(service, match_id))
    assert found
    return bool(done(service, answer_proposal, match_id, who, found.pos, agrees))


def run_out(service: Service, match_id: str, who: str) -> None:
    """Somebody is asked and has no time left."""
    seat = seat_of(service, match_id, who)
    tried = 0
    while (match := stored(service, match_id)).game.to_act(match.state) != (seat,):
        asked = service.asked(match_id, *who_plays(service, match_id))
        if service.order(asked, match_id, "end").status_code != 200:
            assert service.order(asked, match_id, a_tile(service, match_id)).status_code == 200
        tried += 1
        assert tried < 20
    service.run_out(match_id, seat)


def who_plays(service: Service, match_id: str) -> set[str]:
    with service.database.look() as session:
        ids = {seat.player_id for seat in load_seats(session, match_id)}
    return {name for name, number in service.ids.items() if number in ids}


def judge(service: Service, who: str) -> None:
    with service.database.session() as session:
        session.get_one(tables.Player, service.ids[who]).moderator = True


def back(service: Service, match_id: str, who: str = "ana") -> Any:
    head = stored(service, match_id).head
    wish = {**WHY, "head": head, "to": head - 1}
    return service.post(who, f"/matches/{match_id}/rewind", wish)


# What needs the others


def test_an_owner_who_plays_goes_back_only_if_the_others_agree(
    service: Service, match_id: str
) -> None:
    before = stored(service, match_id)
    told = back(service, match_id)
    bea = seat_of(service, match_id, "bea")
    assert told == {"head": before.head + 1, "awaiting": [bea]}
    assert stored(service, match_id).state == before.state
    assert {m.player_id for m in mails(service, match_id, "proposal")} == {service.ids["bea"]}
    assert mails(service, match_id, "rewound") == []
    assert answer(service, match_id, "bea") is True
    assert kinds(service, match_id, before.head) == ["ActProposed", "ProposalAnswered", "Rewound"]
    assert stored(service, match_id).log[-1].event.by == "owner"
    assert waiting(service, match_id) is None
    with service.database.look() as session:
        deeds = session.exec(select(tables.Audit).where(tables.Audit.match_id == match_id)).all()
    assert [(deed.act, deed.player_id) for deed in deeds] == [
        ("ActProposed", service.ids["ana"]),
        ("rewind", service.ids["ana"]),
    ]


def test_one_who_does_not_agree_ends_it_and_the_owner_hears_of_it(
    service: Service, match_id: str
) -> None:
    head = stored(service, match_id).head
    back(service, match_id)
    assert answer(service, match_id, "bea", agrees=False) is False
    assert kinds(service, match_id, head) == ["ActProposed", "ProposalAnswered"]
    assert [m.player_id for m in mails(service, match_id, "declined")] == [service.ids["ana"]]
    with pytest.raises(Unknown, match="settled"):
        done(service, answer_proposal, match_id, "bea", head + 1, True)


def test_of_three_both_others_are_asked(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl")
    service.order(service.asked(match_id, "ana", "bea", "carl"), match_id, FIRST)
    back(service, match_id)
    assert answer(service, match_id, "bea") is False
    with pytest.raises(Forbidden, match="not asked"):
        answer(service, match_id, "bea")
    assert answer(service, match_id, "carl") is True


def test_it_gives_who_proposed_it_no_time(service: Service) -> None:
    match_id = service.open_table("ana", "me", {"email": "bea@example.com"}, pace={"hours": 3})
    service.post("bea", f"/matches/{match_id}/join")
    who = service.asked(match_id, "ana", "bea")
    service.order(who, match_id, FIRST)
    due = service.get("ana", f"/matches/{match_id}")["deadline"]
    back(service, match_id)
    assert answer(service, match_id, "bea")
    later = service.get("ana", f"/matches/{match_id}")["deadline"]
    assert (later == due) is (who == "ana")  # a day at least for Bea, who did not wish it


def test_what_was_cut_comes_back_only_with_consent(service: Service, match_id: str) -> None:
    back(service, match_id)
    answer(service, match_id, "bea")
    head = stored(service, match_id).head
    told = service.post("ana", f"/matches/{match_id}/restore", {"head": head})
    assert told["awaiting"] == [seat_of(service, match_id, "bea")]
    assert answer(service, match_id, "bea") is True
    assert kinds(service, match_id)[-1] == "Restored"


def test_more_time_for_the_own_seat_needs_consent_and_for_another_does_not(
    service: Service, match_id: str
) -> None:
    wish = {**WHY, "hours": 5}
    asked = service.asked(match_id, "ana", "bea")
    for _ in range(2):
        before = service.get("ana", f"/matches/{match_id}")["deadline"]
        told = service.post("ana", f"/matches/{match_id}/extend", wish)
        if asked == "ana":
            assert told["awaiting"] == [seat_of(service, match_id, "bea")]
            assert told["deadline"] == before
            assert answer(service, match_id, "bea")
        else:
            assert told["awaiting"] == []
        assert service.get("ana", f"/matches/{match_id}")["deadline"] > before
        assert open_proposal(stored(service, match_id)) is None  # it is done, once
        assert kinds(service, match_id)[-1] == "Extended"
        service.order(asked, match_id, "end")
        asked = "bea" if asked == "ana" else "ana"


@pytest.mark.parametrize("winners", [[], [0]])
def test_closing_needs_consent_with_winners_and_without(
    service: Service, match_id: str, winners: list[int]
) -> None:
    told = service.post("ana", f"/matches/{match_id}/close", {**WHY, "winners": winners})
    assert (told["status"], told["awaiting"]) == ("running", [seat_of(service, match_id, "bea")])
    assert answer(service, match_id, "bea") is True
    closed = stored(service, match_id).log[-2].event
    assert (type(closed).__name__, closed.winners) == ("Closed", tuple(winners))
    assert service.get("ana", f"/matches/{match_id}")["status"] == "closed"


def test_who_has_run_out_of_time_does_not_keep_a_match_from_being_void(
    service: Service, match_id: str
) -> None:
    run_out(service, match_id, "bea")
    told = service.post("ana", f"/matches/{match_id}/close", {**WHY, "winners": [0]})
    assert told["awaiting"]  # nobody makes themselves a winner so
    answer(service, match_id, "bea", agrees=False)
    assert service.post("ana", f"/matches/{match_id}/close", WHY)["status"] == "closed"


def test_an_owner_who_plays_may_pause_and_let_go_on(service: Service, match_id: str) -> None:
    for act, status in (("pause", "paused"), ("resume", "running")):
        assert service.post("ana", f"/matches/{match_id}/{act}", WHY)["status"] == status


def test_a_paused_match_can_be_decided_on(service: Service, match_id: str) -> None:
    service.post("ana", f"/matches/{match_id}/pause", WHY)
    back(service, match_id)
    assert answer(service, match_id, "bea") is True
    assert service.get("ana", f"/matches/{match_id}")["status"] == "paused"


def test_a_judge_is_not_chosen_by_one_party_alone(service: Service, match_id: str) -> None:
    assert done(service, invite_moderator, match_id, "ana", "dora@example.com", None) is False
    assert mails(service, match_id, "care") == []
    assert answer(service, match_id, "bea") is True
    assert [m.email for m in mails(service, match_id, "care")] == ["dora@example.com"]


def test_when_a_judge_was_agreed_on_other_things_can_be_proposed(
    service: Service, match_id: str
) -> None:
    done(service, invite_moderator, match_id, "ana", "dora@example.com", None)
    assert answer(service, match_id, "bea") is True
    assert kinds(service, match_id)[-1] == "ProposalDone"
    assert waiting(service, match_id) is None
    assert record.verify(record.read(record.redacted(stored(service, match_id), None))).sound
    assert service.post("ana", f"/matches/{match_id}/close", WHY)["awaiting"]


def test_an_agreed_judge_is_told_of_once(service: Service, match_id: str) -> None:
    """When somebody leaves, what stands open is settled; this does not."""
    done(service, invite_moderator, match_id, "ana", "dora@example.com", None)
    answer(service, match_id, "bea")
    done(service, resign_and_settle, match_id, "bea", "no time", None)
    assert len(mails(service, match_id, "care")) == 1


def test_a_finished_match_is_reopened_by_a_judge_alone(service: Service) -> None:
    over = played(10_000, "overmatch2")
    service.put_match(over, ["ana", "bea"])
    with service.database.session() as session:
        session.get_one(tables.Match, over.id).owner_id = service.ids["ana"]
    ends = sorted({e.act: e.pos for e in over.timeline.effective}.values())
    body = {**WHY, "head": over.head, "to": ends[-2]}
    response = service.call("ana", "POST", f"/matches/{over.id}/rewind", json=body)
    assert code(response) == "forbidden"
    assert "it is over" in response.get_json()["error"]["message"]
    rewind_match(service.database, over.id, OPERATOR, None, ends[-2], "a slip", NOON)


# Who needs nobody


def test_a_moderator_who_does_not_play_acts_at_once(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    service.order(service.asked(match_id, "ana", "bea"), match_id, FIRST)
    assert back(service, match_id, "owner")["awaiting"] == []
    assert kinds(service, match_id)[-1] == "Rewound"
    told = service.post("owner", f"/matches/{match_id}/close", {**WHY, "winners": [1]})
    assert (told["status"], told["awaiting"]) == ("closed", [])


def test_a_named_moderator_who_plays_is_party_too(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    service.order(service.asked(match_id, "ana", "bea"), match_id, FIRST)
    done(service, name_moderator, match_id, "owner", service.ids["bea"], None)
    assert back(service, match_id, "bea")["awaiting"] == [seat_of(service, match_id, "ana")]
    # The owner, who does not play, hears of it too and may do it.
    told = {m.player_id for m in mails(service, match_id, "proposal")}
    assert told == {service.ids["ana"], service.ids["owner"]}


def test_a_moderator_of_the_site_who_plays_is_party_too(service: Service, match_id: str) -> None:
    judge(service, "bea")
    assert back(service, match_id, "bea")["awaiting"] == [seat_of(service, match_id, "ana")]


def test_against_bots_nobody_is_asked(service: Service) -> None:
    match_id = service.open_table("ana", "me", {"bot": "random"})
    with service.database.session() as session:
        for seat in session.exec(select(tables.Seat)):
            seat.player_id, seat.bot = (
                (service.ids["ana"], None) if seat.number == 0 else (None, "random")
            )
    match = stored(service, match_id)
    if match.game.to_act(match.state) == (0,):
        service.order("ana", match_id, FIRST)
        assert back(service, match_id)["awaiting"] == []
    told = service.post("ana", f"/matches/{match_id}/close", {**WHY, "winners": [0]})
    assert told["status"] == "closed"


# Seats


def replace(service: Service, match_id: str, by: str, of: str, **to: str) -> Any:
    seat = seat_of(service, match_id, of)
    return service.post(by, f"/matches/{match_id}/seats/{seat}/replace", {**WHY, **to})


def test_who_is_not_overdue_must_agree_whoever_the_moderator_is(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    seat = seat_of(service, match_id, "bea")
    told = replace(service, match_id, "owner", "bea", bot="random")
    assert told["awaiting"] == [seat]
    assert answer(service, match_id, "bea", agrees=False) is False
    assert seat_of(service, match_id, "bea") == seat
    replace(service, match_id, "owner", "bea", email="dora@example.com")
    with pytest.raises(Forbidden, match="not asked"):
        answer(service, match_id, "ana")
    assert answer(service, match_id, "bea") is True
    service.post("dora", f"/matches/{match_id}/join")
    assert seat_of(service, match_id, "dora") == seat


def test_who_is_overdue_is_replaced_at_once_by_one_who_does_not_play(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    run_out(service, match_id, "bea")
    assert replace(service, match_id, "owner", "bea", email="dora@example.com")["awaiting"] == []
    assert kinds(service, match_id)[-1] == "SeatReplaced"


def test_for_whom_a_bot_stands_in_is_overdue(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    with service.database.session() as session:
        seat = session.get_one(tables.Seat, (match_id, seat_of(service, match_id, "bea")))
        seat.bot = "random"
    assert replace(service, match_id, "owner", "bea", bot="random")["awaiting"] == []


@pytest.mark.parametrize("overdue", [True, False])
def test_an_owner_who_plays_asks_the_others_too(service: Service, overdue: bool) -> None:
    match_id = service.running("ana", "bea", "carl")
    if overdue:
        run_out(service, match_id, "bea")
    bea, carl = (seat_of(service, match_id, who) for who in ("bea", "carl"))
    told = replace(service, match_id, "ana", "bea", bot="random")
    assert told["awaiting"] == ([carl] if overdue else sorted([bea, carl]))


def test_the_last_other_player_goes_to_a_bot_when_overdue_but_not_to_a_second_address(
    service: Service, match_id: str
) -> None:
    run_out(service, match_id, "bea")
    seat = seat_of(service, match_id, "bea")
    told = replace(service, match_id, "ana", "bea", email="second@example.com")
    assert told["awaiting"] == [seat]  # it would see that hand
    done(service, withdraw_proposal, match_id, "ana", stored(service, match_id).head)
    assert replace(service, match_id, "ana", "bea", bot="random")["awaiting"] == []


def test_a_moderator_of_the_site_and_the_operator_always_may(service: Service) -> None:
    match_id = service.running("ana", "bea")
    judge(service, "dora")
    assert replace(service, match_id, "dora", "bea", bot="random")["awaiting"] == []
    seat = seat_of(service, match_id, "ana")
    wish = (seat, None, "random", "gone", None)
    assert done(service, replace_player, match_id, OPERATOR, *wish) is True


def test_who_says_nothing_any_more_is_asked_again_when_back(service: Service) -> None:
    """Overdue when it was proposed, and back before the others had agreed."""
    match_id = service.running("ana", "bea", "carl")
    run_out(service, match_id, "bea")
    replace(service, match_id, "ana", "bea", bot="random")
    with service.database.session() as session:
        session.get_one(Clock, (match_id, seat_of(service, match_id, "bea"))).phase = "turn"
    assert answer(service, match_id, "carl") is False
    assert waiting(service, match_id) == (seat_of(service, match_id, "bea"),)


def test_seats_of_a_match_that_one_person_played_alone_are_not_given_away(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    judge(service, "dora")
    for who in ("ana", "dora"):
        for wish in ({"email": "carl@example.com"}, {"bot": "random"}):
            path = f"/matches/{match_id}/seats/1/replace"
            response = service.call(who, "POST", path, json={**WHY, **wish})
            assert code(response) == "forbidden"
            assert "seen all hands" in response.get_json()["error"]["message"]
    done(service, resign_seat, match_id, "ana", "enough", None)  # nor by way of a bot
    path = f"/matches/{match_id}/seats/0/replace"
    body = {**WHY, "email": "carl@example.com"}
    assert code(service.call("ana", "POST", path, json=body)) == "forbidden"


@pytest.mark.parametrize("who", ["owner", "dora", "ana"])
def test_nobody_who_sits_or_moderates_there_is_invited(service: Service, who: str) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    with service.database.session() as session:
        session.add(tables.Moderator(match_id=match_id, player_id=service.ids["dora"]))
    path = f"/matches/{match_id}/seats/{seat_of(service, match_id, 'bea')}/replace"
    body = {**WHY, "email": f"{who}@example.com"}
    assert code(service.call("owner", "POST", path, json=body)) == "forbidden"


def test_nor_takes_a_seat_with_the_link_of_another(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    run_out(service, match_id, "bea")
    replace(service, match_id, "owner", "bea", email="dora@example.com")
    (mail,) = (m for m in mails(service, match_id, "invitation") if m.email == "dora@example.com")
    with service.database.session() as session:
        owner = session.get_one(tables.Player, service.ids["owner"])
        with pytest.raises(Forbidden, match="care for"):
            join_table(session, match_id, owner, NOON, token=mail.payload["key"])


# What becomes of a proposal


def test_a_move_lets_it_lapse(service: Service, match_id: str) -> None:
    back(service, match_id)
    pos = stored(service, match_id).head
    service.order(service.asked(match_id, "ana", "bea"), match_id, "end")
    with pytest.raises(Unknown, match="settled"):
        done(service, answer_proposal, match_id, "bea", pos, True)


def test_other_hands_let_it_lapse(service: Service, match_id: str) -> None:
    back(service, match_id)
    done(service, hand_over, match_id, "ana", service.ids["bea"], "tired", None)
    assert open_proposal(stored(service, match_id)) is None


def test_who_gives_up_lets_it_lapse(service: Service, match_id: str) -> None:
    back(service, match_id)
    done(service, resign_seat, match_id, "ana", "tired", None)
    assert open_proposal(stored(service, match_id)) is None


def test_when_the_last_one_waited_for_gives_up_it_is_done(service: Service) -> None:
    match_id = service.running("ana", "bea", "carl")
    service.order(service.asked(match_id, "ana", "bea", "carl"), match_id, FIRST)
    back(service, match_id)
    answer(service, match_id, "carl")
    done(service, resign_and_settle, match_id, "bea", "tired", None)
    assert kinds(service, match_id)[-1] == "Rewound"


def test_one_question_at_a_time(service: Service, match_id: str) -> None:
    head = stored(service, match_id).head
    back(service, match_id)
    body = {**WHY, "winners": [0]}
    response = service.call("ana", "POST", f"/matches/{match_id}/close", json=body)
    assert code(response) == "forbidden"
    who = service.asked(match_id, "ana", "bea")
    with pytest.raises(Forbidden, match="proposed already"):
        done(service, ask_undo, match_id, who, head - 1, "a slip", None)


def test_only_who_proposed_it_takes_it_back(service: Service, match_id: str) -> None:
    back(service, match_id)
    pos = stored(service, match_id).head
    with pytest.raises(Forbidden, match="Only who proposed"):
        done(service, withdraw_proposal, match_id, "bea", pos)
    with pytest.raises(Forbidden, match="not asked"):
        done(service, answer_proposal, match_id, "ana", pos, True)
    done(service, withdraw_proposal, match_id, "ana", pos)
    assert kinds(service, match_id)[-1] == "ProposalWithdrawn"
    assert open_proposal(stored(service, match_id)) is None


def test_strangers_do_not_learn_of_it(service: Service, match_id: str) -> None:
    back(service, match_id)
    pos = stored(service, match_id).head
    before = service.contents()
    for act, more in ((answer_proposal, (pos, True)), (withdraw_proposal, (pos,))):
        with pytest.raises(Unknown, match="no match"):
            done(service, act, match_id, "carl", *more)
    assert service.contents() == before


def test_what_cannot_be_done_is_not_proposed(service: Service, match_id: str) -> None:
    before = service.contents()
    for path, wish in (
        ("rewind", {"head": stored(service, match_id).head, "to": 10_000}),
        ("restore", {"head": stored(service, match_id).head}),
        ("extend", {"hours": 0}),
        ("close", {"winners": [7]}),
        ("seats/1/replace", {"bot": "nobody"}),
        ("seats/1/replace", {"email": "no address"}),
        ("seats/9/replace", {"bot": "random"}),
    ):
        body = wish if path == "restore" else {**WHY, **wish}
        response = service.call("ana", "POST", f"/matches/{match_id}/{path}", json=body)
        assert 400 <= response.status_code < 500, (path, response.text)
    assert service.contents() == before


def test_the_address_that_a_proposal_names_is_nowhere_to_be_read(service: Service) -> None:
    match_id = service.running("ana", "bea", owner="owner")
    replace(service, match_id, "owner", "bea", email="secret.person@example.com")
    for who in ("ana", "bea", "owner"):
        for path in ("", "/history", "/record", "/mails"):
            text = service.call(who, "GET", f"/matches/{match_id}{path}").text
            assert "secret.person" not in text
        with service.database.look() as session:
            assert "secret.person" not in str(export_account(session, service.ids[who], NOON))
    assert "secret.person" not in "".join(
        m.source for m in letters(services(service), "bea@example.com")
    )
    assert answer(service, match_id, "bea", agrees=False) is False
    with service.database.look() as session:
        assert [row.email for row in session.exec(select(tables.Proposal))] == [None]


def services(service: Service) -> Any:
    return service.app.extensions[EXTENSION_KEY]


def test_a_record_with_proposals_is_sound_and_an_imported_one_is_nobodys(
    service: Service, match_id: str
) -> None:
    back(service, match_id)
    match = stored(service, match_id)
    assert record.verify(record.read(record.export(match))).sound
    with service.database.session() as session:
        dora = session.get_one(tables.Player, service.ids["dora"])
        row = import_record(
            session, dora, read_record(record.text(record.export(match)).encode()), NOON
        )
        imported = row.id
    assert waiting(service, imported) is None
    with pytest.raises(Unknown, match="settled"):
        done(service, answer_proposal, imported, "dora", match.head, True)


# Mails


@pytest.mark.parametrize(
    ("language", "asked", "word"),
    [
        ("en", "Ana proposes to go back to position", "agree"),
        ("fr", "Ana propose de revenir à la position", "d'accord"),
        ("pt_BR", "Ana propõe voltar à posição", "concordo"),
    ],
)
def test_the_mail_tells_what_is_proposed_and_how_to_answer(
    service: Service, match_id: str, language: Any, asked: str, word: str
) -> None:
    with service.database.session() as session:
        session.get_one(tables.Player, service.ids["bea"]).language = language
    back(service, match_id)
    letter = letters(services(service), "bea@example.com")[-1]
    assert asked in letter.text
    assert word in letter.text.replace("’", "'")
    assert letter.html is not None
    assert asked in letter.html
    assert word in letter.html.replace("&#39;", "'").replace("’", "'")


@pytest.mark.parametrize(("word", "granted"), [("agree", True), ("disagree", False)])
def test_one_word_answers_it(service: Service, match_id: str, word: str, granted: bool) -> None:
    back(service, match_id)
    mail = letters(services(service), "bea@example.com")[-1]
    to = next(
        line.partition(":")[2].strip()
        for line in mail.source.splitlines()
        if line.startswith("Reply-To:")
    )
    outcome = receive_mail(services(service), to, written(word, "bea@example.com"))
    assert outcome == "told"
    assert (kinds(service, match_id)[-1] == "Rewound") is granted
    assert open_proposal(stored(service, match_id)) is None
