"""The `moot` command: finding the subcommand, and turning errors into one line and an exit code."""

import difflib
import io
import itertools
import os
import sys
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.about import doctor, models, schema
from moot.cli.argue import argue
from moot.cli.batch import batch
from moot.cli.contest import contest
from moot.cli.deliver import deliver
from moot.cli.evaluate import evaluate
from moot.cli.extract import extract
from moot.cli.going_on import command as command_line
from moot.cli.inspect import export, list_, log, replay, report, show, verify
from moot.cli.mcp import mcp
from moot.cli.memory import knowledge, memory, rank
from moot.cli.options import let_go_of
from moot.cli.protocols import command_of, new_protocol, protocols
from moot.cli.pulse import pulse
from moot.cli.rejudge import rejudge
from moot.cli.run import run
from moot.cli.serve import serve
from moot.cli.stage import demo, fork, plan, resume
from moot.cli.worker import worker
from moot.engine.registry import DEFAULT, get_protocol, protocol_names

LONGEST_MESSAGE = 2000
PLUGIN = "--plugin"
IN_WORDS = {"a valid integer range": "a whole number", "a valid float range": "a number"}
"""What click calls its types, and what people do."""
EPILOG = """\b
Examples:
  moot "Should we rewrite the billing service in Rust?"
  moot run examples/nuclear-power.yaml -m openai/gpt-5
  moot duel "Tabs or spaces?" --role judge=anthropic/claude-sonnet-4-5
"""


class Moot(click.Group):
    """A group whose first argument may be a question instead of a command. It has a command for each protocol."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        leading = _leading_options(args)
        before, args = args[:leading], args[leading:]
        for path in before[1::2]:
            name_plugin(path)
        first = args[0] if args else "--help"
        if first in ("--help", "-h", "--version") or first in self.commands:
            return super().parse_args(ctx, args or ["--help"])
        names = self.list_commands(ctx)
        if first in names:
            return super().parse_args(ctx, args)
        if not first.strip():
            ctx.fail("The question is empty.")
        # A question has a space in it; a word alone is more likely a command that was mistyped.
        if first.startswith("-") or " " in first.strip() or "?" in first:
            return super().parse_args(ctx, [DEFAULT, *args])
        if first.endswith((".yaml", ".yml", ".py")):
            ctx.fail(f"A debate file is run with: {command_line('run', first)}")
        if close := difflib.get_close_matches(first, names, 1):
            ctx.fail(f"No such command {first!r}. Did you mean {close[0]!r}?")
        words = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), args))
        return ctx.fail(f"There is no command {first!r}. To debate it: {command_line(DEFAULT, words)}")

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return [*protocol_names(), *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        if known is None and cmd_name in protocol_names():
            return command_of(get_protocol(cmd_name))
        return known


def _leading_options(args: list[str]) -> int:
    """How many words at the start name plug-ins."""
    count = 0
    while args[count : count + 1] == [PLUGIN] and len(args) > count + 1:
        count += 2
    return count


def name_plugin(path: str) -> None:
    """Have this plug-in file loaded here and by all that this process starts."""
    named = os.environ.get("MOOT_PLUGINS", "")
    whole = str(Path(path).resolve())
    os.environ["MOOT_PLUGINS"] = f"{named}{os.pathsep}{whole}" if named else whole


@click.group(
    cls=Moot,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(PLUGIN, metavar="FILE", multiple=True, help="Load a protocol of your own from this Python file.")
@click.version_option(package_name="moot")
def cli(plugin: tuple[str, ...]) -> None:
    """Stage structured debates between language models, and keep a decision that can be audited.

    `moot "QUESTION"` stages a duel: two debaters, one judge. With no key and no server the embedded model speaks.

    Where a command takes a RUN, that is its folder, a part of its name, or `latest`.
    """


for command in (
    run, demo, plan, resume, fork, list_, show, report, export, verify, replay, log, contest, rejudge, argue,
    batch, evaluate, worker, serve, mcp, deliver, pulse, rank, knowledge, memory, protocols, new_protocol,
    models, doctor, schema,
):  # fmt: skip
    cli.add_command(command)
argue.add_command(extract)


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    _mend_streams()
    code = _main(args)
    _let_go_of_readers_who_left()
    sys.exit(code)


def _main(args: list[str] | None) -> int:
    try:
        _refuse_bad_encoding(sys.argv[1:] if args is None else args)
        outcome: Any = cli.main(args, prog_name="moot", standalone_mode=False)
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except moot.MootError as error:
        _complain(str(error))
        return error.exit_code
    except (BrokenPipeError, SystemExit):  # SystemExit is what rich makes of a broken pipe
        # The reader went away, as `head` does.
        return 0
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return 1
    return outcome if isinstance(outcome, int) else 0


def _show(error: click.ClickException) -> None:
    """As click does, but for what it calls a range of numbers."""
    if type(error) is click.BadParameter:  # and not one of its kinds, which have words of their own
        message = error.message
        for of_click, in_words in IN_WORDS.items():
            message = message.replace(of_click, in_words)
        error = click.BadParameter(message, error.ctx, error.param, error.param_hint)
    error.show()


def _let_go_of_readers_who_left() -> None:
    """Python would complain when it closes them, and exit with a code of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            let_go_of(stream)


def _mend_streams() -> None:
    """Have streams that can be written to, though they were closed or speak an encoding that lacks characters.

    A closed one is opened before any file of a run could take its number, and its place.
    """
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _complain(message: str) -> None:
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[: LONGEST_MESSAGE // 2]} … {message[-LONGEST_MESSAGE // 2 :]}"
    click.echo(moot.printable(f"moot: {message}"), err=True)


def _refuse_bad_encoding(args: list[str]) -> None:
    for argument in args:
        if any("\ud800" <= char <= "\udfff" for char in argument):
            raise moot.ConfigError(f"the argument {argument!a} is not valid text in this terminal's encoding")
