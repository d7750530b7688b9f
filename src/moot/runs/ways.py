"""The shipped protocols as functions. `ways.pyi` has the types of their settings and outcomes, made by
`python -m tests.kit.settings`. `moot.sync` has the same functions without `await`."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from moot.engine.define.layers import configure
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED, describe
from moot.engine.outcome.result import Result
from moot.protocols.panel.callers import OnAccept, notify_accepted
from moot.runs.debates import run


def _function(protocol: str) -> Callable[..., Coroutine[Any, Any, Result]]:
    async def debate(topic: str | None = None, **settings: Any) -> Result:
        return await _debate(protocol, topic, settings)

    debate.__name__ = debate.__qualname__ = protocol
    debate.__doc__ = describe(protocol)
    return debate


async def _debate(protocol: str, subject: Any, settings: dict[str, Any]) -> Result:
    how = {key: settings.pop(key) for key in ("follow", "models", "reports") if key in settings}
    config = configure(protocol, **{get_protocol(protocol).subject.key: subject, **settings})
    return await run(config, **how)


globals().update({name: _function(name) for name in OFFERED})


async def panel(
    idea: str | Mapping[str, Any] | None = None, *, on_accept: OnAccept | None = None, **settings: Any
) -> Result:
    result = await _debate("panel", idea, settings)
    if on_accept is not None:
        await notify_accepted(result, on_accept)
    return result


panel.__doc__ = f"""{describe("panel")}

`on_accept` is called with the accepted idea and the result, and awaited if it is asynchronous, when the required
decision was reached or, if none is required, the decision that lets the idea pass."""
