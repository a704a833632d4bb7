"""Whole words as single paths: a map has hundreds of names, and a letter for each element would be too much."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from functools import cache

from engine.kit.letters import STROKES

# In the box of the kit's letters: 6 wide, 10 high.
MORE = {
    "p": "M.5 4v9m0-6a2.7 3 0 1 0 5.4 0 2.7 3 0 1 0-5.4 0z",
    "q": "M5.5 4v9m0-6a2.7 3 0 1 0-5.4 0 2.7 3 0 1 0 5.4 0z",
    "r": "M.8 10V4m0 2.6c.6-2.2 2.6-3 4.2-2.4",
    "s": "M5 5C3.9 3.7.7 3.8.7 5.6.7 7.6 5.3 6.5 5.3 8.5 5.3 10.5 1.6 10.5.4 9",
    "t": "M2.6 1.2V8c0 2 1.6 2.4 3 1.7M.6 4.2h4.4",
    "u": "M.5 4v3.4c0 3.5 4.4 3.5 5 0V4m0 0v6",
    "v": "M.4 4 3 10 5.6 4",
    "w": "M-.6 4 1.2 10 3 5 4.8 10 6.6 4",
    "x": "M.6 4 5.4 10M5.4 4 .6 10",
    "y": "M.5 4 3.1 9.6M5.6 4 2.6 11c-.7 1.7-1.6 2-2.4 1.7",
    "z": "M.6 4h4.6L.5 10h5",
    "G": "M6 2A3.1 3.1 0 0 0 0 3.2v3.6A3.1 3.1 0 0 0 6 6.8V5.6H3.4",
    "I": "M1 0h4M3 0v10M1 10h4",
    "P": "M0 10V0h3a2.9 2.9 0 0 1 0 5.8H0",
    "T": "M0 0h6M3 0v10",
    "V": "M0 0 3 10 6 0",
    "?": "M.4 2.4C.6-.8 5.6-.7 5.6 2.6 5.6 4.6 3 4.9 3 7M3 9.7v.1",
    "+": "M3 2.5v6M0 5.5h6",
    "-": "M.8 6h4.4",
    "’": "M3.4 .2 2.6 2.8",
    " ": "",
}
# Over a letter, or under it; the capitals of a name are small here, so that there is room.
ACCENTS = {
    "\u0300": "M1.6.6 3.4 2.4",
    "\u0301": "M4.4.6 2.6 2.4",
    "\u0302": "M1.4 2.4 3 .8 4.6 2.4",
    "\u0303": "M1 2.2C1.8.2 4.2 3 5 1",
    "\u0308": "M1.6 1.6v.1M4.4 1.6v.1",
    "\u0327": "M3 10c1.6.6 1.4 2.6-.4 2.4",
}
GLYPHS = STROKES | MORE
NARROW = {"i": 4.6, "l": 4.6, "j": 5.6, "t": 7.4, "f": 7.2, "r": 7.4, "1": 7.4, " ": 6.0}
WIDE = {"m": 10.6, "w": 10.2}
ADVANCE = 8.6
TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
TIGHT = re.compile(r" ?([A-Za-z-]) ?")


SIZE = (1.5, 2.1)  # how wide and how high letters are drawn: 11 pixels on a page of 1280 x 800


def writable(text: str) -> str:
    """A name in any language as our letters can write it: small, with the accents that we have."""
    whole = unicodedata.normalize("NFC", text.lower().replace("œ", "oe"))
    return "".join(letter for letter in whole if set(parts(letter)) <= GLYPHS.keys() | ACCENTS)


def parts(letter: str) -> str:
    """A letter, and then its accents."""
    return unicodedata.normalize("NFD", letter)


def letters(look: str, text: str, x: float = 0, y: float = 0, room: float = 0) -> str:
    """A word of the board with its middle at (x, y), as large as all of them; narrower where there is less room."""
    wide, high = SIZE
    if room and (needed := width_of(text)) > room:
        wide *= room / needed
    size = f"matrix({wide:g} 0 0 {high:g} {x:g} {y:g})"
    return f'<path class="letter {look}" transform="{size}" d="{word(text)}"/>'


def width_of(text: str) -> float:
    """How wide a word is on the board."""
    return SIZE[0] * (sum(map(advance, text)) - (ADVANCE - 6))


def advance(letter: str) -> float:
    base = parts(letter)[0]
    return NARROW.get(base, WIDE.get(base, ADVANCE))


# For each command, which of its numbers are x (0), which y (1) and which neither (2).
AXES = {
    "m": (0, 1),
    "l": (0, 1),
    "h": (0,),
    "v": (1,),
    "c": (0, 1, 0, 1, 0, 1),
    "s": (0, 1, 0, 1),
    "a": (2, 2, 2, 2, 2, 0, 1),
    "z": (),
}


@cache
def word(text: str) -> str:
    """The path of a word around the origin, in the size in which the letters are kept."""
    left = -(sum(map(advance, text)) - (ADVANCE - 6)) / 2
    return f"M{short(left)}-5" + "".join(map(stepped, text))


@cache
def stepped(letter: str) -> str:
    """A letter in steps from its corner to the next one's: the same wherever it stands, so that it packs well."""
    room = advance(letter)
    left = (ADVANCE - room) / 2
    pen = begun = (left, 0.0, 0.0)  # x, y, and what is neither
    made = list[str]()
    base, accents = parts(letter)[0], parts(letter)[1:]
    drawn = GLYPHS[base] + "".join(ACCENTS[accent] for accent in accents)
    for command, numbers in commands(f"{drawn}M{left + room:g} 0"):
        from_ = pen if command.isupper() else (0.0, 0.0, 0.0)
        axes = AXES[command.lower()]
        step = [number - from_[axis] for number, axis in zip(numbers, axes, strict=True)]
        made.append(command.lower() + " ".join(map(short, step)))
        x, y = (sum(n for n, a in zip(step[-2:], axes[-2:], strict=True) if a == i) for i in (0, 1))
        pen = (pen[0] + x, pen[1] + y, 0.0)
        if command in "Mm":
            begun = pen
        elif command in "Zz":
            pen = begun
    return TIGHT.sub(r"\1", " ".join(made))


def commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """What a path is drawn by, one at a time: a command that is repeated may be left out, and lines follow a move."""
    tokens = deque(TOKEN.findall(path))
    command = ""
    while tokens:
        if tokens[0].isalpha():
            command = tokens.popleft()
        yield command, [float(tokens.popleft()) for _ in AXES[command.lower()]]
        command = {"M": "L", "m": "l"}.get(command, command)


def short(value: float) -> str:
    told = f"{value:.1f}".removesuffix(".0")
    return "0" if told == "-0" else told
