"""SQLModel tables. Others write `tables.Match`; the rows of `event` are the event store's alone."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Date,
    DateTime,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

# Names of all columns, not of the first alone: two constraints of a table must not be called the same.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
NEVER_REUSED = {
    "sqlite_autoincrement": True
}  # an id in a mail or a cookie must not come to mean another
Language = Literal["en", "fr", "pt_BR"]
Status = Literal["open", "running", "paused", "over", "closed"]
UNDER_WAY: tuple[Status, ...] = ("running", "paused")
OutboxState = Literal["waiting", "sent", "dropped", "dead"]
Phase = Literal["idle", "turn", "bank", "over"]


class Moment(TypeDecorator[datetime]):
    """A point in time, always in UTC. SQLite knows no zones: there it is text of one width, which sorts."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        return written if dialect.name == "sqlite" else in_utc

    def result_processor(self, dialect: Dialect, _: object) -> Callable[[Any], datetime | None]:
        return understood if dialect.name == "sqlite" else in_utc


def in_utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{value} says no time zone")
    return value and value.astimezone(UTC)


def written(value: datetime | None) -> str | None:
    utc = in_utc(value)
    return None if utc is None else utc.replace(tzinfo=None).isoformat(" ", "microseconds")


def understood(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value).replace(tzinfo=UTC)


Json = JSON(
    none_as_null=True
)  # not JSONB, which sorts keys: a repeated answer must be the same text


def utc_now() -> datetime:
    return datetime.now(UTC)


def one_of(column: str, kinds: Any) -> CheckConstraint:
    """A column that takes the words of a Literal and no others."""
    words = ", ".join(f"'{word}'" for word in kinds.__args__)
    return CheckConstraint(f"{column} IN ({words})", name=column)


class Table(SQLModel):
    """What all tables share: one set of names for their constraints."""

    model_config = {"defer_build": True}  # rows are not validated: no start waits for validators

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


# People


class Player(Table, table=True):
    """A person; a guest has no address, a deleted one keeps its seats and loses its name."""

    __table_args__ = (
        one_of("language", Language),
        Index(None, "guest", "created_at"),
        NEVER_REUSED,
    )

    id: int | None = Field(default=None, primary_key=True)
    email: str | None = Field(default=None, unique=True)
    name: str
    language: Language = Field(default="en", sa_type=String)
    timezone: str = "UTC"
    mail_preferences: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    moderator: bool = False
    guest: bool = False
    bouncing_at: datetime | None = Field(default=None, sa_type=Moment)  # mails come back since then
    # until when the clocks stand still for it, or stood
    frozen_until: datetime | None = Field(default=None, sa_type=Moment)
    quiet_from: int | None = None  # minutes after midnight, where the player lives
    quiet_to: int | None = None
    digest_at: datetime | None = Field(default=None, sa_type=Moment, index=True)  # the next one
    calendars: int = 0  # how often the secret link to the calendar was made void
    coach_off_at: datetime | None = Field(default=None, sa_type=Moment)  # wants no advice any more
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    deleted_at: datetime | None = Field(default=None, sa_type=Moment)
    suspended_at: datetime | None = Field(default=None, sa_type=Moment)
    suspended_why: str = Field(default="", sa_type=Text)


class Vacation(Table, table=True):
    """Days on which a player's clocks stand still, by the player's own calendar."""

    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    first: date = Field(sa_type=Date)
    last: date = Field(sa_type=Date)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)  # came back before the last day


class Login(Table, table=True):
    """A sign-in link: good for one use, soon after it was made."""

    __table_args__ = (Index(None, "email", "created_at"), Index(None, "created_at"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    email: str
    next: str | None = None
    nonce: str | None = (
        None  # with our key it gives the secret again: the same link may be mailed twice
    )
    asker: str | None = None  # a hash of the address that asked for it
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    mailed_at: datetime | None = Field(default=None, sa_type=Moment)
    used_at: datetime | None = Field(default=None, sa_type=Moment)


class Session(Table, table=True):
    """A signed-in browser; `fresh_at` is when its owner last proved to be themselves."""

    __table_args__ = (
        Index(None, "seen_at"),
        Index(None, "created_at"),
        Index(None, "ended_at"),
        NEVER_REUSED,
    )

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    fresh_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    seen_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    browser: str = ""  # "Firefox · Linux": what it called itself, in plain words


class ApiToken(Table, table=True):
    """A key for programs that a player gave a name to."""

    __tablename__ = "api_token"
    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    name: str
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    scopes: list[str] = Field(default_factory=list, sa_type=Json)
    expires_at: datetime = Field(sa_type=Moment)
    last_used_at: datetime | None = Field(default=None, sa_type=Moment)


class Passkey(Table, table=True):
    """A WebAuthn credential that signs a player in; what is kept of it opens nothing."""

    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    credential_id: str = Field(unique=True)  # base64url, as browsers write it
    public_key: str  # base64url of its COSE form
    sign_count: int
    name: str
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    last_used_at: datetime | None = Field(default=None, sa_type=Moment)


class Challenge(Table, table=True):
    """What a passkey must sign: handed to one browser, for one use within minutes."""

    challenge_hash: str = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")  # who adds a passkey
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment, index=True)


class AddressChange(Table, table=True):
    """A player's wish to have another address; it is theirs once links sent to both were used."""

    __tablename__ = "address_change"
    __table_args__ = (Index(None, "player_id", "created_at"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    session_id: int  # the browser that asked stays signed in
    email: str
    old_hash: str = Field(unique=True)
    new_hash: str = Field(unique=True)
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    old_at: datetime | None = Field(default=None, sa_type=Moment)
    new_at: datetime | None = Field(default=None, sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)


class AccessEvent(Table, table=True):
    """One line of a player's access log: a sign-in, or a change of what lets them in."""

    __tablename__ = "access_event"
    __table_args__ = (Index(None, "player_id", "id"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    kind: str
    browser: str = ""
    at: datetime = Field(default_factory=utc_now, sa_type=Moment, index=True)


class Declined(Table, table=True):
    """An address whose owner wants no invitations: only its hash, for whoever never comes has no account here."""

    address_hash: str = Field(primary_key=True)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class SolvedLesson(Table, table=True):
    """A lesson that somebody solved, and when first."""

    __tablename__ = "solved_lesson"

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    game: str = Field(primary_key=True)
    lesson: str = Field(primary_key=True)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class PuzzleTry(Table, table=True):
    """What somebody made of a puzzle: how often they tried, the best they found, when they solved it or saw how."""

    __tablename__ = "puzzle_try"
    __table_args__ = (Index(None, "game", "puzzle"),)

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    game: str = Field(primary_key=True)
    puzzle: str = Field(primary_key=True)
    tries: int = 0
    best: int = 0
    solved_at: datetime | None = Field(default=None, sa_type=Moment)
    shown_at: datetime | None = Field(default=None, sa_type=Moment)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class PushSubscription(Table, table=True):
    """A browser that a player lets us wake (Web Push): where to, and the keys that only it can open."""

    __tablename__ = "push_subscription"
    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    endpoint: str = Field(unique=True)
    p256dh: str
    auth: str
    browser: str = ""
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class Webhook(Table, table=True):
    """An address of a player's own that is told as JSON what waits for them."""

    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    url: str
    last_error: str = ""
    failed_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class Notice(Table, table=True):
    """Something to tell a browser or a webhook of a player's; gone once it is told."""

    __table_args__ = (Index(None, "not_before"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    match_id: str = Field(foreign_key="match.id")
    push_id: int | None = None
    webhook_id: int | None = None
    tries: int = 0
    not_before: datetime = Field(default_factory=utc_now, sa_type=Moment)


# Matches


class Match(Table, table=True):
    """A match: what was agreed on, and where its log stands. `head` and `hash` are the store's to change."""

    __table_args__ = (
        one_of("status", Status),
        Index(None, "status", "deadline"),
        Index(None, "status", "ended_at"),
        Index(None, "bot_at"),
        Index(None, "standing_at"),
        Index(None, "owner_id"),
        Index(None, "created_at", "id"),
        Index(None, "status", "public", "created_at"),
    )

    id: str = Field(primary_key=True)
    game: str
    title: str
    owner_id: int | None = Field(default=None, foreign_key="player.id")
    options: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    pace: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    public: bool = False
    status: Status = Field(default="open", sa_type=String)
    seats: int
    # [[since, seed], ...], sealed (`seed_vault`): secret until the match is over, and made when the table is opened
    seeds: Any = Field(default=None, sa_type=Json, nullable=True, repr=False)
    commitment: str | None = None  # to the first seed: shown before anybody gives a nonce
    head: int = 0
    hash: str
    deadline: datetime | None = Field(default=None, sa_type=Moment)
    bot_at: datetime | None = Field(default=None, sa_type=Moment)  # since when a bot is asked
    # when standing orders answer next: a secret of the seat that has them
    standing_at: datetime | None = Field(default=None, sa_type=Moment)
    hints: bool = False  # whether players may ask a bot for advice
    imported: bool = False  # from a record
    rematch_of: str | None = Field(default=None, index=True)  # the match that is played again
    alone: bool = False  # it began with one person in every seat, who has seen all hands
    coached: int | None = None  # turns in which its owner, a newcomer, is told what to do next
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    started_at: datetime | None = Field(default=None, sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)


class Seat(Table, table=True):
    """Who sits where: a player, a bot, somebody invited, or nobody yet."""

    # Both columns: by the player's alone, SQLite would walk through all their matches to find them in one.
    __table_args__ = (Index(None, "player_id", "match_id"),)

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    number: int = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    bot: str | None = None
    invited_email: str | None = Field(default=None, index=True)
    invite_hash: str | None = Field(default=None, unique=True)
    nonce: str | None = None  # while the table is open: a hash of what the player mixes into chance


class SeatChange(Table, table=True):
    """Who had a seat until the event at `pos` gave it to another: a player or a bot."""

    __tablename__ = "seat_change"

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    pos: int = Field(primary_key=True)
    seat: int
    player_id: int | None = Field(default=None, foreign_key="player.id")
    bot: str | None = None


class SharePicture(Table, table=True):
    """The picture by which a match is shared, as everybody may see it at the position `head`."""

    __tablename__ = "share_picture"

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    head: int
    png: bytes


class MatchReview(Table, table=True):
    """What a bot made of a match that is over, at the position `head`: turn by turn, and where it turned."""

    __tablename__ = "match_review"

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    head: int
    found: dict[str, Any] = Field(sa_type=Json)


class Moderator(Table, table=True):
    """Somebody named to care for a match beside its owner."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    player_id: int = Field(primary_key=True, foreign_key="player.id", index=True)


class ModeratorInvitation(Table, table=True):
    """Somebody who does not sit at a table and is asked to care for its match; they accept with that address."""

    __tablename__ = "moderator_invitation"
    __table_args__ = (Index(None, "match_id", "id"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id")
    email: str = Field(index=True)
    role: str  # as what the one who asks cares for the match
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    settled: str | None = None  # "taken" or "withdrawn"


class Audit(Table, table=True):
    """Who did what in care of a match or of the site; the operator at the command line is nobody's number."""

    __table_args__ = (Index(None, "match_id", "id"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    match_id: str | None = Field(default=None, foreign_key="match.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    subject_id: int | None = Field(default=None, foreign_key="player.id")  # to whom it was done
    role: str
    act: str
    pos: int | None = None
    reason: str = Field(default="", sa_type=Text)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class Report(Table, table=True):
    """What a player wants the site's moderators to look at."""

    __table_args__ = (Index(None, "settled_at", "id"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id")
    text: str = Field(sa_type=Text)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    settled_at: datetime | None = Field(default=None, sa_type=Moment)


class Event(Table, table=True):
    """The log. Rows are added and never changed: triggers refuse everything else.

    Without a rowid SQLite keeps a match's events side by side, and no row can be replaced by its rowid.
    """

    __table_args__ = ({"sqlite_with_rowid": False},)

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    pos: int = Field(primary_key=True)
    act: int
    seat: int | None = None
    order: str | None = Field(default=None, sa_type=Text)
    kind: str
    data: str = Field(sa_type=Text)
    hidden: bool = False
    hash: str
    at: datetime = Field(sa_type=Moment)


class Draft(Table, table=True):
    """The turn that a seat composes, made for the position `head`."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    orders: list[str] = Field(default_factory=list, sa_type=Json)
    head: int
    updated_at: datetime = Field(default_factory=utc_now, sa_type=Moment)


class Note(Table, table=True):
    """What a seat writes down for itself."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    text: str = Field(default="", sa_type=Text)


class Talk(Table, table=True):
    """One thing said at the table."""

    __table_args__ = (Index(None, "match_id", "id"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id")
    text: str = Field(sa_type=Text)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    hidden_at: datetime | None = Field(default=None, sa_type=Moment)


class TalkRead(Table, table=True):
    """How far somebody has read what is said at a table."""

    __tablename__ = "talk_read"

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    player_id: int = Field(primary_key=True, foreign_key="player.id")
    talk_id: int


class Submission(Table, table=True):
    """An answer that was given, so that a repeat of the same request gets it again."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    payload_hash: str
    answer: dict[str, Any] = Field(sa_type=Json)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment, index=True)


class Standing(Table, table=True):
    """What a seat wants answered for it while it sleeps."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    orders: dict[str, Any] = Field(default_factory=dict, sa_type=Json)


class Cooling(Table, table=True):
    """Orders that came by mail and count when their time has come, unless their player recalls them; one set a seat."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    head: int  # where the match was when the mail was written that they answer
    orders: list[str] = Field(default_factory=list, sa_type=Json)
    key: str  # of the mail that brought them, so that they are played once
    message_id: str = ""
    due_at: datetime = Field(sa_type=Moment, index=True)


class Answered(Table, table=True):
    """An act that standing orders gave; only its own seat is told so."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    act: int = Field(primary_key=True)
    seat: int


class Clock(Table, table=True):
    """The time of one seat: what of its bank is left, and when somebody must look at it next.

    It runs while the seat is asked: first for the turn's hours, then for those of the bank, then it is over.
    While it stands still (a pause, mails that come back) `left` are the seconds until `due_at` would be.
    """

    __table_args__ = (one_of("phase", Phase), Index(None, "wake_at"))

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    phase: Phase = Field(default="idle", sa_type=String)
    bank: int  # seconds
    due_at: datetime | None = Field(default=None, sa_type=Moment)
    left: int | None = None
    wake_at: datetime | None = Field(default=None, sa_type=Moment)


class LateTurn(Table, table=True):
    """Somebody's time was over before they had answered what stood at `pos`."""

    __tablename__ = "late_turn"

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    pos: int = Field(primary_key=True)
    player_id: int = Field(primary_key=True, foreign_key="player.id", index=True)


class ClockStop(Table, table=True):
    """What a clock had left when something at the position `pos` stopped it: whoever goes back before it has no more."""

    __tablename__ = "clock_stop"
    __table_args__ = (one_of("phase", Phase), Index(None, "match_id", "seat"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id")
    seat: int
    pos: int
    phase: Phase = Field(sa_type=String)
    left: int  # seconds of that phase
    bank: int
    at: datetime = Field(sa_type=Moment)


class Proposal(Table, table=True):
    """What the log must not say of a proposed act: who wishes it, and the address that it names."""

    match_id: str = Field(primary_key=True, foreign_key="match.id")
    pos: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    email: str | None = Field(default=None, index=True)


# Mails


class Outbox(Table, table=True):
    """A mail to be sent, written with the events it tells of: one per match, position, recipient and kind."""

    __table_args__ = (
        UniqueConstraint("match_id", "pos", "player_id", "kind", "number"),
        # NULLs never collide: those who are not players yet are told apart by their address
        Index(
            "uq_outbox_match_id_pos_email_kind",
            "match_id",
            "pos",
            "email",
            "kind",
            unique=True,
            sqlite_where=text("player_id IS NULL"),
            postgresql_where=text("player_id IS NULL"),
        ),
        one_of("state", OutboxState),
        Index(None, "state", "not_before"),
        Index(None, "kind", "created_at"),
        NEVER_REUSED,
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: str | None = Field(default=None, foreign_key="match.id")
    pos: int = 0
    player_id: int | None = Field(default=None, foreign_key="player.id")
    email: str | None = None
    kind: str
    number: int = 0  # of several reminders at one position
    state: OutboxState = Field(default="waiting", sa_type=String)
    why: str | None = None  # a word for why it was dropped, or what the mail server said
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    tries: int = 0
    not_before: datetime = Field(default_factory=utc_now, sa_type=Moment)
    created_at: datetime = Field(default_factory=utc_now, sa_type=Moment)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)


class Received(Table, table=True):
    """A mail that came in, so that one that comes twice does nothing twice.

    `key` stands for its Message-ID and the address it came to. Only what nobody could read is kept whole.
    """

    __table_args__ = (Index(None, "player_id", "at"), NEVER_REUSED)

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    match_id: str | None = Field(default=None, foreign_key="match.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    state: str
    source: str | None = Field(default=None, sa_type=Text)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment, index=True)


class Arrival(Table, table=True):
    """How many mails came for one account in one hour, counted before anybody reads them."""

    key: str = Field(primary_key=True)
    hour: datetime = Field(primary_key=True, sa_type=Moment)
    count: int


class Letter(Table, table=True):
    """A mail in the mailbox of an embedded service."""

    __table_args__ = (NEVER_REUSED,)

    id: int | None = Field(default=None, primary_key=True)
    outbox_id: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    to: str = Field(index=True)
    subject: str
    text: str = Field(sa_type=Text)
    html: str | None = Field(default=None, sa_type=Text)
    source: str = Field(sa_type=Text)
    at: datetime = Field(default_factory=utc_now, sa_type=Moment)


# The service itself


class Heartbeat(Table, table=True):
    """When a chore of the workers, or the nightly backup, last went well, and how it failed since."""

    name: str = Field(primary_key=True)
    late_after: int  # seconds
    ok_at: datetime | None = Field(default=None, sa_type=Moment)
    failed_at: datetime | None = Field(default=None, sa_type=Moment)
    why: str = Field(default="", sa_type=Text)


# Numbers of rows are 64 bits wide, all of them: a service that writes many mails would run out of 32.
ROW_NUMBER = BigInteger().with_variant(
    Integer, "sqlite"
)  # which counts by itself only what is INTEGER
for table in Table.metadata.tables.values():
    for column in table.columns:
        if isinstance(column.type, Integer) and (
            column.name == "id" or column.name.endswith("_id")
        ):
            column.type = ROW_NUMBER
