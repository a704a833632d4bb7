"""Orders that follow a draw in one submission must be legal whatever is drawn.

All or nothing alone would give secrets away: whoever sends `draw pile` with an order for one certain card
learns from a refusal which card comes, keeps the turn and may try again. So what follows an order that
draws is tried in thought with every outcome, and an answer that shows what others hold stands last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from app.platform.errors import LineRefused
from engine.core.chance import Chance, Every
from engine.core.game import Game
from engine.core.match import Match, advance
from engine.core.refusal import IllegalMove, NotAsked, Refusal
from engine.core.sentence import say
from engine.core.thought import begin_thought, think_ahead

Ending = Literal["surely", "perhaps"]
MOST_OUTCOMES = 1000  # two draws have 36 where the most is drawn today


def check_ahead(match: Match, seat: int, orders: Sequence[str]) -> None:
    """Refuses orders whose legality would tell what an earlier order of the same submission reveals."""
    try:
        found = first_revealing(match, seat, orders)
    except Refusal:
        return  # the rules will say so, in their own words: nothing has been revealed yet
    if found:
        line, state = found
        check_outcomes(match.game, match.game.forget(state, seat), seat, orders, line)


def first_revealing(match: Match, seat: int, orders: Sequence[str]) -> tuple[int, Any] | None:
    """The number of the first order that reveals something with more behind it, and the state before."""
    game, thought = match.game, begin_thought(match)
    for line, order in enumerate(orders[:-1], 1):
        action = game.parse(seat, order)
        after = think_ahead(thought, action)
        if after is None:
            return line, thought.state
        thought = after
    return None


def foresee_ending(game: Game, state: Any, action: Any) -> Ending | None:
    """Whether a legal order ends the match: by every draw, by some, or by none; as far as its seat can know."""
    known, ends, waiting = game.forget(state, action.seat), set[bool](), list[tuple[int, ...]]([()])
    for _ in range(MOST_OUTCOMES):
        chance = Every(waiting.pop())
        try:
            after = advance(game, known, game.decide(known, action, chance))
        except Refusal:  # legal, but not with what its seat knows: it shows what others hold
            return "perhaps"
        ends.add(not game.to_act(after))
        waiting += chance.open
        if not waiting or len(ends) > 1:
            break
    if len(ends) > 1:
        return "perhaps"
    return "surely" if ends == {True} else None


def check_outcomes(game: Game, state: Any, seat: int, orders: Sequence[str], line: int) -> None:
    """Tries the orders from number `line` on, which reveals something, with everything it may reveal."""
    told = dict[tuple[int, str], LineRefused | None]()
    for count, refusal in enumerate(outcomes(game, state, seat, orders, line)):
        if count == MOST_OUTCOMES:
            raise depends(line + 1, line)
        told[(refusal.line, str(refusal)) if refusal else (0, "")] = refusal
    if len(told) > 1:
        raise depends(min(failing for failing, _ in told if failing), line)
    (only,) = told.values()
    if only:
        raise only


def outcomes(
    game: Game, state: Any, seat: int, orders: Sequence[str], line: int
) -> Iterator[LineRefused | None]:
    """How the rest of the submission fares, once for each way that chance may fall."""
    if line > len(orders):
        yield None
        return
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        chance = Every(waiting.pop())
        try:
            after, reveals = tried(game, state, seat, orders[line - 1], chance)
        except Refusal as refusal:
            yield LineRefused(line, refusal)
            continue
        finally:
            waiting += chance.open
        if reveals and line < len(orders) and not certain(game, state, after, seat):
            yield depends(line + 1, line)
        else:
            yield from outcomes(game, after, seat, orders, line + 1)


def tried(game: Game, state: Any, seat: int, order: str, chance: Chance) -> tuple[Any, bool]:
    action = game.parse(seat, order)
    if seat not in game.to_act(state):
        raise NotAsked(say("After these orders you are not asked any more."))
    reveals = game.commits(state, action)
    return advance(game, state, game.decide(state, action, chance)), reveals


def certain(game: Game, before: Any, after: Any, seat: int) -> bool:
    """Whether only chance decided what comes next: the seat was and is at its own turn."""
    return game.awaited(before) == game.awaited(after) == "turn" and seat in game.to_act(after)


def depends(line: int, on: int) -> LineRefused:
    sentence = say(
        "What order {on} brings decides about order {line}: send it when you know.",
        on=on,
        line=line,
    )
    return LineRefused(line, IllegalMove("secret", sentence))
