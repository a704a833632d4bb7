"""What can be asked to be done to a match, as values: by whom, to which match, what, why, and at which head they saw it.

`execute` does any of them. A reason is checked there: commands are made of what people wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


class Operator:
    """Whoever sits at the machine's own command line."""


OPERATOR: Final = Operator()
Carer = int | Operator  # a player's id, or the operator


# What moderators ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind:
    """Take the match back to the end of an earlier order; what is cut stays in the log."""

    match_id: str
    by: Carer
    to: int
    reason: Any
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Bring back what the last rewind cut, while nothing new was played."""

    match_id: str
    by: Carer
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Let the match rest: nobody is asked until it is resumed."""

    match_id: str
    by: Carer
    reason: Any
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Let the match go on; the time that it rested is not counted."""

    match_id: str
    by: Carer
    reason: Any
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extend:
    """Give whoever is asked some hours more."""

    match_id: str
    by: Carer
    reason: Any
    hours: int
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """End the match unfinished, void or with winners; its seeds are told, which opens every secret."""

    match_id: str
    by: Carer
    reason: Any
    winners: Any = ()
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacePlayer:
    """Give a seat to another: a bot at once; for the person of an address it is kept until they come."""

    match_id: str
    by: Carer
    seat: int
    reason: Any
    email: str | None = None
    bot: str | None = None
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """Make somebody else the owner of the match."""

    match_id: str
    by: Carer
    player_id: int
    reason: Any
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameModerator:
    """Let one more person of the table care for the match."""

    match_id: str
    by: Carer
    player_id: int
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissModerator:
    """Let one person fewer care for the match; moderators may go by themselves."""

    match_id: str
    by: Carer
    player_id: int
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteModerator:
    """Ask the person behind an address to care for the match too."""

    match_id: str
    by: Carer
    email: str
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawModeratorInvitation:
    """Take an invitation back that was not accepted yet."""

    match_id: str
    by: Carer
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptModeratorInvitation:
    """Care for the match from now on, as one was asked by mail."""

    match_id: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HideTalk:
    """Hide one thing said at the table."""

    match_id: str
    by: Carer
    talk_id: int
    reason: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseUndo:
    """Say no to an undo that was asked for at that position; to say yes is to rewind."""

    match_id: str
    by: Carer
    asked: int
    reason: Any


# What players ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class AskUndo:
    """Ask to go back to a moment of one's own turn."""

    match_id: str
    by: int
    to: int
    reason: Any
    expected_head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerUndo:
    """Agree to the undo asked for at that position, or not; who plays several seats answers for all of them."""

    match_id: str
    by: int
    asked: int
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawUndo:
    """Ask for an undo no more: what stands open at that position, or wherever it does."""

    match_id: str
    by: int
    asked: int | None = None  # at which position; None: whichever stands open


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerProposal:
    """Agree to what was proposed at that position, or not; who plays several seats answers for all of them."""

    match_id: str
    by: int
    asked: int
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawProposal:
    """Propose something no more: what stands open at that position, or wherever it does."""

    match_id: str
    by: int
    asked: int | None = None  # at which position; None: whichever stands open


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign:
    """Give one's own seat up; a bot plays on, and what waited for one's word is settled."""

    match_id: str
    by: int
    reason: Any
    expected_head: int | None = None


Command = (
    Rewind
    | Restore
    | Pause
    | Resume
    | Extend
    | Close
    | ReplacePlayer
    | HandOver
    | NameModerator
    | DismissModerator
    | InviteModerator
    | WithdrawModeratorInvitation
    | AcceptModeratorInvitation
    | HideTalk
    | RefuseUndo
    | AskUndo
    | AnswerUndo
    | WithdrawUndo
    | AnswerProposal
    | WithdrawProposal
    | Resign
)
