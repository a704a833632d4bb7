"""Apacheta: travellers lay stones on the cairn of a pass; the heaviest alone takes them all."""

from __future__ import annotations

from engine.apacheta import (
    actions,
    coach,
    events,
    position,
    render,
    rules,
    state,
    text,
    view,
)
from engine.apacheta.bots import BOTS
from engine.core.game import Game

__all__ = ["BOTS", "GAME"]

GAME = Game(
    key="apacheta",
    name="Apacheta",
    seats=state.SEATS,
    options=state.OPTIONS,
    events=events.EVENTS,
    actions=actions.ACTIONS,
    setup=rules.setup,
    decide=rules.decide,
    evolve=state.evolve,
    legal=rules.legal,
    priced=rules.priced,
    verbs=text.VERBS,
    to_act=rules.to_act,
    awaited=rules.awaited,
    commits=rules.commits,
    scores=rules.scores,
    winners=rules.winners,
    view=view.view,
    show=view.show,
    parse=text.parse,
    format=text.write,
    describe=text.describe,
    render=render.render,
    chart=render.chart,
    summary=render.summary,
    load=position.load,
    dump=position.write,
    parts=render.parts,
    coach=coach.coach,
    turn_ended=events.StoneLaid,
    colours=rules.colours,
    forget=rules.forget,
)
