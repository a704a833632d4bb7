"""What a person wrote is found in the mails of every reader, and nothing else is taken for it."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from app.mail.incoming.body import LONGEST_LINE, written_lines
from app.mail.incoming.message import read_message
from app.mail.incoming.orders import orders_in
from app.mail.incoming.own_lines import OurMarks
from app.mail.incoming.own_marks import feet, markers
from engine.core.registry import find
from tests.app.reply_formats import FORMATS, both, html, mail, plain, quoted, sixtyfour

OURS_KNOWN = OurMarks((), markers(), feet())
VERBS = (*find("cuzco").verbs, "help", "standing")
TYPED = "Place triple e14 E16 d15  # the best I see\n\nEND"
ORDERS = ["place triple e14 e16 d15", "end"]


def orders(raw: bytes) -> list[str]:
    return orders_in(written_lines(message_from_bytes(raw), OURS_KNOWN, VERBS).lines, VERBS)[0]


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
        ("a" * 60_000, ["a" * LONGEST_LINE]),
        ("leave e14", ["leave e14"]),  # no "Le … a écrit"
    ],
)
def test_small_things_that_readers_and_phones_add_do_no_harm(typed: str, found: list[str]) -> None:
    assert orders(plain(typed)) == found


def test_a_name_below_the_orders_is_no_order_but_a_slip_of_the_finger_is() -> None:
    signed = orders_in(["end", "", "Ana Silva", "Cuzco"], VERBS)
    slipped = orders_in(["draw pile", "", "edn"], VERBS)
    assert signed == (["end"], ["ana silva", "cuzco"])
    assert slipped == (["draw pile", "edn"], [])


def test_a_greeting_above_the_orders_is_told_and_what_might_be_meant_is_not_skipped() -> None:
    assert orders_in(["Hello!", "", "end"], VERBS) == (["end"], ["hello"])
    assert orders_in(["Bo says:", "end"], VERBS)[0] == ["bo says:", "end"]
    assert orders_in(["Whatever e14", "", "end"], VERBS)[0] == ["whatever e14", "end"]


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


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("end On Mon, Nov 16, 2026 at 10:12 AM Chasqui <play@chasqui.example> wrote:\n> x", 1),
        ("end On Mon, Nov 16, 2026 at 10:12 AM Chasqui\n<play@chasqui.example> wrote:\n> x", 1),
        ("end -----Original Message-----\nFrom: Chasqui <play@chasqui.example>\nTo: me", 1),
    ],
)
def test_an_order_on_the_line_of_a_heading_is_not_lost(typed: str, lines: int) -> None:
    found = orders(plain(typed))
    assert len(found) == lines
    assert found[0].startswith("end ")  # the game refuses it by name


def test_what_stands_below_the_quote_beside_orders_above_it_is_told() -> None:
    answer = f"end\n\nOn Monday Ana wrote:\n{quoted('x')}\n\ndraw pile\nAna"
    own = written_lines(message_from_bytes(plain(answer)), OURS_KNOWN, VERBS)
    assert (own.lines, own.elsewhere) == (["end", ""], ["draw pile"])


def test_a_greeting_above_the_quote_does_not_hide_the_orders_below_it() -> None:
    answer = f"Hola,\n\nChasqui escribió:\n{quoted('x')}\n\nend"
    assert orders(plain(answer)) == ["end"]


@pytest.mark.parametrize(
    "heading",
    [
        "On Tue, 2011-03-01 at 18:02 +0530, Some One wrote:",
        "Op 13-02-2014 3:18 schreef Some One <some@one.example>:",
        "<some@one.example> schrieb am 16. November 2026 um 10:12:",
        "2026-11-16 10:12 GMT+01:00 Some One <some@one.example>:",
        "---- On Wed, 24 Feb 2021 14:02:50 +0530 some@one.example wrote ----",
        "From: Some One [mailto:some@one.example]\nSent: Monday\nTo: Me",
        "*De:* Some One <some@one.example>\n*Enviado el:* lunes\n*Para:* yo",
        "-----Ursprüngliche Nachricht-----\nVon: Some One",
        "On Nov 16, 2026, at 10:12, Some One\n<some@one.example>\nwrote:",
    ],
)
def test_headings_of_other_peoples_mails_end_an_answer_too(heading: str) -> None:
    """Whatever name we stand under in an address book; the quoted mail has no marks and no marker."""
    assert orders(plain(f"draw pile\nend\n\n{heading}\n\nplace crop a1\npass\n")) == [
        "draw pile",
        "end",
    ]


def test_a_line_that_may_be_the_rest_of_a_quoted_one_is_doubtful() -> None:
    broken = f"> {'long ' * 14}\nend\n> and so on\n"
    own = written_lines(message_from_bytes(plain(f"Chasqui wrote:\n{broken}")), OURS_KNOWN, VERBS)
    assert own.doubtful == ["end"]
    apart = broken.replace("\nend\n", "\n\nend\n\n")
    assert orders(plain(f"Chasqui wrote:\n{apart}")) == ["end"]


def test_of_a_mail_that_is_too_long_nothing_below_the_quote_counts() -> None:
    answer = f"Chasqui wrote:\n{quoted('x' * 70_000)}\n\nend"
    assert orders(plain(answer)) == []


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
    assert read_message(b"From: " + value.encode() + b"\r\n\r\nend").sender == sender


def test_two_senders_are_none() -> None:
    raw = b"From: ana@example.org\r\nFrom: ana@example.org\r\n\r\nend"
    assert read_message(raw).sender is None


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
    assert read_message(f"From: ana@example.org\r\n{header}\r\n\r\nend".encode()).automatic


@pytest.mark.parametrize("header", ["Auto-Submitted: no", "Subject: Re: Your turn", "X-Mailer: x"])
def test_people_are_not_taken_for_machines(header: str) -> None:
    assert not read_message(f"From: ana@example.org\r\n{header}\r\n\r\nend".encode()).automatic
