"""A table under every act at once: a hypothesis machine whose model is the list of effective events."""

from __future__ import annotations

from itertools import count, islice
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.eventstore.store import MATCH_CACHE, load_match
from app.matches.access import access_match
from app.matches.drafts import set_draft
from app.matches.participants import load_seats
from app.matches.submissions import submit_orders
from app.moderation.commands import OPERATOR
from app.moderation.consent import open_wish
from app.moderation.undo_requests import load_open_request, was_asked
from app.platform.errors import Forbidden
from engine.core import record
from engine.core.match import Match, advance
from engine.core.refusal import Refusal, Unknown
from engine.core.timeline import TABLE_EVENTS, Restored, Rewound
from tests.app.moderating import (
    answer_undo,
    ask_undo,
    pause_match,
    replace_player,
    restore_match,
    resume_match,
    rewind_match,
)
from tests.app.service import NOON, Service

PEOPLE = ("ana", "bea", "carl")
NUMBERS = count(1)
WHY = "a slip"


class Table(RuleBasedStateMachine):
    """Three people and their owner play, draft, go back and forth, ask, agree, and give seats away."""

    service: Service  # set by whoever runs it; every run opens a match of its own

    @initialize()
    def open_table(self) -> None:
        self.host = f"host{next(NUMBERS)}"  # nobody may invite too many in a day
        self.service.people(self.host)
        self.match_id = self.service.running(*PEOPLE, owner=self.host)
        match = self.stored()
        self.acts: list[list[int]] = [[entry.pos for entry in match.log]]  # what counts, by order
        self.cuts: list[list[list[int]]] = []

    # What is there

    def stored(self) -> Match:
        MATCH_CACHE.clear()
        return load_match(self.service.database, self.match_id)

    def sitter(self, seat: int) -> int | None:
        with self.service.database.look() as session:
            return load_seats(session, self.match_id)[seat].player_id

    def act(self, use_case: Any, *more: Any) -> Any:
        with self.service.database.session() as session:
            return use_case(session, self.match_id, *more)

    @property
    def owner(self) -> int:
        return self.service.ids[self.host]

    # Playing

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        match = self.stored()
        seat = match.game.to_act(match.state)[0]
        player = self.sitter(seat)
        if player is None:
            return
        some = islice(match.game.legal(match.state, seat), 40)
        orders = sorted(map(match.game.format, some))
        order = data.draw(st.sampled_from(orders))
        told = submit_orders(
            self.service.database,
            self.match_id,
            player,
            [order],
            head=match.head,
            key=None,
            at=NOON,
        )
        self.acts.append(list(range(match.head + 1, told.head + 1)))
        self.cuts.clear()

    @rule(data=st.data())
    def draft(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, 2))
        player = self.sitter(seat)
        if player is not None:
            with self.service.database.session() as session:
                here = access_match(session, self.match_id, player)
                set_draft(session, here, [data.draw(st.sampled_from(["end", "draw pile"]))], NOON)

    # Going back and forth

    @precondition(lambda self: len(self.acts) > 1)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        kept = data.draw(st.integers(1, len(self.acts) - 1))
        match = self.stored()
        rewind_match(
            self.service.database, self.match_id, self.owner, match.head, self.end(kept), WHY, NOON
        )
        self.keep(kept)

    def end(self, kept: int) -> int:
        return self.acts[kept - 1][-1]

    def keep(self, kept: int) -> None:
        self.cuts.append(self.acts[kept:])
        self.acts = self.acts[:kept]

    @rule()
    def restore(self) -> None:
        try:
            restore_match(self.service.database, self.match_id, self.owner, None, NOON)
        except Refusal:
            assert not self.cuts
            return
        self.acts += self.cuts.pop()

    # Asking

    @precondition(lambda self: len(self.acts) > 1)
    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        seat, kept = data.draw(st.integers(0, 2)), data.draw(st.integers(1, len(self.acts) - 1))
        player = self.sitter(seat)
        if player is None:
            return
        before = self.stored()
        try:
            granted = self.act(ask_undo, player, self.end(kept), WHY, None, NOON)
        except (Forbidden, Unknown):
            assert open_wish(before) or not was_asked(before, seat, self.end(kept))
            return
        if granted:
            self.keep(kept)

    @rule(agrees=st.booleans())
    def answer(self, agrees: bool) -> None:
        wish = open_wish(self.stored())
        if wish is None:
            return
        with self.service.database.look() as session:
            asked = load_open_request(session, self.stored())
        assert asked
        if not asked.waiting:  # those it waited for have left the table
            return
        granted = self.act(answer_undo, self.sitter(asked.waiting[0]), wish.pos, agrees, NOON)
        assert granted == (agrees and len(asked.waiting) == 1)
        if granted:
            self.keep(next(n for n in range(1, len(self.acts) + 1) if self.end(n) == wish.to))

    # The table

    @rule(seat=st.integers(0, 2))
    def replace(self, seat: int) -> None:
        email = f"new{next(NUMBERS)}@example.com"
        name = email.partition("@")[0]
        self.act(replace_player, OPERATOR, seat, email, None, WHY, None, NOON)
        self.service.people(name)
        self.service.post(name, f"/matches/{self.match_id}/join")

    @rule()
    def pause_and_resume(self) -> None:
        self.act(pause_match, self.owner, WHY, None, NOON)
        self.act(resume_match, self.owner, WHY, None, NOON)

    # What must hold

    @invariant()
    def the_log_counts_what_the_model_counts(self) -> None:
        match = self.stored()
        counted = [entry.pos for entry in match.timeline.effective]
        assert counted == [pos for act in self.acts for pos in act]
        assert [entry.pos for entry in match.log] == list(range(1, match.head + 1))
        fresh = advance(match.game, None, (entry.event for entry in match.timeline.effective))
        assert fresh == match.state
        turns = (Rewound, Restored, *TABLE_EVENTS)
        assert all(
            entry.pos in counted or self.was_cut(match, entry.pos) or isinstance(entry.event, turns)
            for entry in match.log
        )

    @staticmethod
    def was_cut(match: Match, pos: int) -> bool:
        return any(isinstance(e.event, Rewound) and e.event.to < pos < e.pos for e in match.log)

    def teardown(self) -> None:
        if hasattr(self, "match_id"):
            assert record.verify(record.read(record.export(self.stored()))).sound
