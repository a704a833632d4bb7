"""What development costs and scores, and where it may happen (N-D1 to N-D5, N-D7, N-D8)."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.refusal import IllegalMove
from engine.core.sentence import say
from engine.tahuantinsuyu.printed_board import Site
from engine.tahuantinsuyu.progress import FRESH, OVER, Progress
from engine.tahuantinsuyu.refusals import refusal, refused
from engine.tahuantinsuyu.state import State, border_sites, touched
from engine.tahuantinsuyu.text.names import ACTIONS, place

EXTRA = 2  # what a conquest by Rapid Expansion costs more


# By card: how often it lets a development of that kind follow its first.
SECONDS = {
    "terrace": "expert_surveyors",
    "garrison": "building_project",
    "buy": "motivated_workers",
}


# What cards add for each copy: to the labour, and to the points.
DEARER = {"city": ("epidemic", 2), "upgrade": ("epidemic", 2), "garrison": ("bad_weather", 1)}
BETTER = {
    "city": ("urban_renewal", 2),
    "upgrade": ("urban_renewal", 2),
    "garrison": ("safety_rations", 1),
}
UPGRADE = 4  # labour and points alike (N-D7)


# When


def check_order(state: State, seat: int, now: Progress, main: str) -> None:
    """A development of kind `main` may begin or go on (N-R1)."""
    if now.given_up == "development":
        raise refusal("D9", "You went on a pilgrimage instead of the development action.")
    if now.development == OVER and now.given_up:
        raise refusal("R1", "Your pilgrimage has finished {action}.", action=ACTIONS["development"])
    if now.development == OVER:
        raise refusal("R1", "The development action is finished: the other action began after it.")
    if now.development == FRESH or follows(state, seat, now, main):
        return
    raise nothing_follows(now, main)


def nothing_follows(now: Progress, main: str) -> IllegalMove:
    """Why the development action, which has begun, does not go on with `main`."""
    if now.extra and main == "conquer":
        return refusal(
            "D8",
            "You have made {n} extra conquest; Rapid Expansion does not lie beside your colour more often.",
            "You have made {n} extra conquests; Rapid Expansion does not lie beside your colour more often.",
            n=now.extra,
        )
    if now.extra and main == now.main:
        return refusal("R1", "An extra conquest has finished what came before it.")
    clause = "D8" if main == "conquer" else "D6" if main == now.main == "buy" else "R1"
    return refusal(
        clause, "You have made your development of this phase; no card lets another follow."
    )


def follows(state: State, seat: int, now: Progress, main: str) -> bool:
    """Whether a card lets this development follow in an action that has begun."""
    cards = state.cards(seat)
    if main == "conquer":
        return now.extra < cards["rapid_expansion"]
    if now.extra or main != now.main or main not in SECONDS:
        return False
    return now.count <= cards[SECONDS[main]]


def check_eclipse(state: State, seat: int, now: Progress) -> None:
    if blotted(state, seat, now):
        raise refusal(
            "D2", "Solar Eclipse: no temple once the road action has begun or been given up."
        )


def blotted(state: State, seat: int, now: Progress) -> bool:
    return now.roads != FRESH and bool(state.cards(seat)["solar_eclipse"])


# Where


def cities(state: State, seat: int) -> int:
    return free_sites(state, seat, "city")


def garrisons(state: State, seat: int) -> int:
    return free_sites(state, seat, "garrison")


def free_sites(state: State, seat: int, kind: str) -> int:
    """The free, joined sites of a kind that touch a conquered region."""
    free = state.board.kinds[kind] & ~(state.cities | state.garrisons)
    return free & state.joined(seat) & border_sites(state.board, state.conquered)


def temples(state: State, seat: int) -> int:
    built = state.cities
    if state.cards(seat)["religious_fervour"]:
        built |= state.garrisons
    return built & state.joined(seat) & ~state.temples


def upgrades(state: State, seat: int) -> int:
    if not state.cards(seat)["strategic_point"]:
        return 0
    return state.garrisons & state.joined(seat)


SITES: dict[str, Callable[[State, int], int]] = {
    "city": cities,
    "temple": temples,
    "garrison": garrisons,
    "upgrade": upgrades,
}


def terraces(state: State, seat: int) -> int:
    """The regions whose markers could bear a terrace (N-D4)."""
    return state.owned[seat] & ~state.terraces


def conquests(state: State, seat: int) -> int:
    """The regions in reach of a conquest, whatever it costs (N-D5)."""
    return state.up & ~state.conquered & touched(state.board, state.joined(seat))


# What it costs and scores


def labour(state: State, seat: int, what: str) -> int:
    """What something on a site costs."""
    cards = state.cards(seat)
    base = UPGRADE if what == "upgrade" else state.board.prices[what].labour
    card, more = DEARER.get(what, ("", 0))
    return base + more * cards[card]


def points(state: State, seat: int, what: str, site: Site) -> int:
    """What something on a site scores at once."""
    base = UPGRADE if what == "upgrade" else state.board.prices[what].points
    card, more = BETTER.get(what, ("", 0))
    return base + more * state.cards(seat)[card] + (site.bonus if what == "temple" else 0)


def conquest_cost(state: State, seat: int, region: int, extra: bool) -> int:
    """The labour for a marker that lies face up, so that its type is known."""
    cards, kind = state.cards(seat), state.types[region]
    marker = state.board.markers[str(kind)]
    asked = marker.resistance + cards["resistance"] - cards["military_superiority"]
    return max(0, asked) + (EXTRA if extra else 0)


# Why not


def check_site(state: State, seat: int, what: str, at: str) -> Site:
    """The site on which `what` may be built."""
    number = state.board.site_index[at]
    site = state.board.sites[number]
    if not SITES[what](state, seat) >> number & 1:
        raise why_not(state, seat, what, site)
    return site


WRONG_KIND = {
    "city": say("{site} is no city site."),
    "garrison": say("{site} is no garrison site."),
    "temple": say("A temple stands on a city; there is none on {site}."),
    "upgrade": say("There is no garrison on {site}."),
}
CLAUSES = {"city": "D1", "temple": "D2", "garrison": "D3", "upgrade": "D7"}


def why_not(state: State, seat: int, what: str, site: Site) -> IllegalMove:
    number, here = state.board.site_index[site.id], place(site.id, site.name)
    clause, built = CLAUSES[what], state.cities | state.garrisons
    if what == "upgrade" and not state.cards(seat)["strategic_point"]:
        return refusal(
            clause,
            "Only Strategic Point makes a city of a garrison; it does not lie beside your colour.",
        )
    if what in ("city", "garrison"):
        if site.kind != what:
            return refused(clause, WRONG_KIND[what], site=here)
        if built >> number & 1:
            return refusal(clause, "{site} is built on already.", site=here)
    elif not built >> number & 1 or (what == "upgrade" and state.cities >> number & 1):
        return refused(clause, WRONG_KIND[what], site=here)
    elif state.temples >> number & 1 and what == "temple":
        return refusal(clause, "{site} has a temple already.", site=here)
    if not state.joined(seat) >> number & 1:
        return refusal(clause, "{site} is not joined to Cuzco by your roads.", site=here)
    if what == "temple":
        return refusal(
            clause,
            "{site} is a garrison; only Religious Fervour lets a temple stand there.",
            site=here,
        )
    return refusal(clause, "{site} touches no conquered region.", site=here)


def check_terrace(state: State, seat: int, region: str) -> None:
    bit = 1 << state.board.region_index[region]
    if bit & state.board.suyus:
        raise refusal(
            "S5", "{region} is a suyu: it has no marker to bear a terrace.", region=region
        )
    if not bit & state.owned[seat]:
        raise refusal("D4", "The marker of {region} is not yours.", region=region)
    if bit & state.terraces:
        raise refusal(
            "D4", "The marker of {region} has 1 terrace, which is the most.", region=region
        )


def check_conquest(state: State, seat: int, region: str) -> int:
    """The number of a region that may be conquered."""
    number = state.board.region_index[region]
    bit = 1 << number
    if bit & state.board.suyus:
        raise refusal("S5", "{region} is a suyu: it is conquered from the start.", region=region)
    if bit & state.conquered:
        raise refusal("D5", "{region} is conquered already.", region=region)
    if not bit & touched(state.board, state.joined(seat)):
        raise refusal(
            "D5", "No site that your roads join to Cuzco touches {region}.", region=region
        )
    if not bit & state.up:
        raise refusal("D5", "The marker of {region} is face down.", region=region)
    return number


def check_labour(state: State, seat: int, clause: str, cost: int) -> None:
    if state.labour[seat] < cost:
        raise refusal(
            clause,
            "This costs {cost} labour; you have {labour}.",
            cost=cost,
            labour=state.labour[seat],
        )
