"""The analysis board: all seats are played, lines branch and are held side by side, and the log never hears of it."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zlib import compress

import pytest
from flask import Flask

from app.eventstore.store import load_match
from app.learning.analysis import (
    MOVES,
    Root,
    follow_line,
    open_root,
    set_up_match,
    weigh_line,
)
from app.learning.lessons import find_path
from app.learning.notebook import (
    LONGEST_ADDRESS,
    MOST_KEPT,
    KeptLine,
    Notebook,
    pack_notebook,
    read_notebook,
)
from app.learning.puzzles import find_puzzle, open_puzzle
from app.platform.errors import Refused
from engine.core.game import Game
from engine.core.match import Match
from engine.core.registry import games
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, my_id, played, seat
from tests.worlds import worlds

LAID = "place village c10"


def at_table(app: Flask, match: Match, public: bool = True) -> tuple[str, Visitor, Visitor]:
    ana, bo = (come_in(app, f"{name}@example.org") for name in ("ana", "bo"))
    return seat(ana.services, match, my_id(ana), my_id(bo), public=public), ana, bo


def board(where: str, pos: int, rest: str = "", book: Notebook | None = None) -> str:
    return f"{where}/analysis/{pos}{rest}" + (f"?a={pack_notebook(book)}" if book else "")


def book_of(address: str) -> Notebook:
    return read_notebook(parse_qs(urlsplit(address).query).get("a", [""])[0])


def legal(match: Match, count: int = 1) -> list[str]:
    """Some orders, one after the other, as whoever is asked may give them."""
    root, orders, dice = sealed(match), list[str](), Random(7)
    for _ in range(count):
        now = follow_line(root, orders).match
        asked = now.game.to_act(now.state)[0]
        some = list(now.game.legal(now.state, asked))
        orders.append(now.game.format(dice.choice(some)))
    return orders


def sealed(match: Match, seat: int | None = 0) -> Root:
    known = match.game.forget(match.state, seat)
    made = set_up_match(match.game, match.id, known, f"{match.hash} {seat}")
    return Root(made, "", {}, seat, sealed=True, rated=True)


def test_orders_are_played_for_whoever_is_asked_and_the_log_never_hears_of_it(app: Flask) -> None:
    where, ana, _ = at_table(app, late_match())
    match = load_match(ana.services.database, "latematch2")
    book = Notebook()
    for order in legal(match, 6):
        answer = ana.post(board(where, match.head, "/commit", book), {"order": [order]})
        assert answer.status_code == 303
        book = book_of(answer.headers["Location"])
        assert book.line[-1] == order
    page = unescape(ana.get(board(where, match.head, "", book)).text)
    assert "One order back" in page
    assert all(f"<code>{order}</code>" in page for order in book.line)
    assert load_match(ana.services.database, "latematch2").hash == match.hash


def test_lines_branch_are_kept_with_notes_and_stand_side_by_side(app: Flask) -> None:
    where, ana, bo = at_table(app, late_match())
    one, other = legal(late_match(), 2), legal(late_match(), 1)
    kept = ana.get(board(where, 2, "/keep", Notebook(tuple(one))), query_string=None)
    book = book_of(kept.headers["Location"])
    assert book.kept == (KeptLine(tuple(one)),)
    again = ana.get(f"{board(where, 2, '/keep', book.at(other))}&note=the+other+way")
    page = unescape(bo.get(again.headers["Location"]).text)  # whoever has the address has it all
    assert "the other way" in page
    assert "Side by side" in page
    fewer = ana.get(board(where, 2, "/drop/0", book_of(again.headers["Location"])))
    assert book_of(fewer.headers["Location"]).kept == (KeptLine(tuple(other), "the other way"),)


def test_a_draft_is_kept_with_its_line(app: Flask) -> None:
    where, ana, _ = at_table(app, late_match())
    (order,) = legal(late_match())
    kept = ana.get(f"{board(where, 2)}/keep", query_string={"order": order, "note": "so"})
    assert book_of(kept.headers["Location"]).kept == (KeptLine((order,), "so"),)


def test_what_the_rules_forbid_is_told_in_their_words(app: Flask) -> None:
    where, ana, _ = at_table(app, late_match())
    answer = ana.post(board(where, 2, "/commit"), {"order": ["gather llamas"]})
    assert answer.status_code == 400
    page = ana.get(board(where, 2, "", Notebook(("gather llamas",))))
    assert page.status_code == 200  # an address that somebody sent is shown as far as it goes
    assert "Order 1:" in page.text


def test_a_match_that_is_over_is_open_and_can_be_seen_with_the_eyes_of_then(app: Flask) -> None:
    where, ana, _ = at_table(app, played(2000, "allover222"))
    stranger = Visitor(app)
    page = unescape(stranger.get(board(where, 40)).text)
    assert "all hands are open" in page
    assert "what a bot would expect" in page
    seen = unescape(stranger.get(board(where, 40, "", Notebook(eyes=1))).text)
    assert "From what Bo knew" in seen
    head = load_match(ana.services.database, "allover222").head
    assert "Play turn" not in stranger.get(board(where, head)).text


def test_of_a_running_match_nobody_chooses_the_eyes_and_no_bot_helps(app: Flask) -> None:
    where, ana, bo = at_table(app, late_match(), public=True)
    for visitor, told in ((ana, "From what Ana knew"), (bo, "From what Bo knew")):
        page = unescape(visitor.get(board(where, 2, "", Notebook(eyes=0))).text)
        assert told in page
        assert "what a bot would expect" not in page
    page = unescape(Visitor(app).get(board(where, 2, "", Notebook(eyes=0))).text)
    assert "From what everybody can see" in page


def test_what_one_seat_was_shown_is_not_found_by_another_that_names_it(app: Flask) -> None:
    """The links of positions are no secrets: whoever guesses one learns nothing of what its page showed."""
    where, ana, bo = at_table(app, late_match())
    hers = find_link(ana.get(board(where, 2)).text)
    his = find_link(bo.get(board(where, 2)).text)
    assert hers != his
    parts = board(where, 2, "/parts")
    assert "data-changes" in ana.get(parts, headers={"X-Board": hers}).text
    assert "data-changes" not in bo.get(parts, headers={"X-Board": hers}).text
    assert "data-changes" not in bo.get(where + "/parts", headers={"X-Board": hers}).text


def find_link(page: str) -> str:
    return page.partition('data-link="')[2].partition('"')[0]


def test_a_private_match_is_analysed_by_nobody_else(app: Flask) -> None:
    where, ana, _ = at_table(app, late_match(), public=False)
    assert ana.get(board(where, 2)).status_code == 200
    cy = come_in(app, "cy@example.org")
    assert cy.get(board(where, 2)).status_code == 404
    for act in ("draft", "commit"):
        assert cy.post(board(where, 2, f"/{act}"), {"add": "end"}).status_code == 404


def test_lessons_and_puzzles_open_in_it(client: Visitor) -> None:
    lessons = [f"lesson/{key}/{find_path(key).lessons[0].key}" for key in ("cuzco", "inka")]
    for where in ("puzzle/cuzco/1", *lessons):
        page = client.get(f"/analysis/{where}")
        assert page.status_code == 200
        assert "Nothing has been played here yet" in page.text
    assert client.get("/analysis/chess/cuzco/1").status_code == 404
    order = find_puzzle("cuzco", "1").solution[0]
    done = client.post("/analysis/puzzle/cuzco/1/commit", {"order": [order]})
    assert book_of(done.headers["Location"]).line == (order,)


def test_what_is_composed_there_is_offered_and_told_as_on_a_turn_page(client: Visitor) -> None:
    where, (order, *_) = "/analysis/puzzle/cuzco/1", find_puzzle("cuzco", "1").solution
    offered = client.get(f"{where}/choices").json
    assert order in [choice[0] for choice in offered or ()]
    assert "told" in (client.get(f"{where}/brings", query_string={"order": order}).json or {})
    drafted = client.post(f"{where}/draft", {"add": order})
    assert drafted.headers["Location"].startswith(f"{where}?order=")
    parts = client.get(f"{where}/parts?order={order}", headers={"X-Board": "-"})
    assert order in unescape(parts.text)


def test_an_address_holds_a_whole_match_and_a_damaged_one_is_refused() -> None:
    match = played(2000, "allover222")
    orders = tuple(e.order for e in match.timeline.effective if e.order)[:150]
    book = Notebook(orders, (KeptLine(orders[:9], "früh ☼"),), 1)
    packed = pack_notebook(book)
    assert len(packed) < LONGEST_ADDRESS
    assert read_notebook(packed) == book
    for wrong in ("x", packed[:40], "eJw", "a" * 5000, "ü"):
        with pytest.raises(Refused):
            read_notebook(wrong)
    full = Notebook(("x",), tuple(KeptLine((str(n),)) for n in range(MOST_KEPT)))
    with pytest.raises(Refused):
        full.keeping("one more")


@pytest.mark.parametrize(
    "told",
    [
        '[["\\ud800"],[],null]',
        '[[],[["\\ud800"]],null]',
        '[[],[["a","\\ud800"]],1]',
        '[[],"ab",Infinity,0]',
        "[[],[[1]],null]",
    ],
)
def test_an_address_that_nobody_of_us_has_written_is_refused(app: Flask, told: str) -> None:
    where, _, bo = at_table(app, late_match())
    packed = urlsafe_b64encode(compress(told.encode())).decode()
    assert bo.get(f"{where}/analysis/2?a={packed}").status_code == 400


def test_eyes_that_there_cannot_be_are_nobodys(app: Flask) -> None:
    where, _, bo = at_table(app, late_match())
    for eyes in ("Infinity", "1e400", "-1", "true", '"0"'):
        packed = urlsafe_b64encode(compress(f"[[],[],{eyes}]".encode())).decode()
        assert bo.get(f"{where}/analysis/2?a={packed}").status_code == 200


def test_an_imagined_draw_is_the_same_for_everybody_who_has_the_address() -> None:
    root = open_root(open_puzzle(find_puzzle("cuzco", "1")))
    moves = [follow_line(root, ["draw pile"]).moves for _ in range(2)]
    if moves[0]:
        assert moves[0][0].imagined
        assert moves[0][0].match.hash == moves[1][0].match.hash


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("number", range(2))
def test_in_two_worlds_an_analysis_is_the_same_to_the_end_of_its_lines(
    key: str, number: int
) -> None:
    """Not only its beginning: what is drawn, revealed and played by those whose hands are unknown."""
    game = games()[key]
    found = worlds(game, game.seats[-1], number)
    for eyes in found.eyes:
        here, there = (game.forget(match.state, eyes) for match in found.matches)
        assert here == there
        mine, twin = (named(game, known, eyes) for known in (here, there))
        orders, dice = list[str](), Random(f"{key} {number}")
        for _ in range(6):
            state = follow_line(mine, orders).match.state
            if not game.to_act(state):
                break
            kinds = dict[str, list[str]]()
            for action in game.legal(state, game.to_act(state)[0]):
                kinds.setdefault(type(action).__name__, []).append(game.format(action))
            orders.append(dice.choice(kinds[dice.choice(sorted(kinds))]))
        one = told(mine, orders)
        MOVES.clear()  # it is kept by its name, which is the same here
        assert len(one) == len(orders) + 1
        assert one == told(twin, orders)
        MOVES.clear()


def named(game: Game, known: Any, eyes: int | None) -> Root:
    made = set_up_match(game, "match", known, f"{eyes}")
    return Root(made, "", {}, eyes, sealed=True, rated=True)


def told(root: Root, orders: list[str]) -> list[str]:
    """All that an analysis shows of a line."""
    followed = follow_line(root, orders)
    moves = [f"{move.order} {move.told} {move.imagined}" for move in followed.moves]
    game, state = root.match.game, followed.match.state
    pages = [game.view(state, seat) for seat in (*game.to_act(state), root.eyes)]
    shown = [(game.render(one, str), game.chart(one, str), game.summary(one)) for one in pages]
    return [*moves, f"{game.dump(state)} {shown} {weigh_line(root, orders)}"]
