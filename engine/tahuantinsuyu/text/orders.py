"""Orders to actions and back."""

from __future__ import annotations

from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import Sentence, say
from engine.kit.orders import no_order, split
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.printed_board import DATA, PILGRIMAGES, SEATS, SECTORS, board
from engine.tahuantinsuyu.text.names import ACTIONS

# A board is not known yet when an order is read: the ids of all boards are words.
BOARDS = tuple(board(players, edition) for players in SEATS for edition in DATA)
SITES = frozenset(site.id for layout in BOARDS for site in layout.sites)
REGIONS = frozenset(region.id for layout in BOARDS for region in layout.regions)
CARDS = tuple(BOARDS[-1].cards)
# A sector may be named with its colours in either order; one of them is its name (N-U3).
ALL_SECTORS = {
    named: sector
    for players in SEATS
    for sector in SECTORS[players]
    for named in (sector, "-".join(reversed(sector.split("-"))))
}
EXAMPLE = "green-orange"  # a sector of every board
VERBS: dict[str, Sentence] = {
    "sun": say("lay a sun card face down: card, sector"),
    "road": say("road action: lay a road between two sites"),
    "wild": say("road action: lay a wild road between two sites"),
    "city": say("development: found a city on a city site (6 labour, 4 VP)"),
    "temple": say("development: build a temple on a city (5 labour, 4 VP and the site’s bonus)"),
    "garrison": say("development: build a garrison on a garrison site (4 labour, 3 VP)"),
    "upgrade": say("development: make a city of a garrison (4 labour, 4 VP)"),
    "terrace": say(
        "development: build a terrace on a marker of yours, by its region (2 labour, 1 VP)"
    ),
    "conquer": say("development: conquer a region (its resistance in labour, its VP)"),
    "buy road": say("development: buy one more road (1 labour)"),
    "buy wild": say("development: buy one more road, a wild one (1 labour)"),
    "pilgrimage": say("go on a pilgrimage instead of an action: kind, for roads or development"),
    "end": say("end the turn; what was not done is left out"),
}


def parse(seat: int, text: str) -> Any:
    """The action that an order asks for, whatever its spelling; refuses words that fit no order."""
    match split(text):
        case ["sun", card, sector]:
            return a.LayCard(seat, sector_name(sector), card_name(card))
        case ["road" | "wild" as kind, one, other]:
            return a.BuildRoad(seat, pair(one, other), kind == "wild", False)
        case ["buy", "road" | "wild" as kind, one, other]:
            return a.BuildRoad(seat, pair(one, other), kind == "wild", True)
        case ["city" | "temple" | "garrison" | "upgrade" as what, at]:
            return a.Build(seat, what, site_name(at))
        case ["terrace", region]:
            return a.BuildTerrace(seat, region_name(region))
        case ["conquer", region]:
            return a.Conquer(seat, region_name(region))
        case ["pilgrimage", kind, "for", action] if kind in PILGRIMAGES and action in ACTIONS:
            return a.GoOnPilgrimage(seat, kind, action)
        case ["end"]:
            return a.EndTurn(seat)
    raise no_order(text, VERBS)


def pair(one: str, other: str) -> tuple[str, str]:
    first, second = sorted((site_name(one), site_name(other)))
    return first, second


def site_name(word: str) -> str:
    if word in SITES:
        return word
    raise NotUnderstood(say("There is no site {site}.", site=repr(word[:20])))


def region_name(word: str) -> str:
    if word in REGIONS:
        return word
    raise NotUnderstood(say("There is no region {region}.", region=repr(word[:20])))


def card_name(word: str) -> str:
    if word in CARDS or word == UNSEEN:  # what hands hold that are forgotten
        return word
    raise NotUnderstood(
        say(
            "There is no card {card}; the cards are {cards}.",
            card=repr(word[:20]),
            cards=", ".join(CARDS),
        )
    )


def sector_name(word: str) -> str:
    if word in ALL_SECTORS:
        return ALL_SECTORS[word]
    raise NotUnderstood(
        say(
            "There is no sector {sector}; sectors are named like {example}.",
            sector=repr(word[:20]),
            example=EXAMPLE,
        )
    )


def write(action: Any) -> str:
    """The canonical text of an action."""
    match action:
        case a.BuildRoad(_, (one, other), wild, bought):
            return f"{'buy ' if bought else ''}{'wild' if wild else 'road'} {one} {other}"
        case a.LayCard(_, sector, card):
            return f"sun {card} {sector}"
        case a.Build(_, what, at):
            return f"{what} {at}"
        case a.BuildTerrace(_, region):
            return f"terrace {region}"
        case a.Conquer(_, region):
            return f"conquer {region}"
        case a.GoOnPilgrimage(_, kind, instead):
            return f"pilgrimage {kind} for {instead}"
    return "end"
