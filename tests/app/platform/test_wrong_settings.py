"""Settings that look right and are not: each is refused in a sentence that names its variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.main import main
from app.platform.settings import BadSettings, load_settings
from tests.app.platform.test_settings import GROWN, clean_environment, given
from tests.app.post_office import post_office
from tests.servers import Redis, free_port

__all__ = ["clean_environment"]  # a fixture that is used by itself
PG = "postgresql://chasqui:x@db/chasqui"
WRONG: list[tuple[str, str]] = [
    ("BASE_URL", "https://chasqui.example/games"),
    ("BASE_URL", "https://ana:secret@chasqui.example"),
    ("BASE_URL", "https://chasqui.example:0"),
    ("BASE_URL", "https://chasqui.example:70000"),
    ("BASE_URL", "https://chasqui.example:web"),
    ("BASE_URL", "https://chas_qui.example,other"),
    ("BASE_URL", "https://chasqui..example"),
    ("BASE_URL", "https://-chasqui.example"),
    ("SMTP_HOST", "mail.example:587"),
    ("SMTP_HOST", "smtp://mail.example"),
    ("SMTP_HOST", "mail example"),
    ("SMTP_HOST", "mail.example/"),
    ("SMTP_PORT", "465"),
    ("INBOX_HOST", "127.0.0.1:2525"),
    ("INBOX_HOST", "*"),
    ("STATUS_HOST", "0.0.0.0:9100"),
    ("STATUS_PORT", "0"),
    ("MAIL_FROM", "Chasqui <play@chasqui.example>"),
    ("MAIL_FROM", "play@"),
    ("MAIL_FROM", "@chasqui.example"),
    ("MAIL_FROM", "play @chasqui.example"),
    ("MAIL_FROM", "play@chasqui.example,other@chasqui.example"),
    ("MAIL_FROM", "play@chasqui..example"),
    ("MAIL_FROM", "mailto:play@chasqui.example"),
    ("REPLY_DOMAIN", "play@chasqui.example"),
    ("REPLY_DOMAIN", "chasqui..example"),
    ("REPLY_DOMAIN", "chasqui.example:25"),
    ("DATABASE_URL", "postgresql://chasqui:x@db"),
    ("DATABASE_URL", "postgresql://chasqui:x@db:port/chasqui"),
    ("DATABASE_URL", "postgresql://chasqui:x@db:70000/chasqui"),
    ("DATABASE_URL", f"{PG}?sslmode=requird"),
    ("DATABASE_URL", f"{PG}?sslmod=require"),
    ("REDIS_URL", "redis://"),
    ("REDIS_URL", "redis://queue:port/0"),
    ("REDIS_URL", "redis://queue:6379/first"),
    ("REDIS_URL", "unix://"),
    ("REDIS_URL", "redis+sentinel://one:26379,two:26379"),
    ("REDIS_URL", "redis+sentinel://one:port/mymaster"),
    ("PROXIES", "0.0.0.0/0"),
    ("PROXIES", "127.0.0.1,::/0"),
    ("BOT_DELAY", "nan"),
    ("SIGNING_KEY", "k" * 40),
    ("SEED_KEY", "k" * 40),
    ("IMAP_USER", "somebody"),
    ("IMAP_FOLDER", "IN\nBOX"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    given(monkeypatch, **{**GROWN, name: value})
    with pytest.raises(BadSettings) as refused:
        load_settings()
    assert any(f"CHASQUI_{name}" in problem for problem in refused.value.problems)
    assert all(problem.endswith((".", "?")) for problem in refused.value.problems)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASE_URL", "https://play.chasqui.example:8443"),
        ("BASE_URL", "https://[2001:db8::1]"),
        ("SMTP_HOST", "192.0.2.1"),
        ("INBOX_HOST", "::1"),
        (
            "DATABASE_URL",
            "postgresql://a:b%40@one:5432,two:5433/chasqui?sslmode=verify-full&pgbouncer=true",
        ),
        ("DATABASE_URL", "postgresql://chasqui@/chasqui?host=/run/postgresql"),
        ("REDIS_URL", "redis+sentinel://:secret@one:26379,two:26379/mymaster"),
        ("REDIS_URL", "unix:///run/redis.sock"),
        ("REDIS_URL", "rediss://:secret@queue/1"),
        ("PROXIES", "10.0.0.0/8,::1"),
        ("MAIL_FROM", "play+games@chasqui.example"),
    ],
)
def test_what_is_right_passes(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    given(monkeypatch, **{**GROWN, name: value})
    assert load_settings()


@pytest.mark.parametrize("value", ["sqlite://", "sqlite:///:memory:", "sqlite://chasqui.db"])
def test_a_file_of_sqlite_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    given(monkeypatch, DATABASE_URL=value)
    with pytest.raises(BadSettings, match="must name a file"):
        load_settings()


# Trying them


def test_everything_that_is_named_is_tried(
    postgresql_url: str, redis_server: Redis, tmp_path: Path
) -> None:
    with post_office() as office:
        settings = {
            **GROWN,
            "BASE_URL": "http://127.0.0.1:8000",
            "DATABASE_URL": postgresql_url,
            "REDIS_URL": redis_server.url,
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(office.port),
            "SMTP_SECURITY": "none",
            "SMTP_USER": "",
            "SMTP_PASSWORD": "",
            "SECRET_KEY_FALLBACKS": "",
        }
        assert told(settings) == (
            0,
            ["database: answers.", "Redis: answers.", "mail server: answers."],
        )
        redis_server.stop()
        settings["IMAP_HOST"], settings["IMAP_PORT"] = "127.0.0.1", str(free_port())
        settings |= {"IMAP_USER": "somebody", "IMAP_PASSWORD": "something"}
        code, lines = told(settings)
        assert code == 1
        assert lines[0] == "database: answers."
        assert lines[1].startswith("Redis: ConnectionError")
        assert lines[3].startswith("mailbox: ConnectionRefusedError")
        redis_server.start()


def told(settings: dict[str, str]) -> tuple[int, list[str]]:
    environment = {f"CHASQUI_{name}": value for name, value in settings.items()}
    result = CliRunner().invoke(main, ["config", "check", "--connect"], env=environment)
    return result.exit_code, [
        line
        for line in result.output.splitlines()
        if ": " in line and "CHASQUI_" not in line and "settings can" not in line
    ]
