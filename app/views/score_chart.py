"""The score chart: a line for every seat over the positions of a match, as a picture of our own."""

from __future__ import annotations

from markupsafe import Markup

from app.views.score_series import Series
from app.views.seat_colours import HUES
from engine.core.match import Match
from engine.core.sentence import seat_letter
from engine.kit.letters import write

WIDTH, HEIGHT, EDGE, FOOT = 720, 220, 34, 20
GROUND, INK, LINE = "#fffaf0", "#4d4231", "#dccba4"
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # lines are told apart without their colours, too


def draw_score_chart(match: Match, series: Series, label: str, now: int | None = None) -> Markup:
    """The lines, a mark where the lead changed, and where somebody looks just now."""
    if not series.points:
        return Markup()
    best = max(max(scores) for _, scores in series.points) or 1
    colours = match.game.colours(match.state)
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}" rx="10"/>', *grid(best)]
    for pos, seat in series.turning:
        x = across(match, pos)
        hue = HUES[colours[seat]][0]
        parts.append(
            f'<path d="M{x:.1f} {EDGE / 2}V{HEIGHT - FOOT}" stroke="{hue}" stroke-opacity=".35" stroke-dasharray="2 4"/>'
        )
    for seat in range(len(series.points[0][1])):
        parts += line(match, series, seat, best, HUES[colours[seat]][0])
    if now is not None:
        x = across(match, now)
        parts.append(f'<path d="M{x:.1f} 4V{HEIGHT - 4}" stroke="#8a3f1d" stroke-width="2"/>')
    body = Markup("").join(Markup(part) for part in parts)  # noqa: S704 - numbers and our own colours
    return Markup(
        '<svg class="score-chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, label, body)


def across(match: Match, pos: int) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * pos / max(1, match.head)


def up(points: int, best: int) -> float:
    return HEIGHT - FOOT - (HEIGHT - FOOT - EDGE / 2) * points / best


def draw_letters(word: str, x: float, y: float, scale: float, ink: str = INK) -> str:
    """A short word without a font: it stands in mails and shared pictures too."""
    return (
        f'<g fill="none" stroke="{ink}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
        f"{write(word, x, y, scale, '')}</g>"
    )


def grid(best: int) -> list[str]:
    """A few lines with their numbers."""
    step = next((step for step in STEPS if best / step <= 5), 1000)
    return [
        f'<path d="M{EDGE} {up(n, best):.1f}H{WIDTH - EDGE}" stroke="{LINE}"/>'
        + draw_letters(str(n), EDGE / 2, up(n, best), 1.0)
        for n in range(0, best + 1, step)
    ]


def line(match: Match, series: Series, seat: int, best: int, hue: str) -> list[str]:
    """One seat's points, step by step, with its letter at the end."""
    way, last = f"M{EDGE} {up(0, best):.1f}", 0
    for pos, scores in series.points:
        way += f"H{across(match, pos):.1f}V{up(scores[seat], best):.1f}"
        last = scores[seat]
    way += f"H{WIDTH - EDGE}"
    dash = DASHES[seat % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return [
        f'<path d="{way}" fill="none" stroke="{hue}" stroke-width="2.5" stroke-linejoin="round"{dashed}/>',
        draw_letters(seat_letter(seat), WIDTH - EDGE + 9 + 12 * (seat % 2), up(last, best), 1.1),
    ]
