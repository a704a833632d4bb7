"""The table as plain text for mails: what lies where, in lines of 80 columns or less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.sentence import Speak, say

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View

COLUMNS = 80


def chart(view: View, speak: Speak) -> str:
    return speak(say("{points} VP", points=view.scores[0]))
