"""The colours of the seats: pages and mails mark a seat as the board of its match paints it."""

from __future__ import annotations

from engine.core.match import Match
from engine.core.sentence import seat_letter

# By the names that games use: the ground, and what can be read on it. The style sheet knows the same.
HUES = {
    "blue": ("#0a5cad", "#ffffff"),
    "red": ("#cf3f17", "#ffffff"),
    "yellow": ("#ffd83a", "#2c2433"),
    "black": ("#2c2433", "#ffffff"),
    "green": ("#157347", "#ffffff"),
    "orange": ("#e8821e", "#2c2433"),
    "brown": ("#774526", "#ffffff"),
}
# A line is thin: on the paper of a chart it has to be darker than a ground may be.
LINE_HUES = {colour: ground for colour, (ground, _) in HUES.items()} | {
    "yellow": "#8f6f00",
    "orange": "#c2640a",
}


def colour_classes(match: Match | None) -> str:
    """`<body class="{{ match|painted }}">`: the classes under which every seat's mark has its colour."""
    if match is None or match.state is None:
        return ""
    colours = match.game.colours(match.state)
    return " ".join(f"{seat_letter(seat)}-{colour}" for seat, colour in enumerate(colours))


def mail_colours(match: Match, seat: int) -> tuple[str, str]:
    """The same for mails, which have no style sheet."""
    return HUES[match.game.colours(match.state)[seat]]
