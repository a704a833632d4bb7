"""Thread-safe LRU cache, bounded by the weight of what it keeps: bytes, orders, events, or plain entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def count_one(_value: Any) -> int:
    """The weight of things that are all about as small."""
    return 1


class LruCache(Generic[K, V]):
    """Values by names that say all about them; what was not asked for longest goes when `most` is exceeded.

    What alone weighs more than `most` is not kept: it would throw out everything else and be too much all the same.
    """

    def __init__(self, most: int, weigh: Callable[[V], int] = count_one) -> None:
        self._most, self._weigh = most, weigh
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, name: K) -> V | None:
        with self._lock:
            found = self._kept.get(name)
            if found is None:
                return None
            self._kept.move_to_end(name)
            return found[0]

    def keep(self, name: K, made: V) -> V:
        weight = self._weigh(made)
        with self._lock:
            self._drop(name)
            if weight <= self._most:
                self._kept[name] = made, weight
                self._weight += weight
            while self._weight > self._most:
                self._drop(next(iter(self._kept)))
        return made

    def _drop(self, name: K) -> None:
        _, weight = self._kept.pop(name, (None, 0))
        self._weight -= weight

    @property
    def weight(self) -> int:
        """What everything that is kept weighs."""
        return self._weight

    def names(self) -> list[K]:
        """Oldest first."""
        with self._lock:
            return list(self._kept)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._weight = 0
