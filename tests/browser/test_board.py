"""The board under the hand: keys, fingers, other windows, and what a page must never do by itself."""

from __future__ import annotations

from collections.abc import Callable

from tests.app.seated import late_match, played
from tests.browser.live import Live
from tests.browser.people import Person

Come = Callable[..., Person]
LAST = ("place triple", "g14", "g16", "h15")


def sit(live: Live, person: Come, name: str, seat: int = 0, **how: object) -> tuple[Person, str]:
    """Somebody at a late match, on its page."""
    emails = (f"ana@{name}.org", f"bo@{name}.org")
    where, cookies = live.put_match(late_match(name), "A table", *emails)
    somebody = person(cookie=cookies[seat], **how)
    somebody.go(where)
    return somebody, where


def said(somebody: Person) -> str:
    return somebody.page.locator(".say").inner_text()


def test_a_turn_is_played_by_keys_alone(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "bykeys")
    ana.page.focus("[data-verb='move']")
    ana.page.keyboard.press("Enter")
    focused = "document.activeElement.closest('.place')?.dataset.place"
    assert ana.page.evaluate(focused) == "h21"
    ana.page.keyboard.press("Enter")  # one place is left to go to: it lights up
    assert ana.page.evaluate(focused) == "g20"
    ana.page.keyboard.press("Escape")
    assert ana.page.evaluate(focused) == "h21"
    ana.page.keyboard.press("Escape")
    assert ana.page.locator("#picker").is_hidden()
    ana.page.focus("[data-verb='place triple']")
    ana.page.keyboard.press("Enter")
    start = ana.page.evaluate(focused)
    ana.page.keyboard.press("ArrowDown")
    below = ana.page.evaluate(focused)
    assert below
    assert below[0] > start[0]
    before = said(ana)
    ana.page.keyboard.press("r")
    assert said(ana) != before
    order = said(ana).partition(":")[0]
    ana.page.keyboard.press("Enter")
    ana.sees("Commit 1 order")
    assert ana.page.locator(".draft code").inner_text() == order


def test_a_journey_shows_what_it_costs(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "journey")
    ana.order(*LAST)
    ana.page.click("[data-verb='move']")
    ana.page.click("[data-place='d13']")
    costs = ana.page.locator(".marks text").all_text_contents()
    assert {"1", "2", "3"} <= set(costs)


def test_a_finger_looks_first_and_takes_then(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "byfinger", size="phone")
    ana.page.tap("[data-verb='place village']")
    ana.page.tap("[data-place='g14']")
    assert said(ana).startswith("place village g14")
    assert ana.page.locator(".draft li").count() == 0
    ana.page.tap("[data-place='g16']")
    assert said(ana).startswith("place village g16")
    ana.page.tap("[data-place='g16']")
    ana.sees("Commit 1 order")


def test_a_plan_is_written_by_clicking(live: Live, person: Come) -> None:
    bo, _ = sit(live, person, "planning", seat=1)
    bo.page.click("[data-plan='place triple']")
    for place in ("g14", "g16", "h15"):
        bo.page.click(f"[data-place='{place}']")
    assert bo.page.input_value("#typed") == "place triple g14 g16 h15 "
    bo.page.keyboard.press("Enter")
    bo.page.locator(".draft code:has-text('place triple g14 g16 h15')").wait_for()
    assert bo.page.input_value("#typed") == ""


def test_opening_a_page_does_nothing(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "opening")
    head = live.head(where)
    for query in (
        "?verb=token",
        "?verb=end",
        "?verb=draw+pile",
        "?verb=move&first=h21",
        "/confirm?order=token",
    ):
        ana.go(where + query)
        ana.page.wait_for_timeout(200)
        assert ana.page.locator(".draft li").count() == 0
    assert live.head(where) == head


def test_a_window_that_comes_too_late_is_told_and_keeps_its_draft(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "twowindows")
    quick = ana.context.new_page()
    quick.goto(live.url + where)
    quick.wait_for_selector("#desk[data-ready]")
    quick.fill("#typed", " ".join(LAST))
    quick.press("#typed", "Enter")
    quick.click("button:has-text('Commit 1 order')")
    quick.get_by_text("Committed.").wait_for()
    ana.page.click("[data-verb='place triple']")  # but that was the last one
    ana.page.click("[data-place='g14']")
    ana.sees("Somebody moved meanwhile")
    ana.sees("This order no longer does:")
    ana.press("Go on with what fits")
    ana.page.locator(".draft li").wait_for(state="detached")


def test_a_page_that_lies_open_is_told_when_something_happened(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "liesopen")
    bo = person(cookie=live.sign_in("bo@liesopen.org"))
    bo.page.clock.install()
    bo.go(where)
    ana.order(*LAST)
    ana.press("Commit 1 order")
    assert bo.page.locator("#moved").is_hidden()
    bo.page.clock.run_for(31_000)
    bo.page.locator("#moved").wait_for(state="visible")


def test_history_is_walked_by_keys_and_plays_by_itself(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(played(20, "bykeys2"), "A", "ana@walk.org", "bo@walk.org")
    ana = person(cookie=cookie)
    ana.page.clock.install()
    ana.go(f"{where}/history/8")
    ana.page.keyboard.press("ArrowRight")
    ana.page.wait_for_url("**/history/9")
    ana.page.keyboard.press("ArrowLeft")
    ana.page.wait_for_url("**/history/8")
    ana.press("Play")
    for pos in ("9", "10"):
        ana.page.clock.run_for(2000)
        ana.page.wait_for_url(f"**/history/{pos}?play=")
        ana.page.wait_for_selector(f".steps .now:has-text('{pos}')")
    ana.press("Stop")
    ana.page.wait_for_url("**/history/10")


def test_no_page_is_wider_than_a_phone(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(
        played(60, "narrow22"), "W" * 80, "ana@narrow.org", "bo@narrow.org"
    )
    ana = person(cookie=cookie, size="phone")
    for path in (
        where,
        f"{where}/history",
        f"{where}/history/20",
        "/tables",
        "/tables/new",
        "/import",
    ):
        ana.go(path)
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= 390, path
