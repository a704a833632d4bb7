"""Looking back and turning back: history, positions, pictures, records, rewinding and restoring."""

from __future__ import annotations

from typing import Any

from app.api.answers import At, Compared, History, Imported, Turned
from app.api.bodies import AtPosition, Range, Restoring, Rewinding
from app.api.operation import MODERATING, PICTURE, RECORD, SELDOM, Answer, Call, Look, act, look
from app.api.tables import match_address
from app.api.writing import match_told, said, told
from app.matches import record_import
from app.matches.access import access_match
from app.matches.record_import import read_record
from app.matches.record_signing import export_record
from app.moderation.commands import Restore, Rewind
from app.moderation.execute import execute
from app.platform.i18n import translate_sentence
from app.views.history import load_steps
from app.views.match_json import draw_picture, load_table, seat_names, tell_match, tell_view_at
from app.views.record_comparison import compare_record


@look("/matches/{match_id}/history", History, query=Range)
def get_history(at: Look) -> Answer:
    """What happened, as the caller may know it; a finished match has no secrets. `cut` was rewound."""
    which: Range = at.call.query
    _, steps = load_steps(at.session, at.here, max(which.since - 1, 0), which.to)
    called = {seat: said(name) or "" for seat, name in seat_names(at.table).items()}
    return {
        "events": [
            told(
                {
                    "pos": step.pos,
                    "kind": step.kind,
                    "seat": step.seat,
                    "at": step.at,
                    "text": translate_sentence(step.sentence, called),
                    "data": step.data,
                    "cut": step.cut,
                }
            )
            for step in steps
        ]
    }


@look("/matches/{match_id}/at/{pos}", At)
def get_position(at: Look) -> Answer:
    """The board after one position, as the caller's seat sees it."""
    return {"view": tell_view_at(at.table, at.call.pos)}


@look("/matches/{match_id}/board.svg", PICTURE, query=AtPosition)
def get_picture(at: Look) -> Answer:
    """The board as a picture, now or after a position."""
    return draw_picture(at.table, at.call.query.pos)


@look("/matches/{match_id}/record", RECORD)
def get_record(at: Look) -> Answer:
    """The match as one file: redacted to the caller's view while it runs, complete when it is over."""
    services = at.call.services
    return export_record(services.settings, at.table.match, at.here.seat, services.now())


@act("POST", "/records", Imported, 413, 422, body=RECORD, status=201, limit=SELDOM)
def import_record(call: Call) -> Answer:
    """Take in a complete record: a finished match, or a running one to play on, every seat the caller's."""
    match = read_record(call.body)
    with call.services.database.session() as session:
        row = record_import.import_record(session, call.caller, match, call.services.now())
        here = access_match(session, row.id, call.caller_id)
        return {
            **match_told(tell_match(load_table(session, here))),
            "url": match_address(call, row.id),
        }


@act(
    "POST", "/records/compare", Compared,
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
        "problems": [translate_sentence(problem) for problem in found.problems],
    }


@act(
    "POST", "/matches/{match_id}/rewind", Turned,
    403, 404, 409, 413, body=Rewinding, **MODERATING,
)  # fmt: skip
def rewind_match(call: Call) -> Answer:
    """Go back to the end of an earlier order (moderators), or propose it where one plays; what is cut stays in the log."""
    wish: Rewinding = call.body
    return turned(call, Rewind(**asked(call), to=wish.to, reason=wish.reason))


@act(
    "POST", "/matches/{match_id}/restore", Turned,
    403, 404, 409, 413, 422, body=Restoring, **MODERATING,
)  # fmt: skip
def restore_match(call: Call) -> Answer:
    """Bring back what was cut last (moderators), or propose it where one plays, while nothing new was played."""
    return turned(call, Restore(**asked(call)))


def asked(call: Call) -> dict[str, Any]:
    return {"match_id": call.match_id, "by": call.caller_id, "expected_head": call.body.head}


def turned(call: Call, command: Rewind | Restore) -> Answer:
    outcome = execute(call.services.database, command, call.services.now())
    return {"head": outcome.head, "awaiting": list(outcome.awaiting)}
