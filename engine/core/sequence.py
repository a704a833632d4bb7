"""Whether a log can have come about as a sequence: what each act looks like, and which fact may follow which.

Everything here stands in tables by the kind of event; a kind that is in none is let pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal

from engine.core.match import MOST_HOURS
from engine.core.refusal import Refusal
from engine.core.sentence import Sentence, say
from engine.core.timeline import (
    NOT_PLAYED,
    TABLE_EVENTS,
    TURNS,
    ActProposed,
    Closed,
    Entry,
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
    SeedRevealed,
    StoodIn,
    TalkHidden,
    Timeline,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)

Status = Literal["running", "paused", "closed", "over"]
Asked = Mapping[int, tuple[int, ...]]  # who was asked after each position, as far as that is known


@dataclass(frozen=True, slots=True)
class Wish:
    """An undo that stands open: who asked for it, to where, and who has agreed."""

    seat: int
    to: int
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a table after so much of its log."""

    seats: int = 0
    timeline: Timeline = Timeline()
    paused: bool = False
    closed: bool = False
    away: frozenset[int] = frozenset()  # for whom a bot stands in
    wish: Wish | None = None
    proposed: bool = False  # somebody who plays wishes to do what others must agree to
    last: Any = None

    @property
    def over(self) -> bool:
        played = self.timeline.effective
        return bool(played) and isinstance(played[-1].event, SeedRevealed)

    @property
    def status(self) -> Status:
        if self.closed or self.over:
            return "closed" if self.closed else "over"
        return "paused" if self.paused else "running"


def status(entries: Sequence[Entry]) -> Status:
    """How a match stands after its log: played out, closed, resting or running."""
    table = Table()
    for act in acts(entries):
        table = after(table, act)
    return table.status


def faults(entries: Sequence[Entry], asked: Asked) -> list[Sentence]:
    """What no table can have done, a sentence each."""
    table, found = Table(), list[Sentence]()
    for act in acts(entries):
        problem = misshapen(act, table) or misplaced(act, table, asked)
        if problem:
            found.append(problem)
        table = after(table, act)
    return found


def acts(entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    return (tuple(group) for _, group in groupby(entries, key=attrgetter("act")))


def misshapen(act: tuple[Entry, ...], table: Table) -> Sentence | None:
    """An act is numbered by its first event, and all its events have the same cause."""
    first = act[0]
    alike = len({(entry.seat, entry.order, entry.hidden) for entry in act}) == 1
    kinds = [type(entry.event) for entry in act]
    told_all = kinds[0] is Closed and set(kinds[1:]) == {SeedRevealed}  # one for each rewind
    alone = len(act) == 1 or not NOT_PLAYED.intersection(kinds) or told_all
    opens = (kinds[0] is MatchStarted) == (first.pos == 1) and MatchStarted not in kinds[1:]
    ordered = first.seat is not None
    caused = ordered == (kinds[0] not in UNORDERED)
    told = first.order is None or ordered
    seated = not ordered or first.seat in range(table.seats)
    if first.act == first.pos and alike and alone and opens and caused and told and seated:
        return None
    return say("Event {pos} does not follow from any order or deed.", pos=first.pos)


UNORDERED = NOT_PLAYED | {MatchStarted, SeedRevealed}


def misplaced(act: tuple[Entry, ...], table: Table, asked: Asked) -> Sentence | None:
    """Why an act cannot have come at this moment."""
    first = act[0]
    kind = type(first.event)
    if table.closed and kind is not SeedRevealed:
        return say("Event {pos} follows although the match was closed.", pos=first.pos)
    if table.over and kind not in TURNS:
        return say("Event {pos} follows although the match was over.", pos=first.pos)
    if kind not in NOT_PLAYED:
        return unplayable(first, table)
    for check in CHECKS.get(kind, ()):
        if not check(table, first.event, asked):
            return replace(SAID[check], values={"pos": first.pos})
    return None


def unplayable(first: Entry, table: Table) -> Sentence | None:
    if table.paused:
        return say("Event {pos} was played although the match was paused.", pos=first.pos)
    if isinstance(first.event, SeedRevealed) and not table.closed:
        return say("Event {pos} reveals the seed although nothing had ended.", pos=first.pos)
    return None


# What must hold before a fact can be one: each says whether it does.


def runs(table: Table, _event: Any, _asked: Asked) -> bool:
    return not table.paused


def rests(table: Table, _event: Any, _asked: Asked) -> bool:
    return table.paused


def has_seat(table: Table, event: Any, _asked: Asked) -> bool:
    return event.seat in range(table.seats)


def is_away(table: Table, event: Returned, _asked: Asked) -> bool:
    return event.seat in table.away


def has_role(_table: Table, event: Any, _asked: Asked) -> bool:
    return event.by in ROLES


def has_winners(table: Table, event: Closed, _asked: Asked) -> bool:
    """Named once each and in order."""
    won = event.winners
    return won == tuple(sorted(set(won))) and set(won) <= set(range(table.seats))


def is_short(_table: Table, event: Extended, _asked: Asked) -> bool:
    return 1 <= event.hours <= MOST_HOURS


def none_asked(table: Table, _event: Any, _asked: Asked) -> bool:
    return table.wish is None


def one_asked(table: Table, _event: Any, _asked: Asked) -> bool:
    return table.wish is not None


def one_proposed(table: Table, _event: Any, _asked: Asked) -> bool:
    return table.proposed


def may_ask(table: Table, event: UndoAsked, asked: Asked) -> bool:
    """Back to a moment at which the seat itself was asked, and before the last order."""
    played = table.timeline.effective
    known = asked.get(event.to, (event.seat,))
    return can_rewind(table, event, asked) and event.to < played[-1].pos and event.seat in known


def may_answer(table: Table, event: UndoAnswered, _asked: Asked) -> bool:
    wish = table.wish
    return wish is None or event.seat not in (wish.seat, *wish.agreed)


def asked_itself(table: Table, event: UndoWithdrawn, _asked: Asked) -> bool:
    return table.wish is None or table.wish.seat == event.seat


def can_rewind(table: Table, event: Any, _asked: Asked) -> bool:
    try:
        table.timeline.check_rewind(event.to)
    except (Refusal, ValueError):  # nothing counts that one could go back to
        return False
    return True


def is_agreed(table: Table, event: Rewound, _asked: Asked) -> bool:
    """The table goes back where it was asked to, and only then."""
    if event.by != BY_CONSENT:
        return True
    wish = table.wish
    return isinstance(table.last, TABLE_EVENTS) and (wish is None or wish.to == event.to)


def can_restore(table: Table, _event: Restored, _asked: Asked) -> bool:
    return bool(table.timeline.cuts)


BY_CONSENT = "table"
# As what somebody cares for a match. The facts that are older than these words may carry a name instead.
ROLES = frozenset({"owner", "moderator", "site", "operator", "player", BY_CONSENT})
Check = Callable[[Table, Any, Asked], bool]
CHECKS: dict[type, tuple[Check, ...]] = {
    Rewound: (can_rewind, is_agreed),
    Restored: (can_restore,),
    Paused: (runs,),
    Resumed: (rests,),
    Extended: (is_short,),
    Closed: (has_winners,),
    SeatReplaced: (has_seat,),
    SeatResigned: (has_seat,),
    StoodIn: (runs, has_seat),
    Returned: (is_away,),
    UndoAsked: (has_seat, none_asked, may_ask),
    UndoAnswered: (has_seat, one_asked, may_answer),
    UndoRefused: (has_role, one_asked),
    UndoWithdrawn: (one_asked, asked_itself),
    OwnerChanged: (has_role,),
    ModeratorNamed: (has_role,),
    ModeratorDismissed: (has_role,),
    TalkHidden: (has_role,),
    Reseeded: (has_role,),
    ActProposed: (has_role,),
    ProposalAnswered: (has_seat, one_proposed),
    ProposalWithdrawn: (has_role, one_proposed),
    ProposalDone: (has_role, one_proposed),
}
SAID: dict[Check, Sentence] = {
    runs: say("Event {pos} cannot have been while the match was paused."),
    rests: say("Event {pos} lets the match go on, which was not paused."),
    has_seat: say("Event {pos} names a seat that this match has not."),
    is_away: say("Event {pos} lets a player return for whom no bot stood in."),
    has_role: say("Event {pos} names somebody who may not do such a thing."),
    has_winners: say("Event {pos} names winners that cannot be."),
    is_short: say("Event {pos} gives more or fewer hours than can be given."),
    none_asked: say("Event {pos} asks for an undo although one was asked for already."),
    one_asked: say("Event {pos} answers although no undo was asked for."),
    one_proposed: say("Event {pos} answers although nothing was proposed."),
    may_ask: say("Event {pos} asks to go back to where that seat cannot wish to."),
    may_answer: say("Event {pos} is the answer of a seat that was not asked."),
    asked_itself: say("Event {pos} takes back the question of another seat."),
    can_rewind: say("Event {pos} goes back to where no order had ended."),
    is_agreed: say("Event {pos} goes back in the name of the table, which had not agreed to that."),
    can_restore: say("Event {pos} brings back a piece although none was cut."),
}


# What a fact leaves behind


def after(table: Table, act: tuple[Entry, ...]) -> Table:
    """The table after one act; what cannot be applied leaves it as it was."""
    first = act[0]
    event = first.event
    if isinstance(event, MatchStarted):
        table = replace(table, seats=event.seats)
    if type(event) not in NOT_PLAYED or type(event) in TURNS:
        table = moved(table, act)
    else:
        change = CHANGES.get(type(event))
        table = change(table, event) if change else table
    return replace(table, last=event)


def moved(table: Table, act: tuple[Entry, ...]) -> Table:
    """Something was played or turned: a wish lapses, and an end is the end of a pause too."""
    if isinstance(act[0].event, Restored) and not table.timeline.cuts:
        return table
    table = replace(table, timeline=table.timeline.extended(act), wish=None)
    return replace(table, paused=table.paused and not table.over, proposed=False)


def agreed(table: Table, event: UndoAnswered) -> Table:
    wish = table.wish
    if wish is None or not event.agrees:
        return replace(table, wish=None)
    return replace(table, wish=replace(wish, agreed=wish.agreed | {event.seat}))


def vacated(table: Table, event: SeatReplaced | SeatResigned) -> Table:
    """Whoever comes was not away, asked for nothing and agreed to nothing."""
    wish = table.wish
    if wish is not None:
        kept = replace(wish, agreed=wish.agreed - {event.seat})
        wish = None if wish.seat == event.seat else kept
    return replace(table, away=table.away - {event.seat}, wish=wish)


CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    Paused: lambda table, _: replace(table, paused=True),
    Resumed: lambda table, _: replace(table, paused=False),
    Closed: lambda table, _: replace(table, closed=True),
    StoodIn: lambda table, event: replace(table, away=table.away | {event.seat}),
    Returned: lambda table, event: replace(table, away=table.away - {event.seat}),
    SeatReplaced: vacated,
    SeatResigned: vacated,
    UndoAsked: lambda table, event: replace(table, wish=Wish(event.seat, event.to)),
    UndoAnswered: agreed,
    UndoRefused: lambda table, _: replace(table, wish=None),
    UndoWithdrawn: lambda table, _: replace(table, wish=None),
    ActProposed: lambda table, _: replace(table, proposed=True),
    ProposalAnswered: lambda table, event: replace(table, proposed=event.agrees),
    ProposalWithdrawn: lambda table, _: replace(table, proposed=False),
    ProposalDone: lambda table, _: replace(table, proposed=False),
    OwnerChanged: lambda table, _: replace(table, proposed=False),
    ModeratorDismissed: lambda table, _: replace(table, proposed=False),
}
