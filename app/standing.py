"""Standing orders: what a seat wants answered for it while it sleeps. `asleep` follows them when it is asked.

They are a festival's so far: `{"up_to": 3, "share": true, "cities": {"g16": 0}}`. The game says what of it can be.
"""

from __future__ import annotations

import re
from typing import Any

from sqlmodel import Session, delete

from app import glance, models
from app.play import Place, check_running, own_seat, settled
from engine.core.refusal import NotUnderstood
from engine.core.registry import find
from engine.core.sentence import say

KIND = "festival"
MOST_FP = 60  # all cards together are worth less
MOST_CITIES = 60
LINE = re.compile(
    r"(?:up\s+to\s+)?(?P<up_to>[0-9]{1,3})\b|(?P<share>share)\b|(?P<alone>alone)\b"
    r"|never\s+(?:in\s+)?(?P<never>[a-z]+[0-9]+)|(?P<city>[a-z]+[0-9]+)\s*[:= ]\s*(?P<limit>[0-9]{1,3})\b"
    r"|[\s,;]+",
    re.IGNORECASE,
)


STANDING = glance.of_seat(models.Standing)


def get(session: Session, here: Place) -> dict[str, Any]:
    """The standing orders of one's own seat; they are nobody else's business."""
    row = STANDING.first(session, match=here.match_id, seat=own_seat(here))
    return {KIND: row.orders.get(KIND) if row else None}


def put(session: Session, here: Place, wish: Any) -> dict[str, Any]:
    """Replaces them; from the next question on they answer."""
    here = settled(session, here)
    check_running(here)
    game = find(session.get_one(models.Match, here.match_id).game)
    rule = game.standing.get(KIND)
    if rule is None:
        raise NotUnderstood(say("Nothing in {game} can be answered in advance.", game=game.name))
    orders = {KIND: rule.settle(wish)}
    drop(session, here)
    session.add(models.Standing(match_id=here.match_id, seat=own_seat(here), orders=orders))
    session.flush()
    return orders


def drop(session: Session, here: Place) -> dict[str, Any]:
    """Takes them back: whatever comes, the person is asked."""
    where = (models.Standing.match_id == here.match_id, models.Standing.seat == own_seat(here))
    session.exec(delete(models.Standing).where(*where))  # type: ignore[arg-type]  # SQLModel's columns
    return {KIND: None}


# As people write them


def from_form(up_to: str, share: bool, cities: str) -> dict[str, Any]:
    """What the form on the page says: a limit or none, and cities with a limit of their own."""
    limit, said = up_to.strip(), from_line(cities)
    if said["up_to"] is not None:
        raise NotUnderstood(say("Write each city with its limit, such as g16 0."))
    if limit and not (limit.isascii() and limit.isdecimal() and len(limit) < 4):
        raise NotUnderstood(say("That is no whole number: {text}", text=limit[:20]))
    return {**said, "up_to": int(limit) if limit else None, "share": share}


def by_line(session: Session, here: Place, text: str) -> dict[str, Any]:
    """What somebody wrote after `standing` in a mail: new orders, or `off`."""
    return (
        drop(session, here)
        if text.strip().lower() == "off"
        else put(session, here, from_line(text))
    )


def from_line(text: str) -> dict[str, Any]:
    """Standing orders in words: `up to 3, share, never in g16, e14 5`."""
    wish: dict[str, Any] = {"up_to": None, "share": False, "cities": {}}
    at = 0
    while at < len(text):
        found = LINE.match(text, at)
        if found is None:
            raise NotUnderstood(
                say("Standing orders cannot say this: {text}", text=text[at:].strip()[:40])
            )
        understand(wish, found.groupdict())
        at = found.end()
    return wish


def understand(wish: dict[str, Any], said: dict[str, str | None]) -> None:
    match said:
        case {"up_to": str(limit)}:
            wish["up_to"] = int(limit)
        case {"share": str()}:
            wish["share"] = True
        case {"alone": str()}:
            wish["share"] = False
        case {"never": str(city)}:
            wish["cities"][city.lower()] = 0
        case {"city": str(city), "limit": str(limit)}:
            wish["cities"][city.lower()] = int(limit)


def line(wish: dict[str, Any]) -> str:
    """The same in words that `from_line` understands, for mails."""
    said = [f"up to {wish['up_to']}"] if wish["up_to"] is not None else []
    cities = [f"{name} {limit}" for name, limit in wish["cities"].items()]
    return ", ".join([*said, "share" if wish["share"] else "alone", *cities])
