"""The command line: reads, asks the engine and prints. Every refusal is one sentence and exit code 1."""

from __future__ import annotations

import secrets
import sys
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from app.cli.arena import arena_command
from app.views.event_text import describe_event
from engine.core import playout, record
from engine.core.game import Game
from engine.core.match import Match, start
from engine.core.record import Record
from engine.core.referee import DEEPEST, Referee
from engine.core.refusal import Refusal
from engine.core.registry import find, games
from engine.core.secrecy import redact
from engine.core.sentence import seat_letter

# Commands by their module, loaded when one is asked for: the referee needs neither web nor database.
SERVICE = {
    **dict.fromkeys(("inbox", "serve", "web", "worker"), "app.cli.processes"),
    **dict.fromkeys(
        (
            "backup",
            "config",
            "grant",
            "health",
            "migrate",
            "move",
            "archive",
            "partition",
            "reseal",
            "token",
        ),
        "app.cli.service",
    ),
    "mail": "app.cli.mail",
    "verify": "app.cli.verify",
    **dict.fromkeys(
        ("audit", "matches", "moderator", "restore", "rewind", "suspend"), "app.cli.moderation"
    ),
}


class Speaking(click.Group):
    """A group of commands in which a refusal of the engine is a sentence, not a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*super().list_commands(ctx), *SERVICE))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in SERVICE:
            command: click.Command = getattr(import_module(SERVICE[cmd_name]), cmd_name)
            return command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            raise click.ClickException(str(refusal)) from refusal


@click.group(cls=Speaking)
@click.version_option(package_name="chasqui-pbem")
def main() -> None:
    """Chasqui: slow board games by mail. `chasqui serve` runs the whole service."""


@main.command()
def referee() -> None:
    """Hold one match: a JSON object per line in, one out (see the README)."""
    table = Referee(entropy=lambda: secrets.token_hex(32))
    for answer in table.serve(sys.stdin.buffer):
        try:
            print(answer, flush=True)
        except BrokenPipeError:  # whoever listened has gone
            sys.stderr.close()
            return


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=int, help="Stop after this position; otherwise at the end.")
@click.option("--seat", type=int, help="See it from this seat (0, 1, …); otherwise as a spectator.")
@click.option("--quiet", is_flag=True, help="Only the board, without the story before it.")
def replay(file: Path, at: int | None, seat: int | None, quiet: bool) -> None:
    """Tell the story of a recorded match and show the board at the end of it."""
    told = load_record_file(file)
    seats, last = told.started.seats, told.entries[-1].pos
    if seat is not None and not 0 <= seat < seats:
        raise click.ClickException(f"There is no seat {seat}; the seats are 0 to {seats - 1}.")
    if at is not None and not 1 <= at <= last:
        raise click.ClickException(f"There is no position {at}; the record has 1 to {last}.")
    state = None
    for entry, after in record.states(told):
        state = after
        if not quiet:
            click.echo(f"{entry.pos:5}  {sentence(told.game, entry.event, seat)}")
        if entry.pos == at:
            break
    if state is not None:
        click.echo(told.game.chart(told.game.view(state, seat), str))


@main.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@click.option("--seats", type=int, help="How many seats; otherwise the fewest.")
@click.option("--seed", default="perft", help="The seed of the match.")
def perft(game: str, depth: int, seats: int | None, seed: str) -> None:
    """Count the legal order sequences of a game, order by order deeper."""
    rules = find(game)
    match = start(rules, rules.seats[0] if seats is None else seats, {}, seed)
    for deep in range(depth + 1):
        click.echo(f"{deep}  {playout.perft(match, deep)}")


@main.command()
@click.option(
    "--game", default=lambda: next(iter(games())), help="Which game; otherwise the first."
)
@click.option("--seats", default=3, help="How many seats.")
@click.option("--seed", default=None, type=int, help="The same number gives the same match.")
@click.option("--save", type=click.Path(path_type=Path), help="Write the record to this file.")
def demo(game: str, seats: int, seed: int | None, save: Path | None) -> None:
    """Watch a whole random match, with the board as text after every few turns."""
    rules, number = find(game), secrets.randbelow(10**6) if seed is None else seed
    console = Console()
    console.print(
        f"A random match of {rules.name} with {seats} seats; --seed {number} shows it again."
    )
    (match,) = deque(shown(console, start(rules, seats, {}, f"demo {number}"), number), maxlen=1)
    console.print(rules.chart(rules.view(match.state, None), str), markup=False, highlight=False)
    tell_result(console, match)
    if save:
        write_record(save, match)


def shown(console: Console, match: Match, number: int) -> Iterator[Match]:
    """Plays the match under a progress line, showing the board now and then."""
    game = match.game
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("playing", total=None)
        for orders, later in enumerate(playout.random_acts(match, Random(number)), 1):  # noqa: S311 - a show
            scores = " ".join(
                f"{seat_letter(s)} {n}" for s, n in enumerate(game.scores(later.state))
            )
            progress.update(
                bar, description=f"{orders} orders, {later.head} events, points {scores}"
            )
            if orders % 150 == 0:
                progress.console.print(f"After {orders} orders:")
                chart = game.chart(game.view(later.state, None), str)
                progress.console.print(chart, markup=False, highlight=False)
            yield later


def tell_result(console: Console, match: Match) -> None:
    game = match.game
    for seat, score in enumerate(game.scores(match.state)):
        crown = "  wins" if seat in game.winners(match.state) else ""
        console.print(f"{seat_letter(seat)}  {score:4} PP{crown}", highlight=False)
    console.print(f"{match.head} events, head {match.hash[:16]}", highlight=False)


def write_record(path: Path, match: Match) -> None:
    try:
        path.write_text(record.text(record.export(match)), encoding="ascii")
    except OSError as fault:
        raise click.ClickException(f"{path} cannot be written: {fault.strerror}.") from fault
    click.echo(f"The record is in {path}; chasqui verify and chasqui replay read it.")


def load_record_file(path: Path) -> Record:
    try:
        content = path.read_bytes().decode("ascii")
    except OSError as fault:
        raise click.ClickException(f"{path} cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise click.ClickException(
            f"{path} is no record: it has bytes that records have not."
        ) from fault
    return record.read(record.parse(content))


def sentence(game: Game, event: Any, seat: int | None) -> str:
    """An event as `seat` may read it."""
    return str(describe_event(game, redact(event, seat)))


main.add_command(arena_command)
if __name__ == "__main__":
    main()
