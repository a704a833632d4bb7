"""The analysis board: any position of a match, a lesson or a puzzle, played on for all seats; its address holds everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from flask import Blueprint, Response, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.eventstore.store import load_match
from app.http.error_handlers import STATUS
from app.http.rate_limits import WRITING, limiter, payer
from app.http.turn_addresses import TurnAddresses
from app.learning.analysis import (
    Followed,
    Root,
    compare_lines,
    find_root,
    follow_line,
    load_root,
    open_book,
    say_unit,
    show_table,
    weigh_line,
)
from app.learning.notebook import Notebook, pack_notebook, read_notebook
from app.platform.errors import LineRefused, Refused
from app.platform.services import current_services
from app.web.composing import (
    orders_of_address,
    orders_of_form,
    position_brings,
    position_choices,
    position_draft,
    position_page,
)
from app.web.match import check_id, place

bp = Blueprint("analysis", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
Page = tuple[str, int]
View = TypeVar("View", bound=Callable[..., Any])
ROOTS = ("/m/<match_id>/analysis/<int:pos>", "/analysis/<kind>/<key>/<name>")


def route(rest: str = "", method: str = "GET") -> Callable[[View], View]:
    """An address below every position that can be analysed."""

    def add(view: View) -> View:
        for root in ROOTS:
            bp.add_url_rule(root + rest, view.__name__, view, methods=[method])
        return view

    return add


@dataclass(frozen=True, slots=True)
class Bench:
    """What a request is about: where the analysis begins, what its address holds, and the line as far as it goes."""

    values: dict[str, Any]
    root: Root
    book: Notebook
    followed: Followed

    def to(self, endpoint: str, book: Notebook, orders: list[str] | None = None) -> str:
        """An address of this analysis with another notebook."""
        packed = pack_notebook(book) or None
        return url_for(f".{endpoint}", **self.values, a=packed, order=orders or [])

    def at(self, *line: str) -> str:
        """The page with another line on the board."""
        return self.to("show", self.book.at(line))

    def dropping(self, number: int) -> str:
        return url_for(".drop", **self.values, n=number, a=self.kept or None)

    @property
    def keeping(self) -> str:
        return url_for(".keep", **self.values)

    @property
    def kept(self) -> str:
        return pack_notebook(self.book)

    @property
    def origin(self) -> str:
        """The page that this began on."""
        if "match_id" in self.values:
            return url_for("history.position", **self.values)
        kind, key, name = (self.values[part] for part in ("kind", "key", "name"))
        if kind == "rules":
            return url_for("help.game", key=key)
        return url_for("learn.show" if kind == "lesson" else "puzzles.show", key=key, name=name)

    def addresses(self, orders: list[str]) -> TurnAddresses:
        return TurnAddresses(
            turn=self.to("show", self.book, orders),
            parts=self.to("parts", self.book, orders),
            draft=self.to("draft", self.book),
            commit=self.to("commit", self.book),
            choices=self.to("choices", self.book, orders),
            brings=self.to("brings", self.book, orders),
            orders=tuple(orders),
            fields=(("a", self.kept),) if self.kept else (),
        )


def open_bench(values: dict[str, Any]) -> Bench:
    """Opens what the address names; a line that does not fit here goes as far as it can."""
    book = read_notebook(request.args.get("a", ""))
    if "match_id" in values:
        with current_services().database.look() as session:
            here = place(session, values["match_id"])
            root = load_root(session, here, values["pos"], book.eyes)
    else:
        root, book = find_root(**values), open_book(book, **values)
    return Bench(values, root, book, follow_line(root, book.line))


def bench_page(
    bench: Bench,
    orders: list[str],
    *,
    problem: Refused | None = None,
    typed: str = "",
    confirm: str | None = None,
) -> str:
    table, root = show_table(bench.followed), bench.root
    over = table.match.over
    return position_page(
        "analysis/board.html",
        table,
        bench.addresses([] if over else orders),
        problem=problem or bench.followed.problem,
        typed=typed or request.args.get("verb", ""),
        confirm=confirm,
        play=not over,
        free=True,
        bench=bench,
        lines=compare_lines(root, bench.book),
        present=weigh_line(root, bench.followed.orders),
        unit=say_unit(root) if root.rated else "",
        share=current_services().settings.base_url + bench.to("show", bench.book, orders),
        where=_("Analysis"),
        links=((bench.origin, _("Where it began")),),
    )


@route()
def show(**values: Any) -> str:
    """The table after the line of the address, with the draft that it carries too."""
    return bench_page(open_bench(values), orders_of_address())


@bp.get("/m/<match_id>/analysis")
def newest(match_id: str) -> BaseResponse:
    """The newest position of a match."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        head = load_match(session.connection(), here.match_id).head
    return redirect(url_for(".show", match_id=match_id, pos=head), 303)


@route("/parts")
def parts(**values: Any) -> str:
    return bench_page(open_bench(values), orders_of_address())


@route("/choices")
def choices(**values: Any) -> Response:
    return position_choices(show_table(open_bench(values).followed))


@route("/brings")
def brings(**values: Any) -> Response:
    return position_brings(show_table(open_bench(values).followed))


@route("/keep")
def keep(**values: Any) -> BaseResponse:
    """The address with the line on the board kept, under a note."""
    bench = open_bench(values)
    line = follow_line(bench.root, [*bench.followed.orders, *orders_of_address()]).orders
    book = bench.book.at(line).keeping(request.args.get("note", ""))
    return redirect(bench.to("show", book), 303)


@route("/drop/<int:n>")
def drop(n: int, **values: Any) -> BaseResponse:
    """The address without one of the kept lines."""
    bench = open_bench(values)
    return redirect(bench.to("show", bench.book.without(n)), 303)


@route("/draft", "POST")
def draft(**values: Any) -> BaseResponse | Page:
    bench = open_bench(values)
    return position_draft(show_table(bench.followed), partial(bench_page, bench), bench.addresses)


@route("/commit", "POST")
def commit(**values: Any) -> BaseResponse | Page:
    """Plays the draft here, for good as far as this address goes."""
    bench, orders = open_bench(values), orders_of_form()
    done = bench.followed.orders
    followed = follow_line(bench.root, [*done, *orders])
    if followed.problem:
        cause, line = followed.problem.cause, followed.problem.line - len(done)
        problem = LineRefused(line, cause)
        return bench_page(bench, orders, problem=problem), STATUS[problem.code]
    return redirect(bench.to("show", bench.book.at(followed.orders)), 303)
