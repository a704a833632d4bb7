"""Playing: legal orders, submissions, drafts and standing orders."""

from __future__ import annotations

from app.api.answers import Accepted, Draft, Legal, Standing
from app.api.bodies import DraftGiven, StandingGiven, Start, Submission
from app.api.operation import Answer, Call, Look, act, look
from app.http.rate_limits import PLAYING
from app.matches import standing_orders, submissions
from app.matches.access import Place, access_match, settle_access
from app.matches.drafts import Preview, drop_draft, load_draft, set_draft
from app.matches.standing_orders import drop_standing_orders, load_standing_orders
from app.platform.i18n import translate_sentence
from app.views import match_json
from app.views.match_json import tell_view

DRAFT = "/matches/{match_id}/draft"
STANDING = "/matches/{match_id}/standing"


@look("/matches/{match_id}/legal", Legal, 403, token=True, query=Start)
def list_legal_orders(at: Look) -> Answer:
    """The orders that the caller's seat may give now; none when another is asked. `next` is where more begin, if there are."""
    orders, more = match_json.list_legal_orders(at.table, at.call.query.since)
    return {"orders": orders, "next": more}


@act(
    "POST", "/matches/{match_id}/orders", Accepted,
    403, 404, 409, 413, 422, body=Submission, limit=PLAYING,
)  # fmt: skip
def submit_orders(call: Call) -> Answer:
    """Play orders, all or none. With `key` a repeat gets the first answer; with `head`, 409 if it moved."""
    wish: Submission = call.body
    answer = submissions.submit_orders(
        call.services.database,
        call.match_id,
        call.caller_id,
        wish.orders,
        head=wish.head,
        key=wish.key,
        at=call.services.now(),
    )
    return {"head": answer.head, "events": answer.events}


# Drafts


def my_draft(at: Look) -> dict[str, object]:
    return drafted(load_draft(at.session, at.here), at.here)


@look(DRAFT, Draft, 403, token=True, also=my_draft)
def get_draft(at: Look) -> Answer:
    """The turn that the caller's seat composes, and the board after it, as far as may be looked ahead."""
    return my_draft(at)


@act("PUT", DRAFT, Draft, 403, 404, 413, 422, body=DraftGiven)
def put_draft(call: Call) -> Answer:
    """Replace the draft; orders that do not fit are kept, and the first of them is the `problem`."""
    with call.services.database.session() as session:
        here = access_match(session, call.match_id, call.caller_id)
        made = set_draft(session, here, call.body.orders, call.services.now())
    return drafted(made, here)


@act("DELETE", DRAFT, Draft, 403, 404)
def delete_draft(call: Call) -> Answer:
    """Drop the draft."""
    with call.services.database.session() as session:
        here = settle_access(session, access_match(session, call.match_id, call.caller_id))
        drop_draft(session, here)
        return drafted(load_draft(session, here), here)


def drafted(made: Preview, here: Place) -> dict[str, object]:
    problem = made.problem and {
        "line": made.line,
        "code": made.problem.code,
        "message": translate_sentence(made.problem.sentence),
    }
    return {
        "orders": list(made.orders),
        # A plan is nobody's position: it is told as what it is, orders that wait.
        "view": tell_view(
            made.match, (made.match if made.planned else made.shown).state, here.seat
        ),
        "problem": problem,
        "waiting": list(made.orders if made.planned else made.waiting),
        "planned": made.planned,
        "ends": made.ends,
    }


# Standing orders


@look(
    STANDING, Standing, 403, token=True, also=lambda at: load_standing_orders(at.session, at.here)
)
def get_standing_orders(at: Look) -> Answer:
    """How the caller's seat wants questions answered while its player sleeps."""
    return load_standing_orders(at.session, at.here)


@act("PUT", STANDING, Standing, 403, 404, 413, body=StandingGiven)
def put_standing_orders(call: Call) -> Answer:
    """Replace them: from the next question on they answer. They are secret, and void after a rewind."""
    with call.services.database.session() as session:
        here = access_match(session, call.match_id, call.caller_id)
        return standing_orders.put_standing_orders(session, here, call.body.model_dump())


@act("DELETE", STANDING, Standing, 403, 404)
def delete_standing_orders(call: Call) -> Answer:
    """Drop them."""
    with call.services.database.session() as session:
        return drop_standing_orders(session, access_match(session, call.match_id, call.caller_id))
