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
from engine.core.game import Game, amend
from engine.core.match import advance
from engine.core.puzzle import Puzzle, TooWide
from engine.core.puzzles import prove, puzzles, shorten, value_of
from engine.core.refusal import Refusal
from engine.core.registry import find, find_bot, puzzling
from engine.cuzco.puzzles.bound import most_points
from engine.tahuantinsuyu.puzzles import open_orders

FOUND, ENGINE = Path("build/puzzles"), Path("engine")
BOTS = {"cuzco": "keen", "java": "keen"}  # whose matches are looked at; elsewhere those of PLAIN
PLAIN = "steady"  # whose turn a puzzle's best must clearly beat
CLEARLY = {"cuzco": 1, "java": 2, "tahuantinsuyu": 1, "inka": 1}
WIDEST = {"cuzco": 9_000, "java": 9_000, "tahuantinsuyu": 1_500, "inka": 8_000}
LEAST = {"cuzco": 4, "java": 4, "tahuantinsuyu": 4, "inka": 4}  # what is worth a puzzle
WANTED = {"cuzco": 14, "java": 8, "tahuantinsuyu": 8, "inka": 8}
A_MATCH = 3  # puzzles of the same match


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
    bot = find_bot(game, BOTS.get(game.key, PLAIN))
    play(game, [bot] * seats, seed, watch=lambda _scores, state, _events: states.append(state))
    done = None  # the seat of whose turn one was found
    for number, state in enumerate(states):
        seat = fitting(game, state)
        if seat is None or seat == done:
            continue
        done = None
        puzzle = proved(game, state, seat, f"{seed}, {seats} seats, order {number + 1}")
        if puzzle:
            done = seat
            yield puzzle


def fitting(game: Game, state: Any) -> int | None:
    """Whose turn a position asks for, where a puzzle could begin."""
    asked = game.to_act(state)
    if not asked or game.awaited(state) != "turn":
        return None
    return asked[0] if FITS[game.key](state) else None


def fits_cuzco(state: Any) -> bool:
    spent = state.turn.laid or state.turn.ap == 6
    return (
        spent and state.turn.ap >= 2 and state.opened_by is None and 2 < state.supply.triples < 36
    )


def fits_tahuantinsuyu(state: Any) -> bool:
    return state.phase == "people" and state.period > 0 and not state.turn.done


def fits_inka(state: Any) -> bool:
    return state.phase == "turn" and state.turn.ap >= 2 and not state.turn.pawn


FITS = {
    "cuzco": fits_cuzco,
    "java": fits_cuzco,
    "tahuantinsuyu": fits_tahuantinsuyu,
    "inka": fits_inka,
}


def proved(game: Game, state: Any, seat: int, found: str) -> Puzzle | None:
    """The position as a puzzle, if a search can be sure of its best and that is not plain to see."""
    asked = puzzling(game.key)
    assert asked
    state = PREPARED.get(game.key, lambda same: same)(state)
    known = max(LEAST[game.key], played_by(game, PLAIN, state, seat) + CLEARLY[game.key]) - 1
    if game.key in BOTS:
        known = max(known, played_by(game, BOTS[game.key], state, seat) - 1)
    if not PROMISING[game.key](state, seat, known):
        return None
    position = game.dump(state)
    try:
        loaded = game.evolve(None, game.load(position))
        solution = asked.solve(game, loaded, seat, WIDEST[game.key], known)
        if solution.best <= known:
            return None
        proof = asked.solve(game, loaded, seat, WIDEST[game.key], solution.best)
    except (TooWide, Refusal):
        return None
    puzzle = Puzzle(
        "", game.key, position, seat, solution.best, solution.orders, proof.nodes, found
    )
    if value_of(puzzle, solution.orders) != solution.best:
        raise AssertionError(f"{found}: {solution} comes to {value_of(puzzle, solution.orders)}")
    return shorten(puzzle)


def without_token(state: Any) -> Any:
    """The position as if the turn's token were used: its AP are all there are."""
    return amend(state, turn=amend(state.turn, token=True))


PREPARED = {"cuzco": without_token, "java": without_token}


def promising_cuzco(state: Any, seat: int, known: int) -> bool:
    """Whether more than what is known may be there, and a tile that brings nothing would be soon left out."""
    ap = state.turn.ap
    fewer = amend(state, turn=amend(state.turn, ap=ap - 1))
    return most_points(state, seat) > known and (ap <= 3 or most_points(fewer, seat) <= known + 2)


def promising_tahuantinsuyu(state: Any, seat: int, known: int) -> bool:
    return sum(1 for _ in open_orders(state, seat)) <= MOST_FIRST_ORDERS


MOST_FIRST_ORDERS = 60

PROMISING = {
    "cuzco": promising_cuzco,
    "java": promising_cuzco,
    "tahuantinsuyu": promising_tahuantinsuyu,
    "inka": lambda _state, _seat, _known: True,
}


def played_by(game: Game, name: str, state: Any, seat: int) -> int:
    """What a bot makes of the rest of the turn."""
    asked, bot, dice = puzzling(game.key), find_bot(game, name), Chance("plain", game.key, 0)
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
        if of_match.get(match, 0) >= A_MATCH or puzzle.solution in seen:
            continue
        of_match[match] = of_match.get(match, 0) + 1
        seen.add(puzzle.solution)
        chosen.append(puzzle)
    ordered = sorted(chosen[: WANTED[key]], key=lambda one: (len(one.solution), one.best))
    stored = [stored_form(replace(one, key=str(n))) for n, one in enumerate(ordered, 1)]
    lines = ",\n".join(json.dumps(row) for row in stored)
    (ENGINE / key / "puzzles.json").write_text(f"[\n{lines}\n]\n")
    print(key, len(stored), "puzzles,", sum(row["nodes"] for row in stored), "positions")


def interest(puzzle: Puzzle) -> tuple[int, int]:
    """More orders of different kinds, and more points."""
    verbs = {order.split()[0] for order in puzzle.solution}
    return min(len(verbs), 3), puzzle.best


def stored_form(puzzle: Puzzle) -> dict[str, Any]:
    return {name: value for name, value in asdict(puzzle).items() if name != "game"}


# Verifying


def verify(keys: list[str]) -> None:
    """Every stored puzzle searched through again for something better, with figures."""
    for key in keys:
        for puzzle in puzzles(key):
            begun = perf_counter()
            nodes = prove(puzzle)
            took = perf_counter() - begun
            print(key, puzzle.key, puzzle.best, nodes, f"{took:.1f} s", *puzzle.solution, sep="  ")


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
