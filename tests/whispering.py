"""A bot that whispers to people what to order: so that tests can play whole matches by the ways of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from engine.core import record
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, act, play, start
from engine.core.registry import find, find_bot


def whispered(match: Match, seat: int, without: Collection[str] = ()) -> str:
    """What the bot `steady` would order, if the verbs of `without` did not exist."""
    game = match.game
    legal = list(game.legal(match.state, seat))
    free = [action for action in legal if verb_of(game, game.format(action)) not in without]
    dice = Chance("whisper", match.id, match.head)
    return game.format(
        find_bot(game, "steady")(game, game.view(match.state, seat), free or legal, dice)
    )


def by_bots(match_id: str, orders: int, key: str = "cuzco") -> Match:
    """A match as people might have played it so far, or to its end."""
    game = find(key)
    match = start(game, game.seats[0], {}, "a seed for pictures", match_id)
    while not match.over and match.head < orders:
        (seat, *_) = game.to_act(match.state)
        match = play(match, seat, whispered(match, seat))
    return match


def verb_of(game: Game, order: str) -> str:
    """The verb that an order begins with, `buy road` as well as `road`."""
    return next(verb for verb in game.verbs if f"{order} ".startswith(f"{verb} "))


# Whole empires, in which every verb is used that there is


class Empire(NamedTuple):
    """A match to be played whole. If the bot learns to play otherwise, it may need another seed for all verbs."""

    name: str
    seats: int
    options: dict[str, bool]
    seed: str
    phases: tuple[int, int]  # Sun and People
    lacks: tuple[str, ...] = ()

    def start(self) -> Match:
        return start(find("tahuantinsuyu"), self.seats, self.options, self.seed, self.name)


PIZARRO = {"pizarro": True}
THREE = Empire("wholeempire3", 3, {}, "whole 42", (16, 18), ("pilgrimage",))
FOUR = Empire("wholeempire4", 4, PIZARRO, "whole 14", (13, 15))  # he comes as early as he may
BRIEF_THREE = Empire("briefempire3", 3, PIZARRO, "whole 14", (13, 15), ("pilgrimage",))


def turn_of(match: Match, seat: int, used: Collection[str]) -> list[str]:
    """What a seat is whispered now, up to the end of its turn or to what reveals something."""
    game, orders, known = match.game, list[str](), set(used)
    while seat in game.to_act(match.state):
        orders.append(curious(match, seat, known))
        known.add(verb_of(game, orders[-1]))
        action = game.parse(seat, orders[-1])
        if game.commits(match.state, action):
            break
        match = act(match, action)
    return orders


def curious(match: Match, seat: int, used: Collection[str]) -> str:
    """A verb that nobody used yet, else what the bot says; none twice in a turn, lest matches grow long."""
    game = match.game
    orders = [game.format(action) for action in game.legal(match.state, seat)]
    fresh = [order for order in orders if verb_of(game, order) not in {*used, "end"}]
    done = {verb_of(game, game.format(order)) for order in match.state.turn.done}
    return fresh[0] if fresh else whispered(match, seat, done)


def check_empire(match: Match, played: Empire, used: Counter[str]) -> None:
    """That it was played to its end by all verbs that there are, and that its record is sound."""
    assert match.over
    assert set(used) == set(match.game.verbs) - set(played.lacks)
    assert (used["sun"], used["end"]) == tuple(played.seats * phases for phases in played.phases)
    assert record.verify(record.read(record.export(match))).sound
