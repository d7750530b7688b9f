"""What delivery adds to the commands that debate: options for where a result goes, and sending it there."""

from collections.abc import Sequence
from typing import Any

import moot
from moot.cli.additions import Addition, Decorator
from moot.cli.notes import tell
from moot.cli.sections import output_option
from moot.engine.define.protocol import Protocol

DELIVER = output_option(
    "--deliver",
    "places",
    multiple=True,
    metavar="WHERE",
    envvar="MOOT_DELIVER",
    help="Send the result once to a file, an https:// URL, or exec:COMMAND (on its standard input). Repeatable.",
)


class Delivery(Addition):
    def __init__(self, settings: dict[str, Any]) -> None:
        self.places: Sequence[str] = settings.pop("places", ())
        if self.places:
            from moot.deliver.delivery import check_places

            check_places(self.places)

    @classmethod
    def options(cls, command: str, protocol: Protocol | None) -> Sequence[Decorator]:
        del command, protocol
        return [DELIVER]

    async def after(self, result: moot.Result) -> None:
        if result.status == "done":
            await deliver(result.stored, result, self.places)


async def deliver(run: moot.Run, result: moot.Result, places: Sequence[str], *, again: bool = False) -> bool:
    """Send the result and report on stderr; True if everything succeeded."""
    if not places:
        return True
    from moot.deliver.delivery import deliver as delivered

    reports = await delivered(run, result, places, again=again)
    for report in reports:
        tell(report.words())
    return all(report.well for report in reports)
