"""Tahuantinsuyu (Alan D. Ernstein): roads, conquests and cities from Cuzco to the ends of the Inca empire."""

from __future__ import annotations

from operator import attrgetter

from engine.core.game import Game
from engine.tahuantinsuyu import actions, coach, events, evolve, view
from engine.tahuantinsuyu.bots import BOTS
from engine.tahuantinsuyu.bots.reasons import INSIGHT
from engine.tahuantinsuyu.options import OPTIONS
from engine.tahuantinsuyu.picture import chart, faces, render, symbols, tools
from engine.tahuantinsuyu.position import referee_form
from engine.tahuantinsuyu.printed_board import SEATS
from engine.tahuantinsuyu.puzzles import PUZZLING
from engine.tahuantinsuyu.rules import decide, legal
from engine.tahuantinsuyu.text import describe, ledgers, names, orders, parts, summary, tries

__all__ = ["BOTS", "GAME", "INSIGHT", "PUZZLING"]

GAME = Game(
    key="tahuantinsuyu",
    name="Tahuantinsuyu",
    seats=SEATS,
    options=OPTIONS,
    events=events.EVENTS,
    actions=actions.ACTIONS,
    setup=decide.setup,
    decide=decide.decide,
    evolve=evolve.evolve,
    legal=legal.legal,
    priced=legal.priced,
    verbs=orders.VERBS,
    to_act=decide.to_act,
    awaited=decide.awaited,
    commits=decide.commits,
    scores=decide.scores,
    winners=decide.winners,
    view=view.view,
    show=view.show,
    parse=orders.parse,
    format=orders.write,
    describe=describe.describe,
    render=render.render,
    chart=chart.chart,
    summary=summary.summary,
    ledgers=ledgers.ledgers,
    tools=tools.tools,
    tries=tries.tries,
    symbols=symbols.symbols,
    left=summary.left,
    coach=coach.coach,
    turn_ended=events.TurnEnded,
    turn_began=events.TurnBegan,
    imagine=decide.imagine,
    load=referee_form.load,
    dump=referee_form.write,
    forget=decide.forget,
    recognise=decide.recognise,
    parts=parts.parts,
    colours=attrgetter("colours"),
    words=names.CARDS,
    cards=faces.FACES,
    asking=(events.CardAsked,),
    turns=(20, 35),
    sources=describe.SOURCES,
)
