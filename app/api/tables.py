"""Games and tables: what can be played, opening a table, coming and going."""

from __future__ import annotations

from dataclasses import replace

from app.api.answers import Created, Games, Mails, Match, Matches
from app.api.bodies import Joining, Leaving, NewMatch, NonceGiven, Which
from app.api.operation import Answer, Call, Look, act, look
from app.api.writing import match_told, told
from app.matches import tables
from app.matches.access import access_match
from app.matches.tables import create_table, join_table, leave_table
from app.views import mail_log_json, match_json
from app.views.match_json import game_list, load_table, tell_match


@act("GET", "/games", Games)
def games(_: Call) -> Answer:
    """The games that can be played, with their numbers of seats and their options."""
    return {"games": game_list()}


@act("POST", "/matches", Created, 404, 413, body=NewMatch, status=201)
def create_match(call: Call) -> Answer:
    """Open a table; it starts at once if every seat is taken."""
    wish: NewMatch = call.body
    with call.services.database.session() as session:
        row = create_table(
            session,
            call.caller,
            wish.game,
            wish.title,
            wish.model_dump()["seats"],
            options=wish.options,
            pace=wish.pace.model_dump(exclude_unset=True) if wish.pace else None,
            public=wish.public,
            at=call.services.now(),
            hints=wish.hints,
        )
        return {"id": row.id, "url": match_address(call, row.id), "status": row.status}


def match_address(call: Call, match_id: str) -> str:
    """Where people find a match."""
    return f"{call.services.settings.base_url}/m/{match_id}"


@act("GET", "/matches", Matches, query=Which)
def list_matches(call: Call) -> Answer:
    """The matches that the caller may see, the newest first; `next` is the next page, if there is one."""
    which: Which = call.query
    player_id = call.caller_id if which.mine else call.player_id
    with call.services.database.look() as session:
        found, more = match_json.list_matches(
            session, player_id, which.page, which.status, which.mine
        )
    return {
        "matches": [match_told(match) for match in found],
        "next": which.page + 1 if more else None,
    }


@look("/matches/{match_id}", Match)
def get_match(at: Look) -> Answer:
    """A match as the caller sees it."""
    return match_told(tell_match(at.table))


@act("POST", "/matches/{match_id}/join", Match, 403, 404, 409, 413, body=Joining)
def join_match(call: Call) -> Answer:
    """Take a seat: the one that is kept for the caller, the one named, or the first that is open."""
    with call.services.database.session() as session:
        wish: Joining = call.body
        at = call.services.now()
        join_table(session, call.match_id, call.caller, at, seat=wish.seat, nonce=wish.nonce)
        return match_told(
            tell_match(load_table(session, access_match(session, call.match_id, call.caller_id)))
        )


@act("PUT", "/matches/{match_id}/nonce", Match, 403, 404, 413, body=NonceGiven)
def give_nonce(call: Call) -> Answer:
    """Mix words of the caller's own into the chance of a match that has not begun; their SHA-256 is kept and shown."""
    with call.services.database.session() as session:
        tables.give_nonce(session, call.match_id, call.caller, call.body.nonce)
        return match_told(
            tell_match(load_table(session, access_match(session, call.match_id, call.caller_id)))
        )


@act("POST", "/matches/{match_id}/leave", Match, 403, 404, 409, 413, body=Leaving)
def leave_match(call: Call) -> Answer:
    """Give the seat back, as long as the match has not begun."""
    with call.services.database.session() as session:
        before = access_match(session, call.match_id, call.caller_id)
        leave_table(session, call.match_id, call.caller)
        return match_told(tell_match(load_table(session, replace(before, seat=None))))


def log(at: Look) -> list[Answer]:
    return [told(mail) for mail in mail_log_json.list_mails(at.session, at.table)]


@look("/matches/{match_id}/mails", Mails, 403, token=True, also=log)
def list_mails(at: Look) -> Answer:
    """The match's mail log, for its table: no contents, no addresses."""
    return {"mails": log(at)}
