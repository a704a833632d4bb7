"""Puts the operations on: who asks is found out, what is sent is read, and the answer gets its headers."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast

from flask import Blueprint, Response, g, request

from app.api import back, care, questions, tables, turns
from app.api.openapi import document
from app.api.operation import JSON, OPERATIONS, Answer, Call, Look, Operation
from app.eventstore.store import check_match_id
from app.http.rate_limits import ASKERS, counted_name, limiter, peer_address
from app.http.request_input import read_json, read_query
from app.matches.access import access_match
from app.people.api_tokens import Bearer, load_bearer
from app.platform.errors import BadToken
from app.platform.i18n import language_here
from app.platform.services import current_services
from app.views.match_json import load_table, match_fingerprint

BY_ADDRESS = "12000 per minute"  # to each operation; behind one address there may be many
LARGEST_BODY = 64 * 1024  # a record may be larger: as large as the service takes anything

bp = Blueprint("api", __name__, url_prefix="/api/v1")
RULES = {"match_id": "<match_id>", "pos": "<int:pos>", "n": "<int:n>"}
HANDLERS = (tables, turns, back, care, questions)  # importing them filled the table of operations


# Who asks, and with what


def caller() -> Bearer | None:
    """Whose token the request shows. Cookies count for nothing here, so nobody's browser can be misled."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise BadToken
    if "caller" not in g:  # the limits ask before the operation does
        services = current_services()
        with services.database.look() as session:
            g.caller = load_bearer(session, token.strip(), services.now())
    return cast(Bearer, g.caller)


def understood(operation: Operation, match_id: str = "", pos: int = 0, n: int = 0) -> Call:
    services, shown = current_services(), caller()
    if operation.token and shown is None:
        raise BadToken
    if shown is not None:
        services.token_uses.note_use(shown.token, services.now())
        shown.check_scope(operation.scope)
    return Call(
        services=services,
        player=shown.player if shown else None,
        match_id=check_match_id(match_id) if match_id else "",
        pos=pos,
        seat=n,
        body=body(operation),
        query=read_query(operation.query, request.args.to_dict(flat=False)),
    )


def body(operation: Operation) -> Any:
    if operation.body is None:
        return None
    if isinstance(operation.body, str):
        return request.get_data()
    request.max_content_length = LARGEST_BODY
    return read_json(operation.body, request.get_data())


# What is answered


def view(operation: Operation) -> Callable[..., Response]:
    """The operation as a function that Flask can call."""

    def answer(**path: Any) -> Response:
        call = understood(operation, **path)
        if operation.looks:
            return looked(operation, call)
        return written(operation, operation.run(call))

    answer.__qualname__ = answer.__name__ = operation.name  # by which the limiter tells them apart
    return answer


def looked(operation: Operation, call: Call) -> Response:
    """A look at one match, or 304 if the caller has seen the same before."""
    with call.services.database.look() as session:
        here = access_match(session, call.match_id, call.player_id)
        at = Look(call, session, load_table(session, here))
        tag = etag(operation, at)
        if request.if_none_match.contains(tag):
            response = Response(status=304)
        else:
            response = written(operation, operation.run(at))
    response.set_etag(tag)
    return response


def etag(operation: Operation, at: Look) -> str:
    """Changes with whatever the answer shows: the match, the viewer, the language and the rest."""
    also = operation.also(at) if operation.also else None
    known = [request.full_path, language_here(), match_fingerprint(at.table), also]
    return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


def written(operation: Operation, answer: Answer) -> Response:
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Response(text, operation.status, content_type=content_type(operation.media))


def content_type(media: str) -> str:
    return media if media == JSON else f"{media}; charset=utf-8"


@bp.after_request
def with_headers(response: Response) -> Response:
    response.vary.add("Authorization")
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def payer() -> str:
    """Whose limit a request counts against: that of the token's owner if it is good, or of its address."""
    try:
        shown = caller()
    except BadToken:
        return peer_address()
    return counted_name(shown.player if shown else None)


ASKERS[bp.name] = payer


# The routes


def put_on(operation: Operation) -> None:
    made = limiter.limit(BY_ADDRESS, key_func=peer_address)(view(operation))
    made = limiter.limit(operation.limit, key_func=payer)(made)
    path = operation.path
    for name, rule in RULES.items():
        path = path.replace(f"{{{name}}}", rule)
    bp.add_url_rule(path, operation.name, made, methods=[operation.method])


for row in OPERATIONS:
    put_on(row)


@bp.get("/openapi.json")
def description() -> Response:
    """What this API is, for programs."""
    text = json.dumps(document(current_services().settings.base_url))
    return Response(text, content_type=JSON)
