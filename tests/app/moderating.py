"""Commands as tests write them, in one line each: `pause_match(session, match_id, who, why, head, at)`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.moderation import commands
from app.moderation.commands import Carer
from app.moderation.execute import execute

Where = Any  # a session or a database


def rewind_match(
    where: Where, match_id: str, by: Carer, head: int | None, to: int, why: Any, at: datetime
) -> int:
    whose = {"match_id": match_id, "by": by}
    command = commands.Rewind(**whose, to=to, reason=why, expected_head=head)
    return execute(where, command, at).head


def restore_match(where: Where, match_id: str, by: Carer, head: int | None, at: datetime) -> int:
    command = commands.Restore(match_id=match_id, by=by, expected_head=head)
    return execute(where, command, at).head


def pause_match(
    where: Where, match_id: str, by: Carer, why: Any, head: int | None, at: datetime
) -> None:
    execute(where, commands.Pause(match_id=match_id, by=by, reason=why, expected_head=head), at)


def resume_match(
    where: Where, match_id: str, by: Carer, why: Any, head: int | None, at: datetime
) -> None:
    execute(where, commands.Resume(match_id=match_id, by=by, reason=why, expected_head=head), at)


def extend_match(
    where: Where, match_id: str, by: Carer, why: Any, hours: int, head: int | None, at: datetime
) -> bool:
    whose = {"match_id": match_id, "by": by}
    command = commands.Extend(**whose, reason=why, hours=hours, expected_head=head)
    return execute(where, command, at).done


def close_match(
    where: Where,
    match_id: str,
    by: Carer,
    why: Any,
    head: int | None,
    at: datetime,
    winners: Any = (),
) -> bool:
    whose = {"match_id": match_id, "by": by}
    command = commands.Close(**whose, reason=why, winners=winners, expected_head=head)
    return execute(where, command, at).done


def replace_player(
    where: Where,
    match_id: str,
    by: Carer,
    seat: int,
    email: str | None,
    bot: str | None,
    why: Any,
    head: int | None,
    at: datetime,
) -> bool:
    whom = {"match_id": match_id, "by": by, "seat": seat, "email": email, "bot": bot}
    command = commands.ReplacePlayer(**whom, reason=why, expected_head=head)
    return execute(where, command, at).done


def hand_over(
    where: Where, match_id: str, by: Carer, to: int, why: Any, head: int | None, at: datetime
) -> None:
    whose = {"match_id": match_id, "by": by}
    command = commands.HandOver(**whose, player_id=to, reason=why, expected_head=head)
    execute(where, command, at)


def name_moderator(
    where: Where, match_id: str, by: Carer, who: int, head: int | None, at: datetime
) -> None:
    whose = {"match_id": match_id, "by": by}
    execute(where, commands.NameModerator(**whose, player_id=who, expected_head=head), at)


def dismiss_moderator(
    where: Where, match_id: str, by: Carer, who: int, head: int | None, at: datetime
) -> None:
    whose = {"match_id": match_id, "by": by}
    execute(where, commands.DismissModerator(**whose, player_id=who, expected_head=head), at)


def invite_moderator(
    where: Where, match_id: str, by: Carer, email: str, head: int | None, at: datetime
) -> bool:
    whose = {"match_id": match_id, "by": by}
    command = commands.InviteModerator(**whose, email=email, expected_head=head)
    return execute(where, command, at).done


def hide_talk(where: Where, match_id: str, by: Carer, talk: int, why: Any, at: datetime) -> None:
    execute(where, commands.HideTalk(match_id=match_id, by=by, talk_id=talk, reason=why), at)


def refuse_undo(where: Where, match_id: str, by: Carer, asked: int, why: Any, at: datetime) -> None:
    execute(where, commands.RefuseUndo(match_id=match_id, by=by, asked=asked, reason=why), at)


def ask_undo(
    where: Where, match_id: str, by: int, to: int, why: Any, head: int | None, at: datetime
) -> bool:
    whose = {"match_id": match_id, "by": by}
    command = commands.AskUndo(**whose, to=to, reason=why, expected_head=head)
    return execute(where, command, at).done


def answer_undo(
    where: Where, match_id: str, by: int, asked: int, agrees: bool, at: datetime
) -> bool:
    command = commands.AnswerUndo(match_id=match_id, by=by, asked=asked, agrees=agrees)
    return execute(where, command, at).done


def withdraw_undo(where: Where, match_id: str, by: int, asked: int, at: datetime) -> None:
    execute(where, commands.WithdrawUndo(match_id=match_id, by=by, asked=asked), at)


def answer_proposal(
    where: Where, match_id: str, by: int, asked: int, agrees: bool, at: datetime
) -> bool:
    command = commands.AnswerProposal(match_id=match_id, by=by, asked=asked, agrees=agrees)
    return execute(where, command, at).done


def withdraw_proposal(where: Where, match_id: str, by: int, asked: int, at: datetime) -> None:
    execute(where, commands.WithdrawProposal(match_id=match_id, by=by, asked=asked), at)


def resign_and_settle(
    where: Where, match_id: str, by: int, why: Any, head: int | None, at: datetime
) -> None:
    execute(where, commands.Resign(match_id=match_id, by=by, reason=why, expected_head=head), at)


resign_seat = resign_and_settle
