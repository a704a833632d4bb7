"""What a person wrote in a mail: their own lines, without quote, signature and what mail readers add.

No reply parser knows all readers in three languages. So our mails begin with a marker line, and what people
write is cut at whatever comes first of the marker, a quote, its heading, or a signature.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from email.message import Message
from functools import cache
from html import unescape
from itertools import chain, groupby, takewhile

from app import i18n, replies
from app.play import LONGEST_ORDER, MOST_ORDERS, orders_of

MOST_LETTERS = 64_000  # orders come first; what is further down is a quote, or hostile
MOST_LINES = 400
# Longer than all orders of a turn may be: what is too long or too much is refused, never cut and played.
LONGEST_LINE = MOST_ORDERS * (LONGEST_ORDER + 1)
HEADING_LINES = 4  # over how many lines a mail reader breaks "On … wrote:"

# Codecs that a mail may name. Others are no text, or slow on purpose (punycode, idna).
CHARSETS = re.compile(
    r"utf-?8|utf-?16(-?[bl]e)?|(windows-|cp)125\d|iso-?8859-\d+|koi8-[ru]|macroman|mac-roman|gb18030|gb2312|gbk|"
    r"big5|shift_jis|euc[-_](jp|kr)|iso-2022-jp",
    re.IGNORECASE,
)
# What mail readers call Latin-1 or ASCII has the dashes and quotes of Windows in it.
WINDOWS = {"iso8859-1", "ascii"}

SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u3000\t"), " ")
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
QUOTES = {**dict.fromkeys(map(ord, "‘’‚′"), "'"), **dict.fromkeys(map(ord, "“”„«»″"), '"')}
TYPOGRAPHY = SPACES | DASHES | QUOTES

WROTE = r"(wrote|a écrit|escreveu)"
HEADING = re.compile(rf"\W*(on|le|em|no dia|a|às)\s.{{1,600}}?\b{WROTE}\s*:", re.IGNORECASE)
ENDS = re.compile(
    r"|".join(
        (
            r"[>|].*",  # a quote
            r"-+|_+|={3,}|\*{3,}",  # a signature, or the line that Outlook draws
            rf".*\b{WROTE}\s*:",
            r"[-_\s]*(original message|message d'origine|message original|mensagem original|"
            r"forwarded message|message transféré|mensagem encaminhada)[-_\s]*:?",
            r"\W*(from|de|sent|envoyé|enviad[ao]( em)?|expéditeur|remetente|date|data)\*?\s*:.*",
            r"(sent (from|with|via)|get outlook|envoyé (de|depuis|à partir|avec)|"
            r"enviado (do|de|a partir|pelo|via|com)|(obtenir|télécharger|obter o|baixe o|baixar o) outlook)\b.*",
        )
    ),
    re.IGNORECASE,
)


def written(message: Message) -> list[str]:
    """The person's own lines, tidied: what can be read, in ordinary letters."""
    lines = tidy(content(message))
    lines = below_quote(lines)
    count = next((n for n in range(len(lines)) if ends_at(lines, n)), len(lines))
    return lines[:count]


# From a message to text


def content(message: Message) -> str:
    """The text of a mail; its HTML where it has no other."""
    parts = list(texts(message))
    for kind in ("text/plain", "text/html"):
        for part in parts:
            text = decoded(part) if part.get_content_type() == kind else ""
            if text.strip():
                return text if kind == "text/plain" else plain(text)
    return ""


def texts(message: Message) -> Iterator[Message]:
    """The parts that were written to be read here: no attachments, and no mails inside the mail."""
    if message.get_content_maintype() == "message" or attached(message):
        return
    if not message.is_multipart():
        yield message
    else:
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from texts(part)


def attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_filename() is not None


def decoded(part: Message) -> str:
    """The text of a part, whatever it says of its letters."""
    payload = part.get_payload(decode=True)
    text = letters(payload if isinstance(payload, bytes) else b"", part.get_content_charset())
    return flowed(text, part) if str(part.get_param("format", "")).lower() == "flowed" else text


def letters(payload: bytes, charset: str | None) -> str:
    known = charset is not None and CHARSETS.fullmatch(charset)
    name = codecs.lookup(charset).name if known and charset else "utf-8"
    for codec in ("cp1252" if name in WINDOWS else name, "utf-8"):
        try:
            return payload.decode(codec)[:MOST_LETTERS]
        except UnicodeDecodeError:
            continue
    return payload.decode("cp1252", "replace")[:MOST_LETTERS]


def flowed(text: str, part: Message) -> str:
    """Lines that were broken for the journey, whole again (RFC 3676)."""
    delete = str(part.get_param("delsp", "")).lower() == "yes"
    made, open_line = list[str](), False
    for line in text.splitlines():
        own = line[1:] if line.startswith(" ") else line  # stuffed with a space
        if open_line and not own.startswith(">"):
            made[-1] += own
        else:
            made.append(own)
        open_line = own.endswith(" ") and own != "-- " and not own.startswith(">")
        if open_line and delete:
            made[-1] = made[-1][:-1]
    return "\n".join(made)


# HTML

SILENT = {"head", "script", "style", "title", "template", "noscript", "object", "svg", "select"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"}
BLOCKS = {"blockquote", "div", "h1", "h2", "h3", "h4", "li", "ol", "p", "pre", "table", "tr", "ul"}
LONGEST_TAG = 2000
TAG = re.compile(r"""<(/?)([a-z][a-z0-9]*)?((?:[^<>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
STYLE = re.compile(r"""\sstyle\s*=\s*("[^"]*"|'[^']*'|\S+)""", re.IGNORECASE)
HIDDEN_WORD = re.compile(r"\shidden(?=[\s=/]|$)", re.IGNORECASE)
HIDDEN = re.compile(
    r"display:none|visibility:hidden|opacity:0(\.0+)?(;|$)|font-size:0|mso-hide:all|max-height:0"
)


def plain(html: str) -> str:
    """HTML as its reader sees it, quotes marked as in plain text."""
    reader = Reader()
    reader.feed(html)
    return "\n".join(reader.lines)


class Reader:
    """Gathers the lines that can be seen.

    Not `html.parser`: 60 kB of tags that never end keep it busy for a minute, and us with it.
    """

    def __init__(self) -> None:
        self.lines = [""]
        self.quoted = 0
        self.unseen, self.depth = "", 0  # the hidden element that we are in, and how many like it

    def feed(self, html: str) -> None:
        at = 0
        while at < len(html):
            if html.startswith("<!--", at):
                end = html.find("-->", at)
                at = end + 3 if end >= 0 else len(html)
            elif tag := TAG.match(html, at, at + LONGEST_TAG):
                self.handle(bool(tag[1]), (tag[2] or "").lower(), tag[3])
                at = tag.end()
            else:
                end = html.find("<", at + 1)
                self.text(html[at : end if end >= 0 else len(html)])
                at = end if end >= 0 else len(html)

    def handle(self, closes: bool, name: str, attributes: str) -> None:
        if self.unseen:
            self.depth += (name == self.unseen) * (-1 if closes else 1)
            self.unseen = self.unseen if self.depth else ""
        elif name in VOID:
            self.mark(name)
        elif not closes and (name in SILENT or hidden(attributes)):
            self.unseen, self.depth = name, 1
        elif name in BLOCKS:
            step = (name == "blockquote") * (-1 if closes else 1)
            self.quoted = max(0, self.quoted + step)
            self.turn()

    def text(self, data: str) -> None:
        if not self.unseen:
            self.lines[-1] += re.sub(r"[ \t\r\n\f]+", " ", unescape(data))

    def mark(self, name: str) -> None:
        """A line break, or the rule above a quote."""
        if name == "hr":
            self.turn()
            self.lines[-1] += "____"
        if name in ("br", "hr"):
            self.lines.append(self.margin)

    def turn(self) -> None:
        """Begins a line, unless one has just begun; a paragraph's end is no empty line."""
        if self.lines[-1].strip(" >"):
            self.lines.append(self.margin)
        else:
            self.lines[-1] = self.margin

    @property
    def margin(self) -> str:
        return "> " if self.quoted else ""


def hidden(attributes: str) -> bool:
    """Whether an element is there for machines alone."""
    found = STYLE.search(attributes)
    style = re.sub(r"""[\s"']""", "", unescape(found[1])).lower() if found else ""
    return HIDDEN.search(style) is not None or HIDDEN_WORD.search(attributes) is not None


# From text to lines


def tidy(text: str) -> list[str]:
    """Lines in ordinary letters: no typographer's dashes and spaces, nothing that cannot be seen."""
    lines = text.translate(TYPOGRAPHY).splitlines()[:MOST_LINES]
    return ["".join(filter(seen, line[:LONGEST_LINE])).strip() for line in lines]


def seen(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def below_quote(lines: list[str]) -> list[str]:
    """What stands below a quote that a mail begins with; all of it where it begins otherwise."""
    first = next((n for n, line in enumerate(lines) if line), len(lines))
    start = first + heading(lines, first)
    quote = list(takewhile(lambda line: not line or line.startswith(">"), lines[start:]))
    return lines[start + len(quote) :] if any(quote) else lines


def heading(lines: list[str], at: int) -> int:
    """Over how many lines "On … wrote:" goes that begins there; 0 if none does."""
    for count in range(1, HEADING_LINES + 1):
        if HEADING.fullmatch(" ".join(lines[at : at + count])):
            return count
    return 0


def ends_at(lines: list[str], at: int) -> bool:
    """Whether what the person wrote ends before that line."""
    line = lines[at]
    return bool(ENDS.fullmatch(line)) or is_marker(line) or heading(lines, at) > 0


def is_marker(line: str) -> bool:
    folded = line.casefold()
    return any(words in folded for words in markers())


@cache
def markers() -> tuple[str, ...]:
    """The words of the marker line in every language; dashes may have been bent on the way."""
    return tuple(
        replies.marker(language).strip("- ").translate(TYPOGRAPHY).casefold()
        for language in i18n.LANGUAGES
    )


# From lines to orders

CLOSE = 0.6  # how alike a word and a verb are when one may be a slip for the other


def orders_in(lines: list[str], verbs: Iterable[str]) -> tuple[list[str], list[str]]:
    """The orders among a person's lines, and the lines at their end that are none.

    A name under the orders, after an empty line, is no order. What might be one, slips of the finger too, is.
    """
    known = {verb.split()[0] for verb in verbs}
    blocks = list(paragraphs(lines))
    count = len(blocks)
    while count > 1 and not any(resembles(line, known) for line in blocks[count - 1]):
        count -= 1
    orders = (orders_of(line) for block in blocks[:count] for line in block)
    return [*chain(*orders)], [*chain(*blocks[count:])]


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Lines that stand together, without comments; a line of comment alone parts nothing."""
    for empty, block in groupby(lines, key=lambda line: not line):
        if not empty and (left := [*filter(None, map(bare, block))]):
            yield left


def bare(line: str) -> str:
    """A line without comment, bullet, quotes, and the full stop that phones add."""
    words = line.partition("#")[0].casefold().split()
    return re.sub(r"^[-*•] ", "", " ".join(words)).strip("\"'`").rstrip(" .;,!\"'")


def resembles(line: str, verbs: set[str]) -> bool:
    return bool(get_close_matches(line.split(maxsplit=1)[0], verbs, 1, CLOSE))
