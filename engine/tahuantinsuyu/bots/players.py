"""Players made of code. Each sees what its seat sees: what it may not know it imagines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.kit.masks import bits
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.bots.outlook import ahead, outlook
from engine.tahuantinsuyu.evolve import evolve
from engine.tahuantinsuyu.position import complete_form
from engine.tahuantinsuyu.rules import building, decide
from engine.tahuantinsuyu.rules.legal import legal as all_legal
from engine.tahuantinsuyu.rules.phases import exposed
from engine.tahuantinsuyu.state import State
from engine.tahuantinsuyu.view import View, show

WIDTH = 5  # lines that are thought further at each depth
DEPTH = 6  # orders of one turn


# What is seen


def imagine(view: View, chance: Chance) -> State:
    """A table that looks like the view, and on which everything that is hidden is forgotten."""
    return decide.forget(sample(view, chance), view.seat or 0)


def sample(view: View, chance: Chance) -> State:
    """A table that looks like the view: hidden cards are dealt anew, hidden markers are drawn when turned up."""
    form, unseen = show(view), unseen_cards(view)
    for seat, hand in enumerate(form["hands"]):
        if isinstance(hand, int):
            form["hands"][seat] = [draw(unseen, chance) for _ in range(hand)]
    for laid in form["laid"].values():
        laid["card"] = laid["card"] or draw(unseen, chance)
    form["pile"] = unseen
    form["spare"] = [UNSEEN] * view.spare
    return complete_form.build(form)


def unseen_cards(view: View) -> list[str]:
    """The cards in other hands, face down and in the pile."""
    seen = Counter([*view.discard, *(view.hand or ())])
    for cards in view.sun.values():
        seen.update(cards)
    seen.update(laid.card for laid in view.laid.values() if laid.card)
    return sorted((Counter(view.board.deck(view.options)) - seen).elements())


def draw(cards: list[str], chance: Chance) -> str:
    found = chance.pick(cards)
    cards.remove(found)
    return found


def after(state: State, action: Any, chance: Chance) -> State:
    for event in decide.decide(state, action, chance):
        state = evolve(state, event)
    return state


# Steady: the order that brings most at once


def steady(_game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """Takes what pays best now; roads to whatever is near; sun cards by what they are good for."""
    state = imagine(view, chance)
    seat = legal[0].seat
    if isinstance(legal[0], a.LayCard):
        return one_of_the_best(legal, lambda action: omen(state, action), chance)
    return one_of_the_best(legal, lambda action: gain(state, seat, action), chance)


def one_of_the_best(legal: Sequence[Any], worth: Callable[[Any], float], chance: Chance) -> Any:
    """What is worth most; between equals chance decides, so that no colour or place is liked for its name."""
    found = [round(worth(action), 9) for action in legal]
    best = max(found)
    return chance.pick(
        [action for action, value in zip(legal, found, strict=True) if value == best]
    )


def gain(state: State, seat: int, action: Any) -> float:
    """What one order is worth by rules of thumb; `end` nothing."""
    incas, sapas, _, _ = ahead(state)
    match action:
        case a.Build(_, what, at):
            site = state.board.sites[state.board.site_index[at]]
            later = {"city": 3, "garrison": 2, "temple": 1, "upgrade": 1}[what] * sapas
            return 1 + building.points(state, seat, what, site) + later
        case a.BuildTerrace():
            return 1.0 + sapas + incas / 2
        case a.Conquer(_, region):
            marker = state.board.markers[str(state.types[state.board.region_index[region]])]
            return 1.0 + marker.points + marker.labour * incas / 2
        case a.GoOnPilgrimage(_, kind):
            return float(state.board.pilgrim_points[kind])
        case a.BuildRoad(_, pair, _, bought):
            return lure(state, seat, pair) + (0.2 if bought else 20)
    return 0.1


def lure(state: State, seat: int, pair: tuple[str, str]) -> float:
    """What a road comes to: sites to build on, buildings to score, regions to conquer."""
    fresh = [state.board.site_index[site] for site in pair]
    worth = 0.0
    for site in fresh:
        if not state.joined(seat) >> site & 1:
            kind = state.board.sites[site].kind
            worth += {"city": 3, "garrison": 2}.get(kind, 1)
            worth += 2 * bool((state.cities | state.garrisons) >> site & 1)
    return worth


# What sun cards are good for: to whom they lie beside, while they lie there


OMENS: dict[str, float] = {
    "el_nino": -1.6,
    "expert_surveyors": 0.6,
    "extra_labour": 1.6,
    "motivated_workers": 0.6,
    "rural_unrest": -2.5,
    "wild_road": 0.9,
    "popular_support": 0.8,
    "military_superiority": 0.7,
    "rapid_expansion": 1.5,
    "resistance": -0.8,
    "religious_fervour": 0.6,
    "solar_eclipse": -0.7,
    "building_project": 0.7,
    "bad_weather": -0.4,
    "safety_rations": 0.4,
    "epidemic": -1.3,
    "strategic_point": 0.6,
    "urban_renewal": 1.2,
    "local_pilgrimage": 0.2,
    "annual_pilgrimage": 0.1,
    "great_pilgrimage": 0.1,
}


def omen(state: State, action: a.LayCard) -> float:
    """What a card does for the seat, less what it does for the other one beside it."""
    own = state.colours[action.seat]
    return sum(
        OMENS[action.card] * (1 if colour == own else -0.45) for colour in action.sector.split("-")
    )


# Keen: thinks its whole turn through


def keen(_game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """Follows the best lines of its turn and plays the first order of the one that promises most."""
    if len(legal) == 1:
        return legal[0]
    state = imagine(view, chance)
    if isinstance(legal[0], a.LayCard):
        return one_of_the_best(legal, lambda action: portent(state, action), chance)
    return best_line(state, legal, chance)


def best_line(state: State, legal: Sequence[Any], chance: Chance) -> Any:
    """A beam through the orders of this turn; ending it is always one of them."""
    seat = legal[0].seat
    end = a.EndTurn(seat)
    best, choice = outlook(state, seat), end
    beam: list[tuple[State, Any]] = [(state, None)]
    for _ in range(DEPTH):
        found: dict[frozenset[Any], tuple[float, State, Any]] = {}
        for now, first in beam:
            for action in legal if first is None else all_legal(now, seat):
                if action == end:
                    continue
                later = after(now, action, chance)
                worth = outlook(later, seat)
                key = frozenset(
                    later.turn.done
                )  # the same orders in another order come to the same
                if key not in found or found[key][0] < worth:
                    found[key] = (worth, later, first or action)
        ranked = sorted(found.values(), key=lambda line: -line[0])[:WIDTH]
        if not ranked:
            break
        if ranked[0][0] > best:
            best, choice = ranked[0][0], ranked[0][2]
        beam = [(later, first) for _, later, first in ranked]
    return choice


def portent(state: State, action: a.LayCard) -> float:
    """What a card does in this position for those beside it, as long as it will lie there."""
    phases = state.board.periods[state.period].phases[state.step :]
    often = phases.count("people")
    total = 0.0
    for colour in action.sector.split("-"):
        seat = state.colours.index(colour)
        worth = often * fits(state, seat, action.card)
        total += worth if seat == action.seat else -worth * grudge(state, seat)
    return total


def grudge(state: State, other: int) -> float:
    """Whose good fortune hurts: the leader's most."""
    return 0.7 if state.standing[0] == other else 0.45


def fits(state: State, seat: int, card: str) -> float:
    special: dict[str, Callable[[State, int], float]] = {
        "rural_unrest": unrest,
        "popular_support": support,
        "expert_surveyors": lambda s, one: 0.9 * ((s.owned[one] & ~s.terraces).bit_count() > 1),
        "strategic_point": lambda s, one: 1.2 * bool(s.garrisons & s.joined(one)),
        "local_pilgrimage": lambda s, one: 3.0 * bool(pilgrim(s, one, "local")),
        "annual_pilgrimage": lambda s, one: 4.0 * bool(pilgrim(s, one, "annual")),
        "great_pilgrimage": lambda s, one: 6.0 * bool(pilgrim(s, one, "great")),
    }
    return special[card](state, seat) if card in special else OMENS[card]


def pilgrim(state: State, seat: int, kind: str) -> int:
    return state.board.shrines[kind] & state.temples & state.joined(seat)


def unrest(state: State, seat: int) -> float:
    return -1.1 * exposed(state, seat).bit_count()


def support(state: State, seat: int) -> float:
    own = [state.board.markers[str(state.types[n])] for n in bits(state.owned[seat])]
    return 0.6 * sum(marker.resistance == 1 for marker in own)
