"""Who may know what: the private fields of events and actions, and an event as one seat sees it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any


def owners(kind: type) -> dict[str, str | None]:
    """The private fields of an event or action class, and the field that names who may know each."""
    return {f.name: f.metadata["private"] for f in fields(kind) if "private" in f.metadata}


def is_private(event: Any) -> bool:
    """Whether a part of an event is for one seat alone."""
    return any(owners(type(event)).values())


def hidden_parts(event: Any, seat: int | None) -> list[str]:
    """The fields of `event` that `seat` may not know; a spectator is None."""
    return [
        part
        for part, owner in owners(type(event)).items()
        if owner is None or seat is None or getattr(event, owner) != seat
    ]


def redact(event: Any, seat: int | None) -> Any:
    """`event` as `seat` may know it: None where something is hidden."""
    hidden = hidden_parts(event, seat)
    return replace(event, **dict.fromkeys(hidden)) if hidden else event
