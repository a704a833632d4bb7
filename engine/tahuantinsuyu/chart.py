"""The table as plain text for mails: lists in lines of 80 columns or less."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, say, seat_letter
from engine.tahuantinsuyu.board import Board, board
from engine.tahuantinsuyu.parts import effects
from engine.tahuantinsuyu.words import CARDS, COLOURS, ERAS, PHASES, place

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View

COLUMNS = 80
TOGETHER = "\u00a0"  # a space at which no line is broken


def chart(view: View, speak: Speak) -> str:
    """The table for a reader who has nothing else: first what matters to the viewer."""
    layout, seat = board(view.seats), viewer(view)
    blocks = [
        [*now(layout, view, speak), *players(view, speak)],
        sun(view, speak),
        network(layout, view, seat, speak),
        [*ways(layout, view, speak), *signs(seat, speak)],
        buildings(layout, view, speak),
        markers(layout, view, speak),
        conquered(layout, view, speak),
        others(view, seat, speak),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def viewer(view: View) -> int | None:
    """Whose network is told in full: the viewer's, or for a spectator that of who is asked."""
    return view.turn.seat if view.seat is None else view.seat


# Where the match stands


def now(layout: Board, view: View, speak: Speak) -> list[str]:
    if view.over:
        winner = Seat(view.winners[0])
        return paragraph(speak(say("The match is over; won by {seat}.", seat=winner)))
    column = layout.periods[view.period]
    values = {
        "era": ERAS[column.era],
        "phase": PHASES[column.phases[view.step]],
        "step": view.step + 1,
        "all": len(column.phases),
    }
    if not view.to_act:  # between two events of one order, as the history shows it
        return paragraph(speak(say("{era}, {phase}, {step} of {all}.", **values)))
    asked = Seat(view.to_act[0])
    told = say("{era}, {phase}, {step} of {all}: {seat} is asked.", **values, seat=asked)
    return paragraph(speak(told))


def players(view: View, speak: Speak) -> list[str]:
    """Everybody in order of play."""
    lines = []
    for tile, seat in enumerate(view.order, 1):
        told = say(
            "{tile}. {seat} ({colour}): {points} VP, labour {labour}, roads {roads}, cards {cards}",
            tile=tile,
            seat=Seat(seat),
            colour=COLOURS[view.colours[seat]],
            points=view.scores[seat],
            labour=view.labour[seat],
            roads=len(view.roads[seat]) + 1,
            cards=view.hand_sizes[seat],
        )
        lines += paragraph(speak(told))
    leaders = listing(map(seat_letter, view.standing))
    return [*lines, *paragraph(speak(say("Standing, first to last: {seats}", seats=leaders)))]


def sun(view: View, speak: Speak) -> list[str]:
    """The sun cards in force, and which lie face down."""
    lines = []
    for sector, cards in view.sun.items():
        things = [f"{speak(CARDS[card])}{TOGETHER}[{card}]" for card in cards]
        if laid := view.laid.get(sector):
            by = Seat(laid.seat)
            own = laid.card and say("{card}, face down, by {seat}", card=CARDS[laid.card], seat=by)
            things.append(speak(own or say("face down, by {seat}", seat=by)))
        lines += headed(say("Sun: {sector}", sector=sector), things, speak)
    seat = viewer(view)
    if seat is not None:
        changes = [speak(effect) for effect in effects(view.cards[seat], view.cards[seat])]
        if changes:
            told = say("For {seat}", seat=Seat(seat))
            lines += headed(told, ["; ".join(changes)], speak)
    if view.hand is not None:
        hand = [f"{speak(CARDS[card])}{TOGETHER}[{card}]" for card in view.hand]
        lines += headed(say("Your sun cards"), hand, speak)
    return lines


# Roads


def network(layout: Board, view: View, seat: int | None, speak: Speak) -> list[str]:
    """The sites that the viewer's roads join, and the roads that are cut off."""
    if seat is None:
        return []
    joined = set(view.joined[seat])
    sites = [
        named(layout, site) + sign(layout, view, site, TOGETHER)
        for site in view.joined[seat]
        if site != "cuzco"
    ]
    lines = headed(say("Joined to Cuzco by {seat}", seat=Seat(seat)), sites, speak)
    cut = [f"{a}-{b}" for a, b in view.roads[seat] if a not in joined]
    return lines + (headed(say("Roads cut off"), cut, speak) if cut else [])


def ways(layout: Board, view: View, speak: Speak) -> list[str]:
    """Where whoever plays a People turn could lay a plain road, each with its region."""
    if not view.ways:
        return []
    seat = view.turn.seat or 0
    found = [way(layout, view, pair) for pair in view.ways]
    return headed(say("Free slots in reach of {seat}", seat=Seat(seat)), found, speak)


def way(layout: Board, view: View, pair: tuple[str, str]) -> str:
    """A slot with the signs of its sites and its region."""
    a, b = (f"{site}{sign(layout, view, site, ':')}" for site in pair)
    (region,) = layout.named_regions(layout.edges[layout.edge_index[pair]].regions)
    return f"{a}-{b}{TOGETHER}({region})"


def sign(layout: Board, view: View, site: str, before: str) -> str:
    """What a site is for, as the board letters it, and whether something stands there."""
    one = layout.sites[layout.site_index[site]]
    letter = {"city": f"C{one.bonus or ''}", "garrison": "G"}.get(one.kind)
    return "" if letter is None else f"{before}{letter}{'*' if site in view.buildings else ''}"


def signs(seat: int | None, speak: Speak) -> list[str]:
    """What the signs of the sites above mean."""
    if seat is None:
        return []
    return paragraph(
        speak(
            say(
                "C: city site (C2: renowned, temple bonus 2); G: garrison site;"
                " *: something stands there"
            )
        )
    )


def others(view: View, seat: int | None, speak: Speak) -> list[str]:
    lines = []
    for other in range(view.seats):
        if other != seat:
            pairs = [f"{a}-{b}" for a, b in view.roads[other]]
            lines += headed(say("Roads of {seat}", seat=Seat(other)), pairs, speak)
    return lines


# The land


def buildings(layout: Board, view: View, speak: Speak) -> list[str]:
    found = [
        f"{named(layout, site)}{TOGETHER}{speak(KINDS[built.kind, built.temple])}"
        for site, built in view.buildings.items()
    ]
    return headed(say("Buildings"), found, speak) if found else []


KINDS = {
    ("city", False): say("city"),
    ("city", True): say("city with temple"),
    ("garrison", False): say("garrison"),
    ("garrison", True): say("garrison with temple"),
}


def markers(layout: Board, view: View, speak: Speak) -> list[str]:
    """The regions that could be conquered, with what they are worth."""
    found = []
    for region, marker in view.markers.items():
        if marker.type is not None and marker.owner is None:
            kind = layout.markers[marker.type]
            found.append(f"{region}{TOGETHER}{kind.labour}/{kind.resistance}/{kind.points}")
    hidden = sum(marker.type is None for marker in view.markers.values())
    lines = headed(say("Turned up (labour/resistance/VP)"), found, speak)
    return [*lines, *paragraph(speak(say("Markers face down: {count}", count=hidden)))]


def conquered(layout: Board, view: View, speak: Speak) -> list[str]:
    lines = []
    for seat in range(view.seats):
        found = []
        for region, marker in view.markers.items():
            if marker.owner == seat:
                steps = f"{TOGETHER}{speak(say('with terrace'))}" if marker.terrace else ""
                found.append(f"{region}{TOGETHER}{layout.markers[str(marker.type)].labour}{steps}")
        if found:
            lines += headed(say("Regions of {seat}, with labour", seat=Seat(seat)), found, speak)
    return lines


# Words


def named(layout: Board, site: str) -> str:
    """A site with its name, never broken."""
    name = layout.sites[layout.site_index[site]].name
    return place(site, name).replace(" ", TOGETHER)


def headed(label: Sentence, things: Iterable[str], speak: Speak) -> list[str]:
    """A label and what it stands for."""
    told = speak(say("{label}: {things}", label=speak(label), things=listing(things)))
    return paragraph(told)


def listing(things: Iterable[str]) -> str:
    return ", ".join(things) or "-"


def paragraph(text: str) -> list[str]:
    """A long line broken, its rest indented."""
    lines = wrap(text, COLUMNS, subsequent_indent="   ", break_on_hyphens=False)
    return [line.replace(TOGETHER, " ") for line in lines]
