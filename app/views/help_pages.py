"""The rules of a game as a page: its Markdown, with the example positions drawn."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from app.platform.i18n import translate_sentence
from app.views.board_pictures import close_up_board
from engine.core.game import Game
from engine.core.manual import manual
from engine.core.match import Match, act, start, start_at
from engine.core.registry import find, games

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

POSITION = re.compile(r"^```position (\w+)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
PICTURE, CLOSE = "board:", "close:"  # the whole board, or where something lies on it
SHOWN_SEED, SHOWN_ORDERS = 0, 220


@cache
def render_help_page(key: str, language: str) -> Markup:
    """The help of a game as HTML."""
    text = manual(find(key), language)
    env = {"game": key, "language": language, "positions": dict(POSITION.findall(text))}
    return Markup(markdown().render(POSITION.sub("", text), env))  # noqa: S704 - made below, HTML in it is text


@cache
def list_help_contents(key: str, language: str) -> tuple[tuple[str, str], ...]:
    """The headings of a game's help: where they are and what they say."""
    tokens = markdown().parse(manual(find(key), language))
    said = [
        inline.content
        for mark, inline in pairwise(tokens)
        if (mark.type, mark.tag) == ("heading_open", "h2")
    ]
    return tuple((anchor(heading), heading) for heading in said)


@dataclass(frozen=True, slots=True)
class Showcase:
    """A game as visitors are told of it: in a few words of its own rules, for how many, and how long it takes."""

    key: str
    name: str
    seats: range
    turns: tuple[int, int] | None
    words: str


@cache
def list_showcases(language: str) -> tuple[Showcase, ...]:
    """Every game in a few words: the first paragraph of its help."""
    return tuple(
        Showcase(game.key, game.name, game.seats, game.turns, first_paragraph(game, language))
        for game in games().values()
    )


def first_paragraph(game: Game, language: str) -> str:
    tokens = markdown().parse(manual(game, language))
    told = (
        inline.content
        for mark, inline in pairwise(tokens)
        if (mark.type, inline.type) == ("paragraph_open", "inline")
    )
    return next(told, "").replace("\n", " ")


@cache
def draw_showpiece(key: str, language: str) -> Markup:
    """The board of a game that is well under way."""
    return picture(show_match(key), language)


@cache
def show_match(key: str) -> Match:
    """A match played by chance, short of its end; always the same."""
    game, dice = find(key), Random(SHOWN_SEED)  # noqa: S311 - for a picture
    match = start(game, game.seats[-1], {}, "showpiece")
    for _ in range(SHOWN_ORDERS):
        kinds: dict[str, list[Any]] = {}
        for action in game.legal(match.state, game.to_act(match.state)[0]):
            kinds.setdefault(type(action).__name__, []).append(action)
        # First the kind: tiles can be laid in hundreds of ways, and nothing else would ever happen.
        later = act(match, dice.choice(kinds[dice.choice(sorted(kinds))]))
        if later.over:
            break
        match = later
    return match


def picture(match: Match, language: str) -> Markup:
    """The board as everybody may see it."""
    game, speak = match.game, partial(translate_sentence, language=language)
    return Markup(game.render(game.view(match.state, None), speak))  # noqa: S704 - drawn by the engine alone


# Markdown


@cache
def markdown() -> MarkdownIt:
    """Markdown with tables and without HTML; what Chasqui's help adds is below."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most starts show no help

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    # These are no addresses that a browser could follow: only pictures of ours begin so.
    made.validateLink = lambda url: url.startswith((PICTURE, CLOSE, "https://", "#"))  # type: ignore[method-assign]
    made.add_render_rule("image", draw)
    made.add_render_rule("fence", orders)
    made.add_render_rule("heading_open", heading)
    made.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>')
    made.add_render_rule("table_close", lambda *_: "</table></div>")
    return made


def draw(_self: RendererHTML, tokens: Sequence[Token], number: int, _options: Any, env: Any) -> str:
    """A picture is a position, drawn; anything else is left out."""
    source, words = str(tokens[number].attrs.get("src", "")), tokens[number].content
    position = env["positions"].get(source.removeprefix(PICTURE).removeprefix(CLOSE))
    if position is None:
        return str(escape(words))
    match = start_at(find(env["game"]), json.loads(position), "help")
    svg = str(picture(match, env["language"]))
    if source.startswith(CLOSE):
        svg = close_up_board(svg)
    return f'<span class="figure board">{svg}<span class="caption">{escape(words)}</span></span>'


def orders(_self: RendererHTML, tokens: Sequence[Token], number: int, *_: Any) -> str:
    return f'<pre class="orders"><code>{escape(tokens[number].content)}</code></pre>'


def heading(_self: RendererHTML, tokens: Sequence[Token], number: int, *_: Any) -> str:
    tag, words = tokens[number].tag, tokens[number + 1].content
    return f'<{tag} id="{anchor(words)}">'


def anchor(words: str) -> str:
    """A heading as a part of an address."""
    plain = unicodedata.normalize("NFKD", words.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
