"""The score chart: a line for every seat over the positions of a match, as a picture of our own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.views.score_series import Series
from app.views.seat_colours import LINE_HUES
from engine.core.match import Match
from engine.core.sentence import seat_letter
from engine.kit.letters import write

EDGE, FOOT = 34, 20
GROUND, INK, LINE = "#fffaf0", "#4d4231", "#dccba4"
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # lines are told apart without their colours, too


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a chart; letters are as large in all of them."""

    width: int
    height: int
    name: str = ""

    def across(self, part: float) -> float:
        """Where a part of the match lies, from 0 to 1."""
        return EDGE + (self.width - 2 * EDGE) * part

    def up(self, part: float) -> float:
        """How high a part of the most lies, from 0 to 1."""
        return self.height - FOOT - (self.height - FOOT - EDGE / 2) * part

    def draw(self, parts: Iterable[str], label: str) -> Markup:
        """The picture with its ground."""
        ground = f'<rect width="{self.width}" height="{self.height}" fill="{GROUND}" rx="10"/>'
        body = Markup("").join(Markup(part) for part in (ground, *parts))  # noqa: S704 - numbers and our own colours
        return Markup(
            '<svg class="score-chart{}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
        ).format(self.name and f" {self.name}", self.width, self.height, label, body)


WIDE, NARROW = Frame(720, 220), Frame(380, 230, "narrow")  # the other for phones
LOW = Frame(380, 120, "narrow")  # beside a board


def draw_score_charts(
    match: Match, series: Series, label: str, now: int | None = None, narrow: Frame = NARROW
) -> Markup:
    """The chart in two sizes: a page shows the one that it has room for."""
    return Markup("").join(
        draw_score_chart(match, series, label, now, frame) for frame in (WIDE, narrow)
    )


def draw_score_chart(
    match: Match, series: Series, label: str, now: int | None = None, frame: Frame = WIDE
) -> Markup:
    """The lines, a mark where the lead changed, and where somebody looks just now."""
    if not series.points:
        return Markup()
    best = max(max(scores) for _, scores in series.points) or 1
    colours, length = match.game.colours(match.state), max(1, match.head)
    parts = grid(best, frame)
    for pos, seat in series.turning:
        x = frame.across(pos / length)
        hue = LINE_HUES[colours[seat]]
        parts.append(
            f'<path d="M{x:.1f} {EDGE / 2}V{frame.height - FOOT}" stroke="{hue}" stroke-opacity=".35" stroke-dasharray="2 4"/>'
        )
    for seat in range(len(series.points[0][1])):
        way = [(pos / length, scores[seat] / best) for pos, scores in series.points]
        parts += line(way, seat, LINE_HUES[colours[seat]], frame)
    if now is not None:
        x = frame.across(now / length)
        parts.append(f'<path d="M{x:.1f} 4V{frame.height - 4}" stroke="#8a3f1d" stroke-width="2"/>')
    return frame.draw(parts, label)


def draw_letters(word: str, x: float, y: float, scale: float, ink: str = INK) -> str:
    """A short word without a font: it stands in mails and shared pictures too."""
    return (
        f'<g fill="none" stroke="{ink}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
        f"{write(word, x, y, scale, '')}</g>"
    )


def grid(best: int, frame: Frame) -> list[str]:
    """A few lines with their numbers."""
    step = next((step for step in STEPS if best / step <= 5), 1000)
    return [
        f'<path d="M{EDGE} {frame.up(n / best):.1f}H{frame.width - EDGE}" stroke="{LINE}"/>'
        + draw_letters(str(n), EDGE / 2, frame.up(n / best), 1.0)
        for n in range(0, best + 1, step)
    ]


def line(steps: Sequence[tuple[float, float]], seat: int, hue: str, frame: Frame) -> list[str]:
    """One seat's points, step by step, with its letter at the end."""
    end = frame.width - EDGE
    way = f"M{EDGE} {frame.up(0):.1f}"
    for part, height in steps:
        way += f"H{frame.across(part):.1f}V{frame.up(height):.1f}"
    dash = DASHES[seat % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return [
        f'<path d="{way}H{end}" fill="none" stroke="{hue}" stroke-width="2.5" stroke-linejoin="round"{dashed}/>',
        draw_letters(seat_letter(seat), end + 9 + 12 * (seat % 2), frame.up(steps[-1][1]), 1.1),
    ]
