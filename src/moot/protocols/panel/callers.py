"""For callers of panels: act on an accepted idea, and summarise many."""

from collections.abc import Callable, Sequence
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from moot.engine.result import Result

if TYPE_CHECKING:
    from moot.protocols.panel.batch import PanelSummary

OnAccept = Callable[[str, Result], Any]
"""Called with the accepted idea and the result; awaited if it is asynchronous."""


async def hand_on(result: Result, on_accept: OnAccept) -> None:
    """Call back if the required decision carried or, without a requirement, the one that passes the idea."""
    if result.status == "done" and getattr(result.outcome, "accepted", False):
        handed = on_accept(getattr(result.outcome, "idea", ""), result)
        if isawaitable(handed):
            await handed


def summarise_panels(results: Sequence[Result]) -> "PanelSummary":
    """The decisions of many panels and, if the right labels are known, their accuracy."""
    from moot.protocols.panel.batch import summarise
    from moot.protocols.panel.result import PanelOutcome

    return summarise([one.outcome if isinstance(one.outcome, PanelOutcome) else None for one in results])
