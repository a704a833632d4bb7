"""gzip for pages, answers and files; form tokens are masked anew in every page, so that its length tells nothing of them.

What an attacker can make a page repeat would else be measured against the token (BREACH): the same token never stands
in two answers as the same letters.
"""

from __future__ import annotations

import gzip
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

from flask import g
from flask_wtf import CSRFProtect
from flask_wtf.csrf import generate_csrf

from app.platform.lru_cache import LruCache

Environ = dict[str, Any]
Start = Callable[..., Any]
Headers = list[tuple[str, str]]
LEVEL, HIGHEST = 6, 9  # of what is made for one answer, and of files, which are packed once
WORTH = 600  # bytes below which nothing is gained
KINDS = (
    "text/html", "text/css", "text/plain", "text/javascript", "application/javascript", "application/json",
    "image/svg+xml",
)  # fmt: skip
# What browsers pass over, and maintainers read in the repository: comments and the space before lines. A tenth of a cold page.
SPARE = {
    "text/css": re.compile(rb"/\*.*?\*/|^ +|\n(?=\n)", re.DOTALL | re.MULTILINE),
    "text/javascript": re.compile(rb"^ *//[^\n]*\n|^ +|\n(?=\n)", re.MULTILINE),
}
KEPT_BYTES = 6_000_000
# What goes by a name is packed once. It is kept by its bytes and not by that name: a name need only tell its own reader's
# answers apart, and nobody may be sent what was packed for another.
KNOWN: LruCache[bytes, bytes] = LruCache(KEPT_BYTES, len)


class Compressed:
    """WSGI middleware: packs what text an application answers to whoever can unpack it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        if "gzip" not in environ.get("HTTP_ACCEPT_ENCODING", ""):
            return self.inner(environ, start)  # type: ignore[no-any-return]  # WSGI has no types
        held: list[Any] = []

        def hold(status: str, headers: Headers, *more: Any) -> Callable[[bytes], object]:
            held[:] = [status, headers, *more]
            return written.append

        written: list[bytes] = []
        body = self.inner(environ, hold)
        status, headers, *more = held
        if not is_worthwhile(status, dict(lowered(headers))):
            start(status, headers, *more)
            return body  # type: ignore[no-any-return]
        try:
            whole = b"".join((*written, *body))
        finally:
            getattr(body, "close", lambda: None)()
        found = dict(lowered(headers))
        packed = pack(whole, kind_of(found), again="etag" in found)
        start(status, repacked(headers, len(packed)), *more)
        return [packed]


def lowered(headers: Headers) -> Headers:
    return [(name.lower(), value) for name, value in headers]


def is_worthwhile(status: str, headers: dict[str, str]) -> bool:
    long = int(headers.get("content-length", WORTH)) >= WORTH
    return (
        kind_of(headers) in KINDS
        and long
        and "content-encoding" not in headers
        and status[:3] != "304"
    )


def kind_of(headers: dict[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0]


def pack(body: bytes, kind: str, *, again: bool) -> bytes:
    """The body packed; one that may be asked for `again` is packed only once."""
    name = blake2b(body, digest_size=32).digest() if again else b""
    if again and (known := KNOWN.get(name)):
        return known
    packed = (
        gzip.compress(SPARE[kind].sub(b"", body), HIGHEST, mtime=0)
        if kind in SPARE
        else gzip.compress(body, LEVEL, mtime=0)
    )
    return KNOWN.keep(name, packed) if again else packed


def repacked(headers: Headers, length: int) -> Headers:
    """The same headers for other bytes: the name is weak then, and caches know what the answer hangs on."""
    kept = [(n, v) for n, v in headers if n.lower() not in ("content-length", "etag", "vary")]
    found = dict(lowered(headers))
    vary = ", ".join(filter(None, (found.get("vary"), "Accept-Encoding")))
    names = [("ETag", f"W/{found['etag'].removeprefix('W/')}")] if "etag" in found else []
    own = [("Content-Encoding", "gzip"), ("Content-Length", str(length)), ("Vary", vary)]
    return [*kept, *names, *own]


# Form tokens


class MaskedForms(CSRFProtect):  # type: ignore[misc]  # Flask-WTF has no types
    """Flask-WTF's protection, with tokens that look different in every answer."""

    def _get_csrf_token(self) -> str | None:
        token = super()._get_csrf_token()
        return unmask(token) if token else None


def form_token() -> str:
    """`{{ csrf_token() }}`: all forms of a page hold the same, and no other page does."""
    if "masked_token" not in g:
        g.masked_token = mask(str(g.get("csrf_token") or generate_csrf()))
    return str(g.masked_token)


def mask(token: str) -> str:
    """The token behind a pad that is used once; the pad goes along."""
    plain = token.encode()
    pad = secrets.token_bytes(len(plain))
    return urlsafe_b64encode(pad + blend(plain, pad)).decode().rstrip("=")


def unmask(masked: str) -> str:
    """The token that was masked; of anything else, nothing that could be one."""
    try:
        both = urlsafe_b64decode(masked.encode("ascii", "replace") + b"==")
    except (Error, ValueError):
        return ""
    half = len(both) // 2
    return blend(both[half:], both[:half]).decode("latin-1")


def blend(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))
