"""What must hold for every game that the registry finds, with nothing written for it here."""

from __future__ import annotations

from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.platform.i18n import LANGUAGES, translate_sentence
from engine.core import record
from engine.core.codec import decode, encode
from engine.core.game import Game
from engine.core.manual import manual
from engine.core.match import advance, play, rewind, start
from engine.core.refusal import IllegalMove, Refusal
from engine.core.registry import games
from engine.core.timeline import CORE_EVENTS
from tests.engine.matches import Rigid, asked, orders, walk, whole

TABLES = [(key, seats) for key, game in games().items() for seats in game.seats]
every_table = pytest.mark.parametrize(("key", "seats"), TABLES)
every_game = pytest.mark.parametrize("game", games().values(), ids=games())
seeds = st.integers(0, 10**6)


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_random_matches_end_with_a_winner(key: str, seats: int, seed: int) -> None:
    match = whole(key, seats, seed)
    assert match.over
    assert match.game.winners(match.state)


@every_table
def test_events_survive_being_written_down(key: str, seats: int) -> None:
    for entry in whole(key, seats, 0).log:
        assert decode(type(entry.event), encode(entry.event)) == entry.event


@every_table
def test_only_declared_events_happen(key: str, seats: int) -> None:
    match = whole(key, seats, 1)
    declared = {*match.game.events, *CORE_EVENTS}
    assert {type(entry.event) for entry in match.log} <= declared


@every_table
def test_the_fold_resumes_from_every_prefix(key: str, seats: int) -> None:
    match = whole(key, seats, 2)
    events = [entry.event for entry in match.log]
    state = None
    for cut, event in enumerate(events, 1):
        state = advance(match.game, state, [event])
        if cut % 25 == 0:
            assert advance(match.game, state, events[cut:]) == match.state


@every_table
def test_every_legal_order_is_accepted_and_understood(key: str, seats: int) -> None:
    rng = Random(seats)
    for match, seat in asked(islice(walk(key, seats, 3), 0, None, 20)):
        told = orders(match.game, match.state, seat)
        assert len(set(told)) == len(told)
        for order in rng.sample(told, min(25, len(told))):
            assert match.game.format(match.game.parse(seat, order)) == order
            assert play(match, seat, order).head > match.head


@every_table
def test_a_verb_of_no_use_is_refused_in_the_words_of_the_rules(key: str, seats: int) -> None:
    for match, seat in asked(islice(walk(key, seats, 3), 0, None, 7)):
        game, told = match.game, orders(match.game, match.state, seat)
        for verb, order in game.tries(game.view(match.state, seat)).items():
            assert verb in game.verbs
            assert f"{order} ".startswith(f"{verb} ")
            if not any(f"{one} ".startswith(f"{verb} ") for one in told):
                with pytest.raises(IllegalMove):
                    play(match, seat, order)


@every_table
def test_every_other_order_is_refused_and_changes_nothing(key: str, seats: int) -> None:
    rng = Random(seats)
    for match, seat in asked(islice(walk(key, seats, 4), 0, None, 20)):
        allowed = set(orders(match.game, match.state, seat))
        before = match.game.dump(match.state)
        for order in mutations(sorted(allowed), rng, 60):
            try:
                action = match.game.parse(seat, order)
            except Refusal:
                continue
            if match.game.format(action) not in allowed:
                with pytest.raises(Refusal, match=r"\w.*[.]"):
                    play(match, seat, order)
        assert match.game.dump(match.state) == before


def mutations(told: list[str], rng: Random, count: int) -> list[str]:
    """Orders that look like legal ones with a word taken from another."""
    words = sorted({word for order in told for word in order.split()})
    found = []
    for _ in range(count):
        order = rng.choice(told).split()
        order[rng.randrange(len(order))] = rng.choice(words)
        found.append(" ".join(order))
    return found


@every_table
def test_prices_are_what_the_events_say(key: str, seats: int) -> None:
    rng = Random(seats)
    for match, seat in asked(islice(walk(key, seats, 9), 0, None, 25)):
        game, state = match.game, match.state
        prices = {game.format(action): cost for action, cost in game.priced(state, seat)}
        assert sorted(prices) == orders(game, state, seat)
        for order in rng.sample(sorted(prices), min(20, len(prices))):
            events = play(match, seat, order).log[match.head :]
            assert prices[order] == sum(getattr(e.event, "cost", 0) for e in events)


@every_table
def test_what_commits_nothing_draws_nothing(key: str, seats: int) -> None:
    """A draft shows what such an order brings before it is played."""
    for match in islice(walk(key, seats, 11), 0, None, 25):
        game, state = match.game, match.state
        for seat in game.to_act(state):
            for action in islice(game.legal(state, seat), 0, None, 20):
                if not game.commits(state, action):
                    game.decide(state, action, Rigid())


@every_table
def test_every_order_begins_with_a_verb_of_its_game(key: str, seats: int) -> None:
    for match, seat in asked(islice(walk(key, seats, 10), 0, None, 30)):
        for order in orders(match.game, match.state, seat):
            assert any(f"{order} ".startswith(f"{verb} ") for verb in match.game.verbs)


@every_table
def test_a_seat_that_is_not_asked_has_no_legal_orders(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 5), 0, None, 40):
        asked = match.game.to_act(match.state)
        for seat in set(range(seats)) - set(asked):
            assert list(match.game.legal(match.state, seat)) == []


@every_table
def test_a_position_read_back_is_the_same_state(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 6), 0, None, 15):
        event = match.game.load(match.game.dump(match.state))
        assert match.game.evolve(None, event) == match.state


@settings(max_examples=15)
@given(seeds, st.sampled_from(TABLES), st.randoms(use_true_random=False))
def test_rewinding_and_replaying_gives_the_same_state(
    seed: int, table: tuple[str, int], rng: Random
) -> None:
    key, seats = table
    steps = [match for match, _ in zip(walk(key, seats, seed), range(40), strict=False)]
    now, then = steps[-1], rng.choice(steps)
    back = rewind(now, then.head, "test", "")
    assert back.state == then.state
    for step in steps[steps.index(then) + 1 :]:
        entry, game = step.log[-1], back.game
        seat = entry.seat or 0
        if entry.order is None or game.commits(back.state, game.parse(seat, entry.order)):
            break  # draws after a rewind are fresh
        back = play(back, seat, entry.order)
        assert back.state == step.state


@every_table
def test_a_record_loads_verifies_and_plays_on(key: str, seats: int) -> None:
    for match in (*islice(walk(key, seats, 7), 10, 60, 20), whole(key, seats, 0)):
        lines = record.parse(record.text(record.export(match)))
        loaded = record.load(lines)
        assert loaded.state == match.state
        assert loaded.log == match.log
        verdict = record.verify(record.read(lines))
        assert verdict.sound
        assert verdict.draws_checked


@every_game
def test_the_same_seed_gives_the_same_match(game: Game) -> None:
    one, other = (start(game, game.seats[0], {}, "seed") for _ in range(2))
    assert one == other
    assert start(game, game.seats[0], {}, "another seed").log != one.log


@every_game
def test_every_game_has_help_for_its_players(game: Game) -> None:
    assert manual(game).startswith(f"# {game.name}")


@every_table
def test_every_event_can_be_told_in_a_sentence(key: str, seats: int) -> None:
    match = whole(key, seats, 0)
    for entry in match.log:
        if not isinstance(entry.event, CORE_EVENTS):
            assert str(match.game.describe(entry.event)).endswith(".")


@every_table
def test_pictures_and_charts_are_drawn_for_every_viewer(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 8), 0, None, 100):
        for seat in (None, *range(seats)):
            view = match.game.view(match.state, seat)
            assert match.game.render(view, str).startswith("<svg")
            assert all(str(label) and things for label, things in match.game.summary(view))


@every_table
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chart_has_lines_of_80_columns_in_every_language(
    key: str, seats: int, language: str
) -> None:
    speak = partial(translate_sentence, language=language)
    for match in islice(walk(key, seats, 8), 0, None, 150):
        chart = match.game.chart(match.game.view(match.state, 0), speak)
        assert [
            line for line in chart.splitlines() if len(line) > 80 or line != line.rstrip()
        ] == []
