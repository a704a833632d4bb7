"""An operation of the API: one row of its table, from which both the route and its description are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session

from app.api.bodies import Nothing
from app.matches.access import Place
from app.platform import tables
from app.platform.errors import BadToken
from app.platform.services import Services
from app.views.match_json import SeenTable

Answer = dict[str, Any] | str
JSON, RECORD, PICTURE = "application/json", "application/x-ndjson", "image/svg+xml"
OFTEN, SELDOM = "6000 per minute", "30 per minute"  # a program that plays a whole match is quick
ALWAYS = (400, 401, 403, 429)  # an unknown word in the address, a bad token, no scope, too often


@dataclass(frozen=True, slots=True)
class Call:
    """One request, understood: who asks, for which match and position, and with what."""

    services: Services
    player: tables.Player | None
    match_id: str = ""
    pos: int = 0
    seat: int = 0
    body: Any = None
    query: Any = None

    @property
    def player_id(self) -> int | None:
        return self.player.id if self.player else None

    @property
    def caller(self) -> tables.Player:
        """The player who asks, where an operation needs one."""
        if self.player is None:
            raise BadToken
        return self.player

    @property
    def caller_id(self) -> int:
        return self.caller.id or 0


@dataclass(frozen=True, slots=True)
class Look:
    """A look at one match: what is read comes from one state of the database, as one place may see it."""

    call: Call
    session: Session
    table: SeenTable

    @property
    def here(self) -> Place:
        return self.table.here


@dataclass(frozen=True, slots=True)
class Operation:
    """`also` names what else than the match itself the answer shows: the ETag changes with it.

    A token must have the `scope`; where a token may be missing, none is asked for.
    """

    method: str
    path: str
    run: Callable[..., Answer]
    answer: type[BaseModel] | str
    scope: str
    body: type[BaseModel] | str | None = None
    query: type[BaseModel] = Nothing
    status: int = 200
    token: bool = False
    looks: bool = False
    also: Callable[[Look], Any] | None = None
    limit: str = OFTEN
    refusals: tuple[int, ...] = field(default=ALWAYS)

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def summary(self) -> str:
        return (self.run.__doc__ or "").strip().split("\n")[0]

    @property
    def media(self) -> str:
        return self.answer if isinstance(self.answer, str) else JSON


# What moderators do to a match: a token must have been made for it, by somebody freshly signed in.
MODERATING: dict[str, Any] = {"limit": SELDOM, "scope": "moderate"}
OPERATIONS: list[Operation] = []
Handler = Callable[[Any], Answer]


def look(
    path: str, answer: type[BaseModel] | str, *refusals: int, **more: Any
) -> Callable[[Handler], Handler]:
    """A GET of one match: needs no token where the match is public, and carries an ETag."""

    def add(run: Handler) -> Handler:
        told = tuple(sorted({*ALWAYS, 404, *refusals}))
        scope = more.pop("scope", "read")
        OPERATIONS.append(
            Operation("GET", path, run, answer, scope, looks=True, refusals=told, **more)
        )
        return run

    return add


def act(
    method: str, path: str, answer: type[BaseModel] | str, *refusals: int, **more: Any
) -> Callable[[Handler], Handler]:
    """Any other operation; whoever changes something shows a token."""

    def add(run: Handler) -> Handler:
        told = tuple(sorted({*ALWAYS, *refusals}))
        token = more.pop("token", method != "GET")
        scope = more.pop("scope", "read" if method == "GET" else "play")
        OPERATIONS.append(
            Operation(method, path, run, answer, scope, token=token, refusals=told, **more)
        )
        return run

    return add
