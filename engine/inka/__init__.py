"""Inka (Harald Lieske): bridge the chasms of the temple, fetch three statues and find the way out."""

from __future__ import annotations

from engine.core.game import Game
from engine.inka import (
    actions,
    chart,
    describe,
    events,
    evolve,
    legal,
    parts,
    position,
    render,
    rules,
    summary,
    text,
    view,
)
from engine.inka.board import COLOURS
from engine.inka.bots import BOTS as BOTS
from engine.inka.options import OPTIONS

GAME = Game(
    key="inka",
    name="Inka",
    seats=position.SEATS,
    options=OPTIONS,
    events=events.EVENTS,
    actions=actions.ACTIONS,
    setup=rules.setup,
    decide=rules.decide,
    evolve=evolve.evolve,
    legal=legal.legal,
    priced=legal.priced,
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
    describe=describe.describe,
    render=render.render,
    chart=chart.chart,
    summary=summary.summary,
    load=position.load,
    dump=position.write,
    touched=legal.touched,
    owed=rules.owed,
    parts=parts.parts,
    colours=lambda _state: COLOURS,
)
