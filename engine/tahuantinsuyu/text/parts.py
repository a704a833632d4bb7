"""The parts of a turn, each with its verbs, how far it has come and what the sun cards change in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.core.game import Part
from engine.core.sentence import Sentence, say
from engine.tahuantinsuyu.progress import OVER
from engine.tahuantinsuyu.text.names import EFFECTS

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
SUN, ROADS, DEVELOPMENT, PILGRIMAGE, END = range(5)
TITLES = (
    say("Sun phase"),
    say("Road action"),
    say("Development action"),
    say("Pilgrimage instead of an action"),
    say("End of the turn"),
)
VERBS: tuple[tuple[str, ...], ...] = (
    ("sun",),
    ("road", "wild"),
    ("city", "temple", "garrison", "upgrade", "terrace", "conquer", "buy road", "buy wild"),
    ("pilgrimage",),
    ("end",),
)


# The cards that change what a verb may do, costs or scores.
CHANGED_BY: dict[str, tuple[str, ...]] = {
    "sun": ("rural_unrest", "popular_support"),
    "road": ("el_nino", "extra_labour", "solar_eclipse", "rural_unrest"),
    "wild": ("wild_road",),
    "city": ("epidemic", "urban_renewal"),
    "temple": ("religious_fervour", "solar_eclipse"),
    "garrison": ("bad_weather", "safety_rations", "building_project"),
    "upgrade": ("strategic_point", "epidemic", "urban_renewal"),
    "terrace": ("expert_surveyors",),
    "conquer": ("resistance", "military_superiority", "rapid_expansion", "popular_support"),
    "buy road": ("motivated_workers",),
    "buy wild": ("wild_road", "motivated_workers"),
    "pilgrimage": ("local_pilgrimage", "annual_pilgrimage", "great_pilgrimage"),
}


def parts(view: View) -> list[Part]:
    """The turn of the viewer; who only plans it sees what the cards would change."""
    cards = {} if view.seat is None else view.cards[view.seat]
    changes = {verb: effects(cards, some) for verb, some in CHANGED_BY.items()}
    come = come_so_far(view) if people(view) and view.turn.seat == view.seat else {}
    return [
        Part(title, VERBS[part], come.get(part, ()), changes) for part, title in enumerate(TITLES)
    ]


def people(view: View) -> bool:
    """Whether somebody is in a People turn."""
    phase = view.board.periods[view.period].phases[view.step]
    return phase == "people" and view.turn.seat is not None


def come_so_far(view: View) -> dict[int, tuple[Sentence, ...]]:
    """How far whoever plays a People turn has come with both actions."""
    seat, now = view.turn.seat or 0, view.turn.progress
    eclipsed = now.main == "temple" and "solar_eclipse" in view.cards[seat]
    laid = say("laid {laid} of {all}", laid=now.laid, all=view.turn.allowance)
    begun = say("begun") if now.main else say("not begun")
    return {
        ROADS: (FINISHED if eclipsed or now.roads == OVER else laid,),
        DEVELOPMENT: (FINISHED if now.development == OVER else begun,),
    }


FINISHED = say("finished")


def effects(cards: dict[str, int], some: Iterable[str]) -> tuple[Sentence, ...]:
    """What these cards change, with their copies."""
    return tuple(
        EFFECTS[card]
        if cards[card] == 1
        else say("{effect} (×{n})", effect=EFFECTS[card], n=cards[card])
        for card in some
        if cards.get(card)
    )
