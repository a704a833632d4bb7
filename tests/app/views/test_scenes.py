"""Scenes: page and mail show one seat's view of a position, made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from app.eventstore.store import MATCH_CACHE, load_match
from app.mail.compose import compose_mail
from app.platform.services import Services
from app.views.scenes import BOARDS, make_scene
from engine.core.match import Match
from engine.core.registry import games
from tests.app.kept import forget_shown
from tests.app.mail_kinds import called_for
from tests.app.seated import my_id, played, two
from workers.pictures import draw

LISTS = ("legal", "priced")  # a game lists its orders by either


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    """What was counted otherwise in a test is known in no other."""
    forget_shown()
    yield
    forget_shown()
    MATCH_CACHE.clear()


def watched(match: Match, calls: Counter[str]) -> Match:
    """The match of a game that counts how often it is asked for a view or for its orders."""

    def counting(name: str) -> Callable[..., Any]:
        asked = getattr(match.game, name)

        def count(*given: Any) -> Any:
            calls[name] += 1
            return asked(*given)

        return count

    asked = {name: counting(name) for name in ("view", "render", *LISTS)}
    return replace(match, game=replace(match.game, **asked))


def write_mail(services: Services, match: Match, player_id: int, *, pictured: bool) -> None:
    with services.database.session() as session:
        row = called_for(session, match, "turn", player_id, services.now())
        compose_mail(session, services, row, draw if pictured else None)
        session.rollback()


@pytest.mark.parametrize("key", games())
def test_a_turn_mail_makes_one_view_and_lists_the_orders_once(app: Flask, key: str) -> None:
    where, ana, bo = two(app, played(12, key=key, seats=max(2, games()[key].seats[0])))
    match = load_match(ana.services.database, where.removeprefix("/m/"))
    reader = (ana, bo)[match.game.to_act(match.state)[0]]
    calls: Counter[str] = Counter()
    MATCH_CACHE.put(watched(match, calls))
    write_mail(ana.services, match, my_id(reader), pictured=True)
    assert (calls["view"], calls["render"], sum(calls[name] for name in LISTS)) == (1, 1, 1)
    write_mail(ana.services, match, my_id(reader), pictured=True)
    reader.get(where)
    assert (calls["view"], calls["render"], sum(calls[name] for name in LISTS)) == (1, 1, 1)


def test_a_mail_without_a_picture_draws_none(app: Flask) -> None:
    where, ana, bo = two(app, played(12))
    match = load_match(ana.services.database, where.removeprefix("/m/"))
    reader = (ana, bo)[match.game.to_act(match.state)[0]]
    write_mail(ana.services, match, my_id(reader), pictured=False)
    assert not BOARDS.names()


def test_every_language_and_every_seat_has_a_scene_of_its_own() -> None:
    match = played(12)
    made = [
        make_scene(match, match.state, seat, match.hash, language)
        for seat in (0, 1, None)
        for language in ("en", "fr")
    ]
    assert len({id(scene) for scene in made}) == 6
    assert make_scene(match, match.state, 1, match.hash, "fr") is made[3]
    assert made[0].chart != made[1].chart
    assert made[0].view != made[2].view
