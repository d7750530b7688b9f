"""Commands about moot itself: models, doctor, schema."""

import json

import click

import moot
from moot.cli.options import JSON, OUT


@click.command()
@JSON
def models(as_json: bool) -> int:
    """The models that can be used, and how to set up the others."""
    from moot.cli.tables import print_providers

    providers = moot.describe_providers()
    if as_json:
        listed = [
            {name: getattr(one, name) for name in ("name", "what", "configured", "how", "example")} for one in providers
        ]
        click.echo(json.dumps(listed, indent=2))
    else:
        print_providers(providers)
    return 0


@click.command()
@OUT
@JSON
def doctor(out: str, as_json: bool) -> int:
    """Check whether this machine is ready for a debate."""
    from moot.cli.tables import print_checks

    checks = moot.diagnose(out)
    if as_json:
        click.echo(
            json.dumps([{"name": c.name, "ok": c.ok, "found": c.found, "hint": c.hint} for c in checks], indent=2)
        )
    else:
        print_checks(checks)
    return 1 if any(check.ok is False for check in checks) else 0


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> int:
    """The JSON Schemas of what moot reads and writes: entry, call, result, and each protocol's debate file."""
    published = moot.schemas()
    if name is None:
        click.echo(json.dumps(published, ensure_ascii=False, indent=2))
    elif name in published:
        click.echo(json.dumps(published[name], ensure_ascii=False, indent=2))
    else:
        raise moot.ConfigError(f"there is no schema {name!r}; there are {', '.join(published)}")
    return 0
