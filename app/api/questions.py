"""What players ask each other: undos and proposals of moderators, to look at, to answer and to take back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app.api.answers import OpenProposal, OpenUndo, Settled
from app.api.bodies import Answering, AskingUndo, AtPosition
from app.api.operation import SELDOM, Answer, Call, Look, act, look
from app.moderation.commands import (
    AnswerProposal,
    AnswerUndo,
    AskUndo,
    Command,
    WithdrawProposal,
    WithdrawUndo,
)
from app.moderation.consent import load_open_proposal
from app.moderation.execute import execute
from app.moderation.undo_requests import load_open_request

UNDO = "/matches/{match_id}/undo"
PROPOSAL = "/matches/{match_id}/proposal"
ANSWERS = (403, 404, 413)


# Undos


def open_undo(at: Look) -> dict[str, Any]:
    found = load_open_request(at.session, at.table.played) if at.table.played else None
    if found is None:
        return {"undo": None}
    wish = found.wish
    told = {"pos": wish.pos, "seat": wish.seat, "to": wish.to, "reason": wish.reason}
    return {"undo": {**told, "awaiting": list(found.waiting)}}


@look(UNDO, OpenUndo, also=open_undo)
def get_undo(at: Look) -> Answer:
    """The undo that somebody asks for, if any, and the seats that have yet to agree to it."""
    return open_undo(at)


@act("POST", UNDO, Settled, 403, 404, 409, 413, body=AskingUndo, limit=SELDOM)
def ask_undo(call: Call) -> Answer:
    """Ask to go back to a moment at which the caller's seat was asked; `done` where nobody is wronged by it."""
    wish: AskingUndo = call.body
    asked = AskUndo(**whose(call), to=wish.to, reason=wish.reason, expected_head=wish.head)
    return settled(call, asked)


@act("POST", f"{UNDO}/answer", Settled, *ANSWERS, body=Answering, limit=SELDOM)
def answer_undo(call: Call) -> Answer:
    """Agree to the undo that was asked for at `pos`, or not; `done` if it was the last yes."""
    return settled(call, AnswerUndo(**answered(call)))


@act("DELETE", UNDO, Settled, *ANSWERS, query=AtPosition, limit=SELDOM)
def withdraw_undo(call: Call) -> Answer:
    """Take the own question for an undo back; with `pos`, only the one that was asked there."""
    return settled(call, WithdrawUndo(**whose(call), asked=call.query.pos))


# Proposals


def open_proposal(at: Look) -> dict[str, Any]:
    found = load_open_proposal(at.session, at.table.played) if at.table.played else None
    if found is None:
        return {"proposal": None}
    act = asdict(found.proposed.act)
    told = {"pos": found.proposed.pos, **act, "winners": list(act["winners"])}
    return {"proposal": {**told, "awaiting": list(found.waiting)}}


@look(PROPOSAL, OpenProposal, also=open_proposal)
def get_proposal(at: Look) -> Answer:
    """What a moderator proposes who may not do it alone, if anything, and the seats that have yet to agree to it."""
    return open_proposal(at)


@act("POST", PROPOSAL, Settled, *ANSWERS, body=Answering, limit=SELDOM)
def answer_proposal(call: Call) -> Answer:
    """Agree to what was proposed at `pos`, or not; `done` if it was the last yes."""
    return settled(call, AnswerProposal(**answered(call)))


@act("DELETE", PROPOSAL, Settled, *ANSWERS, query=AtPosition, limit=SELDOM)
def withdraw_proposal(call: Call) -> Answer:
    """Take the own proposal back; with `pos`, only the one that was made there."""
    return settled(call, WithdrawProposal(**whose(call), asked=call.query.pos))


# What they share


def whose(call: Call) -> dict[str, Any]:
    return {"match_id": call.match_id, "by": call.caller_id}


def answered(call: Call) -> dict[str, Any]:
    return {**whose(call), "asked": call.body.pos, "agrees": call.body.agrees}


def settled(call: Call, command: Command) -> Answer:
    outcome = execute(call.services.database, command, call.services.now())
    return {"done": outcome.done, "head": outcome.head}
