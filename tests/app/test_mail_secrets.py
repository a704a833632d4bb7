"""Two worlds that differ only in what another seat holds: no mail may differ by a byte, nor its picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app import models, store
from app.mail import compose
from app.mails import sheet
from app.services import KEY
from engine.core.match import Match
from tests.app.mail_kinds import KINDS, STATUS, act, called_for
from tests.app.service import NOON, Service
from tests.app.test_api_secrets import MINE, PEOPLE, POOR, RICH, started

# What is drawn anew for every mail, or seals a secret without telling it.
NOISE = ((re.compile(rb"={15}\d+=="), b"boundary"), (re.compile(rb"\b[0-9a-f]{12,64}\b"), b"hash"))
# What the two worlds hold in the seats after the first; both can answer a festival with open tumi.
HANDS = [(RICH, POOR), (["quipu", "tumi"], ["kero", "kero"])]
READERS = ("seat0", "owner")  # the owner has no seat
ASKED = ("turn", "festival", "reminder", "talk")  # these go to seats alone


def mails(folder: Path, migrated: Path, hands: tuple[list[str], ...]) -> dict[str, bytes]:
    """Every kind of mail to those who must not know these hands."""
    store.CACHE.clear()
    sheet.KEPT.clear()
    folder.mkdir()
    (folder / "secret_key").write_text("k" * 48)
    (folder / "secret_key").chmod(0o600)
    with Service.on_sqlite(migrated, folder, *PEOPLE) as service:
        return {
            f"{kind} to {reader}": mail(service, kind, reader, hands, f"world{number}")
            for number, kind in enumerate(KINDS)
            for reader in (("seat0",) if kind in ASKED else READERS)
        }


def mail(
    service: Service, kind: str, reader: str, hands: tuple[list[str], ...], match_id: str
) -> bytes:
    match_id += reader
    match: Match = KINDS[kind](started([MINE, *hands], "seed", match_id))
    if (
        kind == "festival"
    ):  # the one who is asked knows the own hand; the others are told of it later
        match = played_on(match)
    service.put_match(match, PEOPLE[1:4], public=True)
    with service.database.session() as session:
        row = session.get_one(models.Match, match_id)
        row.status = STATUS.get(kind, "running")  # type: ignore[assignment]
        row.deadline = NOON
        player = session.get_one(models.Player, service.ids[reader])
        player.mail_preferences = {"talk": True}
        session.add(row)
        session.add(player)
        about = "reminder" if kind == "festival" else kind
        outbox = called_for(session, match, about, service.ids[reader], NOON)
        session.expunge(outbox)
    with service.database.look() as session:
        # The SVG stands for the PNG, which is made from it alone.
        composed = compose(session, service.app.extensions[KEY], outbox, str.encode).parsed()
    made = b"".join(part.get_payload(decode=True) or b"" for part in composed.walk())
    made += str(composed.items()).encode()
    for pattern, instead in NOISE:
        made = pattern.sub(instead, made)
    return made


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
    assert sum(b"<svg" in made for made in here.values()) >= 5
