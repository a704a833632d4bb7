"""Playing: legal orders, submissions, drafts and standing orders."""

from __future__ import annotations

from app import play, seen, standing
from app.api import answers, bodies
from app.api.operation import Answer, Call, Look, act, look
from app.i18n import translate
from app.limits import PLAYING
from app.play import Place, Preview

DRAFT = "/matches/{match_id}/draft"
STANDING = "/matches/{match_id}/standing"


@look("/matches/{match_id}/legal", answers.Legal, 403, token=True, query=bodies.Start)
def list_legal_orders(at: Look) -> Answer:
    """The orders that the caller's seat may give now; none when another is asked. `next` is where more begin, if there are."""
    orders, more = seen.legal(at.table, at.call.query.since)
    return {"orders": orders, "next": more}


@act(
    "POST", "/matches/{match_id}/orders", answers.Accepted,
    403, 404, 409, 413, 422, body=bodies.Submission, limit=PLAYING,
)  # fmt: skip
def submit_orders(call: Call) -> Answer:
    """Play orders, all or none. With `key` a repeat gets the first answer; with `head`, 409 if it moved."""
    wish: bodies.Submission = call.body
    answer = play.submit(
        call.services.database,
        call.match_id,
        call.caller_id,
        wish.orders,
        wish.head,
        wish.key,
        call.services.now(),
    )
    return {"head": answer.head, "events": answer.events}


# Drafts


def my_draft(at: Look) -> dict[str, object]:
    return drafted(play.draft(at.session, at.here), at.here)


@look(DRAFT, answers.Draft, 403, token=True, also=my_draft)
def get_draft(at: Look) -> Answer:
    """The turn that the caller's seat composes, and the board after it, as far as may be looked ahead."""
    return my_draft(at)


@act("PUT", DRAFT, answers.Draft, 403, 404, 413, 422, body=bodies.DraftGiven)
def put_draft(call: Call) -> Answer:
    """Replace the draft; orders that do not fit are kept, and the first of them is the `problem`."""
    with call.services.database.session() as session:
        here = play.place(session, call.match_id, call.caller_id)
        made = play.set_draft(session, here, call.body.orders, call.services.now())
    return drafted(made, here)


@act("DELETE", DRAFT, answers.Draft, 403, 404)
def delete_draft(call: Call) -> Answer:
    """Drop the draft."""
    with call.services.database.session() as session:
        here = play.settled(session, play.place(session, call.match_id, call.caller_id))
        play.drop_draft(session, here)
        return drafted(play.draft(session, here), here)


def drafted(made: Preview, here: Place) -> dict[str, object]:
    problem = made.problem and {
        "line": made.line,
        "code": made.problem.code,
        "message": translate(made.problem.sentence),
    }
    return {
        "orders": list(made.orders),
        "view": seen.view(made.match, made.shown.state, here.seat),
        "problem": problem,
        "waiting": list(made.waiting),
        "planned": made.planned,
        "ends": made.ends,
    }


# Standing orders


@look(
    STANDING, answers.Standing, 403, token=True, also=lambda at: standing.get(at.session, at.here)
)
def get_standing_orders(at: Look) -> Answer:
    """How the caller's seat wants festivals answered while its player sleeps."""
    return standing.get(at.session, at.here)


@act("PUT", STANDING, answers.Standing, 403, 404, 413, body=bodies.StandingGiven)
def put_standing_orders(call: Call) -> Answer:
    """Replace them: from the next question on they answer. They are secret, and void after a rewind."""
    with call.services.database.session() as session:
        here = play.place(session, call.match_id, call.caller_id)
        return standing.put(session, here, call.body.festival.model_dump())


@act("DELETE", STANDING, answers.Standing, 403, 404)
def delete_standing_orders(call: Call) -> Answer:
    """Drop them."""
    with call.services.database.session() as session:
        return standing.drop(session, play.place(session, call.match_id, call.caller_id))
