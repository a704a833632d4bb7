"""Seeds at rest: nobody foresees a draw from the table or from a backup, and a wrong key is told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update

from app.cli.main import main
from app.eventstore.store import MATCH, MATCH_CACHE, load_match, prepare_database, reseal_seeds
from app.matches.tables import create_table
from app.operations.backups import save_backup
from app.operations.health import find_health_problems
from app.platform import tables
from app.platform.database import Database
from app.platform.seed_vault import WRONG_KEY, SeedVault, WrongSeedKey, derived_key
from app.platform.services import Services
from app.platform.settings import Settings
from engine.core.match import Match, play, rewind
from tests.app.kept import keep, kept, open_table, wandered, wandering
from tests.engine.matches import orders

OLD, NEW = "o" * 40, "n" * 40
SEEDS = ((1, "a secret seed"), (9, "another"))


def in_table(database: Database, match_id: str) -> str:
    """What the table holds, as text."""
    query = select(MATCH.c.seeds).where(MATCH.c.id == match_id)
    with database.read() as connection:
        return str(connection.execute(query).scalar_one())


@contextmanager
def opened(url: str, *keys: str) -> Iterator[Database]:
    MATCH_CACHE.clear()
    with closing(Database(url, keys)) as database:
        yield database


# The vault


def test_what_is_sealed_is_opened_by_its_key_and_by_no_other() -> None:
    sealed = SeedVault([OLD]).seal(SEEDS)
    assert "secret" not in sealed
    assert SeedVault([OLD]).unseal(sealed) == SEEDS
    assert SeedVault([NEW, OLD]).unseal(sealed) == SEEDS
    for vault in (SeedVault([NEW]), SeedVault()):
        with pytest.raises(WrongSeedKey, match="CHASQUI_SEED_KEY"):
            vault.unseal(sealed)


@pytest.mark.parametrize("changed", ["", "gAAAAA", "é", None])
def test_a_seal_that_somebody_changed_is_not_opened(changed: str | None) -> None:
    sealed = SeedVault([OLD]).seal(SEEDS)
    forged = sealed[:-6] + "AAAAAA" if changed is None else changed
    with pytest.raises(WrongSeedKey):
        SeedVault([OLD]).unseal(forged)


def test_the_key_of_seeds_signs_nothing() -> None:
    assert OLD.encode() not in derived_key(OLD)
    assert derived_key(OLD) != derived_key(NEW)


def test_which_setting_seals(tmp_path: Path) -> None:
    secret = Settings(data_dir=tmp_path, secret_key=OLD)  # type: ignore[arg-type]  # pydantic reads text
    assert secret.seed_keys() == [OLD]
    both = Settings(
        data_dir=tmp_path,
        secret_key=OLD,  # type: ignore[arg-type]
        seed_key=NEW,  # type: ignore[arg-type]
        seed_key_fallbacks="f" * 40,  # type: ignore[arg-type]
    )
    assert both.seed_keys() == [NEW, "f" * 40, OLD]
    short = Settings(data_dir=tmp_path, seed_key="short", seed_key_fallbacks="x")  # type: ignore[arg-type]
    assert any("CHASQUI_SEED_KEY and its fallbacks" in problem for problem in short.check())
    alone = Settings(data_dir=tmp_path, seed_key_fallbacks=OLD)  # type: ignore[arg-type]
    assert any("without CHASQUI_SEED_KEY" in problem for problem in alone.check())
    assert OLD not in repr(both)


# The table


def test_no_seed_lies_in_the_table_or_in_a_backup(services: Services, tmp_path: Path) -> None:
    match = kept(services.database, wandered()[-1])
    assert len(match.seeds) > 2
    assert load_match(services.database, match.id).seeds == match.seeds
    file = tmp_path / "a.backup"
    save_backup(str(services.database.url), file)
    untold = [seed for _, seed in match.seeds if seed not in told_seeds(match)]
    assert untold
    for kept_there in (in_table(services.database, match.id), file.read_bytes().decode("latin-1")):
        assert not any(seed in kept_there for seed in untold)


def told_seeds(match: Match) -> set[str]:
    return {entry.event.seed for entry in match.log if type(entry.event).__name__ == "SeedRevealed"}


def test_the_seed_of_an_open_table_is_sealed_too(services: Services) -> None:
    with services.database.session() as session:
        owner = tables.Player(email="ana@example.org", name="Ana")
        session.add(owner)
        session.flush()
        wish = ["me", None]
        row = create_table(
            session, owner, "cuzco", "", wish, options={}, pace=None, public=True, at=services.now()
        )
        match_id = row.id
    assert in_table(services.database, match_id).startswith("gAAAA")


def test_seeds_are_sealed_only_when_there_is_a_new_one(services: Services) -> None:
    """An act that commits to no seed leaves them as they lie, and a page opens none."""
    first, *later = wandered()[:8]
    kept(services.database, first)
    before = in_table(services.database, first.id)
    for played in later:
        keep(services.database, played, played.log[-1].act - 1)
    assert in_table(services.database, first.id) == before
    back = rewind(played, played.head, "owner", "", "fresh")
    keep(services.database, back, played.head)
    fresh = in_table(services.database, first.id)
    assert fresh != before
    (seat,) = back.game.to_act(back.state)
    keep(services.database, play(back, seat, orders(back.game, back.state)[0]), back.head)
    assert in_table(services.database, first.id) == fresh
    MATCH_CACHE.clear()
    assert load_match(services.database, first.id).seed == "fresh"


def test_a_match_in_memory_is_shown_without_opening_its_seeds(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = kept(services.database, wandered()[20])
    load_match(services.database, match.id)
    monkeypatch.setattr(SeedVault, "unseal", None)
    assert load_match(services.database, match.id).seeds == match.seeds


# Older rows, and other keys


def test_seeds_that_lie_in_plain_are_read_and_sealed_when_the_service_starts(
    database_url: str,
) -> None:
    with opened(database_url) as plain:
        match = kept(plain, wandered()[20])
        assert "secret" in in_table(plain, match.id)
    with opened(database_url, NEW) as database:
        assert load_match(database, match.id).seeds == match.seeds
        prepare_database(database)
        assert "secret" not in in_table(database, match.id)
        sealed = in_table(database, match.id)
        prepare_database(database)
        assert in_table(database, match.id) == sealed
        MATCH_CACHE.clear()
        assert load_match(database, match.id).seeds == match.seeds


def test_after_resealing_the_old_key_is_needed_no_more(database_url: str) -> None:
    with opened(database_url, OLD) as database:
        match = kept(database, wandered()[20])
        other = kept(database, next(wandering("cuzco", 2, "another match")))
    with opened(database_url, NEW, OLD) as database:
        assert reseal_seeds(database, plain=False) == 2
    with opened(database_url, NEW) as database:
        found = [load_match(database, one.id).seeds for one in (match, other)]
        assert found == [match.seeds, other.seeds]
    with opened(database_url, OLD) as database, pytest.raises(WrongSeedKey):
        load_match(database, match.id)


def test_a_table_that_has_no_seed_yet_is_passed_over(database_url: str) -> None:
    with opened(database_url, NEW) as database:
        open_table(database, wandered()[0])
        assert reseal_seeds(database, plain=False) == 0


def run(*words: str | Path, **settings: str) -> Result:
    environment = {f"CHASQUI_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, [str(word) for word in words], env=environment)


def test_a_wrong_key_is_told_before_anybody_can_play(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/chasqui.sqlite3"
    right = {"DATABASE_URL": url, "SECRET_KEY": OLD, "DATA_DIR": str(tmp_path)}
    wrong = {**right, "SECRET_KEY": NEW}
    assert run("migrate", **right).exit_code == 0
    with opened(url, OLD) as database:
        match = kept(database, wandered()[20])
        open_table(database, replace(match, id="waits22"))  # the newest, and it has no seed yet
        assert find_health_problems(database) == []
    for command, code in (("migrate", 1), ("health", 12), ("reseal", 1)):
        result = run(command, **wrong)
        assert (result.exit_code, WRONG_KEY in result.output) == (code, True), result.output
    with opened(url, NEW) as database:
        assert find_health_problems(database) == ["seeds"]
    assert "0 matches" not in run("reseal", **{**wrong, "SECRET_KEY_FALLBACKS": OLD}).output
    with opened(url, NEW) as database:
        assert load_match(database, match.id).seeds == match.seeds


def test_a_backup_is_put_back_only_with_its_key(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/chasqui.sqlite3"
    keys = {"SECRET_KEY": OLD, "SEED_KEY": NEW, "DATA_DIR": str(tmp_path)}
    assert run("migrate", DATABASE_URL=url, **keys).exit_code == 0
    with opened(url, NEW) as database:
        kept(database, wandered()[20])
    file, there = tmp_path / "a.backup", f"sqlite:///{tmp_path}/there.sqlite3"
    assert "stay sealed" in run("backup", "save", file, DATABASE_URL=url, **keys).output
    without = {"SECRET_KEY": OLD, "DATA_DIR": str(tmp_path)}
    refused = run("backup", "restore", file, DATABASE_URL=there, **without)
    assert (refused.exit_code, WRONG_KEY in refused.output) == (1, True)
    assert not (tmp_path / "there.sqlite3").exists()
    assert run("backup", "restore", file, DATABASE_URL=there, **keys).exit_code == 0


def test_a_column_that_somebody_overwrote_is_no_seed(services: Services) -> None:
    match = kept(services.database, wandered()[20])
    with services.database.write() as connection:
        connection.execute(update(MATCH).values(seeds="garbage"))
    with pytest.raises(WrongSeedKey):
        load_match(services.database, match.id)


def test_a_service_has_the_keys_of_its_settings(services: Services) -> None:
    sealed = services.database.vault.seal(SEEDS)
    assert SeedVault(services.settings.seed_keys()).unseal(sealed) == SEEDS
