"""What every part of the bench shares: rows with goals, rounds in turns, and how busy others kept the machine.

Absolute times say nothing on a shared machine. So both sides of a ratio are measured in the same rounds, by turns, and of
more rounds than are needed those count in which others worked least. What waits for nobody is measured by the processor
time of its thread (`working`): others cannot make that longer, however much they take. What a server answers is measured by
the clock, as people wait for it, and by the server's processor time (`working_of`): a row shows both ratios.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import clock_gettime, perf_counter, thread_time
from typing import Any, NamedTuple

from rich.progress import track

ROUNDS, MOST_ROUNDS = 5, 10
QUIET = 0.08  # of the machine; with more than that taken by others a round is made once more
TICKS = os.sysconf("SC_CLK_TCK")
Call = Callable[[], Any]
Clock = Callable[[], float]
working = thread_time


class Spent(NamedTuple):
    """What something took by the clock, and of the processor of the server that did it; or how many a second of either."""

    clock: float
    server: float | None = None


Side = Callable[[], float | Spent]  # measures once; seconds, or how many a second


# Rows


@dataclass(frozen=True, slots=True)
class Goal:
    """What a ratio may be at most, or shall be at least."""

    ratio: float
    least: bool = False

    def is_met(self, ratio: float) -> bool:
        return ratio >= self.ratio if self.least else ratio <= self.ratio

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {self.ratio:g}"


def at_most(ratio: float) -> Goal:
    return Goal(ratio)


def at_least(ratio: float) -> Goal:
    return Goal(ratio, least=True)


@dataclass(frozen=True, slots=True)
class Row:
    """Ours beside a floor or a peer that was measured in the same rounds; without numbers, a sentence why not."""

    what: str
    beside: str = ""
    ours: float | None = None
    theirs: float | None = None
    unit: str = "s"
    goal: Goal | None = None
    foreign: float | None = None  # of the machine, what others had meanwhile
    swapped: bool = False  # the ratio is theirs to ours: for shares of a floor's speed
    said: str = ""
    worked: tuple[float, float] | None = None  # the same of the server's processor, ours and theirs
    failed: bool = False  # the part broke off here

    @property
    def ratio(self) -> float | None:
        return self.ratio_of(self.ours, self.theirs)

    @property
    def worked_ratio(self) -> float | None:
        """The ratio by what the server worked, which others cannot make worse however busy the machine is."""
        return self.ratio_of(*self.worked) if self.worked else None

    def ratio_of(self, ours: float | None, theirs: float | None) -> float | None:
        if not ours or not theirs:
            return None
        return theirs / ours if self.swapped else ours / theirs

    @property
    def met(self) -> bool | None:
        if self.goal is None:
            return None
        return self.ratio is not None and self.goal.is_met(self.ratio)

    def cells(self) -> tuple[str, ...]:
        """The row as a table shows it."""
        by_clock, by_work = (
            "" if ratio is None else f"{ratio:.2f}" for ratio in (self.ratio, self.worked_ratio)
        )
        met = {None: "", True: "met", False: "NOT MET"}[self.met]
        foreign = "" if self.foreign is None else f"{self.foreign:.0%}"
        ours, theirs = (told(number, self.unit) for number in (self.ours, self.theirs))
        goal = str(self.goal or "")
        found = (self.what, self.said or ours, self.beside, theirs)
        return (*found, by_clock, by_work, goal, met, foreign)

    def values(self) -> dict[str, Any]:
        """The row for a program."""
        ratios = {"ratio": self.ratio, "worked_ratio": self.worked_ratio}
        return {**asdict(self), "goal": str(self.goal or ""), **ratios, "met": self.met}


HEADINGS = ("what", "ours", "beside", "theirs", "ratio", "by work", "goal", "", "others")


def told(number: float | None, unit: str) -> str:
    if number is None:
        return ""
    if unit != "s":
        return f"{number:,.1f} {unit}" if number < 100 else f"{number:,.0f} {unit}"
    for size, name in ((1, "s"), (1e-3, "ms")):
        if number >= size:
            return f"{number / size:.2f} {name}"
    return f"{number * 1e6:.1f} µs"


# Rounds


@dataclass(frozen=True, slots=True)
class Measured:
    """The medians of the rounds that count, and what others had of the machine in them."""

    sides: Mapping[str, Spent]
    foreign: float

    def row(self, what: str, ours: str, beside: str, goal: Goal | None = None, **more: Any) -> Row:
        mine, theirs = self.sides[ours], self.sides[beside]
        if mine.server and theirs.server:
            more["worked"] = mine.server, theirs.server
        return Row(what, beside, mine.clock, theirs.clock, goal=goal, foreign=self.foreign, **more)

    def share(self, what: str, ours: str, beside: str, goal: Goal | None = None) -> Row:
        """A row whose ratio is a share of the floor's speed."""
        return self.row(what, ours, beside, goal, swapped=True)


def in_turns(what: str, sides: Mapping[str, Side], rounds: int = ROUNDS) -> Measured:
    """Measures every side once a round; nobody is always the first, and rounds that others disturbed are repeated."""
    for side in sides.values():
        side()  # warms up
    made = list[tuple[float, dict[str, Spent]]]()
    for number in track(range(max(rounds, MOST_ROUNDS)), description=what):
        order = list(sides) if number % 2 else list(reversed(sides))
        with Bystanders() as others:
            times = {name: as_spent(sides[name]()) for name in order}
        made.append((others.share, times))
        if sum(share <= QUIET for share, _ in made) >= rounds:
            break
    quietest = sorted(made, key=lambda one: one[0])[:rounds]
    return Measured(
        {name: median_of([times[name] for _, times in quietest]) for name in sides},
        median(share for share, _ in quietest),
    )


def as_spent(figure: float | Spent) -> Spent:
    return figure if isinstance(figure, Spent) else Spent(figure)


def median_of(some: Sequence[Spent]) -> Spent:
    """The medians, each by itself."""
    servers = [one.server for one in some if one.server is not None]
    return Spent(median(one.clock for one in some), median(servers) if servers else None)


def typical(
    call: Call, times: int, before: Call = lambda: None, clock: Clock = perf_counter
) -> Side:
    """A side whose figure is the median of some calls; what comes `before` each is not counted."""

    def measure() -> float:
        spent = list[float]()
        for _ in range(times):
            before()
            spent.append(seconds(call, clock))
        return median(spent)

    return measure


def answered(
    call: Call, times: int, server: Clock, before: Call = lambda: None
) -> Callable[[], Spent]:
    """As `typical`, of what a server answers: by the clock, and by what that server worked."""

    def measure() -> Spent:
        spent = list[Spent]()
        for _ in range(times):
            before()
            began, worked = perf_counter(), server()
            call()
            spent.append(Spent(perf_counter() - began, server() - worked))
        return median_of(spent)

    return measure


def working_of(pid: int) -> Clock:
    """The processor time of another process, all its threads: `clock_getcpuclockid` of POSIX, in Linux's numbers."""
    number = (~pid << 3) | 2
    return lambda: clock_gettime(number)


def seconds(call: Call, clock: Clock = perf_counter) -> float:
    begun = clock()
    call()
    return clock() - begun


# Others


class Bystanders:
    """How much of the machine others had while a block ran: what is not ours nor our children's, stolen time too."""

    share = 0.0

    def __enter__(self) -> Bystanders:
        self._began, self._busy, self._own = perf_counter(), busy_ticks(), ticks_of(os.getpid())
        return self

    def __exit__(self, *_: object) -> None:
        others = (busy_ticks() - self._busy) - (ticks_of(os.getpid()) - self._own)
        room = (perf_counter() - self._began) * TICKS * (os.cpu_count() or 1)
        self.share = min(1.0, max(0.0, others / room))


def busy_ticks() -> int:
    """What all processors have worked, and what was stolen from them; 0 where nobody tells."""
    try:
        line = Path("/proc/stat").read_text().partition("\n")[0]
    except OSError:
        return 0
    user, nice, system, _, _, irq, softirq, steal = map(int, line.split()[1:9])
    return user + nice + system + irq + softirq + steal


def ticks_of(root: int) -> int:
    """What a process and its descendants have worked, those that ended too."""
    parents, worked = dict[int, int](), dict[int, int]()
    for pid, fields in processes():
        parents[pid], worked[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    return sum(worked[pid] for pid in worked if root in ancestry(pid, parents))


def processes() -> Iterator[tuple[int, list[str]]]:
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            told_of = place.read_text()
        except OSError:
            continue  # it has just ended
        yield int(place.parent.name), told_of.rpartition(")")[2].split()


def ancestry(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    while pid:
        yield pid
        pid = parents.get(pid, 0)
