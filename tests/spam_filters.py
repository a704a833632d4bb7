"""Debian's rspamd and SpamAssassin for a test: asked what they think of a mail's content, without the network.

The host that brought a mail is no content and is left out; DNS and signatures cannot be asked for here.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import Request, urlopen

from tests.debian import fetch_programs
from tests.mail_servers import free_ports

PACKAGES = {"rspamd": "rspamd", "spamassassin": "spamassassin"}
BEFORE_READY = 180  # seconds: the first start compiles its patterns
SUFFIXES = Path("/usr/share/rspamd/effective_tld_names.dat")
NOT_CONTENT = ("HFILTER_",)  # the host that a mail came from: here there is none
RSPAMD = """
.include "$CONFDIR/common.conf"
options {{
  url_tld = "{folder}/suffixes";  # the first one counts
  .include "$CONFDIR/options.inc"
  pidfile = "{folder}/rspamd.pid";
  control_socket = "{folder}/control.sock mode=0600";
  dns {{ nameserver = ["127.0.0.1:9"]; timeout = 0.1s; retransmits = 1; }}
}}
logging {{ type = "file"; filename = "{folder}/rspamd.log"; level = "error"; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; mime = true; }}
"""
SCORE = re.compile(rb"^X-Spam-Status: \w+, score=(-?[\d.]+)", re.MULTILINE)


def fetch_filters() -> None:
    fetch_programs(PACKAGES)


@contextmanager
def rspamd() -> Iterator[str]:
    """A running rspamd; the address at which it judges mails."""
    with tempfile.TemporaryDirectory(prefix="chasqui-rspamd-") as made:
        folder, (port,) = Path(made), free_ports(1)
        (folder / "rspamd.conf").write_text(RSPAMD.format(folder=folder, port=port))
        (folder / "suffixes").write_text(top_level(SUFFIXES.read_text("utf-8")))
        command = ["rspamd", "-f", "-i", "-c", str(folder / "rspamd.conf")]
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            command += ["-u", "nobody", "-g", "nogroup"]
        for name in ("DBDIR", "LOGDIR", "RUNDIR"):
            command += ["--var", f"{name}={folder}"]
        nothing = subprocess.DEVNULL
        server = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
        try:
            wait_for_ping(f"http://127.0.0.1:{port}/ping", server)
            yield f"http://127.0.0.1:{port}/checkv2"
        finally:
            server.terminate()
            server.wait(30)


def top_level(suffixes: str) -> str:
    """The suffixes of one word: of all that rspamd knows it would make patterns for ten seconds, and our links need no more."""
    return "".join(
        f"{word}\n" for word in suffixes.splitlines() if word.isascii() and word.isalpha()
    )


def wait_for_ping(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + BEFORE_READY
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError), urlopen(url, timeout=5) as answer:  # noqa: S310 - our own
            if answer.status == 200:
                return
        time.sleep(0.2)
    raise AssertionError("rspamd did not come up")


def judge_by_rspamd(url: str, mail: bytes) -> dict[str, float]:
    """What rspamd holds for or against the content of a mail, by the names of its rules."""
    with urlopen(Request(url, mail), timeout=60) as answer:  # noqa: S310 - our own
        found = json.load(answer)["symbols"]
    return {
        name: rule["score"]
        for name, rule in found.items()
        if rule["score"] and not name.startswith(NOT_CONTENT)
    }


def judge_by_spamassassin(mails: list[bytes]) -> list[float]:
    """The score of each mail; the program reads its rules once for all of them."""
    box = b"".join(
        b"From chasqui Mon Nov 16 10:12:00 2026\n" + mail.replace(b"\r\n", b"\n") + b"\n"
        for mail in mails
    )
    command = ["spamassassin", "--local", "--mbox"]
    done = subprocess.run(command, input=box, capture_output=True, check=True, timeout=600)
    return [float(score) for score in SCORE.findall(done.stdout)]
