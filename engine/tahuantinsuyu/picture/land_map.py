"""The land as text: every region where it lies, with what lies on it; north is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core.sentence import seat_letter
from engine.tahuantinsuyu.printed_board import Board, Region

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
COLUMNS, ROWS = 80, 34
CAPITAL = "<CUZCO>"
FURTHER = 6  # lines and columns by which a label gives way to another


def land_map(layout: Board, view: View) -> list[str]:
    """Two lines for each region: its name, and its marker below."""
    rows = [[" "] * COLUMNS for _ in range(ROWS)]
    capital = layout.sites[0]
    write(rows, (CAPITAL,), *scaled(layout, *capital.at))
    # From the middle outwards: near Cuzco least gives way.
    far = sorted(layout.regions, key=lambda region: abs(region.marker[0] - capital.at[0]))
    for region in far:
        write(rows, (region.id, mark(layout, view, region)), *scaled(layout, *region.marker))
    lines = ["".join(row).rstrip() for row in rows]
    return [line for n, line in enumerate(lines) if line or (any(lines[:n]) and any(lines[n:]))]


def scaled(layout: Board, x: float, y: float) -> tuple[int, int]:
    width, height = layout.canvas
    return round(x / width * COLUMNS), round(y / height * ROWS)


def mark(layout: Board, view: View, region: Region) -> str:
    """What lies on a region: =A= a suyu, ? face down, 2/3/3 its values, A2 of whom with its labour, ^ a terrace."""
    if region.colour:
        return f"={seat_letter(view.colours.index(region.colour))}="
    marker = view.markers[region.id]
    if marker.type is None:
        return "?"
    kind = layout.markers[marker.type]
    if marker.owner is None:
        return f"{kind.labour}/{kind.resistance}/{kind.points}"
    return f"{seat_letter(marker.owner)}{kind.labour}{'^' if marker.terrace else ''}"


def write(rows: list[list[str]], label: tuple[str, ...], column: int, row: int) -> None:
    """Writes a label around a place, or as near to it as there is room."""
    wide = max(map(len, label))
    for down, right in nearest():
        top, left = row + down, column + right - wide // 2
        left = min(max(left, 0), COLUMNS - wide)
        if not 0 <= top <= ROWS - len(label) or not free(rows, top, left, len(label), wide):
            continue
        for number, text in enumerate(label):
            start = left + (wide - len(text)) // 2
            rows[top + number][start : start + len(text)] = text
        return


def nearest() -> Iterator[tuple[int, int]]:
    steps = range(-FURTHER, FURTHER + 1)
    places = ((down, right) for down in steps for right in steps)
    return iter(sorted(places, key=lambda place: (3 * abs(place[0]) + abs(place[1]), place)))


def free(rows: list[list[str]], top: int, left: int, high: int, wide: int) -> bool:
    """Whether nothing is written there, nor right beside it."""
    return all(
        cell == " "
        for row in rows[top : top + high]
        for cell in row[max(0, left - 1) : left + wide + 1]
    )
