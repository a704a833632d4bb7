"""A position in a few lines of text, so that a test fits on a screen.

Statements stand on lines of their own or between semicolons; what is left out has its default:

    seats 3 exact_temples ask_everyone off rules 1
    turn B ap 4 laid
    triple e14 e16 d15; crop e16; basins g18 g20
    temple e14 4 disc
    A at d15 d13; A hand tumi tumi+quipu; A stock tokens 0 doubles 2; A score 7
    open kero; pile tumi quipu; supply triples 1; floors 4 0
    last A; scored A
    festival e14 by A asked B; played A tumi; out C

It is only another spelling of the referee's form: `read` gives that form and `write` takes it.
"""

from __future__ import annotations

from typing import Any

from engine.core.refusal import Unknown
from engine.core.sentence import say, seat_letter
from engine.cuzco.edition import Edition
from engine.cuzco.position import referee_form as form
from engine.cuzco.position.forms import SEATS
from engine.cuzco.state import Stock
from engine.kit.telling import option_word

LETTERS = {seat_letter(seat): seat for seat in range(SEATS[-1])}


def read(edition: Edition, text: str) -> dict[str, Any]:
    """The position that a text describes, in the referee's form."""
    position: dict[str, Any] = {"seats": SEATS[0]}
    for statement in text.replace(";", "\n").splitlines():
        words = statement.split()
        if words:
            try:
                state_fact(edition, position, words)
            except (ValueError, KeyError, IndexError) as error:
                raise Unknown(
                    say(
                        "{statement} says nothing about a position.", statement=repr(statement[:60])
                    )
                ) from error
    return position


def state_fact(edition: Edition, position: dict[str, Any], words: list[str]) -> None:
    """Puts one statement into the position."""
    verb, rest = words[0], words[1:]
    temples = edition.words["temples"]
    match verb:
        case "seats":
            position["seats"] = int(rest[0])
            position["options"] = option_settings(edition, rest[1:])
        case "turn":
            position["turn"] = {"seat": LETTERS[rest[0]], **settings(rest[1:], {"laid", "token"})}
        case "basins" | "pile" | "discard":
            position[verb] = rest
        case "open":
            position["open"] = rest[0]
        case "supply":
            position.setdefault("supply", {}).update(settings(rest, set()))
        case "floors":
            supply = position.setdefault("supply", {})
            supply[edition.words["floors"]] = settings(rest, set())
        case "last":
            position.setdefault("last", {})["opened_by"] = LETTERS[rest[0]]
        case "scored":
            position.setdefault("last", {})["scored"] = [LETTERS[word] for word in rest]
        case "festival" | "played" | "out" | "answered":
            festival_fact(position, verb, rest)
        case _ if verb in LETTERS:
            seat_fact(edition, position, LETTERS[verb], rest[0], rest[1:])
        case _ if verb + "s" == temples:
            flags = dict.fromkeys(rest[2:], True)
            position.setdefault(temples, {})[rest[0]] = {"value": int(rest[1]), **flags}
        case _:
            position.setdefault("tiles", []).append(words)


def seat_fact(
    edition: Edition, position: dict[str, Any], seat: int, what: str, rest: list[str]
) -> None:
    match what:
        case "at":
            put_row(position, edition.words["incas"], seat, rest, [])
        case "hand":
            put_row(position, "hands", seat, rest, [])
        case "score":
            put_row(position, "scores", seat, int(rest[0]), 0)
        case "stock":
            put_row(position, "stock", seat, settings(rest, set()), {})
        case _:
            raise ValueError(what)


def festival_fact(position: dict[str, Any], verb: str, rest: list[str]) -> None:
    festival = position.setdefault("festival", {})
    match verb:
        case "festival":
            at, _, proposer, _, asked = rest
            festival |= {"at": at, "proposer": LETTERS[proposer], "asked": LETTERS[asked]}
        case "played":
            put_row(festival, "played", LETTERS[rest[0]], rest[1:], [])
        case _:
            festival[verb] = [LETTERS[word] for word in rest]


def put_row(target: dict[str, Any], key: str, seat: int, value: Any, empty: Any) -> None:
    """Sets the value of one seat in a list by seat, filling up those before it."""
    rows = target.setdefault(key, [])
    rows += [empty] * (seat + 1 - len(rows))
    rows[seat] = value


def settings(words: list[str], flags: set[str]) -> dict[str, Any]:
    """`ap 4 laid` as {"ap": 4, "laid": True}."""
    found: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        found[word] = True if word in flags else int(next(rest, ""))
    return found


def option_settings(edition: Edition, words: list[str]) -> dict[str, Any]:
    """`exact_temples ask_everyone off rules 1` as {"exact_temples": True, "ask_everyone": False, "rules": 1}."""
    found: dict[str, Any] = {}
    rest = list(reversed(words))
    while rest:
        name = rest.pop()
        if edition.options[name].limits:
            found[name] = int(rest.pop())
        else:
            found[name] = rest[-1:] != ["off"]
            rest = rest if found[name] else rest[:-1]
    return found


def write(edition: Edition, position: dict[str, Any]) -> str:
    """A complete position (as the referee gives it) as text, defaults left out."""
    words, last = edition.words, position["last"]
    options = [
        option_word(name, value)
        for name, value in position["options"].items()
        if value != edition.options[name].default
    ]
    lines = [
        joined("seats", position["seats"], *options),
        written_turn(position["turn"]),
        "; ".join(joined(*tile) for tile in position["tiles"]),
        joined("basins", *position["basins"]) if position["basins"] else "",
        "; ".join(
            joined(words["temples"][:-1], at, t["value"], *(k for k in t if t[k] is True))
            for at, t in position[words["temples"]].items()
        ),
        *(written_seat(edition, position, seat) for seat in range(position["seats"])),
        joined("open", position["open"]) if position["open"] else "",
        joined("pile", *position["pile"]),
        joined("discard", *position["discard"]),
        written_supply(edition, position["supply"]),
        joined("last", seat_letter(last["opened_by"])) if last["opened_by"] is not None else "",
        joined("scored", *map(seat_letter, last["scored"])) if last["scored"] else "",
        written_festival(position["festival"]) if position["festival"] else "",
    ]
    return "".join(line + "\n" for line in lines if line)


def written_turn(turn: dict[str, Any]) -> str:
    flags = [name for name in ("laid", "token") if turn[name]]
    counts = [
        f"{name} {turn[name]}" for name in ("ap", "drawn", "idle") if turn[name] or name == "ap"
    ]
    return joined("turn", seat_letter(turn["seat"]), *counts, *flags)


def written_seat(edition: Edition, position: dict[str, Any], seat: int) -> str:
    letter = seat_letter(seat)
    full = form.renamed({k: getattr(Stock(), k) for k in Stock.__dataclass_fields__}, edition.words)
    spent = [f"{k} {n}" for k, n in position["stock"][seat].items() if n != full[k]]
    facts = [
        joined(letter, "at", *position[edition.words["incas"]][seat]),
        joined(letter, "hand", *position["hands"][seat]),
        joined(letter, "stock", *spent) if spent else "",
        joined(letter, "score", position["scores"][seat]),
    ]
    return "; ".join(fact for fact in facts if fact)


def written_supply(edition: Edition, supply: dict[str, Any]) -> str:
    floors = " ".join(
        f"{value} {count}" for value, count in supply[edition.words["floors"]].items()
    )
    return f"supply triples {supply['triples']} basins {supply['basins']}; floors {floors}"


def written_festival(festival: dict[str, Any]) -> str:
    proposer, asked = seat_letter(festival["proposer"]), seat_letter(festival["asked"])
    played = [
        joined("played", seat_letter(seat), *cards)
        for seat, cards in enumerate(festival["played"])
        if cards
    ]
    out = [joined("out", *map(seat_letter, festival["out"]))] if festival["out"] else []
    answered = joined("answered", *map(seat_letter, festival["answered"]))
    head = f"festival {festival['at']} by {proposer} asked {asked}"
    return "; ".join([head, *played, *out, answered])


def joined(*words: Any) -> str:
    return " ".join(map(str, words))
