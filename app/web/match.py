"""The turn page of a match, and what is sent from it. Pages act on POST alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Any

from flask import (
    Blueprint,
    Response,
    flash,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from flask import session as cookie
from flask_babel import gettext as _
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app.eventstore.store import check_match_id
from app.http.auth import current_player, require_sign_in, signed_in_id
from app.http.error_handlers import STATUS
from app.http.page_cache import settle_page_name
from app.http.page_fingerprint import PAGES
from app.http.rate_limits import HINTS, TALK, WRITING, limiter, payer
from app.http.turn_addresses import match_addresses
from app.matches.access import Place, access_match, check_own_seat
from app.matches.bot_moves import load_advice, load_turn_advice
from app.matches.bot_names import bots_for
from app.matches.chat import load_talk, say_at_table, write_note
from app.matches.draft_editing import (
    Seen,
    change_draft,
    check_revealing,
    keep_late_orders,
    seen_on,
)
from app.matches.drafts import load_draft
from app.matches.invitations import make_share_token
from app.matches.order_lines import LONGEST_ORDER
from app.matches.participants import load_seat_names
from app.matches.submissions import submit_orders
from app.people.accounts import dismiss_coach
from app.platform.errors import Busy, LineRefused, Refused, Stale
from app.platform.services import Services, current_services
from app.platform.tokens import make_secret
from app.views.deadlines import load_timing
from app.views.history import find_undoing
from app.views.news import load_drawn, name_state
from app.views.replay import load_frames
from app.views.result import load_result
from app.views.turn_page import foresee, load_turn_page, tell_advice
from app.views.waiting_room import Door, load_waiting_room
from app.web.composing import PARTS, SEEN, Confirm, answer_choices

bp = Blueprint("match", __name__, url_prefix="/m/<match_id>")
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
KEY = re.compile(r"[\w-]{1,64}", re.ASCII)
Page = tuple[str, int]


@bp.url_value_preprocessor
def check_id(_: str | None, values: dict[str, Any] | None) -> None:
    """What cannot be the id of a match is not asked for: PostgreSQL takes not every letter."""
    if values and "match_id" in values:
        check_match_id(values["match_id"])


@bp.get("")
def turn(match_id: str) -> BaseResponse:
    """The turn page, made anew; one that has not changed the front has answered for."""
    # A page with a notice has no name, nor one with the first form of a browser.
    current_player()
    nameless = cookie.get("_flashes") or not cookie.get("csrf_token") or "by_seat_key" in g
    with current_services().database.look() as session:
        page = fresh_page(session, match_id).encode()
        name = None if nameless else settle_page_name(session.connection(), request.environ)
    response = Response(page)
    if name:
        PAGES.keep(name, page)
        response.set_etag(name)
    return response


def fresh_page(session: Session, match_id: str) -> str:
    here = place(session, match_id)
    if room := load_waiting_room(session, here, current_player()):
        return waiting_page(room)
    # A mail's link may bring an order along: it stands in the form, and acts when that is sent.
    return turn_page(session, here, typed=request.args.get("order", "")[:LONGEST_ORDER])


def place(session: Session, match_id: str) -> Place:
    someone = current_player()
    return access_match(session, match_id, someone.id if someone else None)


def waiting_page(room: Door, problem: Refused | None = None, refused: int | None = None) -> str:
    """The waiting room; what was refused is told at its seat, as the form was filled in."""
    services = current_services()
    token = make_share_token(services.settings, room.row.id) if room.sits or room.owns else None
    base = services.settings.base_url
    link = base + url_for("lobby.follow", token=token) if token else None
    with services.database.look() as session:
        here = place(session, room.row.id)
        talk = load_talk(session, here)
    return render_template(
        "match/waiting.html",
        door=room,
        link=link,
        talk=talk,
        at_table=here.at_table,
        bots=bots_for(room.row.game),
        problem=problem,
        refused=refused,
        form=request.form,
    )


def turn_page(
    session: Session,
    here: Place,
    *,
    problem: Refused | None = None,
    typed: str = "",
    seen: int | None = None,
    confirm: Confirm | None = None,
) -> str:
    """The desk as a page, or as the parts of it that a script asks for.

    `problem` is what was refused just now, `seen` where a late page stood, `confirm` what is asked about.
    """
    found = load_turn_page(session, here, seen)
    made_for = request.args.get("at", type=int) if seen is None else seen
    verb = request.args.get("verb", "")
    template = "match/turn.html" if seen is None else "match/stale.html"
    slim = PARTS in request.headers
    return render_template(
        "match/parts_alone.html" if slim else template,
        slim=slim,
        changes=found.changes(request.headers.get(PARTS)) if slim else None,
        new_tools=slim and not found.has_tools_of(request.headers.get(PARTS)),
        new_words=not slim or request.headers.get(SEEN) != found.state,
        confirm=confirm,
        answer=found.answer(typed),
        timing=load_timing(session, here, current_services().now()),
        desk=found,
        to=match_addresses(found.row.id),
        stale=seen is not None,
        undone=find_undoing(found.match, made_for),
        result=load_result(session, here),
        menu=found.menu(request.args.get("verb"), request.args.get("first")),
        why_not=found.why_not(request.args.get("verb")),
        key=make_secret(),
        lines={},
        problem=problem,
        typed=typed or (f"{verb} " if verb in found.plans else ""),
    )


# The draft


@bp.post("/draft")
@require_sign_in
def draft(match_id: str) -> BaseResponse | Page:
    """Makes the orders of the form the draft, and some more; what draws or reveals is asked about first."""
    services, form = current_services(), request.form
    add = form.get("add", "")
    with services.database.session() as session:
        here = place(session, match_id)
        outcome = change_draft(
            session, here, form.getlist("order"), add=add, seen=seen(), at=services.now()
        )
    if outcome.stale:
        return stale_page(match_id)
    if outcome.problem:
        return refused_page(match_id, outcome.problem, add)
    if outcome.confirm and PARTS not in request.headers:
        return redirect(url_for(".confirm", match_id=match_id, order=outcome.confirm), 303)
    if PARTS in request.headers:
        return parts_page(match_id, outcome.confirm)
    again = form.get("verb") if add else None
    return redirect(url_for(".turn", match_id=match_id, verb=again, _anchor="orders"), 303)


def parts_page(match_id: str, order: str | None = None) -> Page:
    """What of the page has changed, for the script; `order` is to be asked about."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        asked = check_revealing(session, here, order) if order else None
        return turn_page(session, here, confirm=Confirm(order or "", asked) if asked else None), 200


@bp.get("/parts")
def parts(match_id: str) -> Page:
    """The table as it stands now, for a page that lies open."""
    return parts_page(match_id)


@bp.get("/confirm")
@require_sign_in
def confirm(match_id: str) -> BaseResponse | str:
    """Asks, with the board in sight, about an order that draws, reveals or ends the match; the button acts."""
    order = request.args.get("order", "")
    with current_services().database.look() as session:
        here = place(session, match_id)
        thought = check_revealing(session, here, order)
        if thought is None:
            return redirect(url_for(".turn", match_id=match_id), 303)
        return turn_page(session, here, confirm=Confirm(order, thought))


@bp.get("/brings")
@require_sign_in
def brings(match_id: str) -> Response:
    """What one more order would bring after the draft, or why it may not be: for who points at the board."""
    order = request.args.get("order", "")[:LONGEST_ORDER]
    with current_services().database.look() as session:
        here = place(session, match_id)
        names = load_seat_names(session, here.match_id)
        return jsonify(foresee(load_draft(session, here), check_own_seat(here), order, names))


@bp.post("/commit")
@require_sign_in
def commit(match_id: str) -> BaseResponse | Page:
    """Plays the orders of the form: what the person saw, not what another window drafted since."""
    services, form = current_services(), request.form
    orders, made_for = form.getlist("order"), seen()
    key = form.get("key", "")
    try:
        answer = submit_orders(
            services.database,
            match_id,
            signed_in_id(),
            orders,
            head=made_for.head,
            key=key if KEY.fullmatch(key) else None,
            at=services.now(),
        )
    except Stale:
        with services.database.session() as session:
            here = place(session, match_id)
            keep_late_orders(session, here, orders, made_for, services.now())
        return stale_page(match_id)
    except LineRefused as problem:
        return refused_page(match_id, problem)
    flash(_("Played."))
    if answer.drew:
        with services.database.look() as session:
            for sentence in load_drawn(session, match_id, signed_in_id(), made_for.head):
                flash(sentence)
    return redirect(url_for(".turn", match_id=match_id), 303)


def seen() -> Seen:
    return seen_on(*(request.form.get(name, type=int) for name in ("head", "seat")))


def stale_page(match_id: str) -> Page:
    """Somebody moved meanwhile: the draft is kept, and what of it no longer fits is told."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        return turn_page(session, here, seen=seen().head), 409


def refused_page(match_id: str, problem: Refused, typed: str = "") -> Page:
    with current_services().database.look() as session:
        page = turn_page(session, place(session, match_id), problem=problem, typed=typed)
    return page, STATUS[problem.code]


@bp.get("/choices")
def legal(match_id: str) -> Response:
    """The orders that are legal after the draft, with their costs, for the script that shows them; of very many, a page."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        return answer_choices(load_draft(session, here), check_own_seat(here))


# News of the table


@bp.get("/frames")
def frames(match_id: str) -> Response:
    """What happened since the viewer's last turn, board by board, for the script that plays it."""
    with current_services().database.look() as session:
        return jsonify(load_frames(session, place(session, match_id)))


HELD = 10.0  # seconds that a stream is kept open; then the browser asks again
LOOK = 0.7  # between two looks at the table
AGAIN = 1500  # milliseconds after which a browser comes back
STREAMS = BoundedSemaphore(
    2
)  # a stream holds a thread of the server: the others are answered at once


@bp.get("/events")
def events(match_id: str) -> Response:
    """Server-sent events: the name of the table's state, and each new one as it comes."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        state = name_state(session, here)
    # What the page shows counts, not what it was told: it may have been told and not have got the parts.
    held = state == request.args.get("state", "") and STREAMS.acquire(blocking=False)
    told = watched(current_services(), here, state) if held else iter((event(state),))
    answer = Response(told, content_type="text/event-stream; charset=utf-8")
    if held:
        answer.call_on_close(STREAMS.release)  # also of one that nobody began to read
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"  # nginx would keep it until it ends
    return answer


def event(state: str) -> str:
    return f"retry: {AGAIN}\ndata: {state}\n\n"


def watched(services: Services, here: Place, known: str) -> Iterator[str]:
    """Looks at the table now and then until something has changed, or for as long as a stream is held."""
    yield f"retry: {AGAIN}\n\n"
    end = monotonic() + HELD
    while monotonic() < end:
        sleep(LOOK)
        try:
            with services.database.look() as session:
                state = name_state(session, here)
        except (
            Busy,
            SQLAlchemyError,
        ):  # the service ends, or has no time for this: the browser asks again
            return
        if state != known:
            yield event(state)
            return


@bp.post("/no-advice")
@require_sign_in
def dismiss_advice(match_id: str) -> BaseResponse | Page:
    """The coach is silent from now on, here and in every match."""
    services = current_services()
    with services.database.session() as session:
        dismiss_coach(session, place(session, match_id).player_id or 0, services.now())
    if PARTS in request.headers:
        return parts_page(match_id)
    return redirect(url_for(".turn", match_id=match_id), 303)


@bp.get("/hint")
@limiter.limit(HINTS, key_func=payer)
@require_sign_in
def hint(match_id: str) -> BaseResponse:
    """Puts what a bot would order into the form, where the table allows it; a script is told the whole turn."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        if request.accept_mimetypes.best == "application/json":
            names = load_seat_names(session, here.match_id)
            return jsonify(
                tell_advice(load_turn_advice(session, here), check_own_seat(here), names)
            )
        order = load_advice(session, here)
    return redirect(url_for(".turn", match_id=match_id, order=order, _anchor="add"), 303)


# Words


@bp.post("/talk")
@limiter.limit(TALK, key_func=payer)
@require_sign_in
def speak(match_id: str) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        say_at_table(session, place(session, match_id), request.form.get("text"), services.now())
    return redirect(url_for(".turn", match_id=match_id, _anchor="talk"), 303)


@bp.post("/note")
@require_sign_in
def note(match_id: str) -> BaseResponse:
    with current_services().database.session() as session:
        write_note(session, place(session, match_id), request.form.get("text"))
    flash(_("Your note is saved."))
    return redirect(url_for(".turn", match_id=match_id, _anchor="note"), 303)
