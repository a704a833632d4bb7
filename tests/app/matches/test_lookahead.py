"""Several orders at once tell nothing of what the first of them turns up: what lies face down is nobody's to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from app.matches import lookahead
from app.matches.drafts import preview_draft
from app.matches.lookahead import check_ahead, foresee_ending
from app.matches.submissions import play_orders
from app.platform.errors import LineRefused
from engine.core.match import Match, act, play, start_at
from engine.core.refusal import IllegalMove, Refusal
from engine.core.registry import find, games
from engine.core.sentence import say
from tests.app.seated import late_match
from tests.app.views.test_two_worlds import people
from tests.engine.matches import orders as all_orders
from tests.engine.matches import walk
from tests.engine.test_thought import last_positions, legal
from tests.games.cuzco import test_invariants as cuzco
from tests.games.tahuantinsuyu import test_invariants as empire

TYPES = ("allies", "herders", "farmers", "lordship", "kingdom", "warriors")
ROAD = "road s012 s061"  # joins s012, which touches ichma


def world(hidden: str, labour: int = 3, **more: Any) -> Match:
    """A turn of the first seat; what lies in ichma is face down."""
    position = {
        "seats": 4,
        "options": {"board": 1},
        "labour": [labour],
        "roads": [[["s001", "s061"]]],
        "markers": {
            "ichma": {"type": hidden, "up": False},
            "huanca": {"type": "farmers"},
            "chincha": {"type": "allies", "owner": 1},
        },
    }
    return start_at(find("tahuantinsuyu"), {**position, **more}, "seed")


def told(match: Match, *orders: str) -> str:
    """What somebody hears who sends these orders together; nothing, if they may be played."""
    try:
        check_ahead(match, 0, orders)
    except LineRefused as refusal:
        return f"{refusal.line}: {refusal}"
    return ""


@pytest.mark.parametrize(
    "orders",
    [
        (ROAD, "conquer ichma"),
        (ROAD, "conquer ichma", "end"),
        (ROAD, "road s012 s107", "conquer ichma"),
        (ROAD, "conquer huanca", "end"),
        (ROAD, "end"),
    ],
)
@pytest.mark.parametrize("labour", [0, 2, 3, 4])
def test_every_world_answers_alike(orders: tuple[str, ...], labour: int) -> None:
    assert len({told(world(hidden, labour), *orders) for hidden in TYPES}) == 1


def test_what_depends_on_the_marker_is_sent_when_it_is_known() -> None:
    said = told(world("allies"), ROAD, "conquer ichma")
    assert said == "2: What order 1 brings decides about order 2: send it when you know."


def test_the_first_order_that_depends_on_it_is_named() -> None:
    """Warriors cannot be conquered at all, and nobody twice: what fails differs, what is told does not."""
    orders = (ROAD, "conquer ichma", "conquer ichma")
    with pytest.raises(LineRefused) as refused:
        check_ahead(world("allies"), 0, orders)
    assert refused.value.line == 2


def test_what_does_not_depend_on_it_may_be_sent_at_once() -> None:
    assert told(world("warriors"), ROAD, "road s012 s107", "conquer huanca", "end") == ""
    assert told(world("warriors", labour=4), ROAD, "conquer ichma") == ""


def test_who_is_not_asked_after_a_draw_is_told_so_in_every_world() -> None:
    """The rules alone would let nobody else's turn be tried in thought: `end` behind `end` is another's."""
    said = {told(world(hidden), ROAD, "end", "end") for hidden in TYPES}
    assert said == {"3: After these orders you are not asked any more."}


def test_what_reveals_nothing_is_left_to_the_rules_and_their_words() -> None:
    """Nothing is tried with what the seat knows where nothing is revealed."""
    assert told(late_match(), "end", "draw pile") == ""
    with pytest.raises(LineRefused, match="is not asked now"):
        play_orders(late_match(), 0, ["place triple g14 g16 h15", "end", "end", "end"])


def test_an_answer_stands_last_though_ones_own_turn_comes_next() -> None:
    """Who bids last learns what the others have bid, and goes on when they know it."""
    match = play(play(late_match(), 0, "place triple g14 g16 h15"), 0, "festival e14 kero")
    after = play(match, 1, "pass")
    assert (match.game.awaited(match.state), after.game.to_act(after.state)) == ("festival", (1,))
    with pytest.raises(LineRefused, match="What order 1 brings decides about order 2"):
        check_ahead(match, 1, ("pass", "end"))


def test_what_may_fall_out_in_too_many_ways_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = (ROAD, "road s012 s107", "conquer huanca", "end")
    assert told(world("warriors"), *orders) == ""
    monkeypatch.setattr(lookahead, "MOST_OUTCOMES", 1)
    said = told(world("warriors"), *orders)
    assert said == "2: What order 1 brings decides about order 2: send it when you know."


def test_nobody_learns_of_pizarro_by_sending_more() -> None:
    """Who plays last in a People phase and first in the next Sun phase might send both at once."""
    parts = {
        "options": {"pizarro": True},
        "period": 6,
        "step": 2,
        "order": [1, 2, 3, 0],
        "turn": {"seat": 0},
        "scores": [0, 5, 6, 7],
        "hands": [["el_nino"], ["epidemic"]],
    }
    days = [
        told(world("allies", **parts, pizarro=day), "end", "sun el_nino orange-blue")
        for day in (1, 2, 3, 4)
    ]
    assert set(days) == {"2: What order 1 brings decides about order 2: send it when you know."}


# Cuzco: what lies in the pile is what the others do not hold

CITY = {
    "seats": 2,
    "tiles": [["village", place] for place in ("e14", "e16", "e18", "d15", "d17")],
    "temples": {"e14": {"value": 4}},
    "incas": [["e16"], ["e18"]],
    "turn": {"seat": 0, "ap": 5, "laid": True},
}
HIDDEN = ("kero", "quipu", "quipu", "tumi+kero")  # the pile and the hand of the other


def table(*theirs: str, **more: Any) -> Match:
    """A turn of the first seat, which holds a tumi where kero lies open; the other holds some of HIDDEN."""
    game = find("cuzco")
    deck = Counter(game.dump(start_at(game, CITY, "seed").state)["pile"])
    known = deck - Counter(["kero", "tumi", *HIDDEN])
    cards = {
        "open": "kero",
        "hands": [["tumi"], list(theirs)],
        "pile": sorted((Counter(HIDDEN) - Counter(theirs)).elements()),
        "discard": sorted(known.elements()),
    }
    return start_at(game, {**CITY, **cards, **more}, "seed")


@pytest.mark.parametrize(
    "orders",
    [
        ("draw pile", "festival e14 kero"),
        ("draw pile", "festival e14 tumi+kero"),
        ("draw pile", "draw pile", "festival e14 kero tumi+kero"),
        ("draw open", "festival e14 kero"),
        ("draw pile", "end"),
    ],
)
def test_nobody_learns_which_cards_the_pile_lacks(orders: tuple[str, ...]) -> None:
    """What no copy of is left to draw, the others hold: to be told so would show their hands."""
    hands = [("kero", "tumi+kero"), ("quipu", "quipu"), ("kero", "quipu")]
    assert len({told(table(*hand), *orders) for hand in hands}) == 1


def test_when_the_discards_become_the_pile_all_know_what_is_in_it() -> None:
    match = table("kero", "quipu", pile=[], discard=["quipu", "tumi"])
    assert told(match, "draw pile", "festival e14 kero") == "2: You have 0 of kero, not 1."
    match = table("kero", "quipu", pile=[], discard=["kero", "kero"])
    assert told(match, "draw pile", "festival e14 kero") == ""


def test_what_is_forgotten_of_the_cards_is_what_the_seat_does_not_see() -> None:
    game, states = (
        find("cuzco"),
        [table(*hand).state for hand in (("kero", "quipu"), ("quipu",) * 2)],
    )
    one, other = (game.forget(state, 0) for state in states)
    assert (one.hands, one.pile) == (other.hands, other.pile)
    assert game.show(game.view(one, 0)) == game.show(game.view(states[0], 0))


# Whatever somebody sends together


def guesses(match: Match, other: Match, seat: int, rng: Random) -> Iterator[tuple[str, ...]]:
    """Orders after one that reveals something: such as are legal in one world and not in another."""
    game, legal = match.game, all_orders(match.game, match.state)
    revealing = [order for order in legal if game.commits(match.state, game.parse(seat, order))]
    for first in rng.sample(revealing, min(4, len(revealing))):
        outcomes = [
            replace(one, seeds=((1, f"dice {n}"),)) for one in (match, other) for n in range(3)
        ]
        after = [play(one, seat, first) for one in outcomes]
        asked = [
            set(all_orders(game, one.state)) for one in after if seat in game.to_act(one.state)
        ]
        some = sorted(set().union(*asked) - set.intersection(*asked)) if asked else []
        for second in rng.sample(some, min(6, len(some))):
            yield first, second
        yield first, rng.choice(legal)


def answered(match: Match, seat: int, orders: tuple[str, ...]) -> str:
    """What becomes of a submission, as far as who sends it is told by its being refused."""
    try:
        play_orders(match, seat, list(orders))
    except Refusal as refusal:
        return str(refusal)
    return "played"


@pytest.mark.parametrize(
    ("key", "seats", "options"),
    [
        ("cuzco", 3, {}),
        ("java", 2, {}),
        ("tahuantinsuyu", 3, {"pizarro": True}),
    ],
)
def test_what_is_sent_together_is_refused_alike_in_two_worlds(
    key: str, seats: int, options: dict[str, bool]
) -> None:
    rng, tried = Random(seats), 0
    deal = empire.other_world if key == "tahuantinsuyu" else cuzco.other_world
    for match in islice(walk(key, seats, 60, **options), 5, None, 7):
        if match.over:
            break
        (seat,) = match.game.to_act(match.state)
        other = replace(match, state=deal(match.state, seat, rng))
        for orders in guesses(match, other, seat, rng):
            here, there = (answered(one, seat, orders) for one in (match, other))
            assert here == there, orders
            tried += 1
    assert tried > 20


# Whether an order ends the match


def test_whether_the_draw_ends_the_match_is_told_as_perhaps_whatever_is_hidden() -> None:
    """Pizarro comes at the end of this phase or in three: nobody may learn it from what the page says."""
    for match in people().matches:
        thought = preview_draft(match, 0, ["end"])
        assert (thought.waiting, thought.ends) == (("end",), "perhaps")


@pytest.mark.parametrize("key", games())
def test_what_is_foreseen_of_the_end_is_what_comes(key: str) -> None:
    foreseen = Counter[tuple[bool, str | None]]()
    for match in last_positions(key)[-6:]:
        for action in legal(match)[-60:]:
            ending = foresee_ending(match.game, match.state, action)
            foreseen[act(match, action).over, ending] += 1
    assert foreseen.keys() <= {
        (True, "surely"),
        (True, "perhaps"),
        (False, "perhaps"),
        (False, None),
    }
    assert foreseen[True, "surely"] + foreseen[True, "perhaps"]
    assert foreseen[False, None]


def test_an_order_that_draws_and_goes_on_ends_nothing() -> None:
    for seat in (0, 1):  # in a turn and in a plan
        thought = preview_draft(late_match(), seat, ["place triple g14 g16 h15", "draw pile"])
        assert (thought.waiting, thought.ends) == (("draw pile",), None)


def test_what_its_seat_cannot_decide_may_end_the_match() -> None:
    """Legal as things are, and refused with what its seat knows: to say more would show what others hold."""
    match = late_match()

    def refuse(*_: Any) -> Any:
        raise IllegalMove("secret", say("It depends."))

    game = replace(match.game, decide=refuse)
    action = game.parse(0, "place triple g14 g16 h15")
    assert foresee_ending(game, match.state, action) == "perhaps"
