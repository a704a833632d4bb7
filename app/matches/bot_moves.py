"""Bots at tables: they see what their seat sees, think outside of any transaction, and play like everybody else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from itertools import islice
from threading import Lock
from time import thread_time
from typing import Any

import structlog
from sqlalchemy import case, func
from sqlmodel import Session, col, select

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.access import Place, check_own_seat, check_running
from app.matches.commit import TO_NOBODY, commit_match
from app.matches.drafts import Preview, load_draft, preview_draft
from app.matches.participants import load_seats
from app.matches.sleeping_seats import wake_seat
from app.matches.submissions import keep_played
from app.platform import tables
from app.platform.cpu_budget import OverBudget, cpu_budget
from app.platform.database import Database
from app.platform.errors import Busy, Forbidden, Stale
from app.platform.lru_cache import LruCache
from app.platform.rows import SEATED
from engine.core import match as matches
from engine.core.bot import random
from engine.core.chance import Chance
from engine.core.match import Match
from engine.core.registry import bots, find_bot
from engine.core.sentence import say

log = structlog.get_logger()
MOST_ORDERS = 300  # of bots in a row before somebody else gets a turn to write
MOST_WEIGHED = (
    10_000  # legal orders that a bot chooses from; no match that was played had half as many
)


# Processor seconds: of one thought, which takes a second at worst, and of the thoughts for one match before another's.
ORDER_SECONDS, TURN_SECONDS = 6.0, 5.0
NOBODY = 0  # whose matches those of guests and of nobody are
BEST = ("keen", "steady", "random")  # who is asked for advice, if the game has them
PATIENCE = 2.0  # seconds in which a thought for somebody else should end
THINKING = Lock()
ADVICE: LruCache[tuple[str, int], str] = LruCache(500)  # that was given, by position and seat


def load_waiting_matches(session: Session, before: datetime, most: int) -> list[str]:
    """The matches in which a bot has been asked since before that moment: the longest waiting of each owner, then the second.

    So nobody who has many keeps the others waiting. Guests, whom anybody can make, share the place of one owner.
    """
    asked, owner = col(tables.Match.bot_at), col(tables.Match.owner_id)
    whose = case((col(tables.Player.guest), NOBODY), else_=func.coalesce(owner, NOBODY))
    place = func.row_number().over(partition_by=whose, order_by=(asked, col(tables.Match.id)))
    query = (
        select(tables.Match.id)
        .join(tables.Player, col(tables.Player.id) == owner, isouter=True)
        .where(asked <= before)
        .order_by(place, asked)
    )
    return list(session.exec(query.limit(most)))


def move_bots(database: Database, match_id: str, at: datetime) -> int:
    """Plays for the bots that are asked, all that they order in one transaction; says how many orders."""
    with database.look() as session:
        before = load_match(session.connection(), match_id)
        seats = load_bot_seats(session, match_id)
    after, orders = think_on(before, seats)
    with database.session() as session:
        row = lock_match_row(session, match_id)
        if row.head != before.head or load_bot_seats(session, match_id) != seats:
            raise Stale(row.head)
        if row.status != "running" or not orders:
            row.bot_at = None
            session.add(row)
            return 0
        keep_played(session, before, after, at)
        if asked_bot(after, seats) is not None:  # its time was up: others first
            row.bot_at = at
            session.add(row)
    return orders


def load_bot_seats(session: Session, match_id: str) -> dict[int, str]:
    """The seats for which a bot plays, also those whose player is away."""
    return {seat.number: seat.bot for seat in load_seats(session, match_id) if seat.bot}


def think_on(match: Match, seats: dict[int, str]) -> tuple[Match, int]:
    """The match after the bots have played until a person is asked or their time is up, and how many orders that took."""
    orders, end = 0, thread_time() + TURN_SECONDS
    while orders < MOST_ORDERS and (asked := asked_bot(match, seats)) is not None:
        if orders and thread_time() > end:
            break
        dice = Chance(match.seed, f"{match.name}:bot", match.head + 1)
        match = matches.act(match, choose_order(match, match.state, asked, seats[asked], dice))
        orders += 1
    return match, orders


def asked_bot(match: Match, seats: Collection[int]) -> int | None:
    return next((seat for seat in match.game.to_act(match.state) if seat in seats), None)


def choose_order(match: Match, state: Any, seat: int, key: str, dice: Chance) -> Any:
    """What a bot orders in a position of the match; one that fails or thinks too long is replaced by chance, for this order."""
    game = match.game
    legal = list(islice(game.legal(state, seat), MOST_WEIGHED))
    try:
        with cpu_budget(ORDER_SECONDS):
            action = find_bot(game, key)(game, game.view(state, seat), legal, dice)
        if action in legal:
            return action
        log.error("bot", bot=key, match=match.id, seat=seat, problem="not legal")
    except OverBudget:
        log.warning("bot", bot=key, match=match.id, seat=seat, problem="too long", legal=len(legal))
    except Exception as error:  # a table must not stop because a bot is broken
        log.error("bot", bot=key, match=match.id, seat=seat, exc_info=error)
    return random(game, None, legal, dice)


# Advice


def may_ask_advice(session: Session, row: tables.Match, here: Place) -> bool:
    """Whether a player may be advised: where the table agreed on it, or where no other person plays."""
    if here.seat is None or row.status != "running":
        return False
    seats = [seat for seat, _ in SEATED.found(session, match=row.id)]
    people = {seat.player_id for seat in seats if seat.player_id or not seat.bot}
    return row.hints or people == {here.player_id}


def load_advice(session: Session, here: Place) -> str:
    """An order that the best bot of the game would give after what is drafted."""
    row = session.get_one(tables.Match, here.match_id)
    if not may_ask_advice(session, row, here):
        raise Forbidden(say("Suggestions are not allowed at this table."))
    drafted = load_draft(session, here)
    seat = check_own_seat(here)
    if not asks(drafted, seat):
        raise Forbidden(say("You are not asked for anything after this draft."))
    name = (drafted.shown.hash, seat)  # says all that the bot knows, and its dice
    return ADVICE.get(name) or ADVICE.keep(name, consider_order(drafted, seat))


MOST_ADVISED = 8  # orders of one turn


def load_turn_advice(session: Session, here: Place) -> Preview:
    """The draft with the rest of the turn as the best bot would play it, up to what draws, reveals or ends the turn."""
    load_advice(session, here)  # which refuses where it is not allowed
    drafted, seat = load_draft(session, here), check_own_seat(here)
    for _ in range(MOST_ADVISED):
        if not asks(drafted, seat):
            break
        name = (drafted.shown.hash, seat)
        order = ADVICE.get(name) or ADVICE.keep(name, consider_order(drafted, seat))
        drafted = preview_draft(drafted.match, seat, [*drafted.orders, order])
    return drafted


def consider_order(drafted: Preview, seat: int) -> str:
    """What the best bot orders, one thought at a time: nobody may keep the whole process thinking."""
    known = bots(drafted.match.game)
    best = next(key for key in BEST if key in known)
    # Not from the seed: nothing that a player is shown may depend on what will be drawn.
    dice = Chance(drafted.shown.hash, f"advice for {seat}", drafted.match.head + 1)
    if not THINKING.acquire(timeout=PATIENCE):
        raise Busy
    try:
        action = choose_order(drafted.match, drafted.shown.state, seat, best, dice)
    finally:
        THINKING.release()
    order: str = drafted.match.game.format(action)
    return order


def asks(drafted: Preview, seat: int) -> bool:
    asked = drafted.match.game.to_act(drafted.shown.state)
    return seat in asked and not (drafted.problem or drafted.waiting or drafted.planned)


def come_back(session: Session, here: Place, at: datetime) -> None:
    """Takes one's seat back from the bot that stood in; pressing the button twice does it once."""
    seat = check_own_seat(here)
    row = lock_match_row(session, here.match_id)
    check_running(replace(here, status=row.status))  # paused or closed while we waited?
    before = load_match(session.connection(), here.match_id)
    after = wake_seat(session, before, seat)
    if after is before:
        return
    commit_match(session, before, after, at, TO_NOBODY)
