"""The colours of the hall, for light and dark, as one style sheet."""

from __future__ import annotations

from functools import cache

from engine.kit.sheet import sheet

ROOT = "inka-board"


# What is painted how: class, property, colour in light, colour in dark.
PAINTS = (
    ("paper", "fill", "#f7f1e3", "#1f1d1a"),
    ("frame", "fill", "#7c6240", "#4c3d2a"),
    ("frame", "stroke", "#3a2c1a", "#0f0b06"),
    ("ruler", "stroke", "#fbf3df", "#e8dabb"),
    ("chasm", "fill", "#3d2428", "#1b1215"),
    ("chasm", "stroke", "#5a393c", "#35242a"),
    ("floor", "fill", "#e9d9b0", "#8f8058"),
    ("floor", "stroke", "#bda874", "#6d6040"),
    ("number", "stroke", "#695b38", "#19140b"),
    ("deep", "stroke", "#ae8f8b", "#937c80"),
    ("exit", "fill", "#2c6e63", "#1f574d"),
    ("exit", "stroke", "#0f3b34", "#0b2a25"),
    ("door", "fill", "#f7f1e3", "#efe6d2"),
    ("passage", "fill", "#2b3a63", "#22305a"),
    ("passage", "stroke", "#131c36", "#0b1226"),
    ("spiral", "stroke", "#f2f4ff", "#e3e8ff"),
    ("symbol", "fill", "#d9711a", "#d9711a"),
    ("symbol", "stroke", "#5f2c00", "#3c1c00"),
    ("symbol-seam", "stroke", "#ffe6c9", "#ffe6c9"),
    ("stone", "fill", "#b4b9bd", "#79828a"),
    ("stone", "stroke", "#33393e", "#0d1013"),
    ("lit", "fill", "#c7ccd0", "#8a949c"),
    ("seam", "stroke", "#868d93", "#565f67"),
    ("gold", "fill", "#f0c23c", "#d3a426"),
    ("gold", "stroke", "#5f4606", "#2e2203"),
    ("shine", "fill", "#fadc7d", "#e4bd51"),
    ("gold-seam", "stroke", "#a87d10", "#7a5a08"),
    ("name", "stroke", "#22282d", "#0b0e11"),
    ("notch", "fill", "#22282d", "#0b0e11"),
    ("wall-rim", "stroke", "#2a120a", "#120704"),
    ("wall", "stroke", "#b9502b", "#c4582f"),
    ("bricks", "stroke", "#2a120a", "#120704"),
    ("snake-rim", "stroke", "#f6f3e6", "#f6f3e6"),
    ("snake", "stroke", "#0e6a2f", "#0b5a27"),
    ("snake-eye", "fill", "#fff7d6", "#fff7d6"),
    ("half", "fill", "#ffd83a", "#ffd83a"),
    ("pA .body", "fill", "#0a5cad", "#1d74cc"),
    ("pB .body", "fill", "#ffd83a", "#ffd83a"),
    ("pC .body", "fill", "#157347", "#1b8553"),
    ("pD .body", "fill", "#cf3f17", "#cf3f17"),
    ("letter", "stroke", "#ffffff", "#ffffff"),
    ("pB .letter", "stroke", "#2c2433", "#2c2433"),
    ("halo", "stroke", "#fffaf0", "#fffaf0"),
    ("body", "stroke", "#1d1712", "#1d1712"),
    ("planks", "stroke", "#1d1712", "#1d1712"),
    ("grain", "stroke", "#a9743a", "#a9743a"),
    ("hand", "fill", "#efe4cb", "#2c2924"),
    ("hand", "stroke", "#bda874", "#6d6040"),
)
FORMS = """
R path{stroke-linecap:round;stroke-linejoin:round}
R .ruler,R .number,R .deep,R .name,R .letter,R .spiral,R .seam,R .gold-seam,R .symbol-seam{fill:none}
R .wall,R .wall-rim,R .bricks,R .snake,R .snake-rim,R .planks,R .grain{fill:none}
R .frame{stroke-width:4}
R .ruler{stroke-width:1.6}
R .chasm,R .floor{stroke-width:1.2}
R .number{stroke-width:1.2}
R .deep{stroke-width:1.1}
R .exit,R .passage,R .symbol{stroke-width:1.6}
R .spiral{stroke-width:2.4}
R .symbol-seam{stroke-width:1.8}
R .stone,R .gold{stroke-width:2.6}
R .seam,R .gold-seam{stroke-width:1.4;stroke-dasharray:3 4}
R .name{stroke-width:1.7}
R .wall-rim{stroke-width:10}
R .wall{stroke-width:6}
R .bricks{stroke-width:1.3;stroke-linecap:butt}
R .snake-rim{stroke-width:7.5}
R .snake{stroke-width:4.4}
R .halo{stroke-width:5;fill:none}
R .rim{fill:#1d1712}
R .body{stroke-width:1.6}
R .letter{stroke-width:1.9}
R .planks{stroke-width:10}
R .grain{stroke-width:6}
R .hand{stroke-width:2}
R .half{fill-opacity:0}
R .place.can>.half{fill-opacity:.4}
R .marks .half{fill-opacity:.75}
R .place.can>.chasm{fill:#8a5a4c}
R .place.can>g>.stone,R .place.can>g>.gold{stroke:#ff8a1f;stroke-width:6}
R .marks .aim:not(:has(>g)){filter:none}
R .marks .aim>.chasm,R .marks .aim>.floor,R .marks .aim>.half{fill:#6cc0ff;fill-opacity:.95;stroke:#fff;stroke-width:2.5}
R .marks .aim.first>.chasm,R .marks .aim.first>.floor,R .marks .aim.first>.half{fill:#ffd83a}
R .marks .swept{filter:none;opacity:.75}
R .marks .swept>.chasm,R .marks .swept>.floor,R .marks .swept>.half{fill:#4f86b8;fill-opacity:.8}
R [data-half]:not(.can){pointer-events:none}
R .over{pointer-events:none}
"""


@cache
def style() -> str:
    """The style sheet of every picture of the hall."""
    return sheet(ROOT, PAINTS, FORMS)
