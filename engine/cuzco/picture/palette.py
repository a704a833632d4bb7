"""The colours of the board, for light and dark, as one style sheet."""

from __future__ import annotations

from functools import cache

from engine.kit.sheet import sheet

ROOT = "chasqui-board"


# What is painted how: class, property, colour in light, colour in dark.
PAINTS = (
    ("paper", "fill", "#f7f1e3", "#1f1d1a"),
    ("ruler", "stroke", "#6b5d40", "#a99d88"),
    ("ground", "fill", "#e6d7b4", "#4a4437"),
    ("grid", "stroke", "#cbb88c", "#5d5546"),
    ("mountain", "fill", "#b9ae9f", "#37352f"),
    ("peak", "fill", "#84786a", "#6d665b"),
    ("snow", "fill", "#f8f5ef", "#d9d5cc"),
    ("forest", "fill", "#9fb286", "#27331f"),
    ("trees", "fill", "#4f7146", "#4f7146"),
    ("tufts", "stroke", "#55753a", "#6f9150"),
    ("water", "fill", "#4f9fc4", "#27698c"),
    ("bank", "stroke", "#2d6f93", "#17455f"),
    ("wave", "stroke", "#d3edf7", "#8cc6e0"),
    ("c1", "fill", "#7f9c45", "#6b8638"),
    ("c2", "fill", "#98b256", "#819a48"),
    ("c3", "fill", "#b2c76c", "#98ae58"),
    ("c4", "fill", "#cbda88", "#afc26c"),
    ("c5", "fill", "#e2eba9", "#c6d685"),
    ("sprouts", "stroke", "#33501b", "#25390f"),
    ("cliff-c", "fill", "#54692c", "#3c4c1c"),
    ("v1", "fill", "#b5713f", "#985a2e"),
    ("v2", "fill", "#c98a55", "#ad7042"),
    ("v3", "fill", "#dba571", "#c28957"),
    ("v4", "fill", "#eabf92", "#d5a270"),
    ("v5", "fill", "#f6d9b8", "#e6bd91"),
    ("houses", "fill", "#fff4e0", "#f3dfc2"),
    ("roofs", "fill", "#8c2f1a", "#7a2813"),
    ("roofs", "stroke", "#4a1609", "#360f05"),
    ("furrows", "stroke", "#5c7a2c", "#4b6423"),
    ("plate", "fill", "#fff6e2", "#f1e2c4"),
    ("plate", "stroke", "#2f2418", "#14100b"),
    ("glow", "stroke", "#fff8e4", "#fff8e4"),
    ("deep", "fill", "#3f8db3", "#1d587a"),
    ("cliff-v", "fill", "#77431f", "#5a2f13"),
    ("strata", "stroke", "#f3e3c4", "#d8c6a4"),
    ("edge", "stroke", "#2f2418", "#14100b"),
    ("seam", "stroke", "#2f2418", "#14100b"),
    ("houses", "stroke", "#6b3514", "#4f240b"),
    ("level", "stroke", "#2a1c0e", "#170f07"),
    ("floor", "fill", "#f4f1ea", "#ded9ce"),
    ("side", "fill", "#a39c90", "#857e73"),
    ("floor", "stroke", "#4a443b", "#35302a"),
    ("side", "stroke", "#4a443b", "#35302a"),
    ("value", "stroke", "#241c14", "#1a130c"),
    ("sun", "fill", "#ffc928", "#ffc928"),
    ("sun", "stroke", "#7a4a00", "#5c3700"),
    ("feast", "stroke", "#ffb400", "#ffc640"),
    ("rays", "stroke", "#e08a00", "#ffab1a"),
    ("figure", "fill", "#5c3300", "#5c3300"),
    ("limbs", "stroke", "#5c3300", "#5c3300"),
    ("pA .body", "fill", "#0a5cad", "#1d74cc"),
    ("pB .body", "fill", "#cf3f17", "#cf3f17"),
    ("pC .body", "fill", "#ffd83a", "#ffd83a"),
    ("pD .body", "fill", "#2c2433", "#2c2433"),
    ("letter", "stroke", "#ffffff", "#ffffff"),
    ("pC .letter", "stroke", "#2c2433", "#2c2433"),
    ("halo", "stroke", "#fffaf0", "#fffaf0"),
    ("body", "stroke", "#1d1712", "#1d1712"),
)
FORMS = """
R path{stroke-linecap:round;stroke-linejoin:round}
R .ruler,R .level,R .value,R .letter,R .wave,R .sprouts,R .tufts,R .rays,R .limbs{fill:none}
R .ruler{stroke-width:1.15}
R .bank{fill:none;stroke-width:3}
R .grid,R .edge,R .seam{fill:none}
R .grid{stroke-width:1}
R .edge{stroke-width:2.6}
R .seam{stroke-width:1;stroke-opacity:.5}
R .wave{stroke-width:2;stroke-opacity:.8}
R .sprouts{stroke-width:1.7}
R .tufts{stroke-width:2}
R .houses{stroke-width:1}
R .roofs{stroke-width:1}
R .furrows{fill:none;stroke-width:1.4;stroke-opacity:.55}
R .plate{stroke-width:1.2}
R .glow{fill:none;stroke-width:2.2;stroke-opacity:.38}
R .deep{fill-opacity:.55}
R .level{stroke-width:1.5}
R .floor,R .side{stroke-width:1}
R .value{stroke-width:1.7}
R .letter{stroke-width:1.9}
R .rays{stroke-width:2.6}
R .sun{stroke-width:1.2}
R .limbs{stroke-width:1.6}
R .halo{fill:none;stroke-width:5}
R .feast{fill:none;stroke-width:5;stroke-dasharray:9 6}
R .strata{fill:none;stroke-width:.8;stroke-opacity:.5}
R .rim{fill:#1d1712}
R .body{stroke-width:1.6}
R .shade{fill:#000;fill-opacity:.22}
"""


@cache
def style() -> str:
    """The style sheet of every board."""
    return sheet(ROOT, PAINTS, FORMS)
