"""One mail of every kind that goes out, as the service writes it: for pictures, and for filters that judge mails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmodel import Session, col, select

from app.mail.compose import KINDS as COMPOSED
from app.mail.compose import compose_mail
from app.mail.incoming.receive import receive_mail
from app.mail.mime import Written
from app.mail.outgoing.access import TOLD
from app.matches.tables import create_table
from app.outbox.rows import enqueue_mail
from app.people.access_log import MAIL, enqueue_access_mail
from app.people.address_changes import request_address_change
from app.people.sessions import open_session, request_login
from app.platform import tables
from app.platform.services import Services
from app.platform.tables import Language, Outbox
from engine.core.match import Match, note
from engine.core.timeline import ActProposed, ProposalAnswered, UndoAsked
from tests.app.answering import address, letter
from tests.app.api.test_secrets import MINE, RICH, started
from tests.app.mail_kinds import KINDS, STATUS, Later, act, called_for
from tests.app.seated import played, seat
from workers.pictures import draw

TITLE = "Rainy days"
NAMES = ("Ana", "Bo", "Cléo", "Davi")
BACK = ActProposed("owner", "rewind", "the cat again", seat=1, to=2)
MOVED = act("place village g8")
TALKED_OVER: dict[str, Later] = {
    "undo": lambda match: note(MOVED(match), UndoAsked(1, 2, "I looked at the wrong card")),
    "proposal": lambda match: note(MOVED(match), BACK),
    "declined": lambda match: note(note(match, BACK), ProposalAnswered(0, agrees=False)),
}
ANSWERS = {
    "played": "place village g8\n\nBest regards\nAna",
    "refused": "place village g8\nplace village a1",
    "nothing-known": "Could somebody tell me the score?",
    "help": "help",
    "status": "status",
    "board": "board",
    "history": "history",
    "waiting": "place village g8",
}
TURNS = {
    "turn-cuzco": ("cuzco", 3, 60),
    "turn-java": ("java", 4, 90),
    "turn-tahuantinsuyu": ("tahuantinsuyu", 4, 120),
    "turn-inka": ("inka", 4, 60),
    "begin-cuzco": ("cuzco", 2, 0),
    "begin-tahuantinsuyu": ("tahuantinsuyu", 3, 0),
}


class Gallery:
    """A service with people, in which one mail of every kind is called for and composed."""

    def __init__(self, services: Services, language: Language = "en") -> None:
        self.services, self.language, self.count = services, language, 0
        with services.database.session() as session:
            made = [
                tables.Player(
                    email=f"{name.lower()}@people.example",
                    name=name,
                    language=language,
                    timezone="Europe/Paris",
                    mail_preferences={"talk": True, "digest": True},
                )
                for name in NAMES
            ]
            session.add_all(made)
            session.flush()
            self.ids = [player.id or 0 for player in made]

    def mails(self) -> Iterator[tuple[str, Written]]:
        """Every kind, by a name for its picture."""
        yield from self.about_accounts()
        yield from self.about_tables()
        yield from self.about_matches()
        yield from self.answers()
        yield "digest", self.sent("digest", player_id=self.ids[0])
        lesson = {"kind": "lesson", "game": "cuzco", "number": 1}
        for name, more in (("lesson", {}), ("not-yet", {"orders": ["end"]})):
            payload = {**lesson, **more}
            yield f"exercise-{name}", self.sent("exercise", player_id=self.ids[0], payload=payload)
        puzzle = {"kind": "puzzle", "game": "tahuantinsuyu", "number": 1}
        yield "exercise-puzzle", self.sent("exercise", player_id=self.ids[0], payload=puzzle)

    def composed(self, row: Outbox) -> Written:
        with self.services.database.look() as session:
            return compose_mail(session, self.services, row, draw)

    def sent(self, kind: str, **more: Any) -> Written:
        with self.services.database.session() as session:
            enqueue_mail(session, kind, self.services.now(), **more)
        return self.composed(self.newest(kind))

    def newest(self, kind: str) -> Outbox:
        with self.services.database.look() as session:
            found = select(Outbox).where(Outbox.kind == kind).order_by(col(Outbox.id).desc())
            return session.exec(found).first()  # type: ignore[return-value]  # it was called for

    def seated(self, match: Match, kind: str = "turn") -> Match:
        """Puts a match before the people; each has an id of its own."""
        seats = len(match.game.scores(match.state))
        seat(self.services, match, *self.ids[:seats], title=TITLE)
        with self.services.database.session() as session:
            row = session.get_one(tables.Match, match.id)
            row.status = STATUS.get(kind, row.status)  # type: ignore[assignment]
        return match

    # Kinds

    def about_accounts(self) -> Iterator[tuple[str, Written]]:
        services, at = self.services, self.services.now()
        with services.database.session() as session:
            request_login(
                session,
                services.settings,
                "new@people.example",
                next_page=None,
                language=self.language,
                at=at,
            )
            player = session.get_one(tables.Player, self.ids[0])
            open_session(session, player, at)
            session.flush()
            known = session.exec(select(tables.Session)).first()
            number = known.id if known and known.id else 0
            for who, email in ((0, "ana@new.example"), (1, "davi@people.example")):
                request_address_change(
                    session, services.settings, self.ids[who], session_id=number, email=email, at=at
                )
        yield "login", self.composed(self.newest("login"))
        yield "address_new-taken", self.composed(self.newest("address_new"))
        yield "address_old", self.composed(self.newest("address_old"))
        for what in TOLD:
            with services.database.session() as session:
                player = session.get_one(tables.Player, self.ids[0])
                told = {"browser": "Firefox on Linux", "name": "my bot", "reason": "spam"}
                enqueue_access_mail(session, player, what, at, **told)
            yield f"access-{what}", self.composed(self.newest(MAIL))

    def about_tables(self) -> Iterator[tuple[str, Written]]:
        services, at = self.services, self.services.now()
        with services.database.session() as session:
            owner = session.get_one(tables.Player, self.ids[0])
            seats: list[Any] = ["me", {"email": "friend@people.example"}]
            made = create_table(
                session, owner, "cuzco", TITLE, seats, options={}, pace=None, public=False, at=at
            )
            match_id = made.id
        yield "invitation", self.composed(self.newest("invitation"))
        back = {"email": "friend@people.example"}
        yield "lost", self.sent("lost", player_id=self.ids[0], match_id=match_id, payload=back)
        match = self.seated(played(0, "gallerycare"))
        with services.database.session() as session:
            asked = {"match_id": match.id, "email": "judge@people.example"}
            session.add(tables.ModeratorInvitation(**asked, role="owner", created_at=at))
        yield "care", self.sent("care", **asked)

    def about_matches(self) -> Iterator[tuple[str, Written]]:
        for kind, later in (KINDS | TALKED_OVER).items():
            match = self.seated(later(started([MINE, RICH, RICH], "seed", f"kind{kind}22")), kind)
            if kind == "proposal":
                self.keep_proposal(match)
            reader = self.ids[kind == "question"]
            yield kind, self.composed(self.row(match, kind, reader))
        yield "over", self.about(played(10_000, "gallery2over"), "over")
        for name, (key, seats, orders) in TURNS.items():
            match = played(orders, name.replace("-", "2"), key, seats)
            asked = match.game.to_act(match.state)[0]
            kind = (
                "question" if match.game.question(match.game.view(match.state, asked)) else "turn"
            )
            yield name, self.about(match, kind, asked)
        match = self.seated(played(0, "gallery2lost"))
        with self.services.database.session() as session:
            session.get_one(tables.Player, self.ids[1]).bouncing_at = self.services.now()
        about = {"match_id": match.id, "number": self.ids[1]}
        yield "bounced", self.sent("bounced", player_id=self.ids[0], **about)
        with self.services.database.session() as session:
            session.get_one(tables.Player, self.ids[1]).bouncing_at = None

    def keep_proposal(self, match: Match) -> None:
        with self.services.database.session() as session:
            kept = {"match_id": match.id, "pos": match.head, "player_id": self.ids[1]}
            session.add(tables.Proposal(**kept))

    def about(self, match: Match, kind: str, number: int = 0) -> Written:
        self.seated(match)
        return self.composed(self.row(match, kind, self.ids[number]))

    def row(self, match: Match, kind: str, reader: int) -> Outbox:
        with self.services.database.session() as session:
            row = called_for(session, match, kind, reader, self.services.now())
            session.expunge(row)
            return row

    def answers(self) -> Iterator[tuple[str, Written]]:
        """What comes back to somebody who answers by mail."""
        for name, words in ANSWERS.items():
            match = self.seated(started([MINE, RICH, RICH], "seed", f"answer{name[:4]}"))
            with self.services.database.session() as session:
                self.cool(session, 10 * (name == "waiting"))
            to = address(self.services, match.id, 0, self.ids[0])
            sender = "ana@people.example"
            receive_mail(self.services, to, letter(words, sender), sender)
            yield f"answer-{name}", self.composed(self.newest("answer"))

    def cool(self, session: Session, minutes: int) -> None:
        player = session.get_one(tables.Player, self.ids[0])
        player.mail_preferences = {**player.mail_preferences, "cooling": minutes}


def missing_kinds(names: list[str]) -> set[str]:
    """Kinds that are composed somewhere and of which the gallery has no mail."""
    shown = {name.partition("-")[0] for name in names}
    return set(COMPOSED) - shown
