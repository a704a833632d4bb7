"""What axe-core finds wrong with our pages, by light and in the dark, at a desk and on a phone: nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from engine.core.match import Match
from engine.core.registry import find, games
from tests.app.seated import late_match, played
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.screenshots import SIGNED_IN, VISITOR

Come = Callable[..., Person]
SERIOUS = ("serious", "critical")
COLOURS = ["color-contrast"]
MANY = 8  # orders, so that there are verbs and places to choose from


def faults(somebody: Person, **options: Any) -> list[str]:
    """What shuts somebody out of the page that is shown, and where."""
    wanted = {"resultTypes": ["violations"], **options}
    found = Axe().run(somebody.page, options=wanted).response["violations"]
    return [
        f"{fault['id']}: {' '.join(node['target'])}: {node.get('failureSummary', '')}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


def test_a_fault_would_be_found(person: Come) -> None:
    somebody = person()
    somebody.page.set_content("<img src='data:,'><p style='color: #ccc'>pale</p><input>")
    assert {fault.partition(":")[0] for fault in faults(somebody)} >= {"image-alt", "label"}


def by_light_and_in_the_dark(somebody: Person, paths: Iterable[str]) -> list[str]:
    """What is wrong with these pages, each opened once: in the dark nothing changes but the colours."""
    found = []
    for path in paths:
        somebody.page.emulate_media(color_scheme="light")
        somebody.go(path)
        found += [f"{path}: {fault}" for fault in faults(somebody)]
        somebody.page.emulate_media(color_scheme="dark")
        found += [f"{path}, dark: {fault}" for fault in faults(somebody, runOnly=COLOURS)]
    return found


# Puzzles and notices have tests of their own below.
OPEN = [path for path in VISITOR.values() if "puzzle" not in path]
OPEN += [
    "/learn/cuzco/aim",
    "/help/cuzco/all",
    "/help/cuzco/temples",
    "/help/cuzco/pieces",
    "/help/java/pieces",
]
OWN = [path for path in SIGNED_IN.values() if path != "/account/notices"]
RUNNING = [
    "",
    "/history",
    "/history/2",
    "/care",
    "/rewind/2",
    "/mails",
    "/undo",
    "/resign",
    "/report",
]
DONE = ["", "/result", "/review", "/history/40", "/analysis?pos=40"]


def test_no_page_for_everybody_shuts_anybody_out(person: Come) -> None:
    stranger = person()
    assert by_light_and_in_the_dark(stranger, OPEN) == []
    lost = [line for line in stranger.complaints if "status of 404" in line]
    assert len(lost) == 1  # the page that is nowhere
    stranger.complaints.remove(lost[0])


def test_no_page_of_ones_own_shuts_anybody_out(live: Live, person: Come) -> None:
    match = late_match("ownpages22")
    _, (cookie, _) = live.put_match(match, "Everybody", "ana@own.org", "bo@own.org")
    assert by_light_and_in_the_dark(person(cookie=cookie), OWN) == []


@pytest.mark.parametrize(("orders", "parts"), [(0, RUNNING), (4000, DONE)], ids=["running", "over"])
def test_no_page_of_a_match_shuts_anybody_out(
    live: Live, person: Come, orders: int, parts: Sequence[str]
) -> None:
    name = f"axeof{orders}2"
    match = played(orders, name) if orders else late_match(name)
    where, (cookie, _) = live.put_match(match, "Everybody", f"ana@{name}.org", f"bo@{name}.org")
    ana = person(cookie=cookie)
    assert by_light_and_in_the_dark(ana, (where + part for part in parts)) == []


def test_no_page_of_a_match_shuts_anybody_out_on_a_phone(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(
        late_match("axephone22"), "Everybody", "ana@axephone.org", "bo@axephone.org"
    )
    paths = ["/tables/new", *(where + part for part in ("", "/history", "/history/2"))]
    assert by_light_and_in_the_dark(person(cookie=cookie, size="phone"), paths) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_notices_and_profiles_shut_nobody_out(live: Live, person: Come, dark: bool) -> None:
    name = "owndark222" if dark else "ownlight22"
    _, cookies = live.put_match(played(4000, name), "Done", f"ana@{name}.org", f"bo@{name}.org")
    ana, bo = (person(cookie=cookie, dark=dark) for cookie in cookies)
    ana.go("/account/notices")
    assert faults(ana) == []
    ana.go("/players/me")
    for tick in ("shown", "rated"):
        ana.page.check(f"input[name={tick}]")
    ana.press("Save")
    assert faults(ana) == []
    bo.go(ana.page.url.removeprefix(live.url))
    assert faults(bo) == []


def test_the_board_under_the_hand_shuts_nobody_out(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(
        late_match("handopen"), "Everybody", "ana@open.org", "bo@open.org"
    )
    ana = person(cookie=cookie)
    ana.go(where)
    ana.order("place triple", "g14", "g16", "h15")
    ana.page.click("[data-verb='move']")
    ana.page.focus(".place.can")
    assert faults(ana) == []


def choices(match: Match) -> list[Any]:
    """What those who are asked may do."""
    game = match.game
    return [one for seat in game.to_act(match.state) for one in game.legal(match.state, seat)]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("key", sorted(games().keys() - {"cuzco"}))
def test_no_game_shuts_anybody_out(live: Live, person: Come, key: str, dark: bool) -> None:
    game, name = find(key), f"open{key}{dark}".lower()
    some = (played(orders, name, key, game.seats[0]) for orders in range(20, 60))
    small = played(4, name, key, game.seats[0])  # where there is never so much to choose from
    match = next((match for match in some if len(choices(match)) > MANY), small)
    emails = [f"{who}@{name}.org" for who in ("ana", "bo", "cy")[: game.seats[0]]]
    where, cookies = live.put_match(match, "Everybody", *emails)
    seat, *_ = game.to_act(match.state)
    somebody = person(cookie=cookies[seat], dark=dark)
    somebody.go(where)
    somebody.page.locator("[data-verb]").first.click()  # something is lit, or to be chosen
    assert faults(somebody) == []


@pytest.mark.parametrize(("size", "dark"), [("desktop", False), ("phone", True)])
def test_puzzles_shut_nobody_out(person: Come, size: str, dark: bool) -> None:
    stranger = person(size=size, dark=dark)
    for path in ("/puzzles", "/puzzles/cuzco", "/puzzles/cuzco/1", "/puzzles/inka/1/played"):
        stranger.go(path)
        assert faults(stranger) == [], path
