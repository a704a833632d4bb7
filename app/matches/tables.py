"""Tables: opening one, inviting, joining, leaving and starting when it is full."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, update

from app.clocks.clocks import arrange_clocks
from app.clocks.pace import settle_pace
from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match, seal_seeds, unknown_match, unseal_seeds
from app.matches.bot_names import check_bot, default_bot
from app.matches.commit import ToAsked, commit_match
from app.matches.invitations import invite_address, kept_for
from app.matches.participants import load_seats
from app.matches.quotas import check_bot_matches, check_guest
from app.outbox.notifications import notify_newcomer
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.tables import UNDER_WAY
from app.platform.text_input import check_email_address, shown_line
from engine.core import match as matches
from engine.core.chain import GENESIS
from engine.core.chance import commitment
from engine.core.game import Game
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import find, games
from engine.core.sentence import say

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are read for another
ID_LENGTH = 10
LONGEST_TITLE = 80
LONGEST_NONCE = 200
MOST_LOTS = 200  # that are drawn until a demo begins with its player: some five in the mean


def create_table(
    session: Session,
    owner: tables.Player,
    game: Any,
    title: Any,
    seats: Any,
    *,
    options: Any,
    pace: Any,
    public: Any,
    at: datetime,
    hints: Any = False,
    owner_begins: bool = False,
    rematch_of: str | None = None,
) -> tables.Match:
    """Opens a table; it starts at once if everybody is there. With `owner_begins` the lot falls so: for a demo.

    In a rematch no lot is drawn: everybody sits as `seats` says.
    """
    rules = find(game)
    if not isinstance(seats, list):
        raise Unknown(say("seats is a list: me, an address, a bot or nobody for each seat."))
    matches.check_seats(rules, len(seats))
    check_company(owner, seats)
    if any(isinstance(wish, dict) and "bot" in wish for wish in seats):
        check_bot_matches(session, owner)
    check_guest(session, owner)
    settled = matches.settle_options(rules, {} if options is None else options)
    matches.start(rules, len(seats), settled, "trial")  # what could never start is not opened
    match_id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    seed = secrets.token_hex(32)
    for _ in range(MOST_LOTS if owner_begins else 0):
        if begins(rules, seats, settled, seed, match_id):
            break
        seed = secrets.token_hex(32)
    row = tables.Match(
        id=match_id,
        seeds=seal_seeds(session.connection(), ((1, seed),)),
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
        rematch_of=rematch_of,
    )
    session.add(row)
    session.flush()
    for number, wish in enumerate(seats):
        session.add(seat_row(session, row, number, wish, owner, at))
    session.flush()
    start_if_full(session, row, at)
    return row


def begins(rules: Game, seats: list[Any], options: Any, seed: str, match_id: str) -> bool:
    """Whether with this seed the owner would have the first turn."""
    match = matches.start(rules, len(seats), options, seed, match_id, [""] * len(seats))
    return any(seats[match.chairs[seat]] == "me" for seat in rules.to_act(match.state))


def check_company(owner: tables.Player, seats: list[Any]) -> None:
    """Bots alone are no table, and who plays with other people must be reachable."""
    people = [wish for wish in seats if not (isinstance(wish, dict) and "bot" in wish)]
    if not people:
        raise Unknown(say("A table needs a person: not every seat can be a bot's."))
    if any(wish != "me" for wish in people):
        check_reachable(owner)


def seat_row(
    session: Session, row: tables.Match, number: int, wish: Any, owner: tables.Player, at: datetime
) -> tables.Seat:
    """A seat as its wish asks for it."""
    seat = tables.Seat(match_id=row.id, number=number)
    match wish:
        case "me":
            seat.player_id = owner.id
        case {"email": str(email)}:
            invite_address(session, row, seat, email, at)
        case {"bot": bot}:
            check_bot(find(row.game), bot, owner)
            seat.bot = bot
        case None:
            pass
        case _:
            raise Unknown(say("A seat is me, an address, a bot or nobody."))
    return seat


def check_reachable(player: tables.Player) -> None:
    """Who sits with others must be reachable: nobody waits for a guest."""
    if player.guest:
        raise Forbidden(say("Guests play alone; sign in with a mail address to sit with others."))


# Coming and going


def join_table(
    session: Session,
    match_id: str,
    player: tables.Player,
    at: datetime,
    *,
    seat: Any = None,
    token: str | None = None,
    by_link: bool = False,
    nonce: Any = None,
) -> tables.Match:
    """Takes a seat: the one that was kept, one named, or the first that is open; with a nonce, as `give_nonce`."""
    row, seats = table(session, match_id, player, token, by_link=by_link)
    check_reachable(player)
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
        match = load_match(session.connection(), row.id)
        asked = match.game.to_act(match.state)
        row.deadline = arrange_clocks(session, row.id, asked, at)
        notify_newcomer(session, match, chosen.number, at)
    return row


def cares_for(session: Session, row: tables.Match, player: tables.Player) -> bool:
    """Whether somebody owns a match or was named to care for it."""
    named = session.get(tables.Moderator, (row.id, player.id))
    return named is not None or row.owner_id == player.id


def choose(
    row: tables.Match,
    seats: Sequence[tables.Seat],
    player: tables.Player,
    wish: Any,
    token: str | None,
) -> tables.Seat:
    kept = [seat for seat in seats if kept_for(seat, player, token)]
    free = [s for s in seats if s.player_id is None and s.bot is None and s.invited_email is None]
    if row.status != "open":
        free = []  # who comes late takes the seat that is kept
    if wish is not None:
        kept, free = ([s for s in some if s.number == wish] for some in (kept, free))
    for seat in (*kept, *free):
        return seat
    raise Forbidden(say("No seat is open to you in this match."))


def leave_table(session: Session, match_id: str, player: tables.Player) -> tables.Match:
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


def set_seat(
    session: Session, match_id: str, player: tables.Player, *, number: int, wish: Any, at: datetime
) -> tables.Match:
    """Changes a seat that nobody has taken yet, for whoever opened the table: a bot, another address, or open again."""
    row, seat = own_free_seat(session, match_id, player, number)
    if isinstance(wish, dict) and "bot" in wish:
        check_bot_matches(session, player)
        check_bot(find(row.game), wish["bot"], player)
    if isinstance(wish, dict) and "email" in wish:
        check_not_invited(session, row, seat, wish["email"])
    seat.bot = seat.invited_email = seat.invite_hash = None
    match wish:
        case {"email": str(email)}:
            invite_address(session, row, seat, email, at)
        case {"bot": bot}:
            seat.bot = bot
        case None:
            pass
        case _:
            raise Unknown(say("A seat is me, an address, a bot or nobody."))
    session.add(seat)
    session.flush()
    start_if_full(session, row, at)
    return row


def check_not_invited(session: Session, row: tables.Match, seat: tables.Seat, email: Any) -> None:
    """Refuses an address that was invited to this table before, to this seat or another: it has its mail."""
    address = check_email_address(email)
    mails = select(tables.Outbox.id).where(
        tables.Outbox.match_id == row.id,
        tables.Outbox.kind == "invitation",
        tables.Outbox.email == address,
    )
    if seat.invited_email == address or session.exec(mails).first() is not None:
        raise Forbidden(say("That address is invited to this table already."))


def drop_seat(
    session: Session, match_id: str, player: tables.Player, number: int, at: datetime
) -> tables.Match:
    """Takes away a seat that nobody has taken, so that the match begins with fewer."""
    row, seat = own_free_seat(session, match_id, player, number)
    matches.check_seats(find(row.game), row.seats - 1)
    later = [other for other in load_seats(session, match_id) if other.number > number]
    session.delete(seat)
    session.flush()
    for other in later:  # one after the other: no two seats may have one number
        session.execute(
            update(tables.Seat)
            .where(col(tables.Seat.match_id) == match_id, col(tables.Seat.number) == other.number)
            .values(number=other.number - 1)
        )
    session.expire_all()
    row = lock_match_row(session, match_id)
    row.seats -= 1
    session.add(row)
    session.flush()
    start_if_full(session, row, at)
    return row


def own_free_seat(
    session: Session, match_id: str, player: tables.Player, number: int
) -> tuple[tables.Match, tables.Seat]:
    """A seat that is nobody's yet, at an open table of the player's own."""
    row, seats = table(session, match_id, player)
    if row.status != "open" or row.owner_id != player.id:
        raise Forbidden(say("Only whoever opened the table changes its seats, before it begins."))
    for seat in seats:
        if seat.number == number and seat.player_id is None:
            return row, seat
    raise Forbidden(say("That seat is taken already."))


def give_nonce(session: Session, match_id: str, player: tables.Player, nonce: Any) -> tables.Match:
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
    player: tables.Player,
    token: str | None = None,
    *,
    by_link: bool = False,
) -> tuple[tables.Match, list[tables.Seat]]:
    """An open table, one person at a time; a private one is there only for those who belong to it.

    To those for whom a seat is kept it is open even while it is played at.
    """
    row = lock_match_row(session, match_id)
    seats = load_seats(session, match_id)
    sits = any(s.player_id == player.id or kept_for(s, player, token) for s in seats)
    if not (row.public or by_link or sits or row.owner_id == player.id):
        raise unknown_match(match_id)
    awaited = row.status in UNDER_WAY and any(kept_for(s, player, token) for s in seats)
    if row.status != "open" and not awaited:
        raise Forbidden(
            say("This table is not open any more; its status is {status}.", status=row.status)
        )
    return row, seats


# Starting


def start_if_full(session: Session, row: tables.Match, at: datetime) -> bool:
    """Starts the match once every seat is taken; who sits where is drawn by the match's own chance, but for a rematch.

    Where somebody else sits than in the match before, a rematch has a lot too: its owner could choose who begins.
    """
    seats = load_seats(session, row.id)
    if any(seat.player_id is None and seat.bot is None for seat in seats):
        return False
    nonces = [seat.nonce or "" for seat in seats]
    seed = committed_seed(session, row)
    turned = is_turned(session, row, seats)
    drawn_by = row.options, seed, row.id, nonces
    match = matches.start(
        find(row.game), row.seats, *drawn_by, turned=turned, before=row.rematch_of
    )
    seat_by_lot(session, seats, match.chairs)
    row.status, row.started_at = "running", at
    row.alone = len(seats) > 1 and len({(seat.player_id, seat.bot) for seat in seats}) == 1
    session.add(row)
    session.flush()
    commit_match(session, None, match, at, ToAsked())
    session.refresh(row)
    return True


def is_turned(session: Session, row: tables.Match, seats: Sequence[tables.Seat]) -> bool:
    """Whether everybody of the match before sits here, one seat further on, and nobody else."""
    before = load_seats(session, row.rematch_of) if row.rematch_of is not None else []
    sat, sit = ([seat.player_id or seat.bot for seat in some] for some in (before, seats))
    return [*sat[1:], *sat[:1]] == sit


def committed_seed(session: Session, row: tables.Match) -> str:
    """The seed that was drawn when the table was opened; tables that older versions opened have none yet."""
    if row.seeds is None:
        return secrets.token_hex(32)
    ((_, seed),) = unseal_seeds(session.connection(), row.seeds)
    return seed


def seat_by_lot(session: Session, seats: list[tables.Seat], chairs: Sequence[int]) -> None:
    """Puts everybody into the seat that was drawn for them (C-S1); from now on the log keeps their nonces."""
    people = [(seat.player_id, seat.bot) for seat in seats]
    for seat, chair in zip(seats, chairs, strict=True):
        seat.player_id, seat.bot = people[chair]
        seat.nonce = None
        session.add(seat)


def create_rematch(
    session: Session, match_id: str, player: tables.Player, at: datetime
) -> tables.Match:
    """The same match once more with the same people: whoever presses first opens it, the others are invited by mail.

    The seats are turned by one: who sat second begins.
    """
    before = lock_match_row(session, match_id)
    seats = load_seats(session, match_id)
    if before.status not in ("over", "closed"):
        raise Forbidden(say("A rematch begins when the match is over."))
    if player.id not in {seat.player_id for seat in seats} or before.imported:
        raise Forbidden(say("You have no seat in this match."))
    known = select(tables.Match).where(
        tables.Match.rematch_of == match_id, col(tables.Match.status) != "closed"
    )
    for row in session.exec(known):
        return accept_rematch(session, row, player, at)
    wishes = [wish_again(session, seat, player) for seat in seats]
    return create_table(
        session,
        player,
        before.game,
        before.title,
        [*wishes[1:], *wishes[:1]],
        options=before.options,
        pace=before.pace,
        public=before.public,
        at=at,
        hints=before.hints,
        rematch_of=match_id,
    )


def accept_rematch(
    session: Session, row: tables.Match, player: tables.Player, at: datetime
) -> tables.Match:
    """Takes the seat that is kept; who sits there already only goes there."""
    if any(seat.player_id == player.id for seat in load_seats(session, row.id)):
        return row
    return join_table(session, row.id, player, at)


def wish_again(session: Session, seat: tables.Seat, player: tables.Player) -> Any:
    """What the form for a new table would say of this seat; who is gone leaves it open."""
    if seat.player_id is None:
        return {"bot": seat.bot} if seat.bot else None
    if seat.player_id == player.id:
        return "me"
    other = session.get(tables.Player, seat.player_id)
    return {"email": other.email} if other is not None and other.email else None


def create_demo(
    session: Session,
    player: tables.Player,
    at: datetime,
    game: str | None = None,
    bot: str | None = None,
    *,
    alone: bool = False,
) -> tables.Match:
    """A match ready to be played at once: against bots, or with every seat by oneself.

    It begins with the player's own turn. A guest has no name to show, so others may watch what guests play.
    """
    played = find(game) if game else next(iter(games().values()))
    others: Any = "me" if alone else {"bot": bot or default_bot(played)}
    seats = ["me", *[others] * (played.seats[0] - 1)]
    watched = player.guest and not alone
    row = create_table(
        session,
        player,
        played.key,
        "Demo",
        seats,
        options={},
        pace=None,
        public=watched,
        at=at,
        owner_begins=True,
    )
    row.coached = COACHED_TURNS if is_newcomer(session, player, played.key) else None
    session.add(row)
    return row


COACHED_TURNS = 3


def is_newcomer(session: Session, player: tables.Player, game: str) -> bool:
    """Whether somebody may want advice: they have played no match of the game to its end, nor said that they want none."""
    if player.coach_off_at is not None:
        return False
    match, seat = tables.Match, tables.Seat
    ended = (
        select(match.id)
        .join(seat, col(seat.match_id) == col(match.id))
        .where(seat.player_id == player.id, match.game == game, col(match.ended_at).is_not(None))
    )
    return session.exec(ended.limit(1)).first() is None
