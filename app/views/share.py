"""What is shared of a match with anybody who has the link: nothing that a spectator may not see."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import or_
from sqlmodel import Session, col, select

from app.eventstore.store import load_readable_match
from app.matches.access import Place
from app.platform import tables
from app.platform.rows import load_match_row
from app.platform.settings import Settings
from app.platform.tokens import seal_value, unseal_value
from app.views.board_pictures import close_up_board, place_picture
from app.views.scenes import make_scene
from app.views.score_chart import GROUND, draw_letters, draw_score_chart
from app.views.score_series import load_series
from app.views.seat_colours import HUES
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.sentence import say, seat_letter

RESULT = "result"  # what the seal is for
BATCH = 10
RECENT = timedelta(days=30)  # who shares a match does it soon after its end
BEHIND = 20  # positions that the picture of a running match may be old

# The picture, as wide and high as those who show links want it; there is no font to count on, so no words.
WIDTH, HEIGHT, BOARD = 1200, 630, 640
PAPER, EDGE, GOLD = "#f3ead6", "#dccba4", "#b07d12"


def make_result_token(settings: Settings, match_id: str) -> str:
    return seal_value(settings, RESULT, match_id)


def find_shared(session: Session, settings: Settings, token: str) -> Place:
    """Where the owner of a link stands: they look at a match that is over, and at nothing else."""
    match_id = unseal_value(settings, RESULT, token)
    row = load_match_row(session, str(match_id)) if match_id is not None else None
    if row is None or row.status != "over":
        raise Unknown(say("This link shows no match, or not yet."))
    return Place(row.id, None, None, owner=False, public=True, status=row.status)


def load_share_picture(session: Session, here: Place) -> bytes:
    """The picture of a match that everybody may see, or that is over for whoever has its link."""
    row = session.get(tables.SharePicture, here.match_id) if here.public else None
    if row is None:
        raise Unknown(say("This picture is not drawn yet."))
    return row.png


def undrawn_matches(session: Session, at: datetime) -> Iterator[tuple[str, int, str]]:
    """Matches that are over and those that everybody may watch, whose picture is missing or old: id, head and picture."""
    picture = col(tables.SharePicture.head)
    query = select(tables.Match.id).outerjoin(
        tables.SharePicture, col(tables.SharePicture.match_id) == col(tables.Match.id)
    )
    head = col(tables.Match.head)
    over = query.where(
        tables.Match.status == "over",
        col(tables.Match.ended_at) > at - RECENT,
        or_(picture.is_(None), picture < head),
    )
    watched = query.where(
        tables.Match.status == "running",
        col(tables.Match.public),
        or_(picture.is_(None), picture + BEHIND <= head),
    )
    for match_id in [m for some in (over, watched) for m in session.exec(some.limit(BATCH))]:
        match = load_readable_match(session.connection(), match_id)
        if match is not None:
            yield match_id, match.head, draw_share(match)


def draw_share(match: Match) -> str:
    """The board as spectators see it, the scores beside it, and how they went."""
    board = close_up_board(make_scene(match, match.state, None, match.hash).board)
    chart = str(draw_score_chart(match, load_series(match), ""))
    side = BOARD + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f"{place_picture(board, 10, 10, BOARD, HEIGHT - 20)}{''.join(places(match, side))}"
        f"{place_picture(chart, side, 450, WIDTH - side - 20, 165)}</svg>"
    )


def places(match: Match, left: int) -> Iterator[str]:
    """A row for every seat, the best first: its mark, its points, and a golden edge for who won."""
    scores, won = match.game.scores(match.state), match.game.winners(match.state)
    colours = match.game.colours(match.state)
    order = sorted(range(len(scores)), key=lambda seat: (seat not in won, -scores[seat]))
    for row, seat in enumerate(order):
        y, (ground, ink) = 20 + row * 105, HUES[colours[seat]]
        edge, thick = (GOLD, 5) if seat in won else (EDGE, 2)
        yield (
            f'<rect x="{left}" y="{y}" width="{WIDTH - left - 20}" height="92" rx="14" fill="{GROUND}" '
            f'stroke="{edge}" stroke-width="{thick}"/>'
            f'<rect x="{left + 22}" y="{y + 16}" width="60" height="60" rx="12" fill="{ground}"/>'
            f"{draw_letters(seat_letter(seat), left + 52, y + 46, 3.2, ink)}"
            f"{draw_letters(str(scores[seat]), WIDTH - 130, y + 46, 5)}"
        )
