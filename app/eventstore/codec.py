"""Event codec: events to JSON and back, the only place that knows how the log writes them down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from engine.core.registry import find
from engine.core.timeline import CORE_EVENTS

Reader = Callable[[str], Any]


@cache
def adapter(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


def dump_event(event: Any) -> str:
    """An event as JSON; one that does not fit its own annotations is a fault, found before it is kept."""
    cls: Any = type(event)
    return adapter(cls).dump_json(event, warnings="error").decode()


@cache
def event_readers(game: str) -> Mapping[str, Reader]:
    """For each kind of event that a match of that game can hold, the function that reads it."""
    classes = (*CORE_EVENTS, *find(game).events)
    return {cls.__name__: adapter(cls).validator.validate_json for cls in classes}
