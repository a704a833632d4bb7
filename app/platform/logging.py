"""Structured logging: a JSON object a line, without secrets, addresses or what people wrote."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

log = structlog.get_logger()
SHORTEST = 22
SECRETS = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST},}}")  # sign-in links, cookies, keys, hashes
JSON = json.JSONEncoder(default=repr)  # made once: structlog makes one for every line
ADDRESSES = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+")
Entry = MutableMapping[str, Any]


def masked(value: Any) -> Any:
    """A value without anything that opens a door or names a person."""
    match value:
        case str() if len(value) < SHORTEST and "@" not in value:
            return value  # too short for a secret
        case str():
            return ADDRESSES.sub("(address)", SECRETS.sub("(secret)", value))
        case dict():
            return {key: masked(part) for key, part in value.items()}
        case list() | tuple():
            return [masked(part) for part in value]
    return value


def mask(_: Any, __: str, entry: Entry) -> Entry:
    return masked(dict(entry))  # type: ignore[no-any-return]  # a dict comes back as a dict


def places(_: Any, __: str, entry: Entry) -> Entry:
    """Tells of an exception what it is and where, but not its message: that may quote what somebody wrote."""
    error = entry.pop("exc_info", None)
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)
        entry["error"] = type(error).__name__
        entry["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return entry


PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    places,
    mask,
    structlog.processors.add_log_level,  # after the mask: neither can tell a secret
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def render(_: Any, __: str, entry: Entry) -> str:
    return JSON.encode(entry)


def write_json_logs(stream: TextIO | None = None) -> None:
    """What we log goes to the stream as JSON; unset, structlog would print a fault's variables, secrets too."""
    structlog.configure(
        processors=[*PROCESSORS, render],
        logger_factory=lambda *_: structlog.WriteLogger(stream or sys.stderr),
    )


def configure_logging(stream: TextIO | None = None) -> None:
    """Everything that is logged, by us or by a library, goes to the stream as JSON."""
    write_json_logs(stream)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=PROCESSORS,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                render,
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
