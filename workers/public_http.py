"""HTTP to addresses that players chose: the address that was checked is the one that is connected to.

A name that is looked up once for the check and once more for the connection may lead elsewhere the second time (DNS
rebinding). So the connection itself looks it up, refuses what is not public, and connects to what it has found.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NameResolutionError, NewConnectionError

NAT64 = IPv6Network("64:ff9b::/96")  # an IPv4 address in its last four bytes


class PrivateAddress(Exception):
    """The name leads into a network of somebody's own."""


def public_session() -> requests.Session:
    """A session that connects to public addresses alone, follows no redirect and believes no proxy of the environment."""
    session = requests.Session()
    session.trust_env, session.max_redirects = False, 0
    for scheme in ("https://", "http://"):
        session.mount(scheme, PublicAdapter())
    return session


def is_public(address: str) -> bool:
    """Whether everybody can reach that address; one that carries an IPv4 address is as public as that."""
    found = ip_address(address.partition("%")[0])
    carried = carried_by(found) if isinstance(found, IPv6Address) else ()
    return all(one.is_global and not one.is_multicast for one in carried or (found,))


def carried_by(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses inside: mapped, 6to4, Teredo, NAT64."""
    if address in NAT64:
        return (IPv4Address(int(address) & 0xFFFFFFFF),)
    if address.teredo:
        return address.teredo
    return tuple(one for one in (address.ipv4_mapped, address.sixtofour) if one)


def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which they are to be tried."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


def check_public(host: str, port: int) -> list[str]:
    """What a name leads to; one address inside among others refuses them all."""
    found = look_up(host, port)
    if not all(map(is_public, found)):
        raise PrivateAddress(host)
    return found


def connect(connection: HTTPConnection) -> socket.socket:
    """A socket to an address of the connection's host that was found public just now."""
    try:
        found = check_public(connection.host.strip("[]"), connection.port)
    except (OSError, UnicodeError) as error:
        told = error if isinstance(error, socket.gaierror) else socket.gaierror(str(error))
        raise NameResolutionError(connection.host, connection, told) from error
    why: OSError = OSError("no address")
    for address in found:
        try:
            return socket.create_connection((address, connection.port), connection.timeout)
        except OSError as error:
            why = error
    raise NewConnectionError(connection, str(why))


class PublicHTTPConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return connect(self)


class PublicHTTPSConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return connect(self)


class PublicHTTPPool(HTTPConnectionPool):
    ConnectionCls = PublicHTTPConnection


class PublicHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = PublicHTTPSConnection


class PublicAdapter(HTTPAdapter):
    """Hands the connections out; urllib3 has no other place for who connects."""

    def init_poolmanager(self, *args: Any, **more: Any) -> None:
        super().init_poolmanager(*args, **more)
        pools = {"http": PublicHTTPPool, "https": PublicHTTPSPool}
        self.poolmanager.pool_classes_by_scheme = pools
