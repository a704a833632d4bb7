"""Child process that draws: a drawing holds its whole interpreter, and one that is too large would end it.

Asked by a line, a width, a way of drawing edges and a picture as SVG in JSON, it answers by a line, the PNG in base64;
an empty one where it cannot be drawn. It imports nothing else, so it is there at once and small.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from base64 import b64encode
from typing import Literal

import resvg_py

Edges = Literal["crisp_edges", "geometric_precision"]
IDLE = 600.0  # seconds without a picture after which the child ends


def draw_png(width: int, edges: Edges, svg: str) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, shape_rendering=edges, skip_system_fonts=True
    )


def serve() -> None:
    while select.select([sys.stdin], [], [], IDLE)[0] and (line := sys.stdin.buffer.readline()):
        try:
            png = draw_png(*json.loads(line))
        except ValueError:  # what resvg says to an SVG that it cannot read
            png = b""
        sys.stdout.buffer.write(b64encode(png) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks ends by it, and we with them
    os.nice(5)
    serve()
