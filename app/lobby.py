"""Tables: opening one, inviting, joining, leaving and starting when it is full."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, or_, select

from app import clock, models, notices, play, quotas, store
from app.errors import Forbidden, TooMany
from app.models import UNDER_WAY
from app.pace import settle_pace
from app.words import email_address, shown_line
from engine.core import match as matches
from engine.core.chain import GENESIS
from engine.core.chance import commitment
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import find, find_bot
from engine.core.sentence import say

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are read for another
ID_LENGTH = 10
LONGEST_TITLE = 80
PAGE = 20
DEMO_GAME, DEMO_BOT = "cuzco", "steady"
TO_ONE_ADDRESS = 5  # invitations an hour, whoever invites
TO_ALL_ADDRESSES = 50  # that one person may invite in a day
LONGEST_NONCE = 200


def create(
    session: Session,
    owner: models.Player,
    game: Any,
    title: Any,
    seats: Any,
    options: Any,
    pace: Any,
    public: Any,
    at: datetime,
    *,
    hints: Any = False,
) -> models.Match:
    """Opens a table; it starts at once if everybody is there."""
    rules = find(game)
    if not isinstance(seats, list):
        raise Unknown(say("seats is a list: me, an address, a bot or nobody for each seat."))
    matches.check_seats(rules, len(seats))
    check_company(owner, seats)
    if any(isinstance(wish, dict) and "bot" in wish for wish in seats):
        quotas.check_bot_matches(session, owner)
    quotas.check_guest(session, owner)
    settled = matches.settle_options(rules, {} if options is None else options)
    matches.start(rules, len(seats), settled, "trial")  # what could never start is not opened
    seed = secrets.token_hex(32)
    row = models.Match(
        id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
        seeds=store.seal_seeds(session.connection(), ((1, seed),)),
        commitment=commitment(seed),
        game=rules.key,
        title=shown_line(title or rules.name, say("The title"), LONGEST_TITLE),
        owner_id=owner.id,
        options=settled,
        pace=settle_pace(pace),
        public=public is True,
        hints=hints is True,
        seats=len(seats),
        hash=GENESIS,
        created_at=at,
    )
    session.add(row)
    session.flush()
    for number, wish in enumerate(seats):
        session.add(seat_row(session, row, number, wish, owner, at))
    session.flush()
    start_if_full(session, row, at)
    return row


def check_company(owner: models.Player, seats: list[Any]) -> None:
    """Bots alone are no table, and who plays with other people must be reachable."""
    people = [wish for wish in seats if not (isinstance(wish, dict) and "bot" in wish)]
    if not people:
        raise Unknown(say("A table needs a person: not every seat can be a bot's."))
    if any(wish != "me" for wish in people):
        check_address(owner)


def seat_row(
    session: Session, row: models.Match, number: int, wish: Any, owner: models.Player, at: datetime
) -> models.Seat:
    """A seat as its wish asks for it."""
    seat = models.Seat(match_id=row.id, number=number)
    match wish:
        case "me":
            seat.player_id = owner.id
        case {"email": str(email)}:
            invite(session, row, seat, email, at)
        case {"bot": bot}:
            find_bot(find(row.game), bot)
            seat.bot = bot
        case None:
            pass
        case _:
            raise Unknown(say("A seat is me, an address, a bot or nobody."))
    return seat


def invite(
    session: Session,
    row: models.Match,
    seat: models.Seat,
    email: str,
    at: datetime,
    pos: int | None = None,
) -> None:
    """Keeps the seat for an address and writes to it; the link in the mail opens the seat.

    The key waits in the outbox, and opens nothing before the mail is written: `door` seals it. Before the match
    begins an invitation counts seats where later ones have their position.
    """
    address = email_address(email)
    check_invitations(session, row.owner_id, address, at)
    seat.invited_email = address
    payload = {"key": kept_by(session, seat)}
    number = seat.number if pos is None else pos
    if may_write_to(session, address, at):
        notices.post(
            session, "invitation", at, match_id=row.id, pos=number, email=address, payload=payload
        )


def may_write_to(session: Session, address: str, at: datetime) -> bool:
    """Whether an address has not had enough invitations for now.

    If it has, they are quietly not sent: who invites must not learn what others wrote to it. The lobby tells of the seat.
    """
    same = models.Outbox.email == address
    return invited(session, func.count(), at - timedelta(hours=1), same) < TO_ONE_ADDRESS


def check_invitations(session: Session, owner_id: int | None, address: str, at: datetime) -> None:
    """Refuses to write to ever more strangers for the same person."""
    own = select(models.Match.id).where(models.Match.owner_id == owner_id)
    others = (col(models.Outbox.match_id).in_(own), models.Outbox.email != address)
    addresses = func.count(func.distinct(models.Outbox.email))
    if invited(session, addresses, at - timedelta(days=1), *others) >= TO_ALL_ADDRESSES:
        raise TooMany


def invited(session: Session, what: Any, since: datetime, *which: Any) -> int:
    """How many invitations were written, or to how many."""
    sent = (
        col(models.Outbox.kind).in_(("invitation", "care")),
        col(models.Outbox.created_at) > since,
    )
    found: int = session.exec(select(what).select_from(models.Outbox).where(*sent, *which)).one()
    return found


def kept_by(session: Session, seat: models.Seat) -> str:
    """A new key to a seat that is kept; no other opens it from now on."""
    key = secrets.token_urlsafe(24)
    seat.invite_hash = token_hash(key)
    session.add(seat)
    return key


def check_address(player: models.Player) -> None:
    """Who sits with others must be reachable: nobody waits for a guest."""
    if player.guest:
        raise Forbidden(say("Guests play alone; sign in with a mail address to sit with others."))


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Coming and going


def join(
    session: Session,
    match_id: str,
    player: models.Player,
    at: datetime,
    seat: Any = None,
    token: str | None = None,
    *,
    by_link: bool = False,
    nonce: Any = None,
) -> models.Match:
    """Takes a seat: the one that was kept, one named, or the first that is open; with a nonce, as `give_nonce`."""
    row, seats = table(session, match_id, player, token, by_link=by_link)
    check_address(player)
    if any(taken.player_id == player.id for taken in seats):
        raise Forbidden(say("You have a seat in this match already."))
    chosen = choose(row, seats, player, seat, token)
    if not (row.public or by_link or row.owner_id == player.id or kept_for(chosen, player, token)):
        raise Forbidden(say("No seat is open to you in this match."))
    if row.status != "open" and cares_for(session, row, player):  # perhaps named after it was kept
        raise Forbidden(say("You care for this match; who cares for it may not join it any more."))
    chosen.player_id, chosen.invited_email, chosen.invite_hash = player.id, None, None
    if row.status == "open":
        chosen.nonce = nonce_hash(nonce)
    session.add(chosen)
    session.flush()
    if row.status == "open":
        start_if_full(session, row, at)
    else:
        match = store.load(session.connection(), row.id)
        asked = match.game.to_act(match.state)
        row.deadline = clock.arrange(session, row.id, asked, at, row.status)
        notices.to_newcomer(session, match, chosen.number, at)
    return row


def cares_for(session: Session, row: models.Match, player: models.Player) -> bool:
    """Whether somebody owns a match or was named to care for it."""
    named = session.get(models.Moderator, (row.id, player.id))
    return named is not None or row.owner_id == player.id


def choose(
    row: models.Match,
    seats: Sequence[models.Seat],
    player: models.Player,
    wish: Any,
    token: str | None,
) -> models.Seat:
    kept = [seat for seat in seats if kept_for(seat, player, token)]
    free = [s for s in seats if s.player_id is None and s.bot is None and s.invited_email is None]
    if row.status != "open":
        free = []  # who comes late takes the seat that is kept
    if wish is not None:
        kept, free = ([s for s in some if s.number == wish] for some in (kept, free))
    for seat in (*kept, *free):
        return seat
    raise Forbidden(say("No seat is open to you in this match."))


def kept_for(seat: models.Seat, player: models.Player, token: str | None) -> bool:
    if seat.player_id is not None or seat.invited_email is None:
        return False
    by_token = token is not None and seat.invite_hash == token_hash(token)
    return by_token or (player.email is not None and player.email == seat.invited_email)


def leave(session: Session, match_id: str, player: models.Player) -> models.Match:
    """Gives the seat back while the table is open; an empty table is closed."""
    row, seats = table(session, match_id, player)
    own = [seat for seat in seats if seat.player_id == player.id]
    if not own:
        raise Forbidden(say("You have no seat in this match."))
    for seat in own:
        seat.player_id = seat.nonce = None
        session.add(seat)
    if not any(seat.player_id for seat in seats):
        row.status = "closed"
        session.add(row)
    return row


def give_nonce(session: Session, match_id: str, player: models.Player, nonce: Any) -> models.Match:
    """Mixes words of a player's own into the chance of the match, instead of those given before; none takes them out.

    The service has committed to its seed when the table was opened, before it could see any nonce, and players
    never see the seed: so none of them alone can choose what is drawn. That nonces are shown at once gives nothing
    away, for without the seed they foretell nothing. (Somebody who had the seed and gave the last nonce could choose:
    whoever trusts nobody gives theirs last, with the joining that fills the table.) A table that is full when it is
    opened waits for nobody, so its chance is the service's alone. A seed that a rewind commits to is mixed with the
    same nonces, but drawn after them.
    """
    row, seats = table(session, match_id, player)
    own = [seat for seat in seats if seat.player_id == player.id]
    if row.status != "open" or not own:
        raise Forbidden(say("You have no seat in this match."))
    for seat in own:
        seat.nonce = nonce_hash(nonce)
        session.add(seat)
    return row


def nonce_hash(nonce: Any) -> str | None:
    """What is kept of a nonce: the log is for ever, and words may be personal."""
    if nonce is None or nonce == "":
        return None
    if not isinstance(nonce, str) or len(nonce) > LONGEST_NONCE or not nonce.isprintable():
        raise NotUnderstood(
            say("A nonce is one line of at most {most} letters.", most=LONGEST_NONCE)
        )
    return hashlib.sha256(nonce.encode()).hexdigest()


def table(
    session: Session,
    match_id: str,
    player: models.Player,
    token: str | None = None,
    *,
    by_link: bool = False,
) -> tuple[models.Match, list[models.Seat]]:
    """An open table, one person at a time; a private one is there only for those who belong to it.

    To those for whom a seat is kept it is open even while it is played at.
    """
    row = play.take_turn(session, match_id)
    seats = seats_of(session, match_id)
    sits = any(s.player_id == player.id or kept_for(s, player, token) for s in seats)
    if not (row.public or by_link or sits or row.owner_id == player.id):
        raise store.no_match(match_id)
    awaited = row.status in UNDER_WAY and any(kept_for(s, player, token) for s in seats)
    if row.status != "open" and not awaited:
        raise Forbidden(
            say("This table is not open any more; its status is {status}.", status=row.status)
        )
    return row, seats


def seats_of(session: Session, match_id: str) -> list[models.Seat]:
    query = select(models.Seat).where(models.Seat.match_id == match_id)
    return list(session.exec(query.order_by(col(models.Seat.number))))


# Starting


def start_if_full(session: Session, row: models.Match, at: datetime) -> bool:
    """Starts the match once every seat is taken; who sits where is drawn by the match's own chance."""
    seats = seats_of(session, row.id)
    if any(seat.player_id is None and seat.bot is None for seat in seats):
        return False
    nonces = [seat.nonce or "" for seat in seats]
    seed = committed_seed(session, row)
    match = matches.start(find(row.game), row.seats, row.options, seed, row.id, nonces)
    seat_by_lot(session, seats, match.log[1].event.chairs)
    row.status, row.started_at = "running", at
    row.alone = len(seats) > 1 and len({(seat.player_id, seat.bot) for seat in seats}) == 1
    session.add(row)
    session.flush()
    asked = match.game.to_act(match.state)
    deadline = clock.arrange(session, row.id, asked, at)
    store.save(session.connection(), match, 0, at, deadline=deadline)
    session.refresh(row)
    notices.after_act(session, None, match, at)
    return True


def committed_seed(session: Session, row: models.Match) -> str:
    """The seed that was drawn when the table was opened; tables that older versions opened have none yet."""
    if row.seeds is None:
        return secrets.token_hex(32)
    ((_, seed),) = store.unseal_seeds(session.connection(), row.seeds)
    return seed


def seat_by_lot(session: Session, seats: list[models.Seat], chairs: Sequence[int]) -> None:
    """Puts everybody into the seat that was drawn for them (C-S1); from now on the log keeps their nonces."""
    people = [(seat.player_id, seat.bot) for seat in seats]
    for seat, chair in zip(seats, chairs, strict=True):
        seat.player_id, seat.bot = people[chair]
        seat.nonce = None
        session.add(seat)


def demo(
    session: Session,
    player: models.Player,
    at: datetime,
    game: str = DEMO_GAME,
    bot: str | None = None,
) -> models.Match:
    """A match ready to be played at once: against bots, or with every seat by oneself."""
    others: Any = {"bot": bot} if bot else "me"
    seats = ["me", *[others] * (find(game).seats[0] - 1)]
    return create(session, player, game, "Demo", seats, {}, None, False, at)


# Looking around


def open_tables(session: Session, page: int = 1) -> tuple[list[models.Match], bool]:
    """Public tables with a seat to take, newest first; and whether there are more."""
    query = select(models.Match).where(models.Match.status == "open", col(models.Match.public))
    return paged(session, query, page)


def matches_of(
    session: Session, player_id: int, page: int = 1, status: str | None = None
) -> tuple[list[models.Match], bool]:
    """The matches in which a player sits, or which they own, newest first; and whether there are more."""
    mine = select(models.Seat.match_id).where(models.Seat.player_id == player_id)
    query = select(models.Match).where(
        or_(col(models.Match.id).in_(mine), models.Match.owner_id == player_id)
    )
    return paged(
        session, query if status is None else query.where(models.Match.status == status), page
    )


def paged(session: Session, query: Any, page: int) -> tuple[list[models.Match], bool]:
    rows = list(
        session.exec(
            query.order_by(col(models.Match.created_at).desc(), col(models.Match.id))
            .offset((page - 1) * PAGE)
            .limit(PAGE + 1)
        )
    )
    return rows[:PAGE], len(rows) > PAGE
