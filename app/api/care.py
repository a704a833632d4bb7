"""Care of a match, by its moderators: what was learned, pausing, extending, closing, giving a seat to another."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from app.api.answers import Cared, Knowledge, Match
from app.api.bodies import After, Caring, Closing, Extending, Replacing
from app.api.operation import MODERATING, Answer, Call, Look, act, look
from app.api.writing import match_told, said, told
from app.matches.access import access_match
from app.moderation.commands import Close, Command, Extend, Pause, ReplacePlayer, Resume
from app.moderation.execute import execute
from app.platform.i18n import translate_sentence
from app.views.knowledge_report import load_knowledge_report
from app.views.match_json import load_table, seat_names, tell_match

CARE = (403, 404, 409, 413)


def learned(at: Look) -> dict[str, object]:
    found = load_knowledge_report(at.session, at.table, at.call.query.to)
    called = {seat: said(name) or "" for seat, name in seat_names(at.table).items()}
    return {
        "to": found.to,
        "head": found.head,
        "public": found.public,
        "shown": [translate_sentence(sentence, called) for sentence in found.shown],
        "seats": [
            {
                "seat": seat.seat,
                "count": seat.count,
                "kinds": seat.kinds,
                "text": translate_sentence(seat.sentence, called),
                "told": [translate_sentence(sentence, called) for sentence in seat.told],
            }
            for seat in found.seats
        ],
        "own": found.own,
        "mails": [told(mail) for mail in found.mails],
    }


@look(
    "/matches/{match_id}/knowledge", Knowledge, 403,
    query=After, token=True, also=learned, scope="moderate",
)  # fmt: skip
def get_knowledge(at: Look) -> Answer:
    """How much each seat learned after a position, and which mails went out (moderators)."""
    return learned(at)


@act("POST", "/matches/{match_id}/pause", Match, *CARE, body=Caring, **MODERATING)
def pause_match(call: Call) -> Answer:
    """Let the match rest (moderators): no orders are taken until it is resumed."""
    return executed(call, Pause(**asked(call)))


@act("POST", "/matches/{match_id}/resume", Match, *CARE, body=Caring, **MODERATING)
def resume_match(call: Call) -> Answer:
    """Let a paused match go on (moderators); the deadline moves by the time that it rested."""
    return executed(call, Resume(**asked(call)))


@act("POST", "/matches/{match_id}/extend", Cared, *CARE, body=Extending, **MODERATING)
def extend_match(call: Call) -> Answer:
    """Give whoever is asked some hours more (moderators), or propose it where one is asked oneself."""
    return executed_or_proposed(call, Extend(**asked(call), hours=call.body.hours))


@act("POST", "/matches/{match_id}/close", Cared, *CARE, body=Closing, **MODERATING)
def close_match(call: Call) -> Answer:
    """End the match unfinished (moderators), or propose it where one plays; its seeds are told, which opens every secret."""
    return executed_or_proposed(call, Close(**asked(call), winners=call.body.winners))


@act(
    "POST",
    "/matches/{match_id}/seats/{n}/replace",
    Cared,
    *CARE,
    body=Replacing,
    **MODERATING,
)
def replace_player(call: Call) -> Answer:
    """Give a seat to a bot, or keep it for an address that is invited (moderators); who is not overdue must agree."""
    whom = {"email": call.body.email, "bot": call.body.bot}
    return executed_or_proposed(call, ReplacePlayer(**asked(call), seat=call.seat, **whom))


def asked(call: Call) -> dict[str, Any]:
    """By whom, to which match, why, and where they saw it."""
    wish: Caring = call.body
    whose = {"match_id": call.match_id, "by": call.caller_id}
    return {**whose, "reason": wish.reason, "expected_head": wish.head}


def executed(call: Call, command: Command) -> dict[str, Any]:
    """The match as the caller sees it after a command."""
    with call.services.database.session() as session:
        execute(session, command, call.services.now())
        return as_it_is(session, call)


def executed_or_proposed(call: Call, command: Command) -> Answer:
    """The same, and who must agree before what was asked for is done."""
    with call.services.database.session() as session:
        outcome = execute(session, command, call.services.now())
        return {**as_it_is(session, call), "awaiting": list(outcome.awaiting)}


def as_it_is(session: Session, call: Call) -> dict[str, Any]:
    here = access_match(session, call.match_id, call.caller_id)
    return match_told(tell_match(load_table(session, here)))
