"""What `deploy/` holds, as far as it can be tried without an engine: every file by the rules of its reader."""

from __future__ import annotations

import json
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
from redis import Redis
from redis.exceptions import AuthenticationError

from app.cli.main import SERVICE
from app.platform.settings import SECRETS, Settings, environment_problems
from tests.servers import running_redis

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


def test_the_bill_of_materials_names_every_package_of_the_lock() -> None:
    told = json.loads(run(sys.executable, DEPLOY / "sbom"))
    pins = re.findall(
        r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE
    )
    assert [(one["name"], one["version"]) for one in told["components"]] == pins
    assert all(one["hashes"] for one in told["components"])
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.5")


def test_the_podman_of_debian_12_can_build_it() -> None:
    """It is of 2022: what was added to Containerfiles since, it refuses."""
    text = (DEPLOY / "Containerfile").read_text()
    for newer in (
        "--start-interval",
        "--link",
        "--parents",
        "--exclude",
        "<<EOF",
        "ADD --checksum",
    ):
        assert newer not in text


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


def test_every_secret_that_a_process_reads_is_handed_to_it() -> None:
    for name, service in compose()["services"].items():
        settings = service.get("environment", {})
        read = [value for value in settings.values() if str(value).startswith("/run/secrets/")]
        handed = {f"/run/secrets/{secret}" for secret in service.get("secrets", ())}
        assert set(read) <= handed, name
        if "CHASQUI_SECRET_KEY_FILE" in settings:
            assert {"CHASQUI_SIGNING_KEY_FILE", "CHASQUI_SEED_KEY_FILE"} <= settings.keys(), name


def test_the_secrets_are_made_for_compose_to_find(tmp_path: Path) -> None:
    script = shutil.copy(DEPLOY / "make-secrets", tmp_path)
    run(script)
    made = {path.name: path.read_text().strip() for path in (tmp_path / "secrets").iterdir()}
    assert made.keys() == compose()["secrets"].keys()
    assert len(made["secret_key"]) == 64
    assert made["service_password"] in made["database_url"]
    assert made["owner_password"] in made["owner_database_url"]
    assert made["redis_url"] == f"redis://:{made['redis_password']}@redis:6379/0"
    assert made["redis_conf"] == f"requirepass {made['redis_password']}"
    assert len(made["redis_password"]) == 64
    run(script)
    assert made["secret_key"] == (tmp_path / "secrets" / "secret_key").read_text().strip()
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


def test_redis_asks_for_its_password_and_every_process_knows_it() -> None:
    services = compose()["services"]
    redis = services["redis"]
    assert redis["command"][:2] == ["redis-server", "/run/secrets/redis_conf"]
    assert {"redis_conf", "redis_password"} <= set(redis["secrets"])
    assert "requirepass" not in " ".join(redis["command"])  # nothing secret on a command line
    for name in ("migrate", "web", "worker", "inbox"):
        assert "redis_url" in services[name]["secrets"], name
        assert services[name]["environment"]["CHASQUI_REDIS_URL_FILE"] == "/run/secrets/redis_url"
        assert "CHASQUI_REDIS_URL" not in services[name]["environment"], name


def test_a_redis_with_the_secrets_that_are_made_refuses_whoever_has_no_password(
    tmp_path: Path,
) -> None:
    """The very file that compose hands to its Redis, and the very address that it hands to ours."""
    script = shutil.copy(DEPLOY / "make-secrets", tmp_path)
    run(script)
    secrets = tmp_path / "secrets"
    password = (secrets / "redis_password").read_text().strip()
    with running_redis((secrets / "redis_conf").read_text(), password) as server:
        there = f"@127.0.0.1:{server.port}/"
        url = (secrets / "redis_url").read_text().strip().replace("@redis:6379/", there)
        with Redis.from_url(url) as ours:
            assert ours.ping()
        for wrong in ("redis://", "redis://:guess"):
            address = f"{wrong}{there if wrong.endswith('guess') else there[1:]}0"
            with Redis.from_url(address) as stranger, pytest.raises(AuthenticationError):
                stranger.ping()


# Images


IMAGE = re.compile(r"\$\{([A-Z]+_IMAGE):\?run deploy/pin-images first\}")
ENGINE = """#!/bin/sh
case "$1" in
pull) [ ! -e "$(dirname "$0")/away" ] || exit 1 ;;
image)
    for tag; do :; done
    repo=${tag%:*}
    echo "elsewhere.example/mirror@sha256:$(printf other | sha256sum | cut -d' ' -f1)"
    [ -e "$(dirname "$0")/local" ] || echo "$repo@sha256:$(printf '%s' "$tag$(cat "$(dirname "$0")/day")" | sha256sum | cut -d' ' -f1)"
    ;;
esac
"""


def tags() -> dict[str, str]:
    lines = (DEPLOY / "images").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_every_image_that_is_not_ours_is_asked_for_by_its_digest() -> None:
    """Compose refuses to start while one of them is not pinned."""
    wanted = set[str]()
    for name, service in compose()["services"].items():
        if service["image"] == "chasqui":
            wanted.update(IMAGE.fullmatch(arg)[1] for arg in service["build"]["args"].values())  # type: ignore[index]
            continue
        found = IMAGE.fullmatch(service["image"])
        assert found, name
        wanted.add(found[1])
    assert wanted == tags().keys()
    container = (DEPLOY / "Containerfile").read_text()
    assert f"ARG PYTHON_IMAGE={tags()['PYTHON_IMAGE']}\n" in container
    assert set(re.findall(r"^FROM (\S+)", container, re.MULTILINE)) == {"${PYTHON_IMAGE}"}


def test_no_digest_in_the_repository_was_made_up() -> None:
    for path in DEPLOY.rglob("*"):
        if path.is_file() and path.name != ".env":
            assert not re.search(r"sha256:[0-9a-f]{64}", path.read_text()), path


@pytest.fixture
def pinning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the script, its list, and an engine that knows every tag's digest of the day."""
    for name in ("pin-images", "images"):
        shutil.copy(DEPLOY / name, tmp_path)
    engine = tmp_path / "engine"
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    (tmp_path / "day").write_text("monday")
    monkeypatch.setenv("ENGINE", str(engine))
    return tmp_path


def test_images_are_pinned_to_what_the_engine_has_and_the_operators_lines_stay(
    pinning: Path,
) -> None:
    (pinning / ".env").write_text("COMPOSE_PROFILES=catcher\nREDIS_IMAGE=old\n")
    told = run(pinning / "pin-images")
    kept = dict(line.split("=", 1) for line in (pinning / ".env").read_text().splitlines())
    assert kept.pop("COMPOSE_PROFILES") == "catcher"
    assert kept.keys() == tags().keys()
    for name, tag in tags().items():
        assert re.fullmatch(rf"{tag.rpartition(':')[0]}@sha256:[0-9a-f]{{64}}", kept[name]), name
        assert f"{tag} is now {kept[name]}" in told
    assert "(before: old)" in told
    assert "is now" not in run(pinning / "pin-images")  # nothing new
    (pinning / "day").write_text("tuesday")
    assert run(pinning / "pin-images").count("is now") == len(tags())
    assert sorted(path.name for path in pinning.glob(".env*")) == [".env"]


@pytest.mark.parametrize("fault", ["away", "local"])
def test_what_cannot_be_pinned_changes_nothing(pinning: Path, fault: str) -> None:
    (pinning / ".env").write_text("REDIS_IMAGE=old\n")
    (pinning / fault).touch()
    done = subprocess.run([pinning / "pin-images"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (pinning / ".env").read_text() == "REDIS_IMAGE=old\n"
    assert sorted(path.name for path in pinning.glob(".env*")) == [".env"]


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


def directives(path: Path, *places: str) -> set[tuple[str, ...]]:
    """What stands in all blocks of those names, each line as its words."""
    told = crossplane.parse(str(path), single=True, strict=False, check_ctx=False)["config"][0][
        "parsed"
    ]
    for place in places:
        told = [part for block in told if block["directive"] == place for part in block["block"]]
    return {(part["directive"], *part["args"]) for part in told}


# What Debian's own configuration says, or says where its files are.
OTHERWISE = re.compile(
    r"include|default_type|access_log|error_log|gzip\w*|server_tokens|keepalive_timeout|listen|ssl_certificate\w*|.*_temp_path"
)


def test_debians_nginx_is_told_what_the_container_is_told() -> None:
    """Where a line may stand only once for a machine, it stands in the server; nothing else differs."""
    site, container = DEPLOY / "nginx-site.conf", DEPLOY / "nginx.conf"
    for inside in ((), ("server",), ("server", "location")):
        ours, theirs = directives(site, *inside), directives(container, "http", *inside)
        for words in ours ^ theirs:
            assert OTHERWISE.fullmatch(words[0]), words
    assert ("proxy_next_upstream", "error", "timeout") in directives(site, "server")


def test_only_good_tls_is_spoken() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert re.findall(r"ssl_protocols (.+);", text) == ["TLSv1.2 TLSv1.3"]
    (ciphers,) = re.findall(r"ssl_ciphers (\S+);", text)
    for cipher in ciphers.split(":"):
        assert cipher.startswith("ECDHE-"), cipher
        assert "GCM" in cipher or "POLY1305" in cipher, cipher


def test_a_program_is_not_led_from_the_open_to_https() -> None:
    """People are; a token that was sent in the open must not go unnoticed."""
    (told,) = crossplane.parse(str(DEPLOY / "nginx.conf"), single=True, strict=False)["config"]
    http = next(part["block"] for part in told["parsed"] if part["directive"] == "http")
    servers = [part["block"] for part in http if part["directive"] == "server"]
    (plain,) = (
        s for s in servers if {"listen": ["8080"]} in [{p["directive"]: p["args"]} for p in s]
    )
    answers = {
        " ".join(part["args"]): next(
            p["args"][0] for p in part["block"] if p["directive"] == "return"
        )
        for part in plain
        if part["directive"] == "location"
    }
    assert answers == {"/": "308", "/api/": "403"}


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


# Kubernetes

KUBERNETES = DEPLOY / "kubernetes"
OPERATORS = ("Cluster", "Redis", "Kustomization")  # of kinds that Kubernetes itself does not know


def resources() -> list[dict[str, Any]]:
    files = sorted(KUBERNETES.glob("*.yaml"))
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


def pods() -> list[dict[str, Any]]:
    """What each workload starts."""
    found = []
    for one in resources():
        spec = one.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            found.append(spec["template"]["spec"])
    return found


def test_kubernetes_knows_every_field(tmp_path: Path) -> None:
    kinds = {one["kind"] for one in resources()}
    assert {
        "Deployment",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "Job",
        "CronJob",
    } <= kinds
    for validate in filter(Path.exists, [tool("kubernetes-validate")]):
        for one in resources():
            if one["kind"] not in OPERATORS:
                file = tmp_path / "one.yaml"
                file.write_text(yaml.safe_dump(one))
                run(validate, "--strict", file)


def test_kustomize_finds_every_file_and_the_image_waits_for_a_digest() -> None:
    told = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    files = {file.name for file in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(told["resources"]) == files
    assert [image["name"] for image in told["images"]] == ["chasqui"]


def test_every_pod_is_confined_and_says_how_it_is() -> None:
    assert len(pods()) == 5
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for container in pod["containers"]:
            guarded = container["securityContext"]
            assert guarded["readOnlyRootFilesystem"]
            assert guarded["capabilities"] == {"drop": ["ALL"]}
            known = {one["name"]: "/dev/null" for one in container["env"]}
            assert not list(
                environment_problems({k: v for k, v in known.items() if k.endswith("_FILE")})
            )
            assert container["command"][0] in ("chasqui", "sh")
            if pod.get("restartPolicy") != "Never":
                assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    (config,) = (one["data"] for one in resources() if one["kind"] == "ConfigMap")
    assert not list(environment_problems(config))


# Watching it


def test_the_alert_rules_can_be_loaded_and_wake_whom_they_should() -> None:
    folder = DEPLOY / "prometheus"
    for file in folder.iterdir():
        assert yaml.safe_load(file.read_text())
    for promtool in present("promtool"):
        assert "SUCCESS" in run(promtool, "check", "rules", folder / "alerts.yml")
        assert "SUCCESS" in run(promtool, "check", "config", folder / "prometheus.yml")
        assert "SUCCESS" in run(promtool, "test", "rules", folder / "alerts_test.yml")


def test_rules_and_dashboard_ask_only_for_what_is_counted() -> None:
    from app.operations.health import EXIT_CODES  # noqa: PLC0415 - the other tests need no database

    counted = "".join(
        (ROOT / place).read_text()
        for place in ("app/http/metrics.py", "app/operations/conditions.py", "workers/metrics.py")
    )
    for file in (DEPLOY / "prometheus" / "alerts.yml", DEPLOY / "grafana" / "chasqui.json"):
        asked = set(re.findall(r"\bchasqui_[a-z_]+", file.read_text()))
        assert len(asked) >= 5
        for name in asked:
            assert f'"{re.sub("_(total|bucket)$", "", name)}"' in counted, name
        for words in re.findall(r'problem=~?\\*"([a-z|]+)', file.read_text()):
            assert set(words.split("|")) <= EXIT_CODES.keys()


# What it tells people to run


@pytest.mark.parametrize(
    "page", ["README.md", "compose.yaml", "Containerfile", *(f"systemd/{u.name}" for u in SERVICES)]
)
def test_every_command_exists(page: str) -> None:
    text = (DEPLOY / page).read_text().replace("chasqui, ", "chasqui ").replace('", "', " ")
    told = set(COMMAND.findall(text))
    assert told
    assert told <= set(SERVICE)


@pytest.mark.parametrize(
    "script", ["chasqui", "make-secrets", "pin-images", "database/10-service-role.sh"]
)
def test_a_script_can_be_run_by_any_shell(script: str) -> None:
    path = DEPLOY / script
    assert path.stat().st_mode & 0o111
    run("sh", "-n", path)
