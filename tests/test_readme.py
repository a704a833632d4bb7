"""Every block of `deploy/README.md` for one host, typed as it stands, on a machine made for it.

The machine is this one with an overlay over its disk and namespaces of its own: PostgreSQL, Redis and nginx are Debian's, with the
configuration that Debian gives them; `apt-get` and `pip` find everything there already, and `systemctl` is `tests.tiny_systemd`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.debian import fetch_programs, give_up

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {
    "nginx": "nginx",
    "redis-server": "redis-server",
    "pg_ctlcluster": "postgresql",
    "openssl": "openssl",
    "unshare": "util-linux",
    "setpriv": "util-linux",
    "curl": "curl",
    "git": "git",
}
BLOCK = re.compile(r"^( *)```sh\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
# What the operator does with an editor or brings along, after the block of that number.
BETWEEN = {
    1: "git clone --quiet /srv/origin /opt/chasqui",
    4: """
        sed -i 's/^CHASQUI_SMTP_HOST=.*/CHASQUI_SMTP_HOST=127.0.0.1/' /etc/chasqui/env
    """,
    5: """
        mkdir -p /etc/chasqui/tls
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=chasqui.example \\
            -keyout /etc/chasqui/tls/privkey.pem -out /etc/chasqui/tls/fullchain.pem 2>/dev/null
    """,
    7: """
        ask() { curl --silent --insecure --max-time 100 --output /dev/null --write-out '%{http_code}\\n' \\
            --resolve chasqui.example:443:127.0.0.1 "https://chasqui.example$1"; }
        [ "$(ask /)" = 200 ] || { echo "SEEN: no page"; exit 1; }
        [ "$(ask /health/ready)" = 200 ] || { echo "SEEN: not ready"; exit 1; }
        for port in 9100 9101 9102; do
            curl --silent --fail --output /dev/null --header 'Host: anything' "http://127.0.0.1:$port/health"
            curl --silent --fail "http://127.0.0.1:$port/metrics" | grep -q 'chasqui_problem{problem="database"} 0.0'
        done
        ls /var/backups/chasqui | grep -q backup
        ! grep -rq . /opt/chasqui/var 2>/dev/null  # a grown service keeps nothing beside its code
        cd /srv/origin && git commit --quiet --allow-empty --message newer && cd /
        ( while [ ! -e /tmp/enough ]; do ask / || echo "0$?"; sleep 0.1; done ) >/tmp/statuses &
        asking=$!
    """,
    9: """
        touch /tmp/enough; wait $asking
        grep 'to stop' /var/log/tiny.log
        sort /tmp/statuses | uniq -c | sed 's/^/STATUS /'
    """,
}
SHIMS = {
    "apt-get": "exit 0",
    "systemctl": f'exec {sys.executable} -P /srv/origin/tests/tiny_systemd.py "$@"',
    # Everything is installed where these tests run; the virtual environment leads there.
    "python3": f"""
        [ "$1 $2" = "-m venv" ] || exec {sys.executable} "$@"
        mkdir -p "$3/bin"
        printf '#!/bin/sh\\nexec env PYTHONPATH=/opt/chasqui {sys.executable} -m app.cli "$@"\\n' >"$3/bin/chasqui"
        printf '#!/bin/sh\\nexit 0\\n' >"$3/bin/pip"
        chmod 0755 "$3"/bin/*
    """,
}
MACHINE = f"""
set -eu
mount -t tmpfs tmpfs {{folder}}
mkdir {{folder}}/upper {{folder}}/work {{folder}}/root
mount -t overlay overlay -o lowerdir=/,upperdir={{folder}}/upper,workdir={{folder}}/work {{folder}}/root
cd {{folder}}/root
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs tmp && chmod 1777 tmp
mount -t tmpfs tmpfs run
mkdir -p run/postgresql && chown postgres: run/postgresql
ip link set lo up
chmod a+x root {" ".join(str(p).lstrip("/") for p in reversed(Path(sys.executable).resolve().parents[:-1]))}
exec chroot . /bin/bash /srv/typed
"""


def blocks() -> list[str]:
    text = (ROOT / "deploy" / "README.md").read_text()
    section = text.partition("## On one host with systemd")[2].partition("\n## ")[0]
    return [textwrap.dedent(block) for _, block in BLOCK.findall(section)]


def check_machines() -> None:
    """What the machine of this test is made of: Debian's servers, root, and an overlay over the root."""
    fetch_programs(PROGRAMS)
    if os.geteuid() != 0 or "overlay" not in Path("/proc/filesystems").read_text():
        give_up("needs root and overlayfs")
    if Path(sys.executable).is_relative_to("/tmp"):  # noqa: S108 - nothing is written there
        give_up("needs a checkout outside /tmp: the units have a /tmp of their own")


def typed() -> str:
    """The whole session: what the README says, and between it what only an operator can know."""
    lines = [
        "set -eu",
        "trap 'code=$?; tail -n 15 /var/log/chasqui*.log /var/log/tiny.log 2>/dev/null; exit $code' ERR",
        "export HOME=/root GIT_CONFIG_NOSYSTEM=1 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "unset PYTHONPATH",
        "pg_ctlcluster 15 main start" if Path("/etc/postgresql/15").exists() else "",
        f"{sys.executable} -P /srv/origin/tests/tiny_systemd.py serve >/var/log/tiny.log 2>&1 &",
        "sleep 1",
    ]
    for number, block in enumerate(blocks(), 1):
        lines += [f"echo BLOCK {number}", block, textwrap.dedent(BETWEEN.get(number, ""))]
    return "\n".join([*lines, "echo TYPED EVERYTHING", "exit 0"])


def test_every_step_for_one_host_works_as_it_stands(tmp_path: Path) -> None:
    """Set-up, first backup, health, an update and the way back under load: nobody is refused."""
    check_machines()
    place = tmp_path / "machine"
    place.mkdir()
    script = tmp_path / "script"
    script.write_text(
        MACHINE.replace("{folder}", str(place)).replace(
            "exec chroot", f"{prepare(tmp_path)}\nexec chroot"
        )
    )
    done = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "bash", script],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    told = done.stdout + done.stderr
    assert "TYPED EVERYTHING" in told, told[-6000:]
    counts = {status: int(count) for count, status in re.findall(r"STATUS +(\d+) (\d+)", told)}
    assert counts.keys() == {"200"}, (counts, re.findall(r".*s to stop.*", told))
    assert counts["200"] > 20


def prepare(folder: Path) -> str:
    """Puts the repository, the stand-ins and the session onto the machine."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    origin = folder / "origin"
    for name in files:
        if (ROOT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, origin / name)
    mine = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (
        ["init", "--quiet"],
        ["add", "--all"],
        [*mine, "commit", "--quiet", "-m", "first"],
    ):
        subprocess.run(["git", *words], cwd=origin, check=True)
    for key, value in (("user.name", "x"), ("user.email", "x@example.org")):
        subprocess.run(["git", "config", key, value], cwd=origin, check=True)
    shims = folder / "shims"
    shims.mkdir()
    for name, text in SHIMS.items():
        (shims / name).write_text(f"#!/bin/sh\n{textwrap.dedent(text).strip()}\n")
        (shims / name).chmod(0o755)
    (folder / "typed").write_text(typed())
    return f"mv {origin} srv/origin; cp {folder}/typed srv/typed; cp {shims}/* usr/local/sbin/"
