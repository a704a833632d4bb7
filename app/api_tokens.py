"""Handing out an API token on the account page: its owner is told, for whoever has it acts as them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from app import access_log, accounts


def hand_out_token(
    session: Session,
    player_id: int,
    name: object,
    scopes: Iterable[str],
    browser: str,
    at: datetime,
) -> str:
    """A new token, in the access log and in a mail to its owner."""
    token = accounts.new_token(session, player_id, name, at, scopes)
    player = accounts.get(session, player_id)
    access_log.note_access(session, player, "token", browser, at)
    called = accounts.settle_name(name)
    access_log.enqueue_access_mail(session, player, "token", at, name=called)
    return token
