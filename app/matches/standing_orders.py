"""Standing orders: what a seat wants answered for it while it sleeps, by what the game asks. `sleeping_seats` follows them.

What a wish can say, and how it is written, is the game's (`Game.standing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, delete

from app.matches.access import Place, check_own_seat, check_running, settle_access
from app.platform import tables
from app.platform.rows import load_present_match, query_of_seat
from engine.core.game import Standing, WishField
from engine.core.refusal import NotUnderstood
from engine.core.registry import find, games
from engine.core.sentence import say

Orders = dict[str, dict[str, Any] | None]  # by what is asked; None where the person is asked
STANDING = query_of_seat(tables.Standing)


def questions_of(session: Session, here: Place) -> Mapping[str, Standing]:
    """What the game of a match lets be answered in advance."""
    return find(load_present_match(session, here.match_id).game).standing


def describe_wishes() -> str:
    """What each game lets be answered in advance, and what a wish may say; for the API's document."""
    return " ".join(
        f"{game.name}: `{question}` with {', '.join(map(describe_field, rule.fields))}."
        for game in games().values()
        for question, rule in game.standing.items()
    )


def describe_field(field: WishField) -> str:
    return f"`{field.name}` ({field.label})"


def load_standing_orders(session: Session, here: Place) -> Orders:
    """The standing orders of one's own seat; they are nobody else's business."""
    row = STANDING.first(session, match=here.match_id, seat=check_own_seat(here))
    kept = row.orders if row else {}
    return {question: kept.get(question) for question in questions_of(session, here)}


def put_standing_orders(session: Session, here: Place, wishes: Mapping[str, Any]) -> Orders:
    """Replaces them; from the next question on they answer."""
    here = settle_access(session, here)
    check_running(here)
    known = questions_of(session, here)
    if not known:
        game = find(load_present_match(session, here.match_id).game)
        raise NotUnderstood(say("Nothing in {game} can be answered in advance.", game=game.name))
    if not wishes or not wishes.keys() <= known.keys():
        raise NotUnderstood(say("Standing orders are for {questions}.", questions=", ".join(known)))
    orders = {question: known[question].settle(wish) for question, wish in wishes.items()}
    drop_standing_orders(session, here)
    session.add(tables.Standing(match_id=here.match_id, seat=check_own_seat(here), orders=orders))
    session.flush()
    return {question: orders.get(question) for question in known}


def drop_standing_orders(session: Session, here: Place) -> Orders:
    """Takes them back: whatever comes, the person is asked."""
    where = (
        tables.Standing.match_id == here.match_id,
        tables.Standing.seat == check_own_seat(here),
    )
    session.exec(delete(tables.Standing).where(*where))  # type: ignore[arg-type]  # SQLModel's columns
    return dict.fromkeys(questions_of(session, here))


def standing_by_form(session: Session, here: Place, question: str, form: Mapping[str, str]) -> None:
    """What somebody wrote in the form for one question."""
    rule = questions_of(session, here).get(question)
    put_standing_orders(session, here, {question: rule.from_form(form) if rule else None})


def standing_by_line(session: Session, here: Place, text: str) -> Orders:
    """What somebody wrote after `standing` in a mail, about the first thing that can be asked: new orders, or `off`."""
    if text.strip().lower() == "off":
        return drop_standing_orders(session, here)
    known = questions_of(session, here)
    wishes = {question: rule.parse(text) for question, rule in [*known.items()][:1]}
    return put_standing_orders(session, here, wishes)


def format_standing_orders(session: Session, here: Place, orders: Orders) -> str | None:
    """The same in words that `standing_by_line` understands; None where there are none."""
    known = questions_of(session, here)
    told = [known[question].format(wish) for question, wish in orders.items() if wish is not None]
    return "; ".join(told) or None
