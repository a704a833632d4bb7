"""A mail as the bytes that go over the wire.

Python's own messages parse and fold every header by a grammar, which takes longer than to find out what a mail says.
Here a header that needs neither encoding nor folding is written as it is, and Python sees to the others. Links and ids
are never folded: Python would hide a long one in encoded words, which may not stand there and which nobody reads.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from secrets import token_hex
from typing import cast

Part = tuple[Mapping[str, str], bytes]

LINE, LONGEST_LINE = 76, 998  # what a line should have at most, and must
PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
ADDRESS = re.compile(r"[\w.+-]+@[A-Za-z0-9.-]+", re.ASCII)
LINK = re.compile(r"<[!-;=?-~]+>")
LINKS = ("List-Unsubscribe", "Message-ID", "In-Reply-To", "References", "Content-ID")
ADDRESSES = ("To", "Reply-To")
SMTP = policy.SMTP  # lines end as they do on the wire
ASCII = policy.SMTP.clone(cte_type="7bit")


@dataclass(frozen=True)
class Written:
    """A mail that is ready to go, and the two names for its envelope."""

    sender: str
    to: str
    source: bytes

    def parsed(self) -> EmailMessage:
        """The mail as a mail program reads it."""
        return cast(EmailMessage, message_from_bytes(self.source, policy=SMTP))  # type: ignore[arg-type]

    def ascii(self) -> bytes:
        """The mail for a server that takes nothing but ASCII."""
        return self.parsed().as_bytes(policy=ASCII)


def mail(headers: Mapping[str, str], text: str, html: str, png: tuple[str, bytes] | None) -> bytes:
    """A mail in two forms; of a picture its id comes first, and it belongs to the HTML."""
    forms = [words(text, "plain"), words(html, "html")]
    if png:
        forms[1] = several({}, "related", [forms[1], image(*png)])
    return whole(several({**headers, "MIME-Version": "1.0"}, "alternative", forms))


def words(said: str, subtype: str) -> Part:
    """A text in UTF-8, with line ends as mails have them."""
    lines = said.encode().splitlines()
    narrow = max(map(len, lines), default=0) <= LONGEST_LINE
    body = b"".join(line + b"\r\n" for line in lines)
    kind = {
        "Content-Type": f'text/{subtype}; charset="utf-8"',
        "Content-Transfer-Encoding": "8bit" if narrow else "base64",
    }
    return kind, body if narrow else base64(body)


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
    return b"".join(header(name, value) for name, value in headers.items()) + b"\r\n" + body


def header(name: str, value: str) -> bytes:
    """A header; whoever smuggles the end of a line into it is refused by Python."""
    if simple(name, value):
        return f"{name}: {value}\r\n".encode("ascii")
    return folded(name, value)


def simple(name: str, value: str) -> bool:
    """Whether a header means what it says, letter by letter."""
    if name in LINKS:
        return len(name) + len(value) < LONGEST_LINE - 2 and LINK.fullmatch(value) is not None
    short = len(name) + len(value) < LINE
    fits = ADDRESS if name in ADDRESSES else PLAIN
    return short and fits.fullmatch(value) is not None and "=?" not in value


@lru_cache(maxsize=1000)
def folded(name: str, value: str) -> bytes:
    """A header as Python writes it."""
    return SMTP.fold_binary(*SMTP.header_store_parse(name, value))
