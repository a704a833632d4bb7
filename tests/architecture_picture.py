"""Draws docs/architecture.svg from the imports, so that it stays true: `make picture`."""

from __future__ import annotations

import ast
from html import escape
from pathlib import Path

from tests.imports import LAYERS, imports_between

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"
ROW, CELL, LEFT, TOP, TEXT = 34, 30, 480, 96, 16
STYLE = """
svg { background: #fbf8f2; color: #2b2620; }
text { font: 14px system-ui, sans-serif; fill: currentColor; }
.name { font-weight: 600; } .small { font-size: 12px; opacity: .75; }
.box { fill: #efe6d5; stroke: #b9a785; } .dot { fill: #a6432d; } .line { stroke: #d8ccb6; }
@media (prefers-color-scheme: dark) {
  svg { background: #1d1a17; color: #efe7da; }
  .box { fill: #2c2721; stroke: #6d6048; } .dot { fill: #e08a6f; } .line { stroke: #3b352d; }
}
"""


def main() -> None:
    PICTURE.write_text(picture(ROOT), encoding="utf-8")


def picture(root: Path) -> str:
    """The packages as a stack, the highest first, and a dot where a row imports a column."""
    packages = [package for group in reversed(LAYERS) for package in group]
    pairs = imports_between(root)
    width, height = LEFT + CELL * len(packages) + 20, TOP + ROW * len(packages) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>The packages of app/ and what each imports</title>",
        f"<style>{STYLE}</style>",
        f'<text class="small" x="10" y="{TOP - 14}">each imports only what stands below it</text>',
        *(column(number, package) for number, package in enumerate(packages)),
        *(row(root, number, package) for number, package in enumerate(packages)),
        *dots(packages, pairs),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def column(number: int, package: str) -> str:
    x = LEFT + CELL * number + CELL // 2
    return (
        f'<text class="small" transform="translate({x + 4} {TOP - 8}) rotate(-60)">{package}</text>'
    )


def row(root: Path, number: int, package: str) -> str:
    y = TOP + ROW * number
    return (
        f'<line class="line" x1="{LEFT}" x2="{LEFT + CELL * 14}" y1="{y + TEXT}" y2="{y + TEXT}"/>'
        f'<rect class="box" x="8" y="{y + 2}" width="{LEFT - 16}" height="{ROW - 5}" rx="5"/>'
        f'<text class="name" x="18" y="{y + TEXT + 5}">{package}</text>'
        f'<text class="small" x="120" y="{y + TEXT + 5}">{escape(what_for(root, package))}</text>'
    )


def what_for(root: Path, package: str) -> str:
    """The first sentence of the package's docstring, as far as there is room."""
    text = (root / "app" / package / "__init__.py").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return first if len(first) <= 52 else first[:51].rpartition(" ")[0] + " …"


def dots(packages: list[str], pairs: set[tuple[str, str]]) -> list[str]:
    """A dot for each pair."""
    made = []
    for importer, imported in sorted(pairs):
        x = LEFT + CELL * packages.index(imported) + CELL // 2
        y = TOP + ROW * packages.index(importer) + TEXT
        tip = f"{importer} imports {imported}"
        made.append(f'<circle class="dot" cx="{x}" cy="{y}" r="6"><title>{tip}</title></circle>')  # fmt: skip
    return made


if __name__ == "__main__":
    main()
