"""What clients send, as models: requests are checked by them, and the OpenAPI document is made of them.

Each is built when it is first asked for, so that a start does not wait for all.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.clocks.pace import MOST_HOURS
from app.matches.order_lines import LONGEST_ORDER, MOST_ORDERS
from app.matches.standing_orders import describe_wishes
from app.matches.tables import LONGEST_NONCE
from app.platform.tables import Status
from app.platform.text_input import LONGEST_REASON

LARGEST = 2**31 - 1
Position = Annotated[int, Field(ge=0, le=LARGEST)]
Order = Annotated[str, Field(max_length=LONGEST_ORDER)]
Orders = Annotated[list[Order], Field(max_length=MOST_ORDERS)]
# A key is compared and stored, never shown; PostgreSQL keeps no NUL.
Key = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")
]
Hours = Annotated[int, Field(ge=1, le=MOST_HOURS)]


class Given(BaseModel):
    """What a client sends: nothing is guessed, nothing overlooked."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Asked(BaseModel):
    """What stands in the address."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)


class Invited(Given):
    email: Annotated[str, Field(max_length=254)]


class Bot(Given):
    bot: Annotated[str, Field(max_length=40)]


class Pace(Given):
    hours: Hours = 48
    reminders: Annotated[list[Hours], Field(max_length=7)] | None = None
    bank_hours: Annotated[int, Field(ge=0, le=MOST_HOURS)] = 72
    days_off: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)] = []
    on_timeout: Literal["remind", "moderator", "bot"] = "remind"


class NewMatch(Given):
    game: Annotated[str, Field(max_length=40)]
    title: Annotated[str, Field(max_length=200)] | None = None
    seats: Annotated[list[Literal["me"] | Invited | Bot | None], Field(max_length=12)]
    options: dict[str, bool | int] | None = None
    pace: Pace | None = None
    public: bool = False
    hints: bool = False


Nonce = Annotated[str, Field(max_length=LONGEST_NONCE)]


class Joining(Given):
    """With a `nonce`, as if it were given right afterwards; it is mixed in even if this starts the match."""

    seat: Annotated[int, Field(ge=0, le=11)] | None = None
    nonce: Nonce | None = None


class NonceGiven(Given):
    """An empty one takes back what was given."""

    nonce: Nonce


class Leaving(Given):
    pass


class Submission(Given):
    head: Position | None = None
    orders: Orders
    key: Key | None = None


class DraftGiven(Given):
    orders: Orders


def list_wishes(schema: dict[str, Any]) -> None:
    """Adds to the document what the games let be answered in advance."""
    schema["description"] = f"{schema['description']} {describe_wishes()}".strip()


class StandingGiven(BaseModel):
    """A wish for each thing that the game asks, in its own words."""

    model_config = ConfigDict(extra="allow", strict=True, json_schema_extra=list_wishes)
    __pydantic_extra__: dict[str, dict[str, Any]]


class Rewinding(Given):
    head: Position
    to: Position
    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]


class Restoring(Given):
    head: Position


class Caring(Given):
    """With `head`, 409 if the match moved."""

    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]
    head: Position | None = None


class AskingUndo(Caring):
    to: Position


class Answering(Given):
    """`pos` is where it was asked or proposed."""

    pos: Position
    agrees: bool


class Extending(Caring):
    hours: Hours


class Closing(Caring):
    """Without `winners` the match is void."""

    winners: Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(max_length=10)] = []


class Replacing(Caring):
    """An address or a bot, one of the two."""

    email: Annotated[str, Field(max_length=254)] | None = None
    bot: Annotated[str, Field(max_length=40)] | None = None


class Which(Asked):
    mine: bool = False
    status: Status | None = None
    page: Annotated[int, Field(ge=1, le=10_000)] = 1


class Range(Asked):
    since: Annotated[Position, Field(alias="from")] = 0
    to: Position | None = None


class Start(Asked):
    since: Annotated[Position, Field(alias="from")] = 0


class After(Asked):
    to: Position = 0


class AtPosition(Asked):
    pos: Position | None = None


class Nothing(Asked):
    pass
