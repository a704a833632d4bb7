"""MIME: a mail as the bytes that go over the wire.

Python's own messages parse and fold every header by a grammar, which takes longer than to find out what a mail says.
Here a header that needs neither encoding nor folding is written as it is, and Python sees to the others. Links, ids and
addresses are never folded: Python would hide a long one in encoded words, which may not stand there and which nobody
reads, and filters distrust an address that stands on a line of its own.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.header import Header
from email.message import EmailMessage
from functools import lru_cache
from secrets import token_hex

Part = tuple[Mapping[str, str], bytes]
LINE, LONGEST_LINE = 76, 998  # what a line should have at most, and must
PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
ADDRESS = re.compile(r"[\w.+-]+@[A-Za-z0-9.-]+", re.ASCII)
LINK = re.compile(r"<[!-;=?-~]+>(?: <[!-;=?-~]+>)*")
LINKS = ("List-Unsubscribe", "Message-ID", "In-Reply-To", "References", "Content-ID")
ADDRESSES = ("To", "Reply-To")
WORDS = ("Subject", "X-Chasqui-News")
STRAY_END = re.compile(rb"\r\n(?![ \t])|\r(?!\n)|(?<!\r)\n")
SMTP = policy.SMTP  # lines end as they do on the wire


@dataclass(frozen=True)
class Written:
    """A mail that is ready to go, and the two names for its envelope."""

    sender: str
    to: str
    source: bytes
    headline: str = ""  # what it tells, where all mails of a match have one subject

    def parsed(self) -> EmailMessage:
        """The mail as a mail program reads it."""
        return message_from_bytes(self.source, policy=SMTP)


def build_message(
    headers: Mapping[str, str], text: str, html: str, png: tuple[str, bytes] | None
) -> bytes:
    """A mail in two forms; of a picture its id comes first, and it belongs to the HTML."""
    forms = [words(text, "plain"), words(html, "html")]
    if png:
        forms[1] = several({}, "related", [forms[1], image(*png)])
    return whole(several({**headers, "MIME-Version": "1.0"}, "alternative", forms))


def words(said: str, subtype: str) -> Part:
    """A text in UTF-8, quoted-printable: no hop need change it, so that a signature holds."""
    body = b"".join(line + b"\n" for line in said.encode().splitlines())
    kind = {
        "Content-Type": f'text/{subtype}; charset="utf-8"',
        "Content-Transfer-Encoding": "quoted-printable",
    }
    return kind, b2a_qp(body, istext=True).replace(b"\n", b"\r\n")


def image(name: str, png: bytes) -> Part:
    kind = {
        "Content-Type": "image/png",
        "Content-Transfer-Encoding": "base64",
        "Content-Disposition": 'inline; filename="board.png"',
        "Content-ID": f"<{name}>",
    }
    return kind, base64(png)


def base64(body: bytes) -> bytes:
    return encodebytes(body).replace(b"\n", b"\r\n")


def several(headers: Mapping[str, str], subtype: str, parts: Iterable[Part]) -> Part:
    """Parts with a line between them that no part can hold, for nobody could guess it."""
    between = token_hex(12)
    kind = {"Content-Type": f'multipart/{subtype}; boundary="{between}"'}
    told = b"".join(f"--{between}\r\n".encode() + whole(part) + b"\r\n" for part in parts)
    return {**headers, **kind}, told + f"--{between}--\r\n".encode()


def whole(part: Part) -> bytes:
    headers, body = part
    return b"".join(build_header(name, value) for name, value in headers.items()) + b"\r\n" + body


def build_header(name: str, value: str) -> bytes:
    """A header; whoever smuggles the end of a line into it is refused by Python."""
    if simple(name, value):
        return f"{name}: {value}\r\n".encode("ascii")
    return fold_header(name, value)


def simple(name: str, value: str) -> bool:
    """Whether a header means what it says, letter by letter."""
    whole = LINK if name in LINKS else ADDRESS if name in ADDRESSES else None
    if whole is not None:
        return len(name) + len(value) < LONGEST_LINE - 2 and whole.fullmatch(value) is not None
    return len(name) + len(value) < LINE and bool(PLAIN.fullmatch(value)) and "=?" not in value


@lru_cache(maxsize=1000)
def fold_header(name: str, value: str) -> bytes:
    """A header that needs folding or encoding; free words are encoded as they stand.

    The grammar would first decode what looks encoded in them, and some Pythons (before 3.11.10) then write the ends of
    lines that were hidden there.
    """
    if "\r" in value or "\n" in value:
        raise ValueError(f"a header {name} with the end of a line in it")
    if name in WORDS:
        one_line = " ".join(value.splitlines())
        told = Header(one_line, "utf-8", LINE, name).encode(linesep="\r\n")
        return f"{name}: {told}\r\n".encode("ascii")
    made = SMTP.fold_binary(*SMTP.header_store_parse(name, value))
    if STRAY_END.search(made.removesuffix(b"\r\n")):
        raise ValueError(f"a header {name} that Python would break")
    return made
