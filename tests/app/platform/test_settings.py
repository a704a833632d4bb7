"""Settings: what is right works, what is wrong is told in a sentence that names the variable."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.platform.redis_addresses import limits_address
from app.platform.settings import BadSettings, Settings, load_kept_key, load_own_key, load_settings

GROWN = {
    "EMBEDDED": "false",
    "BASE_URL": "https://chasqui.example/",
    "DATABASE_URL": "postgresql://chasqui:opensesame@db/chasqui",
    "REDIS_URL": "redis://queue:6379/0",
    "SECRET_KEY": "k" * 40,
    "SECRET_KEY_FALLBACKS": "o" * 40 + "," + "p" * 40,
    "SMTP_HOST": "mail.example",
    "SMTP_USER": "chasqui",
    "SMTP_PASSWORD": "opensesame",
    "MAIL_FROM": "play@chasqui.example",
}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("CHASQUI_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def given(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"CHASQUI_{name}", value)


def problems() -> list[str]:
    with pytest.raises(BadSettings) as refused:
        load_settings()
    return refused.value.problems


def test_nothing_need_be_set() -> None:
    settings = load_settings()
    assert settings.embedded
    assert settings.database_url == "sqlite:///var/chasqui.sqlite3"
    assert not Path("var").exists()  # looking at the settings makes nothing


def test_what_make_run_does_not_install_is_named_with_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, **GROWN)
    monkeypatch.setattr("app.platform.setting_checks.find_spec", lambda _: None)
    told = problems()
    assert len(told) == 2
    assert told[0].startswith("CHASQUI_DATABASE_URL needs the package psycopg, which is not inst")
    assert told[1].endswith("requirements.txt has it (make run LOCK=requirements.txt).")


def test_the_database_lies_in_the_folder_for_data(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, DATA_DIR="/srv/chasqui")
    assert Settings().database_url == "sqlite:////srv/chasqui/chasqui.sqlite3"


def test_a_grown_service_is_set_by_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **GROWN)
    settings = load_settings()
    assert settings.base_url == "https://chasqui.example"
    assert settings.signing_keys() == ["k" * 40, "o" * 40, "p" * 40]
    assert settings.smtp_password is not None
    assert settings.smtp_password.get_secret_value() == "opensesame"


def test_no_secret_is_shown_by_accident(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **GROWN)
    shown = f"{load_settings()!r} {load_settings()}"
    assert not [secret for secret in ("opensesame", "kkkk", "oooo") if secret in shown]


@pytest.mark.parametrize(
    "name",
    ["DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS", "SMTP_PASSWORD"],
)
def test_every_secret_may_come_in_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    plain = Settings(**{key.lower(): value for key, value in GROWN.items()})
    (tmp_path / "secret").write_text(GROWN[name] + "\n")
    rest = {key: value for key, value in GROWN.items() if key != name}
    given(monkeypatch, **rest, **{f"{name}_FILE": str(tmp_path / "secret")})
    assert load_settings() == plain


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"DATABASE_URL": "mysql://db"}, "CHASQUI_DATABASE_URL must begin with sqlite:///"),
        ({"DATABASE_URL": "sqlite://"}, "a match in memory would be lost"),
        ({"DATABASE_URL": "sqlite:///:memory:"}, "a match in memory would be lost"),
        ({"BASE_URL": "chasqui.example"}, "CHASQUI_BASE_URL must be the address"),
        ({"BASE_URL": "https://chasqui.example/?a=b"}, "CHASQUI_BASE_URL must be the address"),
        ({"REDIS_URL": "http://queue"}, "CHASQUI_REDIS_URL must begin with redis://"),
        ({"SECRET_KEY": "short"}, "must have 32 characters or more"),
        ({"SECRET_KEY_FALLBACKS": "short"}, "must have 32 characters or more"),
        ({"SMTP_HOST": "mail.example"}, "CHASQUI_MAIL_FROM must be the address"),
        ({"SMTP_PASSWORD": "x"}, "set without CHASQUI_SMTP_USER"),
        ({"REPLY_DOMAIN": "play@chasqui.example"}, "CHASQUI_REPLY_DOMAIN must be the domain"),
        ({"IMAP_HOST": "imap.example"}, "CHASQUI_IMAP_HOST is set without CHASQUI_IMAP_USER"),
        ({"INBOX_PORT": "0"}, "CHASQUI_INBOX_PORT cannot be understood"),
        (
            {"SMTP_PASSWORD": "x", "SMTP_USER": "u", "SMTP_SECURITY": "none"},
            "the password would travel in the open",
        ),
        ({"SMTP_PORT": "smtp"}, "CHASQUI_SMTP_PORT cannot be understood: input should be"),
        ({"SMTP_PORT": "70000"}, "CHASQUI_SMTP_PORT cannot be understood: input should be"),
        ({"SMTP_SECURITY": "ssl"}, "CHASQUI_SMTP_SECURITY cannot be understood"),
        ({"EMBEDDED": "perhaps"}, "CHASQUI_EMBEDDED cannot be understood"),
        ({"DATABSE_URL": "x"}, "CHASQUI_DATABSE_URL is no setting; is CHASQUI_DATABASE_URL meant?"),
        ({"TEMPO": "x"}, "CHASQUI_TEMPO is no setting."),
        ({"SECRET_KEY_FILE": "/nowhere"}, "/nowhere (No such file or directory)"),
        ({"SECRET_KEY_FILE": "/nowhere", "SECRET_KEY": "k" * 40}, "are both set"),
        ({"DATA_DIR": "/dev/null/var"}, "CHASQUI_DATA_DIR cannot be used: /dev/null is no folder"),
    ],
)
def test_what_is_wrong_is_told(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], sentence: str
) -> None:
    given(monkeypatch, **values)
    assert sentence in "\n".join(problems())


def test_a_grown_service_tells_everything_it_lacks_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, EMBEDDED="false")
    told = "\n".join(problems())
    for name in ("DATABASE_URL", "BASE_URL", "REDIS_URL", "SECRET_KEY", "SMTP_HOST"):
        assert f"CHASQUI_{name}" in told


def test_a_fault_does_not_repeat_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, SMTP_PORT="opensesame", DATABASE_URL="my://opensesame@db")
    assert "opensesame" not in "\n".join(problems())


def test_an_embedded_service_makes_its_key_once() -> None:
    (first,) = load_settings().signing_keys()
    assert len(first) >= 32
    load_own_key.cache_clear()  # as another process would
    assert load_settings().signing_keys() == [first]
    assert load_settings().key_file.stat().st_mode & 0o777 == 0o600
    assert Path("var").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in Path("var").iterdir()] == ["secret_key"]


def test_processes_that_make_the_key_at_once_agree(tmp_path: Path) -> None:
    for attempt in range(20):
        path = tmp_path / str(attempt) / "key"
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(load_kept_key, [path] * 8))) == 1


def test_a_key_that_others_can_read_is_told_of() -> None:
    load_settings().signing_keys()
    load_settings().key_file.chmod(0o644)
    assert problems() == ["var/secret_key can be read by others; it must be for its owner alone: chmod 600 var/secret_key"]  # fmt: skip


def test_many_processes_on_this_machine_alone_need_no_https(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, **{**GROWN, "BASE_URL": "http://127.0.0.1:8000"})
    assert load_settings().base_url == "http://127.0.0.1:8000"
    given(monkeypatch, BASE_URL="http://chasqui.example")
    assert "must begin with https://" in problems()[0]


def test_the_limits_write_the_address_of_a_socket_their_own_way() -> None:
    assert limits_address("unix:///run/redis.sock") == "redis+unix:///run/redis.sock"
    assert limits_address("redis://queue/0") == "redis://queue/0"
    assert limits_address(None) == "tally://"
