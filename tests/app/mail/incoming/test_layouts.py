"""Answers in every language and of every mail reader: exactly the orders are found, and never a quoted line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from email import message_from_bytes

import pytest

from app.mail.incoming.body import written_lines
from app.mail.incoming.commands import STANDING, WORDS, all_verbs
from app.mail.incoming.orders import orders_in
from app.mail.incoming.own_lines import OurMarks
from app.mail.incoming.own_marks import feet, markers
from engine.core.registry import find
from tests.app.mail.incoming.layouts import (
    ABOVE,
    ADDRESS,
    EVERYWHERE,
    ORDERS,
    OURS,
    TONGUES,
    US,
    block,
    layouts,
)
from tests.app.reply_formats import plain, quoted

OURS_KNOWN = OurMarks((ADDRESS,), markers(), feet())
VERBS = (*find("cuzco").verbs, *WORDS, STANDING)
LONE = ("token", "hold", "pass", "end", *WORDS)
GOALS = {"above": 0.98, "below": 0.95, "between": 0.95}


def read(raw: bytes) -> tuple[list[str], bool]:
    """The orders, and whether the mail is refused because nobody can say whose they are."""
    own = written_lines(message_from_bytes(raw), OURS_KNOWN, all_verbs())
    return orders_in(own.lines, VERBS, LONE)[0], bool(own.doubtful)


def test_the_orders_are_found_in_every_layout_and_no_quoted_line_is_played(
    figures: Callable[[str], None],
) -> None:
    seen, found, wrong = Counter[str](), Counter[str](), list[str]()
    for layout in layouts():
        orders, doubtful = read(layout.raw)
        seen[layout.place] += 1
        found[layout.place] += orders == ORDERS and not doubtful
        if orders != ORDERS:
            wrong.append(f"{layout.name}: {orders}")
    for place, goal in GOALS.items():
        figures(
            f"answers {place} the quote: {found[place]} of {seen[place]} layouts read exactly "
            f"({found[place] / seen[place]:.1%}, goal {goal:.0%})"
        )
    figures(f"in {len(TONGUES)} languages, of {len(EVERYWHERE) + len(ABOVE)} mail readers")
    assert seen.total() >= 300
    assert len(TONGUES) >= 25
    assert len(EVERYWHERE) + len(ABOVE) >= 20
    assert all(found[place] >= goal * seen[place] for place, goal in GOALS.items()), wrong[:20]
    played = [line for line in wrong if "a1 a2 b1" in line]
    assert not played


def test_whoever_writes_nothing_orders_nothing_in_any_layout() -> None:
    """Every quoted order would be found here, for there is no other."""
    for layout in layouts():
        orders, _ = read(layout.empty)
        exact = [order for order in orders if order.split()[0] in {v.split()[0] for v in VERBS}]
        assert not exact, layout.name


@pytest.mark.parametrize("code", TONGUES)
def test_orders_below_a_quote_without_marks_are_refused_by_their_line(code: str) -> None:
    said = TONGUES[code]
    for heading in (block(said), said.dated.format(who=US)):
        raw = plain(f"{heading}\n\n{OURS}\n\nplace triple e14 e16 d15\nend\n")
        own = written_lines(message_from_bytes(raw), OURS_KNOWN, all_verbs())
        assert own.doubtful == ["place triple e14 e16 d15"]
        below = plain(f"draw pile\n\n{heading}\n\n{OURS}\n\nend\n")
        told = written_lines(message_from_bytes(below), OURS_KNOWN, all_verbs())
        assert (told.lines[0], told.elsewhere, told.doubtful) == ("draw pile", ["end"], [])


# Of languages and readers that the corpus does not know, so that the reading is tried on what it was not made for.
UNFORESEEN = (
    "* Chasqui <play@games.example> [2026-11-16 10:12]:",
    "Quoting Chasqui <play@games.example>:",
    "At 10:12 16-11-2026, you wrote:",
    "In article <abc@games.example>,\n Chasqui <play@games.example> writes:",
    "Þann mán., 16. nóv. 2026 kl. 10:12 skrifaði Chasqui <play@games.example>:",
    "Chasqui <play@games.example> igorleak hau idatzi du (2026 aza. 16, al. 10:12):",
    "Mar Llun, 16 Tach 2026 am 10:12 ysgrifennodd Chasqui <play@games.example>:",
    "Op Ma. 16 Nov. 2026 om 10:12 het Chasqui <play@games.example> geskryf:",
    "On 16/11/2026, Chasqui <play@games.example> wrote:",
    '16.11.2026, 10:12, "Chasqui" <play@games.example>:',
    "Понедельник, 16 ноября 2026, 10:12 +03:00 от Chasqui <play@games.example>:",
    "На 16 ноември 2026 г. 10:12:45 EET, Chasqui\n<play@games.example> написа:",
    "në 16 nënt 2026 10:12 Chasqui shkroi:",
    "2026. november 16., hétfő 10:12 keltezéssel Chasqui\n<play@games.example> írta:",
    "ਸੋਮ, 16 ਨਵੰ 2026 ਨੂੰ 10:12 Chasqui ਨੇ ਲਿਖਿਆ:",
    "Sul 16/11/26 10:12, Chasqui scrisse:",
    "tirsdag den 16. november 2026 10.12.13 CET skrev Chasqui:",
    "Excerpts from Chasqui's message of November 16, 2026 10:12 am:",
    "Chasqui, Mon 16 Nov 2026, 10:12",
    "| Chasqui |\n| play@games.example |\n| 10:12 |",
    "---\nChasqui <play@games.example>",
    "[Chasqui, 16.11.2026]",
    "//Chasqui//",
    "\t\t\tChasqui wrote:",
    "2026/11/16 10:12、Chasqui <play@games.example>のメール:",
    "Chasqui <play@games.example> 於 2026年11月16日 週一 上午10:12寫道：",
    '"Chasqui" <play@games.example> 在 2026-11-16 10:12:13 写道：',
    '------------------ 原始邮件 ------------------\n发件人: "Chasqui" <play@games.example>;\n发送时间: 2026年11月16日(星期一) 上午10:12\n收件人: "ana"<ana@example.org>;\n主题: A table',
    "Jeg fik dette fra Chasqui 16/11",
    '-----Original Message-----\nFrom: "Chasqui"<play@games.example>\nTo: <ana@example.org>;\nCc: \nSent: 2026-11-16 (월) 10:12:13 (GMT+09:00)\nSubject: A table',
    '------------------ Original ------------------\nFrom:  "Chasqui";<play@games.example>;\nDate:  Mon, Nov 16, 2026 10:12 AM\nTo:  "ana"<ana@example.org>;\n\nSubject:  A table',
    '> Message du 16/11/26 10:12\n> De : "Chasqui" <play@games.example>\n> A : ana@example.org\n> Copie à :\n> Objet : A table\n>',
    "---------- Původní e-mail ----------\nOd: Chasqui <play@games.example>\nKomu: ana@example.org\nDatum: 16. 11. 2026 10:12:13\nPředmět: A table",
    '------ Originalnachricht ------\nVon "Chasqui" <play@games.example>\nAn "Ana" <ana@example.org>\nDatum 16.11.2026 10:12:13\nBetreff A table',
    "On Mon, Nov 16 2026 at 10:12 AM, < play@games.example > wrote:",
    "Zitat von Chasqui <play@games.example>:",
)


def test_headings_that_nobody_foresaw_are_left_out_or_refuse_the_mail(
    figures: Callable[[str], None],
) -> None:
    typed, quote, bare = "\n".join(ORDERS), quoted(OURS), OURS.split("\n", 2)[2]
    found, seen, wrong = Counter[str](), Counter[str](), list[list[str]]()
    for heading in UNFORESEEN:
        for place, answer in (
            ("above", f"{typed}\n\n{heading}\n{quote}\n"),
            ("above", f"{typed}\n{heading}\n{quote}\n"),
            ("above", f"{typed}\n\n{heading}\n\n{quote}\n"),
            ("above", f"{typed}\n\n{quoted(heading)}\n{quote}\n"),
            ("above", f"{typed}\n\n{heading}\n\n{OURS}\n"),
            ("below", f"{heading}\n{quote}\n\n{typed}\n"),
            ("above a quote without marks and marker", f"{typed}\n\n{heading}\n\n{bare}\n"),
        ):
            orders, doubtful = read(plain(answer))
            seen[place] += 1
            found[place] += orders == ORDERS and not doubtful
            wrong += [orders] if orders != ORDERS else []
    for place, count in seen.items():
        figures(f"unforeseen headings, answers {place}: {found[place]} of {count} read exactly")
    assert all(found[place] >= GOALS[place] * seen[place] for place in ("above", "below"))
    firsts = {verb.split()[0] for verb in VERBS}
    assert all(
        {order.split()[0] for order in orders} - firsts for orders in wrong
    )  # refused by name


NAMES = "David Daniel Dan Ben Bernd Anna Ana Hana Eva Leo Lea Max Tom Tim Jim Kim Jan Jon John Jack Jake Luke Mike Nick Rick Paul Saul Karl Carl Emma Ella Ida Ada Ian Sam Pam Tam Ray Roy Joy Guy Hugo Otto Mario Maria Marie Sara Sarah Laura Clara Nina Lina Tina Gina Lena Helen Helena Irene Rene Steve Dave Eve Pierre Jean Marc Luc Alain Chantal Sophie Camille Julie Pedro Paulo Joana João Beatriz Thiago Bruno Lucas Mateus Gabriel Rafael Miguel Carlos Jorge José Juan Luis Diego Pablo Lucía Carmen Hans Klaus Jürgen Uwe Heinz Petra Ute Silke Heike Bo Bob Rob Bert Kurt Björn Lars Nils Olaf Sven Ingrid Astrid Freja Mikko Jukka Aino Pekka Piotr Paweł Marek Agnieszka Ewa Jiří Tomáš Zoltán Gábor Ivan Olga Igor Boris Vera Yuki Hiro Ken Mei Wei Li Ravi Amit Priya Omar Ali Aisha Noah Liam Mia Zoe Chloe Ethan Mason Logan Oliver Harry George Alice Grace Ruby Rose Lily Molly Holly Edward Edith Edna Enid Ned Ted Fred Ed Brad Chad Todd Rod Boyd Lloyd Floyd".split()  # noqa: SIM905 - a list of words reads better


def test_a_name_under_the_orders_does_not_refuse_them(figures: Callable[[str], None]) -> None:
    kept = [
        name
        for name in NAMES
        if orders_in(["draw pile", "end", "", name], VERBS, LONE)[0] != ["draw pile", "end"]
    ]
    figures(f"first names under the orders taken for a slip: {len(kept)} of {len(NAMES)} {kept}")
    assert len(kept) <= len(NAMES) * 0.04


def slips(verb: str) -> Iterator[str]:
    """Every word that one slip of the finger makes of a verb."""
    for n in range(len(verb)):
        yield verb[:n] + verb[n + 1 :]
        yield verb[:n] + verb[n] + verb[n:]
        yield verb[:n] + ("x" if verb[n] != "x" else "y") + verb[n + 1 :]
        if n + 1 < len(verb):
            yield verb[:n] + verb[n + 1] + verb[n] + verb[n + 2 :]


@pytest.mark.parametrize("key", ["cuzco", "java", "tahuantinsuyu", "inka"])
def test_slips_of_verbs_are_still_taken_for_orders(
    key: str, figures: Callable[[str], None]
) -> None:
    verbs = {verb.split()[0] for verb in find(key).verbs}
    made = [(slip, verb) for verb in verbs for slip in slips(verb) if slip not in verbs]
    caught = sum(
        orders_in(["end", "", f"{slip} a1 b2"], (*verbs, *WORDS), ("end",))[1] == []
        for slip, _ in made
    )
    figures(f"slips of verbs of {key} taken for orders: {caught} of {len(made)}")
    assert caught >= 0.95 * len(made)
