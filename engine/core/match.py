"""One match: its log, what of it counts, and the state that follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core import chain, chance
from engine.core.chance import Chance
from engine.core.codec import encode
from engine.core.game import Game, Option
from engine.core.refusal import MatchOver, NotAsked, Unknown
from engine.core.secrecy import owners
from engine.core.sentence import Seat, brief, listed, say
from engine.core.timeline import (
    CORE_EVENTS,
    PROPOSALS,
    SEATINGS,
    TABLE_EVENTS,
    ActProposed,
    Closed,
    Entry,
    Extended,
    MatchStarted,
    ProposalAnswered,
    Reseeded,
    Restored,
    Returned,
    Rewound,
    SeatReplaced,
    SeatResigned,
    SeatsDrawn,
    SeatsTurned,
    SeedRevealed,
    StoodIn,
    Timeline,
    UndoAnswered,
    UndoAsked,
    UndoWithdrawn,
)

OF_THE_CORE = frozenset(CORE_EVENTS)
MOST_HOURS = 24 * 60  # by which a turn is extended at once
NONCE = re.compile(r"([0-9a-f]{64})?", re.ASCII)  # a hash of words, never the words: or nothing


@dataclass(frozen=True, slots=True)
class Match:
    """A match as a value: playing gives a new one. `seeds` says from which pos each seed is in force."""

    game: Game
    id: str
    seeds: tuple[tuple[int, str], ...]
    log: tuple[Entry, ...] = ()
    timeline: Timeline = Timeline()
    state: Any = None

    @property
    def name(self) -> str:
        """What draws and seals are bound to: the id that it began under, which an imported match keeps."""
        return self.log[0].event.match if self.log else self.id

    @property
    def head(self) -> int:
        return self.log[-1].pos if self.log else 0

    @property
    def hash(self) -> str:
        return self.log[-1].hash if self.log else chain.GENESIS

    @property
    def seed(self) -> str:
        """The seed in force: the next act draws from it."""
        return self.seeds[-1][1]

    @property
    def over(self) -> bool:
        return not self.game.to_act(self.state)

    @property
    def revealed(self) -> bool:
        """Whether nothing of it is secret any more: it is over, or was closed and told its seeds."""
        return self.over or isinstance(self.log[-1].event, SeedRevealed)

    @property
    def nonces(self) -> tuple[str, ...]:
        """What players mixed into its chance before it began."""
        seated = self.log[1].event if len(self.log) > 1 else None
        return seated.nonces if isinstance(seated, SEATINGS) else ()

    @property
    def chairs(self) -> tuple[int, ...]:
        """For each seat the place of the open table at which its player sat."""
        drawn = self.log[1].event if len(self.log) > 1 else None
        if isinstance(drawn, SeatsDrawn):
            return drawn.chairs
        return tuple(range(self.log[0].event.seats))

    def draws(self, pos: int) -> Chance:
        """The chance of an act whose first event will stand at `pos`."""
        return Chance(chance.mixed(self.seed, self.nonces), self.name, pos)

    def seed_at(self, pos: int) -> str:
        return next(seed for since, seed in reversed(self.seeds) if since <= pos)


def start(
    game: Game,
    seats: Any,
    options: Mapping[str, Any],
    seed: str,
    match: str = "match",
    nonces: Sequence[str] | None = None,
    *,
    turned: bool = False,
    before: str | None = None,
) -> Match:
    """A new match, set up and ready for its first order; with `nonces`, one each, the seats are drawn too, or `turned`."""
    settled = settle_options(game, options)
    return start_by(game, seats, settled, seed, match, nonces, turned=turned, before=before)


def start_by(
    game: Game,
    seats: Any,
    settled: dict[str, Any],
    seed: str,
    match: str,
    nonces: Sequence[str] | None = None,
    *,
    turned: bool = False,
    before: str | None = None,
) -> Match:
    """A match by just these options: a new one's are complete, an old one's name no edition."""
    check_seats(game, seats)
    opening = MatchStarted(game.key, match, seats, settled, chance.commitment(seed))
    fresh = Match(game, match, ((1, seed),))
    seated = list[Any]()
    if nonces is not None:
        check_nonces(seats, nonces)
        drawn = (
            SeatsTurned(tuple(nonces), before) if turned else draw_seats(seed, match, seats, nonces)
        )
        seated = [drawn]
    draws = Chance(chance.mixed(seed, nonces or ()), match, 1)
    return append(fresh, [opening, *seated, *game.setup(seats, settled, draws)])


def check_nonces(seats: int, nonces: Sequence[str]) -> None:
    if len(nonces) != seats or not all(map(NONCE.fullmatch, nonces)):
        raise Unknown(say("Each of the {seats} seats has one nonce or none.", seats=seats))


def draw_seats(seed: str, match: str, seats: int, nonces: Sequence[str]) -> SeatsDrawn:
    """Draws who sits where; no act has the position 0, so no other draw is like these."""
    lot, chairs = Chance(chance.mixed(seed, nonces), match, 0), list(range(seats))
    drawn = tuple(chairs.pop(lot.pick(range(len(chairs)))) for _ in range(seats))
    return SeatsDrawn(drawn, tuple(nonces))


def start_at(game: Game, position: Any, seed: str, match: str = "match") -> Match:
    """A match that begins in a given position, in the referee's form."""
    return start_with(game, game.load(position), seed, match)


def start_at_recorded(game: Game, position: Any, seed: str, match: str) -> Match:
    """The same with a position that a record tells: an old one names no edition, and keeps its bytes."""
    named = position["options"]
    unnamed = {n: value for n, value in old_editions(game).items() if n not in named}
    event = game.load({**position, "options": {**named, **unnamed}})
    for name in unnamed:
        del event.position["options"][name]
    return start_with(game, event, seed, match)


def start_with(game: Game, event: Any, seed: str, match: str) -> Match:
    """A match that begins with the event of a position."""
    seats, options = event.position["seats"], event.position["options"]
    opening = MatchStarted(game.key, match, seats, options, chance.commitment(seed))
    owed = game.owed(game.evolve(None, event), Chance(seed, match, 1))
    return append(Match(game, match, ((1, seed),)), [opening, event, *owed])


def play(match: Match, seat: int, order: str) -> Match:
    """The match after one order of one seat; refuses in the order a person would."""
    if match.revealed:
        raise MatchOver(say("The match is over; nothing more can be ordered."))
    action = match.game.parse(seat, order)
    match.game.recognise(match.state, action)
    return act(match, action)


def act(match: Match, action: Any) -> Match:
    """The match after one action."""
    game = match.game
    check_asked(game, match.state, action)
    events = game.decide(match.state, action, match.draws(match.head + 1))
    hidden = bool(owners(type(action)))
    return append(match, events, action.seat, game.format(action), hidden=hidden)


def check_asked(game: Game, state: Any, action: Any) -> None:
    """Refuses an action of a seat that is not asked."""
    asked = game.to_act(state)
    if action.seat not in asked:
        others = listed(map(Seat, asked))
        raise NotAsked(
            say("{seat} is not asked now; {asked} is.", seat=Seat(action.seat), asked=others)
        )


def append(
    match: Match,
    events: Sequence[Any],
    seat: int | None = None,
    order: str | None = None,
    *,
    hidden: bool = False,
) -> Match:
    """The match after the events of one act; the end of the match reveals its seeds in the same act."""
    state = advance(match.game, match.state, events)
    if not match.game.to_act(state):
        events = [*events, *untold_seeds(match)]
    entries = _linked(match, events, seat, order, hidden=hidden)
    timeline = match.timeline.extended(entries)
    return replace(match, log=(*match.log, *entries), timeline=timeline, state=state)


def untold_seeds(match: Match) -> list[SeedRevealed]:
    """What the end reveals: the seed in force, and earlier ones by which something was played that none has told."""
    told = {entry.event.seed for entry in match.log if isinstance(entry.event, SeedRevealed)}
    used = {match.seed_at(e.pos) for e in match.log if type(e.event) not in OF_THE_CORE}
    seeds = (seed for _, seed in match.seeds)
    return [SeedRevealed(seed) for seed in seeds if seed == match.seed or seed in used - told]


def rewind(match: Match, to: int, by: str, reason: str, fresh_seed: str | None = None) -> Match:
    """The match as it stood after `to`; a fresh seed draws from here on, for what the old one would draw may be known."""
    match.timeline.check_rewind(to)
    seed = fresh_seed or chance.next_seed(match.seed, match.head + 1)
    return _turned(match, Rewound(to, by, reason, chance.commitment(seed)), seed)


def rewind_by_old_seed(match: Match, to: int, by: str, reason: str) -> Match:
    """A rewind as old records hold it: a match that still ran kept its seed."""
    match.timeline.check_rewind(to)
    if match.over:
        raise ValueError("a seed that was revealed draws nothing more")
    return _turned(match, Rewound(to, by, reason), None)


def restore(match: Match, by: str) -> Match:
    """The match with the last cut piece back in place; the newest seed stays in force."""
    match.timeline.check_restore()
    return _turned(match, Restored(by), None)


def note(match: Match, event: Any) -> Match:
    """The match after a fact about its table, which is an act of its own and leaves the state as it is."""
    check_fact(match, event)
    return _noted(match, [event])


def reseed(match: Match, by: str, reason: str, seed: str) -> Match:
    """The match with a fresh seed in force, committed to in its log; what is drawn from here on nobody can have seen."""
    return reseed_as(match, Reseeded(by, reason, chance.commitment(seed)), seed)


def reseed_as(match: Match, event: Reseeded, seed: str | None) -> Match:
    """As a log tells it; a seed that drew nothing may never have been told."""
    after = note(match, event)
    return after if seed is None else replace(after, seeds=(*match.seeds, (after.head, seed)))


def close(match: Match, event: Closed) -> Match:
    """The match ended unfinished; its seeds are revealed in the same act, so that anybody can check it."""
    check_fact(match, event)
    return _noted(match, [event, *untold_seeds(match)])


def check_fact(match: Match, event: Any) -> None:
    """Refuses what no table can have done, for a record may come from anywhere."""
    if not isinstance(event, TABLE_EVENTS):
        raise TypeError(f"{type(event).__name__} is no fact about a table")
    if match.revealed:
        raise MatchOver(say("The match is over; nothing more can be ordered."))
    match event:
        case SeatReplaced() | SeatResigned() | UndoAsked() | UndoAnswered() | UndoWithdrawn():
            check_seat(match, event.seat)
        case StoodIn() | Returned() | ProposalAnswered():
            check_seat(match, event.seat)
        case Closed(winners=winners):
            for seat in winners:
                check_seat(match, seat)
        case Extended(hours=hours):
            check_hours(hours)
        case ActProposed():
            check_proposal(match, event)


def check_proposal(match: Match, event: ActProposed) -> None:
    """Refuses what nobody can propose."""
    if event.act not in PROPOSALS:
        raise Unknown(say("Nobody can propose {act}.", act=brief(event.act)))
    for seat in (event.seat, event.given, *event.winners):
        if seat is not None:
            check_seat(match, seat)
    if event.hours is not None:
        check_hours(event.hours)


def check_hours(hours: int) -> None:
    if not 1 <= hours <= MOST_HOURS:
        raise Unknown(
            say("A turn is extended by 1 to {most} hours, not {n}.", most=MOST_HOURS, n=hours)
        )


def check_seat(match: Match, seat: int) -> None:
    if seat not in range(match.log[0].event.seats):
        raise Unknown(say("There is no seat {seat} in this match.", seat=seat))


def _linked(
    match: Match,
    events: Sequence[Any],
    seat: int | None = None,
    order: str | None = None,
    *,
    hidden: bool = False,
) -> list[Entry]:
    """The events of one act as the next links of the match's chain."""
    first, before, entries = match.head + 1, match.hash, list[Entry]()
    for pos, event in enumerate(events, first):
        bare = Entry(pos, first, seat, order, event, "", hidden)
        before = chain.link(before, sealed_body(bare, match.name, match.seed))
        entries.append(bare._replace(hash=before))
    return entries


def _noted(match: Match, events: Sequence[Any]) -> Match:
    """The match after events that leave its state as it is."""
    entries = _linked(match, events)
    timeline = match.timeline.extended(entries)
    return replace(match, log=(*match.log, *entries), timeline=timeline)


def _turned(match: Match, event: Rewound | Restored, seed: str | None) -> Match:
    """After a rewind or a restoration the state is folded anew from what counts."""
    (entry,) = _linked(match, [event])
    timeline = match.timeline.extended([entry])
    return replace(
        match,
        seeds=match.seeds if seed is None else (*match.seeds, (entry.pos, seed)),
        log=(*match.log, entry),
        timeline=timeline,
        state=advance(match.game, None, (e.event for e in timeline.effective)),
    )


def advance(game: Game, state: Any, events: Iterable[Any]) -> Any:
    """The state after `events`; those of the core do not concern the game."""
    for event in events:
        if type(event) not in OF_THE_CORE:
            state = game.evolve(state, event)
    return state


def sealed_body(entry: Entry, match: str, seed: str) -> dict[str, Any]:
    """What of an entry is hashed: everything, with its secrets sealed."""
    salts = entry_salts(entry, match, seed)
    data = encode(entry.event)
    for part in salts.keys() & data.keys():
        data[part] = chain.seal(data[part], salts[part])
    order = chain.seal(entry.order, salts["order"]) if entry.hidden else entry.order
    return {
        "pos": entry.pos,
        "act": entry.act,
        "seat": entry.seat,
        "order": order,
        "kind": type(entry.event).__name__,
        "data": data,
    }


def entry_salts(entry: Entry, match: str, seed: str) -> dict[str, str]:
    """The salt of every secret part of an entry."""
    parts = [*owners(type(entry.event)), *(["order"] if entry.hidden else [])]
    return {part: chance.salt(seed, match, entry.pos, part) for part in parts}


def check_seats(game: Game, seats: Any) -> None:
    if type(seats) is not int or seats not in game.seats:
        raise Unknown(
            say(
                "{game} is for {least} to {most} seats, not {seats}.",
                game=game.name,
                least=game.seats[0],
                most=game.seats[-1],
                seats=brief(seats),
            )
        )


def settle_options(game: Game, options: Any) -> dict[str, Any]:
    """All options of the game, with their defaults where nothing was said."""
    if not isinstance(options, Mapping):
        raise Unknown(say("Options are an object of names and values."))
    for name, value in options.items():
        if name not in game.options:
            known = ", ".join(game.options) or "-"
            raise Unknown(
                say(
                    "There is no option {name}; the options are {known}.",
                    name=brief(name),
                    known=known,
                )
            )
        check_option(name, game.options[name], value)
    return {name: options.get(name, option.default) for name, option in game.options.items()}


def recorded_options(game: Game, options: Any) -> dict[str, Any]:
    """The options of a match that a record tells: complete, but for the editions that an old one does not name."""
    settled = settle_options(game, options)
    return {n: v for n, v in settled.items() if n in options or n not in old_editions(game)}


def old_editions(game: Game) -> dict[str, int]:
    """What matches play by whose first event does not name it."""
    return {n: o.before for n, o in game.options.items() if o.before is not None}


def check_option(name: str, option: Option, value: Any) -> None:
    """Refuses a value that the option cannot have."""
    if option.limits is None:
        if type(value) is not bool:
            raise Unknown(
                say(
                    "Option {name} is true or false, not {value}.",
                    name=name,
                    value=brief(value),
                )
            )
        return
    least, most = option.limits
    if type(value) is not int or not least <= value <= most:
        raise Unknown(
            say(
                "Option {name} is a whole number from {least} to {most}, not {value}.",
                name=name,
                least=least,
                most=most,
                value=brief(value),
            )
        )
