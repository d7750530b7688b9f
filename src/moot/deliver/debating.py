"""What delivery adds to the commands that debate: options for where a result goes, and sending it there."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.additions import Addition, Decorator
from moot.cli.notes import tell
from moot.engine.define.protocol import Protocol

if TYPE_CHECKING:
    from moot.deliver.outbox import Report

ORIGIN = click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="WHERE",
    envvar="MOOT_ORIGIN",
    help="Deliver the result there, once: a file, https://…, or a chat or mail address of apprise. Repeatable.",
)
WORKFLOW = click.option(
    "--workflow",
    "workflows",
    multiple=True,
    metavar="COMMAND",
    help="Hand the result to a command, or signed to https://…, once. Repeatable.",
)


class Delivery(Addition):
    def __init__(self, settings: dict[str, Any]) -> None:
        self.origins: Sequence[str] = settings.pop("origins", ())
        self.workflows: Sequence[str] = settings.pop("workflows", ())
        check_places(self.origins, self.workflows)

    @classmethod
    def options(cls, protocol: Protocol | None) -> Sequence[Decorator]:
        del protocol
        return [ORIGIN, WORKFLOW]

    async def after(self, run: moot.Run, result: moot.Result) -> None:
        try:
            await deliver(run, result, self.origins)
        finally:
            await run_workflows(run, result, self.workflows)


def check_places(origins: Sequence[str], workflows: Sequence[str]) -> None:
    """ConfigError if a result is certain not to arrive at one of these."""
    if origins:
        from moot.deliver import check_origins

        check_origins(origins)
    if workflows:
        from moot.deliver.workflows import check_workflows

        check_workflows(workflows)


async def deliver(run: moot.Run, result: moot.Result, origins: Sequence[str], *, again: bool = False) -> bool:
    """Deliver the result and report on stderr; True if everything succeeded."""
    if not origins:
        return True
    from moot.deliver import deliver as delivered

    return await _tell(delivered(run, result, origins, again=again))


async def run_workflows(run: moot.Run, result: moot.Result, workflows: Sequence[str], *, again: bool = False) -> bool:
    """Run the workflows and report on stderr; True if everything succeeded."""
    if not workflows:
        return True
    from moot.deliver.workflows import run_workflows as handed_on

    return await _tell(handed_on(run, result, workflows, again=again))


async def _tell(errands: "Coroutine[Any, Any, list[Report]]") -> bool:
    reports = await errands
    for report in reports:
        tell(report.words())
    return all(report.well for report in reports)
