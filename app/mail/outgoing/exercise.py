"""A lesson or a puzzle by mail: the task and the board, answered by orders; and what came of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.learning.lessons import attempt_lesson, find_path, open_lesson
from app.learning.puzzles import (
    ask_puzzle,
    attempt_puzzle,
    list_puzzles,
    open_puzzle,
    puzzle_of_day,
    say_value,
)
from app.mail.outgoing.match_context import load_reader
from app.mail.outgoing.template import Draft, Unwanted
from app.mail.reply_addresses import Learner, make_exercise_address, marker_line
from app.outbox.mail_preferences import PUZZLE, unsubscribe_token, wants_mail
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.errors import LineRefused, broken_rule
from app.platform.i18n import translate_sentence
from app.platform.services import Services
from app.platform.tables import Outbox
from app.views.board_pictures import close_up_board
from app.views.help_pages import link_clause
from app.views.position_page import Position
from app.views.scenes import make_scene
from engine.core.refusal import Refusal
from engine.core.sentence import Sentence, say

EXERCISE = "exercise"  # the kind of mail
LESSON = "lesson"


def call_for_lesson(session: Session, player_id: int, game: str, number: int, at: datetime) -> None:
    """Has a lesson written to somebody who wishes it."""
    payload = {"kind": LESSON, "game": game, "number": number}
    enqueue_mail(session, EXERCISE, at, player_id=player_id, payload=payload)


def call_for_puzzle(session: Session, player: tables.Player, at: datetime) -> None:
    """Has the puzzle of the day written to somebody who wants it every morning."""
    today = puzzle_of_day(at.date())
    if today is not None:
        number = list_puzzles(today.game).index(today) + 1
        payload = {"kind": PUZZLE, "game": today.game, "number": number, "daily": True}
        enqueue_mail(session, EXERCISE, at, player_id=player.id, payload=payload)


def call_for_verdict(
    session: Session, to: Learner, orders: Sequence[str], at: datetime, message_id: str
) -> None:
    """Has somebody told what came of the orders that they sent."""
    payload = {
        "kind": to.kind, "game": to.game, "number": to.number, "orders": [*orders], "to": message_id,
    }  # fmt: skip
    enqueue_mail(session, EXERCISE, at, player_id=to.player_id, payload=payload)


def compose_exercise(session: Session, services: Services, row: Outbox) -> Draft:
    """The task, or what came of an answer and the task that is open then."""
    player, told = load_reader(session, row), row.payload
    if told.get("daily") and not wants_mail(player, PUZZLE):
        raise Unwanted("muted")
    to = Learner(told["kind"], told["game"], told["number"], player.id or 0)
    verdict = judge(to, told["orders"]) if told.get("orders") is not None else None
    following = next_one(to) if verdict and verdict["solved"] else to
    base, language = services.settings.base_url, player.language
    token = unsubscribe_token(services.settings, player.id, PUZZLE) if to.kind == PUZZLE else None
    leave = f"{base}/unsubscribe/{token}" if token else None
    position = open_exercise(following) if following else None
    values: dict[str, Any] = {
        "marker": marker_line(language) if following else None,
        "verdict": verdict and in_words(verdict, language),
        "clause": link_clause(to.game, verdict.get("rule"), base) if verdict else None,
        "task": following and tell_task(following, base, language),
        "chart": scene_of(position, language).chart if position else "",
        "legend": legend(position, language) if position else [],
        "unsubscribe": leave,
        "more": f"{base}/learn/{to.game}" if to.kind == LESSON else f"{base}/puzzles",
    }
    return Draft(
        to=player.email or "",
        language=language,
        subject=subject_of(to, verdict),
        template="exercise",
        values=values,
        thread=f"{to.kind}-{to.game}",
        reply_to=make_exercise_address(services.settings, following) if following else None,
        unsubscribe=leave,
        in_reply_to=told.get("to") or None,
        picture=(lambda: close_up_board(scene_of(position, language).board)) if position else None,
    )


def subject_of(to: Learner, verdict: dict[str, Any] | None) -> Sentence:
    if verdict is not None:
        return say("Solved!") if verdict["solved"] else say("Not yet: try again")
    if to.kind == PUZZLE:
        return say("A puzzle: {game}", game=open_exercise(to).match.game.name)
    lesson = find_path(to.game).lessons[to.number - 1]
    return say("A lesson: {title}", title=lesson.title)


def next_one(to: Learner) -> Learner | None:
    """The lesson after one that is solved; after a puzzle there is none before tomorrow."""
    more = to.kind == LESSON and to.number < len(find_path(to.game).lessons)
    return Learner(to.kind, to.game, to.number + 1, to.player_id) if more else None


def open_exercise(to: Learner) -> Position:
    if to.kind == LESSON:
        return open_lesson(find_path(to.game).lessons[to.number - 1])
    return open_puzzle(list_puzzles(to.game)[to.number - 1])


def scene_of(position: Position, language: str) -> Any:
    match = position.match
    return make_scene(match, match.state, position.seat, match.hash, language)


def legend(position: Position, language: str) -> list[dict[str, str]]:
    """How orders begin, and what each asks for."""
    verbs = position.match.game.verbs.items()
    return [
        {"verb": verb, "help": translate_sentence(told, language=language)} for verb, told in verbs
    ]


def tell_task(to: Learner, base: str, language: str) -> dict[str, str]:
    def said(sentence: Sentence) -> str:
        return translate_sentence(sentence, language=language)

    if to.kind == LESSON:
        lesson = find_path(to.game).lessons[to.number - 1]
        url = f"{base}/learn/{to.game}/{lesson.key}"
        return {
            "title": said(lesson.title), "idea": said(lesson.idea), "task": said(lesson.task), "hint": said(lesson.hint),
            "url": url,
        }  # fmt: skip
    puzzle = list_puzzles(to.game)[to.number - 1]
    counts = say("What draws, reveals or ends the turn counts for nothing here.")
    return {
        "title": open_exercise(to).match.game.name,
        "idea": said(counts),
        "task": said(ask_puzzle(puzzle.game, puzzle.key)),
        "hint": "",
        "url": f"{base}/puzzles/{puzzle.game}/{puzzle.key}",
    }


def judge(to: Learner, orders: Sequence[str]) -> dict[str, Any]:
    """What comes of orders: whether they solve it, and what there is to say."""
    position = open_exercise(to)
    found: dict[str, Any] = {
        "solved": False,
        "orders": list(orders),
        "names": position.names,
        "said": [],
    }
    try:
        if to.kind == LESSON:
            lesson = find_path(to.game).lessons[to.number - 1]
            attempt = attempt_lesson(lesson, orders)
            said = [lesson.praise] if attempt.solved else [*attempt.missing]
            return {**found, "solved": attempt.solved, "said": [*attempt.told, *said]}
        puzzle = list_puzzles(to.game)[to.number - 1]
        turn = attempt_puzzle(puzzle, orders)
        worth = say(
            "You found: {value}. The best: {best}.",
            value=turn.told,
            best=say_value(puzzle, puzzle.best),
        )
        return {**found, "solved": turn.solved, "value": turn.value, "said": [worth]}
    except LineRefused as problem:
        told = say("Order {number}: {problem}", number=problem.line, problem=problem.sentence)
        return {**found, "refused": True, "said": [told], "rule": broken_rule(problem)}
    except Refusal as problem:
        rule = broken_rule(problem)
        return {**found, "refused": True, "orders": [], "said": [problem.sentence], "rule": rule}


def in_words(verdict: dict[str, Any], language: str) -> dict[str, Any]:
    said = [translate_sentence(one, verdict["names"], language) for one in verdict["said"]]
    return {"solved": verdict["solved"], "orders": verdict["orders"], "said": said}
