"""Pictures and charts in the reader's language: all their words are said by the speaker."""

from __future__ import annotations

import re
from functools import partial
from xml.etree import ElementTree as ET

import pytest

from app.platform.i18n import translate_sentence
from engine.core.registry import games
from engine.core.sentence import Speak
from engine.cuzco.events import BidMade
from engine.cuzco.state import UNSEEN
from tests.engine.matches import whole
from tests.games.cuzco.test_render import POSITION, hexes, seen

WORD = re.compile(r"[a-z]{3,}")
FRENCH, PORTUGUESE = (
    partial(translate_sentence, language=language) for language in ("fr", "pt_BR")
)


@pytest.mark.parametrize("key", ["cuzco", "java"])
def test_nothing_is_said_but_by_the_speaker(key: str) -> None:
    match = whole(key, 2, 0)
    view = match.game.view(match.state, None)
    drawn = ET.fromstring(match.game.render(view, lambda _: "*"))  # noqa: S314 - our own picture
    told = "".join(part.text or "" for part in drawn.iter() if part.tag.endswith(("title", "desc")))
    assert WORD.findall(told) == []
    assert WORD.findall(match.game.chart(view, lambda _: "*")) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("f21", "f21\u00a0: village, niveau 2, Inca de A"),
        ("e20", "e20\u00a0: village, niveau 1, temple de 6, disque solaire"),
        ("d17", "d17\u00a0: culture, niveau 1, 2 PA pour entrer ou sortir"),
        ("j15", "j15\u00a0: nu"),
    ],
)
def test_a_hex_is_told_in_french(name: str, words: str) -> None:
    svg = games()["cuzco"].render(seen(POSITION), FRENCH)
    assert hexes(svg)[name].findtext("{http://www.w3.org/2000/svg}title") == words


def test_the_chart_is_told_in_portuguese() -> None:
    chart = games()["cuzco"].chart(seen(POSITION), PORTUGUESE)
    assert "e20: templo de 6, disco solar; tamanho da cidade 5; mais alto: A." in chart
    assert "T4 templo de 4" in chart
    assert "Carta aberta: kero." in chart


@pytest.mark.parametrize(
    ("key", "speak", "words"),
    [
        ("java", str, "B played mask, mask+drum and reached 2 FP."),
        ("java", FRENCH, "B a joué masque, masque+tambour et atteint 2 PF."),
        ("java", PORTUGUESE, "B jogou máscara, máscara+tambor e chegou a 2 PF."),
    ],
)
def test_cards_are_told_by_their_names(key: str, speak: Speak, words: str) -> None:
    assert speak(games()[key].describe(BidMade(1, ("mask", "mask+drum"), 2))) == words


def test_a_card_that_nobody_may_name_stays_so() -> None:
    said = games()["java"].describe(BidMade(1, ("mask", UNSEEN), 2))
    assert FRENCH(said) == "B a joué masque, ? et atteint 2 PF."


def test_what_is_alike_is_spoken_once() -> None:
    said: list[str] = []

    def speak(sentence: object) -> str:
        said.append(str(sentence))
        return said[-1]

    games()["cuzco"].render(seen(POSITION), speak)
    assert len(said) == len(set(said)) < 60
