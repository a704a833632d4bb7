"""Read model of a position that is no match: the turn page without a table, for lessons, puzzles and analysis.

Nothing of it is stored. The draft travels in the page's address and in its forms, so that every state of it can be
bookmarked and shared, and looking at it writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.matches.access import Place
from app.matches.draft_editing import Drafted, judge_orders
from app.matches.drafts import Preview, clean_orders, preview_draft
from app.matches.order_lines import split_orders
from app.platform import tables
from app.views.scenes import make_scene
from app.views.turn_page import Desk, draft_lines, find_missing, found_groups, list_sitters
from engine.core.match import Match
from engine.core.thought import Thought

NAMES = ("Illari", "Killa", "Sayri", "Wayra")  # who sits at a table that there is not


@dataclass(frozen=True, slots=True)
class Position:
    """A match that only the server's memory holds, and the seat from which it is seen and played."""

    match: Match
    seat: int
    title: str
    names: dict[int, str]


def set_up_position(match: Match, seat: int, title: str) -> Position:
    """A position under the names of people who are not there."""
    return Position(match, seat, title, name_nobody(match))


def name_nobody(match: Match) -> dict[int, str]:
    """Names for the seats of a table at which nobody sits."""
    return {number: NAMES[number] for number in range(len(match.game.scores(match.state)))}


def preview_position(position: Position, orders: Sequence[str]) -> Preview:
    """The draft that an address carries, played in thought."""
    return preview_draft(position.match, position.seat, clean_orders(list(orders)))


def show_position(position: Position, orders: Sequence[str], *, play: bool = True) -> Desk:
    """The desk of whoever tries these orders; with `play` false, of somebody who only looks."""
    match, seat = position.match, position.seat
    thought = preview_position(position, orders) if play and not match.over else None
    shown: Match | Thought = thought.shown if thought else match
    scene = make_scene(match, shown.state, seat, shown.hash)
    return Desk(
        row=nowhere(position),
        match=match,
        here=Place(match.id, None, seat, owner=False, public=True, status="running"),
        sitters=list_sitters(match, shown, {seat}, position.names),
        names=position.names,
        scene=scene,
        thought=thought,
        lines=draft_lines(thought, seat) if thought else (),
        groups=found_groups(thought, seat),
        missing=find_missing(thought, seat, scene),
        news=[],
        stream=[],
        more=False,
        note="",
        verdict=None,
        undo=None,
        proposal=None,
        owner_plays=False,
        hints=False,
        state=match.hash,
        unread=0,
    )


def nowhere(position: Position) -> tables.Match:
    """What the page reads of a match's row; this one stands in no table."""
    match = position.match
    return tables.Match(
        id=match.id,
        game=match.game.key,
        title=position.title,
        status="running",
        seats=len(position.names),
        hash=match.hash,
    )


def change_orders(position: Position, orders: Sequence[str], add: str) -> tuple[list[str], Drafted]:
    """The draft after the line `add`: with its orders or, where they do not fit, without them and why."""
    kept, new = clean_orders(list(orders)), split_orders(add)
    if not new:
        return kept, Drafted()
    added, outcome = judge_orders(position.match, position.seat, kept, new)
    return [*kept, *added], outcome
