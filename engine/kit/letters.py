"""Letters for pictures, drawn and not typeset.

A picture in a mail is made on machines that may have no fonts at all, so no `text` element is used.
"""

from __future__ import annotations

from functools import cache

# Strokes in a box 6 wide and 10 high; small letters that reach below the line are 13 high.
STROKES = {
    "0": "M0 3a3 3 0 0 1 6 0v4a3 3 0 0 1-6 0z",
    "1": "M1.2 2.2 3.6 0v10",
    "2": "M.1 2.7C.4-1 6-.8 6 2.8 6 5.4 1.5 7.4 0 10h6.2",
    "3": "M.2 1.4C1.5-.7 5.6-.3 5.6 2.4 5.6 4 4.3 4.8 2.4 4.8 4.6 4.8 6 5.8 6 7.3 6 10.6 1.2 10.8 0 8.5",
    "4": "M4.6 10V0L0 7h6.4",
    "5": "M5.6 0H1L.6 4.6C2.2 3.2 6 3.5 6 6.7 6 10.4 1.4 10.7 0 8.8",
    "6": "M5 0C2 1.2 0 4 0 7a3 3 0 0 0 6 0C6 3.3 1.4 3 .1 6.3",
    "7": "M0 0h6L2.2 10",
    "8": "M3 4.7C.2 4.1-.2 0 3 0S5.8 4.1 3 4.7C-.8 5.4-.8 10 3 10S6.8 5.4 3 4.7z",
    "9": "M1 10C4 8.8 6 6 6 3a3 3 0 0 0-6 0c0 3.7 4.6 4 5.9.7",
    "-": "M.8 5h4.4",
    "A": "M0 10 3 0l3 10M1 6.8h4",
    "B": "M0 0v10h3.2a2.6 2.6 0 0 0 0-5.2H0h2.8a2.4 2.4 0 0 0 0-4.8z",
    "C": "M6 2A3.1 3.1 0 0 0 0 3.2v3.6A3.1 3.1 0 0 0 6 8",
    "D": "M0 0v10h2.2A3.8 3.8 0 0 0 6 6.2V3.8A3.8 3.8 0 0 0 2.2 0z",
    "L": "M0 0v10h5.4",
    "P": "M0 10V0h3a2.9 2.9 0 0 1 0 5.8H0",
    "a": "M5.5 4v6m0-3a2.7 3 0 1 0-5.4 0 2.7 3 0 1 0 5.4 0z",
    "b": "M.5 0v10m0-3a2.7 3 0 1 0 5.4 0 2.7 3 0 1 0-5.4 0z",
    "c": "M5.4 5.2A2.9 3 0 1 0 5.4 8.8",
    "d": "M5.5 0v10m0-3a2.7 3 0 1 0-5.4 0 2.7 3 0 1 0 5.4 0z",
    "e": "M.2 7h5.4A2.7 3 0 1 0 5 9",
    "f": "M5 .3C3.5-.4 2.4.6 2.4 2v8M.6 4.2h3.8",
    "g": "M5.5 4v7.2C5.5 13.6 1.6 13.6.6 12M5.5 7a2.7 3 0 1 0-5.4 0 2.7 3 0 1 0 5.4 0z",
    "h": "M.5 0v10m0-3.4c.6-3.5 5-3.5 5 0V10",
    "i": "M3 4v6M3 1.2v.1",
    "j": "M3.6 4v7.2c0 1.6-1.4 2.1-2.8 1.5M3.6 1.2v.1",
    "k": "M.8 0v10M5 4 .8 7.4M2.4 6.2 5.4 10",
    "l": "M3 0v10",
    "m": "M-.6 10V4m0 2.4c.5-3.2 3.6-3.2 3.6 0V10m0-3.6c.5-3.2 3.6-3.2 3.6 0V10",
    "n": "M.5 10V4m0 2.6c.6-3.5 5-3.5 5 0V10",
    "r": "M.8 10V4m0 2.6c.6-2.2 2.6-3 4.2-2.4",
    "o": "M.1 7a2.9 3 0 1 0 5.8 0 2.9 3 0 1 0-5.8 0z",
}
ADVANCE, LETTER = 8.6, 10.0  # how far apart letters are, and how high


@cache
def write(word: str, x: float, y: float, scale: float, look: str) -> str:
    """A word of drawn letters with its middle at (x, y)."""
    named = f' class="{look}"' if look else ""
    left = x - scale * (ADVANCE * (len(word) - 1) + 6) / 2
    return "".join(
        f'<path{named} transform="translate({left + i * ADVANCE * scale:g} {y - 5 * scale:g})'
        f'scale({scale:g})" d="{STROKES[letter]}"/>'
        for i, letter in enumerate(word)
    )
