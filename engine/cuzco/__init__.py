"""Cuzco (Kramer & Kiesling): terraces, temples, ponds and festivals above the Sacred Valley."""

from __future__ import annotations

from functools import partial

from engine.core.game import Game, Standing
from engine.cuzco import (
    actions,
    chart,
    describe,
    events,
    evolve,
    legal,
    pile,
    position,
    render,
    rules,
    standing,
    summary,
    text,
    view,
)
from engine.cuzco.bots import BOTS
from engine.cuzco.edition import CUZCO, Edition
from engine.cuzco.forms import SEATS


def game(edition: Edition, parent: str | None = None) -> Game:
    """The game of one edition: this rule set with that edition's differences."""
    return Game(
        key=edition.key,
        name=edition.name,
        seats=SEATS,
        options=edition.options,
        events=events.EVENTS,
        actions=actions.ACTIONS,
        setup=partial(rules.setup, edition),
        decide=rules.decide,
        evolve=partial(evolve.evolve, edition),
        legal=legal.legal,
        priced=legal.priced,
        verbs=text.verbs(edition),
        to_act=rules.to_act,
        awaited=rules.awaited,
        commits=rules.commits,
        scores=rules.scores,
        winners=rules.winners,
        view=view.view,
        show=partial(view.show, edition),
        parse=partial(text.parse, edition),
        format=partial(text.write, edition),
        describe=partial(describe.describe, edition),
        render=partial(render.render, edition),
        chart=partial(chart.chart, edition),
        summary=partial(summary.summary, edition),
        load=partial(position.load, edition),
        dump=position.write,
        forget=pile.forget,
        standing={"festival": Standing(partial(standing.settle, edition), standing.answer)},
        parent=parent,
    )


GAME = game(CUZCO)

__all__ = ["BOTS", "GAME", "game"]
