"""Mails that mean harm, or look like it: none of them may play anything, and none may break anything.

Each case is a name, the envelope's recipient and sender, and the bytes. `Target` is what an attacker may know:
the address and the token of somebody's mail, and those of other positions.
"""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from tests.app.answering import letter
from tests.app.seated import FIRST

Case = tuple[str, str, str, bytes]


@dataclass(frozen=True)
class Target:
    """Ana's present address, and others that were made for somebody or something else."""

    to: str
    old: tuple[str, ...]  # Ana's own, of earlier positions
    foreign: tuple[str, ...]  # of other people, seats and matches
    ana: str = "ana@example.org"


def corpus(target: Target, fuzz: int, seed: int = 1) -> Iterator[Case]:
    """All of them, with so many at random."""
    for family in (senders, tokens, machines, wrappings, pages, monsters, charsets):
        for number, case in enumerate(family(target)):
            yield (f"{family.__name__} {number}", *case)
    for number in range(fuzz):
        yield (f"random {number}", *random_mail(target, Random(seed * 1_000_003 + number)))


def with_body(
    target: Target, kind: str, body: bytes, encoding: str = "8bit", sender: str = ""
) -> tuple[str, str, bytes]:
    """A mail by Ana herself with a body that hides orders."""
    head = letter(
        "",
        sender or target.ana,
        MIME_Version="1.0",
        Content_Type=kind,
        Content_Transfer_Encoding=encoding,
    )
    return target.to, target.ana, head + body


def senders(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """The right address, by somebody else."""
    for sender in (
        "bo@example.org",
        "mallory@evil.example",
        '"ana@example.org" <mallory@evil.example>',
        "ana@example.org <mallory@evil.example>",
        "<ana@example.org> <mallory@evil.example>",
        "ana@example.org, mallory@evil.example",
        "mallory@evil.example, ana@example.org",
        "ana@example.org.evil.example",
        "ana@example.org@evil.example",
        "ana+x@example.org",
        "xana@example.org",
        "ana@xexample.org",
        "an\u0430@example.org",  # a Cyrillic letter
        "=?utf-8?q?ana=40example=2Eorg?=",
        "=?utf-8?b?PGFuYUBleGFtcGxlLm9yZz4=?= <mallory@evil.example>",
        "friends: ana@example.org;",
        "(ana@example.org) mallory@evil.example",
        "mallory@evil.example (ana@example.org)",
        "ana@example.org\x00",
        "ana",
        "@example.org",
        "<>",
        "",
        "ana@[127.0.0.1]",
        "a" * 5000 + "@example.org",
        "((((((((((ana@example.org))))))))))",
        '"' * 999 + "ana@example.org",
    ):
        yield target.to, sender, letter(FIRST, sender)
    twice = letter(FIRST, "mallory@evil.example", Sender=target.ana, Reply_To=target.ana)
    yield target.to, target.ana, twice
    yield target.to, target.ana, b"From: mallory@evil.example\r\n" + letter(FIRST)
    yield target.to, target.ana, b"From: ana@example.org\r\n" + letter(FIRST)
    yield target.to, target.ana, letter(FIRST, f"mallory@evil.example\r\nX-From: {target.ana}")


def tokens(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Ana herself, at an address that is not, or no longer, good for this."""
    local, _, domain = target.to.partition("@")
    word, _, said = local.partition("+")
    for address in (*target.old, *target.foreign):
        yield address, target.ana, letter(FIRST)
    for place in range(len(said)):
        other = "b" if said[place] != "b" else "c"
        yield f"{word}+{said[:place]}{other}{said[place + 1 :]}@{domain}", target.ana, letter(FIRST)
    for address in (
        f"{word}@{domain}",
        f"{word}+@{domain}",
        f"{local}",
        f"{local}@evil.example",
        f"{local}@{domain}.evil.example",
        f"{local[:-1]}@{domain}",
        f"{local}a@{domain}",
        f"{local}.{said}@{domain}",
        f'"{local}"@{domain}',
        f"bounce+{said}@{domain}",
        f"@{domain}:{local}@evil.example",
        f"{local}%40{domain}",
        f"{word}+{said.replace('.', '..')}@{domain}",
        f"{word}+{said.replace('.0.', '.-0.')}@{domain}",
        f"{word}+{said.replace('.0.', '.٠.')}@{domain}",
        "'; DROP TABLE match; --@localhost",
        "../../etc/passwd",
        "\x00",
        "x" * 100_000,
    ):
        yield address, target.ana, letter(FIRST)


def machines(target: Target) -> Iterator[tuple[str, str, bytes]]:
    for name, value in (
        ("Auto_Submitted", "auto-replied"),
        ("Auto_Submitted", "auto-generated"),
        ("Auto_Submitted", "auto-notified; owner=x"),
        ("Precedence", "bulk"),
        ("Precedence", "list"),
        ("Precedence", "junk"),
        ("List_Id", "<chess.example>"),
        ("X_Loop", "chasqui"),
        ("X_Autoreply", "yes"),
        ("Return_Path", "<>"),
        ("Subject", "Out of Office: Re: your turn"),
        ("Subject", "Réponse automatique : à vous"),
        ("Subject", "Resposta automática: sua vez"),
    ):
        yield target.to, target.ana, letter(FIRST, **{name: value})
    yield target.to, "", letter(FIRST)
    yield target.to, "<>", letter(FIRST)


def wrappings(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Orders where nobody wrote them: in attachments, quotes, signatures and mails within."""
    order = FIRST.encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("orders.txt", FIRST + "\n" * 10_000_000)
    for head in (
        b"Content-Type: text/plain; name=orders.txt",
        b"Content-Type: text/plain\r\nContent-Disposition: attachment",
        b'Content-Type: text/plain\r\nContent-Disposition: inline; filename="a.txt"',
        b"Content-Type: message/rfc822\r\n\r\nContent-Type: text/plain",
        b"Content-Type: text/calendar",
        b"Content-Type: application/json",
        b"Content-Type: text/html; name=page.html",
        b"Content-Type: message/external-body; access-type=URL; URL=http://evil.example",
    ):
        for kind in ("mixed", "alternative", "related"):
            body = b"--x\r\n" + head + b"\r\n\r\n" + order + b"\r\n--x--\r\n"
            yield with_body(target, f"multipart/{kind}; boundary=x", body)
    body = b"--x\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    body += b64encode(archive.getvalue()) + b"\r\n--x--\r\n"
    yield with_body(target, "multipart/mixed; boundary=x", body)
    for before in ("> ", "-- \n", "On Monday, Bo wrote:\n", "From: x\n", "# ", "____\n", "| "):
        yield target.to, target.ana, letter(before + FIRST)
    for subject in (FIRST, f"Re: {FIRST}", f"x\r\n {FIRST}"):
        yield target.to, target.ana, letter("", Subject=subject)
    for wrong in (f"{FIRST}\n{FIRST}", f"{FIRST}\nbuild e14 9", f"Please {FIRST}", f"{FIRST} now"):
        yield target.to, target.ana, letter(wrong)


def pages(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """HTML that shows one thing and holds another."""
    styles = (
        "display:none", "DISPLAY : NONE", "visibility:hidden", "opacity:0", "opacity: 0.0;", "font-size:0",
        "font-size: 0px", "mso-hide:all", "max-height:0;overflow:hidden", "color:red;display:none",
    )  # fmt: skip
    for style in styles:
        for tag in ("p", "div", "span", "table", "b"):
            page = f'<{tag} style="{style}">{FIRST}</{tag}>'
            yield with_body(target, "text/html; charset=utf-8", page.encode())
    for page in (
        f"<p hidden>{FIRST}</p>",
        f"<script>{FIRST}</script>",
        f"<style>{FIRST}</style>",
        f"<!-- {FIRST} -->",
        f"<title>{FIRST}</title>",
        f"<template>{FIRST}</template>",
        f"<noscript>{FIRST}</noscript>",
        f"<svg><text>{FIRST}</text></svg>",
        f"<select><option>{FIRST}</select>",
        f"<img alt='{FIRST}'>",
        f"<input value='{FIRST}'>",
        f"<blockquote>{FIRST}</blockquote>",
        f"<hr><p>{FIRST}</p>",
        f"<![CDATA[{FIRST}]]>",
        f"<? {FIRST} ?>",
        "<" * 60_000,
        "<a " * 20_000,
        "<!--" * 15_000,
        "<!" * 30_000,
        "&#x" * 20_000,
        "<div>" * 12_000 + "x",
        "</div>" * 10_000,
        "<blockquote>" * 5_000 + FIRST,
        "<p style='" + "a" * 50_000,
    ):
        yield with_body(target, "text/html", page.encode())


def monsters(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Mails that are too much of something; orders that could count come from the wrong sender."""
    stranger = "mallory@evil.example"
    for depth in (5, 50, 200, 1000, 3000):
        body = b"".join(
            b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1)
            for n in range(depth)
        )
        yield with_body(target, "multipart/mixed; boundary=0", body)
    for parts in (100, 2000, 8000):
        body = b"--x\r\n\r\n\r\n" * parts + b"--x--\r\n"
        yield with_body(target, "multipart/mixed; boundary=x", body)
    for body in (
        "x" * 250_000,
        " " * 250_000,
        "\n" * 120_000,
        "a b " * 60_000,
        "On " + "a " * 100_000 + "wrote:",
        "on a wrote\n" * 20_000,
        "# " + FIRST * 5000,
        "-" * 200_000,
        "\x00" * 1000 + FIRST,
        "\u202e" + FIRST[::-1],
        "\ud7ff\ufffe" * 1000,
        (FIRST + "\n") * 5000,
        "e\u0301" * 50_000,
    ):
        yield target.to, stranger, letter(body, stranger)
    for head in (
        b"X: " + b"y" * 200_000,
        b"".join(b"X-%d: y\r\n" % n for n in range(8000)).rstrip(),
        b"Subject: " + b"=?utf-8?q?a?= " * 10_000,
        b"From: " + b"(" * 50_000,
        b"From: " + b"<" * 50_000,
        b"From: " + b'"\\' * 50_000,
        b"Message-ID: <" + b"a" * 100_000 + b">",
        b"Content-Type: " + b"text/plain; a=" * 10_000,
        b"Content-Type: text/plain; charset*0*=x; charset*1*=%%; name*=''''",
        b"Content-Type: multipart/mixed",
        b"Content-Type: multipart/mixed; boundary=",
        b"Content-Type: /",
        b"Content-Type: multipart/report; boundary=x",
        b"Content-Transfer-Encoding: x-uuencode",
        b"Content-Transfer-Encoding: " + b"base64 " * 1000,
        b"no colon at all",
        b" folded from nothing",
        b": : :",
        b"Subject: =?utf-8?b?////?= =?x?q?=ZZ?=",
        b"Subject: =?punycode?q?aaaa-bbbb?=",
        b"\xff\xfe\xfd: \x80",
    ):
        yield target.to, stranger, head + b"\r\n" + letter(FIRST, stranger)
    for raw in (
        b"",
        b"\r\n",
        b"\x00",
        b"\r\n\r\n" + FIRST.encode(),
        b"\xff" * 1000,
        b"x" * 300_000,
    ):
        yield target.to, target.ana, raw


def charsets(target: Target) -> Iterator[tuple[str, str, bytes]]:
    """Orders that only a strange reading would find."""
    code = b64encode(FIRST.encode())
    for charset in (
        "utf-7",
        "rot13",
        "unicode_escape",
        "raw_unicode_escape",
        "hex",
        "base64",
        "zlib",
    ):
        body = {"utf-7": FIRST.encode("utf-7").replace(b"place", b"+AHAAbABhAGMAZQ-")}.get(
            charset, "".join(f"\\x{ord(letter):02x}" for letter in FIRST).encode()
        )
        yield with_body(target, f"text/plain; charset={charset}", body)
    for encoding in ("7bit", "8bit", "binary", "x-token", "quoted-printable"):
        yield with_body(target, "text/plain", code, encoding)
    yield with_body(target, "text/plain", b"!!!" + code[:7], "base64")
    yield with_body(target, "text/plain; charset=punycode", b"a" * 200_000 + b"-b")
    yield with_body(target, "text/plain; charset=idna", b"xn--" * 50_000)


def random_mail(target: Target, rng: Random) -> tuple[str, str, bytes]:
    """A stranger's mail with bytes changed, doubled, cut and moved."""
    stranger = "mallory@evil.example"
    page = with_body(target, "text/html", f"<p>{FIRST}</p>".encode(), sender=stranger)[2]
    parts = with_body(
        target, "multipart/mixed; boundary=x", b"--x\r\n\r\n" + FIRST.encode(), sender=stranger
    )[2]
    raw = bytearray(rng.choice([letter(FIRST, stranger), page, parts]))
    changes: list[Callable[[], None]] = [
        lambda: raw.__setitem__(rng.randrange(len(raw)), rng.randrange(256)),
        lambda: raw.__delitem__(slice(*sorted(rng.sample(range(len(raw)), 2)))),
        lambda: raw.extend(raw[rng.randrange(len(raw)) :]),
        lambda: raw.insert(rng.randrange(len(raw)), rng.choice(b'\r\n\0<>"=:;-')),
    ]
    for _ in range(rng.randrange(1, 30)):
        if len(raw) > 10:
            rng.choice(changes)()
    return target.to, stranger, bytes(raw[:200_000])
