"""Web Push and webhooks: tells browsers and programs what waits for their player. Any number of processes may.

Nothing is told to an address inside our own network: who may choose where we write to could otherwise look around here.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, delete, select

from app.matches.waiting import list_waiting
from app.outbox.mail_preferences import load_muted
from app.outbox.notices import push_key
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.services import Services
from app.platform.text_input import defuse_text
from engine.core.registry import find
from engine.core.sentence import say
from workers.web_push import encrypt_push, sign_push

log = structlog.get_logger()

EVERY = 10.0  # seconds between two looks
BATCH, MOST_TRIES = 20, 8
FIRST_PAUSE, CLAIM = timedelta(seconds=30), timedelta(minutes=2)
PATIENCE = 10  # seconds for an answer
GONE = (404, 410)  # the browser will not be woken any more
A_DAY = 24 * 3600
# What wakes whole rooms of a chat, as @everyone and <!channel> do: a stranger may have named the table.
CALLS = str.maketrans({"@": "＠", "<": "‹", ">": "›"})


class Failed(Exception):
    """It was not told; why, in a few words."""


def tell(services: Services) -> int:
    """Tells what is due, and says how many notices were told."""
    return sum(tell_one(services, notice) for notice in claimed(services))


def claimed(services: Services) -> list[tables.Notice]:
    """The notices whose time has come, each for one process alone."""
    now = services.now()
    query = select(tables.Notice).where(col(tables.Notice.not_before) <= now)
    with services.database.look() as session:
        due = list(session.exec(query.order_by(col(tables.Notice.id)).limit(BATCH)))
    return [notice for notice in due if claim(services, notice)]


def claim(services: Services, notice: tables.Notice) -> bool:
    same = (col(tables.Notice.id) == notice.id, col(tables.Notice.tries) == notice.tries)
    taken = {"tries": notice.tries + 1, "not_before": services.now() + CLAIM}
    with services.database.session() as session:
        found = session.connection().execute(update(tables.Notice).where(*same).values(**taken))
    return found.rowcount == 1


def tell_one(services: Services, notice: tables.Notice) -> int:
    with services.database.look() as session:
        message = compose(session, services, notice)
        push = session.get(tables.PushSubscription, notice.push_id) if notice.push_id else None
        hook = session.get(tables.Webhook, notice.webhook_id) if notice.webhook_id else None
    try:
        if message is not None and push is not None:
            wake(services, push, message)
        elif message is not None and hook is not None:
            post(hook, message)
    except Failed as why:
        put_off(services, notice, hook, str(why))
        return 0
    settle(services, notice, hook)
    return int(message is not None)


def compose(session: Session, services: Services, notice: tables.Notice) -> dict[str, Any] | None:
    """What is to be told, in the player's language; None if nobody waits any more or they want silence."""
    row = session.get_one(tables.Match, notice.match_id)
    player = session.get_one(tables.Player, notice.player_id)
    if row.id in load_muted(player) or player.deleted_at or player.suspended_at:
        return None
    if row.id in list_waiting(session, notice.player_id):
        words = say("It is your turn.")
    elif row.status == "over":
        words = say("The match is over.")
    else:
        return None
    return {
        "title": f"{defuse_text(row.title)} · {find(row.game).name}",
        "body": translate_sentence(words, language=player.language),
        "url": f"{services.settings.base_url}/m/{row.id}",
        "tag": row.id,
    }


def wake(services: Services, push: tables.PushSubscription, message: dict[str, Any]) -> None:
    """Sends a message that only that browser can open."""
    key = push_key(services.settings.signing_keys()[0])
    try:
        sealed = encrypt_push(json.dumps(message).encode(), push.p256dh, push.auth)
    except ValueError as error:
        raise Failed("the browser’s key cannot be used") from error
    headers = {
        "Authorization": sign_push(key, claims(services, push)),
        "Content-Encoding": "aes128gcm",
        "TTL": str(A_DAY),
    }
    status = send(push.endpoint, data=sealed, headers=headers)
    if status in GONE:
        forget(services, push)
    else:
        check_status(status)


def claims(services: Services, push: tables.PushSubscription) -> dict[str, str | int]:
    """Who sends, to which push service, and until when the signature counts."""
    parts, ours = urlsplit(push.endpoint), urlsplit(services.settings.base_url)
    return {
        "sub": f"mailto:postmaster@{ours.hostname}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((services.now() + timedelta(seconds=A_DAY / 2)).timestamp()),
    }


def forget(services: Services, push: tables.PushSubscription) -> None:
    with services.database.session() as session:
        session.exec(
            delete(tables.PushSubscription).where(col(tables.PushSubscription.id) == push.id)
        )


def post(hook: tables.Webhook, message: dict[str, Any]) -> None:
    """As Discord (`content`), Slack, Mattermost and Matrix bridges (`text`) want it."""
    said = f"{message['title']}: {message['body']}".translate(CALLS)
    text = f"{said} {message['url']}"
    told = {
        "content": text,
        "text": text,
        "match": message["tag"],
        "url": message["url"],
        "allowed_mentions": {"parse": []},
    }
    check_status(send(hook.url, json=told))


def send(url: str, **content: Any) -> int:
    """Posts to an address that a player chose, and gives the status of the answer."""
    import requests  # noqa: PLC0415 - HTTP clients are heavy, and most services never tell anybody so

    from workers.public_http import PrivateAddress, public_session  # noqa: PLC0415 - as above

    try:
        answer = public_session().post(
            url, timeout=PATIENCE, allow_redirects=False, stream=True, **content
        )
        answer.close()  # what it says is not read, however long it goes on
    except PrivateAddress as error:
        raise Failed("private address") from error
    except requests.RequestException as error:
        raise Failed(type(error).__name__) from error
    return int(answer.status_code)


def check_status(status: int) -> None:
    if not 200 <= status < 300:
        raise Failed(f"HTTP {status}")


def settle(services: Services, notice: tables.Notice, hook: tables.Webhook | None) -> None:
    with services.database.session() as session:
        session.exec(delete(tables.Notice).where(col(tables.Notice.id) == notice.id))
        if hook is not None and hook.last_error:
            note_error(session, hook, "", services)


def put_off(
    services: Services, notice: tables.Notice, hook: tables.Webhook | None, why: str
) -> None:
    """Tries again later, each time a little later, and not for ever; the player is shown why."""
    tries = notice.tries + 1
    same = col(tables.Notice.id) == notice.id
    with services.database.session() as session:
        if tries >= MOST_TRIES:
            session.exec(delete(tables.Notice).where(same))
        else:
            later = services.now() + FIRST_PAUSE * 2**tries
            session.connection().execute(update(tables.Notice).where(same).values(not_before=later))
        if hook is not None:
            note_error(session, hook, why, services)
    log.warning("notice", row=notice.id, why=why, tries=tries)


def note_error(session: Session, hook: tables.Webhook, why: str, services: Services) -> None:
    row = session.get(tables.Webhook, hook.id)
    if row is not None:
        row.last_error, row.failed_at = why, services.now() if why else None
        session.add(row)
