"""The mails that answer mails: what was understood, what followed, and the board as it is now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import Session, select

from app.mail.outgoing.access import SEATING
from app.mail.outgoing.match import add_title, draft_mail
from app.mail.outgoing.match_context import Sheet, load_reader, load_sheet, name_told
from app.mail.outgoing.template import Draft, Unwanted
from app.matches.drafts import preview_draft
from app.matches.invitations import find_rematch_guest
from app.outbox.deliverability import FREEZE
from app.platform import tables
from app.platform.services import Services
from app.platform.tables import Outbox
from app.platform.text_input import defuse_text
from app.views.help_pages import link_clause
from engine.core.sentence import Sentence, say

SUBJECTS = {
    "played": say("{title}: your orders were played"),
    "refused": say("{title}: your orders were not played"),
    "told": say("{title}: an answer to your mail"),
}


def compose_reply(session: Session, services: Services, row: Outbox) -> Draft:
    """What came of a mail; it goes out even where a match is muted, for somebody asked."""
    found, told = load_sheet(session, services, row), row.payload
    if not told or not found.sees:
        raise Unwanted("stale")
    if told["word"] == "waiting":
        found = foreseen(found, told["orders"])
    about_orders = told["word"] not in ("consent", "recall", "go") or told["code"] == "played"
    subject = add_title(SUBJECTS[told["code"] if about_orders else "told"], found)
    made = draft_mail(found, subject, lead=lead(told), news=False, answer=found.asked)
    base = services.settings.base_url
    clause = link_clause(found.match.game.key, told.get("rule"), base)
    legend = help_for(found) if told["word"] == "help" else []
    return replace(
        made,
        template="answer",
        values={**made.values, "told": {**told, "legend": legend, "clause": clause}},
        in_reply_to=told["message_id"],
    )


def foreseen(found: Sheet, orders: list[str]) -> Sheet:
    """The match as it would be after orders that wait, up to what draws or reveals: nobody may look behind that."""
    if found.seat is None:
        return found
    shown = preview_draft(found.match, found.seat, orders).shown
    return replace(found, match=replace(found.match, state=shown.state), thought=shown.hash)


def lead(told: dict[str, Any]) -> Sentence:
    """How the answer begins."""
    match told:
        case {"code": "played", "orders": orders}:
            return say("{n} order was played.", "{n} orders were played.", n=len(orders))
        case {"word": "waiting", "code": "told"}:
            return say("The board as it would be")
        case {"code": "refused", "word": "consent" | "recall" | "go"}:
            return say("Nothing was changed.")
        case {"code": "refused", "line": int(line)}:
            return say("Nothing was played: line {line} cannot be done.", line=line)
        case {"code": "refused"}:
            return say("Nothing was played.")
        case {"word": "help"}:
            return say("How to answer by mail")
    return say("Here is your answer.")


def help_for(found: Sheet) -> list[dict[str, str]]:
    """All that can be ordered in this game."""
    verbs = found.match.game.verbs.items()
    return [{"verb": verb, "help": found.said(meaning)} for verb, meaning in verbs]


def compose_lost_invitation(session: Session, services: Services, row: Outbox) -> Draft:
    """Tells whoever opened a table that an invitation came back, while the seat is still kept for that address."""
    player = load_reader(session, row)
    match = session.get(tables.Match, row.match_id) if row.match_id else None
    email = row.payload.get("email")
    waits = select(tables.Seat).where(
        tables.Seat.match_id == row.match_id, tables.Seat.invited_email == email
    )
    seat = session.exec(waits).first()
    if match is None or match.status not in SEATING or seat is None:
        raise Unwanted("stale")
    guest = find_rematch_guest(session, match, seat)
    email = name_told(guest) if guest else email
    base, title = services.settings.base_url, defuse_text(match.title)
    place = "play" if match.status == "open" else "care"
    values = {"url": f"{base}/m/{match.id}/{place}", "title": title, "email": email}
    subject = say("{title}: an invitation came back", title=title)
    return Draft(player.email or "", player.language, subject, "lost", values, thread=match.id)


def compose_bounce_notice(session: Session, services: Services, row: Outbox) -> Draft:
    """Tells whoever opened a table that somebody at it cannot be reached, if that is still so."""
    found = load_sheet(session, services, row)
    lost = session.get(tables.Player, row.number)
    if lost is None or lost.bouncing_at is None or not found.running:
        raise Unwanted("stale")
    name = found.said(name_told(lost))
    told = say(
        "Our mails to {name} come back, so we write no more. The clock of that seat stands still until {name} "
        "acts again, but not for longer than {hours} hours. You may know another way to reach them.",
        name=name,
        hours=int(FREEZE.total_seconds()) // 3600,
    )
    subject = add_title(say("{title}: mails to {name} come back"), found, name=name)
    return draft_mail(found, subject, lead=told, board=False, news=False)
