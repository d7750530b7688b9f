"""The command that compares debates with baselines on a dataset, and says whether debating paid."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    PLANNING,
    SEED,
    Output,
    json_line,
    print_json,
    settings_of,
    with_options,
    with_output,
)
from moot.cli.ranges import Whole
from moot.cli.sections import sectioned_command
from moot.engine.define.shipped import DEFAULT
from moot.system import run_until_stopped
from moot.text import printable

if TYPE_CHECKING:
    from moot.studies.evaluate import Evaluation, EvaluationProgress

PRINTED = {"methods": 3, "categories": 4, "flips": 4}
"""Sections of the report that are printed, and how many columns of their first table fit on a screen."""
EVALUATION_OPTIONS = [
    click.option(
        "--protocol",
        "protocols",
        default=DEFAULT,
        show_default=True,
        metavar="NAMES",
        help="What to evaluate: protocols or debate files, comma-separated.",
    ),
    click.option(
        "--baseline",
        "baselines",
        default="single,vote,self-consistency",
        show_default=True,
        metavar="NAMES",
        help="What to compare with, comma-separated, or none; also self-correction.",
    ),
    click.option(
        "--match",
        type=click.Choice(["choice", "number", "boolean", "exact"]),
        metavar="HOW",
        help="How to compare answers: choice, number, boolean or exact.  [default: detected]",
    ),
    click.option(
        "--limit", type=Whole(1), metavar="N", help="Ask a random sample of N questions, drawn with the seed."
    ),
    click.option("--epochs", type=Whole(1), default=1, metavar="N", help="Ask each question N times."),
    click.option(
        "--index-from",
        type=click.Choice(["0", "1"]),
        metavar="0|1",
        help="If answers are option numbers: the number of the first option.",
    ),
    click.option("--shuffle-options", is_flag=True, help="Shuffle the options of each question."),
    click.option("--scorer", metavar="WHICH", help="Grade answers with FILE.py:FUNCTION or model:PROVIDER/NAME."),
    click.option(
        "--checked",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Answers graded by people, to check the scorer against.",
    ),
    click.option("--budget", type=Whole(1), metavar="TOKENS", help="Maximum tokens of a debate for one question."),
    click.option(
        "--voters",
        type=Whole(1, 99),
        default=3,
        show_default=True,
        metavar="N",
        help="Number of answers in the baseline vote.",
    ),
    click.option(
        "--concurrency",
        "at_once",
        type=Whole(1),
        default=4,
        show_default=True,
        metavar="N",
        help="Number of questions to ask at once.",
    ),
    click.option(
        "--out",
        metavar="FOLDER",
        help="Folder of the evaluation; an existing one is continued.  [default: a new one in evaluations]",
    ),
    click.option("--max-reply-tokens", type=Whole(16), metavar="N", help="Maximum tokens per reply."),
]


@sectioned_command("eval")
@click.argument("datasets", metavar="DATASET…", type=click.Path(path_type=Path), nargs=-1, required=True)
@with_options(EVALUATION_OPTIONS)
@with_options(MODEL_OPTIONS)
@SEED
@with_options(LIMIT_OPTIONS)
@with_output
def evaluate(datasets: tuple[Path, ...], protocols: str, baselines: str, output: Output, **settings: Any) -> int:
    """Measure whether debating beats single answers.

    DATASET is a file of questions with answers (JSONL, JSON, CSV, TSV, Parquet). Compares debates with a single answer,
    a vote and self-consistency at equal budgets. Limits apply to the whole evaluation. Run it again with the same --out
    to continue; recorded replies are not paid for twice. `moot plan eval DATASET` says how many questions are needed to
    show a difference of 5 points.
    """
    settings["index_from"] = None if settings["index_from"] is None else int(settings["index_from"])
    if click.get_current_context().meta.get(PLANNING):
        return _plan(datasets, len(_names(protocols)), settings, output)
    from moot.studies.evaluate import Design

    names = _names(protocols)
    against = [name.strip() for name in baselines.split(",") if name.strip() not in ("", "none")]
    started: list[str] = []
    try:
        with _progress(output.display) as show:

            def follow(progress: "EvaluationProgress") -> None:
                started[:] = [progress.folder]
                show(progress)

            design = Design(
                **{field.name: settings.pop(field.name) for field in fields(Design) if field.name in settings}
            )
            work = moot.evaluate(
                list(datasets), names, replace(design, baselines=against), follow=follow, **settings_of(**settings)
            )
            found = run_until_stopped(work)
    except KeyboardInterrupt:
        again = f" To continue: the same command with --out {shlex.quote(started[0])}" if started else ""
        click.echo(printable(f"\nInterrupted.{again}"), err=True)
        return 130
    if output.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_evaluation(found)
    failed = any(method.grades["failed"] for method in found.methods)
    return 3 if found.reason else 1 if failed else 0


def _names(several: str) -> list[str]:
    return [name.strip() for name in several.split(",") if name.strip()]


def _plan(datasets: Sequence[Path], debates: int, settings: dict[str, Any], output: Output) -> int:
    """Print how many questions show a worthwhile gain, by how often exactly one of two methods is right, and how many
    there are."""
    from rich.console import Console

    from moot.cli.tables import make_table
    from moot.studies.evaluate.dataset import Reading, read_datasets
    from moot.studies.evaluate.power import questions_needed
    from moot.studies.evaluate.summary import LEVEL, WORTH

    level = LEVEL / max(1, debates)
    read = read_datasets(datasets, Reading(**{name: settings[name] for name in ("match", "index_from")}))
    found = questions_needed(WORTH, level=level)
    if output.as_json:
        print_json([needed.model_dump() for needed in found])
        return 0
    console = Console()
    table = make_table("one alone is right on", ">questions", ">power")
    for needed in found:
        table.add_row(f"{needed.discordance:.0%}", f"{needed.questions:,}", f"{needed.power:.0%}")
    console.print(table)
    groups = len({item.group or item.id for item in read.items})
    related = f" in {groups:,} groups, which tell less than as many independent ones" if groups < read.size else ""
    points = f"{WORTH * 100:g} points"
    console.print(f"Questions to show a difference of {points} with McNemar's exact test at a level of {level:.3g}.")
    console.print(f"{printable(read.name)} has {read.size:,} questions{related}.", soft_wrap=True)
    return 0


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
    """The first tables of the report, with the verdicts and notes, and the location of the rest."""
    from rich.console import Console

    from moot.studies.evaluate.report import read_page

    more = [f"{found.folder}/report.md"]
    if found.reason:
        more[:0] = [
            f"{found.done} of {found.questions} questions are done: {found.reason}.",
            f"To continue: the same command with --out {shlex.quote(found.folder)} {found.raised}",
        ]
    read_page(found).show(Console(), PRINTED, more)
