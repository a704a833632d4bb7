"""What we answer, as models: the OpenAPI document is made of them, and tests hold the answers against it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from app.platform.tables import OutboxState, Status


class Told(BaseModel):
    """What we answer; more fields may come."""

    # Only the OpenAPI document needs what pydantic builds of them.
    model_config = ConfigDict(extra="allow", defer_build=True)


class Option(Told):
    default: bool | int
    help: str
    limits: list[int] | None = None


class GameTold(Told):
    key: str
    name: str
    seats: list[int]
    options: dict[str, Option]


class Games(Told):
    games: list[GameTold]


class SeatTold(Told):
    seat: int
    name: str | None
    bot: str | None
    invited: bool
    me: bool
    nonce: str | None


class Summary(Told):
    id: str
    game: str
    title: str
    status: Status
    public: bool
    options: dict[str, bool | int]
    pace: dict[str, Any]
    head: int
    hash: str
    to_act: list[int]
    scores: list[int]
    winners: list[int]
    deadline: datetime | None
    created_at: datetime
    commitment: str | None
    seats: list[SeatTold]
    my_seat: int | None


class Match(Summary):
    view: dict[str, Any] | None


class Matches(Told):
    matches: list[Summary]
    next: int | None


class Created(Told):
    id: str
    url: str
    status: Status


class Imported(Match):
    url: str


class Legal(Told):
    orders: list[str]
    next: int | None


class Happened(Told):
    pos: int
    kind: str
    data: dict[str, Any]


class Accepted(Told):
    head: int
    events: list[Happened]


class Problem(Told):
    line: int
    code: str
    message: str


class Draft(Told):
    """`waiting` were not tried: the first of them draws or reveals, or `ends` the match and opens all secrets."""

    orders: list[str]
    view: dict[str, Any]
    problem: Problem | None
    waiting: list[str]
    planned: bool
    ends: Literal["surely", "perhaps"] | None


class Standing(Told):
    """By what the game asks; null where the person is asked."""

    __pydantic_extra__: dict[str, dict[str, Any] | None]


class Event(Happened):
    seat: int | None
    at: datetime | None
    text: str
    cut: bool


class History(Told):
    events: list[Event]


class At(Told):
    view: dict[str, Any]


class Head(Told):
    head: int


class Turned(Head):
    """`awaiting` are the seats that must agree first, where who turns it back plays in the match; then it is proposed."""

    awaiting: list[int]


class Cared(Match):
    """`awaiting` are the seats that must agree first; then the act is proposed and not done."""

    awaiting: list[int]


class Undo(Told):
    """Who asks at `pos` to go back to `to`; `awaiting` are the seats that have yet to agree."""

    pos: int
    seat: int
    to: int
    reason: str
    awaiting: list[int]


class OpenUndo(Told):
    undo: Undo | None


class Proposal(Told):
    """What somebody wishes to do who cares for the match, as `by`, and perhaps plays in `seat`.

    `given` is the seat that a bot would get, or whoever is invited; which address that is, it does not tell.
    """

    pos: int
    by: str
    act: Literal["rewind", "restore", "extend", "replace", "close", "moderator"]
    reason: str
    seat: int | None
    to: int | None
    hours: int | None
    given: int | None
    bot: str | None
    winners: list[int]
    awaiting: list[int]


class OpenProposal(Told):
    proposal: Proposal | None


class Settled(Told):
    """Whether it is done now; if not, others have yet to agree, or somebody did not."""

    done: bool
    head: int


class Mail(Told):
    kind: str
    seat: int | None
    pos: int
    state: OutboxState
    at: datetime


class Mails(Told):
    mails: list[Mail]


class LearnedTold(Told):
    seat: int
    count: int
    kinds: dict[str, int]
    text: str
    told: list[str]


class Knowledge(Told):
    to: int
    head: int
    public: int
    shown: list[str]
    seats: list[LearnedTold]
    own: list[Happened]
    mails: list[Mail]


class Refusal(Told):
    code: Literal[
        "syntax", "token", "forbidden", "unknown", "stale", "key", "size",
        "illegal", "turn", "over", "rate", "busy",
    ]  # fmt: skip
    message: str


class Refused(Told):
    """`head` with `stale`, `line` where one order of several failed, `rule` where a clause forbids it."""

    error: Refusal


class Compared(Told):
    """`agreed` is the last position up to which the record and our log are the same."""

    match: str
    outcome: Literal["same", "earlier", "longer", "differs", "other"]
    agreed: int
    events: int
    ours: int
    hash: str
    signature: Literal["ours", "foreign", "broken", "unsigned"]
    problems: list[str]
