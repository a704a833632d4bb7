"""The table as plain text for mails: a map, and lists in lines of 80 columns or less."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, say, seat_letter
from engine.tahuantinsuyu.picture.land_map import land_map
from engine.tahuantinsuyu.printed_board import Board, Region
from engine.tahuantinsuyu.text.ledgers import told_periods
from engine.tahuantinsuyu.text.names import CARDS, COLOURS, ERAS, PHASES, name_card, place
from engine.tahuantinsuyu.text.parts import effects

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
COLUMNS = 80
TOGETHER = "\u00a0"  # a space at which no line is broken


def chart(view: View, speak: Speak) -> str:
    """The table for a reader who has nothing else: first what matters to the viewer."""
    layout, seat = view.board, viewer(view)
    blocks = [
        [*now(layout, view, speak), *players(view, speak)],
        sun(view, speak),
        [*land_map(layout, view), "", *legend(speak)],
        network(layout, view, seat, speak),
        [*ways(layout, view, speak), *signs(seat, speak)],
        buildings(layout, view, speak),
        markers(layout, view, speak),
        conquered(layout, view, speak),
        lands(layout, view, speak),
        others(view, seat, speak),
        periods(view, speak),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def viewer(view: View) -> int | None:
    """Whose network is told in full: the viewer's, or for a spectator that of who is asked."""
    return view.turn.seat if view.seat is None else view.seat


def legend(speak: Speak) -> list[str]:
    """What the signs of the map mean."""
    return paragraph(
        speak(
            say(
                "The land, north on the left. =A=: suyu of A; 2/3/3: labour, resistance and VP of a marker;"
                " ?: face down; A2: conquered by A, labour 2; ^: with a terrace"
            )
        )
    )


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
            own = laid.card and say(
                "{card}, face down, by {seat}", card=name_card(laid.card), seat=by
            )
            things.append(speak(own or say("face down, by {seat}", seat=by)))
        lines += headed(say("Sun: {sector}", sector=sector), things, speak)
    seat = viewer(view)
    if seat is not None:
        changes = [speak(effect) for effect in effects(view.cards[seat], view.cards[seat])]
        if changes:
            told = say("For {seat}", seat=Seat(seat))
            lines += headed(told, ["; ".join(changes)], speak)
    if view.hand is not None:
        hand = [f"{speak(name_card(card))}{TOGETHER}[{card}]" for card in view.hand]
        lines += headed(say("Your sun cards"), hand, speak)
    return lines


def periods(view: View, speak: Speak) -> list[str]:
    """The period table, a paragraph for each column."""
    lines = paragraph(speak(say("Periods, with labour and phases; ▶: now")))
    for name, labour, phases in told_periods(view):
        lines += headed(name, [f"{labour}; {speak(phases)}"], speak)
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


def lands(layout: Board, view: View, speak: Speak) -> list[str]:
    """The land in words, region by region: whose it is, what it borders on, and its sites with who has roads there."""
    known = [
        region
        for region in layout.regions
        if region.colour or ((marker := view.markers.get(region.id)) and marker.type)
    ]
    told = say("Region by region; in brackets behind a site, whose roads lead there:")
    lines = paragraph(speak(told))
    for region in known:
        told = say(
            "{region}: {state}. Beside {neighbours}. Sites: {sites}",
            region=region.id,
            state=held(layout, view, region),
            neighbours=listing(layout.named_regions(region.neighbours)),
            sites=listing(reached(layout, view, region)),
        )
        lines += paragraph(speak(told))
    return lines


def held(layout: Board, view: View, region: Region) -> Sentence:
    """Whose a region is, or what it would take to conquer it."""
    if region.colour:
        owner = next((s for s, c in enumerate(view.colours) if c == region.colour), None)
        return say("suyu") if owner is None else say("suyu of {seat}", seat=Seat(owner))
    marker = view.markers[region.id]
    kind = layout.markers[str(marker.type)]
    worth = {"labour": kind.labour, "resistance": kind.resistance, "points": kind.points}
    if marker.owner is None:
        return say("free, labour {labour}, resistance {resistance}, {points} VP", **worth)
    owned = {"seat": Seat(marker.owner), "labour": kind.labour}
    if marker.terrace:
        return say("conquered by {seat}, labour {labour}, with terrace", **owned)
    return say("conquered by {seat}, labour {labour}", **owned)


def reached(layout: Board, view: View, region: Region) -> list[str]:
    """The sites at a region, each with its sign and the seats whose roads lead there."""
    number = layout.region_index[region.id]
    found = []
    for site in layout.sites:
        if site.regions >> number & 1 and site.id != "cuzco":
            who = "".join(map(seat_letter, led_to(layout, view, site.id)))
            kind = sign(layout, view, site.id, TOGETHER)
            found.append(f"{site.id}{kind}" + (f"{TOGETHER}({who})" if who else ""))
    return found


def led_to(layout: Board, view: View, site: str) -> list[int]:
    """The seats whose roads lead to a site; each has one from Cuzco from the beginning."""
    return [
        seat
        for seat, colour in enumerate(view.colours)
        for pairs in ((layout.edges[layout.exits[colour]].pair, *view.roads[seat]),)
        if any(site in pair for pair in pairs)
    ]


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
