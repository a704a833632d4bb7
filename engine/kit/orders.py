"""Orders as people write them: their words, and what to say of words that fit none."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.refusal import NotUnderstood
from engine.core.sentence import Sentence, say


def split(text: str) -> list[str]:
    """The words of an order, in small letters; there is one at least."""
    if not text.isascii():
        raise NotUnderstood(say("An order is written in plain letters without accents."))
    words = [word for word in text.lower().split(" ") if word]
    if not words:
        raise NotUnderstood(say("The order is empty."))
    return words


def no_order(text: str, verbs: Mapping[str, Sentence]) -> NotUnderstood:
    """What is missing in an order that begins as one of the verbs does, or how orders begin."""
    words = split(text)
    if begun := [verb for verb in verbs if verb.split()[0] == words[0]]:
        verb = " ".join(words[:2]) if " ".join(words[:2]) in begun else begun[0]
        return NotUnderstood(
            say("This is no whole order: {verb} means {help}.", verb=verb, help=verbs[verb])
        )
    return NotUnderstood(
        say(
            "{order} is no order; orders begin with {verbs}.",
            order=repr(text[:40]),
            verbs=", ".join(dict.fromkeys(verb.split()[0] for verb in verbs)),
        )
    )
