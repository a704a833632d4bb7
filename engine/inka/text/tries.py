"""An order of each verb that could be meant: what the rules say to it tells why the verb is of no use just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.inka.printed_board import NAMES, bits

if TYPE_CHECKING:
    from engine.inka.view import View


def tries(view: View) -> dict[str, str]:
    """By verb, for whoever is asked for a turn."""
    goal, home = next((id_, at) for id_, at in view.lozenges.items() if id_.startswith("D"))
    paths = ((id_, at) for id_, at in view.lozenges.items() if id_.startswith("L"))
    path, lying = next(paths, ("L01", home))
    pawn = view.pawns[view.seat or 0]
    passage = next(NAMES[cell] for cell in bits(view.board.passages) if NAMES[cell] != pawn)
    return {
        "slide": f"slide {path} {' '.join(reversed(lying))}",
        "turn": f"turn {path} {' '.join(reversed(lying))}",
        "walk": f"walk {lying[0]}",
        "take": "take",
        "passage": f"passage {passage}",
        "symbol": f"symbol {goal} slide {' '.join(reversed(home))}",
        "block": f"block {lying[0]}",
        "end": "end",
    }
