"""Playing a turn on the page: drafts, what draws or reveals, committing, and coming too late."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask
from sqlmodel import select

from app import choices, models, play
from app.choices import Group
from tests.app.browser import Visitor
from tests.app.seated import add, commit, drafted, late_match, now, played, sent, two

LAST = "place triple g14 g16 h15"


def test_the_page_tells_whose_turn_it_is(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "It is your turn." in ana.get(where).text
    assert "Waiting for" in bo.get(where).text
    assert "6 AP left" in bo.get(where).text


def test_the_page_shows_my_hand_and_not_the_others(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "tumi+kero" in ana.get(where).text
    assert "tumi+kero" not in bo.get(where).text
    assert "quipu" in bo.get(where).text
    assert "quipu" not in ana.get(where).text


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
    assert "laid the last triple and so opened the last round" in page
    assert "Commit 1 order" in page


def test_orders_are_taken_back_from_where_one_likes(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for order in (LAST, "token", "move d13 g14", "basin i12"):
        assert add(ana, where, order).status_code == 303, order
    page = ana.get(where).text
    button = page.index("Take back from here", page.index("move d13 g14</code>"))
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
        found = choices.groups(game, seat, choices.choices(play.preview(match, seat, []), seat))
        assert {order for group in found for order in reached(found, group)} == legal


def reached(found: list[Group], group: Group) -> list[str]:
    """Every order that the button or the lists of a verb offer."""
    menu = choices.menu(found, group.verb, None)
    if menu is None:
        assert group.plain
        return [group.verb]
    if not menu.firsts:
        return [order for order, _ in menu.orders]
    chosen = [choices.menu(found, group.verb, first) for first in menu.firsts]
    return [order for menu in chosen if menu for order, _ in menu.orders]


def test_the_lists_lead_from_a_verb_to_an_order(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
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
    assert bo.get(f"{where}/choices").json == []


# What draws or reveals


def test_what_draws_is_asked_about_and_says_what_goes_with_it(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    response = add(ana, where, "draw pile")
    assert response.status_code == 303
    assert drafted(ana, where) == [LAST]
    question = ana.get(response.headers["Location"])
    assert "Everything before it in your draft is committed with it" in question.text
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
    assert "Commit" not in ana.get(f"{where}/confirm?order=draw+pile").text


def test_asking_draws_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    add(ana, where, LAST)
    pages = {
        re.sub(r'value="[\w.-]{40,}"', "", ana.get(f"{where}/confirm?order=draw+pile").text)
        for _ in range(3)
    }
    assert len(pages) == 1


# Committing


def test_a_festival_ends_the_turn_and_asks_the_other(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert commit(ana, where, LAST, "festival e14 kero").status_code == 303
    assert "You are asked for an answer." in bo.get(where).text
    assert commit(bo, where, "bid kero").status_code == 303
    assert commit(ana, where, "hold", key="last word").status_code == 303
    page = bo.get(where).text
    assert "shared the festival on e14" in page
    assert "It is your turn." in page


def test_a_repeated_commit_plays_once(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    form = {**now(ana, where), "order": [LAST, "end"], "key": "same"}
    for _ in range(3):
        assert ana.client.post(f"{where}/commit", data=form).status_code == 303
    assert ana.get(f"{where}/history").text.count("laid the last triple") == 1


def test_alone_too_a_repeated_commit_plays_once(client: Visitor) -> None:
    where = client.post("/demo").headers["Location"]
    form = {**now(client, where), "order": ["place triple e14 e16 d15", "end"], "key": "same"}
    for _ in range(3):
        assert client.client.post(f"{where}/commit", data=form).status_code == 303
    assert "(B)" in client.get(where).text


def test_what_is_refused_plays_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    response = commit(ana, where, LAST, "build e14 2")
    assert response.status_code == 422
    assert "Order 2:" in response.text
    assert "6 AP left" in response.text


def test_a_page_that_comes_too_late_keeps_the_draft_and_tells_what_no_longer_fits(
    app: Flask,
) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": [LAST, "token", "end"], "key": "late"}
    assert commit(ana, where, LAST, "basin i12", key="quick").status_code == 303
    response = ana.client.post(f"{where}/commit", data=late)
    assert response.status_code == 409
    assert "Somebody moved meanwhile" in response.text
    assert "laid a basin on i12" in response.text  # what happened since
    assert "This order no longer does:" in response.text
    assert drafted(ana, where) == [LAST, "token", "end"]


def test_a_late_draft_that_still_fits_is_kept_whole(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": ["token"], "add": "basin i12"}
    commit(ana, where, LAST)
    response = ana.client.post(f"{where}/draft", data=late)
    assert response.status_code == 409
    assert "still fits" in response.text
    assert drafted(ana, where) == ["token", "basin i12"]


def test_after_ones_turn_a_late_draft_becomes_a_plan(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": ["token"]}
    commit(ana, where, LAST, "end")
    response = ana.client.post(f"{where}/draft", data=late)
    assert "kept as a plan" in response.text


def test_who_has_come_to_another_seat_loses_nothing(client: Visitor) -> None:
    where = client.post("/demo").headers["Location"]
    late = {**now(client, where), "order": ["token"], "key": "late"}
    commit(client, where, "place triple e14 e16 d15", "end", key="quick")
    for path in ("draft", "commit"):
        assert client.client.post(f"{where}/{path}", data=late).status_code == 409
    assert drafted(client, where) == []


# Planning


def test_a_plan_waits_until_it_is_ones_turn(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "Plan ahead" in bo.get(where).text
    assert add(bo, where, "basin i12").status_code == 303
    assert add(bo, where, "end").status_code == 303
    assert "Commit" not in bo.get(where).text
    commit(ana, where, LAST, "end")
    page = bo.get(where).text
    assert "Commit 2 orders" in page
    assert "laid a basin on i12" in page


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


# The end


def test_the_end_is_told_with_winners_and_a_check(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    commit(ana, where, LAST, "end")
    commit(bo, where, "end")
    page = ana.get(where).text
    assert "The match is over." in page
    assert "winner" in page
    assert "Verified" in page
    assert 'id="draft"' not in page
    assert ana.post(f"{where}/commit", {"head": 9, "seat": 0, "order": "end"}).status_code == 409
    assert ana.post(f"{where}/draft", {"head": 9, "seat": 0, "order": "end"}).status_code == 422


def test_a_paused_match_can_be_looked_at_but_not_played(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    form = now(ana, where)
    with ana.services.database.session() as session:
        row = session.exec(select(models.Match)).one()
        row.status = "paused"
        session.add(row)
    assert "The match is paused." in ana.get(where).text
    assert 'id="draft"' not in ana.get(where).text
    for path in ("draft", "commit"):
        response = ana.client.post(f"{where}/{path}", data={**form, "order": [LAST]})
        assert response.status_code == 403


def test_a_form_without_its_position_is_refused(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for form in ({}, {"head": "x", "seat": "0"}, {"head": "2"}):
        assert ana.post(f"{where}/commit", {**form, "order": [LAST]}).status_code == 400
        assert ana.post(f"{where}/draft", {**form, "order": [LAST]}).status_code == 400
