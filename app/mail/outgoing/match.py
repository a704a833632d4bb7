"""Mails about a match: you are asked, your time runs out, what was done to the table, how it ended."""

from __future__ import annotations

from dataclasses import replace
from textwrap import shorten
from typing import Any

from sqlmodel import Session

from app.mail.outgoing.match_context import (
    ABOUT_THE_TABLE,
    URGENT,
    Sheet,
    draw_close_up,
    draw_ending,
    load_sheet,
    name_told,
    tell_beside,
    tell_event,
    tell_orders,
    tell_result,
    tell_sitters,
    tell_turns,
)
from app.mail.outgoing.template import Draft, Unwanted
from app.mail.reply_addresses import make_reply_address, marker_line
from app.outbox.mail_preferences import load_muted, unsubscribe_token, wants_mail
from app.outbox.notifications import kind_of_question
from app.platform import tables
from app.platform.services import Services
from app.platform.tables import Outbox
from app.views.event_text import name_seats
from app.views.news import news_since
from engine.core.sentence import Sentence, say, seat_letter
from engine.core.timeline import Rewound, timeline

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
AWAITED = say("You are awaited: your time ends {when}.")
IN_THE_BANK = say("Your turn’s hours are over: you play on time from your bank, which ends {when}.")
TIME_IS_OVER = say("Your time is over, and the others still wait for you.")
STOOD_IN = say(
    "Your time is over, so a bot plays on for you. The seat stays yours: "
    "open the match and say that you are back, or give an order when you are asked."
)
MOST_PREVIEW = 200  # letters; lists show half of them
MOST_UNDONE = 30
SHOW_THE_BOARD = ("rewound", "restored", "resumed")  # what one saw before may not hold any more


def compose_turn(session: Session, services: Services, row: Outbox) -> Draft:
    """It is your turn, or the game asks you something in between; whatever it calls that."""
    found = check_wanted(session, services, row, row.kind)
    check_awaited(found, row)
    if kind_of_question(found.match) != row.kind:
        raise Unwanted("stale")
    if row.kind == "turn":
        return draft_mail(found, add_title(say("{title}: your turn"), found), answer=True)
    what = question_title(found)
    subject = add_title(say("{title}: you are asked for an answer ({what})"), found, what=what)
    return draft_mail(found, subject, answer=True)


def compose_reminder(session: Session, services: Services, row: Outbox) -> Draft:
    """Your time runs out, or has: what runs now counts, not what ran when the mail was called for."""
    found = check_wanted(session, services, row, "reminder")
    if found.bot is not None and row.payload.get("bot") and found.running:
        return draft_mail(found, add_title(say("{title}: your time is over"), found), lead=STOOD_IN)
    check_awaited(found, row)
    clock = session.get(tables.Clock, (found.table.id, found.seat))
    due = clock.due_at if clock is not None else found.table.deadline
    if due is None:
        raise Unwanted("stale")
    if clock is not None and clock.phase == "over":
        subject = add_title(say("{title}: your time is over"), found)
        return draft_mail(found, subject, lead=TIME_IS_OVER, answer=True)
    when = found.distance(due)
    subject = add_title(say("{title}: your time ends {when}"), found, when=when)
    awaited = IN_THE_BANK if clock is not None and clock.phase == "bank" else AWAITED
    return draft_mail(found, subject, lead=say(awaited.one, when=when), answer=True)


def compose_timeout(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody let the deadline pass, for those who care for the match."""
    found = check_wanted(session, services, row, "table")
    late = found.match.game.to_act(found.match.state)
    if not found.running or not late or any(played_since(found, row, seat) for seat in late):
        raise Unwanted("stale")
    names = ", ".join(sitter["name"] for sitter in tell_sitters(found) if sitter["asked"])
    lead = say(
        "{names} let the time run out. You care for this match: you can give more time, "
        "pause or close it, or give the seat to somebody else.",
        names=names,
    )
    subject = add_title(say("{title}: {names} let the time run out"), found, names=names)
    return draft_mail(found, subject, lead=lead, board=False)


def compose_result(session: Session, services: Services, row: Outbox) -> Draft:
    """The match is over: the final table."""
    found = check_wanted(session, services, row, "over")
    if not found.match.over:
        raise Unwanted("stale")
    game = found.match.game
    winners = name_seats(game.winners(found.match.state))
    lead = say("The match is over. It was won by {winners}.", winners=winners)
    made = draft_mail(found, add_title(say("{title}: the match is over"), found), lead=lead)
    pictured = made.picture and (lambda: draw_ending(found))
    told = {"result": tell_result(session, found)} if found.sees else {}
    return replace(made, values={**made.values, **told}, picture=pictured)


def compose_table_fact(session: Session, services: Services, row: Outbox) -> Draft:
    """Something was done to the table, in the words of its log."""
    found = check_wanted(session, services, row, "table")
    entry = found.match.log[row.pos - 1] if 0 < row.pos <= found.match.head else None
    if entry is None or not isinstance(entry.event, ABOUT_THE_TABLE):
        raise Unwanted("stale")
    lead = tell_event(found, entry)
    shown = row.kind in SHOW_THE_BOARD and found.seat is not None
    subject = add_title(SUBJECTS[row.kind], found)
    made = draft_mail(
        found, subject, lead=lead, board=shown, news=False, answer=shown and found.asked
    )
    if not isinstance(entry.event, Rewound):
        return made
    undone, whose = tell_undone(found, row.pos), found.said(whose_turn(found))
    told = preview(found.said(lead), whose, undone)
    return replace(made, values={**made.values, "undone": undone, "whose": whose, "preview": told})


def tell_undone(found: Sheet, pos: int) -> list[str]:
    """What a rewind took back, in words that the reader may read; of very much, the last part."""
    match = found.match
    before, after = (timeline(match.log[:end]).effective for end in (pos - 1, pos))
    cut = [
        entry for entry in before[len(after) :] if not isinstance(entry.event, match.game.asking)
    ]
    return [found.said(tell_event(found, entry)) for entry in cut][-MOST_UNDONE:]


def whose_turn(found: Sheet) -> Sentence:
    """Who is awaited now."""
    if found.asked:
        return first_line(found)
    asked = found.match.game.to_act(found.match.state) if found.running else ()
    names = ", ".join(found.names.get(seat, seat_letter(seat)) for seat in asked)
    return say("Waiting for {names}.", names=names) if names else say("Nobody is awaited now.")


def compose_talk(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody said something at the table."""
    found = check_wanted(session, services, row, "talk")
    said = session.get(tables.Talk, row.number)
    if said is None or said.hidden_at is not None or found.seat is None:
        raise Unwanted("stale")
    name = name_told(session.get(tables.Player, said.player_id))
    lead = say("{name} says:", name=name)
    subject = add_title(say("{title}: {name} says something"), found, name=name)
    return draft_mail(found, subject, lead=lead, board=False, news=False, words=said.text)


# Whether it is still awaited


def check_wanted(session: Session, services: Services, row: Outbox, wish: str) -> Sheet:
    """What the mail is about, if its reader wants such mails."""
    found = load_sheet(session, services, row)
    if not wants_mail(found.player, wish) or row.match_id in load_muted(found.player):
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


def add_title(template: Sentence, found: Sheet, **more: Any) -> Sentence:
    return say(template.one, title=found.title, **more)


def question_title(found: Sheet) -> Sentence:
    """What the game asks for between turns."""
    asked = found.scene.question
    return asked.title if asked else say("an answer")


def draft_mail(
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
    scope = unsubscribe_token(settings, player.id, found.table.id)
    unsubscribe = f"{settings.base_url}/unsubscribe/{scope}"
    answers = tell_orders(found) if answer else {"few": False, "parts": []}
    turns = tell_turns(found) if board and news else []
    told = [line for turn in turns for line in turn["said"]]
    values = {
        **answers,
        "preview": preview(found.said(lead or first_line(found)), words, told),
        "turns": turns,
        "undone": [],
        "whose": "",
        "result": None,
        "title": found.title,
        "game": found.match.game.name,
        "lead": found.said(lead or first_line(found)),
        "words": words,
        "marker": marker_line(found.language) if found.seat is not None else "",
        "url": found.play_url(at=str(found.match.head)),
        "over": found.match.over,
        "deadline": deadline(found),
        "news": told,
        "sitters": tell_sitters(found) if found.sees else [],
        "facts": tell_beside(found) if board else [],
        "urgent": URGENT,
        "chart": found.scene.chart if board else "",
        "history": found.url("/history"),
        "log": found.url("/mails") if found.seat is not None or found.cares else "",
        "pos": found.match.head,
        "hash": found.match.hash if found.sees else "",
        "unsubscribe": unsubscribe,
    }
    pictured = board and wants_mail(player, "pictures")
    since = news_since(found.match, found.seat, found.answered) if news else found.match.head
    return Draft(
        to=player.email or "",
        language=player.language,
        subject=Sentence(subject.one, subject.many, spoken(found, subject)),
        template="match",
        values=values,
        thread=found.table.id,
        topic=f"{found.title} · {found.match.game.name}",
        reply_to=reply_to(found),
        unsubscribe=unsubscribe,
        picture=(lambda: draw_close_up(found, since)) if pictured else None,
    )


def preview(lead: str, words: str, news: list[str]) -> str:
    """What a list of mails shows beside the subject: the news, before anything else."""
    told = " ".join(filter(None, (lead, words, *news)))
    return shorten(told, MOST_PREVIEW, placeholder=" …")


def spoken(found: Sheet, sentence: Sentence) -> dict[str, Any]:
    """The values of a sentence with the players' names in them."""
    return {
        name: found.said(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }


def first_line(found: Sheet) -> Sentence:
    if found.match.game.awaited(found.match.state) == "turn":
        return say("It is your turn.")
    return say("You are asked for an answer: {what}.", what=question_title(found))


def deadline(found: Sheet) -> dict[str, str] | None:
    """Until when somebody is awaited, in the reader's zone."""
    at = found.table.deadline
    if at is None or not found.running:
        return None
    return {"at": found.moment(at), "left": found.distance(at)}


def reply_to(found: Sheet) -> str | None:
    if found.seat is None or found.player.id is None:
        return None
    return make_reply_address(
        found.services.settings, found.table.id, found.seat, found.player.id, found.match.head
    )
