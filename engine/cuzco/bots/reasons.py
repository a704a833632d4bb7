"""Why a bot of Cuzco or Java would play a turn: its own evaluation before and after, term by term, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.bot import Insight, Reason, weightiest
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.core.sentence import Seat, Sentence, say
from engine.cuzco import actions as a
from engine.cuzco import events as e
from engine.cuzco.bots import bidding
from engine.cuzco.bots.imagine import imagine
from engine.cuzco.bots.keen import CARD_PRICE, TASTE
from engine.cuzco.bots.worth import (
    Judge,
    hopeful,
    own_tiles,
    ranked,
    step,
)
from engine.cuzco.edition import VALUES
from engine.cuzco.hexes import flood, spread
from engine.cuzco.scoring import POND_POINTS
from engine.cuzco.state import TRIPLES, State
from engine.cuzco.view import View


class Term(NamedTuple):
    """A part of the evaluation: what kind it is, and the hex that it is about."""

    kind: str
    at: int = -1


Terms = dict[Term, list[float]]  # what each seat has by it


def read_terms(judge: Judge, state: State) -> Terms:
    """The evaluation of a position, taken apart; its columns add up to `Judge.prospects`."""
    seats = range(state.seats)
    near = 1.0 if state.opened_by is not None else 1 - state.supply.triples / TRIPLES
    shares = [judge.share(state, seat, near) for seat in seats]
    hopes = [judge.hope(state, seat) for seat in seats]
    terms: Terms = {Term("score"): list(map(float, state.scores))}
    for term, seat, worth in (
        *city_terms(judge, state, shares, hopes),
        *water_terms(judge, state, hopes),
        *belonging_terms(judge, state, hopes, near),
    ):
        terms.setdefault(term, [0.0] * state.seats)[seat] += worth
    if judge.taste.turn:
        turns = [0.0] * state.seats
        judge.add_turns(state, turns)
        terms[Term("turns")] = turns
    return terms


Part = tuple[Term, int, float]


def city_terms(
    judge: Judge, state: State, shares: list[float], hopes: list[float]
) -> Iterator[Part]:
    """Who stands where in the cities, and the next step of each temple or of a village without one."""
    board, built = state.board, 0
    for hex_, temple in board.temples.items():
        city, value = judge.city(board, hex_), temple.value
        built |= city
        ranks = ranked(board, state.incas, city)
        for seats, points in zip(ranks, (value, value // 2), strict=False):
            yield from ((Term("city", hex_), seat, shares[seat] * points) for seat in seats)
        first = hopeful(ranks, hopes)
        if value < VALUES[-1] and first is not None:
            yield (
                Term("growth", hex_),
                first,
                hopes[first] * step(state, value, city, shares[first]),
            )
    left = state.all_incas & board.villages & ~built
    while left:
        village = flood(left & -left, board.villages)
        left &= ~village
        first = hopeful(ranked(board, state.incas, village), hopes)
        if first is not None:
            at = (village & state.incas[first]).bit_length() - 1
            yield Term("village", at), first, hopes[first] * step(state, 0, village, shares[first])


def water_terms(judge: Judge, state: State, hopes: list[float]) -> Iterator[Part]:
    for area, lacking in judge.waters(state) if judge.taste.water else ():
        first = hopeful(ranked(state.board, state.incas, spread(area) & ~area), hopes)
        if first is not None:
            points = POND_POINTS * area.bit_count()
            worth = hopes[first] * judge.taste.water * points / (lacking + 1)
            yield Term("water", area.bit_length() - 1), first, worth


def belonging_terms(judge: Judge, state: State, hopes: list[float], near: float) -> Iterator[Part]:
    taste, later = judge.taste, 1 - near**4
    for seat, hope in enumerate(hopes):
        if not hope:
            continue
        stock, incas = state.stocks[seat], state.incas[seat]
        levels = sum(
            level * (plane & incas).bit_count() for level, plane in enumerate(state.board.planes)
        )
        yield Term("incas"), seat, later * taste.inca * incas.bit_count() ** 0.75
        yield Term("levels"), seat, later * taste.level * levels
        yield Term("cards"), seat, later * taste.card * len(state.hands[seat]) ** 0.7
        yield Term("tokens"), seat, later * taste.token * stock.tokens
        tiles = later * taste.tile * own_tiles(stock) + judge.kept(stock, near)
        yield Term("tiles"), seat, tiles


# What has changed


def explain(game: Game, view: View, actions: Sequence[Any]) -> list[Reason]:
    """What orders would change for whoever gives them, as `keen` weighs it; what they draw is only imagined."""
    dice = Chance("", "reasons", 0)
    before = imagine(game, view, dice)
    seat = actions[0].seat if actions else before.turn.seat
    if before.festival is not None:
        return [answer_reason(before, view, action, dice) for action in actions[:1]]
    judge, after, events = Judge(seat, TASTE), before, list[Any]()
    reasons: list[Reason] = []
    for action in actions:
        if isinstance(action, a.ProposeFestival):
            reasons.append(festival_reason(after, view, action, dice))
        if isinstance(action, a.ProposeFestival | a.EndTurn):
            break
        told = game.decide(after, action, dice)
        events += told
        after = advance(game, after, told)
    reasons += scored(after, seat, events)
    return weightiest([*reasons, *changed(judge, before, after)])


def festival_reason(state: State, view: View, action: a.ProposeFestival, dice: Chance) -> Reason:
    reach = bidding.rivals_reach(state, view, dice)
    gain, _ = bidding.proposal(state, action.seat, reach, CARD_PRICE)
    return Reason(say("a festival at {hex} promises more than its cards", hex=action.at), gain)


def answer_reason(state: State, view: View, action: Any, dice: Chance) -> Reason:
    """Why to bid, to share or to drop out."""
    if isinstance(action, a.Hold):
        return Reason(say("a share costs no more cards, and no higher bid promises more"), None)
    if isinstance(action, a.Pass):
        return Reason(say("the cards are worth more than what can still be won"), None)
    reach = bidding.rivals_reach(state, view, dice)
    gains = {bid: gain for gain, bid in bidding.bids(state, action.seat, reach, CARD_PRICE)}
    gain = gains.get(action, 0.0)
    if gain > 0:
        return Reason(say("the festival promises more than these cards"), gain)
    return Reason(say("to drop out would cost more than these cards"), None)


def scored(state: State, seat: int, events: Sequence[Any]) -> Iterator[Reason]:
    """The points that are made at once."""
    spoken = state.edition.spoken
    for event in events:
        match event:
            case e.PondClosed(basins, scorer, points) if scorer == seat:
                yield Reason(say("closes the pond of {hexes}", hexes=", ".join(basins)), points)
            case e.PondClosed(basins, scorer, points) if scorer is not None:
                told = say("closes a pond for {seat}", seat=Seat(scorer))
                yield Reason(told, -float(points))
            case e.TempleBuilt(at=at, value=value, points=points):
                told = say(
                    "builds a {temple} of {value} on {hex}", value=value, hex=at, **one(spoken)
                )
                yield Reason(told, points)
            case e.TempleExpanded(at=at, value=value, points=points):
                told = say(
                    "raises the {temple} on {hex} to {value}", value=value, hex=at, **one(spoken)
                )
                yield Reason(told, points)


def one(spoken: Mapping[str, Sentence]) -> dict[str, Any]:
    return {"temple": spoken["temple"]}


def changed(judge: Judge, before: State, after: State) -> Iterator[Reason]:
    """Every term that is not points yet: what it brings oneself, less what it brings the others."""
    was, now = read_terms(judge, before), read_terms(judge, after)
    weights = rival_weights(judge, after)
    nothing = [0.0] * after.seats
    for term in dict.fromkeys((*now, *was)):
        if term.kind == "score":
            continue
        gains = [
            new - old
            for new, old in zip(now.get(term, nothing), was.get(term, nothing), strict=True)
        ]
        worth = gains[judge.seat] + sum(
            weight * gain for weight, gain in zip(weights, gains, strict=True)
        )
        told = SENTENCES[term.kind](judge.seat, before, after, term.at, gains)
        if told is not None:
            yield Reason(told, worth)


def rival_weights(judge: Judge, state: State) -> list[float]:
    """How the prospects of each seat count against those of the judge's, as `Judge.worth` has it."""
    sums = judge.prospects(state)
    more = judge.taste.rival - 1
    best = max((s for s in range(state.seats) if s != judge.seat), key=lambda seat: sums[seat])
    share = len(sums) - 1 + more
    return [
        0.0 if seat == judge.seat else -(1 + (more if seat == best else 0)) / share
        for seat in range(state.seats)
    ]


Tell = Callable[[int, State, State, int, list[float]], Sentence | None]


def tell_city(seat: int, before: State, after: State, at: int, gains: list[float]) -> Sentence:
    """Who leads in a city, and whether that is new."""
    name = after.edition.layout.names[at]
    was, now = leading(before, at), leading(after, at)
    if now == [seat]:
        if was == [seat]:
            return say("keeps the lead in {hex}", hex=name)
        return say("takes the lead in {hex}", hex=name)
    if was == [seat]:
        return say("gives up the lead in {hex}", hex=name)
    loser = min(range(len(gains)), key=lambda other: gains[other])
    if loser != seat and gains[loser] < 0:
        return say("sets {seat} back in {hex}", seat=Seat(loser), hex=name)
    return say("changes who stands where in {hex}", hex=name)


def leading(state: State, at: int) -> list[int]:
    if at not in state.board.temples:
        return []
    ranks = ranked(state.board, state.incas, state.board.cities[at])
    return ranks[0] if ranks else []


def tell_growth(seat: int, _before: State, after: State, at: int, gains: list[float]) -> Sentence:
    names, spoken = after.edition.layout.names, after.edition.spoken
    if gains[seat] > 0:
        return say("prepares a higher {temple} at {hex}", hex=names[at], **one(spoken))
    if gains[seat] < 0:
        return say("uses up the room for a higher {temple} at {hex}", hex=names[at], **one(spoken))
    return say("changes what others may build at {hex}", hex=names[at])


def tell_village(seat: int, _before: State, after: State, at: int, gains: list[float]) -> Sentence:
    names, spoken = after.edition.layout.names, after.edition.spoken
    if gains[seat] > 0:
        return say("prepares a {temple} in the village of {hex}", hex=names[at], **one(spoken))
    if gains[seat] < 0:
        return say("leaves the village of {hex}, or builds in it", hex=names[at])
    return say("changes what others may build at {hex}", hex=names[at])


def tell_water(seat: int, _before: State, after: State, at: int, gains: list[float]) -> Sentence:
    name = after.edition.layout.names[at]
    if gains[seat] > 0:
        return say("prepares a pond at {hex}", hex=name)
    return say("no longer counts on water at {hex}", hex=name)


def by_count(more: Sentence, fewer: Sentence) -> Tell:
    """What one has more or less of."""

    def tell(seat: int, _b: State, after: State, _at: int, gains: list[float]) -> Sentence | None:
        if not gains[seat]:
            return None
        told = more if gains[seat] > 0 else fewer
        if "{incas}" not in told.one:
            return told
        return say(told.one, incas=after.edition.spoken["incas"])

    return tell


SENTENCES: dict[str, Tell] = {
    "city": tell_city,
    "growth": tell_growth,
    "village": tell_village,
    "water": tell_water,
    "incas": by_count(say("has more {incas} on the board"), say("has fewer {incas} on the board")),
    "levels": by_count(say("stands higher"), say("stands lower")),
    "cards": by_count(say("has more cards for festivals"), say("has fewer cards for festivals")),
    "tokens": by_count(say("has more action tokens"), say("spends an action token")),
    "tiles": by_count(say("has more tiles of its own"), say("spends tiles of its own")),
    "turns": by_count(say("has more turns to come"), say("has fewer turns to come")),
}


# What everybody may hope for


def estimate(game: Game, view: View) -> tuple[float, ...]:
    """The prospects of every seat as `keen` sees them: points, standing in the cities, and what may come."""
    state = imagine(game, view, Chance("", "estimate", 0))
    return tuple(Judge(view.turn.seat, TASTE).prospects(state))


INSIGHT = Insight(explain=explain, estimate=estimate, unit=say("points"))
