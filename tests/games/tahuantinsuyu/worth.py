"""What each suyu has within reach: `python -m tests.games.tahuantinsuyu.worth` puts the tables into docs/BALANCE.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.kit.masks import bits
from engine.tahuantinsuyu.printed_board import SEATS, Board, board
from tests.balance.report import markdown, write_section

NEAREST = 5  # sites of a kind that are told
ROADS = (1, 2, 3, 4, 6)  # beyond the starting road
HEAD = (
    "suyu",
    "roads to the nearest city sites (bonus)",
    "roads to the nearest garrison sites",
    *(f"within {n}: sites, slots, regions" for n in ROADS),
)


@dataclass(frozen=True)
class Worth:
    """What lies how many roads beyond the starting road of a suyu."""

    cities: tuple[tuple[int, int], ...]  # roads and temple bonus
    garrisons: tuple[int, ...]
    reach: tuple[tuple[int, int, int], ...]  # sites, slots and regions within some roads


def worth(layout: Board, colour: str) -> Worth:
    far = distances(layout, colour)
    cities = sorted((far[n], layout.sites[n].bonus) for n in bits(layout.kinds["city"]))
    garrisons = sorted(far[n] for n in bits(layout.kinds["garrison"]))
    reach = tuple(
        within(layout, {n for n, roads in far.items() if roads <= most}) for most in ROADS
    )
    return Worth(tuple(cities), tuple(garrisons), reach)


def distances(layout: Board, colour: str) -> dict[int, int]:
    """How many roads lie between the end of the starting road and each site, never back over Cuzco."""
    (_, start) = layout.edges[layout.exits[colour]].ends
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for number in bits(layout.at_site[here] & layout.slots):
            for site in layout.edges[number].ends:
                if site not in found and site != 0:
                    found[site] = found[here] + 1
                    edge.append(site)
    return found


def within(layout: Board, sites: set[int]) -> tuple[int, int, int]:
    slots = [n for n in bits(layout.slots) if set(layout.edges[n].ends) <= sites]
    regions = {n for site in sites for n in bits(layout.sites[site].regions & ~layout.suyus)}
    return len(sites), len(slots), len(regions)


def rows(layout: Board) -> Iterator[tuple[str, ...]]:
    for colour in layout.colours:
        has = worth(layout, colour)
        yield (
            colour,
            ", ".join(map(told, has.cities[:NEAREST])),
            ", ".join(map(str, has.garrisons[:NEAREST])),
            *(", ".join(map(str, reach)) for reach in has.reach),
        )


def told(city: tuple[int, int]) -> str:
    far, bonus = city
    return f"{far} (+{bonus})" if bonus else f"{far}"


def main() -> None:
    for players in SEATS:
        title = f"Tahuantinsuyu, what each suyu has, {players} players"
        table = markdown(HEAD, rows(board(players, 2)))
        write_section(
            title, f"## {title}\n\n`python -m tests.games.tahuantinsuyu.worth`\n\n{table}"
        )


if __name__ == "__main__":
    main()
