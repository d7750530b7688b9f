"""Commands about moot itself: help, doctor, schema."""

import click

import moot
from moot.cli.options import JSON, OUT, print_json
from moot.runs.doctor import diagnose


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]…")
@click.pass_context
def help_(ctx: click.Context, names: tuple[str, ...]) -> None:
    """List all commands, or explain one.

    COMMAND is the name of a command, with that of one inside it if there is any: `moot help memory add`.
    """
    from moot.cli.main import ALL

    context = ctx.find_root()
    context.meta[ALL] = True
    for name in names:
        group = context.command
        found = group.get_command(context, name) if isinstance(group, click.Group) else None
        if found is None:
            raise click.UsageError(f"There is no command {' '.join(names)!r}. `moot help` lists all.")
        context = click.Context(found, info_name=name, parent=context)
    click.echo(context.get_help())


@click.command()
@OUT
@JSON
def doctor(out: str | None, as_json: bool) -> int:
    """Check whether this machine is ready for a debate."""
    from moot.cli.tables import print_checks

    checks = diagnose(out)
    if as_json:
        print_json([{"name": c.name, "ok": c.ok, "found": c.found, "hint": c.hint} for c in checks])
    else:
        print_checks(checks)
    return 1 if any(check.ok is False for check in checks) else 0


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> int:
    """Print the JSON Schemas of what moot reads and writes.

    NAME is entry (a line of log.jsonl), call (a line of calls.jsonl), result, or a protocol, for its debate file.
    """
    from moot.runs.schemas import schemas

    published = schemas()
    if name is None:
        print_json(published)
    elif name in published:
        print_json(published[name])
    else:
        raise moot.ConfigError(f"there is no schema {name!r}; there are {', '.join(published)}")
    return 0
