"""Options that several commands share, and their values."""

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
from moot.cli.sections import document_option, gate_option, limit_option, model_option, output_option
from moot.plugins.files import project_file, settings_file, user_file
from moot.text import printable, spelled_out

MAX_INPUT_BYTES = 1_000_000
USUAL_FOLDER = "debates"
POLICY = "MOOT_POLICY"
PLANNING = "moot.engine.staging.plan"
"""Set in the context of a command that is only planned."""
BARE = "moot.engine.staging.choosing"
"""Set if there is a question in place of a command, so that no protocol is chosen."""
F = TypeVar("F", bound=Callable[..., Any])

RECONNECT = click.option(
    "--reconnect",
    type=Number(0),
    envvar="MOOT_RECONNECT",
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a lost database to come back (or MOOT_RECONNECT).",
)


def complete_model(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of models that begin so; for a role, after its name. No server chose them: shells put them on the line
    as they are."""
    from moot.models.offers import known_names

    role, equals, begun = incomplete.rpartition("=")
    return [f"{role}{equals}{name}" for name in known_names() if name.startswith(begun)]


SAMPLING = model_option(
    "--sampling",
    multiple=True,
    metavar="[ROLE.]KEY=VALUE",
    help="Set temperature, top_p, seed or effort for all roles or for one: judge.temperature=0. Repeatable.",
)
FALLBACKS, MEMBERS = "Repeat to add fallbacks.", "Repeat to give each agent its own model."


def model_options(repeated: str = FALLBACKS) -> list[Callable[[F], F]]:
    """The options for models; the sentence says what several models are."""
    return [
        model_option(
            "-m",
            "--model",
            multiple=True,
            metavar="MODEL",
            shell_complete=complete_model,
            help=f"Model (provider/name) for every role not set with --role. {repeated}",
        ),
        model_option(
            "--role",
            "roles",
            multiple=True,
            metavar="ROLE=MODEL",
            shell_complete=complete_model,
            help="Model for one role, such as judge=openai/gpt-5. Repeatable.",
        ),
        SAMPLING,
    ]


MODEL_OPTIONS = model_options()
LIMIT_OPTIONS = [
    limit_option("--max-calls", type=Whole(0), metavar="N", help="Make up to N model calls, then stop."),
    limit_option("--max-tokens", type=Whole(0), metavar="N", help="Use up to N tokens, then stop."),
    limit_option("--max-cost", type=Number(0), metavar="DOLLARS", help="Spend up to this amount, then stop."),
    limit_option("--max-minutes", type=Number(0), metavar="N", help="Make no new calls after N minutes."),
]
LANGUAGE = click.option(
    "--language", metavar="NAME", help="Language of the debate, such as German.  [default: the topic's]"
)
SEED = click.option("--seed", type=int, metavar="N", help="Seed for random choices and for the embedded model.")
OUT = output_option("--out", metavar="DIR", help="Folder for runs.  [default: debates]")


def run_options(repeated: str = FALLBACKS) -> list[Callable[[F], F]]:
    """The options of every command that starts a debate."""
    return [
        LANGUAGE,
        SEED,
        document_option(
            "--context",
            "documents",
            multiple=True,
            metavar="NAME",
            help="A document for all agents: a file (text, Markdown, PDF, HTML, JSON, code, image), a folder, a URL, a "
            "git revision or range such as main..HEAD, or - for standard input. Repeatable.",
        ),
        document_option(
            "--tool",
            "tools",
            multiple=True,
            metavar="NAME[=ROLE]",
            help="Give debaters (or one role) a tool: search (the documents), fetch (web pages), python, or one from "
            "your moot.yaml. Repeatable.",
        ),
        document_option("--max-lookups", type=Whole(0), metavar="N", help="Maximum number of lookups.  [default: 24]"),
        *model_options(repeated),
        limit_option("--full", is_flag=True, default=None, help="Run every round, even if all agree early."),
        *LIMIT_OPTIONS,
        limit_option("--max-reply-tokens", type=Whole(16), metavar="N", help="Maximum tokens per reply."),
        gate_option(
            "--policy",
            metavar="FILE|REV:PATH",
            help="Read models, roles, requirements and limits from a file (YAML) that the authors of the text cannot "
            "change: outside the project, or in a git revision (or MOOT_POLICY).",
        ),
        OUT,
    ]


FILE = click.option(
    "-c",
    "--config",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read settings from a debate file (YAML).",
)
DIFF = click.option(
    "--diff",
    is_flag=False,
    flag_value="HEAD",
    metavar="[REV..REV]",
    help="Debate a change from git. Without revisions: what changed in tracked files since the last commit.",
)
JSON = output_option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print JSON.")
OUTPUT_OPTIONS = [
    JSON,
    output_option("-q", "--quiet", is_flag=True, envvar="MOOT_QUIET", help="Hide progress."),
    output_option(
        "--display",
        type=click.Choice(["full", "plain", "json", "none"]),
        metavar="HOW",
        envvar="MOOT_DISPLAY",
        help="Show progress on stderr: full, plain, json or none.  [default: full on a terminal, plain elsewhere]",
    ),
]


def with_options(options: list[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def planning() -> bool:
    """Whether the command of this context is only planned."""
    return bool(click.get_current_context().meta.get(PLANNING))


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
    """The folder for runs: from the option, otherwise from the variable and the config files. Other settings need not
    be sound to find it."""
    if out is None and not os.environ.get(POLICY):
        named = (
            os.environ.get("MOOT_OUT"),
            *(settings_file(file).get("out") for file in (project_file(), user_file())),
        )
        out = next(filter(None, named), USUAL_FOLDER)
    if isinstance(out, str) and out and "\0" not in out:
        return out
    from moot.engine.define.layers import load_options  # it says what is wrong with it, or reads the policy

    return load_options(out=out).out


def print_json(value: Any) -> None:
    """Print one JSON document on standard output, in ASCII if that is not UTF-8."""
    click.echo(spelled_out(json.dumps(value, ensure_ascii=not _speaks_utf8(), indent=2)))


def json_line(value: Any) -> str:
    """A JSON document on one line, for standard output."""
    return spelled_out(json.dumps(value, ensure_ascii=not _speaks_utf8()))


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
