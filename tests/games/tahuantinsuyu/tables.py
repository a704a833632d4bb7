"""Tables for the tests of Tahuantinsuyu. Left to themselves A is orange, B green, C brown and D blue.

They stand on the first board unless told, whose sites the tests know by heart, and go by the mended rules. So A's
first road ends on s001, B's on s002, C's on s003 and D's on s004 (four players).
"""

from __future__ import annotations

from typing import Any

from engine.core.match import start, start_at
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.printed_board import board
from tests.games.table import Table

FOUR = board(4, 1)
A_AND_D, D_AND_C, C_AND_B, B_AND_A = FOUR.sectors
# From s001 along huanca to the city site Xauxa, s104.
TO_XAUXA = [["s001", "s061"], ["s061", "s104"]]


def table(seats: int = 4, seed: str = "seed", **parts: Any) -> Table:
    """A position of the first People phase, unless the parts say otherwise."""
    options = {"board": 1, **parts.pop("options", {})}
    return Table(start_at(GAME, {"seats": seats, "options": options, **parts}, seed))


def people(*cards: str, labour: int = 20, roads: Any = (), **parts: Any) -> Table:
    """A turn of A in the Early Empire, with these sun cards beside A and D, and A's roads."""
    given = {"period": 1, "step": 2, "labour": [labour], "roads": [list(roads)]}
    return table(**{**given, "sun": {A_AND_D: list(cards)}, **parts})


def sun(**parts: Any) -> Table:
    """The first Sun phase, with nothing laid yet."""
    hands = [["el_nino"], ["epidemic"], ["resistance"], ["wild_road"]]
    return table(**{"period": 1, "step": 1, "hands": hands, **parts})


def new(seats: int = 4, seed: str = "seed", **options: Any) -> Table:
    return Table(start(GAME, seats, {"board": 1, **options}, seed))


def owned(seat: int, *regions: str, **more: Any) -> dict[str, Any]:
    """Markers of a seat, all of the type farmers unless told."""
    return {region: {"type": "farmers", "owner": seat, **more} for region in regions}


def marker(table: Table, region: str) -> dict[str, Any]:
    found: dict[str, Any] = table.state["markers"][region]
    return found


def joined(table: Table, seat: int) -> set[str]:
    sites = table.match.state.joined(seat)
    return {site.id for n, site in enumerate(FOUR.sites) if sites >> n & 1}
