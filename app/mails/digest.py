"""The digest: one mail a day about all of a player's matches, in the morning where the player lives."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import update
from sqlmodel import Session, col, select

from app import accounts, i18n, lobby, models, notices, store, subscriptions
from app.mails.draft import Draft, Unwanted
from app.mails.sheet import names_told, reader
from app.models import Outbox
from app.services import Services
from app.words import defuse_text
from engine.core.registry import find
from engine.core.sentence import say, seat_letter

BATCH = 100


def write_due(services: Services) -> None:
    """Puts the digests whose morning has come into the outbox, each once however many look."""
    at = services.now()
    query = select(models.Player).where(col(models.Player.digest_at) <= at).limit(BATCH)
    with services.database.look() as session:
        due = list(session.exec(query))
    for player in due:
        with services.database.session() as session:
            if moved(session, player, at):
                notices.post(session, "digest", at, player_id=player.id)


def moved(session: Session, player: models.Player, at: datetime) -> bool:
    """Sets the next morning, unless somebody else did."""
    same = (
        col(models.Player.id) == player.id,
        col(models.Player.digest_at) == player.digest_at,
    )
    following = accounts.next_digest(player, at)
    statement = update(models.Player).where(*same).values(digest_at=following)
    return session.connection().execute(statement).rowcount == 1


def digest(session: Session, services: Services, row: Outbox) -> Draft:
    """Every match of a player: first where they are awaited."""
    player = reader(session, row)
    if not accounts.wants(player, "digest"):
        raise Unwanted("muted")
    told = sorted(entries(session, services, player), key=lambda entry: not entry["mine"])
    if not told:
        raise Unwanted("nothing")
    token = subscriptions.token(services.settings, player.id, subscriptions.DIGEST)
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


def entries(session: Session, services: Services, player: models.Player) -> list[dict[str, Any]]:
    """The matches that are under way, newest first."""
    rows, _ = lobby.matches_of(session, player.id or 0, status="running")
    return [entry(session, services, player, row) for row in rows if row.head]


def entry(
    session: Session, services: Services, player: models.Player, row: models.Match
) -> dict[str, Any]:
    match = store.load(session.connection(), row.id)
    names = names_told(session, row.id, player.language)
    asked = match.game.to_act(match.state)
    mine = {s.number for s in lobby.seats_of(session, row.id) if s.player_id == player.id}
    deadline = row.deadline and {
        "at": i18n.moment(row.deadline, player.language, ZoneInfo(player.timezone)),
        "left": i18n.distance(row.deadline, services.now(), player.language),
    }
    return {
        "title": defuse_text(row.title),
        "game": find(row.game).name,
        "url": f"{services.settings.base_url}/m/{row.id}/play",
        "mine": not mine.isdisjoint(asked),
        "names": ", ".join(names.get(seat, seat_letter(seat)) for seat in asked),
        "deadline": deadline,
    }
