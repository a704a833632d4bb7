"""Read model of a position: what one seat sees of it, made from one view and shared by pages, API and mails."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from app.platform.i18n import language_here, translate_sentence
from app.platform.lru_cache import LruCache
from engine.core.game import Card, Fact, Game, Ledger, Part, Question, Tool
from engine.core.match import Match
from engine.core.sentence import Sentence, say

ROOT = re.compile(r'<svg[^>]* class="([^"]*)"')
Name = tuple[str, str, int | None, str]  # match, position, seat and language


@dataclass(frozen=True)
class Scene:
    """What one seat sees of a position, in one language; each part is made when it is first asked for.

    `link` is the hash of the log up to there, or of what was thought after it: it names the position. Players are letters
    in all of it: their names are not part of the position.
    """

    match_id: str
    game: Game
    view: Any
    seat: int | None
    link: str
    language: str

    def speak(self, sentence: Sentence) -> str:
        return translate_sentence(sentence, language=self.language)

    @property
    def board(self) -> str:
        """The picture, kept by itself: it weighs a hundred times as much as the rest."""
        name = self.match_id, self.link, self.seat, self.language
        return BOARDS.get(name) or BOARDS.keep(name, self.game.render(self.view, self.speak))

    @property
    def labelled(self) -> str:
        """The picture for a page, under the name by which scripts find it."""
        name = escape(self.speak(say("Board")))
        return self.board.replace(' role="img"', f' role="img" aria-label="{name}"', 1)

    @property
    def look(self) -> str:
        """The class by which the board's style sheet knows its drawings."""
        found = ROOT.match(self.board)
        return found[1] if found else ""

    @cached_property
    def chart(self) -> str:
        """The board as text."""
        return self.game.chart(self.view, self.speak)

    @property
    def told(self) -> dict[str, Any]:
        """The view as plain values, for programs: kept by itself as the picture is, and not to be changed."""
        name = self.match_id, self.link, self.seat
        return TOLD_VIEWS.get(name) or TOLD_VIEWS.keep(name, self.game.show(self.view))

    @cached_property
    def facts(self) -> Sequence[Fact]:
        """What lies beside the board."""
        return self.game.summary(self.view)

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The headings of the seat's turn."""
        return self.game.parts(self.view)

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        return self.game.tools(self.view)

    @cached_property
    def pieces(self) -> Mapping[str, str]:
        return self.game.pieces(self.view)

    @cached_property
    def tries(self) -> Mapping[str, str]:
        """An order of each verb of a turn, to ask why it is of no use."""
        return self.game.tries(self.view)

    @cached_property
    def question(self) -> Question | None:
        return self.game.question(self.view)

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The cards that it shows, in a hand or beside the board."""
        told = {word for _, words in self.held for word in words}
        answers = self.question.answers if self.question else ()
        told.update(word for answer in answers for word in answer.cards)
        return {word: card for word, card in self.game.cards.items() if word in told}

    @cached_property
    def held(self) -> list[tuple[Sentence, list[str]]]:
        """The facts that tell of cards, with the words for them: the viewer's own hand comes first."""
        known = self.game.cards
        facts = self.facts if known else ()
        found = [(label, [card_of(thing, known) for thing in things]) for label, things in facts]
        return [(label, words) for label, some in found if (words := [*filter(None, some)])]

    @cached_property
    def ledgers(self) -> Sequence[Ledger]:
        return self.game.ledgers(self.view)

    @cached_property
    def left(self) -> Sentence | None:
        """What would be left unused if the turn ended here."""
        return self.game.left(self.view)

    @cached_property
    def coach(self) -> Sentence | None:
        """What a newcomer could do next."""
        return self.game.coach(self.view)


def card_of(thing: Sentence | str, cards: Mapping[str, Card]) -> str | None:
    """The word of the card that a fact tells of, if it tells of one."""
    word = thing if isinstance(thing, str) else thing.values.get("card")
    return word if isinstance(word, str) and word in cards else None


SCENES: LruCache[Name, Scene] = LruCache(2000)  # of some 10 kB
TOLD_VIEWS: LruCache[tuple[str, str, int | None], dict[str, Any]] = LruCache(300)  # of some 20 kB
BOARDS: LruCache[Name, str] = LruCache(28_000_000, len)  # 200 of 140 kB


def make_scene(
    match: Match, state: Any, seat: int | None, link: str, language: str | None = None
) -> Scene:
    """A position of the match as `seat` sees it, made once; in the language of the request unless one is named."""
    spoken = language or language_here()
    name = match.id, link, seat, spoken
    known = SCENES.get(name)
    if known is not None:
        return known
    view = match.game.view(state, seat)
    return SCENES.keep(name, Scene(match.id, match.game, view, seat, link, spoken))


def known_scene(match_id: str, seat: int | None, link: str) -> Scene | None:
    """A position of the match that this seat was shown lately, in this language.

    Never one of another match: a link is no secret, and that of a draft can be reckoned by whoever guesses its orders.
    """
    return SCENES.get((match_id, link, seat, language_here()))
