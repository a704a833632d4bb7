"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.sentence import Speak

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View


def render(view: View, speak: Speak) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
