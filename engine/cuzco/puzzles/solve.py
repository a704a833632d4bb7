"""The best that a turn can bring, found by looking at everything that could bring more."""

from __future__ import annotations

from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.core.puzzle import Solution, TooWide
from engine.cuzco import actions as a
from engine.cuzco.puzzles.bound import most_points
from engine.cuzco.puzzles.turns import Options, Step, free_moves, stood
from engine.cuzco.state import State

DICE = Chance("", "puzzle", 0)  # nothing that is weighed here draws


def solve(game: Game, state: State, seat: int, most: int, known: int = -1) -> Solution:
    """The most points that the rest of the turn can bring, and orders that bring them.

    `known` is a number of points of which orders are known already: only more is looked for.
    """
    search = Search(game, state, seat, most, known)
    search.run()
    return Solution(search.best, tuple(search.orders()), search.nodes)


class Search:
    """Branch and bound over what `turns` offers; a token, which costs no points, is used at once."""

    def __init__(self, game: Game, state: State, seat: int, most: int, known: int) -> None:
        self.game, self.seat, self.most = game, seat, most
        self.start, self.begun = state, state
        self.token = bool(state.stocks[seat].tokens and not state.turn.token)
        if self.token:
            self.begun = self.after(state, a.UseToken(seat))
        self.score = state.scores[seat]
        self.best, self.line, self.nodes = known, tuple[Step, ...](), 0
        self.seen: dict[Any, int] = {}

    def run(self) -> None:
        self.look(self.begun, ())

    def look(self, state: State, line: tuple[Step, ...]) -> None:
        """Follows everything from a position, the most promising first."""
        gained = state.scores[self.seat] - self.score
        if gained > self.best:
            self.best, self.line = gained, line
        if not state.turn.ap:
            return
        found = list[tuple[int, int, int, State, Step]]()
        for stand, action in Options(state, self.seat).steps():
            self.nodes += 1
            if self.nodes > self.most:
                raise TooWide(self.nodes)
            after = self.after(stood(state, self.seat, stand), action)
            reach = after.scores[self.seat] - self.score
            if after.turn.ap:
                reach += most_points(after, self.seat)
            if reach > self.best and self.is_new(after):
                found.append((reach, after.scores[self.seat], len(found), after, (stand, action)))
        found.sort(key=lambda one: (-one[1], -one[0], one[2]))
        for reach, _, _, after, step in found:
            if reach > self.best:
                self.look(after, (*line, step))

    def is_new(self, state: State) -> bool:
        """Whether nothing as good was met before: Incas of one land are alike."""
        name, score = key(state, self.seat), state.scores[self.seat]
        if self.seen.get(name, -1) >= score:
            return False
        self.seen[name] = score
        return True

    def after(self, state: State, action: Any) -> State:
        after: State = advance(self.game, state, self.game.decide(state, action, DICE))
        return after

    def orders(self) -> list[str]:
        """The best line as somebody would order it."""
        state, found = self.begun, list[Any]()
        if self.token:
            found.append(a.UseToken(self.seat))
        for stand, action in self.line:
            found += free_moves(state, self.seat, stand)
            found.append(action)
            state = self.after(stood(state, self.seat, stand), action)
        return [self.game.format(action) for action in found]


def key(state: State, seat: int) -> Any:
    """What tells positions of one turn apart: the board, and how many Incas stand in each land."""
    board, turn = state.board, state.turn
    options = Options(state, seat)
    return (
        board.villages,
        board.planes,
        board.basins,
        tuple(sorted((at, temple.value) for at, temple in board.temples.items())),
        tuple((land, (land & options.own).bit_count()) for land in options.held),
        state.stocks[seat],
        state.supply.triples,
        turn.ap,
        turn.changed,
    )
