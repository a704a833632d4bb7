"""Positions of Tahuantinsuyu where chance seldom leads: much sun, wild and cut roads, every phase and option."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.games.tahuantinsuyu.oracle import Form, Oracle, data
from tests.games.tahuantinsuyu.oracle_after import columns, fill, game_cards, sectors

SKIPPED = (3, 5)  # under early_decline


def odd_position(rng: Random) -> Form:
    """A position; what the rules give a default is sometimes left out."""
    seats = rng.choice([3, 4, 4])
    form: Form = {"seats": seats, "options": some_options(rng, seats)}
    form["colours"] = rng.sample(data(form)["colours"], seats)
    form["order"] = rng.sample(range(seats), seats)
    form["period"], form["step"] = some_step(rng, form)
    form["labour"] = [rng.choice([0, 1, 2, 3, 6, 9, 15, 25]) for _ in range(seats)]
    form["scores"] = [rng.choice([0, 4, 5, 6, 7, 8, 9, 30]) for _ in range(seats)]
    form["standing"] = sorted(
        rng.sample(range(seats), seats), key=lambda seat: -form["scores"][seat]
    )
    form["markers"] = some_markers(rng, form)
    form["buildings"] = some_buildings(rng, form)
    form["roads"] = some_roads(rng, fill(form))
    deal(rng, form)
    if "great_pilgrimage" in game_cards(form, data(form)) and rng.random() < 0.3:
        send_pilgrims(rng, form)
    if form["options"]["pizarro"]:
        form["pizarro"] = rng.randint(people_phases_ended(form) + 1, 4)
    left_out = {"order", "labour", "buildings", "pizarro", "markers", "discard"}
    if rng.random() < 0.2:
        form.pop(rng.choice(sorted(left_out & set(form))))
    if "order" not in form and rng.random() < 0.5:
        form.pop("standing")
    return form


def people_phases_ended(form: Form) -> int:
    """Those of the Late Empire: Pizarro has not come in one of them."""
    era, phases = columns(form)[form["period"]]
    return phases[: form["step"]].count("people") if era["id"] == "late" else 0


def some_options(rng: Random, seats: int) -> dict[str, Any]:
    names = ["pizarro", "gift_of_the_gods", *(["early_decline"] if seats == 4 else [])]
    options = {name: rng.random() < 0.3 for name in names}
    editions = {name: rng.choice([1, 2]) for name in ("rules", "board")}
    return {"early_decline": False, **options, **editions}


def some_step(rng: Random, form: Form) -> tuple[int, int]:
    decline = form["options"]["early_decline"]
    steps = [
        (period, step)
        for period, (_, phases) in enumerate(columns(form))
        for step, phase in enumerate(phases)
        if phase in ("sun", "people") and not (decline and period in SKIPPED)
    ]
    return rng.choice([*steps, *steps[-8:]])


def some_markers(rng: Random, form: Form) -> dict[str, Any]:
    """All types dealt; conquests near Cuzco and some far away, some more turned up."""
    board, seats = data(form), form["seats"]
    types = [kind["type"] for kind in board["cultureMarkers"] for _ in range(kind["count"])]
    if seats == 3:
        for kind in board["cultureMarkers"]:
            types.remove(kind["type"])
    rng.shuffle(types)
    markers: dict[str, Any] = {}
    share = rng.choice([0.1, 0.3, 0.6])
    for region in board["regions"]:
        if region["start"]:
            continue
        marker: dict[str, Any] = {"type": types.pop()}
        if rng.random() < share * (2 if region["ringFromCuzco"] < 3 else 0.7):
            marker |= {"owner": rng.randrange(seats), "terrace": rng.random() < 0.4}
        elif rng.random() < 0.3:
            marker["up"] = True
        markers[region["id"]] = marker
    return markers


def some_buildings(rng: Random, form: Form) -> dict[str, Any]:
    share = rng.choice([0.2, 0.5, 0.8])
    found: dict[str, Any] = {}
    for site in data(form)["sites"]:
        if site["kind"] in ("city", "garrison") and rng.random() < share:
            kind = "city" if rng.random() < 0.2 else site["kind"]
            found[site["id"]] = {"kind": kind, "temple": rng.random() < 0.3}
    return found


def some_roads(rng: Random, form: Form) -> list[list[list[str]]]:
    """Networks grown from Cuzco, beside each other and over wild segments, with some roads gone."""
    seats = form["seats"]
    form["roads"] = [[] for _ in range(seats)]
    for _ in range(rng.choice([5, 15, 40])):
        for seat in range(seats):
            told = Oracle({**form, "turn": {"seat": seat, "done": []}})
            told.cards = ["wild_road"] if rng.random() < 0.3 else []
            told.conquered = {region["id"] for region in told.data["regions"]}  # R3 is not checked
            ways = sorted(told.road_orders(""))
            if rng.random() < 0.5:  # outwards
                ways = [w for w in ways if not set(w.split()[1:]) <= told.joined] or ways
            if ways:
                form["roads"][seat].append(rng.choice(ways).split()[1:])
    gone = rng.choice([0, 0.05, 0.2])
    return [[road for road in roads if rng.random() >= gone] for roads in form["roads"]]


def send_pilgrims(rng: Random, form: Form) -> None:
    """Temples on all sites of pilgrimage, ways to them, and the cards on the sun board."""
    named = [site for site in data(form)["sites"] if site["pilgrimage"]]
    form["buildings"] |= {site["id"]: {"kind": "city", "temple": True} for site in named}
    for seat in range(form["seats"]):
        told = Oracle({**fill(form), "turn": {"seat": seat, "done": []}})
        way = way_from_cuzco(told, rng.choice(named)["id"])
        form["roads"][seat] += [road for road in way if frozenset(road) not in told.roads[seat]]
    for kind in ("local", "annual", "great"):
        card = f"{kind}_pilgrimage"
        for cards in (*form["hands"], *form["sun"].values(), form["discard"]):
            if card in cards:
                cards.remove(card)
        if card not in [one["card"] for one in form.get("laid", {}).values()]:
            form["sun"][rng.choice(sorted(form["sun"]))].append(card)


def way_from_cuzco(told: Oracle, goal: str) -> list[list[str]]:
    """The slots of a way."""
    ways: dict[str, list[list[str]]] = {"cuzco": []}
    while goal not in ways:
        for slot in told.slots:
            for here in sorted(slot & set(ways)):
                (there,) = slot - {here}
                ways.setdefault(there, [*ways[here], sorted(slot)])
    return ways[goal]


def deal(rng: Random, form: Form) -> None:
    """Cards on the sun board, in hands, discarded; the rest is the pile."""
    cards = game_cards(form, data(form))
    rng.shuffle(cards)
    form["sun"] = {}
    phase = columns(form)[form["period"]][1][form["step"]]
    hands = 3 if phase == "sun" or rng.random() < 0.8 else 0
    form["hands"] = [[cards.pop() for _ in range(hands)] for _ in range(form["seats"])]
    if hands and rng.random() < 0.2:
        cards += form["hands"][-1][1:]
        form["hands"][-1] = form["hands"][-1][:1]
    for sector in sectors(form["seats"]):
        most = rng.choice([0, 2, 4, 6])
        form["sun"][sector] = [cards.pop() for _ in range(min(most, len(cards)))]
    thrown = rng.choice([0, len(cards) // 2, len(cards)])
    form["discard"] = [cards.pop() for _ in range(thrown)]
    if phase == "sun" and rng.random() < 0.5:
        begun = form["order"][: rng.randrange(form["seats"])]
        places = rng.sample(sectors(form["seats"]), len(begun))
        form["laid"] = {
            place: {"seat": seat, "card": form["hands"][seat].pop()}
            for place, seat in zip(places, begun, strict=True)
        }
