"""The digest: one mail a day about all of a player's matches, in the morning where the player lives."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import update
from sqlmodel import Session, col, select

from app.eventstore.store import load_readable_match
from app.mail.outgoing.exercise import call_for_puzzle
from app.mail.outgoing.match_context import load_reader, names_told
from app.mail.outgoing.template import Draft, Unwanted
from app.matches.participants import load_seats
from app.outbox.mail_preferences import (
    DIGEST,
    PUZZLE,
    next_digest_time,
    unsubscribe_token,
    wants_mail,
)
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.i18n import format_distance, format_moment
from app.platform.services import Services
from app.platform.tables import Outbox
from app.platform.text_input import defuse_text
from app.views.lobby_lists import load_matches_of
from engine.core.registry import find
from engine.core.sentence import say, seat_letter

BATCH = 100


def enqueue_due_digests(services: Services) -> None:
    """Puts the digests whose morning has come into the outbox, each once however many look."""
    at = services.now()
    query = select(tables.Player).where(col(tables.Player.digest_at) <= at).limit(BATCH)
    with services.database.look() as session:
        due = list(session.exec(query))
    for player in due:
        with services.database.session() as session:
            if not moved(session, player, at):
                continue
            if wants_mail(player, DIGEST):
                enqueue_mail(session, "digest", at, player_id=player.id)
            if wants_mail(player, PUZZLE):
                call_for_puzzle(session, player, at)


def moved(session: Session, player: tables.Player, at: datetime) -> bool:
    """Sets the next morning, unless somebody else did."""
    same = (
        col(tables.Player.id) == player.id,
        col(tables.Player.digest_at) == player.digest_at,
    )
    following = next_digest_time(player, at)
    statement = update(tables.Player).where(*same).values(digest_at=following)
    return session.connection().execute(statement).rowcount == 1


def compose_digest(session: Session, services: Services, row: Outbox) -> Draft:
    """Every match of a player: first where they are awaited."""
    player = load_reader(session, row)
    if not wants_mail(player, "digest"):
        raise Unwanted("muted")
    told = sorted(entries(session, services, player), key=lambda entry: not entry["mine"])
    if not told:
        raise Unwanted("nothing")
    token = unsubscribe_token(services.settings, player.id, DIGEST)
    unsubscribe = f"{services.settings.base_url}/unsubscribe/{token}"
    waiting = sum(entry["mine"] for entry in told)
    subject = (
        say("{n} match waits for you", "{n} matches wait for you", n=waiting)
        if waiting
        else say("Your matches: nobody waits for you")
    )
    return Draft(
        to=player.email or "",
        language=player.language,
        subject=subject,
        template="digest",
        values={"matches": told, "unsubscribe": unsubscribe},
        thread="digest",
        unsubscribe=unsubscribe,
    )


def entries(session: Session, services: Services, player: tables.Player) -> list[dict[str, Any]]:
    """The matches that are under way, newest first."""
    rows, _ = load_matches_of(session, player.id or 0, status="running")
    told = (entry(session, services, player, row) for row in rows if row.head)
    return [one for one in told if one is not None]


def entry(
    session: Session, services: Services, player: tables.Player, row: tables.Match
) -> dict[str, Any] | None:
    match = load_readable_match(session.connection(), row.id)
    if match is None:
        return None
    names = names_told(session, row.id, player.language)
    asked = match.game.to_act(match.state)
    mine = {s.number for s in load_seats(session, row.id) if s.player_id == player.id}
    deadline = row.deadline and {
        "at": format_moment(row.deadline, player.language, ZoneInfo(player.timezone)),
        "left": format_distance(row.deadline, services.now(), player.language),
    }
    return {
        "title": defuse_text(row.title),
        "game": find(row.game).name,
        "url": f"{services.settings.base_url}/m/{row.id}/play",
        "mine": not mine.isdisjoint(asked),
        "names": ", ".join(names.get(seat, seat_letter(seat)) for seat in asked),
        "deadline": deadline,
    }
