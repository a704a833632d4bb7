"""The mailbox, where the service runs on its owner's machine and sends nothing; nobody else is answered."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from app.http.template_helpers import mailbox_answers
from app.mail.local_mailbox import frame_html, load_letter, load_letters
from app.platform.services import current_services
from app.platform.tables import Letter

bp = Blueprint("mailbox", __name__, url_prefix="/mailbox")

# A mail may not run or load anything; its own style is let through, and its links may be followed.
IN_A_BOX = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox "
    "allow-top-navigation-by-user-activation"
)


@bp.before_request
def only_at_home() -> None:
    if not mailbox_answers(current_services(), request.environ):
        abort(404)


@bp.get("")
def index() -> str:
    with current_services().database.look() as session:
        return render_template("mailbox/index.html", letters=load_letters(session))


@bp.get("/<int:number>")
def letter(number: int) -> str:
    return render_template("mailbox/letter.html", letter=find(number))


@bp.get("/<int:number>/html")
def html(number: int) -> Response:
    headers = {"Content-Security-Policy": IN_A_BOX, "X-Frame-Options": "SAMEORIGIN"}
    return Response(frame_html(find(number)), mimetype="text/html", headers=headers)


@bp.get("/<int:number>/source")
def source(number: int) -> Response:
    return Response(find(number).source, mimetype="text/plain")


def find(number: int) -> Letter:
    with current_services().database.look() as session:
        return load_letter(session, number)
