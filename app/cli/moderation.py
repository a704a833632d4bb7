"""The operator's commands for matches: which there are, taking one back, and who did what."""

from __future__ import annotations

import csv
import sys
from datetime import datetime

import click
from rich.console import Console
from rich.table import Table
from sqlmodel import Session, col, select

from app.cli.service import open_prepared_database
from app.matches.access import Place
from app.moderation.acts import BEGUN, take_care
from app.moderation.commands import OPERATOR, Restore, Rewind
from app.moderation.execute import execute
from app.moderation.moderators import appoint_site_moderator
from app.moderation.suspensions import lift_suspension, suspend_account
from app.platform import tables
from app.platform.tables import utc_now
from app.platform.text_input import check_email_address
from app.views.audit_log import load_all_deeds
from app.views.history import load_steps
from app.views.knowledge_report import load_knowledge_report
from app.views.match_json import load_table
from engine.core import match as rules
from engine.core.refusal import Unknown
from engine.core.sentence import say

CONSOLE = Console()
MOST = 200


@click.command()
@click.option("--status", type=click.Choice(tables.Status.__args__), help="Only these.")  # type: ignore[attr-defined]  # of a Literal
@click.option("--stalled", is_flag=True, help="Only those whose deadline has passed.")
def matches(status: str | None, stalled: bool) -> None:
    """List the matches, the newest first."""
    query = select(tables.Match).order_by(col(tables.Match.created_at).desc()).limit(MOST)
    if status:
        query = query.where(tables.Match.status == status)
    if stalled:
        query = query.where(
            tables.Match.status == "running", col(tables.Match.deadline) < utc_now()
        )
    table = Table("match", "game", "status", "head", "deadline", "title")
    with open_prepared_database().look() as session:
        for row in session.exec(query):
            due = f"{row.deadline:%Y-%m-%d %H:%M} UTC" if row.deadline else ""
            table.add_row(row.id, row.game, row.status, str(row.head), due, row.title)
    CONSOLE.print(table)


@click.command()
@click.argument("match_id")
@click.argument("to", type=int)
@click.option("--reason", required=True, help="What the table is told.")
@click.option("--dry-run", is_flag=True, help="Say what would be cut, and change nothing.")
def rewind(match_id: str, to: int, reason: str, dry_run: bool) -> None:
    """Take a match back to the end of an earlier order; what is cut stays in the log."""
    database = open_prepared_database()
    with database.look() as session:
        tell_turn(session, match_id, to)
    if dry_run:
        click.echo("Nothing was changed.")
        return
    command = Rewind(match_id=match_id, by=OPERATOR, to=to, reason=reason)
    head = execute(database, command, utc_now()).head
    click.echo(f"Taken back; the match is at position {head}, and its players are written to.")


def tell_turn(session: Session, match_id: str, to: int) -> None:
    """What a rewind would cut, and what was learned in it; no secret is told."""
    row = session.get(tables.Match, match_id)
    if row is None:
        raise Unknown(say("There is no match {match}.", match=match_id))
    here = Place(match_id, None, None, False, row.public, row.status, role="operator")
    at = load_table(session, here)
    at.match.timeline.check_rewind(to)
    _, steps = load_steps(session, here, to)
    for step in steps:
        if not step.cut:
            click.echo(f"{step.pos:5}  {step.sentence}")
    report = load_knowledge_report(session, at, to)
    for learned in report.seats:
        click.echo(str(learned.sentence))
        for told in learned.told:
            click.echo(f"       {told}")
    if report.shown:
        click.echo("Everybody saw:")
    for told in report.shown:
        click.echo(f"       {told}")
    sent = sum(mail["state"] == "sent" for mail in report.mails)
    click.echo(f"Mails that went out about it: {sent}.")


@click.command()
@click.argument("match_id")
@click.option("--dry-run", is_flag=True, help="Say whether it could be done, and change nothing.")
def restore(match_id: str, dry_run: bool) -> None:
    """Bring back what the last rewind cut, while nothing new was played."""
    database = open_prepared_database()
    command = Restore(match_id=match_id, by=OPERATOR)
    if dry_run:
        with database.session() as session:
            care = take_care(session, command, utc_now(), *BEGUN)
            back = len(care.match.timeline.cuts[-1]) if care.match.timeline.cuts else 0
            rules.restore(care.match, care.role)
        click.echo(f"{back} events would be brought back. Nothing was changed.")
        return
    head = execute(database, command, utc_now()).head
    click.echo(f"Restored; the match is at position {head}, and its players are written to.")


@click.command()
@click.argument("match_id", required=False)
@click.option("--since", type=click.DateTime(), help="Only from this day on (UTC).")
def audit(match_id: str | None, since: datetime | None) -> None:
    """Print who did what in care of a match, or of all, as CSV."""
    lines = csv.writer(sys.stdout)
    lines.writerow(("at", "match", "role", "name", "act", "pos", "whom", "reason"))
    with open_prepared_database().look() as session:
        for deed in load_all_deeds(session, match_id):
            if since is None or deed.at.replace(tzinfo=None) >= since:
                name = deed.name or ""
                done = (deed.act, deed.pos, deed.whom or "", deed.reason)
                told = (deed.match_id, deed.role, name, *done)
                lines.writerow((deed.at.isoformat(), *told))


@click.command()
@click.argument("email")
@click.option("--dismiss", is_flag=True, help="No longer.")
def moderator(email: str, dismiss: bool) -> None:
    """Make somebody a moderator of the whole site."""
    with open_prepared_database().session() as session:
        appoint_site_moderator(session, person(session, email), not dismiss, utc_now())
    click.echo(f"{email} {'is no longer' if dismiss else 'is now'} a moderator of this site.")


@click.command()
@click.argument("email")
@click.option("--reason", required=True, help="What the person and the audit are told.")
@click.option("--lift", is_flag=True, help="Let the account in again.")
def suspend(email: str, reason: str, lift: bool) -> None:
    """Shut an account out of the site: it cannot sign in, act, use tokens or answer by mail."""
    act = lift_suspension if lift else suspend_account
    with open_prepared_database().session() as session:
        act(session, person(session, email), None, reason, utc_now())
    click.echo(f"{email} {'is let in again' if lift else 'is suspended'}, and is written to.")


def person(session: Session, email: str) -> tables.Player:
    """The account of an address."""
    query = select(tables.Player).where(tables.Player.email == check_email_address(email))
    player = session.exec(query).one_or_none()
    if player is None:
        raise click.ClickException(f"Nobody has the address {email} here.")
    return player
