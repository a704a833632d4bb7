"""Service container, what the use cases work with: the settings, the database, the clock, and a way to wake the mails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event
from typing import cast

from flask import current_app

from app.platform.database import Database
from app.platform.settings import Settings
from app.platform.tables import utc_now
from app.platform.token_uses import TokenUses

EXTENSION_KEY = "chasqui"


def nobody_listens() -> None:
    """The nudge of a process without a relay: the sweep over the outbox finds the mails anyway."""


@dataclass
class Services:
    """Handed to every use case as its first argument; a test hands in its own."""

    settings: Settings
    database: Database
    now: Callable[[], datetime] = utc_now
    nudge: Callable[[], None] = nobody_listens
    token_uses: TokenUses = field(default_factory=TokenUses)
    stopping: Event = field(
        default_factory=Event
    )  # set when the process shall end: chores stop between two things

    def __post_init__(self) -> None:
        self.database.vault.use(self.settings.seed_keys())

    @property
    def https(self) -> bool:
        return self.settings.base_url.startswith("https:")


def current_services() -> Services:
    """The services of the request that is being answered."""
    return cast(Services, current_app.extensions[EXTENSION_KEY])
