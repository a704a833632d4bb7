"""Events in words: those of the log itself and of the table here, those of a game by the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.matches.access import ROLES
from engine.core.game import Game
from engine.core.sentence import Seat, Sentence, foretold, say
from engine.core.timeline import (
    PROPOSAL_EVENTS,
    TABLE_EVENTS,
    ActProposed,
    Closed,
    Extended,
    MatchStarted,
    ModeratorDismissed,
    ModeratorNamed,
    OwnerChanged,
    Paused,
    ProposalAnswered,
    ProposalDone,
    ProposalWithdrawn,
    Reseeded,
    Restored,
    Resumed,
    Returned,
    Rewound,
    SeatReplaced,
    SeatResigned,
    SeatsDrawn,
    SeatsTurned,
    SeedRevealed,
    StoodIn,
    TalkHidden,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)


def describe_event(game: Game, event: Any) -> Sentence:
    """An event in words, those of the log itself included."""
    match event:
        case MatchStarted(commitment=commitment):
            return say(
                "The match began. Once it is over, every draw can be checked by the seal {commitment}.",
                commitment=commitment[:16],
            )
        case SeatsDrawn(nonces=nonces) if any(nonces):
            return say("The seats were drawn by lot, with what players had mixed into it.")
        case SeatsDrawn():
            return say("The seats were drawn by lot.")
        case SeatsTurned(nonces=nonces) if any(nonces):
            return say("The seats were turned by one, and players had mixed words into chance.")
        case SeatsTurned():
            return say("The seats were turned by one since the match before.")
        case SeedRevealed(seed):
            return say("The seed was opened: {seed}.", seed=seed)
        case Rewound(to, by, reason):
            return say(
                "{by} went back to position {to}: {reason}", by=name_role(by), to=to, reason=reason
            )
        case Restored(by):
            return say("{by} brought back what had been cut.", by=name_role(by))
    if isinstance(event, PROPOSAL_EVENTS):
        return proposal_sentence(event)
    if isinstance(event, TABLE_EVENTS):
        return table_sentence(event)
    return game.describe(event)


def foretell_event(game: Game, event: Any) -> Sentence:
    """An event that is only thought: nothing of it has happened."""
    return foretold(describe_event(game, event))


def table_sentence(event: Any) -> Sentence:
    """A fact about the table in words."""
    by, reason = name_role(getattr(event, "by", "")), getattr(event, "reason", "")
    match event:
        case Reseeded():
            return say(
                "{by} had a new seed drawn, sealed in the log: {reason}", by=by, reason=reason
            )
        case Paused():
            return say("{by} paused the match: {reason}", by=by, reason=reason)
        case Resumed():
            return say("{by} let the match go on: {reason}", by=by, reason=reason)
        case Extended(hours=n):
            return say(
                "{by} gave {n} hour more: {reason}",
                "{by} gave {n} hours more: {reason}",
                by=by,
                n=n,
                reason=reason,
            )
        case SeatReplaced(seat=seat):
            return say(
                "{by} gave the seat of {seat} to somebody else: {reason}",
                by=by,
                seat=Seat(seat),
                reason=reason,
            )
        case SeatResigned(seat=seat, reason=""):
            return say("{seat} has left; a bot plays on.", seat=Seat(seat))
        case SeatResigned(seat=seat):
            return say("{seat} gave up: {reason}", seat=Seat(seat), reason=reason)
        case StoodIn(seat=seat):
            return say(
                "The time of {seat} is over: a bot plays on until they return.", seat=Seat(seat)
            )
        case Returned(seat=seat):
            return say("{seat} is back.", seat=Seat(seat))
        case Closed(winners=(), reason=""):
            return say("The match was closed: nobody is left who plays it.")
        case Closed(winners=()):
            return say("{by} closed the match: {reason}", by=by, reason=reason)
        case Closed(winners=winners):
            return say(
                "{by} closed the match, won by {winners}: {reason}",
                by=by,
                winners=name_seats(winners),
                reason=reason,
            )
        case OwnerChanged(reason=""):
            return say("The owner has left; the match is in other hands.")
        case OwnerChanged():
            return say("{by} put the match into other hands: {reason}", by=by, reason=reason)
        case ModeratorNamed():
            return say("{by} named one more moderator.", by=by)
        case ModeratorDismissed():
            return say("{by} dismissed a moderator.", by=by)
        case TalkHidden():
            return say("{by} hid something said at the table: {reason}", by=by, reason=reason)
    return undo_sentence(event)


def proposal_sentence(event: Any) -> Sentence:
    """What a moderator may not do alone, and what the others say to it, in words."""
    match event:
        case ActProposed():
            return proposed(event)
        case ProposalAnswered(seat, True):
            return say("{seat} agrees to the proposal.", seat=Seat(seat))
        case ProposalAnswered(seat, False):
            return say("{seat} does not agree to the proposal.", seat=Seat(seat))
        case ProposalWithdrawn(by):
            return say("{by} takes the proposal back.", by=name_role(by))
        case ProposalDone():
            return say("Everybody agreed: somebody is asked to care for the match.")
    raise TypeError(f"{type(event).__name__} is no part of a proposal")


def proposed(event: ActProposed) -> Sentence:
    who: Any = name_role(event.by) if event.seat is None else say("{seat}", seat=Seat(event.seat))
    given = Seat(event.given or 0)
    told: dict[str, Any] = {"who": who, "reason": event.reason}
    match event:
        case ActProposed(act="rewind", to=to):
            return say("{who} proposes to go back to position {to}: {reason}", to=to, **told)
        case ActProposed(act="restore"):
            return say("{who} proposes to bring back what was cut.", who=who)
        case ActProposed(act="extend", hours=n):
            return say(
                "{who} proposes {n} hour more: {reason}",
                "{who} proposes {n} hours more: {reason}",
                n=n or 0,
                **told,
            )
        case ActProposed(act="replace", bot=None):
            return say(
                "{who} proposes to give the seat of {given} to somebody who is invited: {reason}",
                given=given,
                **told,
            )
        case ActProposed(act="replace"):
            return say(
                "{who} proposes that a bot plays on for {given}: {reason}", given=given, **told
            )
        case ActProposed(act="close", winners=()):
            return say("{who} proposes to close the match as void: {reason}", **told)
        case ActProposed(act="close", winners=winners):
            return say(
                "{who} proposes to close the match, won by {winners}: {reason}",
                winners=name_seats(winners),
                **told,
            )
    return say("{who} proposes one more moderator, who does not play.", who=who)


def undo_sentence(event: Any) -> Sentence:
    """A wish to go back, and what came of it, in words."""
    match event:
        case UndoAsked(seat, to, reason):
            return say(
                "{seat} asks to go back to position {to}: {reason}",
                seat=Seat(seat),
                to=to,
                reason=reason,
            )
        case UndoAnswered(seat, True):
            return say("{seat} agrees to going back.", seat=Seat(seat))
        case UndoAnswered(seat, False):
            return say("{seat} does not agree to going back.", seat=Seat(seat))
        case UndoRefused(by, reason):
            return say(
                "{by} said no to going back: {reason}",
                by=name_role(by),
                reason=reason,
            )
        case UndoWithdrawn(seat):
            return say("{seat} does not wish to go back any more.", seat=Seat(seat))
    raise TypeError(f"{type(event).__name__} is no fact about a table")


def name_role(by: str) -> Sentence | str:
    """Who did something to a match: the log keeps a role, never a name."""
    return ROLES.get(by, by)


def name_seats(seats: Sequence[int]) -> Sentence:
    """Several seats in one sentence."""
    first, *others = seats
    if not others:
        return say("{seat}", seat=Seat(first))
    return say("{seat} and {others}", seat=Seat(first), others=name_seats(others))
