"""The `moot` command: finding the subcommand, and turning errors into one line and an exit code."""

import os
import sys
from typing import Any

import click

import moot
from moot.cli.about import doctor, models, schema
from moot.cli.inspect import export, list_, log, replay, report, show, verify
from moot.cli.stage import demo, duel, fork, plan, resume, run

EPILOG = """\b
  moot "Should we rewrite the billing service in Rust?"
  moot run examples/nuclear-power.yaml -m openai/gpt-5
  moot duel "Tabs or spaces?" --role judge=anthropic/claude-sonnet-4-5
"""


class Moot(click.Group):
    """A group whose first argument may be a question instead of a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = args and (args[0] in self.commands or args[0] in ("--help", "--version", "-h"))
        # A question has a space in it; a word alone is more likely a command that was mistyped.
        if args and not known and (args[0].startswith("-") or " " in args[0].strip() or "?" in args[0]):
            args = ["duel", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(self.commands)


@click.group(
    cls=Moot,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="moot")
def cli() -> None:
    """Stage structured debates between language models, and keep a decision that can be audited.

    `moot "QUESTION"` runs a duel: two debaters, one judge. With no key and no server the embedded model speaks.
    """


for command in (
    duel, run, demo, plan, resume, fork, list_, show, report, export, verify, replay, log, models, doctor, schema,
):  # fmt: skip
    cli.add_command(command)


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(_main(args))


def _main(args: list[str] | None) -> int:
    try:
        _refuse_bad_encoding(sys.argv[1:] if args is None else args)
        outcome: Any = cli.main(args, prog_name="moot", standalone_mode=False)
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except moot.MootError as error:
        click.echo(f"moot: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        # The reader went away, as `head` does. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return outcome if isinstance(outcome, int) else 0


def _refuse_bad_encoding(args: list[str]) -> None:
    for argument in args:
        if any("\ud800" <= char <= "\udfff" for char in argument):
            raise moot.ConfigError(f"the argument {argument!a} is not valid text in this terminal's encoding")
