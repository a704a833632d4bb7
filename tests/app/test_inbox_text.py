"""What a person wrote is found in the mails of every reader, and nothing else is taken for it."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from app import inbox_mail, inbox_text
from engine.core.registry import find
from tests.app.reply_formats import FORMATS, both, html, mail, plain, quoted, sixtyfour

VERBS = (*find("cuzco").verbs, "help", "standing")
TYPED = "Place triple e14 E16 d15  # the best I see\n\nEND"
ORDERS = ["place triple e14 e16 d15", "end"]


def orders(raw: bytes) -> list[str]:
    return inbox_text.orders_in(inbox_text.written(message_from_bytes(raw)), VERBS)[0]


@pytest.mark.parametrize("name", FORMATS)
def test_orders_are_found_as_every_reader_writes_them(name: str) -> None:
    assert orders(FORMATS[name](TYPED)) == ORDERS


@pytest.mark.parametrize("name", [name for name in FORMATS if "below" not in name])
def test_an_answer_without_words_holds_no_orders(name: str) -> None:
    assert orders(FORMATS[name]("")) == []


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("end.", ["end"]),
        ("- draw pile\n* end", ["draw pile", "end"]),
        ("draw pile; draw pile;end;", ["draw pile", "draw pile", "end"]),
        ("\u201cend\u201d", ["end"]),
        ("draw\u00a0pile\u200b", ["draw pile"]),
        ("bid tumi\u202fkero", ["bid tumi kero"]),
        ("# nothing yet\n#end", []),
        ("end\n-- \ndraw pile", ["end"]),
        ("end\n\u2014\ndraw pile", ["end"]),
        ("end\n\nSent via Some App\nend", ["end"]),
        ("a" * 60_000, ["a" * inbox_text.LONGEST_LINE]),
        ("leave e14", ["leave e14"]),  # no "Le … a écrit"
    ],
)
def test_small_things_that_readers_and_phones_add_do_no_harm(typed: str, found: list[str]) -> None:
    assert orders(plain(typed)) == found


def test_a_name_below_the_orders_is_no_order_but_a_slip_of_the_finger_is() -> None:
    signed = inbox_text.orders_in(["end", "", "Ana Silva", "Cuzco"], VERBS)
    slipped = inbox_text.orders_in(["draw pile", "", "edn"], VERBS)
    assert signed == (["end"], ["ana silva", "cuzco"])
    assert slipped == (["draw pile", "edn"], [])


def test_a_greeting_above_is_not_skipped_for_it_might_be_meant() -> None:
    assert inbox_text.orders_in(["Hello!", "", "end"], VERBS)[0] == ["hello", "end"]


def test_lines_broken_for_the_journey_are_made_whole() -> None:
    flowed = plain("place triple e14 \ne16 d15\nend", more="; format=flowed; delsp=no")
    deleted = plain("place triple e1 \n4 e16 d15\nend", more="; format=flowed; delsp=yes")
    assert orders(flowed) == orders(deleted) == ORDERS


@pytest.mark.parametrize(
    "page",
    [
        '<p style="display: none">end</p>',
        "<p hidden>end</p>",
        '<div style="font-size:0px">end</div>',
        '<div style="visibility:hidden">a<div>end</div>end</div>',
        "<script>end</script><style>end</style>",
        "<!-- end -->",
        "<title>end</title>",
        '<span style="mso-hide:all">end</span>',
        "<template>end</template>",
        '<p title="end"></p>',
    ],
)
def test_what_cannot_be_seen_is_not_read(page: str) -> None:
    assert orders(html(f"<body>{page}</body>")) == []


def test_text_is_preferred_unless_it_is_empty() -> None:
    assert orders(both("draw pile", "<p>end</p>")) == ["draw pile"]
    assert orders(both(" \n", "<p>end</p>")) == ["end"]


def test_attachments_and_mails_within_are_not_read() -> None:
    attached = mail(
        b'--x\nContent-Type: text/plain; name="orders.txt"\n\nend\n'
        b"--x\nContent-Type: text/plain\nContent-Disposition: attachment\n\nend\n"
        b"--x\nContent-Type: message/rfc822\n\nContent-Type: text/plain\n\nend\n--x--\n",
        "multipart/mixed; boundary=x",
    )
    assert orders(attached) == []


@pytest.mark.parametrize("charset", ["punycode", "idna", "zip", "unicode_escape", "klingon", "%%%"])
def test_letters_of_no_alphabet_are_read_as_well_as_may_be(charset: str) -> None:
    assert orders(mail(b"end", f'text/plain; charset="{charset}"')) == ["end"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "us-ascii", "windows-1252", "utf-16", "koi8-r"])
def test_letters_are_read_in_their_alphabet(charset: str) -> None:
    encoded = "cp1252" if charset in ("iso-8859-1", "us-ascii") else charset
    assert orders(sixtyfour("end # now", encoded).replace(encoded.encode(), charset.encode())) == [
        "end"
    ]


def test_only_what_stands_first_counts() -> None:
    answer = f"end\n\nOn Monday Ana wrote:\n{quoted('x')}\n\ndraw pile"
    assert orders(plain(answer)) == ["end"]


# Who wrote it


@pytest.mark.parametrize(
    ("value", "sender"),
    [
        ("ana@example.org", "ana@example.org"),
        ("Ana <ANA@Example.org>", "ana@example.org"),
        ('"Silva, Ana <bo@example.org>" <ana@example.org>', "ana@example.org"),
        ("ana@example.org (Ana)", "ana@example.org"),
        ("=?utf-8?q?An=C3=A1?= <ana@example.org>", "ana@example.org"),
        ("ana@example.org, bo@example.org", None),
        ("<ana@example.org> <bo@example.org>", None),
        ("ana@example.org <bo@example.org>", None),
        ("group: ana@example.org;", None),
        ("ana", None),
        ("", None),
    ],
)
def test_a_mail_is_from_one_address_or_from_nobody(value: str, sender: str | None) -> None:
    assert inbox_mail.read(b"From: " + value.encode() + b"\r\n\r\nend").sender == sender


def test_two_senders_are_none() -> None:
    raw = b"From: ana@example.org\r\nFrom: ana@example.org\r\n\r\nend"
    assert inbox_mail.read(raw).sender is None


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; x=y",
        "Precedence: bulk",
        "Precedence: List",
        "List-Id: <cuzco.example>",
        "X-Loop: me",
        "Return-Path: <>",
        "Subject: Automatic reply: Your turn",
        "Subject: Out of Office",
        "Subject: =?utf-8?q?R=C3=A9ponse_automatique_:_?= =?utf-8?q?votre_tour?=",
        "Subject: =?utf-8?b?UmVzcG9zdGEgYXV0b23DoXRpY2E6IHN1YSB2ZXo=?=",
        "Content-Type: multipart/report; boundary=x",
    ],
)
def test_machines_are_known_by_their_headers(header: str) -> None:
    assert inbox_mail.read(f"From: ana@example.org\r\n{header}\r\n\r\nend".encode()).automatic


@pytest.mark.parametrize("header", ["Auto-Submitted: no", "Subject: Re: Your turn", "X-Mailer: x"])
def test_people_are_not_taken_for_machines(header: str) -> None:
    assert not inbox_mail.read(f"From: ana@example.org\r\n{header}\r\n\r\nend".encode()).automatic
