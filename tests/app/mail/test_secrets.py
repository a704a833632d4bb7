"""Two worlds that differ only in what another seat holds: no mail may differ by a byte, nor its picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.eventstore.store import MATCH_CACHE
from app.mail.compose import compose_mail
from app.platform import tables
from app.platform.services import EXTENSION_KEY
from engine.core.match import Match
from tests.app.api.test_secrets import MINE, PEOPLE, POOR, RICH, started
from tests.app.kept import forget_shown
from tests.app.mail_kinds import KINDS, STATUS, act, called_for
from tests.app.service import NOON, Service
from workers.pictures import PICTURES, draw

# What is drawn anew for every mail, or seals a secret without telling it.
NOISE = ((re.compile(rb"\b[0-9a-f]{12,64}\b"), b"hash"),)
# What the two worlds hold in the seats after the first; both can answer a festival with open tumi. The last hand is
# that of one who calls a festival with a tumi.
HANDS = [(RICH, POOR, ["tumi", "kero"]), (["quipu", "tumi"], ["kero", "kero"], ["tumi", "quipu"])]
READERS = ("seat0", "owner")  # the owner has no seat
ASKED = ("turn", "question", "reminder", "talk")  # these go to seats alone


def mails(folder: Path, migrated: Path, hands: tuple[list[str], ...]) -> dict[str, bytes]:
    """Every kind of mail to those who must not know these hands."""
    MATCH_CACHE.clear()
    forget_shown()
    PICTURES.clear()
    folder.mkdir()
    (folder / "secret_key").write_text("k" * 48)
    (folder / "secret_key").chmod(0o600)
    with Service.on_sqlite(migrated, folder, *PEOPLE) as service:
        made = {
            f"{kind} to {reader}": mail(service, kind, reader, table(kind, hands, number, reader))
            for number, kind in enumerate(KINDS)
            for reader in (("seat0",) if kind in ASKED else READERS)
        }
        asked = KINDS["question"](started([hands[2], MINE, hands[1]], "seed", "festival00"))
        return made | {"question to seat1": mail(service, "question", "seat1", asked)}


def table(kind: str, hands: tuple[list[str], ...], number: int, reader: str) -> Match:
    """Seat 0 is the reader; of a festival the news tell later, in the reader's next turn."""
    match = KINDS[kind](started([MINE, *hands[:2]], "seed", f"world{number}{reader}"))
    return played_on(match) if kind == "question" else match


def mail(service: Service, kind: str, reader: str, match: Match) -> bytes:
    match_id = match.id
    service.put_match(match, PEOPLE[1:4], public=True)
    with service.database.session() as session:
        row = session.get_one(tables.Match, match_id)
        row.status = STATUS.get(kind, "running")  # type: ignore[assignment]
        row.deadline = NOON
        player = session.get_one(tables.Player, service.ids[reader])
        player.mail_preferences = {"talk": True}
        session.add(row)
        session.add(player)
        about = "reminder" if kind == "question" and reader == "seat0" else kind
        outbox = called_for(session, match, about, service.ids[reader], NOON)
        session.expunge(outbox)
    with service.database.look() as session:
        composed = compose_mail(
            session, service.app.extensions[EXTENSION_KEY], outbox, both
        ).parsed()
    made = b"".join(part.get_payload(decode=True) or b"" for part in composed.walk())
    made += str(composed.items()).encode()
    for pattern, instead in NOISE:
        made = pattern.sub(instead, made)
    return made


def both(svg: str) -> bytes:
    """The picture, and what it was made from."""
    return svg.encode() + (draw(svg) or b"")


def played_on(match: Match) -> Match:
    """After the festival: the reader's next turn, with all that the others did in between as news."""
    while match.game.awaited(match.state) != "turn":
        match = act("pass")(match)
    if match.game.to_act(match.state) == (0,):
        match = act("end")(match)
    return act("place village g8", "end", "place village h9", "draw pile", "end")(match)


@pytest.fixture
def worlds(tmp_path: Path, sqlite_folder: Path) -> list[dict[str, bytes]]:
    return [
        mails(tmp_path / name, sqlite_folder, hands)
        for name, hands in zip(("here", "there"), HANDS, strict=True)
    ]


def test_no_mail_tells_what_others_hold(worlds: list[dict[str, bytes]]) -> None:
    here, there = worlds
    assert here.keys() == there.keys()
    assert [key for key in here if here[key] != there[key]] == []
    for kind in (b"<svg", b"\x89PNG"):
        assert sum(kind in made for made in here.values()) >= 6
    assert b"you are asked for an answer" in here["question to seat1"]
