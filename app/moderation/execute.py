"""Executes a command: one table of handlers, one transaction, one kind of outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.eventstore.store import load_match
from app.moderation import (
    acts,
    commands,
    moderator_invitations,
    moderators,
    proposals,
    seat_changes,
    undo_requests,
)
from app.moderation.consent import waited_for
from app.platform.database import Database

# Each says whether what was asked for is done; if not, others must agree first, or somebody has just said no.
HANDLERS: dict[type[Any], Callable[[Session, Any, datetime], bool]] = {
    commands.Rewind: acts.rewind_match,
    commands.Restore: acts.restore_match,
    commands.Pause: acts.pause_match,
    commands.Resume: acts.resume_match,
    commands.Extend: acts.extend_match,
    commands.Close: acts.close_match,
    commands.ReplacePlayer: seat_changes.replace_player,
    commands.HandOver: moderators.hand_over_match,
    commands.NameModerator: moderators.name_moderator,
    commands.DismissModerator: moderators.dismiss_moderator,
    commands.InviteModerator: moderator_invitations.invite_moderator,
    commands.WithdrawModeratorInvitation: moderator_invitations.withdraw_moderator_invitation,
    commands.AcceptModeratorInvitation: moderator_invitations.accept_moderator_invitation,
    commands.HideTalk: moderators.hide_talk,
    commands.RefuseUndo: undo_requests.refuse_undo,
    commands.AskUndo: undo_requests.ask_undo,
    commands.AnswerUndo: undo_requests.answer_undo,
    commands.WithdrawUndo: undo_requests.withdraw_undo,
    commands.AnswerProposal: proposals.answer_proposal,
    commands.WithdrawProposal: proposals.withdraw_proposal,
    commands.Resign: proposals.resign_and_settle,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether what was asked for is done, where the match stands, and the seats that must agree before it is."""

    done: bool
    head: int
    awaiting: tuple[int, ...] = ()


def execute(where: Database | Session, command: commands.Command, at: datetime) -> Outcome:
    """Does what a command asks for, in the caller's transaction or in one of its own; refuses, or says what became of it."""
    if isinstance(where, Database):
        with where.session() as session:
            return execute(session, command, at)
    done = HANDLERS[type(command)](where, command, at)
    match = load_match(where.connection(), command.match_id)
    waiting = () if done else tuple(waited_for(where, match, match.head))
    return Outcome(done, match.head, waiting)
