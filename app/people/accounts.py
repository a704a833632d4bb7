"""Accounts: name, language, time zone and settings of a person."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from functools import cache
from typing import get_args
from zoneinfo import available_timezones

from sqlmodel import Session

from app.outbox.mail_preferences import (
    COOLING,
    MAILS,
    load_cooling,
    next_digest_time,
    settle_cooling,
)
from app.platform import tables
from app.platform.errors import Forbidden, Misspelt, Suspended
from app.platform.tables import Language
from app.platform.text_input import check_no_address, holds_unseen
from engine.core.sentence import Sentence, say

LONGEST_NAME = 30
MARKS_IN_A_ROW = 2  # more accents on one letter spill over the lines above and below
NOBODY = "-"  # the name of those who have left


# Who somebody is


def display_name(player: tables.Player | None) -> str | Sentence:
    """What a player is called; of those who have left there is no name to tell."""
    if player is None or player.deleted_at is not None:
        return say("former player")
    return player.name


def settle_name(value: object) -> str:
    """A name that others can be shown: short, readable, and without marks that rearrange the page."""
    name = " ".join(unicodedata.normalize("NFC", value).split()) if isinstance(value, str) else ""
    if not any(letter.isalnum() for letter in name):
        raise Misspelt(say("A name needs at least one letter or digit."))
    if len(name) > LONGEST_NAME:
        raise Misspelt(
            say(
                "This name has {count} letters; {most} are the most.",
                count=len(name),
                most=LONGEST_NAME,
            )
        )
    if holds_unseen(name):
        raise Misspelt(
            say("This name has letters that cannot be seen or that turn the line around.")
        )
    if marks_in_a_row(name) > MARKS_IN_A_ROW:
        raise Misspelt(say("This name has too many accents on one letter."))
    return name


def marks_in_a_row(text: str) -> int:
    longest = run = 0
    for letter in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(letter) else 0
        longest = max(longest, run)
    return longest


def settle_language(value: object) -> Language:
    if value not in get_args(Language):
        raise Misspelt(say("That language is not spoken here."))
    return value  # type: ignore[return-value]  # it is one of them


@cache
def list_timezones() -> tuple[str, ...]:
    """The places that a clock can be set to, as the zone database names them."""
    real = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(real))


# One for each time that people live by; the zone database has ten names for each.
WELL_KNOWN_ZONES = (
    "UTC", "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Phoenix",
    "America/Chicago", "America/Mexico_City", "America/New_York", "America/Bogota", "America/Lima", "America/Halifax",
    "America/Caracas", "America/Santiago", "America/St_Johns", "America/Sao_Paulo", "America/Argentina/Buenos_Aires",
    "Atlantic/Azores", "Atlantic/Cape_Verde", "Europe/London", "Europe/Lisbon", "Africa/Lagos", "Europe/Paris",
    "Europe/Berlin", "Africa/Johannesburg", "Africa/Cairo", "Europe/Athens", "Asia/Jerusalem", "Europe/Istanbul",
    "Europe/Moscow", "Africa/Nairobi", "Asia/Tehran", "Asia/Dubai", "Asia/Kabul", "Asia/Karachi", "Asia/Kolkata",
    "Asia/Kathmandu", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Singapore", "Australia/Perth", "Asia/Tokyo",
    "Asia/Seoul", "Australia/Adelaide", "Australia/Brisbane", "Australia/Sydney", "Pacific/Noumea", "Pacific/Auckland",
)  # fmt: skip


def offered_timezones(own: str) -> tuple[str, ...]:
    """The zones to choose from: the well-known ones, and the one that is chosen already."""
    return WELL_KNOWN_ZONES if own in WELL_KNOWN_ZONES else (own, *WELL_KNOWN_ZONES)


def take_timezone(player: tables.Player, told: object) -> None:
    """Sets the clock of somebody new to what their browser says; nonsense changes nothing."""
    if told in list_timezones():
        player.timezone = str(told)


def settle_timezone(value: object) -> str:
    if value not in list_timezones():
        raise Misspelt(say("There is no such time zone."))
    return str(value)


def change_account(
    session: Session,
    player_id: int,
    *,
    name: object,
    language: object,
    timezone: object,
    at: datetime,
) -> tables.Player:
    """Keeps what a player wrote of themselves on the account page."""
    player = load_account(session, player_id)
    if (chosen := settle_name(name)) != player.name:  # an old one stays until it is changed
        check_no_address(chosen, say("The name"))
        player.name = chosen
    player.language = settle_language(language)
    player.timezone = settle_timezone(timezone)
    player.digest_at = next_digest_time(player, at)
    session.add(player)
    session.flush()
    return player


def change_mails(
    session: Session, player_id: int, mails: set[str], cooling: object, at: datetime
) -> tables.Player:
    """Keeps which mails a player wants; a guest, who has no address, is not asked."""
    player = load_account(session, player_id)
    if not player.guest:
        ticked = {mail: mail in mails for mail in MAILS}
        minutes = load_cooling(player) if cooling is None else settle_cooling(cooling)
        player.mail_preferences = {**player.mail_preferences, **ticked, COOLING: minutes}
    player.digest_at = next_digest_time(player, at)
    session.add(player)
    session.flush()
    return player


def change_language(session: Session, player_id: int, language: Language) -> None:
    player = load_account(session, player_id)
    player.language = language
    session.add(player)
    session.flush()


def dismiss_coach(session: Session, player_id: int, at: datetime) -> None:
    """Somebody wants no more advice, in this match and in all to come."""
    player = load_account(session, player_id)
    player.coach_off_at = player.coach_off_at or at
    session.add(player)


def load_account(session: Session, player_id: int) -> tables.Player:
    player = session.get(tables.Player, player_id)
    if player is None or player.deleted_at is not None:
        raise Forbidden(say("There is no such account any more."))
    check_not_suspended(player)
    return player


def check_not_suspended(player: tables.Player) -> None:
    """Refuses whoever the site's moderators shut out, and says why they did."""
    if player.suspended_at is not None:
        raise Suspended(player.suspended_why)
