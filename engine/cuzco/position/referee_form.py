"""Positions in and out, in the referee's form. Reading refuses what could not stand on a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Any

from engine.core.codec import encode
from engine.core.sentence import brief
from engine.cuzco.board import Board, Temple
from engine.cuzco.edition import COPIES, INCAS, PRINTED_SUPPLY, VALUES, Edition
from engine.cuzco.events import PositionSet
from engine.cuzco.hexes import bit
from engine.cuzco.position.forms import Form
from engine.cuzco.state import TRIPLES, Festival, State, Stock, Supply, Turn, fresh
from engine.kit.forms import impossible


def read(edition: Edition, position: Any) -> State:
    """The state of a position; Unknown with a sentence where the position is impossible."""
    form = Form(edition, "position", position, POSITION_KEYS)
    seats = form.seats()
    state = fresh(edition, seats, form.options())
    board = read_board(edition, form)
    state = replace(
        state,
        board=board,
        incas=read_incas(edition, form, board, seats),
        hands=tuple(form.cards(hand, "hands") for hand in form.rows("hands", seats, list)),
        open=form.card_or_none("open"),
        discard=form.cards(form.get("discard", []), "discard"),
        scores=tuple(form.whole(n, "scores") for n in form.rows("scores", seats, int)),
        stocks=tuple(read_stock(edition, s) for s in form.rows("stock", seats, dict)),
        supply=read_supply(edition, form.get("supply", {})),
        opened_by=None,
    )
    state = read_last(edition, state, form.get("last", {}))
    state = read_festival(edition, state, form.get("festival"))
    state = read_turn(edition, state, form)
    return read_pile(edition, state, form.get("pile"))


POSITION_KEYS = [
    "seats",
    "options",
    "tiles",
    "basins",
    "temples",
    "incas",
    "hands",
    "open",
    "discard",
]
POSITION_KEYS += ["pile", "scores", "stock", "supply", "turn", "last", "festival"]


def read_board(edition: Edition, form: Form) -> Board:
    board = Board.bare(edition.layout)
    for tile in form.listed(form.get("tiles", []), "tiles"):
        board = add_tile(edition, form, board, tile)
    for name in form.listed(form.get("basins", []), "basins"):
        board = add_basin(edition, board, form.hex(name))
    if (board.basins & ~edition.layout.printed).bit_count() > PRINTED_SUPPLY:
        raise impossible(
            "There are at most {most} basins besides the printed ones.", most=PRINTED_SUPPLY
        )
    return add_temples(edition, form, board)


def add_tile(edition: Edition, form: Form, board: Board, tile: Any) -> Board:
    layout = edition.layout
    kind, *names = form.listed(tile, "tiles") or [None]
    kinds = {edition.words.get(key, key): key for key in layout.shapes}
    if not isinstance(kind, str) or kind not in kinds:
        raise impossible("There is no tile {kind}.", kind=brief(kind))
    hexes = [form.hex(name) for name in names]
    at = (*names[:1], *sorted(names[1:]))
    placement = layout.placements.get((kinds[kind], at))
    if placement is None:
        raise impossible("No {kind} tile can lie on {hexes}.", kind=kind, hexes=brief(names))
    if placement.mask & board.basins:
        raise impossible("A basin lies under the tile on {hexes}.", hexes=" ".join(names))
    if len({board.level(h) for h in hexes}) > 1:
        raise impossible(
            "The tile on {hexes} floats: its hexes are not level.", hexes=" ".join(names)
        )
    return board.with_tile(placement)


def add_basin(edition: Edition, board: Board, hex_: int) -> Board:
    layout, name = edition.layout, edition.layout.names[hex_]
    if not bit(hex_) & layout.site & ~layout.border:
        raise impossible("No basin may lie on {hex}, on the border or beyond.", hex=name)
    if bit(hex_) & board.terrain:
        raise impossible("The basin on {hex} lies on a tile.", hex=name)
    if bit(hex_) & board.basins:
        raise impossible("Two basins lie on {hex}.", hex=name)
    return board.with_basin(hex_)


def add_temples(edition: Edition, form: Form, board: Board) -> Board:
    given = form.get("temples", {})
    if not isinstance(given, dict):
        raise impossible("{temples} must be an object by hex.", temples=edition.words["temples"])
    for name, data in given.items():
        hex_ = form.hex(name)
        temple = Form(edition, "temple", data, TEMPLE_KEYS)
        value = temple.get("value")
        if type(value) is not int or value not in VALUES:
            raise impossible(
                "{hex} has the value {value}, not 2, 4, 6, 8 or 10.", hex=name, value=brief(value)
            )
        if not board.villages >> hex_ & 1:
            raise impossible("{hex} is no village hex, so nothing is built on it.", hex=name)
        temple.flag("changed")
        board = board.with_temple(hex_, Temple(value, temple.flag("disc")))
    for city in board.cities.values():
        if (city & board.temple_hexes).bit_count() > 1:
            names = " ".join(edition.layout.named(city & board.temple_hexes))
            raise impossible("One city holds two of them: {hexes}.", hexes=names)
    return board


TEMPLE_KEYS = ["value", "disc", "changed"]


def read_incas(edition: Edition, form: Form, board: Board, seats: int) -> tuple[int, ...]:
    masks, taken = [], 0
    for names in form.rows("incas", seats, list):
        mask = 0
        for hex_ in [form.hex(name) for name in form.listed(names, "incas")]:
            name = edition.layout.names[hex_]
            if taken >> hex_ & 1:
                raise impossible("Two stand on {hex}.", hex=name)
            if not board.terrain & ~board.temple_hexes & bit(hex_):
                raise impossible(
                    "Nobody can stand on {hex}: it bears no tile, or is built on.", hex=name
                )
            taken |= bit(hex_)
            mask |= bit(hex_)
        if mask.bit_count() > INCAS:
            raise impossible(
                "A player has {most} pieces at the most, not {count}.",
                most=INCAS,
                count=mask.bit_count(),
            )
        masks.append(mask)
    return tuple(masks)


def read_stock(edition: Edition, data: Any) -> Stock:
    full = Stock()
    form = Form(edition, "stock", data, ["tokens", "doubles", "crops", "villages"])
    return Stock(
        tokens=form.number("tokens", full.tokens),
        doubles=form.number("doubles", full.doubles),
        crops=form.number("crops", full.crops),
        villages=form.number("villages", full.villages),
    )


def read_supply(edition: Edition, data: Any) -> Supply:
    full = Supply(TRIPLES, PRINTED_SUPPLY, edition.floors)
    form = Form(edition, "supply", data, ["triples", "basins", "floors"])
    floors = Form(
        edition, edition.words["floors"], form.get("floors", {}), [str(v) for v in VALUES]
    )
    return Supply(
        triples=form.number("triples", full.triples),
        basins=form.number("basins", full.basins),
        floors=tuple(
            floors.number(str(v), count) for v, count in zip(VALUES, edition.floors, strict=True)
        ),
    )


def read_last(edition: Edition, state: State, data: Any) -> State:
    form = Form(edition, "last", data, ["opened_by", "scored"])
    opened = form.get("opened_by")
    if opened is not None:
        opened = form.seat(opened, "opened_by", state.seats)
    return replace(state, opened_by=opened, scored=form.some_seats("scored", state.seats))


def read_turn(edition: Edition, state: State, form: Form) -> State:
    turn = Form(edition, "turn", form.get("turn", {}), TURN_KEYS)
    default, proposer = Turn(), state.festival and state.festival.proposer
    seat = turn.seat(turn.get("seat", proposer or 0), "turn.seat", state.seats)
    if state.festival and seat != state.festival.proposer:
        raise impossible("During a festival the turn stays its proposer's.")
    if seat in state.scored and not state.over and state.festival is None:
        raise impossible("The turn is of a seat that has made its final scoring.")
    changed = (
        bit(edition.layout.index[name])
        for name, temple in form.get("temples", {}).items()
        if temple.get("changed", False)
    )
    return replace(
        state,
        turn=Turn(
            seat=seat,
            ap=turn.number("ap", default.ap),
            laid=turn.flag("laid"),
            drawn=turn.number("drawn", default.drawn),
            token=turn.flag("token"),
            idle=turn.number("idle", default.idle),
            changed=sum(changed),
        ),
    )


TURN_KEYS = ["seat", "ap", "laid", "drawn", "token", "idle"]


def read_festival(edition: Edition, state: State, data: Any) -> State:
    if data is None:
        return state
    form = Form(edition, "festival", data, ["at", "proposer", "played", "out", "asked", "answered"])
    hex_ = form.hex(form.get("at"))
    if hex_ not in state.board.temples or state.open is None:
        raise impossible(
            "A festival needs a city with its building at {hex}, and an open card.",
            hex=brief(form.get("at")),
        )
    proposer = form.seat(form.get("proposer"), "proposer", state.seats)
    played = tuple(form.cards(row, "played") for row in form.rows("played", state.seats, list))
    out = form.some_seats("out", state.seats)
    asked = form.seat(form.get("asked"), "asked", state.seats)
    city = state.board.cities[hex_]
    inside = [s for s in range(state.seats) if state.incas[s] & city and s not in out]
    if asked not in inside or not state.incas[proposer] & city:
        raise impossible("The proposer and the seat that is asked must take part in the festival.")
    answered = form.some_seats("answered", state.seats)
    if "answered" not in form.data and not state.edition.last_word:
        before = ((asked - step) % state.seats for step in range(1, state.seats))
        answered = tuple([seat for seat in before if seat in inside][:1])
    if asked in answered:
        raise impossible("The seat that is asked owes an answer, so it cannot have answered.")
    festival = Festival(edition.layout.names[hex_], proposer, played, out, answered, asked)
    return replace(state, festival=festival)


def read_pile(edition: Edition, state: State, pile: Any) -> State:
    """The pile as given, or the rest of the cards; no card more than five times in all places."""
    played = chain.from_iterable(state.festival.played) if state.festival else ()
    seen = Counter(
        [*chain.from_iterable(state.hands), *state.discard, *played]
        + ([state.open] if state.open else [])
    )
    if pile is None:
        rest = Counter(edition.deck)
        rest.subtract(seen)
        given: tuple[str, ...] = tuple(sorted(rest.elements()))
    else:
        given = Form(edition, "position", {}, []).cards(pile, "pile")
    for card, count in (seen + Counter(given)).items():
        if count > COPIES:
            raise impossible(
                "There are {copies} cards {card}, not {count}.",
                copies=COPIES,
                card=card,
                count=count,
            )
    return replace(state, pile=given)


def write(state: State) -> dict[str, Any]:
    """The whole state in the referee's form; reading it gives an equal state."""
    layout, words = state.edition.layout, state.edition.words
    added = state.board.basins & ~layout.printed
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "tiles": [
            [words.get(placed.tile, placed.tile), *placed.names] for placed in state.board.tiles
        ],
        "basins": list(layout.named(added)),
        words["temples"]: write_temples(state),
        words["incas"]: [list(layout.named(mask)) for mask in state.incas],
        "hands": encode(state.hands),
        "open": state.open,
        "discard": list(state.discard),
        "pile": list(state.pile),
        "scores": list(state.scores),
        "stock": [renamed(encode(stock), words) for stock in state.stocks],
        "supply": write_supply(state),
        "turn": {key: getattr(state.turn, key) for key in TURN_KEYS},
        "last": {"opened_by": state.opened_by, "scored": list(state.scored)},
        "festival": encode(state.festival) if state.festival else None,
    }


def write_temples(state: State) -> dict[str, Any]:
    names, disc = state.edition.layout.names, state.edition.words["disc"]
    found = {
        names[h]: {"value": t.value, disc: t.disc, "changed": bool(state.turn.changed >> h & 1)}
        for h, t in state.board.temples.items()
    }
    return dict(sorted(found.items()))


def write_supply(state: State) -> dict[str, Any]:
    supply = state.supply
    floors = {str(v): n for v, n in zip(VALUES, supply.floors, strict=True)}
    return {
        "triples": supply.triples,
        "basins": supply.basins,
        state.edition.words["floors"]: floors,
    }


def renamed(data: dict[str, Any], words: Any) -> dict[str, Any]:
    return {words.get(key, key): value for key, value in data.items()}


def load(edition: Edition, position: Any) -> PositionSet:
    """The event that sets up a position: its complete form, defaults filled in."""
    return PositionSet(write(read(edition, position)))
