"""What an order of Tahuantinsuyu does, once more from the rules alone: a position and an order in, a position out.

Like `oracle.py` it knows nothing of the engine. A card drawn by chance is told to it.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

from tests.games.tahuantinsuyu.oracle import Form, Oracle, data, read

SAPA = {"city": 3, "garrison": 2}  # N-Z2


def columns(form: Form) -> list[tuple[Form, list[str]]]:
    """N-P: every column with its era."""
    return [(era, phases) for era in data(form)["eras"] for phases in era["periods"]]


def after(form: Form, order: str, drawn: str | None) -> Form:
    """The position after a legal order."""
    then = deepcopy(form)
    word, *words = order.split()
    if word == "sun":
        lay_card(then, words[0], words[1], drawn)
    elif word == "end":
        end_turn(then)
    else:
        do(then, word, words)
        then["turn"]["done"].append(order)
    for roads in then["roads"]:
        roads.sort()
    return then


# --- N-U ---


def lay_card(form: Form, card: str, sector: str, drawn: str | None) -> None:
    """U2."""
    seat = form["turn"]["seat"]
    form["hands"][seat].remove(card)
    form["laid"][sector] = {"seat": seat, "card": card}
    if not form["pile"]:
        form["pile"], form["discard"] = form["discard"], []
    if form["pile"]:
        form["pile"].remove(drawn)
        form["hands"][seat] = sorted([*form["hands"][seat], drawn])
    if next_to_lay(form) is None:
        end_sun(form)
        next_phase(form)
    else:
        form["turn"]["seat"] = next_to_lay(form)


def next_to_lay(form: Form) -> int | None:
    laid = [one["seat"] for one in form["laid"].values()]
    waiting = [s for s in form["order"] if s not in laid and form["hands"][s]]
    return waiting[0] if waiting else None


def end_sun(form: Form) -> None:
    """U3, then U4: Rural Unrest, then Popular Support."""
    for sector, one in form["laid"].items():
        form["sun"][sector] = sorted([*form["sun"][sector], one["card"]])
    form["laid"] = {}
    for seat in range(form["seats"]):
        told = Oracle({**form, "turn": {"seat": seat, "done": []}})
        if "rural_unrest" in told.cards:  # U5
            form["roads"][seat] = [
                road for road in form["roads"][seat] if told.is_safe(frozenset(road))
            ]
    for seat in range(form["seats"]):
        told = Oracle({**form, "turn": {"seat": seat, "done": []}})
        mine = [m for m in form["markers"].values() if m["owner"] == seat]
        weak = [m for m in mine if marker_kind(form, m)["resistance"] == 1]
        form["labour"][seat] += told.cards.count("popular_support") * len(weak)


def marker_kind(form: Form, marker: Form) -> Form:
    kinds = data(form)["cultureMarkers"]
    return next(kind for kind in kinds if kind["type"] == marker["type"])


# --- N-R, N-D ---


def do(form: Form, word: str, words: list[str]) -> None:
    told = Oracle(form)
    seat, cards = told.seat, told.cards
    cost, points = 0, 0
    if word in ("road", "wild", "buy"):
        form["roads"][seat].append(sorted(words[-2:]))
        turn_up(form, Oracle(form).joined - told.joined)  # R4
        cost = 1 if word == "buy" and not told.main else 0  # D6
    elif word == "pilgrimage":
        points = {"local": 4, "annual": 5, "great": 7}[words[0]]  # D9
    elif word == "conquer":
        cost = told.conquests()[f"conquer {words[0]}"]
        points = marker_kind(form, form["markers"][words[0]])["points"]  # D5
        form["markers"][words[0]]["owner"] = seat
        region = next(r for r in told.data["regions"] if r["id"] == words[0])
        for name in region["neighbours"]:
            if name in form["markers"]:
                form["markers"][name]["up"] = True
    elif word == "terrace":
        cost, points = 2, 1  # D4
        form["markers"][words[0]]["terrace"] = True
    else:
        cost, points = build(form, told, word, words[0], cards)
    form["labour"][seat] -= cost
    score(form, seat, points)


def build(form: Form, told: Oracle, word: str, site: str, cards: list[str]) -> tuple[int, int]:
    """D1, D2, D3, D7: cost and points."""
    epidemic, renewal = 2 * cards.count("epidemic"), 2 * cards.count("urban_renewal")
    here = form["buildings"].get(site)
    if word == "temple":
        bonus = told.sites[site]["templeBonus"] if here["kind"] == "city" else 0
        here["temple"] = True
        return 5, 4 + bonus
    if word == "upgrade":
        here["kind"] = "city"
        return 4 + epidemic, 4 + renewal
    form["buildings"][site] = {"kind": word, "temple": False}
    if word == "city":
        return 6 + epidemic, 4 + renewal
    return 4 + cards.count("bad_weather"), 3 + cards.count("safety_rations")


def turn_up(form: Form, sites: set[str]) -> None:
    for site in data(form)["sites"]:
        if site["id"] in sites:
            for region in site["regions"]:
                if region in form["markers"]:
                    form["markers"][region]["up"] = True


def score(form: Form, seat: int, points: int) -> None:
    """Words, "lead": who arrives goes outermost; who scores 0 does not move."""
    if points == 0:
        return
    form["scores"][seat] += points
    mine = form["scores"][seat]
    others = [s for s in form["standing"] if s != seat]
    before = [s for s in others if form["scores"][s] >= mine]
    form["standing"] = [*before, seat, *others[len(before) :]]


# --- N-P ---


def end_turn(form: Form) -> None:
    seat = form["turn"]["seat"]
    form["turn"]["done"] = []
    following = form["order"][form["order"].index(seat) + 1 :]
    if following:
        form["turn"]["seat"] = following[0]
    else:
        next_phase(form)


def next_phase(form: Form) -> None:
    """On to the next phase in which somebody is asked, or to the end."""
    while True:
        era, phases = columns(form)[form["period"]]
        people = phases[: form["step"] + 1].count("people")
        came = form["options"]["pizarro"] and era["id"] == "late" and people == form["pizarro"]
        if came and phases[form["step"]] == "people":
            form["step"] = len(phases) - 1
        elif form["step"] + 1 < len(phases):
            form["step"] += 1
        elif not next_column(form):
            form["over"], form["turn"] = True, {"seat": None, "done": []}
            return
        era, phases = columns(form)[form["period"]]
        phase = phases[form["step"]]
        if phase == "inca":
            inca(form, era)
        elif phase == "sapa":
            sapa_inca(form, era)
        elif phase == "people":
            form["turn"]["seat"] = form["order"][0]
            return
        else:
            form["order"] = form["standing"][::-1]  # U1
            form["turn"]["seat"] = next_to_lay(form)
            if form["turn"]["seat"] is not None:
                return
            end_sun(form)


def next_column(form: Form) -> bool:
    period = form["period"] + 1
    while form["options"]["early_decline"] and period in (3, 5):
        period += 1
    if period == len(columns(form)):
        return False
    form["period"], form["step"] = period, 0
    return True


def inca(form: Form, era: Form) -> None:
    """I1, I2."""
    for seat in range(form["seats"]):
        mine = [m for m in form["markers"].values() if m["owner"] == seat]
        given = sum(marker_kind(form, m)["labour"] + m["terrace"] for m in mine)
        form["labour"][seat] += era["resources"] + given
    ranks = form["standing"]
    gifts: list[tuple[int, int, int]] = []
    if era["id"] == "early":
        gifts = [(ranks[0], ranks[-1], 1)]
    elif era["id"] in ("middle", "late"):
        gifts = [(ranks[0], ranks[-1], 2)]
        if form["seats"] == 4:
            gifts.append((ranks[1], ranks[2], 1))
    for giver, taker, most in gifts:
        given = min(most, form["labour"][giver])
        form["labour"][giver] -= given
        form["labour"][taker] += given


def sapa_inca(form: Form, era: Form) -> None:
    """Z1, Z2, Z3."""
    for sector, cards in form["sun"].items():
        form["discard"] = sorted([*form["discard"], *cards])
        form["sun"][sector] = []
    for seat in form["standing"][::-1]:
        joined = Oracle({**form, "turn": {"seat": seat, "done": []}}).joined
        points = sum(m["terrace"] for m in form["markers"].values() if m["owner"] == seat)
        for site, building in form["buildings"].items():
            if site in joined:
                points += SAPA[building["kind"]] + building["temple"]
        score(form, seat, points)
    form["labour"] = [min(labour, era["resources"]) for labour in form["labour"]]


# --- Positions ---


def fill(given: Form) -> Form:
    """A position with every default of the rules' last chapter filled in."""
    seats = given["seats"]
    variants = {"pizarro": False, "early_decline": False, "gift_of_the_gods": False}
    options = {**variants, "rules": 2, "board": 2, **given.get("options", {})}
    board = read(seats, options["board"])
    form: Form = {
        "colours": board["colours"][:seats],
        "order": list(range(seats)),
        "scores": [0] * seats,
        "labour": [0] * seats,
        "period": 0,
        "step": 1,
        "hands": [[] for _ in range(seats)],
        "discard": [],
        "roads": [[] for _ in range(seats)],
        "buildings": {},
        "laid": {},
        "over": False,
        **deepcopy(given),
        "options": options,
    }
    ranks = sorted(form["order"], key=lambda seat: -form["scores"][seat])  # a tie by tile
    form.setdefault("standing", ranks)
    form.setdefault("pizarro", 4 if form["options"]["pizarro"] else None)
    form["sun"] = {**{sector: [] for sector in sectors(seats)}, **form.get("sun", {})}
    for site, building in form["buildings"].items():
        form["buildings"][site] = {"temple": False, **building}
    fill_cards(form, board)
    fill_markers(form, board)
    turn = form.get("turn", {})
    sun = columns(form)[form["period"]][1][form["step"]] == "sun"
    seat = next_to_lay(form) if sun else form["order"][0]
    form["turn"] = {"seat": seat, "done": [], **turn}
    if form["over"]:
        form["turn"]["seat"] = None
    for roads in form["roads"]:
        roads.sort()
    return form


def sectors(seats: int) -> list[str]:
    """U3."""
    if seats == 4:
        return ["orange-blue", "blue-brown", "brown-green", "green-orange"]
    return ["orange-brown", "brown-green", "green-orange"]


def game_cards(form: Form, board: Form) -> list[str]:
    """S4, and the option early_decline: without the pilgrimages."""
    key = "threePlayers" if form["seats"] == 3 else "count"
    return [
        card["id"]
        for card in board["sunCards"]
        for _ in range(card[key])
        if not (form["options"]["early_decline"] and card["id"].endswith("pilgrimage"))
    ]


def fill_cards(form: Form, board: Form) -> None:
    used = Counter(card for cards in form["sun"].values() for card in cards)
    used += Counter(card for cards in form["hands"] for card in cards)
    used += Counter(form["discard"]) + Counter(one["card"] for one in form["laid"].values())
    rest = Counter(game_cards(form, board)) - used
    form.setdefault("pile", list(rest.elements()))
    form["pile"].sort()
    form["discard"].sort()
    form["hands"] = [sorted(hand) for hand in form["hands"]]
    form["sun"] = {sector: sorted(cards) for sector, cards in form["sun"].items()}


def fill_markers(form: Form, board: Form) -> None:
    given = form.get("markers", {})
    less = 1 if form["seats"] == 3 else 0
    left = {kind["type"]: kind["count"] - less for kind in board["cultureMarkers"]}
    regions = [r for r in board["regions"] if not r["start"]]
    types = {name: m["type"] for name, m in given.items() if "type" in m}
    for kind in types.values():
        left[kind] -= 1
    for region in regions:
        if region["id"] not in types:
            kind = next(kind for kind, count in left.items() if count)
            types[region["id"]] = kind
            left[kind] -= 1
    form["markers"] = {
        region["id"]: {
            "type": types[region["id"]],
            "up": False,
            "owner": None,
            "terrace": False,
            **given.get(region["id"], {}),
        }
        for region in regions
    }
    spare = [kind for kind, count in left.items() for _ in range(count)]
    form["spare"] = sorted(form.get("spare", spare))
    for region in regions:
        if "up" not in given.get(region["id"], {}):
            form["markers"][region["id"]]["up"] = is_up(form, board, region)


def is_up(form: Form, board: Form, region: Form) -> bool:
    """S2, D5, R4, and the gift of the gods."""
    owned = {name for name, m in form["markers"].items() if m["owner"] is not None}
    conquered = owned | {r["id"] for r in board["regions"] if r["start"]}
    if region["id"] in owned or conquered & set(region["neighbours"]):
        return True
    if form["options"]["gift_of_the_gods"] and region["divineHand"]:
        return True
    for seat in range(form["seats"]):
        told = Oracle({**form, "turn": {"seat": seat, "done": []}})
        if any(region["id"] in told.sites[site]["regions"] for site in told.joined):
            return True
    return False


def winners(form: Form) -> list[int]:
    """Z4."""
    return [form["standing"][0]] if form["over"] else []


def drawn_card(before: Form, order: str, then: Form) -> Any:
    """The card that came into the hand by chance, read from what came of the order."""
    word, *words = order.split()
    if word != "sun":
        return None
    seat = before["turn"]["seat"]
    kept = Counter(before["hands"][seat]) - Counter(words[:1])
    new = list((Counter(then["hands"][seat]) - kept).elements())
    return new[0] if len(new) == 1 else None
