"""Positions in and out, in the referee's form. Reading refuses what could not stand on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.core.match import check_option
from engine.core.sentence import brief
from engine.kit.forms import flag, impossible, keyed, listed, rows, seat_of, whole
from engine.kit.masks import bits
from engine.tahuantinsuyu.events import PositionSet
from engine.tahuantinsuyu.options import (
    ARRIVALS,
    BOARD,
    EARLY_DECLINE,
    GIFT,
    LAST_ERA,
    OPTIONS,
    PIZARRO,
)
from engine.tahuantinsuyu.position.done import check_done, parsed
from engine.tahuantinsuyu.printed_board import SEATS, Board, board, mask
from engine.tahuantinsuyu.state import State, Turn, fresh, next_layer
from engine.tahuantinsuyu.text import orders

KEYS = (
    "seats",
    "options",
    "colours",
    "order",
    "scores",
    "standing",
    "labour",
    "period",
    "step",
    "hands",
    "pile",
    "discard",
    "sun",
    "laid",
    "markers",
    "spare",
    "roads",
    "buildings",
    "turn",
    "pizarro",
    "over",
)
RESTING = ("sun", "people")  # the phases in which matches rest (N-P)
Form = dict[str, Any]


def load(position: Any) -> PositionSet:
    """The event that sets up a position: its complete form, defaults filled in."""
    state = read(position)
    check_done(state)
    return PositionSet(write(state))


def read(position: Any) -> State:
    """The state of a position; Unknown with a sentence where it is impossible, whatever its turn has done."""
    form = keyed("position", position, KEYS)
    seats = form.get("seats")
    if type(seats) is not int or seats not in SEATS:
        raise impossible("A position has 3 or 4 seats, not {seats}.", seats=brief(seats))
    options = read_options(form, seats)
    layout = board(seats, options[BOARD])
    colours = arranged(form, "colours", layout.colours)
    order = arranged(form, "order", tuple(range(seats)))
    state = fresh(layout, options, colours, order)
    state = read_track(form, state)
    state = read_place(form, state)
    state = read_cards(form, state)
    state = read_roads(form, state)
    state = read_buildings(form, state)
    state = read_markers(form, state)
    state = replace(state, pizarro=read_pizarro(form, state))
    return read_turn(form, state)


# Parts of a position


def read_options(form: Form, seats: int) -> dict[str, Any]:
    given = keyed("options", form.get("options", {}), tuple(OPTIONS))
    options = {name: given.get(name, option.default) for name, option in OPTIONS.items()}
    for name, option in OPTIONS.items():
        check_option(name, option, options[name])
    if options[EARLY_DECLINE] and seats == SEATS[0]:
        raise impossible("An early decline is for four players, not for {seats}.", seats=seats)
    return options


def arranged(form: Form, key: str, things: tuple[Any, ...]) -> tuple[Any, ...]:
    """All of some things, each once, in any order."""
    given = listed(form.get(key, list(things)), key)
    if sorted(map(repr, given)) != sorted(map(repr, things)):
        raise impossible(
            "{key} names each of {things} once, not {given}.",
            key=key,
            things=", ".join(map(str, things)),
            given=brief(given),
        )
    return tuple(given)


def numbers(form: Form, key: str, seats: int) -> tuple[int, ...]:
    return tuple(whole(value, key) for value in rows(form.get(key, []), key, seats, int))


def read_track(form: Form, state: State) -> State:
    """Scores, labour and who leads on the track."""
    scores = numbers(form, "scores", state.seats)
    by_tile = sorted(range(state.seats), key=lambda seat: (-scores[seat], state.order.index(seat)))
    standing = arranged(form, "standing", tuple(by_tile)) if "standing" in form else tuple(by_tile)
    if [scores[seat] for seat in standing] != sorted(scores, reverse=True):
        raise impossible("standing does not agree with scores.")
    labour = numbers(form, "labour", state.seats)
    return replace(state, scores=scores, standing=standing, labour=labour)


def read_place(form: Form, state: State) -> State:
    """The place of the black Inca; a match rests where somebody is asked, or at the very end."""
    over = flag(form.get("over", False), "over")
    last = len(state.board.periods) - 1
    end = (last, len(state.board.periods[last].phases) - 1)
    period = whole(form.get("period", end[0] if over else 0), "period")
    step = whole(form.get("step", end[1] if over else 1), "step")
    if period > last or step >= len(state.board.periods[period].phases):
        raise impossible(
            "The table has no step {step} in period {period}.", step=step, period=period
        )
    column = state.board.periods[period]
    if over and (period, step) != end:
        raise impossible(
            "A match that is over rests at step {last} of period {end}, not at step {step} of {period}.",
            end=end[0],
            last=end[1],
            step=step,
            period=period,
        )
    if not over and column.phases[step] not in RESTING:
        raise impossible(
            "A match rests in Sun and People phases; step {step} of period {period} is neither.",
            step=step,
            period=period,
        )
    if state.options[EARLY_DECLINE] and column.skipped:
        raise impossible("An early decline skips period {period}.", period=period)
    return replace(state, period=period, step=step, over=over)


def read_pizarro(form: Form, state: State) -> int | None:
    """The People phase of the Late Empire after which he comes; none has been played beyond it."""
    given = form.get("pizarro")
    if given is None:
        return ARRIVALS[-1] if state.options[PIZARRO] else None
    if not state.options[PIZARRO]:
        raise impossible(
            "Without the option pizarro he comes in no phase, not {given}.", given=brief(given)
        )
    if type(given) is not int or given not in ARRIVALS:
        raise impossible("pizarro is a phase from 1 to 4, not {given}.", given=brief(given))
    column = state.board.periods[state.period]
    earlier = column.phases[: state.step].count("people")
    if column.era == LAST_ERA and not state.over and earlier >= given:
        raise impossible("Step {step} is skipped: Pizarro has come before it.", step=state.step)
    return given


# Cards


def read_cards(form: Form, state: State) -> State:
    """Hands, sectors, discards and the pile, which is the rest unless it is given."""
    hands = tuple(
        heap(hand, "hands", state.board.cards)
        for hand in rows(form.get("hands", []), "hands", state.seats, list)
    )
    sun = read_sun(form, state)
    laid = read_laid(form, state)
    discard = heap(form.get("discard", []), "discard", state.board.cards)
    seen = Counter([*discard, *(card for _, card in filter(None, laid))])
    for cards in (*hands, *sun):
        seen.update(cards)
    rest = Counter(state.board.deck(state.options))
    rest.subtract(seen)
    pile = (
        heap(form["pile"], "pile", state.board.cards)
        if "pile" in form
        else tuple(sorted((+rest).elements()))
    )
    rest.subtract(pile if "pile" in form else ())
    for card, left in rest.items():
        if left < 0:
            raise impossible(
                "There is {n} card {card} too many.",
                "There are {n} cards {card} too many.",
                n=-left,
                card=card,
            )
    return replace(state, hands=hands, sun=sun, laid=laid, discard=discard, pile=pile)


def heap(value: Any, key: str, known: Iterable[str]) -> tuple[str, ...]:
    """Several things of known kinds, sorted: no heap has an order."""
    return tuple(sorted(one_of(item, key, known) for item in listed(value, key)))


def one_of(value: Any, key: str, known: Iterable[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise impossible("{key} knows no {value}.", key=key, value=brief(value))
    return value


def read_sun(form: Form, state: State) -> tuple[tuple[str, ...], ...]:
    given = keyed("sun", form.get("sun", {}), state.board.sectors)
    return tuple(
        heap(given.get(sector, []), "sun", state.board.cards) for sector in state.board.sectors
    )


def read_laid(form: Form, state: State) -> tuple[tuple[int, str] | None, ...]:
    given = keyed("laid", form.get("laid", {}), state.board.sectors)
    if given and state.phase != "sun":
        raise impossible("Cards lie face down in a Sun phase only.")
    found: list[tuple[int, str] | None] = []
    for sector in state.board.sectors:
        if sector not in given:
            found.append(None)
            continue
        item = keyed("laid", given[sector], ("seat", "card"))
        seat = seat_of(item.get("seat"), "laid", state.seats)
        found.append((seat, one_of(item.get("card"), "laid", state.board.cards)))
    layers = [seat for seat, _ in filter(None, found)]
    if len(set(layers)) < len(layers):
        raise impossible("A seat lays 1 card a phase; in laid one has more.")
    return tuple(found)


# The map


def read_roads(form: Form, state: State) -> State:
    given = rows(form.get("roads", []), "roads", state.seats, list)
    found = tuple(
        start | edges(state.board, listed(pairs, "roads"), start)
        for start, pairs in zip(state.roads, given, strict=True)
    )
    wild = mask(n for roads in found for n in bits(roads & state.board.segments))
    for number in bits(wild):
        if crossed := state.board.crossing[number] & wild:
            one, other = number, bits(crossed)[0]
            raise impossible(
                "The wild roads {one} and {other} cross.",
                one=" ".join(state.board.edges[one].pair),
                other=" ".join(state.board.edges[other].pair),
            )
    return replace(state, roads=found)


def edges(layout: Board, pairs: list[Any], start: int) -> int:
    """The mask of one player's roads besides the starting road, each there once."""
    found = start
    for pair in pairs:
        names = [one_of(name, "roads", layout.site_index) for name in listed(pair, "roads")]
        number = layout.edge_index.get(tuple(sorted(names)))  # type: ignore[arg-type]  # any length
        if number is None:
            raise impossible("No road can lie on {pair}.", pair=brief(names))
        if found >> number & 1:
            raise impossible("Two roads of one player lie on {pair}.", pair=brief(names))
        found |= 1 << number
    return found


def read_buildings(form: Form, state: State) -> State:
    given = keyed("buildings", form.get("buildings", {}), state.board.site_index)
    masks = {"city": 0, "garrison": 0, "temple": 0}
    for site, data in given.items():
        built = keyed("buildings", data, ("kind", "temple"))
        kind = one_of(built.get("kind"), "buildings", ("city", "garrison"))
        number = state.board.site_index[site]
        where = state.board.sites[number].kind
        if where not in ("garrison", kind):  # an upgraded garrison is a city on a garrison site
            raise impossible("{site} is no site for a {kind}.", site=site, kind=kind)
        masks[kind] |= 1 << number
        if flag(built.get("temple", False), "temple"):
            masks["temple"] |= 1 << number
    return replace(
        state, cities=masks["city"], garrisons=masks["garrison"], temples=masks["temple"]
    )


# Markers


MARKER_KEYS = ("type", "up", "owner", "terrace")


def read_markers(form: Form, state: State) -> State:
    """Types, owners and terraces; types left out are dealt in the data's order."""
    layout = state.board
    lands = [region.id for region in layout.regions if not region.colour]
    given = keyed("markers", form.get("markers", {}), lands)
    markers = {name: keyed("marker", given.get(name, {}), MARKER_KEYS) for name in lands}
    types, spare = deal(form, layout, markers)
    owned, terraces = [0] * state.seats, 0
    for name, marker in markers.items():
        bit, owner = 1 << layout.region_index[name], marker.get("owner")
        if owner is not None:
            owned[seat_of(owner, "owner", state.seats)] |= bit
        if flag(marker.get("terrace", False), "terrace"):
            if owner is None:
                raise impossible("The terrace of {region} has no owner.", region=name)
            terraces |= bit
    state = replace(state, types=types, spare=spare, owned=tuple(owned), terraces=terraces)
    return replace(state, up=read_up(markers, state))


def deal(
    form: Form, layout: Board, markers: dict[str, Form]
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """The type of each region's marker, and the spare ones."""
    left = Counter(layout.all_markers)
    types = {
        name: one_of(m["type"], "markers", layout.markers)
        for name, m in markers.items()
        if m.get("type") is not None
    }
    left.subtract(types.values())
    spare = heap(form["spare"], "spare", layout.markers) if "spare" in form else ()
    left.subtract(spare)
    for kind, count in left.items():
        if count < 0:
            raise impossible(
                "There is {n} marker {kind} too many.",
                "There are {n} markers {kind} too many.",
                n=-count,
                kind=kind,
            )
    rest = [kind for kind in layout.markers for _ in range(left[kind])]
    for name in markers:
        if name not in types:
            if not rest:
                raise impossible("There are too few markers: {region} has none.", region=name)
            types[name] = rest.pop(0)
    found = tuple(types.get(region.id) for region in layout.regions)
    return found, spare if "spare" in form else tuple(sorted(rest))


def read_up(markers: dict[str, Form], state: State) -> int:
    """The markers face up: as given, or as the rules would have it."""
    layout, owned = state.board, state.conquered & ~state.board.suyus
    up = layout.beside(state.conquered) | owned
    for seat in range(state.seats):
        up |= layout.touched(state.joined(seat))
    if state.options[GIFT]:
        up |= layout.hands_of_gods
    for name, marker in markers.items():
        bit = 1 << layout.region_index[name]
        if "up" not in marker:
            continue
        if flag(marker["up"], "up"):
            up |= bit
        elif bit & owned:
            raise impossible("The marker of {region} is conquered, so it is face up.", region=name)
        else:
            up &= ~bit
    return up & ~layout.suyus


# The turn


def read_turn(form: Form, state: State) -> State:
    """Who is asked, and what was ordered in this People turn."""
    given = keyed("turn", form.get("turn", {}), ("seat", "done"))
    done = listed(given.get("done", []), "done")
    if state.over:
        if given.get("seat") is not None or done:
            raise impossible("The match is over: it is nobody's turn.")
        return state
    layer = next_layer(state) if state.phase == "sun" else None
    if state.phase == "sun" and layer is None:
        raise impossible("This is a Sun phase, and nobody has a card left to lay.")
    first = state.order[0] if layer is None else layer
    seat = first if given.get("seat") is None else seat_of(given["seat"], "turn", state.seats)
    if state.phase == "sun" and (seat != first or done):
        raise impossible("In this Sun phase seat {seat} is asked, and done is empty.", seat=first)
    return replace(state, turn=Turn(seat, tuple(parsed(seat, order) for order in done)))


# Writing


def write(state: State) -> Form:
    """The whole state in the referee's form; reading it gives an equal state."""
    layout = state.board
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "colours": list(state.colours),
        "order": list(state.order),
        "scores": list(state.scores),
        "standing": list(state.standing),
        "labour": list(state.labour),
        "period": state.period,
        "step": state.step,
        "hands": [list(hand) for hand in state.hands],
        "pile": list(state.pile),
        "discard": list(state.discard),
        "sun": {
            s: list(cards) for s, cards in zip(layout.sectors, state.sun, strict=True) if cards
        },
        "laid": {
            sector: {"seat": laid[0], "card": laid[1]}
            for sector, laid in zip(layout.sectors, state.laid, strict=True)
            if laid
        },
        "markers": write_markers(state),
        "spare": list(state.spare),
        "roads": write_roads(state),
        "buildings": write_buildings(state),
        "turn": {"seat": state.turn.seat, "done": list(map(orders.write, state.turn.done))},
        "pizarro": state.pizarro,
        "over": state.over,
    }


def write_markers(state: State) -> Form:
    found = {}
    for number, region in enumerate(state.board.regions):
        if not region.colour:
            owner = next((s for s, owned in enumerate(state.owned) if owned >> number & 1), None)
            found[region.id] = {
                "type": state.types[number],
                "up": bool(state.up >> number & 1),
                "owner": owner,
                "terrace": bool(state.terraces >> number & 1),
            }
    return found


def write_roads(state: State) -> list[list[list[str]]]:
    """Each player's roads besides the starting road."""
    starts = (1 << state.board.exits[colour] for colour in state.colours)
    found = zip(state.roads, starts, strict=True)
    return [[list(pair) for pair in state.board.pairs(roads & ~start)] for roads, start in found]


def write_buildings(state: State) -> Form:
    return {
        state.board.sites[number].id: {
            "kind": "city" if state.cities >> number & 1 else "garrison",
            "temple": bool(state.temples >> number & 1),
        }
        for number in bits(state.cities | state.garrisons)
    }
