"""What things are called when people read of them."""

from __future__ import annotations

from engine.core.sentence import Sentence, say

CARDS: dict[str, Sentence] = {
    "el_nino": say("El Niño"),
    "expert_surveyors": say("Surveyors"),
    "extra_labour": say("Extra Labour"),
    "motivated_workers": say("Motivated Workers"),
    "rural_unrest": say("Rural Unrest"),
    "wild_road": say("Wild Road"),
    "popular_support": say("Popular Support"),
    "military_superiority": say("Military Superiority"),
    "rapid_expansion": say("Rapid Expansion"),
    "resistance": say("Resistance"),
    "religious_fervour": say("Religious Fervour"),
    "solar_eclipse": say("Solar Eclipse"),
    "building_project": say("Building Project"),
    "bad_weather": say("Bad Weather"),
    "safety_rations": say("Rations"),
    "epidemic": say("Epidemic"),
    "strategic_point": say("Strategic Point"),
    "urban_renewal": say("Urban Renewal"),
    "local_pilgrimage": say("Local Pilgrimage"),
    "annual_pilgrimage": say("Annual Pilgrimage"),
    "great_pilgrimage": say("Great Pilgrimage"),
}

UNKNOWN = say("a card that nobody here knows")  # of a table where hands are forgotten


def name_card(card: str) -> Sentence:
    """What a card is called, also one that is not known."""
    return CARDS.get(card, UNKNOWN)


# What a card changes, told where it matters; with several copies it holds as often.
EFFECTS: dict[str, Sentence] = {
    "el_nino": say("El Niño: one road fewer"),
    "expert_surveyors": say("Surveyors: a second terrace may follow"),
    "extra_labour": say("Extra Labour: one road more"),
    "motivated_workers": say("Motivated Workers: a second bought road is free"),
    "rural_unrest": say(
        "Rural Unrest: at the end of each Sun phase roads in unconquered regions are lost"
    ),
    "wild_road": say("Wild Road: one road may be wild"),
    "popular_support": say(
        "Popular Support: at the end of each Sun phase 1 labour for each own marker of resistance 1"
    ),
    "military_superiority": say("Military Superiority: conquests cost 1 less"),
    "rapid_expansion": say("Rapid Expansion: one more conquest, for 2 labour more"),
    "resistance": say("Resistance: conquests cost 1 more"),
    "religious_fervour": say("Religious Fervour: temples on garrisons too"),
    "solar_eclipse": say("Solar Eclipse: a temple or the road action, not both"),
    "building_project": say("Building Project: a second garrison may follow"),
    "bad_weather": say("Bad Weather: garrisons cost 1 more"),
    "safety_rations": say("Rations: garrisons score 1 VP more"),
    "epidemic": say("Epidemic: cities cost 2 more"),
    "strategic_point": say("Strategic Point: a garrison may become a city"),
    "urban_renewal": say("Urban Renewal: cities score 2 VP more"),
    "local_pilgrimage": say("Local Pilgrimage: 4 VP instead of an action"),
    "annual_pilgrimage": say("Annual Pilgrimage: 5 VP instead of an action"),
    "great_pilgrimage": say("Great Pilgrimage: 7 VP instead of an action"),
}
MARKERS: dict[str, Sentence] = {
    "allies": say("allies"),
    "herders": say("herders"),
    "farmers": say("farmers"),
    "lordship": say("a lordship"),
    "kingdom": say("a kingdom"),
    "warriors": say("warriors"),
}
ERAS: dict[str, Sentence] = {
    "pre": say("Pre-Empire"),
    "early": say("Early Empire"),
    "middle": say("Middle Empire"),
    "late": say("Late Empire"),
}
PHASES: dict[str, Sentence] = {
    "inca": say("Inca phase"),
    "sun": say("Sun phase"),
    "people": say("People phase"),
    "sapa": say("Sapa Inca phase"),
}
COLOURS: dict[str, Sentence] = {
    "orange": say("orange"),
    "green": say("green"),
    "brown": say("brown"),
    "blue": say("blue"),
}
PILGRIMAGES: dict[str, Sentence] = {
    "local": CARDS["local_pilgrimage"],
    "annual": CARDS["annual_pilgrimage"],
    "great": CARDS["great_pilgrimage"],
}
ACTIONS: dict[str, Sentence] = {
    "roads": say("the road action"),
    "development": say("the development action"),
}


def place(site: str, name: str) -> str:
    """A site by its id, with its name beside it."""
    return f"{site} ({name})" if name.lower() != site else name
