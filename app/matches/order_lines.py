"""Orders as text, before anybody reads them: how many and how long they may be, and how they stand in a line.

Needs no database: the process that reads mails begins with it.
"""

from __future__ import annotations

MOST_ORDERS = 100  # in one submission; a turn needs a dozen
LONGEST_ORDER = 500


def split_orders(line: str) -> list[str]:
    """The orders that somebody wrote in one line, with semicolons between them."""
    return [order for part in line.split(";") if (order := part.strip())]
