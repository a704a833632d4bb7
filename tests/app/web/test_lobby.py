"""Tables: opening one, inviting, coming in by a link, leaving, and the demo."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from app.platform import tables
from engine.core.registry import games
from tests.app.browser import Visitor, letters
from tests.app.seated import come_in, links

TWO = {"seat0": "me", "seat1": "open", "game": "cuzco"}


def opened(visitor: Visitor, **form: Any) -> str:
    """The address of a new table."""
    response = visitor.post("/tables/new", {**TWO, **form})
    assert response.status_code == 303, response.text
    return str(response.headers["Location"])


def invitation(visitor: Visitor, email: str) -> str:
    """The path of the link in the last mail to an address."""
    text = letters(visitor.services, email)[-1].text
    found = re.search(r"https?://[^\s/]+(/invitation/\S+)", text)
    assert found, text
    return found[1]


def share_link(visitor: Visitor, where: str) -> str:
    found = re.search(r'value="https?://[^/"]+(/invitation/[^"]+)"', visitor.get(where).text)
    assert found
    return found[1]


# Opening


def test_a_table_waits_until_everybody_is_there(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = opened(ana, title="Rainy days", public="yes")
    assert "The match begins when every seat is taken." in ana.get(where).text
    assert "Rainy days" in bo.get("/tables").text
    assert bo.post(f"{where}/join").status_code == 303
    assert "It is your turn." in ana.get(where).text + bo.get(where).text
    page = Visitor(app).get("/tables").text
    assert "No table has an open seat" in page
    assert "Rainy days" in page[page.index("Matches to watch") :]


def test_every_registered_game_can_be_opened_with_its_options(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    for key in ("cuzco", "java"):
        page = ana.get(f"/tables/new?game={key}").text
        assert (
            "In a festival even those with only one possible answer are asked, so that silence tells nothing."
            in page
        )
        where = opened(ana, game=key, seat1="me", seat2="me", options=["ask_everyone"])
        with ana.services.database.look() as session:
            row = session.get_one(tables.Match, where.rpartition("/")[2])
        assert row.game == key
        assert row.options["ask_everyone"] is True
        assert row.seats == 3


def test_an_option_that_is_a_number_is_asked_for_and_told(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    assert (
        'name="option_round_limit" type="number" value="60"'
        in ana.get("/tables/new?game=inka").text
    )
    numbers = {"option_round_limit": "12", "option_board": "1"}
    where = opened(ana, game="inka", **numbers, options=["fresh_blockade"])
    with ana.services.database.look() as session:
        row = session.get_one(tables.Match, where.rpartition("/")[2])
    flags = {"start_seat_first": False, "fresh_blockade": True}
    assert row.options == {"round_limit": 12, **flags, "board": 1}
    page = ana.get(where).text
    assert "Rounds at most: 12" in page
    assert "when the most statues win." in page
    assert "Hall: the first hall" in page


@pytest.mark.parametrize("key", list(games()))
def test_every_option_has_a_name_a_sentence_and_a_recommendation(app: Flask, key: str) -> None:
    page = unescape(come_in(app, "ana@example.org").get(f"/tables/new?game={key}").text)
    for name, option in games()[key].options.items():
        assert option.title, name
        assert option.title.template in page
        assert option.help in page
        if option.limits and option.limits[1] - option.limits[0] < 3:
            assert set(option.named) == {*range(option.limits[0], option.limits[1] + 1)}
    assert page.count("ecommended") > len(games()[key].options)


def test_options_are_named_in_the_readers_language(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    ana.post("/language", {"language": "fr"})
    page = ana.get("/tables/new?game=inka").text
    assert "la salle élargie (recommandé)" in page
    assert "Conseillé\u00a0: 60." in page


@pytest.mark.parametrize("number", ["0", "1000", "many", "", "9" * 40, "٣"])
def test_a_number_that_an_option_cannot_have_is_refused_in_words(app: Flask, number: str) -> None:
    ana = come_in(app, "ana@example.org")
    form = {**TWO, "game": "inka", "option_round_limit": number}
    page = ana.post("/tables/new", form)
    assert page.status_code == 404
    assert "a whole number from 1 to 999" in page.text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"seat1": "none"}, "is for 2 to 4 seats"),
        ({"seat1": "invite", "email1": "nobody"}, "no mail address"),
        ({"hours": "0"}, "whole numbers from 1"),
        ({"hours": "soon"}, "whole numbers from 1"),
        ({"reminders": "1 2 3 4 5 6 7 8"}, "at most 7"),
        ({"on_timeout": "explode"}, "on_timeout"),
        ({"title": "x" * 81}, "81 letters"),
        ({"title": "a\u202eb"}, "cannot be shown"),
    ],
)
def test_what_cannot_be_is_told_above_the_form_as_it_was_filled_in(
    app: Flask, form: dict[str, str], words: str
) -> None:
    ana = come_in(app, "ana@example.org")
    response = ana.post("/tables/new", {**TWO, "title": "My table", **form})
    assert 400 <= response.status_code < 500
    assert words in response.text
    assert form.get("title", "My table") in response.text
    with ana.services.database.look() as session:
        assert session.exec(select(tables.Match)).all() == []


def test_the_pace_is_kept(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    pace = {
        "hours": "72",
        "bank_hours": "0",
        "reminders": "12 2",
        "on_timeout": "moderator",
        "days_off": ["5", "6"],
    }
    where = opened(ana, **pace)
    with ana.services.database.look() as session:
        row = session.get_one(tables.Match, where.rpartition("/")[2])
    assert row.pace == {
        "hours": 72,
        "bank_hours": 0,
        "reminders": [12, 2],
        "on_timeout": "moderator",
        "days_off": [5, 6],
    }


# Coming in


def test_an_invitation_opens_the_seat_by_its_button_only(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana, seat1="invite", email1="Bo@Example.org", title="For two")
    link = invitation(ana, "bo@example.org")
    bo = come_in(app, "bob@elsewhere.org")  # another address: the link is what counts
    clean = bo.get(link)
    assert clean.headers["Location"] == "/invitation"
    assert "Take the seat" in bo.get("/invitation").text
    assert "invited, not here yet" in ana.get(where).text  # looking took nothing
    assert bo.post("/invitation").headers["Location"] == where
    assert bo.get(where).status_code == 200
    assert come_in(app, "cy@example.org").follow(link).status_code == 404  # used


def test_who_is_invited_by_address_finds_the_table_without_the_link(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = opened(ana, seat1="invite", email1="bo@example.org", title="For two")
    assert "A seat is kept for you" in bo.get("/tables").text
    assert "For two" not in come_in(app, "cy@example.org").get("/tables").text
    assert bo.post(f"{where}/join").status_code == 303
    assert bo.get(where).status_code == 200


def test_a_private_table_has_a_link_to_hand_on(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = opened(ana, title="Hidden")
    assert bo.get(where).status_code == 404
    assert "Hidden" not in bo.get("/tables").text
    link = share_link(ana, where)
    bo.get(link)
    assert "Hidden" in bo.get("/invitation").text
    assert bo.post("/invitation").status_code == 303
    assert bo.get(where).status_code == 200


def test_a_made_up_link_opens_nothing(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    one, other = opened(ana, title="One"), opened(ana, title="Other")
    genuine = share_link(ana, one)
    wrong = genuine.rpartition("/")[2].partition(".")[2]
    forged = share_link(ana, other).rpartition("/")[2].partition(".")[0] + "." + wrong
    for token in (forged, "x", "x" * 43, wrong):
        bo.get(f"/invitation/{token}")
        assert bo.get("/invitation").status_code == 404
        assert bo.post("/invitation").status_code == 404


def test_without_an_account_a_link_leads_to_signing_in_and_back(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana)
    nobody = Visitor(app)
    nobody.get(share_link(ana, where))
    page = nobody.get("/invitation").text
    assert "/sign-in?next=/invitation" in links(page)
    nobody.sign_in("new@example.org", "/invitation")
    assert nobody.post("/invitation").headers["Location"] == where


def test_nobody_sits_twice_and_full_is_full(app: Flask) -> None:
    ana, bo, cy = (come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy"))
    where = opened(ana, public="yes")
    assert ana.post(f"{where}/join").status_code == 403
    assert bo.post(f"{where}/join").status_code == 303
    assert cy.post(f"{where}/join").status_code == 403


def test_who_leaves_gives_the_seat_back(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = opened(ana, seat2="open", public="yes")
    bo.post(f"{where}/join")
    assert bo.post(f"{where}/leave").status_code == 303
    assert ana.get(where).text.count("open seat") >= 2
    assert ana.post(f"{where}/leave").status_code == 303
    assert "This table is closed." in ana.get(where).text


# Guests and the demo


@pytest.mark.parametrize(
    ("against", "sign"), [("bot", "Steady (bot)"), ("myself", "You play every seat")]
)
def test_the_demo_is_one_press_away(client: Visitor, against: str, sign: str) -> None:
    where = client.post("/demo", {"against": against}).headers["Location"]
    page = client.get(where).text
    assert sign in page
    assert "6 AP left" in page


@pytest.mark.parametrize("game", games())
def test_the_rules_of_a_game_lead_to_its_demo(client: Visitor, game: str) -> None:
    page = client.get(f"/help/{game}").text
    assert f'name="game" value="{game}"' in page
    where = client.post("/demo", {"game": game}).headers["Location"]
    assert f"/help/{game}" in client.get(where).text


def test_no_guest_comes_for_the_demo_of_no_game(client: Visitor) -> None:
    refused = client.post("/demo", {"game": "chess"})
    assert refused.status_code == 404
    assert "chess" in refused.text
    assert "Sign in" in client.get("/").text


def test_guests_play_alone(app: Flask, client: Visitor) -> None:
    ana = come_in(app, "ana@example.org")
    public, hidden = opened(ana, public="yes"), opened(ana)
    client.post("/demo")
    assert client.post(f"{public}/join").status_code == 403
    client.get(share_link(ana, hidden))
    assert client.post("/invitation").status_code == 403
    assert client.post("/tables/new", TWO).status_code == 403
    assert client.post("/tables/new", {**TWO, "seat1": "me"}).status_code == 303


# Lists


def test_the_lobby_tells_where_it_is_my_turn_first(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    for title in ("First", "Second", "Third"):
        where = opened(ana, public="yes", title=title)
        bo.post(f"{where}/join")
    for visitor in (ana, bo):
        page = visitor.get("/matches").text
        assert page.count("your turn") + page.count("waiting for") == 3
        states = re.findall(r"your turn|waiting for", page)
        assert states == sorted(states, reverse=True)


def test_long_lists_have_pages(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    for number in range(21):
        opened(ana, title=f"Number {number}", public="yes")
    stranger = Visitor(app)
    assert "Number 0<" not in stranger.get("/tables").text
    assert "Number 0<" in stranger.get("/tables?page=2").text
    for page in ("0", "-1", "x", "999999999"):
        assert stranger.get(f"/tables?page={page}").status_code == 200


# Around the waiting room


def test_whoever_is_invited_and_new_need_only_say_their_name(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana, seat1="invite", email1="bo@example.org")
    link, bo = invitation(ana, "bo@example.org"), Visitor(app)
    bo.get(link)
    assert "What shall we call you?" in bo.get("/invitation").text
    wrong = bo.post("/invitation/enter", {"name": "!", "timezone": "Europe/Paris"})
    assert wrong.status_code == 400
    assert "at least one letter" in wrong.text
    assert (
        bo.post("/invitation/enter", {"name": "Bo", "timezone": "Europe/Paris"}).headers["Location"]
        == where
    )
    assert bo.get(where).status_code == 200
    with ana.services.database.look() as session:
        player = session.exec(select(tables.Player).where(tables.Player.name == "Bo")).one()
    assert (player.email, player.timezone, player.guest) == (
        "bo@example.org",
        "Europe/Paris",
        False,
    )


def test_an_invitation_lets_nobody_into_an_account_that_there_is(app: Flask) -> None:
    ana, _ = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    opened(ana, seat1="invite", email1="bo@example.org")
    link, thief = invitation(ana, "bo@example.org"), Visitor(app)
    thief.get(link)
    assert "What shall we call you?" not in thief.get("/invitation").text
    assert thief.post("/invitation/enter", {"name": "Bo"}).status_code == 403


def test_a_link_that_was_mailed_to_nobody_makes_no_account(app: Flask) -> None:
    """Whoever hands a table's link on would otherwise let others in without an address."""
    ana = come_in(app, "ana@example.org")
    where = opened(ana, public="yes")
    stranger = Visitor(app)
    stranger.get(share_link(ana, where))
    assert stranger.post("/invitation/enter", {"name": "Eve"}).status_code == 403
    assert "Sign in" in stranger.get("/").text
    with ana.services.database.look() as session:
        assert [player.email for player in session.exec(select(tables.Player))] == [
            "ana@example.org"
        ]


def test_whoever_opened_a_table_changes_its_seats(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = opened(ana, seat1="invite", email1="typo@example.org", seat2="open", public="yes")
    assert "typo@example.org" in ana.get(where).text
    assert "typo@example.org" not in bo.get(where).text
    assert bo.post(f"{where}/seat/1", {"wish": "open"}).status_code == 403
    ana.post(f"{where}/seat/1", {"wish": "invite", "email": "right@example.org"})
    assert letters(ana.services, "right@example.org")
    assert "typo@example.org" not in ana.get(where).text
    ana.post(f"{where}/seat/1", {"wish": "none"})
    assert bo.post(f"{where}/talk", {"text": "may I?"}).status_code == 403
    assert "open seat" in ana.get(where).text
    assert ana.post(f"{where}/seat/1", {"wish": "bot:steady"}).status_code == 303
    with ana.services.database.look() as session:
        row = session.get_one(tables.Match, where.rpartition("/")[2])
    assert (row.status, row.seats) == ("running", 2)


def test_a_seat_that_cannot_be_changed_so_says_it_there_as_it_was_filled_in(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    where = opened(ana, seat1="invite", email1="bo@example.org", seat2="open")
    answer = ana.post(f"{where}/seat/1", {"wish": "invite", "email": "bo at work"})
    assert answer.status_code == 400
    assert 'class="change-seat" open' in answer.text
    assert 'value="bo at work"' in answer.text
    assert 'role="alert"' in answer.text.partition('class="change-seat" open')[2]


def test_presets_fill_in_the_form(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    page = ana.get("/tables/new?game=cuzco&preset=anybody&days=3&weekends=off").text
    assert re.search(r'name="public" value="yes" checked', page)
    assert 'name="hours" type="number" value="72"' in page
    assert len(re.findall(r'name="days_off" value="\d" checked', page)) == 2
    assert '<option value="bot:steady" selected' in ana.get("/tables/new?preset=bots").text


def test_another_game_keeps_the_preset_and_what_is_off_can_be_on_again(app: Flask) -> None:
    page = (
        come_in(app, "ana@example.org").get("/tables/new?preset=friends&days=2&weekends=off").text
    )
    games = page.partition('class="card game-choice"')[2].partition("</form>")[0]
    kept = [("preset", "friends"), ("days", "2"), ("weekends", "off")]
    assert re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', games) == kept
    (weekends,) = re.findall(r'href="([^"]*)" aria-current="true">Weekends off', page)
    assert "weekends" not in weekends


def test_the_lobby_is_searched_by_game_pace_and_language(app: Flask) -> None:
    ana, stranger = come_in(app, "ana@example.org"), Visitor(app)
    opened(ana, title="Swift", public="yes", hours="24", reminders="12")
    opened(ana, title="Snail", public="yes", hours="96", game="java")
    for wish, found in (("game=java", "Snail"), ("pace=fast", "Swift"), ("pace=slow", "Snail")):
        page = stranger.get(f"/tables?{wish}").text
        assert found in page
        assert ({"Swift", "Snail"} - {found}).pop() not in page
    page = stranger.get("/tables?language=fr").text
    assert "Swift" not in page
    assert "No table like that" in page
