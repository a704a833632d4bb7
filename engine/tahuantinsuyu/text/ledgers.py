"""The period table beside the board: what each period brings, and where the black Inca stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core.game import Ledger
from engine.core.sentence import Sentence, listed, say
from engine.tahuantinsuyu.printed_board import Period
from engine.tahuantinsuyu.text.names import ERAS, PHASES

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
COLUMNS = (say("Period"), say("Labour"), say("Phases"))


def ledgers(view: View) -> list[Ledger]:
    return [Ledger(say("Periods"), COLUMNS, tuple(told_periods(view)))]


def told_periods(view: View) -> Iterator[tuple[Sentence, str, Sentence]]:
    """Every period that is played in this match: its name, its labour and its phases."""
    eras: list[str] = []
    for number, period in enumerate(view.board.periods):
        eras.append(period.era)
        if not (view.options["early_decline"] and period.skipped):
            name = say("{era} {number}", era=ERAS[period.era], number=eras.count(period.era))
            phases = (phase(view, number, step) for step in range(len(period.phases)))
            yield name, str(period.resources), listed(phases)


def phase(view: View, number: int, step: int) -> Sentence:
    """A phase; the black Inca stands on one, and Pizarro may come after the last ones or has come."""
    period = view.board.periods[number]
    told = PHASES[period.phases[step]]
    if number == len(view.board.periods) - 1 and ships(view, period, step):
        ship = say("Pizarro may come") if view.pizarro is None else say("Pizarro came")
        told = say("{phase} ({ship})", phase=told, ship=ship)
    here = (number, step) == (view.period, view.step)
    return say("▶ {phase}", phase=told) if here else told


def ships(view: View, period: Period, step: int) -> bool:
    """Wherever Pizarro may come, and when he has come only there."""
    people = view.options["pizarro"] and period.phases[step] == "people"
    return bool(people) and view.pizarro in (None, step // 2)
