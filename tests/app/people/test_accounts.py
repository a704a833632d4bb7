"""A person's own affairs: names, choices, keys, taking everything along, leaving."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from click.testing import CliRunner
from flask import Flask
from sqlmodel import select

from app.cli.main import main
from app.outbox.mail_preferences import wants_mail
from app.people.account_deletion import EXPORTED
from app.people.accounts import display_name, settle_name
from app.people.api_tokens import MOST_TOKENS, load_bearer
from app.platform import tables
from app.platform.errors import BadToken, Misspelt
from app.platform.settings import Settings
from tests.app.browser import Visitor
from tests.app.kept import NOON

Door = Callable[[str], Visitor]
MADE = re.compile(r"chq_[\w-]{43}")


def form(**more: object) -> dict[str, object]:
    return {"name": "Ana", "language": "en", "timezone": "America/Lima", "mails": ["turn"], **more}


# Names


@pytest.mark.parametrize(
    "name", ["Ana", "Ñusta Quispe", "李小龙", "Ana 2", "O'Brien", "x" * 30, "محمد"]
)
def test_a_name_is_kept_as_it_was_written(name: str) -> None:
    assert settle_name(name) == name


def test_a_name_is_trimmed_and_its_blanks_are_single() -> None:
    assert settle_name("  Ana   Maria \t") == "Ana Maria"


HOSTILE = [
    "",
    "   ",
    "-",
    "…",
    "x" * 31,
    "Ana\x00",
    "Ana\x1b[31m",
    "An\u202ea",  # turns the line around
    "An\u2066a",
    "An\u200ba",  # cannot be seen
    "Ana\u2028",
    "Ana\ue000",
    "\ud800",
    "a" + "\u0301" * 5,  # spills over the lines above
    None,
    7,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused_with_a_sentence(name: object) -> None:
    if name == "Ana\u2028":  # a blank at the end, like any other
        assert settle_name(name) == "Ana"
        return
    with pytest.raises(Misspelt) as refused:
        settle_name(name)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x>', "{{ 7*7 }}", "%(name)s {x}"]
)
def test_a_name_is_text_wherever_it_is_shown(signed_in: Door, name: str) -> None:
    ana = signed_in("ana@example.org")
    assert ana.post("/account", form(name=name[:30])).status_code == 303
    page = ana.get("/account").text
    assert "<script>alert" not in page
    assert "<img src=x>" not in page
    assert "49" not in re.sub(r'value="[^"]*"', "", page.split("<main")[0].split("who")[1])


# Choices


def test_choices_are_kept_and_the_page_goes_on(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    response = ana.post("/account", form(language="fr", mails=["turn", "digest"], next="/help"))
    assert response.headers["Location"] == "/help"
    kept = ana.player
    assert (kept.name, kept.language, kept.timezone) == ("Ana", "fr", "America/Lima")
    assert wants_mail(kept, "digest")
    assert not wants_mail(kept, "reminder")
    assert '<html lang="fr">' in ana.get("/account").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": "xx"},
        {"language": ""},
        {"timezone": "Mars/Olympus"},
        {"timezone": "../../etc/passwd"},
    ],
)
def test_what_is_no_choice_is_refused(signed_in: Door, wrong: dict[str, str]) -> None:
    ana = signed_in("ana@example.org")
    assert ana.post("/account", form(**wrong)).status_code == 400
    assert ana.player.name == "Player 1"


def test_unless_they_say_otherwise_players_hear_of_their_turns() -> None:
    newcomer = tables.Player(name="Ana")
    assert wants_mail(newcomer, "turn")
    assert not wants_mail(newcomer, "talk")


def test_a_guest_is_not_asked_about_mails_and_hears_of_turns_later(client: Visitor) -> None:
    client.post("/guest")
    assert 'name="mails"' not in client.get("/account").text
    client.post("/account", {"name": "Ana", "language": "en", "timezone": "UTC"})
    client.sign_in("ana@example.org")
    assert wants_mail(client.player, "turn")


# Keys for programs


def new_token(visitor: Visitor, name: str = "bot") -> str:
    found = MADE.search(visitor.post("/account/tokens", {"name": name}).text)
    assert found
    return found[0]


def whose(visitor: Visitor, token: str) -> str | None:
    with visitor.services.database.look() as session:
        try:
            return load_bearer(session, token, visitor.services.now()).player.email
        except BadToken:
            return None


def test_a_token_is_shown_once_and_kept_as_a_hash(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    token = new_token(ana)
    assert whose(ana, token) == "ana@example.org"
    assert not MADE.search(ana.get("/account/tokens").text)
    with ana.services.database.look() as session:
        assert token not in str(list(session.exec(select(tables.ApiToken))))


def test_a_token_that_was_ended_opens_nothing(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    token = new_token(ana)
    ana.post("/account/tokens/1/end")
    assert whose(ana, token) is None


def test_nobody_ends_the_token_of_another(signed_in: Door) -> None:
    ana, eva = signed_in("ana@example.org"), signed_in("eva@example.org")
    token = new_token(ana)
    eva.post("/account/tokens/1/end")
    assert whose(ana, token) == "ana@example.org"


def test_a_token_needs_a_fresh_sign_in(signed_in: Door) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in("ana@example.org")
        clock.shift(timedelta(minutes=16))
        response = ana.post("/account/tokens", {"name": "bot"})
        assert response.status_code == 403
        assert "sign in again" in response.text


def test_a_guest_has_no_tokens(client: Visitor) -> None:
    client.post("/guest")
    assert client.post("/account/tokens", {"name": "bot"}).status_code == 403


def test_there_is_an_end_to_tokens(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    for _ in range(MOST_TOKENS):
        new_token(ana)
    assert ana.post("/account/tokens", {"name": "bot"}).status_code == 403


def test_an_operator_prints_a_token_and_the_account_is_made(
    settings: Settings, client: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(settings.data_dir))
    printed = CliRunner().invoke(main, ["token", "Ana@example.org"], catch_exceptions=False)
    assert MADE.fullmatch(printed.output.strip())
    assert whose(client, printed.output.strip()) == "ana@example.org"
    again = CliRunner().invoke(main, ["token", "ana@example.org"], catch_exceptions=False)
    assert whose(client, again.output.strip()) == "ana@example.org"
    assert CliRunner().invoke(main, ["token", "nobody"]).exit_code == 1


# Taking everything along


def test_the_export_has_everything_about_oneself_and_no_secret(signed_in: Door) -> None:
    ana, eva = signed_in("ana@example.org"), signed_in("eva@example.org")
    new_token(ana)
    match = ana.post("/demo", {"against": "myself"}).headers["Location"].rpartition("/")[2]
    keep(ana, match, ana.player.id, "my secret plan")
    response = ana.get("/account/export")
    assert "attachment" in response.headers["Content-Disposition"]
    told = json.loads(response.text)
    assert told["player"]["email"] == "ana@example.org"
    assert [row["id"] for row in told["matches"]] == [match]
    assert told["notes"][0]["text"] == "my secret plan"
    assert told["talk"][0]["text"] == "hello"
    assert len(told["tokens"]) == len(told["sessions"]) == 1
    assert "hash" not in told["tokens"][0].keys() | told["sessions"][0].keys()
    assert "seeds" not in response.text
    assert "my secret plan" not in eva.get("/account/export").text


NOT_EXPORTED = {
    "challenge",  # holds for minutes, and says nothing
    "notice", "received", "talk_read", "proposal",  # how something is passed on; the log and the mails tell of it
    "seat",  # with its match, above
}  # fmt: skip


def test_whatever_is_kept_of_a_player_is_exported() -> None:
    """A new table of somebody's is exported, or it stands here with the reason."""
    every = tables.Table.metadata.tables.items()
    theirs = {name for name, table in every if "player_id" in table.columns}
    exported = {model.__tablename__ for model in EXPORTED.values()}
    assert theirs - exported == NOT_EXPORTED


def keep(visitor: Visitor, match: str, player_id: int | None, note: str) -> None:
    with visitor.services.database.session() as session:
        session.merge(tables.Note(match_id=match, seat=0, text=note))
        session.add(tables.Talk(match_id=match, player_id=player_id, text="hello", at=NOON))


# Leaving


def test_after_leaving_the_moves_stay_and_the_name_goes(app: Flask, signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/account", form(name="Ana the Bold"))
    token = new_token(ana)
    other = signed_in("ana@example.org")
    match = ana.post("/demo", {"against": "myself"}).headers["Location"].rpartition("/")[2]
    gone = ana.player.id
    keep(ana, match, gone, "my secret plan")
    assert ana.post("/account/delete").headers["Location"] == "/"
    assert whose(ana, token) is None
    assert [v.get("/account").status_code for v in (ana, other)] == [303, 303]
    with ana.services.database.look() as session:
        player = session.get(tables.Player, gone)
        assert player
        assert (player.email, player.name) == (None, "-")
        assert str(display_name(player)) == "former player"
        kept = session.get(tables.Match, match)
        assert kept
        assert kept.head > 0
        everything = "".join(
            str(list(session.exec(select(table))))
            for table in (tables.Login, tables.Outbox, tables.Letter)
        )
        assert "ana@example.org" not in everything
        assert not list(session.exec(select(tables.Note)))


def test_the_address_is_free_again_and_leads_to_a_new_account(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    first = ana.player.id
    ana.post("/account/delete")
    assert signed_in("ana@example.org").player.id != first


def test_leaving_needs_a_fresh_sign_in(signed_in: Door) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in("ana@example.org")
        clock.shift(timedelta(minutes=16))
        assert "sign in once more" in ana.get("/account/delete").text
        assert ana.post("/account/delete").status_code == 403
        assert ana.player.deleted_at is None
        ana.sign_in("ana@example.org")
        assert ana.post("/account/delete").status_code == 303


def test_a_guest_can_leave_too(client: Visitor) -> None:
    client.post("/guest")
    assert client.post("/account/delete").status_code == 303


@pytest.mark.parametrize(
    "page", ["/account", "/account/tokens", "/account/export", "/account/delete"]
)
def test_the_account_is_for_those_who_are_signed_in(client: Visitor, page: str) -> None:
    assert client.get(page).headers["Location"] == f"/sign-in?next={page}"
    assert client.post("/account/delete").headers["Location"] == "/sign-in"


def test_each_section_of_the_account_has_one_save_that_leaves_the_others_alone(
    app: Flask, signed_in: Door
) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/account", form(section="mails", name="", mails=["turn"], cooling="15"))
    ana.post("/account", form(section="you", name="Ana the Bold", mails=["digest"]))
    kept = ana.player
    assert kept.name == "Ana the Bold"
    assert [mail for mail in ("turn", "digest", "over") if kept.mail_preferences[mail]] == ["turn"]
    assert kept.mail_preferences["cooling"] == 15
    page = ana.get("/account").text
    for section in ("you", "mails"):
        part = page[page.index(f'id="{section}"') :].partition("</form>")[0]
        assert part.count("<button") == 1


def test_the_list_of_time_zones_is_short_and_has_ones_own(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    assert ana.post("/account", form(timezone="Europe/Vaduz")).status_code == 303
    page = ana.get("/account").text
    zones = page[page.index('id="f-timezone"') :].partition("</select>")[0]
    assert zones.count("<option") < 60
    assert '<option value="Europe/Vaduz" selected' in zones
