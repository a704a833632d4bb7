"""Random positions that REFEREE.md accepts, made to put the rare clauses to work.

A position is drawn in steps: a board in one of several manners, pieces on it, cards, a turn.
Running festivals are reached by letting the oracle play them, so that they are sensible.
"""

import random
from itertools import product
from typing import Any

from tests.games.oracle import oracle
from tests.games.oracle.oracle import (
    BORDER,
    HEXES,
    NEIGHBOURS,
    PAIRS,
    PRINTED_BASINS,
    RING,
    SITE,
    TRIANGLES,
    VALUES,
    World,
)

INNER = sorted(SITE - BORDER - PRINTED_BASINS)


def random_position(rng: random.Random, game: str) -> dict[str, Any]:
    """A varied, valid position in the form of that game; sometimes with defaults left out."""
    board = rng.choices(
        [scattered, piled, towns, around_ponds, at_the_rim, crammed, full, empty],
        weights=[3, 4, 5, 4, 4, 5, 2, 1],
    )[0](rng)
    world = _furnish(rng, game, board)
    after_that = rng.random()
    if after_that < 0.35:
        world = _into_a_festival(rng, world)
    elif after_that < 0.45:
        _before_a_reckoning(rng, world)
    position = oracle.dump(world)
    if rng.random() < 0.5:
        shorten(rng, game, position)
    return position


# --- boards ----------------------------------------------------------------------------------


class Board:
    """Tiles and basins as they are put down; only what cannot float is checked."""

    def __init__(self) -> None:
        self.tiles: list[list[str]] = []
        self.level = dict.fromkeys(HEXES, 0)
        self.basins: set[str] = set()

    def lay(self, shape: str, *hexes: str) -> bool:
        fits = (
            len({self.level[h] for h in hexes}) == 1
            and any(h in SITE for h in hexes)
            and not any(h in self.basins or h in PRINTED_BASINS for h in hexes)
        )
        if fits:
            self.tiles.append([shape, *hexes])
            for h in hexes:
                self.level[h] += 1
        return fits

    def dig(self, h: str) -> bool:
        fits = h in INNER and h not in self.basins and not self.level[h] and len(self.basins) < 16
        if fits:
            self.basins.add(h)
        return fits


def disc(rng: random.Random, reach: int, among: list[str]) -> list[str]:
    """All hexes within `reach` steps of a random one."""
    near = {rng.choice(among)}
    for _ in range(reach):
        near |= {n for h in near for n in NEIGHBOURS[h]}
    return sorted(near)


def build_up(
    rng: random.Random, board: Board, area: list[str], count: int, villages: float
) -> None:
    """Try to lay that many random tiles within an area."""
    inside = set(area)
    triangles = [t for t in TRIANGLES if inside.issuperset(t)]
    pairs = [p for p in PAIRS if inside.issuperset(p)]
    singles = sorted(inside & SITE)
    for _ in range(count):
        shape = rng.choices(["triple", "double", "single"], weights=[4, 3, 2])[0]
        if shape == "triple" and triangles:
            board.lay("triple", *rng.choice(triangles))
        elif shape == "double" and pairs:
            board.lay("double", *rng.choice(pairs))
        elif singles:
            kind = "village" if rng.random() < villages else "crop"
            board.lay(kind, rng.choice(singles))


def empty(rng: random.Random) -> Board:
    return Board()


def scattered(rng: random.Random) -> Board:
    """A game not long begun: a few tiles here and there."""
    board = Board()
    build_up(rng, board, HEXES, rng.randint(1, 60), 0.6)
    dig_some(rng, board, INNER, rng.randint(0, 6))
    return board


def piled(rng: random.Random) -> Board:
    """One to three hills of several levels, with cities that nearly touch."""
    board = Board()
    for _ in range(rng.randint(1, 3)):
        area = disc(rng, rng.randint(1, 3), HEXES)
        build_up(rng, board, area, rng.randint(10, 120), rng.choice([0.3, 0.7, 0.95]))
    dig_some(rng, board, INNER, rng.randint(0, 5))
    return board


def towns(rng: random.Random) -> Board:
    """Wide villages on several levels, parted by a hex or two: room for temples to grow."""
    board = Board()
    for _ in range(rng.randint(1, 4)):
        for h in disc(rng, rng.randint(1, 3), sorted(SITE)):
            if h in SITE and rng.random() < 0.8:
                board.lay("village", h)
    build_up(rng, board, [h for h in HEXES if board.level[h]], rng.randint(0, 40), 0.9)
    dig_some(rng, board, INNER, rng.randint(0, 5))
    return board


def around_ponds(rng: random.Random) -> Board:
    """Basins with their shores built up but for a hex or two."""
    board = Board()
    ponds = [rng.choice(sorted(PRINTED_BASINS)) for _ in range(2)]
    ponds += [h for h in rng.sample(INNER, rng.randint(1, 6)) if board.dig(h)]
    for h in ponds:
        for _ in range(rng.randint(0, 2)):
            board.dig(rng.choice(NEIGHBOURS[h]))
    shores = {n for h in ponds for n in NEIGHBOURS[h]} - board.basins
    gaps = set(rng.sample(sorted(shores), min(len(shores), rng.randint(0, 3))))
    area = sorted({n for h in shores for n in NEIGHBOURS[h]} | shores)
    build_up(rng, board, [h for h in area if h not in gaps], rng.randint(5, 60), 0.5)
    for h in sorted(shores - gaps):
        if not board.level[h]:
            board.lay(rng.choice(["crop", "village"]), h)
    return board


def at_the_rim(rng: random.Random) -> Board:
    """Tiles over the border, ring hexes covered, some of them high."""
    board = Board()
    for _ in range(rng.randint(1, 4)):
        area = disc(rng, rng.randint(1, 3), sorted(RING))
        build_up(rng, board, area, rng.randint(5, 60), rng.choice([0.2, 0.6, 0.9]))
    build_up(rng, board, HEXES, rng.randint(0, 20), 0.5)
    dig_some(rng, board, INNER, rng.randint(0, 3))
    return board


def crammed(rng: random.Random) -> Board:
    """Neighbours on different levels and singles on top, so that hardly any tile fits (C-A3)."""
    board = Board()
    villages = rng.choice([0.2, 0.5, 0.8])
    wanted = {h: 1 + _colour(h) for h in sorted(SITE - PRINTED_BASINS)}
    for h in rng.sample(INNER, rng.randint(0, 10)):
        wanted[h] = 0
    for h in rng.sample(sorted(BORDER), rng.choice([0, 0, 0, 1, 3])):
        wanted[h] = 0
    for h in rng.sample(sorted(wanted), rng.choice([0, 0, 1, 2, 5])):
        wanted[h] = rng.randint(0, 3)
    for tile in rng.sample(PAIRS, 4) + rng.sample(TRIANGLES, 4):
        if rng.random() < 0.4 and board.lay({2: "double", 3: "triple"}[len(tile)], *tile):
            for h in tile:  # one patch with its own top, even and flat
                wanted[h] = 1
    for h, height in wanted.items():
        while board.level[h] < height:
            board.lay("village" if rng.random() < villages else "crop", h)
    for h in [h for h in INNER if not board.level[h]]:
        if rng.random() < 0.9:
            board.dig(h)
    return board


def _colour(h: str) -> int:
    """0, 1 or 2, different on any two neighbours."""
    row, column = ord(h[0]) - ord("a"), int(h[1:])
    return ((column - row) // 2 - row) % 3


def full(rng: random.Random) -> Board:
    """A late board, nearly all of it built."""
    board = Board()
    build_up(rng, board, HEXES if rng.random() < 0.5 else sorted(SITE), 500, 0.5)
    for h in sorted(SITE):
        if not board.level[h] and rng.random() < 0.7:
            board.lay(rng.choice(["crop", "village"]), h)
    dig_some(rng, board, INNER, 16)
    return board


def dig_some(rng: random.Random, board: Board, among: list[str], count: int) -> None:
    for _ in range(count):
        board.dig(rng.choice(among))


# --- pieces ----------------------------------------------------------------------------------


def _furnish(rng: random.Random, game: str, board: Board) -> World:
    seats = rng.randint(2, 4)
    world = oracle.load(game, {"seats": seats})
    for option in world.options:
        world.options[option] = rng.choice((1, 2, 2)) if option == "rules" else rng.random() < 0.3
    world.tiles, world.basins = board.tiles, board.basins
    _people(rng, world)
    _temples(rng, world)
    _cards(rng, world)
    world.scores = [rng.randint(0, 60) for _ in range(seats)]
    world.stock = [_stock(rng) for _ in range(seats)]
    world.supply = _supply(rng, world)
    _turn(rng, world)
    world.notes = {}
    return world


def _people(rng: random.Random, world: World) -> None:
    """Incas of all seats; many on the shores and in the larger villages."""
    free = sorted(oracle.kinds(world))
    shores = sorted({n for h in oracle.all_basins(world) for n in NEIGHBOURS[h]} & set(free))
    towns = sorted(h for h, group in oracle.settlements(world).items() if len(group) > 2)
    gates = sorted(h for h in free if h in RING or h in BORDER)
    most = rng.choice([2, 4, 8, 12])
    for own in world.incas:
        for _ in range(rng.randint(0, most)):
            place = rng.choice([free, shores, towns, towns, gates])
            spots = [h for h in place if h not in oracle.occupied(world)]
            if spots:
                own.add(rng.choice(spots))
                world.notes.pop(("occupied",), None)
    if rng.random() < 0.5:
        _crowd(rng, world)


def _crowd(rng: random.Random, world: World) -> None:
    """All seats in one village or around one pond, few levels apart: ties and near ties."""
    places = [group for group in set(oracle.settlements(world).values()) if len(group) > 4]
    places += [oracle.shore(pond) for pond in oracle.groups(oracle.all_basins(world))]
    hexes = rng.choice(sorted(places, key=sorted)) & set(oracle.kinds(world))
    for own in world.incas:
        for _ in range(rng.randint(1, 2)):
            spots = sorted(hexes - oracle.occupied(world))
            if len(spots) > 1 and len(own) < oracle.INCAS:
                own.add(rng.choice(spots))
                world.notes.pop(("occupied",), None)


def _temples(rng: random.Random, world: World) -> None:
    """Temples wherever a village has none yet, up to a number; some larger than their city."""
    spots = [h for h in oracle.settlements(world) if h not in oracle.occupied(world)]
    rng.shuffle(spots)
    spots.sort(key=lambda h: len(oracle.settlements(world)[h]) < 3)  # the larger first
    chance = rng.choice([0, 0.1, 0.4, 0.9])
    for h in spots:
        group = oracle.settlements(world)[h]
        if len(world.temples) >= 12 or oracle.temples_in(world, group) or rng.random() > chance:
            continue
        fitting = [v for v in VALUES if v <= len(group)] or [2]
        world.temples[h] = {
            "value": rng.choice([2, 2, rng.choice(fitting), rng.choice(VALUES)]),
            "disc": rng.random() < 0.3,
            "changed": rng.random() < 0.2,
        }


def _cards(rng: random.Random, world: World) -> None:
    """Hands, open card, discards and pile; now and then some cards are in nobody's hands."""
    deck = [name for name in oracle.card_names(world.game) for _ in range(5)]
    rng.shuffle(deck)
    world.hands = [[deck.pop() for _ in range(rng.randint(0, 6))] for _ in world.hands]
    world.open = deck.pop() if rng.random() < 0.93 else None
    manner = rng.choice(["all in the pile", "split", "tiny", "nothing"])
    if manner == "split":
        cut = rng.randint(0, len(deck))
        world.discard, world.pile = deck[:cut], deck[cut:]
    elif manner == "tiny":
        few = [deck.pop() for _ in range(rng.randint(0, 2))]
        under = [deck.pop() for _ in range(rng.randint(0, 3))]
        world.pile, world.discard = few, under
    elif manner == "all in the pile":
        world.discard, world.pile = [], deck
    else:
        world.discard, world.pile = [], []


def _stock(rng: random.Random) -> dict[str, int]:
    if rng.random() < 0.3:
        return {"tokens": rng.randint(0, 1), "doubles": 0, "crops": 0, "villages": 0}
    return {
        "tokens": rng.choice([0, 1, 3]),
        "doubles": rng.choice([0, 0, 1, 5]),
        "crops": rng.choice([0, 0, 1, 3]),
        "villages": rng.choice([0, 0, 1, 2]),
    }


def _supply(rng: random.Random, world: World) -> dict[str, Any]:
    floors = dict(oracle.FLOORS[world.game])
    for value in VALUES:
        if rng.random() < 0.2:
            floors[value] = rng.choice([0, 0, 1])
    return {
        "triples": rng.choice([0, 0, 0, 1, 1, 2, 10, 56]),
        "basins": rng.choice([0, 16 - len(world.basins), 16 - len(world.basins)]),
        "floors": floors,
    }


def _turn(rng: random.Random, world: World) -> None:
    token = rng.random() < 0.3
    builders = [oracle.highest(world, oracle.settlements(world)[h]) for h in world.temples]
    builders = [seat for seat in builders if seat is not None]
    world.turn = {
        "seat": rng.choice([rng.randrange(world.seats), *builders[:3]]),
        "ap": rng.choice([0, 1, 1, 2, 3, 4, 5, 6, 6, 6, 7 if token else 6]),
        "laid": rng.random() < 0.5,
        "drawn": rng.choice([0, 0, 1, 2]),
        "token": token,
        "idle": rng.choice([0, 0, rng.randrange(world.seats), world.seats - 1]),
    }
    if rng.random() < 0.3:
        _last_round(rng, world)


def _last_round(rng: random.Random, world: World) -> None:
    """The last round is open, and as many as come before in it have scored."""
    before = rng.randint(0, world.seats - 1)
    opener = (world.turn["seat"] - before) % world.seats
    scored = [(opener + step) % world.seats for step in range(before)]
    if rng.random() < 0.05:
        scored = list(range(world.seats))  # the match is over
    world.last = {"opened_by": opener, "scored": scored}
    world.turn["idle"] = 0


# --- festivals and shorter forms -------------------------------------------------------------


def _into_a_festival(rng: random.Random, world: World) -> World:
    """The same world some answers into a festival, if one can be had."""
    if oracle.is_over(world) or not oracle.settlements(world):
        return world
    _invite(rng, world)
    for _ in range(rng.randint(1, 4)):
        orders = [order for order in _said(world) if oracle.why_not(world, order) is None]
        if not orders:
            break
        few = min(len(order.split()) for order in orders) + 1
        order = rng.choice([order for order in orders if len(order.split()) <= few])
        after = oracle.apply(world, order, rng.choice)
        if after.festival is None:
            break
        world = after
    return world


def _said(world: World) -> list[str]:
    seat = oracle.to_act(world)[0]
    hand = oracle.choices(world.hands[seat])
    if world.festival:
        return ["hold", "pass"] + ["bid " + " ".join(cards) for cards in hand]
    return [f"festival {at} " + " ".join(cards) for at in world.temples for cards in hand]


def _before_a_reckoning(rng: random.Random, world: World) -> None:
    """The last round, with one Inca or two of each seat around one temple (C-E3)."""
    _last_round(rng, world)
    if oracle.settlements(world):
        _gather(rng, world, alone=True)


def _gather(rng: random.Random, world: World, alone: bool = False) -> None:
    """A temple without disc in the largest village, and all seats there; if alone, nobody else."""
    city = max(oracle.settlements(world).values(), key=lambda group: (len(group), sorted(group)))
    for h in oracle.temples_in(world, city):
        del world.temples[h]
    at = rng.choice(sorted(city))
    for own in world.incas:
        own.difference_update(city if alone else {at})
    world.temples[at] = {"value": rng.choice(VALUES), "disc": False, "changed": rng.random() < 0.5}
    world.notes = {}
    for own in world.incas:
        free = sorted(city - oracle.occupied(world) - {at})
        if free and len(own) < oracle.INCAS and rng.random() < 0.9:
            own.add(rng.choice(free))
            world.notes.pop(("occupied",))


def _invite(rng: random.Random, world: World) -> None:
    """Help a festival on: the duty met, guests in a city, fitting cards."""
    world.turn["laid"] = True
    _gather(rng, world)
    if world.open is None and world.pile:
        world.open = world.pile.pop()
    for hand, cards in product(world.hands, [world.pile, world.discard]):
        for card in [card for card in cards if oracle.worth(world, [card])][: rng.randint(0, 3)]:
            if len(hand) < 7:
                cards.remove(card)
                hand.append(card)


def shorten(rng: random.Random, game: str, position: dict[str, Any]) -> None:
    """Leave out, here and there, what has its default anyway."""
    plain = oracle.dump(oracle.load(game, {"seats": position["seats"]}))
    for key in [key for key in position if key != "seats"]:
        inside, usual = position[key], plain[key]
        if inside == usual and key != "pile":
            if rng.random() < 0.6:
                del position[key]
        elif isinstance(inside, dict) and isinstance(usual, dict) and usual:
            _drop_usual(rng, inside, usual)
    for own, usual in zip(position.get("stock", []), plain["stock"], strict=False):
        _drop_usual(rng, own, usual)
    word = oracle.WORDS[game]
    for temple in position.get(word["temples"], {}).values():
        _drop_usual(rng, temple, {word["disc"]: False, "changed": False})
    if "pile" in position and rng.random() < 0.6:
        whole = dict(position)
        del whole["pile"]
        if oracle.dump(oracle.load(game, whole))["pile"] == sorted(position["pile"]):
            del position["pile"]
    fest = position.get("festival")
    if fest and len(fest["answered"]) < 2 and rng.random() < 0.5:
        bare = {**position, "festival": {k: v for k, v in fest.items() if k != "answered"}}
        if oracle.load(game, bare).festival["answered"] == fest["answered"]:
            del fest["answered"]


def _drop_usual(rng: random.Random, inside: dict[str, Any], usual: dict[str, Any]) -> None:
    for key in list(inside):
        if key in usual and inside[key] == usual[key] and rng.random() < 0.5:
            del inside[key]


# --- impossible ones -------------------------------------------------------------------------


def impossible_positions(rng: random.Random, game: str) -> dict[str, dict[str, Any]]:
    """A possible position spoiled in each way that REFEREE.md names, by what is wrong with it."""
    whole = oracle.dump(_furnish(rng, game, piled(rng)))
    word = oracle.WORDS[game]
    incas, temples, crop = word["incas"], word["temples"], word["crop"]
    world = oracle.load(game, whole)
    bare = [h for h in INNER if not oracle.levels(world)[h] and h not in world.basins]
    far, low = rng.choice(bare), rng.choice(sorted(oracle.kinds(world)) or bare)
    here = rng.choice([h for h in bare if h != far])

    def spoiled(**keys: Any) -> dict[str, Any]:
        return {**whole, **keys}

    def with_incas(*more: str) -> dict[str, Any]:
        return spoiled(**{incas: [[*whole[incas][0], *more], *whole[incas][1:]]})

    found = {
        "an Inca on a bare hex": with_incas(far),
        "an Inca on a basin": with_incas("f15"),
        "an Inca off the map": with_incas("a1"),
        "two Incas on a hex": with_incas(low, low),
        "two Incas of two seats on a hex": spoiled(
            **{incas: [[low], [low], *([] for _ in whole[incas][2:])]}
        ),
        "a tile on a printed basin": spoiled(tiles=[*whole["tiles"], [crop, "i18"]]),
        "a tile half in the air": spoiled(
            tiles=[*whole["tiles"], [crop, far], ["double", far, _bare_beside(far, bare)]]
        ),
        "a tile of hexes apart": spoiled(
            tiles=[["double", "k8", "k20"]], **{incas: _nobody(whole)}
        ),
        "a tile on the ring alone": spoiled(tiles=[*whole["tiles"], ["double", "e0", "f1"]]),
        "a tile of no shape": spoiled(tiles=[*whole["tiles"], ["quadruple", far]]),
        "a tile off the map": spoiled(tiles=[*whole["tiles"], [crop, "z9"]]),
        "a basin on the border": spoiled(basins=["e2"], tiles=[], **_bare_land(whole, word)),
        "a basin on the ring": spoiled(basins=["e0"], tiles=[], **_bare_land(whole, word)),
        "a basin on a tile": spoiled(
            basins=[here], tiles=[[crop, here]], **_bare_land(whole, word)
        ),
        "a basin on a printed one": spoiled(basins=["f15"]),
        "a basin twice": spoiled(basins=[here, here]),
        "17 basins": spoiled(basins=INNER[:17], tiles=[], **_bare_land(whole, word)),
        "a temple on crops": spoiled(
            tiles=[[crop, here]], **{**_bare_land(whole, word), temples: {here: {"value": 2}}}
        ),
        "a temple on a bare hex": spoiled(**{temples: {far: {"value": 2}}}),
        "a temple of 5": spoiled(
            tiles=[["village", here]], **{**_bare_land(whole, word), temples: {here: {"value": 5}}}
        ),
        "two temples in one city": spoiled(
            tiles=[["village", "k8"], ["village", "k10"]],
            basins=[],
            **{**_bare_land(whole, word), temples: {"k8": {"value": 2}, "k10": {"value": 4}}},
        ),
        "an Inca on a temple": spoiled(
            tiles=[["village", "k8"]],
            basins=[],
            **{temples: {"k8": {"value": 2}}, incas: [["k8"], *_nobody(whole)[1:]]},
        ),
        "13 Incas": spoiled(
            tiles=[[crop, h] for h in INNER[:13]],
            basins=[],
            **{temples: {}, incas: [INNER[:13], *_nobody(whole)[1:]]},
        ),
        "an unknown card": spoiled(hands=[["spoon"], *whole["hands"][1:]]),
        "an unknown open card": spoiled(open="tumi+mask"),
        "six of a card": spoiled(discard=[oracle.card_names(game)[0]] * 6),
    }
    six = [oracle.card_names(game)[1]] * 3
    found["six of a card in two places"] = spoiled(
        hands=[six, *([] for _ in whole["hands"][1:])], discard=six, pile=[], festival=None
    )
    return found


def _bare_beside(h: str, bare: list[str]) -> str:
    return next((n for n in NEIGHBOURS[h] if n in bare), NEIGHBOURS[h][0])


def _nobody(whole: dict[str, Any]) -> list[list[str]]:
    return [[] for _ in range(whole["seats"])]


def _bare_land(whole: dict[str, Any], word: dict[str, str]) -> dict[str, Any]:
    return {word["incas"]: _nobody(whole), word["temples"]: {}}
