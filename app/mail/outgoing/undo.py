"""Mails that ask for consent: whether a match may go back, or a moderator do something. A word is enough to answer them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import Session

from app.mail.outgoing.match import add_title, check_wanted, draft_mail
from app.mail.outgoing.match_context import MOST_NEWS, Sheet, tell_event, tell_happened
from app.mail.outgoing.template import Draft, Unwanted
from app.moderation.consent import load_open_proposal
from app.moderation.undo_requests import AskedUndo, load_open_request
from app.platform.services import Services
from app.platform.tables import Outbox
from app.views.event_text import describe_event
from engine.core.sentence import Sentence, say

SUBJECT = say("{title}: an undo is asked for")
PROPOSAL = say("{title}: do you agree to a proposal?")
WORDS = (say("agree"), say("disagree"))  # in every language a word that `incoming/commands` knows


def compose_undo_request(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody asks for an undo, if that is not settled by now."""
    found = check_wanted(session, services, row, "table")
    open_wish = load_open_request(session, found.match)
    if open_wish is None or open_wish.wish.pos != row.pos:
        raise Unwanted("stale")
    lead = tell_event(found, found.match.log[row.pos - 1])
    made = draft_mail(found, add_title(SUBJECT, found), lead=lead, board=False, news=False)
    return replace(made, template="undo", values={**made.values, "undo": told(found, open_wish)})


def compose_proposal(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody who cares for the match proposes something, if that is not settled by now."""
    found = check_wanted(session, services, row, "table")
    question = load_open_proposal(session, found.match)
    if question is None or question.proposed.pos != row.pos:
        raise Unwanted("stale")
    act = question.proposed.act
    lead = found.past.tell(row.pos, describe_event(found.match.game, act))
    made = draft_mail(found, add_title(PROPOSAL, found), lead=lead, board=False, news=False)
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


def told(found: Sheet, question: AskedUndo) -> dict[str, Any]:
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
    later = tell_happened(found, to)
    return [sentence for entry, sentence in later if entry.pos in counted][-MOST_NEWS:]
