"""The command that checks this computer."""

import click

from moot.cli.options import JSON, OUT, print_json
from moot.cli.tables import print_checks
from moot.runs.doctor import diagnose


@click.command()
@OUT
@JSON
def doctor(out: str | None, as_json: bool) -> int:
    """Check that this computer is ready for a debate."""
    checks = diagnose(out)
    if as_json:
        print_json([{"name": c.name, "ok": c.ok, "found": c.found, "hint": c.hint} for c in checks])
    else:
        print_checks(checks)
    return 1 if any(check.ok is False for check in checks) else 0
