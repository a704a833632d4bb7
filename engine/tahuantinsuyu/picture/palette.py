"""The colours of the board, for light and dark, as one style sheet."""

from __future__ import annotations

from functools import cache

from engine.kit.sheet import sheet

ROOT = "tahuantinsuyu-board"


# What is painted how: class, property, colour in light, colour in dark.
PAINTS = (
    ("sea", "fill", "#a9cfdd", "#1f3b4a"),
    ("swell", "stroke", "#8fbccd", "#2b4e60"),
    ("jungle", "fill", "#a3bd86", "#29351f"),
    ("canopy", "fill", "#8fac70", "#324026"),
    ("coast", "stroke", "#5d4524", "#0d0a06"),
    ("border", "stroke", "#a1875a", "#776443"),
    ("l0", "fill", "#f4ebd3", "#3b362b"),
    ("l1", "fill", "#ece0c0", "#453f31"),
    ("l2", "fill", "#e5d5ae", "#4f4737"),
    ("l3", "fill", "#efe2c9", "#403a2e"),
    ("l4", "fill", "#e0d0ab", "#4a4335"),
    ("orange .tint", "fill", "#f2a64c", "#a7641a"),
    ("green .tint", "fill", "#86c489", "#3c7044"),
    ("brown .tint", "fill", "#b98f70", "#74503a"),
    ("blue .tint", "fill", "#86aee2", "#3a62a0"),
    ("orange .hue", "fill", "#e8821e", "#e8821e"),
    ("green .hue", "fill", "#157347", "#187c4c"),
    ("brown .hue", "fill", "#774526", "#8a5431"),
    ("blue .hue", "fill", "#0a5cad", "#1d74cc"),
    ("orange .way", "stroke", "#e8821e", "#f0913a"),
    ("green .way", "stroke", "#157347", "#3aa35f"),
    ("brown .way", "stroke", "#774526", "#a5683f"),
    ("blue .way", "stroke", "#0a5cad", "#4a86de"),
    ("casing", "stroke", "#20170d", "#0b0805"),
    ("beat", "stroke", "#fffaf0", "#fffaf0"),
    ("slot", "stroke", "#7a5c30", "#b59a6c"),
    ("bed", "stroke", "#fffaf0", "#57503f"),
    ("cliff", "fill", "#8d7146", "#0d0a06"),
    ("lit", "fill", "#cdb98c", "#5d5542"),
    ("dim", "fill", "#a58d5e", "#2b261c"),
    ("site", "fill", "#fffdf6", "#d9d2c2"),
    ("site", "stroke", "#3a2a16", "#100b06"),
    ("city", "fill", "#fffdf6", "#d9d2c2"),
    ("city", "stroke", "#27406e", "#14264a"),
    ("plan", "stroke", "#3a2a16", "#100b06"),
    ("gold", "fill", "#f5c53c", "#e0ae2a"),
    ("gold", "stroke", "#6b4a06", "#3e2a02"),
    ("fort", "fill", "#fffdf6", "#d9d2c2"),
    ("fort", "stroke", "#a3471a", "#6e2c0d"),
    ("built", "fill", "#27406e", "#2f4f8c"),
    ("manned", "fill", "#b34c17", "#b34c17"),
    ("stone", "fill", "#f3efe6", "#e3ddd0"),
    ("stone", "stroke", "#2c2419", "#16110a"),
    ("cuzco", "fill", "#f5c53c", "#e0ae2a"),
    ("cuzco", "stroke", "#3a2a16", "#100b06"),
    ("ink", "stroke", "#2a1f12", "#f0e6d2"),
    ("dark", "stroke", "#2a1f12", "#2a1f12"),
    ("pale", "stroke", "#fffaf0", "#fffaf0"),
    ("mist", "fill", "#fbf5e4", "#2a251d"),
    ("sealed", "fill", "#77674a", "#6d6049"),
    ("sealed", "stroke", "#3f3420", "#15110a"),
    ("tag", "fill", "#fffaf0", "#f1e8d6"),
    ("tag", "stroke", "#3f3420", "#15110a"),
    ("toil", "fill", "#c79a52", "#c79a52"),
    ("shield", "fill", "#b9392f", "#b9392f"),
    ("laurel", "fill", "#3f7d46", "#3f7d46"),
    ("terrace", "stroke", "#4f7a23", "#86b34d"),
    ("card", "fill", "#fff7df", "#f1e6c9"),
    ("card", "stroke", "#7a5a14", "#3d2d09"),
    ("back", "fill", "#8a5214", "#7d4a12"),
    ("back", "stroke", "#5a3608", "#2f1b03"),
    ("sky", "fill", "#fbe3a2", "#4d4220"),
    ("sky", "stroke", "#c79321", "#8f6a18"),
    ("disc", "fill", "#f5b921", "#e5a913"),
    ("disc", "stroke", "#8a5a06", "#4c3101"),
)
FORMS = """
R {--large:96rem}
R path{stroke-linecap:round;stroke-linejoin:round}
R .ink,R .dark,R .pale,R .way,R .casing,R .beat,R .slot,R .border,R .coast,R .swell,R .plan{fill:none}
R .casing{stroke-width:12}
R .way{stroke-width:8}
R .beat{stroke-width:3;stroke-opacity:.9}
R .green .beat{stroke-dasharray:13 12}
R .brown .beat{stroke-dasharray:.1 10;stroke-width:4.4}
R .blue .beat{stroke-dasharray:3.2 8;stroke-width:8;stroke-linecap:butt}
R .cut{stroke-opacity:.42}
R .bed{fill:none;stroke-width:8;stroke-opacity:.75}
R .slot{stroke-width:2.8;stroke-dasharray:5 6}
R .border{stroke-width:2}
R .coast{stroke-width:5}
R .swell{stroke-width:2.6}
R .site{stroke-width:2.6}
R .plan{stroke-width:2.2}
R .city,R .fort{stroke-width:3}
R .gold,R .cuzco{stroke-width:2.2}
R .stone{stroke-width:1.3}
R .built,R .manned{stroke:#fffaf0;stroke-width:2}
R .letter{stroke-width:1.15}
R .bold{stroke-width:1.55}
R .tint{fill-opacity:.62;stroke:none}
R .hue{stroke:#20170d;stroke-width:1.8}
R .halo{fill:none;stroke:#fffaf0;stroke-width:5}
R .sealed,R .tag{stroke-width:1.5}
R .toil,R .shield,R .laurel{stroke:none}
R .terrace{fill:none;stroke-width:2}
R .card,R .back{stroke-width:1.2}
R .sky,R .disc{stroke-width:2}
R .mist{stroke:none;fill-opacity:.78}
R .aim{fill:#fff;fill-opacity:0}
R .place.can>.aim{stroke-width:6;stroke-opacity:1}
R .place.can>.border{stroke-width:5}
R .quiet,R .caption{pointer-events:none}
"""


@cache
def style() -> str:
    return sheet(ROOT, PAINTS, FORMS)
