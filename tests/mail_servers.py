"""Postfix and Dovecot for a test: Debian's own, in a folder and on ports of their own, stopped afterwards.

Postfix takes mails by SMTP and brings them on by SMTP, LMTP or a pipe, as the recipes in `deploy/mail` tell it; Dovecot
keeps the mailboxes and is asked by IMAP. Both need root to start, and drop what they need not; nothing but the loopback can reach them.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.debian import WHERE, fetch_programs, give_up

RECIPES = Path(__file__).parents[1] / "deploy" / "mail"
RECEIVE = RECIPES / "receive"
RECIPE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WAYS = ("smtp", "door", "lmtp", "pipe")  # the recipes for Postfix, in their order
PACKAGES = {
    "postfix": "postfix",
    "dovecot": "dovecot-imapd",
    "/usr/lib/dovecot/lmtp": "dovecot-lmtpd",
}
SOON = 50  # seconds for a mail to arrive, or a server to come up, on a busy machine
USERS = ("ana", "bo", "play", "bounce")
PASSWORD = "a password"  # noqa: S105 - of a mailbox that lives for a minute
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""
# Postfix never starts a pipe as root, and nobody else may run a Python in root's home: so the script hands the mail to
# the test, which runs the real one and tells its exit code.
PIPE = """#!/bin/sh
cat > {folder}/spool/$$.part
echo "$1" > {folder}/spool/$$.to
mv {folder}/spool/$$.part {folder}/spool/$$.mail
for _ in $(seq 1000); do
  [ -s {folder}/spool/$$.code ] && exit $(cat {folder}/spool/$$.code)
  sleep 0.05
done
exit 75
"""
MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/maillog
maillog_file_prefixes = /
myhostname = mx.play.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = {domains}
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
lmtp_destination_recipient_limit = 1
smtpd_tls_security_level = may
smtpd_tls_cert_file = {folder}/cert.pem
smtpd_tls_key_file = {folder}/key.pem
smtpd_recipient_restrictions = {everybody}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/dovecot/postfix
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
"""
DOVECOT = """
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/dovecot
log_path = {folder}/dovecot.log
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail/%n
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
recipient_delimiter = +
lmtp_hdr_delivery_address = original
auth_username_format = %Ln
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = passwd-file
  args = {folder}/users
}}
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {imap}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
}}
service auth {{
  unix_listener postfix {{
    mode = 0666
  }}
}}
"""
OAUTH = """
tokeninfo_url = http://127.0.0.1:{tokens}/info?token=
username_attribute = user
"""
EVERYBODY = "permit_mynetworks, reject"
REFRESH, ACCESS = "a refresh token", "a-good-token"


def fetch_mail_servers() -> None:
    """Has Debian's packages on this machine; a test that needs them fails where they cannot be had."""
    fetch_programs(PACKAGES)
    if os.geteuid() != 0:
        give_up("starts Postfix and Dovecot, and only root can")


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


@dataclass
class MailServers:
    """A running Postfix and Dovecot; people's mails lie in `folder/mail`."""

    folder: Path
    smtp: int
    imap: int
    lmtp: int
    tokens: int

    @property
    def authority(self) -> Path:
        return self.folder / "cert.pem"

    def postfix(self, word: str) -> None:
        run_quietly("/usr/sbin/postfix", "-c", self.folder / "postfix", word)

    def type_recipe(self, way: str, domain: str, port: int) -> None:
        """Types a recipe for Postfix as it stands, but for the domain, the port, the user and the place of the script."""
        ours = {
            "DOMAIN=play.chasqui.example\n": "",
            "2525": str(port),
            "user=chasqui ": "user=nobody ",
            "/opt/chasqui/deploy/mail/receive": f"{self.folder}/pipe",
        }
        typed = RECIPE.findall((RECIPES / "postfix.md").read_text())[WAYS.index(way)]
        for theirs, own in ours.items():
            typed = typed.replace(theirs, own)
        self.type_in(f"DOMAIN={domain}\n{typed}")

    def type_in(self, words: str) -> None:
        """Types something into a root's shell on a machine with this Postfix."""
        there = {"PATH": WHERE, "MAIL_CONFIG": str(self.folder / "postfix")}
        subprocess.run(["/bin/sh", "-eu"], input=words, text=True, check=True, stdout=subprocess.DEVNULL, env=there, timeout=SOON)  # fmt: skip

    def open_to_everybody(self) -> None:
        """Takes back what refuses unknown addresses at the door."""
        self.type_in(f"postconf -e 'smtpd_recipient_restrictions = {EVERYBODY}'\npostfix reload")

    def refusal_at_the_door(self, address: str) -> int:
        """What Postfix says to RCPT TO."""
        with smtplib.SMTP("127.0.0.1", self.smtp) as server:
            server.helo()
            server.mail("ana@people.test")
            return server.rcpt(address)[0]

    def start_postfix(self) -> None:
        self.postfix("start")
        wait_for_port(self.smtp, self.last_words)

    def start_dovecot(self) -> None:
        run_quietly("/usr/sbin/dovecot", "-c", self.folder / "dovecot.conf")
        wait_for_port(self.imap, self.last_words)

    def stop_dovecot(self) -> None:
        pid = int((self.folder / "dovecot" / "master.pid").read_text())
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + SOON
        while (self.folder / "dovecot" / "master.pid").exists() and time.monotonic() < until:
            time.sleep(0.05)

    def mails(self, name: str) -> list[EmailMessage]:
        """Somebody's mails, the oldest first."""
        files = [*(self.folder / "mail" / name).glob("new/*"), *(self.folder / "mail" / name).glob("cur/*")]  # fmt: skip
        raws = [file.read_bytes() for file in sorted(files, key=lambda file: file.stat().st_mtime)]
        return [message_from_bytes(raw, policy=policy.default) for raw in raws]  # type: ignore[misc]

    def mail(self, name: str, holding: str, beyond: int = 0) -> EmailMessage:
        """The newest mail to somebody with these words in it, once there are more than so many."""
        until = time.monotonic() + SOON
        while time.monotonic() < until:
            found = [mail for mail in self.mails(name) if holding in said_in(mail)]
            if len(found) > beyond:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no mail to {name} with “{holding}” came\n{self.last_words()}")

    def answer(self, mail: EmailMessage, text: str) -> None:
        """Answers a mail as its reader would, through Postfix."""
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = mail["To"], mail["Reply-To"], mail["Subject"]
        reply["Message-ID"] = f"<{time.monotonic_ns()}@people.test>"
        quoted = "\n".join(f"> {line}" for line in said_in(mail).splitlines())
        reply.set_content(f"{text}\n\nAm 16.11.2026 schrieb Chasqui:\n{quoted}\n")
        with smtplib.SMTP("127.0.0.1", self.smtp) as server:
            server.send_message(reply)

    def put_foreign_mails(self, name: str, count: int) -> None:
        """Mails that somebody else gets in the same mailbox, unread."""
        box = self.folder / "mail" / name
        nobody = pwd.getpwnam("nobody")
        for part in ("", "new", "cur", "tmp"):
            (box / part).mkdir(exist_ok=True)
            os.chown(box / part, nobody.pw_uid, nobody.pw_gid)
        for number in range(count):
            file = box / "new" / f"1.{number}.foreign"
            file.write_text(
                f"From: x@people.test\nTo: play@people.test\nSubject: {number}\n\nend\n"
            )
            os.chown(file, nobody.pw_uid, nobody.pw_gid)

    def count_seen(self, name: str) -> int:
        """How many of somebody's mails are marked as read."""
        return len([*(self.folder / "mail" / name).glob("cur/*:2,*S*")])

    def take_piped(self, environment: Mapping[str, str]) -> None:
        """Hands what came through the pipe to the script of the recipe, and its exit code back."""
        for mail in (self.folder / "spool").glob("*.mail"):
            with mail.open("rb") as raw:
                to = mail.with_suffix(".to").read_text().strip()
                done = subprocess.run([RECEIVE, to], stdin=raw, env=environment, check=False, capture_output=True)  # fmt: skip
            mail.rename(mail.with_suffix(".done"))
            mail.with_suffix(".code").write_text(str(done.returncode))
            (self.folder / "piped").write_bytes(done.stdout + done.stderr)

    def last_words(self) -> str:
        logs = (self.folder / name for name in ("maillog", "dovecot.log", "piped"))
        return "\n".join(log.read_text("utf-8", "replace")[-3000:] for log in logs if log.exists())


def run_quietly(*command: str | Path, check: bool = True) -> None:
    """Runs what starts a server: it would keep our pipes open, so there are none."""
    nothing = subprocess.DEVNULL
    subprocess.run(command, check=check, stdin=nothing, stdout=nothing, stderr=nothing, timeout=SOON)  # fmt: skip


def said_in(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body else ""


def wait_for_port(port: int, why: object) -> None:
    until = time.monotonic() + SOON
    while time.monotonic() < until:
        with closing(socket.socket()) as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens at {port}\n{why() if callable(why) else why}")


@contextmanager
def mail_servers(*domains: str) -> Iterator[MailServers]:
    """Both, running: mails to these domains are kept by Dovecot."""
    fetch_mail_servers()
    nobody = pwd.getpwnam("nobody")
    with tempfile.TemporaryDirectory(prefix="chasqui-mail-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        for name in ("postfix", "queue", "data", "dovecot", "mail", "spool"):
            (folder / name).mkdir()
        os.chown(folder / "data", pwd.getpwnam("postfix").pw_uid, -1)
        for name in ("mail", "spool"):
            os.chown(folder / name, nobody.pw_uid, nobody.pw_gid)
        smtp, imap, lmtp, tokens = free_ports(4)
        servers = MailServers(folder, smtp, imap, lmtp, tokens)
        write_settings(servers, domains)
        try:
            servers.start_dovecot()
            servers.start_postfix()
            with token_service(tokens):
                yield servers
        finally:
            run_quietly("/usr/sbin/postfix", "-c", folder / "postfix", "stop", check=False)
            if (folder / "dovecot" / "master.pid").exists():
                servers.stop_dovecot()


class Tokens(BaseHTTPRequestHandler):
    """What Google and Microsoft run beside their mailboxes: a token for a refresh token, and whose a token is."""

    def do_POST(self) -> None:
        asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        known = asked.get("refresh_token") == [REFRESH] and asked["client_id"] == ["us"]
        self.answer(known, {"access_token": ACCESS, "expires_in": 3600})

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        self.answer(asked.get("token") == [ACCESS], {"user": "play"})

    def answer(self, known: bool, told: dict[str, object]) -> None:
        body = json.dumps(told if known else {"error": "invalid_grant"}).encode()
        self.send_response(200 if known else 400)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Nothing to tell."""


@contextmanager
def token_service(port: int) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", port), Tokens)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def write_settings(servers: MailServers, domains: Sequence[str]) -> None:
    folder = servers.folder
    write_certificate(folder)
    kept = {"domains": ", ".join(domains), "lmtp": servers.lmtp}
    values = {"folder": folder, "everybody": EVERYBODY, **kept}
    (folder / "postfix" / "main.cf").write_text(MAIN.format(**values))
    (folder / "postfix" / "master.cf").write_text(MASTER.format(port=servers.smtp, folder=folder))
    ports = {"imap": servers.imap, "lmtp": servers.lmtp}
    (folder / "dovecot.conf").write_text(DOVECOT.format(folder=folder, **ports))
    (folder / "oauth2.conf").write_text(OAUTH.format(tokens=servers.tokens))
    boxes = {name: "play" if name == "bounce" else name for name in USERS}
    lines = (
        f"{name}:{{PLAIN}}{PASSWORD}::::{folder}/mail/{box}::userdb_mail=maildir:{folder}/mail/{box}"
        for name, box in boxes.items()
    )
    (folder / "users").write_text("".join(f"{line}\n" for line in lines))
    (folder / "pipe").write_text(PIPE.format(folder=folder))
    (folder / "pipe").chmod(0o755)


def write_certificate(folder: Path) -> None:
    """A certificate for the loopback that is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "key.pem").write_bytes(private)
