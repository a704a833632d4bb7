"""In-memory storage of the rate limiter, for one process."""

from __future__ import annotations

from threading import Lock
from time import time

from limits.storage import Storage

ROOM = 10_000  # counts that are kept; of more, those that ran out go, and then the oldest
FREED = 1_000  # at least, each time: nobody looks through all of them for every request


class Tally(Storage):
    """The memory of the limits where there is no Redis.

    The library's own starts a thread for almost every request, only to forget old counts; here they are forgotten
    when they are met again, or when there are too many.
    """

    STORAGE_SCHEME: list[str] | None = ["tally"]  # noqa: RUF012 - as the library wants it

    def __init__(self, uri: str | None = None, **_: object) -> None:
        super().__init__(uri)
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """One more for this key; the count ends `expiry` seconds after its first."""
        with self._lock:
            if len(self._counts) >= ROOM:
                self._forget()
            count, end = self._counts.get(key, (0, 0.0))
            now = time()
            count, end = (count + amount, end) if end > now else (amount, now + expiry)
            self._counts[key] = count, end
            return count

    def _forget(self) -> None:
        now = time()
        left = {key: kept for key, kept in self._counts.items() if kept[1] > now}
        for key in [*left][: max(0, len(left) - ROOM + FREED)]:
            del left[key]
        self._counts = left

    def get(self, key: str) -> int:
        count, end = self._counts.get(key, (0, 0.0))
        return count if end > time() else 0

    def get_expiry(self, key: str) -> float:
        return self._counts.get(key, (0, time()))[1]

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        with self._lock:
            count = len(self._counts)
            self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        with self._lock:
            self._counts.pop(key, None)
