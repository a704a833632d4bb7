"""The mailbox, where the service runs on its owner's machine and sends nothing; nobody else is answered."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from app import mailbox
from app.models import Letter
from app.services import current
from app.writing import mailbox_answers

bp = Blueprint("mailbox", __name__, url_prefix="/mailbox")

# A mail may not run or load anything; its own style is let through, and its links may be followed.
IN_A_BOX = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox "
    "allow-top-navigation-by-user-activation"
)


@bp.before_request
def only_at_home() -> None:
    if not mailbox_answers(current(), request.environ):
        abort(404)


@bp.get("")
def index() -> str:
    with current().database.look() as session:
        return render_template("mailbox/index.html", letters=mailbox.letters(session))


@bp.get("/<int:number>")
def letter(number: int) -> str:
    return render_template("mailbox/letter.html", letter=find(number))


@bp.get("/<int:number>/html")
def html(number: int) -> Response:
    headers = {"Content-Security-Policy": IN_A_BOX, "X-Frame-Options": "SAMEORIGIN"}
    return Response(mailbox.framed(find(number)), mimetype="text/html", headers=headers)


@bp.get("/<int:number>/source")
def source(number: int) -> Response:
    return Response(find(number).source, mimetype="text/plain")


def find(number: int) -> Letter:
    with current().database.look() as session:
        return mailbox.letter(session, number)
