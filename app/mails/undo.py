"""Mails that ask for consent: whether a match may go back, or a moderator do something. A word is enough to answer them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import Session

from app import consent, facts, undo
from app.mails.draft import Draft, Unwanted
from app.mails.match import draft, titled, wanted
from app.mails.sheet import MOST_NEWS, Sheet, happened
from app.models import Outbox
from app.services import Services
from app.undo import Asked
from engine.core.sentence import Sentence, say

SUBJECT = say("{title}: an undo is asked for")
PROPOSAL = say("{title}: do you agree to a proposal?")
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


def proposed(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody who cares for the match proposes something, if that is not settled by now."""
    found = wanted(session, services, row, "table")
    question = consent.asked(session, found.match)
    if question is None or question.proposed.pos != row.pos:
        raise Unwanted("stale")
    act = question.proposed.act
    lead = facts.sentence(found.match.game, act)
    made = draft(found, titled(PROPOSAL, found), lead=lead, board=False, news=False)
    values = {
        "words": words(found, question.waiting),
        "story": [found.said(said) for said in at_stake(found, act.to)] if act.to else [],
        "before": found.url(f"/history/{act.to}") if act.to else "",
        "care": may_decide(found),
    }
    return replace(made, template="undo", values={**made.values, "undo": values})


def words(found: Sheet, waiting: tuple[int, ...]) -> list[str]:
    """What the reader may answer, if they are waited for."""
    return [found.said(word) for word in WORDS if found.mine.intersection(waiting)]


def may_decide(found: Sheet) -> str:
    """Where somebody decides it who cares for the match and does not play in it."""
    return found.url("/care") if found.cares and not found.mine else ""


def told(found: Sheet, question: Asked) -> dict[str, Any]:
    """What the reader needs to decide, as the own seat may know it."""
    wish = question.wish
    return {
        "words": words(found, question.waiting),
        "story": [found.said(sentence) for sentence in at_stake(found, wish.to)],
        "before": found.url(f"/history/{wish.to}"),
        "care": may_decide(found),
    }


def at_stake(found: Sheet, to: int) -> list[Sentence]:
    """What would be undone, in words that the reader may read; of very much, the last part."""
    counted = {entry.pos for entry in found.match.timeline.effective}
    later = happened(found.match, to, found.seat)
    return [sentence for entry, sentence in later if entry.pos in counted][-MOST_NEWS:]
