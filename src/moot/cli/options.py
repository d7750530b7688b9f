"""Options that several commands share, and the values they lead to."""

import errno
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from click.core import ParameterSource

import moot
from moot.cli.notes import tell
from moot.cli.ranges import Number, Whole
from moot.text import printable

MAX_INPUT_BYTES = 1_000_000
PLANNING = "moot.engine.staging.plan"
BARE = "moot.engine.staging.choosing"
"""Set if a question stands in place of a command, so that no way of debating is chosen."""
"""Set in the context of a command that is only planned."""
F = TypeVar("F", bound=Callable[..., Any])

RECONNECT = click.option(
    "--reconnect",
    type=Number(0),
    envvar="MOOT_RECONNECT",
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="Wait for a database that has gone away for so long; also as MOOT_RECONNECT.",
)


def complete_model(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of models that begin so; for a role, after its name. No server chose them: shells put them on the line
    as they are."""
    from moot.models.offers import known_names

    role, equals, begun = incomplete.rpartition("=")
    return [f"{role}{equals}{name}" for name in known_names() if name.startswith(begun)]


SAMPLING = click.option(
    "--sampling",
    multiple=True,
    metavar="[ROLE.]KEY=VALUE",
    help="temperature, top_p, seed or effort, for all or for one role, such as judge.temperature=0. Repeatable.",
)
MODEL_OPTIONS = [
    click.option(
        "-m",
        "--model",
        multiple=True,
        metavar="MODEL",
        shell_complete=complete_model,
        help="provider/name, for roles without one of their own. Repeat it for fallbacks.",
    ),
    click.option(
        "--role",
        "roles",
        multiple=True,
        metavar="NAME=MODEL",
        shell_complete=complete_model,
        help="A model for one role, such as judge. Repeatable.",
    ),
    SAMPLING,
]
LIMIT_OPTIONS = [
    click.option("--max-calls", type=Whole(0), metavar="N", help="Stop before more model calls than this."),
    click.option("--max-tokens", type=Whole(0), metavar="N", help="Stop before more tokens than this."),
    click.option("--max-cost", type=Number(0), metavar="DOLLARS", help="Stop before more money than this."),
    click.option("--max-minutes", type=Number(0), metavar="N", help="Make no new call after this many minutes."),
]
LANGUAGE = click.option(
    "--language", metavar="NAME", help="The language to debate in, such as German.  [default: the topic's]"
)
SEED = click.option("--seed", type=int, metavar="N", help="For the draws, and for the embedded model.")
OUT = click.option("--out", metavar="DIR", help="Where run folders are.  [default: debates]")
RUN_OPTIONS = [
    click.option(
        "--policy",
        metavar="FILE|REV:PATH",
        help="Take models, roles, requirements and other settings from this file (YAML), which those who are judged "
        "cannot change: one outside of the project, or one of a git revision. Also as MOOT_POLICY.",
    ),
    click.option(
        "--context",
        "documents",
        multiple=True,
        metavar="NAME",
        help="A document for everybody: a file (text, Markdown, PDF, HTML, JSON, code, image), a folder, an address, a "
        "git revision or range such as main..HEAD, or - for standard input. Repeatable.",
    ),
    click.option(
        "--tool",
        "tools",
        multiple=True,
        metavar="NAME[=ROLE]",
        help="Let debaters, or one role, look things up: search (in the documents), fetch (pages), python, or a tool "
        "of your moot.yaml. Repeatable.",
    ),
    click.option("--max-lookups", type=Whole(0), metavar="N", help="At most so many lookups.  [default: 24]"),
    click.option("--full", is_flag=True, default=None, help="Hold every round, even if everybody agrees."),
    *MODEL_OPTIONS,
    LANGUAGE,
    SEED,
    OUT,
    *LIMIT_OPTIONS,
    click.option("--max-reply-tokens", type=Whole(16), metavar="N", help="The longest that a single reply may be."),
]
FILE = click.option(
    "-c", "--config", "file", type=click.Path(path_type=Path), metavar="FILE", help="A debate file (YAML)."
)
DIFF = click.option(
    "--diff",
    is_flag=False,
    flag_value="HEAD",
    metavar="[REV..REV]",
    help="Debate a change from git. Without revisions, what tracked files have changed since the last commit.",
)
OUTPUT_OPTIONS = [
    click.option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print the result as one JSON document."),
    click.option("-q", "--quiet", is_flag=True, envvar="MOOT_QUIET", help="Show no progress."),
    click.option(
        "--display",
        type=click.Choice(["full", "plain", "json", "none"]),
        metavar="HOW",
        envvar="MOOT_DISPLAY",
        help="Progress on stderr: full, plain, json or none.  [default: full on a terminal, else plain]",
    ),
]
JSON = click.option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print JSON.")


def with_options(options: list[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@dataclass(frozen=True, slots=True)
class Output:
    """How a command shows its output."""

    as_json: bool
    display: str

    @classmethod
    def of(cls, as_json: bool, quiet: bool, display: str | None) -> "Output":
        source = click.get_current_context().get_parameter_source
        typed = ParameterSource.COMMANDLINE
        # A typed option overrides a variable, so -q overrides MOOT_DISPLAY.
        if quiet and (display is None or (source("quiet") is typed and source("display") is not typed)):
            display = "none"
        able = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        return cls(as_json, display or ("full" if able else "plain"))


def with_output(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for how a command shows its output, given to it as `output`."""

    @wraps(command)
    def shown(as_json: bool, quiet: bool, display: str | None, **given: Any) -> Any:
        return command(output=Output.of(as_json, quiet, display), **given)

    return with_options(OUTPUT_OPTIONS)(shown)


def settings_of(
    model: tuple[str, ...] = (),
    roles: tuple[str, ...] = (),
    sampling: tuple[str, ...] = (),
    documents: Sequence[Any] = (),
    tools: Sequence[str] = (),
    allow: Sequence[str] = (),
    **others: Any,
) -> dict[str, Any]:
    """Command-line options in the form for `moot.configure` and `moot.resume`."""
    from moot.engine.define.layers import parse_roles
    from moot.engine.define.sampling import parse_sampling

    return {
        "model": (list(model) if len(model) > 1 else model[0]) if model else None,
        "roles": parse_roles(roles) if roles else None,
        "sampling": parse_sampling(sampling) if sampling else None,
        "documents": [_document(one) for one in documents] or None,
        "tools": list(tools) or None,
        "allow": list(allow) or None,
        **others,
    }


def _document(given: Any) -> Any:
    """A document as given; standard input is read here."""
    if given != "-":
        return given
    from moot.evidence.context import read_body

    text = stdin_text("document")
    return {**read_body(text.encode(), "standard input").document(), "source": "standard input"}


def runs_folder(out: str | None) -> str:
    """The folder for runs: from the option, otherwise from the variable and the config files."""
    from moot.engine.define.layers import load_options

    return load_options(out=out).out


def print_json(value: Any) -> None:
    """Print one JSON document on standard output, in ASCII if that is not UTF-8."""
    click.echo(json.dumps(value, ensure_ascii=not _speaks_utf8(), indent=2))


def json_line(value: Any) -> str:
    """A JSON document on one line, for standard output."""
    return json.dumps(value, ensure_ascii=not _speaks_utf8())


def put_text(text: str, output: Path | None) -> None:
    """Write a document to that file, or to standard output; control characters are removed for a terminal."""
    if output is None:
        click.echo(printable(text) if sys.stdout.isatty() else text, nl=bool(text) and not text.endswith("\n"))
        return
    try:
        output.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise moot.ConfigError(f"{output} cannot be written: {error.strerror}") from error


def say_plugin_faults(others: Sequence[str] = ()) -> None:
    """Load the user's plug-in files and print messages about broken ones and other faults."""
    from moot.engine.define.registry import plugin_faults

    for fault in (*plugin_faults(), *others):
        tell(fault)


def system_error(error: OSError) -> str:
    """The error of the system in one line, with advice if there is any."""
    told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{told}; lower --concurrency, or raise the limit (ulimit -n)"
    return told


def reader_left(error: BaseException) -> bool:
    """Whether the reader has left: a broken pipe, or the SystemExit that rich makes of one."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError)


def close_stream(stream: IO[str]) -> None:
    """Point a stream without a reader to nothing, so that writing to it and closing it do not fail."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _speaks_utf8() -> bool:
    return str(sys.stdout.encoding).lower() in ("utf-8", "utf8")


def stdin_text(what: str) -> str:
    """All of standard input."""
    return decoded(stdin_bytes(what), f"the {what} on standard input")


def stdin_bytes(what: str) -> bytes:
    """The same, before it is decoded; a byte more than may be read if there is more."""
    if sys.stdin is None:
        raise moot.ConfigError(f"there is no standard input to read the {what} from")
    return sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)


def decoded(data: bytes, what: str) -> str:
    """Input from the user, as text."""
    if len(data) > MAX_INPUT_BYTES:
        raise moot.ConfigError(f"{what} is longer than {MAX_INPUT_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise moot.ConfigError(f"{what} is not UTF-8 text (byte {error.start})") from error
