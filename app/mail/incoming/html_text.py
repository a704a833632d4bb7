"""HTML of a mail as its reader sees it, as plain lines with the quotes marked."""

from __future__ import annotations

import re
from html import unescape

SILENT = {"head", "script", "style", "title", "template", "noscript", "object", "svg", "select"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"}
BLOCKS = {"blockquote", "div", "h1", "h2", "h3", "h4", "li", "ol", "p", "pre", "table", "tr", "ul"}
LONGEST_TAG = 2000
TAG = re.compile(r"""<(/?)([a-z][a-z0-9]*)?((?:[^<>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
STYLE = re.compile(r"""\sstyle\s*=\s*("[^"]*"|'[^']*'|\S+)""", re.IGNORECASE)
FREE = re.compile(r"white-space:(?:pre|break-spaces)")  # where the ends of lines are seen
CLOSE_SET = re.compile(r"margin(?:-bottom)?:0|class=[\"']?mso", re.IGNORECASE)  # no gap below it
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
        self.free: list[str] = []  # the elements around us in which the ends of lines are seen
        self.gap = True  # whether the paragraph that we are in is set apart from the next

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
        else:
            self.note_spacing(closes, name, attributes)
            if name in BLOCKS:
                self.set_apart(closes, name)

    def set_apart(self, closes: bool, name: str) -> None:
        """A block begins or ends; below a paragraph there is a gap as wide as a line, unless its style says otherwise."""
        step = (name == "blockquote") * (-1 if closes else 1)
        self.quoted = max(0, self.quoted + step)
        self.turn()
        if closes and name == "p" and self.gap and not self.quoted:
            self.lines.append(self.margin)

    def note_spacing(self, closes: bool, name: str, attributes: str) -> None:
        """Whether the ends of lines are seen from here on, and a gap below the paragraph that begins."""
        if closes and name in self.free:
            self.free.remove(name)
        elif not closes and (
            name == "pre" or name in self.free or FREE.search(style_of(attributes))
        ):
            self.free.append(name)
        elif not closes and name == "p":
            self.gap = not CLOSE_SET.search(re.sub(r"\s", "", attributes))

    def text(self, data: str) -> None:
        if self.unseen:
            return
        if self.free:
            first, *rest = unescape(data).splitlines() or [""]
            self.lines[-1] += first
            self.lines += [self.margin + line for line in rest]
            if data.endswith(("\n", "\r")):
                self.lines.append(self.margin)
        else:
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
    style = style_of(attributes)
    return HIDDEN.search(style) is not None or HIDDEN_WORD.search(attributes) is not None


def style_of(attributes: str) -> str:
    """What an element's own style says, without spaces and quotes."""
    found = STYLE.search(attributes)
    return re.sub(r"""[\s"']""", "", unescape(found[1])).lower() if found else ""
