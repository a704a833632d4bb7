"""Rows by seat and hands of cards: frozen ones, each with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, TypeVar

T = TypeVar("T")
S = TypeVar("S")


def put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`row` with one place changed."""
    changed = list(row)
    changed[at] = value
    return tuple(changed)


def add(row: tuple[int, ...], at: int, amount: int) -> tuple[int, ...]:
    """`row` with more in one place."""
    return put(row, at, row[at] + amount)


def without(cards: tuple[str, ...], gone: Iterable[str | None]) -> tuple[str, ...]:
    """`cards` less those; for a card that a redacted record never named, any will do for counting."""
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else left[-1])
    return tuple(left)


def folded(evolve: Callable[[S, Any], S], state: S, events: Iterable[Any]) -> S:
    """The state after `events`."""
    return reduce(evolve, events, state)
