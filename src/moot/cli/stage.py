"""Commands that stage a debate: duel, run, demo, plan, resume, fork."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.options import (
    LIMIT_OPTIONS,
    MODEL_OPTIONS,
    OUT,
    OUTPUT_OPTIONS,
    RUN_OPTIONS,
    Output,
    settings_of,
    topic_text,
    with_options,
)

DUEL_OPTIONS = [
    click.option("--premise", help="The claim that A argues for and B against."),
    click.option("--turns", type=click.IntRange(2), help="Public statements in all.  [default: 6]"),
    click.option("--no-judge", is_flag=True, default=None, help="Debate without a judge."),
]
EXIT_CODES = {"done": 0, "limit": 3, "failed": 1, "interrupted": 130}


@click.command()
@click.argument("topic", required=False)
@with_options(DUEL_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def duel(topic: str | None, as_json: bool, quiet: bool, display: str | None, **settings: Any) -> int:
    """Two debaters, one judge. TOPIC may be `-` for standard input."""
    config = moot.configure("duel", topic=topic_text(topic), **settings_of(**settings))
    return drive(lambda follow: moot.run(config, follow=follow), Output.of(as_json, quiet, display))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_options([option for option in RUN_OPTIONS if option is not RUN_OPTIONS[0]])
@with_options(OUTPUT_OPTIONS)
def run(file: Path, as_json: bool, quiet: bool, display: str | None, **settings: Any) -> int:
    """Run the debate that FILE describes (YAML, with `protocol:`)."""
    config = moot.configure(file=file, **settings_of(**settings))
    return drive(lambda follow: moot.run(config, follow=follow), Output.of(as_json, quiet, display))


@click.command()
@click.option("--instant", is_flag=True, help="Do not wait between the words.")
@click.option("--out", help="Where run folders go.  [default: debates]")
@with_options(OUTPUT_OPTIONS)
def demo(instant: bool, out: str | None, as_json: bool, quiet: bool, display: str | None) -> int:
    """Watch a hand-written example debate, at reading speed."""
    speaker = moot.open_demo(words_per_second=None if instant else 25.0)
    with as_file(files("moot") / "data" / "demo.yaml") as file:
        config = moot.configure("duel", file, model=speaker.name, roles={}, out=out)
    models: dict[str, moot.Model] = {speaker.name: speaker}
    return drive(lambda follow: moot.run(config, follow=follow, models=models), Output.of(as_json, quiet, display))


@click.command()
@click.argument("topic_or_file", required=False)
@with_options(DUEL_OPTIONS)
@with_options(RUN_OPTIONS)
@click.option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print JSON.")
def plan(topic_or_file: str | None, file: Path | None, as_json: bool, **settings: Any) -> int:
    """What a debate would take, before anything is spent: calls, longest chain, tokens, price."""
    topic: str | None = topic_text(topic_or_file)
    if topic and file is None and Path(topic).suffix in (".yaml", ".yml") and "\n" not in topic:
        file, topic = Path(topic), None
    config = moot.configure(None, file, topic=topic, **settings_of(**settings))
    planned = asyncio.run(moot.plan(config))
    if as_json:
        click.echo(planned.model_dump_json(indent=2))
        return 0
    from moot.cli.tables import print_plan

    print_plan(planned)
    return 0


@click.command()
@click.argument("name", metavar="RUN")
@with_options(MODEL_OPTIONS)
@with_options(LIMIT_OPTIONS)
@with_options(OUTPUT_OPTIONS)
@OUT
def resume(name: str, out: str, as_json: bool, quiet: bool, display: str | None, **settings: Any) -> int:
    """Take up a debate where it stopped. Replies on record are not asked for again."""
    found = moot.find_run(name, out)
    changes = settings_of(**settings)
    return drive(lambda follow: moot.resume(found, follow=follow, **changes), Output.of(as_json, quiet, display))


@click.command()
@click.argument("name", metavar="RUN")
@click.option("--at", type=click.IntRange(1), required=True, help="The last entry that both debates share.")
@with_options(MODEL_OPTIONS)
@click.option("--seed", type=int, help="Another seed for what is still to come.")
@with_options(LIMIT_OPTIONS)
@with_options(OUTPUT_OPTIONS)
@OUT
def fork(name: str, at: int, out: str, as_json: bool, quiet: bool, display: str | None, **settings: Any) -> int:
    """Start a new debate that shares its beginning with another, and let it go its own way."""
    twin = moot.fork(moot.find_run(name, out), at, out=out, **settings_of(**settings))
    return drive(lambda follow: moot.resume(twin, follow=follow), Output.of(as_json, quiet, display))


def drive(stage: Callable[[moot.Follower], Coroutine[Any, Any, moot.Result]], output: Output) -> int:
    """Stage a debate with its progress on stderr, print what it came to on stdout, and return the exit code."""
    from rich.console import Console

    from moot.cli.display import open_display
    from moot.cli.download import show_downloads
    from moot.cli.summary import print_summary

    started: list[str] = []
    console = Console(stderr=True)
    try:
        with show_downloads(console, output.display), open_display(output.display, console) as show:

            def follow(event: moot.Event) -> None:
                if isinstance(event, moot.Started):
                    started.append(event.run)
                show(event)

            result = asyncio.run(stage(follow))
    except KeyboardInterrupt:
        if started:
            click.echo(f"\nInterrupted. Go on with: moot resume {started[0]}", err=True)
        return 130
    document = result.document()
    if output.as_json:
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print_summary(document, Console())
    return EXIT_CODES[result.status]
