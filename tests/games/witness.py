"""What every match against an oracle needs: the engine's referee, and how to tell where the two differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.core.referee import Referee


class Disagreement(AssertionError):
    """The two differ; the text is enough to see it again."""


class Witness:
    """The engine's side of a match, by the referee protocol alone, and what was played in it."""

    def __init__(self, game: str) -> None:
        self.game, self.referee = game, Referee(entropy=lambda: "seed")
        self.begun: dict[str, Any] = {}
        self.orders: list[str] = []

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        return json.loads(self.referee.answer(json.dumps({"do": do, **more})))

    def check(self, what: str, expected: Any, got: Any) -> None:
        if expected != got:
            raise Disagreement(
                f"{what}\n expected {expected}\n got      {got}\n"
                f" after {self.orders}\n from {json.dumps(self.begun)}"
            )

    def state(self) -> dict[str, Any]:
        return self.ask("state")["position"]

    def feed_back(self) -> None:
        """A state sent back as a position is the same state, and play goes on from it."""
        state = self.state()
        answer = self.ask("position", game=self.game, position=state)
        self.check("fed back", True, answer["ok"] or answer)
        self.check("fed back", state, self.state())


def disagreements(count: int, seed: int, play: Callable[[int, str], None]) -> list[str]:
    """Plays that many numbered and named matches against an oracle; where they differ."""
    found: list[str] = []
    for number in range(count):
        name = f"{seed} {number}"
        try:
            play(number, name)
        except Exception as error:  # a crash of either side is a finding too
            found.append(f"{name}: {type(error).__name__} {error}")
    return found
