"""The turn page of a match, and what is sent from it. Pages act on POST alone."""

from __future__ import annotations

import re
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from flask import session as cookie
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app import (
    bots,
    choices,
    desk,
    door,
    drafting,
    front,
    given,
    history,
    play,
    stamps,
    talk,
    timing,
    tokens,
    who,
)
from app.errors import LineRefused, Refused, Stale
from app.failures import STATUS
from app.limits import HINTS, TALK, WRITING, account, limiter
from app.play import Place
from app.services import current

bp = Blueprint("match", __name__, url_prefix="/m/<match_id>")
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)
KEY = re.compile(r"[\w-]{1,64}", re.ASCII)
Page = tuple[str, int]


@bp.url_value_preprocessor
def check_id(_: str | None, values: dict[str, Any] | None) -> None:
    """What cannot be the id of a match is not asked for: PostgreSQL takes not every letter."""
    if values and "match_id" in values:
        given.match_id(values["match_id"])


@bp.get("")
def turn(match_id: str) -> BaseResponse:
    """The turn page, made anew; one that has not changed the front has answered for."""
    # A page with a notice has no name, nor one with the first form of a browser.
    nameless = cookie.get("_flashes") or not cookie.get("csrf_token")
    with current().database.look() as session:
        page = fresh_page(session, match_id).encode()
        seen = session.connection()
        name = None if nameless else front.settled(current_app, seen, request.environ)
    response = Response(page)
    if name:
        stamps.PAGES.keep(name, page)
        response.set_etag(name)
    return response


def fresh_page(session: Session, match_id: str) -> str:
    here = place(session, match_id)
    if room := door.waiting_room(session, here, who.player()):
        return waiting_page(room)
    # A mail's link may bring an order along: it stands in the form, and acts when that is sent.
    return turn_page(session, here, typed=request.args.get("order", "")[: play.LONGEST_ORDER])


def place(session: Session, match_id: str) -> Place:
    someone = who.player()
    return play.place(session, match_id, someone.id if someone else None)


def waiting_page(room: door.Door) -> str:
    services = current()
    token = door.share_token(services.settings, room.row.id) if room.sits or room.owns else None
    base = services.settings.base_url
    link = base + url_for("lobby.follow", token=token) if token else None
    return render_template("match/waiting.html", door=room, link=link)


def turn_page(
    session: Session,
    here: Place,
    *,
    problem: Refused | None = None,
    typed: str = "",
    seen: int | None = None,
) -> str:
    """The desk as a page; `problem` is what was refused just now, `seen` where a late page stood."""
    found = desk.desk(session, here, seen)
    made_for = request.args.get("at", type=int) if seen is None else seen
    verb = request.args.get("verb", "")
    return render_template(
        "match/turn.html" if seen is None else "match/stale.html",
        timing=timing.timing(session, here, current().now()),
        desk=found,
        stale=seen is not None,
        undone=history.undone(found.match, made_for),
        menu=found.menu(request.args.get("verb"), request.args.get("first")),
        key=tokens.fresh(),
        problem=problem,
        typed=typed or (f"{verb} " if verb in found.plans else ""),
    )


# The draft


@bp.post("/draft")
@who.signed_in
def draft(match_id: str) -> BaseResponse | Page:
    """Makes the orders of the form the draft, and some more; what draws or reveals is asked about first."""
    services, form = current(), request.form
    add = form.get("add", "")
    with services.database.session() as session:
        here = place(session, match_id)
        outcome = drafting.change(session, here, form.getlist("order"), add, seen(), services.now())
    if outcome.stale:
        return stale_page(match_id)
    if outcome.problem:
        return refused_page(match_id, outcome.problem, add)
    if outcome.confirm:
        return redirect(url_for(".confirm", match_id=match_id, order=outcome.confirm), 303)
    again = form.get("verb") if add else None
    return redirect(url_for(".turn", match_id=match_id, verb=again, _anchor="orders"), 303)


@bp.get("/confirm")
@who.signed_in
def confirm(match_id: str) -> BaseResponse | str:
    """Says what is committed with an order that draws, reveals or ends the match; the button below it acts."""
    order = request.args.get("order", "")
    with current().database.look() as session:
        here = place(session, match_id)
        thought = drafting.reveals(session, here, order)
        found = desk.desk(session, here)
    if thought is None:
        return redirect(url_for(".turn", match_id=match_id), 303)
    return render_template(
        "match/confirm.html",
        desk=found,
        order=order,
        orders=thought.orders,
        problem=thought.problem,
        ends=thought.ends,
        key=tokens.fresh(),
    )


@bp.post("/commit")
@who.signed_in
def commit(match_id: str) -> BaseResponse | Page:
    """Plays the orders of the form: what the person saw, not what another window drafted since."""
    services, form = current(), request.form
    orders, made_for = form.getlist("order"), seen()
    key = form.get("key", "")
    try:
        play.submit(
            services.database,
            match_id,
            who.my_id(),
            orders,
            made_for.head,
            key if KEY.fullmatch(key) else None,
            services.now(),
        )
    except Stale:
        with services.database.session() as session:
            here = place(session, match_id)
            drafting.keep(session, here, orders, made_for, services.now())
        return stale_page(match_id)
    except LineRefused as problem:
        return refused_page(match_id, problem)
    flash(_("Committed."))
    return redirect(url_for(".turn", match_id=match_id), 303)


def seen() -> drafting.Seen:
    return drafting.seen_on(*(request.form.get(name, type=int) for name in ("head", "seat")))


def stale_page(match_id: str) -> Page:
    """Somebody moved meanwhile: the draft is kept, and what of it no longer fits is told."""
    with current().database.look() as session:
        here = place(session, match_id)
        return turn_page(session, here, seen=seen().head), 409


def refused_page(match_id: str, problem: Refused, typed: str = "") -> Page:
    with current().database.look() as session:
        page = turn_page(session, place(session, match_id), problem=problem, typed=typed)
    return page, STATUS[problem.code]


@bp.get("/choices")
def legal(match_id: str) -> Response:
    """The orders that are legal after the draft, with their costs, for the script that shows them; of very many, a page."""
    start = request.args.get("from", 0, type=int)
    start = start if 0 <= start <= drafting.MOST else 0
    with current().database.look() as session:
        here = place(session, match_id)
        seat, thought = play.own_seat(here), play.draft(session, here)
    response = Response(content_type="application/json")
    response.set_etag(choices.fingerprint(thought, seat, start))
    response.make_conditional(request)
    if response.status_code == 200:
        response.data = jsonify(choices.told(thought, seat, start)).data
        if choices.has_more(thought, seat, start):
            more = f"{request.path}?from={start + choices.MOST_LISTED}"
            response.headers["Link"] = f'<{more}>; rel="next"'
    return response


@bp.get("/hint")
@limiter.limit(HINTS, key_func=account)
@who.signed_in
def hint(match_id: str) -> BaseResponse:
    """Puts what a bot would order into the form, where the table allows it."""
    with current().database.look() as session:
        order = bots.advice(session, place(session, match_id))
    return redirect(url_for(".turn", match_id=match_id, order=order, _anchor="add"), 303)


# Words


@bp.post("/talk")
@limiter.limit(TALK, key_func=account)
@who.signed_in
def speak(match_id: str) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        talk.speak(session, place(session, match_id), request.form.get("text"), services.now())
    return redirect(url_for(".turn", match_id=match_id, _anchor="talk"), 303)


@bp.post("/note")
@who.signed_in
def note(match_id: str) -> BaseResponse:
    with current().database.session() as session:
        talk.write_note(session, place(session, match_id), request.form.get("text"))
    flash(_("Your note is kept."))
    return redirect(url_for(".turn", match_id=match_id, _anchor="note"), 303)
