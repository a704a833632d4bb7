"""The mail that asks whether a match may go back: those whom it concerns can answer it with a word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import Session

from app import facts, undo
from app.mails.draft import Draft, Unwanted
from app.mails.match import draft, titled, wanted
from app.mails.sheet import MOST_NEWS, Sheet, happened
from app.models import Outbox
from app.services import Services
from app.undo import Asked
from engine.core.sentence import Sentence, say

SUBJECT = say("{title}: an undo is asked for")
WORDS = (say("agree"), say("disagree"))  # in every language a word that `inbox_deeds` knows


def asked(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody asks for an undo, if that is not settled by now."""
    found = wanted(session, services, row, "table")
    open_wish = undo.asked(session, found.match)
    if open_wish is None or open_wish.wish.pos != row.pos:
        raise Unwanted("stale")
    lead = facts.sentence(found.match.game, found.match.log[row.pos - 1].event)
    made = draft(found, titled(SUBJECT, found), lead=lead, board=False, news=False)
    return replace(made, template="undo", values={**made.values, "undo": told(found, open_wish)})


def told(found: Sheet, question: Asked) -> dict[str, Any]:
    """What the reader needs to decide, as the own seat may know it."""
    wish = question.wish
    return {
        "words": [found.said(word) for word in WORDS if found.mine.intersection(question.waiting)],
        "story": [found.said(sentence) for sentence in at_stake(found, wish.to)],
        "before": found.url(f"/history/{wish.to}"),
        "care": found.url("/care") if found.cares else "",
    }


def at_stake(found: Sheet, to: int) -> list[Sentence]:
    """What would be undone, in words that the reader may read; of very much, the last part."""
    counted = {entry.pos for entry in found.match.timeline.effective}
    later = happened(found.match, to, found.seat)
    return [sentence for entry, sentence in later if entry.pos in counted][-MOST_NEWS:]
