"""What a newcomer could do next, in a sentence, from what the seat sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.chance import Chance
from engine.core.sentence import Sentence, filled, say
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.bots.players import OMENS, imagine, lure
from engine.tahuantinsuyu.progress import FRESH, OVER
from engine.tahuantinsuyu.rules import building
from engine.tahuantinsuyu.rules.legal import development, road_action
from engine.tahuantinsuyu.state import State
from engine.tahuantinsuyu.text.names import CARDS, place
from engine.tahuantinsuyu.text.parts import people
from engine.tahuantinsuyu.view import View

THEIRS = 0.45  # how much what a card does for a neighbour counts against it


def coach(view: View) -> Sentence | None:
    """The next thing worth doing for whoever is asked; None for everybody else."""
    if view.seat is None or view.seat not in view.to_act:
        return None
    if not people(view):
        return lay_card(view, view.seat)
    # The dice fill in what the seat cannot see; nothing below looks at it.
    return next(advice(view, imagine(view, Chance("advice", "", 0)), view.seat))


# The Sun phase


def lay_card(view: View, seat: int) -> Sentence | None:
    """The card and sector that help most, as far as a rule of thumb goes."""
    own = view.colours[seat]
    free = [sector for sector in view.sun if sector not in view.laid]
    ways = [
        (omen(card, sector, own), card, sector)
        for card in view.hand or ()
        if card in OMENS
        for sector in free
    ]
    if not ways:
        return None
    _, card, sector = max(ways)
    told = (
        say("Lay {card} at {sector}, beside your own colour: there it helps you.")
        if OMENS[card] > 0
        else say("Lay {card} at {sector}, away from your own colour: it hinders the two beside it.")
    )
    return filled(told, {"card": CARDS[card], "sector": sector})


def omen(card: str, sector: str, own: str) -> float:
    return sum(OMENS[card] * (1 if colour == own else -THEIRS) for colour in sector.split("-"))


# The People phase


def advice(view: View, state: State, seat: int) -> Iterator[Sentence]:
    """All that could be said, what matters most first: roads, then what they let one build."""
    now = view.turn.progress
    if now.development == FRESH or now.roads != OVER:
        yield from roads(view, state, seat)
    if now.development != OVER:
        yield from develop(view, state, seat)
    if now.development == FRESH:
        yield say(
            "You have {labour} labour: too little for what is in reach. What you keep is there next time: play the turn.",
            labour=view.labour[seat],
        )
    yield say("Roads and development are done: play the turn.")


def roads(view: View, state: State, seat: int) -> Iterator[Sentence]:
    """A free road, to where it leads furthest."""
    now, left = view.turn.progress, view.turn.allowance - view.turn.progress.laid
    if not any(orders for _, orders in road_action(state, seat, now)) or not view.ways:
        return
    pair = max(view.ways, key=lambda one: lure(state, seat, one))
    ends = [state.board.sites[state.board.site_index[end]] for end in pair]
    joined = state.joined(seat)
    new = [site for site in ends if not joined >> state.board.site_index[site.id] & 1]
    if not new:
        return
    told = LEADING.get(new[0].kind, LEADING[""])
    values = {"n": left, "site": place(new[0].id, new[0].name)}
    yield filled(told, values)


LEADING: dict[str, Sentence] = {
    "city": say(
        "{n} road is free: lay one to {site}, where a city can stand. You build only where your roads lead.",
        "{n} roads are free: lay one to {site}, where a city can stand. You build only where your roads lead.",
    ),
    "garrison": say(
        "{n} road is free: lay one to {site}, where a garrison can stand. You build only where your roads lead.",
        "{n} roads are free: lay one to {site}, where a garrison can stand. You build only where your roads lead.",
    ),
    "": say(
        "{n} road is free: lay one to {site}. Where your roads lead you can build and conquer.",
        "{n} roads are free: lay one to {site}. Where your roads lead you can build and conquer.",
    ),
}


def develop(view: View, state: State, seat: int) -> Iterator[Sentence]:
    """What brings most of all that can be paid for."""
    found = [
        (worth(state, seat, action), -cost, action)
        for cost, actions in development(state, seat, view.turn.progress)
        for action in actions
        if not isinstance(action, a.BuildRoad)
    ]
    if not found:
        return
    points, less, action = max(found, key=lambda one: one[:2])
    values = {"labour": view.labour[seat], "cost": -less, "points": points}
    match action:
        case a.Build(_, what, at):
            site = state.board.sites[state.board.site_index[at]]
            yield filled(BUILDING[what], {**values, "site": place(site.id, site.name)})
        case a.Conquer(_, region):
            yield filled(CONQUERING, {**values, "region": region})
        case a.BuildTerrace(_, region):
            yield filled(TERRACING, {**values, "region": region})


def worth(state: State, seat: int, action: Any) -> int:
    """The points that an action brings at once."""
    match action:
        case a.Build(_, what, at):
            site = state.board.sites[state.board.site_index[at]]
            return building.points(state, seat, what, site)
        case a.Conquer(_, region):
            type_ = state.types[state.board.region_index[region]]
            return state.board.markers[str(type_)].points
    return state.board.prices["terrace"].points


BUILDING: dict[str, Sentence] = {
    "city": say("You have {labour} labour: a city at {site} costs {cost} and brings {points} VP."),
    "garrison": say(
        "You have {labour} labour: a garrison at {site} costs {cost} and brings {points} VP."
    ),
    "temple": say(
        "You have {labour} labour: a temple at {site} costs {cost} and brings {points} VP."
    ),
    "upgrade": say(
        "You have {labour} labour: to make the garrison at {site} a city costs {cost} and brings {points} VP."
    ),
}
CONQUERING = say(
    "You have {labour} labour: to conquer {region} costs {cost}, brings {points} VP, and labour later."
)
TERRACING = say(
    "You have {labour} labour: a terrace in {region} costs {cost}, brings {points} VP, and labour later."
)
