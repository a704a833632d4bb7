"""A complete position in the referee's form as a state: `load` has checked it, so nothing here refuses."""

from __future__ import annotations

from typing import Any

from engine.kit.editions import played_by
from engine.tahuantinsuyu.options import BOARD, OPTIONS
from engine.tahuantinsuyu.printed_board import Board, board, mask
from engine.tahuantinsuyu.state import State, Turn
from engine.tahuantinsuyu.text import orders

Form = dict[str, Any]


def build(form: Form) -> State:
    """The state of a form in which everything stands; one from before there were editions names none."""
    options = played_by(OPTIONS, form["options"])
    layout = board(form["seats"], options[BOARD])
    markers, seats = form["markers"], form["seats"]
    starts = (1 << layout.exits[colour] for colour in form["colours"])
    return State(
        board=layout,
        options=options,
        colours=tuple(form["colours"]),
        order=tuple(form["order"]),
        scores=tuple(form["scores"]),
        standing=tuple(form["standing"]),
        labour=tuple(form["labour"]),
        hands=tuple(map(tuple, form["hands"])),
        pile=tuple(form["pile"]),
        types=tuple(markers.get(region.id, {}).get("type") for region in layout.regions),
        spare=tuple(form["spare"]),
        roads=tuple(
            start | mask(layout.edge_index[one, other] for one, other in pairs)
            for start, pairs in zip(starts, form["roads"], strict=True)
        ),
        discard=tuple(form["discard"]),
        sun=tuple(tuple(form["sun"].get(sector, ())) for sector in layout.sectors),
        laid=tuple(laid(form["laid"].get(sector)) for sector in layout.sectors),
        up=regions(layout, markers, "up", True),
        owned=tuple(regions(layout, markers, "owner", seat) for seat in range(seats)),
        terraces=regions(layout, markers, "terrace", True),
        cities=sites(layout, form["buildings"], "kind", "city"),
        garrisons=sites(layout, form["buildings"], "kind", "garrison"),
        temples=sites(layout, form["buildings"], "temple", True),
        period=form["period"],
        step=form["step"],
        turn=turn(form["turn"]),
        pizarro=form["pizarro"],
        over=form["over"],
    )


def laid(card: Form | None) -> tuple[int, str] | None:
    return None if card is None else (card["seat"], card["card"])


def regions(layout: Board, markers: Form, part: str, value: Any) -> int:
    """The regions whose marker has that value in that part."""
    return mask(layout.region_index[name] for name, m in markers.items() if m[part] == value)


def sites(layout: Board, buildings: Form, part: str, value: Any) -> int:
    return mask(layout.site_index[name] for name, b in buildings.items() if b[part] == value)


def turn(form: Form) -> Turn:
    seat = form["seat"]
    return Turn(seat, tuple(orders.parse(seat, order) for order in form["done"]))
