"""What pages share on which a turn is composed: those of a match, and of positions that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from app.http.error_handlers import STATUS
from app.http.turn_addresses import TurnAddresses
from app.matches.draft_editing import MOST
from app.matches.drafts import Preview
from app.matches.order_lines import LONGEST_ORDER
from app.platform.errors import Refused
from app.platform.tokens import make_secret
from app.views.legal_orders import (
    MOST_LISTED,
    choices_fingerprint,
    has_more,
    pack_choices,
    tell_choices,
)
from app.views.position_page import (
    Position,
    change_orders,
    preview_position,
    show_position,
)
from app.views.turn_page import foresee

SEEN = "X-State"  # and which state of the table its page was made from
PARTS = "X-Board"  # a script asks for parts, and says which position its board shows


class Confirm(NamedTuple):
    """An order that draws, reveals or ends the match, and the draft with it."""

    order: str
    thought: Preview


def answer_choices(thought: Preview, seat: int) -> Response:
    """The orders that are legal after the draft, with their costs, for the script that shows them; of very many, a page."""
    start = request.args.get("from", 0, type=int)
    start = start if 0 <= start <= MOST else 0
    response = Response(content_type="application/json")
    response.set_etag(choices_fingerprint(thought, seat, start))
    response.make_conditional(request)
    if response.status_code == 200:
        told: Any = tell_choices(thought, seat, start)
        packed = "packed" in request.args
        told = pack_choices(thought.match.game, told) if packed else told
        response.data = jsonify(told).data
        if has_more(thought, seat, start):
            response.headers["Link"] = f'<{next_choices(start)}>; rel="next"'
    return response


def next_choices(start: int) -> str:
    """Where the orders after these are."""
    query = [(name, value) for name, value in request.args.items(multi=True) if name != "from"]
    more = "&".join(f"{name}={value}" if value else name for name, value in query)
    return f"{request.path}?from={start + MOST_LISTED}{'&' if more else ''}{more}"


# Positions that are no match: their draft comes with every request


def orders_of_form() -> list[str]:
    return request.form.getlist("order")


def orders_of_address() -> list[str]:
    return request.args.getlist("order")


def position_choices(position: Position) -> Response:
    """What is legal in a position after the orders of the address."""
    return answer_choices(preview_position(position, orders_of_address()), position.seat)


def position_brings(position: Position) -> Response:
    """What the last order of the address would bring after those before it."""
    *drafted, order = orders_of_address() or [""]
    thought = preview_position(position, drafted)
    return jsonify(foresee(thought, position.seat, order[:LONGEST_ORDER], position.names))


def position_page(
    template: str,
    position: Position,
    to: TurnAddresses,
    *,
    problem: Refused | None = None,
    typed: str = "",
    confirm: str | None = None,
    play: bool = True,
    **more: Any,
) -> str:
    """A position with the orders of its addresses, as a page or as the parts of it that a script asks for.

    `problem` is what was refused just now, `confirm` an order that is asked about; with `play` false one only looks.
    """
    desk, slim = show_position(position, to.orders, play=play), PARTS in request.headers
    asked = preview_position(position, [*to.orders, confirm]) if confirm else None
    return render_template(
        template,
        slim=slim,
        changes=desk.changes(request.headers.get(PARTS)) if slim else None,
        new_tools=slim and not desk.has_tools_of(request.headers.get(PARTS)),
        confirm=Confirm(confirm or "", asked) if asked else None,
        answer=desk.answer(typed),
        desk=desk,
        to=to,
        menu=desk.menu(request.args.get("verb"), request.args.get("first")),
        why_not=desk.why_not(request.args.get("verb")),
        key=make_secret(),
        problem=problem,
        typed=typed,
        **more,
    )


def position_draft(
    position: Position, page: Callable[..., str], to: Callable[[list[str]], TurnAddresses]
) -> BaseResponse | tuple[str, int]:
    """One order more, or less; the address of what comes of it says everything, but for what was refused or is asked about."""
    add = request.form.get("add", "")
    orders, outcome = change_orders(position, orders_of_form(), add)
    problem, confirm = outcome.problem, outcome.confirm
    if not (problem or confirm or PARTS in request.headers):
        return redirect(to(orders).turn, 303)
    shown = page(orders, problem=problem, typed=add if problem else "", confirm=confirm)
    return shown, STATUS[problem.code] if problem else 200
