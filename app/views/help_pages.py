"""The rules of a game as a page: its Markdown, with the example positions drawn."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from app.platform.i18n import translate_sentence
from app.views.board_pictures import BOX, close_up_board
from app.views.scenes import ROOT
from engine.core.game import Game
from engine.core.manual import manual
from engine.core.match import Match, act, start, start_at
from engine.core.refusal import Unknown
from engine.core.registry import find, games
from engine.core.sentence import Sentence, say

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

POSITION = re.compile(r"^```position (\w+)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
PICTURE, CLOSE = "board:", "close:"  # the whole board, or where something lies on it
SHOWN_SEED, SHOWN_ORDERS = 0, 220


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the rules under one heading; what stands before the first has none. The slug is the same in all languages."""

    slug: str
    heading: str
    page: Markup
    blocks: tuple[tuple[str, str], ...]  # where each paragraph, item and row is, and its words


@dataclass(frozen=True, slots=True)
class Found:
    """Where words were found that somebody looked for."""

    chapter: Chapter
    at: str
    words: str


MOST_FOUND = 40
WHOLE = "all"  # the address of the rules on one page


@cache
def list_chapters(key: str, language: str) -> tuple[Chapter, ...]:
    """The rules of a game, chapter by chapter."""
    text, md = manual(find(key), language), markdown()
    env = {"game": key, "language": language, "positions": dict(POSITION.findall(text))}
    tokens = md.parse(POSITION.sub("", text))
    blocks = number_blocks(tokens)
    found = []
    for number, part in enumerate(split_chapters(tokens)):
        heading = part[1].content if number else ""
        slug = anchor(heading) if language == ENGLISH else ""
        ids = {str(token.attrGet("id")) for token in part}
        page = Markup(md.renderer.render(list(part), md.options, env))  # noqa: S704 - made below, HTML in it is text
        own = tuple((id_, words) for id_, words in blocks if id_ in ids)
        found.append(Chapter(slug, heading, page, own))
    if language == ENGLISH:
        return tuple(found)
    english = list_chapters(key, ENGLISH)
    return tuple(replace(one, slug=other.slug) for one, other in zip(found, english, strict=True))


ENGLISH = "en"
BLOCKS = ("paragraph_open", "list_item_open", "tr_open")
# What is no word; marks around words have no content.
PLAIN = {"softbreak": " ", "hardbreak": " ", "image": ""}


def split_chapters(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    starts = [
        n for n, token in enumerate(tokens) if (token.type, token.tag) == ("heading_open", "h2")
    ]
    return [tokens[a:b] for a, b in pairwise([0, *starts, len(tokens)])]


def number_blocks(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Gives every paragraph, item and row an address of its own: the same in all languages, for they run parallel."""
    found = list[tuple[str, str]]()
    for token, before in zip(tokens, (None, *tokens), strict=False):
        if before is not None and before.type == "heading_open":
            continue
        if token.type in BLOCKS and not token.hidden:
            found.append((f"p{len(found) + 1}", ""))
            token.attrSet("id", found[-1][0])
        elif token.type == "inline" and found:
            id_, words = found[-1]
            found[-1] = (id_, f"{words} {plain_words(token)}".strip())
    return found


def plain_words(token: Token) -> str:
    return "".join(PLAIN.get(one.type, one.content) for one in token.children or ())


@cache
def render_help_page(key: str, language: str) -> Markup:
    """The help of a game as HTML, all on one page."""
    return Markup("").join(chapter.page for chapter in list_chapters(key, language))


@cache
def list_help_contents(key: str, language: str) -> tuple[tuple[str, str], ...]:
    """The headings of a game's help: where they are and what they say."""
    return tuple(
        (anchor(one.heading), one.heading) for one in list_chapters(key, language) if one.heading
    )


def find_chapter(key: str, slug: str, language: str) -> int:
    """The number of a chapter by its address."""
    slugs = [one.slug for one in list_chapters(key, language)]
    if slug not in slugs[1:]:
        raise Unknown(say("There is no such chapter."))
    return slugs.index(slug)


def search_rules(key: str, language: str, query: str) -> list[Found]:
    """The paragraphs in which all words of a query begin a word, whatever their accents."""
    wanted = plain_letters(query).split()
    if not wanted:
        return []
    found = [
        Found(chapter, at, words)
        for chapter in list_chapters(key, language)
        for at, words in chapter.blocks
        if all(f" {word}" in f" {plain_letters(words)}" for word in wanted)
    ]
    return found[:MOST_FOUND]


def plain_letters(words: str) -> str:
    plain = unicodedata.normalize("NFKD", words.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9+]+", " ", plain)


# Clauses


@cache
def list_clauses(key: str) -> dict[str, str]:
    """The paragraph that states each clause by which refusals name the rules."""
    game = find(key)
    words: dict[str, str] = {}
    for home in filter(None, (game.parent, game.key)):
        file = files(f"engine.{home}").joinpath("clauses.toml")
        if file.is_file():
            words |= tomllib.loads(file.read_text(encoding="utf-8"))
    blocks = [block for chapter in list_chapters(key, ENGLISH) for block in chapter.blocks]
    places = ((clause, find_words(blocks, told)) for clause, told in words.items())
    return {clause: at for clause, at in places if at}


def link_clause(key: str, rule: str | None, base: str) -> dict[str, str] | None:
    """A clause and its full address, for a mail; none that the rules do not state."""
    stated = rule is not None and rule in list_clauses(key)
    return {"name": rule, "url": f"{base}/help/{key}/rule/{rule}"} if rule and stated else None


def find_words(blocks: Sequence[tuple[str, str]], told: str) -> str | None:
    wanted = plain_letters(told)
    return next((at for at, words in blocks if wanted in plain_letters(words)), None)


def find_clause(key: str, clause: str, language: str) -> tuple[str, str]:
    """The chapter and paragraph of a clause; where none states it, the beginning."""
    at = list_clauses(key).get(clause)
    for chapter in list_chapters(key, language):
        if at and chapter.slug and at in [id_ for id_, _ in chapter.blocks]:
            return chapter.slug, at
    raise Unknown(say("No chapter states this rule."))


# Pictures and examples


def find_position(key: str, name: str, language: str) -> Match:
    """The position of an example."""
    position = dict(POSITION.findall(manual(find(key), language))).get(name)
    if position is None:
        raise Unknown(say("There is no such position."))
    return start_at(find(key), json.loads(position), "help", f"rules {key} {name}")


@cache
def list_example_orders(key: str, name: str) -> tuple[str, ...]:
    """The orders that the rules play in an example."""
    fence = re.compile(rf"^```orders {re.escape(name)}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    found = fence.search(manual(find(key), ENGLISH))
    return tuple(found[1].split("\n")[:-1]) if found else ()


@lru_cache(maxsize=100)
def draw_example(key: str, kind: str, name: str, language: str) -> Markup:
    """The picture of an example, as large as it is or close up."""
    svg = str(picture(find_position(key, name, language), language))
    return Markup(close_up_board(svg) if kind == CLOSE.strip(":") else svg)  # noqa: S704 - drawn by the engine alone


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


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that lies on the table, drawn: what it is called, and what there is to say of it."""

    name: Sentence | str
    svg: Markup
    text: Sentence | None = None
    box: str = "-40 -40 80 80"  # as large as a place


@dataclass(frozen=True, slots=True)
class Things:
    """The cards of a game, what is laid and done on its board, and what that shows. `style` paints them, under the class `look`."""

    cards: tuple[Thing, ...]
    pieces: tuple[Thing, ...]
    symbols: tuple[Thing, ...]
    look: str
    style: Markup


LARGE = "-75 -75 150 150"  # pieces that lie on several places
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


@cache
def list_things(key: str) -> Things:
    """Every card of a game, every piece and tool that its board is played with, and every sign on it."""
    match = show_match(key)
    game, seat = match.game, match.game.to_act(match.state)[0]
    fresh = game.imagine(match.state, seat)
    view = game.view(match.state if fresh is None else fresh, seat)
    board, drawn = game.render(view, str), list[Thing]()
    for tool in game.tools(view).values():
        if tool.icon:
            drawn.append(Thing(tool.label, Markup(tool.icon)))  # noqa: S704 - drawn by the engine alone
    for name, svg in game.pieces(view).items():
        drawn.append(Thing(name, Markup(svg), box=LARGE))  # noqa: S704 - drawn by the engine alone
    style, look = STYLE.search(board), ROOT.match(board)
    return Things(
        cards=tuple(
            Thing(card.name, Markup(card.picture), card.text)  # noqa: S704 - drawn by the engine alone
            for card in game.cards.values()
        ),
        pieces=tuple(drawn),
        symbols=tuple(
            Thing(one.name, Markup(one.svg), box=one.box)  # noqa: S704 - drawn by the engine alone
            for one in game.symbols(view)
        ),
        look=look[1] if look else "",
        style=Markup(style[0] if style else ""),  # noqa: S704 - drawn by the engine alone
    )


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
    kind, _, name = source.partition(":")
    if name not in env["positions"]:
        return str(escape(words))
    game, language = env["game"], env["language"]
    box = BOX.search(draw_example(game, kind, name, language))
    wide, high = (round(float(one)) for one in box.groups()[2:]) if box else (0, 0)
    return (
        f'<span class="figure board"><img src="/help/{game}/picture/{kind}/{name}/{language}.svg" alt="{escape(words)}" '
        f'loading="lazy" width="{wide}" height="{high}"><span class="caption">{escape(words)} · '
        f'<a class="try" href="/analysis/rules/{game}/{name}">{escape(translate_sentence(TRY, language=language))}</a></span></span>'
    )


TRY = say("Play with it")


def orders(_self: RendererHTML, tokens: Sequence[Token], number: int, *_: Any) -> str:
    return f'<pre class="orders"><code>{escape(tokens[number].content)}</code></pre>'


def heading(_self: RendererHTML, tokens: Sequence[Token], number: int, *_: Any) -> str:
    tag, words = tokens[number].tag, tokens[number + 1].content
    return f'<{tag} id="{anchor(words)}">'


def anchor(words: str) -> str:
    """A heading as a part of an address."""
    plain = unicodedata.normalize("NFKD", words.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
