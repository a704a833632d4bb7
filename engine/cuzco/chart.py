"""The board as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cuzco.edition import Edition

if TYPE_CHECKING:
    from engine.cuzco.view import View


def chart(edition: Edition, view: View) -> str:
    return ""
