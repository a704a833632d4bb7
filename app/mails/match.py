"""Mails about a match: you are asked, your time runs out, what was done to the table, how it ended."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from app import accounts, facts, models, replies, subscriptions
from app.mails import sheet
from app.mails.draft import Draft, Unwanted
from app.mails.sheet import ABOUT_THE_TABLE, Sheet
from app.models import Outbox
from app.services import Services
from engine.core.sentence import Sentence, say

# What mails about the table are called; the log says the rest.
SUBJECTS = {
    "rewound": say("{title}: the match was taken back"),
    "restored": say("{title}: what was taken back counts again"),
    "paused": say("{title}: the match is paused"),
    "resumed": say("{title}: the match goes on"),
    "extended": say("{title}: there is more time"),
    "replaced": say("{title}: a seat changes hands"),
    "closed": say("{title}: the match was closed"),
    "refused": say("{title}: the undo is refused"),
    "declined": say("{title}: the proposal is refused"),
    "resigned": say("{title}: a player gave up"),
    "owner": say("{title}: the match is in other hands"),
}
NEWS = say("{title}: news from the table")
AWAITED = say("You are awaited: your time ends {when}.")
IN_THE_BANK = say("Your turn’s hours are over: you play on time from your bank, which ends {when}.")
TIME_IS_OVER = say("Your time is over, and the others still wait for you.")
STOOD_IN = say(
    "Your time is over, so a bot plays on for you. The seat stays yours: "
    "open the match and say that you are back, or give an order when you are asked."
)
SHOW_THE_BOARD = ("rewound", "restored", "resumed")  # what one saw before may not hold any more


def asked(session: Session, services: Services, row: Outbox) -> Draft:
    """It is your turn, or the game asks you something in between; whatever it calls that."""
    found = wanted(session, services, row, "turn" if row.kind == "turn" else "festival")
    check_awaited(found, row)
    if found.match.game.awaited(found.match.state) != row.kind:
        raise Unwanted("stale")
    if row.kind == "turn":
        return draft(found, titled(say("{title}: your turn"), found), answer=True)
    what = question(found)
    subject = titled(say("{title}: you are asked for an answer ({what})"), found, what=what)
    return draft(found, subject, answer=True)


def reminder(session: Session, services: Services, row: Outbox) -> Draft:
    """Your time runs out, or has: what runs now counts, not what ran when the mail was called for."""
    found = wanted(session, services, row, "reminder")
    if found.bot is not None and row.payload.get("bot") and found.running:
        return draft(found, titled(say("{title}: your time is over"), found), lead=STOOD_IN)
    check_awaited(found, row)
    clock = session.get(models.Clock, (found.table.id, found.seat))
    due = clock.due_at if clock is not None else found.table.deadline
    if due is None:
        raise Unwanted("stale")
    if clock is not None and clock.phase == "over":
        subject = titled(say("{title}: your time is over"), found)
        return draft(found, subject, lead=TIME_IS_OVER, answer=True)
    when = found.distance(due)
    subject = titled(say("{title}: your time ends {when}"), found, when=when)
    awaited = IN_THE_BANK if clock is not None and clock.phase == "bank" else AWAITED
    return draft(found, subject, lead=say(awaited.one, when=when), answer=True)


def timeout(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody let the deadline pass, for those who care for the match."""
    found = wanted(session, services, row, "table")
    late = found.match.game.to_act(found.match.state)
    if not found.running or not late or any(played_since(found, row, seat) for seat in late):
        raise Unwanted("stale")
    names = ", ".join(sitter["name"] for sitter in sheet.sitters(found) if sitter["asked"])
    lead = say(
        "{names} let the time run out. You care for this match: you can give more time, "
        "pause or close it, or give the seat to somebody else.",
        names=names,
    )
    subject = titled(say("{title}: {names} let the time run out"), found, names=names)
    return draft(found, subject, lead=lead, board=False)


def over(session: Session, services: Services, row: Outbox) -> Draft:
    """The match is over: the final table."""
    found = wanted(session, services, row, "over")
    if not found.match.over:
        raise Unwanted("stale")
    game = found.match.game
    winners = ", ".join(found.names.get(seat, "") for seat in game.winners(found.match.state))
    lead = say("The match is over. It was won by {winners}.", winners=winners)
    return draft(found, titled(say("{title}: the match is over"), found), lead=lead)


def table(session: Session, services: Services, row: Outbox) -> Draft:
    """Something was done to the table, in the words of its log."""
    found = wanted(session, services, row, "table")
    event = found.match.log[row.pos - 1].event if 0 < row.pos <= found.match.head else None
    if not isinstance(event, ABOUT_THE_TABLE):
        raise Unwanted("stale")
    lead = facts.sentence(found.match.game, event)
    shown = row.kind in SHOW_THE_BOARD and found.seat is not None
    subject = titled(SUBJECTS.get(row.kind, NEWS), found)
    return draft(found, subject, lead=lead, board=shown, news=False, answer=shown and found.asked)


def talk(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody said something at the table."""
    found = wanted(session, services, row, "talk")
    said = session.get(models.Talk, row.number)
    if said is None or said.hidden_at is not None or found.seat is None:
        raise Unwanted("stale")
    name = sheet.name_told(session.get(models.Player, said.player_id))
    lead = say("{name} says:", name=name)
    subject = titled(say("{title}: {name} says something"), found, name=name)
    return draft(found, subject, lead=lead, board=False, news=False, words=said.text)


# Whether it is still awaited


def wanted(session: Session, services: Services, row: Outbox, wish: str) -> Sheet:
    """What the mail is about, if its reader wants such mails."""
    found = sheet.sheet(session, services, row)
    if not accounts.wants(found.player, wish) or row.match_id in subscriptions.muted(found.player):
        raise Unwanted("muted")
    if found.alone:
        raise Unwanted("alone")
    return found


def check_awaited(found: Sheet, row: Outbox) -> None:
    """Refuses a mail that asks for what is no longer asked: it was played, cut, paused or ended meanwhile."""
    if found.bot is not None:
        raise Unwanted("bot")
    if not found.asked or played_since(found, row, found.seat) or cut(found, row):
        raise Unwanted("stale")


def played_since(found: Sheet, row: Outbox, seat: int | None) -> bool:
    """Whether the seat has acted after the mail was called for; who has it sent again wants it anyway."""
    later = (entry for entry in found.match.timeline.effective if entry.pos > row.pos)
    return "again" not in row.payload and any(entry.seat == seat for entry in later)


def cut(found: Sheet, row: Outbox) -> bool:
    """Whether the position that called for the mail was taken back: then another mail told so."""
    entry = found.match.log[row.pos - 1] if 0 < row.pos <= found.match.head else None
    if entry is None or isinstance(entry.event, ABOUT_THE_TABLE):
        return False
    return all(entry.pos != other.pos for other in found.match.timeline.effective)


# Writing it down


def titled(template: Sentence, found: Sheet, **more: Any) -> Sentence:
    return say(template.one, title=found.title, **more)


def question(found: Sheet) -> Sentence:
    """What the game asks for: what it tells first beside the board."""
    return sheet.summary(found)[0][0]


def draft(
    found: Sheet,
    subject: Sentence,
    *,
    lead: Sentence | None = None,
    board: bool = True,
    news: bool = True,
    answer: bool = False,
    words: str = "",
) -> Draft:
    """A mail about a match; what its reader may not see is not in it."""
    board = board and found.sees
    settings, player = found.services.settings, found.player
    scope = subscriptions.token(settings, player.id, found.table.id)
    unsubscribe = f"{settings.base_url}/unsubscribe/{scope}"
    answers = sheet.orders(found) if answer else {"few": False, "parts": []}
    values = {
        **answers,
        "title": found.title,
        "game": found.match.game.name,
        "lead": found.said(lead or first_line(found)),
        "words": words,
        "marker": replies.marker(found.language) if found.seat is not None else "",
        "url": found.url("/play", at=str(found.match.head)),
        "over": found.match.over,
        "deadline": deadline(found),
        "news": sheet.news(found) if board and news else [],
        "sitters": sheet.sitters(found) if found.sees else [],
        "facts": sheet.beside(found) if board else [],
        "urgent": sheet.URGENT,
        "chart": sheet.chart(found) if board else "",
        "history": found.url("/history"),
        "log": found.url("/mails") if found.seat is not None or found.cares else "",
        "pos": found.match.head,
        "hash": found.match.hash if found.sees else "",
        "unsubscribe": unsubscribe,
    }
    pictured = board and accounts.wants(player, "pictures")
    return Draft(
        to=player.email or "",
        language=player.language,
        subject=Sentence(subject.one, subject.many, spoken(found, subject)),
        template="match",
        values=values,
        thread=found.table.id,
        reply_to=reply_to(found),
        unsubscribe=unsubscribe,
        picture=(lambda: sheet.picture(found)) if pictured else None,
    )


def spoken(found: Sheet, sentence: Sentence) -> dict[str, Any]:
    """The values of a sentence with the players' names in them."""
    return {
        name: found.said(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }


def first_line(found: Sheet) -> Sentence:
    if found.match.game.awaited(found.match.state) == "turn":
        return say("It is your turn.")
    return say("You are asked for an answer: {what}.", what=question(found))


def deadline(found: Sheet) -> dict[str, str] | None:
    """Until when somebody is awaited, in the reader's zone."""
    at = found.table.deadline
    if at is None or not found.running:
        return None
    return {"at": found.moment(at), "left": found.distance(at)}


def reply_to(found: Sheet) -> str | None:
    if found.seat is None or found.player.id is None:
        return None
    return replies.reply_address(
        found.services.settings, found.table.id, found.seat, found.player.id, found.match.head
    )
