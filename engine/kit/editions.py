"""Editions of rules and boards: what a match plays by that began before there was a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.game import Option


def played_by(options: Mapping[str, Option], named: Mapping[str, Any]) -> dict[str, Any]:
    """What the first event of a match names, and the first edition of what it does not."""
    before = {name: option.before for name, option in options.items() if option.before is not None}
    return {**before, **named}
