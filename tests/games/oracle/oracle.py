"""Cuzco and Java once more, slow and plain, read only from the rule texts: the second opinion in tests.

Everything is a dict, set or list by hex name. An order is legal when no clause speaks against it:
`why_not` names the first clause that does. Nothing here is shared with the engine, on purpose.
Inside, the words are Cuzco's; Java's words (rice, developers, palaces) appear in text and positions.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

# The map of rules/cuzco.md: column 0 stands at the seventh character of each line.
MAP = """
a             H H   H H   H H   H H
b            H . H H . H H . H H . H
c         H H . . H . . H . . H . . H H
d      H H . . . . . . . . . . . . . . H H
e     H . . . . . . . . . . . . . . . . . H
f      H . . . . . . I . . . . . I . . . H
g     H . . . . . . . . . . . . . . . . . H
h      H L . . . . . . . . . . . . . . L H
i         L . . . . . . I . . . . . . L
j        L . . . . . . . . . . . . . . L
k         L . . . . . . . . . . . . . L
l          L . . . . . . . . . . . . L
m           L L . . . L . L . . . L L
n              L . . L L L L . . L
o               L L L       L L L
"""
PRINT = {
    f"{line[0]}{column - 6}": mark
    for line in MAP.strip().splitlines()
    for column, mark in enumerate(line)
    if column and mark != " "
}
HEXES = sorted(PRINT)
SITE = {h for h in HEXES if PRINT[h] in ".I"}
RING = {h for h in HEXES if PRINT[h] in "HL"}
PRINTED_BASINS = {h for h in HEXES if PRINT[h] == "I"}


def _around(hexname: str) -> list[str]:
    row, column = ord(hexname[0]), int(hexname[1:])
    places = [(row, column - 2), (row, column + 2)]
    places += [(row + up, column + side) for up in (-1, 1) for side in (-1, 1)]
    return [name for r, c in places if (name := f"{chr(r)}{c}") in PRINT]


NEIGHBOURS = {h: _around(h) for h in HEXES}
BORDER = {h for h in SITE if any(n in RING for n in NEIGHBOURS[h])}
PAIRS = [(a, b) for a in HEXES for b in NEIGHBOURS[a]]
TRIANGLES = [
    (a, b, c)
    for a in HEXES
    for b, c in combinations(sorted(NEIGHBOURS[a]), 2)
    if b in NEIGHBOURS[c]
]  # every choice of the village hex a, its crops sorted
SPOTS: dict[str, list[tuple[str, ...]]] = {
    "village": [(h,) for h in HEXES],
    "crop": [(h,) for h in HEXES],
    "double": list(PAIRS),
    "triple": list(TRIANGLES),
}  # every way to put down a tile of each shape, whether it may lie there or not

RELICS = {"cuzco": ("tumi", "quipu", "kero"), "java": ("mask", "drum", "puppet")}
FLOORS = {
    "cuzco": {2: 12, 4: 11, 6: 10, 8: 8, 10: 6},
    "java": {2: 6, 4: 7, 6: 8, 8: 9, 10: 10},
}
ALONE = {2: 1, 4: 2, 6: 3, 8: 4, 10: 5}
SHARED = {
    "cuzco": {2: 1, 4: 1, 6: 2, 8: 2, 10: 3},
    "java": {2: 0, 4: 1, 6: 2, 8: 2, 10: 3},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "cuzco": {"rules": 2, "exact_temples": False, "ask_everyone": True},
    "java": {"rules": 2, "ask_everyone": True},
}
WORDS = {
    "cuzco": {w: w for w in ("crop", "crops", "incas", "temples", "disc", "floors")},
    "java": {
        "crop": "rice",
        "crops": "rices",
        "incas": "developers",
        "temples": "palaces",
        "disc": "danced",
        "floors": "palaces",
    },
}
VALUES = (2, 4, 6, 8, 10)
INCAS = 12

# What `noted` may keep from one world to the next while no tile is laid.
OF_TILES = [("levels",), ("tops",), ("kinds",), ("settlements",), ("even_spots",)]

Draw = Callable[[list[str]], str]


def card_names(game: str) -> list[str]:
    a, b, c = RELICS[game]
    return [a, b, c, f"{a}+{b}", f"{a}+{c}", f"{b}+{c}"]


@dataclass
class World:
    """One match as it lies on the table."""

    game: str
    seats: int
    options: dict[str, Any]
    tiles: list[list[str]]
    basins: set[str]
    temples: dict[str, dict[str, Any]]
    incas: list[set[str]]
    hands: list[list[str]]
    open: str | None
    discard: list[str]
    pile: list[str]
    scores: list[int]
    stock: list[dict[str, int]]
    supply: dict[str, Any]
    turn: dict[str, Any]
    last: dict[str, Any]
    festival: dict[str, Any] | None
    notes: dict[Any, Any] = field(default_factory=dict, compare=False)

    def copy(self) -> "World":
        """Another table with the same things on it, to be changed."""
        return World(
            game=self.game,
            seats=self.seats,
            options=dict(self.options),
            tiles=list(self.tiles),  # a tile once laid stays as it is
            basins=set(self.basins),
            temples={h: dict(temple) for h, temple in self.temples.items()},
            incas=[set(own) for own in self.incas],
            hands=[list(hand) for hand in self.hands],
            open=self.open,
            discard=list(self.discard),
            pile=list(self.pile),
            scores=list(self.scores),
            stock=[dict(own) for own in self.stock],
            supply={**self.supply, "floors": dict(self.supply["floors"])},
            turn=dict(self.turn),
            last=copy.deepcopy(self.last),
            festival=copy.deepcopy(self.festival),
        )


# --- positions -------------------------------------------------------------------------------


def load(game: str, position: dict[str, Any]) -> World:
    """The world of a position in REFEREE.md's form, left-out things filled in."""
    word, p, seats = WORDS[game], position, position["seats"]
    nothing: list[list[str]] = [[] for _ in range(seats)]
    stock = {"tokens": 3, "doubles": 5, "crops": 3, "villages": 2}
    supply = {"triples": 56, "basins": 16, **p.get("supply", {})}
    floors = {str(v): n for v, n in FLOORS[game].items()} | supply.get(word["floors"], {})
    kind = {word["crop"]: "crop"}
    world = World(
        game=game,
        seats=seats,
        options=OPTIONS[game] | p.get("options", {}),
        tiles=[[kind.get(t[0], t[0]), *t[1:]] for t in p.get("tiles", [])],
        basins=set(p.get("basins", [])),
        temples={
            h: {
                "value": t["value"],
                "disc": t.get(word["disc"], False),
                "changed": t.get("changed", False),
            }
            for h, t in p.get(word["temples"], {}).items()
        },
        incas=[set(own) for own in p.get(word["incas"], nothing)],
        hands=[list(hand) for hand in p.get("hands", nothing)],
        open=p.get("open"),
        discard=list(p.get("discard", [])),
        pile=[],
        scores=list(p.get("scores", [0] * seats)),
        stock=[
            {key: own.get(word.get(key, key), full) for key, full in stock.items()}
            for own in p.get("stock", [{}] * seats)
        ],
        supply={
            "triples": supply["triples"],
            "basins": supply["basins"],
            "floors": {v: floors[str(v)] for v in VALUES},
        },
        turn={"seat": 0, "ap": 6, "laid": False, "drawn": 0, "token": False, "idle": 0}
        | p.get("turn", {}),
        last={"opened_by": None, "scored": []} | copy.deepcopy(p.get("last", {})),
        festival=None,
    )
    if p.get("festival"):
        world.festival = {"out": [], **copy.deepcopy(p["festival"])}
        nobody = last_bidder_speaks(world)
        world.festival.setdefault("answered", [] if nobody else [_nearest_before_asked(world)])
    world.pile = list(p["pile"]) if "pile" in p else _rest_of_the_cards(world)
    return world


def _nearest_before_asked(world: World) -> int:
    fest = world.festival
    seat = (fest["asked"] - 1) % world.seats
    while seat in fest["out"] or seat not in present(world, fest["at"]):
        seat = (seat - 1) % world.seats
    return seat


def _rest_of_the_cards(world: World) -> list[str]:
    rest = [name for name in card_names(world.game) for _ in range(5)]
    elsewhere = [card for hand in world.hands for card in hand] + world.discard
    elsewhere += [world.open] if world.open else []
    if world.festival:
        elsewhere += [card for cards in world.festival["played"] for card in cards]
    for card in elsewhere:
        rest.remove(card)
    return rest


def dump(world: World) -> dict[str, Any]:
    """The complete position form: every key, lists sorted, tiles in laying order."""
    word = WORDS[world.game]
    fest = world.festival
    return {
        "seats": world.seats,
        "options": dict(world.options),
        "tiles": [_tile_form(word, tile) for tile in world.tiles],
        "basins": sorted(world.basins),
        word["temples"]: {
            h: {"value": t["value"], word["disc"]: t["disc"], "changed": t["changed"]}
            for h, t in sorted(world.temples.items())
        },
        word["incas"]: [sorted(own) for own in world.incas],
        "hands": [sorted(hand) for hand in world.hands],
        "open": world.open,
        "discard": sorted(world.discard),
        "pile": sorted(world.pile),
        "scores": list(world.scores),
        "stock": [{word.get(key, key): n for key, n in own.items()} for own in world.stock],
        "supply": {
            "triples": world.supply["triples"],
            "basins": world.supply["basins"],
            word["floors"]: {str(v): n for v, n in world.supply["floors"].items()},
        },
        "turn": dict(world.turn),
        "last": {
            "opened_by": world.last["opened_by"],
            "scored": sorted(world.last["scored"]),
        },
        "festival": fest
        and {
            "at": fest["at"],
            "proposer": fest["proposer"],
            "played": [sorted(cards) for cards in fest["played"]],
            "out": sorted(fest["out"]),
            "asked": fest["asked"],
            "answered": sorted(fest["answered"]),
        },
    }


def _tile_form(word: dict[str, str], tile: list[str]) -> list[str]:
    shape, first, *others = tile
    return [word.get(shape, shape), first, *sorted(others)]


# --- what lies where -------------------------------------------------------------------------


def noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Remember an answer about a world that does not change any more; `copy` forgets it."""

    def ask(world: World, *more: Any) -> Any:
        key = (function.__name__, *more)
        if key not in world.notes:
            world.notes[key] = function(world, *more)
        return world.notes[key]

    return ask


@noted
def levels(world: World) -> dict[str, int]:
    """How many tiles lie on each hex (C-P2)."""
    height = dict.fromkeys(HEXES, 0)
    for _, *hexes in world.tiles:
        for h in hexes:
            height[h] += 1
    return height


@noted
def tops(world: World) -> dict[str, int]:
    """Which tile, by its number, lies topmost on each covered hex."""
    return {h: number for number, tile in enumerate(world.tiles) for h in tile[1:]}


@noted
def kinds(world: World) -> dict[str, str]:
    """Village or crop, for each covered hex."""
    found = {}
    for shape, first, *others in world.tiles:
        found[first] = "crop" if shape == "crop" else "village"
        found.update((h, "crop") for h in others)
    return found


@noted
def all_basins(world: World) -> set[str]:
    return world.basins | PRINTED_BASINS


@noted
def occupied(world: World) -> set[str]:
    return {h for own in world.incas for h in own}


def connected(start: str, among: set[str]) -> frozenset[str]:
    """All hexes of `among` that hang together with `start`."""
    found, edge = {start}, [start]
    while edge:
        here = edge.pop()
        for there in NEIGHBOURS[here]:
            if there in among and there not in found:
                found.add(there)
                edge.append(there)
    return frozenset(found)


def groups(among: set[str]) -> list[frozenset[str]]:
    return sorted({connected(h, among) for h in among}, key=sorted)


@noted
def settlements(world: World) -> dict[str, frozenset[str]]:
    """Each village hex with its whole village or city (C-T1)."""
    villages = {h for h, kind in kinds(world).items() if kind == "village"}
    return {h: group for group in groups(villages) for h in group}


def temples_in(world: World, group: frozenset[str]) -> list[str]:
    return [h for h in world.temples if h in group]


def present(world: World, temple: str) -> set[int]:
    """The seats with an Inca in the city of that temple."""
    city = settlements(world)[temple]
    return {seat for seat in range(world.seats) if world.incas[seat] & city}


def standings(world: World, hexes: frozenset[str]) -> dict[int, list[int]]:
    """Who stands on these hexes, and on what levels from high to low (C-T2)."""
    level = levels(world)
    return {
        seat: sorted((level[h] for h in world.incas[seat] & hexes), reverse=True)
        for seat in range(world.seats)
        if world.incas[seat] & hexes
    }


def highest(world: World, hexes: frozenset[str]) -> int | None:
    """The one seat in the highest position there; a tie is nobody's (C-T2)."""
    stands = standings(world, hexes)
    # Lists compare one by one, and a list that ends first is lower: as C-T2 has it.
    best = [seat for seat in stands if stands[seat] == max(stands.values())]
    return best[0] if len(best) == 1 else None


def surrounded_ponds(world: World) -> set[frozenset[str]]:
    """The ponds of which every adjacent hex is covered (C-B2)."""
    covered = kinds(world)
    return {pond for pond in groups(all_basins(world)) if all(h in covered for h in shore(pond))}


def shore(pond: frozenset[str]) -> frozenset[str]:
    return frozenset(n for h in pond for n in NEIGHBOURS[h] if n not in pond)


# --- whose word it is ------------------------------------------------------------------------


def is_over(world: World) -> bool:
    return set(world.last["scored"]) == set(range(world.seats))


def to_act(world: World) -> list[int]:
    if is_over(world):
        return []
    return [world.festival["asked"] if world.festival else world.turn["seat"]]


def scores(world: World) -> list[int]:
    return list(world.scores)


def winners(world: World) -> list[int]:
    """The seats with most points once it is over, none before (C-E4)."""
    best = max(world.scores)
    return [s for s in range(world.seats) if world.scores[s] == best] if is_over(world) else []


# --- costs -----------------------------------------------------------------------------------


def tile_cost(world: World, hexes: list[str]) -> int:
    """C-P2 and C-P7: a ring hex costs 1 more, unless it is built already."""
    return 1 + sum(h in RING and levels(world)[h] == 0 for h in hexes)


def gate_cost(hexname: str) -> int | None:
    """What entering or leaving there costs, None where there is no way in (C-M1)."""
    cost = {"H": 2, "L": 1}
    if hexname in RING:
        return cost[PRINT[hexname]]
    touching = [cost[PRINT[n]] for n in NEIGHBOURS[hexname] if n in RING]
    return min(touching, default=None)


@noted
def ways(world: World, start: str, seat: int) -> dict[str, int]:
    """The cheapest cost from a hex to every hex that can be walked to (C-M3, C-M4)."""
    kind = kinds(world)
    foreign = {h for s, own in enumerate(world.incas) if s != seat for h in own}
    walkable = {h for h in kind if h not in world.temples and h not in foreign}
    cost = {start: 0}
    changed = True
    while changed:
        changed = False
        for here in list(cost):
            for there in NEIGHBOURS[here]:
                if there in walkable:
                    price = cost[here] + (kind[here] != kind[there])
                    if price < cost.get(there, 99):
                        cost[there] = price
                        changed = True
    return cost


# --- the orders ------------------------------------------------------------------------------


@noted
def legal(world: World) -> list[str]:
    """Every legal order of the seat that is asked now, sorted as plain text."""
    if is_over(world):
        return []
    return sorted(order for order in candidates(world) if why_not(world, order) is None)


def candidates(world: World) -> Iterator[str]:
    """Every order that could be said here at all, each in its canonical text."""
    seat = to_act(world)[0]
    if world.festival:
        yield from ("hold", "pass")
        for cards in choices(world.hands[seat]):
            yield "bid " + " ".join(cards)
        return
    yield from ("end", "token", "draw open", "draw pile")
    for shape, spots in SPOTS.items():
        for hexes in spots:
            yield " ".join(("place", WORDS[world.game].get(shape, shape), *hexes))
    for h in HEXES:
        yield from (f"enter {h}", f"leave {h}", f"basin {h}")
    for start, goal in product(sorted(world.incas[seat]), HEXES):
        yield f"move {start} {goal}"
    for h, value in product(HEXES, VALUES):
        yield from (f"build {h} {value}", f"expand {h} {value}")
    for temple, cards in product(world.temples, choices(world.hands[seat])):
        yield f"festival {temple} " + " ".join(cards)


def choices(hand: list[str]) -> list[tuple[str, ...]]:
    """Every choice of one or more cards, each once, sorted."""
    kept = {()}
    for card in sorted(hand):
        kept |= {(*cards, card) for cards in kept}
    return sorted(kept - {()})


def why_not(world: World, order: str) -> str | None:
    """The clause that forbids this canonical order to the seat that is asked, or None."""
    verb, *words = order.split()
    if is_over(world):
        return "over"
    if (verb in ("bid", "hold", "pass")) != (world.festival is not None):
        return "C-F3"
    forbids = CLAUSES[verb](world, world.turn["seat"], *words)
    return forbids or duty_forbids(world, order)


def ap_short(world: World, cost: int) -> str | None:
    return "C-A1 action points" if cost > world.turn["ap"] else None


# --- C-A: the turn


def could_lay(world: World) -> bool:
    """Can the player whose turn it is lay any tile with the AP he has? (C-A3)"""
    seat = world.turn["seat"]
    return any(
        place_forbids(world, seat, shape, *hexes) is None
        for shape in SPOTS
        if tiles_left(world, seat, shape)
        for hexes in even_spots(world)[shape]
    )


@noted
def even_spots(world: World) -> dict[str, list[tuple[str, ...]]]:
    """The spots that C-P4 allows; most of a crammed board falls out here, once for all."""
    level = levels(world)
    return {
        shape: [hexes for hexes in spots if len({level[h] for h in hexes}) == 1]
        for shape, spots in SPOTS.items()
    }


@noted
def tile_is_due(world: World) -> bool:
    """C-A2, C-A3: owed until laid, but not in a last turn, nor where no tile fits."""
    return not world.turn["laid"] and world.last["opened_by"] is None and could_lay(world)


def duty_forbids(world: World, order: str) -> str | None:
    verb = order.split(maxsplit=1)[0]
    if world.festival or verb == "place" or not tile_is_due(world):
        return None
    if verb in ("end", "festival"):
        return "C-A4"
    if verb == "token":
        return None
    if world.game == "cuzco" and (world.options["rules"] > 1 or cost_of(world, order) > 0):
        return "C-A2"
    # Only the pieces and the AP matter here, so any card will do for a draw.
    after = _carried_out(world, order, lambda cards: cards[0])
    return None if could_lay(after) else "C-A3"


def cost_of(world: World, order: str) -> int:
    """What an otherwise legal order costs in AP."""
    verb, *words = order.split()
    if verb == "place":
        return tile_cost(world, words[1:])
    if verb in ("enter", "leave"):
        return gate_cost(words[0])
    if verb == "move":
        return ways(world, words[0], world.turn["seat"])[words[1]]
    return 1 if verb in ("build", "expand", "basin", "draw") else 0


def end_forbids(world: World, seat: int) -> str | None:
    return None


def token_forbids(world: World, seat: int) -> str | None:
    if world.turn["token"] or world.stock[seat]["tokens"] < 1:
        return "C-A1"
    return None


# --- C-P: tiles


def tile_of(world: World, shape: str) -> str:
    return "crop" if shape == WORDS[world.game]["crop"] else shape


def tiles_left(world: World, seat: int, shape: str) -> int:
    if shape == "triple":
        return world.supply["triples"]
    return world.stock[seat][shape + "s"]


def place_forbids(world: World, seat: int, shape: str, *hexes: str) -> str | None:
    shape = tile_of(world, shape)
    if tiles_left(world, seat, shape) < 1:
        return "C-P1 none left"
    level = levels(world)
    if any(level[h] != level[hexes[0]] for h in hexes):
        return "C-P4"
    if not any(h in SITE for h in hexes):
        return "C-P8"
    if any(a not in NEIGHBOURS[b] for a, b in combinations(hexes, 2)):
        return "C-P1 shape"
    if any(h in occupied(world) or h in all_basins(world) or h in world.temples for h in hexes):
        return "C-P3"
    if exactly_on_its_like(world, hexes):
        return "C-P5"
    short = ap_short(world, tile_cost(world, list(hexes)))
    return short or ("C-P6" if joins_cities(world, shape, hexes) else None)


def exactly_on_its_like(world: World, hexes: tuple[str, ...]) -> bool:
    under = {tops(world).get(h) for h in hexes}
    if len(under) > 1 or under == {None}:
        return False
    return set(world.tiles[under.pop()][1:]) == set(hexes)


def joins_cities(world: World, shape: str, hexes: tuple[str, ...]) -> bool:
    """Would some group of village hexes hold two temples afterwards? (C-P6)"""
    if len(world.temples) < 2 or shape == "crop":
        return False  # crops alone cannot join
    after = {h for h, kind in kinds(world).items() if kind == "village"}
    after = (after - set(hexes)) | {hexes[0]}
    # All other joining is as before, so the group of the new village hex is the one to look at.
    return len(temples_in(world, connected(hexes[0], after))) > 1


# --- C-M: Incas


def is_free_terrain(world: World, h: str) -> bool:
    return h in kinds(world) and h not in world.temples and h not in occupied(world)


def enter_forbids(world: World, seat: int, h: str) -> str | None:
    if gate_cost(h) is None or not is_free_terrain(world, h):
        return "C-M1"
    if len(world.incas[seat]) >= INCAS:
        return "C-S2"
    return ap_short(world, gate_cost(h))


def leave_forbids(world: World, seat: int, h: str) -> str | None:
    if gate_cost(h) is None or h not in world.incas[seat]:
        return "C-M2"
    return ap_short(world, gate_cost(h))


def move_forbids(world: World, seat: int, start: str, goal: str) -> str | None:
    if start not in world.incas[seat]:
        return "C-M3"
    if not is_free_terrain(world, goal) or goal not in ways(world, start, seat):
        return "C-M4"
    return ap_short(world, ways(world, start, seat)[goal])


# --- C-T: temples


def build_forbids(world: World, seat: int, h: str, number: str) -> str | None:
    group = settlements(world).get(h)
    if group is None or h in occupied(world) or temples_in(world, group):
        return "C-T3"
    return temple_forbids(world, seat, group, 0, int(number))


def expand_forbids(world: World, seat: int, h: str, number: str) -> str | None:
    if h not in world.temples:
        return "C-T1"
    if world.temples[h]["changed"]:
        return "C-T6"
    return temple_forbids(
        world, seat, settlements(world)[h], world.temples[h]["value"], int(number)
    )


def temple_forbids(
    world: World, seat: int, group: frozenset[str], old: int, new: int
) -> str | None:
    if new not in VALUES or new <= old or new > len(group):
        return "C-T4"
    if world.options.get("exact_temples") and new != max(v for v in VALUES if v <= len(group)):
        return "C-T4 exact_temples"
    if highest(world, group) != seat:
        return "C-T2"
    if any(world.supply["floors"][v] < 1 for v in floors_taken(world, old, new)):
        return "C-T5"
    return ap_short(world, 1)


def floors_taken(world: World, old: int, new: int) -> list[int]:
    if world.game == "java":
        return [new]  # J-T5
    return [v for v in VALUES if old < v <= new]


# --- C-B: basins


def basin_forbids(world: World, seat: int, h: str) -> str | None:
    if h not in SITE or h in BORDER or levels(world)[h] or h in all_basins(world):
        return "C-B1"
    if world.supply["basins"] < 1:
        return "C-S3"
    return ap_short(world, 1)


# --- C-D: cards


def draw_forbids(world: World, seat: int, what: str) -> str | None:
    if world.turn["drawn"] >= 2:
        return "C-D1"
    if not world.pile and not world.discard:
        return "C-D3"
    if what == "open" and world.open is None:
        return "C-D3"
    return ap_short(world, 1)


# --- C-F: festivals


def worth(world: World, cards: list[str]) -> int:
    """Festival points: each relic shared with the open card is one (C-F2)."""
    wanted = set((world.open or "").split("+")) - {""}
    return sum(len(wanted & set(card.split("+"))) for card in cards)


def cards_forbid(world: World, seat: int, cards: tuple[str, ...]) -> str | None:
    if not cards or any(cards.count(c) > world.hands[seat].count(c) for c in cards):
        return "C-F1 cards"
    if any(worth(world, [card]) == 0 for card in cards):
        return "C-F2"
    return None


def festival_forbids(world: World, seat: int, temple: str, *cards: str) -> str | None:
    if world.open is None or temple not in world.temples or world.temples[temple]["disc"]:
        return "C-F1"
    if seat not in present(world, temple):
        return "C-F1"
    return cards_forbid(world, seat, cards)


def total(world: World, seat: int) -> int:
    return worth(world, world.festival["played"][seat])


def highest_total(world: World) -> int:
    return max(total(world, seat) for seat in range(world.seats))


def bid_forbids(world: World, turn: int, *cards: str) -> str | None:
    seat = world.festival["asked"]
    if total(world, seat) + worth(world, list(cards)) < highest_total(world):
        return "C-F3"
    return cards_forbid(world, seat, cards)


def hold_forbids(world: World, turn: int) -> str | None:
    level = total(world, world.festival["asked"]) == highest_total(world)
    return None if level else "C-F3"


def pass_forbids(world: World, turn: int) -> str | None:
    below = total(world, world.festival["asked"]) < highest_total(world)
    return None if below else "C-F3"


CLAUSES: dict[str, Callable[..., str | None]] = {
    "place": place_forbids,
    "enter": enter_forbids,
    "leave": leave_forbids,
    "move": move_forbids,
    "build": build_forbids,
    "expand": expand_forbids,
    "basin": basin_forbids,
    "draw": draw_forbids,
    "token": token_forbids,
    "festival": festival_forbids,
    "bid": bid_forbids,
    "hold": hold_forbids,
    "pass": pass_forbids,
    "end": end_forbids,
}


# --- what an order does ----------------------------------------------------------------------


def apply(world: World, order: str, draw: Draw) -> World:
    """The world after a legal order; `draw` picks from the sorted pile when a card is drawn."""
    forbids = why_not(world, order)
    if forbids:
        raise ValueError(f"{order}: {forbids}")
    return _carried_out(world, order, draw)


def _carried_out(world: World, order: str, draw: Draw) -> World:
    verb, *words = order.split()
    after = world.copy()
    after.turn["ap"] -= cost_of(world, order)
    seat = to_act(world)[0]
    EFFECTS[verb](after, seat, draw, *words)
    after.notes = {}  # things were moved while we looked
    if verb != "place":  # the tiles were not, and they take longest to look at
        after.notes = {key: world.notes[key] for key in OF_TILES if key in world.notes}
    if verb in ("place", "basin"):
        score_new_ponds(after, surrounded_ponds(world))
    return after


def _place(world: World, seat: int, draw: Draw, shape: str, *hexes: str) -> None:
    shape = tile_of(world, shape)
    world.tiles.append([shape, *hexes])
    world.turn["laid"] = True
    if shape != "triple":
        world.stock[seat][shape + "s"] -= 1
        return
    world.supply["triples"] -= 1
    if world.supply["triples"] == 0 and world.last["opened_by"] is None:
        world.last["opened_by"] = seat  # C-E1
        world.turn["idle"] = 0


def _enter(world: World, seat: int, draw: Draw, h: str) -> None:
    world.incas[seat].add(h)


def _leave(world: World, seat: int, draw: Draw, h: str) -> None:
    world.incas[seat].remove(h)


def _move(world: World, seat: int, draw: Draw, start: str, goal: str) -> None:
    world.incas[seat].remove(start)
    world.incas[seat].add(goal)


def _temple(world: World, seat: int, draw: Draw, h: str, number: str) -> None:
    old, new = world.temples.get(h, {"value": 0})["value"], int(number)
    for value in floors_taken(world, old, new):
        world.supply["floors"][value] -= 1
    world.temples[h] = {"value": new, "disc": False, "changed": True}
    world.scores[seat] += new // 2


def _basin(world: World, seat: int, draw: Draw, h: str) -> None:
    world.basins.add(h)
    world.supply["basins"] -= 1


def score_new_ponds(world: World, before: set[frozenset[str]]) -> None:
    """C-B2, C-B3: each pond that was not surrounded and now is."""
    for pond in surrounded_ponds(world) - before:
        seat = highest(world, shore(pond))
        if seat is not None:
            world.scores[seat] += 3 * len(pond)


def _from_pile(world: World, draw: Draw) -> str:
    """One unseen card; an empty pile is first made anew of the discards (C-D2)."""
    if not world.pile:
        world.pile, world.discard = world.discard, []
    card = draw(sorted(world.pile))
    world.pile.remove(card)
    return card


def _draw(world: World, seat: int, draw: Draw, what: str) -> None:
    world.turn["drawn"] += 1
    if what == "pile":
        world.hands[seat].append(_from_pile(world, draw))
    else:
        world.hands[seat].append(world.open)
        world.open = _from_pile(world, draw)


def _token(world: World, seat: int, draw: Draw) -> None:
    world.stock[seat]["tokens"] -= 1
    world.turn["token"] = True
    world.turn["ap"] += 1


def _play_cards(world: World, seat: int, cards: tuple[str, ...]) -> None:
    for card in cards:
        world.hands[seat].remove(card)
        world.festival["played"][seat].append(card)
    world.festival["answered"] = [] if last_bidder_speaks(world) else [seat]


def _festival(world: World, seat: int, draw: Draw, temple: str, *cards: str) -> None:
    world.festival = {
        "at": temple,
        "proposer": seat,
        "played": [[] for _ in range(world.seats)],
        "out": [],
        "asked": seat,
        "answered": [],
    }
    _play_cards(world, seat, cards)
    ask_on(world, draw)


def _bid(world: World, seat: int, draw: Draw, *cards: str) -> None:
    _play_cards(world, seat, cards)
    ask_on(world, draw)


def _hold(world: World, seat: int, draw: Draw) -> None:
    world.festival["answered"].append(seat)
    ask_on(world, draw)


def _pass(world: World, seat: int, draw: Draw) -> None:
    world.festival["out"].append(seat)
    ask_on(world, draw)


def ask_on(world: World, draw: Draw) -> None:
    """Ask the next in turn order who owes an answer, or let the festival end (C-F3, C-F4)."""
    fest, speaker = world.festival, world.festival["asked"]
    for step in range(1, world.seats + 1):
        seat = (speaker + step) % world.seats
        guests = present(world, fest["at"]) - set(fest["out"])
        if seat not in guests or seat in fest["answered"]:
            continue
        if last_bidder_speaks(world) and guests == {seat}:
            continue  # alone at the top: nothing to say
        silent = None if world.options["ask_everyone"] else only_answer(world, seat)
        if silent is None:
            fest["asked"] = seat
            return
        fest[silent].append(seat)
    hold_festival(world, draw)
    end_turn(world)


def last_bidder_speaks(world: World) -> bool:
    """C-F3 as mended, which Java does not share (J-F3)."""
    return world.game == "cuzco" and world.options["rules"] > 1


def only_answer(world: World, seat: int) -> str | None:
    """Where the seat is put down without being asked, if it has no choice (C-F4)."""
    matching = [card for card in world.hands[seat] if worth(world, [card])]
    if total(world, seat) == highest_total(world):
        return None if matching else "answered"
    reach = total(world, seat) + worth(world, matching)
    return None if reach >= highest_total(world) else "out"


def hold_festival(world: World, draw: Draw) -> None:
    """C-F5 points, C-F6 cards and disc."""
    fest = world.festival
    still_in = [seat for seat in present(world, fest["at"]) if seat not in fest["out"]]
    temple = world.temples[fest["at"]]
    table = ALONE if len(still_in) == 1 else SHARED[world.game]
    for seat in still_in:
        world.scores[seat] += table[temple["value"]]
    temple["disc"] = True
    world.discard += [card for cards in fest["played"] for card in cards]
    if world.game == "cuzco":  # J-F6: in Java the open card stays
        new = _from_pile(world, draw)
        world.discard.append(world.open)
        world.open = new
    world.festival = None


# --- C-E: how turns and matches end


def _end(world: World, seat: int, draw: Draw) -> None:
    end_turn(world)


def end_turn(world: World) -> None:
    turn = world.turn
    if world.last["opened_by"] is not None:
        world.scores[turn["seat"]] += final_scoring(world, turn["seat"])
        world.last["scored"].append(turn["seat"])
        if is_over(world):
            return
        idle = 0
    else:
        idle = 0 if turn["laid"] else turn["idle"] + 1
    seat = (turn["seat"] + 1) % world.seats
    if idle == world.seats:  # C-E5
        world.last["opened_by"] = seat
        idle = 0
    world.turn = {
        "seat": seat, "ap": 6, "laid": False, "drawn": 0, "token": False, "idle": idle,
    }  # fmt: skip
    for temple in world.temples.values():
        temple["changed"] = False


def final_scoring(world: World, seat: int) -> int:
    """C-E3, city by city."""
    points = 0
    for h, temple in world.temples.items():
        stands = standings(world, settlements(world)[h])
        ranks = sorted({tuple(own) for own in stands.values()}, reverse=True)
        if seat in stands:
            rank = ranks.index(tuple(stands[seat]))
            points += {0: temple["value"], 1: temple["value"] // 2}.get(rank, 0)
    return points


EFFECTS: dict[str, Callable[..., None]] = {
    "place": _place,
    "enter": _enter,
    "leave": _leave,
    "move": _move,
    "build": _temple,
    "expand": _temple,
    "basin": _basin,
    "draw": _draw,
    "token": _token,
    "festival": _festival,
    "bid": _bid,
    "hold": _hold,
    "pass": _pass,
    "end": _end,
}
