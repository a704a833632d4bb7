"""Exim for a test: Debian's own, in a root folder of its own, for it cannot be installed beside Postfix.

In that folder it finds all where Debian puts it, so the recipe in `deploy/mail/exim.md` is typed as it stands, but for
the port. Only root may start it there; nothing but the loopback can reach it.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.debian import WHERE, give_up, unpack_packages
from tests.mail_servers import RECIPE, RECIPES, free_ports, wait_for_port

PACKAGES = ("exim4-daemon-light", "exim4-base", "exim4-config")
NUMBER = 65112  # of Exim's user
USER = "Debian-exim"
# What update-exim4.conf asks for.
PROGRAMS = [
    "cat", "chmod", "chown", "cmp", "cp", "cut", "date", "diff", "dirname", "expr", "find",
    "fold", "getopt", "grep", "head", "hostname", "id", "ls", "mkdir", "mktemp", "mv",
    "readlink", "rm", "run-parts", "sed", "sh", "sort", "stat", "tail", "test", "touch", "tr",
    "uniq", "wc",
]  # fmt: skip
OWN = ("lib/exim4", "log/exim4", "spool/exim4", "spool/exim4/db", "spool/exim4/input", "spool/exim4/msglog")  # fmt: skip
INTERNET_SITE = """
dc_eximconfig_configtype='internet'
dc_other_hostnames='mx.play.test'
dc_local_interfaces='127.0.0.1'
dc_relay_domains=''
dc_relay_nets=''
dc_minimaldns='false'
dc_use_split_config='true'
dc_localdelivery='mail_spool'
CFILEMODE='644'
"""


@contextmanager
def exim(folder: Path, door: int) -> Iterator[int]:
    """The port of a running Exim that brings mails on to this door, as the recipe says."""
    if os.geteuid() != 0:
        give_up("starts Exim in a folder of its own, and only root can")
    furnish(folder)
    typed = "".join(RECIPE.findall((RECIPES / "exim.md").read_text())).replace("2525", str(door))
    subprocess.run(inside(folder, "/bin/sh", "-eu"), input=typed, text=True, check=True, timeout=60)
    (port,) = free_ports(1)
    words = ("/usr/sbin/exim4", "-bdf", "-q1s", "-oX", f"127.0.0.1.{port}")
    running = subprocess.Popen(inside(folder, *words), stdin=subprocess.DEVNULL)
    try:
        wait_for_port(port, lambda: last_words(folder))
        yield port
    finally:
        running.terminate()
        running.wait()


def inside(folder: Path, *words: str) -> list[str]:
    return ["/usr/sbin/chroot", str(folder), *words]


def last_words(folder: Path) -> str:
    logs = sorted((folder / "var/log/exim4").glob("*log"))
    return "\n".join(log.read_text("utf-8", "replace")[-3000:] for log in logs)


def furnish(folder: Path) -> None:
    """Exim and what the recipe's commands need, each where it is on a whole machine."""
    shutil.copytree(unpack_packages(*PACKAGES), folder, symlinks=True)
    folder.chmod(0o755)
    for name in PROGRAMS:
        if found := shutil.which(name, path=WHERE):
            bring(folder, Path(found).resolve(), Path("bin") / name)
    for program in (folder / "usr/sbin/exim4", *(folder / "bin").iterdir()):
        bring_libraries(folder, program)
    for name in ("passwd", "group"):
        line = f"{USER}:x:{NUMBER}:{f'{NUMBER}::/var/spool/exim4:/bin/false' if name == 'passwd' else ''}\n"
        (folder / "etc" / name).write_text(Path("/etc", name).read_text() + line)
    (folder / "etc/services").write_text("smtp 25/tcp\n")
    (folder / "etc/nsswitch.conf").write_text("hosts: files\nservices: files\n")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (folder / "etc/mailname").write_text("mx.play.test\n")
    (folder / "etc/exim4/update-exim4.conf.conf").write_text(INTERNET_SITE)
    (folder / "usr/sbin/service").write_text("#!/bin/sh\n")  # nothing runs yet that could reload
    (folder / "usr/sbin/service").chmod(0o755)
    for name in ("dev", "tmp"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name).chmod(0o1777)
    os.mknod(folder / "dev/null", stat.S_IFCHR | 0o666, os.stat("/dev/null").st_rdev)
    (folder / "dev/null").chmod(0o666)
    for name in OWN:
        (folder / "var" / name).mkdir(parents=True, exist_ok=True)
        os.chown(folder / "var" / name, NUMBER, NUMBER)


def bring(folder: Path, source: Path, to: Path) -> None:
    if not (folder / to).exists():
        (folder / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, folder / to)


def bring_libraries(folder: Path, program: Path) -> None:
    own = [str(path.parent) for path in (folder / "usr/lib").rglob("lib*.so.*")]
    listed = subprocess.run(("ldd", program), capture_output=True, text=True, check=False, env={"PATH": WHERE, "LD_LIBRARY_PATH": ":".join(dict.fromkeys(own))})  # fmt: skip
    for word in listed.stdout.split():
        if word.startswith("/") and not word.startswith(str(folder)):
            bring(folder, Path(word).resolve(), Path(word.lstrip("/")))
