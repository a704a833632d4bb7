"""The signature under a record's head: what it proves, by whose key, and what it shows to be forged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from app.cli.main import main
from app.matches.record_signing import (
    ADDRESS,
    check_signature,
    describe_public_keys,
    load_public_keys,
    read_public_keys,
    sign_record,
)
from app.platform.settings import Settings
from engine.core import record
from engine.core.match import Match, note
from engine.core.refusal import Unknown
from engine.core.timeline import Closed, Paused
from tests import forging
from tests.app.browser import Visitor
from tests.app.seated import late_match, two
from tests.engine.matches import walk, whole


def running() -> Match:
    return next(m for m in walk("cuzco", 2, 5) if m.head > 40)


def written(path: Path, lines: list[record.Line]) -> Path:
    path.write_text(record.text(lines), encoding="ascii")
    return path


def verify(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, words)])


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    return written(
        tmp_path / "signed.jsonl", sign_record(running(), 1, forging.signer(), forging.NOON)
    )


def test_verify_names_match_position_hash_and_end(signed: Path, tmp_path: Path) -> None:
    match = running()
    told = verify(signed)
    assert told.exit_code == 0
    for part in (
        "Match: match, Cuzco for 2",
        "Record: redacted, as seat 1 (B) may see it",
        f"Position: {match.head}",
        f"Hash: {match.hash}",
        "Ended: no, running",
        f"footer of a mail of position {match.head}",
        "decided again without any secret",
    ):
        assert part in told.output
    over = written(tmp_path / "over.jsonl", record.export(whole("cuzco", 2, 0)))
    assert "Ended: yes, played out" in verify(over).output
    for fact, said in ((Closed("owner", "so"), "closed"), (Paused("owner", "so"), "paused")):
        path = written(tmp_path / "fact.jsonl", record.export(note(match, fact)))
        assert said in verify(path).output.partition("Ended:")[2]


def test_a_record_by_hand_is_unsigned_and_verify_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "plain.jsonl", record.export(running()))
    told = verify(path)
    assert told.exit_code == 0
    assert "Unsigned" in told.output
    refused = verify(path, "--key", forging.signer().public)
    assert refused.exit_code == 1
    assert "not signed" in refused.output


def test_without_a_key_the_owner_of_the_signature_is_not_known(signed: Path) -> None:
    told = verify(signed)
    assert f"Signed up to position {running().head}, at 2026-03-29T12:00:00+00:00" in told.output
    assert forging.signer().public in told.output
    assert "whose owner it cannot prove" in told.output


def test_with_the_key_the_origin_is_proven(signed: Path, tmp_path: Path) -> None:
    settings = Settings(signing_key="the key of the service, " * 3)  # type: ignore[arg-type]
    file = tmp_path / "keys.json"
    file.write_text(json.dumps(describe_public_keys(settings)))
    for key in (forging.signer().public, forging.signer().public.upper(), file):
        told = verify(signed, "--key", key)
        assert told.exit_code == 0, told.output
        assert "with the key that was given" in told.output


def test_another_key_or_none_is_refused(signed: Path) -> None:
    other = verify(signed, "--key", forging.forger().public)
    assert (other.exit_code, "by another key" in other.output) == (1, True)
    for nonsense in ("abc", "0" * 63, "zz" * 32, '{"keys": []}', "."):
        told = verify(signed, "--key", nonsense)
        assert (told.exit_code, "key" in told.output) == (1, True)
        assert "Traceback" not in told.output


def test_a_cut_end_is_seen_by_the_signature_alone(signed: Path, tmp_path: Path) -> None:
    lines = record.parse(signed.read_text())
    ends = [n for n in range(20, len(lines) - 1) if lines[n + 1]["act"] == lines[n + 1]["pos"]]
    cut = verify(written(tmp_path / "cut.jsonl", lines[: ends[0] + 1]))
    assert cut.exit_code == 1
    assert f"signed at event {len(lines) - 1} and ends at {ends[0]}" in cut.output
    header = {key: lines[0][key] for key in ("seeds", "seen_by")} | {"format": record.FORMAT}
    bare = written(tmp_path / "bare.jsonl", [header, *lines[1 : ends[0] + 1]])
    assert (
        verify(bare).exit_code == 0
    )  # nothing in it shows the cut: the key asks for the signature
    assert verify(bare, "--key", forging.signer().public).exit_code == 1


def test_a_head_that_was_changed_does_not_fit_its_signature(signed: Path, tmp_path: Path) -> None:
    lines = record.parse(signed.read_text())
    lines[0]["signed"]["service"] = "https://elsewhere.example"
    told = verify(written(tmp_path / "head.jsonl", lines))
    assert (told.exit_code, "does not fit it" in told.output) == (1, True)


@pytest.mark.parametrize("part", ["key", "signature", "algorithm"])
@pytest.mark.parametrize("value", ["", "zz", "00", "é", "0" * 64, "0" * 128])
def test_a_hostile_signature_is_refused_with_a_sentence(part: str, value: str) -> None:
    lines = forging.copied(sign_record(running(), 0, forging.signer(), forging.NOON))
    lines[0]["signed"][part] = value
    with pytest.raises(Unknown, match="does not fit"):
        check_signature(record.read(lines))


@pytest.mark.parametrize("signed", [None, [], {}, {"key": 1}, "x"])
def test_a_head_that_is_no_head_is_refused_with_a_sentence(signed: object) -> None:
    lines = forging.copied(sign_record(running(), 0, forging.signer(), forging.NOON))
    lines[0]["signed"] = signed
    with pytest.raises(Unknown, match="cannot be understood"):
        record.read(lines)


def test_what_has_ended_is_signed_alike_whenever_it_is() -> None:
    match = whole("cuzco", 2, 0)
    once = sign_record(match, None, forging.signer(), forging.NOON)
    again = sign_record(match, 1, forging.signer(), forging.NOON.replace(year=2030))
    assert once == again
    assert record.load(once) == match


# The service


def test_the_service_signs_what_it_hands_out_by_the_key_at_the_known_address(app: Flask) -> None:
    match = late_match()
    where, ana, bo = two(app, match, public=True)
    told = Visitor(app).client.get(ADDRESS).json
    assert told
    (key,) = told["keys"]
    assert key["algorithm"] == "Ed25519"
    assert key["signs"]
    for visitor in (ana, bo, Visitor(app)):
        found = record.read(record.parse(visitor.get(f"{where}/record").text))
        assert check_signature(found)
        assert found.signed
        assert (found.signed.key, found.signed.pos) == (key["public_key"], match.head)
        assert found.signed.hash == match.hash


def test_an_embedded_service_remembers_the_key_it_made(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    keys = load_public_keys(settings)
    file = tmp_path / "signing_key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_public_keys(Settings(data_dir=tmp_path)) == keys
    assert file.read_text().strip() != (tmp_path / "secret_key").absolute().name
    assert keys[0] not in file.read_text()  # only the public half is told


def test_a_grown_service_without_a_key_signs_nothing_and_is_told_so(tmp_path: Path) -> None:
    grown = Settings(data_dir=tmp_path, embedded=False)
    assert load_public_keys(grown) == []
    assert "CHASQUI_SIGNING_KEY" in grown.hints()[0]
    assert Settings(data_dir=tmp_path).hints() == []
    keyed = Settings(data_dir=tmp_path, embedded=False, signing_key="k" * 40)  # type: ignore[arg-type]
    assert keyed.hints() == []
    assert not (tmp_path / "signing_key").exists()


def test_keys_that_signed_before_are_still_told(tmp_path: Path) -> None:
    old = forging.signer().public
    settings = Settings(data_dir=tmp_path, signing_key="n" * 40, old_signing_keys=old)  # type: ignore[arg-type]
    told = describe_public_keys(settings)["keys"]
    assert [(key["public_key"] == old, key["signs"]) for key in told] == [
        (False, True),
        (True, False),
    ]
    assert read_public_keys(json.dumps({"keys": told})) == load_public_keys(settings)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"signing_key": "short"}, "CHASQUI_SIGNING_KEY must have 32"),
        ({"old_signing_keys": "abc"}, "CHASQUI_OLD_SIGNING_KEYS"),
    ],
)
def test_keys_that_are_none_are_told(tmp_path: Path, wrong: dict[str, str], said: str) -> None:
    assert said in "\n".join(Settings(data_dir=tmp_path, **wrong).check())  # type: ignore[arg-type]
