"""People with browsers: at a desk or on a phone, with scripts or without."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request

from tests.browser.live import Live

PATIENCE = 60_000  # milliseconds; the machine may be busy, and who waits for what comes does not wait longer
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
MANY_TABS = 400  # more than any page has things to stop at
MOVED = ("slide", "turn", "symbol")
LAID = (*MOVED, "lay", "road", "wild", "buy road", "buy wild")
# The button that plays the draft alone, or with the end of the turn where that is what it comes to.
PLAYING = "button:has-text('Play so far'), #play:not([disabled])"
# What a browser says when a page answers 400, 409 or 422, which ours do on purpose.
EXPECTED = re.compile(r"status of 4(00|09|22)")

# Where a thing can be touched: in the middle if nothing covers it there.
UNCOVERED = """(place) => {
  const { x, y, width, height } = place.getBoundingClientRect();
  for (const down of [0.5, 0.3, 0.7, 0.1, 0.9]) for (const right of [0.5, 0.3, 0.7, 0.1, 0.9]) {
    const spot = [x + right * width, y + down * height];
    if (place.contains(document.elementFromPoint(...spot))) return spot;
  }
  throw new Error(`nobody can touch ${place.dataset.place}`);
}"""

# What a page that was waited for in vain shows: asked in a way that ends even if the page hangs.
SHOWN = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText.trim().replace(/\\s+/g, " "));
  const desk = document.getElementById("desk");
  return { state: document.readyState, hidden: document.hidden, desk: { ...desk?.dataset }, title: document.title,
    alerts: all(".alerts, .notice"), draft: all(".draft ol li"), asked: all(".confirm, .question"),
    chosen: all("[data-verb][aria-current]"), say: all(".say"), picks: all(".picks button"), play: all("#play"),
    lit: document.querySelectorAll(".place.can").length, focus: document.activeElement?.outerHTML.slice(0, 120) };
}"""
ASKING = 3_000  # milliseconds for that
LATELY = 12  # requests that are told of


@dataclass
class Person:
    """Somebody's browser on one page; `complaints` are what its console said."""

    live: Live
    context: BrowserContext
    page: Page
    script: bool
    touch: bool
    complaints: list[str] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)  # every request, and how it ended
    open_requests: set[str] = field(default_factory=set)

    def tell(self) -> str:
        """What the page shows and waits for, for whoever reads why a test failed."""
        try:
            shown = self.page.wait_for_function(SHOWN, timeout=ASKING).json_value()
        except Error as problem:
            shown = {"the page itself does not answer": str(problem)}
        lines = [self.page.url, *(f"{name}: {value}" for name, value in shown.items() if value)]
        lines += [f"console: {line}" for line in self.complaints]
        lines += [f"asked for, no answer yet: {line}" for line in sorted(self.open_requests)]
        lines += [f"answered lately: {line}" for line in self.asked_for[-LATELY:]]
        return "\n".join(lines)

    def hear_requests(self) -> None:
        """Notes what the page asks for and what was answered."""

        def name(request: Request) -> str:
            return f"{request.method} {request.url.removeprefix(self.live.url)}"

        def ended(request: Request) -> None:
            self.open_requests.discard(name(request))
            self.asked_for.append(f"{name(request)} {request.failure or ''}".strip())

        self.page.on("request", lambda request: self.open_requests.add(name(request)))
        self.page.on("requestfinished", ended)
        self.page.on("requestfailed", ended)

    def go(self, path: str) -> None:
        self.page.goto(self.live.url + path)
        self.settle()

    def rest(self) -> None:
        """Closes the page until the next turn: one that lies open hears of every move, and fetches all that it changes."""
        self.page.goto("about:blank")

    def settle(self) -> None:
        """Waits until the script, if there is one, knows what can be chosen and nothing is on its way."""
        if self.script and self.page.locator("#desk[data-choices]").count():
            self.page.wait_for_selector("#desk[data-ready]", state="attached")

    def press(self, words: str) -> None:
        """Presses the first button or link with these words; asking for roles would look at the whole board."""
        pattern = re.compile(rf"^\s*{re.escape(words)}")
        named = self.page.locator(f'a[title^="{words}"]')
        found = self.page.locator("a, button").filter(has_text=pattern).or_(named).first
        found.wait_for(state="attached")
        if panel := found.evaluate("one => one.closest('.panel')?.id"):
            self.page.locator(f".tab:has([value='{panel}'])").click()
        found.click()
        self.page.wait_for_load_state()
        self.settle()

    def sees(self, words: str) -> None:
        """Waits for words to be on the page."""
        self.page.locator("body", has_text=words).wait_for(state="attached")

    def reach(self, wanted: str) -> None:
        """Goes there by Tab alone, wherever the focus is."""
        here = f"() => document.activeElement?.matches({wanted!r}) ?? false"
        for _ in takewhile(lambda _: not self.page.evaluate(here), range(MANY_TABS)):
            self.page.keyboard.press("Tab")
        assert self.page.evaluate(here), f"{wanted} is not reached by Tab"

    def leave(self) -> None:
        self.context.close()
        assert self.complaints == [], self.complaints

    # Mail

    def sign_in(self, email: str) -> None:
        """Asks for a link and finds it in the mailbox."""
        self.go("/sign-in")
        self.page.fill("input[name=email]", email)
        self.press("Send me the link")
        self.open_mail(email, "Your way in")
        self.press("Sign in")
        self.sees("Sign out")

    def open_mail(self, email: str, subject: str) -> None:
        """Follows the link in the newest mail to this address with this subject."""
        until = time.monotonic() + PATIENCE / 1000
        while True:
            self.go("/mailbox")
            letter = self.page.locator(".list a", has_text=subject).filter(has_text=email).first
            if letter.count():
                break
            assert time.monotonic() < until, f"no mail about {subject}"
            time.sleep(0.1)
        letter.click()
        self.page.locator("pre.letter a").first.click()  # the last may end such mails

    # Orders

    def order(self, verb: str, *words: str) -> None:
        """Adds an order to the draft, as this person can: on the board, or by lists."""
        give = self.order_on_the_board if self.script else self.order_by_lists
        self.drafting(partial(give, verb, *words))

    def write(self, *orders: str) -> None:
        """Adds orders to the draft by writing them in one line."""
        self.settle()
        if not self.page.locator("#typed").is_visible():
            self.page.locator(".write summary").click()
        self.page.fill("#typed", "; ".join(orders))
        self.drafting(partial(self.page.press, "#typed", "Enter"), len(orders))

    def drafting(self, give: Callable[[], None], count: int = 1) -> None:
        """Gives some orders and waits until they stand in the draft, are asked about or were played at once."""
        self.settle()
        before = self.page.locator(".draft ol li").count()
        give()
        drafted = self.page.locator(".draft ol li").nth(before + count - 1)
        asked = self.page.locator(".confirm, .answers :checked, .alerts .message")
        drafted.or_(asked).first.wait_for(state="attached")
        self.settle()

    def drafted(self, count: int) -> None:
        """Waits until so many orders are drafted, and can be played as they are."""
        self.page.locator(".draft ol li").nth(count - 1).wait_for(state="attached")
        assert self.page.locator(".draft ol li").count() == count
        assert self.page.locator(PLAYING).count() > 0

    def play(self, count: int = 0) -> None:
        """Plays what is drafted, asked about or answered, and nothing more; so many orders, if that is said."""
        asked = self.page.locator(".confirm button, .act:has(.question) #play")
        if asked.count():
            chosen = self.page.locator(".answers :checked, .confirm [name=order]").count()
            assert chosen == (count or chosen)
            asked.first.click()
        elif count:
            self.drafted(count)
            self.page.locator(PLAYING).first.click()
        self.page.locator(".alerts .message").first.wait_for(state="attached")
        self.settle()

    def answers(self, order: str) -> bool:
        """Chooses an answer to what is asked between turns, if something is."""
        chosen = self.page.locator(f".answer:has([value='{order}'])")
        if not chosen.count():
            return False
        chosen.click()
        return True

    def give_alone(self, verb: str) -> None:
        """An order that is nothing but its verb."""
        self.page.locator(f"button[name=add][value='{verb}']").click()

    def order_by_lists(self, verb: str, *words: str) -> None:
        if self.answers(" ".join((verb, *words))):
            return
        if not words:
            self.give_alone(verb)
            return
        self.page.locator(f"[data-verb='{verb}']").click()
        self.page.locator(
            f"[data-verb='{verb}'][aria-current]"
        ).wait_for()  # the page with its lists
        if self.page.locator("#first").count():
            self.page.select_option("#first", words[0])
            self.press("Choose")
        self.page.select_option("#chosen", " ".join((verb, *words)))
        self.press("Add to the draft")

    def order_on_the_board(self, verb: str, *words: str) -> None:
        if self.answers(" ".join((verb, *words))):
            return
        if not words:
            self.give_alone(verb)
            return
        chosen = self.page.locator(f"[data-verb='{verb}']")
        drafted = self.page.locator(".draft ol li").nth(self.page.locator(".draft ol li").count())
        if chosen.get_attribute("aria-current") is None:
            chosen.click()
        sent = drafted.or_(self.page.locator(".confirm"))
        held = self.page.locator("#picker:not([hidden]) .picks button")
        held.or_(sent).first.wait_for(state="attached")
        if sent.count():
            return  # there was one such order only
        places = [word for word in words if self.page.locator(f"[data-place='{word}']").count()]
        others = [word for word in words if word not in places]
        if verb in MOVED:  # a lozenge first, then where it is to lie
            self.touch_place(places.pop(0))
        if len(places) > 2 or verb in LAID:
            # laid at once: turn it until it lies as wanted
            self.turn(places[0], " ".join((verb, *words)))
            return
        for place in places:
            self.touch_place(place)
        whole = self.page.locator(f".picks button[data-word='{' '.join((verb, *words))}']")
        if whole.count():  # one of a few orders of several words
            whole.click()
            return
        for word in others:
            self.page.locator(f".picks button[data-word='{word}']").first.click()
        if others and self.page.locator("#picker:visible .card-choice").count():
            self.page.locator(".picks button:has-text('Add it')").click()

    def turn(self, place: str, order: str) -> None:
        self.point_at(place)
        for _ in range(12):
            if self.page.locator(".say").get_attribute("data-order") == order:
                break
            if (
                self.page.locator(".say").inner_text().endswith("…")
            ):  # where the ways lead to places of another sort: step by step
                self.touch_place(place)
                self.touch_place(order.rsplit(maxsplit=1)[-1])
                return
            self.page.locator(
                ".picks button:has-text('Rotate')"
            ).click() if self.touch else self.page.keyboard.press("r")
        self.take(place)

    def touch_place(self, place: str) -> None:
        """A finger touches once to see and once to take; a mouse has seen by being there."""
        self.point_at(place)
        self.take(place)

    def point_at(self, place: str) -> None:
        spot, device = self.spot(place), self.page
        device.touchscreen.tap(*spot) if self.touch else device.mouse.move(*spot)

    def take(self, place: str) -> None:
        spot, device = self.spot(place), self.page
        device.touchscreen.tap(*spot) if self.touch else device.mouse.click(*spot)

    def spot(self, place: str) -> tuple[float, float]:
        """Where on the screen one can point at a place: other things may lie over a part of it."""
        found = self.page.locator(f"[data-place='{place}']")
        found.scroll_into_view_if_needed()
        x, y = found.evaluate(UNCOVERED)
        return x, y


def arrive(
    browser: Browser, live: Live, *, script: bool, size: str, cookie: str = "", dark: bool = False
) -> Person:
    """A new browser; with a cookie it belongs to somebody who signed in before."""
    width, height = SIZES[size]
    phone = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled=script,
        has_touch=phone,
        is_mobile=phone,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    if cookie:
        context.add_cookies([{"name": "chasqui-session", "value": cookie, "url": live.url}])
    person = Person(live, context, context.new_page(), script, phone)

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED.search(message.text):
            person.complaints.append(message.text)

    person.hear_requests()
    person.page.on("console", heard)
    person.page.on("pageerror", lambda error: person.complaints.append(str(error)))
    person.page.on("dialog", lambda dialog: person.complaints.append(dialog.message))
    return person
