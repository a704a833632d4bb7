"""The operator's commands for matches: which there are, taking one back, and who did what."""

from __future__ import annotations

import csv
import sys
from datetime import datetime

import click
from rich.console import Console
from rich.table import Table
from sqlmodel import Session, col, select

from app import history, knowledge, models, moderation, seen, stewards, suspensions
from app.audit import everything
from app.cli_service import opened
from app.models import now
from app.moderation import OPERATOR
from app.play import Place
from app.words import email_address
from engine.core import match as rules
from engine.core.refusal import Unknown
from engine.core.sentence import say

CONSOLE = Console()
MOST = 200


@click.command()
@click.option("--status", type=click.Choice(models.Status.__args__), help="Only these.")  # type: ignore[attr-defined]  # of a Literal
@click.option("--stalled", is_flag=True, help="Only those whose deadline has passed.")
def matches(status: str | None, stalled: bool) -> None:
    """List the matches, the newest first."""
    query = select(models.Match).order_by(col(models.Match.created_at).desc()).limit(MOST)
    if status:
        query = query.where(models.Match.status == status)
    if stalled:
        query = query.where(models.Match.status == "running", col(models.Match.deadline) < now())
    table = Table("match", "game", "status", "head", "deadline", "title")
    with opened().look() as session:
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
    database = opened()
    with database.look() as session:
        tell_turn(session, match_id, to)
    if dry_run:
        click.echo("Nothing was changed.")
        return
    head = moderation.rewind(database, match_id, OPERATOR, None, to, reason, now())
    click.echo(f"Taken back; the match is at position {head}, and its players are written to.")


def tell_turn(session: Session, match_id: str, to: int) -> None:
    """What a rewind would cut, and what was learned in it; no secret is told."""
    row = session.get(models.Match, match_id)
    if row is None:
        raise Unknown(say("There is no match {match}.", match=match_id))
    here = Place(match_id, None, None, False, row.public, row.status, role="operator")
    at = seen.table(session, here)
    at.match.timeline.check_rewind(to)
    _, steps = history.steps(session, here, to)
    for step in steps:
        if not step.cut:
            click.echo(f"{step.pos:5}  {step.sentence}")
    report = knowledge.report(session, at, to)
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
    database = opened()
    if dry_run:
        with database.session() as session:
            care = moderation.in_care(session, match_id, OPERATOR, None, now(), *moderation.BEGUN)
            back = len(care.match.timeline.cuts[-1]) if care.match.timeline.cuts else 0
            rules.restore(care.match, care.role)
        click.echo(f"{back} events would be brought back. Nothing was changed.")
        return
    head = moderation.restore(database, match_id, OPERATOR, None, now())
    click.echo(f"Restored; the match is at position {head}, and its players are written to.")


@click.command()
@click.argument("match_id", required=False)
@click.option("--since", type=click.DateTime(), help="Only from this day on (UTC).")
def audit(match_id: str | None, since: datetime | None) -> None:
    """Print who did what in care of a match, or of all, as CSV."""
    lines = csv.writer(sys.stdout)
    lines.writerow(("at", "match", "role", "name", "act", "pos", "whom", "reason"))
    with opened().look() as session:
        for deed in everything(session, match_id):
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
    with opened().session() as session:
        stewards.appoint(session, person(session, email), not dismiss, now())
    click.echo(f"{email} {'is no longer' if dismiss else 'is now'} a moderator of this site.")


@click.command()
@click.argument("email")
@click.option("--reason", required=True, help="What the person and the audit are told.")
@click.option("--lift", is_flag=True, help="Let the account in again.")
def suspend(email: str, reason: str, lift: bool) -> None:
    """Shut an account out of the site: it cannot sign in, act, use tokens or answer by mail."""
    act = suspensions.lift_suspension if lift else suspensions.suspend_account
    with opened().session() as session:
        act(session, person(session, email), None, reason, now())
    click.echo(f"{email} {'is let in again' if lift else 'is suspended'}, and is written to.")


def person(session: Session, email: str) -> models.Player:
    """The account of an address."""
    query = select(models.Player).where(models.Player.email == email_address(email))
    player = session.exec(query).one_or_none()
    if player is None:
        raise click.ClickException(f"Nobody has the address {email} here.")
    return player
