"""Events as sentences: what happened, ready to be translated."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.sentence import Seat, Sentence, deed, listed, say
from engine.kit.telling import chosen_options, told
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.options import OPTIONS
from engine.tahuantinsuyu.text.names import (
    ACTIONS,
    CARDS,
    COLOURS,
    ERAS,
    MARKERS,
    PHASES,
    PILGRIMAGES,
    place,
)


def describe(event: Any) -> Sentence:
    """One sentence for one event. What a redacted event does not know is not said."""
    return told(event, PLAIN.get(type(event)) or varied(event), partial(spell, event))


# What points come from.
SOURCES: dict[type, Sentence] = {
    e.CityFounded: say("cities"),
    e.TempleBuilt: say("temples"),
    e.GarrisonBuilt: say("garrisons"),
    e.GarrisonUpgraded: say("garrisons"),
    e.TerraceBuilt: say("terraces"),
    e.RegionConquered: say("conquests"),
    e.PilgrimageMade: say("pilgrimages"),
    e.EmpireScored: say("the Sapa Inca"),
}

PLAIN: dict[type, Sentence] = {
    e.PositionSet: say("The match began in a given position."),
    e.MarkersDealt: say("A culture marker was laid face down in every region but the suyus."),
    e.PizarroSetOut: say("Pizarro set out; nobody knows when he will arrive."),
    e.PhaseBegan: say("{era}: {phase}."),
    e.AidGiven: deed(
        "{giver} gave {labour} labour to {taker} in aid.",
        "{giver} gives {labour} labour to {taker} in aid.",
    ),
    e.OrderSet: say("The order of play is now {order}."),
    e.CardAsked: deed("{seat} was asked to lay a sun card.", "{seat} is asked to lay a sun card."),
    e.SupportGained: say("Popular Support brought {seat} {labour} labour."),
    e.CityFounded: deed(
        "{seat} founded a city on {at} for {cost} labour and scored {points} VP.",
        "{seat} founds a city on {at} for {cost} labour and scores {points} VP.",
    ),
    e.GarrisonBuilt: deed(
        "{seat} built a garrison on {at} for {cost} labour and scored {points} VP.",
        "{seat} builds a garrison on {at} for {cost} labour and scores {points} VP.",
    ),
    e.GarrisonUpgraded: deed(
        "{seat} made a city of the garrison on {at} for {cost} labour and scored {points} VP.",
        "{seat} makes a city of the garrison on {at} for {cost} labour and scores {points} VP.",
    ),
    e.TerraceBuilt: deed(
        "{seat} built a terrace on the marker of {region} for {cost} labour and scored {points} VP.",
        "{seat} builds a terrace on the marker of {region} for {cost} labour and scores"
        " {points} VP.",
    ),
    e.PilgrimageMade: deed(
        "{kind}: {seat} scored {points} VP instead of {instead}.",
        "{kind}: {seat} scores {points} VP instead of {instead}.",
    ),
    e.TurnEnded: deed("{seat} ended the turn.", "{seat} ends the turn."),
    e.PizarroCame: say("Pizarro reached Cuzco: the People phase that ended was the last."),
    e.LabourReturned: deed("{seat} returned {labour} labour.", "{seat} returns {labour} labour."),
}


def varied(event: Any) -> Sentence:
    """The events that can be told in more than one way."""
    match event:
        case e.SetUp() | e.HandDealt() | e.CardLaid() | e.CardDrawn() | e.CardsTurned():
            return cards(event)
        case e.MarkersTurned(regions, types):
            found = (
                say("{region} ({kind})", region=region, kind=MARKERS.get(kind, kind))
                for region, kind in zip(regions, types, strict=True)
            )
            return say("Markers were turned up: {markers}.", markers=listed(found))
        case e.LabourReceived():
            return say(
                "{seat} received {labour} labour: {resources} from the era, {markers} from"
                " markers, {terraces} from terraces."
            )
        case e.RoadsDestroyed(_, roads):
            pairs = listed("-".join(pair) for pair in roads)
            return say("Rural Unrest destroyed roads of {seat}: {roads}.", roads=pairs)
        case e.TurnBegan(_, roads):
            return replace(
                say(
                    "{seat} began a turn with {n} free road.",
                    "{seat} began a turn with {n} free roads.",
                    n=roads,
                ),
                ahead=say(
                    "{seat} begins a turn with {n} free road.",
                    "{seat} begins a turn with {n} free roads.",
                ),
            )
        case e.SunCleared(()):
            return say("No sun card was there to be discarded.")
        case e.SunCleared(found):
            return say(
                "All sun cards were discarded: {cards}.", cards=listed(map(card_name, found))
            )
    return building(event)


def building(event: Any) -> Sentence:
    """Roads, temples and conquests, and what the Sapa Inca gives."""
    match event:
        case e.RoadBuilt(_, pair, names, wild, bought):
            a, b = (place(site, name) for site, name in zip(pair, names, strict=True))
            return replace(ROADS[wild, bought], values={"a": a, "b": b})
        case e.TempleBuilt(bonus=0):
            return deed(
                "{seat} built a temple on {at} for {cost} labour and scored {points} VP.",
                "{seat} builds a temple on {at} for {cost} labour and scores {points} VP.",
            )
        case e.TempleBuilt():
            return deed(
                "{seat} built a temple on {at}, which is renowned, for {cost} labour and scored"
                " {points} VP.",
                "{seat} builds a temple on {at}, which is renowned, for {cost} labour and scores"
                " {points} VP.",
            )
        case e.RegionConquered(extra=True):
            return deed(
                "Rapid Expansion: {seat} also conquered {region} ({type}) for {cost} labour and"
                " scored {points} VP.",
                "Rapid Expansion: {seat} also conquers {region} ({type}) for {cost} labour and"
                " scores {points} VP.",
            )
        case e.RegionConquered():
            return deed(
                "{seat} conquered {region} ({type}) for {cost} labour and scored {points} VP.",
                "{seat} conquers {region} ({type}) for {cost} labour and scores {points} VP.",
            )
        case e.EmpireScored():
            return say(
                "The Sapa Inca gave {seat} {points} VP: terraces {terraces}, garrisons {garrisons},"
                " cities {cities}, temples {temples}."
            )
        case e.MatchEnded(standing, scores):
            rest = listed(
                say("{seat} {points} VP", seat=Seat(s), points=scores[s]) for s in standing
            )
            winner = Seat(standing[0])
            return say("The match ended: {winner} won. {rest}.", winner=winner, rest=rest)
    raise TypeError(f"not an event of Tahuantinsuyu: {event!r}")


ROADS = {  # by wild, bought
    (False, False): deed(
        "{seat} laid a road from {a} to {b}.", "{seat} lays a road from {a} to {b}."
    ),
    (True, False): deed(
        "{seat} laid a wild road from {a} to {b}.", "{seat} lays a wild road from {a} to {b}."
    ),
    (False, True): deed(
        "{seat} laid one more road from {a} to {b} for {cost} labour.",
        "{seat} lays one more road from {a} to {b} for {cost} labour.",
    ),
    (True, True): deed(
        "{seat} laid one more road, a wild one, from {a} to {b} for {cost} labour.",
        "{seat} lays one more road, a wild one, from {a} to {b} for {cost} labour.",
    ),
}


def cards(event: Any) -> Sentence:
    """The setup and the sun cards; a card that the reader may not know is not named."""
    match event:
        case e.SetUp(seats, options, colours):
            chosen = chosen_options(OPTIONS, options)
            seated = listed(
                say("{seat} {colour}", seat=Seat(seat), colour=COLOURS[colour])
                for seat, colour in enumerate(colours)
            )
            if chosen:
                return say(
                    "The table was laid for {n} players, with the options {chosen}: {seated}.",
                    n=seats,
                    chosen=chosen,
                    seated=seated,
                )
            return say("The table was laid for {n} players: {seated}.", n=seats, seated=seated)
        case e.HandDealt(_, count, None):
            return say("{seat} was dealt {n} card.", "{seat} was dealt {n} cards.", n=count)
        case e.HandDealt():
            return say("{seat} was dealt {cards}.")
        case e.CardLaid(card=None):
            return deed(
                "{seat} laid a sun card face down in {sector}.",
                "{seat} lays a sun card face down in {sector}.",
            )
        case e.CardLaid():
            return deed(
                "{seat} laid {card} face down in {sector}.",
                "{seat} lays {card} face down in {sector}.",
            )
        case e.CardsTurned(sectors, found):
            turned = (
                say("{card} in {sector}", card=card_name(card), sector=sector)
                for card, sector in zip(found, sectors, strict=True)
            )
            return say("The sun cards were turned up: {turned}.", turned=listed(turned))
    return DRAWS[event.refilled, event.card is not None]


DRAWS = {
    (False, False): say("{seat} drew an unseen card from the pile."),
    (False, True): say("{seat} drew {card} from the pile."),
    (True, False): say("The discards became the pile, and {seat} drew an unseen card from it."),
    (True, True): say("The discards became the pile, and {seat} drew {card} from it."),
}


# Values


def spell(event: Any, name: str, value: Any) -> Any:
    """A field of an event as it stands in a sentence."""
    if name in ("seat", "giver", "taker"):
        return Seat(value)
    if name == "at":
        return place(value, event.name)
    if name == "order":
        return listed(map(Seat, value))
    if name == "cards" and value is not None:
        return listed(map(card_name, value))
    return TABLES[name].get(value, value) if name in TABLES and value is not None else value


TABLES: dict[str, dict[Any, Any]] = {
    "card": CARDS,
    "era": ERAS,
    "phase": PHASES,
    "type": MARKERS,
    "kind": PILGRIMAGES,
    "instead": ACTIONS,
}


def card_name(card: str) -> Sentence | str:
    return CARDS.get(card, card)
