"""The command that judges debates again, without debating."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.options import (
    LIMIT_OPTIONS,
    OUT,
    SAMPLING,
    SEED,
    Output,
    print_json,
    runs_folder,
    with_options,
    with_output,
)
from moot.cli.run_names import RUNS
from moot.cli.sections import sectioned_command
from moot.cli.stage import EXIT_CODES, exit_code, watch
from moot.engine.define.sampling import parse_sampling
from moot.engine.outcome.material import gather
from moot.present import Block, Paragraph, Table
from moot.stats import FEWEST, Rate
from moot.studies.rejudge import judge_agreement, rejudging_of
from moot.studies.rejudge.agreement import JudgeAgreement, JudgeRecord
from moot.studies.rejudge.staging import protocol_of
from moot.studies.template import template_of
from moot.text import printable

MOST_SHOWN = 10
"""Debates whose verdicts are printed one by one."""


@sectioned_command()
@RUNS
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="MODEL",
    help="Model that judges. Repeatable.  [default: the model that judged]",
)
@click.option(
    "--order",
    type=click.Choice(["given", "swapped", "both"]),
    default="both",
    show_default=True,
    help="Reading order: as in the debate, swapped, or both.",
)
@click.option("--again", is_flag=True, help="Judge again even if this judgement already exists (costs money).")
@click.option("--rule", "rules", multiple=True, metavar="RULE", help="Also count the votes by this rule. Repeatable.")
@SAMPLING
@SEED
@OUT
@with_options(LIMIT_OPTIONS)
@with_output
def rejudge(names: tuple[str, ...], out: str | None, output: Output, **given: Any) -> int:
    """Have finished debates judged again, by other judges or rules.

    RUN is a duel or an arena, or a folder of runs, including the folder of a batch. It is read by other judges, under
    letters for names and in both orders; without --judge, by the model that judged it. The votes of an arena are
    counted by other rules (--rule borda), which calls no model. Each re-judging is a new run; an existing one is read,
    and not paid again.
    """
    folder = runs_folder(out)
    asked = {key: list(given.pop(key)) for key in ("judges", "rules")} | {"order": given.pop("order")}
    again, sampling = given.pop("again"), parse_sampling(given.pop("sampling"))
    settings = {**asked, **given, "out": folder} | ({"sampling": sampling} if sampling else {})
    runs = [run for name in names for run in _runs(name, folder, settings)]
    results: list[moot.Result] = []

    def report(run: moot.Run, result: moot.Result) -> None:
        results.append(result)
        if len(runs) > 1 and output.display != "none":
            click.echo(printable(f"{len(results)} of {len(runs)}: {run.name}: {result.status}"), err=True)

    async def judged(follow: moot.Follower) -> moot.Result:
        in_order = await moot.rejudge(runs, follow=follow, done=report, again=again, **settings)
        results[:] = in_order
        return in_order[-1]

    # Several run at the same time, and only one can be followed.
    ended = watch(judged, output if len(runs) == 1 else Output(output.as_json, "none"))
    if isinstance(ended, int):
        return ended
    _print(runs, results, output)
    codes = [exit_code(result) for result in results]
    return next((code for code in EXIT_CODES.values() if code and code in codes), 0)


def _runs(name: str, folder: str, settings: dict[str, Any]) -> list[moot.Run]:
    """The run with this name; for a folder, the runs that can be judged again in this way."""
    path = Path(name)
    if not path.is_dir() or (path / "config.yaml").exists():
        return [_run(name, folder)]
    found: list[moot.Run] = []
    left: list[moot.MootError] = []
    for run in _runs_below(path):
        try:
            if run.config.protocol.offered:
                rejudging_of(run, **settings)
                found.append(run)
        except (moot.ConfigError, moot.RunDamaged) as error:
            left.append(error)
    if not found:
        raise left[0] if left else moot.ConfigError(f"there are no debates in {name}")
    if left:
        click.echo(
            printable(f"{len(left)} of the runs in {name} cannot be judged like this; the first: {left[0]}"),
            err=True,
        )
    return found


def _runs_below(folder: Path) -> list[moot.Run]:
    """The runs in a folder. A batch has a folder for each, below `runs`."""
    kept = folder / "runs"
    top = kept if kept.is_dir() else folder
    below = sorted(path for path in top.iterdir() if path.is_dir() and not (path / "config.yaml").exists())
    return [run for path in (top, *below) for run in moot.list_runs(str(path))]


def _run(name: str, folder: str) -> moot.Run:
    """The run with this name. A debate and its re-judgings have the same topic, so the debate is chosen."""
    fitting = [run for run in moot.list_runs(folder) if name == "latest" or name in run.name]
    debates = (run for run in reversed(fitting) if (protocol := protocol_of(run)) and protocol.offered)
    one, other = next(debates, None), next(debates, None)
    return one if one and (name == "latest" or other is None) else moot.find_run(name, folder)


def _print(runs: Sequence[moot.Run], results: Sequence[moot.Result], output: Output) -> None:
    agreement = judge_agreement(results)
    if output.as_json:
        documents = [result.document() for result in results]
        print_json({"results": documents, "agreement": agreement.model_dump(mode="json")})
        return
    from rich.console import Console

    from moot.cli.blocks import rendered
    from moot.cli.summary import print_summary
    from moot.cli.wording import show

    console = Console()
    if len(results) == 1:
        print_summary(results[0], console)
        return
    for part in rendered([*_verdicts(runs, results), *_agreement(agreement)], {}):
        show(console, part)


def _verdicts(runs: Sequence[moot.Run], results: Sequence[moot.Result]) -> list[Block]:
    """The tables of all re-judgings combined, by the number of each debate, and the names below; of many debates only
    where to find them."""
    if len(runs) > MOST_SHOWN:
        text = f"{len(runs)} debates were judged again. Each has its report; --json has all verdicts."
        return [Paragraph(text)]
    joined: dict[tuple[str, ...], Table] = {}
    for number, result in enumerate(results, 1):
        for section in gather(result.stored, result).sections():
            for block in section.blocks if section.brief else ():
                if isinstance(block, Table):
                    table = Table(["Debate", *block.columns], [], block.texts + 1, name=block.name)
                    table = joined.setdefault(tuple(block.columns), table)
                    table.rows.extend([str(number), *row] for row in block.rows)
    return [*joined.values(), *(Paragraph(f"{number}: {run.name}") for number, run in enumerate(runs, 1))]


def _agreement(found: JudgeAgreement) -> list[Block]:
    """The agreement of the judges over many re-judgings."""
    values = {**dict(found), "records": [row for judge in found.judges for row in _record(judge)], "fewest": FEWEST}
    return [
        block
        for part in template_of("rejudge").parts("sections", values)
        for block in (*part.blocks, *([Paragraph(part.lead)] if part.lead else []))
    ]


def _record(record: JudgeRecord) -> list[tuple[str, str, Rate | float]]:
    """What one judge did, a row for each figure."""
    by_chance = "" if record.shown_first_expected is None else f" ({record.shown_first_expected:.0%} by chance)"
    figures: dict[str, Rate | float | None] = {
        "upholds the original winner": record.upheld,
        "changes the winner with the order": record.flipped,
        f"names the one shown first{by_chance}": record.shown_first,
        "names the last speaker": record.had_last_word,
        "names the side for the claim": record.for_claim,
        "mean change of the scores": record.mean_change,
    }
    known = [
        (what, value)
        for what, value in figures.items()
        if value is not None and (not isinstance(value, Rate) or value.n)
    ]
    return [(record.judge if not place else "", what, value) for place, (what, value) in enumerate(known)]
