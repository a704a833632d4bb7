"""Settings of an operator (pydantic-settings): environment variables CHASQUI_…, each secret also as a file CHASQUI_…_FILE."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from app.platform.networks import read_networks
from app.platform.setting_checks import find_wrong_settings

PREFIX = "CHASQUI_"
SECRETS = (
    "database_url",
    "redis_url",
    "secret_key",
    "secret_key_fallbacks",
    "seed_key",
    "seed_key_fallbacks",
    "signing_key",
    "smtp_password",
    "imap_password",
    "oauth_client_secret",
    "oauth_refresh_token",
    "dkim_key",
)
SHORTEST_KEY = 32
SQLITE, POSTGRESQL = ("sqlite",), ("postgresql", "postgres")
HOST_NAME = re.compile(r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
LOCAL_PART = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,22}[a-z0-9])?")
REDIS = ("redis", "rediss", "unix", "redis+sentinel")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class BadSettings(Exception):
    """The settings cannot be used; `problems` says why, a sentence each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class SecretFiles(PydanticBaseSettingsSource):
    """Reads each secret from the file that CHASQUI_…_FILE names, as container platforms hand them out."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - its signature
        path = os.environ.get(f"{PREFIX}{field_name.upper()}_FILE")
        return (Path(path).read_text("utf-8").strip() if path else None), field_name, False

    def __call__(self) -> dict[str, Any]:
        fields = self.settings_cls.model_fields
        found = {name: self.get_field_value(fields[name], name)[0] for name in SECRETS}
        return {name: value for name, value in found.items() if value}


class Settings(BaseSettings):
    """One running service. Embedded: one process with a thread for the mails; grown: many of each."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True
    )

    embedded: bool = True
    data_dir: Path = Path("var")
    base_url: str = "http://127.0.0.1:8000"
    database_url: str = Field(default="", repr=False, validate_default=True)
    redis_url: str | None = Field(default=None, repr=False)
    secret_key: SecretStr | None = None
    secret_key_fallbacks: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    seed_key: SecretStr | None = None  # seals the seeds of matches; otherwise the secret key does
    seed_key_fallbacks: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    # Whose word about the caller counts: addresses and networks of reverse proxies.
    proxies: Annotated[tuple[str, ...], NoDecode] = ()
    signing_key: SecretStr | None = None  # signs the records that leave the house
    old_signing_keys: Annotated[tuple[str, ...], NoDecode] = ()  # public ones, in hexadecimal
    operator: str = ""  # who runs the service, for its pages about itself
    contact: str = ""  # how to reach them: a mail address or an https address
    smtp_host: str | None = None
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_ca: Path | None = None  # a certificate authority of one's own
    mail_from: str | None = None
    envelope_from: str | None = None  # for accounts that may send as nobody else
    reply_domain: str | None = None  # where answers by mail go; otherwise the host of base_url
    reply_local: str = "play"  # what stands before the + of an address to answer to
    bounce_local: str = "bounce"
    oauth_token_url: str | None = None  # where a new access token is asked for, for XOAUTH2
    oauth_client_id: str | None = None
    oauth_client_secret: SecretStr | None = None
    oauth_refresh_token: SecretStr | None = None
    dkim_selector: str | None = None
    dkim_domain: str | None = None  # otherwise that of mail_from
    dkim_key: SecretStr | None = None  # an RSA key, PEM
    keep_mails_days: int | None = Field(
        default=None, ge=90, le=36500
    )  # what became of mails; otherwise for good
    limits: bool = True  # how often somebody may ask; false for tests of load, never in the open
    bot_delay: float = Field(default=3.0, ge=0, le=3600)  # seconds that a bot waits before it moves
    status_host: str = "127.0.0.1"
    status_port: int | None = Field(
        default=None, ge=1, le=65535
    )  # health and metrics, for any Host
    inbox_host: str = "127.0.0.1"
    inbox_port: int | None = Field(default=None, ge=1, le=65535)
    inbox_protocol: Literal["smtp", "lmtp"] = "smtp"
    imap_host: str | None = None
    imap_port: int = Field(default=993, ge=1, le=65535)
    imap_user: str | None = None
    imap_password: SecretStr | None = None
    imap_folder: str = "INBOX"
    imap_ca: Path | None = None

    @classmethod
    def settings_customise_sources(  # type: ignore[override]  # pydantic names them all; two do
        cls, settings_cls: type[BaseSettings], **sources: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return sources["init_settings"], sources["env_settings"], SecretFiles(settings_cls)

    @field_validator("base_url")
    @classmethod
    def _without_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _file_in_data_dir(cls, value: str, info: ValidationInfo) -> str:
        folder = info.data.get("data_dir", Path("var"))
        return value or f"sqlite:///{folder / 'chasqui.sqlite3'}"

    @field_validator(
        "secret_key_fallbacks", "seed_key_fallbacks", "proxies", "old_signing_keys", mode="before"
    )
    @classmethod
    def _by_commas(cls, value: Any) -> Any:
        return tuple(filter(None, value.split(","))) if isinstance(value, str) else value

    @property
    def reply_host(self) -> str:
        """The domain of the addresses that are answered to; a number is no domain."""
        host = self.reply_domain or urlsplit(self.base_url).hostname or "localhost"
        return "localhost" if ":" in host or host.replace(".", "").isdigit() else host.lower()

    @property
    def key_file(self) -> Path:
        """Where an embedded service keeps the key that it made for itself."""
        return self.data_dir / "secret_key"

    def signing_keys(self) -> list[str]:
        """The key that signs, then those that are still believed; an embedded service makes its own."""
        file = self.key_file.absolute()  # by which it is remembered, wherever we go meanwhile
        key = self.secret_key.get_secret_value() if self.secret_key else load_own_key(file)
        return [key, *(old.get_secret_value() for old in self.secret_key_fallbacks)]

    def seed_keys(self) -> list[str]:
        """The key that seals seeds, then those that may have sealed them before."""
        own = [*([self.seed_key] if self.seed_key else []), *self.seed_key_fallbacks]
        return [*(key.get_secret_value() for key in own), *self.signing_keys()]

    @property
    def signing_key_file(self) -> Path:
        """Where an embedded service keeps the key by which it signs records."""
        return self.data_dir / "signing_key"

    def record_key(self) -> str | None:
        """The secret that signs records; an embedded service makes its own, a grown one may have none."""
        if self.signing_key:
            return self.signing_key.get_secret_value()
        return load_own_key(self.signing_key_file.absolute()) if self.embedded else None

    def hints(self) -> list[str]:
        """What works without, but less well, a sentence each."""
        if self.signing_key or self.embedded:
            return []
        return ["CHASQUI_SIGNING_KEY is not set: records leave unsigned and prove no origin."]

    def check(self) -> list[str]:
        """Everything that would not work, a sentence each."""
        return [
            *database_problems(self),
            *address_problems(self),
            *key_problems(self),
            *mail_problems(self),
            *find_wrong_settings(self),
            *(folder_problems(self.data_dir) if self.embedded else ()),
        ]


def load_settings() -> Settings:
    """The settings of this process; `BadSettings` tells everything that is wrong with them at once."""
    if problems := list(environment_problems(os.environ)):
        raise BadSettings(problems)
    try:
        settings = Settings()
    except ValidationError as error:
        raise BadSettings([sentence(fault) for fault in error.errors()]) from None
    if problems := settings.check():
        raise BadSettings(problems)
    return settings


def environment_problems(environment: Mapping[str, str]) -> Iterator[str]:
    """Variables that would be overlooked, files that cannot be read, secrets given twice."""
    plain = {PREFIX + field.upper() for field in Settings.model_fields}
    by_file = {f"{PREFIX}{field.upper()}_FILE" for field in SECRETS}
    for variable in sorted(v for v in environment if v.startswith(PREFIX) and environment[v]):
        if variable in by_file:
            yield from file_problems(variable, environment)
        elif variable not in plain:
            near = get_close_matches(variable, plain | by_file, 1, cutoff=0.85)
            yield f"{variable} is no setting" + (f"; is {near[0]} meant?" if near else ".")


def file_problems(variable: str, environment: Mapping[str, str]) -> Iterator[str]:
    plain, path = variable.removesuffix("_FILE"), environment[variable]
    if environment.get(plain):
        yield f"{plain} and {variable} are both set; set only one of them."
    try:
        Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is no text"
        yield f"{variable} names a file that cannot be read: {path} ({reason})."


def sentence(error: Any) -> str:
    """A fault that pydantic found, without the value: it may be a secret."""
    variable = PREFIX + "_".join(str(part) for part in error["loc"][:1]).upper()
    return f"{variable} cannot be understood: {error['msg'][0].lower()}{error['msg'][1:]}."


@cache
def load_own_key(path: Path) -> str:
    """The key in that file, read once: nobody changes it while we run."""
    return load_kept_key(path)


def load_kept_key(path: Path) -> str:
    """The key in that file, made at the first call; two processes that make one at once agree."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:  # made with 0600
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(file.name, path)  # whole or not at all, and never over another's
    return path.read_text("ascii").strip()


def database_problems(settings: Settings) -> Iterator[str]:
    scheme = settings.database_url.split(":")[0].split("+")[0]
    if scheme not in SQLITE + POSTGRESQL:
        yield "CHASQUI_DATABASE_URL must begin with sqlite:/// or postgresql://."
    elif scheme in SQLITE and not settings.embedded:
        yield "CHASQUI_DATABASE_URL must be a PostgreSQL database when CHASQUI_EMBEDDED is false: SQLite has room for one process."
    elif scheme in SQLITE and urlsplit(settings.database_url).path.strip("/") in ("", ":memory:"):
        yield "CHASQUI_DATABASE_URL must name a file: a match in memory would be lost."


def address_problems(settings: Settings) -> Iterator[str]:
    base = urlsplit(settings.base_url)
    if base.scheme not in ("http", "https") or not base.hostname or base.query or base.fragment:
        yield "CHASQUI_BASE_URL must be the address that players open, such as https://chasqui.example."
    elif base.scheme == "http" and not settings.embedded and not tried_out(settings):
        yield "CHASQUI_BASE_URL must begin with https:// when CHASQUI_EMBEDDED is false: links carry sign-ins."
    try:
        read_networks(settings.proxies)
    except ValueError:
        yield "CHASQUI_PROXIES must be addresses or networks of proxies, such as 127.0.0.1,10.0.0.0/8."
    if settings.redis_url and settings.redis_url.split(":")[0] not in REDIS:
        yield "CHASQUI_REDIS_URL must begin with redis://, rediss://, unix:// or redis+sentinel://."
    if not settings.redis_url and not settings.embedded:
        yield "CHASQUI_REDIS_URL is needed when CHASQUI_EMBEDDED is false: the workers listen there."


def tried_out(settings: Settings) -> bool:
    """Whether somebody chose to keep many processes on this machine, where no link can leak."""
    chosen = "base_url" in settings.model_fields_set
    return chosen and urlsplit(settings.base_url).hostname in LOOPBACK


def key_problems(settings: Settings) -> Iterator[str]:
    keys = [*([settings.secret_key] if settings.secret_key else []), *settings.secret_key_fallbacks]
    if any(len(key.get_secret_value()) < SHORTEST_KEY for key in keys):
        yield f"CHASQUI_SECRET_KEY and its fallbacks must have {SHORTEST_KEY} characters or more."
    seeds = [*([settings.seed_key] if settings.seed_key else []), *settings.seed_key_fallbacks]
    if any(len(key.get_secret_value()) < SHORTEST_KEY for key in seeds):
        yield f"CHASQUI_SEED_KEY and its fallbacks must have {SHORTEST_KEY} characters or more."
    if settings.seed_key_fallbacks and not settings.seed_key:
        yield "CHASQUI_SEED_KEY_FALLBACKS is set without CHASQUI_SEED_KEY."
    if not settings.secret_key and not settings.embedded:
        yield "CHASQUI_SECRET_KEY is needed when CHASQUI_EMBEDDED is false: every process must sign alike."
    if settings.signing_key and len(settings.signing_key.get_secret_value()) < SHORTEST_KEY:
        yield f"CHASQUI_SIGNING_KEY must have {SHORTEST_KEY} characters or more."
    if not all(re.fullmatch(r"[0-9a-f]{64}", key) for key in settings.old_signing_keys):
        yield "CHASQUI_OLD_SIGNING_KEYS must be public keys of 64 hexadecimal digits, with commas between them."
    for given, kept in (
        (settings.secret_key, settings.key_file),
        (settings.signing_key, settings.signing_key_file),
    ):
        if not given and kept.exists() and kept.stat().st_mode & 0o077:
            yield f"{kept} can be read by others; it must be for its owner alone: chmod 600 {kept}"


def mail_problems(settings: Settings) -> Iterator[str]:
    if not settings.smtp_host and not settings.embedded:
        yield "CHASQUI_SMTP_HOST is needed when CHASQUI_EMBEDDED is false: no mail could leave."
    if settings.smtp_host and (settings.mail_from or "").count("@") != 1:
        yield "CHASQUI_MAIL_FROM must be the address that mails come from, such as play@chasqui.example."
    if settings.reply_domain and not HOST_NAME.fullmatch(settings.reply_domain):
        yield "CHASQUI_REPLY_DOMAIN must be the domain that answers are mailed to, such as chasqui.example."
    known = settings.imap_password or settings.oauth_refresh_token
    if settings.imap_host and not (settings.imap_user and known):
        yield "CHASQUI_IMAP_HOST is set without CHASQUI_IMAP_USER and CHASQUI_IMAP_PASSWORD."
    for name in ("reply_local", "bounce_local"):
        if not LOCAL_PART.fullmatch(getattr(settings, name)):
            yield f"CHASQUI_{name.upper()} must be what stands before the + of an address: small letters, digits, dots and hyphens, 24 at most."
    if settings.envelope_from and settings.envelope_from.count("@") != 1:
        yield "CHASQUI_ENVELOPE_FROM must be an address, such as play@chasqui.example."
    for name in ("smtp_ca", "imap_ca"):
        file = getattr(settings, name)
        if file is not None and not file.is_file():
            yield f"CHASQUI_{name.upper()} names no file: {file}."
    oauth = (settings.oauth_token_url, settings.oauth_client_id, settings.oauth_refresh_token)
    if any(oauth) and not all(oauth):
        yield "CHASQUI_OAUTH_TOKEN_URL, CHASQUI_OAUTH_CLIENT_ID and CHASQUI_OAUTH_REFRESH_TOKEN go together."
    if (settings.dkim_key is None) != (settings.dkim_selector is None):
        yield "CHASQUI_DKIM_KEY and CHASQUI_DKIM_SELECTOR go together."
    if settings.smtp_password and not settings.smtp_user:
        yield "CHASQUI_SMTP_PASSWORD is set without CHASQUI_SMTP_USER."
    if settings.smtp_password and settings.smtp_security == "none":
        yield "CHASQUI_SMTP_SECURITY is none: the password would travel in the open."


def folder_problems(folder: Path) -> Iterator[str]:
    """The folder may be missing yet, but then something above it must let us make it."""
    nearest = next(
        path for path in (folder.absolute(), *folder.absolute().parents) if path.exists()
    )
    if not nearest.is_dir():
        yield f"CHASQUI_DATA_DIR cannot be used: {nearest} is no folder."
    elif not os.access(nearest, os.W_OK | os.X_OK):
        yield f"CHASQUI_DATA_DIR cannot be used: {nearest} cannot be written to."
