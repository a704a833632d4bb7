"""How a player is told besides by mail: browsers that may be woken, a sound, webhooks."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.http.auth import current_browser, require_sign_in, signed_in_id
from app.http.error_handlers import STATUS
from app.http.rate_limits import WRITING, limiter, payer
from app.http.security import no_store
from app.outbox import notices
from app.platform.errors import Misspelt
from app.platform.services import current_services

bp = Blueprint("notices", __name__, url_prefix="/account/notices")
bp.after_request(no_store)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)


@bp.get("")
@require_sign_in
def show() -> str:
    return notices_page()


def notices_page(problem: Misspelt | None = None) -> str:
    services = current_services()
    with services.database.look() as session:
        return render_template(
            "account/notices.html",
            browsers=notices.list_subscriptions(session, signed_in_id()),
            webhooks=notices.list_webhooks(session, signed_in_id()),
            key=notices.public_push_key(services.settings),
            problem=problem,
            form=request.form,
        )


@bp.post("/push")
@require_sign_in
def subscribe() -> Response:
    """Keeps what the browser says of itself, so that it can be woken."""
    services, form = current_services(), request.form
    with services.database.session() as session:
        notices.subscribe(
            session,
            signed_in_id(),
            endpoint=form.get("endpoint"),
            p256dh=form.get("p256dh"),
            auth=form.get("auth"),
            browser=current_browser().name,
            at=services.now(),
        )
    flash(_("This browser is told when it is your turn."))
    return redirect(url_for(".show"), 303)


@bp.post("/push/<int:number>/remove")
@require_sign_in
def unsubscribe(number: int) -> Response:
    with current_services().database.session() as session:
        notices.unsubscribe(session, signed_in_id(), number)
    return redirect(url_for(".show"), 303)


@bp.post("/webhooks")
@require_sign_in
def add_webhook() -> Response | tuple[str, int]:
    services = current_services()
    try:
        with services.database.session() as session:
            notices.add_webhook(session, signed_in_id(), request.form.get("url"), services.now())
    except Misspelt as problem:
        return notices_page(problem), STATUS[problem.code]
    return redirect(url_for(".show"), 303)


@bp.post("/webhooks/<int:number>/remove")
@require_sign_in
def remove_webhook(number: int) -> Response:
    with current_services().database.session() as session:
        notices.remove_webhook(session, signed_in_id(), number)
    return redirect(url_for(".show"), 303)
