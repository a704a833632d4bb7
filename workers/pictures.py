"""Boards as small PNGs for mails, drawn by a child process: nobody's page waits for a mail's picture.

Without smoothing a picture has some sixty colours and packs into a fifth. So it is drawn as wide as fits, and
the mail reader, which shows it smaller, smooths it.
"""

from __future__ import annotations

import atexit
import json
import re
import sys
from base64 import b64decode
from hashlib import sha256

import structlog

from app.platform.child_process import Child, NoAnswer
from app.platform.lru_cache import LruCache

log = structlog.get_logger()

MOST_BYTES = 100_000  # a mail reader may send it back in an answer, and we take 256 kB
ROOM = 0.9  # of them, which a picture is drawn for, so that the next one, with more on the board, fits too
LEAST_WIDTH, MOST_WIDTH = 280, 1120
KEPT_BYTES = 200 * MOST_BYTES
LARGEST_PNG = 8 * 1024 * 1024  # as base64, what the child may answer
PATIENCE = 60.0  # seconds for a drawing, on a busy machine

FRAME = re.compile(r'viewBox="([^"]*)"')
PICTURES: LruCache[str, bytes] = LruCache(KEPT_BYTES, len)
# How wide the next picture of a board should be, by its frame: so it fits at once.
WIDTHS: LruCache[str, int] = LruCache(100)
CHILD = Child(sys.executable, "-m", "workers.drawing", patience=PATIENCE, longest=LARGEST_PNG)
atexit.register(CHILD.close)


def draw(svg: str) -> bytes | None:
    """The picture of a view, drawn once; a mail without one still says everything."""
    key = sha256(svg.encode()).hexdigest()
    known = PICTURES.get(key)
    if known is not None:
        return known
    png = fitting(svg)
    return None if png is None else PICTURES.keep(key, png)


def fitting(svg: str) -> bytes | None:
    """As wide as the room in a mail allows: at the width that fitted last, or narrower until it does."""
    framed = FRAME.search(svg)
    frame = framed[1] if framed else ""
    width = WIDTHS.get(frame) or MOST_WIDTH
    while width >= LEAST_WIDTH and (drawn := drawn_at(svg, width)):
        best = min(MOST_WIDTH, int(width * ROOM * MOST_BYTES / len(drawn)))
        if len(drawn) <= MOST_BYTES:
            WIDTHS.keep(frame, best)
            return drawn
        width = min(best, width - 1)
    return None


def drawn_at(svg: str, width: int, edges: str = "crisp_edges") -> bytes:
    """The PNG, by default without smoothing; nothing where it cannot be drawn, which the operator finds in the log."""
    try:
        png = b64decode(CHILD.ask(json.dumps((width, edges, svg)).encode() + b"\n"))
    except NoAnswer as lost:
        log.error("picture", why=str(lost), ended=lost.ended)
        return b""
    if not png:
        log.error("picture", why="It cannot be drawn.")
    return png
