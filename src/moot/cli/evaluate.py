"""The command that compares debates with baselines on a dataset, and says whether debating paid."""

import asyncio
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    OUTPUT_OPTIONS,
    SEED,
    Output,
    json_line,
    print_json,
    settings_of,
    with_options,
)
from moot.engine.shipped import DEFAULT
from moot.text import printable

if TYPE_CHECKING:
    from moot.studies.evaluate import Evaluation, EvaluationProgress

EVALUATION_OPTIONS = [
    click.option(
        "--protocol",
        "protocols",
        default=DEFAULT,
        show_default=True,
        metavar="NAMES",
        help="What is evaluated: protocols by name, or debate files; several with commas.",
    ),
    click.option(
        "--baseline",
        "baselines",
        default="single,vote,self-consistency",
        show_default=True,
        metavar="NAMES",
        help="What it is compared with; none for nothing.",
    ),
    click.option(
        "--match",
        type=click.Choice(["choice", "number", "boolean", "exact"]),
        metavar="HOW",
        help="How answers are compared: choice, number, boolean or exact.  [default: by what the dataset's are]",
    ),
    click.option("--tolerance", type=click.FloatRange(0), metavar="N", help="By how much a number may be off."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first so many questions."),
    click.option(
        "--budget", type=click.IntRange(1), metavar="TOKENS", help="The most that a debate may use on one question."
    ),
    click.option(
        "--voters",
        type=click.IntRange(1, 99),
        default=3,
        show_default=True,
        metavar="N",
        help="How many answer in the baseline vote.",
    ),
    click.option(
        "--concurrency",
        "at_once",
        type=click.IntRange(1),
        default=4,
        show_default=True,
        metavar="N",
        help="How many questions are under way at a time.",
    ),
    click.option(
        "--out",
        metavar="FOLDER",
        help="The evaluation's folder; one that exists is taken up.  [default: a new one in evaluations]",
    ),
    click.option(
        "--max-reply-tokens", type=click.IntRange(16), metavar="N", help="The longest that a single reply may be."
    ),
]


@click.command("eval")
@click.argument("dataset", type=click.Path(path_type=Path))
@with_options(EVALUATION_OPTIONS)
@with_options(MODEL_OPTIONS)
@SEED
@with_options(LIMIT_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def evaluate(
    dataset: Path,
    protocols: str,
    baselines: str,
    as_json: bool,
    quiet: bool,
    display: str | None,
    **settings: Any,
) -> int:
    """Does debating pay on your questions?

    DATASET is a JSONL file of questions with answers. Debates are compared with a single answer, a vote and
    self-consistency at equal token budgets. Limits hold for the whole evaluation. Run again with the same --out, it
    goes on where it stopped, and no reply on record is paid for again.
    """
    output = Output.of(as_json, quiet, display)
    names = [name.strip() for name in protocols.split(",") if name.strip()]
    against = [name.strip() for name in baselines.split(",") if name.strip() not in ("", "none")]
    started: list[str] = []
    try:
        with _progress(output.display) as show:

            def follow(progress: "EvaluationProgress") -> None:
                started[:] = [progress.folder]
                show(progress)

            work = moot.evaluate(dataset, names, baselines=against, follow=follow, **settings_of(**settings))
            found = asyncio.run(work)
    except KeyboardInterrupt:
        again = f" Go on with the same command and --out {shlex.quote(started[0])}" if started else ""
        click.echo(printable(f"\nInterrupted.{again}"), err=True)
        return 130
    if output.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_evaluation(found)
    failed = any(one.grades["failed"] for one in found.methods)
    return 3 if found.reason else 1 if failed else 0


@contextmanager
def _progress(display: str) -> "Iterator[Callable[[EvaluationProgress], None]]":
    """A listener for progress: a bar on a terminal, otherwise a line for each question."""
    if display == "none":
        yield lambda _: None
    elif display != "full":
        yield lambda progress: _print_line(progress, as_json=display == "json")
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("questions"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("", total=None)
            yield lambda progress: bar.update(task, total=progress.total, completed=progress.done)


def _print_line(progress: "EvaluationProgress", *, as_json: bool) -> None:
    done = {"done": progress.done, "of": progress.total, "question": progress.question, "grades": progress.grades}
    if as_json:
        click.echo(json_line({"folder": progress.folder, **done}), err=True)
    elif progress.question is None:
        questions = "1 question" if progress.total == 1 else f"{progress.total} questions"
        click.echo(printable(f"{questions}, in {progress.folder}"), err=True)
    else:
        grades = ", ".join(f"{method} {grade}" for method, grade in progress.grades.items())
        click.echo(printable(f"{progress.done}/{progress.total} {progress.question}: {grades}"), err=True)


def print_evaluation(found: "Evaluation") -> None:
    """Print the table of methods, the verdicts in words, and the location of the rest."""
    from rich.console import Console
    from rich.text import Text

    from moot.cli.tables import make_table
    from moot.text.figures import dollars

    console = Console()
    table = make_table("method", ">right", ">95 %", ">unread", ">open", ">failed", ">tokens", ">cost")
    for column in table.columns[1:]:
        # In a narrow terminal names are cut, figures never.
        column.no_wrap = True
    for one in sorted(found.methods, key=lambda one: -(one.right_of_all.rate or 0)):
        table.add_row(
            Text(printable(one.method)),
            _share(one.right_of_all.rate),
            f"{_share(one.right_of_all.low)}–{_share(one.right_of_all.high)}",
            *(str(one.grades[grade]) for grade in ("unparsable", "undecided", "failed")),
            "unknown" if one.tokens is None else f"{one.tokens:,}",
            dollars(one.cost),
        )
    console.print(table)
    said = [verdict.words for verdict in found.verdicts] + [found.advice, *found.notes]
    if found.reason:
        said.append(f"{found.done} of {found.questions} questions are done: {found.reason}.")
    said.append("unread: an answer that cannot be read; open: a tie, or nothing decided")
    said.append(f"More, such as the shares of the answered: {found.folder}/report.md")
    for text in filter(None, said):
        console.print(Text(printable(text)), soft_wrap=True)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
