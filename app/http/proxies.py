"""Reverse proxies: what they say about the caller is believed where CHASQUI_PROXIES names them, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from app.platform.networks import Network, read_address

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
PEER = "chasqui.peer"  # the socket's other end, whoever it speaks for
PASSED_ON = "chasqui.passed_on"  # whether the request claims to come from elsewhere
CALLER, SCHEME = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO"
CLAIMS = (
    *(CALLER, SCHEME, "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_X_FORWARDED_PREFIX"),
    *("HTTP_X_FORWARDED_BY", "HTTP_X_REAL_IP", "HTTP_FORWARDED"),
)
LONGEST_CLAIM = 1000
SCHEMES = ("http", "https")


class TrustedProxies:
    """WSGI middleware: the caller as our own proxies tell it; what anybody else claims is taken out."""

    def __init__(self, inner: Wsgi, proxies: Sequence[Network]) -> None:
        self.inner, self.proxies = inner, proxies

    def __call__(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        claims = {name: environ.pop(name, "")[:LONGEST_CLAIM] for name in CLAIMS}
        environ[PEER], environ[PASSED_ON] = environ.get("REMOTE_ADDR", ""), any(claims.values())
        if self.trusts(environ.get("REMOTE_ADDR", "")):
            environ["REMOTE_ADDR"] = self.caller(claims[CALLER], environ.get("REMOTE_ADDR", ""))
            scheme = claims[SCHEME].rpartition(",")[2].strip().lower()
            if scheme in SCHEMES:
                environ["wsgi.url_scheme"] = scheme
        return self.inner(environ, start)

    def trusts(self, text: str) -> bool:
        address = read_address(text)
        return address is not None and any(address in network for network in self.proxies)

    def caller(self, claim: str, peer: str) -> str:
        """The last address of the chain that is none of our proxies: what stands before it anybody can write."""
        for text in reversed(claim.split(",")):
            if read_address(text) is None:
                break
            peer = text.strip()
            if not self.trusts(peer):
                break
        return peer
