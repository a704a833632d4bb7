"""Each event as one sentence, in the words of its edition."""

from dataclasses import replace
from typing import Any

import pytest

from engine.core.sentence import Seat, Sentence
from engine.cuzco import events as e
from engine.cuzco.edition import CUZCO
from engine.cuzco.text.describe import describe
from engine.java import JAVA
from tests.engine.matches import whole

TOLD: list[tuple[Any, str]] = [
    (e.SetUp(3, {"rules": 2, "ask_everyone": True}), "The table was laid for 3 players."),
    (
        e.SetUp(2, {"rules": 2, "ask_everyone": False, "exact_temples": True}),
        "The table was laid for 2 players, with the options ask_everyone off, exact_temples.",
    ),
    (
        e.SetUp(2, {"ask_everyone": True}),
        "The table was laid for 2 players, with the options rules 1.",
    ),
    (e.PositionSet({"seats": 2}), "The match began in a given position."),
    (e.HandDealt(1, 3, ("kero", "tumi", "tumi")), "B was dealt kero, tumi, tumi."),
    (e.HandDealt(1, 3, None), "B was dealt 3 cards."),
    (e.HandDealt(1, 1, None), "B was dealt 1 card."),
    (e.CardTurned("kero", refilled=False), "The new open card is kero."),
    (
        e.CardTurned("kero", refilled=True),
        "The discards became the pile, and the new open card is kero.",
    ),
    (e.TurnBegan(0, 6, 0), "A began a turn with 6 AP."),
    (
        e.TilePlaced(0, "triple", ("e14", "d15", "e16"), 2, 1),
        "A laid a triple, village on e14 and crop on d15, e16, at level 2 for 1 AP.",
    ),
    (
        e.TilePlaced(0, "double", ("d5", "d3"), 1, 2),
        "A laid a double, village on d5 and crop on d3, at level 1 for 2 AP.",
    ),
    (
        e.TilePlaced(0, "village", ("e14",), 3, 1),
        "A laid a single village on e14, at level 3 for 1 AP.",
    ),
    (e.TilePlaced(0, "crop", ("e14",), 3, 1), "A laid a single crop on e14, at level 3 for 1 AP."),
    (
        e.PondClosed(("i18", "i20"), 2, 6),
        "The pond of i18, i20 was closed; C stood highest and scored 6 PP.",
    ),
    (
        e.PondClosed(("i18",), None, 0),
        "The pond of i18 was closed; nobody stood highest alone, no PP.",
    ),
    (e.IncaEntered(3, "l7", 1), "One Inca of D entered at l7 for 1 AP."),
    (e.IncaLeft(3, "l7", 1), "One Inca of D left the board from l7 for 1 AP."),
    (e.IncaMoved(3, "l7", "k8", 0), "One Inca of D moved from l7 to k8 for 0 AP."),
    (e.TempleBuilt(0, "e14", 4, (2, 4), 2, 1), "A built a temple of 4 on e14 and scored 2 PP."),
    (
        e.TempleExpanded(0, "e14", 4, 6, (6,), 3, 1),
        "A expanded the temple on e14 from 4 to 6 and scored 3 PP.",
    ),
    (e.BasinLaid(0, "h17", 1), "A laid a basin on h17."),
    (e.OpenCardTaken(0, "tumi", 1), "A took the open card, tumi."),
    (e.CardDrawn(0, 1, refilled=False, card="tumi"), "A drew tumi from the pile."),
    (e.CardDrawn(0, 1, refilled=False, card=None), "A drew an unseen card from the pile."),
    (
        e.CardDrawn(0, 1, refilled=True, card="tumi"),
        "The discards became the pile, and A drew tumi from it.",
    ),
    (
        e.CardDrawn(0, 1, refilled=True, card=None),
        "The discards became the pile, and A drew an unseen card from it.",
    ),
    (e.TokenUsed(0, 1), "A used an action token and gained 1 AP."),
    (
        e.FestivalProposed(0, "e20", 4, "tumi", ("tumi", "tumi+kero"), 2, (1, 2)),
        "A proposed a festival at the temple of 4 on e20 and played tumi, tumi+kero: 2 FP with tumi"
        " open; also there: B, C.",
    ),
    (
        e.FestivalProposed(0, "e20", 4, "tumi", ("tumi",), 1, ()),
        "A proposed a festival at the temple of 4 on e20 and played tumi: 1 FP with tumi open;"
        " nobody else was there.",
    ),
    (e.AnswerAsked(1, 0, 2), "B was asked to answer, with 0 FP against 2."),
    (e.BidMade(1, ("tumi", "tumi"), 2), "B played tumi, tumi and reached 2 FP."),
    (e.FestivalHeld(1, silent=False), "B agreed to share."),
    (e.FestivalHeld(1, silent=True), "B agreed to share."),
    (e.DroppedOut(1, silent=False), "B dropped out of the festival."),
    (e.DroppedOut(1, silent=True), "B dropped out of the festival."),
    (
        e.FestivalEnded("e20", (0,), 2, ("tumi",)),
        "A held the festival on e20 alone and scored 2 PP.",
    ),
    (
        e.FestivalEnded("e20", (0, 2), 1, ("tumi",)),
        "A, C shared the festival on e20 and scored 1 PP each.",
    ),
    (e.TurnEnded(0, 0, laid=True), "A ended the turn."),
    (e.TurnEnded(0, 2, laid=True), "A ended the turn with 2 AP unused."),
    (e.TurnEnded(0, 0, laid=False), "A ended the turn without laying a tile."),
    (
        e.TurnEnded(0, 2, laid=False),
        "A ended the turn without laying a tile, with 2 AP unused.",
    ),
    (
        e.LastRoundOpened(0, idle=False),
        "A laid the last triple and so opened the last round.",
    ),
    (
        e.LastRoundOpened(0, idle=True),
        "Too many turns went by without a tile, so A opened the last round.",
    ),
    (
        e.FinalScored(0, (e.CityScore("e20", 10, 1, 10), e.CityScore("h9", 4, 2, 2)), 12),
        "A made the final scoring: first on e20 10 PP, second on h9 2 PP; 12 PP in all.",
    ),
    (e.FinalScored(0, (), 0), "A made the final scoring: no city, 0 PP."),
    (e.MatchEnded((1,), (3, 5)), "The match ended: B won. A 3 PP, B 5 PP."),
    (e.MatchEnded((0, 1), (5, 5)), "The match ended: A, B shared the win. A 5 PP, B 5 PP."),
]


@pytest.mark.parametrize(("event", "words"), TOLD, ids=[words for _, words in TOLD])
def test_an_event_is_told(event: Any, words: str) -> None:
    assert str(describe(CUZCO, event)) == words


def test_there_is_a_sentence_for_every_kind_of_event() -> None:
    assert {type(event) for event, _ in TOLD} == set(e.EVENTS)


def test_something_else_is_no_event() -> None:
    with pytest.raises(TypeError, match="not an event"):
        describe(CUZCO, e.CityScore("e20", 10, 1, 10))


def test_java_tells_the_same_in_its_own_words() -> None:
    for event, _ in TOLD:
        words = str(describe(JAVA, event))
        assert not any(word in words for word in ("Inca", "temple", "crop"))
    assert str(describe(JAVA, e.IncaEntered(0, "l7", 1))) == (
        "One developer of A entered at l7 for 1 AP."
    )


def seats(value: Any) -> set[int]:
    """All seats named in a sentence, however deep."""
    if isinstance(value, Sentence):
        return set().union(*map(seats, value.values.values()))
    return {value.number} if isinstance(value, Seat) else set()


@pytest.mark.parametrize("key", ["cuzco", "java"])
def test_seats_stay_seats_until_somebody_puts_names_in(key: str) -> None:
    ended = describe(CUZCO, e.MatchEnded((0, 1), (5, 5, 2)))
    assert seats(ended) == {0, 1, 2}
    match = whole(key, 3, 1)
    for entry in match.log:
        if hasattr(entry.event, "seat") and entry.event.seat is not None:
            assert entry.event.seat in seats(match.game.describe(entry.event))


def test_a_sentence_carries_nothing_that_it_does_not_say() -> None:
    for event, _ in TOLD:
        sentence = describe(CUZCO, event)
        assert all(f"{{{key}}}" in sentence.one for key in sentence.values)


def test_a_hidden_card_leaves_no_trace() -> None:
    known = e.CardDrawn(0, 1, refilled=False, card="tumi")
    hidden = describe(CUZCO, replace(known, card=None))
    assert hidden.values == {"seat": Seat(0)}
