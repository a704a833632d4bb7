"""Seals that cannot be opened at all, for tests that compare two worlds byte by byte."""

from __future__ import annotations

from typing import Any

import pytest

from app.platform.settings import Settings
from engine.core import chain, chance


def tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets seals and commitments depend on their place alone, so that hashes and tags must be alike too.

    Whatever else a secret enters shows then: a tag made from the whole state, a name under which something is kept.
    """

    def salted(_seed: str, match: str, pos: int, part: str) -> str:
        return f"{match} {pos} {part}"

    def sealed(_value: Any, salt: str) -> dict[str, str]:
        return {"sealed": salt}

    monkeypatch.setattr(Settings, "record_key", lambda _settings: "the key of both worlds")
    monkeypatch.setattr(chance, "salt", salted)
    monkeypatch.setattr(chance, "commitment", lambda _seed: "0" * 64)
    monkeypatch.setattr(chain, "seal", sealed)
