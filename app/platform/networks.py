"""IP addresses and networks: which belong to our proxies, and how limits count them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
BY_IPV6 = 64  # bits of an address that are somebody's own: the rest they choose as they like
KNOWN = 1000  # addresses that are remembered: every request asks three times, and mostly of the same few


@lru_cache(KNOWN)
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


@lru_cache(KNOWN)
def counted_address(text: str) -> str:
    """An address as limits count it: whoever has one of IPv6 has a whole /64 of them."""
    address = read_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), BY_IPV6), strict=False))
    return str(address) if address is not None else text or "nowhere"
