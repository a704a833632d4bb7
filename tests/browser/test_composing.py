"""A turn is made by touching things: by mouse, finger and keys, and nothing is final before it is played."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Browser
from sqlmodel import select

from app.platform.i18n import LANGUAGES
from app.platform.tables import Match, Player
from tests.browser.budgets.measures import INSIDE, NEEDED, SIZES, asked, tables, visit
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_board import LAST, aimed, empire, hall, sit

Come = Callable[..., Person]
KEYS = ["cuzco", "java", "inka", "tahuantinsuyu"]


def test_the_tile_itself_hangs_at_the_pointer(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "hanging")
    ana.page.click("[data-verb='place triple']")
    board = ana.page.locator(".sheet").bounding_box()
    assert board
    ana.page.mouse.move(board["x"] + 5, board["y"] + 5)
    ana.page.mouse.move(board["x"] + 9, board["y"] + 9)
    hanging = ana.page.locator(".marks.hanging")
    assert hanging.get_attribute("visibility") == "visible"
    assert hanging.locator(".ghost > g").count() == 3  # a village and two crops
    ana.page.hover("[data-place='g14']")
    assert hanging.get_attribute("visibility") == "hidden"
    assert ana.page.locator(".marks .preview > g").count() == 3


def test_it_is_turned_by_wheel_right_click_key_and_button(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "turning")
    ana.page.click("[data-verb='place triple']")
    ana.point_at("k22")
    seen = [aimed(ana)]
    turns: tuple[Callable[[], object], ...] = (
        lambda: ana.page.keyboard.press("r"),
        lambda: ana.page.mouse.wheel(0, 100),
        lambda: ana.page.mouse.click(*ana.spot("k22"), button="right"),
        lambda: ana.page.click(".picks [data-word='rotate']"),
    )
    for turn in turns:
        turn()
        ana.page.wait_for_timeout(60)
        seen.append(aimed(ana))
    assert all(one.startswith("place triple k22") for one in seen)
    assert all(one != other for one, other in pairwise(seen))
    assert ana.page.locator(".draft ol li").count() == 0


def test_ones_own_piece_shows_its_ways_at_a_click(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "ownpiece")
    ana.order(*LAST)
    ana.page.keyboard.press("Escape")
    ana.page.click("[data-place='d13']")
    assert ana.page.locator("[data-verb='move'][aria-current]").count() == 1
    assert ana.page.locator(".place.can").count() > 3
    ana.page.click("[data-place='g14']")
    ana.page.locator(".draft code", has_text="move d13 g14").wait_for()


def test_a_pawn_and_a_lozenge_are_touched_likewise(live: Live, person: Come) -> None:
    ana = hall(live, person, "touched")
    ana.page.click("[data-place='r3c2']")
    assert ana.page.locator("[data-verb='walk'][aria-current]").count() == 1
    ana.page.keyboard.press("Escape")
    ana.page.click("[data-place='L01']")
    assert ana.page.locator("[data-verb='slide'][aria-current]").count() == 1
    ana.page.locator(".place.can").first.hover(force=True)
    assert ana.page.locator(".marks .preview path").count() >= 3  # its two halves and the seam


def test_a_place_says_what_can_be_done_there_and_what_it_costs(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "placemenu")
    ana.page.click("[data-place='k22']")
    menu = ana.page.locator("#pop")
    assert "Village" in menu.inner_text()
    assert "costs" in menu.inner_text()
    menu.locator("button", has_text="Village").click()
    ana.page.locator(".draft code", has_text="place village k22").wait_for()


def test_a_place_says_what_it_would_bring(live: Live, person: Come) -> None:
    ana = empire(live, person, "placegain")
    ana.page.mouse.click(*ana.spot("huanca"))
    menu = ana.page.locator("#pop", has_text="Conquer")
    menu.locator("small", has_text="draws or reveals").wait_for()


def test_undo_is_a_button_and_two_keys(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "undoing")
    ana.write(" ".join(LAST), "token", "basin i12")
    ana.page.locator("body").click(position={"x": 3, "y": 300})
    for left, undo in ((2, "Backspace"), (1, "Control+z")):
        ana.page.keyboard.press(undo)
        ana.page.locator(".draft ol li").nth(left).wait_for(state="detached")
        assert ana.page.locator(".draft ol li").count() == left
    ana.page.get_by_role("button", name="Undo", exact=True).click()
    ana.page.locator(".draft ol li").first.wait_for(state="detached")


def test_one_order_in_the_middle_is_removed(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "removing")
    ana.write(" ".join(LAST), "token", "basin i12")
    ana.page.locator(".draft ol li").nth(1).locator("button", has_text="Remove").click()
    ana.page.locator(".draft ol li").nth(2).wait_for(state="detached")
    assert ana.page.locator(".draft code").all_inner_texts() == [" ".join(LAST), "basin i12"]


def test_enter_plays_the_turn_to_its_end(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "entering")
    ana.order(*LAST)
    ana.page.keyboard.press("Escape")
    assert "(5 AP left)" in ana.page.get_by_role("region", name="Your turn").inner_text()
    ana.page.locator("body").click(position={"x": 3, "y": 300})
    ana.page.keyboard.press("Enter")
    ana.sees("Waiting for Bo")
    assert live.head(where) > 4


def test_what_cannot_be_done_says_why_in_the_words_of_the_rules(live: Live, person: Come) -> None:
    ana, _ = sit(live, person, "whynot")
    assert "at least 1 is due" in ana.page.locator(".go").inner_text()  # a turn without a tile
    ana.order(*LAST)
    ana.order("move", "d13", "g14")
    ana.write("place village k22", "place village k20")
    gone = ana.page.locator(".verb.off", has_text="Village")
    gone.wait_for()
    assert gone.get_attribute("title")
    ana.page.keyboard.press("Escape")
    ana.page.click("[data-verb='basin']")
    ana.page.locator("[data-place='e14']").click(force=True)
    ana.page.locator(".say", has_text="bare hex").wait_for()


def test_every_verb_of_a_turn_keeps_its_place_and_says_why_it_is_of_no_use_yet(
    live: Live, person: Come
) -> None:
    ana, _ = sit(live, person, "fixedplaces")
    verbs = ana.page.locator(".verb b")
    before = verbs.all_inner_texts()
    assert {"Triple", "Move", "Festival", "End turn"} <= set(before)
    ana.page.locator(".verb.off", has_text="Draw a card").click(force=True)
    ana.page.locator(".say", has_text="A turn begins with a tile").wait_for()
    ana.order(*LAST)
    assert verbs.all_inner_texts() == before


def test_what_draws_asks_beside_the_board_and_tells_what_came(live: Live, person: Come) -> None:
    ana, where = sit(live, person, "inline")
    ana.order(*LAST)
    head = live.head(where)
    ana.order("draw pile")
    assert ana.page.locator(".sheet svg").is_visible()
    ana.press("No, go back")
    ana.page.locator(".confirm").wait_for(state="detached")
    assert live.head(where) == head
    ana.order("draw pile")
    ana.play()
    ana.page.locator(".message", has_text="Ana drew").wait_for()


def test_the_link_of_a_mail_has_chosen_the_answer(live: Live, person: Come) -> None:
    where, (_, cookie) = live.put_match(asked("linked22"), "A feast", "ana@l.org", "bo@l.org")
    bo = person(cookie=cookie)
    bo.go(f"{where}?order=bid+kero")
    panel = bo.page.locator(".question")
    told = panel.inner_text()
    assert "alone 2 PP" in told
    assert "shared 1 PP each" in told
    assert "cards in hand" in told
    assert bo.page.locator(".answers :checked").get_attribute("value") == "bid kero"
    bo.page.get_by_role("button", name="Play turn").click()
    bo.sees("Waiting for Ana")


def test_several_plans_are_kept_and_one_of_them_is_the_draft(live: Live, person: Come) -> None:
    bo, _ = sit(live, person, "severalplans", seat=1)
    bo.write("place village k22", "basin i12")
    bo.press("Save this plan")
    bo.page.get_by_role("button", name="Undo", exact=True).click()
    bo.page.locator(".draft ol li").nth(1).wait_for(state="detached")
    bo.press("Save this plan")
    bo.page.reload()
    bo.settle()
    bo.page.click("#plans button:has-text('basin i12')")
    bo.page.locator(".draft ol li").nth(1).wait_for()
    assert bo.page.locator("#plans li").count() == 2


def test_a_bot_suggests_a_whole_turn_on_the_board(live: Live, person: Come) -> None:
    newcomer = person()
    newcomer.go("/")
    newcomer.press("Try every seat yourself")
    newcomer.sees("You play every seat")
    newcomer.page.click("[data-hint]")
    newcomer.page.locator("#suggestion li").first.wait_for()
    assert newcomer.page.locator(".marks .ghost").count() > 0
    assert newcomer.page.locator(".draft ol li").count() == 0
    newcomer.press("Take first")
    newcomer.page.locator(".draft ol li").first.wait_for()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", KEYS)
def test_a_suggestion_is_declined_or_taken_whole_with_all_in_sight(
    live: Live, browser: Browser, key: str, size: str
) -> None:
    match = tables(f"suggested{size}")[key]
    page = visit(browser, live, match, size)
    with live.services.database.session() as session:
        session.get_one(Match, match.id).hints = True
    page.reload()
    page.wait_for_selector("#desk[data-ready]")

    def ask_and(answer: str) -> None:
        page.locator("[data-hint]").click()
        page.locator("#suggestion li").first.wait_for()
        assert page.locator(".marks .ghost").count()
        assert [name for name, one in NEEDED.items() if not page.evaluate(INSIDE, one)] == []
        page.get_by_role("button", name=answer, exact=True).click()

    ask_and("No")
    assert page.locator("#suggestion").is_hidden()
    assert page.locator(".marks .ghost, .draft li").count() == 0
    ask_and("Take all")
    page.locator(".draft li, .confirm").first.wait_for(state="attached")  # what reveals asks first
    page.context.close()


@pytest.mark.parametrize("key", KEYS)
def test_all_that_a_turn_offers_stands_beside_the_board_in_every_language(
    live: Live, browser: Browser, key: str
) -> None:
    match = tables("fits")[key]
    page = visit(browser, live, match, "desktop")
    for language in LANGUAGES:
        with live.services.database.session() as session:
            session.exec(select(Player).where(Player.email == f"ana@{match.id}.org")).one().language = language  # fmt: skip
        page.reload()
        page.wait_for_selector("#desk[data-ready]")
        assert page.evaluate(HIDDEN, ".reach") == 0, f"at first, {language}"
        page.locator("[data-verb]").first.click()
        page.locator("#picker:not([hidden])").wait_for()
        assert page.evaluate(HIDDEN, ".reach") == 0, f"in hand, {language}"
        place = page.locator(".place.can").first
        place.wait_for(state="attached")
        place.dispatch_event("pointerover", {"bubbles": True, "pointerType": "mouse"})
        page.wait_for_timeout(400)  # until it is told what it brings
        assert page.evaluate(HIDDEN, ".reach") == 0, f"at a place, {language}"
    page.context.close()


HIDDEN = "(part) => { const { scrollHeight, clientHeight } = document.querySelector(part); return scrollHeight - clientHeight; }"


@pytest.mark.parametrize("key", KEYS)
def test_a_script_finds_its_way_by_names(live: Live, browser: Browser, key: str) -> None:
    page = visit(browser, live, tables("named")[key], "desktop")
    assert page.get_by_label("Board", exact=True).count() == 1
    for region in ("Your turn", "What happened"):
        assert page.get_by_role("region", name=region, exact=True).count() == 1
    for button in ("Undo", "Play turn"):
        assert page.get_by_role("button", name=button, exact=True).count() == 1
    page.locator("[data-verb]").first.click()
    page.locator(".place.can").first.wait_for(state="attached")
    assert page.locator(".place.can:not([data-place])").count() == 0
    page.context.close()
