"""The rules of Tahuantinsuyu: what an action leads to, and why it may not be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from engine.core.chance import Chance
from engine.core.game import amend
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.sentence import say
from engine.kit.editions import played_by
from engine.kit.masks import bits
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.options import (
    ARRIVALS,
    BOARD,
    EARLY_DECLINE,
    GIFT,
    LAST_ERA,
    OPTIONS,
    PIZARRO,
)
from engine.tahuantinsuyu.printed_board import SEATS, Board, board
from engine.tahuantinsuyu.progress import RUNNING, progress
from engine.tahuantinsuyu.refusals import refusal
from engine.tahuantinsuyu.rules import building, phases, roads, turns
from engine.tahuantinsuyu.rules.phases import Story
from engine.tahuantinsuyu.scoring import tracked
from engine.tahuantinsuyu.state import State, Turn, fresh, network, touched, unseen_cards
from engine.tahuantinsuyu.text.names import CARDS, PILGRIMAGES

HAND = 3
STRONGEST = "kingdom"  # the markers of labour 3


# The beginning (N-S)


def setup(seats: int, options: Mapping[str, Any], chance: Chance) -> list[Any]:
    """The table is laid and the first Inca phase played; the first in order is asked."""
    if options[EARLY_DECLINE] and seats == SEATS[0]:
        raise Unknown(say("An early decline is for four players, not for {seats}.", seats=seats))
    named, chosen = dict(options), played_by(OPTIONS, options)
    layout = board(seats, chosen[BOARD])
    draw = Drawer(chance)
    colours, order = tuple(draw.all(layout.colours)), tuple(draw.all(range(seats)))
    story = Story(fresh(layout, chosen, colours, order))
    opening = e.SetUp(seats, named, colours, order)
    story.tell(dealt(layout, chosen, draw))
    up = layout.beside_suyus | (layout.hands_of_gods if options[GIFT] else 0)
    story.tell(turned(story.state, up))
    if options[PIZARRO]:
        story.tell(e.PizarroSetOut(chance.pick(ARRIVALS)))
    pile = list(layout.deck(chosen))
    for seat in range(seats):
        cards = tuple(sorted(draw.some(pile, HAND)))
        story.tell(e.HandDealt(seat, HAND, cards))
    story.tell(phases.begun(story.state, 0, 0))
    phases.play_phases(story)
    return [opening, *story.events]


class Drawer:
    """Draws without putting back."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def some(self, items: list[Any], count: int) -> list[Any]:
        """So many of the items, which lose them."""
        found = []
        for _ in range(count):
            found.append(self.chance.pick(items))
            items.remove(found[-1])
        return found

    def all(self, items: Any) -> list[Any]:
        return self.some(list(items), len(items))


def dealt(layout: Board, options: dict[str, Any], draw: Drawer) -> e.MarkersDealt:
    """A marker for every region but the suyus; the gods' gifts first (N-S2, N-V)."""
    left, types = list(layout.all_markers), dict[str, str]()
    gifts = layout.hands_of_gods if options[GIFT] else 0
    for name in layout.named_regions(gifts):
        left.remove(STRONGEST)
        types[name] = STRONGEST
    for region in layout.regions:
        if not region.colour and region.id not in types:
            types[region.id] = draw.some(left, 1)[0]
    return e.MarkersDealt(types, tuple(sorted(left)))


def turned(state: State, regions: int, chance: Chance | None = None) -> e.MarkersTurned:
    """These markers are turned up; one that is forgotten (`forget`) is drawn anew."""
    types = [state.types[number] for number in bits(regions)]
    if chance and None in types:
        draw, left = Drawer(chance), unseen_markers(state)
        types = [kind or draw.some(left, 1)[0] for kind in types]
    return e.MarkersTurned(
        state.board.named_regions(regions), tuple(kind or UNSEEN for kind in types)
    )


def unseen_markers(state: State) -> list[str]:
    """The types that lie face down somewhere, the spare ones too."""
    known = Counter(kind for kind in state.types if kind)
    return sorted((Counter(state.board.all_markers) - known).elements())


def forget(state: State, seat: int | None) -> State:
    """The state without what lies face down, without the cards of others, and without Pizarro's day."""
    hidden = ~state.up
    types = tuple(None if hidden >> number & 1 else kind for number, kind in enumerate(state.types))
    hands = tuple(
        hand if owner == seat else (UNSEEN,) * len(hand) for owner, hand in enumerate(state.hands)
    )
    laid = tuple(one and (one[0], one[1] if one[0] == seat else UNSEEN) for one in state.laid)
    pile, spare = (UNSEEN,) * len(state.pile), (UNSEEN,) * len(state.spare)
    known = amend(state, types=types, hands=hands, laid=laid, pile=pile, spare=spare)
    return amend(known, pizarro=None)


# Who is asked


def to_act(state: State) -> tuple[int, ...]:
    return () if state.turn.seat is None else (state.turn.seat,)


def imagine(state: State, seat: int) -> State:
    """The board as it lies, at the beginning of that seat's turn."""
    return amend(state, turn=Turn(seat))


def awaited(_state: State) -> str:
    return "turn"


def commits(state: State, action: Any) -> bool:
    """Whether an action draws a card or turns up a marker or a card, or might bring Pizarro."""
    match action:
        case a.LayCard():
            return True
        case a.BuildRoad(seat, pair):
            edge = state.board.edge_index.get(pair)
            return edge is not None and bool(newly_seen(state, seat, edge))
        case a.Conquer(_, region):
            number = state.board.region_index.get(region)
            return number is not None and bool(neighbours_hidden(state, number))
        case a.EndTurn(seat):
            return bool(state.options[PIZARRO]) and phases.column(state).era == LAST_ERA
    return False


def newly_seen(state: State, seat: int, edge: int) -> int:
    """The markers that a road turns up: those at sites that it joins (N-R4)."""
    before = network(state.board, state.roads[seat])[0]
    after = network(state.board, state.roads[seat] | 1 << edge)[0]
    found = touched(state.board, after & ~before) if after != before else 0
    return found & ~state.up & ~state.board.suyus


def neighbours_hidden(state: State, region: int) -> int:
    """The markers that a conquest turns up (N-D5)."""
    return state.board.regions[region].neighbours & ~state.up & ~state.board.suyus


# What an action leads to


def decide(state: State, action: Any, chance: Chance) -> list[Any]:
    """The events that `action` causes, or a refusal."""
    recognise(state, action)
    if isinstance(action, a.LayCard) != (state.phase == "sun"):
        raise wrong_phase(state)
    turns.check(state, action, progress(state.turn.done))
    return DECIDE[type(action)](state, action, chance)


def wrong_phase(state: State) -> Exception:
    if state.phase == "sun":
        return refusal("U2", "This is a Sun phase: lay one sun card in a sector.")
    return refusal("U2", "Sun cards are laid in a Sun phase; this is a People phase.")


def recognise(state: State, action: Any) -> None:
    """Refuses words that are in no data of this board, though the other board has them."""
    layout = state.board
    match action:
        case a.LayCard(_, sector):
            known = ", ".join(layout.sectors)
            if sector not in layout.sectors:
                raise NotUnderstood(
                    say(
                        "There is no sector {sector}; there are {known}.",
                        sector=repr(sector),
                        known=known,
                    )
                )
        case a.BuildRoad(_, pair):
            check_sites(layout, pair)
        case a.Build(_, _, at):
            check_sites(layout, (at,))
        case a.BuildTerrace(_, region) | a.Conquer(_, region):
            if region not in layout.region_index:
                raise NotUnderstood(say("There is no region {region}.", region=repr(region[:20])))


def check_sites(layout: Board, sites: tuple[str, ...]) -> None:
    for site in sites:
        if site not in layout.site_index:
            raise NotUnderstood(say("There is no site {site}.", site=repr(site[:20])))


def lay_card(state: State, action: a.LayCard, chance: Chance) -> list[Any]:
    if action.card not in state.hands[action.seat]:
        if action.card == UNSEEN:
            raise refusal("U2", "Say which card you lay: you know those in your hand.")
        raise refusal("U2", "You have no card {card} in your hand.", card=CARDS[action.card])
    if state.laid[state.board.sectors.index(action.sector)]:
        raise refusal(
            "U2",
            "A card was laid in {sector} in this phase; 1 is the most.",
            sector=action.sector,
        )
    story = Story(state)
    story.tell(e.CardLaid(action.seat, action.sector, action.card))
    if state.pile or state.discard:
        card = chance.pick(state.pile or state.discard)
        if card == UNSEEN:
            card = chance.pick(unseen_cards(story.state))
        story.tell(e.CardDrawn(action.seat, not state.pile, card))
    if not phases.ask_for_card(story, chance):
        phases.go_on(story)
    return story.events


def build_road(state: State, action: a.BuildRoad, chance: Chance) -> list[Any]:
    seat, again = action.seat, progress(state.turn.done).main == "buy"
    cost = state.board.prices["extraRoad"].labour if action.bought and not again else 0
    edge = roads.check(state, action)
    building.check_labour(state, seat, "D6", cost)
    one, other = (state.board.sites[site].name for site in state.board.edges[edge].ends)
    built = e.RoadBuilt(seat, action.pair, (one, other), action.wild, action.bought, cost)
    seen = newly_seen(state, seat, edge)
    return [built, turned(state, seen, chance)] if seen else [built]


def build(state: State, action: a.Build, _: Chance) -> list[Any]:
    seat, what = action.seat, action.what
    site = building.check_site(state, seat, what, action.at)
    cost = building.labour(state, seat, what)
    building.check_labour(state, seat, building.CLAUSES[what], cost)
    points = building.points(state, seat, what, site)
    if what == "temple":
        built = e.TempleBuilt(seat, site.id, site.name, cost, points, site.bonus)
        return [tracked(state, built)]
    return [tracked(state, BUILT[what](seat, site.id, site.name, cost, points))]


BUILT: dict[str, Callable[..., Any]] = {
    "city": e.CityFounded,
    "garrison": e.GarrisonBuilt,
    "upgrade": e.GarrisonUpgraded,
}


def build_terrace(state: State, action: a.BuildTerrace, _: Chance) -> list[Any]:
    seat, price = action.seat, state.board.prices["terrace"]
    building.check_terrace(state, seat, action.region)
    building.check_labour(state, seat, "D4", price.labour)
    built = e.TerraceBuilt(seat, action.region, price.labour, price.points)
    return [tracked(state, built)]


def conquer(state: State, action: a.Conquer, chance: Chance) -> list[Any]:
    seat = action.seat
    number = building.check_conquest(state, seat, action.region)
    extra = progress(state.turn.done).development == RUNNING
    cost = building.conquest_cost(state, seat, number, extra)
    building.check_labour(state, seat, "D8" if extra else "D5", cost)
    marker = state.board.markers[str(state.types[number])]
    event = e.RegionConquered(seat, action.region, marker.type, cost, marker.points, extra)
    taken = tracked(state, event)
    seen = neighbours_hidden(state, number)
    return [taken, turned(state, seen, chance)] if seen else [taken]


def go_on_pilgrimage(state: State, action: a.GoOnPilgrimage, _: Chance) -> list[Any]:
    seat, kind = action.seat, action.kind
    if not turns.shrines(state, seat, kind):
        raise refusal(
            "D9",
            "{card} needs a temple that your roads join to Cuzco, on one of: {sites}.",
            card=PILGRIMAGES[kind],
            sites=", ".join(state.board.sites[n].name for n in bits(state.board.shrines[kind])),
        )
    made = e.PilgrimageMade(seat, kind, action.instead, state.board.pilgrim_points[kind])
    return [tracked(state, made)]


def end_turn(state: State, action: a.EndTurn, chance: Chance) -> list[Any]:
    story = Story(state)
    phases.end_turn(story, action.seat, chance)
    return story.events


DECIDE: dict[type, Callable[[State, Any, Chance], list[Any]]] = {
    a.LayCard: lay_card,
    a.BuildRoad: build_road,
    a.Build: build,
    a.BuildTerrace: build_terrace,
    a.Conquer: conquer,
    a.GoOnPilgrimage: go_on_pilgrimage,
    a.EndTurn: end_turn,
}


# The end (N-Z4)


def scores(state: State) -> tuple[int, ...]:
    return state.scores


def winners(state: State) -> tuple[int, ...]:
    """The first on the track once it is over: there are no ties."""
    return state.standing[:1] if state.over else ()
