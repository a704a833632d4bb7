"""Mails: what waits in the outbox, composed for its reader.

A kind of mail is a row of KINDS: a function that looks whether the mail is still awaited and hands its values to the
templates `mail/<template>.txt` and `.html`. Its sentences are translated like those of the pages. Kinds that are not
there are a game's own questions and what is done to tables: the game and the log tell them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import urlsplit

from sqlmodel import Session

from app import access_log, i18n, inbox_answer, models, store
from app.mails import access, digest, match, undo, wire
from app.mails.draft import Draft, Draw, Unwanted, render
from app.mails.sheet import ABOUT_THE_TABLE
from app.mails.wire import Written
from app.models import Outbox
from app.services import Services
from app.settings import Settings

Composer = Callable[[Session, Services, Outbox], Draft]
KINDS: dict[str, Composer] = {
    "login": access.login,
    "invitation": access.invitation,
    "care": access.care,
    access_log.MAIL: access.told,
    "address_old": access.address_change,
    "address_new": access.address_change,
    "turn": match.asked,
    "reminder": match.reminder,
    "timeout": match.timeout,
    "over": match.over,
    "talk": match.talk,
    "undo": undo.asked,
    "proposal": undo.proposed,
    "digest": digest.digest,
    "answer": inbox_answer.answer,
    "bounced": inbox_answer.bounced,
}
FORMS = ("txt", "html")


def compose(session: Session, services: Services, row: Outbox, draw: Draw | None = None) -> Written:
    """The mail of an outbox row; `Unwanted` where nobody waits for it. Only workers `draw` pictures."""
    composer = KINDS.get(row.kind) or by_position(session, row)
    return written(services, row, composer(session, services, row), draw)


def by_position(session: Session, row: Outbox) -> Composer:
    """Who composes a kind that has no row of its own: what was done to the table, or asked by the game."""
    if row.match_id is None or row.player_id is None:
        raise Unwanted("kind")
    log = store.load(session.connection(), row.match_id).log
    about = log[row.pos - 1].event if 0 < row.pos <= len(log) else None
    return match.table if isinstance(about, ABOUT_THE_TABLE) else match.asked


def written(services: Services, row: Outbox, draft: Draft, draw: Draw | None) -> Written:
    """The mail itself, as text and as HTML with the picture in it."""
    settings = services.settings
    png = draw(draft.picture()) if draw and draft.picture else None
    image = f"board.{row.id}@{host_of(settings)}" if png else None
    text, page = (render(f"mail/{draft.template}.{kind}", draft, image=image) for kind in FORMS)
    above = headers(settings, row, draft)
    source = wire.mail(above, text, page, (image, png) if image and png else None)
    return Written(sender(settings), draft.to, source)


def headers(settings: Settings, row: Outbox, draft: Draft) -> dict[str, str]:
    """What stands above the mail. Its Message-ID is the row's, so that a repeat is known for one."""
    host = host_of(settings)
    told = {
        "From": f"Chasqui <{sender(settings)}>",
        "To": draft.to,
        "Subject": i18n.translate(draft.subject, language=draft.language),
        "Date": format_datetime(row.created_at),
        "Message-ID": message_id(row, host),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",  # Outlook's word for the same
        "Content-Language": draft.language.replace("_", "-"),
    }
    if draft.reply_to:
        told["Reply-To"] = draft.reply_to
    if draft.thread:
        # No mail has this id: it is what all the mails of a thread answer to.
        root = f"<{draft.thread}.thread@{host}>"
        told |= {"In-Reply-To": root, "References": root, "List-Id": f"Chasqui <chasqui.{host}>"}
    if draft.unsubscribe:
        told["List-Unsubscribe"] = f"<{draft.unsubscribe}>"
        told["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return told


def sender(settings: Settings) -> str:
    return settings.mail_from or f"chasqui@{host_of(settings)}"


def host_of(settings: Settings) -> str:
    return urlsplit(settings.base_url).hostname or "localhost"


def message_id(row: Outbox, host: str) -> str:
    """The moment too: a database that begins anew counts from 1 again, and a mail may be sent anew."""
    return f"<{row.id}.{int(row.created_at.timestamp())}@{host}>"


def text_of(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else None


def letter(row: Outbox, written: Written, at: datetime) -> models.Letter:
    """A mail as the mailbox keeps it."""
    message = written.parsed()
    return models.Letter(
        outbox_id=row.id,
        to=written.to,
        subject=str(message["Subject"]),
        text=text_of(message, "plain") or "",
        html=text_of(message, "html"),
        source=written.source.decode("utf-8", "replace"),
        at=at,
    )
