"""Where the forms and the script of a turn page go: to a match, or to a position that is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import url_for

from app.http.template_helpers import cached_url_for


@dataclass(frozen=True, slots=True)
class TurnAddresses:
    """The addresses of one turn page. Where no draft is kept, each of them carries its `orders` along."""

    turn: str
    parts: str
    draft: str
    commit: str
    choices: str
    brings: str
    hint: str | None = None
    frames: str | None = None
    events: str | None = None
    orders: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()  # what else of the query a form must carry that asks

    def holding(self, verb: str) -> str:
        """The page with a verb in hand, for who has no script. Verbs are plain words, and a page has many."""
        return with_query(self.turn, f"verb={verb.replace(' ', '+')}#orders")


def extend_address(begun: str, **values: str) -> str:
    """An address with more in its query."""
    return with_query(begun, urlencode(values))


def with_query(begun: str, query: str) -> str:
    return f"{begun}{'&' if '?' in begun else '?'}{query}"


def match_addresses(match_id: str) -> TurnAddresses:
    """Those of a match, whose drafts are kept."""
    return TurnAddresses(
        turn=cached_url_for("match.turn", match_id=match_id),
        parts=cached_url_for("match.parts", match_id=match_id),
        draft=cached_url_for("match.draft", match_id=match_id),
        commit=cached_url_for("match.commit", match_id=match_id),
        choices=cached_url_for("match.legal", match_id=match_id),
        brings=cached_url_for("match.brings", match_id=match_id),
        hint=cached_url_for("match.hint", match_id=match_id),
        frames=cached_url_for("match.frames", match_id=match_id),
        events=cached_url_for("match.events", match_id=match_id),
    )


def position_addresses(blueprint: str, orders: Sequence[str], **values: Any) -> TurnAddresses:
    """Those of a position that is no match, by the blueprint that shows it (`show`, `parts`, `draft` …)."""

    def to(endpoint: str) -> str:
        return url_for(f"{blueprint}.{endpoint}", **values, order=list(orders))

    def plainly(endpoint: str) -> str:
        return url_for(f"{blueprint}.{endpoint}", **values)

    return TurnAddresses(
        turn=to("show"),
        parts=to("parts"),
        draft=plainly("draft"),  # its form has the orders
        commit=plainly("commit"),
        choices=to("choices"),
        brings=to("brings"),
        orders=tuple(orders),
    )
