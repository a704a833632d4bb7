"""Answers as JSON: times in UTC, sentences in the caller's language."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.platform.i18n import translate_sentence


def told(values: dict[str, Any]) -> dict[str, Any]:
    """Plain values with their times written out."""
    return {name: written(value) for name, value in values.items()}


def written(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return value


def match_told(match: dict[str, Any]) -> dict[str, Any]:
    """A match, with the names at its table in the caller's language."""
    seats = [{**seat, "name": said(seat["name"])} for seat in match["seats"]]
    return told({**match, "seats": seats})


def said(name: Any) -> str | None:
    return None if name is None else translate_sentence(name)
