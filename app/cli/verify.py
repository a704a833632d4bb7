"""`chasqui verify`: what a record is, whether it is right, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from app.cli.main import load_record_file
from app.matches.record_signing import ADDRESS, check_signature, read_public_keys
from engine.core import record, sequence
from engine.core.record import Record
from engine.core.refusal import Refusal
from engine.core.sentence import seat_letter
from engine.core.timeline import SeatsDrawn, SeatsTurned


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--key", help="A public key of the service, or a file that holds it.")
@click.option("--all", "whole", is_flag=True, help="Every match of the service's database instead.")
def verify(file: Path | None, key: str | None, whole: bool) -> None:
    """Check a record: its chain, its signature, its draws, and every order decided again by today's rules.

    Exit code 0 if nothing is wrong with it, 1 if something is.
    """
    if whole:
        verify_whole_database()
        return
    if file is None:
        raise click.UsageError("Name the file of a record, or say --all.")
    told = load_record_file(file)
    verdict = record.verify(told)
    faults = [*map(str, verdict.problems), *origin_faults(told, key)]
    faults += (
        f"Today's rules decide the order at position {pos} otherwise." for pos in verdict.drift
    )
    for line in identity(told):
        click.echo(line)
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)
    for line in (checked(verdict), origin(told, key is not None), comparison(told)):
        click.echo(line)


def verify_whole_database() -> None:
    """Every match of the database of the settings: its chain and its seeds, under a progress bar."""
    from app.operations.moving import begun_matches, verify_all  # noqa: PLC0415 - a record alone needs no database
    from app.platform.database import open_database  # noqa: PLC0415 - as above
    from app.platform.settings import load_settings  # noqa: PLC0415 - as above

    database = open_database(load_settings())
    try:
        ids = begun_matches(database)
        going = track(
            verify_all(database, ids), "Verifying", len(ids), console=Console(stderr=True)
        )
        faults = [fault for fault in going if fault]
    finally:
        database.close()
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)
    click.echo(
        f"Sound: {len(ids)} matches, every chain holds, and every seed is the one committed to."
    )


def identity(told: Record) -> Iterator[str]:
    """Which match this is, and how far the record goes."""
    seat = told.seen_by
    eyes = "a spectator" if seat is None else f"seat {seat} ({seat_letter(seat)})"
    yield f"Match: {told.started.match}, {told.game.name} for {told.started.seats}"
    yield f"Seats: {seating(told)}"
    yield f"Record: {f'redacted, as {eyes} may see it' if told.sealed else 'complete'}"
    yield f"Position: {told.head.pos}"
    yield f"Hash: {told.head.hash}"
    yield f"Ended: {ENDED[sequence.status(told.entries)]}"


def seating(told: Record) -> str:
    """How it came about who sits where; of what was not drawn nothing in the record can prove it."""
    for entry in told.entries:
        match entry.event:
            case SeatsDrawn():
                return "drawn by lot, from the sealed seed"
            case SeatsTurned(before=str(before)):
                return f"turned by one since match {before}; no lot was drawn"
            case SeatsTurned():
                return "turned by one since the match before; no lot was drawn"
    return "as the table was opened; no lot was drawn"


ENDED: dict[sequence.Status, str] = {
    "over": "yes, played out",
    "closed": "yes, closed unfinished",
    "paused": "no, paused",
    "running": "no, running",
}


def checked(verdict: record.Verdict) -> str:
    """What could be decided again, and what not."""
    if verdict.draws_checked:
        return (
            f"Sound: {verdict.events} events, the chain holds; checked: every draw and every order, "
            f"{verdict.decided} of them, up to position {verdict.events}."
        )
    return (
        f"Sound: {verdict.events} events, the chain holds; checked: {verdict.decided} orders, decided again without "
        f"any secret; {verdict.sealed} orders need one and could not be; the draws stay sealed so far."
    )


def origin_faults(told: Record, key: str | None) -> Iterator[str]:
    """Why the record does not show that it comes from where it should."""
    try:
        signed = check_signature(told)
    except Refusal as refusal:
        yield str(refusal)
        return
    if key is None:
        return
    if not signed:
        yield "The record is not signed, so it does not show that it comes from the owner of that key."
    elif told.signed and told.signed.key not in given_keys(key):
        yield "The record is signed by another key than the one given."


def origin(told: Record, proven: bool) -> str:
    """Where the record comes from, as far as it shows."""
    signed = told.signed
    if signed is None:
        return "Unsigned: the file does not show where it comes from, nor whether its end was cut."
    when = f", at {signed.at}" if signed.at else ""
    where = f"Signed up to position {signed.pos}{when}, by {signed.service}"
    if proven:
        return f"{where}: with the key that was given."
    return (
        f"{where}, says the file: the signature fits the key it names ({signed.key}), whose owner it cannot prove; "
        f"see {signed.service}{ADDRESS}, or give it by --key."
    )


def comparison(told: Record) -> str:
    return (
        f"Compare position and hash with the footer of a mail of position {told.head.pos}: "
        "players' mailboxes are witnesses."
    )


def given_keys(key: str) -> list[str]:
    """The keys that were given, in letters or in a file."""
    path = Path(key)
    try:
        return read_public_keys(path.read_text("ascii") if path.is_file() else key)
    except (OSError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{path} cannot be read as a key.") from fault
