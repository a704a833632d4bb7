"""Whatever game the registry finds: what one seat or nobody knows, nobody else can tell from anything the engine shows.

`tests/app/views/test_two_worlds.py` asks the service the same; `make soak ARGS=worlds` asks both a thousand times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any
from zlib import crc32

import pytest

from engine.core.game import Game, Ledger, Part, Question, Standing, Tool
from engine.core.refusal import IllegalMove, Unknown
from engine.core.registry import find, games
from engine.core.sentence import say
from tests.surfaces import leaks
from tests.worlds import Worlds, begun_there, differing, drawn_in_secret, told, worlds

TEMPLATE = find("apacheta")
PAIRS = 25  # of the template, in which leaks are planted
MANY = 60


pytestmark = pytest.mark.usefixtures("seals_tell_nothing")


@pytest.mark.parametrize("key", games())
def test_nobody_can_tell_two_worlds_apart(key: str) -> None:
    game = find(key)
    found = worlds(game, game.seats[-1], 0)
    for pair in (found, begun_there(found)):
        here, there = (told(match, pair.eyes) for match in pair.matches)
        assert here == there
        assert leaks(pair) == []


@pytest.mark.parametrize("key", [key for key, game in games().items() if drawn_in_secret(game)])
def test_the_knower_can_tell_them_apart_or_nobody_can(key: str) -> None:
    game = find(key)
    found = worlds(game, game.seats[0], 1)
    here, there = (game.dump(match.state) for match in found.matches)
    assert here != there
    assert differing(found) <= {*drawn_in_secret(game), "order"}


# Leaks, planted one by one in a game that has none


@cache
def pairs() -> tuple[Worlds, ...]:
    return tuple(worlds(TEMPLATE, 2 + number % 2, number) for number in range(PAIRS))


def secret(state: Any) -> int:
    """A number that tells of everything hidden."""
    return crc32(repr((state.hands, state.laid, state.buried, state.bag)).encode()) % 1000


def answering(answer: Any) -> Standing:
    """Standing orders that say nothing in words, and answer so."""
    return Standing(
        settle=dict,
        answer=answer,
        title=say("title"),
        help=say("help"),
        fields=(),
        from_form=dict,
        to_form=dict,
        parse=lambda _: {},
        format=str,
    )


def peeking(**leaky: Callable[[Callable[[], int]], Any]) -> Game:
    """The template with functions that take a view or an event, and have looked at the state besides."""
    peeked = list[Any]()

    def view(state: Any, seat: int | None) -> Any:
        peeked[:] = [state]
        return TEMPLATE.view(state, seat)

    made = {name: leak(lambda: secret(peeked[0])) for name, leak in leaky.items()}
    return replace(TEMPLATE, view=view, **made)


def one_more(state: Any, seat: int) -> Iterator[Any]:
    yield from TEMPLATE.legal(state, seat)
    yield TEMPLATE.parse(seat, f"lay {secret(state) % 9}")


def refuse(state: Any, *_: Any) -> None:
    raise Unknown(say("Somebody holds {n}.", n=secret(state)))


def forbid(state: Any, *_: Any) -> None:
    raise IllegalMove("stone", say("Somebody holds {n}.", n=secret(state)))


# What leaks, the game in which it does, and where that shows.
LEAKS: dict[str, tuple[Game, str]] = {
    "to_act": (replace(TEMPLATE, to_act=lambda s: (*TEMPLATE.to_act(s), secret(s) % 2)), "to_act"),
    "awaited": (replace(TEMPLATE, awaited=lambda s: f"turn {secret(s)}"), "awaited"),
    "scores": (replace(TEMPLATE, scores=lambda s: (*TEMPLATE.scores(s), secret(s))), "scores"),
    "winners": (replace(TEMPLATE, winners=lambda s: (secret(s) % 2,)), "winners"),
    "colours": (
        replace(TEMPLATE, colours=lambda s: ("red", "blue")[:: 1 - 2 * (secret(s) % 2)]),
        "colours",
    ),
    "legal": (replace(TEMPLATE, legal=one_more), "legal"),
    "priced": (
        replace(
            TEMPLATE,
            priced=lambda s, seat: ((action, secret(s)) for action in TEMPLATE.legal(s, seat)),
        ),
        "priced",
    ),
    "commits": (replace(TEMPLATE, commits=lambda s, _: bool(secret(s) % 2)), "commits"),
    "touched": (replace(TEMPLATE, touched=lambda s, _: (str(secret(s)),)), "touched"),
    "view": (
        replace(TEMPLATE, view=lambda s, seat: replace(TEMPLATE.view(s, seat), bag_size=secret(s))),
        "view",
    ),
    "recognise": (replace(TEMPLATE, recognise=refuse), "tried"),
    "forget": (replace(TEMPLATE, forget=lambda s, _: s), "ahead"),
    "decide": (replace(TEMPLATE, decide=forbid), "tried"),
    "show": (peeking(show=lambda peek: lambda v: {**TEMPLATE.show(v), "n": peek()}), "show"),
    "render": (
        peeking(render=lambda peek: lambda v, speak: f"{TEMPLATE.render(v, speak)}{peek()}"),
        "render",
    ),
    "chart": (
        peeking(chart=lambda peek: lambda v, speak: f"{TEMPLATE.chart(v, speak)}{peek()}"),
        "chart",
    ),
    "summary": (
        peeking(summary=lambda peek: lambda _: [(say("Hidden"), (str(peek()),))]),
        "summary",
    ),
    "tools": (peeking(tools=lambda peek: lambda _: {"lay": Tool(say(str(peek())))}), "tools"),
    "pieces": (peeking(pieces=lambda peek: lambda _: {"stone": str(peek())}), "pieces"),
    "tries": (peeking(tries=lambda peek: lambda _: {"lay": f"lay {peek()}"}), "tries"),
    "question": (
        peeking(question=lambda peek: lambda _: Question(say(str(peek())), (), ())),
        "question",
    ),
    "ledgers": (
        peeking(ledgers=lambda peek: lambda _: [Ledger(say(str(peek())), (), ())]),
        "ledgers",
    ),
    "left": (peeking(left=lambda peek: lambda _: say(str(peek()))), "left"),
    "coach": (peeking(coach=lambda peek: lambda _: say(str(peek()))), "coach"),
    "imagine": (
        replace(TEMPLATE, imagine=lambda s, _: s if secret(s) % 2 else None),
        "imagine",
    ),
    "parts": (peeking(parts=lambda peek: lambda _: [Part(None, (str(peek()),))]), "parts"),
    "describe": (
        peeking(describe=lambda peek: lambda _: say("{n} lies there.", n=peek())),
        "describe",
    ),
    "standing": (
        peeking(standing=lambda peek: {"turn": answering(lambda *_: peek())}),
        "standing",
    ),
}
HARMLESS = {
    "setup": "gives facts, which say themselves who may know them",
    "evolve": "gives states, which nobody is shown",
    "dump": "is for the referee, who knows everything",
    "owed": "gives facts",
    "load": "knows no state",
    "parse": "knows no state",
    "turn_ended": "names a kind of event",
    "turn_began": "names a kind of event",
    "format": "knows no state",
    "symbols": "is drawn from a table that nobody sits at, for the pages of the rules",
}  # fmt: skip


def test_the_template_has_no_leaks() -> None:
    assert [leaks(pair) for pair in pairs()] == [[]] * PAIRS


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str) -> None:
    leaky, surface = LEAKS[name]
    found = (leak.partition(" ")[0] for pair in pairs() for leak in leaks(planted(pair, leaky)))
    assert surface in found


def planted(pair: Worlds, game: Game) -> Worlds:
    return replace(pair, one=replace(pair.one, game=game), other=replace(pair.other, game=game))


def test_every_function_of_a_game_that_could_leak_is_watched() -> None:
    every = (TEMPLATE, *games().values())
    names = [field.name for field in fields(Game)]
    functions = {name for name in names if any(callable(getattr(game, name)) for game in every)}
    assert (functions | {"standing"}) - LEAKS.keys() == HARMLESS.keys()


# Facts that tell a secret elsewhere


def covered(game: Game) -> set[str]:
    """The private fields that have been secrets in some of many pairs."""
    found = (worlds(game, 2, number) for number in range(MANY))
    return set[str]().union(*map(differing, found))


def test_every_private_field_of_the_template_is_a_secret() -> None:
    assert covered(TEMPLATE) >= drawn_in_secret(TEMPLATE)


def test_a_private_field_that_another_field_tells_is_noticed() -> None:
    def talkative(state: Any, action: Any, chance: Any) -> list[Any]:
        return [
            replace(event, cost=event.stone) if hasattr(event, "cost") else event
            for event in TEMPLATE.decide(state, action, chance)
        ]

    missing = drawn_in_secret(TEMPLATE) - covered(replace(TEMPLATE, decide=talkative))
    assert "StoneDug.stone" in missing
