"""What our own mails say in their first and last lines, by which a quoted one is known."""

from __future__ import annotations

from functools import cache

from app.mail.incoming.own_lines import OurMarks
from app.mail.reply_addresses import marker_line
from app.platform.i18n import LANGUAGES, translate_in_text
from app.platform.settings import Settings

FOOT = "No more mails about this match"  # as the templates say it
BENT = str.maketrans("’", "'")  # as dashes and quotes are after a journey


def load_marks_of_us(settings: Settings) -> OurMarks:
    """How the heading above a quoted mail of ours may call us, beside our name, and that mail's own lines."""
    senders = tuple(filter(None, (settings.mail_from, f"{settings.reply_local}+")))
    return OurMarks(senders, markers(), feet())


@cache
def feet() -> tuple[str, ...]:
    """How our mails end, in every language."""
    return tuple(translate_in_text(language, FOOT) for language in LANGUAGES)


@cache
def markers() -> tuple[str, ...]:
    """The words of the marker line in every language."""
    return tuple(marker_line(language).strip("- ").translate(BENT) for language in LANGUAGES)
