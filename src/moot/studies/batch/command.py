"""The command that runs many debates from one file."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moot.cli.hints import command
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    PLANNING,
    RECONNECT,
    Output,
    print_json,
    settings_of,
    with_options,
    with_output,
)
from moot.cli.ranges import Whole
from moot.cli.sections import sectioned_command
from moot.engine.define.plugin_option import plugin_option
from moot.engine.define.shipped import DEFAULT
from moot.system import run_until_stopped
from moot.text import printable

if TYPE_CHECKING:
    from moot.engine.play.limits import Limits
    from moot.studies.batch import Batch, BatchPlan, BatchStatistics, Executor, Progress
    from moot.studies.page import StudyPage
    from moot.studies.tournament import Leaderboard

PRINTED = {"outcomes": 99, "flags": 99, "leaderboard": 99}
"""Sections of the report whose first table is printed, with all of its columns."""
DESIGN_OPTIONS = [
    click.option("--swap-sides", is_flag=True, help="Also run each debate with the sides swapped."),
    click.option("--swap-order", is_flag=True, help="Also run each debate with the other speaker first."),
    click.option("--reverse-claim", is_flag=True, help="Also run each debate with the claim negated."),
]
RUNNING_OPTIONS = [
    click.option(
        "--concurrency",
        type=Whole(1, 10_000),
        default=100,
        show_default=True,
        metavar="N",
        help="Number of debates to run at once.",
    ),
    click.option(
        "--queue",
        envvar="MOOT_QUEUE",
        metavar="URL",
        help="Run the debates on the workers of this queue (PostgreSQL; or MOOT_QUEUE). They keep running if "
        "you stop this command.",
    ),
    RECONNECT,
    click.option("--retry-failed", is_flag=True, help="Retry failed debates too."),
]
BUDGET_OPTIONS = [
    click.option(
        "--max-calls",
        type=Whole(0),
        metavar="N",
        help="Make up to N model calls, then stop. Limits apply to all debates together.",
    ),
    *LIMIT_OPTIONS[1:],
]


@sectioned_command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--resume", "folder", type=click.Path(path_type=Path), metavar="FOLDER", help="Continue this batch.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder of the batch.  [default: a new one]"
)
@with_options(RUNNING_OPTIONS)
@with_options(DESIGN_OPTIONS)
@with_options(MODEL_OPTIONS)
@with_options(BUDGET_OPTIONS)
@with_output
def batch(file: Path | None, folder: Path | None, output: Output, **given: Any) -> int:
    """Run many debates from one file and analyse them together.

    FILE is a YAML grid (every combination is debated), a YAML file with a `tournament` of models, or a JSONL file with
    one debate per line. The batch has its own folder. You can stop it at any time: the same command with the same
    --out, or --resume FOLDER, continues it without paying twice for any reply. `moot plan batch FILE` estimates the
    cost.
    """
    if (file is None) == (folder is None):
        raise click.UsageError("Give either a FILE or --resume FOLDER.")
    planning = click.get_current_context().meta.get(PLANNING, False)
    made_with = [given[name] for name in ("out", "model", "roles", "sampling")]
    if folder is not None and any([planning, *made_with, *_design(given).values()]):
        raise click.UsageError("--resume uses the original settings; you can only add limits.")
    return _run(file, folder, output, given, planning=planning)


def _design(given: dict[str, Any]) -> dict[str, bool]:
    return {name: given[name] for name in ("swap_sides", "swap_order", "reverse_claim")}


def budget_of(given: dict[str, Any]) -> dict[str, Any]:
    names = ("max_calls", "max_tokens", "max_cost", "max_minutes")
    return {name: given[name] for name in names if given[name] is not None}


def _print_plan(planned: "BatchPlan", budget: dict[str, Any], output: Output) -> None:
    if output.as_json:
        print_json(planned.model_dump(mode="json") | {"budget": budget})
        return
    from rich.console import Console
    from rich.text import Text

    from moot.cli.tables import make_table
    from moot.text.figures import dollars

    console = Console()
    console.print(f"{planned.debates:,} debates, {planned.calls:,} calls.")
    for name, number in planned.models.items():
        console.print(Text(printable(f"  {name}: in {number:,} of the debates")))
    table = make_table("", ">input tokens", ">output tokens", ">price")
    lines = (("typical", planned.typical), ("with the longest replies", planned.bound), ("one debate", planned.dearest))
    for label, estimate in lines:
        table.add_row(label, f"{estimate.input:,}", f"{estimate.output:,}", dollars(estimate.cost))
    console.print(table)
    if budget:
        console.print(f"The budget: {', '.join(f'{name} {value:g}' for name, value in budget.items())}.")
    console.print("Retries cost extra.")


def _run(file: Path | None, folder: Path | None, output: Output, given: dict[str, Any], *, planning: bool) -> int:
    from moot.studies.batch import (
        Design,
        LocalExecutor,
        QueueExecutor,
        create_batch,
        open_batch,
        plan_batch,
        read_batch,
    )
    from moot.studies.limits import given_over

    if file is not None:
        design = Design(**_design(given))
        wanted = read_batch(file, design, **settings_of(given["model"], given["roles"], given["sampling"]))
        planned = asyncio.run(plan_batch(wanted.items))  # reports now, and once, what no debate could be held with
        if planning:
            _print_plan(planned, wanted.budget.model_dump(exclude_none=True) | budget_of(given), output)
            return 0
        found = create_batch(wanted, given["out"], design)
    else:
        found = open_batch(folder or "")
    limits = given_over(found.budget, budget_of(given))
    executor: Executor = LocalExecutor(given["concurrency"])
    if given["queue"]:
        executor = QueueExecutor(given["queue"], given["reconnect"])
    return drive(found, executor, limits, output, retry_failed=given["retry_failed"])


def drive(batch: "Batch", executor: "Executor", limits: "Limits", output: Output, *, retry_failed: bool = False) -> int:
    """Run a batch with its progress on stderr, write its documents, print its results, and return the exit code."""
    from rich.console import Console

    from moot.cli.display import show_downloads
    from moot.studies.batch import run_batch
    from moot.studies.batch.display import open_batch_display
    from moot.studies.batch.documents import write_study

    console = Console(stderr=True)
    try:
        with show_downloads(console, output.display), open_batch_display(output.display, console) as follow:
            ended = run_until_stopped(
                run_batch(batch, executor, limits=limits, retry_failed=retry_failed, follow=follow)
            )
    except KeyboardInterrupt:
        write_study(batch)
        click.echo(printable(f"\nInterrupted. To continue: {_again(batch)}"), err=True)
        return 130
    _print(batch, ended, *write_study(batch), output)
    return 1 if ended.failed else 3 if ended.reached or ended.stopped else 0


def _print(
    batch: "Batch", ended: "Progress", found: "BatchStatistics | Leaderboard", page: "StudyPage", output: Output
) -> None:
    status = "failed" if ended.failed else "limit" if ended.reached or ended.stopped else "done"
    if output.as_json:
        head = {"batch": str(batch.path), "status": status, "reason": ended.reached, "debates": ended.total}
        counts = {"done": ended.done, "failed": ended.failed, "stopped": ended.stopped, "waiting": ended.waiting}
        print_json({**head, **counts, "statistics": found.model_dump(mode="json")})
        return
    from rich.console import Console

    from moot.studies.batch.display import print_progress

    console = Console()
    print_progress(ended, console, _again(batch), unfinished=batch.is_unfinished())
    page.show(console, PRINTED, [f"{batch.path}/report.html"])


def _again(batch: "Batch") -> str:
    """The command that resumes the batch."""
    names = {str(item.config.get("protocol", DEFAULT)) for item in batch.items()}
    return command(*plugin_option(*sorted(names)), "batch", "--resume", str(batch.path))
