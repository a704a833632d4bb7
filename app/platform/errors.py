"""Exceptions of the service: its refusals, beside those of the engine."""

from __future__ import annotations

from engine.core.refusal import IllegalMove, Refusal, Unknown
from engine.core.sentence import say

Refused = Refusal  # every refusal there is, for the surfaces: they import from the app alone


class Stale(Refusal):
    """The match has moved on since the person who asked looked at it; `head` is where it is now."""

    code = "stale"

    def __init__(self, head: int) -> None:
        super().__init__(
            say("Somebody moved meanwhile; the match is at position {head}.", head=head)
        )
        self.head = head


class Busy(Refusal):
    """The database gave no turn in time; nothing was kept and the same may be asked again."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__(say("Too many people want something just now; please try again."))


class Away(Busy):
    """The database cannot be reached, or cannot write; nothing was kept and the same may be asked again."""

    def __init__(self) -> None:
        Refusal.__init__(
            self,
            say(
                "The service cannot reach its database just now. Nothing was lost; please try again."
            ),
        )


class Forbidden(Refusal):
    """That person may not do this here."""

    code = "forbidden"


class KeyReused(Refusal):
    """The same key came with another payload."""

    code = "key"

    def __init__(self) -> None:
        super().__init__(say("This key was used for another submission already."))


class LineRefused(Refusal):
    """One order of several was refused; `line` counts from 1, and nothing of them was played."""

    def __init__(self, line: int, cause: Refusal) -> None:
        super().__init__(cause.sentence)
        self.line = line
        self.code = cause.code
        self.cause = cause


def broken_rule(problem: Refusal) -> str | None:
    """The clause of the rules that forbids it, if one does."""
    cause = problem.cause if isinstance(problem, LineRefused) else problem
    return cause.rule if isinstance(cause, IllegalMove) else None


class NotFresh(Forbidden):
    """Something dangerous was asked for by somebody who proved long ago who they are."""

    sign_in = True  # doing so helps

    def __init__(self) -> None:
        super().__init__(say("For this, please sign in again: your last sign-in is too long ago."))


class Suspended(Forbidden):
    """The account was shut out by the site's moderators."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            say("This account is suspended by the moderators of this site: {reason}", reason=reason)
        )


class NoScope(Forbidden):
    """A token that was not made for this."""

    def __init__(self, scope: str, given: list[str]) -> None:
        super().__init__(
            say(
                "This needs a token with the scope {scope}; this one has {given}.",
                scope=scope,
                given=", ".join(given),
            )
        )


class BadPasskey(Refusal):
    """A passkey that opens nothing; it does not say why."""

    code = "token"

    def __init__(self) -> None:
        super().__init__(
            say("This passkey was not accepted. Try it again, or have a link sent to you.")
        )


class BadLink(Refusal):
    """A mailed link that opens nothing, or no longer; it does not say which."""

    code = "token"

    def __init__(self) -> None:
        super().__init__(
            say(
                "This link is too old or was used before. Ask for a new one: links last 10 minutes."
            )
        )


class BadToken(Refusal):
    """A key of the API that opens nothing."""

    code = "token"

    def __init__(self) -> None:
        super().__init__(say("This needs a valid token."))


class NoMatch(Unknown):
    """No match of that id that the one who asks may see; whether there is one is nobody else's business."""

    def __init__(self, match_id: str) -> None:
        super().__init__(say("There is no match {match}.", match=match_id))


class Misspelt(Refusal):
    """What was filled in cannot be taken."""

    code = "syntax"


class TooMany(Refusal):
    """Asked for too often."""

    code = "rate"

    def __init__(self) -> None:
        super().__init__(say("That was too often. Please wait a little and try again."))


class OverQuota(Refusal):
    """Somebody has as much going on as one account may; the sentence says how much."""

    code = "rate"


class BadRecord(Refusal):
    """A record that cannot be taken in; the sentence says what is wrong with it."""

    code = "illegal"
