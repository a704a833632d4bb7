"""Read model of the turn page: the board, what can be done, what is drafted and what happened meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any

from babel.numbers import format_decimal
from sqlmodel import Session

from app.eventstore.store import load_match
from app.matches.access import Place
from app.matches.bot_moves import may_ask_advice
from app.matches.chat import Said, count_unread_here, load_note, load_talk
from app.matches.drafts import Preview, load_draft, preview_draft
from app.matches.lookahead import Ending
from app.matches.participants import load_seat_names
from app.matches.sleeping_seats import load_answered_acts
from app.moderation.consent import AskedProposal, load_open_proposal, owner_plays
from app.moderation.undo_requests import AskedUndo, load_open_request
from app.platform import tables
from app.platform.i18n import language_here, translate_sentence
from app.platform.rows import MINE, SEATED, load_present_match
from app.views.board_pictures import Change, find_changes
from app.views.event_text import foretell_event
from app.views.history import Step, verify_match
from app.views.legal_orders import (
    Group,
    Menu,
    arrange_parts,
    gather_groups,
    has_more,
    make_menu,
)
from app.views.news import load_news, name_state, news_since
from app.views.order_words import name_order
from app.views.scenes import Scene, known_scene, make_scene
from app.views.table_stream import Moves, weave_stream
from engine.core.bot import Reason
from engine.core.game import Answer, Part, Tool
from engine.core.match import Match
from engine.core.record import Verdict
from engine.core.refusal import Refusal
from engine.core.registry import insight
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say, seat_letter
from engine.core.thought import Thought, think_ahead

MOST_NEWS = 60  # events of what happened since one's last turn
MOST_STREAM = 24  # events among what was said, where less happened


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
    doubt: Refusal | None = None  # why it would not fit if it were played now
    rest: tuple[str, ...] = ()  # the draft without it
    ends: Ending | None = None  # whether it ends the match


@dataclass(frozen=True, slots=True)
class Missing:
    """A verb that cannot be used now, and why; or the order that is tried when somebody asks why."""

    verb: str
    reason: Sentence
    tried: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What one person sees of a match that has begun. `thought` is None for those who cannot play."""

    row: tables.Match
    match: Match
    here: Place
    sitters: tuple[Sitter, ...]
    names: dict[int, str]
    scene: Scene
    thought: Preview | None
    lines: tuple[Line, ...]
    groups: list[Group]
    missing: list[Missing]
    news: list[Step]
    stream: list[Said | Moves]  # what was said and done lately, to those at the table
    more: bool  # whether moves before the stream are left to the history
    unread: int  # things that others said
    note: str
    verdict: Verdict | None
    undo: AskedUndo | None
    proposal: AskedProposal | None
    owner_plays: bool
    hints: bool  # whether a bot may be asked for advice
    state: str  # names what the page was made from: whoever hears another name knows that it is old
    coached: bool = False  # whether a newcomer is told what to do next

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
    def closing(self) -> str | None:
        """The order that would end the turn after the draft, if it may and has not ended."""
        plain = (group.verb for group in self.groups if group.plain and self.asked)
        return next((verb for verb in plain if self.is_closing(verb)), None)

    def is_closing(self, verb: str) -> bool:
        tool = self.scene.tools.get(verb)
        return tool is not None and tool.closes

    @property
    def playable(self) -> tuple[str, ...]:
        """What the button plays: the draft, and the end of the turn where that is missing."""
        if self.finished or not any(tool.closes for tool in self.scene.tools.values()):
            return self.orders if self.ready else ()
        if self.awaited != "turn":
            return self.orders if self.ready else ()
        return (*self.orders, self.closing) if self.closing and (self.orders or self.begun) else ()

    @property
    def begun(self) -> bool:
        """Whether some of this turn is played already, so that its end may be all that is left to play."""
        if (began := self.match.game.turn_began) is None:
            return False
        latest_first = reversed(self.match.timeline.effective)
        turn = takewhile(lambda entry: not isinstance(entry.event, began), latest_first)
        acts = (entry for entry in turn if entry.pos == entry.act)
        return any(entry.seat == self.here.seat for entry in acts)

    @property
    def unready(self) -> Sentence | None:
        """Why the turn cannot be ended yet, in the words of the rules."""
        tools = self.scene.tools.items()
        verb = next((verb for verb, tool in tools if tool.closes), None)
        if self.thought is None or self.here.seat is None or verb is None or not self.asked:
            return None
        return find_reason(self.thought, self.here.seat, verb)

    @property
    def turns(self) -> list[tuple[int | None, list[Step]]]:
        """What happened, by whose doing it was."""
        by_whom = groupby(self.news, key=lambda step: step.data.get("seat"))
        return [(seat, list(some)) for seat, some in by_whom]

    @property
    def left(self) -> Sentence | None:
        """What would be left unused if the turn ended now, as the game counts it."""
        return self.scene.left if self.closing else None

    @property
    def coach(self) -> Sentence | None:
        """What a newcomer could do next; nothing where the page itself says what is left to do."""
        thought = self.thought
        silent = thought is None or thought.problem or thought.waiting or self.finished
        return self.scene.coach if self.coached and self.asked and not silent else None

    @property
    def link(self) -> str:
        """Names the position that the board shows."""
        return self.thought.shown.hash if self.thought else self.match.hash

    def changes(self, link: str | None) -> list[Change] | None:
        """What the board needs to be drawn anew from the position that the page shows, if that is known."""
        old = known_scene(self.match.id, self.here.seat, link) if link else None
        return find_changes(old.labelled, self.scene.labelled) if old else None

    def has_tools_of(self, link: str | None) -> bool:
        """Whether tools and cards are the same as in the position that the page shows."""
        old = known_scene(self.match.id, self.here.seat, link) if link else None
        return old is not None and drawings_of(old) == drawings_of(self.scene)

    def answer(self, typed: str) -> Answer | None:
        """The answer that a mail's link has chosen already: one button plays it."""
        answers = self.scene.question.answers if self.scene.question else ()
        return next((answer for answer in answers if answer.order == typed.strip()), None)

    def why_not(self, verb: str | None) -> Missing | None:
        """The verb that somebody asks about, if it cannot be used now, with what the rules say to it."""
        one = next((one for one in self.missing if one.verb == verb), None)
        if one is None or not one.tried or self.thought is None or self.here.seat is None:
            return one
        reason = find_reason(self.thought, self.here.seat, one.tried)
        return replace(one, reason=reason) if reason else one

    def tool(self, verb: str) -> Tool:
        """The verb as a button; a game that has no tools is left with its words."""
        return self.scene.tools.get(verb) or Tool(say("{word}", word=verb))

    @property
    def alone(self) -> bool:
        """Whether one person plays every seat."""
        return all(sitter.mine for sitter in self.sitters)

    @property
    def mine(self) -> set[int]:
        """The seats that this person plays."""
        return {sitter.seat for sitter in self.sitters if sitter.mine}

    @property
    def parts(self) -> list[tuple[Part, list[Group], list[Group | Missing]]]:
        """What can be ordered, under the headings of the game, and with it what cannot, each verb in its fixed place."""
        everything: tuple[Group | Missing, ...] = (*self.missing, *self.groups)
        known = {one.verb: one for one in everything}
        told = {verb: known[verb] for verb in self.match.game.verbs if verb in known}
        divided = (
            (part, [one for one in some if isinstance(one, Group)], some)
            for part, some in arrange_parts(self.scene.parts, told)
        )
        return [(part, groups, some) for part, groups, some in divided if groups or part.state]

    @property
    def plans(self) -> Mapping[str, Sentence]:
        """The verbs to plan with where nobody can say what could be done if it were this person's turn."""
        planning = self.thought and self.thought.planned and not self.thought.problem
        unknown = planning and (not self.groups or (self.thought and self.thought.waiting))
        return self.match.game.verbs if unknown else {}

    @property
    def planned_parts(self) -> list[tuple[Part, list[tuple[str, Sentence]]]]:
        """The same under the headings of the game."""
        return arrange_parts(self.scene.parts, {verb: (verb, h) for verb, h in self.plans.items()})

    @property
    def playable_cards(self) -> frozenset[str]:
        """The cards that some answer or legal order names: they can be played just now."""
        cards, question = self.match.game.cards, self.scene.question
        if not cards:
            return frozenset()
        listed = [order for group in self.groups for order, _ in group.choices]
        orders = [one.order for one in question.answers] if question else listed
        return frozenset(" ".join(orders).split()) & cards.keys()

    @property
    def unlisted(self) -> bool:
        """Whether more orders are legal than can be listed: those must be typed."""
        seat = self.here.seat
        return self.thought is not None and seat is not None and has_more(self.thought, seat)

    def menu(self, verb: str | None, first: str | None) -> Menu | None:
        return make_menu(self.groups, verb, first)


def drawings_of(scene: Scene) -> tuple[object, ...]:
    """What a page keeps to draw from while its board changes."""
    return scene.tools, scene.pieces, scene.cards.keys()


def load_turn_page(session: Session, here: Place, seen: int | None = None) -> Desk:
    """The desk of one person; `seen` is the position that their page was made for."""
    row = load_present_match(session, here.match_id)
    match = load_match(session.connection(), here.match_id)
    thought = load_draft(session, here) if can_play(here) else None
    shown: Match | Thought = thought.shown if thought else match
    names = load_seat_names(session, here.match_id)
    slept = load_answered_acts(session, here.match_id, here.seat)
    since = news_since(match, here.seat, slept) if seen is None else seen
    fresh = max(since, match.head - MOST_NEWS)
    first = max(0, min(fresh, match.head - MOST_STREAM)) if here.at_table else fresh
    lately = load_news(session, here, first)
    seated = SEATED.found(session, match=here.match_id)
    scene = make_scene(match, shown.state, here.seat, shown.hash)
    return Desk(
        row=row,
        match=match,
        here=here,
        sitters=list_sitters(match, shown, own_seats(session, here), names),
        names=names,
        scene=scene,
        thought=thought,
        lines=draft_lines(thought, here.seat) if thought else (),
        groups=found_groups(thought, here.seat),
        missing=find_missing(thought, here.seat, scene),
        news=[step for step in lately if step.pos > fresh],
        stream=weave_stream(load_talk(session, here), lately) if here.at_table else [],
        more=first > 0,
        unread=count_unread_here(session, here),
        note=load_note(session, here),
        verdict=verify_match(match),
        undo=load_open_request(session, match),
        proposal=load_open_proposal(session, match),
        owner_plays=owner_plays([seat for seat, _ in seated], row.owner_id),
        hints=may_ask_advice(session, row, here),
        state=name_state(session, here),
        coached=is_coached(row, match, here, [player for _, player in seated if player]),
    )


def is_coached(row: tables.Match, match: Match, here: Place, players: list[tables.Player]) -> bool:
    """Whether this is one of the first turns of a newcomer who has not said that they want no advice."""
    if not row.coached or here.seat is None or here.player_id != row.owner_id:
        return False
    if any(player.id == here.player_id and player.coach_off_at for player in players):
        return False
    ended = match.game.turn_ended
    own = (e for e in match.timeline.effective if ended and isinstance(e.event, ended))
    return sum(1 for entry in own if entry.event.seat == here.seat) < row.coached


def can_play(here: Place) -> bool:
    return here.seat is not None and here.status == "running"


def found_groups(thought: Preview | None, seat: int | None) -> list[Group]:
    if thought is None or seat is None:
        return []
    return gather_groups(thought, seat)


def find_missing(thought: Preview | None, seat: int | None, scene: Scene) -> list[Missing]:
    """The verbs of a turn that cannot be used now; of what the draft has made impossible, what the rules say to it."""
    if thought is None or seat is None or not (groups := gather_groups(thought, seat)):
        return []
    now = {group.verb for group in groups}
    found = {verb: Missing(verb, NOT_NOW, order) for verb, order in scene.tries.items()}
    found |= {one.verb: one for one in find_gone(thought, seat, now)}
    return [one for verb, one in found.items() if verb not in now]


def find_gone(thought: Preview, seat: int, now: Collection[str]) -> Iterator[Missing]:
    """What could be done when the turn began: the reason is what the rules say to one such order."""
    if thought.planned or not thought.orders:
        return
    for group in gather_groups(preview_draft(thought.match, seat, ()), seat):
        if group.verb not in now:
            reason = find_reason(thought, seat, group.choices[0][0])
            yield Missing(group.verb, reason or NOT_NOW)


NOT_NOW = say("Not possible now.")


def find_reason(thought: Preview, seat: int, order: str) -> Sentence | None:
    """Why an order would be refused after the draft; None if it would not."""
    try:
        think_ahead(thought.ahead, thought.match.game.parse(seat, order))
    except Refusal as refusal:
        return refusal.sentence
    return None


# People


def own_seats(session: Session, here: Place) -> set[int]:
    if here.player_id is None:
        return set()
    return set(MINE.found(session, match=here.match_id, me=here.player_id))


def list_sitters(
    match: Match, shown: Match | Thought, mine: set[int], names: dict[int, str]
) -> tuple[Sitter, ...]:
    """Everybody at the table, with what the draft would bring."""
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


def draft_lines(thought: Preview, seat: int | None) -> tuple[Line, ...]:
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
            doubt=thought.doubt[1] if thought.doubt and thought.doubt[0] == number + 1 else None,
            rest=(*thought.orders[:number], *thought.orders[number + 1 :]),
            ends=thought.ends if number == fitting else None,
        )
        for number, order in enumerate(thought.orders)
    )


def told_acts(thought: Preview, seat: int | None) -> list[tuple[Sentence, ...]]:
    """What each order that was played in thought brings, in sentences."""
    game = thought.match.game
    return [
        tuple(foretell_event(game, redact(event, seat)) for event in events)
        for events in thought.shown.acts
    ]


def foresee(thought: Preview, seat: int, order: str, names: dict[int, str]) -> dict[str, Any]:
    """What one more order brings: points by seat and what would happen, or why it may not be. Nothing that it reveals."""
    game, ahead = thought.match.game, thought.ahead
    if thought.waiting or thought.problem:
        return {"problem": spoken(NOT_NOW, names)}
    try:
        after = think_ahead(ahead, game.parse(seat, order))
    except Refusal as refusal:
        return {"problem": spoken(refusal.sentence, names)}
    if after is None:
        return {"gain": 0, "told": [], "reveals": True}
    gain = game.scores(after.state)[seat] - game.scores(ahead.state)[seat]
    events = (redact(event, seat) for event in after.acts[-1])
    return {"gain": gain, "told": [spoken(foretell_event(game, e), names) for e in events]}


def spoken(sentence: Sentence, names: dict[int, str]) -> str:
    return translate_sentence(sentence, names)


def tell_advice(advised: Preview, seat: int, names: dict[int, str]) -> dict[str, Any]:
    """A whole turn that a bot would play: its orders, what they bring as far as anybody can know, and why."""
    game, view = advised.match.game, advised.match.game.view(advised.shown.state, seat)
    told = [" ".join(spoken(one, names) for one in some) for some in told_acts(advised, seat)]
    return {
        "orders": advised.orders,
        "told": told + [spoken(name_order(game, view, one), names) for one in advised.waiting],
        "why": " · ".join(spoken(one, names) for one in find_reasons(advised, seat)),
    }


def find_reasons(advised: Preview, seat: int) -> list[Sentence]:
    """Why a bot would play this turn, from what the seat sees as it begins; where it cannot say, the points that are sure."""
    game, state = advised.match.game, advised.match.state
    known = insight(game)
    actions = [game.parse(seat, order) for order in advised.orders]
    reasons = known.explain(game, game.view(state, seat), actions) if known else []
    if reasons:
        return [tell_reason(one) for one in reasons]
    gain = game.scores(advised.shown.state)[seat] - game.scores(state)[seat]
    if advised.waiting and not gain:
        return [say("It ends with something that nobody can know yet.")]
    if not gain:
        return [say("Nothing in reach brings more just now.")]
    return [say("As far as can be seen, this turn brings {points} points.", points=gain)]


def tell_reason(reason: Reason) -> Sentence:
    if reason.worth is None:
        return reason.sentence
    worth = format_decimal(reason.worth, "+0.#;−0.#", language_here())
    return say("{reason}: {worth}", reason=reason.sentence, worth=worth)
