"""As much of systemd as `deploy/README.md` needs, for machines without one: units are read from where systemd reads them.

`serve` is the manager; `systemctl …` in the PATH of the machine under test hands its words to it. A service runs as its unit
says: as its user, without privileges, with its settings, on a root that it cannot write to, on the socket that was opened before it.
"""

from __future__ import annotations

import json
import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

CONTROL, NOTIFY = "/run/tiny-systemd", "/run/tiny-notify"
PLACES = (Path("/etc/systemd/system"), Path("/lib/systemd/system"))
PATIENCE = 90.0
Unit = dict[str, list[str]]


class Failed(Exception):
    """A unit did not do what was asked of it."""


def read_unit(name: str) -> Unit:
    """The lines of a unit by their keys; %i is what stands after the @."""
    stem, at, instance = name.partition("@")
    file = f"{stem}@.{instance.rpartition('.')[2]}" if at else name
    path = next((place / file for place in PLACES if (place / file).exists()), None)
    if path is None:
        raise Failed(f"Unit {name} not found.")
    found: Unit = {}
    for line in path.read_text().splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and not line.startswith(("#", ";")):
            found.setdefault(key, []).append(value.replace("%i", instance.partition(".")[0]))
    return found


def environment(unit: Unit) -> dict[str, str]:
    """What the unit's files say, the last word counting."""
    told = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
    }
    for file in unit.get("EnvironmentFile", []):
        for line in Path(file).read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                told[key] = value.strip("\"'")
    return told


def confined(unit: Unit) -> str:
    """The words of a shell that becomes the service, on the root that the unit allows it."""
    user = unit.get("User", ["root"])[0]
    lines = ["mount --make-rprivate /"]
    for place in " ".join(unit.get("ReadWritePaths", [])).split():
        lines.append(f"mount --bind {place} {place}")
    if unit.get("PrivateTmp") == ["yes"]:
        lines.append("mount -t tmpfs tmpfs /tmp && chmod 1777 /tmp")
    if unit.get("ProtectSystem") == ["strict"]:
        lines.append("mount -o remount,bind,ro /")
    lines.append(f"cd {unit.get('WorkingDirectory', ['/'])[0]}")
    lines.append('[ -z "$LISTEN_FDS" ] || export LISTEN_PID=$$')
    drop = f"setpriv --reuid={user} --regid={user} --init-groups"
    if unit.get("NoNewPrivileges") == ["yes"]:
        drop += " --no-new-privs --bounding-set=-all --inh-caps=-all"
    lines.append(f'exec {drop if user != "root" else ""} "$@"')
    return " && ".join(lines)


class Manager:
    """What runs, by the names of units."""

    def __init__(self) -> None:
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.sockets: dict[str, list[socket.socket]] = {}
        self.said = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.said.bind(NOTIFY)
        os.chmod(NOTIFY, 0o777)  # noqa: S103 - whoever serves may say so
        self.said.settimeout(PATIENCE)

    def obey(self, words: list[str]) -> None:
        verb, *names = (word for word in words if not word.startswith("-"))
        match verb:
            case "daemon-reload":
                return
            case "start":
                self.each(names, self.start)
            case "enable" if "--now" in words:
                self.each(names, self.start)
            case "restart":
                self.each(names, self.restart)
            case "stop":
                self.each(names, self.stop)
            case _:
                raise Failed(f"tiny_systemd does not know how to {' '.join(words)}.")

    def each(self, names: list[str], what: object) -> None:
        for name in names:
            what(name)  # type: ignore[operator]

    def restart(self, name: str) -> None:
        """Each by itself: nobody waits at a socket for another unit to end."""
        began = time.monotonic()
        self.stop(name)
        stopped = time.monotonic()
        self.start(name)
        print(
            f"{name}: {stopped - began:.1f} s to stop, {time.monotonic() - stopped:.1f} s to start",
            flush=True,
        )

    def start(self, name: str) -> None:
        unit = read_unit(name)
        if name in self.running or name in self.sockets:
            return
        for wanted in " ".join(unit.get("Wants", []) + unit.get("Requires", [])).split():
            if wanted.startswith("chasqui"):
                self.start(wanted)
        if "ListenStream" in unit:
            self.listen(name, unit)
        elif "ExecStart" in unit:
            self.run(name, unit)

    def listen(self, name: str, unit: Unit) -> None:
        self.sockets[name] = []
        for place in unit["ListenStream"]:
            host, _, port = place.rpartition(":")
            made = socket.create_server((host, int(port)), backlog=int(unit["Backlog"][0]))
            self.sockets[name].append(made)

    def run(self, name: str, unit: Unit) -> None:
        kind = unit.get("Type", ["simple"])[0]
        for command in unit.get("ExecStartPre", []):
            self.finish(name, self.spawn(name, unit, command))
        for place in unit.get("RuntimeDirectory", []):
            made = Path("/run") / place
            made.mkdir(exist_ok=True)
            who = pwd.getpwnam(unit["User"][0])
            os.chown(made, who.pw_uid, who.pw_gid)
        for command in unit["ExecStart"]:
            process = self.spawn(name, unit, command)
            if kind in ("oneshot", "forking"):
                self.finish(name, process)
        if kind == "forking":
            self.await_file(Path(unit["PIDFile"][0]))
        elif kind != "oneshot":
            self.running[name] = process
            self.await_ready(name, process, kind)

    def spawn(self, name: str, unit: Unit, command: str) -> subprocess.Popen[bytes]:
        told = environment(unit)
        held = self.sockets.get(name.replace(".service", ".socket"))
        if held is not None:
            told["LISTEN_FDS"] = str(len(held))
        if unit.get("Type") == ["notify"]:
            told["NOTIFY_SOCKET"] = NOTIFY
        words = [
            "unshare",
            "--mount",
            "sh",
            "-c",
            confined(unit),
            "sh",
            *shlex.split(command.lstrip("-")),
        ]

        def hand_over() -> None:
            for number, one in enumerate(held or [], 3):  # where a service finds its sockets
                os.dup2(one.fileno(), number)

        with open(f"/var/log/{name}.log", "ab") as log:
            return subprocess.Popen(
                words, env=told, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                preexec_fn=hand_over, close_fds=held is None,  # noqa: PLW1509 - no threads here
            )  # fmt: skip

    def finish(self, name: str, process: subprocess.Popen[bytes]) -> None:
        if process.wait(PATIENCE):
            raise Failed(f"{name} failed ({process.returncode}):\n{last_words(name)}")

    def await_file(self, file: Path) -> None:
        until = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text().strip():
            if time.monotonic() > until:
                raise Failed(f"{file} did not appear.")
            time.sleep(0.05)

    def await_ready(self, name: str, process: subprocess.Popen[bytes], kind: str) -> None:
        """A service that says when it is ready must; any other must live on for a moment."""
        if kind != "notify":
            time.sleep(2)
        elif not any(b"READY=1" in word for word in self.words()):
            raise Failed(f"{name} did not say that it is ready:\n{last_words(name)}")
        if process.poll() is not None:
            raise Failed(f"{name} ended ({process.returncode}):\n{last_words(name)}")

    def words(self) -> Iterator[bytes]:
        try:
            while True:
                word = self.said.recv(4096)
                yield word
        except TimeoutError:
            return

    def stop(self, name: str) -> None:
        process = self.running.pop(name, None)
        if process is not None:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
            return
        for file in map(Path, read_unit(name).get("PIDFile", [])):
            if file.exists() and (number := file.read_text().strip()):
                os.kill(int(number), signal.SIGQUIT)


def last_words(name: str) -> str:
    return Path(f"/var/log/{name}.log").read_text("utf-8", "replace")[-3000:]


def serve() -> None:
    """Does what `systemctl` is told, until the machine ends."""
    manager, door = Manager(), socket.socket(socket.AF_UNIX)
    door.bind(CONTROL)
    door.listen()
    while True:
        caller, _ = door.accept()
        with caller, caller.makefile("rw") as talk:
            try:
                manager.obey(json.loads(talk.readline()))
                print(json.dumps(""), file=talk, flush=True)
            except Exception as fault:
                print(json.dumps(f"{type(fault).__name__}: {fault}"), file=talk, flush=True)


def systemctl(words: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(CONTROL)
        with caller.makefile("rw") as talk:
            print(json.dumps(words), file=talk, flush=True)
            sys.exit(json.loads(talk.readline()) or 0)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else systemctl(sys.argv[1:])
