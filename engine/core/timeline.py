"""The log of a match, and which of its events still count after rewinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.core.refusal import IllegalMove, Unknown
from engine.core.sentence import say


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The first event of every log: what is played, and the commitment to all its chance."""

    game: str
    match: str
    seats: int
    options: dict[str, Any]
    commitment: str


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """Who sits where, by lot: `chairs` says for each seat at which place of the open table its player sat.

    `nonces` are what those places mixed into all chance of the match: hashes, or nothing.
    """

    chairs: tuple[int, ...] = ()
    nonces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatsTurned:
    """Who sits where without a lot: a rematch, where everybody sits at the place of the open table, one seat further on.

    `nonces` are as in `SeatsDrawn`; `before` is the match before, which older logs do not name.
    """

    nonces: tuple[str, ...] = ()
    before: str | None = field(default=None, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The match is over or closed: from here on anybody can check every draw that was made by this seed."""

    seed: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """Everything after `to` no longer counts. `commitment` is that of the seed in force from here on.

    Older logs have none where the seed was still a secret: there it stays in force.
    """

    to: int
    by: str
    reason: str
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """What the last rewind cut counts again."""

    by: str


# Facts about the table and not about the game: no rewind cuts them, and the state knows nothing of them.


@dataclass(frozen=True, slots=True)
class Paused:
    """Nothing is played until the match is resumed."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The match goes on after a pause."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extended:
    """Whoever is asked has so many hours more."""

    by: str
    reason: str
    hours: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The match ends unfinished: with those winners, or with none and as if it had not been."""

    by: str
    reason: str
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatReplaced:
    """Somebody else plays on for a seat; who, the log does not say."""

    by: str
    reason: str
    seat: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A player gives the seat up; a bot plays on for it."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class StoodIn:
    """The time of a seat was over: a bot plays on for it until its player returns."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The player of a seat for which a bot stood in is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A seat wishes to go back to a moment at which it was asked."""

    seat: int
    to: int
    reason: str


@dataclass(frozen=True, slots=True)
class UndoAnswered:
    """A seat that the wish concerns agrees or does not."""

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """A moderator says no to the wish."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class UndoWithdrawn:
    """Who asked for it wishes it no more."""

    seat: int


PROPOSALS = ("rewind", "restore", "extend", "replace", "close", "moderator")


@dataclass(frozen=True, slots=True)
class ActProposed:
    """Somebody who cares for the match wishes to do what others must agree to; `seat` is their own, if they play.

    What it is about: the position to go back `to`, the `hours` more, the seat that is `given` to a `bot` or to
    somebody who is invited, the `winners` of a match that is closed.
    """

    by: str
    act: str
    reason: str
    seat: int | None = None
    to: int | None = None
    hours: int | None = None
    given: int | None = None
    bot: str | None = None
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """A seat that a proposal concerns agrees or does not."""

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class ProposalWithdrawn:
    """Who proposed it wishes it no more."""

    by: str


@dataclass(frozen=True, slots=True)
class ProposalDone:
    """All agreed, and it was done where the log does not see it: somebody was written to."""

    by: str


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """The match is in other hands; whose, the log does not say."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModeratorNamed:
    """One more person may care for the match."""

    by: str


@dataclass(frozen=True, slots=True)
class ModeratorDismissed:
    """One person fewer cares for the match."""

    by: str


@dataclass(frozen=True, slots=True)
class TalkHidden:
    """Something that was said at the table is not shown any more."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reseeded:
    """From here on another seed draws: what the old one would draw may be known, as after a backup was put back."""

    by: str
    reason: str
    commitment: str


UNDO_EVENTS: tuple[type, ...] = (UndoAsked, UndoAnswered, UndoRefused, UndoWithdrawn)
PROPOSAL_EVENTS: tuple[type, ...] = (
    ActProposed,
    ProposalAnswered,
    ProposalWithdrawn,
    ProposalDone,
)
TABLE_EVENTS: tuple[type, ...] = (
    Paused,
    Resumed,
    Extended,
    Closed,
    SeatReplaced,
    SeatResigned,
    StoodIn,
    Returned,
    *UNDO_EVENTS,
    *PROPOSAL_EVENTS,
    OwnerChanged,
    ModeratorNamed,
    ModeratorDismissed,
    TalkHidden,
    Reseeded,
)
SEATINGS = (SeatsDrawn, SeatsTurned)
CORE_EVENTS: tuple[type, ...] = (
    MatchStarted,
    *SEATINGS,
    SeedRevealed,
    Rewound,
    Restored,
    *TABLE_EVENTS,
)
TURNS = frozenset({Rewound, Restored})  # sets are quicker to ask than twenty classes one by one
NOT_PLAYED = TURNS.union(TABLE_EVENTS)


class Entry(NamedTuple):
    """One event in its place. `act` is the pos of the first event that the same order caused."""

    pos: int
    act: int
    seat: int | None
    order: str | None
    event: Any
    hash: str
    hidden: bool = False  # the order itself is a secret of its seat


@dataclass(frozen=True, slots=True)
class Timeline:
    """What counts now, and the cut pieces that could still be brought back, the last one last."""

    effective: tuple[Entry, ...] = ()
    cuts: tuple[tuple[Entry, ...], ...] = ()

    def extended(self, entries: Iterable[Entry]) -> Timeline:
        """The timeline after more entries of the log."""
        effective, cuts = list(self.effective), list(self.cuts)
        for entry in entries:
            kind = type(entry.event)
            if kind not in NOT_PLAYED:
                effective.append(entry)
                cuts.clear()  # something new was played: the cut pieces stay cut
            elif kind is Rewound:
                kept = sum(e.pos <= entry.event.to for e in effective)
                cuts += [tuple(effective[kept:])] if effective[kept:] else []
                del effective[kept:]
            elif kind is Restored:
                effective += cuts.pop()
        return Timeline(tuple(effective), tuple(cuts))

    def check_rewind(self, to: int) -> None:
        """Only the end of an order, or of the setup, is a place to go back to."""
        ends = {e.act: e.pos for e in self.effective}.values()
        if to not in ends:
            raise Unknown(
                say(
                    "Position {to} is not the end of an order that counts; the nearest before it is {near}.",
                    to=to,
                    near=max((pos for pos in ends if pos <= to), default=min(ends)),
                )
            )

    def check_restore(self) -> None:
        if not self.cuts:
            raise IllegalMove("rewind", say("There is nothing to restore: no cut piece is left."))


def timeline(entries: Iterable[Entry]) -> Timeline:
    """The timeline of a whole log."""
    return Timeline().extended(entries)
