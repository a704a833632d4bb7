"""Looking back and turning back: history, positions, pictures, records, rewinding and restoring."""

from __future__ import annotations

from app import consent, history, moderation, records, seen, store
from app.api import answers, bodies
from app.api.operation import MODERATING, PICTURE, RECORD, SELDOM, Answer, Call, Look, act, look
from app.api.tables import address
from app.api.writing import match_told, said, told
from app.i18n import translate
from app.play import place
from app.record_comparison import compare_record
from app.record_signing import export_record


@look("/matches/{match_id}/history", answers.History, query=bodies.Range)
def get_history(at: Look) -> Answer:
    """What happened, as the caller may know it; a finished match has no secrets. `cut` was rewound."""
    which: bodies.Range = at.call.query
    _, steps = history.steps(at.session, at.here, max(which.since - 1, 0), which.to)
    called = {seat: said(name) or "" for seat, name in seen.names(at.table).items()}
    return {
        "events": [
            told(
                {
                    "pos": step.pos,
                    "kind": step.kind,
                    "seat": step.seat,
                    "at": step.at,
                    "text": translate(step.sentence, called),
                    "data": step.data,
                    "cut": step.cut,
                }
            )
            for step in steps
        ]
    }


@look("/matches/{match_id}/at/{pos}", answers.At)
def get_position(at: Look) -> Answer:
    """The board after one position, as the caller's seat sees it."""
    return {"view": seen.view_at(at.table, at.call.pos)}


@look("/matches/{match_id}/board.svg", PICTURE, query=bodies.AtPosition)
def get_picture(at: Look) -> Answer:
    """The board as a picture, now or after a position."""
    return seen.picture(at.table, at.call.query.pos)


@look("/matches/{match_id}/record", RECORD)
def get_record(at: Look) -> Answer:
    """The match as one file: redacted to the caller's view while it runs, complete when it is over."""
    services = at.call.services
    return export_record(services.settings, at.table.match, at.here.seat, services.now())


@act("POST", "/records", answers.Imported, 413, 422, body=RECORD, status=201, limit=SELDOM)
def import_record(call: Call) -> Answer:
    """Take in a complete record: a finished match, or a running one to play on, every seat the caller's."""
    match = records.understood(call.body)
    with call.services.database.session() as session:
        row = records.take_in(session, call.caller, match, call.services.now())
        here = place(session, row.id, call.caller_id)
        return {**match_told(seen.told(seen.table(session, here))), "url": address(call, row.id)}


@act(
    "POST", "/records/compare", answers.Compared,
    404, 413, 422, body=RECORD, limit=SELDOM,
)  # fmt: skip
def compare_with_log(call: Call) -> Answer:
    """Compare a record with our log of its match: up to where they agree, and whether we signed it."""
    with call.services.database.look() as session:
        found = compare_record(session, call.services.settings, call.player_id, call.body)
    return {
        "match": found.match_id,
        "outcome": found.outcome,
        "agreed": found.agreed,
        "events": found.events,
        "ours": found.ours,
        "hash": found.hash,
        "signature": found.origin,
        "problems": [translate(problem) for problem in found.problems],
    }


@act(
    "POST", "/matches/{match_id}/rewind", answers.Turned,
    403, 404, 409, 413, body=bodies.Rewinding, **MODERATING,
)  # fmt: skip
def rewind_match(call: Call) -> Answer:
    """Go back to the end of an earlier order (moderators), or propose it where one plays; what is cut stays in the log."""
    wish: bodies.Rewinding = call.body
    head = moderation.rewind(
        call.services.database,
        call.match_id,
        call.caller_id,
        wish.head,
        wish.to,
        wish.reason,
        call.services.now(),
    )
    return turned(call, head)


@act(
    "POST", "/matches/{match_id}/restore", answers.Turned,
    403, 404, 409, 413, 422, body=bodies.Restoring, **MODERATING,
)  # fmt: skip
def restore_match(call: Call) -> Answer:
    """Bring back what was cut last (moderators), or propose it where one plays, while nothing new was played."""
    head = moderation.restore(
        call.services.database,
        call.match_id,
        call.caller_id,
        call.body.head,
        call.services.now(),
    )
    return turned(call, head)


def turned(call: Call, head: int) -> Answer:
    with call.services.database.look() as session:
        match = store.load(session.connection(), call.match_id)
        return {"head": head, "awaiting": consent.waited_for(session, match, head)}
