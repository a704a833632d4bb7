"""Events as sentences: what happened, in the words of the edition, ready to be translated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.game import ScoredPlaces
from engine.core.sentence import Seat, Sentence, deed, listed, say
from engine.cuzco import events as e
from engine.cuzco.edition import Edition
from engine.cuzco.text.names import briefly
from engine.kit.editions import played_by
from engine.kit.telling import table_laid, told


def describe(edition: Edition, event: Any) -> Sentence:
    """One sentence for one event. What a redacted event does not know is not said."""
    if isinstance(event, e.SetUp):
        named = played_by(edition.options, event.options)
        return table_laid(edition.options, event.seats, named)
    sentence = PLAIN.get(type(event)) or varied(event)
    return told(event, sentence, spell, **edition.spoken)


PLAIN: dict[type, Sentence] = {
    e.PositionSet: say("The match began in a given position."),
    e.TurnBegan: deed("{seat} began a turn with {ap} AP.", "{seat} begins a turn with {ap} AP."),
    e.IncaEntered: deed(
        "One {inca} of {seat} entered at {at} for {cost} AP.",
        "One {inca} of {seat} enters at {at} for {cost} AP.",
    ),
    e.IncaLeft: deed(
        "One {inca} of {seat} left the board from {at} for {cost} AP.",
        "One {inca} of {seat} leaves the board from {at} for {cost} AP.",
    ),
    e.IncaMoved: deed(
        "One {inca} of {seat} moved from {origin} to {to} for {cost} AP.",
        "One {inca} of {seat} moves from {origin} to {to} for {cost} AP.",
    ),
    e.TempleBuilt: deed(
        "{seat} built a {temple} of {value} on {at} and scored {points} PP.",
        "{seat} builds a {temple} of {value} on {at} and scores {points} PP.",
    ),
    e.TempleExpanded: deed(
        "{seat} expanded the {temple} on {at} from {was} to {value} and scored {points} PP.",
        "{seat} expands the {temple} on {at} from {was} to {value} and scores {points} PP.",
    ),
    e.BasinLaid: deed("{seat} laid a basin on {at}.", "{seat} lays a basin on {at}."),
    e.OpenCardTaken: deed(
        "{seat} took the open card, {card}.", "{seat} takes the open card, {card}."
    ),
    e.TokenUsed: deed(
        "{seat} used an action token and gained {ap} AP.",
        "{seat} uses an action token and gains {ap} AP.",
    ),
    e.AnswerAsked: deed(
        "{seat} was asked to answer, with {total} FP against {highest}.",
        "{seat} is asked to answer, with {total} FP against {highest}.",
    ),
    e.BidMade: deed(
        "{seat} played {cards} and reached {total} FP.",
        "{seat} plays {cards} and reaches {total} FP.",
    ),
}


def sources(edition: Edition) -> dict[type, Sentence]:
    """What points come from."""
    built = edition.spoken["temple"]
    return {
        e.PondClosed: say("ponds"),
        e.TempleBuilt: built,
        e.TempleExpanded: built,
        e.FestivalEnded: say("festivals"),
        e.FinalScored: say("last scoring"),
    }


def scored_cities(event: Any) -> list[tuple[str, int, int]]:
    """What each city brought a seat in the last scoring."""
    if isinstance(event, e.FinalScored):
        return [(city.at, event.seat, city.points) for city in event.cities]
    return []


SCORED_CITIES = ScoredPlaces(say("City by city, at the end"), scored_cities)


def varied(event: Any) -> Sentence:
    """The events that can be told in more than one way."""
    match event:
        case e.HandDealt() | e.CardTurned() | e.CardDrawn():
            return cards(event)
        case e.TilePlaced(_, tile, at):
            return replace(TILES[tile], values={"village": at[0], "crops": ", ".join(at[1:])})
        case e.PondClosed(seat=None):
            return deed(
                "The pond of {basins} was closed; nobody stood highest alone, no PP.",
                "The pond of {basins} is closed; nobody stands highest alone, no PP.",
            )
        case e.PondClosed():
            return deed(
                "The pond of {basins} was closed; {seat} stood highest and scored {points} PP.",
                "The pond of {basins} is closed; {seat} stands highest and scores {points} PP.",
            )
        case e.TurnEnded(_, unused, laid):
            return TURN_ENDS[bool(unused), laid]
        case e.LastRoundOpened(idle=True):
            return deed(
                "Too many turns went by without a tile, so {seat} opened the last round.",
                "Too many turns have gone by without a tile, so {seat} opens the last round.",
            )
        case e.LastRoundOpened():
            return deed(
                "{seat} laid the last triple and so opened the last round.",
                "{seat} lays the last triple and so opens the last round.",
            )
        case e.FinalScored() | e.MatchEnded():
            return end(event)
    return festival(event)


TILES = {
    "triple": deed(
        "{seat} laid a triple, village on {village} and {crop} on {crops}, at level {level}"
        " for {cost} AP.",
        "{seat} lays a triple, village on {village} and {crop} on {crops}, at level"
        " {level} for {cost} AP.",
    ),
    "double": deed(
        "{seat} laid a double, village on {village} and {crop} on {crops}, at level {level}"
        " for {cost} AP.",
        "{seat} lays a double, village on {village} and {crop} on {crops}, at level"
        " {level} for {cost} AP.",
    ),
    "village": deed(
        "{seat} laid a single village on {village}, at level {level} for {cost} AP.",
        "{seat} lays a single village on {village}, at level {level} for {cost} AP.",
    ),
    "crop": deed(
        "{seat} laid a single {crop} on {village}, at level {level} for {cost} AP.",
        "{seat} lays a single {crop} on {village}, at level {level} for {cost} AP.",
    ),
}
TURN_ENDS = {
    (False, True): deed("{seat} ended the turn.", "{seat} ends the turn."),
    (True, True): deed(
        "{seat} ended the turn with {unused} AP unused.",
        "{seat} ends the turn with {unused} AP unused.",
    ),
    (False, False): deed(
        "{seat} ended the turn without laying a tile.",
        "{seat} ends the turn without laying a tile.",
    ),
    (True, False): deed(
        "{seat} ended the turn without laying a tile, with {unused} AP unused.",
        "{seat} ends the turn without laying a tile, with {unused} AP unused.",
    ),
}


def cards(event: Any) -> Sentence:
    """Hands and the pile; a card that the reader may not know is not named."""
    match event:
        case e.HandDealt(_, count, None):
            return say("{seat} was dealt {n} card.", "{seat} was dealt {n} cards.", n=count)
        case e.HandDealt():
            return say("{seat} was dealt {cards}.")
        case e.CardTurned(refilled=True):
            return say("The discards became the pile, and the new open card is {card}.")
        case e.CardTurned():
            return say("The new open card is {card}.")
    return DRAWS[event.refilled, event.card is not None]


DRAWS = {
    (False, False): say("{seat} drew an unseen card from the pile."),
    (False, True): say("{seat} drew {card} from the pile."),
    (True, False): say("The discards became the pile, and {seat} drew an unseen card from it."),
    (True, True): say("The discards became the pile, and {seat} drew {card} from it."),
}


def festival(event: Any) -> Sentence:
    """The words of a festival."""
    match event:
        case e.FestivalProposed(guests=()):
            return deed(
                "{seat} proposed a festival at the {temple} of {value} on {at} and played {cards}:"
                " {total} FP with {open} open; nobody else was there.",
                "{seat} proposes a festival at the {temple} of {value} on {at} and plays"
                " {cards}: {total} FP with {open} open; nobody else is there.",
            )
        case e.FestivalProposed():
            return deed(
                "{seat} proposed a festival at the {temple} of {value} on {at} and played {cards}:"
                " {total} FP with {open} open; also there: {guests}.",
                "{seat} proposes a festival at the {temple} of {value} on {at} and plays"
                " {cards}: {total} FP with {open} open; also there: {guests}.",
            )
        case e.FestivalHeld():
            return deed("{seat} agreed to share.", "{seat} agrees to share.")
        case e.DroppedOut():
            return deed("{seat} dropped out of the festival.", "{seat} drops out of the festival.")
        case e.FestivalEnded(hosts=(_,)):
            return deed(
                "{hosts} held the festival on {at} alone and scored {points} PP.",
                "{hosts} holds the festival on {at} alone and scores {points} PP.",
            )
        case e.FestivalEnded():
            return deed(
                "{hosts} shared the festival on {at} and scored {points} PP each.",
                "{hosts} share the festival on {at} and score {points} PP each.",
            )
    raise TypeError(f"not an event of Cuzco: {event!r}")


def end(event: e.FinalScored | e.MatchEnded) -> Sentence:
    match event:
        case e.FinalScored(cities=()):
            return say("{seat} made the final scoring: no city, {points} PP.")
        case e.FinalScored(_, cities):
            return say(
                "{seat} made the final scoring: {cities}; {points} PP in all.",
                cities=listed(map(city, cities)),
            )
        case e.MatchEnded(winners, scores):
            standing = listed(
                say("{seat} {points} PP", seat=Seat(seat), points=score)
                for seat, score in enumerate(scores)
            )
            if len(winners) == 1:
                return say("The match ended: {winners} won. {standing}.", standing=standing)
            return say("The match ended: {winners} shared the win. {standing}.", standing=standing)


def city(score: e.CityScore) -> Sentence:
    said = RANKS[score.rank]
    return replace(said, values={"hex": score.at, "points": score.points})


RANKS = {1: say("first on {hex} {points} PP"), 2: say("second on {hex} {points} PP")}


# Values


def spell(name: str, value: Any) -> Any:
    """A field of an event as it stands in a sentence."""
    if name == "seat" and value is not None:
        return Seat(value)
    if name in ("guests", "hosts", "winners"):
        return listed(map(Seat, value))
    if name in ("card", "open") and value:
        return briefly(value)
    if name == "cards" and value:
        return listed(map(briefly, value))
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
