"""An order of each verb that could be meant: what the rules say to it tells why the verb is of no use just now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import Pair, View


def tries(view: View) -> dict[str, str]:
    """By verb, for whoever plays a People turn; each as likely as the board allows."""
    seat = view.seat or 0
    road, wild = road_from(view, seat, wild=False), road_from(view, seat, wild=True)
    cities = [site for site, built in view.buildings.items() if built.kind == "city"]
    garrisons = [site for site, built in view.buildings.items() if built.kind == "garrison"]
    own = [region for region, marker in view.markers.items() if marker.owner == seat]
    others = [region for region, marker in view.markers.items() if marker.up]
    city, garrison = site_for(view, seat, "city"), site_for(view, seat, "garrison")
    return {
        "road": f"road {road}",
        "wild": f"wild {wild}",
        "city": f"city {city}",
        "temple": f"temple {nearest(cities, view.joined[seat]) or city}",
        "garrison": f"garrison {garrison}",
        "upgrade": f"upgrade {nearest(garrisons, view.joined[seat]) or garrison}",
        "terrace": f"terrace {next(iter([*own, *others, *view.markers]))}",
        "conquer": f"conquer {next(iter([*others, *view.markers]))}",
        "buy road": f"buy road {road}",
        "buy wild": f"buy wild {wild}",
        "end": "end",
    }


def road_from(view: View, seat: int, *, wild: bool) -> str:
    """Where a road of that kind could go on from one's own, or anywhere."""
    laid: set[Pair] = set().union(*view.roads)
    pairs = [edge.pair for edge in view.board.edges if edge.wild == wild and not edge.colour]
    free = [pair for pair in pairs if pair not in laid]
    joined = set(view.joined[seat])
    return " ".join(next((pair for pair in free if joined & set(pair)), (free or pairs)[0]))


def site_for(view: View, seat: int, kind: str) -> str:
    """A free site of that kind, joined to one's own roads if one is."""
    sites = [site.id for site in view.board.sites if site.kind == kind]
    free = [site for site in sites if site not in view.buildings]
    return nearest(free, view.joined[seat]) or sites[0]


def nearest(sites: Iterable[str], joined: Iterable[str]) -> str | None:
    """One that is joined, otherwise any."""
    found = sorted(sites, key=lambda site: site not in joined)
    return found[0] if found else None
