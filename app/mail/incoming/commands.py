"""What the lines of an answer ask for: orders to play, standing orders to keep, or something to be told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Any, Literal

from sqlalchemy import delete
from sqlmodel import Session, col

from app.eventstore.store import load_match
from app.mail.incoming.message import Mail
from app.mail.incoming.orders import orders_in
from app.mail.outgoing.match_context import names_told
from app.mail.reply_addresses import Answerer
from app.matches.access import Place, access_match
from app.matches.drafts import clean_orders, preview_draft
from app.matches.standing_orders import (
    format_standing_orders,
    load_standing_orders,
    standing_by_line,
)
from app.matches.submissions import submit_orders
from app.moderation.commands import AnswerProposal, AnswerUndo
from app.moderation.execute import execute
from app.moderation.proposals import last_proposed
from app.moderation.undo_requests import last_undo_asked
from app.outbox.mail_preferences import load_cooling
from app.platform import tables
from app.platform.errors import Busy, KeyReused, LineRefused, Stale, broken_rule
from app.platform.i18n import translate_sentence
from app.platform.rows import MINE
from app.platform.services import Services
from app.views.history import find_undoing, load_steps
from engine.core.game import Game
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.registry import games
from engine.core.sentence import Sentence, say
from engine.core.timeline import TABLE_EVENTS, Entry

LATELY = 30  # events that `history` tells
RECALL, GO = "recall", "go"  # what is asked for orders that wait


# One word alone asks for something, in the language that comes to mind.
WORDS = {
    **dict.fromkeys(("help", "?", "aide", "ajuda"), "help"),
    **dict.fromkeys(("status", "statut", "état", "estado", "situação"), "status"),
    **dict.fromkeys(("board", "plateau", "tabuleiro"), "board"),
    **dict.fromkeys(("history", "historique", "histórico"), "history"),
    **dict.fromkeys(("confirm", "confirmer", "confirmar"), "confirm"),
    **dict.fromkeys(("undo", "stop", "annuler", "arrêter", "desfazer", "parar"), RECALL),
    **dict.fromkeys(("go", "jouer", "jogar"), GO),
}


# Whether to agree to an undo or a proposal. They stand apart: a name under the orders may look like one of them.
CONSENT = {
    **dict.fromkeys(("agree", "d'accord", "accepter", "j'accepte", "concordo", "aceito"), True),
    **dict.fromkeys(("disagree", "refuser", "je refuse", "discordo", "recuso"), False),
}
STANDING = "standing"
WAITING = "waiting"


# Whoever gets hold of an old mail shall not answer for its reader from now on.
OLD_MAIL = say(
    "This mail was written at position {pos}, and the match is at {head}: answer the newest mail to give "
    "standing orders, or give them on the page of the match."
)


DOUBTFUL = say(
    "It cannot be told whether you wrote this line or whether it belongs to the quoted mail: {line} "
    "Please write your orders above the quoted mail."
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a mail. The story is what happened after the position `since`, up to `until`."""

    code: Literal["played", "refused", "told"]
    word: str = "orders"
    orders: tuple[str, ...] = ()
    line: int | None = None
    problem: Sentence | None = None
    rule: str | None = None  # the clause that forbids it
    note: Sentence | None = None
    since: int | None = None
    until: int | None = None
    unread: tuple[str, ...] = ()


@cache
def all_verbs() -> tuple[str, ...]:
    """What an order may begin with, whatever the game: a mail is read before anybody looks which it is."""
    verbs = (verb.split()[0] for game in games().values() for verb in game.verbs)
    return tuple(sorted({*verbs, *WORDS, *(word for word in CONSENT if " " not in word), STANDING}))


def stands_alone(game: Game, seat: int, verb: str) -> bool:
    """Whether a verb is an order without anything behind it."""
    try:
        game.parse(seat, verb)
    except Refusal:
        return False
    return True


def execute_mail(services: Services, to: Answerer, key: str, mail: Mail) -> Finding:
    """Does what the lines of a mail ask for."""
    with services.database.look() as session:
        try:
            here = access_match(session, to.match_id, to.player_id)
            match = load_match(session.connection(), to.match_id)
        except Refusal as refusal:
            return Finding("refused", problem=refusal.sentence)
        mine = MINE.found(session, match=to.match_id, me=to.player_id)
    if to.seat not in mine:
        return Finding("refused", problem=say("That seat is not yours any more."))
    if mail.doubtful:
        return Finding("refused", problem=say(DOUBTFUL.one, line=mail.doubtful[0]))
    verbs = (*match.game.verbs, *WORDS, STANDING)
    lone = (verb for verb in match.game.verbs if stands_alone(match.game, to.seat, verb))
    orders, unread = orders_in(mail.lines, verbs, (*lone, *WORDS))
    unread += mail.elsewhere
    if not orders:
        return Finding("refused", problem=say("There are no orders above the quoted mail."))
    try:
        orders = clean_orders(orders)
    except Refusal as too_much:  # not repeated: they would make an answer of fifty times the size
        return Finding("refused", problem=too_much.sentence)
    if len(orders) == 1 and WORDS.get(orders[0]) in (RECALL, GO):
        return recalled(services, to) if WORDS[orders[0]] == RECALL else hurried(services, to)
    if len(orders) == 1 and orders[0] in WORDS:
        return asked(match, WORDS[orders[0]])
    if orders[0] in CONSENT:
        return consented(services, to, match, orders)
    if here.seat != to.seat:  # another seat of the same player is asked by now
        return moved(services, to, tuple(orders))
    if any(order.split()[0] == STANDING for order in orders):
        if find_undoing(match, to.head):  # they are void after it, those that come late too
            return moved(services, to, tuple(orders))
        return stood(services, to, here, match, orders)
    if WORDS.get(orders[-1]) == GO:
        return ordered(services, to, key, match, orders[:-1], unread)
    if minutes := waiting_minutes(services, to, match):
        finding = kept_waiting(services, to, key, match, orders, minutes, mail.message_id)
        return replace(finding, unread=tuple(unread))
    return ordered(services, to, key, match, orders, unread)


def asked(match: Match, word: str) -> Finding:
    """Something to be told; the answer shows the board in any case."""
    since = max(0, match.head - LATELY) if word == "history" else None
    note = say("Thank you: we know now that our mails reach you.") if word == "confirm" else None
    return Finding("told", word, since=since, until=match.head, note=note)


# Cooling off


def waiting_minutes(services: Services, to: Answerer, match: Match) -> int:
    """How many minutes these orders wait before they count: as the player wishes, and not beyond the deadline."""
    with services.database.look() as session:
        minutes = load_cooling(session.get_one(tables.Player, to.player_id))
        deadline = session.get_one(tables.Match, to.match_id).deadline
    left = (deadline - services.now()) // timedelta(minutes=1) - 1 if deadline else minutes
    current = unmoved(match, to.head) == match.head  # what comes too late is refused at once
    return max(0, min(minutes, left)) if current else 0


def kept_waiting(
    services: Services,
    to: Answerer,
    key: str,
    match: Match,
    orders: list[str],
    minutes: int,
    message_id: str,
) -> Finding:
    """Keeps orders until their time has come, if they can be played as far as can be foreseen."""
    given = tuple(orders)
    seen = preview_draft(match, to.seat, orders)
    if seen.problem is not None:
        return refused(given, seen.problem, seen.line)
    with services.database.session() as session:
        if old := session.get(tables.Cooling, (to.match_id, to.seat)):
            session.delete(old)
            session.flush()
        row = tables.Cooling(
            match_id=to.match_id,
            seat=to.seat,
            player_id=to.player_id,
            head=to.head,
            orders=orders,
            key=key,
            message_id=message_id,
            due_at=services.now() + timedelta(minutes=minutes),
        )
        session.add(row)
    note = say(
        "These orders count in {n} minute. Answer “undo” to recall them, “go” to have them count at once.",
        "These orders count in {n} minutes. Answer “undo” to recall them, “go” to have them count at once.",
        n=minutes,
    )
    return Finding("told", WAITING, given, note=note)


def recalled(services: Services, to: Answerer) -> Finding:
    """Takes back the orders that wait; nothing was played."""
    row = load_waiting(services, to)
    if row is not None:
        with services.database.session() as session:
            if end_waiting(session, row):
                note = say("Your orders are recalled.")
                return Finding("told", RECALL, tuple(row.orders), note=note)
    problem = say("No orders of yours wait here: what was played is played.")
    return Finding("refused", RECALL, problem=problem)


def hurried(services: Services, to: Answerer) -> Finding:
    """Has the orders count at once that wait."""
    row = load_waiting(services, to)
    if row is None:
        return Finding("refused", GO, problem=say("No orders of yours wait here."))
    finding = play_waiting(services, row)
    with services.database.session() as session:
        end_waiting(session, row)
    return finding


def load_waiting(services: Services, to: Answerer) -> tables.Cooling | None:
    """The orders of this player that wait, if there are any."""
    with services.database.look() as session:
        row = session.get(tables.Cooling, (to.match_id, to.seat))
    return row if row is not None and row.player_id == to.player_id else None


def play_waiting(services: Services, row: tables.Cooling) -> Finding:
    """Plays orders whose time has come, once however often it is tried."""
    to = Answerer(row.match_id, row.seat, row.player_id, row.head)
    match = load_match(services.database, row.match_id)
    return ordered(services, to, row.key, match, list(row.orders), [])


def end_waiting(session: Session, row: tables.Cooling) -> bool:
    """Forgets orders that were played or refused; False if somebody else did, or others wait there by now."""
    same = (
        col(tables.Cooling.match_id) == row.match_id,
        col(tables.Cooling.seat) == row.seat,
        col(tables.Cooling.key) == row.key,
    )
    return session.connection().execute(delete(tables.Cooling).where(*same)).rowcount == 1


# Consent


def consented(services: Services, to: Answerer, match: Match, orders: list[str]) -> Finding:
    """Agrees or not to the undo or proposal that was last asked for when the mail was written."""
    word, given = "consent", tuple(orders)
    try:
        if len(orders) > 1:
            raise NotUnderstood(say("Whether you agree comes in a mail of its own, as one word."))
        wish, proposal = (last(match, to.head) for last in (last_undo_asked, last_proposed))
        answer = AnswerUndo if wish >= proposal else AnswerProposal
        command = answer(
            match_id=to.match_id,
            by=to.player_id,
            asked=max(wish, proposal),
            agrees=CONSENT[orders[0]],
        )
        granted = execute(services.database, command, services.now()).done
    except (Busy, Stale):
        raise
    except Refusal as refusal:
        return Finding("refused", word, given, problem=refusal.sentence)
    agreed = (
        say("Everybody agreed: it is undone.")
        if wish >= proposal
        else say("Everybody agreed: it is done.")
    )
    note = agreed if granted else say("Your answer is noted.")
    return Finding("told", word, given, note=note)


# Orders


def ordered(
    services: Services, to: Answerer, key: str, match: Match, orders: list[str], unread: list[str]
) -> Finding:
    """Plays the orders, all or none of them."""
    given = tuple(orders)
    try:
        done = submit_orders(
            services.database,
            to.match_id,
            to.player_id,
            orders,
            head=unmoved(match, to.head),
            key=f"mail {key}",
            at=services.now(),
        )
    except Busy:
        raise
    except KeyReused:  # the same mail again, and only the table's affairs went on in between
        return Finding("told", orders=given, note=say("These orders were played already."))
    except Stale:
        return moved(services, to, given)
    except LineRefused as refusal:
        return refused(given, refusal, refusal.line)
    except Refusal as refusal:
        return refused(given, refusal)
    first = min(event["pos"] for event in done.events)
    told = {"since": first - 1, "until": done.head}
    return Finding("played", orders=given, unread=tuple(unread), **told)


def refused(orders: tuple[str, ...], problem: Refusal, line: int | None = None) -> Finding:
    rule = broken_rule(problem)
    return Finding("refused", orders=orders, line=line, problem=problem.sentence, rule=rule)


def unmoved(match: Match, head: int) -> int:
    """Where the match is, if since `head` only its table was busy: a longer deadline changes no turn."""
    later = match.log[head:]
    return match.head if all(isinstance(entry.event, TABLE_EVENTS) for entry in later) else head


def moved(services: Services, to: Answerer, orders: tuple[str, ...]) -> Finding:
    """The match is elsewhere by now: somebody moved, or the turn was undone."""
    match = load_match(services.database, to.match_id)
    why = find_undoing(match, to.head)
    if why:
        problem = say("This turn was undone. {why}", why=why)
    elif any(entry.seat == to.seat for entry in counted_later(match, to.head)):
        problem = say(
            "You have moved since that mail was written; the match is at position {head}. "
            "Answer the newest mail to move again.",
            head=match.head,
        )
    else:
        problem = say("Somebody moved meanwhile; the match is at position {head}.", head=match.head)
    since = max(to.head, match.head - LATELY)
    return Finding("refused", orders=orders, problem=problem, since=since, until=match.head)


def counted_later(match: Match, head: int) -> list[Entry]:
    """What was played after a position and counts; what was done to the table is no move."""
    later = (entry for entry in match.timeline.effective if entry.pos > head)
    return [entry for entry in later if not isinstance(entry.event, TABLE_EVENTS)]


# Standing orders


def stood(
    services: Services, to: Answerer, here: Place, match: Match, orders: list[str]
) -> Finding:
    """Keeps or drops the standing orders; they come alone, and in answer to the newest mail."""
    given = tuple(orders)
    try:
        if len(orders) > 1:
            raise NotUnderstood(say("Standing orders come in a mail of their own, on one line."))
        if orders != [STANDING] and unmoved(match, to.head) != match.head:
            raise NotUnderstood(say(OLD_MAIL.one, pos=to.head, head=match.head))
        opened = services.database.look if orders == [STANDING] else services.database.session
        with opened() as session:
            return Finding("told", STANDING, given, note=keep(session, here, orders[0]))
    except Busy:
        raise
    except Refusal as refusal:
        return Finding("refused", STANDING, given, line=1, problem=refusal.sentence)


def keep(session: Session, here: Place, order: str) -> Sentence:
    """`standing`, `standing off`, `standing up to 3, share`."""
    wish = order.removeprefix(STANDING).strip()
    kept = standing_by_line(session, here, wish) if wish else load_standing_orders(session, here)
    told = format_standing_orders(session, here, kept)
    if told is None:
        return say("You have no standing orders: you will be asked every time.")
    return say("Your standing orders: {orders}", orders=told)


# For the outbox


def reply_payload(
    session: Session, to: Answerer, finding: Finding, message_id: str
) -> dict[str, Any]:
    """The finding in the words that the player will read."""
    player = session.get_one(tables.Player, to.player_id)
    names = names_told(session, to.match_id, player.language)

    def speak(said: Sentence | None) -> str | None:
        return translate_sentence(said, names, player.language) if said is not None else None

    return {
        "code": finding.code,
        "word": finding.word,
        "orders": list(finding.orders),
        "line": finding.line,
        "problem": speak(finding.problem),
        "rule": finding.rule,
        "note": speak(finding.note),
        "story": [speak(said) for said in story(session, to, finding)],
        "unread": list(finding.unread),
        "message_id": message_id,
    }


def story(session: Session, to: Answerer, finding: Finding) -> list[Sentence]:
    """What happened, as the seat may know it."""
    if finding.since is None:
        return []
    here = access_match(session, to.match_id, to.player_id)
    _, steps = load_steps(session, here, finding.since, finding.until)
    return [step.sentence for step in steps if not step.cut]
