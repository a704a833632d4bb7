"""Style sheets for boards, written so that a page can repaint them and a mail's painter can read them."""

from __future__ import annotations

Paint = tuple[str, str, str, str]  # class, property, colour in light, colour in dark


def variable(name: str, prop: str) -> str:
    """What a page sets to repaint something: --board-ground-fill, --board-pA-body-fill."""
    return f"--board-{name.replace(' .', '-')}-{prop}"


def sheet(root: str, paints: tuple[Paint, ...], forms: str) -> str:
    """Plain rules first, for programs that know no variables; then the same ones, to be restyled.

    resvg, which paints the pictures in mails, cannot read var() but skips what @supports encloses.
    """
    plain = "".join(f".{root} .{name}{{{prop}:{light}}}" for name, prop, light, _ in paints)
    live = "".join(
        f".{root} .{name}{{{prop}:var({variable(name, prop)},light-dark({light},{dark}))}}"
        for name, prop, light, dark in paints
    )
    shapes = forms.replace("R ", f".{root} ").replace("\n", "")
    return (
        f"<style>{shapes}{plain}@supports (color:light-dark(red,red))"
        f"{{svg.{root}:root{{color-scheme:light dark}}{live}}}</style>"
    )
