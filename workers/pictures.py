"""Boards as small PNGs for mails. Only workers draw: a picture that is too large would end the process.

Without smoothing a picture has some sixty colours and packs into a fifth. So it is drawn as wide as fits, and
the mail reader, which shows it smaller, smooths it.
"""

from __future__ import annotations

from hashlib import sha256

import resvg_py
import structlog

from app.lru_cache import LruCache

log = structlog.get_logger()

MOST_BYTES = 50_000  # as base64 two thirds of a mail of 100 kB
LEAST_WIDTH, FIRST_WIDTH, MOST_WIDTH = 280, 560, 1120
KEPT_BYTES = 200 * MOST_BYTES

PICTURES: LruCache[str, bytes] = LruCache(KEPT_BYTES, len)


def draw(svg: str) -> bytes | None:
    """The picture of a view, drawn once; a mail without one still says everything."""
    key = sha256(svg.encode()).hexdigest()
    known = PICTURES.get(key)
    if known is not None:
        return known
    png = fitting(svg)
    return None if png is None else PICTURES.keep(key, png)


def fitting(svg: str) -> bytes | None:
    """As wide as the room in a mail allows: the size grows about as the width does."""
    width, found = FIRST_WIDTH, None
    try:
        while found is None and width >= LEAST_WIDTH:
            drawn = drawn_at(svg, width)
            found = drawn if len(drawn) <= MOST_BYTES else None
            width = int(width * min(0.9, MOST_BYTES / len(drawn)))
        if found is None:
            return None
        wider = min(MOST_WIDTH, int(FIRST_WIDTH * MOST_BYTES / len(found)))
        larger = drawn_at(svg, wider) if wider > FIRST_WIDTH else found
    except ValueError as fault:
        log.error("picture", exc_info=fault)
        return None
    return larger if len(larger) <= MOST_BYTES else found


def drawn_at(svg: str, width: int) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, shape_rendering="crisp_edges", skip_system_fonts=True
    )
