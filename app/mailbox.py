"""The mailbox of an embedded service: the mails that would have been sent."""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes, policy
from email.message import Message

from sqlmodel import Session, col, select

from app import models
from engine.core.refusal import Unknown
from engine.core.sentence import say

SHOWN = 100


def letters(session: Session) -> list[models.Letter]:
    """The newest mails first."""
    return list(
        session.exec(select(models.Letter).order_by(col(models.Letter.id).desc()).limit(SHOWN))
    )


def framed(shown: models.Letter) -> str:
    """The HTML of a mail for a frame: its pictures are in it, and its links lead the whole page away."""
    html = (shown.html or "").replace("<head>", '<head><base target="_top">', 1)
    message = message_from_bytes(shown.source.encode(), policy=policy.SMTP)
    for part in message.walk():
        if part["Content-ID"]:
            address = f"data:{part.get_content_type()};base64,{encoded(part)}"
            html = html.replace(f"cid:{str(part['Content-ID']).strip('<>')}", address)
    return html


def encoded(part: Message) -> str:
    return b64encode(bytes(part.get_payload(decode=True) or b"")).decode()


def letter(session: Session, number: int) -> models.Letter:
    found = session.get(models.Letter, number)
    if found is None:
        raise Unknown(say("There is no such mail."))
    return found
