"""The orders among a person's lines, and what stands around them: a greeting, a name, kind regards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain, groupby

from app.mail.incoming.courtesies import is_closing, is_greeting
from app.mail.incoming.slips import bare, first_word, is_slip
from app.matches.order_lines import split_orders

Block = list[str]


def orders_in(
    lines: list[str], verbs: Iterable[str], lone: Iterable[str] | None = None
) -> tuple[list[str], list[str]]:
    """The orders, and the lines around them that are none. `lone` are the verbs that can stand alone.

    A greeting above the orders, or a name under them after an empty line, is no order. What might be one, slips of the
    finger too, is.
    """
    known = frozenset(verb.split()[0] for verb in verbs)
    alone = known if lone is None else frozenset(verb.split()[0] for verb in lone)
    greeting, body = without_greeting(lines, known)
    body, closing = at_closing(body, known)
    blocks = list(paragraphs(body))
    count = len(blocks)
    while count > 1 and not any(is_meant(line, known, alone) for line in blocks[count - 1]):
        count -= 1
    kept, dropped = blocks[:count], blocks[count:]
    orders = (split_orders(bare(line)) for block in kept for line in block)
    told = filter(None, map(bare, chain(greeting, *dropped, closing)))
    return [bare(order) for order in chain(*orders)], [*told]


def without_greeting(lines: list[str], verbs: Set[str]) -> tuple[list[str], list[str]]:
    """Leaves out what only says hello before the first order; "Bo says:" might begin what somebody else wrote."""
    said: list[str] = []
    for n, line in enumerate(lines):
        words = line.partition("#")[0].strip()
        if words and (first_word(words) in verbs or not is_greeting(words)):
            return said, lines[n:]
        said += [words] if words else []
    return said, []


def at_closing(lines: list[str], verbs: Set[str]) -> tuple[list[str], list[str]]:
    """What stands above "Best regards", and what from there on; the name below it is no order either."""
    ends = (n for n, line in enumerate(lines) if n and is_closing(line) and bare(line) not in verbs)
    end = next(ends, len(lines))
    return lines[:end], lines[end:]


def paragraphs(lines: list[str]) -> Iterator[Block]:
    """Lines that stand together, without comments; a line of comment alone parts nothing."""
    for empty, block in groupby(lines, key=lambda line: not line.strip()):
        if not empty and (left := [line for line in block if bare(line)]):
            yield left


def is_meant(line: str, verbs: Set[str], alone: Set[str]) -> bool:
    """Whether a line under the orders may be one: a verb, or a slip for one that is followed by what it needs."""
    word, single = first_word(line), " " not in bare(line)
    if word in verbs:
        return True
    if is_name(line):
        return False
    return any(is_slip(word, verb) for verb in (alone if single else verbs))


def is_name(line: str) -> bool:
    """Whether every word begins with a capital, of two or more: nobody writes orders so."""
    words = line.split()
    return len(words) > 1 and all(word[0].isupper() and word[1:].islower() for word in words)
