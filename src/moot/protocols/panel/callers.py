"""For callers of panels: act on an accepted idea."""

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from moot.api import Result

OnAccept = Callable[[str, Result], Any]
"""Called with the accepted idea and the result; awaited if it is asynchronous."""


async def notify_accepted(result: Result, on_accept: OnAccept) -> None:
    """Call back if the required decision carried or, without a requirement, the one that passes the idea, and a gate
    would not refuse it. It is about the idea as submitted or, if the caller accepts that, about its last version."""
    outcome, takes_revised = result.outcome, result.stored.config.options.accept_revised
    accepted = getattr(outcome, "accepted", False) or (takes_revised and getattr(outcome, "accepted_as_revised", False))
    if result.status == "done" and accepted and not (result.gate and result.gate.refused):
        handed = on_accept(getattr(outcome, "idea", ""), result)
        if isawaitable(handed):
            await handed
