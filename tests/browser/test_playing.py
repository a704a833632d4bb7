"""Whole evenings in a real browser: with and without scripts, at a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.app.seated import late_match
from tests.browser.live import Live
from tests.browser.people import Person

Come = Callable[..., Person]
everywhere = pytest.mark.parametrize("size", ["desktop", "phone"])
both_ways = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


@everywhere
@both_ways
def test_two_people_sign_in_open_a_table_and_come_together(
    person: Come, script: bool, size: str
) -> None:
    name = f"{size}-{script}".lower()
    ana, bo = person(script=script, size=size), person(script=script, size=size)
    ana.sign_in(f"ana-{name}@example.org")
    ana.go("/tables")
    ana.press("Open a table")
    ana.page.fill("input[name=title]", f"Evening {name}")
    ana.page.select_option("select[name=seat1]", "invite")
    ana.page.fill("input[name=email1]", f"bo-{name}@example.org")
    ana.press("Open the table")
    ana.sees("invited, not here yet")
    bo.sign_in(f"bo-{name}@example.org")
    bo.open_mail(f"bo-{name}@example.org", f"Evening {name}")
    bo.press("Take the seat")
    bo.sees("Cards in the pile")
    ana.page.reload()
    ana.sees("Cards in the pile")


@everywhere
@both_ways
def test_two_people_play_a_festival_to_the_end_and_look_back(
    live: Live, person: Come, script: bool, size: str
) -> None:
    name = f"{size}{script}".lower()
    where, cookies = live.put_match(
        late_match(f"late{name}"), "Last evening", f"ana@{name}.org", f"bo@{name}.org"
    )
    ana, bo = (person(script=script, size=size, cookie=cookie) for cookie in cookies)
    # Ana lays the last triple, moves, and proposes a festival.
    ana.go(where)
    ana.order("place triple", "g14", "g16", "h15")
    ana.sees("5 AP left")
    ana.order("move", "d13", "g14")
    ana.sees("3 AP left")
    ana.order("festival", "e14", "kero")
    ana.sees("Everything before it in your draft is played with it")
    ana.play(3)
    ana.sees("Waiting for Bo")
    # Bo answers, Ana agrees to share.
    bo.go(where)
    bo.sees("You are asked for an answer.")
    bo.order("bid", "kero")
    bo.play(1)
    ana.go(where)
    ana.order("hold")
    ana.play(1)
    # Bo, who bid last, speaks too; then comes his last turn.
    bo.go(where)
    bo.order("hold")
    bo.play(1)
    bo.go(where)
    bo.order("basin", "i12")
    bo.order("end")
    bo.play(2)
    bo.sees("The match is over.")
    bo.sees("Verified")
    look_back(bo, where)


def look_back(somebody: Person, where: str) -> None:
    """From the start to the end, order by order, then one event back."""
    somebody.go(f"{where}/history")
    somebody.press("Walk through it from the start")
    for _ in range(20):
        somebody.page.wait_for_selector("#look")
        onward = somebody.page.locator(".ways [data-key=PageDown]")
        if not onward.count():
            break
        here = somebody.page.locator(".match-head .hint").inner_text()
        onward.click()
        somebody.page.wait_for_selector(
            f".match-head .hint:not(:has-text('{here.split(' · ')[0]}'))"
        )
    somebody.sees("The seed was opened")
    somebody.press("One event back")
    somebody.sees("The match ended")


def test_the_demo_is_played_within_a_minute(person: Come) -> None:
    newcomer = person()
    newcomer.go("/")
    newcomer.press("Try every seat yourself")
    newcomer.sees("You play every seat")
    newcomer.order("place triple", "e14", "e16", "d15")
    newcomer.order("end")
    newcomer.play(2)
    newcomer.sees("(B).")
