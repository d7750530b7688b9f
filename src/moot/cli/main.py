"""The `moot` command: finds the subcommand, and turns errors into one line and an exit code."""

import io
import itertools
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from moot.cli.notes import fitted, tell
from moot.engine.define.plugin_option import OPTION as PLUGIN
from moot.engine.define.plugin_option import name_plugin
from moot.engine.define.shipped import DEFAULT, GROUP, OFFERED, describe
from moot.errors import ConfigError, MootError
from moot.plugins.features import BUILT_IN, TAKEN, MissingFeature, built_in, feature_of, features, find_command, load
from moot.plugins.files import ignored_settings, ignored_words, plugin_files
from moot.system import end_as_by_interrupt
from moot.text import one_line

LONGEST_MESSAGE = 2000
ALL = "moot.cli.all"
"""Set in the context of the help that lists all commands."""
EPILOG = """\b
Examples:
  moot "Should we rewrite the billing service in Rust?"
  moot "Should we migrate?" rfc.md notes/*.md -m openai/gpt-5-mini
  moot redteam plan.md -m openai/gpt-5-mini
"""


FIRST = ("demo", "protocols", "models", "plan", "resume", "list", "show", "serve")
"""What people need first: the commands in `moot --help`. `moot help` lists all."""
EXIT_CODES = {
    0: "Done.",
    1: "Failed. Nothing is lost: `moot resume` continues the debate.",
    2: "The command, a file or a setting is wrong. Nothing was spent.",
    3: "A limit was reached. `moot resume` continues with a larger one.",
    100: "Done, but the gate does not pass.",
    130: "Interrupted. `moot resume` continues the debate.",
}
PROTOCOLS = "Debate"
"""The group with the protocols."""
GROUPS = {
    "Debate": {
        "run": ("moot.cli.protocols:run", "Run a debate from a file, or with your own protocol."),
        "demo": ("moot.cli.debates:demo", "Watch a hand-written example debate at reading speed."),
        "plan": ("moot.cli.debates:plan", "Estimate calls, tokens and cost without starting the debate."),
        "resume": ("moot.cli.debates:resume", "Continue a debate that stopped."),
        "fork": ("moot.cli.debates:fork", "Branch a debate at one of its entries."),
        "again": ("moot.cli.again:again", "Debate a follow-up question, knowing an earlier outcome."),
    },
    "Read": {
        "list": ("moot.cli.listing:list_", "List runs, newest first."),
        "show": ("moot.cli.show:show", "Show the outcome and the log of a debate."),
        "ask": ("moot.cli.ask:ask", "Ask a question about a finished debate."),
        "export": ("moot.cli.export:export", "Print a debate as one document."),
        "runs": ("moot.cli.roofs:runs", "Tag, bin, report, publish and deliver runs."),
    },
    "Check": {
        "verify": ("moot.cli.verify:verify", "Check that a run or a receipt has not been altered."),
    },
    "Studies": {},
    "Serve": {
        "log": ("moot.cli.outside:log", "Add entries to a debate from another program."),
    },
    "Set up": {
        "models": ("moot.cli.models:models", "List the available models and how to set up others."),
        "protocols": ("moot.cli.protocols:protocols", "List the installed protocols, or create your own."),
        "setup": ("moot.cli.roofs:setup", "Check this computer, trust settings, make keys."),
        "help": ("moot.cli.info:help_", "List all commands, or show the help of one."),
    },
}
"""The commands by what people want to do, with their module and their line in the list of commands; only the requested
one is loaded. The protocols are commands of the first group, and features add others."""
FIRM_HYPHEN = "\N{NON-BREAKING HYPHEN}"
OF_FEATURES = [name for known in BUILT_IN.values() for name in known.commands]
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
TAKEN.update([*COMMANDS, *OF_FEATURES, *OFFERED])


class Interrupted(MootError):
    """Ctrl-C, with the exit code that shells use."""

    exit_code = 130


class WholeWords(click.HelpFormatter):
    """Help whose lines do not end inside an option or a path: hyphens do not break while lines are made."""

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", FIRM_HYPHEN))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        firm = [(term, about.replace("-", FIRM_HYPHEN)) for term, about in rows]
        super().write_dl(firm, col_max, col_spacing)

    def getvalue(self) -> str:
        return super().getvalue().replace(FIRM_HYPHEN, "-")


click.Context.formatter_class = WholeWords  # of all commands, which are made by click's own classes


class Moot(click.Group):
    """A group whose first argument can be a question instead of a command. It has a command for each protocol."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        leading = _leading_options(args)
        before, args = args[:leading], args[leading:]
        for path in before[1::2]:
            name_plugin(path)
        first = args[0] if args else "--help"
        if first in ("--help", "-h", "--version", *COMMANDS, *OF_FEATURES, *OFFERED):
            return super().parse_args(ctx, args or ["--help"])
        names = self.list_commands(ctx)
        if first in names:
            return super().parse_args(ctx, args)
        if not first.strip():
            ctx.fail("The question is empty.")
        from moot.text.language import has_spaces, is_question

        debate_file = first.endswith((".yaml", ".yml", ".py"))
        # A question contains a space, where its script has any; a single word is more likely a mistyped command.
        is_text = first.startswith("-") or " " in first.strip() or is_question(first) or not has_spaces(first)
        if is_text or (not debate_file and os.path.isfile(first)):  # noqa: PTH113 (also where it cannot be a path)
            from moot.cli.options import BARE

            ctx.meta[BARE] = True
            return super().parse_args(ctx, [DEFAULT, *args])
        import difflib

        from moot.cli.hints import command
        from moot.cli.subjects import refuse_missing_file

        if debate_file:
            ctx.fail(f"A debate file is run with: {command('run', first)}")
        refuse_missing_file(first)
        _say_what_is_ignored()
        for fault in _plugged_in()[1]:
            _complain(fault)
        close = "".join(f" Did you mean {one!r}?" for one in difflib.get_close_matches(first, names, 1))
        words = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), args))
        return ctx.fail(f"There is no command {first!r}.{close} To debate it: {command(DEFAULT, words)}")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and args[:2] != ["setup", "trust"]:
            _say_what_is_ignored()
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except SystemExit as error:
            from moot.cli.options import reader_left

            if reader_left(error):
                raise
            told = f"the code of a plug-in or a package ended the program: SystemExit: {error}"
            raise MootError(told) from error

    def _protocols(self) -> list[str]:
        return [*OFFERED, *_plugged_in()[0]]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        added = (name for one in features() for name in one.commands if " " not in name)
        return [*self._protocols(), *COMMANDS, *added]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            return _loaded(COMMANDS[cmd_name][0])
        if cmd_name not in OFFERED:
            names = [] if cmd_name in OF_FEATURES else self.list_commands(ctx)
            if (of_feature := find_command(cmd_name)) is not None:
                return _loaded(of_feature.at)
            if cmd_name not in names:
                return None
        from moot.cli.protocols import command_of
        from moot.engine.define.registry import get_protocol

        return command_of(get_protocol(cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.meta.get(ALL):
            self._format_all(formatter)
        else:
            with formatter.section("Commands"):
                formatter.write_dl([(name, about) for name in FIRST if (about := _line_of(name))])
            formatter.write_paragraph()
            formatter.write_text("`moot help` lists all commands and protocols; `moot help NAME` explains one.")
        for fault in _plugged_in()[1]:
            _complain(fault)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def _format_all(self, formatter: click.HelpFormatter) -> None:
        groups = _groups({name: _about(name) for name in self._protocols()})
        width = max(len(name) for rows in groups.values() for name in rows)
        for title, rows in groups.items():
            if rows:
                with formatter.section(title):
                    # All groups have their texts in the same column.
                    formatter.write_dl([(name.ljust(width), about) for name, about in rows.items()])
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code).ljust(width), meaning) for code, meaning in EXIT_CODES.items()])


def _line_of(name: str) -> str:
    """The line of a command in lists; empty if it belongs to a feature that is not installed."""
    if name in COMMANDS:
        return COMMANDS[name][1]
    with suppress(MissingFeature):
        found = find_command(name)
        return found.about if found else ""
    return ""


def _groups(protocols: dict[str, str]) -> dict[str, dict[str, str]]:
    """The line of every command, by group, with those of the protocols."""
    groups = {PROTOCOLS: protocols}
    for title, commands in GROUPS.items():
        groups.setdefault(title, {}).update({name: about for name, (_, about) in commands.items()})
    for feature in features():
        for name, command in feature.commands.items():
            if " " not in name:  # not in a roof
                groups.setdefault(command.group, {})[name] = command.about
    return groups


def _loaded(at: Any) -> click.Command:
    found = load(at)
    if not isinstance(found, click.Command):
        raise ConfigError(f"what a feature has at {at!a} is no command of click")
    return found


def _say_what_is_ignored() -> None:
    """A line about the settings of a project that is not trusted."""
    with suppress(ConfigError):  # a command that needs a moot.yaml that cannot be read says so
        if ignored := ignored_settings():
            tell(ignored_words(ignored))


def _plugged_in() -> tuple[list[str], list[str]]:
    """The protocols of packages and plug-in files, and messages about files that cannot be loaded."""
    from importlib.metadata import entry_points

    try:
        if not plugin_files() and not entry_points(group=GROUP):
            return [], []
    except ConfigError as error:  # a moot.yaml that cannot be read
        return [], [str(error)]
    from moot.engine.define.registry import plugin_faults, protocol_names

    return protocol_names()[len(OFFERED) :], plugin_faults()


def _about(name: str) -> str:
    """The description of a protocol in one line."""
    if name in OFFERED:
        return describe(name)
    from moot.engine.define.registry import get_protocol

    try:
        return one_line(get_protocol(name).about)
    except ConfigError as error:
        return f"({one_line(error)})"


def _leading_options(args: list[str]) -> int:
    """The number of words at the start that name plug-ins."""
    count = 0
    while args[count : count + 1] == [PLUGIN] and len(args) > count + 1:
        count += 2
    return count


@click.group(
    cls=Moot,
    epilog=EPILOG,
    subcommand_metavar='"QUESTION" | COMMAND [ARGS]...',
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(PLUGIN, metavar="FILE", multiple=True, help="Load your own protocol from a Python file. Repeatable.")
@click.version_option(package_name="moot")
def cli(plugin: tuple[str, ...]) -> None:
    """Let language models debate a question, and keep an auditable record of the decision.

    `moot "QUESTION" [FILE]…` chooses a protocol that suits the question; the files are documents. Unless you choose a
    model with -m, moot uses its small embedded model, which shows how a debate works but cannot judge.

    RUN is a run folder, part of its name, or `latest`.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    _mend_streams()
    end_as_by_interrupt()
    code = _main(args)
    _close_unread_streams()
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
    except MootError as error:
        _complain(str(error))
        return error.exit_code
    except ModuleNotFoundError as error:
        if (feature := feature_of(error.name or "")) is None or built_in(feature):
            raise
        _complain(str(MissingFeature("this", feature)))
        return 2
    except (BrokenPipeError, SystemExit):  # click and rich turn a broken pipe into SystemExit
        # The reader has closed the pipe, as `head` does.
        return 0
    except OSError as error:
        from moot.cli.options import system_error

        _complain(system_error(error))
        return 1
    return outcome if isinstance(outcome, int) else 0


def _show(error: click.ClickException) -> None:
    """Show an error as click does, with lines that break between words."""
    told = io.StringIO()
    error.show(told)
    click.echo(fitted(told.getvalue()), err=True, nl=False)


def _close_unread_streams() -> None:
    """Redirect closed streams. Otherwise Python would complain when it closes them, and change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            from moot.cli.options import close_stream

            close_stream(stream)


def _mend_streams() -> None:
    """Make streams writable that are closed, or whose encoding lacks characters.

    A closed stream is opened first, before a file of a run could get its file descriptor.
    """
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _complain(message: str) -> None:
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[: LONGEST_MESSAGE // 2]} … {message[-LONGEST_MESSAGE // 2 :]}"
    tell(message)


def _refuse_bad_encoding(args: list[str]) -> None:
    for argument in args:
        if any("\ud800" <= char <= "\udfff" for char in argument):
            raise ConfigError(f"the argument {argument!a} is not valid text in this terminal's encoding")
