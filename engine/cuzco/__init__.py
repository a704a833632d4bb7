"""Cuzco (Kramer & Kiesling): terraces, temples, ponds and festivals above the Sacred Valley."""

from __future__ import annotations

from functools import partial

from engine.core.game import Game, Standing
from engine.cuzco import actions, coach, events, evolve, question, standing, view
from engine.cuzco.bots import BOTS
from engine.cuzco.bots.reasons import INSIGHT
from engine.cuzco.edition import CUZCO, Edition
from engine.cuzco.picture import chart, faces, render, symbols, tools
from engine.cuzco.position import referee_form
from engine.cuzco.position.forms import SEATS
from engine.cuzco.puzzles import PUZZLING
from engine.cuzco.rules import decide, legal, pile
from engine.cuzco.text import describe, ledgers, orders, summary, tries, wishes


def game(edition: Edition, parent: str | None = None) -> Game:
    """The game of one edition: this rule set with that edition's differences."""
    return Game(
        key=edition.key,
        name=edition.name,
        seats=SEATS,
        options=edition.options,
        events=events.EVENTS,
        actions=actions.ACTIONS,
        setup=partial(decide.setup, edition),
        decide=decide.decide,
        evolve=partial(evolve.evolve, edition),
        legal=legal.legal,
        priced=legal.priced,
        verbs=orders.verbs(edition),
        to_act=decide.to_act,
        awaited=decide.awaited,
        commits=decide.commits,
        scores=decide.scores,
        winners=decide.winners,
        view=view.view,
        show=partial(view.show, edition),
        parse=partial(orders.parse, edition),
        format=partial(orders.write, edition),
        describe=partial(describe.describe, edition),
        render=partial(render.render, edition),
        chart=partial(chart.chart, edition),
        summary=partial(summary.summary, edition),
        tools=partial(tools.tools, edition),
        tries=partial(tries.tries, edition),
        symbols=partial(symbols.symbols, edition),
        cards=faces.faces(edition),
        question=partial(question.question, edition),
        ledgers=partial(ledgers.ledgers, edition),
        left=summary.left,
        coach=partial(coach.coach, edition),
        turn_ended=events.TurnEnded,
        turn_began=events.TurnBegan,
        imagine=decide.imagine,
        load=partial(referee_form.load, edition),
        dump=referee_form.write,
        forget=pile.forget,
        standing={
            "festival": Standing(
                settle=partial(standing.settle, edition),
                answer=standing.answer,
                title=wishes.TITLE,
                help=wishes.HELP,
                fields=wishes.FIELDS,
                from_form=wishes.from_form,
                to_form=wishes.to_form,
                parse=wishes.parse,
                format=wishes.write,
            )
        },
        parent=parent,
        sources=describe.sources(edition),
        scored_places=describe.SCORED_CITIES,
        turns=(12, 25),
    )


GAME = game(CUZCO)

__all__ = ["BOTS", "GAME", "INSIGHT", "PUZZLING", "game"]
