"""Which lines of a mail its writer wrote: above the quoted mail, below it, or between its lines.

No reply parser knows all readers in all languages. But we know what is quoted: a mail of ours. So a paragraph directly
above a quote or our marker line that names us or a moment, or ends with a colon, is its heading in every language, and so
is a block of "label: value" lines that names somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from app.mail.incoming.courtesies import is_advertisement, is_closing, is_greeting
from app.mail.incoming.slips import first_word, resembles

HEADER_LINES = 10
HEADING_LINES = 4  # over how many lines a mail reader breaks "On … wrote:"
NARROW = 64  # letters: no mail reader breaks lines that are shorter
INDENT = "    "
QUOTE = re.compile(r"\s{0,3}(?:[>|›＞]|&gt;|\w{1,4}>(?=\s|>|$))")
NAMED = re.compile(r"chasqui", re.IGNORECASE)
LABEL = re.compile(r"[\s*_]*[^\s:：<>@\d][^:：<>@]{0,28}\s*[:：][\s*_]*(?=\S)")
NO_VALUE = re.compile(r"[\s*_]*[^\s:：<>@\d][^:：<>@]{0,28}\s*[:：][\s*_]*")
SPLIT_LINE = re.compile(r"[-_=\s]{2,}\S.{0,200}?[-_=]{2,}\s*:?|[-_\s]*(original message|forwarded message)\s*:?", re.IGNORECASE)  # fmt: skip
SIGNATURE = re.compile(r"-+|_+|={3,}|\*{3,}|\+{2,}|[-=_~*#]{4,}|--\s.*")
MOMENT = re.compile(r"\b(19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d\d|年|년")
WROTE = re.compile(r"\b(wrote|writes|a écrit|escreveu|escribió|schrieb|ha scritto|schreef|skrev|kirjoitti|napisał|napsal)\s*:\s*$", re.IGNORECASE)  # fmt: skip
WEEKDAY = re.compile(r"(sun|mon|tue|wed|thu|fri|sat)\W+(\d{1,2}\W+\w{3,}|\w{3,}\W+\d{1,2})\W+\d{4}", re.IGNORECASE)  # fmt: skip
BRACKETS = re.compile(r"\s*(\[[^\[\]]{0,80}\]|\(?\.{3,}\)?|…|<snip>)\s*")
COLON = (":", "：", ":*", "：*")
PGP_BEGIN, PGP_END = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"


@dataclass(frozen=True, slots=True)
class OwnLines:
    """What the writer wrote, what they wrote elsewhere in the mail, and what may be theirs or a broken quote."""

    lines: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OurMarks:
    """How a mail of ours is known where it is quoted: by its sender, its first line and its last, in every language."""

    senders: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    feet: tuple[str, ...] = ()

    def folded(self) -> OurMarks:
        """As lines are compared with them."""
        return OurMarks(
            *(
                tuple(words.casefold() for words in kind if words)
                for kind in (self.senders, self.markers, self.feet)
            )
        )


NO_MARKS = OurMarks()


@dataclass(frozen=True, slots=True)
class Names:
    """How a mail of ours is known, and what an order begins with."""

    ours: OurMarks
    verbs: frozenset[str]

    def name_us(self, line: str) -> bool:
        folded = line.casefold()
        return bool(NAMED.search(line)) or any(name in folded for name in self.ours.senders)

    def is_marker(self, line: str) -> bool:
        """Whether a line is the first of our mails."""
        folded = line.casefold()
        return any(words in folded for words in self.ours.markers)

    def is_foot(self, line: str) -> bool:
        """Whether a line is the last of our mails."""
        folded = line.casefold()
        return any(words in folded for words in self.ours.feet)

    def is_order(self, line: str) -> bool:
        """Whether a line begins with a verb, and is no date: Sunday is one of the verbs."""
        return first_word(line) in self.verbs and not WEEKDAY.match(line.strip())

    def may_be_order(self, line: str) -> bool:
        return resembles(line, self.verbs) and not (is_greeting(line) or is_closing(line))


def find_own_lines(
    lines: list[str], ours: OurMarks, verbs: Iterable[str] = (), whole: bool = True
) -> OwnLines:
    """The writer's lines; of a mail that was cut only those above the quote count."""
    firsts = frozenset(verb.split()[0] for verb in verbs)
    names = Names(ours.folded(), firsts)
    above, *rest = list(segments(unarmoured(lines), names))
    below = [segment for segment in rest if any(map(names.may_be_order, segment.lines))]
    if any(map(names.may_be_order, above.lines)) or not below or not whole:
        elsewhere = [line for part in below for line in part.lines if names.is_order(line)]
        return OwnLines(above.lines, elsewhere if whole else [])
    doubtful = [part.doubtful for part in below if part.doubtful]
    return OwnLines([line for part in below for line in (*part.lines, "")], doubtful=doubtful)


def unarmoured(lines: list[str]) -> list[str]:
    """A mail signed within its text (PGP), without what that adds."""
    if PGP_BEGIN not in lines:
        return lines
    start = lines.index(PGP_BEGIN)
    first = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    end = lines.index(PGP_END) if PGP_END in lines else len(lines)
    return [line.removeprefix("- ") for line in lines[first:end]]


# Segments


@dataclass(frozen=True, slots=True)
class Segment:
    """Lines of the writer that stand together: above the first quote, between two, or below the last."""

    lines: list[str]
    doubtful: str = ""  # a line that may be the end of the quoted one above it, or stands below a quote without marks


def segments(lines: list[str], names: Names) -> Iterator[Segment]:
    """The writer's lines, parted by quotes; the first segment is what stands above them all."""
    end = next((n for n in range(len(lines)) if ends_all(lines, n, names)), len(lines))
    quoted = [n for n in range(end) if QUOTE.match(lines[n])]
    quoted += indented(lines, end, names)
    spans = list(runs(lines, sorted(set(quoted))))
    starts = [0, *(last + 1 for _, last in spans)]
    stops = [*(first for first, _ in spans), end]
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        top = heading_start(lines, start, stop, names) if stop < len(lines) else stop
        own = unsigned(lines[start:top], names)
        broken = 0 < number < len(spans) and is_broken(lines, start)
        yield Segment(own, own[0] if broken and own and own[0] == lines[start].strip() else "")
    yield below_all(lines, end, names)


def below_all(lines: list[str], end: int, names: Names) -> Segment:
    """What stands below a mail of ours that is quoted without marks: nobody can be sure who wrote it."""
    feet = [n for n in range(end, len(lines)) if names.is_foot(lines[n])]
    own = unsigned(lines[feet[-1] + 1 :], names) if feet else []
    return Segment(own, next(filter(names.may_be_order, own), ""))


def runs(lines: list[str], quoted: list[int]) -> Iterator[tuple[int, int]]:
    """Quoted lines that stand together, with empty ones and "[...]" between them; first and last of each."""
    if not quoted:
        return
    first = quoted[0]
    for one, following in pairwise([*quoted, len(lines) + 1]):
        between = lines[one + 1 : following] if following <= len(lines) else ["end"]
        if any(line.strip() and not BRACKETS.fullmatch(line) for line in between):
            yield first, one
            first = following


def indented(lines: list[str], end: int, names: Names) -> list[int]:
    """Lines that are quoted by indenting them: below a heading that names us, or from our marker on."""
    set_in = [n for n in range(end) if lines[n].startswith(INDENT)]
    for n in set_in:
        over = lines[max(0, n - HEADING_LINES - 1) : n + 1]
        if any(map(names.name_us, over)) or names.is_marker(lines[n]):
            return [m for m in set_in if m >= n]
    return []


def is_broken(lines: list[str], at: int) -> bool:
    """Whether a line may be the end of the quoted one above it, which was too long for a mail reader."""
    word = lines[at].split(maxsplit=1)[:1]
    return bool(word) and len(lines[at - 1]) + 1 + len(word[0]) > NARROW


def unsigned(lines: list[str], names: Names) -> list[str]:
    """Lines without a signature and what the mail reader says of itself, and without elisions."""
    made: list[str] = []
    for line in (line.strip() for line in lines):
        if SIGNATURE.fullmatch(line) or is_split_line(line):
            break
        if not names.is_order(line) and is_advertisement(line):
            break
        if not BRACKETS.fullmatch(line):
            made.append(line)
    return made


# Headings


def ends_all(lines: list[str], at: int, names: Names) -> bool:
    """Whether from that line on everything is quoted without a mark: below our marker, or the headers of the old mail."""
    line = lines[at]
    if QUOTE.match(line) or line.startswith(INDENT):
        return False
    return (
        names.is_marker(line)
        or (is_split_line(line) and not any(map(QUOTE.match, lines[at : at + HEADER_LINES])))
        or (bool(count := header_lines(lines, at, names)) and not is_marked(lines, at + count))
        or is_bare_heading(lines, at, names)
    )


def is_split_line(line: str) -> bool:
    """Whether a line says between dashes that the old mail follows."""
    return SPLIT_LINE.fullmatch(line.strip()) is not None


def header_lines(lines: list[str], at: int, names: Names) -> int:
    """How many lines "From: …", "Sent: …" are here, in whatever language: labels, and somebody or a moment named."""
    if not LABEL.match(lines[at]):
        return 0
    block = list(takewhile(lambda line: is_header(line, names), lines[at : at + HEADER_LINES]))
    labels = sum(bool(LABEL.match(line)) for line in block)
    somebody = any(names.name_us(line) or "@" in line for line in block)
    known = labels > 1 and (somebody or (labels > 2 and any(map(MOMENT.search, block))))
    return len(block) if known else 0


def is_marked(lines: list[str], at: int) -> bool:
    """Whether what follows is quoted line by line, so that its end is known; some part the subject from its headers."""
    below = [line for line in lines[at:] if line.strip()][:2]
    following = below[-1] if len(below) > 1 and LABEL.match(below[0]) else "".join(below[:1])
    return bool(QUOTE.match(following)) or following.startswith(INDENT)


def is_header(line: str, names: Names) -> bool:
    """Whether a line is a label and its value, or the address that belongs to the line above it."""
    told = LABEL.match(line) or NO_VALUE.fullmatch(line) or ("@" in line and line.strip()[0] == "<")
    return bool(told) and not QUOTE.match(line) and not names.is_order(line)


def is_bare_heading(lines: list[str], at: int, names: Names) -> bool:
    """Whether "On … wrote:" stands here, and no marked quote follows it."""
    if not lines[at].strip() or names.is_order(lines[at]):
        return False
    for count in range(1, HEADING_LINES + 1):
        told = lines[at : at + count]
        if not all(line.strip() for line in told) or len(told) < count:
            return False
        if is_attribution(" ".join(told), names):
            return not is_marked(lines, at + count)
    return False


def is_attribution(text: str, names: Names) -> bool:
    """Whether a sentence says by itself that somebody wrote something: by the word for it, or a moment, a name and a colon."""
    named = bool(MOMENT.search(text)) and (names.name_us(text) or "@" in text)
    return bool(WROTE.search(text)) or (named and text.strip().endswith(COLON))


def heading_start(lines: list[str], start: int, stop: int, names: Names) -> int:
    """Where the heading begins that stands directly above line `stop`; `stop` itself where there is none."""
    last = stop - 1
    while last >= start and not lines[last].strip() and stop - last <= 2:
        last -= 1
    for first in range(max(start, last - HEADER_LINES + 1), last + 1):
        if first + header_lines(lines, first, names) > last:
            return first
    found = stop
    for first in range(last, max(start, last - HEADING_LINES + 1) - 1, -1):
        line = lines[first]
        dated = bool(MOMENT.search(line))
        if not line.strip() or names.is_order(line):
            break
        if names.may_be_order(line) and not dated and not names.name_us(line):
            break
        known = dated or names.name_us(line)
        if (
            known
            or (found == stop and line.strip().endswith(COLON))
            or (found < stop and is_broken(lines, first + 1))
        ):
            found = first
        elif found < stop:
            break
    return found
