"""All that the engine lets one viewer know of a match, name by name; two worlds that it may not tell apart give the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.matches.lookahead import check_ahead
from engine.core import record
from engine.core.chance import Chance
from engine.core.match import Match, play
from engine.core.refusal import Refusal
from engine.core.registry import bots, find_bot, insight
from engine.core.secrecy import redact
from engine.core.timeline import CORE_EVENTS
from tests.worlds import Worlds

SOME = 12  # orders of many that are looked at more closely
AHEAD = 3  # of those that reveal something, and of those behind each
QUICK = {"random", "steady"}


def leaks(worlds: Worlds) -> list[str]:
    """What differs, and for whom, though it must not."""
    tries = tried_orders(worlds)
    found = list[str]()
    for seat in worlds.eyes:
        here, there = (surfaces(match, seat) for match in worlds.matches)
        if seat is not None:
            behind = orders_behind(worlds, seat, tries)
            here, there = (
                {**told, **answered(match, seat, tries, behind)}
                for told, match in zip((here, there), worlds.matches, strict=True)
            )
        found += [f"{name} for {seat}" for name in here if here[name] != there[name]]
    return found


def surfaces(match: Match, seat: int | None) -> dict[str, Any]:
    """Everything that `seat`, or who only looks on, is shown."""
    told = {**public(match), **drawn(match, seat), **remembered(match, seat)}
    return told if seat is None else {**told, **possible(match, seat)}


def public(match: Match) -> dict[str, Any]:
    """What is asked of the state itself, for everybody."""
    game, state = match.game, match.state
    return {
        "to_act": game.to_act(state),
        "awaited": game.awaited(state),
        "scores": game.scores(state),
        "winners": game.winners(state),
        "colours": game.colours(state),
        "head": (match.head, match.hash, match.over),
    }


def drawn(match: Match, seat: int | None) -> dict[str, Any]:
    """What is made from a view."""
    game = match.game
    view = game.view(match.state, seat)
    return {
        "view": (view, repr(view)),
        "show": game.show(view),
        "render": game.render(view, str),
        "chart": game.chart(view, str),
        "summary": game.summary(view),
        "parts": game.parts(view),
        "tools": game.tools(view),
        "pieces": game.pieces(view),
        "tries": game.tries(view),
        "question": game.question(view),
        "ledgers": game.ledgers(view),
        "left": game.left(view),
        "coach": game.coach(view),
    }


def remembered(match: Match, seat: int | None) -> dict[str, Any]:
    """The log as the viewer may know it: its events, what is told of them, and the file."""
    events = [redact(entry.event, seat) for entry in match.log]
    of_the_game = [event for event in events if not isinstance(event, CORE_EVENTS)]
    return {
        "events": events,
        "describe": [str(match.game.describe(event)) for event in of_the_game],
        "news": [type(event) not in match.game.asking for event in of_the_game],
        "record": record.text(record.redacted(match, seat)),
    }


def possible(match: Match, seat: int) -> dict[str, Any]:
    """What the seat may order, what that costs and touches, and what a bot would advise."""
    game, state = match.game, match.state
    legal = list(game.legal(state, seat))
    closer = some(legal)
    return {
        "legal": sorted(map(game.format, legal)),
        "imagine": imagined(match, seat),
        "priced": sorted((game.format(action), cost) for action, cost in game.priced(state, seat)),
        "commits": [game.commits(state, action) for action in closer],
        "touched": [tuple(game.touched(state, action)) for action in closer],
        "standing": dict(standing(match, seat, legal)),
        "hints": dict(hints(match, seat, legal)),
        "reasons": [reasons(match, seat, action) for action in closer[:REASONED]],
        "estimate": estimate(match, seat),
    }


def imagined(match: Match, seat: int) -> list[str] | None:
    """What the seat could order if it were its turn already: plans are made from it."""
    state = None if match.over else match.game.imagine(match.state, seat)
    return state and sorted(map(match.game.format, match.game.legal(state, seat)))


def standing(match: Match, seat: int, legal: list[Any]) -> Iterator[tuple[str, Any]]:
    """What an answer given in advance would be, with all its wishes as usual."""
    question = match.game.awaited(match.state)
    if legal and (way := match.game.standing.get(question)):
        yield question, way.answer(match.game.view(match.state, seat), way.settle({}), legal)


def hints(match: Match, seat: int, legal: list[Any]) -> Iterator[tuple[str, Any]]:
    """What bots would order; the best one thinks for seconds, and advises where the service is asked."""
    for name in QUICK & bots(match.game).keys() if legal else ():
        view, dice = match.game.view(match.state, seat), Chance("advice", match.id, match.head)
        yield name, find_bot(match.game, name)(match.game, view, legal, dice)


REASONED = 6  # orders that a bot is asked to explain


def reasons(match: Match, seat: int, action: Any) -> list[Any]:
    """Why a bot would give an order."""
    known = insight(match.game)
    return known.explain(match.game, match.game.view(match.state, seat), [action]) if known else []


def estimate(match: Match, seat: int) -> tuple[float, ...]:
    """What a bot thinks that everybody may hope for."""
    known = insight(match.game)
    return known.estimate(match.game, match.game.view(match.state, seat)) if known else ()


# Orders that are tried


def tried_orders(worlds: Worlds) -> list[str]:
    """Some orders that somebody could give in one of the worlds: who holds what shows in those of the knower."""
    seats = [seat for seat in (worlds.knower, *worlds.eyes) if seat is not None]
    found = dict.fromkeys(
        order for seat in seats for match in worlds.matches for order in some(orders(match, seat))
    )
    return list(found)


def orders(match: Match, seat: int) -> list[str]:
    return [match.game.format(action) for action in match.game.legal(match.state, seat)]


def orders_behind(worlds: Worlds, seat: int, tries: list[str]) -> list[list[str]]:
    """An order that reveals something, and one that could follow, rather where it does so in one world alone."""
    found = list[list[str]]()
    for first in [one for one in tries if tried(worlds.one, seat, one) == REVEALS][:AHEAD]:
        here, there = (set(orders(play(match, seat, first), seat)) for match in worlds.matches)
        then = [*sorted(here ^ there), *sorted(here & there)]
        found += [[first, order] for order in then[:AHEAD]]
    return found


def answered(match: Match, seat: int, tries: list[str], behind: list[list[str]]) -> dict[str, Any]:
    """What the seat is told of orders that it may or may not give, alone and behind one that reveals something."""
    return {
        "tried": [tried(match, seat, order) for order in tries],
        "ahead": [ahead(match, seat, orders) for orders in behind],
    }


REVEALS = "goes, and reveals something"


def tried(match: Match, seat: int, order: str) -> Any:
    """What a draft says of an order: why not, or what comes of it; what it would reveal is not shown."""
    game = match.game
    try:
        action = game.parse(seat, order)
        game.recognise(match.state, action)
        after = play(match, seat, order)
    except Refusal as refusal:
        return refusal.code, str(refusal)
    if after.over or game.commits(match.state, action):
        return REVEALS
    return [redact(entry.event, seat) for entry in after.log[match.head :]]


def ahead(match: Match, seat: int, orders: list[str]) -> str:
    """What is said of orders behind one that reveals something, before any is played."""
    try:
        check_ahead(match, seat, orders)
    except Refusal as refusal:
        return str(refusal)
    return "goes"


def some(things: list[Any]) -> list[Any]:
    """A few, from all over the list."""
    return things[:: max(1, len(things) // SOME)]
