"""The hall as plain text for mails: a map, and by name all that a player needs to order a turn from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from engine.core.sentence import Seat, Sentence, Speak, listed, say, seat_letter
from engine.inka.board import Ground
from engine.inka.picture.render import KINDS
from engine.inka.printed_board import (
    CELLS,
    COVER,
    DATA,
    DESTINATIONS,
    EDGES,
    INDEX,
    LOZENGES,
    MOVES,
    NAMES,
    PAIR_NAMES,
    POSES,
    SIDE_BITS,
    bits,
    mask,
)
from engine.inka.text.summary import summary
from engine.inka.view import View
from engine.inka.view import ground as hall

COLUMNS = 80
WIDE = 3  # characters for a cell
MARGIN = 6  # for the name of a row's first cell
LONGEST = 4 * DATA["side"] - 1  # cells in the longest row
GROUND = {"chasm": ". ", "floor": "__", "start_exit": "EX", "secret_passage": "()", "lozenge": "<>"}
TOGETHER = "\u00a0"  # a space at which no line is broken


def chart(view: View, speak: Speak) -> str:
    """The hall in lines of 80 columns or less, for a reader who has nothing else."""
    ground = hall(view)
    blocks = [
        board(view, ground),
        paragraphs(speak, legend()),
        paragraphs(speak, facts(view)),
        paragraphs(speak, pawns(view, ground)),
        paragraphs(speak, lozenges(view)),
        paragraphs(speak, moves(view, ground)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def paragraphs(speak: Speak, sentences: Iterable[Sentence]) -> list[str]:
    """Each sentence in lines of its own, the rest of a long one indented."""
    return [
        line.replace(TOGETHER, " ")
        for sentence in sentences
        for line in wrap(speak(sentence), COLUMNS, subsequent_indent="   ", break_on_hyphens=False)
    ]


# The map


def board(view: View, ground: Ground) -> list[str]:
    """Row by row; between the names of its first and last cell, each cell has two characters and a mark."""
    rows: dict[int, list[int]] = {}
    for cell, data in enumerate(CELLS):
        rows.setdefault(data["row"], []).append(cell)
    return [line(view, ground, row) for row in rows.values()]


def line(view: View, ground: Ground, row: list[int]) -> str:
    first, last = NAMES[row[0]], NAMES[row[-1]]
    indent = WIDE * (LONGEST - len(row)) // 2
    cells = "".join(glyph(view, ground, cell) for cell in row)
    return f"{' ' * indent}{first:<{MARGIN}}{cells}{last}"


def glyph(view: View, ground: Ground, cell: int) -> str:
    """A cell: who stands on it, or the lozenge over it, or what is printed; ~ where a snake lies."""
    name, id_ = NAMES[cell], ground.halves.get(cell)
    snake = "~" if ground.snakes >> cell & 1 else " "
    if name in view.pawns:
        return f"*{seat_letter(view.pawns.index(name))}{snake}"
    if name in view.blockades:
        return f"x{seat_letter(view.blockades.index(name))}{snake}"
    return f"{short(id_) if id_ else GROUND[view.board.kinds[cell]]}{snake}"


def short(id_: str) -> str:
    """L05 as 05, D1 as it is."""
    return id_ if id_ in DESTINATIONS else id_[1:]


def legend() -> list[Sentence]:
    upper, lower = DATA["side"] - 1, DATA["side"]
    return [
        say(". chasm   __ floor   EX start and exit   () secret passage   <> lozenge symbol"),
        say("05 half of L05   D1 half of D1   ~ snake   *A pawn of A   xB blockade of B"),
        say(
            "Columns count from c0 on the left. Cells side by side are neighbours. In rows r0 to"
            " r{upper} an even column also touches the cell drawn below it, an odd one that above;"
            " from r{lower} on it is the other way round.",
            upper=upper,
            lower=lower,
        ),
    ]


# Whose turn it is and what everybody has


def facts(view: View) -> Iterator[Sentence]:
    if view.over:
        yield say("The match is over; won by {seats}.", seats=listed(map(Seat, view.winners)))
    for label, things in summary(view):
        yield say("{label}: {things}.", label=label, things=listed(things))


# The pawns


def pawns(view: View, ground: Ground) -> Iterator[Sentence]:
    """What surrounds each pawn, and where the one whose turn it is can walk."""
    for seat, name in enumerate(view.pawns):
        if name:
            beside = listed(neighbour(ground, *side) for side in SIDE_BITS[INDEX[name]])
            yield say(
                "Around {seat} on {cell}: {beside}.", seat=Seat(seat), cell=name, beside=beside
            )
    if view.phase == "turn" and not view.over:
        yield from walks(view, ground)


def neighbour(ground: Ground, there: int, side: int) -> Sentence:
    """A cell beside a pawn: what it is, or that a wall stands before it."""
    cell = NAMES[there]
    if ground.walls & side:
        return say("{cell} behind a wall", cell=cell)
    if (id_ := ground.halves.get(there)) is None:
        return say("{cell} {kind}", cell=cell, kind=KINDS[ground.board.kinds[there]])
    if ground.snakes >> there & 1:
        return say("{cell} on {lozenge} with a snake", cell=cell, lozenge=id_)
    return say("{cell} on {lozenge}", cell=cell, lozenge=id_)


def walks(view: View, ground: Ground) -> Iterator[Sentence]:
    seat, closed = view.turn.seat, standing(view)
    for cost, area in enumerate(ground.reach(INDEX[view.pawns[seat] or ""], view.turn.ap)):
        cells = " ".join(NAMES[cell] for cell in bits(area & ~closed))
        if cells:
            yield say(
                "{seat} can walk for {cost} AP to: {cells}.",
                seat=Seat(seat),
                cost=cost,
                cells=cells,
            )


def standing(view: View) -> int:
    return mask(name for name in (*view.pawns, *view.blockades) if name)


# The lozenges


def lozenges(view: View) -> Iterator[Sentence]:
    """Every lozenge with what is on it."""
    if view.drawn:
        yield say(
            "{lozenge}, in hand: {marks}.", lozenge=view.drawn, marks=listed(printed(view.drawn))
        )
    for id_, pair in view.lozenges.items():
        marks = [*lying(id_, pair), *statues(view, id_)]
        on = f"{pair[0]}{TOGETHER}{pair[1]}"
        if marks:
            yield say("{lozenge} on {cells}: {marks}.", lozenge=id_, cells=on, marks=listed(marks))
        else:
            yield say("{lozenge} on {cells}.", lozenge=id_, cells=on)


def printed(id_: str) -> list[Sentence]:
    """What a lozenge shows, in its own frame."""
    face = LOZENGES[id_]
    said = [
        say("wall on side {side} of h{half}", side=edge, half=EDGES[edge][0]) for edge in face.walls
    ]
    said += [say("snake on h{half}", half=half) for half in face.snakes]
    return said or [say("no walls, no snakes")]


def lying(id_: str, pair: tuple[str, str]) -> Iterator[Sentence]:
    """Its snakes by cell, its walls by the two cells that they part."""
    cells = (INDEX[pair[0]], INDEX[pair[1]])
    for half in LOZENGES[id_].snakes:
        yield say("snake on {cell}", cell=pair[half])
    for wall in LOZENGES[id_].walls:
        half, beyond = EDGES[wall]
        outside = POSES[cells].cell(beyond)
        if outside is None:
            yield say("wall between {cell} and the rim", cell=pair[half])
        else:
            yield say("wall between {cell} and {other}", cell=pair[half], other=NAMES[outside])


def statues(view: View, id_: str) -> list[Sentence]:
    if id_ not in DESTINATIONS:
        return []
    left = [seat for seat in range(view.seats) if id_ not in view.taken[seat]]
    return [say("statue of {seat}", seat=Seat(seat)) for seat in left] or [say("no statues left")]


def moves(view: View, ground: Ground) -> Iterator[Sentence]:
    """Where the path lozenges can go, while the one whose turn it is may still move them."""
    if view.phase != "turn" or view.over or view.turn.pawn or not view.turn.ap:
        return
    fixed = mask(name for name in view.blockades if name)
    yield say("Where path lozenges can go for 1 AP, the cells of h0 and h1:")
    for id_, place in ground.lying.items():
        if id_ in DESTINATIONS or COVER[place] & fixed:
            continue
        for how in MOVES:
            places = sorted(ground.destinations(how, id_, standing(view)))
            if places:
                cells = ", ".join(TOGETHER.join(PAIR_NAMES[there]) for there in places)
                yield say("{how} {lozenge}: {cells}.", how=how, lozenge=id_, cells=cells)
