"""What random matches of Tahuantinsuyu must never break, and what nobody may learn from them."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from itertools import chain, islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import record
from engine.core.chance import Chance
from engine.core.match import Match, advance, append, play, start
from engine.core.playout import random_match
from engine.core.refusal import IllegalMove
from engine.core.secrecy import redact
from engine.core.timeline import CORE_EVENTS
from engine.kit.masks import bits
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.printed_board import Board
from engine.tahuantinsuyu.state import State
from tests import sealing
from tests.engine.matches import Rigid, orders, walk

every_table = pytest.mark.parametrize("seats", [3, 4])
OPTIONS = [
    {},
    {"pizarro": True},
    {"gift_of_the_gods": True},
    {"pizarro": True, "gift_of_the_gods": True},
]


@every_table
@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_no_card_and_no_marker_is_ever_lost(seats: int, options: dict[str, bool]) -> None:
    for match in islice(walk("tahuantinsuyu", seats, 41, **options), 0, None, 9):
        state: State = match.state
        laid = (card for _, card in filter(None, state.laid))
        cards = Counter(chain(*state.hands, *state.sun, laid, state.pile, state.discard))
        assert cards == Counter(state.board.deck(state.options))
        types = Counter(kind for kind in state.types if kind)
        assert types + Counter(state.spare) == Counter(state.board.all_markers)


@every_table
@pytest.mark.parametrize("seed", [42, 43])
def test_nobody_owes_labour_and_markers_have_one_owner(seats: int, seed: int) -> None:
    for match in islice(walk("tahuantinsuyu", seats, seed), 0, None, 5):
        state: State = match.state
        assert min(state.labour) >= 0
        assert (
            sum(owned.bit_count() for owned in state.owned) + seats == state.conquered.bit_count()
        )
        assert not state.terraces & ~state.conquered
        assert not state.terraces & state.board.suyus
        assert not state.conquered & ~state.board.suyus & ~state.up
        assert not state.cities & state.garrisons
        assert not state.temples & ~(state.cities | state.garrisons)
        assert not state.cities & ~(state.board.kinds["city"] | state.board.kinds["garrison"])
        assert not state.garrisons & ~state.board.kinds["garrison"]


@every_table
def test_one_road_a_slot_but_for_wild_ones_which_do_not_cross(seats: int) -> None:
    wild = 0
    for seed in (44, 45):
        match = random_match(GAME, seats, seed)
        seen: set[tuple[int, tuple[str, str]]] = set()
        taken = Counter(dict.fromkeys(starts(match.state), 1))
        for event in (entry.event for entry in match.log):
            if isinstance(event, e.RoadBuilt):
                assert (event.seat, event.pair) not in seen
                assert event.wild or not taken[event.pair]
                seen.add((event.seat, event.pair))
                taken[event.pair] += 1
                wild += event.wild
            if isinstance(event, e.RoadsDestroyed):
                seen -= {(event.seat, (a, b)) for a, b in event.roads}
                taken.subtract((a, b) for a, b in event.roads)
        state: State = match.state
        for edge in bits(state.all_roads & state.board.segments):
            assert not state.board.crossing[edge] & state.all_roads
    assert wild


def starts(state: State) -> list[tuple[str, str]]:
    return [state.board.edges[edge].pair for edge in state.board.exits.values()]


@every_table
def test_joined_is_what_a_walk_from_cuzco_finds(seats: int) -> None:
    for match in islice(walk("tahuantinsuyu", seats, 46), 0, None, 11):
        state: State = match.state
        for seat in range(seats):
            names = {state.board.sites[n].id for n in bits(state.joined(seat))}
            assert names == walked(state.board, state.roads[seat])


def walked(board: Board, roads: int) -> set[str]:
    """The same by names and sets, from scratch."""
    pairs = [board.edges[n].pair for n in range(len(board.edges)) if roads >> n & 1]
    found, waiting = {"cuzco"}, deque(["cuzco"])
    while waiting:
        here = waiting.popleft()
        for pair in pairs:
            if here in pair:
                for other in set(pair) - found:
                    found.add(other)
                    waiting.append(other)
    return found


@every_table
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_score_is_the_sum_of_the_scoring_events(seats: int, seed: int) -> None:
    match = random_match(GAME, seats, seed, pizarro=True)
    totals, labour = [0] * seats, [0] * seats
    for event in (entry.event for entry in match.log):
        if hasattr(event, "points"):
            totals[event.seat] += event.points
        if hasattr(event, "cost"):
            labour[event.seat] -= event.cost
        match event:
            case e.LabourReceived(seat, labour=got) | e.SupportGained(seat, got):
                labour[seat] += got
            case e.LabourReturned(seat, gone):
                labour[seat] -= gone
            case e.AidGiven(giver, taker, amount):
                labour[giver] -= amount
                labour[taker] += amount
    assert tuple(totals) == match.state.scores
    assert tuple(labour) == match.state.labour
    ranked = [match.state.scores[seat] for seat in match.state.standing]
    assert ranked == sorted(ranked, reverse=True)


@every_table
def test_the_standing_is_that_of_figures_on_a_track(seats: int) -> None:
    """Replayed with a list of figures for each space: who arrives goes outermost."""
    match = random_match(GAME, seats, 7)
    track: dict[int, list[int]] = {0: list(match.log[1].event.order)}
    where = dict.fromkeys(range(seats), 0)
    for event in (entry.event for entry in match.log):
        if getattr(event, "points", 0):
            track[where[event.seat]].remove(event.seat)
            where[event.seat] += event.points
            track.setdefault(where[event.seat], []).append(event.seat)
    assert [seat for space in sorted(track, reverse=True) for seat in track[space]] == list(
        match.state.standing
    )


# Two worlds that differ only in what somebody does not know


def other_world(state: State, seat: int | None, rng: Random) -> State:
    """The same table, but all that `seat` may not know is dealt anew."""
    secret = [s for s in range(state.seats) if s != seat]
    hidden = [n for n, laid in enumerate(state.laid) if laid and laid[0] != seat]
    unseen = [*state.pile, *chain(*(state.hands[s] for s in secret))]
    unseen += [laid[1] for laid in (state.laid[n] for n in hidden) if laid]
    rng.shuffle(unseen)
    hands, laid = list(state.hands), list(state.laid)
    for s in secret:
        hands[s] = tuple(sorted(unseen.pop() for _ in state.hands[s]))
    for n in hidden:
        was = laid[n]
        assert was
        laid[n] = (was[0], unseen.pop())
    down = [n for n, kind in enumerate(state.types) if kind and not state.up >> n & 1]
    types = [*(str(state.types[n]) for n in down), *state.spare]
    rng.shuffle(types)
    markers = list(state.types)
    for n in down:
        markers[n] = types.pop()
    return replace(
        state,
        hands=tuple(hands),
        laid=tuple(laid),
        pile=tuple(sorted(unseen)),
        types=tuple(markers),
        spare=tuple(sorted(types)),
        pizarro=other_day(state, rng),
    )


def other_day(state: State, rng: Random) -> int | None:
    if state.pizarro is None or state.over:
        return state.pizarro
    late = state.period == 6
    return rng.choice([day for day in (1, 2, 3, 4) if not late or 2 * day >= state.step])


def shown(state: State, seat: int | None) -> list[Any]:
    """Everything that a viewer is given."""
    view = GAME.view(state, seat)
    legal = [] if seat is None else sorted(GAME.format(x) for x in GAME.legal(state, seat))
    reveals = [] if seat is None else [GAME.commits(state, GAME.parse(seat, x)) for x in legal]
    said = [GAME.render(view, str), GAME.chart(view, str), GAME.summary(view)]
    return [view, GAME.show(view), *said, legal, reveals]


@every_table
def test_two_worlds_look_alike_to_who_does_not_know(seats: int) -> None:
    rng = Random(seats)
    for match in islice(walk("tahuantinsuyu", seats, 47, pizarro=True), 0, None, 23):
        for seat in (None, *range(seats)):
            other = other_world(match.state, seat, rng)
            assert other != match.state or match.over
            assert shown(other, seat) == shown(match.state, seat)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([3, 4]))
def test_two_worlds_tell_the_same_story_while_nothing_is_revealed(seed: int, seats: int) -> None:
    rng = Random(seed)
    *_, here = islice(walk("tahuantinsuyu", seats, seed, pizarro=True), rng.randrange(1, 200))
    watcher = rng.choice([None, *range(seats)])
    there = replace(here, state=other_world(here.state, watcher, rng))
    for _ in range(12):
        if here.over:
            return
        seat = here.game.to_act(here.state)[0]
        order = rng.choice(orders(here.game, here.state))
        if here.state.phase != "sun" and GAME.commits(here.state, GAME.parse(seat, order)):
            return  # what is turned up, or Pizarro, is seen by all
        if here.state.phase == "sun" and seat == watcher:
            return  # the watcher draws a card, and so learns something
        try:
            one, two = play(here, seat, order), play(there, seat, order)
        except IllegalMove:
            return  # a card that the other world does not hold: its owner revealed something
        stories = [story(m, here.head, watcher) for m in (one, two)]
        if any("turned up" in told for told in stories[0]):
            return
        assert stories[0] == stories[1]
        here, there = one, two


def story(match: Match, since: int, seat: int | None) -> list[str]:
    told = [x.event for x in match.log if x.pos > since and not isinstance(x.event, CORE_EVENTS)]
    return [str(match.game.describe(redact(event, seat))) for event in told]


@every_table
def test_what_commits_nothing_brings_the_same_in_two_worlds(seats: int) -> None:  # N-D11
    """Such an order is shown in a draft before it is played: nothing hidden may come of it."""
    rng, tried = Random(seats), 0
    for match in islice(walk("tahuantinsuyu", seats, 53, pizarro=True), 3, None, 9):
        state: State = match.state
        for seat in GAME.to_act(state):
            other = other_world(state, seat, rng)
            for action in islice(GAME.legal(state, seat), 0, None, 3):
                if not GAME.commits(state, action):
                    events = [GAME.decide(world, action, Rigid()) for world in (state, other)]
                    assert events[0] == events[1]
                    tried += 1
    assert tried > 100


@every_table
def test_refusals_are_the_same_in_two_worlds(seats: int) -> None:  # N-D11
    rng = Random(seats)
    for match in islice(walk("tahuantinsuyu", seats, 54, pizarro=True), 3, None, 29):
        for seat in GAME.to_act(match.state):
            other = other_world(match.state, seat, rng)
            for order in rng.sample(every_order(match.state.board), 300):
                action = GAME.parse(seat, order)
                answers = [answer(world, action) for world in (match.state, other)]
                assert answers[0] == answers[1], order


def answer(state: State, action: Any) -> str:
    try:
        GAME.decide(state, action, Chance("x", "y", 1))
    except IllegalMove as refusal:
        return str(refusal)
    return ""


@every_table
def test_two_deals_that_differ_in_what_is_hidden_are_recorded_alike(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # N-D11
    sealing.tell_nothing(monkeypatch)
    match = start(GAME, seats, {"pizarro": True}, "deal")
    opening, *dealt = (entry.event for entry in match.log)
    for seat in (None, *range(seats)):
        events = [dealt_otherwise(event, match.state, seat) for event in dealt]
        other = append(Match(GAME, match.id, match.seeds), [opening, *events])
        assert other.state != match.state
        assert record.redacted(other, seat) == record.redacted(match, seat)


def dealt_otherwise(event: Any, state: State, seat: int | None) -> Any:
    """The same to `seat`: other cards for the others, other markers face down and left over, another day."""
    match event:
        case e.HandDealt(other, count) if other != seat:
            return e.HandDealt(other, count, tuple(state.pile[other * count :][:count]))
        case e.MarkersDealt(types, spare):
            up = set(state.board.named_regions(state.up))
            down = [region for region in types or {} if region not in up]
            lying = [*(spare or ()), *((types or {})[region] for region in down)]
            known = {**(types or {}), **dict(zip(down, lying, strict=False))}
            return e.MarkersDealt(known, tuple(sorted(lying[len(down) :])))
        case e.PizarroSetOut(day):
            return e.PizarroSetOut((day or 0) % 4 + 1)
    return event


def test_nothing_hidden_is_shown_to_anybody() -> None:  # N-D11
    match = list(islice(walk("tahuantinsuyu", 4, 48, pizarro=True), 60))[-1]
    state: State = match.state
    for seat in (None, *range(4)):
        view = GAME.show(GAME.view(state, seat))
        assert [isinstance(hand, list) for hand in view["hands"]] == [s == seat for s in range(4)]
        assert view["pile"] == len(state.pile)
        assert view["spare"] == 3
        assert view["pizarro"] is None
        for region, found in view["markers"].items():
            number = state.board.region_index[region]
            assert found["type"] == (state.types[number] if state.up >> number & 1 else None)
        assert view["discard"] == list(state.discard)
        assert view["labour"] == list(state.labour)


def test_events_hide_what_their_seat_alone_may_know() -> None:  # N-D11
    hidden: list[Any] = [
        e.MarkersDealt({"huanca": "allies"}, ("allies",)),
        e.PizarroSetOut(2),
        e.HandDealt(0, 1, ("epidemic",)),
        e.CardLaid(0, "orange-blue", "epidemic"),
        e.CardDrawn(0, False, "epidemic"),
        e.PositionSet({"seats": 4}),
    ]
    for event in hidden:
        told = str(GAME.describe(redact(event, 1)))
        assert "pidemic" not in told
        assert "llies" not in told
        assert "2" not in told
        assert redact(event, 1) != event
    assert redact(hidden[3], 0) == hidden[3]


@every_table
def test_a_redacted_record_can_be_replayed_by_anybody(seats: int) -> None:  # N-D11
    match = list(islice(walk("tahuantinsuyu", seats, 49, pizarro=True), 90))[-1]
    for seat in (None, 0, 1):
        read = record.read(record.redacted(match, seat))
        *_, (_, state) = record.states(read)
        assert GAME.show(GAME.view(state, seat)) == GAME.show(GAME.view(match.state, seat))


@every_table
def test_what_is_forgotten_is_drawn_anew_and_nothing_else_changes(seats: int) -> None:
    """The service tries orders on a table where nobody knows what lies face down."""
    for match in islice(walk("tahuantinsuyu", seats, 50, pizarro=True), 0, None, 13):
        state: State = match.state
        for seat in GAME.to_act(state):
            blank = GAME.forget(state, seat)
            assert GAME.show(GAME.view(blank, seat)) == GAME.show(GAME.view(state, seat))
            for action in islice(GAME.legal(blank, seat), 0, None, 5):
                after = advance(GAME, blank, GAME.decide(blank, action, Chance("x", "y", 1)))
                known = Counter(kind for kind in after.types if kind)
                assert known <= Counter(state.board.all_markers)


# Legality is membership: of all orders that could be written, those accepted are those listed


def every_order(board: Board) -> list[str]:
    """All orders that this board has words for."""
    found = ["end"]
    for edge in board.edges:
        pair = " ".join(edge.pair)
        found += [f"{verb} {pair}" for verb in ("road", "wild", "buy road", "buy wild")]
    for site in board.sites:
        found += [f"{verb} {site.id}" for verb in ("city", "temple", "garrison", "upgrade")]
    for region in board.regions:
        found += [f"{verb} {region.id}" for verb in ("terrace", "conquer")]
    for kind in ("local", "annual", "great"):
        found += [f"pilgrimage {kind} for {instead}" for instead in ("roads", "development")]
    found += [f"sun {card} {sector}" for card in board.cards for sector in board.sectors]
    return found


@every_table
@pytest.mark.parametrize("seed", [51, 52])
def test_every_order_that_is_accepted_is_listed_and_no_other(seats: int, seed: int) -> None:
    for match in islice(walk("tahuantinsuyu", seats, seed), 7, None, 23):
        if match.over:
            return
        (seat,) = GAME.to_act(match.state)
        listed = set(orders(GAME, match.state))
        for order in every_order(match.state.board):
            action = GAME.parse(seat, order)
            try:
                GAME.decide(match.state, action, Chance("x", "y", 1))
            except IllegalMove as refusal:
                assert order not in listed, order
                assert refusal.rule.startswith("N-")  # noqa: PT017 - thousands of them
            else:
                assert order in listed, order
