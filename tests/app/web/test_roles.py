"""Every page and every form for every role: who may look, who may act, and that the others change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.eventstore.store import MATCH_CACHE
from app.outbox.mail_preferences import unsubscribe_token
from app.views.deadlines import calendar_token
from tests.app.browser import services_of
from tests.app.http.test_security import dump
from tests.app.roles import MATCH, ROLES, THEIRS, World, begun, path, rules, world

# Who may, of those at a table; the others are told that it is not for them, or that there is nothing.
SEATED = frozenset({"player", "carer", "holder"})
CARERS = frozenset({"carer", "owner", "site"})
OWNERS = frozenset({"owner", "site"})
AT_TABLE = SEATED | CARERS
LOOKING = AT_TABLE | {"invited"}
ANYBODY = frozenset(ROLES)

# Pages of a match: who may look at it; whether whoever is nobody is sent to sign in.
PAGES: dict[str, tuple[frozenset[str], bool]] = {
    "match.turn": (LOOKING, False),
    "history.story": (LOOKING, False),
    "history.position": (LOOKING, False),
    "history.record": (LOOKING, False),
    "result.show": (LOOKING, False),
    "review.show": (LOOKING, False),
    **{
        f"analysis.{name}": (LOOKING, False)
        for name in ("newest", "show", "parts", "choices", "brings", "keep", "drop")
    },
    "match.legal": (SEATED, False),
    "match.parts": (LOOKING, False),
    "match.events": (LOOKING, False),
    "match.frames": (LOOKING, False),
    "match.brings": (SEATED, True),
    "match.confirm": (SEATED, True),
    "match.hint": (SEATED, True),
    "mails.play": (ANYBODY, True),  # it leads to the turn page and looks at nothing
    "mails.index": (AT_TABLE, True),
    "time.deadline": (SEATED, True),
    "care.bench": (CARERS, True),
    "care.turning": (CARERS, True),
    "care.deeds": (CARERS, True),
    "care.deeds_file": (CARERS, True),
    "care.asking": (SEATED, True),
    "care.resigning": (SEATED, True),
    "care.reporting": (LOOKING, True),  # the form; those at the table may send it
}
WHY = {"reason": "because"}
# What is sent to a match: by whom, and with what.
ACTS: dict[str, tuple[frozenset[str], dict[str, Any]]] = {
    "match.draft": (SEATED, {"head": 2, "seat": 0, "add": "place crop h27"}),
    "match.commit": (SEATED, {"head": 2, "seat": 0, "order": "place crop h27", "key": "k"}),
    "match.speak": (AT_TABLE, {"text": "hello"}),
    "match.note": (SEATED, {"text": "mine"}),
    "my_matches.read": (AT_TABLE, {}),
    "time.stand": (SEATED, {"question": "festival", "up_to": "3"}),
    "time.come_back": (SEATED, {}),
    "match.dismiss_advice": (LOOKING, {}),
    "mails.resend": (CARERS, {}),
    "mails.mute": (LOOKING, {"silent": "yes"}),
    "lobby.join": (frozenset({"invited"}), {}),
    "lobby.leave": (frozenset(), {}),  # too late
    "result.rematch": (frozenset(), {}),  # too early
    "review.ask": (frozenset(), {}),  # too early
    "lobby.change_seat": (frozenset(), {"wish": "open"}),  # too late
    "lobby.give_nonce": (frozenset(), {"nonce": "dice"}),  # too late
    "care.rewind": (CARERS, {"head": 4, **WHY}),
    "care.restore": (frozenset(), {"head": 4}),  # nothing is cut
    "care.pause": (CARERS, WHY),
    "care.resume": (frozenset(), WHY),  # it runs
    "care.extend": (CARERS, {"hours": 24, **WHY}),
    "care.close": (CARERS, WHY),
    "care.replace": (CARERS, {"seat": 2, "bot": "random", **WHY}),
    "care.hand_over": (OWNERS, {"player": 4, **WHY}),
    "care.name": (OWNERS, {"player": 3}),
    "care.dismiss": (CARERS, {"player": 4}),  # who was named may go
    "care.invite": (OWNERS, {"email": "new@example.net"}),
    "care.take_back": (frozenset(), {"number": 9}),  # nobody is invited
    "care.hide": (CARERS, {"talk": 1, **WHY}),
    "care.refuse": (frozenset(), {"asked": 9, **WHY}),  # nobody asked
    "care.ask": (frozenset({"player"}), {"to": 2, **WHY}),
    "care.answer": (frozenset(), {"asked": 9, "agrees": "yes"}),
    "care.withdraw": (frozenset(), {"asked": 9}),
    "care.answer_proposal": (frozenset(), {"asked": 9, "agrees": "yes"}),  # nothing is proposed
    "care.withdraw_proposal": (frozenset(), {"asked": 9}),
    "care.resign": (SEATED, WHY),
    "care.report": (AT_TABLE, {"text": "rude"}),
}
MINE = ANYBODY - {"nobody"}
SITE = frozenset({"site"})
# Pages elsewhere: who gets them. Whoever is nobody is sent to sign in, to the site's pages nobody is.
OTHERS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "pages.home",
            "pages.live",
            "pages.ready",
            "pages.metrics",
            "help.index",
            "help.game",
            "help.whole",
            "help.pieces",
        ),
        ANYBODY,
    ),
    **dict.fromkeys(("lobby.index", "signin.ask", "signin.sent"), ANYBODY),
    **dict.fromkeys(("pages.icon", "pages.showpiece"), ANYBODY),
    **dict.fromkeys(("about.show", "about.privacy", "about.robots", "about.sitemap"), ANYBODY),
    **dict.fromkeys(("about.manifest", "about.offline", "about.worker"), ANYBODY),
    **dict.fromkeys(("my_matches.index", "my_matches.waiting"), MINE),
    **dict.fromkeys(("history.compare_page", "pages.record_keys"), ANYBODY),
    **dict.fromkeys(("lobby.new", "history.import_page"), MINE),
    **dict.fromkeys(
        (
            "account.show",
            "account.tokens",
            "account.export",
            "account.before_deletion",
            "notices.show",
        ),
        MINE,
    ),
    **dict.fromkeys(
        ("site.index", "site.deeds", "site.deeds_file", "site.people", "site.person"), SITE
    ),
}
# These open by what the one who asks knows, and have tests of their own beside the one below.
BY_SECRET = {
    "lobby.follow", "lobby.invitation", "lobby.accept", "lobby.enter", "signin.follow", "signin.confirm", "signin.enter",
    "mails.ending", "mails.end", "time.feed", "address.follow", "address.confirm", "address.accept",
    "passkeys.enter", "profile.show", "result.shared", "result.shared_picture",
}  # fmt: skip
BY_ADDRESS = {"care.invitation", "care.accept"}  # for whoever was invited to care; nobody was
AT_HOME = {"mailbox.index", "mailbox.letter", "mailbox.html", "mailbox.source"}
OWN_AFFAIRS = {
    "account.change", "account.invitations", "account.new_token", "account.end_token", "account.delete", "time.be_quiet",
    "time.go_away", "time.be_back", "history.take_in", "lobby.create", "signin.leave_everywhere",
    "account.end_session", "address.ask", "address.cancel", "passkeys.ask_for_new", "passkeys.add",
    "passkeys.remove", "profile.change", "notices.subscribe", "notices.unsubscribe", "notices.add_webhook", "notices.remove_webhook",
}  # fmt: skip
FOR_EVERYBODY = {
    "pages.language", "lobby.demo", "signin.send", "signin.leave", "signin.guest", "history.compare",
    "passkeys.ask_for_one",
}  # fmt: skip
LEADING_ON = {"my_matches.following", "profile.me"}  # to a page above
# Lessons and puzzles are for everybody and hold nobody's match; tests/app/learning plays them all.
ON_A_POSITION = ("index", "show", "parts", "choices", "brings", "draft", "commit", "played")
LESSONS = {f"learn.{name}" for name in (*ON_A_POSITION, "path", "by_mail")}
PUZZLES = {f"puzzles.{name}" for name in (*ON_A_POSITION, "game", "solution")}
RULES = {"help.chapter", "help.clause", "help.example"}  # for everybody: test_surroundings.py
# For whoever may look at the match, which never hears of it: tests/app/learning/test_analysis.py
ON_PAPER = {"analysis.draft", "analysis.commit"}
PICTURED = {
    "result.public_picture"
}  # of a public match, for other sites: tests/app/web/test_result.py
OF_THE_SITE = {"site.settle", "site.suspend", "site.lift"}


@pytest.fixture(params=[True, False], ids=["public", "private"])
def made(request: pytest.FixtureRequest, tmp_path: Path, sqlite_folder: Path) -> Iterator[World]:
    with world(tmp_path / "world", sqlite_folder, begun(THEIRS), request.param) as found:
        for order in ("place village g8", "place village g10"):  # something to go back behind
            answer = found.call(
                "player", "POST", f"/api/v1/matches/{MATCH}/orders", json={"orders": [order]}
            )
            assert answer.status_code == 200, answer.text
        yield found


def endpoints(app: Flask) -> set[str]:
    return {r.endpoint for r in app.url_map.iter_rules() if not r.endpoint.startswith("api.")}


def test_every_route_stands_in_a_table_here(app: Flask) -> None:
    """Whoever adds one says for whom it is."""
    tables = (
        PAGES,
        ACTS,
        OTHERS,
        BY_SECRET,
        AT_HOME,
        OWN_AFFAIRS,
        FOR_EVERYBODY,
        OF_THE_SITE,
        LEADING_ON,
        BY_ADDRESS,
        LESSONS,
        PUZZLES,
        PICTURED,
        RULES,
        ON_PAPER,
    )
    assert sum(map(len, tables)) == len({name for table in tables for name in table})
    assert endpoints(app) == {name for table in tables for name in table}
    of_match = {r.endpoint for r in app.url_map.iter_rules() if r.rule.startswith("/m/<match_id>")}
    assert of_match == PAGES.keys() | ACTS.keys() | BY_ADDRESS | PICTURED | ON_PAPER


def refusal(role: str, public: bool, sign_in: bool) -> int:
    """What those get who may not: what is private is not there for strangers."""
    if role == "nobody" and (sign_in or not public):
        return 303
    return 404 if role == "stranger" and not public else 403


def is_public(made: World) -> bool:
    return made.call("nobody", "GET", f"/api/v1/matches/{MATCH}").status_code == 200


def test_pages_of_a_match_are_for_those_whom_they_concern(made: World) -> None:
    public, before = is_public(made), dump(services_of(made.app).settings)
    for rule in rules(made.app, "GET"):
        if rule.endpoint not in PAGES or not rule.rule.startswith("/m/"):
            continue
        may, sign_in = PAGES[rule.endpoint]
        for role in ROLES:
            allowed = role in may or (public and may == LOOKING)
            found = made.call(role, "GET", path(made.app, rule)).status_code
            if allowed and not (role == "nobody" and sign_in):
                assert found in (200, 303, *NOT_NOW.get((rule.endpoint, role), ())), (rule, role)
            else:
                assert found == refusal(role, public, sign_in), (rule, role, found)
    assert dump(services_of(made.app).settings) == before


# Who may, but is not asked now, is told so.
NOT_NOW = {("match.hint", role): (403,) for role in ("carer", "holder")}


def test_pages_elsewhere_are_for_those_whom_they_concern(made: World) -> None:
    for rule in rules(made.app, "GET"):
        may = OTHERS.get(rule.endpoint)
        if may is None:
            continue
        for role in ROLES:
            found = made.call(role, "GET", path(made.app, rule)).status_code
            refused = 404 if may == SITE else 303
            assert found == (200 if role in may else refused), (rule, role)
    for rule in rules(made.app, "GET"):
        if rule.endpoint in AT_HOME:
            assert {made.call(role, "GET", path(made.app, rule)).status_code for role in ROLES} == {
                404
            }


def posted(made: World, role: str, where: str, data: dict[str, Any]) -> int:
    return made.call(role, "POST", where, data=data).status_code


def test_who_may_not_act_changes_nothing(made: World) -> None:
    public, settings = is_public(made), services_of(made.app).settings
    before = dump(settings)
    for rule in rules(made.app, "POST"):
        if rule.endpoint not in ACTS:
            continue
        may, data = ACTS[rule.endpoint]
        for role in set(ROLES) - may:
            if public and may == LOOKING and role != "nobody":
                continue
            found = posted(made, role, path(made.app, rule), data)
            due = {refusal(role, public, sign_in=True)}
            if role in AT_TABLE and (rule.endpoint.startswith(("care.", "lobby.")) or not may):
                due = {403, 404, 409, 422}  # perhaps they may, but there is nothing to be done
            assert found in due, (rule, role, found)
    assert dump(settings) == before


# Each as the one before leaves the match.
IN_ORDER = (
    "my_matches.read", "match.draft", "match.speak", "match.note", "time.stand", "time.come_back", "match.dismiss_advice", "mails.resend", "mails.mute",
    "care.report", "care.hide", "match.commit", "care.ask", "care.extend", "care.rewind", "care.invite", "care.name",
    "care.dismiss", "lobby.join", "care.replace", "care.pause", "care.hand_over",
)  # fmt: skip
ENDS = ("care.resign", "care.close")  # shown in the tests of care


def test_who_may_act_does(made: World) -> None:
    """The same forms from the hands of those whom the table above names."""
    assert {*IN_ORDER, *ENDS} == {name for name, (may, _) in ACTS.items() if may}
    by_name = {rule.endpoint: rule for rule in rules(made.app, "POST")}
    settings = services_of(made.app).settings
    for name in IN_ORDER:
        may, data = ACTS[name]
        role = next(role for role in ("player", "owner", "invited") if role in may)
        before = dump(settings)
        form = {**data, **({"head": head(made)} if "head" in data else {})}
        found = posted(made, role, path(made.app, by_name[name]), form)
        assert found in (204, 303), (name, role, found)
        assert name == "time.come_back" or dump(settings) != before, name  # nobody was away


def head(made: World) -> int:
    return int(made.call("player", "GET", f"/api/v1/matches/{MATCH}").get_json()["head"])


def test_what_is_ones_own_and_what_is_the_sites_is_nobody_elses(made: World) -> None:
    settings, before = (
        services_of(made.app).settings,
        dump(services_of(made.app).settings),
    )
    for rule in rules(made.app, "POST"):
        if rule.endpoint in OWN_AFFAIRS:
            assert made.call("nobody", "POST", path(made.app, rule)).status_code == 303, rule
        if rule.endpoint in BY_ADDRESS:
            for role in ROLES:
                found = made.call(role, "POST", path(made.app, rule)).status_code
                assert found == (303 if role == "nobody" else 404), (rule, role)
        if rule.endpoint in OF_THE_SITE:
            for role in ROLES:
                if role != "site":
                    found = made.call(role, "POST", path(made.app, rule)).status_code
                    assert found == 404, (rule, role)
    # Tokens, browsers and days off go by numbers; those of somebody else are nothing to me.
    for what in ("tokens", "sessions", "passkeys"):
        theirs = made.call("stranger", "POST", f"/account/{what}/2/end").status_code
        assert theirs in (303, 403, 404)
    assert dump(settings) == before


def test_a_link_opens_only_what_it_was_made_for(made: World) -> None:
    """Seals of one kind are no seals of another, and a link to a calendar ends with signing out everywhere."""
    services = services_of(made.app)
    player = made.browsers["player"].player
    feed = calendar_token(services.settings, player)
    leave = unsubscribe_token(services.settings, player.id, MATCH)
    nobody = made.browsers["nobody"]
    assert nobody.get(f"/calendar/{feed}.ics").status_code == 200
    assert nobody.get(f"/unsubscribe/{leave}").status_code == 200
    for wrong in (f"/calendar/{leave}.ics", f"/unsubscribe/{feed}", f"/calendar/{feed}x.ics"):
        assert nobody.get(wrong).status_code in (403, 404), wrong
    for token in (feed, leave):
        nobody.get(f"/invitation/{token}")
        assert nobody.get("/invitation").status_code == 404
    made.browsers["player"].post("/sign-out/everywhere")
    assert nobody.get(f"/calendar/{feed}.ics").status_code == 404
    assert nobody.get(f"/unsubscribe/{leave}").status_code == 200  # it only ever ends mails


def test_a_hidden_table_is_not_told_apart_from_none_by_its_page(made: World) -> None:
    """Not even by asking whether any page at all has changed."""
    MATCH_CACHE.clear()
    for role in ("nobody", "stranger"):
        for asked in ({}, {"If-None-Match": "*"}):
            made.browsers[role].form_token()
            there = made.browsers[role].client.get(f"/m/{MATCH}", headers=asked).status_code
            hidden = 303 if role == "nobody" else 404
            assert there == (200 if is_public(made) else hidden), (role, asked)


def test_who_is_signed_out_is_asked_to_sign_in_and_led_back_to_the_match(made: World) -> None:
    if is_public(made):
        return
    sent = made.call("nobody", "GET", f"/m/{MATCH}/history/2?eyes=1")
    assert sent.status_code == 303
    assert sent.headers["Location"] == f"/sign-in?next=/m/{MATCH}/history/2?eyes%3D1"
    page = made.call("nobody", "GET", sent.headers["Location"]).text
    assert f'name="next" value="/m/{MATCH}/history/2?eyes=1"' in page


def test_whether_a_private_match_exists_is_not_told_to_who_is_signed_out(made: World) -> None:
    """Status, headers and bytes are those of an id that no match has, on every page of a match."""
    if is_public(made):
        return
    for rule in rules(made.app, "GET"):
        if "match_id" not in rule.arguments or rule.rule.startswith("/api/"):
            continue
        told = []
        for match_id in (MATCH, "nomatch234", "NOT-AN-ID!"):
            where = path(made.app, rule, match_id=match_id)
            answer = made.browsers["nobody"].client.get(where)
            # The address that was asked for is known to whoever asked.
            known = where.partition("/m/")[2].partition("/")[0].partition("?")[0]
            said = {name: value for name, value in answer.headers if name != "Content-Length"}
            masked = str((answer.status_code, said, answer.text)).replace(known, "ID")
            told.append(masked.replace("NOT-AN-ID%21", "ID").replace("NOT-AN-ID!", "ID"))
        assert told[0].startswith("(303"), rule
        assert told[0] == told[1] == told[2], rule
