"""A mailbox that answers are fetched from: opened as the settings say, and searched for our own mails alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.mail.connections import cause_of, make_tls_context
from app.mail.oauth import load_access_token
from app.platform.settings import Settings

if TYPE_CHECKING:
    from imap_tools import MailBox

PATIENCE = 30  # seconds for the server to answer
NAMING = ("TO", "CC", "HEADER Delivered-To", "HEADER X-Original-To", "HEADER Envelope-To")
DAEMONS = ("mailer-daemon", "postmaster")


def open_mailbox(settings: Settings) -> MailBox:
    """The mailbox with its folder chosen; the certificate is checked, and who is refused leaves no connection behind."""
    from imap_tools import MailBox  # noqa: PLC0415 - most services have no mailbox to look into

    box = MailBox(
        settings.imap_host or "",
        settings.imap_port,
        timeout=PATIENCE,
        ssl_context=make_tls_context(settings.imap_ca),
    )
    try:
        return sign_in(box, settings)
    except Exception:
        box.client.shutdown()
        raise


def sign_in(box: MailBox, settings: Settings) -> MailBox:
    """By password, or by a token that Gmail and Outlook take instead (XOAUTH2); the folder may be named in any letters."""
    user, folder = settings.imap_user or "", settings.imap_folder
    if settings.imap_password is not None:
        return box.login(user, settings.imap_password.get_secret_value(), folder)
    return box.xoauth2(user, load_access_token(settings), folder)


def our_mails(settings: Settings) -> str:
    """What to search for: unread mails to addresses of ours, so that foreign ones are neither read nor marked."""
    locals_ = sorted({settings.reply_local, settings.bounce_local})
    wanted = [f'{where} "{local}+"' for local in locals_ for where in NAMING]
    if settings.envelope_from is not None:  # what comes back comes to the account itself
        wanted += [f'FROM "{daemon}"' for daemon in DAEMONS]
    return f"UNSEEN {either(wanted)}"


def either(wanted: list[str]) -> str:
    """One of several, as IMAP writes it: OR takes two."""
    first, *rest = wanted
    return f"OR {first} {either(rest)}" if rest else first


def mailbox_cause(fault: Exception) -> str:
    from imap_tools.errors import MailboxFolderSelectError  # noqa: PLC0415 - the same

    return "folder" if isinstance(fault, MailboxFolderSelectError) else cause_of(fault)
