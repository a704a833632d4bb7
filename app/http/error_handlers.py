"""Error handlers: whatever is raised becomes a page in the reader's language, or JSON for programs."""

from __future__ import annotations

import secrets
from typing import Any

import structlog
from flask import Flask, Response, g, jsonify, make_response, render_template
from flask.globals import request_ctx
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from app.http.auth import current_visit, to_sign_in
from app.http.security import wants_json
from app.platform.errors import Away, NoMatch
from app.platform.i18n import choose_again, translate_sentence
from engine.core.refusal import Refusal
from engine.core.sentence import Sentence, say

log = structlog.get_logger()
STATUS = {
    "syntax": 400,
    "token": 401,
    "forbidden": 403,
    "unknown": 404,
    "stale": 409,
    "key": 409,
    "size": 413,
    "illegal": 422,
    "turn": 422,
    "over": 422,
    "rate": 429,
    "busy": 503,
}
EXTRAS = ("head", "line", "rule", "sign_in")  # what some refusals know besides their sentence
PAUSES = {429: 60, 503: 5}  # seconds after which the same may be asked again


# What the web itself refuses: status -> code and sentence. The rest is a 400.
WEB: dict[int, tuple[str, Sentence]] = {
    400: ("syntax", say("This request cannot be understood.")),
    401: ("token", say("This needs a valid token.")),
    403: ("forbidden", say("This is not for you to do.")),
    404: ("unknown", say("There is nothing at this address.")),
    405: ("syntax", say("This address does not do that.")),
    413: ("size", say("That is too large to be taken.")),
    415: ("syntax", say("This is not the kind of content that is expected here.")),
    429: ("rate", say("That was too often. Please wait a little and try again.")),
}
FORM_EXPIRED = say(
    "This form has grown too old. Go back, load the page again and repeat it, please."
)
OUR_FAULT = say(
    "Something broke on our side. Nothing of what you asked was done; please try again."
)


def register_error_handlers(app: Flask) -> None:
    """Registers the ways to fail."""
    app.register_error_handler(Refusal, refused)
    app.register_error_handler(HTTPException, web_refused)
    app.register_error_handler(CSRFError, form_refused)
    app.register_error_handler(Exception, broken)


def refused(refusal: Refusal) -> Response:
    if isinstance(refusal, NoMatch) and not wants_json() and current_visit() is None:
        # It may be their own. Whether there is such a match is not told: all that nobody may see ask alike.
        return make_response(to_sign_in())
    if isinstance(refusal, Away):
        return without_database(503, refusal.code, refusal.sentence, {})
    extras = {name: getattr(refusal, name) for name in EXTRAS if hasattr(refusal, name)}
    return answer(STATUS[refusal.code], refusal.code, refusal.sentence, extras)


def web_refused(error: HTTPException) -> Response:
    if error.response is not None or (error.code or 500) < 400:  # a redirect, ready-made
        return make_response(error.get_response())
    status = error.code or 500
    if status >= 500:
        return broken(error)
    code, sentence = WEB.get(status, WEB[400])
    response = answer(status, code, sentence)
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):  # Allow, Retry-After
            response.headers[name] = value
    return response


def form_refused(_: CSRFError) -> Response:
    return answer(403, "forbidden", FORM_EXPIRED)


def broken(error: Exception) -> Response:
    """Our own fault: the log gets the place, the person a number to quote, and nobody a traceback."""
    incident = secrets.token_hex(4)
    log.error("broken", incident=incident, exc_info=error)
    return without_database(500, "broken", OUR_FAULT, {"incident": incident})


def without_database(
    status: int, code: str, sentence: Sentence, extras: dict[str, Any]
) -> Response:
    """A page that asks the database nothing, not even who this is: it may be what is broken."""
    forget_visitor()
    try:
        return answer(status, code, sentence, extras)
    except Exception as again:  # the page itself is broken
        log.error("broken", **extras, exc_info=again)
        told = " ".join((str(sentence), *(f"({value})" for value in extras.values())))
        return Response(told, status, content_type="text/plain; charset=utf-8")


def forget_visitor() -> None:
    g.visit = None
    choose_again()


def answer(
    status: int, code: str, sentence: Sentence, extras: dict[str, Any] | None = None
) -> Response:
    """The refusal as a page, or as JSON; where the database cannot say who reads it, for anybody."""
    try:
        return written(status, code, sentence, extras or {})
    except Away:
        forget_visitor()
        return written(status, code, sentence, extras or {})


def written(status: int, code: str, sentence: Sentence, extras: dict[str, Any]) -> Response:
    message = translate_sentence(sentence)
    if wants_json():
        response = jsonify(error={"code": code, "message": message, **extras})
    elif (
        request_ctx.url_adapter is None
    ):  # called by a name that is not ours: no page has an address
        response = Response(message, content_type="text/plain; charset=utf-8")
    else:
        page = render_template("error.html", status=status, code=code, message=message, **extras)
        response = make_response(page)
    response.status_code = status
    if status in PAUSES:
        response.headers["Retry-After"] = str(PAUSES[status])
    return response
