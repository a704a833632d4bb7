"""What every game tells a newcomer: a short sentence to whoever is asked, from what that seat sees."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from engine.core.lessons import list_lessons
from engine.core.match import Match, play, start, start_at
from engine.core.registry import find, games
from engine.core.thought import begin_thought, think_ahead
from tests.engine.matches import walk
from tests.games.table import cuzco, java
from tests.whispering import whispered

LONGEST = 125  # letters: three lines of a phone


def told(match: Match, seat: int) -> str:
    return str(match.game.coach(match.game.view(match.state, seat)))


@pytest.mark.parametrize("key", games())
def test_whoever_is_asked_is_told_something_short_and_nobody_else_anything(key: str) -> None:
    game = find(key)
    for match in islice(walk(key, game.seats[0], 5), 0, 90, 3):
        for seat in (None, *range(game.seats[0])):
            said = game.coach(game.view(match.state, seat))
            assert (said is not None) == (seat in game.to_act(match.state))
            assert len(str(said)) <= LONGEST


@pytest.mark.parametrize("key", games())
def test_turns_are_counted_by_an_event_that_names_the_seat(key: str) -> None:
    game = find(key)
    last = list(islice(walk(key, game.seats[0], 5), 90))[-1]
    ended = [e.event.seat for e in last.log if isinstance(e.event, game.turn_ended or ())]
    assert {*ended} == {*range(game.seats[0])}


# What is said, as a person reads it, and the order that it comes to. `cost` and `points` are held to the rules.
PROMISES = {
    r"village of (?P<a>\w+): build a \w+ of (?P<b>\d+), for (?P<points>\d+) PP": "build {a} {b}",
    r"city of (?P<a>\w+): expand its \w+ to (?P<b>\d+), for (?P<points>\d+) PP": "expand {a} {b}",
    r"basin on (?P<a>\w+) makes a closed pond: (?P<points>\d+) PP": "basin {a}",
    r"ring an? \w+ in at (?P<a>\w+), for (?P<cost>\d+) AP": "enter {a}",
    r"Walk up from (?P<a>\w+) to (?P<b>\w+): it costs (?P<cost>nothing)": "move {a} {b}",
    r"Walk from (?P<a>\w+) to (?P<b>\w+), for (?P<cost>\d+) AP": "move {a} {b}",
    r"Walk from (?P<a>\w+) into .* of (?P<b>\w+), for (?P<cost>\d+) AP": "move {a} {b}",
    r"on (?P<a>\w+) and (?P<b>\w+) L\d+ bridges a part": "lay {a} {b}",
    r"(?P<verb>slide|turn) (?P<a>\w+) to (?P<b>\w+) and (?P<c>\w+), for (?P<cost>\d+)": "{verb} {a} {b} {c}",
    r"^You stand on D\d: take your statue, for (?P<cost>\d+) AP": "take",
    r"walk to (?P<a>\w+), which costs (?P<cost>nothing)": "walk {a}",
    r"walk to (?P<a>\w+)( on D\d)?, for (?P<cost>\d+) AP": "walk {a}",
    r"walk to (?P<a>\w+), a secret passage": "walk {a}",
    r"(?P<a>\w+) is an exit: walk there and win": "walk {a}",
    r"go through to (?P<a>\w+), for (?P<cost>\d+) AP": "passage {a}",
    r"roads? (is|are) free: lay one to (?P<a>s\d+)": "road .*{a}",
    r"a (?P<verb>city|garrison|temple) at (?P<a>s\d+) .*costs (?P<cost>\d+) and brings (?P<points>\d+) VP": "{verb} {a}",
    r"to conquer (?P<a>\w+) costs (?P<cost>\d+), brings (?P<points>\d+) VP": "conquer {a}",
    r"a terrace in (?P<a>\w+) costs (?P<cost>\d+), brings (?P<points>\d+) VP": "terrace {a}",
}
MOST = 160  # orders of a bots' match


@pytest.mark.parametrize("key", ["cuzco", "java", "inka", "tahuantinsuyu"])
def test_what_it_promises_the_rules_keep(key: str) -> None:
    game, kept = find(key), set[str]()
    match = start(game, game.seats[0], {}, "a seed", "promises")
    while not match.over and match.head < MOST:
        (seat, *_) = game.to_act(match.state)
        said = told(match, seat)
        for pattern, form in PROMISES.items():
            if found := re.search(pattern, said, re.IGNORECASE):
                hold_to(match, seat, form.format_map(found.groupdict()), found.groupdict())
                kept.add(pattern)
        match = play(match, seat, whispered(match, seat))
    assert len(kept) >= 4


def hold_to(match: Match, seat: int, order: str, claimed: dict[str, str]) -> None:
    """The order can be given, costs what was said, and brings it."""
    game, before = match.game, match.game.scores(match.state)[seat]
    fitting = [
        (action, cost)
        for action, cost in game.priced(match.state, seat)
        if re.fullmatch(f"{order}( .*)?", game.format(action))
    ]
    assert fitting, order
    action, cost = fitting[0]
    assert claimed.get("cost", str(cost)).replace("nothing", "0") == str(cost), order
    after = think_ahead(begin_thought(match), action)
    if after and "points" in claimed:
        assert game.scores(after.state)[seat] - before == int(claimed["points"]), order


# Cuzco and Java: what is said follows the draft


def test_a_first_turn_of_cuzco_is_led_from_the_tile_to_the_end() -> None:
    thought = begin_thought(start(find("cuzco"), 2, {}, "a seed"))
    game, said = thought.game, list[str]()
    for order in (
        "place triple l17 l19 m18",
        "enter l17",
        "place double m16 l15",
        "build m16 2",
        "enter l19",
        None,
    ):
        said.append(str(game.coach(game.view(thought.state, 0))))
        after = think_ahead(thought, game.parse(0, order)) if order else None
        thought = after or thought
    assert said == [
        "You have 6 AP: lay a tile first. A village beside the border lets your Incas in.",
        "Now bring an Inca in at l17, for 1 AP: who stands highest in a village may build there.",
        "You have 4 AP left: with 1 more village hex beside l17 a temple of 2 fits there.",
        "You stand highest in the village of m16: build a temple of 2, for 1 PP.",
        "1 AP left: draw a festival card for 1 AP, it may bring PP later. Or play the turn.",
        "You may end the turn with a festival in the city of m16, which costs cards and no AP. "
        "Or play the turn.",
    ]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("basins k10; crops k8 j9 l9 j11 l11; A at j9", "One on k12 closes a pond: 3 PP for you."),
        ("turn A laid; crops k8 j9 l9 j11 l11 k12; A at j9", "A basin on k10 makes a closed pond"),
        (
            "turn A laid ap 0; villages k8 k10^2; A at k8",
            "Walk up from k8 to k10: it costs nothing",
        ),
        ("turn A laid; villages k8; crops k10; A at k10", "Walk from k10 into the village of k8"),
        ("turn A laid; villages k8 k10", "no Inca of yours on the board: a tile at the border"),
        ("turn A laid ap 0; villages k8; A at k8", "All your AP are spent: play the turn."),
        ("villages k8 k10; A at k8; B at k10", "give yourself a way up"),
        ("villages k8 k10; A at k8", "At k8 you stand highest"),
    ],
)
def test_the_sentence_comes_from_the_position(position: str, words: str) -> None:
    assert words in told(cuzco(position).match, 0)


@pytest.mark.parametrize(
    ("sayri", "hand", "words"),
    [
        (
            ["tumi+quipu"],
            ["tumi", "kero"],
            "2 PP: 1 of your cards matches the open card. Bid it, or drop",
        ),
        (["tumi"], ["kero"], "and no card of yours matches: share it."),
        (["tumi+quipu"], ["kero"], "too few for this festival: drop out"),
        ([], ["tumi", "quipu"], "you are level: share it for fewer, or bid some of your 2 cards"),
    ],
)
def test_in_a_festival_it_says_what_may_be_answered(
    sayri: list[str], hand: list[str], words: str
) -> None:
    lesson = next(one for one in list_lessons("cuzco") if one.key == "festivals")
    ours = [] if not sayri else ["tumi"]
    feast = {**lesson.position["festival"], "played": [ours, [], sayri, []]}
    position = {**lesson.position, "hands": [hand, [], [], []], "festival": feast}
    match = start_at(find("cuzco"), {**position, "options": {"ask_everyone": True}}, "a seed")
    assert words in told(match, 0)


def test_java_has_its_own_words() -> None:
    assert "lets your developers in" in told(java("").match, 0)


# Inka


HALL = {"L02": ["r1c1", "r1c0"], "L03": ["r2c1", "r2c0"], "L10": ["r1c2", "r2c3"]}


def test_a_pawn_of_inka_is_led_to_its_statue_or_to_a_bridge() -> None:
    game = find("inka")
    fresh = start(game, 2, {}, "a seed")
    assert "Choose where your pawn begins" in told(fresh, 0)
    apart = start_at(game, {"seats": 2, "lozenges": HALL, "turn": {"ap": 2}}, "a seed")
    assert "slide or turn a path lozenge over the chasm" in told(apart, 0)
    on_it = start_at(game, {"seats": 2, "pawns": ["r5c10", "r0c0"]}, "a seed")
    assert told(on_it, 0) == "You stand on D1: take your statue, for 1 AP."
    taken = play(on_it, 0, "take")
    assert "walk to" in told(taken, 0)
    assert "take your statue there" in told(taken, 0)


def test_a_way_that_is_too_dear_is_not_called_missing() -> None:
    past_snakes = {
        "seats": 2,
        "pawns": ["r3c2", "r0c12"],
        "taken": [["D1", "D2", "D3"], []],
        "lozenges": {"L02": ["r1c1", "r1c0"], "L05": ["r2c1", "r2c0"]},
    }
    for ap, words in ((1, "The way ahead costs 2 AP"), (2, "r0c0 is an exit: walk there")):
        match = start_at(find("inka"), {**past_snakes, "turn": {"ap": ap}}, "a seed")
        assert words in told(match, 0)


# Tahuantinsuyu


def test_a_governor_is_told_of_free_roads_then_of_what_the_labour_buys_then_of_the_end() -> None:
    game = find("tahuantinsuyu")
    match = start(game, 3, {}, "a seed")
    (seat,) = game.to_act(match.state)
    assert told(match, seat).startswith("2 roads are free: lay one to ")
    for order in first_roads(match, seat):
        match = play(match, seat, order)
    assert told(match, seat).startswith("You have 6 labour: ")
    for action in game.legal(match.state, seat):
        if game.format(action).startswith("conquer"):
            match = play(match, seat, game.format(action))
            break
    assert told(match, seat) == "Roads and development are done: play the turn."


def first_roads(match: Match, seat: int) -> list[str]:
    """Two roads that can be laid one after the other."""
    found = list[str]()
    for _ in range(2):
        legal = map(match.game.format, match.game.legal(match.state, seat))
        found.append(next(order for order in legal if order.startswith("road ")))
        match = play(match, seat, found[-1])
    return found
