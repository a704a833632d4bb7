"""What holds for both databases: addresses as SQLAlchemy reads them, and how long a writer waits.

Apart from `postgresql`, for SQLite needs no driver of PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import URL, make_url

LOCK_PATIENCE = 5000  # milliseconds that a writer waits for its turn
POOLED = "pgbouncer"  # ?pgbouncer=true: a pooler in transaction mode stands before the server


def driver_address(url: str) -> URL:
    """The address with the driver that we use; `postgres://` and several hosts at once are how some write it."""
    made = make_url(hosts_as_query(url))
    if made.get_backend_name() not in ("postgres", "postgresql"):
        return made
    made = made.set(drivername="postgresql+psycopg")
    if isinstance(made.query.get("host"), tuple):  # of several, the one that may be written to
        made = made.set(query={"target_session_attrs": "read-write", **made.query})
    return made


def hosts_as_query(url: str) -> str:
    """libpq's `user@one:5432,two:5432/name` as SQLAlchemy writes it: `user@/name?host=one:5432&host=two:5432`."""
    scheme, found, rest = url.partition("://")
    place, slash, tail = rest.partition("/")
    who, at, hosts = place.rpartition("@")
    if not found or "," not in hosts:
        return url
    name, _, query = tail.partition("?")
    named = "&".join([*(f"host={host}" for host in hosts.split(",")), *filter(None, [query])])
    return f"{scheme}://{who}{at}{slash or '/'}{name}?{named}"


def is_pooled(url: URL) -> bool:
    """Whether the address says that a pooler hands out connections for one transaction each."""
    return url.query.get(POOLED) in ("true", "1", "yes")


def server_address(url: URL) -> URL:
    """The address without the word that only we understand."""
    return url.difference_update_query([POOLED])
