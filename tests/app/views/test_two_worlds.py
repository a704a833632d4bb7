"""Two worlds that differ only in what one seat or nobody knows: hands, plans, notes, piles, what lies face down.

By construction: whatever route is added is asked here too, page or API, for every role but the one that knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core.match import Match, play, start_at
from engine.core.registry import find, games
from tests.app.roles import MATCH, SEATED, begun, world
from tests.app.two_worlds import API, Pair, advised, pair_of, prepared, story, tags, unlike, whole
from tests.worlds import worlds

EMPIRE, INKA, TEMPLATE = find("tahuantinsuyu"), find("inka"), find("apacheta")


def festival() -> Pair:
    """Both can answer a festival for tumi, so who is asked does not tell them apart."""
    # Neither speaks at e14: what standing orders answer, all can see.
    orders = ({"festival": {"up_to": None, "share": True, "cities": {"g8": 0}}}, None)
    return Pair(
        (begun(["tumi", "tumi+kero"]), begun(["quipu", "tumi"])),
        (["place village h9"], []),
        (("player", ("festival e14 tumi", "festival e14 tumi")),),
        ("carer",),
        (
            ("bid tumi",),
            ("pass",),
            ("hold",),
            ("draw pile",),
            ("festival e14 tumi+kero",),
            ("bid kero", "hold"),
        ),
        orders,
        back=2,
    )


def empire(**more: Any) -> dict[str, Any]:
    """A whole position of four in the Late Empire; Pizarro's day is still to be told."""
    sparse = {
        "seats": 4,
        "options": {"pizarro": True, "board": 1},
        "period": 6,
        "labour": [3, 3, 3, 3],
        "hands": [["extra_labour"], ["rural_unrest"], ["el_nino", "epidemic"], ["wild_road"]],
        "roads": [[["s001", "s061"]]],
        "markers": {
            "ichma": {"type": "warriors", "up": False},
            "huanca": {"type": "farmers"},
            "chincha": {"type": "allies", "owner": 1},
        },
    }
    found: dict[str, Any] = EMPIRE.load({**sparse, **more}).position
    return found


def mixed(position: dict[str, Any], rng: Random, pizarro: int) -> Match:
    """The same to all but `holder`: other cards in his hand, seat 3 and the pile, other markers face down."""
    down = [name for name, marker in position["markers"].items() if not marker["up"]]
    types = [*(position["markers"][name]["type"] for name in down), *position["spare"]]
    rng.shuffle(types)
    markers = {
        name: {**marker, "type": types.pop() if name in down else marker["type"]}
        for name, marker in position["markers"].items()
    }
    *seen, his, theirs = position["hands"]
    cards = [*his, *theirs, *position["pile"]]
    rng.shuffle(cards)
    his, theirs = ([cards.pop() for _ in hand] for hand in (his, theirs))
    changed = {"markers": markers, "spare": types, "hands": [*seen, his, theirs], "pile": cards}
    return start_at(EMPIRE, {**position, **changed, "pizarro": pizarro}, "seed", MATCH)


def suns() -> tuple[Match, Match]:
    """A Sun phase that `holder` begins, and in which `player` draws the same card in both worlds."""
    position = empire(step=1, order=[2, 0, 1, 3])
    one = mixed(position, Random(0), 1)
    others = (mixed(position, Random(number), 4) for number in count(1))
    return one, next(match for match in others if differs(one, match))


def laying() -> Pair:
    """`holder` is asked, and has drafted which card to lay."""
    matches = suns()
    lays = [f"sun {his_card(match)} orange-blue" for match in matches]
    tries = (*((lay,) for lay in lays), ("end",))
    return Pair(matches, ([lays[0]], [lays[1]]), (), ("holder",), tries)


def sun() -> Pair:
    """`holder` lays a card face down, then `player`."""
    one, other = suns()
    cards = [his_card(match) for match in (one, other)]
    return Pair(
        (one, other),
        (["conquer huanca"], ["end"]),
        (
            ("holder", (f"sun {cards[0]} orange-blue", f"sun {cards[1]} orange-blue")),
            ("player", (LAYING, LAYING)),
        ),
        ("carer",),
        (
            ("sun rural_unrest brown-green",),
            ("sun rural_unrest orange-blue",),
            (f"sun {cards[0]} brown-green",),
            (f"sun {cards[1]} brown-green",),
            # Word for word what `holder` sent in one of the worlds.
            (f"sun {cards[0]} orange-blue",),
            ("sun rural_unrest brown-green", "end"),
            ("end",),
        ),
        back=2,
    )


LAYING = "sun extra_labour blue-brown"


def his_card(match: Match) -> str:
    return str(match.game.dump(match.state)["hands"][2][0])


def laid(match: Match) -> Match:
    return play(play(match, 2, f"sun {his_card(match)} orange-blue"), 0, LAYING)


def differs(one: Match, other: Match) -> bool:
    """Whether `holder` lays another card, and `player` draws the same."""
    hands = [EMPIRE.dump(laid(match).state)["hands"][0] for match in (one, other)]
    return his_card(one) != his_card(other) and hands[0] == hands[1]


def people() -> Pair:
    """`player` is the last of a People phase: Pizarro comes at its end, or in three phases."""
    position = empire(step=2, order=[1, 2, 3, 0], turn={"seat": 0})
    road = "road s012 s061"  # joins s012, which touches ichma
    return Pair(
        (mixed(position, Random(0), 1), mixed(position, Random(1), 4)),
        (["sun el_nino orange-blue"], []),
        (),
        ("player",),
        ((road,), (road, "conquer ichma"), (road, "end", "end"), ("end",), ("end", "end")),
    )


def hall() -> Pair:
    """Nobody holds anything in Inka: what differs is which lozenge will be drawn next."""
    position = {
        "seats": 4,
        "phase": "lay",
        "drawn": "L05",
        "pawns": ["r0c0", "r11c12", "r0c12", "r11c0"],
    }
    one, other = (start_at(INKA, position, seed, MATCH) for seed in ("seed", "another"))
    lay = "lay r2c8 r2c9"
    assert play(one, 0, lay).state.drawn != play(other, 0, lay).state.drawn
    return Pair(
        (one, other),
        (["walk r1c2"], []),
        (),
        ("player",),
        ((lay,), (lay, lay), (lay, "end"), ("end",)),
    )


PAIRS = (festival, laying, sun, people, hall)


pytestmark = pytest.mark.usefixtures("seals_tell_nothing")


@pytest.mark.parametrize("pair", PAIRS)
def test_nobody_learns_what_a_seat_holds_plans_notes_or_wants_answered(
    pair: Callable[[], Pair], tmp_path: Path, sqlite_folder: Path
) -> None:
    found = pair()
    (here, mine), (there, yours) = (
        story(tmp_path / str(number), sqlite_folder, found, number) for number in (0, 1)
    )
    assert mine != yours  # the holder knows
    assert unlike(here, there) == []
    assert sum("letter" in key for key in here) > 10
    assert sum("200 " in said[:4] for said in here.values()) > 130
    assert any("image/png" in said for said in here.values())
    (asked,) = found.asked
    assert asked == "holder" or advised(here[f"{asked} /m/{MATCH}/hint"])
    assert asked == "holder" or '"orders"' in here[f"{asked} is advised a turn"]


def test_the_template_tells_nobody_either(tmp_path: Path, sqlite_folder: Path) -> None:
    """Two worlds made from the rules, as for every game; `make soak ARGS=worlds` asks for a thousand of them."""
    pair = pair_of(worlds(TEMPLATE, 3, 4, MATCH))
    (here, mine), (there, yours) = (
        story(tmp_path / str(number), sqlite_folder, pair, number) for number in (0, 1)
    )
    assert mine != yours
    assert unlike(here, there) == []
    assert [mail for mail in MAILS if not any(mail in said for said in here.values())] == []


# What the table calls for.
MAILS = (
    "your turn",
    "your time ends",
    "let the time run out",
    "there is more time",
    "is paused",
    "goes on",
    "says something",
)


def test_a_leak_in_the_template_is_noticed(
    tmp_path: Path, sqlite_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaky = replace(TEMPLATE, scores=lambda state: tuple(map(sum, state.hands)))
    monkeypatch.setitem(games(), TEMPLATE.key, leaky)
    told = []
    for number, match in enumerate(worlds(leaky, 3, 4, MATCH).matches):
        with world(tmp_path / str(number), sqlite_folder, match, True, SEATED[:3]) as made:
            told.append({where: whole(made.call("nobody", "GET", where)) for where in PUBLIC})
    assert unlike(*told) == sorted(PUBLIC)


PUBLIC = (API, f"/m/{MATCH}")


@pytest.mark.parametrize("pair", [festival, people])
def test_nobody_notices_that_a_seat_prepares_something(
    pair: Callable[[], Pair], tmp_path: Path, sqlite_folder: Path
) -> None:
    """Whoever asks again and again must not see by a changed tag that somebody plans, notes or sleeps."""
    found = pair()
    with world(tmp_path / "one", sqlite_folder, found.matches[0], public=True) as made:
        tags(made)  # a page is tagged from the second look on
        before, mine = tags(made), made.call("holder", "GET", f"{API}/draft").headers["ETag"]
        prepared(made, found, 0)
        after = tags(made)
        assert made.call("holder", "GET", f"{API}/draft").headers["ETag"] != mine
    assert [key for key in before if before[key] != after[key]] == []
    assert len(before) > 50
