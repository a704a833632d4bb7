"""Standing orders: what a seat wants answered for it while it sleeps. Kept here; the mails will use them."""

from __future__ import annotations

import re
from typing import Any

from sqlmodel import Session, delete

from app import models
from app.pace import whole
from app.play import Place, check_running, own_seat, take_turn
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

MOST_FP = 60  # all cards together are worth less
MOST_CITIES = 60
KEYS = {"up_to", "share", "cities"}
PLACE = re.compile(r"[a-z][0-9]{1,2}")


def settle(festival: Any) -> dict[str, Any]:
    """How to answer festivals: up to how much, whether to share, and cities with a limit of their own."""
    if not isinstance(festival, dict) or not festival.keys() <= KEYS:
        raise NotUnderstood(
            say("festival has {keys} and nothing else.", keys="up_to, share, cities")
        )
    settled = {"up_to": 0, "share": False, "cities": {}, **festival}
    whole(settled["up_to"], "up_to", 0, MOST_FP)
    if type(settled["share"]) is not bool:
        raise NotUnderstood(say("share is true or false."))
    cities = settled["cities"]
    if not isinstance(cities, dict) or len(cities) > MOST_CITIES:
        raise NotUnderstood(say("cities names at most {most} hexes.", most=MOST_CITIES))
    for name, limit in cities.items():
        if not isinstance(name, str) or not PLACE.fullmatch(name):
            raise NotUnderstood(say("There is no hex {hex}.", hex=repr(name)[:20]))
        whole(limit, "cities", 0, MOST_FP)
    return settled


def get(session: Session, here: Place) -> dict[str, Any]:
    """The standing orders of one's own seat; they are nobody else's business."""
    row = session.get(models.Standing, (here.match_id, own_seat(here)))
    return {"festival": row.orders.get("festival") if row else None}


def put(session: Session, here: Place, festival: Any) -> dict[str, Any]:
    """Replaces them."""
    seat, orders = own_seat(here), {"festival": settle(festival)}
    check_running(here)
    take_turn(session, here.match_id)
    drop(session, here)
    session.add(models.Standing(match_id=here.match_id, seat=seat, orders=orders))
    session.flush()
    return orders


def drop(session: Session, here: Place) -> dict[str, Any]:
    where = (models.Standing.match_id == here.match_id, models.Standing.seat == own_seat(here))
    session.exec(delete(models.Standing).where(*where))  # type: ignore[arg-type]  # SQLModel's columns
    return {"festival": None}
