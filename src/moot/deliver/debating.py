"""What delivery adds to the commands that debate: options for where a result goes, and sending it there."""

from collections.abc import Sequence
from typing import Any

import moot
from moot.cli.additions import Addition, Decorator
from moot.cli.notes import tell
from moot.cli.sections import output_option
from moot.engine.define.protocol import Protocol

ORIGIN = output_option(
    "--origin",
    "origins",
    multiple=True,
    metavar="WHERE",
    envvar="MOOT_ORIGIN",
    help="Send the result once to a file or an https:// URL. Repeatable.",
)
WORKFLOW = output_option(
    "--workflow",
    "workflows",
    multiple=True,
    metavar="COMMAND",
    help="Pass the result once to a command, on standard input. Repeatable.",
)


class Delivery(Addition):
    def __init__(self, settings: dict[str, Any]) -> None:
        self.origins: Sequence[str] = settings.pop("origins", ())
        self.workflows: Sequence[str] = settings.pop("workflows", ())
        if self.origins or self.workflows:
            from moot.deliver import check_places

            check_places(self.origins, self.workflows)

    @classmethod
    def options(cls, protocol: Protocol | None) -> Sequence[Decorator]:
        del protocol
        return [ORIGIN, WORKFLOW]

    async def after(self, run: moot.Run, result: moot.Result) -> None:
        await deliver(run, result, self.origins, self.workflows)


async def deliver(
    run: moot.Run, result: moot.Result, origins: Sequence[str], workflows: Sequence[str], *, again: bool = False
) -> bool:
    """Hand on the result and report on stderr; True if everything succeeded."""
    if not origins and not workflows:
        return True
    from moot.deliver import deliver as delivered

    reports = await delivered(run, result, origins, workflows, again=again)
    for report in reports:
        tell(report.words())
    return all(report.well for report in reports)
