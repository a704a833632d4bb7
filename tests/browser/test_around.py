"""Around the table in a real browser: coming in by an invitation, waiting rooms, history by keys, the end and its rematch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.outbox.notifications import notify_seats
from tests.app.seated import come_in, late_match, my_id, played, seat
from tests.browser.budgets.measures import INSIDE, SIZES
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_accessible import faults

Come = Callable[..., Person]


def test_a_newcomer_takes_the_seat_and_the_waiting_room_tells_it(live: Live, person: Come) -> None:
    ana, bo = person(), person(size="phone")
    ana.sign_in("ana@around.org")
    ana.go("/tables/new?game=cuzco&preset=friends")
    ana.page.select_option("#seat1", "invite")
    ana.page.fill("input[name=email1]", "bo@around.org")
    ana.page.select_option("#seat2", "open")
    ana.press("Open the table")
    ana.sees("bo@around.org")
    assert faults(ana) == []
    bo.open_mail("bo@around.org", "is kept for you")
    bo.page.fill("input[name=name]", "Bo")
    assert faults(bo) == []
    bo.press("Take the seat")
    ana.page.locator(".chairs bdi:text-is('Bo')").wait_for()  # without a reload
    bo.page.fill("#say", "Bring a coat.")
    bo.press("Send")
    ana.page.locator("#said", has_text="Bring a coat.").wait_for()  # so does what is said
    ana.page.locator(".change-seat summary").click()
    ana.page.select_option(".change-seat select", "invite")
    ana.press("Save")  # nobody can be written to without an address
    ana.page.locator(".change-seat [role=alert]:focus").wait_for()
    assert faults(ana) == []
    ana.page.select_option(".change-seat select", "none")
    ana.press("Save")  # with fewer
    ana.page.wait_for_selector("#desk")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_table_for_anybody_is_found_in_the_lobby_and_a_bot_fills_it(
    person: Come, script: bool
) -> None:
    title = f"Terraces {script}"
    ana, bo = person(), person(size="phone", script=script)
    ana.sign_in(f"ana@lobby{script}.org")
    ana.go("/tables/new?game=java")
    for preset in ("Open to anybody", "1 day a turn", "Weekends off"):
        ana.press(preset)
    ana.page.fill("#f-title", title)
    ana.page.select_option("#seat2", "invite")
    ana.page.fill("[name=email2]", f"cy@lobby{script}.org")
    ana.press("Open the table")
    ana.page.wait_for_selector("#room")
    bo.sign_in(f"bo@lobby{script}.org")
    bo.go("/tables?pace=slow")
    assert title not in bo.page.inner_text("main")
    bo.page.select_option("#f-pace", "fast")
    bo.page.select_option("#f-game", "java")
    bo.press("Show")
    bo.page.locator(".card", has_text=title).locator("button").click()  # takes a seat
    bo.page.wait_for_selector("#room")
    ana.page.locator(".chairs li:not(:has(.hint))").nth(1).wait_for()  # whom ana did not invite
    for wish in ("open", "bot:steady"):  # the invitation is withdrawn, then a bot sits there
        ana.page.locator(".change-seat summary").click()
        ana.page.select_option(".change-seat select", wish)
        ana.press("Save")
    ana.page.wait_for_selector("#desk")
    bo.go("/matches")
    bo.page.locator(".match-card", has_text=title).locator("a").first.click()
    bo.page.wait_for_selector("#desk")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_link_of_a_mail_plays_a_turn_in_a_browser_that_knows_nobody(
    live: Live, person: Come, script: bool
) -> None:
    name = "mailedyes2" if script else "mailedno22"
    match, email = late_match(name), f"ana@{name}.org"
    where, _ = live.put_match(match, name, email, f"bo@{name}.org")
    with live.services.database.session() as session:
        asked = match.game.to_act(match.state)
        notify_seats(session, match.id, match.head, asked, "turn", at=live.services.now())
    live.services.nudge()
    phone = person(size="phone", script=script)
    phone.open_mail(email, f"{name}: your turn")
    phone.sees("It is your turn.")
    assert "key=" not in phone.page.url  # what opened it stays in no history
    phone.order("place triple", "g14", "g16", "h15")
    phone.play(1)
    assert live.head(where) > match.head
    phone.go("/matches")
    phone.sees("Send me the link")  # it opens nothing else


def test_a_page_that_stays_open_tells_how_many_matches_wait(live: Live, person: Come) -> None:
    people = [my_id(come_in(live.app, email)) for email in ("ana@count.org", "bo@count.org")]
    ana = person(cookie=live.sign_in("ana@count.org"))
    ana.go("/account")
    assert ana.page.title() == "Your account · Chasqui"
    for number, match_id in enumerate(("count22222", "count33333"), 1):
        where = seat(live.services, played(0, match_id), *people, clocks=True)
        ana.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        ana.page.locator(f".my-matches [data-count]:text-is('{number}')").wait_for()
        assert ana.page.title() == f"({number}) Your account · Chasqui"
        assert ana.page.get_attribute("link[rel=icon]", "href") == f"/icon/{number}.svg"
    ana.go(where)
    ana.press("Next match (1)")
    ana.page.wait_for_url("**/m/count22222")


def test_no_press_of_an_arrow_key_is_lost(live: Live, person: Come) -> None:
    where, (cookie, _) = live.put_match(
        played(60, "arrowkeys2"), "Keys", "a@keys.org", "b@keys.org"
    )
    ana = person(cookie=cookie)
    ana.go(f"{where}/history/10")
    for _ in range(17):
        ana.page.keyboard.press("ArrowRight")
    ana.page.keyboard.press("ArrowLeft")
    ana.page.wait_for_selector("#look[data-pos='26']")
    assert faults(ana) == []
    for size in SIZES.values():  # steps, what happened and the whole board, without moving the page
        ana.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]  # a TypedDict
        assert all(ana.page.evaluate(INSIDE, one) for one in (".ways", ".event", ".sheet svg"))


def test_a_position_is_handed_on_by_its_link(live: Live, person: Come) -> None:
    where, (cookie, other) = live.put_match(
        played(60, "handon2222"), "Hand on", "a@hand.org", "b@hand.org"
    )
    ana, bo = person(cookie=cookie), person(cookie=other, size="phone")
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.go(f"{where}/history/10")
    ana.page.keyboard.press("ArrowRight")
    ana.page.wait_for_selector("#look[data-pos='11']")
    ana.press("Copy the link")  # of the position that was fetched, not of the page that was opened
    ana.page.locator("[data-copy].done").wait_for()
    link = ana.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{live.url}{where}/history/11"
    bo.page.goto(link)
    bo.page.wait_for_selector("#look[data-pos='11']")
    assert faults(bo) == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_without_a_connection_the_device_has_a_page_of_ours(person: Come, size: str) -> None:
    ana = person(size=size)
    ana.sign_in(f"mariana@{size}.org")
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    ana.go("/tables")  # the first page that the worker answers for
    ana.context.set_offline(True)
    ana.go("/matches")
    assert ana.page.inner_text("h1") == "No connection"
    assert ana.page.evaluate("document.styleSheets[0].cssRules.length")
    ana.context.set_offline(False)
    ana.press("Try again")
    ana.sees("My matches")


def test_a_device_is_asked_about_notices_and_keeps_the_sound(person: Come) -> None:
    ana = person()
    ana.sign_in("ana@sound.org")
    ana.go("/account/notices")
    ana.page.locator("#push button").wait_for()
    ana.page.check("#sound")
    ana.page.reload()
    assert ana.page.is_checked("#sound")
    ana.page.fill("#f-url", "http://hooks.example.org/ana")
    ana.page.locator("form:has(#f-url) button").click()
    ana.page.locator("[role=alert]:focus").wait_for()
    assert ana.page.input_value("#f-url") == "http://hooks.example.org/ana"
    assert faults(ana) == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_long_history_is_short_to_look_at(live: Live, person: Come, size: str) -> None:
    match = played(2000, f"long{size}"[:10])
    where, (cookie, _) = live.put_match(match, "Long", f"a@{size}.org", f"b@{size}.org")
    ana = person(cookie=cookie, size=size)
    ana.go(f"{where}/history")
    assert ana.page.evaluate("document.documentElement.scrollHeight") < 6000
    assert faults(ana) == []


def test_two_people_play_again_by_one_press_each(live: Live, person: Come) -> None:
    match = played(2000, "rematch222")
    where, cookies = live.put_match(match, "Again", "a@again.org", "b@again.org")
    ana, bo = (person(cookie=cookie) for cookie in cookies)
    ana.go(f"{where}/result")
    assert faults(ana) == []
    ana.press("Rematch")
    ana.sees("The match begins when every seat is taken.")
    bo.go("/")
    bo.sees("A seat is kept for you")
    bo.go(where)
    bo.press("Rematch")
    bo.page.wait_for_selector("#desk")
    ana.page.wait_for_selector("#desk")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_home_shuts_nobody_out(person: Come, dark: bool) -> None:
    for size in ("desktop", "phone"):
        visitor = person(size=size, dark=dark)
        for path in ("/", "/about", "/privacy", "/tables"):
            visitor.go(path)
            assert faults(visitor) == [], path
