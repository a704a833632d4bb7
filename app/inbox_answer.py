"""The mails that answer mails: what was understood, what followed, and the board as it is now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import Session

from app import models, reach
from app.mails import sheet as sheets
from app.mails.draft import Draft, Unwanted
from app.mails.match import draft, titled
from app.mails.sheet import Sheet
from app.models import Outbox
from app.services import Services
from engine.core.sentence import Sentence, say

SUBJECTS = {
    "played": say("{title}: your orders were played"),
    "refused": say("{title}: your orders were not played"),
    "told": say("{title}: an answer to your mail"),
}


def answer(session: Session, services: Services, row: Outbox) -> Draft:
    """What came of a mail; it goes out even where a match is muted, for somebody asked."""
    found, told = sheets.sheet(session, services, row), row.payload
    if not told or not found.sees:
        raise Unwanted("stale")
    about_orders = told["word"] != "consent"
    subject = titled(SUBJECTS[told["code"] if about_orders else "told"], found)
    made = draft(found, subject, lead=lead(told), news=False, answer=found.asked)
    legend = help_for(found) if told["word"] == "help" else []
    return replace(
        made, template="answer", values={**made.values, "told": {**told, "legend": legend}}
    )


def lead(told: dict[str, Any]) -> Sentence:
    """How the answer begins."""
    match told:
        case {"code": "played", "orders": orders}:
            return say("{n} order was played.", "{n} orders were played.", n=len(orders))
        case {"code": "refused", "word": "consent"}:
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


def bounced(session: Session, services: Services, row: Outbox) -> Draft:
    """Tells whoever opened a table that somebody at it cannot be reached, if that is still so."""
    found = sheets.sheet(session, services, row)
    lost = session.get(models.Player, row.number)
    if lost is None or lost.bouncing_at is None or not found.running:
        raise Unwanted("stale")
    name = found.said(sheets.name_told(lost))
    told = say(
        "Our mails to {name} come back, so we write no more. The clock of that seat stands still until {name} "
        "acts again, but not for longer than {hours} hours. You may know another way to reach them.",
        name=name,
        hours=int(reach.FREEZE.total_seconds()) // 3600,
    )
    subject = titled(say("{title}: mails to {name} come back"), found, name=name)
    return draft(found, subject, lead=told, board=False, news=False)
