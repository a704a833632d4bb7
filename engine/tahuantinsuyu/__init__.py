"""Tahuantinsuyu (Alan D. Ernstein): roads, conquests and cities from Cuzco to the ends of the Inca empire."""

from __future__ import annotations

from operator import attrgetter

from engine.core.game import Game
from engine.tahuantinsuyu import (
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
    words,
)
from engine.tahuantinsuyu.board import SEATS
from engine.tahuantinsuyu.bots import BOTS
from engine.tahuantinsuyu.options import OPTIONS

__all__ = ["BOTS", "GAME"]

GAME = Game(
    key="tahuantinsuyu",
    name="Tahuantinsuyu",
    seats=SEATS,
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
    forget=rules.forget,
    recognise=rules.recognise,
    parts=parts.parts,
    colours=attrgetter("colours"),
    words=words.CARDS,
    asking=(events.CardAsked,),
)
