"""`make puzzles`: looks for positions in bots' matches whose best turn can be proved, and keeps the best of them.

`find GAME SEEDS` plays matches and appends what it finds to build/puzzles/GAME.jsonl, `choose GAME` writes
engine/GAME/puzzles.json from it, `verify` searches every stored puzzle through again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from engine.core.arena import play
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.core.puzzle import Puzzle, TooWide
from engine.core.puzzles import puzzles, shorten, value_of
from engine.core.refusal import Refusal
from engine.core.registry import find, find_bot, puzzling

FOUND, ENGINE = Path("build/puzzles"), Path("engine")
SEATS = (2, 3, 4)
BOT = "steady"  # whose matches are looked at: they leave more undone than those of `keen`
WIDEST = {"cuzco": 8_000, "java": 8_000, "tahuantinsuyu": 5_000, "inka": 12_000}
LEAST = {"cuzco": 4, "java": 4, "tahuantinsuyu": 6, "inka": 4}  # what is worth a puzzle
WANTED = {"cuzco": 16, "java": 8, "tahuantinsuyu": 8, "inka": 8}
QUICK = 12_000  # positions that the test suite looks at again for one puzzle
A_MATCH = 2  # puzzles of the same match


# Finding


def look_for_puzzles(key: str, seeds: range) -> None:
    """Appends what some matches hold, match by match."""
    FOUND.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        seats = find(key).seats[seed % len(find(key).seats)]
        for number, puzzle in enumerate(candidates(find(key), f"puzzle {seed}", seats)):
            with (FOUND / f"{key}.jsonl").open("a") as kept:
                kept.write(json.dumps(asdict(puzzle)) + "\n")
            print(key, seed, number, puzzle.best, puzzle.nodes, puzzle.solution, flush=True)


def candidates(game: Game, seed: str, seats: int) -> Iterator[Puzzle]:
    """The positions of one match of which the best is known and not plain to see."""
    states: list[Any] = []
    bot = find_bot(game, BOT)
    play(game, [bot] * seats, seed, watch=lambda _scores, state, _events: states.append(state))
    done = None  # the seat of whose turn one was found
    for number, state in enumerate(states):
        seat = fitting(game, state)
        if seat is None or seat == done:
            continue
        done = None
        puzzle = proved(game, state, seat, f"{seed}, {seats} seats, order {number + 1}")
        if puzzle and puzzle.best > plainly(game, state, seat):
            done = seat
            yield shorten(puzzle)


def fitting(game: Game, state: Any) -> int | None:
    """Whose turn a position asks for, where a puzzle could begin."""
    asked = game.to_act(state)
    if not asked or game.awaited(state) != "turn":
        return None
    return asked[0] if FITS[game.key](state) else None


def fits_cuzco(state: Any) -> bool:
    spent = state.turn.laid or state.turn.ap == 6
    return spent and state.turn.ap >= 2 and state.opened_by is None and state.supply.triples > 2


def fits_tahuantinsuyu(state: Any) -> bool:
    return state.phase == "people" and not state.turn.done and state.period > 0


def fits_inka(state: Any) -> bool:
    return state.phase == "turn" and state.turn.ap == 3 and not state.turn.pawn


FITS = {
    "cuzco": fits_cuzco,
    "java": fits_cuzco,
    "tahuantinsuyu": fits_tahuantinsuyu,
    "inka": fits_inka,
}


def proved(game: Game, state: Any, seat: int, found: str) -> Puzzle | None:
    """The position as a puzzle, if a search can be sure of its best."""
    asked = puzzling(game.key)
    assert asked
    position = game.dump(state)
    try:
        loaded = game.evolve(None, game.load(position))
        solution = asked.solve(game, loaded, seat, WIDEST[game.key], LEAST[game.key] - 1)
    except (TooWide, Refusal):
        return None
    if solution.best < LEAST[game.key]:
        return None
    puzzle = Puzzle(
        "", game.key, position, seat, solution.best, solution.orders, solution.nodes, found
    )
    if value_of(puzzle, solution.orders) != solution.best:
        raise AssertionError(f"{found}: {solution} comes to {value_of(puzzle, solution.orders)}")
    return puzzle


def plainly(game: Game, state: Any, seat: int) -> int:
    """What `steady` makes of the rest of the turn."""
    asked, bot, dice = puzzling(game.key), find_bot(game, "steady"), Chance("plain", game.key, 0)
    assert asked
    now, best = state, 0
    for _ in range(20):
        legal = list(game.legal(now, seat))
        action = bot(game, game.view(now, seat), legal, dice)
        after = advance(game, now, game.decide(now, action, dice))
        if seat not in game.to_act(after) or game.awaited(after) != "turn":
            break
        now, best = after, max(best, asked.value(state, after, seat))
    return best


# Choosing


def choose(key: str) -> None:
    """Writes the game's data file: what is proved quickly, of many matches, the richest first."""
    rows = [json.loads(line) for line in (FOUND / f"{key}.jsonl").read_text().splitlines()]
    found = [Puzzle(**{**row, "solution": tuple(row["solution"])}) for row in rows]
    chosen, of_match, seen = list[Puzzle](), dict[str, int](), set[tuple[str, ...]]()
    for puzzle in sorted(found, key=interest, reverse=True):
        match = puzzle.found.split(",")[0]
        like = tuple(sorted(puzzle.solution))[-2:]
        if puzzle.nodes > QUICK or of_match.get(match, 0) >= A_MATCH or like in seen:
            continue
        of_match[match] = of_match.get(match, 0) + 1
        seen.add(like)
        chosen.append(puzzle)
    ordered = sorted(chosen[: WANTED[key]], key=lambda one: (len(one.solution), one.best))
    stored = [stored_form(replace(one, key=f"{key}-{n}")) for n, one in enumerate(ordered, 1)]
    (ENGINE / key / "puzzles.json").write_text(json.dumps(stored, indent=1) + "\n")
    print(key, len(stored), "puzzles,", sum(row["nodes"] for row in stored), "positions")


def interest(puzzle: Puzzle) -> tuple[int, int]:
    """More orders of different kinds, and more points."""
    verbs = {order.split()[0] for order in puzzle.solution}
    return min(len(verbs), 3), puzzle.best


def stored_form(puzzle: Puzzle) -> dict[str, Any]:
    return {name: value for name, value in asdict(puzzle).items() if name != "game"}


# Verifying


def verify(keys: list[str]) -> None:
    """Every stored puzzle searched through again, with figures."""
    for key in keys:
        asked, game = puzzling(key), find(key)
        assert asked
        for puzzle in puzzles(key):
            state = game.evolve(None, game.load(puzzle.position))
            begun = perf_counter()
            solution = asked.solve(game, state, puzzle.seat, 10 * puzzle.nodes + 1000, -1)
            took = perf_counter() - begun
            right = solution.best == puzzle.best == value_of(puzzle, puzzle.solution)
            print(
                puzzle.key, puzzle.best, solution.nodes, f"{took:.1f} s", "" if right else "WRONG"
            )


def run(words: list[str]) -> None:
    """Does what the command line asks for."""
    match words:
        case ["find", key, first, last]:
            look_for_puzzles(key, range(int(first), int(last)))
        case ["choose", *keys]:
            for key in keys:
                choose(key)
        case ["verify", *keys]:
            verify(keys or list(WANTED))


if __name__ == "__main__":
    run(sys.argv[1:])
