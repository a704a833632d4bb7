"""Mails: what waits in the outbox, composed for its reader, and the two ways to send it.

A kind of mail is a row of KINDS: a function that looks whether the mail is still awaited and hands its values to the
templates `mail/<template>.txt` and `.html`. Its sentences are translated like those of the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlmodel import Session, col, select

from app import i18n, models, signin, tokens
from app.accounts import display_name
from app.files import TEMPLATES
from app.models import Language, Outbox
from app.services import Services
from engine.core.registry import find
from engine.core.sentence import Sentence, say


@dataclass(frozen=True)
class Draft:
    """A mail before it has a language: whom to, what about, and which template says it."""

    to: str
    language: Language
    subject: Sentence
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)


SEATING = ("open", "running", "paused")  # while a match is played a seat may be given to another
Composer = Callable[[Session, Services, Outbox], Draft | None]


def login(session: Session, services: Services, row: Outbox) -> Draft | None:
    """The sign-in link; none if it was used or ran out while it waited."""
    payload = row.payload
    token = tokens.recover(services.settings, signin.PURPOSE, payload["nonce"], payload["hash"])
    link = session.exec(
        select(models.Login).where(models.Login.token_hash == payload["hash"])
    ).one_or_none()
    stale = link is None or link.used_at or link.created_at + signin.LINK_LASTS < services.now()
    if token is None or row.email is None or stale:
        return None
    url = f"{services.settings.base_url}/sign-in/link/{token}"
    language = language_of(session, row, payload.get("language"))
    return Draft(row.email, language, say("Your way in"), "login", {"url": url})


def invitation(session: Session, services: Services, row: Outbox) -> Draft | None:
    """A seat is kept for somebody; none if the table has gone or the seat is taken."""
    token = row.payload.get("token")
    match = session.get(models.Match, row.match_id) if row.match_id else None
    if row.email is None or not token or match is None or match.status not in SEATING:
        return None
    query = select(models.Seat).where(models.Seat.invite_hash == tokens.digest(token))
    if session.exec(query).one_or_none() is None:
        return None
    host = session.get(models.Player, match.owner_id) if match.owner_id else None
    url = f"{services.settings.base_url}/invitation/{quote(token)}"
    game = find(match.game).name
    values = {"url": url, "title": match.title, "game": game, "host": display_name(host)}
    return Draft(
        row.email,
        language_of(session, row, host.language if host else None),
        say("A seat at {title} is kept for you", title=match.title),
        "invitation",
        values,
    )


KINDS: dict[str, Composer] = {"login": login, "invitation": invitation}


def compose(session: Session, services: Services, row: Outbox) -> EmailMessage | None:
    """The mail of an outbox row, or None where nobody waits for it any more."""
    composer = KINDS.get(row.kind)
    draft = composer(session, services, row) if composer else None
    return written(services, row, draft) if draft else None


def language_of(session: Session, row: Outbox, otherwise: Any) -> Language:
    """The language of the recipient, or the one it was asked in."""
    known = session.exec(
        select(models.Player).where(col(models.Player.email) == row.email)
    ).one_or_none()
    if known is not None:
        return known.language
    return otherwise if otherwise in i18n.LANGUAGES else i18n.SOURCE


def written(services: Services, row: Outbox, draft: Draft) -> EmailMessage:
    """The message itself; its Message-ID is the row's, so that a repeat is known for one."""
    settings = services.settings
    host = urlsplit(settings.base_url).hostname or "localhost"
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = f"Chasqui <{settings.mail_from or f'chasqui@{host}'}>"
    message["To"] = draft.to
    message["Subject"] = i18n.translate(draft.subject, language=draft.language)
    message["Date"] = format_datetime(row.created_at)
    message["Message-ID"] = message_id(row, host)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(render(f"mail/{draft.template}.txt", draft))
    message.add_alternative(render(f"mail/{draft.template}.html", draft), subtype="html")
    message["Content-Language"] = draft.language.replace(
        "_", "-"
    )  # last: contents clear such headers
    return message


def message_id(row: Outbox, host: str) -> str:
    """The moment too: a database that begins anew counts from 1 again."""
    return f"<{row.id}.{int(row.created_at.timestamp())}@{host}>"


def render(template: str, draft: Draft) -> str:
    values = {
        "language": draft.language,
        "subject": i18n.translate(draft.subject, language=draft.language),
        **{name: spoken(value, draft.language) for name, value in draft.values.items()},
    }
    return environment(draft.language).get_template(template).render(values)


def spoken(value: Any, language: Language) -> Any:
    return i18n.translate(value, language=language) if isinstance(value, Sentence) else value


@cache
def environment(language: Language) -> Environment:
    """Templates that speak one language; those that end in .txt are not escaped, for they are no HTML."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_translations(i18n.catalog(language), newstyle=True)  # type: ignore[attr-defined]
    return made


def addressee(message: EmailMessage) -> str:
    return str(message["To"])


def text_of(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else None


def letter(row: Outbox, message: EmailMessage, at: datetime) -> models.Letter:
    """A mail as the mailbox keeps it."""
    return models.Letter(
        outbox_id=row.id,
        to=addressee(message),
        subject=str(message["Subject"]),
        text=text_of(message, "plain") or "",
        html=text_of(message, "html"),
        source=message.as_string(),
        at=at,
    )
