"""Talk that names places of the board, in a real browser: they light up there, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable

from tests.app.seated import played
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_accessible import faults
from tests.browser.test_board import LAST, sit

Come = Callable[..., Person]


def speak(somebody: Person, words: str) -> None:
    somebody.page.locator(".tab:has([value='talk'])").click()
    somebody.page.fill("#say", words)
    somebody.press("Send")
    somebody.settle()
    somebody.page.locator(".tab:has([value='talk'])").click()


def lit(somebody: Person) -> int:
    return somebody.page.locator(".marks .spoken").count()


def test_a_hex_that_is_named_lights_up_on_the_board(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "talklights")
    speak(ana, "Not G14 <b>again</b>, take h15! (g144 is none) https://example.org/g14")
    spots = ana.page.locator("#told .spot")
    assert spots.all_inner_texts() == ["G14", "h15"]
    assert "<b>again</b>, take h15!" in ana.page.locator(".speech").inner_text()
    assert faults(ana) == []
    assert lit(ana) == 0
    spots.first.hover()
    assert lit(ana) == 1
    spots.first.click()
    ana.page.locator(".strip").hover()
    assert lit(ana) == 1  # it was pressed
    ana.order(*LAST)  # the board is made anew, and the light stays
    assert lit(ana) == 1
    spots.first.click()
    ana.page.locator(".strip").hover()
    assert lit(ana) == 0


def test_what_is_being_written_lights_up_and_arrives_between_the_moves(
    live: Live, person: Come
) -> None:
    ana, where = sit(live, person, "talkstream")
    bo = person(cookie=live.sign_in("bo@talkstream.org"), size="phone")
    bo.go(where)
    ana.order(*LAST)
    ana.play(1)
    ana.page.locator(".tab:has([value='talk'])").click()
    ana.page.fill("#say", "m12 and g16")
    assert lit(ana) == 2
    ana.press("Send")
    bo.page.locator(".tab:has([value='talk'])").click()
    bo.page.locator("#told .saying", has_text="m12 and g16").wait_for()
    kinds = bo.page.locator("#told > li").evaluate_all("all => all.map((one) => one.className)")
    assert kinds[-2:] == ["doing", "saying"]
    assert bo.page.locator("#told .saying .spot").count() == 2
    assert faults(bo) == []


def test_the_stream_opens_at_its_end_also_without_a_script(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(played(60, "talkends22"), "Ends", "a@te.org", "b@te.org")
    ana = person(cookie=cookie, script=False)
    ana.go(where)
    ana.page.locator(".tab:has([value='talk'])").click()
    ana.page.fill("#say", "Here I am at g14.")
    ana.press("Send")
    ana.page.locator(".tab:has([value='talk'])").click()
    said = ana.page.locator("#told .saying").last
    frame = ana.page.locator(".stream").bounding_box()
    box = said.bounding_box()
    assert frame
    assert box
    assert frame["y"] <= box["y"]
    assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    assert ana.page.locator("#told .spot").count() == 0
