"""Java speaks Java: whatever is refused and whatever is told, no word of Cuzco's slips in."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

from engine.core.chance import Chance
from engine.core.refusal import Refusal
from engine.core.registry import games
from engine.java import JAVA
from tests.engine.matches import walk, whole

JAVA_GAME = games()["java"]
FOREIGN = re.compile(
    r"\b(incas?|temples?|crops?|forests?|(solar )?discs?|tumi|quipu|kero|cuzco)\b", re.IGNORECASE
)
HEXES = list(JAVA.layout.index)


def foreign(said: str) -> list[str]:
    return FOREIGN.findall(said)


def wild_orders(rng: Random) -> Iterator[str]:
    """An order of every kind, mostly one that is refused."""
    one, other, third = rng.sample(HEXES, 3)
    yield from (f"place triple {one} {other} {third}", f"place double {one} {other}")
    yield from (f"place {kind} {one}" for kind in ("village", "rice", "crop", "temple"))
    yield from (f"{verb} {one}" for verb in ("enter", "leave", "basin", "build", "festival"))
    yield from (f"build {one} {value}" for value in (2, 3, 10))
    yield from (f"move {one} {other}", f"expand {one} 6", f"festival {one} mask", "bid mask")
    yield from ("bid tumi", "hold", "pass", "end", "token", "draw open", "draw pile", "dance")


def test_java_refuses_in_its_own_words() -> None:
    rng, refused = Random(5), set[str]()
    for match in islice(walk("java", 3, 5), 0, 400, 8):
        for order in wild_orders(rng):
            try:
                action = JAVA_GAME.parse(JAVA_GAME.to_act(match.state)[0], order)
                JAVA_GAME.decide(match.state, action, Chance("own", "words", 1))
            except Refusal as refusal:
                refused.add(str(refusal).replace(order.split()[-1], ""))
    assert len(refused) > 100
    assert [said for said in refused if foreign(said)] == []


def test_java_tells_its_story_in_its_own_words() -> None:
    events = [entry.event for entry in whole("java", 4, 2).timeline.effective]
    told = [str(JAVA_GAME.describe(event)) for event in events if type(event) in JAVA_GAME.events]
    assert len(told) > 100
    assert [said for said in told if foreign(said)] == []
