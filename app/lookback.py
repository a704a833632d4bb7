"""One position of a match as a page shows it: the board then, what had changed, and the ways on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from sqlmodel import Session

from app import boards, desk, glance, history, models, store
from app.boards import Scene
from app.history import Step
from app.play import Place
from engine.core.match import Match
from engine.core.record import Verdict
from engine.core.refusal import Unknown
from engine.core.sentence import seat_letter
from engine.core.timeline import SeedRevealed

AROUND = 8  # events before and after the one that is looked at


@dataclass(frozen=True, slots=True)
class Ways:
    """The positions to go on to; None where there is none."""

    first: int
    last: int
    back: int | None
    on: int | None
    order_back: int | None
    order_on: int | None
    mine: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """A match at one position. `scene` is None before the table is set up."""

    row: models.Match
    match: Match
    here: Place
    names: dict[int, str]
    pos: int
    step: Step
    near: list[Step]
    ways: Ways
    scene: Scene | None
    verdict: Verdict | None
    seeds: tuple[str, ...]  # once the match has told them
    eyes: tuple[tuple[int, str], ...]  # the seats through which one may look
    turnable: bool  # whether the viewer may take the match back to here


@dataclass(frozen=True, slots=True)
class Story:
    """The whole log; `parts` are runs of events, those that were cut apart from the others."""

    row: models.Match
    match: Match
    names: dict[int, str]
    parts: list[tuple[bool, list[Step]]]


def look(session: Session, here: Place, pos: int, eyes: int | None = None) -> Look:
    """The match at `pos`, through one's own eyes; when it is over or closed, through anybody's."""
    match = store.load(session.connection(), here.match_id)
    seats = range(len(match.game.scores(match.state)))
    seat = eyes if match.revealed and eyes in seats else here.seat
    here = replace(here, seat=seat)
    check(match, pos)
    _, near = history.steps(session, here, max(0, pos - AROUND - 1), pos + AROUND)
    step = next(step for step in near if step.pos == pos)
    return Look(
        row=glance.present(session, here.match_id),
        match=match,
        here=here,
        names=desk.names_of(session, here.match_id),
        pos=pos,
        step=step,
        near=near,
        ways=ways(match, pos, seat),
        scene=scene(match, pos, seat, changed(near, step)),
        verdict=history.verified(match),
        seeds=revealed(match),
        eyes=tuple((s, seat_letter(s)) for s in seats) if match.revealed else (),
        turnable=here.cares and pos in places_back(match),
    )


def places_back(match: Match) -> set[int]:
    """Where one could go back to: the ends of orders that count, but for the last."""
    counted = match.timeline.effective
    return set({entry.act: entry.pos for entry in counted}.values()) - {counted[-1].pos}


def check(match: Match, pos: int) -> None:
    if not 1 <= pos <= match.head:
        history.state_at(match, pos)  # says it


def changed(near: Sequence[Step], step: Step) -> Iterator[str]:
    """The places that the order had touched by then."""
    for other in near:
        if other.act == step.act and other.pos <= step.pos:
            yield from boards.words(other.data)


def scene(match: Match, pos: int, seat: int | None, places: Iterator[str]) -> Scene | None:
    """What was seen then, with what had changed marked on the board."""
    try:
        state = history.state_at(match, pos)
    except Unknown:
        return None
    seen = boards.scene(match.game, state, seat, match.log[pos - 1].hash)
    return replace(seen, board=boards.marked(seen.board, places))


def ways(match: Match, pos: int, seat: int | None) -> Ways:
    ends = list(history.turns(match))
    before, after = bisect_left(ends, pos), bisect_right(ends, pos)
    return Ways(
        first=ends[0],
        last=match.head,
        back=pos - 1 if pos > 1 else None,
        on=pos + 1 if pos < match.head else None,
        order_back=ends[before - 1] if before else None,
        order_on=ends[after] if after < len(ends) else None,
        mine=desk.last_turn(match, seat) or None,
    )


def revealed(match: Match) -> tuple[str, ...]:
    """The seeds that were told, once nothing is secret any more."""
    if not match.revealed:
        return ()
    return tuple(e.event.seed for e in match.log if isinstance(e.event, SeedRevealed))


def story(session: Session, here: Place) -> Story:
    match, steps = history.steps(session, here)
    return Story(
        row=session.get_one(models.Match, here.match_id),
        match=match,
        names=desk.names_of(session, here.match_id),
        parts=[(cut, list(run)) for cut, run in groupby(steps, key=attrgetter("cut"))],
    )
