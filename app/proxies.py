"""Reverse proxies: what they say about the caller is believed where CHASQUI_PROXIES names them, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PEER = "chasqui.peer"  # the socket's other end, whoever it speaks for
PASSED_ON = "chasqui.passed_on"  # whether the request claims to come from elsewhere
CALLER, SCHEME = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO"
CLAIMS = (
    *(CALLER, SCHEME, "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_X_FORWARDED_PREFIX"),
    *("HTTP_X_FORWARDED_BY", "HTTP_X_REAL_IP", "HTTP_FORWARDED"),
)
LONGEST_CLAIM = 1000
SCHEMES = ("http", "https")
BY_IPV6 = 64  # bits of an address that are somebody's own: the rest they choose as they like


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


def read_address(text: str) -> Address | None:
    """An address of the network; one of IPv4 in the clothes of IPv6 is itself."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def read_networks(words: Iterable[str]) -> list[Network]:
    """The networks of a list such as 127.0.0.1, 10.0.0.0/8; refuses with ValueError what is none."""
    return [ip_network(word.strip()) for word in words]


def by_whom(text: str) -> str:
    """An address as limits count it: whoever has one of IPv6 has a whole /64 of them."""
    address = read_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), BY_IPV6), strict=False))
    return str(address) if address is not None else text or "nowhere"
