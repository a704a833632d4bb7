"""One position of a match as a page shows it: the board then, what had changed, and the ways on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup
from sqlmodel import Session

from app.eventstore.positions import state_at
from app.eventstore.store import load_match
from app.matches.access import Place
from app.matches.participants import load_seat_names
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.lru_cache import LruCache
from app.platform.rows import load_present_match
from app.views.board_pictures import event_words, mark_places
from app.views.history import STAYS, Step, load_steps, turn_ends, verify_match
from app.views.news import find_last_turn
from app.views.scenes import Scene, make_scene
from app.views.score_chart import LOW, draw_score_charts
from app.views.score_series import Series, load_series
from app.views.seat_history import load_holders
from engine.core.match import Match
from engine.core.record import Verdict
from engine.core.refusal import Unknown
from engine.core.sentence import say, seat_letter
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
class PositionLook:
    """A match at one position. `scene` is None before the table is set up."""

    row: tables.Match
    match: Match
    here: Place
    names: dict[int, str]
    pos: int
    step: Step
    near: list[Step]
    ways: Ways
    scene: Scene | None
    places: tuple[str, ...]  # that the order had touched by then
    verdict: Verdict | None
    seeds: tuple[str, ...]  # once the match has told them
    eyes: tuple[tuple[int, str], ...]  # the seats through which one may look
    turnable: bool  # whether the viewer may take the match back to here
    now: dict[int, str]  # what the seats are called today; sentences have the names of then already
    scores: tuple[int, ...]
    asked: tuple[int, ...]
    chart: Markup
    strip: Markup

    @property
    def board(self) -> str:
        """The picture, with what had changed marked on it."""
        return mark_places(self.scene.board, self.places) if self.scene else ""


@dataclass(frozen=True, slots=True)
class Story:
    """The whole log by turns; `parts` are runs of them, those that were cut apart from the others."""

    row: tables.Match
    match: Match
    names: dict[int, str]
    parts: list[tuple[bool, list[Turn]]]
    first: int  # where the table is set up


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did until another did something; without a seat, what was done to the table."""

    seat: int | None
    first: int
    last: int
    gain: int
    steps: tuple[Step, ...]
    cut: bool = False


def load_position_page(
    session: Session, here: Place, pos: int, eyes: int | None = None
) -> PositionLook:
    """The match at `pos`, through one's own eyes; when it is over or closed, through anybody's."""
    match = load_match(session.connection(), here.match_id)
    seats = range(len(match.game.scores(match.state)))
    seat = eyes if match.revealed and eyes in seats else here.seat
    here = replace(here, seat=seat)
    check(match, pos)
    _, near = load_steps(session, here, max(0, pos - AROUND - 1), pos + AROUND)
    step = next(step for step in near if step.pos == pos)
    holders, series = load_holders(session, here.match_id), load_series(match)
    kept = match.hash, eyes
    outline = OUTLINES.get(kept) or OUTLINES.keep(kept, make_outline(match, series, eyes))
    return PositionLook(
        row=load_present_match(session, here.match_id),
        match=match,
        here=here,
        names=holders.at(pos),
        pos=pos,
        step=step,
        near=near,
        ways=ways(match, outline.ends, pos, seat),
        scene=scene(match, pos, seat),
        places=tuple(changed(near, step)),
        verdict=verify_match(match),
        seeds=revealed(match),
        eyes=tuple((s, seat_letter(s)) for s in seats) if match.revealed else (),
        turnable=here.cares and pos in places_back(match),
        now=holders.names,
        scores=scores_at(match, pos),
        asked=asked_at(match, pos),
        chart=draw_score_charts(match, series, translate_sentence(CHART), pos, LOW),
        strip=outline.strip,
    )


CHART = say("The scores over the match")


@dataclass(frozen=True, slots=True)
class Outline:
    """What every position of a log shows alike, through the same eyes: where its orders end, and whose turns there were."""

    ends: tuple[int, ...]
    strip: Markup


def make_outline(match: Match, series: Series, eyes: int | None) -> Outline:
    turns = gather_turns(strip_steps(match), series)
    return Outline(tuple(turn_ends(match)), draw_strip(turns, eyes))


def draw_strip(turns: Iterable[Turn], eyes: int | None) -> Markup:
    """The turns as bars, each of which leads to its last position: by its number, from a page whose address ends in another."""
    seen = "" if eyes is None else f"?eyes={eyes}"
    return Markup("").join(
        Markup('<a href="{}{}" tabindex="-1"><rect class="turn-{}" x="{}" width="{}" height="10"/></a>').format(
            turn.last, seen, "none" if turn.seat is None else seat_letter(turn.seat),
            turn.first - 1, turn.last - turn.first + 1,
        )
        for turn in turns
    )  # fmt: skip


def weigh_outline(outline: Outline) -> int:
    return len(outline.ends)


MOST_ENDS = 50_000  # of some two hundred long matches
OUTLINES: LruCache[tuple[str, int | None], Outline] = LruCache(MOST_ENDS, weigh_outline)


def scores_at(match: Match, pos: int) -> tuple[int, ...]:
    """The scores as they stood then; none before the table is set up."""
    try:
        return match.game.scores(state_at(match, pos))
    except Unknown:
        return ()


def asked_at(match: Match, pos: int) -> tuple[int, ...]:
    try:
        return match.game.to_act(state_at(match, pos))
    except Unknown:
        return ()


def strip_steps(match: Match) -> Iterator[Mark]:
    """What of the log shows under the chart: whose every event was."""
    return (Mark(entry.pos, entry.seat, type(entry.event).__name__) for entry in match.log)


class Mark(NamedTuple):
    """An event of which only its place and seat count."""

    pos: int
    seat: int | None
    kind: str


OF_THE_TABLE = {kind.__name__ for kind in STAYS}


def gather_turns(steps: Iterable[Any], series: Series, *, cut: bool = False) -> Iterator[Turn]:
    """Steps as turns: a new one begins where another acts; what follows by the rules belongs to the turn before it."""
    run: list[Any] = []
    for step in steps:
        acts = step.seat is not None or step.kind in OF_THE_TABLE
        if run and acts and step.seat != run[0].seat:
            yield make_turn(run, series, cut)
            run = []
        run.append(step)
    if run:
        yield make_turn(run, series, cut)


def make_turn(run: list[Any], series: Series, cut: bool) -> Turn:
    seat, first, last = run[0].seat, run[0].pos, run[-1].pos
    before, after = series.at(first - 1), series.at(last)
    gain = after[seat] - (before[seat] if before else 0) if seat is not None and after else 0
    return Turn(seat, first, last, 0 if cut else gain, tuple(run), cut)


def places_back(match: Match) -> set[int]:
    """Where one could go back to: the ends of orders that count, but for the last."""
    counted = match.timeline.effective
    return set({entry.act: entry.pos for entry in counted}.values()) - {counted[-1].pos}


def check(match: Match, pos: int) -> None:
    if not 1 <= pos <= match.head:
        state_at(match, pos)  # says it


def changed(near: Sequence[Step], step: Step) -> Iterator[str]:
    """The places that the order had touched by then."""
    for other in near:
        if other.act == step.act and other.pos <= step.pos:
            yield from event_words(other.data)


def scene(match: Match, pos: int, seat: int | None) -> Scene | None:
    """What was seen then."""
    try:
        state = state_at(match, pos)
    except Unknown:
        return None
    return make_scene(match, state, seat, match.log[pos - 1].hash)


def ways(match: Match, ends: Sequence[int], pos: int, seat: int | None) -> Ways:
    before, after = bisect_left(ends, pos), bisect_right(ends, pos)
    return Ways(
        first=ends[0],
        last=match.head,
        back=pos - 1 if pos > 1 else None,
        on=pos + 1 if pos < match.head else None,
        order_back=ends[before - 1] if before else None,
        order_on=ends[after] if after < len(ends) else None,
        mine=find_last_turn(match, seat) or None,
    )


def revealed(match: Match) -> tuple[str, ...]:
    """The seeds that were told, once nothing is secret any more."""
    if not match.revealed:
        return ()
    return tuple(e.event.seed for e in match.log if isinstance(e.event, SeedRevealed))


def load_story_page(session: Session, here: Place) -> Story:
    match, steps = load_steps(session, here)
    series = load_series(match)
    return Story(
        row=session.get_one(tables.Match, here.match_id),
        match=match,
        names=load_seat_names(session, here.match_id),
        parts=[
            (cut, list(gather_turns(run, series, cut=cut)))
            for cut, run in groupby(steps, key=attrgetter("cut"))
        ],
        first=max(step.pos for step in steps if step.act == 1),
    )
