"""python-chess as a peer: how long a legal set takes, and how many random matches it plays."""

import json
import sys
from random import Random
from statistics import median
from time import process_time, thread_time

import chess


def positions(matches):
    """Every third position of some random matches."""
    found, rng = [], Random(1)
    for _ in range(matches):
        board = chess.Board()
        while not board.is_game_over():
            if board.ply() % 3 == 0:
                found.append(board.copy())
            board.push(rng.choice(list(board.legal_moves)))
    return found


def legal(boards=positions(4)):  # noqa: B008 - made once, before anything is measured
    spent = []
    for board in boards:
        begun = thread_time()
        list(board.legal_moves)
        spent.append(thread_time() - begun)
    return median(spent)


def matches(count, rng=Random(2)):  # noqa: B008 - goes on where it was
    begun = process_time()
    for _ in range(count):
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
    return count / (process_time() - begun)


if __name__ == "__main__":
    for line in sys.stdin:
        wish = json.loads(line)
        figure = legal() if wish["do"] == "legal" else matches(wish["count"])
        print(json.dumps(figure), flush=True)
