"""Which browser asks, in plain words, and whose it was before: a sealed cookie remembers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.platform.settings import Settings
from app.platform.tables import Player
from app.platform.tokens import seal_value, unseal_value

PURPOSE = "browser"  # what the cookie is sealed for
MOST_KNOWN = 10  # people that one browser is remembered for


# The first that fits: Edge, Opera and Samsung's call themselves Chrome too, and Chrome calls itself Safari.
PROGRAMS = {
    "Edge": r"\bEdg(e|A|iOS)?/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\b(Firefox|FxiOS)/",
    "Chrome": r"\b(Chrome|CriOS|HeadlessChrome)/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "Android": r"\bAndroid\b",
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "ChromeOS": r"\bCrOS\b",
    "Windows": r"\bWindows\b",
    "macOS": r"\b(Macintosh|Mac OS X)\b",
    "Linux": r"\bLinux\b",
}
Known = tuple[int, int]  # a player, and how often they had signed out everywhere


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser: what it calls itself, and the players who signed in with it before."""

    name: str = ""
    known: tuple[Known, ...] = ()

    def knows(self, player: Player) -> bool:
        return mark_of(player) in self.known


UNNAMED = Browser()


def mark_of(player: Player) -> Known:
    """What a browser remembers of a player; signing out everywhere makes it void."""
    return player.id or 0, player.calendars


def name_browser(user_agent: str) -> str:
    """`Firefox · Linux`: as people call it; empty where nothing is recognised."""
    found = (
        next((name for name, pattern in table.items() if re.search(pattern, user_agent)), None)
        for table in (PROGRAMS, SYSTEMS)
    )
    return " · ".join(name for name in found if name)


def read_known(settings: Settings, cookie: str | None) -> tuple[Known, ...]:
    """The players whom a browser's cookie names; none if we did not write it."""
    found = unseal_value(settings, PURPOSE, cookie) if cookie else None
    return tuple((number, times) for number, times in found or ())


def seal_known(settings: Settings, known: tuple[Known, ...], player: Player) -> str:
    """The cookie of a browser that one more player signed in with."""
    others = [mark for mark in known if mark[0] != player.id]
    return seal_value(settings, PURPOSE, [mark_of(player), *others][:MOST_KNOWN])
