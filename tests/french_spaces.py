"""Spaces that never break a line before and inside French signs, mended in the catalog by `python -m tests.french_spaces`."""

from __future__ import annotations

import re

from babel.messages.pofile import read_po, write_po

from app.platform.paths import TRANSLATIONS

CATALOG = TRANSLATIONS / "fr" / "LC_MESSAGES" / "messages.po"
ENDS = r"(?=[\s.,;:?!»)<]|$)"  # a sign, not a part of a clock, an address or a tag
COLON = re.compile(rf"(?<=\S)[ \u00a0\u202f]*:{ENDS}")
OTHER = re.compile(rf"(?<=[^\s?!])[ \u00a0\u202f]*([;?!»]){ENDS}")
OPENING = re.compile(r"«[ \u00a0\u202f]*")


def space_french(text: str) -> str:
    """The text as printers set it: a whole space before a colon, a narrow one at other signs, neither of which breaks."""
    return OPENING.sub("«\u202f", OTHER.sub("\u202f\\1", COLON.sub("\u00a0:", text)))


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


if __name__ == "__main__":
    mend()
