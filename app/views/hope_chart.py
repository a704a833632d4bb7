"""The chart of a review: what each seat could expect, turn by turn, as a picture of our own."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from app.views.score_chart import DASHES, EDGE, FOOT, LINE, WIDE, Frame, draw_letters
from app.views.seat_colours import LINE_HUES
from engine.core.match import Match
from engine.core.sentence import seat_letter

Hopes = tuple[int, tuple[float, ...]]  # from which position on, and by seat
LINES = 4  # of the grid
DIGIT = 20.0  # the numbers of two turns that follow each other stand so far apart at least


def draw_hope_chart(
    match: Match, hopes: Sequence[Hopes], marked: Sequence[int], label: str, frame: Frame = WIDE
) -> Markup:
    """A line for every seat from turn to turn, and the turning points with their numbers."""
    if not hopes:
        return Markup()
    values = [value for _, some in hopes for value in some]
    least, most = min(values), max(values)
    span, length = (most - least) or 1.0, max(1, match.head)
    foot, end = frame.height - FOOT, frame.width - EDGE

    def up(value: float) -> float:
        return frame.up((value - least) / span)

    parts = []
    for number in range(LINES + 1):
        value = least + span * number / LINES
        parts.append(f'<path d="M{EDGE} {up(value):.1f}H{end}" stroke="{LINE}"/>')
        parts.append(draw_letters(f"{value:.0f}", EDGE / 2, up(value), 1.0))
    shown = 0.0
    for number, pos in enumerate(marked, 1):
        x = frame.across(pos / length)
        shown = max(x, shown + DIGIT)
        parts.append(
            f'<path d="M{x:.1f} {EDGE / 2}V{foot}" stroke="#8a3f1d" stroke-width="2" stroke-dasharray="2 4"/>'
        )
        parts.append(draw_letters(str(number), shown, frame.height - FOOT / 2, 1.2, "#8a3f1d"))
    colours = match.game.colours(match.state)
    for seat in range(len(hopes[0][1])):
        way = " ".join(
            f"{frame.across(pos / length):.1f},{up(some[seat]):.1f}" for pos, some in hopes
        )
        hue, dash = LINE_HUES[colours[seat]], DASHES[seat % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(
            f'<polyline points="{way}" fill="none" stroke="{hue}" stroke-width="2.5" stroke-linejoin="round"{dashed}/>'
        )
        x, y = end + 9 + 12 * (seat % 2), up(hopes[-1][1][seat])
        parts.append(draw_letters(seat_letter(seat), x, y, 1.1))
    return frame.draw(parts, label)
