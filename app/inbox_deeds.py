"""What the lines of an answer ask for: orders to play, standing orders to keep, or something to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlmodel import Session

from app import glance, history, i18n, models, play, proposals, standing, store, undo
from app.errors import Busy, KeyReused, LineRefused, Stale
from app.inbox_text import orders_in
from app.mails.sheet import names_told
from app.play import Place
from app.replies import Answerer
from app.services import Services
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.sentence import Sentence, say
from engine.core.timeline import TABLE_EVENTS

LATELY = 30  # events that `history` tells
# One word alone asks for something, in the language that comes to mind.
WORDS = {
    **dict.fromkeys(("help", "?", "aide", "ajuda"), "help"),
    **dict.fromkeys(("status", "statut", "état", "estado", "situação"), "status"),
    **dict.fromkeys(("board", "plateau", "tabuleiro"), "board"),
    **dict.fromkeys(("history", "historique", "histórico"), "history"),
    **dict.fromkeys(("confirm", "confirmer", "confirmar"), "confirm"),
}
# Whether to agree to an undo or a proposal. They stand apart: a name under the orders may look like one of them.
CONSENT = {
    **dict.fromkeys(("agree", "d'accord", "accepter", "j'accepte", "concordo", "aceito"), True),
    **dict.fromkeys(("disagree", "refuser", "je refuse", "discordo", "recuso"), False),
}
STANDING = "standing"
# Whoever gets hold of an old mail shall not answer for its reader from now on.
OLD_MAIL = say(
    "This mail was written at position {pos}, and the match is at {head}: answer the newest mail to give "
    "standing orders, or give them on the page of the match."
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a mail. The story is what happened after the position `since`, up to `until`."""

    code: Literal["played", "refused", "told"]
    word: str = "orders"
    orders: tuple[str, ...] = ()
    line: int | None = None
    problem: Sentence | None = None
    note: Sentence | None = None
    since: int | None = None
    until: int | None = None
    unread: tuple[str, ...] = ()


def answered(services: Services, to: Answerer, key: str, lines: list[str]) -> Finding:
    """Does what the lines ask for."""
    with services.database.look() as session:
        try:
            here = play.place(session, to.match_id, to.player_id)
            match = store.load(session.connection(), to.match_id)
        except Refusal as refusal:
            return Finding("refused", problem=refusal.sentence)
        mine = glance.MINE.found(session, match=to.match_id, me=to.player_id)
    if to.seat not in mine:
        return Finding("refused", problem=say("That seat is not yours any more."))
    orders, unread = orders_in(lines, (*match.game.verbs, *WORDS, STANDING))
    if not orders:
        return Finding("refused", problem=say("There are no orders above the quoted mail."))
    try:
        orders = play.clean(orders)
    except Refusal as too_much:  # not repeated: they would make an answer of fifty times the size
        return Finding("refused", problem=too_much.sentence)
    if len(orders) == 1 and orders[0] in WORDS:
        return asked(match, WORDS[orders[0]])
    if orders[0] in CONSENT:
        return consented(services, to, match, orders)
    if here.seat != to.seat:  # another seat of the same player is asked by now
        return moved(services, to, tuple(orders))
    if any(order.split()[0] == STANDING for order in orders):
        if history.undone(match, to.head):  # they are void after it, those that come late too
            return moved(services, to, tuple(orders))
        return stood(services, to, here, match, orders)
    return ordered(services, to, key, match, orders, unread)


def asked(match: Match, word: str) -> Finding:
    """Something to be told; the answer shows the board in any case."""
    since = max(0, match.head - LATELY) if word == "history" else None
    note = say("Thank you: we know now that our mails reach you.") if word == "confirm" else None
    return Finding("told", word, since=since, until=match.head, note=note)


# Consent


def consented(services: Services, to: Answerer, match: Match, orders: list[str]) -> Finding:
    """Agrees or not to the undo or proposal that was last asked for when the mail was written."""
    word, given = "consent", tuple(orders)
    try:
        if len(orders) > 1:
            raise NotUnderstood(say("Whether you agree comes in a mail of its own, as one word."))
        with services.database.session() as session:
            wish, proposal = (
                last(match, to.head) for last in (undo.last_asked, proposals.last_proposed)
            )
            answer = undo.answer if wish >= proposal else proposals.answer
            granted = answer(
                session,
                to.match_id,
                to.player_id,
                max(wish, proposal),
                CONSENT[orders[0]],
                services.now(),
            )
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
        done = play.submit(
            services.database,
            to.match_id,
            to.player_id,
            orders,
            unmoved(match, to.head),
            f"mail {key}",
            services.now(),
        )
    except Busy:
        raise
    except KeyReused:  # the same mail again, and only the table's affairs went on in between
        return Finding("told", orders=given, note=say("These orders were played already."))
    except Stale:
        return moved(services, to, given)
    except LineRefused as refusal:
        return Finding("refused", orders=given, line=refusal.line, problem=refusal.sentence)
    except Refusal as refusal:
        return Finding("refused", orders=given, problem=refusal.sentence)
    first = min(event["pos"] for event in done.events)
    told = {"since": first - 1, "until": done.head}
    return Finding("played", orders=given, unread=tuple(unread), **told)


def unmoved(match: Match, head: int) -> int:
    """Where the match is, if since `head` only its table was busy: a longer deadline changes no turn."""
    later = match.log[head:]
    return match.head if all(isinstance(entry.event, TABLE_EVENTS) for entry in later) else head


def moved(services: Services, to: Answerer, orders: tuple[str, ...]) -> Finding:
    """The match is elsewhere by now: somebody moved, or the turn was undone."""
    match = store.load(services.database, to.match_id)
    why = history.undone(match, to.head)
    problem = (
        say("This turn was undone. {why}", why=why)
        if why
        else say("Somebody moved meanwhile; the match is at position {head}.", head=match.head)
    )
    since = max(to.head, match.head - LATELY)
    return Finding("refused", orders=orders, problem=problem, since=since, until=match.head)


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
        with services.database.session() as session:
            return Finding("told", STANDING, given, note=keep(session, here, orders[0]))
    except Busy:
        raise
    except Refusal as refusal:
        return Finding("refused", STANDING, given, line=1, problem=refusal.sentence)


def keep(session: Session, here: Place, order: str) -> Sentence:
    """`standing`, `standing off`, `standing up to 3, share`."""
    wish = order.removeprefix(STANDING).strip()
    kept = standing.by_line(session, here, wish) if wish else standing.get(session, here)
    festival = kept[standing.KIND]
    if festival is None:
        return say("You have no standing orders: you will be asked every time.")
    return say("Your standing orders: {orders}", orders=standing.line(festival))


# For the outbox


def payload(session: Session, to: Answerer, finding: Finding, message_id: str) -> dict[str, Any]:
    """The finding in the words that the player will read."""
    player = session.get_one(models.Player, to.player_id)
    names = names_told(session, to.match_id, player.language)

    def speak(said: Sentence | None) -> str | None:
        return i18n.translate(said, names, player.language) if said is not None else None

    return {
        "code": finding.code,
        "word": finding.word,
        "orders": list(finding.orders),
        "line": finding.line,
        "problem": speak(finding.problem),
        "note": speak(finding.note),
        "story": [speak(said) for said in story(session, to, finding)],
        "unread": list(finding.unread),
        "message_id": message_id,
    }


def story(session: Session, to: Answerer, finding: Finding) -> list[Sentence]:
    """What happened, as the seat may know it."""
    if finding.since is None:
        return []
    here = play.place(session, to.match_id, to.player_id)
    _, steps = history.steps(session, here, finding.since, finding.until)
    return [step.sentence for step in steps if not step.cut]
