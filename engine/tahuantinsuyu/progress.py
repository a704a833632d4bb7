"""How far a People turn has come: all follows from the orders given in it (N-R1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

FRESH, RUNNING, OVER = range(3)
ROADS = ("road", "wild")
BOUGHT = ("buy road", "buy wild")
WILD = ("wild", "buy wild")


@dataclass(frozen=True, slots=True)
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


def verb(order: str) -> str:
    """The words by which an order begins: `buy road` has two."""
    words = order.split(" ", 2)
    return " ".join(words[:2]) if words[0] == "buy" else words[0]


@lru_cache(maxsize=4096)
def progress(done: tuple[str, ...]) -> Progress:
    """The progress after these orders, which were legal when they were given."""
    return after(progress(done[:-1]), done[-1]) if done else Progress()


def after(now: Progress, order: str) -> Progress:
    word = verb(order)
    if word == "pilgrimage":
        return pilgrim(now, order.rsplit(" ", 1)[1])
    wild = now.wild + (word in WILD)
    if word in ROADS:
        return Progress(
            roads=RUNNING,
            development=OVER if now.development == RUNNING else now.development,
            laid=now.laid + 1,
            wild=wild,
            main=now.main,
            count=now.count,
            extra=now.extra,
            given_up=now.given_up,
        )
    main = "buy" if word in BOUGHT else word
    extra = word == "conquer" and now.development == RUNNING
    return Progress(
        roads=OVER if now.roads == RUNNING else now.roads,
        development=RUNNING,
        laid=now.laid,
        wild=wild,
        main=now.main if extra else main,
        count=now.count + (not extra),
        extra=now.extra + extra,
        given_up=now.given_up,
    )


def pilgrim(now: Progress, instead: str) -> Progress:
    """A pilgrimage takes the place of one action and finishes the other if that has begun (N-D9)."""
    roads, development = (
        OVER if part == RUNNING else part for part in (now.roads, now.development)
    )
    return Progress(
        roads=OVER if instead == "roads" else roads,
        development=OVER if instead == "development" else development,
        laid=now.laid,
        wild=now.wild,
        main=now.main,
        count=now.count,
        extra=now.extra,
        given_up=instead,
    )
