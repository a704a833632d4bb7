"""What `deploy/` holds, as far as it can be tried without an engine: every file by the rules of its reader."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import crossplane
import pytest
import yaml

from app.cli import SERVICE
from app.settings import SECRETS, Settings, environment_problems

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PROGRAM = "/opt/chasqui/.venv/bin/chasqui"
COMMAND = re.compile(r"chasqui (web|worker|inbox|migrate|grant|health|backup|config)\b")


def run(*words: str | Path) -> str:
    """What a program prints when it is content."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tool(name: str) -> Path:
    return Path(sys.executable).parent / name


def present(program: str) -> list[str]:
    """The program itself, to be asked where it is here; what it reads is checked in any case."""
    found = shutil.which(program)
    return [found] if found else []


# The container


def test_hadolint_has_nothing_to_say() -> None:
    assert run(tool("hadolint"), DEPLOY / "Containerfile") == ""


def test_the_image_holds_what_it_copies_and_runs_as_nobody_special() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    for copied in re.findall(r"^COPY (?:--chmod=\d+ )?(\w\S*) ", text, re.MULTILINE):
        assert (ROOT / copied).exists()
        assert f"!{copied}" in (ROOT / ".dockerignore").read_text().splitlines()
    assert "--require-hashes" in text
    assert re.findall(r"^USER (\S+)", text, re.MULTILINE)[-1] == "10001:10001"


# Compose


def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())  # type: ignore[no-any-return]


def test_compose_follows_its_schema() -> None:
    options = ("--builtin-schema", "vendor.compose-spec")
    run(tool("check-jsonschema"), *options, DEPLOY / "compose.yaml")


def test_every_service_that_stays_is_confined_and_has_a_check() -> None:
    for name, service in compose()["services"].items():
        if name == "migrate":
            continue
        assert "healthcheck" in service or name == "web", name  # the image has that of `web`
        if name != "database":  # it must write, and changes to a user of its own
            assert service["read_only"], name
            assert service["cap_drop"] == ["ALL"], name
            assert "no-new-privileges:true" in service["security_opt"], name


def test_only_nginx_can_be_reached_from_elsewhere() -> None:
    for name, service in compose()["services"].items():
        for port in service.get("ports", []):
            assert name == "nginx" or port.startswith("127.0.0.1:"), name


def test_compose_sets_only_what_the_service_knows() -> None:
    for name, service in compose()["services"].items():
        known = {
            variable: "/dev/null" if variable.endswith("_FILE") else value
            for variable, value in service.get("environment", {}).items()
            if variable.startswith("CHASQUI_")
        }
        assert list(environment_problems(known)) == [], name


def test_the_secrets_are_made_for_compose_to_find(tmp_path: Path) -> None:
    script = shutil.copy(DEPLOY / "make-secrets", tmp_path)
    run(script)
    made = {path.name: path.read_text().strip() for path in (tmp_path / "secrets").iterdir()}
    assert made.keys() == compose()["secrets"].keys()
    assert len(made["secret_key"]) == 64
    assert made["service_password"] in made["database_url"]
    assert made["owner_password"] in made["owner_database_url"]
    run(script)
    assert made["secret_key"] == (tmp_path / "secrets" / "secret_key").read_text().strip()
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


# Settings


def test_the_example_explains_every_setting_and_no_other() -> None:
    blocks = (DEPLOY / "env.example").read_text().strip().split("\n\n")[1:]
    named = []
    for block in blocks:
        *words, line = block.splitlines()
        assert words, line
        assert all(word.startswith("# ") for word in words), line
        assert words[-1].endswith("."), line
        found = re.fullmatch(r"#?(CHASQUI_\w+)=(.*)", line)
        assert found, line
        named.append(found[1])
        assert ("A secret." in words[-1]) == (found[1][8:].lower() in SECRETS), line
    assert sorted(named) == sorted(f"CHASQUI_{field.upper()}" for field in Settings.model_fields)


def test_the_example_shows_the_defaults() -> None:
    for variable, value in re.findall(
        r"^#CHASQUI_(\w+)=(.+)$", (DEPLOY / "env.example").read_text(), re.MULTILINE
    ):
        default = Settings.model_fields[variable.lower()].default
        if default not in ("", None):
            assert value == str(default).lower() or value == str(default), variable


# systemd


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_can_be_read(unit: Path) -> None:
    parser = ConfigParser(strict=False, interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(unit)
    assert parser["Unit"]["Description"]
    if unit.suffix == ".service":
        assert PROGRAM in parser["Service"]["ExecStart"]
        assert parser["Service"]["User"] == "chasqui"
        assert parser["Service"]["NoNewPrivileges"] == "yes"


def test_the_units_name_each_other_and_systemd_would_load_them(tmp_path: Path) -> None:
    texts = {unit.name: unit.read_text() for unit in UNITS}
    named = re.findall(r"\bchasqui\S*\.(?:service|target|timer)", "\n".join(texts.values()))
    assert {re.sub(r"@\w+", "@", name) for name in named} <= texts.keys()
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace(PROGRAM, sys.executable))
    for analyze in present("systemd-analyze"):
        told = run(analyze, "verify", "--man=no", *sorted(tmp_path.iterdir()))
        assert str(tmp_path) not in told


# nginx


def test_nginx_would_understand_its_configuration(tmp_path: Path) -> None:
    lines = (DEPLOY / "nginx.conf").read_text().splitlines()
    begin = next(number for number, line in enumerate(lines, 1) if line.strip().startswith("map "))
    values = range(
        begin + 1, lines.index("    }", begin) + 1
    )  # no directives, but it takes them for such
    told = crossplane.parse(str(DEPLOY / "nginx.conf"), single=True, strict=True)
    assert [fault for fault in told["errors"] if fault["line"] not in values] == []
    for nginx in present("nginx"):
        assert "successful" in run(nginx, "-t", "-p", tmp_path, "-c", tried_here(tmp_path))


def tried_here(folder: Path) -> Path:
    """The configuration with its files and servers where this machine has some."""
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=x",
        "-keyout", key, "-out", certificate)  # fmt: skip
    text = (DEPLOY / "nginx.conf").read_text().replace("server web:8000", "server 127.0.0.1:8000")
    text = text.replace("/tmp/", f"{folder}/").replace("/etc/nginx/tls", str(folder))  # noqa: S108 - a word to replace
    (folder / "mime.types").write_text("types { text/css css; }")
    (folder / "nginx.conf").write_text(text)
    return folder / "nginx.conf"


def test_no_link_that_opens_something_is_logged() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    (pattern,) = re.findall(r'"~(\^.+?)" "', text)
    mask = re.compile(pattern.replace("(?<", "(?P<"))
    secret = [route for route in routes() if "<token" in route]
    assert len(secret) >= 3
    for route in secret:
        assert mask.search(re.sub("<.+?>", "abc", route)), route
    assert "$request " not in text
    assert "$request_uri" not in text.partition("log_format")[2].partition(";")[0]


def routes() -> list[str]:
    from app import create_app  # noqa: PLC0415 - the other tests need no web

    app = create_app(Settings(secret_key="k" * 40))
    return [rule.rule for rule in app.url_map.iter_rules()]


# What it tells people to run


@pytest.mark.parametrize(
    "page", ["README.md", "compose.yaml", "Containerfile", *(f"systemd/{u.name}" for u in SERVICES)]
)
def test_every_command_exists(page: str) -> None:
    text = (DEPLOY / page).read_text().replace("chasqui, ", "chasqui ").replace('", "', " ")
    told = set(COMMAND.findall(text))
    assert told
    assert told <= set(SERVICE)


@pytest.mark.parametrize("script", ["chasqui", "make-secrets", "database/10-service-role.sh"])
def test_a_script_can_be_run_by_any_shell(script: str) -> None:
    path = DEPLOY / script
    assert path.stat().st_mode & 0o111
    run("sh", "-n", path)
