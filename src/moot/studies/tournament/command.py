"""The command that finds out which model debates best."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moot.cli.hints import command
from moot.cli.options import PLANNING, Output, print_json, with_options, with_output
from moot.studies.batch.command import BUDGET_OPTIONS, RUNNING_OPTIONS, budget_of, executor_of, print_plan
from moot.system import run_until_stopped
from moot.text import printable

if TYPE_CHECKING:
    from rich.console import Console

    from moot.studies.tournament import Ended, Tournament, TournamentFile, TournamentPlan

MOST_JURIES = 20


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE|FOLDER")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The tournament's folder.  [default: tournaments/NAME-HASH, the same for the same file]",
)
@with_options(RUNNING_OPTIONS)
@with_options(BUDGET_OPTIONS)
@with_output
def tournament(file: Path, output: Output, **given: Any) -> int:
    """Which model debates best?

    FILE names models, motions and a jury. Each two models debate each motion with the sides swapped, before judges of
    other families, who read in both orders. The result is a leaderboard with intervals, tests, and the biases of
    judges. The same command, or the tournament's FOLDER in place of the file, continues a tournament that was stopped;
    no reply is paid twice. `moot plan tournament FILE` says what it takes."""
    from moot.studies.batch import TotalLimits
    from moot.studies.tournament import Tournament, create_tournament, plan_tournament, read_tournament

    budget = budget_of(given)
    if (file / "tournament.json").is_file():
        if given["out"]:
            raise click.UsageError("--out is for a file; a folder is its own.")
        found = Tournament(file)
        wanted = found.file
        if click.get_current_context().meta.get(PLANNING):
            return _plan(wanted, budget, output)
    else:
        wanted = read_tournament(file)
        if click.get_current_context().meta.get(PLANNING):
            return _plan(wanted, budget, output)
        asyncio.run(plan_tournament(wanted))  # settings with which no debate could be held are reported now, and once
        found = create_tournament(wanted, file.name, given["out"])
    limits = TotalLimits.model_validate(wanted.budget.model_dump() | budget)
    return _drive(found, limits, output, given)


def _plan(wanted: "TournamentFile", budget: dict[str, Any], output: Output) -> int:
    from rich.console import Console

    from moot.studies.tournament import plan_tournament

    planned = asyncio.run(plan_tournament(wanted))
    budget = wanted.budget.model_dump(exclude_none=True) | budget
    if output.as_json:
        juries = [
            {"models": list(pair), "jury": jury, "left_out": left} for pair, (jury, left) in planned.judges.items()
        ]
        least = None if planned.least is None else planned.least.model_dump(mode="json")
        print_json(planned.most.model_dump(mode="json") | {"least": least, "juries": juries, "budget": budget})
        return 0
    print_plan(planned.most, budget)
    console = Console()
    if planned.least is not None:
        early = planned.least
        console.print(f"At the first look it may end, after {early.debates:,} debates and {early.calls:,} calls.")
    if wanted.pairing == "swiss":
        console.print("Who meets whom is known as it goes: typical figures are those of an average pair.")
    _print_juries(planned, console)
    return 0


def _print_juries(planned: "TournamentPlan", console: "Console") -> None:
    from rich.text import Text

    from moot.cli.tables import make_table

    table = make_table("models", "judges", "left out")
    for (one, other), (jury, left) in list(planned.judges.items())[:MOST_JURIES]:
        cells = (f"{one} – {other}", ", ".join(jury), ", ".join(left) or "nobody")
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(table)
    if (more := len(planned.judges) - MOST_JURIES) > 0:
        console.print(f"{more:,} more pairs are in the output of --json.")


def _drive(found: "Tournament", limits: Any, output: Output, given: dict[str, Any]) -> int:
    from rich.console import Console

    from moot.cli.download import show_downloads
    from moot.studies.batch.display import open_batch_display
    from moot.studies.tournament import run_tournament, write_documents

    console = Console(stderr=True)
    retry, executor = given["retry_failed"], executor_of(given)
    try:
        with show_downloads(console, output.display), open_batch_display(output.display, console) as told:
            work = run_tournament(found, executor, limits=limits.limits, retry_failed=retry, told=told)
            ended = run_until_stopped(work)
    except KeyboardInterrupt:
        write_documents(found, reason="It was interrupted")
        click.echo(printable(f"\nInterrupted. Go on with: {command('tournament', str(found.path))}"), err=True)
        return 130
    write_documents(found, ended.board, f"The budget is reached: {ended.reason}" if ended.status == "limit" else None)
    _print(found, ended, output)
    return {"done": 0, "failed": 1, "limit": 3}[ended.status]


def _print(found: "Tournament", ended: "Ended", output: Output) -> None:
    if output.as_json:
        head = {"tournament": str(found.path), "status": ended.status, "reason": ended.reason}
        print_json({**head, "leaderboard": ended.board.model_dump(mode="json")})
        return
    from rich.console import Console
    from rich.text import Text

    from moot.cli.tables import make_table
    from moot.studies.tournament.report import claims, elo, elo_interval, headline, places_of

    console, board = Console(), ended.board
    console.print(Text(printable(f"{headline(board)}.")), soft_wrap=True)
    table = make_table("model", ">place", ">may be", ">strength", ">95 %", ">points")
    for column in table.columns[1:]:
        # In a narrow terminal names are cut, figures never.
        column.no_wrap = True
    for one in board.places:
        cells = (
            one.model,
            f"{one.place or '–'}",
            places_of(one),
            elo(one.strength),
            elo_interval(one),
            f"{one.points:g}",
        )
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(table)
    said = [*claims(board), *board.notes]
    if ended.reason:
        said.append(f"The budget is reached: {ended.reason}. Go on with: {command('tournament', str(found.path))}")
    for text in said:
        console.print(Text(printable(text)), soft_wrap=True)
    console.print(Text(printable(f"{found.path}/leaderboard.html")), soft_wrap=True)
