"""What random matches of Cuzco and Java must never break."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.game import Game
from engine.core.match import Match, play, start_at
from engine.core.refusal import IllegalMove
from engine.core.registry import games
from engine.core.secrecy import redact
from engine.core.timeline import CORE_EVENTS
from engine.cuzco.events import FestivalEnded, PositionSet
from engine.cuzco.state import State
from tests.engine.matches import orders, walk, whole

TABLES = [(key, seats) for key in ("cuzco", "java") for seats in (2, 3, 4)]
every_table = pytest.mark.parametrize(("key", "seats"), TABLES)


@every_table
def test_no_piece_and_no_card_is_ever_lost(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 11), 0, None, 7):
        state: State = match.state
        assert cards(state) == Counter(state.edition.deck)
        assert tiles(state) == Counter(
            triple=56, double=5 * seats, crop=3 * seats, village=2 * seats
        )
        assert (
            state.board.basins & ~state.edition.layout.printed
        ).bit_count() + state.supply.basins == 16
        assert all(mask.bit_count() <= 12 for mask in state.incas)
        assert floors(state) == state.edition.floors


def cards(state: State) -> Counter[str]:
    played = chain.from_iterable(state.festival.played) if state.festival else ()
    beside = [state.open] if state.open else []
    return Counter(
        [*chain.from_iterable(state.hands), *state.discard, *state.pile, *played, *beside]
    )


def tiles(state: State) -> Counter[str]:
    found = Counter(placed.tile for placed in state.board.tiles)
    found["triple"] += state.supply.triples
    for stock in state.stocks:
        found += Counter(double=stock.doubles, crop=stock.crops, village=stock.villages)
    return found


def floors(state: State) -> tuple[int, ...]:
    """Those in the supply and those built; in Java only the pile of each palace's history is unknown."""
    if not state.edition.stacked:
        return state.edition.floors
    built = Counter(v for t in state.board.temples.values() for v in range(2, t.value + 1, 2))
    return tuple(left + built[2 * i] for i, left in enumerate(state.supply.floors, 1))


@every_table
def test_nobody_stands_where_nobody_can(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 12), 0, None, 7):
        board, incas = match.state.board, match.state.incas
        assert sum(mask.bit_count() for mask in incas) == match.state.all_incas.bit_count()
        assert not match.state.all_incas & ~(board.terrain & ~board.temple_hexes)
        assert all((city & board.temple_hexes).bit_count() == 1 for city in board.cities.values())
        assert match.state.turn.ap >= 0


@every_table
@pytest.mark.parametrize("seed", [0, 1])
def test_the_score_is_the_sum_of_the_scoring_events(key: str, seats: int, seed: int) -> None:
    match = whole(key, seats, seed)
    totals = [0] * seats
    for event in (entry.event for entry in match.log):
        for seat in scorers(event):
            totals[seat] += event.points
    assert tuple(totals) == match.state.scores


def scorers(event: Any) -> tuple[int, ...]:
    if isinstance(event, FestivalEnded):
        return event.hosts
    seat = getattr(event, "seat", None)
    return (seat,) if hasattr(event, "points") and seat is not None else ()


# Two worlds that differ only in what another seat holds


def other_world(state: State, seat: int | None, rng: Random) -> State:
    """The same table, but the hands of all seats but `seat` and the pile are dealt anew."""
    secret = [s for s in range(state.seats) if s != seat]
    unseen = sorted(chain(state.pile, *(state.hands[s] for s in secret)))
    rng.shuffle(unseen)
    hands = list(state.hands)
    for s in secret:
        hands[s] = tuple(sorted(unseen.pop() for _ in state.hands[s]))
    return replace(state, hands=tuple(hands), pile=tuple(sorted(unseen)))


def shown(game: Game, state: State, seat: int | None) -> list[Any]:
    """Everything that a viewer is given."""
    view = game.view(state, seat)
    legal = [] if seat is None else sorted(game.format(x) for x in game.legal(state, seat))
    return [
        view,
        game.show(view),
        game.render(view, str),
        game.chart(view, str),
        game.summary(view),
        legal,
    ]


@every_table
def test_two_worlds_look_alike_to_who_does_not_know(key: str, seats: int) -> None:
    rng = Random(seats)
    for match in islice(walk(key, seats, 13), 0, None, 60):
        for seat in (None, *range(seats)):
            other = other_world(match.state, seat, rng)
            assert shown(match.game, other, seat) == shown(match.game, match.state, seat)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(TABLES))
def test_two_worlds_tell_the_same_story_while_nothing_is_revealed(
    seed: int, table: tuple[str, int]
) -> None:
    key, seats = table
    rng = Random(seed)
    *_, here = islice(walk(key, seats, seed), rng.randrange(1, 150))
    watcher = rng.choice([None, *range(seats)])
    there = replace(here, state=other_world(here.state, watcher, rng))
    for _ in range(15):
        if here.over:
            return
        seat = here.game.to_act(here.state)[0]
        order = rng.choice(orders(here.game, here.state))
        try:
            one, two = play(here, seat, order), play(there, seat, order)
        except IllegalMove:
            return  # a bid with cards that the other world does not hold: its owner revealed something
        stories = [story(m, here.head, watcher) for m in (one, two)]
        if any("festival" in s or "turned" in s for s in stories[0]):
            return  # answers and open cards may differ: they are seen by all
        assert stories[0] == stories[1]
        here, there = one, two


def story(match: Match, since: int, seat: int | None) -> list[str]:
    told = [e.event for e in match.log if e.pos > since and not isinstance(e.event, CORE_EVENTS)]
    return [str(match.game.describe(redact(event, seat))) for event in told]


def test_a_refusal_tells_nothing_of_other_hands() -> None:
    """Whoever proposes with cards that are not his hears only of his own hand."""
    text = {
        "seats": 2,
        "hands": [["tumi"], ["kero", "kero"]],
        "open": "kero",
        "turn": {"laid": True},
    }
    board = {
        "tiles": [["double", "e14", "e16"], ["village", "e18"], ["village", "d15"]],
        "temples": {"e14": {"value": 2}},
        "incas": [["d15"], []],
    }
    match = start_at(games()["cuzco"], {**text, **board}, "seed")
    with pytest.raises(IllegalMove, match="You have 0 of kero, not 1"):
        play(match, 0, "festival e14 kero")


def test_a_given_position_is_sealed_until_the_end() -> None:
    assert redact(PositionSet({"seats": 2}), 0) == PositionSet(None)
