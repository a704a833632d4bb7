"""Inka (Harald Lieske): bridge the chasms of the temple, fetch three statues and find the way out."""

from __future__ import annotations

from engine.core.game import Game
from engine.inka import actions, coach, events, evolve, view
from engine.inka.bots import BOTS
from engine.inka.bots.reasons import INSIGHT
from engine.inka.options import OPTIONS
from engine.inka.picture import chart, render, symbols, tools
from engine.inka.position import complete_form, referee_form
from engine.inka.printed_board import COLOURS
from engine.inka.puzzles import PUZZLING
from engine.inka.rules import decide, legal
from engine.inka.text import describe, orders, parts, summary, tries

__all__ = ["BOTS", "GAME", "INSIGHT", "PUZZLING"]

GAME = Game(
    key="inka",
    name="Inka",
    seats=referee_form.SEATS,
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
    tools=tools.tools,
    tries=tries.tries,
    pieces=tools.pieces,
    symbols=symbols.symbols,
    left=summary.left,
    coach=coach.coach,
    turn_ended=events.TurnEnded,
    turn_began=events.TurnBegan,
    imagine=decide.imagine,
    load=referee_form.load,
    dump=complete_form.write,
    touched=legal.touched,
    owed=decide.owed,
    parts=parts.parts,
    colours=lambda _state: COLOURS,
    turns=(10, 30),
)
