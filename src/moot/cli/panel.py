"""The command that has a panel decide about an idea, or about many."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.gate import check_gate
from moot.cli.going_on import called, command
from moot.cli.options import (
    FILE,
    MAX_INPUT_BYTES,
    OUTPUT_OPTIONS,
    RUN_OPTIONS,
    Output,
    decoded,
    json_line,
    settings_of,
    stdin_text,
    with_options,
)
from moot.cli.stage import EXIT_CODES, PLANNING, exit_code, stage, watch
from moot.engine.registry import protocol_names

FILE_NAME = re.compile(r"\.(csv|diff|docx|html|jsonl?|md|patch|pdf|rst|toml|txt|ya?ml)$", re.IGNORECASE)
"""What ends like this is meant as a file, though it has blanks in it."""
LONGEST_FILE_NAME = 255
PANEL_OPTIONS = [
    click.option(
        "--kind",
        metavar="KIND",
        envvar="MOOT_KIND",
        help="selection, difficulty, improvement, feasibility, or one of your file's.  [default: selection]",
    ),
    click.option("--require", metavar="LABEL", envvar="MOOT_REQUIRE", help="Exit with 100 on any other decision."),
    click.option("--truth", metavar="LABEL", help="The label known to be right, for the accuracy."),
    click.option(
        "--max-revisions", type=click.IntRange(0), metavar="N", help="How often an idea is sent back, at most."
    ),
    FILE,
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An idea of many, the label that is known to be right for it, and where both stand."""

    idea: Any
    truth: str | None
    place: str


@click.command()
@click.argument("idea", required=False)
@with_options(PANEL_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def panel(idea: str | None, as_json: bool, quiet: bool, display: str | None, **settings: Any) -> int:
    """Have five personas decide about an idea.

    IDEA is a text, the name of a text file, or `-` for standard input. What looks like a file's name and is none is
    refused; such words can be handed in on standard input. A .jsonl file holds many ideas, each line a text or
    {"idea": …, "truth": LABEL}: they are judged one after the other, those accepted so far being shown to the panel,
    each in a run of its own.
    """
    output, given = Output.of(as_json, quiet, display), settings_of(**settings)
    if idea is None and given["file"] is None:
        raise moot.ConfigError(f'no idea is given, as a text, a file, or - for standard input: {called()} panel "…"')
    if idea is not None and idea.lower().endswith(".jsonl") and (file := _file(idea)):
        return judge_all(candidates(file), output, given)
    return stage(moot.configure("panel", idea=idea_text(idea), **given), output)


def idea_text(idea: str | None) -> str | None:
    """The idea as given, from the file of that name, or from standard input for `-`."""
    if idea is None or idea == "":
        return idea
    if idea == "-":
        return stdin_text("idea")
    file = _file(idea)
    if file is None:
        return idea
    text = read(file)
    if {f"protocol: {name}" for name in protocol_names()} & set(text.splitlines()):
        raise moot.ConfigError(f"{idea} is a debate file, not an idea. Run it: {command('run', idea)}")
    return text


def _file(name: str) -> Path | None:
    """The file of that name; None for what can only be a text. What looks like a file's name and is none is refused:
    a path that is wrong must not be let through as an idea."""
    if "\0" in name or "\n" in name or any(len(part.encode()) > LONGEST_FILE_NAME for part in name.split("/")):
        return None
    path = Path(name)
    try:
        if path.is_file():
            return path
        fault = f"{name} is a folder" if path.is_dir() else f"there is no file {name}" if _like_a_path(name) else ""
    except OSError as error:  # such as a folder that may not be looked into
        fault = f"{name} cannot be read: {error.strerror}"
    if fault:
        words = f"printf %s {shlex.quote(name)} | {called()} panel -"
        raise moot.ConfigError(f"{fault}. To have these very words debated: {words}")
    return None


def _like_a_path(name: str) -> bool:
    if name.startswith(("/", "./", "../", "~/")) or FILE_NAME.search(name):
        return True
    return len(name.split()) == 1 and re.search(r"/|\.[A-Za-z][A-Za-z0-9]{0,4}$", name) is not None


def read(file: Path) -> str:
    try:
        with file.open("rb") as source:
            text = decoded(source.read(MAX_INPUT_BYTES + 1), str(file))
    except OSError as error:
        raise moot.ConfigError(f"{file} cannot be read: {error.strerror}") from error
    if "\0" in text:
        raise moot.ConfigError(f"{file} is not a text: it has bytes of zero in it")
    return text


def candidates(file: Path) -> list[Candidate]:
    found = []
    for number, line in enumerate(read(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise moot.ConfigError(f"{file}, line {number}: not JSON: {error}") from None
        given = value if isinstance(value, dict) else {"idea": value}
        unknown = sorted(given.keys() - {"idea", "truth"})
        if not given.get("idea") or not isinstance(given["idea"], str | dict) or unknown:
            raise moot.ConfigError(f'{file}, line {number}: should be a text, or {{"idea": …, "truth": LABEL}}')
        found.append(Candidate(given["idea"], given.get("truth"), f"{file}, line {number}"))
    if not found:
        raise moot.ConfigError(f"{file} holds no idea")
    return found


def judge_all(ideas: list[Candidate], output: Output, given: dict[str, Any]) -> int:
    """Judge many ideas, one after the other. The first that is interrupted ends it; one that fails does not."""
    moot.configure("panel", idea="any", **given)  # what is wrong with the options is no line's fault
    configs = [_configured(one, [], given) for one in ideas]  # what is wrong is found before anything is spent
    if click.get_current_context().meta.get(PLANNING):
        click.echo(f"The first of {len(ideas)} ideas; each of the others takes about as much.", err=True)
        return stage(configs[0], output)
    check_gate(configs[0])
    results: list[moot.Result] = []
    accepted: list[str] = list(getattr(configs[0].debate, "accepted", []))
    for one in ideas:
        config = _configured(one, accepted, given)
        result = watch(lambda follow, config=config: moot.run(config, follow=follow), output)  # type: ignore[misc]
        if isinstance(result, int):
            return result
        results.append(result)
        if result.status == "done" and getattr(result.outcome, "accepted", False):
            accepted.append(getattr(result.outcome, "idea", ""))
        if output.as_json:
            click.echo(json_line(result.document()))
    _print_summary(results, output)
    codes = {exit_code(result) for result in results}
    return next((code for code in (*EXIT_CODES.values(), 100) if code and code in codes), 0)


def _configured(one: Candidate, accepted: list[str], given: dict[str, Any]) -> moot.RunConfig:
    truth = {"truth": one.truth} if one.truth is not None else {}
    shown = {"accepted": accepted} if accepted else {}
    try:
        return moot.configure("panel", idea=one.idea, **(given | truth | shown))
    except moot.ConfigError as error:
        raise moot.ConfigError(f"{one.place}: {error}", error.key) from None


def _print_summary(results: list[moot.Result], output: Output) -> None:
    summary = moot.summarise_panels(results)
    if output.as_json:
        click.echo(json_line({"summary": summary.model_dump(mode="json")}))
        return
    from rich.console import Console

    from moot.cli.views.panel import print_batch

    print_batch([result.document() for result in results], summary.model_dump(mode="json"), Console())
