"""A command for each protocol, made from its declarations; the list of protocols, and a template for new ones."""

import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.additions import Additions, addition_options
from moot.cli.hints import called, command
from moot.cli.notes import fitted, tell
from moot.cli.options import (
    BARE,
    DIFF,
    FALLBACKS,
    FILE,
    JSON,
    MEMBERS,
    Output,
    print_json,
    run_options,
    say_plugin_faults,
    settings_of,
    with_options,
    with_output,
)
from moot.cli.ranges import Number, Whole
from moot.cli.sections import SectionedCommand, sectioned_command
from moot.cli.stage import stage
from moot.cli.subjects import is_document, subject_of
from moot.engine.define.options import Option, declared
from moot.engine.define.plugin_option import plugin_option
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import Found, check_options, find, get_protocol, load_file, protocol_names
from moot.models.scripted import demo_names
from moot.system import run_until_stopped
from moot.text import one_line

METAVARS = {"whole": "N", "number": "X", "text": "TEXT", "choice": "NAME", "switch": ""}


def command_of(protocol: Protocol) -> click.Command:
    """The command that stages a debate of this protocol."""
    options = [one for one in (*declared(protocol.config), *protocol.options) if one.command]

    @with_output
    def run(subject: str | None, output: Output, **settings: Any) -> int:
        return _staged(protocol, options, subject, output, settings)

    arguments = [
        click.Argument(["subject"], required=False, metavar=f"[{protocol.subject.name.upper()}]"),
        click.Argument(["rest"], nargs=-1, metavar="[DOCUMENT]…"),
    ]
    decorated = [
        *(_click_option(option) for option in options),
        *([DIFF] if protocol.subject.document else []),
        FILE,
        *addition_options(protocol.name, protocol),
        *run_options(MEMBERS if protocol.keys.seats else FALLBACKS),
    ]
    function: Any = with_options(decorated)(run)
    made: click.Command = sectioned_command(name=protocol.name, help=_help(protocol), short_help=protocol.about)(
        function
    )
    check_options(protocol, _names([*arguments, *made.params[len(options) :]]) | {"rest", "help"})
    made.params = [*arguments, *made.params]
    return made


def _names(params: Sequence[click.Parameter]) -> set[str]:
    """The names of parameters, and their flags as names."""
    flags = {flag.removeprefix("--").replace("-", "_") for one in params for flag in one.opts if flag.startswith("--")}
    return flags | {one.name for one in params if one.name}


def _staged(
    protocol: Protocol, options: Sequence[Option], given: str | None, output: Output, settings: dict[str, Any]
) -> int:
    additions = Additions.out_of(settings)
    rest, open_ended = settings.pop("rest"), [one.name for one in options if one.rest and settings[one.name]]
    settings["documents"] += () if open_ended else rest
    settings |= {name: (*settings[name], *rest) for name in open_ended}
    own = _own(options, settings)
    if given is not None and is_document(given, protocol):
        settings["documents"] = (given, *settings["documents"])
        given = f"Should we do what {one_line(Path(given).name)} proposes?"
        tell(f"The question is “{given}”. To ask another, type it before the file.")
    submitted = subject_of(given, protocol, settings.pop("diff", None))
    about = {**settings_of(**settings), **submitted.settings}
    wanted = {protocol.subject.key: submitted.text, **own, **about}
    wanted |= additions.settings(protocol, wanted)
    config = additions.fit(_configured(protocol, wanted))
    subject, file = wanted[protocol.subject.key], settings["file"]
    if given is None and file is None and subject is None:
        tell(f"No topic given, so moot debates the built-in example: {config.topic}")
    ctx = click.get_current_context()
    if ctx.meta.get(BARE) and not own and file is None and subject:
        config = _chosen(config, {key: value for key, value in wanted.items() if key != protocol.subject.key})
    return stage(config, output, additions)


def _chosen(config: moot.RunConfig, settings: dict[str, Any]) -> moot.RunConfig:
    """The debate that suits the question, as a model says what it asks. Without such a model, the default one."""
    from moot.engine.play.frame import suited
    from moot.engine.staging.choosing import begun_with, frame_first
    from moot.record.payloads import KINDS

    frame, records = run_until_stopped(frame_first(config))
    if frame.kind is None:
        return begun_with(config, records)
    protocol = get_protocol(next(iter(suited(frame)), config.protocol.name))
    tell(f"It is {KINDS[frame.kind]}: {protocol.name}. To choose another way: {command('protocols')}")
    known = {**settings, "seed": config.options.seed, protocol.subject.key: config.topic}
    return begun_with(_configured(protocol, known), records)


def _own(options: Sequence[Option], settings: dict[str, Any]) -> dict[str, Any]:
    """The protocol's settings from the command line."""
    found: dict[str, Any] = {}
    flags: dict[str, str] = {}
    for option in options:
        value = settings.pop(option.name)
        if value is None or value == ():
            continue
        meant = option.settings(list(value) if option.many else value)
        if twice := next((key for key in meant if key in found), None):
            raise moot.ConfigError(f"Give either {flags[twice]} or {option.flag}, not both.", twice)
        found |= meant
        flags |= dict.fromkeys(meant, option.flag)
    return found


def _configured(protocol: Protocol, settings: dict[str, Any]) -> moot.RunConfig:
    """The config. If there is no subject and a person is at the terminal, ask for it."""
    subject = protocol.subject
    try:
        return moot.configure(protocol.name, **settings)
    except moot.ConfigError as error:
        if not (error.missing and error.key == subject.key):
            raise
        example = command(*plugin_option(protocol.name), protocol.name, "…")
        if not (sys.stdin and sys.stdin.isatty()):
            raise moot.ConfigError(
                f"Missing {subject.name}. Type it, or use - to read standard input: {example}",
                subject.key,
                missing=True,
            ) from None
        click.echo(fitted(f"Type the {subject.name}. Next time you can add it to the command: {example}"), err=True)
        asked = click.prompt(subject.name.capitalize(), err=True)
        return moot.configure(protocol.name, **{**settings, subject.key: asked})


def _click_option(option: Option) -> Callable[[Any], Any]:
    bounded = option.least is not None or option.most is not None
    kinds: dict[str, Any] = {
        "whole": Whole(_int(option.least), _int(option.most)) if bounded else int,
        "number": Number(option.least, option.most) if bounded else float,
        "text": str,
        "choice": SeveralOf(option.choices) if option.many else click.Choice(option.choices),
    }
    told = option.default not in (None, "") and option.kind != "switch" and not option.many
    default = f"  [default: {option.default}]" if told else ""
    variable = f"MOOT_{(option.short or option.name).upper()}" if option.variable and not option.many else None
    text = option.help
    if option.kind == "choice" and not all(one in text for one in option.choices):
        text += f" One of {', '.join(option.choices)}."
    if option.many and "Repeatable" not in text:
        text += " Repeatable."
    if option.kind == "switch":
        # An option that is on by default needs a way to switch it off.
        flags = f"{option.flag}/--no-{option.flag.removeprefix('--')}" if option.default else option.flag
        usual = f"  [default: {option.flag.removeprefix('--')}]" if option.default else ""
        return click.option(flags, option.name, is_flag=True, default=None, envvar=variable, help=f"{text}{usual}")
    return click.option(
        option.flag,
        option.name,
        type=kinds[option.kind],
        multiple=option.many,
        metavar=option.metavar or METAVARS[option.kind],
        envvar=variable,
        help=f"{text}{default}",
    )


class SeveralOf(click.Choice[str]):
    """One of these words, or several with commas between."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return ",".join(super(SeveralOf, self).convert(one.strip(), param, ctx) for one in str(value).split(","))


def _int(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def _help(protocol: Protocol) -> str:
    subject = protocol.subject
    word = subject.name.upper()
    what = f"{word} is a text, the name of a text file, or" if subject.document else f"{word} is a text;"
    lines = [protocol.about, f"{what} `-` {'for' if subject.document else 'reads it from'} standard input."]
    if subject.help:
        lines.append(subject.help)
    lines[1] += " Files after it are documents."
    if not subject.needed:
        lines[1] += " Without it, moot debates a built-in example."
    if why := protocol.lookups.refused:
        lines.append(f"--tool does not work here: {why}.")
    return "\n\n".join([lines[0], " ".join(lines[1:])])


class RunCommand(SectionedCommand):
    """`moot run FILE.py TOPIC` is the command of the protocol in that file, with its options."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0].endswith(".py"):
            found = load_file(Path(args[0]))
            if len(found) != 1:
                told = ", ".join(one.name for one in found) or "none"
                raise moot.ConfigError(f"{args[0]} must contain exactly one protocol. It contains: {told}.")
            return command_of(found[0]).make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=RunCommand)
@click.argument("file", type=click.Path(path_type=Path))
@with_options(addition_options("run"))
@with_options(run_options())
@with_output
def run(file: Path, output: Output, **settings: Any) -> int:
    """Run a debate from a file, or with your own protocol.

    FILE.yaml is a debate file. FILE.py contains a protocol; its topic and options follow.
    """
    additions = Additions.out_of(settings)
    given = settings_of(**settings)
    config = moot.configure(file=file, **given, **additions.settings(None, given))
    return stage(additions.fit(config), output, additions)


@click.group(invoke_without_command=True)
@JSON
@click.pass_context
def protocols(context: click.Context, as_json: bool) -> int:
    """List the installed protocols, or create your own.

    Shows where each comes from: moot, a package, or a file. `moot demo NAME` plays a built-in example.
    """
    if context.invoked_subcommand is not None:
        return 0
    say_plugin_faults()
    rows = [_row(name) for name in protocol_names()]
    if as_json:
        print_json(rows)
        return 0
    from moot.cli.tables import print_protocols

    print_protocols(rows)
    return 0


def _row(name: str) -> dict[str, Any]:
    try:
        found = find(name)
    except moot.ConfigError as error:
        return {"name": name, "from": "", "about": "", "gives": "", "demo": False, "fault": str(error)}
    one, own = found.protocol, found.origin is None and found.path is None
    demo = own and name in demo_names()
    return {"name": name, "from": _source(found), "about": one.about, "gives": one.gives, "demo": demo, "fault": None}


def _source(found: Found) -> str:
    if found.path is not None:
        return str(found.path)
    if found.origin is None:
        return "moot"
    return f"{found.origin.source} {found.origin.version or ''}".strip()


@protocols.command()
@click.argument("name")
def new(name: str) -> int:
    """Create a template for your own protocol, with a test.

    NAME has lower-case letters, digits and _. Writes NAME.py and test_NAME.py to the current folder.
    """
    if iskeyword(name):
        raise moot.ConfigError(f"“{name}” is a Python keyword. Choose another name.")
    if name[:1].isdigit():
        raise moot.ConfigError(f"A protocol name must begin with a letter: “{name}”.")
    if not name.isidentifier() or name != name.lower():
        raise moot.ConfigError(f"A protocol name can only have lower-case letters, digits and _: “{name}”.")
    if name in protocol_names():
        raise moot.ConfigError(f"The protocol “{name}” already exists. Choose another name.")
    for path, template in (
        (Path(f"{name}.py"), "new_protocol.py.txt"),
        (Path(f"test_{name}.py"), "test_new_protocol.py.txt"),
    ):
        text = (files("moot") / "data" / template).read_text("utf-8")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text.replace("NAME", name))
        except FileExistsError:
            raise moot.ConfigError(f"{path} already exists and was not changed.") from None
    click.echo(f'Wrote {name}.py and test_{name}.py. Try it: {called()} run {name}.py "Tea or coffee?"')
    return 0
