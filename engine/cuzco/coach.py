"""What a newcomer could do next, in a sentence, from what the seat sees: the first that fits of some simple advice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.core.chance import Chance
from engine.core.game import amend
from engine.core.refusal import IllegalMove
from engine.core.sentence import Sentence, filled, say
from engine.cuzco import actions as a
from engine.cuzco import events as e
from engine.cuzco.board import Board
from engine.cuzco.bots.imagine import put_down
from engine.cuzco.cards import total, worth
from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.hexes import bit, bits, flood, pieces, spread
from engine.cuzco.rules import decide, duty, festivals, incas, temples, tiles
from engine.cuzco.rules.decide import MOST_DRAWN
from engine.cuzco.scoring import leader
from engine.cuzco.state import State, fresh
from engine.cuzco.view import FestivalView, View
from engine.kit.rows import put

NO_DICE = Chance("advice", "", 0)  # nothing that draws is ever tried
TRIED = 40  # tiles that might close a pond or be a step
FEW = 3  # banks that one tile can cover


def coach(edition: Edition, view: View) -> Sentence | None:
    """The next thing worth doing for whoever is asked; None for everybody else."""
    if view.seat is None or view.seat not in view.to_act:
        return None
    if view.festival is not None:
        return feast(edition, view, view.festival)
    state = put_down(fresh(edition, view.seats, view.options), view)
    return next(advice(Table(edition, view, state, view.seat)))


def feast(edition: Edition, view: View, now: FestivalView) -> Sentence:
    """What is to be had, how many cards there are for it, and what else may be answered: who is level shares."""
    seat, hand = view.to_act[0], view.hand or ()
    short, most = now.highest - now.totals[seat], total(hand, view.open)
    told = FEASTS[short == 0, most > 0 and most >= short]
    points = edition.alone[VALUES.index(view.temples[now.at].value)]
    matching = sum(worth(card, view.open) > 0 for card in hand)
    return filled(told, {"points": points, "n": matching})


# Whether one is level with the highest, and whether one's cards are enough to bid.
FEASTS = {
    (False, True): say(
        "A festival for up to {points} PP: {n} of your cards matches the open card. Bid it, or drop out and keep your cards.",
        "A festival for up to {points} PP: {n} of your cards match the open card. Bid some, or drop out and keep your cards.",
    ),
    (True, True): say(
        "A festival for up to {points} PP, and you are level: share it for fewer, or bid the {n} card of yours that matches.",
        "A festival for up to {points} PP, and you are level: share it for fewer, or bid some of your {n} cards that match.",
    ),
    (False, False): say("Your cards are too few for this festival: drop out and keep them."),
    (True, False): say("You are level in this festival, and no card of yours matches: share it."),
}


class Table:
    """What one seat looks at."""

    def __init__(self, edition: Edition, view: View, state: State, seat: int) -> None:
        self.edition, self.view, self.state, self.seat = edition, view, state, seat
        self.board, self.own, self.ap = state.board, state.incas[seat], state.turn.ap
        self.names = edition.layout.names

    def say(self, one: str, many: str | None = None, /, **values: Any) -> Sentence:
        """A sentence in the words of the edition."""
        return filled(say(one, many, **values), self.edition.spoken)

    def points(self, action: Any) -> int:
        """What an action brings the seat at once; nothing where it is refused."""
        try:
            events = decide.decide(self.state, action, NO_DICE)
        except IllegalMove:
            return 0
        scoring = (e.TempleBuilt, e.TempleExpanded, e.PondClosed)
        return sum(
            one.points for one in events if isinstance(one, scoring) and one.seat == self.seat
        )

    @property
    def doors(self) -> list[tuple[int, int]]:
        """Where an Inca could come in now, villages first, with the cost."""
        room, gates = incas.standing_room(self.state), self.edition.layout.doors
        return [
            (hex_, cost)
            for land in (self.board.villages, self.board.crops)
            for cost, open_ in gates.items()
            if cost <= self.ap
            for hex_ in bits(room & open_ & land)
        ]

    @property
    def villages(self) -> list[int]:
        """The villages and cities in which the seat stands highest alone, the largest first."""
        mine = (one for one in pieces(self.board.villages) if one & self.own)
        led = (one for one in mine if leader(self.board, self.state.incas, one) == self.seat)
        return sorted(led, key=int.bit_count, reverse=True)

    def leads(self, own: int) -> int:
        """In how many villages the seat would stand highest alone, with its Incas there and room for more of a temple."""
        standing, board = put(self.state.incas, self.seat, own), self.board
        return sum(
            leader(board, standing, area) == self.seat
            for area in pieces(board.villages)
            if area & own and area.bit_count() >= next_value(board, area)
        )

    def name(self, area: int) -> str:
        """A group of hexes by one of them: its temple, else where the seat stands."""
        temple = self.board.temple_in(area)
        return self.names[temple if temple is not None else (area & self.own).bit_length() - 1]


def advice(table: Table) -> Iterator[Sentence]:
    """All that could be said, what matters most first."""
    state = table.state
    if duty.due(state):
        yield tile_first(table)
    if table.ap:
        yield from temple(table)
        yield from pond(table)
        yield from take_the_lead(table)
        yield from come_in(table)
    yield from climb(table)
    if table.ap:
        yield from step_up(table)
        yield from go_to_village(table)
        yield from more_tiles(table)
        yield from card(table)
    yield from festival(table)
    yield finish(table)


# The tile of the turn


def tile_first(table: Table) -> Sentence:
    """Why a tile, and where one would help: at the border, at a pond, at one's own village."""
    ap = table.ap
    closing = best_pond(table)
    if closing:
        return table.say(
            "You have {ap} AP: lay a tile first. One on {hexes} closes a pond: {points} PP for you.",
            ap=ap,
            hexes=closing[0],
            points=closing[1],
        )
    if not table.own and not table.doors:
        return table.say(
            "You have {ap} AP: lay a tile first. A village beside the border lets your {incas} in.",
            ap=ap,
        )
    if not table.own:
        return table.say(
            "You have {ap} AP: lay a tile first. Then {an_inca} of yours can come in, for example at {hex}.",
            ap=ap,
            hex=table.names[table.doors[0][0]],
        )
    if table.villages:
        return table.say(
            "You have {ap} AP: lay a tile first. At {hex} you stand highest: with more village around it a higher {temple} fits.",
            ap=ap,
            hex=table.name(table.villages[0]),
        )
    if step := find_step(table):
        return table.say(
            "You have {ap} AP: lay a tile first. With its village on {hex} it is a step up from {origin}: there you stand highest.",
            ap=ap,
            **step,
        )
    return table.say(
        "You have {ap} AP: lay a tile first. Who stands highest in a village may build there: give yourself a way up.",
        ap=ap,
    )


def find_step(table: Table) -> dict[str, str] | None:
    """Where a tile makes a step for an Inca that does not lead its village, and leads it from up there."""
    state, board, seat = table.state, table.board, table.seat
    for origin in bits(table.own & board.villages):
        village = board.village_of(origin)
        if leader(board, state.incas, village) == seat:
            continue
        level = board.planes[board.level(origin)] & spread(village)
        ways = (way for way in tiles.placements(state, table.ap) if way.village & level)
        for way in islice(ways, TRIED):
            after = amend(state, board=board.with_tile(way))
            climbed = put(state.incas, seat, table.own ^ bit(origin) | way.village)
            near = incas.reach(after, seat, origin, 0)[0] & way.village
            if near and leader(after.board, climbed, after.board.village_of(origin)) == seat:
                return {"origin": table.names[origin], "hex": table.names[bits(near)[0]]}
    return None


def best_pond(table: Table) -> tuple[str, int] | None:
    """The hexes that a tile must cover to close a pond in the seat's favour, and the points."""
    board = table.board
    for water in board.ponds:
        missing = spread(water) & ~water & ~board.terrain
        if not 0 < missing.bit_count() <= FEW:
            continue
        ways = (w for w in tiles.placements(table.state, table.ap) if w.mask & missing == missing)
        gains = [table.points(way.actions[table.seat]) for way in islice(ways, TRIED)]
        if gains and max(gains) > 0:
            return ", ".join(table.names[hex_] for hex_ in bits(missing)), max(gains)
    return None


# What the rest of the AP could do


def temple(table: Table) -> Iterator[Sentence]:
    """The temple that brings most."""
    gains = [(table.points(order), order) for order in highest_values(table)]
    points, order = max(gains, key=lambda one: one[0], default=(0, None))
    if not points or order is None:
        return
    told = (
        table.say(
            "You stand highest in the city of {hex}: expand its {temple} to {value}, for {points} PP."
        )
        if isinstance(order, a.ExpandTemple)
        else table.say(
            "You stand highest in the village of {hex}: build a {temple} of {value}, for {points} PP."
        )
    )
    yield filled(told, {"hex": order.at, "value": order.value, "points": points})


def highest_values(table: Table) -> list[a.BuildTemple | a.ExpandTemple]:
    """One order for each place, of the highest value; they come in rising order."""
    return list({order.at: order for order in temples.orders(table.state, table.seat)}.values())


def pond(table: Table) -> Iterator[Sentence]:
    """A tile or a basin that closes a pond on whose shore the seat stands highest."""
    if closing := best_pond(table):
        yield table.say(
            "A tile on {hexes} closes a pond: {points} PP for you.",
            hexes=closing[0],
            points=closing[1],
        )
    board = table.board
    room = board.basin_room & spread(board.terrain) if table.state.supply.basins else 0
    for hex_ in bits(room):
        water = flood(bit(hex_), board.basins | bit(hex_))
        if spread(water) & ~water & ~board.terrain:
            continue
        if points := table.points(a.LayBasin(table.seat, table.names[hex_])):
            yield table.say(
                "A basin on {hex} makes a closed pond: {points} PP for you.",
                hex=table.names[hex_],
                points=points,
            )


def take_the_lead(table: Table) -> Iterator[Sentence]:
    """One Inca more, or one that goes elsewhere, where that makes the seat the highest of a village."""
    now, own, names = table.leads(table.own), table.own, table.names
    for hex_, cost in table.doors:
        if table.leads(own | bit(hex_)) > now:
            yield table.say(
                "Bring {an_inca} in at {hex}, for {cost} AP: then you stand highest in that village.",
                hex=names[hex_],
                cost=cost,
            )
    for origin, areas in incas.walks(table.state, table.seat, table.ap):
        for cost, area in enumerate(areas):
            for target in bits(area & table.board.villages & ~own):
                if table.leads(own ^ bit(origin) | bit(target)) > now:
                    yield table.say(
                        "Walk from {origin} to {hex}, for {cost} AP: then you stand highest in that village.",
                        origin=names[origin],
                        hex=names[target],
                        cost=cost,
                    )


def come_in(table: Table) -> Iterator[Sentence]:
    """Without an Inca on the board nothing is won."""
    if table.own:
        return
    for hex_, cost in table.doors[:1]:
        yield table.say(
            "Now bring {an_inca} in at {hex}, for {cost} AP: who stands highest in a village may build there.",
            hex=table.names[hex_],
            cost=cost,
        )
    if not table.doors:
        yield table.say(
            "{ap} AP left, and no {inca} of yours on the board: a tile at the border opens a way in.",
            ap=table.ap,
        )


def climb(table: Table) -> Iterator[Sentence]:
    """A higher hex of the same village costs nothing."""
    board = table.board
    for origin in bits(table.own & board.villages):
        area = next(iter(incas.reach(table.state, table.seat, origin)), 0) & ~table.own
        top = max(bits(area), key=board.level, default=origin)
        if board.level(top) > board.level(origin):
            yield table.say(
                "Walk up from {origin} to {hex}: it costs nothing, and who stands highest has the say.",
                origin=table.names[origin],
                hex=table.names[top],
            )


def step_up(table: Table) -> Iterator[Sentence]:
    """A tile that lets an Inca stand above those with whom it is level."""
    if step := find_step(table):
        yield table.say(
            "A tile with its village on {hex} is a step up: walk there from {origin}, and you stand highest.",
            **step,
        )


def go_to_village(table: Table) -> Iterator[Sentence]:
    """An Inca in the fields leads nothing."""
    if table.own & table.board.villages:
        return
    for origin, areas in incas.walks(table.state, table.seat, table.ap):
        for cost, area in enumerate(areas):
            for target in bits(area & table.board.villages & ~table.own)[:1]:
                yield table.say(
                    "Walk from {origin} into the village of {hex}, for {cost} AP: who stands highest there may build.",
                    origin=table.names[origin],
                    hex=table.names[target],
                    cost=cost,
                )


def more_tiles(table: Table) -> Iterator[Sentence]:
    """A village that is too small for a temple, or for a higher one."""
    for village in table.villages:
        value = next_value(table.board, village)
        free = village & ~table.state.all_incas  # to build upon
        room = free or table.board.temple_in(village) is not None
        missing = max(value - village.bit_count(), 0 if room else 1)
        if 0 < missing < table.ap and value <= VALUES[-1]:
            yield table.say(
                "You have {ap} AP left: with {n} more village hex beside {hex} a {temple} of {value} fits there.",
                "You have {ap} AP left: with {n} more village hexes beside {hex} a {temple} of {value} fits there.",
                n=missing,
                hex=table.name(village),
                value=value,
                ap=table.ap,
            )


def next_value(board: Board, area: int) -> int:
    """The least value that a temple there could be given next."""
    temple = board.temple_in(area)
    return (0 if temple is None else board.temples[temple].value) + VALUES[0]


def card(table: Table) -> Iterator[Sentence]:
    """Cards win festivals."""
    view = table.view
    if view.turn.drawn < MOST_DRAWN and (view.pile_size or view.discard):
        if table.ap > MOST_DRAWN:
            yield table.say(
                "{ap} AP left: another tile can prepare your next turn, or draw a festival card for 1 AP.",
                ap=table.ap,
            )
        yield table.say(
            "{ap} AP left: draw a festival card for 1 AP, it may bring PP later. Or play the turn.",
            ap=table.ap,
        )


def festival(table: Table) -> Iterator[Sentence]:
    """A festival that somebody with cards may hold costs nothing."""
    hands = tuple(
        (table.view.hand or ()) if seat == table.seat else () for seat in range(table.state.seats)
    )
    for one in islice(festivals.proposals(amend(table.state, hands=hands), table.seat), 1):
        yield table.say(
            "You may end the turn with a festival in the city of {hex}, which costs cards and no AP. Or play the turn.",
            hex=one.at,
        )


def finish(table: Table) -> Sentence:
    if table.ap:
        return table.say("{ap} AP left, and nothing that helps much: play the turn.", ap=table.ap)
    return table.say("All your AP are spent: play the turn.")
