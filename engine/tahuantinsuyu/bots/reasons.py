"""Why a bot of Tahuantinsuyu would play a turn: what it promises before and after, term by term, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.bot import Insight, Reason, weightiest
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.sentence import Seat, Sentence, say
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.bots.outlook import RIVALS, ahead, hopes, standing_worth, wealth
from engine.tahuantinsuyu.bots.players import after, fits, grudge, imagine
from engine.tahuantinsuyu.state import State
from engine.tahuantinsuyu.text.names import CARDS
from engine.tahuantinsuyu.view import View


def explain(game: Game, view: View, actions: Sequence[Any]) -> list[Reason]:
    """What orders would change for whoever gives them, as `keen` weighs it."""
    if not actions:
        return []
    dice = Chance("", "reasons", 0)
    before = imagine(view, dice)
    if isinstance(actions[0], a.LayCard):
        return of_sun_phase(game, before, actions[0])
    now, seat = before, actions[0].seat
    reasons: list[Reason] = []
    for action in actions:
        if isinstance(action, a.EndTurn):
            break
        then = after(now, action, dice)
        points = then.scores[seat] - now.scores[seat]
        if points:
            reasons.append(Reason(deed(now, action), points))
        now = then
    return weightiest([*reasons, *changed(before, now, seat)])


def deed(state: State, action: Any) -> Sentence:
    """What brings points at once."""
    match action:
        case a.Build(_, what, at):
            name = state.board.sites[state.board.site_index[at]].name
            return say(BUILDS[what].one, site=name or at)
        case a.BuildTerrace(_, region):
            return say("builds terraces in {region}", region=region)
        case a.Conquer(_, region):
            return say("conquers {region}", region=region)
    return say("goes on a pilgrimage")


BUILDS: dict[str, Sentence] = {
    "city": say("founds a city at {site}"),
    "garrison": say("builds a garrison at {site}"),
    "temple": say("builds a temple at {site}"),
    "upgrade": say("makes the garrison at {site} a city"),
}


def changed(before: State, now: State, seat: int) -> Iterator[Reason]:
    """What is no points yet: the joined empire, labour, ways ahead, and how the others stand."""
    _, sapas, _, _ = ahead(now)
    score = now.scores[seat] - before.scores[seat]
    later = standing_worth(now, seat) - standing_worth(before, seat) - score
    more = say(
        "gives more at the {n} Sapa Inca phase to come",
        "gives more at each of the {n} Sapa Inca phases to come",
        n=sapas,
    )
    yield Reason(more if later > 0 else say("gives less at Sapa Inca phases"), later)
    labour = wealth(now, seat) - wealth(before, seat)
    yield Reason(say("brings labour") if labour > 0 else say("spends labour"), labour)
    hope = hopes(now, seat) - hopes(before, seat)
    near = say("comes near to what can be built or conquered next")
    yield Reason(near if hope > 0 else say("uses up what lay in reach"), hope)
    for other in range(now.seats):
        if other != seat:
            loss = RIVALS * (standing_worth(before, other) - standing_worth(now, other))
            told = say("hinders {seat}") if loss > 0 else say("helps {seat}")
            yield Reason(say(told.one, seat=Seat(other)), loss)


def of_sun_phase(game: Game, state: State, action: a.LayCard) -> list[Reason]:
    """What a sun card does and, where that is nothing good, that one has to be laid and the others do no more."""

    def worth(one: a.LayCard) -> float:
        return sum(reason.worth or 0 for reason in of_card(state, one))

    reasons, here = weightiest(of_card(state, action)), worth(action)
    if any((reason.worth or 0) > 0 for reason in reasons):
        return reasons
    if all(worth(other) <= here + TINY for other in game.legal(state, action.seat)):
        return [Reason(say("no other card promises more"), None), *reasons]
    return reasons or [Reason(say("changes little for anybody"), None)]


TINY = 1e-6


def of_card(state: State, action: a.LayCard) -> Iterator[Reason]:
    """What a sun card does for those beside it, as long as it will lie there."""
    often = state.board.periods[state.period].phases[state.step :].count("people")
    for colour in action.sector.split("-"):
        seat = state.colours.index(colour)
        worth = often * fits(state, seat, action.card)
        card = CARDS[action.card]
        if seat == action.seat:
            told = say("{card} helps you") if worth > 0 else say("{card} hurts you")
            yield Reason(say(told.one, card=card), worth)
        else:
            told = say("{card} helps {seat}") if worth > 0 else say("{card} hurts {seat}")
            yield Reason(say(told.one, card=card, seat=Seat(seat)), -worth * grudge(state, seat))


def estimate(_game: Game, view: View) -> tuple[float, ...]:
    """What every seat has and may hope for: points, what its empire will give, labour and ways ahead."""
    state = imagine(view, Chance("", "estimate", 0))
    return tuple(
        standing_worth(state, seat) + wealth(state, seat) + hopes(state, seat)
        for seat in range(state.seats)
    )


INSIGHT = Insight(explain=explain, estimate=estimate, unit=say("points"))
