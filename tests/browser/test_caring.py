"""A slip and its undoing in a real browser: asked for and agreed to, or decided by whoever cares for the match."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.platform import tables
from tests.app.seated import come_in, late_match, own
from tests.browser.live import Live
from tests.browser.people import Person
from tests.browser.test_accessible import faults

Come = Callable[..., Person]
both_ways = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
PICTURES = os.environ.get("CHASQUI_PICTURES")  # a folder to look at the pages in


def keep(somebody: Person, name: str) -> None:
    """Looks that the page is as wide as the screen and shuts nobody out; keeps a picture if that is wished."""
    wide = somebody.page.viewport_size
    assert wide
    if somebody.script:
        assert somebody.page.evaluate("document.documentElement.scrollWidth") <= wide["width"], name
        assert faults(somebody) == [], name
    if PICTURES:
        size = "phone" if somebody.touch else "desk"
        somebody.page.screenshot(path=Path(PICTURES) / f"{size}-{name}.png", full_page=True)


def slip(live: Live, where: str, ana: Person, bo: Person) -> tuple[int, int]:
    """Ana ends her turn too soon, and Bo begins his; where the match was before, and is now."""
    before = live.head(where)
    ana.go(where)
    ana.order("place village", "g14")
    ana.order("end")
    ana.play(2)
    ana.sees("Waiting for Bo")
    bo.go(where)
    bo.order("place village", "g16")
    bo.play(1)
    bo.sees("Played.")
    return before, live.head(where)


def counts(live: Live, where: str) -> int:
    """The last position that counts."""
    match = load_match(live.services.database, where.rpartition("/")[2])
    return match.timeline.effective[-1].pos


@both_ways
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_slip_is_undone_because_the_other_agrees(
    live: Live, person: Come, script: bool, size: str
) -> None:
    name = f"slip{size}{script}".lower()
    where, cookies = live.put_match(
        late_match(name), "Slippery", f"ana@{name}.org", f"bo@{name}.org"
    )
    ana, bo = (person(script=script, size=size, cookie=cookie) for cookie in cookies)
    before, _ = slip(live, where, ana, bo)
    ana.go(where)
    ana.press("Ask for an undo")
    keep(ana, "asking")
    ana.page.locator(f"input[name=to][value='{before}']").check()
    ana.page.fill("input[name=reason]", "I ended too soon")
    ana.press("Ask")
    ana.sees("those whom it concerns are written to")
    ana.sees("Waiting for Bo.")
    keep(ana, "asked")
    bo.go(where)
    bo.sees("I ended too soon")
    keep(bo, "to-answer")
    bo.press("Agree")
    bo.sees("Everybody agreed: it is undone.")
    assert counts(live, where) == before
    ana.go(where)
    ana.sees("Your turn")
    assert ana.page.locator("#undo").count() == 0


@both_ways
def test_the_owner_goes_back_by_the_history_page_and_returns(
    live: Live, person: Come, script: bool
) -> None:
    name = f"owner{script}".lower()
    size = "desktop" if script else "phone"
    email = f"ana@{name}.org"
    where, cookies = live.put_match(
        late_match(name), "Slippery", f"cy@{name}.org", f"bo@{name}.org"
    )
    own(come_in(live.app, email), where)  # she does not play: so she needs nobody's leave
    cookies.append(live.sign_in(email))
    cy, bo, ana = (person(script=script, size=size, cookie=cookie) for cookie in cookies)
    before, head = slip(live, where, cy, bo)
    grow_old(live, email)
    ana.go(f"{where}/history/{before}")
    ana.press("Go back to this position")
    ana.sees("What the players have learned since")
    ana.sees("Your last sign-in is some time ago.")
    keep(ana, "rewind")
    ana.page.fill("textarea[name=reason]", "Ana ended too soon")
    ana.press("Cut")
    ana.sees("please sign in again")
    keep(ana, "not-fresh")
    ana.complaints.clear()  # the browser's own about the status 403
    assert live.head(where) == head
    ana.sign_in(email)
    ana.go(f"{where}/rewind/{before}")
    ana.page.fill("textarea[name=reason]", "Ana ended too soon")
    ana.press("Cut")
    ana.sees("The match was taken back; everybody is told.")
    assert counts(live, where) == before
    stale(bo)
    ana.go(f"{where}/history")
    ana.sees("Ana ended too soon")
    keep(ana, "history")
    ana.go(f"{where}/care")
    keep(ana, "care")
    ana.press("Bring back what was cut")
    ana.sees("What had been cut is back; everybody is told.")
    assert counts(live, where) == head
    ana.go(f"{where}/audit")
    ana.sees("brought back what had been cut")
    keep(ana, "audit")
    ana.go(f"{where}/mails")
    ana.sees("taken back")
    keep(ana, "mails")


def stale(bo: Person) -> None:
    """Bo's page is still that of the turn which was cut; with a script it tells him by itself."""
    if not bo.script:
        bo.write("end")
    bo.sees("This turn was undone")
    bo.sees("Ana ended too soon")
    keep(bo, "stale")


def grow_old(live: Live, email: str) -> None:
    """Somebody signed in a day ago."""
    with live.services.database.session() as session:
        player = session.exec(select(tables.Player).where(tables.Player.email == email)).one()
        for row in session.exec(
            select(tables.Session).where(tables.Session.player_id == player.id)
        ):
            row.fresh_at -= timedelta(days=1)
