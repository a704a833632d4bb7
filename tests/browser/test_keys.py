"""A whole turn in each game by keys alone: verbs by their numbers, places by arrows and Enter, and Enter plays the turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.match import Match, start, start_at
from engine.core.registry import find
from tests.app.seated import late_match
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_board import EMPIRE, SYMBOL
from tests.games.inka.table import read

Come = Callable[..., Person]
FOCUSED = "() => document.activeElement.closest('.place.can')?.dataset.place"
TURNS: dict[str, tuple[Callable[[str], Match], str]] = {
    "cuzco": (late_match, "place triple"),
    "java": (lambda name: start(find("java"), 2, {}, "seed", name), "place triple"),
    "inka": (lambda name: start_at(find("inka"), read(SYMBOL), "seed", name), "walk"),
    "tahuantinsuyu": (lambda name: start_at(find("tahuantinsuyu"), EMPIRE, "seed", name), "road"),
}


@pytest.mark.parametrize("key", TURNS)
def test_a_whole_turn_is_played_by_keys_alone(live: Live, person: Come, key: str) -> None:
    begin, verb = TURNS[key]
    match = begin(f"keys{key}2")
    emails = [f"{who}@keys{key}.org" for who in ("ana", "bo", "cy", "di")]
    where, (cookie, *_) = live.put_match(
        match, "By keys", *emails[: len(match.game.scores(match.state))]
    )
    ana = person(cookie=cookie)
    ana.go(where)
    number = ana.page.locator(f"[data-verb='{verb}']").get_attribute("aria-keyshortcuts")
    assert number

    def give() -> None:
        ana.page.keyboard.press(number)
        assert ana.page.evaluate(FOCUSED)  # a place is lit, and the focus is there
        ana.page.keyboard.press("ArrowRight")
        assert ana.page.evaluate(FOCUSED)
        ana.page.keyboard.press("Enter")

    ana.drafting(give)
    if ana.page.locator(".confirm").count():  # what reveals asks; its button has the focus
        ana.page.keyboard.press("Enter")
        ana.page.locator(".alerts .message").first.wait_for(state="attached")
        ana.settle()  # what is left of the turn is its end
    else:
        assert ana.page.locator(".draft code").inner_text().startswith(verb)
        ana.page.keyboard.press("Escape")
    ana.reach("#play")
    ana.page.keyboard.press("Enter")
    ana.sees("Waiting for Bo")
    assert live.head(where) > match.head
