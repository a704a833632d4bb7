"""Care of a match, by its moderators: what was learned, pausing, extending, closing, giving a seat to another."""

from __future__ import annotations

from typing import Any, cast

from sqlmodel import Session

from app import consent, knowledge, moderation, seating, seen, store
from app.api import answers, bodies
from app.api.operation import MODERATING, Answer, Call, Look, act, look
from app.api.writing import match_told, said, told
from app.i18n import translate
from app.play import place

CARE = (403, 404, 409, 413)


def learned(at: Look) -> dict[str, object]:
    found = knowledge.report(at.session, at.table, at.call.query.to)
    called = {seat: said(name) or "" for seat, name in seen.names(at.table).items()}
    return {
        "to": found.to,
        "head": found.head,
        "public": found.public,
        "shown": [translate(sentence, called) for sentence in found.shown],
        "seats": [
            {
                "seat": seat.seat,
                "count": seat.count,
                "kinds": seat.kinds,
                "text": translate(seat.sentence, called),
                "told": [translate(sentence, called) for sentence in seat.told],
            }
            for seat in found.seats
        ],
        "own": found.own,
        "mails": [told(mail) for mail in found.mails],
    }


@look(
    "/matches/{match_id}/knowledge", answers.Knowledge, 403,
    query=bodies.After, token=True, also=learned, scope="moderate",
)  # fmt: skip
def get_knowledge(at: Look) -> Answer:
    """How much each seat learned after a position, and which mails went out (moderators)."""
    return learned(at)


@act("POST", "/matches/{match_id}/pause", answers.Match, *CARE, body=bodies.Caring, **MODERATING)
def pause_match(call: Call) -> Answer:
    """Let the match rest (moderators): no orders are taken until it is resumed."""
    wish: bodies.Caring = call.body
    with call.services.database.session() as session:
        moderation.pause(session, *asked(call), wish.reason, wish.head, call.services.now())
        return as_it_is(session, call)


@act("POST", "/matches/{match_id}/resume", answers.Match, *CARE, body=bodies.Caring, **MODERATING)
def resume_match(call: Call) -> Answer:
    """Let a paused match go on (moderators); the deadline moves by the time that it rested."""
    wish: bodies.Caring = call.body
    with call.services.database.session() as session:
        moderation.resume(session, *asked(call), wish.reason, wish.head, call.services.now())
        return as_it_is(session, call)


@act(
    "POST", "/matches/{match_id}/extend", answers.Cared, *CARE, body=bodies.Extending, **MODERATING
)
def extend_match(call: Call) -> Answer:
    """Give whoever is asked some hours more (moderators), or propose it where one is asked oneself."""
    wish: bodies.Extending = call.body
    with call.services.database.session() as session:
        moderation.extend(
            session, *asked(call), wish.reason, wish.hours, wish.head, call.services.now()
        )
        return done_or_proposed(session, call)


@act("POST", "/matches/{match_id}/close", answers.Cared, *CARE, body=bodies.Closing, **MODERATING)
def close_match(call: Call) -> Answer:
    """End the match unfinished (moderators), or propose it where one plays; its seeds are told, which opens every secret."""
    wish: bodies.Closing = call.body
    with call.services.database.session() as session:
        moderation.close(
            session, *asked(call), wish.reason, wish.head, call.services.now(), wish.winners
        )
        return done_or_proposed(session, call)


@act(
    "POST",
    "/matches/{match_id}/seats/{n}/replace",
    answers.Cared,
    *CARE,
    body=bodies.Replacing,
    **MODERATING,
)
def replace_player(call: Call) -> Answer:
    """Give a seat to a bot, or keep it for an address that is invited (moderators); who is not overdue must agree."""
    wish: bodies.Replacing = call.body
    with call.services.database.session() as session:
        seating.replace_player(
            session,
            call.match_id,
            call.caller_id,
            call.seat,
            wish.email,
            wish.bot,
            wish.reason,
            wish.head,
            call.services.now(),
        )
        return done_or_proposed(session, call)


def asked(call: Call) -> tuple[str, int]:
    return call.match_id, call.caller_id


def as_it_is(session: Session, call: Call) -> Answer:
    """The match as the caller sees it now."""
    here = place(session, call.match_id, call.caller_id)
    return match_told(seen.told(seen.table(session, here)))


def done_or_proposed(session: Session, call: Call) -> Answer:
    """The same, and who must agree before what was asked for is done."""
    match = store.load(session.connection(), call.match_id)
    waiting = consent.waited_for(session, match, match.head)
    return {**cast(dict[str, Any], as_it_is(session, call)), "awaiting": waiting}
