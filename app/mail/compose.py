"""Mails: what waits in the outbox, composed for its reader.

A kind of mail is a row of KINDS: a function that looks whether the mail is still awaited and hands its values to the
templates `mail/<template>.txt` and `.html`. Its sentences are translated like those of the pages. Kinds that are not
there are a game's own questions and what is done to tables: the game and the log tell them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import urlsplit

from sqlmodel import Session

from app.mail.mime import Written, build_message
from app.mail.outgoing.access import (
    compose_access_notice,
    compose_address_change,
    compose_invitation,
    compose_login,
    compose_moderator_invitation,
)
from app.mail.outgoing.digest import compose_digest
from app.mail.outgoing.exercise import EXERCISE, compose_exercise
from app.mail.outgoing.match import (
    SUBJECTS,
    compose_reminder,
    compose_result,
    compose_table_fact,
    compose_talk,
    compose_timeout,
    compose_turn,
)
from app.mail.outgoing.reply import compose_bounce_notice, compose_lost_invitation, compose_reply
from app.mail.outgoing.template import Draft, Draw, Unwanted, render_mail
from app.mail.outgoing.undo import compose_proposal, compose_undo_request
from app.people.access_log import MAIL
from app.platform import tables
from app.platform.i18n import translate_sentence
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Outbox
from app.views.board_pictures import least_width

Composer = Callable[[Session, Services, Outbox], Draft]
KINDS: dict[str, Composer] = {
    "login": compose_login,
    "invitation": compose_invitation,
    "care": compose_moderator_invitation,
    MAIL: compose_access_notice,
    "address_old": compose_address_change,
    "address_new": compose_address_change,
    "turn": compose_turn,
    "question": compose_turn,
    "reminder": compose_reminder,
    "timeout": compose_timeout,
    "over": compose_result,
    "talk": compose_talk,
    "undo": compose_undo_request,
    "proposal": compose_proposal,
    "digest": compose_digest,
    EXERCISE: compose_exercise,
    "answer": compose_reply,
    "bounced": compose_bounce_notice,
    **dict.fromkeys(SUBJECTS, compose_table_fact),
    "lost": compose_lost_invitation,
}
FORMS = ("txt", "html")
NEWS = "X-Chasqui-News"  # what the mail tells: Gmail parts a conversation where subjects differ
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,200}@[!-;=?-~]{1,200}>")


def compose_mail(
    session: Session, services: Services, row: Outbox, draw: Draw | None = None
) -> Written:
    """The mail of an outbox row; `Unwanted` where nobody waits for it. Only workers `draw` pictures."""
    composer = KINDS.get(row.kind)
    if composer is None:
        raise Unwanted("kind")
    return written(services, row, composer(session, services, row), draw)


def written(services: Services, row: Outbox, draft: Draft, draw: Draw | None) -> Written:
    """The mail itself, as text and as HTML with the picture in it."""
    settings = services.settings
    board = draft.picture() if draw and draft.picture else None
    png = draw(board) if draw and board else None
    image = f"board.{row.id}@{host_of(settings)}" if png else None
    least = least_width(board) if board else 0
    text, page = (
        render_mail(f"mail/{draft.template}.{kind}", draft, image=image, least=least)
        for kind in FORMS
    )
    above = headers(settings, row, draft)
    source = build_message(above, text, page, (image, png) if image and png else None)
    return Written(sender(settings), draft.to, source, above[NEWS])


def headers(settings: Settings, row: Outbox, draft: Draft) -> dict[str, str]:
    """What stands above the mail. Its Message-ID is the row's, so that a repeat is known for one."""
    host = host_of(settings)
    headline = translate_sentence(draft.subject, language=draft.language)
    told = {
        "From": f"Chasqui <{sender(settings)}>",
        "To": draft.to,
        "Subject": draft.topic or headline,
        NEWS: headline,
        "Feedback-ID": f"{row.kind}:{'match' if draft.thread else 'account'}:mail:chasqui",
        "Date": format_datetime(row.created_at),
        "Message-ID": message_id(row, host),
        "Auto-Submitted": "auto-generated" if draft.in_reply_to is None else "auto-replied",
        "X-Auto-Response-Suppress": "All",  # Outlook's word for the same
        "Content-Language": draft.language.replace("_", "-"),
    }
    if draft.reply_to:
        told["Reply-To"] = draft.reply_to
    if draft.thread:
        # No mail has this id: it is what all the mails of a thread answer to.
        root = f"<{draft.thread}.thread@{host}>"
        told |= {"In-Reply-To": root, "References": root, "List-Id": f"Chasqui <chasqui.{host}>"}
        if MESSAGE_ID.fullmatch(
            draft.in_reply_to or ""
        ):  # whoever wrote it may have written anything
            told |= {
                "In-Reply-To": f"{draft.in_reply_to}",
                "References": f"{root} {draft.in_reply_to}",
            }
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


def text_of_mail(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else None


def make_letter(row: Outbox, written: Written, at: datetime) -> tables.Letter:
    """A mail as the mailbox keeps it."""
    message = written.parsed()
    return tables.Letter(
        outbox_id=row.id,
        to=written.to,
        subject=written.headline or str(message["Subject"]),
        text=text_of_mail(message, "plain") or "",
        html=text_of_mail(message, "html"),
        source=written.source.decode("utf-8", "replace"),
        at=at,
    )
