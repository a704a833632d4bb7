"""A table under every act at once: a hypothesis machine whose model is the list of effective events."""

from __future__ import annotations

from itertools import count, islice
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app import lobby, moderation, play, seating, store, undo
from app.errors import Forbidden
from app.moderation import OPERATOR
from engine.core import record
from engine.core.match import Match, advance
from engine.core.refusal import Refusal, Unknown
from engine.core.timeline import TABLE_EVENTS, Restored, Rewound
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
        store.CACHE.clear()
        return store.load(self.service.database, self.match_id)

    def sitter(self, seat: int) -> int | None:
        with self.service.database.look() as session:
            return lobby.seats_of(session, self.match_id)[seat].player_id

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
        told = play.submit(
            self.service.database, self.match_id, player, [order], match.head, None, NOON
        )
        self.acts.append(list(range(match.head + 1, told.head + 1)))
        self.cuts.clear()

    @rule(data=st.data())
    def draft(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, 2))
        player = self.sitter(seat)
        if player is not None:
            with self.service.database.session() as session:
                here = play.place(session, self.match_id, player)
                play.set_draft(
                    session, here, [data.draw(st.sampled_from(["end", "draw pile"]))], NOON
                )

    # Going back and forth

    @precondition(lambda self: len(self.acts) > 1)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        kept = data.draw(st.integers(1, len(self.acts) - 1))
        match = self.stored()
        moderation.rewind(
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
            moderation.restore(self.service.database, self.match_id, self.owner, None, NOON)
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
            granted = self.act(undo.ask, player, self.end(kept), WHY, None, NOON)
        except (Forbidden, Unknown):
            assert undo.open_wish(before) or not undo.was_asked(before, seat, self.end(kept))
            return
        if granted:
            self.keep(kept)

    @rule(agrees=st.booleans())
    def answer(self, agrees: bool) -> None:
        wish = undo.open_wish(self.stored())
        if wish is None:
            return
        with self.service.database.look() as session:
            asked = undo.asked(session, self.stored())
        assert asked
        if not asked.waiting:  # those it waited for have left the table
            return
        granted = self.act(undo.answer, self.sitter(asked.waiting[0]), wish.pos, agrees, NOON)
        assert granted == (agrees and len(asked.waiting) == 1)
        if granted:
            self.keep(next(n for n in range(1, len(self.acts) + 1) if self.end(n) == wish.to))

    # The table

    @rule(seat=st.integers(0, 2))
    def replace(self, seat: int) -> None:
        email = f"new{next(NUMBERS)}@example.com"
        name = email.partition("@")[0]
        self.act(seating.replace_player, OPERATOR, seat, email, None, WHY, None, NOON)
        self.service.people(name)
        self.service.post(name, f"/matches/{self.match_id}/join")

    @rule()
    def pause_and_resume(self) -> None:
        self.act(moderation.pause, self.owner, WHY, None, NOON)
        self.act(moderation.resume, self.owner, WHY, None, NOON)

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
