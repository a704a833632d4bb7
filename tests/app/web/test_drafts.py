"""Composing a turn: drafts, lists that reach every order, what draws or reveals, and plans."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask
from sqlmodel import select

from app.matches.drafts import preview_draft
from app.platform import tables
from app.views.legal_orders import Group, group_choices, list_choices, make_menu
from engine.core.registry import find
from tests.app.browser import Visitor
from tests.app.seated import add, commit, drafted, late_match, now, played, sent, two

LAST = "place triple g14 g16 h15"


# Drafts


def test_an_order_goes_into_the_draft_and_is_previewed(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert add(ana, where, LAST.upper()).status_code == 303
    page = ana.get(where).text
    assert drafted(ana, where) == [LAST]
    assert "5 AP left" in page
    assert "g14: village, level 1" in page
    assert "6 AP left" in bo.get(where).text  # nothing has happened yet
    assert "g14: bare" in bo.get(where).text


def test_a_draft_tells_what_it_would_bring(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    page = ana.get(where).text
    assert "lays the last triple and so opens the last round" in page
    assert "Play so far" in page


def test_a_verb_of_no_use_says_why_without_a_script(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    page = ana.get(f"{where}?verb=end").text
    assert (
        "End turn: You have laid 0 tiles this turn; at least 1 is due before the turn can end."
        in page
    )
    assert 'class="menu"' not in ana.get(where).text


def test_orders_are_taken_back_from_where_one_likes(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for order in (LAST, "token", "move d13 g14", "basin i12"):
        assert add(ana, where, order).status_code == 303, order
    page = ana.get(where).text
    button = page.index("Undo from here", page.index("move d13 g14</code>"))
    number = page.count(f'action="{where}/draft"', 0, button) - 1
    assert sent(ana, page, f"{where}/draft", number).status_code == 303
    assert drafted(ana, where) == [LAST, "token"]


def test_a_draft_can_be_cleared(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    ana.client.post(f"{where}/draft", data=now(ana, where))
    assert drafted(ana, where) == []


@pytest.mark.parametrize(
    ("order", "status", "words"),
    [
        ("fly to the moon", 400, "is no order"),
        ("place triple e14 e16 d15", 422, "Inca"),
        ("end", 422, "tile"),
        ("x" * 501, 400, "at most"),
        ("<script>alert(1)</script>", 400, "&lt;script&gt;"),
    ],
)
def test_an_order_that_cannot_be_is_told_and_not_kept(
    app: Flask, order: str, status: int, words: str
) -> None:
    where, ana, _ = two(app, late_match())
    response = add(ana, where, order)
    assert response.status_code == status
    assert words in response.text
    assert "<script>alert" not in response.text
    assert drafted(ana, where) == []


def test_what_was_typed_stays_in_its_field(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    assert 'value="place triple zz99"' in add(ana, where, "place triple zz99").text


def test_several_orders_may_be_written_in_one_line(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert add(ana, where, f"{LAST} ;end;").status_code == 303
    assert drafted(ana, where) == [LAST, "end"]
    assert add(bo, where, "basin i12; end").status_code == 303
    assert drafted(bo, where) == ["basin i12", "end"]


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        (f"{LAST}; end; end", 422, "Order 3 of the line:"),
        (f"{LAST}; draw pile; dance", 400, "Order 3 of the line:"),
        (f"{LAST}; draw pile; end", 400, "draw pile draws or reveals"),
        ("; ".join(["token"] * 101), 400, "at most 100 orders"),
    ],
)
def test_of_several_orders_all_are_taken_or_none(
    app: Flask, line: str, status: int, told: str
) -> None:
    where, ana, _ = two(app, late_match())
    response = add(ana, where, line)
    assert response.status_code == status
    assert told in response.text
    assert html.escape(line) in response.text
    assert drafted(ana, where) == []


def test_which_of_several_orders_is_refused_is_counted_in_the_line_not_in_the_draft(
    app: Flask,
) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    response = add(ana, where, "end; end")
    assert "Order 2 of the line:" in response.text
    assert drafted(ana, where) == [LAST]


def test_the_last_of_several_orders_may_draw(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    question = ana.get(add(ana, where, f"{LAST}; draw pile").headers["Location"])
    assert drafted(ana, where) == [LAST]
    assert "draw pile" in question.text


# Lists and buttons: every legal order can be reached without a script


def offered(page: str, select: str) -> list[str]:
    """What one of the lists on a page holds."""
    _, found, rest = page.partition(f'id="{select}"')
    options = re.findall(
        r'<option(?: value="([^"]+)")?[^>]*>([^<]+)<', rest.partition("</select>")[0]
    )
    return [html.unescape(value or words) for value, words in options] if found else []


def test_every_legal_order_is_reached_without_a_script() -> None:
    for count in range(0, 130, 10):
        match = played(count)
        game = match.game
        (seat,) = game.to_act(match.state)
        legal = {game.format(action) for action in game.legal(match.state, seat)}
        found = group_choices(
            game, match.state, seat, list_choices(preview_draft(match, seat, []), seat)
        )
        assert {order for group in found for order in reached(found, group)} == legal


def reached(found: list[Group], group: Group) -> list[str]:
    """Every order that the button or the lists of a verb offer."""
    menu = make_menu(found, group.verb, None)
    if menu is None:
        assert group.plain
        return [group.verb]
    if not menu.firsts:
        return [order for order, _ in menu.orders]
    chosen = [make_menu(found, group.verb, first) for first in menu.firsts]
    return [order for menu in chosen if menu for order, _ in menu.orders]


def test_the_lists_lead_from_a_verb_to_an_order(app: Flask) -> None:
    where, ana, _ = two(app, late_match(options={"rules": 1}))  # by which one may move first
    verb = ana.get(f"{where}?verb=place+triple").text
    assert "g14" in offered(verb, "first")
    assert offered(verb, "chosen") == []
    first = ana.get(f"{where}?verb=place+triple&first=g14").text
    assert offered(first, "chosen") == [LAST, "place triple g14 h13 h15"]
    assert offered(ana.get(f"{where}?verb=move").text, "chosen") == ["move h21 g20"]


def test_a_verb_that_does_not_exist_chooses_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for query in ("verb=fly", "verb=move&first=<b>", "verb=token", "verb=&first="):
        assert ana.get(f"{where}?{query}").status_code == 200


def test_the_choices_are_those_after_the_draft_and_unchanged_ones_are_not_sent(
    app: Flask,
) -> None:
    where, ana, bo = two(app, late_match())
    first = ana.get(f"{where}/choices")
    assert [LAST, 1] in first.json
    again = ana.get(f"{where}/choices", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    add(ana, where, LAST)
    after = ana.get(f"{where}/choices", headers={"If-None-Match": first.headers["ETag"]})
    assert after.status_code == 200
    assert ["end", 0] in after.json
    planned = [order for order, *_ in bo.get(f"{where}/choices").json]  # as if it were Bo's turn
    assert "place village g14" in planned
    assert not [order for order in planned if order.startswith("move d13")]  # whom Ana has there


# What draws or reveals


def test_what_draws_is_asked_about_and_says_what_goes_with_it(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    response = add(ana, where, "draw pile")
    assert response.status_code == 303
    assert drafted(ana, where) == [LAST]
    question = ana.get(response.headers["Location"])
    assert "Everything before it in your draft is played with it" in question.text
    assert LAST in question.text
    assert "6 AP left" in ana.get(where).text or "5 AP left" in ana.get(where).text
    answer = sent(ana, question.text, f"{where}/commit")
    assert answer.status_code == 303
    page = ana.get(where).text
    assert "4 AP left" in page
    assert drafted(ana, where) == []


def test_the_question_is_not_asked_about_other_orders(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    assert ana.get(f"{where}/confirm?order=token").status_code == 303
    assert "tile" in ana.get(f"{where}/confirm?order=draw+pile").text  # a tile is due first
    assert "Play it now" not in ana.get(f"{where}/confirm?order=draw+pile").text


def test_asking_draws_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    pages = {
        re.sub(r'value="[\w.-]{40,}"', "", ana.get(f"{where}/confirm?order=draw+pile").text)
        for _ in range(3)
    }
    assert len(pages) == 1


# Planning


def test_a_plan_waits_until_it_is_ones_turn(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "What you plan now is checked and offered when it is." in bo.get(where).text
    assert add(bo, where, "basin i12").status_code == 303
    assert add(bo, where, "end").status_code == 303
    assert "Play so far" not in bo.get(where).text
    commit(ana, where, LAST, "end")
    page = bo.get(where).text
    assert "Play turn" in page
    assert "lays a basin on i12" in page


def test_a_plan_is_made_from_what_one_could_do_now(app: Flask) -> None:
    where, _, bo = two(app, late_match())
    page = bo.get(where).text
    for verb in ("place triple", "place village", "token"):
        assert f'data-tool="{verb}"' in page
        assert f'data-verb="{verb}"' in page or f'value="{verb}"' in page
    assert "data-plan" not in page
    assert "#play" not in page
    page = bo.get(f"{where}?verb=place+village").text
    assert 'id="chosen"' in page or 'id="first"' in page


def test_a_plan_that_does_not_fit_now_is_kept_and_says_why(app: Flask) -> None:
    where, _, bo = two(app, late_match())
    assert add(bo, where, "build g14 2").status_code == 303
    page = bo.get(where).text
    assert "As things stand this would not fit:" in page
    assert "village" in page


def test_where_nothing_can_be_foreseen_a_plan_begins_with_a_verb_of_the_game(app: Flask) -> None:
    where, ana, bo = two(app, played(0, key="inka"))
    page = bo.get(where).text
    for verb in find("inka").verbs:
        assert f'data-plan="{verb}"' in page
    assert 'name="add" value="lay "' in bo.get(f"{where}?verb=lay").text
    assert 'name="add" value=""' in bo.get(f"{where}?verb=%22%3E%3Cscript").text
    assert "data-plan" not in ana.get(where).text


def test_a_plan_of_nonsense_is_refused(app: Flask) -> None:
    where, _, bo = two(app, late_match())
    assert add(bo, where, "dig a hole").status_code == 400


def test_nobody_sees_anothers_draft_or_note(app: Flask) -> None:
    where, ana, bo = two(app, late_match(), public=True)
    add(ana, where, LAST)
    ana.post(f"{where}/note", {"text": "I want that city"})
    assert "I want that city" in ana.get(where).text
    for other in (bo, Visitor(ana.app)):
        assert "I want that city" not in other.get(where).text
        assert LAST not in other.get(where).text


# Suggestions


def test_a_suggestion_speaks_as_the_reader_does(app: Flask) -> None:
    """Numbers with the reader's comma, and what nobody can foresee by the words of its button."""
    where, ana, _ = two(app, late_match(supply={"triples": 20, "basins": 9}))
    with ana.services.database.session() as session:
        session.exec(select(tables.Match)).one().hints = True
    ana.post("/language", {"language": "fr"})
    found = ana.client.get(f"{where}/hint", headers={"Accept": "application/json"}).get_json()
    assert re.search(r"\+\d,\d", found["why"])
    assert not re.search(r"\d\.\d", found["why"])
    assert found["told"][-1] not in found["orders"]
