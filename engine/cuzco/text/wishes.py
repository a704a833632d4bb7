"""Standing orders for festivals as people write them: in a form, or in one line of a mail."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.core.game import WishField
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say
from engine.cuzco.standing import MOST_FP, USUAL

LINE = re.compile(
    r"(?:up\s+to\s+)?(?P<up_to>[0-9]{1,3})\b|(?P<share>share)\b|(?P<alone>alone)\b|(?P<only>only\s+answers?)\b"
    r"|never\s+(?:in\s+)?(?P<never>[a-z]+[0-9]+)|(?P<city>[a-z]+[0-9]+)\s*[:= ]\s*(?P<limit>[0-9]{1,3})\b"
    r"|[\s,;]+",
    re.IGNORECASE,
)
TITLE = say("Let festivals be answered while you sleep")
HELP = say(
    "Your seat bids the least that keeps it in: just level if you share, one ahead if you do not. Beyond your limit it "
    "drops out; being highest it holds. Of equal bids it plays the cards with the fewest relics."
)
FIELDS = (
    WishField(
        "up_to",
        say("Bid up to so many FP"),
        "number",
        say("In one festival, all your cards in it together. Empty: ask me."),
        MOST_FP,
    ),
    WishField(
        "cities",
        say("Other limits, by city"),
        "words",
        say("Such as g16 0, e14 5. With 0 you stay out of that city’s festivals."),
    ),
    WishField("share", say("I am content to share"), "tick"),
    WishField("only", say("Where only one answer is possible, give it at once"), "tick"),
)


def from_form(form: Mapping[str, str]) -> dict[str, Any]:
    """What a form says: a limit or none, and cities with a limit of their own."""
    limit, wish = form.get("up_to", "").strip(), parse(form.get("cities", ""))
    if wish["up_to"] is not None:
        raise NotUnderstood(say("Write each city with its limit, such as g16 0."))
    if limit and not (limit.isascii() and limit.isdecimal() and len(limit) < 4):
        raise NotUnderstood(say("That is no whole number: {text}", text=limit[:20]))
    ticks = {name: form.get(name) == "yes" for name in ("share", "only")}
    return {**wish, **ticks, "up_to": int(limit) if limit else None}


def to_form(wish: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the form of somebody who has a wish already."""
    ticks = {name: "yes" if wish.get(name) else "" for name in ("share", "only")}
    limit = "" if wish["up_to"] is None else str(wish["up_to"])
    return {**ticks, "up_to": limit, "cities": ", ".join(cities(wish))}


def parse(text: str) -> dict[str, Any]:
    """A wish in words: `up to 3, share, never in g16, e14 5, only answers`."""
    wish: dict[str, Any] = {**USUAL, "cities": {}}
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
        case {"only": str()}:
            wish["only"] = True
        case {"never": str(city)}:
            wish["cities"][city.lower()] = 0
        case {"city": str(city), "limit": str(limit)}:
            wish["cities"][city.lower()] = int(limit)


def write(wish: Mapping[str, Any]) -> str:
    """The same in words that `parse` understands, for mails."""
    said = [f"up to {wish['up_to']}"] if wish["up_to"] is not None else []
    once = ["only answers"] if wish.get("only") else []
    return ", ".join([*said, "share" if wish["share"] else "alone", *cities(wish), *once])


def cities(wish: Mapping[str, Any]) -> list[str]:
    return [f"{name} {limit}" for name, limit in wish["cities"].items()]
