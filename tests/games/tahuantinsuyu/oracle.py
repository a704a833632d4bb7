"""The legal orders once more, written from the rules alone: a position and the data in, texts out.

It knows nothing of the engine: names, sets and loops over everything, slow and plain.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

Form = dict[str, Any]
DATA = Path(__file__).parents[3] / "engine" / "tahuantinsuyu"
FOLLOWING = {
    "terrace": "expert_surveyors",
    "garrison": "building_project",
    "buy": "motivated_workers",
}


@cache
def read(seats: int, edition: int) -> Form:
    name = f"tahuantinsuyu_{seats}p.json" if edition == 1 else f"tahuantinsuyu_{seats}p_2.json"
    found: Form = json.loads((DATA / name).read_text("utf-8"))
    return found


def data(form: Form) -> Form:
    """What is printed for a position: by its seats, and by the edition of its board."""
    return read(form["seats"], form["options"]["board"])


@cache
def ways(seats: int, edition: int, kind: str) -> dict[frozenset[str], list[str]]:
    """The regions of every slot (`roads`) or segment (`wildSegments`), by its two sites."""
    return {
        frozenset((way["a"], way["b"])): way.get("regions") or [way["region"]]
        for way in read(seats, edition)[kind]
    }


class Oracle:
    """One position and the seat whose turn it is."""

    def __init__(self, form: Form) -> None:
        self.form, self.data = form, data(form)
        self.seat: int = form["turn"]["seat"]
        self.colour = form["colours"][self.seat]
        self.sites = {site["id"]: site for site in self.data["sites"]}
        edition = form["options"]["board"]
        self.slots = ways(form["seats"], edition, "roads")
        self.wild = ways(form["seats"], edition, "wildSegments")
        self.suyus = {r["id"] for r in self.data["regions"] if r["start"]}
        owned = {name for name, m in form["markers"].items() if m["owner"] is not None}
        self.conquered = self.suyus | owned
        self.roads = [self.roads_of(seat) for seat in range(form["seats"])]
        self.joined = self.reach({"cuzco"})
        self.cards = [
            card
            for sector, cards in form["sun"].items()
            if self.colour in sector.split("-")
            for card in cards
        ]
        self.read_turn()

    def roads_of(self, seat: int) -> set[frozenset[str]]:
        colour = self.form["colours"][seat]
        first = next(r for r in self.data["roads"] if r["startOf"] == colour)
        return {frozenset(p) for p in self.form["roads"][seat]} | {
            frozenset((first["a"], first["b"]))
        }

    def reach(self, found: set[str]) -> set[str]:
        while True:
            more = {s for road in self.roads[self.seat] if road & found for s in road} | found
            if more == found:
                return found
            found = more

    # The turn

    def read_turn(self) -> None:
        """What has begun, what is over, and how often what was done (N-R1)."""
        self.roads_laid, self.road_over, self.road_begun = 0, False, False
        self.main, self.count, self.extra = "", 0, 0
        self.dev_over, self.pilgrim, self.wilds = False, False, 0
        for order in self.form["turn"]["done"]:
            word = order.split()[0]
            self.wilds += "wild" in order.split()[:2]
            if word in ("road", "wild"):
                self.roads_laid += 1
                self.road_begun = True
                self.dev_over = self.dev_over or bool(self.main)
            elif word == "pilgrimage":
                self.pilgrim = True
                roads = order.endswith("roads")
                self.road_over = self.road_over or roads or self.road_begun
                self.dev_over = self.dev_over or not roads or bool(self.main)
                self.road_begun = self.road_begun or roads  # given up counts as gone
            else:
                self.road_over = self.road_over or self.road_begun
                if word == "conquer" and self.main:
                    self.extra += 1
                else:
                    self.main = word
                    self.count += 1

    def legal(self) -> set[str]:
        if self.data["eras"] and self.phase() == "sun":
            return self.laying()
        return {"end"} | self.road_action() | self.development() | self.pilgrimages()

    def phase(self) -> str:
        columns = [phases for era in self.data["eras"] for phases in era["periods"]]
        found: str = columns[self.form["period"]][self.form["step"]]
        return found

    def laying(self) -> set[str]:
        ring = ["orange-blue", "blue-brown", "brown-green", "green-orange"]
        sectors = ring if self.form["seats"] == 4 else ["orange-brown", *ring[2:]]
        free = [sector for sector in sectors if sector not in self.form["laid"]]
        return {f"sun {card} {sector}" for card in self.form["hands"][self.seat] for sector in free}

    # Roads

    def road_action(self) -> set[str]:
        most = max(1, 2 - self.cards.count("el_nino") + self.cards.count("extra_labour"))
        eclipse = "solar_eclipse" in self.cards and self.main == "temple"
        if self.road_over or eclipse or self.roads_laid >= most:
            return set()
        return self.road_orders("")

    def road_orders(self, prefix: str) -> set[str]:
        found = {f"{prefix}road {self.text(slot)}" for slot in self.slots if self.may_lie(slot)}
        if self.wilds < self.cards.count("wild_road"):
            ways = [*self.slots, *self.wild]
            found |= {f"{prefix}wild {self.text(way)}" for way in ways if self.may_be_wild(way)}
        return found

    def text(self, way: frozenset[str]) -> str:
        return " ".join(sorted(way))

    def taken(self, way: frozenset[str]) -> bool:
        return any(way in roads for roads in self.roads)

    def open_to_all(self, way: frozenset[str], regions: list[str]) -> bool:
        """N-R3: from a joined site, and in the wilderness with an end at the empire."""
        if not way & self.joined:
            return False
        touched = {region for site in way for region in self.sites[site]["regions"]}
        return set(regions) <= self.conquered or bool(touched & self.conquered)

    def is_safe(self, road: frozenset[str]) -> bool:
        """N-U5: whether unrest spares a road; since the second rules one that runs along a border."""
        along = any(
            way["alongBorder"] and road == {way["a"], way["b"]} for way in self.data["roads"]
        )
        if along and self.form["options"]["rules"] == 2:
            return True
        return set(self.slots.get(road) or self.wild[road]) <= self.conquered

    def may_lie(self, slot: frozenset[str]) -> bool:
        return not self.taken(slot) and self.open_to_all(slot, self.slots[slot])

    def may_be_wild(self, way: frozenset[str]) -> bool:
        regions = self.slots.get(way) or self.wild[way]
        if way in self.roads[self.seat] or not self.open_to_all(way, regions):
            return False
        if self.taken(way):
            return True
        if way in self.slots:
            return False
        lying = {road for roads in self.roads for road in roads if road in self.wild}
        return not any(self.cross(way, road) for road in lying)

    def cross(self, one: frozenset[str], other: frozenset[str]) -> bool:
        """Whether two segments without a common end meet (those with one do so there alone)."""
        if one & other:
            return False
        (a, b), (c, d) = (
            [(self.sites[s]["x"], self.sites[s]["y"]) for s in sorted(way)] for way in (one, other)
        )

        def side(p: Any, q: Any, r: Any) -> float:
            return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

        return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0

    # Development

    def development(self) -> set[str]:
        if self.dev_over:
            return set()
        labour: int = self.form["labour"][self.seat]
        found: set[str] = set()
        for kind, orders in self.priced().items():
            if self.may_do(kind):
                found |= {order for order, cost in orders.items() if cost <= labour}
        return found

    def may_do(self, kind: str) -> bool:
        if not self.main:
            return True
        if kind == "conquer":
            return self.extra < self.cards.count("rapid_expansion")
        same = kind == self.main and kind in FOLLOWING and not self.extra
        return same and self.count <= self.cards.count(FOLLOWING[kind])

    def priced(self) -> dict[str, dict[str, int]]:
        epidemic = 2 * self.cards.count("epidemic")
        garrison = 4 + self.cards.count("bad_weather")
        buy = 0 if self.main == "buy" else 1
        return {
            "city": {f"city {s}": 6 + epidemic for s in self.free("city")},
            "garrison": {f"garrison {s}": garrison for s in self.free("garrison")},
            "temple": {f"temple {s}": 5 for s in self.temple_sites()},
            "upgrade": {f"upgrade {s}": 4 + epidemic for s in self.upgrades()},
            "terrace": {f"terrace {r}": 2 for r in self.terraces()},
            "conquer": self.conquests(),
            "buy": dict.fromkeys(self.road_orders("buy "), buy),
        }

    def free(self, kind: str) -> list[str]:
        return [
            s
            for s in self.joined
            if self.sites[s]["kind"] == kind
            and s not in self.form["buildings"]
            and set(self.sites[s]["regions"]) & self.conquered
        ]

    def temple_sites(self) -> list[str]:
        if "solar_eclipse" in self.cards and (self.road_begun or self.road_over):
            return []
        kinds = {"city"} | ({"garrison"} if "religious_fervour" in self.cards else set())
        return [
            s
            for s, b in self.form["buildings"].items()
            if s in self.joined and b["kind"] in kinds and not b["temple"]
        ]

    def upgrades(self) -> list[str]:
        if "strategic_point" not in self.cards:
            return []
        built = self.form["buildings"].items()
        return [s for s, b in built if s in self.joined and b["kind"] == "garrison"]

    def terraces(self) -> list[str]:
        markers = self.form["markers"].items()
        return [r for r, m in markers if m["owner"] == self.seat and not m["terrace"]]

    def conquests(self) -> dict[str, int]:
        touched = {region for site in self.joined for region in self.sites[site]["regions"]}
        kinds = {kind["type"]: kind for kind in self.data["cultureMarkers"]}
        more = self.cards.count("resistance") - self.cards.count("military_superiority")
        return {
            f"conquer {region}": max(0, kinds[m["type"]]["resistance"] + more) + 2 * bool(self.main)
            for region, m in self.form["markers"].items()
            if m["up"] and m["owner"] is None and region in touched
        }

    def pilgrimages(self) -> set[str]:
        if self.pilgrim:
            return set()
        eclipse = "solar_eclipse" in self.cards and self.main == "temple"
        found = set()
        for kind in ("local", "annual", "great"):
            named = [s for s in self.joined if self.sites[s]["pilgrimage"] == kind]
            built = any(self.form["buildings"].get(s, {}).get("temple") for s in named)
            if f"{kind}_pilgrimage" in self.cards and built:
                if not self.road_begun and not self.road_over and not eclipse:
                    found.add(f"pilgrimage {kind} for roads")
                if not self.main and not self.dev_over:
                    found.add(f"pilgrimage {kind} for development")
        return found
