"""What a service says of itself: to people, to search engines, and to devices that keep it."""

from __future__ import annotations

import re
import struct
from urllib.parse import urlsplit

import pytest
from flask import Flask

from app import create_app
from app.platform.database import Database
from app.platform.settings import Settings
from app.views.help_pages import show_match
from tests.app.browser import Visitor
from tests.app.seated import come_in


@pytest.mark.parametrize(
    ("contact", "link"),
    [
        ("ops@example.org", 'href="mailto:ops@example.org"'),
        ("https://example.org/us", 'href="https://example.org/us"'),
    ],
)
def test_whoever_runs_it_is_named_and_reached_as_they_said(
    settings: Settings, contact: str, link: str
) -> None:
    theirs = settings.model_copy(update={"operator": "Friends of the Road", "contact": contact})
    database = Database(theirs.database_url)
    page = Visitor(create_app(theirs, database)).get("/about").text
    database.close()
    assert "This service is run by Friends of the Road." in page
    assert link in page


def test_without_a_word_of_the_operator_the_pages_still_say_what_can_be_done(
    client: Visitor,
) -> None:
    assert "can be reported from its page" in client.get("/about").text
    privacy = client.get("/privacy").text
    assert "no trackers" in privacy
    assert 'href="/account#data"' in privacy
    for page in ("/", "/about", "/privacy"):
        assert 'href="/about#contact"' in client.get(page).text


def test_search_engines_find_what_is_for_everybody_and_neither_matches_nor_people(
    client: Visitor,
) -> None:
    robots = client.get("/robots.txt").text
    hidden = re.findall(r"^Disallow: (\S+)$", robots, re.MULTILINE)
    assert {"/m/", "/r/", "/players/", "/invitation", "/account"} <= set(hidden)
    where = re.search(r"^Sitemap: (\S+)$", robots, re.MULTILINE)
    assert where
    found = re.findall(r"<loc>([^<]+)</loc>", client.get(urlsplit(where[1]).path).text)
    paths = [urlsplit(one).path for one in found]
    assert {"/", "/tables", "/learn", "/help/cuzco", "/learn/inka", "/privacy"} <= set(paths)
    for path in paths:
        assert client.get(path).status_code == 200, path
        assert not path.startswith(tuple(hidden)), path


def test_a_link_to_the_home_page_tells_what_it_is(client: Visitor) -> None:
    page = client.get("/").text
    told = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page))
    assert told["og:title"] == "A turn a day, wherever you are"
    assert "slow board games" in told["description"]
    with client.client.get(urlsplit(told["og:image"]).path) as picture:
        assert picture.content_type == "image/png"


def test_the_turn_by_mail_on_the_home_page_could_be_played_on_its_board(client: Visitor) -> None:
    paper = client.get("/").text.partition('class="paper"')[2]
    order, board = re.search(r"<code>(.*?)</code>.*?/games/(\w+)/", paper, re.DOTALL).groups()  # type: ignore[union-attr]  # it is there
    match = show_match(board)
    (seat,) = match.game.to_act(match.state)
    assert match.game.parse(seat, order) in match.game.legal(match.state, seat)


def test_a_device_can_install_it(client: Visitor) -> None:
    manifest = client.get("/manifest.webmanifest").json
    assert manifest
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        with client.client.get(icon["src"]) as file:
            assert file.status_code == 200
            if icon["type"] == "image/png":
                size = struct.unpack(">II", file.data[16:24])
                assert "{}x{}".format(*size) == icon["sizes"]
    assert client.get("/worker.js").content_type.startswith("text/javascript")


def test_what_a_device_shows_without_a_connection_names_nobody(app: Flask) -> None:
    ana = come_in(app, "ana@example.org", "Mariana")
    assert "Mariana" in ana.get("/about").text
    assert "Mariana" not in ana.get("/offline").text
