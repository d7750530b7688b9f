"""The protocols without `await`, for scripts and notebooks: `moot.sync.duel("…", turns=2)` returns the result.

Inside a running event loop, as in a notebook, the debate runs in a thread with its own loop, and the call waits.
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from moot.engine.staging import plan as planning
from moot.engine.staging import replay as replaying
from moot.engine.staging import run as running
from moot.runs import debates, questions, ways
from moot.runs import export as exporting
from moot.system import raising_interrupts

P = ParamSpec("P")
T = TypeVar("T")


def _sync(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return _waited(function(*args, **kwargs))

    return call


def _waited(work: Coroutine[Any, Any, T]) -> T:
    """The result; in a running event loop from a thread. Ctrl-C stops the debate, which can be resumed."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = Future()

    async def main() -> T:
        task = asyncio.ensure_future(work)
        started.set_result((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1) as thread, raising_interrupts():
        done = thread.submit(asyncio.run, main())
        try:
            return done.result()
        except KeyboardInterrupt:
            loop, task = started.result()
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(task.cancel)
            raise


duel = _sync(ways.duel)
chaired = _sync(ways.chaired)
panel = _sync(ways.panel)
persuasion = _sync(ways.persuasion)
arena = _sync(ways.arena)
council = _sync(ways.council)
multiagent = _sync(ways.multiagent)
delphi = _sync(ways.delphi)
oxford = _sync(ways.oxford)
socratic = _sync(ways.socratic)
hats = _sync(ways.hats)
redteam = _sync(ways.redteam)
oversight = _sync(ways.oversight)
run = _sync(debates.run)
resume = _sync(debates.resume)
rebuild = _sync(debates.rebuild)
ask = _sync(questions.ask)
plan = _sync(planning.plan)
result_of = _sync(running.result_of)
replay = _sync(replaying.replay)
export = _sync(exporting.export)
