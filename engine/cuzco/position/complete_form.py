"""A complete position, as `load` has checked and stored it, made into a state without a check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.game import amend
from engine.cuzco.board import Board, Temple
from engine.cuzco.edition import Edition
from engine.cuzco.state import Festival, State, Stock, Supply, Turn, fresh
from engine.kit.editions import played_by


def build(edition: Edition, form: Mapping[str, Any]) -> State:
    """The state of a stored position, which names everything in this edition's words."""
    words, last = edition.words, form["last"]
    empty = fresh(edition, form["seats"], played_by(edition.options, form["options"]))
    return amend(
        empty,
        board=board(edition, form),
        incas=tuple(map(edition.layout.mask, form[words["incas"]])),
        hands=tuple(map(tuple, form["hands"])),
        open=form["open"],
        discard=tuple(form["discard"]),
        pile=tuple(form["pile"]),
        scores=tuple(form["scores"]),
        stocks=tuple(Stock(**known(edition, stock)) for stock in form["stock"]),
        supply=supply(edition, form["supply"]),
        turn=Turn(**form["turn"], changed=edition.layout.mask(changed(edition, form))),
        opened_by=last["opened_by"],
        scored=tuple(last["scored"]),
        festival=festival(form["festival"]),
    )


def board(edition: Edition, form: Mapping[str, Any]) -> Board:
    layout, disc = edition.layout, edition.words["disc"]
    kinds = known_words(edition)
    built = Board.bare(layout)
    for tile, *names in form["tiles"]:
        built = built.with_tile(layout.placements[kinds.get(tile, tile), tuple(names)])
    for name in form["basins"]:
        built = built.with_basin(layout.index[name])
    given = form[edition.words["temples"]].items()
    temples = {layout.index[at]: Temple(temple["value"], temple[disc]) for at, temple in given}
    return amend(built, temples=temples)


def changed(edition: Edition, form: Mapping[str, Any]) -> list[str]:
    """The temples that changed their value in the running turn."""
    return [at for at, temple in form[edition.words["temples"]].items() if temple["changed"]]


def supply(edition: Edition, form: Mapping[str, Any]) -> Supply:
    floors = tuple(form[edition.words["floors"]].values())
    return Supply(form["triples"], form["basins"], floors)


def festival(form: Mapping[str, Any] | None) -> Festival | None:
    if form is None:
        return None
    return Festival(
        at=form["at"],
        proposer=form["proposer"],
        played=tuple(map(tuple, form["played"])),
        out=tuple(form["out"]),
        answered=tuple(form["answered"]),
        asked=form["asked"],
    )


def known(edition: Edition, form: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of an object in the words that the rules use."""
    kinds = known_words(edition)
    return {kinds.get(key, key): value for key, value in form.items()}


def known_words(edition: Edition) -> dict[str, str]:
    return {word: key for key, word in edition.words.items()}
