"""The referee: one match at a time, one JSON object in and one out for every line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from engine.core import match as matches
from engine.core import playout, record
from engine.core.codec import encode
from engine.core.match import Match
from engine.core.refusal import IllegalMove, MatchOver, NotUnderstood, Refusal, Unknown
from engine.core.registry import find, games
from engine.core.sentence import brief, say
from engine.core.timeline import Entry

DEEPEST = 6  # perft beyond this would not answer in a lifetime
BY = "referee"

Request = dict[str, Any]
Answer = dict[str, Any]


class Referee:
    """Holds one match. `entropy` gives a seed where a request brings none."""

    def __init__(self, entropy: Callable[[], str]) -> None:
        self._entropy = entropy
        self._match: Match | None = None
        self._requests: dict[str, Callable[[Request], Answer]] = {
            "games": self._games,
            "new": self._new,
            "position": self._position,
            "to_act": self._to_act,
            "legal": self._legal,
            "order": self._order,
            "view": self._view,
            "state": self._state,
            "scores": self._scores,
            "rewind": self._rewind,
            "restore": self._restore,
            "log": self._log,
            "load": self._load,
            "svg": self._svg,
            "perft": self._perft,
        }

    def serve(self, lines: Iterable[bytes]) -> Iterator[str]:
        """One answer for every line."""
        for line in lines:
            yield self.answer(line)

    def answer(self, line: str | bytes) -> str:
        """The answer to one line; after a refusal nothing has changed."""
        try:
            request = understand(line)
            return json.dumps({"ok": True, **self._requests[request["do"]](request)})
        except Refusal as refusal:
            return json.dumps({"ok": False, "error": error(refusal)})
        except RecursionError:  # JSON that could be read, but is too deep to be looked into
            return json.dumps({"ok": False, "error": error(TOO_DEEP)})

    @property
    def match(self) -> Match:
        if self._match is None:
            raise Unknown(say("There is no match yet; begin with new, position or load."))
        return self._match

    # Each request

    def _games(self, _: Request) -> Answer:
        return {
            "games": [
                {
                    "key": game.key,
                    "name": game.name,
                    "seats": list(game.seats),
                    "options": {name: o.told() for name, o in game.options.items()},
                }
                for game in games().values()
            ]
        }

    def _new(self, request: Request) -> Answer:
        game = find(request.get("game"))
        options = request.get("options", {})
        self._match = matches.start(game, request.get("seats"), options, self._seed(request))
        return self._since(0)

    def _position(self, request: Request) -> Answer:
        game = find(request.get("game"))
        self._match = matches.start_at(game, request.get("position"), self._seed(request))
        return {"head": self.match.head}

    def _to_act(self, _: Request) -> Answer:
        return {"seats": list(self.match.game.to_act(self.match.state))}

    def _legal(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        actions = match.game.legal(match.state, seat)
        return {"orders": sorted(map(match.game.format, actions))}

    def _order(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        if match.over:
            raise MatchOver(say("The match is over; nothing more can be ordered."))
        order = text_of(request, "order")
        self._match = matches.play(match, seat, order)
        return self._since(match.head)

    def _view(self, request: Request) -> Answer:
        match, seat = self.match, self._viewer(request)
        return {"view": match.game.show(match.game.view(match.state, seat))}

    def _state(self, _: Request) -> Answer:
        return {"position": self.match.game.dump(self.match.state)}

    def _scores(self, _: Request) -> Answer:
        match = self.match
        scores = {"scores": list(match.game.scores(match.state)), "over": match.over}
        return (
            {**scores, "winners": list(match.game.winners(match.state))} if match.over else scores
        )

    def _rewind(self, request: Request) -> Answer:
        to = request.get("to")
        if type(to) is not int:
            raise Unknown(say("rewind takes a position as a whole number, not {to}.", to=brief(to)))
        reason = text_of(request, "reason", "")
        self._match = matches.rewind(self.match, to, BY, reason)
        return {"head": self.match.head}

    def _restore(self, _: Request) -> Answer:
        self._match = matches.restore(self.match, BY)
        return {"head": self.match.head}

    def _log(self, _: Request) -> Answer:
        return {"log": record.export(self.match)}

    def _load(self, request: Request) -> Answer:
        log = request.get("log")
        if not isinstance(log, list):
            raise NotUnderstood(say("load takes a list of lines as log gave them."))
        self._match = record.load(log)
        return {"head": self.match.head}

    def _svg(self, request: Request) -> Answer:
        match, seat = self.match, self._viewer(request)
        return {"svg": match.game.render(match.game.view(match.state, seat), str)}

    def _perft(self, request: Request) -> Answer:
        depth = request.get("depth")
        if type(depth) is not int or depth < 0:
            raise NotUnderstood(
                say(
                    "perft takes a depth as a whole number from 0, not {depth}.", depth=brief(depth)
                )
            )
        if depth > DEEPEST:
            raise Unknown(
                say(
                    "perft goes {most} orders deep at the most, not {depth}.",
                    most=DEEPEST,
                    depth=brief(depth),
                )
            )
        return {"nodes": playout.perft(self.match, depth)}

    # Parts of requests

    def _since(self, head: int) -> Answer:
        return {
            "head": self.match.head,
            "events": [told(e) for e in self.match.log if e.pos > head],
        }

    def _seed(self, request: Request) -> str:
        seed = text_of(request, "seed", None)
        return self._entropy() if seed is None else seed

    def _seat(self, request: Request) -> int:
        seat, seats = request.get("seat"), len(self.match.game.scores(self.match.state))
        if type(seat) is not int or not 0 <= seat < seats:
            raise Unknown(
                say(
                    "There is no seat {seat}; the seats are 0 to {last}.",
                    seat=brief(seat),
                    last=seats - 1,
                )
            )
        return seat

    def _viewer(self, request: Request) -> int | None:
        return None if request.get("seat") is None else self._seat(request)


TOO_DEEP = NotUnderstood(say("The request is nested too deeply."))


def understand(line: str | bytes) -> Request:
    """The request of a line, known at least by what it wants done."""
    try:
        request = json.loads(line, parse_constant=not_json, object_pairs_hook=once_each)
    except (ValueError, RecursionError) as fault:
        raise NotUnderstood(say("The line is not JSON.")) from fault
    if not isinstance(request, dict):
        raise NotUnderstood(say("A request is a JSON object."))
    if request.get("do") not in REQUESTS:
        raise NotUnderstood(
            say(
                "do is one of {known}, not {do}.",
                known=", ".join(REQUESTS),
                do=brief(request.get("do")),
            )
        )
    return request


REQUESTS = [
    "games",
    "new",
    "position",
    "to_act",
    "legal",
    "order",
    "view",
    "state",
    "scores",
    "rewind",
    "restore",
    "log",
    "load",
    "svg",
    "perft",
]


def not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def once_each(pairs: list[tuple[str, Any]]) -> Request:
    """An object; refused if it names a key twice, for the last value would hide the others."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise Unknown(say("The key {key} stands twice in one object.", key=brief(twice)))
    return found


def text_of(request: Request, key: str, default: Any = NotUnderstood) -> Any:
    """A text in the request, or its default where it has one."""
    value = request.get(key, default)
    if key not in request and default is not NotUnderstood:
        return default
    if isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value):
        return value
    raise NotUnderstood(
        say("{key} must be a text, not {value}.", key=key, value=brief(request.get(key)))
    )


def told(entry: Entry) -> Answer:
    return {"pos": entry.pos, "kind": type(entry.event).__name__, "data": encode(entry.event)}


def error(refusal: Refusal) -> Answer:
    found = {"code": refusal.code, "message": str(refusal)}
    return {**found, "rule": refusal.rule} if isinstance(refusal, IllegalMove) else found
