"""How a match ended: the podium, what the points came from, how the scores went, and how long it took."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from markupsafe import Markup
from sqlmodel import Session

from app.eventstore.store import load_event_times, load_match
from app.matches.access import Place
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.rows import SEATED, load_present_match
from app.views.event_text import describe_event
from app.views.history import verify_match
from app.views.profile import is_shown
from app.views.score_chart import draw_score_charts
from app.views.score_series import Scores, list_sources, load_series
from app.views.seat_history import load_holders
from engine.core.match import Match
from engine.core.record import Verdict
from engine.core.sentence import Sentence, say


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody on the podium; who shares a place has the same rank."""

    rank: int
    seat: int
    name: str
    score: int
    won: bool
    turns: int
    pace: timedelta | None  # between being asked and having answered, in the mean
    page: int | None = None  # the player, if they show a page of their own


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """What each place brought every seat; None where it brought one nothing."""

    title: Sentence
    rows: list[tuple[str, tuple[int | None, ...]]]


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is over; `places` are scored one by one in some games, under a title of theirs."""

    row: tables.Match
    match: Match
    names: dict[int, str]
    ending: Sentence  # in the game's own words: who won, and by what
    podium: tuple[Placed, ...]
    sources: list[tuple[Sentence, Scores]]
    places: PlaceTable | None
    chart: Markup  # for wide and for narrow windows
    turning: tuple[tuple[int, int], ...]
    took: timedelta | None
    verdict: Verdict | None
    may_rematch: bool


def load_result(session: Session, here: Place) -> Result | None:
    """The result of a match; None while it is under way."""
    row = load_present_match(session, here.match_id)
    match = load_match(session.connection(), here.match_id) if row.head else None
    if match is None or not match.over:
        return None
    series, names = load_series(match), load_holders(session, match.id).names
    seats = len(match.game.scores(match.state))
    sources = list_sources(match.game, series, seats)
    return Result(
        row=row,
        match=match,
        names=names,
        ending=tell_ending(match),
        podium=load_podium(session, match, names),
        sources=sources if len(sources) > 1 else [],
        places=list_places(match, seats),
        chart=draw_score_charts(
            match, series, translate_sentence(say("The scores over the match"))
        ),
        turning=series.turning,
        took=row.ended_at - row.started_at if row.ended_at and row.started_at else None,
        verdict=verify_match(match),
        may_rematch=here.seat is not None and not row.imported and not row.alone,
    )


def tell_ending(match: Match) -> Sentence:
    """What the game says of its end: where points are level, why somebody won."""
    told = (entry.event for entry in reversed(match.timeline.effective))
    return describe_event(match.game, next(e for e in told if type(e) in match.game.events))


def load_podium(session: Session, match: Match, names: dict[int, str]) -> tuple[Placed, ...]:
    """Everybody by place: winners first, then by points."""
    scores, won = match.game.scores(match.state), match.game.winners(match.state)
    turns, paces = count_turns(session, match)
    pages = {
        seat.number: player.id
        for seat, player in SEATED.found(session, match=match.id)
        if player and is_shown(player)
    }
    order = sorted(range(len(scores)), key=lambda seat: (seat not in won, -scores[seat]))
    keys = [(seat not in won, -scores[seat]) for seat in order]
    return tuple(
        Placed(
            rank=keys.index(key) + 1,
            seat=seat,
            name=names.get(seat, ""),
            score=scores[seat],
            won=seat in won,
            turns=turns[seat],
            pace=paces.get(seat),
            page=pages.get(seat),
        )
        for seat, key in zip(order, keys, strict=True)
    )


def count_turns(session: Session, match: Match) -> tuple[Counter[int], dict[int, timedelta]]:
    """How many turns every seat had, and how long it took for one in the mean."""
    times = load_event_times(session.connection(), match.id)
    turns, spent = Counter[int](), dict[int, timedelta]()
    before, last = None, None
    for entry in match.timeline.effective:
        at = times.get(entry.pos)
        if entry.seat is not None and entry.seat != before:
            turns[entry.seat] += 1
            if at and last:
                spent[entry.seat] = spent.get(entry.seat, timedelta()) + (at - last)
            before = entry.seat
        last = at or last
    return turns, {seat: total / turns[seat] for seat, total in spent.items()}


def list_places(match: Match, seats: int) -> PlaceTable | None:
    """What a scoring by places brought whom, where the game has one and it came to that."""
    if (scored := match.game.scored_places) is None:
        return None
    found: dict[str, list[int | None]] = {}
    for entry in match.timeline.effective:
        for place, seat, points in scored.told(entry.event):
            found.setdefault(place, [None] * seats)[seat] = points
    rows = [(place, tuple(row)) for place, row in sorted(found.items())]
    return PlaceTable(scored.title, rows) if rows else None
