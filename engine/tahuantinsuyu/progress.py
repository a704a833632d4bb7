"""How far a People turn has come: all follows from the orders given in it (N-R1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.core.game import amend
from engine.tahuantinsuyu import actions as a

FRESH, RUNNING, OVER = range(3)
BUY = "buy"  # what a development action is known by that buys roads


@dataclass(frozen=True)
class Progress:
    """The two actions of a turn. `main` is what the development action began with, and how often it was done."""

    roads: int = FRESH
    development: int = FRESH
    laid: int = 0  # roads of the road action
    wild: int = 0  # wild roads, free or bought
    main: str = ""
    count: int = 0
    extra: int = 0  # conquests by Rapid Expansion
    given_up: str = ""  # for a pilgrimage


@lru_cache(maxsize=4096)
def progress(done: tuple[a.Order, ...]) -> Progress:
    """The progress after these orders, which were legal when they were given."""
    return after(progress(done[:-1]), done[-1]) if done else Progress()


def after(now: Progress, order: a.Order) -> Progress:
    match order:
        case a.GoOnPilgrimage(_, _, instead):
            return pilgrim(now, instead)
        case a.BuildRoad(_, _, wild, bought):
            noted = amend(now, wild=now.wild + wild)
            return developed(noted, BUY) if bought else road(noted)
        case a.Build(_, what):
            return developed(now, what)
        case a.BuildTerrace():
            return developed(now, "terrace")
        case a.Conquer() if now.development == RUNNING:
            return amend(now, roads=ended(now.roads), extra=now.extra + 1)
        case a.Conquer():
            return developed(now, "conquer")


def road(now: Progress) -> Progress:
    """A road of the road action."""
    return amend(now, roads=RUNNING, development=ended(now.development), laid=now.laid + 1)


def developed(now: Progress, main: str) -> Progress:
    """The development action has begun, or goes on with the same."""
    return amend(now, roads=ended(now.roads), development=RUNNING, main=main, count=now.count + 1)


def pilgrim(now: Progress, instead: str) -> Progress:
    """A pilgrimage takes the place of one action and finishes the other if that has begun (N-D9)."""
    return amend(
        now,
        roads=OVER if instead == "roads" else ended(now.roads),
        development=OVER if instead == "development" else ended(now.development),
        given_up=instead,
    )


def ended(action: int) -> int:
    """An action that runs is over when another begins."""
    return OVER if action == RUNNING else action
