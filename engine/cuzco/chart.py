"""The table as plain text for mails: a map of two characters a hex, and what they cannot tell."""

from __future__ import annotations

from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.core.sentence import Speak, seat_letter
from engine.cuzco.edition import Edition
from engine.cuzco.hexes import bits, row_and_column
from engine.cuzco.terrain import Terrain, survey

if TYPE_CHECKING:
    from engine.cuzco.view import FestivalView, View

COLUMNS = 80
LAND = {"village": "^", "crop": '"'}
TOGETHER = "\u00a0"  # a space at which no line is broken


def chart(edition: Edition, view: View, speak: Speak) -> str:  # noqa: ARG001 - soon
    """The table in lines of 80 columns or less, for a reader who has nothing else."""
    land = survey(edition.layout, view)
    blocks = [
        board(edition, view, land),
        legend(edition),
        status(edition, view),
        players(edition, view, land),
        temples(edition, view, land),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


# The map


def board(edition: Edition, view: View, land: Terrain) -> list[str]:
    """The map with its rulers; the column of a hex is that of its first character."""
    layout = edition.layout
    cells = dict(ground(edition)) | {layout.index[name]: "~~" for name in view.basins}
    for place in land.levels:
        cells[place] = cell(view, land, place, initial(edition))
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


def initial(edition: Edition) -> str:
    """The letter of temples on the map."""
    return str(edition.spoken["temple"])[0].upper()


def legend(edition: Edition) -> list[str]:
    word = {key: str(value) for key, value in edition.spoken.items()}
    big = initial(edition)
    return [
        f'^2 village at level 2   "1 {word["crop"]} at level 1   .  bare   ~~ basin',
        f"A2 {word['inca']} of A in a village at level 2; in small, a2: on a {word['crop']}",
        f"{big}4 {word['temple']} of 4   *4 the same, {word['disc']}   {big}X, *X of 10",
        f"/\\ mountain: 2 AP to enter or leave beside it   %% {word['forest']}: 1 AP",
    ]


# What the map cannot tell


def status(edition: Edition, view: View) -> list[str]:
    """Whose turn it is and what lies beside the board."""
    floors = ", ".join(f"{value}{TOGETHER}({count})" for value, count in view.supply.floors.items())
    return [
        *paragraph(asked(view)),
        f"Open card: {view.open or 'none'}. Cards in the pile: {view.pile_size}.",
        *paragraph(
            f"Supply: triples {view.supply.triples}, basins {view.supply.basins},"
            f" {edition.words['floors']} {floors}."
        ),
    ]


def asked(view: View) -> str:
    if view.over:
        return f"The match is over; won by {letters(view.winners)}."
    if view.festival:
        return festival(view.festival, letters(view.to_act))
    turn = view.turn
    laid = "a tile is laid" if turn.laid else "no tile laid yet"
    return f"{letters(view.to_act)} to play: {turn.ap} AP left, {laid}, cards drawn: {turn.drawn}."


def festival(feast: FestivalView, who: str) -> str:
    totals = ", ".join(
        f"{seat_letter(seat)}{TOGETHER}{total}{f'{TOGETHER}(out)' if seat in feast.out else ''}"
        for seat, total in enumerate(feast.totals)
        if seat in feast.present or seat in feast.out
    )
    return f"Festival on {feast.at}, {who} to answer. FP so far: {totals}."


def players(edition: Edition, view: View, land: Terrain) -> list[str]:
    """Each player's points, pieces and places."""
    inca, crop = edition.spoken["inca"], edition.spoken["crop"]
    lines = []
    for seat, stock in enumerate(view.stock):
        standing = ", ".join(standpoint(edition, land, name) for name in view.incas[seat])
        lines += paragraph(
            f"{seat_letter(seat)}: {view.scores[seat]} PP; cards {view.hand_sizes[seat]},"
            f" tokens {stock.tokens}, doubles {stock.doubles}, {crop}s {stock.crops},"
            f" villages {stock.villages}; {inca}s: {standing or 'none'}."
        )
    return lines


def standpoint(edition: Edition, land: Terrain, name: str) -> str:
    place = land.layout.index[name]
    kind = land.kind(place)
    return TOGETHER.join((name, edition.words.get(kind, kind), str(land.levels[place])))


def temples(edition: Edition, view: View, land: Terrain) -> list[str]:
    """Each temple with its city: how big it is and who stands highest in it."""
    lines = []
    for name, temple in view.temples.items():
        city = land.city(name)
        best = land.highest(city)
        leader = letters(best) or "nobody"
        tie = " (a tie)" if len(best) > 1 else ""
        disc = f", {edition.spoken['disc']}" if temple.disc else ""
        lines.append(
            f"{name}: {edition.spoken['temple']} of {temple.value}{disc}; city size"
            f" {city.bit_count()}; highest {leader}{tie}."
        )
    return lines


def letters(seats: tuple[int, ...]) -> str:
    return ", ".join(map(seat_letter, seats))


def paragraph(text: str) -> list[str]:
    """A long line broken, its rest indented."""
    return [line.replace(TOGETHER, " ") for line in wrap(text, COLUMNS, subsequent_indent="   ")]
