"""CPU-time budget for a block of code: when it is spent, an exception stops the code where it is."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread, get_ident


class OverBudget(BaseException):
    """The processor seconds that were allowed are spent."""


@contextmanager
def cpu_budget(seconds: float) -> Iterator[None]:
    """Raises `OverBudget` in this thread once it has worked for that many processor seconds inside.

    Only for code that holds no locks and changes nothing, such as a thought: it is stopped between any two steps.
    """
    done, guard = Event(), Lock()
    # Asked for here: of a thread that has ended, the system must not be asked for its clock.
    clock = _clock_of(get_ident())
    task = (get_ident(), clock, clock() + seconds, done, guard)
    Thread(target=_watch, args=task, daemon=True).start()
    try:
        yield
    finally:
        # Nothing is sent after this, and what was sent arrives within it. Taking it back instead would leave the
        # interpreter looking for it at every call (in 3.11 without end where a profiler watches).
        with guard:
            done.set()


def _watch(thread: int, clock: Callable[[], float], end: float, done: Event, guard: Lock) -> None:
    """Looks at the other thread's clock as seldom as can be, and stops it when it has worked enough."""
    with suppress(OSError):  # the thread has ended meanwhile, and its clock with it
        while (left := end - clock()) > 0:
            if done.wait(left):  # nobody works faster than time goes by
                return
    with guard:
        if not done.is_set():
            _raise_in(thread, OverBudget)


def _clock_of(thread: int) -> Callable[[], float]:
    """The processor time of a thread; where the system cannot tell it, the time that goes by."""
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(thread)
        return lambda: time.clock_gettime(number)
    return time.monotonic


def _raise_in(thread: int, what: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(what))
