"""The ways to say no. Each speaks to the person who asked, and nothing has changed after it."""

from __future__ import annotations

from engine.core.sentence import Sentence


class Refusal(Exception):
    """Something asked for that cannot be done; `code` is the word that the referee and the API use."""

    code: str

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return str(self.sentence)


class IllegalMove(Refusal):
    """The rules forbid this action now; `rule` is the clause that does."""

    code = "illegal"

    def __init__(self, rule: str, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.rule = rule


class NotUnderstood(Refusal):
    """The words fit no order."""

    code = "syntax"


class NotAsked(Refusal):
    """That seat has nothing to say now."""

    code = "turn"


class MatchOver(Refusal):
    """The match has ended."""

    code = "over"


class Unknown(Refusal):
    """No such game, option, seat, position or record."""

    code = "unknown"
