"""Spaces that never break a line before and inside French signs, mended wherever we speak French by `python -m tests.french_spaces`."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from app.platform.paths import TRANSLATIONS

CATALOG = TRANSLATIONS / "fr" / "LC_MESSAGES" / "messages.po"
RULES = tuple(sorted((Path(__file__).parents[1] / "engine").glob("*/help.fr.md")))
# A sign, not a part of a clock, an address or a tag; what is code is left as it is.
SIGNS = re.compile(
    r"(?P<code>```.*?```|`[^`]*`)|(?P<opening>«)[ \u00a0\u202f]*|(?<=[^\s?!])[ \u00a0\u202f]*(?P<sign>[:;?!»])(?=[\s.,;:?!»)<*]|$)",
    re.DOTALL | re.MULTILINE,
)


def space_french(text: str) -> str:
    """The text as printers set it: a whole space before a colon, a narrow one at other signs, neither of which breaks."""

    def spaced(found: re.Match[str]) -> str:
        if found["sign"]:
            return ("\u00a0" if found["sign"] == ":" else "\u202f") + found["sign"]
        return found["code"] or "«\u202f"

    return SIGNS.sub(spaced, text)


def mend() -> None:
    with CATALOG.open("rb") as file:
        catalog = read_po(file, locale="fr")
    for message in catalog:
        if isinstance(message.string, str):
            message.string = space_french(message.string) if message.id else message.string
        else:
            message.string = tuple(map(space_french, message.string or ()))
    with CATALOG.open("wb") as file:
        write_po(file, catalog, width=110, ignore_obsolete=True)  # as `make translations` writes it
    for path in RULES:
        path.write_text(space_french(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    mend()
