"""Text from outside: addresses in the one form that we keep, and titles and names that carry none."""

from __future__ import annotations

import pytest

from app.people.accounts import settle_name
from app.platform.errors import Misspelt
from app.platform.text_input import (
    LONGEST_EMAIL,
    check_email_address,
    check_no_address,
    check_one_line,
    defuse_text,
    shown_line,
)
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

# Mail addresses


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ana@Example.ORG", "ana@example.org"),
        ("  ana+chess@example.org ", "ana+chess@example.org"),
        ("ana@bücher.example", "ana@xn--bcher-kva.example"),
        ("ana@BÜCHER.Example", "ana@xn--bcher-kva.example"),
        ("ana@bu\u0308cher.example", "ana@xn--bcher-kva.example"),  # a letter and its dots
        ("ana@xn--bcher-kva.example", "ana@xn--bcher-kva.example"),
        ("ANA@XN--BCHER-KVA.EXAMPLE", "ana@xn--bcher-kva.example"),
        ("ana@straße.example", "ana@xn--strae-oqa.example"),  # by the rules of 2003 another's
        ("ana@strasse.example", "ana@strasse.example"),
        ("ana@σας.example", "ana@xn--mxa8ab.example"),
        ("ana@ｅxample。org", "ana@example.org"),  # double width, and the dot of Japan
        ("ana@exam\u00adple.org", "ana@example.org"),  # a hyphen that is not seen
        ("ana@r3---sn.example.org", "ana@r3---sn.example.org"),  # a name of machines
    ],
)
def test_a_mailbox_has_one_spelling(typed: str, kept: str) -> None:
    assert check_email_address(typed) == kept
    assert check_email_address(kept) == kept
    assert kept.isascii()


@pytest.mark.parametrize(
    "typed",
    [
        "ana@i❤.example",  # IDNA 2008 has no such letters
        "ana@💩.example",
        "ana@exa\u200dmple.org",
        "ana@\u202eexample.org",
        "ana@a_b.example",
        "ana@xn--abc-.example",  # stands for letters that need no other form
        "ana@xn--0.example",
        "ana@xn--bücher.example",
        "ana@example",
        "ana@example.org.",
        "ana@192.0.2.1",
        "ana@[192.0.2.1]",
        "ana@-a.example",
        "a..na@example.org",
        ".ana@example.org",
        "ana.@example.org",
        "añà@example.org",
        '"a b"@example.org',
        "ana@eva@example.org",
        "@example.org",
        "ana",
        f"ana@{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 60}.org",
        f"ana@{'ü' * 60}.{'ü' * 60}.{'ü' * 60}.{'ü' * 60}.example",
        "x" * 100_000 + "@example.org",
        "ana@" + "ü" * 100_000,
        "",
        None,
        7,
    ],
)
def test_what_cannot_be_written_to_is_refused(typed: object) -> None:
    with pytest.raises(NotUnderstood) as refused:
        check_email_address(typed)
    assert str(refused.value) == "That is no mail address that we can write to."


@pytest.mark.parametrize(
    "kept", ["ana@example.org", "ana@xn--bcher-kva.example", "ana@xn--i-7iq.example", "a@t.co"]
)
def test_an_address_that_was_taken_before_keeps_its_form(kept: str) -> None:
    """By the rules of 2003 too: what stands in a row is ASCII, and that is its own form."""
    assert check_email_address(kept) == kept
    assert kept.partition("@")[2].encode("idna").decode() == kept.partition("@")[2]


def test_no_address_is_longer_than_mail_allows() -> None:
    domain = f"{'a' * 60}.{'b' * 60}.{'c' * 60}.org"
    room = LONGEST_EMAIL - len(domain) - 1
    assert check_email_address(f"{'x' * min(room, 64)}@{domain}")
    with pytest.raises(NotUnderstood):
        check_email_address(f"{'x' * (room + 1)}@{domain}")


# Titles and names


ADVERTISED = [
    "Free money www.evil.example",
    "see https://evil.example/x now",
    "HTTP://EVIL",
    "evil.example",
    "evil.example/?a=b",
    "(evil.com)",
    "win@evil.example",
    "mailto:win",
    "tel:+15550100",
    "10.0.0.1",
    "ｗｗｗ．ｅｖｉｌ．ｃｏｍ",
    "evil。com",
    "evil․com",
    "пример.рф",
    "x.xn--p1ai",
    "two\u00a0www.evil.example\u2003words",
    "t.co",
]
HARMLESS = [
    "Ana’s table",
    "Round 2: the return",
    "J.R.R. Tolkien",
    "St. Gallen v. Bern",
    "wait...and see",
    "3.14",
    "1.5 hours",
    "A.B.C.",
    "Ana @ home",
    "@ana",
    "Café ❤️",
    "李小龙 のテーブル",
]


@pytest.mark.parametrize("text", ADVERTISED)
def test_a_title_that_advertises_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        shown_line(text, say("The title"), 80)
    assert "The title may hold no web or mail address" in str(refused.value)


@pytest.mark.parametrize("text", ADVERTISED)
def test_what_advertised_before_the_rule_is_mailed_without_it(text: str) -> None:
    mailed = defuse_text(text)
    check_no_address(mailed, say("The title"))
    assert "…" in mailed
    assert "evil" not in mailed.lower()


@pytest.mark.parametrize("text", HARMLESS)
def test_an_honest_title_is_kept_and_mailed_as_it_is(text: str) -> None:
    assert shown_line(text, say("The title"), 80) == text
    assert defuse_text(text) == text


def test_letters_that_are_not_seen_hide_no_address() -> None:
    assert defuse_text("win at evil\u200b.\u202ecom now") == "win at … now"


@pytest.mark.parametrize(
    "blank", ["\u3164", "\u2800\u2800", "\u115f", "a\u3164", "\u202eabc", "a\u2066b", "a\x07"]
)
def test_a_text_of_which_nothing_is_seen_is_no_name_and_no_title(blank: str) -> None:
    with pytest.raises(NotUnderstood):
        check_one_line(blank, say("The title"), 80)
    with pytest.raises(Misspelt):
        settle_name(blank)
