"""The mailbox of an embedded service: the mails that would have been sent."""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes, policy
from email.message import Message
from urllib.parse import urlsplit

from sqlmodel import Session, col, select

from app.platform import tables
from app.platform.services import Services
from engine.core.refusal import Unknown
from engine.core.sentence import say

SHOWN = 100
LOCAL = ("localhost", "127.0.0.1", "::1")


def mailbox_is_open(services: Services) -> bool:
    """Mails can be read on a page only where nobody but the machine's owner comes by."""
    settings = services.settings
    alone = urlsplit(settings.base_url).hostname in LOCAL and not services.https
    return settings.embedded and settings.smtp_host is None and alone


def load_letters(session: Session) -> list[tables.Letter]:
    """The newest mails first."""
    return list(
        session.exec(select(tables.Letter).order_by(col(tables.Letter.id).desc()).limit(SHOWN))
    )


def frame_html(shown: tables.Letter) -> str:
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


def load_letter(session: Session, number: int) -> tables.Letter:
    found = session.get(tables.Letter, number)
    if found is None:
        raise Unknown(say("There is no such mail."))
    return found
