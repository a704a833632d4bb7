"""The table as plain text for mails: a map of two characters a hex, and what they cannot tell."""

from __future__ import annotations

from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.core.sentence import Sentence, Speak, say, seat_letter
from engine.cuzco.edition import Edition
from engine.cuzco.hexes import bits, row_and_column
from engine.cuzco.picture.terrain import Terrain, survey
from engine.cuzco.picture.wording import GROUND, building, kind_of_land, letters
from engine.cuzco.text.names import briefly

if TYPE_CHECKING:
    from engine.cuzco.view import FestivalView, View
COLUMNS = 80
LAND = {"village": "^", "crop": '"'}
TOGETHER = "\u00a0"  # a space at which no line is broken


def chart(edition: Edition, view: View, speak: Speak) -> str:
    """The table in lines of 80 columns or less, for a reader who has nothing else."""
    land = survey(edition.layout, view)
    initial = speak(edition.spoken["temple"])[0].upper()  # the letter of temples on the map
    blocks = [
        board(edition, view, land, initial),
        legend(edition, speak, initial),
        *(
            [line for said in told for line in paragraph(speak(said))]
            for told in (
                status(edition, view, speak),
                players(edition, view, land, speak),
                temples(edition, view, land),
            )
        ),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


# The map


def board(edition: Edition, view: View, land: Terrain, initial: str) -> list[str]:
    """The map with its rulers; the column of a hex is that of its first character."""
    layout = edition.layout
    cells = dict(ground(edition)) | {layout.index[name]: "~~" for name in view.basins}
    for place in land.levels:
        cells[place] = cell(view, land, place, initial)
    columns = {place: row_and_column(place)[1] for place in cells}
    width = 1 + max(columns.values())
    rows: dict[str, list[str]] = {}
    for place in sorted(cells):
        line = rows.setdefault(layout.names[place][0], [" "] * (width + 1))
        line[columns[place] : columns[place] + 2] = cells[place]
    tens = "  " + "".join(f"{column // 10:<10}" for column in range(0, width, 10)).rstrip()
    ones = "  " + "".join(str(column % 10) for column in range(width))
    return [
        tens,
        ones,
        *(f"{letter} {''.join(row)}".rstrip() for letter, row in rows.items()),
        ones,
    ]


@cache
def ground(edition: Edition) -> tuple[tuple[int, str], ...]:
    """What is printed on the board, by place."""
    layout = edition.layout
    marks = ((layout.site, ". "), (layout.mountain, "/\\"), (layout.forest, "%%"))
    return tuple((place, mark) for mask, mark in marks for place in bits(mask))


def cell(view: View, land: Terrain, place: int, initial: str) -> str:
    """A covered hex: who or what is on it, then its level; for a temple, its value."""
    temple = view.temples.get(land.layout.names[place])
    if temple:
        return ("*" if temple.disc else initial) + (
            "X" if temple.value == 10 else str(temple.value)
        )
    kind, level = land.kind(place), land.levels[place]
    height = str(level) if level < 10 else "+"
    if place not in land.seats:
        return LAND[kind] + height
    letter = seat_letter(land.seats[place])
    return (letter if kind == "village" else letter.lower()) + height


def legend(edition: Edition, speak: Speak, initial: str) -> list[str]:
    """What the signs on the map mean, as many to a line as fit."""
    word = edition.spoken
    village, crop = GROUND["village"], word["crop"]
    signs = (
        ("^2", say("{land} at level {level}", land=village, level=2)),
        ('"1', say("{land} at level {level}", land=crop, level=1)),
        (". ", GROUND["bare"]),
        ("~~", GROUND["basin"]),
        ("A2", say("{inca} of {seat} in a village at level 2", inca=word["inca"], seat="A")),
        ("a2", say("the same on a {crop}", crop=crop)),
        (f"{initial}4", say("{temple} of {value}", temple=word["temple"], value=4)),
        ("*4", say("the same, {disc}", disc=word["disc"])),
        (f"{initial}X, *X", say("of 10")),
        ("/\\", say("mountain: 2 AP to enter or leave beside it")),
        ("%%", say("{forest}: 1 AP", forest=word["forest"])),
    )
    items = [together(f"{sign} {speak(said)}") for sign, said in signs]
    return paragraph("   ".join(items), indent="")


# What the map cannot tell


def status(edition: Edition, view: View, speak: Speak) -> list[Sentence]:
    """Whose turn it is and what lies beside the board."""
    supply = view.supply
    pieces = ", ".join(together(f"{value} ({count})") for value, count in supply.floors.items())
    return [
        asked(view, speak),
        say("Open card: {card}.", card=briefly(view.open))
        if view.open
        else say("No card lies open."),
        say("Cards in the pile: {count}.", count=view.pile_size),
        say(
            "Supply: triples {triples}, basins {basins}.",
            triples=supply.triples,
            basins=supply.basins,
        ),
        say(
            "Pieces left by {temple} value: {pieces}.",
            temple=edition.spoken["temple"],
            pieces=pieces,
        ),
    ]


def asked(view: View, speak: Speak) -> Sentence:
    if view.over:
        return say("The match is over; won by {winners}.", winners=letters(view.winners))
    if view.festival:
        return festival(view.festival, letters(view.to_act), speak)
    turn = view.turn
    return say(
        "{seats} to play: {ap} AP left, {laid}, cards drawn: {drawn}.",
        seats=letters(view.to_act),
        ap=turn.ap,
        laid=say("a tile is laid") if turn.laid else say("no tile laid yet"),
        drawn=turn.drawn,
    )


def festival(feast: FestivalView, who: str, speak: Speak) -> Sentence:
    totals = ", ".join(
        together(speak(total(seat_letter(seat), points, out=seat in feast.out)))
        for seat, points in enumerate(feast.totals)
        if seat in feast.present or seat in feast.out
    )
    return say(
        "Festival on {hex}, {seats} to answer. FP so far: {totals}.",
        hex=feast.at,
        seats=who,
        totals=totals,
    )


def total(seat: str, points: int, *, out: bool) -> Sentence:
    if out:
        return say("{seat} {points} (out)", seat=seat, points=points)
    return say("{seat} {points}", seat=seat, points=points)


def players(edition: Edition, view: View, land: Terrain, speak: Speak) -> list[Sentence]:
    """Each player's points, pieces and places."""
    return [
        say(
            "{seat}: {points} PP; cards {cards}, tokens {tokens}, doubles {doubles},"
            " {crops} {single_crops}, villages {villages}; {incas}: {standing}.",
            seat=seat_letter(seat),
            points=view.scores[seat],
            cards=view.hand_sizes[seat],
            tokens=stock.tokens,
            doubles=stock.doubles,
            crops=edition.spoken["crops"],
            single_crops=stock.crops,
            villages=stock.villages,
            incas=edition.spoken["incas"],
            standing=standing(edition, land, view.incas[seat], speak) or say("none"),
        )
        for seat, stock in enumerate(view.stock)
    ]


def standing(edition: Edition, land: Terrain, names: tuple[str, ...], speak: Speak) -> str:
    """Where somebody's Incas stand: hex, kind of land, level."""
    places = [(name, land.layout.index[name]) for name in names]
    return ", ".join(
        together(f"{name} {speak(kind_of_land(edition, land.kind(at)))} {land.levels[at]}")
        for name, at in places
    )


def temples(edition: Edition, view: View, land: Terrain) -> list[Sentence]:
    """Each temple with its city: how big it is and who stands highest in it."""
    return [
        say(
            "{hex}: {what}; city size {size}; highest: {leader}.",
            hex=name,
            what=building(edition, temple),
            size=land.city(name).bit_count(),
            leader=leader(land.highest(land.city(name))),
        )
        for name, temple in view.temples.items()
    ]


def leader(best: tuple[int, ...]) -> Sentence | str:
    if not best:
        return say("nobody")
    return letters(best) if len(best) == 1 else say("{seats} (a tie)", seats=letters(best))


def together(text: str) -> str:
    """Words that stand on one line."""
    return text.replace(" ", TOGETHER)


def paragraph(text: str, indent: str = "   ") -> list[str]:
    """A long line broken, its rest indented."""
    return [line.replace(TOGETHER, " ") for line in wrap(text, COLUMNS, subsequent_indent=indent)]
