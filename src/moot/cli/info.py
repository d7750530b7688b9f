"""Commands about moot itself: help, schemas, names that complete in a shell, this computer, and keys."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

import moot
from moot.cli.options import JSON, OUT, print_json
from moot.text import printable

SHELLS = ("bash", "zsh", "fish")


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]…")
@click.pass_context
def help_(ctx: click.Context, names: tuple[str, ...]) -> None:
    """List all commands, or show the help of one.

    For a command inside another, name both: `moot help memory add`.
    """
    from moot.cli.main import ALL

    context = ctx.find_root()
    context.meta[ALL] = True
    for name in names:
        group = context.command
        found = group.get_command(context, name) if isinstance(group, click.Group) else None
        if found is None:
            raise click.UsageError(f"Unknown command “{' '.join(names)}”. `moot help` lists all.")
        context = click.Context(found, info_name=name, parent=context)
    click.echo(context.get_help())


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> int:
    """Print moot's JSON Schemas.

    NAME is entry (a line of log.jsonl), call (a line of calls.jsonl), result, or a protocol (its debate file).
    """
    from moot.runs.schemas import schemas

    published = schemas()
    if name is None:
        print_json(published)
    elif name in published:
        print_json(published[name])
    else:
        raise moot.ConfigError(f"Unknown schema “{name}”. Available: {', '.join(published)}")
    return 0


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print the shell completion script.

    It completes commands, options, runs and models. For bash, put `eval "$(moot setup completion bash)"` into
    ~/.bashrc; for zsh the same with zsh into ~/.zshrc; for fish, `moot setup completion fish | source` into its config.
    """
    from moot.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 (it is one of those just named)
    click.echo(kind(cli, {}, "moot", "_MOOT_COMPLETE").source())
    return 0


@click.command()
@OUT
@JSON
def doctor(out: str | None, as_json: bool) -> int:
    """Check that this computer is ready for a debate."""
    from moot.cli.tables import print_checks
    from moot.runs.doctor import diagnose

    checks = diagnose(out)
    if as_json:
        print_json([{"name": c.name, "ok": c.ok, "found": c.found, "hint": c.hint} for c in checks])
    else:
        print_checks(checks)
    return 1 if any(check.ok is False for check in checks) else 0


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--name", default="", metavar="NAME", help="Name of the signer, shown on receipts.")
def key(path: Path, name: str) -> int:
    """Make a key to sign receipts with.

    FILE is the private key; give FILE.pub to people who check your receipts. With MOOT_SIGNING_KEY=FILE, moot signs
    every receipt.
    """
    from moot.report.signing import make_key

    if len(name.splitlines()) > 1:
        raise moot.ConfigError("a name is one line")
    secret, public = make_key(name)
    beside = path.with_name(f"{path.name}.pub")
    if beside.exists():
        raise moot.ConfigError(f"{beside} is there already; give the key another name")
    try:
        # Private from the start, and never over an existing key.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{secret}\n")
        beside.write_text(f"{public.line}\n", "utf-8")
    except OSError as error:
        raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"{path} signs as {printable(name) or 'nobody in particular'} ({public.fingerprint}).")
    click.echo(f"Give {beside} to those who check, and set MOOT_SIGNING_KEY={path}")
    return 0
