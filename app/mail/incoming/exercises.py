"""Answers to a lesson or a puzzle by mail: orders that are played in its position, and a mail that tells what came of them."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from app.learning.lessons import find_path
from app.learning.puzzles import list_puzzles
from app.mail.incoming.message import Mail
from app.mail.incoming.orders import orders_in
from app.mail.outgoing.exercise import LESSON, call_for_verdict, judge
from app.mail.reply_addresses import Learner
from app.matches.drafts import clean_orders
from app.people.puzzle_tries import write_puzzle_try
from app.people.solved_lessons import write_solved_lesson
from app.platform import tables
from app.platform.services import Services
from engine.core.refusal import Refusal
from engine.core.registry import find


def take_exercise(services: Services, to: Learner, mail: Mail) -> bool:
    """Keeps what came of the answer and calls for the mail that tells it; False where nobody may answer so, or did before."""
    with services.database.look() as session:
        player = session.get(tables.Player, to.player_id)
    strange = player is None or player.email is None or player.suspended_at is not None
    if strange or mail.automatic or mail.sender != player.email or not there_is(to):  # type: ignore[union-attr]  # asked before
        return False
    orders, _ = orders_in(mail.lines, find(to.game).verbs)
    try:
        orders = clean_orders(orders)
    except Refusal:
        orders = []
    key = sha256(f"{to}\n{mail.message_id or mail.stamp}".encode("utf-8", "replace")).hexdigest()
    try:
        with services.database.session() as session:
            if session.exec(select(tables.Received.id).where(tables.Received.key == key)).first():
                return False
            at = services.now()
            session.add(tables.Received(key=key, player_id=to.player_id, state="told", at=at))
            keep_verdict(session, services, to, orders)
            call_for_verdict(session, to, orders, at, mail.message_id)
    except IntegrityError:
        return False
    return True


def there_is(to: Learner) -> bool:
    """Whether that lesson or puzzle is still there: an address outlives it."""
    try:
        some = find_path(to.game).lessons if to.kind == LESSON else list_puzzles(to.game)
    except Refusal:
        return False
    return 0 < to.number <= len(some)


def keep_verdict(session: Session, services: Services, to: Learner, orders: list[str]) -> None:
    verdict = judge(to, orders)
    at = services.now()
    if to.kind == LESSON and verdict["solved"]:
        lesson = find_path(to.game).lessons[to.number - 1]
        write_solved_lesson(session, to.player_id, to.game, lesson.key, at)
    if to.kind != LESSON and not verdict.get("refused"):
        puzzle = list_puzzles(to.game)[to.number - 1]
        of = to.player_id, puzzle.game, puzzle.key
        write_puzzle_try(session, of, verdict["value"], at, solved=verdict["solved"])
