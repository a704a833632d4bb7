"""Everything on a player's desk: the board, what can be done, what is drafted and what happened meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import dropwhile

from sqlmodel import Session

from app import (
    accounts,
    boards,
    bots,
    choices,
    company,
    consent,
    facts,
    glance,
    history,
    i18n,
    models,
    play,
    store,
    talk,
    undo,
)
from app.asleep import acts_of, played_by_bot
from app.boards import Scene
from app.choices import Group, Menu
from app.foresight import Ending
from app.history import Step
from app.models import Language
from app.play import Place, Preview
from app.talk import Said
from app.undo import Asked
from engine.core.game import Part
from engine.core.match import Match
from engine.core.record import Verdict
from engine.core.refusal import Refusal
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, seat_letter
from engine.core.thought import Thought

MOST_NEWS = 60
LATELY = 12  # events that tell a spectator what goes on, or how a match ended


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at the table, as the others see them."""

    seat: int
    letter: str
    name: str
    score: int
    gain: int  # what the draft would bring
    asked: bool
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A drafted order: what it would bring, or why it does not fit. `before` stays when it is taken back."""

    order: str
    before: tuple[str, ...]
    brings: tuple[Sentence, ...] = ()
    problem: Refusal | None = None
    waiting: bool = False
    ends: Ending | None = None  # whether it ends the match


@dataclass(frozen=True, slots=True)
class Desk:
    """What one person sees of a match that has begun. `thought` is None for those who cannot play."""

    row: models.Match
    match: Match
    here: Place
    sitters: tuple[Sitter, ...]
    names: dict[int, str]
    scene: Scene
    thought: Preview | None
    lines: tuple[Line, ...]
    groups: list[Group]
    news: list[Step]
    told: list[Said]
    note: str
    verdict: Verdict | None
    undo: Asked | None
    proposal: consent.Asked | None
    owner_plays: bool
    hints: bool  # whether a bot may be asked for advice

    @property
    def asked(self) -> bool:
        """Whether it is this person's turn."""
        return self.here.seat in self.match.game.to_act(self.match.state)

    @property
    def awaited(self) -> str:
        return self.match.game.awaited(self.match.state)

    @property
    def orders(self) -> tuple[str, ...]:
        return self.thought.orders if self.thought else ()

    @property
    def ready(self) -> bool:
        """Whether the draft can be committed as it stands."""
        return bool(self.asked and self.orders and self.thought and not self.thought.problem)

    @property
    def finished(self) -> bool:
        """Whether nothing more can be ordered after the draft: what is left is to commit it."""
        shown: Match | Thought = self.thought.shown if self.thought else self.match
        return self.ready and self.here.seat not in self.match.game.to_act(shown.state)

    @property
    def alone(self) -> bool:
        """Whether one person plays every seat."""
        return all(sitter.mine for sitter in self.sitters)

    @property
    def mine(self) -> set[int]:
        """The seats that this person plays."""
        return {sitter.seat for sitter in self.sitters if sitter.mine}

    @property
    def parts(self) -> list[tuple[Part, list[Group]]]:
        """What can be ordered, under the headings of the game."""
        return choices.arranged(self.scene.parts, {group.verb: group for group in self.groups})

    @property
    def plans(self) -> Mapping[str, Sentence]:
        """The verbs to plan with when it is not this person's turn: what will be legal then nobody knows."""
        planning = self.thought and self.thought.planned and not self.thought.problem
        return self.match.game.verbs if planning else {}

    @property
    def planned_parts(self) -> list[tuple[Part, list[tuple[str, Sentence]]]]:
        """The same under the headings of the game."""
        return choices.arranged(
            self.scene.parts, {verb: (verb, h) for verb, h in self.plans.items()}
        )

    @property
    def unlisted(self) -> bool:
        """Whether more orders are legal than can be listed: those must be typed."""
        seat = self.here.seat
        return (
            self.thought is not None and seat is not None and choices.has_more(self.thought, seat)
        )

    def menu(self, verb: str | None, first: str | None) -> Menu | None:
        return choices.menu(self.groups, verb, first)


def desk(session: Session, here: Place, seen: int | None = None) -> Desk:
    """The desk of one person; `seen` is the position that their page was made for."""
    row = glance.present(session, here.match_id)
    match = store.load(session.connection(), here.match_id)
    thought = play.draft(session, here) if can_play(here) else None
    shown: Match | Thought = thought.shown if thought else match
    names = names_of(session, here.match_id)
    slept = acts_of(session, here.match_id, here.seat)
    since = news_since(match, here.seat, slept) if seen is None else seen
    return Desk(
        row=row,
        match=match,
        here=here,
        sitters=sitters(session, match, shown, here, names),
        names=names,
        scene=boards.scene(match.game, shown.state, here.seat, shown.hash),
        thought=thought,
        lines=lines(thought, here.seat) if thought else (),
        groups=found_groups(thought, here.seat),
        news=news(session, here, max(since, match.head - MOST_NEWS)),
        told=talk.heard(session, here),
        note=talk.note(session, here),
        verdict=history.verified(match),
        undo=undo.asked(session, match),
        proposal=consent.asked(session, match),
        owner_plays=consent.owner_plays(seats_at(session, here.match_id), row.owner_id),
        hints=bots.may_ask(session, row, here),
    )


def can_play(here: Place) -> bool:
    return here.seat is not None and here.status == "running"


def found_groups(thought: Preview | None, seat: int | None) -> list[Group]:
    if thought is None or seat is None:
        return []
    return choices.gathered(thought, seat)


# People


def seats_at(session: Session, match_id: str) -> list[models.Seat]:
    return [seat for seat, _ in glance.SEATED.found(session, match=match_id)]


def names_of(session: Session, match_id: str, language: Language | None = None) -> dict[int, str]:
    """What the seats are called; where one name would stand for two seats, their letters tell them apart."""
    called = {
        seat.number: i18n.translate(who, language=language)
        for seat, player in glance.SEATED.found(session, match=match_id)
        if (who := called_at_table(seat, player))
    }
    count = Counter(called.values())
    return {
        seat: name if count[name] == 1 else f"{name} ({seat_letter(seat)})"
        for seat, name in called.items()
    }


def called_at_table(seat: models.Seat, player: models.Player | None) -> Sentence | str | None:
    """A person keeps their name while a bot stands in; a seat that is nobody's yet has none."""
    if seat.player_id is not None:
        return accounts.display_name(player)
    return company.called(seat.bot) if seat.bot else None


def sitters(
    session: Session, match: Match, shown: Match | Thought, here: Place, names: dict[int, str]
) -> tuple[Sitter, ...]:
    mine = set[int]()
    if here.player_id is not None:
        mine.update(glance.MINE.found(session, match=match.id, me=here.player_id))
    game = match.game
    scores, thought = game.scores(match.state), game.scores(shown.state)
    asked, won = game.to_act(match.state), game.winners(match.state)
    return tuple(
        Sitter(
            seat=seat,
            letter=seat_letter(seat),
            name=names.get(seat, seat_letter(seat)),
            score=score,
            gain=thought[seat] - score,
            asked=seat in asked,
            won=seat in won,
            mine=seat in mine,
        )
        for seat, score in enumerate(scores)
    )


# The draft


def lines(thought: Preview, seat: int | None) -> tuple[Line, ...]:
    """The draft, order by order."""
    brought = told_acts(thought, seat)
    fitting = len(thought.orders) - len(thought.waiting)
    return tuple(
        Line(
            order=order,
            before=thought.orders[:number],
            brings=brought[number] if number < len(brought) else (),
            problem=thought.problem if number + 1 == thought.line else None,
            waiting=number >= fitting and number + 1 != thought.line,
            ends=thought.ends if number == fitting else None,
        )
        for number, order in enumerate(thought.orders)
    )


def told_acts(thought: Preview, seat: int | None) -> list[tuple[Sentence, ...]]:
    """What each order that was played in thought brings, in sentences."""
    game = thought.match.game
    return [
        tuple(facts.sentence(game, redact(event, seat)) for event in events)
        for events in thought.shown.acts
    ]


# What happened


def news(session: Session, here: Place, since: int) -> list[Step]:
    """What happened after a position, without what only asked somebody for something."""
    match, found = history.steps(session, here, since)
    return [s for s in found if not isinstance(match.log[s.pos - 1].event, match.game.asking)]


def news_since(match: Match, seat: int | None, asleep: Collection[int] = ()) -> int:
    """The position after which events are news; `asleep` are acts that standing orders gave for the seat."""
    if match.over or seat is None:
        return max(0, match.head - LATELY)
    return last_turn(match, seat, asleep)


def last_turn(match: Match, seat: int | None, asleep: Collection[int] = ()) -> int:
    """The position at which the seat's player last had finished a turn; 0 if there was none yet."""
    if seat is None:
        return 0
    latest_first = reversed(match.timeline.effective)
    if seat in match.game.to_act(match.state):
        # What was played in the turn that still runs came after the others': it is no last turn.
        latest_first = dropwhile(lambda entry: entry.seat in (None, seat), latest_first)
    not_theirs = {*asleep, *played_by_bot(match, seat)}
    own = (entry.pos for entry in latest_first if entry.seat == seat)
    return next((pos for pos in own if match.log[pos - 1].act not in not_theirs), 0)
